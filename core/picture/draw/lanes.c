#include "picture/draw/lanes.h"

#include "base/arena.h"
#include "picture/draw/canvas.h"
#include "picture/draw/patterns.h"

#include <math.h>

enum { PIECES = 24 }; /* straight segments of a curve */

static const double THICKNESS = 11, RESIDUAL_THICKNESS = 30, SUM_RADIUS = 21,
                    SOFTMAX_RADIUS = 13,
                    SIGN_BEYOND =
                        0.36;         /* fraction of a ring's radius: half a sign's box */
static const double DASH_SCALE = 1.6; /* dashes of a lane, relative to those of a frame */
/* Length of an arrow's head, relative to the lane's thickness. */
static const double HEAD_FRACTION = 1.3;
static const int STRONG = 150; /* of 256 parts of the role's colour, as LANE_TINT */

static Color soften(const Canvas *canvas, Color color, bool strong) {
    return palette_mix(canvas->theme->page, color, strong ? STRONG : LANE_TINT);
}

Color lane_color(const Canvas *canvas, Role role, bool strong) {
    const Theme *theme = canvas->theme;
    return soften(canvas, role_color(theme, role, theme->ink_soft), strong);
}

static Point between(Point a, Point b, Point c, Point d, double t) {
    double s = 1 - t;
    double ka = s * s * s, kb = 3 * s * s * t, kc = 3 * s * t * t, kd = t * t * t;
    return (Point){ka * a.x + kb * b.x + kc * c.x + kd * d.x,
                   ka * a.y + kb * b.y + kc * c.y + kd * d.y};
}

/* Control point of a cubic curve: half way to the other point, in the direction at
 * `at`. */
static Point handle(Point at, Point other, bool upright) {
    return upright ? (Point){at.x, (at.y + other.y) / 2}
                   : (Point){(at.x + other.x) / 2, at.y};
}

/* Returns the points of a lane's centre line, new in the frame's arena. */
static Point *middle_of(const Canvas *canvas, const Lane *lane, size_t *count) {
    size_t most = (lane->count - 1) * PIECES + 1;
    Point *points = arena_alloc(canvas->scene->arena, most, sizeof *points);
    *count = 0;
    points[(*count)++] = lane->points[0];
    for (size_t i = 0; i + 1 < lane->count; i++) {
        Point a = lane->points[i], d = lane->points[i + 1];
        Point b = handle(a, d, lane->leaves_upright && i == 0);
        Point c = handle(d, a, lane->ends_upright && i + 2 == lane->count);
        if (a.x == d.x || a.y == d.y) { /* straight */
            points[(*count)++] = d;
            continue;
        }
        for (int j = 1; j <= PIECES; j++)
            points[(*count)++] = between(a, b, c, d, (double)j / PIECES);
    }
    return points;
}

/* Draws a head with its tip at the lane's end; shortens the lane to end inside it. */
static void draw_head(const Canvas *canvas, Point *points, size_t count, double half,
                      Color color) {
    Point tip = points[count - 1], before = points[count - 2];
    double dx = tip.x - before.x, dy = tip.y - before.y, length = sqrt(dx * dx + dy * dy);
    if (length == 0)
        return;
    dx *= half / length;
    dy *= half / length;
    Point base = {tip.x - 1.5 * dx, tip.y - 1.5 * dy};
    const Point head[] = {tip, {base.x - dy, base.y + dx}, {base.x + dy, base.y - dx}};
    scene_polygon(canvas->scene, head, 3, color);
    if (length > 1.2 * half)
        points[count - 1] = (Point){tip.x - 1.2 * dx, tip.y - 1.2 * dy};
}

void lane_draw(const Canvas *canvas, const Lane *lane) {
    size_t count;
    Point *points = middle_of(canvas, lane, &count);
    if (!points)
        return;
    double width = lane->thickness > 0 ? lane->thickness : THICKNESS;
    Color own = lane->color.a
                    ? lane->color
                    : role_color(canvas->theme, lane->role, canvas->theme->ink_soft);
    Color color = soften(canvas, own, lane->strong);
    if (lane->arrow)
        draw_head(canvas, points, count, width * HEAD_FRACTION,
                  soften(canvas, own, true));
    pattern_path(canvas, pattern_dash(canvas->theme, lane->role), points, count, width,
                 DASH_SCALE, color);
}

void lane_between(const Canvas *canvas, Point from, Point to, Lane lane) {
    const Point points[] = {from, to};
    lane.points = points;
    lane.count = 2;
    lane_draw(canvas, &lane);
}

void lane_residual(const Canvas *canvas, Point from, Point to, double thickness,
                   bool arrow) {
    double width = thickness > 0 ? thickness : RESIDUAL_THICKNESS;
    double line = fmax(width / 8, 1);
    Color dark = lane_color(canvas, ROLE_RESIDUAL, true);
    scene_line(
        canvas->scene, from, to, width,
        palette_mix(canvas->theme->page, lane_color(canvas, ROLE_RESIDUAL, false), 170));
    Point along[] = {from, to};
    if (arrow)
        draw_head(canvas, along, 2, line * 2.2, dark);
    scene_line(canvas->scene, along[0], along[1], line, dark);
}

/* Draws an empty ring; returns its radius in points. */
static double draw_ring(const Canvas *canvas, Point centre, double radius) {
    double r = round(radius > 0 ? radius : SUM_RADIUS);
    canvas_dot(canvas, centre, r, canvas->theme->page, canvas->theme->ink,
               fmax(r / 9, 1.5));
    return r;
}

Box lane_product(const Canvas *canvas, Point centre, double radius) {
    double r = draw_ring(canvas, centre, radius);
    canvas_dot(canvas, centre, r * 0.25, canvas->theme->ink, canvas->theme->ink, 0);
    return (Box){centre.x - r, centre.y - r, 2 * r, 2 * r};
}

void lane_softmax(const Canvas *canvas, Point centre) {
    double r = draw_ring(canvas, centre, SOFTMAX_RADIUS);
    Box ring = {centre.x - r, centre.y - r, 2 * r, 2 * r};
    sign_draw(canvas, SIGN_PROBABILITIES, box_inset(ring, -r * SIGN_BEYOND),
              canvas->theme->ink);
}

/* Draws a ring with a cross whose first arm points along `arm`. */
static Box draw_crossed(const Canvas *canvas, Point centre, double radius, Point arm) {
    double r = draw_ring(canvas, centre, radius), width = 1.3 * fmax(r / 9, 1.5);
    Point a = {arm.x * r, arm.y * r};
    scene_line(canvas->scene, (Point){centre.x - a.x, centre.y - a.y},
               (Point){centre.x + a.x, centre.y + a.y}, width, canvas->theme->ink);
    scene_line(canvas->scene, (Point){centre.x + a.y, centre.y - a.x},
               (Point){centre.x - a.y, centre.y + a.x}, width, canvas->theme->ink);
    return (Box){centre.x - r, centre.y - r, 2 * r, 2 * r};
}

Box lane_sum(const Canvas *canvas, Point centre, double radius) {
    return draw_crossed(canvas, centre, radius, (Point){0.5, 0});
}

Box lane_times(const Canvas *canvas, Point centre, double radius) {
    return draw_crossed(canvas, centre, radius, (Point){0.4, 0.4});
}
