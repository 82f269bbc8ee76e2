#include "picture/chrome/tools.h"

#include "picture/draw/canvas.h"

#include <math.h>
#include <stdlib.h>

/* Signs are drawn on a square of GRID by GRID. */
static const double GRID = 200, STROKE = 18, BUTTON_SIGN = 18;
enum { NUMBERS_MAX = 14 };

/* Parts of a sign, each a letter and numbers: L x y x y … a line, A x y x y … a filled
 * area, D x y r a dot, R x y r a ring. */
static const char *const signs[TOOL_SIGNS] = {
    [TOOL_SLOWER] = "L 50 100 150 100",
    [TOOL_FASTER] = "L 50 100 150 100 L 100 50 100 150",
    [TOOL_PLAY] = "A 50 30 170 100 50 170",
    [TOOL_PAUSE] = "A 40 30 80 30 80 170 40 170 A 120 30 160 30 160 170 120 170",
    [TOOL_BACK] = "L 30 100 180 100 L 90 40 30 100 90 160",
    [TOOL_NEXT] = "L 20 100 170 100 L 110 40 170 100 110 160",
    [TOOL_OPEN] = "L 30 30 170 30 L 100 70 100 180 L 50 130 100 180 150 130",
    [TOOL_CLOSE] = "L 30 30 170 30 L 100 70 100 180 L 50 120 100 70 150 120",
    [TOOL_PRACTISE] = "L 130 30 30 30 30 170 170 170 170 100 L 70 90 100 120 180 30",
    [TOOL_CHANGE] = "L 30 170 40 120 140 20 180 60 80 160 30 170 L 110 50 150 90",
    [TOOL_TEXT] = "L 20 40 180 40 180 160 20 160 20 40 L 60 70 60 130 L 90 100 150 100",
    [TOOL_MORE] = "R 40 100 14 R 100 100 14 R 160 100 14",
    [TOOL_FIND] = "R 85 85 55 L 125 125 180 180",
    [TOOL_USE] = "L 30 100 80 150 170 40",
    [TOOL_LEAVE] = "L 45 45 155 155 L 45 155 155 45",
    [TOOL_PASTE] =
        "L 70 40 30 40 30 180 170 180 170 40 130 40 A 70 20 130 20 130 60 70 60 "
        "L 70 110 130 110",
    [TOOL_HOME] = "L 20 100 100 25 180 100 L 45 80 45 175 155 175 155 80",
};

/* Draws one part with its numbers, already in points. */
static void draw_part(const Canvas *canvas, char kind, const double *numbers,
                      size_t count, double width, Color ink) {
    Point points[NUMBERS_MAX / 2];
    for (size_t i = 0; i < count / 2; i++)
        points[i] = (Point){numbers[2 * i], numbers[2 * i + 1]};
    if (kind == 'L')
        scene_path(canvas->scene, points, count / 2, width, ink);
    else if (kind == 'A')
        scene_polygon(canvas->scene, points, count / 2, ink);
    else if (kind == 'D')
        canvas_dot(canvas, points[0], numbers[2], ink, (Color){0}, 0);
    else
        canvas_dot(canvas, points[0], numbers[2] + width / 2, (Color){0}, ink, width);
}

void tool_draw(const Canvas *canvas, Tool tool, Box box, Color ink) {
    double unit = box.w / GRID, numbers[NUMBERS_MAX];
    for (const char *at = signs[tool]; at && *at;) {
        char kind = *at++, *end = NULL;
        size_t count = 0;
        bool point = kind == 'L' || kind == 'A';
        for (long number; number = strtol(at, &end, 10), end != at; at = end) {
            double corner = point || count < 2 ? (count % 2 ? box.y : box.x) : 0;
            numbers[count++] = corner + (double)number * unit;
        }
        at += *at == ' ';
        draw_part(canvas, kind, numbers, count, STROKE * unit, ink);
    }
}

void tool_draw_button(const Canvas *canvas, Tool tool, Link link, Box box, Color ink) {
    canvas_link(canvas, link);
    canvas_target(canvas, box);
    tool_draw(canvas, tool,
              (Box){round(box.x + (box.w - BUTTON_SIGN) / 2),
                    round(box.y + (box.h - BUTTON_SIGN) / 2), BUTTON_SIGN, BUTTON_SIGN},
              ink);
    canvas_unlink(canvas);
}

bool tool_begins_group(Tool tool) {
    return tool == TOOL_PRACTISE || tool == TOOL_MORE;
}
