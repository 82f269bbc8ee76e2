#include "picture/overlays/overlays_parts.h"

#include "base/strings/utf8.h"
#include "picture/scene/label.h"
#include "picture/scene/theme.h"

#include <math.h>
#include <string.h>

static const double WIDTH = 900, PAD = 28, GAP = 8, LINE = 28, TEXT_LINE = 44, TOOL = 42,
                    CELL_PAD = 16, CELL_ROOM = 200;
enum { PROBLEM_LINES = 3 };

/* ---- chips ---- */

/* Lays out the words; returns the height that those with room take. */
static double lay_words(const Canvas *canvas, const FieldChips *chips, Box area,
                        bool draw) {
    Flow flow = {area, BUTTON_HEIGHT, GAP, 0, 0};
    Link link = chips->chip;
    Box box;
    for (link.col = 0; link.col < chips->count; link.col++) {
        const char *words = chips->words[link.col];
        if (!flow_take(&flow, button_width(canvas, words), &box))
            break;
        if (draw)
            button_draw(canvas, link, box, BUTTON_PLAIN, words);
    }
    return flow.x > 0 ? flow.y + BUTTON_HEIGHT + GAP : 0;
}

/* Height of the chips in `width` points, at most `most`; 0 if there are none. */
static double chips_height(const Canvas *canvas, const FieldChips *chips, double width,
                           double most) {
    double last = BUTTON_HEIGHT + GAP;
    return chips->use.kind
               ? last + lay_words(canvas, chips, (Box){0, 0, width, fmax(most - last, 0)},
                                  false)
               : 0;
}

/* Draws as many words as have room, and in the last row the commands. */
static void draw_chips(const Canvas *canvas, const FieldChips *chips, Box area) {
    Link back = chips->chip;
    back.col = chips->count;
    const Button buttons[] = {{chips->use, "text.use", true},
                              {chips->count ? back : (Link){0}, "text.take_word", false},
                              {chips->paste, "text.paste", false},
                              {chips->leave, "text.leave", false},
                              {chips->elsewhere, "text.to_elsewhere", false}};
    if (!chips->use.kind)
        return;
    Box last = box_take_bottom(&area, BUTTON_HEIGHT);
    lay_words(canvas, chips, area, true);
    buttons_draw(canvas, buttons, 5, (Point){last.x, last.y}, LABEL_LEFT);
}

/* ---- number keys ---- */

static const double KEY_RATIO = 1.25, /* largest ratio of width to height */
    KEY_GAP = 4;

static const struct {
    const char *shown, *text; /* NULL: backspace */
} number_keys[] = {{"0", "0"}, {"1", "1"}, {"2", "2"}, {"3", "3"}, {"4", "4"},
                   {"5", "5"}, {"6", "6"}, {"7", "7"}, {"8", "8"}, {"9", "9"},
                   {".", "."}, {"−", "-"}, {"←", NULL}};

enum { KEY_COUNT = sizeof number_keys / sizeof *number_keys };

void number_keys_draw(const Canvas *canvas, Link key, Box row) {
    double each = fmin(row.w / KEY_COUNT, row.h * KEY_RATIO);
    scene_begin_aloud(canvas->scene, ""); /* not read: the keyboard has them */
    for (key.col = 0; key.col < KEY_COUNT; key.col++) {
        Box box = box_take_left(&row, each);
        box.w -= KEY_GAP;
        button_draw(canvas, key, box, BUTTON_PLAIN, number_keys[key.col].shown);
    }
    scene_end_aloud(canvas->scene);
}

const char *number_key_text(size_t key) {
    return key < KEY_COUNT ? number_keys[key].text : NULL;
}

/* ---- the text ---- */

static double width_of(const Canvas *canvas, double size, const char *text,
                       size_t length) {
    return canvas->metrics->advance(canvas->metrics->context, FONT_TEXT, size, text,
                                    length);
}

/* First visible byte such that the caret is visible; a text that was just filled in, and
 * is selected, is shown from its beginning. */
static size_t first_shown(const Canvas *canvas, double size, double room,
                          const HelpField *field) {
    size_t length = strlen(field->text), first = 0;
    while (!field->selected && first < field->caret &&
           width_of(canvas, size, field->text + first, field->caret - first) > room)
        utf8_next(field->text, length, &first);
    return first;
}

/* Beginning of a text that has room. */
static const char *head_of(const Canvas *canvas, double size, double room,
                           const char *text) {
    size_t length = strlen(text), end = 0;
    while (end < length) {
        size_t next = end;
        utf8_next(text, length, &next);
        if (width_of(canvas, size, text, next) > room)
            break;
        end = next;
    }
    return canvas_format(canvas, "%.*s", (int)end, text);
}

void field_draw_text(const Canvas *canvas, const HelpField *field, double units, Box box,
                     const char *placeholder) {
    const Theme *theme = canvas->theme;
    double size = canvas_size(canvas, units, field->text);
    size_t first = first_shown(canvas, size, box.w, field);
    const char *shown = head_of(canvas, size, box.w, field->text + first);
    double wide = width_of(canvas, size, shown, strlen(shown));
    Point at = {box.x, label_baseline(box.y + box.h / 2, size)};
    Box line = {at.x, at.y - size * 0.85, wide, size * 1.1};
    canvas_link(canvas, (Link){LINK_FIELD, 0, 0, 0});
    canvas_target(canvas, box);
    if (field->selected)
        canvas_fill(canvas, line, 0, palette_mix(theme->bar, theme->accent, 60));
    if (!field->text[0] && placeholder)
        text_line(canvas, FONT_TEXT, units, theme->ink_faint,
                  (Box){box.x + GAP, box.y, box.w - GAP, box.h}, LABEL_LEFT,
                  canvas_string(canvas, placeholder));
    label_draw(canvas->scene, canvas->metrics, FONT_TEXT, size, theme->ink, at,
               LABEL_LEFT, shown); /* verbatim */
    double caret =
        fmin(width_of(canvas, size, field->text + first, field->caret - first), wide);
    canvas_fill(canvas, (Box){round(at.x + caret), line.y, 2, line.h}, 0, theme->accent);
    canvas_unlink(canvas);
}

/* ---- fields ---- */

void help_draw_field(const Canvas *canvas, const HelpField *field) {
    const Theme *theme = canvas->theme;
    double inside = fmin(WIDTH, canvas->scene->width - 2 * PAD) - 2 * PAD;
    TextBlock problem = text_block(canvas, FONT_TEXT, TYPE_SMALL, theme->bad_ink,
                                   PROBLEM_LINES, field->problem);
    double fixed = 2 * PAD + 2 * LINE + TEXT_LINE + 2 * GAP +
                   text_block_height(canvas, &problem, inside);
    double chips = chips_height(canvas, &field->chips, inside,
                                canvas->scene->height - fixed - 2 * TEXT_LINE);
    Box inner = box_inset(canvas_dialog(canvas, inside + 2 * PAD, fixed + chips), PAD);
    text_line(canvas, FONT_BOLD, TYPE_LARGE, theme->ink, box_take_top(&inner, LINE),
              LABEL_LEFT, canvas_string(canvas, field->title));
    field_draw_text(canvas, field, TYPE_HEAD, box_take_top(&inner, TEXT_LINE), NULL);
    text_block_take(canvas, &problem, &inner);
    box_take_top(&inner, GAP);
    draw_chips(canvas, &field->chips, box_take_top(&inner, chips));
    text_line(canvas, FONT_TEXT, TYPE_SMALL, theme->ink_faint,
              box_take_bottom(&inner, LINE), LABEL_LEFT,
              canvas_string(canvas, field->keys));
}

/* Draws the buttons at the right end of a line and cuts them off. */
static void draw_tools(const Canvas *canvas, const HelpField *field, Box *line) {
    const FieldChips *chips = &field->chips;
    const Link links[] = {chips->leave, chips->use, chips->paste};
    static const Tool tools[] = {TOOL_LEAVE, TOOL_USE, TOOL_PASTE};
    for (size_t i = 0; i < 3 && chips->use.kind; i++)
        tool_draw_button(canvas, tools[i], links[i], box_take_right(line, TOOL),
                         canvas->theme->ink_soft);
}

void help_draw_cell_field(const Canvas *canvas, const HelpField *field, Box cell) {
    const Theme *theme = canvas->theme;
    const char *keys = canvas_string(canvas, field->keys);
    double title = text_line_width(canvas, FONT_BOLD, TYPE_LARGE, field->title);
    double inside = fmax(text_line_width(canvas, FONT_TEXT, TYPE_SMALL, keys),
                         title + CELL_PAD + CELL_ROOM + 3 * TOOL);
    bool wrong = field->problem[0];
    TextBlock below = text_block(canvas, FONT_TEXT, TYPE_SMALL,
                                 wrong ? theme->bad_ink : theme->ink_soft, PROBLEM_LINES,
                                 wrong ? field->problem : keys);
    double height =
        TOOL + NUMBER_KEYS_HEIGHT + GAP + text_block_height(canvas, &below, inside);
    Box panel =
        box_beside(canvas, cell, inside + 2 * CELL_PAD, round(height + 2 * CELL_PAD));
    scene_rectangle(canvas->scene, panel, 10, theme->bar, theme->accent, 3);
    Box inner = box_inset(panel, CELL_PAD), line = box_take_top(&inner, TOOL);
    text_line(canvas, FONT_BOLD, TYPE_LARGE, theme->ink,
              box_take_left(&line, title + CELL_PAD), LABEL_LEFT, field->title);
    draw_tools(canvas, field, &line);
    field_draw_text(canvas, field, TYPE_LARGE, line, NULL);
    Link key = field->chips.use;
    key.row = 1;
    number_keys_draw(canvas, key, box_take_top(&inner, NUMBER_KEYS_HEIGHT));
    box_take_top(&inner, GAP);
    text_block_draw(canvas, &below, inner);
}
