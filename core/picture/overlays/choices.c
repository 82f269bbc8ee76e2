#include "picture/overlays/choices.h"

#include "picture/chrome/tools.h"
#include "picture/scene/theme.h"

#include <math.h>

static const double LINE = 44, PAD = 26, UNITS = 16, ARROW = 44, GAP = 12;

static void draw_arrow(const Canvas *canvas, Box area, bool points_right, bool there,
                       Link link) {
    double half = 7, middle = area.y + area.h / 2;
    double x = area.x + area.w / 2, tip = points_right ? half : -half;
    const Point points[] = {
        {x - tip, middle - half}, {x + tip, middle}, {x - tip, middle + half}};
    Color ink = canvas->theme->accent;
    ink.a = there ? 255 : 60;
    canvas_link(canvas, link);
    canvas_target(canvas, area);
    scene_polygon(canvas->scene, points, 3, ink);
    canvas_unlink(canvas);
}

static double text_width(const Canvas *canvas, FontRole font, const char *text) {
    return canvas_text_width(canvas, font, canvas_size(canvas, UNITS, text), text);
}

static const char *value_of(const Canvas *canvas, const Choice *choice) {
    return choice->note[0] ? canvas_format(canvas, "%s  %s", choice->value, choice->note)
                           : choice->value;
}

/* Measures the widest name and the widest value. */
static void measure(const Canvas *canvas, const Choice *choices, size_t count,
                    double *names, double *values) {
    *names = *values = 0;
    for (size_t i = 0; i < count; i++) {
        const char *value = value_of(canvas, &choices[i]);
        *names = fmax(*names, text_width(canvas, FONT_BOLD, choices[i].name));
        *values = fmax(*values, text_width(canvas, FONT_TEXT, value));
    }
}

static void draw_line(const Canvas *canvas, const Choice *choice, Box line, double names,
                      bool chosen, Link link) {
    const Theme *theme = canvas->theme;
    canvas_link(canvas, link);
    scene_rectangle(canvas->scene, line, 6, chosen ? theme->panel : theme->bar,
                    chosen ? theme->accent : theme->bar, 2);
    Box rest = line;
    box_take_left(&rest, GAP);
    Box name = box_take_left(&rest, names + GAP);
    canvas_line(canvas, chosen ? FONT_BOLD : FONT_TEXT, UNITS, theme->ink, name,
                choice->name);
    canvas_unlink(canvas);
    link.col = 1;
    draw_arrow(canvas, box_take_left(&rest, ARROW), false, choice->has_less, link);
    link.col = 2;
    draw_arrow(canvas, box_take_right(&rest, ARROW), true, choice->has_more, link);
    canvas_line(canvas, FONT_TEXT, UNITS, theme->ink, rest, value_of(canvas, choice));
}

void choices_draw(const Canvas *canvas, const char *title, const char *keys,
                  const Choice *choices, size_t count, size_t chosen, Link link,
                  Link close) {
    const Theme *theme = canvas->theme;
    double names, values;
    measure(canvas, choices, count, &names, &values);
    double inside = names + values + 2 * (ARROW + GAP) + 2;
    inside = fmax(inside, text_width(canvas, FONT_TEXT, keys));
    double width = fmin(ceil(inside) + 2 * PAD, canvas->scene->width - PAD);
    double height = 2 * PAD + LINE * ((double)count + 1.9);
    Box inner = box_inset(canvas_dialog(canvas, width, height), PAD);
    Box head = box_take_top(&inner, LINE);
    Box cross = box_take_right(&head, LINE);
    cross.x += PAD / 2;
    cross.y -= PAD / 2;
    canvas_line(canvas, FONT_BOLD, UNITS, theme->ink, head, title);
    tool_draw_button(canvas, TOOL_LEAVE, close, cross, theme->ink_soft);
    Box foot = box_take_bottom(&inner, LINE * 0.7);
    canvas_line(canvas, FONT_TEXT, UNITS, theme->ink_faint, foot, keys);
    for (size_t i = 0; i < count; i++) {
        Box line = box_take_top(&inner, LINE);
        line.h -= 4;
        link.row = i + 1;
        draw_line(canvas, &choices[i], line, names, i == chosen, link);
    }
}
