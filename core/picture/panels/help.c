#include "picture/panels/help.h"

#include "base/strings/utf8.h"
#include "picture/bar/tools.h"
#include "picture/scene/scene_scale.h"

#include <math.h>
#include <string.h>

static const double PANEL_WIDTH = 1520, FIELD_WIDTH = 900, KEYS_WIDTH = 150,
                    COLUMN_GAP = 36, TITLE_HEIGHT = 54, BUTTON = 42, HEADING_FOOT = 5,
                    BAR = 5;
enum { COLUMNS_MAX = 3, LINES_MAX = 3 };

/* Dims what lies below. */
static void draw_veil(const Canvas *canvas) {
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
    {"", "help.mouse_drag", NULL},          {"", "help.mouse_top", NULL}};

enum { MOUSE_COUNT = sizeof mouse / sizeof *mouse };

/* The help's lines laid out: those of the keys, then those of the mouse. */
typedef struct HelpLayout {
    const Canvas *canvas;
    const HelpEntry *entries;
    size_t count;              /* of the keys */
    double size, leading, gap; /* of the text; gap: between two lines */
    double keys_width, words_width;
} HelpLayout;

static const HelpEntry *entry_at(const HelpLayout *layout, size_t index) {
    return index < layout->count ? &layout->entries[index]
                                 : &mouse[index - layout->count];
}

static const char *words_at(const HelpLayout *layout, size_t index) {
    return canvas_string(layout->canvas, entry_at(layout, index)->words);
}

/* Of the subject that a line begins; 0 where it begins none. */
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

/* Fills columns of a height one after the other; ends[i] is behind column i. Gives back
 * how many it takes, COLUMNS_MAX + 1 for more than there may be. */
static size_t fill_columns(const HelpLayout *layout, double height, size_t *ends) {
    size_t columns = 1;
    double used = 0;
    for (size_t i = 0; i < layout->count + MOUSE_COUNT; i++) {
        double line = height_at(layout, i);
        if (used + line > height && used > 0) {
            if (columns == COLUMNS_MAX)
                return COLUMNS_MAX + 1;
            columns++;
            used = 0;
        }
        used += line;
        ends[columns - 1] = i + 1;
    }
    return columns;
}

/* Breaks the lines into so many columns, as low as can be; gives back their height. */
static double break_columns(const HelpLayout *layout, size_t columns, size_t *ends) {
    double total = 0;
    for (size_t i = 0; i < layout->count + MOUSE_COUNT; i++)
        total += height_at(layout, i);
    double height = floor(total / (double)columns);
    while (fill_columns(layout, height, ends) > columns)
        height++;
    return height;
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
        double baseline = at.y + layout->size * LABEL_ASCENT;
        canvas_text(canvas, FONT_BOLD, layout->size, canvas->theme->ink,
                    (Point){at.x, baseline}, LABEL_LEFT, entry_at(layout, i)->keys);
        canvas_paragraph(canvas, FONT_TEXT, layout->size, canvas->theme->ink_soft,
                         (Box){at.x + layout->keys_width, at.y, layout->words_width, 0},
                         layout->leading, LINES_MAX, words_at(layout, i));
        at.y += above - heading;
    }
}

/* The widest of the keys' names. */
static double widest_keys(const HelpLayout *layout) {
    double widest = 0;
    for (size_t i = 0; i < layout->count + MOUSE_COUNT; i++)
        widest = fmax(widest, canvas_text_width(layout->canvas, FONT_BOLD, layout->size,
                                                entry_at(layout, i)->keys));
    return widest;
}

/* How the help is set: so large, in so many columns, so far from its edges. */
typedef struct HelpStyle {
    size_t columns;
    double units, line_height, pad;
} HelpStyle;

/* From the most comfortable to what still can be read; where none has room for all, the
 * columns go on below the panel and are scrolled. */
static const HelpStyle styles[] = {{2, 16, 34, 44}, {2, 15, 28, 36}, {3, 15, 28, 36},
                                   {3, 14, 24, 26}, {3, 13, 20, 20}, {3, 10, 15, 12}};
static const HelpStyle scrolled[] = {{2, 16, 32, 26}, {1, 16, 32, 20}};
static const double LEAST_COLUMN = 420;

/* The help in its panel. */
typedef struct HelpSheet {
    HelpLayout layout;
    const HelpStyle *style;
    size_t ends[COLUMNS_MAX];
    double column, lines; /* a column's width, and how tall the tallest is */
    Box panel;
} HelpSheet;

/* Lays the lines out in columns; gives back the panel's height, could it be so tall. */
static double lay_out(const Canvas *canvas, HelpSheet *sheet) {
    HelpLayout *layout = &sheet->layout;
    const HelpStyle *style = sheet->style;
    double pad = canvas_length(canvas, style->pad),
           gap = canvas_length(canvas, COLUMN_GAP);
    sheet->panel.w = fmin(canvas_length(canvas, PANEL_WIDTH), canvas->scene->width - pad);
    sheet->column = (sheet->panel.w - 2 * pad - (double)(style->columns - 1) * gap) /
                    (double)style->columns;
    layout->size = canvas_size(canvas, style->units, canvas_string(canvas, "help.title"));
    layout->leading = round(layout->size * 1.3);
    layout->keys_width = widest_keys(layout) + layout->size;
    if (style->columns == 2)
        layout->keys_width = fmax(layout->keys_width, canvas_length(canvas, KEYS_WIDTH));
    layout->words_width = sheet->column - layout->keys_width;
    layout->gap = fmax(canvas_length(canvas, style->line_height) - layout->leading, 2);
    sheet->lines = break_columns(layout, style->columns, sheet->ends);
    return sheet->lines + canvas_length(canvas, TITLE_HEIGHT) + 2 * pad;
}

static HelpSheet sheet_of(const Canvas *canvas, const Help *help) {
    const Scene *scene = canvas->scene;
    HelpSheet sheet = {
        .layout = {.canvas = canvas, .entries = help->entries, .count = help->count}};
    double height = INFINITY, most = 0;
    for (size_t i = 0; i < sizeof styles / sizeof *styles && height > most; i++) {
        sheet.style = &styles[i];
        if (help->scale > 1 && sheet.style->columns == COLUMNS_MAX)
            break; /* larger type is to stay larger */
        most = scene->height - canvas_length(canvas, sheet.style->pad);
        height = lay_out(canvas, &sheet);
    }
    for (size_t i = 0; i < sizeof scrolled / sizeof *scrolled && height > most; i++) {
        sheet.style = &scrolled[i];
        most = scene->height - canvas_length(canvas, sheet.style->pad);
        double all = lay_out(canvas, &sheet);
        bool wide = sheet.column >= canvas_length(canvas, LEAST_COLUMN);
        if (wide || sheet.style->columns == 1) {
            height = fmin(all, most);
            break;
        }
    }
    sheet.panel =
        (Box){round((scene->width - sheet.panel.w) / 2),
              round((scene->height - height) / 2), sheet.panel.w, round(height)};
    return sheet;
}

static void draw_title(const Canvas *canvas, Box line, Link close) {
    const Theme *theme = canvas->theme;
    double baseline = line.y + canvas_length(canvas, 12);
    double side = canvas_length(canvas, BUTTON);
    Box cross = {line.x + line.w - side * 0.75, baseline - side * 0.7, side, side};
    tool_draw_button(canvas, TOOL_LEAVE, close, cross, theme->ink_soft);
    Box title = canvas_label(canvas, FONT_BOLD, 24, theme->ink, (Point){line.x, baseline},
                             LABEL_LEFT, canvas_string(canvas, "help.title"));
    const char *words = canvas_string(canvas, "help.close");
    double size = canvas_size(canvas, 14, words), gap = canvas_length(canvas, 12);
    if (canvas_text_width(canvas, FONT_TEXT, size, words) + gap <
        cross.x - title.x - title.w)
        canvas_text(canvas, FONT_TEXT, size, theme->ink_faint,
                    (Point){cross.x - gap / 2, baseline}, LABEL_RIGHT, words);
}

/* Which part of all lines is in view. */
static void draw_place(const Canvas *canvas, Box area, double lines, double scroll) {
    double width = canvas_length(canvas, BAR), share = area.h / lines;
    canvas_fill(
        canvas,
        (Box){area.x + area.w + width, area.y + scroll * share, width, area.h * share},
        width / 2, canvas->theme->line);
}

/* On a page that is as much smaller as the type is to be larger. */
static double draw_sheet(const Canvas *canvas, const Help *help, double *most) {
    HelpSheet sheet = sheet_of(canvas, help);
    draw_veil(canvas);
    scene_rectangle(canvas->scene, sheet.panel, canvas_length(canvas, 14),
                    canvas->theme->bar, canvas->theme->line, 1);
    Box inner = box_inset(sheet.panel, canvas_length(canvas, sheet.style->pad));
    draw_title(canvas, box_take_top(&inner, canvas_length(canvas, TITLE_HEIGHT)),
               help->close);
    *most = fmax(sheet.lines - inner.h, 0);
    double scroll = fmin(fmax(help->scroll, 0), *most);
    bool cut = *most >= 1;
    if (cut)
        scene_clip(canvas->scene, inner);
    double gap = canvas_length(canvas, COLUMN_GAP);
    for (size_t i = 0; i < sheet.style->columns; i++)
        draw_column(&sheet.layout,
                    (Point){inner.x + (double)i * (sheet.column + gap), inner.y - scroll},
                    i ? sheet.ends[i - 1] : 0, sheet.ends[i]);
    if (!cut)
        return scroll;
    scene_unclip(canvas->scene);
    draw_place(canvas, inner, sheet.lines, scroll);
    return scroll;
}

double help_draw(const Canvas *canvas, const Help *help, double *most) {
    Scene *scene = canvas->scene;
    double width = scene->width, height = scene->height, scale = fmax(help->scale, 1);
    size_t first = scene->count;
    scene->width /= scale;
    scene->height /= scale;
    double scroll = draw_sheet(canvas, help, most);
    scene->width = width;
    scene->height = height;
    if (scale > 1)
        scene_scale(scene, first, scale, (Point){0, 0});
    return scroll;
}

/* ---- a field ---- */

static double width_of(const Canvas *canvas, double size, const char *text,
                       size_t length) {
    return canvas->metrics->advance(canvas->metrics->context, FONT_TEXT, size, text,
                                    length);
}

/* Where to begin so that the caret is in view; what has just been filled in, and is
 * selected, is read from its beginning. */
static size_t first_shown(const Canvas *canvas, double size, double room,
                          const HelpField *field) {
    size_t length = strlen(field->text), first = 0;
    while (!field->selected && first < field->caret &&
           width_of(canvas, size, field->text + first, field->caret - first) > room)
        utf8_next(field->text, length, &first);
    return first;
}

/* As much of a text as has room. */
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
               LABEL_LEFT, shown); /* as it is written */
    double caret = fmin(width_of(canvas, size, field->text + first, field->caret - first),
                        width_of(canvas, size, shown, strlen(shown)));
    canvas_fill(
        canvas,
        (Box){round(at.x + caret), top, fmax(round(canvas_length(canvas, 2)), 1), height},
        0, theme->accent);
}

/* At the right end of a strip; gives back how wide they are. */
static double draw_field_buttons(const Canvas *canvas, const HelpField *field,
                                 Box strip) {
    const Link links[] = {field->leave, field->use, field->paste};
    static const Tool tools[] = {TOOL_LEAVE, TOOL_USE, TOOL_PASTE};
    double side = canvas_length(canvas, BUTTON), width = 0;
    for (size_t i = 0; i < 3 && field->use.kind; i++) {
        tool_draw_button(canvas, tools[i], links[i],
                         (Box){strip.x + strip.w - width - side, strip.y, side, side},
                         canvas->theme->ink_soft);
        width += side;
    }
    return width;
}

void help_draw_field(const Canvas *canvas, const HelpField *field) {
    Scene *scene = canvas->scene;
    const Theme *theme = canvas->theme;
    double pad = canvas_length(canvas, 28);
    double width = fmin(canvas_length(canvas, FIELD_WIDTH), scene->width - 2 * pad);
    double inside = width - 2 * pad, size = canvas_size(canvas, 24, field->text);
    double small = canvas_size(canvas, 15, field->problem);
    double leading = round(small * 1.4);
    double problem =
        field->problem[0]
            ? leading / 2 + paragraph_measure(canvas->metrics, FONT_TEXT, small, inside,
                                              leading, 3, field->problem, NULL)
            : 0;
    double fixed = canvas_length(canvas, 150) + problem +
                   (field->chips.use.kind ? canvas_length(canvas, 16) : 0);
    double chips = field_chips_height(canvas, &field->chips, inside,
                                      scene->height - fixed - canvas_length(canvas, 120));
    double height = fixed + chips;
    Box inner = box_inset(canvas_dialog(canvas, width, height), pad);
    canvas_label(canvas, FONT_BOLD, 18, theme->ink,
                 (Point){inner.x, inner.y + canvas_length(canvas, 12)}, LABEL_LEFT,
                 canvas_string(canvas, field->title));
    double baseline = inner.y + canvas_length(canvas, 56);
    canvas_link(canvas, (Link){LINK_FIELD, 0, 0, 0});
    canvas_target(canvas, (Box){inner.x, baseline - 1.2 * size, inside, 1.7 * size});
    help_draw_written(canvas, field, (Point){inner.x, baseline}, inside - 4, size);
    canvas_unlink(canvas);
    if (field->problem[0])
        canvas_paragraph(canvas, FONT_TEXT, small, theme->bad_ink,
                         (Box){inner.x, baseline + size * 0.4 + leading / 2, inside, 0},
                         leading, 3, field->problem);
    field_chips_draw(canvas, &field->chips,
                     (Box){inner.x,
                           baseline + size * 0.4 + problem + canvas_length(canvas, 14),
                           inside, chips});
    canvas_label(canvas, FONT_TEXT, 14, theme->ink_faint,
                 (Point){inner.x, inner.y + inner.h}, LABEL_LEFT,
                 canvas_string(canvas, field->keys));
}

/* Below the cell, or above it where there is no room, and within the page. */
static Box beside(const Canvas *canvas, Box cell, double width, double height) {
    const Scene *scene = canvas->scene;
    double gap = canvas_length(canvas, 10), x = cell.x + cell.w / 2 - width / 2;
    double y = cell.y + cell.h + gap;
    if (y + height > scene->height - gap)
        y = fmax(cell.y - gap - height, gap);
    return (Box){round(fmax(fmin(x, scene->width - gap - width), gap)), round(y), width,
                 height};
}

void help_draw_cell_field(const Canvas *canvas, const HelpField *field, Box cell) {
    Scene *scene = canvas->scene;
    const Theme *theme = canvas->theme;
    double pad = canvas_length(canvas, 16), size = canvas_size(canvas, 20, field->text);
    const char *keys = canvas_string(canvas, field->keys);
    double small = canvas_size(canvas, 13, keys), leading = round(small * 1.4);
    double title = canvas_text_width(canvas, FONT_BOLD, size, field->title) + pad;
    double inside = fmax(canvas_text_width(canvas, FONT_TEXT, small, keys),
                         title + canvas_length(canvas, 200 + 3 * BUTTON));
    double digits = number_keys_height(canvas) + canvas_length(canvas, 8);
    double problem = field->problem[0]
                         ? paragraph_measure(canvas->metrics, FONT_TEXT, small, inside,
                                             leading, 3, field->problem, NULL)
                         : 0;
    Box panel = beside(canvas, cell, inside + 2 * pad,
                       round(2 * pad + size * 1.7 + leading + problem + digits));
    scene_rectangle(scene, panel, canvas_length(canvas, 10), theme->bar, theme->accent,
                    fmax(canvas_length(canvas, 3), 2));
    Box inner = box_inset(panel, pad);
    double baseline = round(inner.y + size);
    canvas_text(canvas, FONT_BOLD, size, theme->ink, (Point){inner.x, baseline},
                LABEL_LEFT, field->title);
    double up = canvas_length(canvas, 8);
    double buttons =
        draw_field_buttons(canvas, field, (Box){inner.x, inner.y - up, inner.w + up, 0});
    double room = inside - title - buttons;
    canvas_link(canvas, (Link){LINK_FIELD, 0, 0, 0});
    canvas_target(canvas, (Box){inner.x + title, inner.y - up, room, 1.7 * size});
    help_draw_written(canvas, field, (Point){inner.x + title, baseline}, room - 4, size);
    canvas_unlink(canvas);
    if (problem > 0)
        canvas_paragraph(canvas, FONT_TEXT, small, theme->bad_ink,
                         (Box){inner.x, inner.y + size * 1.5, inside, 0}, leading, 3,
                         field->problem);
    Link key = field->use;
    key.row = 1;
    number_keys_draw(canvas, key,
                     (Box){inner.x, inner.y + inner.h - leading - digits, inner.w,
                           number_keys_height(canvas)});
    canvas_text(canvas, FONT_TEXT, small, theme->ink_soft,
                (Point){inner.x, inner.y + inner.h - small * 0.25}, LABEL_LEFT, keys);
}

/* ---- what is wrong ---- */

static const double PROBLEMS_WIDTH = 1180, PROBLEMS_FOOT = 96;

/* All lines below each other; gives back how tall they are. */
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
        height += canvas_length(canvas, 4);
    }
    return height;
}

void help_draw_problems(const Canvas *canvas, const char *title, const char *const *lines,
                        size_t count) {
    Scene *scene = canvas->scene;
    const Theme *theme = canvas->theme;
    double pad = canvas_length(canvas, 18), head = canvas_length(canvas, 34);
    double width = fmin(canvas_length(canvas, PROBLEMS_WIDTH), scene->width * 0.9);
    Box inner = {round((scene->width - width) / 2) + pad, 0, width - 2 * pad, 0};
    double height =
        round(2 * pad + head + lay_out_problems(canvas, inner, lines, count, false));
    inner.y = round(scene->height - canvas_length(canvas, PROBLEMS_FOOT) - height + pad);
    scene_rectangle(scene, (Box){inner.x - pad, inner.y - pad, width, height},
                    canvas_length(canvas, 10), theme->bar, theme->bad_ink,
                    fmax(canvas_length(canvas, 2), 1));
    canvas_line(canvas, FONT_BOLD, 17, theme->ink, (Box){inner.x, inner.y, inner.w, 22},
                canvas_string(canvas, title));
    inner.y += head;
    lay_out_problems(canvas, inner, lines, count, true);
}

/* ---- sentences ---- */

void help_draw_notice(const Canvas *canvas, const char *words, Link link) {
    Scene *scene = canvas->scene;
    double size = canvas_size(canvas, 14, words);
    double width =
        canvas_text_width(canvas, FONT_TEXT, size, words) + 2 * canvas_length(canvas, 16);
    width = fmin(width, scene->width * 0.9);
    double middle = scene->height * 0.45, half = canvas_length(canvas, 20);
    canvas_link(canvas, link);
    canvas_target(canvas,
                  (Box){(scene->width - width) / 2, middle - half, width, 2 * half});
    canvas_message(canvas, scene->width / 2 + width / 2, middle + half, width,
                   canvas->theme->current, canvas->theme->current_ink, words);
    canvas_unlink(canvas);
}
