#include "picture/draw/patterns.h"

#include "tensor/tensor.h"

#include <math.h>

static const double HATCH_STEP = 6, HATCH_WIDTH = 1.8; /* points */
enum { RUNS_MOST = 4000 };

static const PatternDash dashes[ROLE_COUNT] = {
    [ROLE_KEY] = {11, 6},
    [ROLE_VALUE] = {3, 4},
    [ROLE_NORM] = {16, 3},
};

/* Hatches a box with lines that fall to the right; lines over masked cells are
 * crossed. */
static void hatch(const Canvas *canvas, Box box) {
    scene_clip(canvas->scene, box);
    /* Neighbouring boxes share their lines. */
    double first = fmod(box.y - box.x, HATCH_STEP);
    for (double at = first - box.h; at < box.w + HATCH_STEP; at += HATCH_STEP)
        scene_line(canvas->scene, (Point){box.x + at, box.y},
                   (Point){box.x + at + box.h, box.y + box.h}, HATCH_WIDTH,
                   canvas->theme->page);
    scene_unclip(canvas->scene);
}

static bool is_hatched(double value) {
    return value < 0 && !tensor_is_masking(value);
}

bool pattern_negative(const Canvas *canvas, Box box, double value) {
    bool hatched = canvas->theme->patterns && is_hatched(value);
    if (hatched)
        hatch(canvas, box);
    return hatched;
}

static size_t count_runs(const Tensor *tensor) {
    size_t runs = 0;
    for (size_t i = 0; i < tensor_cells(tensor); i++)
        runs += is_hatched(tensor->values[i]) &&
                (i % tensor->cols == 0 || !is_hatched(tensor->values[i - 1]));
    return runs;
}

void pattern_image(const Canvas *canvas, Box box, const Tensor *tensor) {
    if (!canvas->theme->patterns || count_runs(tensor) > RUNS_MOST)
        return;
    double w = box.w / (double)tensor->cols, h = box.h / (double)tensor->rows;
    for (size_t i = 0; i < tensor->rows; i++) {
        size_t begin = 0;
        for (size_t j = 0; j <= tensor->cols; j++) {
            if (j < tensor->cols && is_hatched(tensor_at(tensor, i, j)))
                continue;
            if (j > begin)
                hatch(canvas, (Box){box.x + w * (double)begin, box.y + h * (double)i,
                                    w * (double)(j - begin), h});
            begin = j + 1;
        }
    }
}

PatternDash pattern_dash(const Theme *theme, Role role) {
    return theme->patterns ? dashes[role] : (PatternDash){0};
}

PatternDash pattern_sign(const Theme *theme, double value) {
    return theme->patterns && value < 0 ? (PatternDash){9, 6} : (PatternDash){0};
}

PatternDash pattern_nth(const Theme *theme, size_t index) {
    static const PatternDash turns[] = {{0, 0}, {11, 6}, {3, 4}, {18, 3}};
    return turns[theme->patterns ? index % 4 : 0];
}

static Point along(Point a, Point b, double fraction) {
    return (Point){a.x + (b.x - a.x) * fraction, a.y + (b.y - a.y) * fraction};
}

void pattern_path(const Canvas *canvas, PatternDash dash, const Point *points,
                  size_t count, double width, double scale, Color color) {
    if (dash.on == 0) {
        scene_path(canvas->scene, points, count, width, color);
        return;
    }
    bool on = true;
    double left = dash.on * scale; /* rest of the present dash or gap */
    for (size_t i = 0; i + 1 < count; i++) {
        double dx = points[i + 1].x - points[i].x, dy = points[i + 1].y - points[i].y;
        double length = sqrt(dx * dx + dy * dy), done = 0;
        while (done < length) {
            double piece = fmin(left, length - done);
            if (on)
                scene_line(canvas->scene, along(points[i], points[i + 1], done / length),
                           along(points[i], points[i + 1], (done + piece) / length),
                           width, color);
            done += piece;
            left -= piece;
            if (left <= 0) {
                on = !on;
                left = (on ? dash.on : dash.off) * scale;
            }
        }
    }
}
