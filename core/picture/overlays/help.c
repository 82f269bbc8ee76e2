#include "picture/overlays/help.h"

#include "base/strings/utf8.h"
#include "picture/chrome/tools.h"
#include "picture/scene/label.h"
#include "picture/scene/theme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PANEL_WIDTH = 1520, FIELD_WIDTH = 900, COLUMN_GAP = 36,
                    LEAST_COLUMN = 420, TITLE_HEIGHT = 54, BUTTON = 42, HEADING_FOOT = 5,
                    BAR = 5, PAD = 26, UNITS = 16, LINE = 32;
enum { LINES_MAX = 3 };

/* Dims what lies below. */
static void draw_mask(const Canvas *canvas) {
    Scene *scene = canvas->scene;
    Color veil = canvas->theme->page;
    veil.a = 235;
    scene_rectangle(scene, (Box){0, 0, scene->width, scene->height}, 0, veil, (Color){0},
                    0);
}

/* ---- the help ---- */

static const HelpEntry mouse[] = {
    {"", "help.mouse_hover", "help.mouse"}, {"", "help.mouse_click", NULL},
    {"", "help.mouse_double", NULL},        {"", "help.mouse_follow", NULL},
    {"", "help.mouse_drag", NULL},          {"", "help.mouse_menu", NULL}};

enum { MOUSE_COUNT = sizeof mouse / sizeof *mouse };

/* Lines of the help: the basic keys, the mouse, then all other keys. */
typedef struct HelpLayout {
    const Canvas *canvas;
    const Help *help;
    double size, leading, gap; /* of the text; gap: between two lines */
    double keys_width, words_width;
} HelpLayout;

static const HelpEntry *entry_at(const HelpLayout *layout, size_t index) {
    const Help *help = layout->help;
    bool behind = index >= help->first + MOUSE_COUNT;
    return index >= help->first && !behind
               ? &mouse[index - help->first]
               : &help->entries[index - (behind ? MOUSE_COUNT : 0)];
}

static const char *words_at(const HelpLayout *layout, size_t index) {
    return canvas_string(layout->canvas, entry_at(layout, index)->words);
}

/* Height of the heading above a line; 0 if the line begins no subject. */
static double heading_height(const HelpLayout *layout, size_t index) {
    return entry_at(layout, index)->subject
               ? layout->leading + 2 * layout->gap + HEADING_FOOT
               : 0;
}

static double height_at(const HelpLayout *layout, size_t index) {
    return heading_height(layout, index) + layout->gap +
           paragraph_measure(layout->canvas->metrics, FONT_TEXT, layout->size,
                             layout->words_width, layout->leading, LINES_MAX,
                             words_at(layout, index), NULL);
}

static double height_of(const HelpLayout *layout, size_t first, size_t end) {
    double height = 0;
    for (size_t i = first; i < end; i++)
        height += height_at(layout, i);
    return height;
}

/* Line at which columns are divided: behind half of the lines, before a subject. */
static size_t middle_of(const HelpLayout *layout, size_t first, size_t end) {
    double half = height_of(layout, first, end) / 2, used = 0;
    while (first < end && (used < half || !entry_at(layout, first)->subject))
        used += height_at(layout, first++);
    return first;
}

static void draw_column(const HelpLayout *layout, Point at, size_t first, size_t end) {
    const Canvas *canvas = layout->canvas;
    for (size_t i = first; i < end; i++) {
        double heading = heading_height(layout, i), above = height_at(layout, i);
        if (heading > 0)
            canvas_text(canvas, FONT_BOLD, layout->size, canvas->theme->ink_soft,
                        (Point){at.x, at.y + heading - HEADING_FOOT - layout->gap -
                                          layout->size * (1 - LABEL_ASCENT)},
                        LABEL_LEFT, canvas_string(canvas, entry_at(layout, i)->subject));
        if (heading > 0)
            canvas_fill(canvas,
                        (Box){at.x, at.y + heading - HEADING_FOOT,
                              layout->keys_width + layout->words_width, 1},
                        0, canvas->theme->line);
        at.y += heading;
        const char *keys = entry_at(layout, i)->keys;
        double baseline = at.y + layout->size * LABEL_ASCENT;
        double indent = keys[0] ? layout->keys_width : 0;
        canvas_text(canvas, FONT_BOLD, layout->size, canvas->theme->ink,
                    (Point){at.x, baseline}, LABEL_LEFT, keys);
        canvas_paragraph(canvas, FONT_TEXT, layout->size, canvas->theme->ink_soft,
                         (Box){at.x + indent, at.y, layout->words_width, 0},
                         layout->leading, LINES_MAX, words_at(layout, i));
        at.y += above - heading;
    }
}

/* Width of the widest keys. */
static double widest_keys(const HelpLayout *layout) {
    double widest = 0;
    for (size_t i = 0; i < layout->help->count; i++)
        widest = fmax(widest, canvas_text_width(layout->canvas, FONT_BOLD, layout->size,
                                                layout->help->entries[i].keys));
    return widest;
}

/* The help in its panel: basic keys in the upper part, all others below. */
typedef struct HelpSheet {
    HelpLayout layout;
    bool beside;         /* two columns in each part */
    double column;       /* width of a column */
    size_t parts[5];     /* limits of the columns, those of the upper part first */
    double upper, lines; /* height of the upper part, and of all lines */
    double pad;
    Box panel;
} HelpSheet;

static double taller(const HelpSheet *sheet, size_t part) {
    const size_t *ends = &sheet->parts[part];
    return fmax(height_of(&sheet->layout, ends[0], ends[1]),
                height_of(&sheet->layout, ends[1], ends[2]));
}

static HelpSheet sheet_of(const Canvas *canvas, const Help *help) {
    const Scene *scene = canvas->scene;
    HelpSheet sheet = {.layout = {.canvas = canvas, .help = help}};
    HelpLayout *layout = &sheet.layout;
    double width = fmin(PANEL_WIDTH, scene->width - PAD);
    sheet.pad = PAD;
    sheet.beside = width - 2 * PAD - COLUMN_GAP >= 2 * LEAST_COLUMN;
    sheet.column = width - 2 * PAD;
    if (sheet.beside)
        sheet.column = (sheet.column - COLUMN_GAP) / 2;
    layout->size = canvas_size(canvas, UNITS, canvas_string(canvas, "help.title"));
    layout->leading = round(layout->size * 1.3);
    layout->gap = fmax(LINE - layout->leading, 2);
    layout->keys_width = widest_keys(layout) + layout->size;
    layout->words_width = sheet.column - layout->keys_width;
    size_t first = help->first + MOUSE_COUNT, all = help->count + MOUSE_COUNT;
    size_t middle = sheet.beside ? middle_of(layout, first, all) : all;
    size_t parts[] = {0, sheet.beside ? help->first : first, first, middle, all};
    memcpy(sheet.parts, parts, sizeof parts);
    sheet.upper = taller(&sheet, 0);
    sheet.lines = sheet.upper + taller(&sheet, 2);
    double height = fmin(sheet.lines + TITLE_HEIGHT + 2 * PAD, scene->height - PAD);
    sheet.panel = (Box){round((scene->width - width) / 2),
                        round((scene->height - height) / 2), width, round(height)};
    return sheet;
}

static void draw_title(const Canvas *canvas, Box line, Link close) {
    const Theme *theme = canvas->theme;
    double baseline = line.y + 12;
    double side = BUTTON;
    Box cross = {line.x + line.w - side * 0.75, baseline - side * 0.7, side, side};
    tool_draw_button(canvas, TOOL_LEAVE, close, cross, theme->ink_soft);
    Box title = canvas_label(canvas, FONT_BOLD, 24, theme->ink, (Point){line.x, baseline},
                             LABEL_LEFT, canvas_string(canvas, "help.title"));
    const char *words = canvas_string(canvas, "help.close");
    double size = canvas_size(canvas, 14, words), gap = 12;
    if (canvas_text_width(canvas, FONT_TEXT, size, words) + gap <
        cross.x - title.x - title.w)
        canvas_text(canvas, FONT_TEXT, size, theme->ink_faint,
                    (Point){cross.x - gap / 2, baseline}, LABEL_RIGHT, words);
}

/* Draws a scroll bar for the lines. */
static void draw_place(const Canvas *canvas, Box area, double lines, double scroll) {
    double fraction = area.h / lines;
    canvas_fill(
        canvas,
        (Box){area.x + area.w + BAR, area.y + scroll * fraction, BAR, area.h * fraction},
        BAR / 2, canvas->theme->line);
}

/* Scroll position a page down, where the lines begin that are cut at the foot, or a page
 * up, which ends with the lines cut at the top. */
static double turn(const HelpSheet *sheet, double height, double scroll, bool back) {
    double edge = scroll + (back ? 0 : height), next = edge;
    for (size_t part = 0; part < 4; part++) {
        double top = part / 2 ? sheet->upper : 0;
        for (size_t i = sheet->parts[part]; i < sheet->parts[part + 1]; i++) {
            double end = top + height_at(&sheet->layout, i);
            if (top < edge && end > edge && end - top < height)
                next = back ? fmax(next, end) : fmin(next, top);
            top = end;
        }
    }
    return back ? next - height : next;
}

double help_draw(const Canvas *canvas, const Help *help) {
    HelpSheet sheet = sheet_of(canvas, help);
    draw_mask(canvas);
    scene_rectangle(canvas->scene, sheet.panel, 14, canvas->theme->bar,
                    canvas->theme->line, 1);
    Box inner = box_inset(sheet.panel, sheet.pad);
    draw_title(canvas, box_take_top(&inner, TITLE_HEIGHT), help->close);
    double most = fmax(sheet.lines - inner.h, 0);
    double scroll = fmin(fmax(help->scroll, 0), most);
    for (int page = 0; page < abs(help->pages); page++)
        scroll = fmin(fmax(turn(&sheet, inner.h, scroll, help->pages < 0), 0), most);
    bool cut = most >= 1;
    if (cut)
        scene_clip(canvas->scene, inner);
    double beside = sheet.column + COLUMN_GAP;
    for (size_t i = 0; i < 4; i++)
        draw_column(&sheet.layout,
                    (Point){inner.x + (i % 2 ? beside : 0),
                            inner.y - scroll + (i / 2 ? sheet.upper : 0)},
                    sheet.parts[i], sheet.parts[i + 1]);
    if (!cut)
        return scroll;
    scene_unclip(canvas->scene);
    draw_place(canvas, inner, sheet.lines, scroll);
    return scroll;
}

/* ---- a field ---- */

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

void help_draw_written(const Canvas *canvas, const HelpField *field, Point at,
                       double room, double size) {
    const Theme *theme = canvas->theme;
    size_t first = first_shown(canvas, size, room, field);
    const char *shown = head_of(canvas, size, room, field->text + first);
    double height = size * 1.1, top = at.y - size * 0.85;
    if (field->selected)
        canvas_fill(
            canvas,
            (Box){at.x, top, width_of(canvas, size, shown, strlen(shown)), height}, 0,
            palette_mix(theme->bar, theme->accent, 60));
    label_draw(canvas->scene, canvas->metrics, FONT_TEXT, size, theme->ink, at,
               LABEL_LEFT, shown); /* verbatim */
    double caret = fmin(width_of(canvas, size, field->text + first, field->caret - first),
                        width_of(canvas, size, shown, strlen(shown)));
    canvas_fill(canvas, (Box){round(at.x + caret), top, 2, height}, 0, theme->accent);
}

/* Draws the buttons at the right end of a strip; returns their width. */
static double draw_field_buttons(const Canvas *canvas, const HelpField *field,
                                 Box strip) {
    const Link links[] = {field->leave, field->use, field->paste};
    static const Tool tools[] = {TOOL_LEAVE, TOOL_USE, TOOL_PASTE};
    double width = 0;
    for (size_t i = 0; i < 3 && field->use.kind; i++) {
        tool_draw_button(
            canvas, tools[i], links[i],
            (Box){strip.x + strip.w - width - BUTTON, strip.y, BUTTON, BUTTON},
            canvas->theme->ink_soft);
        width += BUTTON;
    }
    return width;
}

void help_draw_field(const Canvas *canvas, const HelpField *field) {
    Scene *scene = canvas->scene;
    const Theme *theme = canvas->theme;
    double pad = 28;
    double width = fmin(FIELD_WIDTH, scene->width - 2 * pad);
    double inside = width - 2 * pad, size = canvas_size(canvas, 24, field->text);
    double small = canvas_size(canvas, 15, field->problem);
    double leading = round(small * 1.4);
    double problem =
        field->problem[0]
            ? leading / 2 + paragraph_measure(canvas->metrics, FONT_TEXT, small, inside,
                                              leading, 3, field->problem, NULL)
            : 0;
    double fixed = 150 + problem + (field->chips.use.kind ? 16 : 0);
    double chips =
        field_chips_height(canvas, &field->chips, inside, scene->height - fixed - 120);
    double height = fixed + chips;
    Box inner = box_inset(canvas_dialog(canvas, width, height), pad);
    canvas_label(canvas, FONT_BOLD, 18, theme->ink, (Point){inner.x, inner.y + 12},
                 LABEL_LEFT, canvas_string(canvas, field->title));
    double baseline = inner.y + 56;
    canvas_link(canvas, (Link){LINK_FIELD, 0, 0, 0});
    canvas_target(canvas, (Box){inner.x, baseline - 1.2 * size, inside, 1.7 * size});
    help_draw_written(canvas, field, (Point){inner.x, baseline}, inside - 4, size);
    canvas_unlink(canvas);
    if (field->problem[0])
        canvas_paragraph(canvas, FONT_TEXT, small, theme->bad_ink,
                         (Box){inner.x, baseline + size * 0.4 + leading / 2, inside, 0},
                         leading, 3, field->problem);
    field_chips_draw(canvas, &field->chips,
                     (Box){inner.x, baseline + size * 0.4 + problem + 14, inside, chips});
    canvas_label(canvas, FONT_TEXT, 14, theme->ink_faint,
                 (Point){inner.x, inner.y + inner.h}, LABEL_LEFT,
                 canvas_string(canvas, field->keys));
}

/* Box below a cell, or above it if there is no room, within the page. */
static Box beside(const Canvas *canvas, Box cell, double width, double height) {
    const Scene *scene = canvas->scene;
    double gap = 10, x = cell.x + cell.w / 2 - width / 2;
    double y = cell.y + cell.h + gap;
    if (y + height > scene->height - gap)
        y = fmax(cell.y - gap - height, gap);
    return (Box){round(fmax(fmin(x, scene->width - gap - width), gap)), round(y), width,
                 height};
}

void help_draw_cell_field(const Canvas *canvas, const HelpField *field, Box cell) {
    Scene *scene = canvas->scene;
    const Theme *theme = canvas->theme;
    double pad = 16, size = canvas_size(canvas, 20, field->text);
    const char *keys = canvas_string(canvas, field->keys);
    double small = canvas_size(canvas, 13, keys), leading = round(small * 1.4);
    double title = canvas_text_width(canvas, FONT_BOLD, size, field->title) + pad;
    double inside =
        fmax(canvas_text_width(canvas, FONT_TEXT, small, keys), title + 200 + 3 * BUTTON);
    double digits = NUMBER_KEYS_HEIGHT + 8;
    const char *words = field->problem[0] ? field->problem : keys;
    double below = paragraph_measure(canvas->metrics, FONT_TEXT, small, inside, leading,
                                     LINES_MAX, words, NULL);
    Box panel = beside(canvas, cell, inside + 2 * pad,
                       round(2 * pad + size * 1.7 + digits + below));
    scene_rectangle(scene, panel, 10, theme->bar, theme->accent, 3);
    Box inner = box_inset(panel, pad);
    double baseline = round(inner.y + size);
    canvas_text(canvas, FONT_BOLD, size, theme->ink, (Point){inner.x, baseline},
                LABEL_LEFT, field->title);
    double up = 8;
    double buttons =
        draw_field_buttons(canvas, field, (Box){inner.x, inner.y - up, inner.w + up, 0});
    double room = inside - title - buttons;
    canvas_link(canvas, (Link){LINK_FIELD, 0, 0, 0});
    canvas_target(canvas, (Box){inner.x + title, inner.y - up, room, 1.7 * size});
    help_draw_written(canvas, field, (Point){inner.x + title, baseline}, room - 4, size);
    canvas_unlink(canvas);
    Link key = field->use;
    key.row = 1;
    double top = inner.y + inner.h - below;
    number_keys_draw(canvas, key,
                     (Box){inner.x, top - digits, inner.w, NUMBER_KEYS_HEIGHT});
    canvas_paragraph(canvas, FONT_TEXT, small,
                     field->problem[0] ? theme->bad_ink : theme->ink_soft,
                     (Box){inner.x, top, inside, 0}, leading, LINES_MAX, words);
}

/* ---- problems ---- */

/* Lays out or draws all lines below each other; returns their height. */
static double lay_out_problems(const Canvas *canvas, Box inner, const char *const *lines,
                               size_t count, bool draw) {
    double height = 0;
    for (size_t i = 0; i < count; i++) {
        double size = canvas_size(canvas, 16, lines[i]), leading = round(size * 1.35);
        Box area = {inner.x, inner.y + height, inner.w, 0};
        height += draw ? canvas_paragraph(canvas, FONT_TEXT, size, canvas->theme->bad_ink,
                                          area, leading, LINES_MAX, lines[i])
                       : paragraph_measure(canvas->metrics, FONT_TEXT, size, inner.w,
                                           leading, LINES_MAX, lines[i], NULL);
        height += 4;
    }
    return height;
}

double help_problems(const Canvas *page, const char *title, const char *const *lines,
                     size_t count, bool draw) {
    Canvas as_typed = *page; /* names that are to be typed are not set as formulas */
    const Canvas *canvas = &as_typed;
    const Scene *scene = canvas->scene;
    const Theme *theme = canvas->theme;
    as_typed.insets = NULL;
    double pad = 16, head = 30;
    Box inner = {pad + 12, 0, scene->width - 2 * (pad + 12), 0};
    double height =
        round(2 * pad + head + lay_out_problems(canvas, inner, lines, count, false));
    if (!draw)
        return height;
    inner.y = scene->height - height;
    canvas_fill(canvas, (Box){0, inner.y, scene->width, height}, 0, theme->bar);
    canvas_fill(canvas, (Box){0, inner.y, scene->width, 2}, 0, theme->bad_ink);
    inner.y += pad;
    canvas_line(canvas, FONT_BOLD, 17, theme->ink, (Box){inner.x, inner.y, inner.w, 22},
                canvas_string(canvas, title));
    inner.y += head;
    lay_out_problems(canvas, inner, lines, count, true);
    return height;
}

/* ---- sentences ---- */

void help_draw_notice(const Canvas *canvas, const char *words, Link link) {
    Scene *scene = canvas->scene;
    double size = canvas_size(canvas, 14, words);
    double width = canvas_text_width(canvas, FONT_TEXT, size, words) + 2 * 16;
    width = fmin(width, scene->width * 0.9);
    double middle = scene->height * 0.45, half = 20;
    canvas_link(canvas, link);
    canvas_target(canvas,
                  (Box){(scene->width - width) / 2, middle - half, width, 2 * half});
    canvas_message(canvas, scene->width / 2 + width / 2, middle + half, width,
                   canvas->theme->current, canvas->theme->current_ink, words);
    canvas_unlink(canvas);
}
