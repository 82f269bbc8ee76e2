#include "picture/overlays/overlays_parts.h"

#include "picture/scene/theme.h"

#include <math.h>

static const double ROW = 42, TITLE = 38, PAD = 14, MARGIN = 4, WIDEST = 460;
enum { WHY_LINES = 4 };

static ListRow row_of(const Menu *menu, size_t index) {
    const MenuRow *row = &menu->rows[index];
    Link link = menu->link;
    link.row = index + 1;
    return (ListRow){.link = link,
                     .chosen = index == menu->chosen,
                     .disabled = row->why != NULL,
                     .words = row->words,
                     .detail = row->key};
}

static double width_of(const Canvas *canvas, const Menu *menu, const CellStyle *style) {
    double width = menu->title
                       ? text_line_width(canvas, FONT_TEXT, TYPE_TEXT, menu->title)
                       : cell_name_width(canvas, menu->player, &menu->cell, style);
    for (size_t i = 0; i < menu->count; i++) {
        ListRow row = row_of(menu, i);
        width = fmax(width, list_row_width(canvas, &row) - 2 * PAD);
    }
    return ceil(fmin(width, WIDEST)) + 2 * (PAD + MARGIN);
}

void menu_draw(const Canvas *canvas, const Menu *menu) {
    const Theme *theme = canvas->theme;
    CellStyle style = cell_style(canvas, FONT_TEXT, TYPE_TEXT, theme->ink_soft);
    const char *reason = menu->chosen < menu->count ? menu->rows[menu->chosen].why : NULL;
    TextBlock why = text_block(canvas, FONT_TEXT, TYPE_SMALL, theme->ink_soft, WHY_LINES,
                               reason ? reason : "");
    double width = width_of(canvas, menu, &style);
    double below = text_block_height(canvas, &why, width - 2 * (PAD + MARGIN));
    double rows = (double)menu->count * ROW;
    Box panel =
        box_on_page(canvas, (Box){menu->at.x, menu->at.y, width,
                                  TITLE + rows + (below > 0 ? PAD : PAD / 2) + below});
    Link ground = menu->link;
    ground.col = 1;
    canvas_link(canvas, ground);
    scene_rectangle(canvas->scene, panel, 10, theme->bar, theme->line, 2);
    canvas_unlink(canvas);
    Box rest = box_narrowed(panel, MARGIN);
    Box head = box_take_top(&rest, TITLE);
    box_take_left(&head, PAD);
    if (menu->title)
        text_line(canvas, FONT_TEXT, TYPE_TEXT, style.ink, head, LABEL_LEFT, menu->title);
    else
        cell_name_draw(canvas, menu->player, &menu->cell, &style,
                       (Point){head.x, label_baseline(head.y + TITLE / 2, style.size)});
    for (size_t i = 0; i < menu->count; i++) {
        ListRow row = row_of(menu, i);
        list_row_draw(canvas, &row, box_take_top(&rest, ROW));
    }
    rest = box_narrowed(rest, PAD);
    text_block_draw(canvas, &why, rest);
}
