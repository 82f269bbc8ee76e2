#include "picture/chrome/chrome.h"

#include "picture/scene/theme.h"

#include <math.h>

static const double PAD = 14, FINGER = 44, RADIUS = 6, BUTTON_GAP = 10, BAR = 5,
                    EDGE = 8; /* least distance of a panel from the page's edge */
static const double SHEET_PAD = 28, SHEET_TITLE = 50, CROSS = 42;
static const double NAME_RATIO = 1.15; /* of a name's size to the text's */
static const double TIP_WIDEST = 640, TIP_PAD = 12, TIP_LINE = 24;
enum { TINT = 38 /* of 256 parts of a chosen row's colour */, TIP_LINES = 4 };

/* ---- chips and buttons ---- */

void button_begin(const Canvas *canvas, Link link, Box box, ButtonLook look) {
    const Theme *theme = canvas->theme;
    canvas_link(canvas, link);
    scene_rectangle(canvas->scene, box, RADIUS,
                    look == BUTTON_DARK ? theme->current : theme->bar,
                    look == BUTTON_PRESENT ? theme->accent : theme->line,
                    look == BUTTON_PRESENT ? 2 : 1);
}

void button_draw(const Canvas *canvas, Link link, Box box, ButtonLook look,
                 const char *words) {
    const Theme *theme = canvas->theme;
    button_begin(canvas, link, box, look);
    text_line(canvas, FONT_TEXT, TYPE_TEXT,
              look == BUTTON_DARK ? theme->current_ink : theme->ink, box, LABEL_CENTER,
              words);
    canvas_unlink(canvas);
}

double button_width(const Canvas *canvas, const char *words) {
    return fmax(ceil(text_line_width(canvas, FONT_TEXT, TYPE_TEXT, words)) + 2 * PAD,
                FINGER);
}

double buttons_width(const Canvas *canvas, const Button *buttons, size_t count) {
    double width = 0;
    for (size_t i = 0; i < count; i++) {
        if (buttons[i].link.kind != LINK_NONE)
            width +=
                button_width(canvas, canvas_string(canvas, buttons[i].key)) + BUTTON_GAP;
    }
    return width;
}

double buttons_draw(const Canvas *canvas, const Button *buttons, size_t count, Point at,
                    LabelAlign side) {
    double all = buttons_width(canvas, buttons, count), left = round(at.x);
    if (side == LABEL_RIGHT)
        left -= all - BUTTON_GAP;
    for (size_t i = 0; i < count; i++) {
        const Button *button = &buttons[i];
        const char *words = canvas_string(canvas, button->key);
        if (button->link.kind == LINK_NONE)
            continue;
        Box box = {left, round(at.y), button_width(canvas, words), BUTTON_HEIGHT};
        button_draw(canvas, button->link, box, button->main ? BUTTON_DARK : BUTTON_PLAIN,
                    words);
        left += box.w + BUTTON_GAP;
    }
    return side == LABEL_RIGHT ? left - all - BUTTON_GAP : left;
}

bool flow_take(Flow *flow, double width, Box *box) {
    double x = flow->x > 0 ? flow->x + flow->gap : 0, y = flow->y;
    width = fmin(width, flow->area.w);
    if (x > 0 && x + width > flow->area.w) {
        x = 0;
        y += flow->height + flow->gap;
    }
    if (y + flow->height > flow->area.h + 0.5)
        return false;
    *box = (Box){flow->area.x + x, flow->area.y + y, width, flow->height};
    flow->x = x + width;
    flow->y = y;
    return true;
}

/* ---- lists ---- */

Box list_row_begin(const Canvas *canvas, Link link, Box box, bool chosen) {
    const Theme *theme = canvas->theme;
    canvas_link(canvas, link);
    canvas_fill(canvas, box, RADIUS,
                chosen ? palette_mix(theme->bar, theme->accent, TINT) : theme->bar);
    return box_narrowed(box, PAD);
}

static FontRole row_font(const ListRow *row) {
    return row->chosen ? FONT_BOLD : FONT_TEXT;
}

double list_row_width(const Canvas *canvas, const ListRow *row) {
    double detail = text_line_width(canvas, FONT_TEXT, TYPE_SMALL, row->detail);
    return row->kind_width + text_line_width(canvas, FONT_BOLD, TYPE_TEXT, row->words) +
           (detail > 0 ? detail + PAD : 0) + 2 * PAD;
}

void list_row_draw(const Canvas *canvas, const ListRow *row, Box box) {
    const Theme *theme = canvas->theme;
    Box inner = list_row_begin(canvas, row->link, box, row->chosen);
    if (row->kind_width > 0)
        text_line(canvas, FONT_TEXT, TYPE_SMALL, theme->ink_faint,
                  box_take_left(&inner, row->kind_width), LABEL_LEFT, row->kind);
    double words = text_line_width(canvas, row_font(row), TYPE_TEXT, row->words);
    Box rest = inner;
    box_take_left(&rest, fmin(words + PAD, inner.w * 0.7));
    Box detail = text_line(canvas, FONT_TEXT, TYPE_SMALL, theme->ink_faint, rest,
                           LABEL_RIGHT, row->detail);
    inner.w -= detail.w > 0 ? detail.w + PAD : 0;
    text_line(canvas, row_font(row), TYPE_TEXT,
              row->disabled ? theme->ink_faint : theme->ink, inner, LABEL_LEFT,
              row->words);
    canvas_unlink(canvas);
}

void scroll_bar_draw(const Canvas *canvas, Box list, double first, double shown,
                     double all) {
    double height = fmax(list.h * shown / all, 3 * BAR);
    if (all - shown < 1)
        return;
    canvas_fill(canvas,
                (Box){list.x + list.w + BAR,
                      list.y + first / (all - shown) * (list.h - height), BAR, height},
                BAR / 2, canvas->theme->line);
}

void window_around(const double *sizes, size_t count, size_t at, double room, double gap,
                   size_t *first, size_t *end) {
    bool grew = true;
    *first = at;
    *end = at + 1;
    for (double used = sizes[at]; grew;) {
        grew = false;
        if (*end < count && used + gap + sizes[*end] <= room) {
            used += gap + sizes[(*end)++];
            grew = true;
        }
        if (*first > 0 && used + gap + sizes[*first - 1] <= room) {
            used += gap + sizes[--(*first)];
            grew = true;
        }
    }
}

/* ---- panels ---- */

Box sheet_draw(const Canvas *canvas, double width, double height) {
    const Scene *scene = canvas->scene;
    Color veil = canvas->theme->page;
    veil.a = 235;
    canvas_fill(canvas, (Box){0, 0, scene->width, scene->height}, 0, veil);
    width = fmin(width, scene->width - SHEET_PAD);
    height = fmin(height, scene->height - SHEET_PAD);
    Box panel = {round((scene->width - width) / 2), round((scene->height - height) / 2),
                 width, round(height)};
    scene_rectangle(canvas->scene, panel, 14, canvas->theme->bar, canvas->theme->line, 1);
    return box_inset(panel, SHEET_PAD);
}

void sheet_title(const Canvas *canvas, Box *inside, const char *title, const char *note,
                 Link close) {
    const Theme *theme = canvas->theme;
    Box line = box_take_top(inside, SHEET_TITLE);
    line.h = TYPE_TITLE;
    Box cross = box_take_right(&line, CROSS);
    tool_draw_button(canvas, TOOL_LEAVE, close,
                     (Box){cross.x + PAD, cross.y - (CROSS - cross.h) / 2, CROSS, CROSS},
                     theme->ink_soft);
    Box drawn =
        text_line(canvas, FONT_BOLD, TYPE_HEAD, theme->ink, line, LABEL_LEFT, title);
    box_take_left(&line, drawn.w + PAD);
    if (text_line_width(canvas, FONT_TEXT, TYPE_SMALL, note) <= line.w)
        text_line(canvas, FONT_TEXT, TYPE_SMALL, theme->ink_faint, line, LABEL_RIGHT,
                  note);
}

Box box_on_page(const Canvas *canvas, Box box) {
    const Scene *scene = canvas->scene;
    box.x = round(fmax(fmin(box.x, scene->width - EDGE - box.w), EDGE));
    box.y = round(fmax(fmin(box.y, scene->height - EDGE - box.h), EDGE));
    return box;
}

Box box_beside(const Canvas *canvas, Box of, double width, double height) {
    double y = of.y + of.h + EDGE;
    if (y + height > canvas->scene->height - EDGE)
        y = of.y - EDGE - height;
    return box_on_page(canvas, (Box){of.x + of.w / 2 - width / 2, y, width, height});
}

CellStyle cell_style(const Canvas *canvas, FontRole font, double units, Color ink) {
    double size = canvas_size(canvas, units, "一");
    return (CellStyle){font, ink, size, round(size * NAME_RATIO)};
}

/* ---- the tip ---- */

static TextBlock tip_text(const Canvas *canvas, const Tip *tip) {
    return text_block(canvas, FONT_TEXT, TYPE_SMALL, canvas->theme->current_ink,
                      TIP_LINES, tip->why ? tip->why : "");
}

Box tip_box(const Canvas *canvas, const Tip *tip, Box of) {
    TextBlock why = tip_text(canvas, tip);
    double width = text_line_width(canvas, FONT_BOLD, TYPE_TEXT, tip->name) + 1;
    double whole = text_line_width(canvas, FONT_TEXT, TYPE_SMALL, why.text) + 1;
    if (tip->key[0])
        width += text_line_width(canvas, FONT_TEXT, TYPE_TEXT, tip->key) + 2 * TIP_PAD;
    width = fmax(width, fmin(whole, TIP_WIDEST));
    return box_beside(canvas, of, ceil(width) + 2 * TIP_PAD,
                      TIP_LINE + text_block_height(canvas, &why, width) + TIP_PAD);
}

void tip_draw(const Canvas *canvas, const Tip *tip, Box of) {
    Color ink = canvas->theme->current_ink;
    TextBlock why = tip_text(canvas, tip);
    Box box = tip_box(canvas, tip, of);
    canvas_fill(canvas, box, RADIUS, canvas->theme->current);
    Box inner = box_narrowed(box, TIP_PAD);
    box_take_top(&inner, TIP_PAD / 2);
    Box name = box_take_top(&inner, TIP_LINE);
    text_line(canvas, FONT_BOLD, TYPE_TEXT, ink, name, LABEL_LEFT, tip->name);
    text_line(canvas, FONT_TEXT, TYPE_TEXT, ink, name, LABEL_RIGHT, tip->key);
    text_block_draw(canvas, &why, inner);
}
