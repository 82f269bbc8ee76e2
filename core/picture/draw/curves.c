#include "picture/draw/curves.h"

void curve_points(Point from, Point to, bool upright, Point points[CURVE_POINTS]) {
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        double t = (double)i / (CURVE_POINTS - 1), s = t * t * (3 - 2 * t);
        points[i] = (Point){from.x + (to.x - from.x) * (upright ? s : t),
                            from.y + (to.y - from.y) * (upright ? t : s)};
    }
}

void curve_draw(const Canvas *canvas, Point from, Point to, double width, Color color) {
    Point points[CURVE_POINTS];
    curve_points(from, to, false, points);
    scene_path(canvas->scene, points, CURVE_POINTS, width, color);
}

void curve_band(const Canvas *canvas, Box from, Box to, bool upright, Color color) {
    Point points[2 * CURVE_POINTS], corner = {from.x + from.w, from.y + from.h};
    curve_points(upright ? (Point){from.x, corner.y} : (Point){corner.x, from.y},
                 (Point){to.x, to.y}, upright, points);
    curve_points(upright ? (Point){to.x + to.w, to.y} : (Point){to.x, to.y + to.h},
                 corner, upright, points + CURVE_POINTS);
    scene_polygon(canvas->scene, points, 2 * CURVE_POINTS, color);
}
