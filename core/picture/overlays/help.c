#include "picture/overlays/overlays_parts.h"

#include "base/strings/utf8.h"
#include "picture/chrome/tools.h"
#include "picture/scene/label.h"
#include "picture/scene/theme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double WIDTH = 1520, COLUMN_GAP = 36, LEAST_COLUMN = 420, GAP = 10,
                    RULE = 5, /* height of a heading's rule with the space below it */
    PAD = 28;
static const double AROUND = 106; /* height of a sheet around its lines */
enum { LINES_MAX = 3 };

/* ---- the help ---- */

static const HelpEntry mouse[] = {
    {"", "help.mouse_hover", "help.mouse"}, {"", "help.mouse_click", NULL},
    {"", "help.mouse_double", NULL},        {"", "help.mouse_follow", NULL},
    {"", "help.mouse_drag", NULL},          {"", "help.mouse_menu", NULL}};

enum { MOUSE_COUNT = sizeof mouse / sizeof *mouse };

static const HelpEntry fingers[MOUSE_COUNT] = {{"", "help.finger_swipe", "help.fingers"},
                                               {"", "help.finger_tap", NULL},
                                               {"", "help.finger_follow", NULL},
                                               {"", "help.finger_hold", NULL},
                                               {"", "help.finger_drag", NULL},
                                               {"", "help.finger_spread", NULL}};

/* The help in its panel: basic keys in the upper part, all others below. */
typedef struct HelpSheet {
    const Canvas *canvas;
    const Help *help;
    double column, keys_width; /* widths of a column and of its keys */
    size_t parts[5];           /* limits of the columns, those of the upper part first */
    double upper, lines;       /* height of the upper part, and of all lines */
    double foot;               /* of the view, on the page */
} HelpSheet;

/* Entry of a line: the basic keys, the mouse (or fingers), then all other keys. */
static const HelpEntry *entry_at(const HelpSheet *sheet, size_t index) {
    const Help *help = sheet->help;
    bool behind = index >= help->first + MOUSE_COUNT;
    return index >= help->first && !behind
               ? &(help->touch ? fingers : mouse)[index - help->first]
               : &help->entries[index - (behind ? MOUSE_COUNT : 0)];
}

/* Width of a line's words; a line without keys has all of the column. */
static double room_at(const HelpSheet *sheet, size_t index) {
    return sheet->column - (entry_at(sheet, index)->keys[0] ? sheet->keys_width : 0);
}

static TextBlock words_at(const HelpSheet *sheet, size_t index) {
    const Canvas *canvas = sheet->canvas;
    return text_block(canvas, FONT_TEXT, TYPE_TEXT, canvas->theme->ink_soft, LINES_MAX,
                      canvas_string(canvas, entry_at(sheet, index)->words));
}

/* Height of the heading above a line; 0 if the line begins no subject. */
static double heading_height(const HelpSheet *sheet, size_t index) {
    TextBlock words = words_at(sheet, index);
    return entry_at(sheet, index)->subject
               ? round(words.size * words.spacing) + 2 * GAP + RULE
               : 0;
}

static double height_at(const HelpSheet *sheet, size_t index) {
    TextBlock words = words_at(sheet, index);
    return heading_height(sheet, index) + GAP +
           text_block_height(sheet->canvas, &words, room_at(sheet, index));
}

static double height_of(const HelpSheet *sheet, size_t first, size_t end) {
    double height = 0;
    for (size_t i = first; i < end; i++)
        height += height_at(sheet, i);
    return height;
}

/* Line at which columns are divided: behind half of the lines, before a subject. */
static size_t middle_of(const HelpSheet *sheet, size_t first, size_t end) {
    double half = height_of(sheet, first, end) / 2, used = 0;
    while (first < end && (used < half || !entry_at(sheet, first)->subject))
        used += height_at(sheet, first++);
    return first;
}

static void draw_column(const HelpSheet *sheet, Point at, size_t first, size_t end) {
    const Canvas *canvas = sheet->canvas;
    const Theme *theme = canvas->theme;
    Box rest = {at.x, at.y, sheet->column, height_of(sheet, first, end)};
    for (size_t i = first; i < end; i++) {
        const HelpEntry *entry = entry_at(sheet, i);
        TextBlock words = words_at(sheet, i);
        Box line = box_take_top(&rest, height_at(sheet, i));
        bool is_cut = line.y < sheet->foot && line.y + line.h > sheet->foot + 1;
        Color bold = theme->ink, soft = theme->ink_soft;
        if (is_cut) /* it is whole on the next page */
            bold.a = soft.a = words.ink.a = 0;
        Box heading = box_take_top(&line, heading_height(sheet, i));
        if (entry->subject) {
            Box rule = box_take_bottom(&heading, RULE);
            box_take_top(&heading, GAP);
            text_line(canvas, FONT_BOLD, TYPE_TEXT, soft, heading, LABEL_LEFT,
                      canvas_string(canvas, entry->subject));
            if (!is_cut)
                canvas_fill(canvas, (Box){rule.x, rule.y, rule.w, 1}, 0, theme->line);
        }
        Box keys = line;
        keys.h = round(words.size * words.spacing);
        text_line(canvas, FONT_BOLD, TYPE_TEXT, bold, keys, LABEL_LEFT, entry->keys);
        text_block_draw(canvas, &words, box_take_right(&line, room_at(sheet, i)));
    }
}

static double taller(const HelpSheet *sheet, size_t part) {
    const size_t *ends = &sheet->parts[part];
    return fmax(height_of(sheet, ends[0], ends[1]), height_of(sheet, ends[1], ends[2]));
}

static HelpSheet sheet_of(const Canvas *canvas, const Help *help) {
    HelpSheet sheet = {.canvas = canvas, .help = help};
    double inside = fmin(WIDTH, canvas->scene->width - PAD) - 2 * PAD;
    bool beside = !help->touch && inside - COLUMN_GAP >= 2 * LEAST_COLUMN;
    sheet.column = beside ? (inside - COLUMN_GAP) / 2 : inside;
    for (size_t i = 0; i < help->count; i++)
        sheet.keys_width =
            fmax(sheet.keys_width,
                 text_line_width(canvas, FONT_BOLD, TYPE_TEXT, help->entries[i].keys));
    sheet.keys_width += TYPE_TEXT;
    size_t first = help->first + MOUSE_COUNT, all = help->count + MOUSE_COUNT;
    size_t middle = beside ? middle_of(&sheet, first, all) : all;
    size_t parts[] = {0, beside ? help->first : first, first, middle, all};
    memcpy(sheet.parts, parts, sizeof parts);
    sheet.upper = taller(&sheet, 0);
    sheet.lines = sheet.upper + taller(&sheet, 2);
    return sheet;
}

/* Scroll position a page down, where the lines begin that are cut at the foot, or a page
 * up, which ends with the lines cut at the top. */
static double turn(const HelpSheet *sheet, double height, double scroll, bool back) {
    double edge = scroll + (back ? 0 : height), next = edge;
    for (size_t part = 0; part < 4; part++) {
        double top = part / 2 ? sheet->upper : 0;
        for (size_t i = sheet->parts[part]; i < sheet->parts[part + 1]; i++) {
            double end = top + height_at(sheet, i);
            if (top < edge && end > edge && end - top < height)
                next = back ? fmax(next, end) : fmin(next, top);
            top = end;
        }
    }
    return back ? next - height : next;
}

double help_draw(const Canvas *canvas, const Help *help) {
    HelpSheet sheet = sheet_of(canvas, help);
    Box inner = sheet_draw(canvas, WIDTH, sheet.lines + AROUND);
    sheet_title(canvas, &inner, canvas_string(canvas, "help.title"),
                canvas_string(canvas, "help.close"), help->close);
    double most = fmax(sheet.lines - inner.h, 0);
    double scroll = fmin(fmax(help->scroll, 0), most);
    for (int page = 0; page < abs(help->pages); page++)
        scroll = fmin(fmax(turn(&sheet, inner.h, scroll, help->pages < 0), 0), most);
    sheet.foot = inner.y + inner.h;
    scene_clip(canvas->scene, inner);
    for (size_t i = 0; i < 4; i++)
        draw_column(&sheet,
                    (Point){inner.x + (i % 2 ? sheet.column + COLUMN_GAP : 0),
                            inner.y - scroll + (i / 2 ? sheet.upper : 0)},
                    sheet.parts[i], sheet.parts[i + 1]);
    scene_unclip(canvas->scene);
    scroll_bar_draw(canvas, inner, scroll, inner.h, sheet.lines);
    return scroll;
}

/* ---- problems ---- */

/* Lays out or draws all lines below each other; returns their height. */
static double lay_out_problems(const Canvas *canvas, Box inner, const char *const *lines,
                               size_t count, bool draw) {
    double height = 0;
    for (size_t i = 0; i < count; i++) {
        TextBlock line = text_block(canvas, FONT_TEXT, TYPE_TEXT, canvas->theme->bad_ink,
                                    LINES_MAX, lines[i]);
        Box area = {inner.x, inner.y + height, inner.w, 0};
        height += 4 + (draw ? text_block_draw(canvas, &line, area)
                            : text_block_height(canvas, &line, inner.w));
    }
    return height;
}

double help_problems(const Canvas *page, const char *title, const char *const *lines,
                     size_t count, bool draw) {
    Canvas as_typed = *page; /* names that are to be typed are not set as formulas */
    const Canvas *canvas = &as_typed;
    const Theme *theme = canvas->theme;
    as_typed.insets = NULL;
    double pad = 16, head = 30;
    Box inner = {PAD, 0, canvas->scene->width - 2 * PAD, 0};
    double height =
        round(2 * pad + head + lay_out_problems(canvas, inner, lines, count, false));
    if (!draw)
        return height;
    Box strip = {0, canvas->scene->height - height, canvas->scene->width, height};
    canvas_fill(canvas, strip, 0, theme->bar);
    canvas_fill(canvas, (Box){0, strip.y, strip.w, 2}, 0, theme->bad_ink);
    text_line(canvas, FONT_BOLD, TYPE_TEXT, theme->ink,
              (Box){inner.x, strip.y + pad, inner.w, head}, LABEL_LEFT,
              canvas_string(canvas, title));
    inner.y = strip.y + pad + head;
    lay_out_problems(canvas, inner, lines, count, true);
    return height;
}

/* ---- notices ---- */

void help_draw_notice(const Canvas *canvas, const char *words, Link link) {
    const Scene *scene = canvas->scene;
    double width = canvas_message_width(canvas, scene->width * 0.9, words);
    double right = (scene->width + width) / 2, bottom = scene->height / 2;
    canvas_link(canvas, link);
    canvas_message(canvas, right, bottom, width, canvas->theme->current,
                   canvas->theme->current_ink, words);
    canvas_unlink(canvas);
}
