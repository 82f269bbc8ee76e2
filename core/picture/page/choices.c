#include "picture/page/choices.h"

#include <math.h>

static const double WIDTH = 760, LINE = 44, PAD = 26, NAME_SHARE = 0.42;

static void draw_arrow(const Canvas *canvas, Box area, bool points_right, bool there,
                       Link link) {
    double half = canvas_length(canvas, 7), middle = area.y + area.h / 2;
    double x = area.x + area.w / 2, way = points_right ? half : -half;
    const Point points[] = {
        {x - way, middle - half}, {x + way, middle}, {x - way, middle + half}};
    Color ink = canvas->theme->accent;
    ink.a = there ? 255 : 60;
    canvas_link(canvas, link);
    canvas_target(canvas, area);
    scene_polygon(canvas->scene, points, 3, ink);
    canvas_unlink(canvas);
}

static void draw_line(const Canvas *canvas, const Choice *choice, Box line, bool chosen,
                      Link link) {
    const Theme *theme = canvas->theme;
    double arrow = canvas_length(canvas, 34), gap = canvas_length(canvas, 12);
    canvas_link(canvas, link);
    scene_rectangle(
        canvas->scene, line, canvas_length(canvas, 6), chosen ? theme->panel : theme->bar,
        chosen ? theme->accent : theme->bar, fmax(canvas_length(canvas, 2), 1));
    Box rest = line;
    box_take_left(&rest, gap);
    Box name = box_take_left(&rest, line.w * NAME_SHARE - gap);
    canvas_line(canvas, chosen ? FONT_BOLD : FONT_TEXT, 16, theme->ink, name,
                choice->name);
    canvas_unlink(canvas);
    link.col = 1;
    draw_arrow(canvas, box_take_left(&rest, arrow), false, choice->has_less, link);
    link.col = 2;
    draw_arrow(canvas, box_take_right(&rest, arrow), true, choice->has_more, link);
    const char *value = choice->note[0]
                            ? canvas_format(canvas, "%s  %s", choice->value, choice->note)
                            : choice->value;
    canvas_line(canvas, FONT_TEXT, 16, theme->ink, rest, value);
}

void choices_draw(const Canvas *canvas, const char *title, const char *keys,
                  const Choice *choices, size_t count, size_t chosen, Link link) {
    const Theme *theme = canvas->theme;
    double pad = canvas_length(canvas, PAD), each = canvas_length(canvas, LINE);
    double width = fmin(canvas_length(canvas, WIDTH), canvas->scene->width - pad);
    double height = 2 * pad + each * ((double)count + 1.9);
    Box inner = box_inset(canvas_dialog(canvas, width, height), pad);
    canvas_line(canvas, FONT_BOLD, 16, theme->ink, box_take_top(&inner, each), title);
    Box foot = box_take_bottom(&inner, each * 0.7);
    canvas_line(canvas, FONT_TEXT, 16, theme->ink_faint, foot, keys);
    for (size_t i = 0; i < count; i++) {
        Box line = box_take_top(&inner, each);
        line.h -= canvas_length(canvas, 4);
        link.row = i + 1;
        draw_line(canvas, &choices[i], line, i == chosen, link);
    }
}
