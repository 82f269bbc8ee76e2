#include "picture/operations/matrices/network_picture.h"

#include "picture/draw/canvas.h"

#include <math.h>
#include <string.h>

enum { HINGE_POINTS = 25 };

/* Curve of the units' activation function, such as max(0, z) of ReLU, over numbers from
 * -reach to reach. */
typedef struct Hinge {
    double values[HINGE_POINTS];
    double least, most; /* extremes of the values and 0 */
} Hinge;

static Hinge hinge_of(const NetworkLayout *picture) {
    const TapeNode *node = stage_node(picture->stage, picture->network->a);
    Hinge hinge = {.least = 0, .most = 0};
    double numbers[HINGE_POINTS];
    for (size_t i = 0; i < HINGE_POINTS; i++)
        numbers[i] = picture->reach * (2.0 * (double)i / (HINGE_POINTS - 1) - 1);
    const Tensor in = {.rows = 1, .cols = HINGE_POINTS, .values = numbers};
    const Tensor *const inputs[] = {&in};
    Tensor out = {.rows = 1, .cols = HINGE_POINTS, .values = hinge.values};
    if (node->muted)
        memcpy(hinge.values, numbers, sizeof numbers);
    else
        operation_of(node->operation)
            ->forward(&(OperationCall){.inputs = inputs, .count = 1}, &out);
    for (size_t i = 0; i < HINGE_POINTS; i++) {
        hinge.least = fmin(hinge.least, hinge.values[i]);
        hinge.most = fmax(hinge.most, hinge.values[i]);
    }
    return hinge;
}

/* Returns where a number and the function's value for it lie on the curve in a box;
 * numbers are limited to the reach of the picture. */
static Point on_hinge(const NetworkLayout *picture, const Hinge *hinge, Box box, double z,
                      double made) {
    double share = fmax(fmin(z / picture->reach, 1), -1);
    double up = fmax(fmin(made, hinge->most), hinge->least) - hinge->least;
    double whole = hinge->most - hinge->least;
    return (Point){box.x + box.w / 2 * (1 + share),
                   box.y + box.h - 1 - (whole > 0 ? up / whole : 0) * box.h};
}

/* Draws the curve with a dot at the unit's number. */
static void draw_hinge(const NetworkLayout *picture, const Hinge *hinge, size_t unit) {
    const Canvas *canvas = picture->stage->canvas;
    const Theme *theme = canvas->theme;
    size_t node = picture->network->a;
    double z = network_value(picture, &picture->columns[NETWORK_SUMS], unit);
    Box cell = network_cell(&picture->columns[NETWORK_SUMS], unit);
    double height = fmin(fmax(cell.h - 4, 1), picture->hinges.w / 2);
    Box box = {picture->hinges.x, round(cell.y + (cell.h - height) / 2),
               picture->hinges.w, height};
    bool there = network_shows(picture, node, picture->row, unit);
    bool lit = there && network_lit(picture, picture->row, unit);
    Point path[HINGE_POINTS];
    for (size_t i = 0; i < HINGE_POINTS; i++)
        path[i] = on_hinge(picture, hinge, box,
                           picture->reach * (2.0 * (double)i / (HINGE_POINTS - 1) - 1),
                           hinge->values[i]);
    scene_path(canvas->scene, path, HINGE_POINTS, 2,
               lit ? theme->ink_soft : palette_mix(theme->page, theme->ink_faint, 140));
    if (!there || !isfinite(z))
        return;
    double made = network_value(picture, &picture->columns[NETWORK_UNITS], unit);
    double radius = fmin(6, fmax(cell.h * 0.3, 1.5));
    canvas_link_cell(canvas, node, picture->row, unit);
    canvas_dot(canvas, on_hinge(picture, hinge, box, z, made), radius,
               lit ? network_color(picture, copysign(picture->reach, made)) : theme->page,
               lit ? theme->ink : theme->ink_faint, 1.5);
    canvas_unlink(canvas);
}

void network_hinges(const NetworkLayout *picture) {
    const NetworkColumn *sums = &picture->columns[NETWORK_SUMS];
    if (sums->across != 1 || !(picture->hinges.w > 0))
        return;
    const Hinge hinge = hinge_of(picture);
    for (size_t i = 0; i < sums->count; i++)
        draw_hinge(picture, &hinge, i);
}
