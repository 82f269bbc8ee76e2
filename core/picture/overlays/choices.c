#include "picture/overlays/overlays_parts.h"

#include "picture/scene/theme.h"

#include <math.h>

static const double LINE = 44, PAD = 26, ARROW = 44, GAP = 12;

/* Draws the arrow to another value; pale if there is none. */
static void draw_arrow(const Canvas *canvas, Tool arrow, Box area, bool there,
                       Link link) {
    Color ink = canvas->theme->accent;
    ink.a = there ? 255 : 60;
    tool_draw_button(canvas, arrow, link, area, ink);
}

static const char *value_of(const Canvas *canvas, const Choice *choice) {
    return choice->note[0] ? canvas_format(canvas, "%s  %s", choice->value, choice->note)
                           : choice->value;
}

static void draw_line(const Canvas *canvas, const Choice *choice, Box line, double names,
                      bool chosen, Link link) {
    Color ink = canvas->theme->ink;
    Box rest = list_row_begin(canvas, link, line, chosen);
    text_line(canvas, chosen ? FONT_BOLD : FONT_TEXT, TYPE_TEXT, ink,
              box_take_left(&rest, names + GAP), LABEL_LEFT, choice->name);
    link.col = 1;
    draw_arrow(canvas, TOOL_BACK, box_take_left(&rest, ARROW), choice->has_less, link);
    link.col = 2;
    draw_arrow(canvas, TOOL_NEXT, box_take_right(&rest, ARROW), choice->has_more, link);
    canvas_unlink(canvas);
    text_line(canvas, FONT_TEXT, TYPE_TEXT, ink, rest, LABEL_LEFT,
              value_of(canvas, choice));
}

void choices_draw(const Canvas *canvas, const char *title, const char *keys,
                  const Choice *choices, size_t count, size_t chosen, Link link,
                  Link close) {
    const Theme *theme = canvas->theme;
    double names = 0, values = 0;
    for (size_t i = 0; i < count; i++) {
        const char *value = value_of(canvas, &choices[i]);
        names =
            fmax(names, text_line_width(canvas, FONT_BOLD, TYPE_TEXT, choices[i].name));
        values = fmax(values, text_line_width(canvas, FONT_TEXT, TYPE_TEXT, value));
    }
    double inside = names + values + 2 * (ARROW + 2 * GAP) + 2;
    inside = fmax(inside, text_line_width(canvas, FONT_TEXT, TYPE_SMALL, keys));
    double width = fmin(ceil(inside) + 2 * PAD, canvas->scene->width - PAD);
    double height = 2 * PAD + LINE * ((double)count + 1.9);
    Box inner = box_inset(canvas_dialog(canvas, width, height), PAD);
    Box head = box_take_top(&inner, LINE);
    Box cross = box_take_right(&head, LINE);
    text_line(canvas, FONT_BOLD, TYPE_TEXT, theme->ink, head, LABEL_LEFT, title);
    tool_draw_button(canvas, TOOL_LEAVE, close,
                     (Box){cross.x + PAD / 2, cross.y - PAD / 2, cross.w, cross.h},
                     theme->ink_soft);
    text_line(canvas, FONT_TEXT, TYPE_SMALL, theme->ink_faint,
              box_take_bottom(&inner, LINE * 0.7), LABEL_LEFT, keys);
    for (size_t i = 0; i < count; i++) {
        Box line = box_take_top(&inner, LINE);
        line.h -= 4;
        link.row = i + 1;
        draw_line(canvas, &choices[i], line, names, i == chosen, link);
    }
}
