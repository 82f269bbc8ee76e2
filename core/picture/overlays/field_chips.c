#include "picture/overlays/field_chips.h"

#include "picture/scene/theme.h"

#include <math.h>

static const double TEXT = 17, PAD = 14, GAP = 8, ROW = 40; /* in units */

/* Rows of chips during layout. */
typedef struct Rows {
    const Canvas *canvas;
    Box area;
    double x, y; /* position of the next chip */
    bool draw;
} Rows;

/* Lays out one chip; returns false if it has no room. */
static bool lay(Rows *rows, const char *words, Link link, bool strong) {
    const Canvas *canvas = rows->canvas;
    const Theme *theme = canvas->theme;
    double size = canvas_size(canvas, TEXT, words);
    double width =
        fmin(canvas_text_width(canvas, FONT_TEXT, size, words) + 2 * PAD, rows->area.w);
    if (rows->x > rows->area.x && rows->x + width > rows->area.x + rows->area.w) {
        rows->x = rows->area.x;
        rows->y += ROW + GAP;
    }
    if (rows->y + ROW > rows->area.y + rows->area.h + 0.5)
        return false;
    Box box = {rows->x, rows->y, width, ROW};
    rows->x += width + GAP;
    if (!rows->draw)
        return true;
    scene_link(canvas->scene, link);
    scene_rectangle(canvas->scene, box, 8, theme->page, strong ? theme->ink : theme->line,
                    1);
    canvas_text(canvas, strong ? FONT_BOLD : FONT_TEXT, size, theme->ink,
                (Point){box.x + box.w / 2, label_baseline(box.y + box.h / 2, size)},
                LABEL_CENTER, words);
    scene_link(canvas->scene, (Link){0});
    return true;
}

/* Lays out the words; returns how many had room. */
static size_t lay_words(Rows *rows, const FieldChips *chips) {
    size_t i = 0;
    for (Link link = chips->chip; i < chips->count; i++) {
        link.col = i;
        if (!lay(rows, chips->words[i], link, false))
            break;
    }
    return i;
}

double field_chips_height(const Canvas *canvas, const FieldChips *chips, double width,
                          double most) {
    if (chips->use.kind == LINK_NONE)
        return 0;
    double last = ROW + GAP, room = fmax(most - last, 0);
    Rows rows = {.canvas = canvas, .area = {0, 0, width, room}};
    lay_words(&rows, chips);
    return last + (chips->count ? fmin(rows.y + last, room) : 0);
}

void field_chips_draw(const Canvas *canvas, const FieldChips *chips, Box area) {
    if (chips->use.kind == LINK_NONE)
        return;
    double last = ROW + GAP;
    Rows rows = {canvas, area, area.x, area.y, true};
    rows.area.h -= last;
    lay_words(&rows, chips);
    rows = (Rows){canvas, area, area.x, area.y + area.h - last, true};
    rows.y += GAP;
    rows.area.h += GAP;
    Link back = chips->chip;
    back.col = chips->count;
    lay(&rows, canvas_string(canvas, "text.use"), chips->use, true);
    if (chips->count)
        lay(&rows, canvas_string(canvas, "text.take_word"), back, false);
    lay(&rows, canvas_string(canvas, "text.paste"), chips->paste, false);
    lay(&rows, canvas_string(canvas, "text.leave"), chips->leave, false);
    if (chips->elsewhere.kind)
        lay(&rows, canvas_string(canvas, "text.to_elsewhere"), chips->elsewhere, false);
}

/* ---- number keys ---- */

static const double KEY_FRACTION = 1.25, /* largest ratio of width to height */
    KEY_GAP = 4, KEY_UNITS = 17;

static const struct {
    const char *shown, *text; /* NULL: backspace */
} number_keys[] = {{"0", "0"}, {"1", "1"}, {"2", "2"}, {"3", "3"}, {"4", "4"},
                   {"5", "5"}, {"6", "6"}, {"7", "7"}, {"8", "8"}, {"9", "9"},
                   {".", "."}, {"−", "-"}, {"←", NULL}};

enum { KEY_COUNT = sizeof number_keys / sizeof *number_keys };

void number_keys_draw(const Canvas *canvas, Link key, Box row) {
    const Theme *theme = canvas->theme;
    double each = fmin(row.w / KEY_COUNT, row.h * KEY_FRACTION);
    for (key.col = 0; key.col < KEY_COUNT; key.col++) {
        const char *shown = number_keys[key.col].shown;
        double size = canvas_size(canvas, KEY_UNITS, shown);
        Box box = {row.x + (double)key.col * each, row.y, each - KEY_GAP, row.h};
        canvas_link(canvas, key);
        scene_rectangle(canvas->scene, box, 6, theme->panel, theme->line, 1);
        canvas_text(canvas, FONT_TEXT, size, theme->ink,
                    (Point){box.x + box.w / 2, label_baseline(box.y + box.h / 2, size)},
                    LABEL_CENTER, shown);
        canvas_unlink(canvas);
    }
}

const char *number_key_text(size_t key) {
    return key < KEY_COUNT ? number_keys[key].text : NULL;
}
