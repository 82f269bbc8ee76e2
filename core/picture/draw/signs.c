#include "picture/draw/canvas.h"

#include "base/maths.h"

#include <math.h>

/* Half a sign's height in points at most; as a fraction of its box. */
static const double LARGEST = 26, SHARE = 0.34;
/* Width of a line in points; radius of a dot, as a fraction of half the height. */
static const double THICKNESS = 2.2, DOT_SHARE = 0.24;

enum { ARC_POINTS = 20 };

typedef enum StrokeKind { LINE, BAR, DOT, ARC } StrokeKind;

/* A part of a sign, around its middle in halves of its height; a sign is twice as wide as
 * it is high. */
typedef struct Stroke {
    Sign sign;
    StrokeKind kind;
    double x, y; /* LINE: its begin; BAR: its corner; DOT, ARC: its middle */
    double w, h; /* extent; DOT: none; ARC: half a circle of this width */
} Stroke;

static const Stroke strokes[] = {
    {SIGN_TEXT, BAR, -1.7, -0.35, 1, 0.7},
    {SIGN_TEXT, BAR, -0.5, -0.35, 1, 0.7},
    {SIGN_TEXT, BAR, 0.7, -0.35, 1, 0.7},
    {SIGN_ROWS, BAR, -1.7, -0.9, 1, 0.5},
    {SIGN_ROWS, BAR, -0.5, -0.9, 1, 0.5},
    {SIGN_ROWS, BAR, 0.7, -0.9, 1, 0.5},
    {SIGN_ROWS, BAR, -1.7, -0.25, 1, 0.5},
    {SIGN_ROWS, BAR, -0.5, -0.25, 1, 0.5},
    {SIGN_ROWS, BAR, 0.7, -0.25, 1, 0.5},
    {SIGN_ROWS, BAR, -1.7, 0.4, 1, 0.5},
    {SIGN_ROWS, BAR, -0.5, 0.4, 1, 0.5},
    {SIGN_ROWS, BAR, 0.7, 0.4, 1, 0.5},
    {SIGN_LOOKS, ARC, -0.6, 0.6, 1.2, 0},
    {SIGN_LOOKS, ARC, 0, 0.6, 2.4, 0},
    {SIGN_LOOKS, DOT, -1.2, 0.6, 0, 0},
    {SIGN_LOOKS, DOT, 0, 0.6, 0, 0},
    {SIGN_LOOKS, DOT, 1.2, 0.6, 0, 0},
    {SIGN_CROSSES, LINE, -1.2, 0.8, 1.2, -1.6},
    {SIGN_CROSSES, LINE, 1.2, 0.8, -1.2, -1.6},
    {SIGN_CROSSES, DOT, -1.2, 0.8, 0, 0},
    {SIGN_CROSSES, DOT, -1.2, -0.8, 0, 0},
    {SIGN_CROSSES, DOT, 0, 0.8, 0, 0},
    {SIGN_CROSSES, DOT, 0, -0.8, 0, 0},
    {SIGN_CROSSES, DOT, 1.2, 0.8, 0, 0},
    {SIGN_CROSSES, DOT, 1.2, -0.8, 0, 0},
    {SIGN_HINGE, LINE, -1.4, 0.6, 1.4, 0},
    {SIGN_HINGE, LINE, 0, 0.6, 1.3, -1.4},
    {SIGN_NORM, LINE, -1.5, 0, 1.4, 0},
    {SIGN_NORM, LINE, -0.8, -0.7, 0, 1.4},
    {SIGN_NORM, BAR, 0.6, -0.9, 0.5, 1.8},
    {SIGN_PROBABILITIES, BAR, -1.4, -0.9, 2.8, 0.5},
    {SIGN_PROBABILITIES, BAR, -1.4, -0.2, 1.2, 0.5},
    {SIGN_PROBABILITIES, BAR, -1.4, 0.5, 0.5, 0.5},
};

static void draw_stroke(const Canvas *canvas, const Stroke *stroke, Point middle,
                        double half, Color color) {
    Point at = {middle.x + stroke->x * half, middle.y + stroke->y * half};
    double w = stroke->w * half, h = stroke->h * half;
    Point arc[ARC_POINTS];
    switch (stroke->kind) {
    case LINE:
        scene_line(canvas->scene, at, (Point){at.x + w, at.y + h}, THICKNESS, color);
        break;
    case BAR:
        canvas_fill(canvas, (Box){at.x, at.y, w, h}, 1, color);
        break;
    case DOT:
        canvas_dot(canvas, at, fmax(half * DOT_SHARE, 2), color, (Color){0}, 0);
        break;
    case ARC:
        for (size_t i = 0; i < ARC_POINTS; i++) {
            double angle = PI * (double)i / (ARC_POINTS - 1);
            arc[i] = (Point){at.x - w / 2 * cos(angle), at.y - w / 2 * sin(angle)};
        }
        scene_path(canvas->scene, arc, ARC_POINTS, THICKNESS, color);
        break;
    }
}

void sign_draw(const Canvas *canvas, Sign sign, Box box, Color color) {
    double half = fmin(fmin(box.w / 2, box.h) * SHARE, LARGEST);
    for (size_t i = 0; i < sizeof strokes / sizeof *strokes; i++) {
        if (strokes[i].sign == sign)
            draw_stroke(canvas, &strokes[i], box_middle(box), half, color);
    }
}
