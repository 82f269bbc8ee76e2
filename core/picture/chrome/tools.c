#include "picture/chrome/tools.h"

#include "base/maths.h"
#include "picture/draw/canvas.h"

/* Signs are drawn on a square of GRID by GRID. */
static const double GRID = 20, STROKE = 1.8, BUTTON_SIGN = 18;
enum { PARTS_MAX = 6, POINTS_MAX = 7, ROUND = 24 };

typedef enum PartKind {
    PART_NONE,
    PART_PATH,
    PART_AREA, /* filled */
    PART_DOT,  /* around the first point, with the second one's x as width */
    PART_RING
} PartKind;

typedef struct SignPart {
    PartKind kind;
    size_t count;
    Point points[POINTS_MAX];
} SignPart;

static const SignPart signs[TOOL_SIGNS][PARTS_MAX] = {
    [TOOL_SLOWER] = {{PART_PATH, 2, {{5, 10}, {15, 10}}}},
    [TOOL_FASTER] = {{PART_PATH, 2, {{5, 10}, {15, 10}}},
                     {PART_PATH, 2, {{10, 5}, {10, 15}}}},
    [TOOL_PLAY] = {{PART_AREA, 3, {{5, 3}, {17, 10}, {5, 17}}}},
    [TOOL_PAUSE] = {{PART_AREA, 4, {{4, 3}, {8, 3}, {8, 17}, {4, 17}}},
                    {PART_AREA, 4, {{12, 3}, {16, 3}, {16, 17}, {12, 17}}}},
    [TOOL_BACK] = {{PART_PATH, 2, {{3, 10}, {18, 10}}},
                   {PART_PATH, 3, {{9, 4}, {3, 10}, {9, 16}}}},
    [TOOL_NEXT] = {{PART_PATH, 2, {{2, 10}, {17, 10}}},
                   {PART_PATH, 3, {{11, 4}, {17, 10}, {11, 16}}}},
    [TOOL_OPEN] = {{PART_PATH, 2, {{3, 3}, {17, 3}}},
                   {PART_PATH, 2, {{10, 7}, {10, 18}}},
                   {PART_PATH, 3, {{5, 13}, {10, 18}, {15, 13}}}},
    [TOOL_CLOSE] = {{PART_PATH, 2, {{3, 3}, {17, 3}}},
                    {PART_PATH, 2, {{10, 7}, {10, 18}}},
                    {PART_PATH, 3, {{5, 12}, {10, 7}, {15, 12}}}},
    [TOOL_PRACTISE] = {{PART_PATH, 5, {{13, 3}, {3, 3}, {3, 17}, {17, 17}, {17, 10}}},
                       {PART_PATH, 3, {{7, 9}, {10, 12}, {18, 3}}}},
    [TOOL_CHANGE] = {{PART_PATH,
                      6,
                      {{3, 17}, {4, 12}, {14, 2}, {18, 6}, {8, 16}, {3, 17}}},
                     {PART_PATH, 2, {{11, 5}, {15, 9}}}},
    [TOOL_TEXT] = {{PART_PATH, 5, {{2, 4}, {18, 4}, {18, 16}, {2, 16}, {2, 4}}},
                   {PART_PATH, 2, {{6, 7}, {6, 13}}},
                   {PART_PATH, 2, {{9, 10}, {15, 10}}}},
    [TOOL_INFLUENCE] = {{PART_DOT, 1, {{3.5, 3.5}, {2, 0}}},
                        {PART_DOT, 1, {{3.5, 10}, {2, 0}}},
                        {PART_DOT, 1, {{3.5, 16.5}, {2, 0}}},
                        {PART_RING, 1, {{15.5, 10}, {3, 0}}},
                        {PART_PATH, 3, {{3.5, 3.5}, {12.8, 8.6}, {12.5, 10}}},
                        {PART_PATH,
                         4,
                         {{3.5, 10}, {12.5, 10}, {12.8, 11.4}, {3.5, 16.5}}}},
    [TOOL_VIEW] = {{PART_PATH, 2, {{2, 18}, {18, 18}}},
                   {PART_AREA, 4, {{3, 11}, {6.5, 11}, {6.5, 16}, {3, 16}}},
                   {PART_AREA, 4, {{8.3, 3}, {11.8, 3}, {11.8, 16}, {8.3, 16}}},
                   {PART_AREA, 4, {{13.6, 7}, {17, 7}, {17, 16}, {13.6, 16}}}},
    [TOOL_SAVE] = {{PART_PATH, 4, {{3, 12}, {3, 18}, {17, 18}, {17, 12}}},
                   {PART_PATH, 2, {{10, 2}, {10, 13}}},
                   {PART_PATH, 3, {{5, 8}, {10, 13}, {15, 8}}}},
    [TOOL_PRESENT] = {{PART_PATH, 5, {{2, 3}, {18, 3}, {18, 13}, {2, 13}, {2, 3}}},
                      {PART_AREA, 3, {{8, 5.5}, {13, 8}, {8, 10.5}}},
                      {PART_PATH,
                       5,
                       {{5, 18}, {10, 13.5}, {10, 13}, {10, 13.5}, {15, 18}}}},
    [TOOL_LANGUAGE] =
        {{PART_RING, 1, {{10, 10}, {8.6, 0}}},
         {PART_PATH, 2, {{1.4, 10}, {18.6, 10}}},
         {PART_PATH,
          7,
          {{10, 1.4}, {7.2, 4.4}, {6, 8}, {5.8, 10}, {6, 12}, {7.2, 15.6}, {10, 18.6}}},
         {PART_PATH,
          7,
          {{10, 1.4},
           {12.8, 4.4},
           {14, 8},
           {14.2, 10},
           {14, 12},
           {12.8, 15.6},
           {10, 18.6}}}},
    [TOOL_FIND] = {{PART_RING, 1, {{8.5, 8.5}, {5.5, 0}}},
                   {PART_PATH, 2, {{12.5, 12.5}, {18, 18}}}},
    [TOOL_HELP] = {{PART_RING, 1, {{10, 10}, {8.6, 0}}},
                   {PART_PATH,
                    7,
                    {{7.2, 7.8},
                     {7.9, 5.9},
                     {10, 5.2},
                     {12.2, 6.1},
                     {12.6, 8.2},
                     {10.2, 10.2},
                     {10, 12}}},
                   {PART_DOT, 1, {{10, 14.8}, {1.2, 0}}}},
    [TOOL_USE] = {{PART_PATH, 3, {{3, 10}, {8, 15}, {17, 4}}}},
    [TOOL_LEAVE] = {{PART_PATH, 2, {{4.5, 4.5}, {15.5, 15.5}}},
                    {PART_PATH, 2, {{4.5, 15.5}, {15.5, 4.5}}}},
    [TOOL_PASTE] = {{PART_PATH, 6, {{7, 4}, {3, 4}, {3, 18}, {17, 18}, {17, 4}, {13, 4}}},
                    {PART_AREA, 4, {{7, 2}, {13, 2}, {13, 6}, {7, 6}}},
                    {PART_PATH, 2, {{7, 11}, {13, 11}}}},
};

static void draw_ring(const Canvas *canvas, Point centre, double radius, double width,
                      Color ink) {
    Point points[ROUND + 1];
    for (int i = 0; i <= ROUND; i++) {
        double angle = 2 * 3.14159265358979 * i / ROUND;
        points[i] =
            (Point){centre.x + radius * cos(angle), centre.y + radius * sin(angle)};
    }
    scene_path(canvas->scene, points, ROUND + 1, width, ink);
}

static void draw_part(const Canvas *canvas, const SignPart *part, Box box, Color ink) {
    double unit = box.w / GRID, width = STROKE * unit;
    Point points[POINTS_MAX];
    for (size_t i = 0; i < part->count; i++)
        points[i] =
            (Point){box.x + part->points[i].x * unit, box.y + part->points[i].y * unit};
    double radius = part->points[1].x * unit;
    switch (part->kind) {
    case PART_PATH:
        scene_path(canvas->scene, points, part->count, width, ink);
        break;
    case PART_AREA:
        scene_polygon(canvas->scene, points, part->count, ink);
        break;
    case PART_DOT:
        canvas_dot(canvas, points[0], radius, ink, (Color){0}, 0);
        break;
    case PART_RING:
        draw_ring(canvas, points[0], radius, width, ink);
        break;
    case PART_NONE:
        break;
    }
}

void tool_draw(const Canvas *canvas, Tool tool, Box box, Color ink) {
    for (size_t i = 0; i < PARTS_MAX; i++)
        draw_part(canvas, &signs[tool][i], box, ink);
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
    return tool == TOOL_PRACTISE || tool == TOOL_VIEW || tool == TOOL_LANGUAGE;
}
