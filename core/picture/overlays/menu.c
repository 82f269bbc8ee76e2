#include "picture/overlays/menu.h"

#include "picture/scene/theme.h"

#include <math.h>

static const double ROW = 42, TITLE = 38, PAD = 14, UNITS = 16, WIDEST = 460;
enum { LINES_MAX = 4 };

static double text_width(const Canvas *canvas, FontRole font, double units,
                         const char *text) {
    return canvas_text_width(canvas, font, canvas_size(canvas, units, text), text);
}

static CellStyle style_of(const Canvas *canvas) {
    return (CellStyle){FONT_TEXT, canvas->theme->ink_soft,
                       canvas_size(canvas, UNITS, "一"),
                       canvas_size(canvas, UNITS + 2, "")};
}

static double title_width(const Canvas *canvas, const Menu *menu) {
    CellStyle style = style_of(canvas);
    return menu->title ? text_width(canvas, FONT_TEXT, UNITS, menu->title)
                       : cell_name_width(canvas, menu->player, &menu->cell, &style);
}

static void draw_title(const Canvas *canvas, const Menu *menu, Box head) {
    CellStyle style = style_of(canvas);
    if (menu->title)
        canvas_line(canvas, FONT_TEXT, UNITS, style.ink, head, menu->title);
    else
        cell_name_draw(canvas, menu->player, &menu->cell, &style,
                       (Point){head.x, round(head.y + head.h * 0.66)});
}

static double width_of(const Canvas *canvas, const Menu *menu) {
    double width = 0;
    for (size_t i = 0; i < menu->count; i++) {
        const MenuRow *row = &menu->rows[i];
        double key = text_width(canvas, FONT_TEXT, UNITS - 1, row->key);
        width = fmax(width, text_width(canvas, FONT_BOLD, UNITS, row->words) + key);
    }
    width = fmax(width + 3 * PAD, title_width(canvas, menu));
    return ceil(fmin(width, WIDEST) + 2 * PAD);
}

static void draw_row(const Canvas *canvas, const Menu *menu, size_t index, Box line) {
    const Theme *theme = canvas->theme;
    const MenuRow *row = &menu->rows[index];
    bool chosen = index == menu->chosen;
    Link link = menu->link;
    double pad = PAD;
    link.row = index + 1;
    canvas_link(canvas, link);
    canvas_fill(canvas, line, 6,
                chosen ? palette_mix(theme->bar, theme->accent, 38) : theme->bar);
    Box inner = {line.x + pad, line.y, line.w - 2 * pad, line.h};
    canvas_label(canvas, FONT_TEXT, UNITS - 1, theme->ink_faint,
                 (Point){inner.x + inner.w, round(line.y + line.h * 0.63)}, LABEL_RIGHT,
                 row->key);
    inner.w -= text_width(canvas, FONT_TEXT, UNITS - 1, row->key);
    canvas_line(canvas, FONT_TEXT, UNITS, row->why ? theme->ink_faint : theme->ink, inner,
                row->words);
    canvas_unlink(canvas);
}

/* Lays out or draws the reason why the chosen row is disabled; returns its height. */
static double lay_out_why(const Canvas *canvas, const Menu *menu, Box area, bool draw) {
    const char *why = menu->chosen < menu->count ? menu->rows[menu->chosen].why : NULL;
    if (!why)
        return 0;
    double size = canvas_size(canvas, UNITS - 1, why), leading = round(size * 1.35);
    if (draw)
        canvas_paragraph(canvas, FONT_TEXT, size, canvas->theme->ink_soft, area, leading,
                         LINES_MAX, why);
    return PAD / 2 + paragraph_measure(canvas->metrics, FONT_TEXT, size, area.w, leading,
                                       LINES_MAX, why, NULL);
}

void menu_draw(const Canvas *canvas, const Menu *menu) {
    const Theme *theme = canvas->theme;
    const Scene *scene = canvas->scene;
    double pad = PAD;
    double width = width_of(canvas, menu);
    Box why = {0, 0, width - 2 * pad, 0};
    double height = TITLE + (double)menu->count * ROW + pad / 2;
    double whole = height + lay_out_why(canvas, menu, why, false);
    double gap = 8;
    Box panel = {round(fmax(fmin(menu->at.x, scene->width - gap - width), gap)),
                 round(fmax(fmin(menu->at.y, scene->height - gap - whole), gap)), width,
                 whole};
    Link ground = menu->link;
    ground.col = 1;
    canvas_link(canvas, ground);
    scene_rectangle(canvas->scene, panel, 10, theme->bar, theme->line, 2);
    canvas_unlink(canvas);
    Box rest = {panel.x + 4, panel.y, panel.w - 8, panel.h};
    Box head = box_take_top(&rest, TITLE);
    head.x += pad;
    head.w -= 2 * pad;
    draw_title(canvas, menu, head);
    for (size_t i = 0; i < menu->count; i++)
        draw_row(canvas, menu, i, box_take_top(&rest, ROW));
    why.x = panel.x + pad;
    why.y = rest.y + 2;
    lay_out_why(canvas, menu, why, true);
}
