#include "picture/page/page.h"
#include "picture/page/page_parts.h"

#include "base/maths.h"
#include "picture/scene/theme.h"

/* Radius of the circle; width of a ring of its edge. */
static const double SPOT = 270, SOFT = 4;
static const double DOT = 11, HALO = 22;
static const Color MASK_INK = {8, 10, 16, 10}, RED = {226, 26, 52, 255},
                   GLOW = {226, 26, 52, 90}, WHITE = {255, 255, 255, 255},
                   BLACK = {0, 0, 0, 255};

enum { RINGS = 36, CORNERS = 5, SIDES = 72 };

/* Draws the page without a circle as one even-odd polygon: its corners and the circle's
 * points, joined by one line in both directions. */
static void draw_mask(const Canvas *canvas, Point at, double radius) {
    double w = canvas->scene->width, h = canvas->scene->height;
    Point points[CORNERS + SIDES + 1] = {{0, 0}, {w, 0}, {w, h}, {0, h}, {0, 0}};
    for (int i = 0; i <= SIDES; i++) {
        double angle = 2 * PI * i / SIDES;
        points[CORNERS + i] =
            (Point){at.x + radius * cos(angle), at.y + radius * sin(angle)};
    }
    scene_polygon(canvas->scene, points, CORNERS + SIDES + 1, MASK_INK);
}

void presenter_spotlight(const Canvas *canvas, Point at) {
    for (int i = 0; i < RINGS; i++)
        draw_mask(canvas, at, round(SPOT - SOFT * i));
}

void presenter_pointer(const Canvas *canvas, Point at) {
    canvas_dot(canvas, at, HALO, GLOW, (Color){0}, 0);
    canvas_dot(canvas, at, DOT, RED, WHITE, 3);
}

void presenter_blank(const Canvas *canvas, bool white) {
    canvas_fill(canvas, (Box){0, 0, canvas->scene->width, canvas->scene->height}, 0,
                white ? WHITE : BLACK);
}

void presenter_end(const Canvas *canvas, const char *ended, const char *next) {
    const Theme *theme = canvas->theme;
    Box page = {0, 0, canvas->scene->width, canvas->scene->height};
    canvas_fill(canvas, page, 0, theme->page);
    Box line = {page.w * 0.05, page.h * 0.38, page.w * 0.9, page.h * 0.12};
    text_line(canvas, FONT_BOLD, TYPE_SLIDE, theme->ink, line, LABEL_CENTER, ended);
    line.y += line.h;
    if (next)
        text_line(canvas, FONT_TEXT, TYPE_POSTER, theme->ink_soft, line, LABEL_CENTER,
                  next);
}
