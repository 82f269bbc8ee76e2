#include "picture/draw/canvas.h"

#include "base/maths.h"

#include <math.h>

/* Half a sign's height in points at most; as a fraction of its box. */
static const double LARGEST = 26, SHARE = 0.34;
/* Of a line in points; of a dot, as a fraction of half the height. */
static const double LINE = 2.2, DOT = 0.24;

enum { ARC_POINTS = 20 };

/* Middle of a sign and half its height; a sign is twice as wide as it is high. */
typedef struct Place {
    const Canvas *canvas;
    Point middle;
    double half;
    Color color;
} Place;

static Point at(const Place *place, double x, double y) {
    return (Point){place->middle.x + x * place->half, place->middle.y + y * place->half};
}

static void dot(const Place *place, double x, double y) {
    canvas_dot(place->canvas, at(place, x, y), fmax(place->half * DOT, 2), place->color,
               (Color){0}, 0);
}

static void line(const Place *place, double x, double y, double to_x, double to_y) {
    scene_line(place->canvas->scene, at(place, x, y), at(place, to_x, to_y), LINE,
               place->color);
}

static void bar(const Place *place, double x, double y, double w, double h) {
    Point corner = at(place, x, y);
    canvas_fill(place->canvas,
                (Box){corner.x, corner.y, w * place->half, h * place->half}, 1,
                place->color);
}

/* Draws half a circle from `x` on. */
static void arc(const Place *place, double x, double wide) {
    Point points[ARC_POINTS];
    for (size_t i = 0; i < ARC_POINTS; i++) {
        double angle = PI * (double)i / (ARC_POINTS - 1);
        points[i] =
            at(place, x + wide / 2 * (1 - cos(angle)), 0.6 - wide / 2 * sin(angle));
    }
    scene_path(place->canvas->scene, points, ARC_POINTS, LINE, place->color);
}

static void draw_text(const Place *place) {
    for (int i = 0; i < 3; i++)
        bar(place, -1.7 + 1.2 * i, -0.35, 1, 0.7);
}

static void draw_rows(const Place *place) {
    for (int i = 0; i < 9; i++)
        bar(place, -1.7 + 1.2 * (i % 3), -0.9 + 0.65 * (double)(i / 3), 1, 0.5);
}

static void draw_looks(const Place *place) {
    arc(place, -1.2, 1.2);
    arc(place, -1.2, 2.4);
    for (int i = -1; i <= 1; i++)
        dot(place, 1.2 * i, 0.6);
}

static void draw_crosses(const Place *place) {
    line(place, -1.2, 0.8, 0, -0.8);
    line(place, 1.2, 0.8, 0, -0.8);
    for (int i = -1; i <= 1; i++) {
        dot(place, 1.2 * i, 0.8);
        dot(place, 1.2 * i, -0.8);
    }
}

static void draw_hinge(const Place *place) {
    line(place, -1.4, 0.6, 0, 0.6);
    line(place, 0, 0.6, 1.3, -0.8);
}

static void draw_norm(const Place *place) {
    line(place, -1.5, 0, -0.1, 0);
    line(place, -0.8, -0.7, -0.8, 0.7);
    bar(place, 0.6, -0.9, 0.5, 1.8);
}

static void draw_probabilities(const Place *place) {
    bar(place, -1.4, -0.9, 2.8, 0.5);
    bar(place, -1.4, -0.2, 1.2, 0.5);
    bar(place, -1.4, 0.5, 0.5, 0.5);
}

void sign_draw(const Canvas *canvas, Sign sign, Box box, Color color) {
    static void (*const signs[])(const Place *) = {[SIGN_TEXT] = draw_text,
                                                   [SIGN_ROWS] = draw_rows,
                                                   [SIGN_LOOKS] = draw_looks,
                                                   [SIGN_CROSSES] = draw_crosses,
                                                   [SIGN_HINGE] = draw_hinge,
                                                   [SIGN_NORM] = draw_norm,
                                                   [SIGN_PROBABILITIES] =
                                                       draw_probabilities};
    Place place = {canvas,
                   {box.x + box.w / 2, box.y + box.h / 2},
                   fmin(fmin(box.w / 2, box.h) * SHARE, LARGEST),
                   color};
    if (sign != SIGN_NONE)
        signs[sign](&place);
}
