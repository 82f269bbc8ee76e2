#include "picture/page/overview.h"

#include "picture/stage/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MARGIN = 56, CARD_WIDTH = 340, CARD_HEIGHT = 240, GAP = 24;
static const double HEADER_HEIGHT = 176, PART_HEIGHT = 54;
enum { MARKS_MAX = 16 };
static const double TITLE_UNITS = 16.5, ABOUT_UNITS = 13.5;

/* How many cards stand side by side on a page of this width. */
static size_t columns_of(double width) {
    double columns = floor((width - (2 * MARGIN - GAP)) / (CARD_WIDTH + GAP));
    return columns < 1 ? 1 : (size_t)columns;
}

/* ---- where everything lies: parts one below the other, each with rows of cards ---- */

typedef struct Layout {
    double left, width; /* of all cards of a row */
    size_t columns;
    double card_w, card_h, gap, part_h;
} Layout;

/* A lesson's part as the language has it; lessons that could not be read go on with the
 * part before them. */
static const char *part_of(const Overview *overview, size_t index) {
    for (size_t i = index + 1; i > 0; i--) {
        const OverviewItem *item = &overview->items[i - 1];
        if (item->part)
            return item->part;
        if (item->lesson)
            return text_in(&item->lesson->part, overview->language);
    }
    return "";
}

static bool begins_part(const Overview *overview, size_t index) {
    const char *part = part_of(overview, index);
    return part[0] && (index == 0 || strcmp(part, part_of(overview, index - 1)) != 0);
}

/* Where a card lies on an endless page that begins with the first part's name at 0. */
static Box card_place(const Overview *overview, const Layout *layout, size_t index) {
    double y = 0;
    size_t in_row = 0;
    for (size_t i = 0; i <= index; i++) {
        bool begins = begins_part(overview, i);
        if (i && (begins || in_row == layout->columns)) {
            y += layout->card_h + layout->gap;
            in_row = 0;
        }
        y += begins ? layout->part_h : 0;
        if (i < index)
            in_row++;
    }
    return (Box){layout->left + (double)in_row * (layout->card_w + layout->gap), y,
                 layout->card_w, layout->card_h};
}

size_t overview_step(const Overview *overview, int rows) {
    Layout layout = {.columns = columns_of(overview->width), .card_w = 1, .card_h = 1};
    Box from = card_place(overview, &layout, overview->chosen);
    size_t best = overview->chosen;
    double wanted = from.y, nearest = INFINITY;
    for (size_t i = 0; i < overview->count; i++) { /* the next row that way … */
        double y = card_place(overview, &layout, i).y;
        bool that_way = rows > 0 ? y > from.y : y < from.y;
        if (that_way && fabs(y - from.y) < nearest) {
            nearest = fabs(y - from.y);
            wanted = y;
        }
    }
    nearest = INFINITY;
    for (size_t i = 0; i < overview->count; i++) { /* … and in it the nearest card */
        Box card = card_place(overview, &layout, i);
        if (card.y == wanted && fabs(card.x - from.x) < nearest) {
            nearest = fabs(card.x - from.x);
            best = i;
        }
    }
    return best;
}

/* ---- cards ---- */

/* What a lesson is about, in one tensor: the last shares it makes, else its last result.
 */
static size_t telling_node(const Lesson *lesson) {
    for (size_t i = lesson->step_count; i > 0; i--) {
        size_t node = lesson->steps[i - 1].result;
        if (stage_colors(lesson->tape, node) == HEATMAP_SHARES)
            return node;
    }
    return lesson->steps[lesson->step_count - 1].result;
}

static void draw_picture(const Canvas *canvas, const Lesson *lesson, Box area) {
    size_t node = telling_node(lesson);
    const Tensor *tensor = &tape_node(lesson->tape, node)->output;
    double cell = fmin(area.w / (double)tensor->cols, area.h / (double)tensor->rows);
    cell = fmin(cell, canvas_length(canvas, 24));
    cell = cell > 4 ? floor(cell) : cell;
    Box cells = {area.x, area.y, cell * (double)tensor->cols,
                 cell * (double)tensor->rows};
    HeatmapColors colors = stage_colors(lesson->tape, node);
    Heatmap heatmap = {.tensor = tensor,
                       .node = TAPE_NONE,
                       .cells = cells,
                       .colors = colors,
                       .reach = colors == HEATMAP_SHARES ? 1 : heatmap_reach(tensor),
                       .visible = (size_t)-1,
                       .without_numbers = true};
    heatmap_draw(canvas, &heatmap);
}

/* "7 · One attention head, by hand": the number is the one in the lesson's file name. */
/* What tells a lesson of the user's from the one that it was kept from: its own sentence,
 * else its file's name; NULL where nothing is changed in it. */
static const char *kept_words(const Canvas *canvas, const OverviewItem *item) {
    const Lesson *lesson = item->lesson;
    const LessonSwitches *put = &lesson->switches;
    if (!item->part)
        return NULL;
    if (lesson->own_text)
        return canvas_format(canvas, "“%s”", lesson->own_text);
    bool changed = put->heads || put->norm || put->mask || put->temperature > 0 ||
                   changes_any(lesson->changes);
    return changed ? item->id : NULL;
}

static const char *card_title(const Canvas *canvas, const OverviewItem *item) {
    if (!item->lesson)
        return item->id;
    unsigned long number = strtoul(item->id, NULL, 10);
    const char *title = text_in(&item->lesson->title, canvas->language);
    const char *kept = kept_words(canvas, item);
    if (kept)
        title = canvas_format(canvas, "%s · %s", kept, title);
    return number ? canvas_format(canvas, "%lu · %s", number, title) : title;
}

/* How practising it went last, below the number of steps: a square an exercise, full
 * where it was right at once. Gives back how wide that is. */
static double draw_practised(const Canvas *canvas, const OverviewItem *item, Box area) {
    if (!item->practised || item->practised > MARKS_MAX)
        return 0;
    const Theme *theme = canvas->theme;
    double side = canvas_length(canvas, 9), gap = canvas_length(canvas, 4);
    double right = area.x + area.w, top = area.y + canvas_length(canvas, 44);
    Box words = canvas_label(canvas, FONT_TEXT, 13, theme->ink_soft,
                             (Point){right, area.y + canvas_length(canvas, 34)},
                             LABEL_RIGHT, canvas_string(canvas, "overview.practised"));
    double width = (double)item->practised * (side + gap) - gap;
    for (size_t i = 0; i < item->practised; i++) {
        Box mark = {round(right - width + (double)i * (side + gap)), round(top),
                    round(side), round(side)};
        bool full = i < item->at_once;
        scene_rectangle(canvas->scene, mark, 1, full ? theme->ink_soft : (Color){0},
                        theme->ink_soft, 1);
    }
    return fmax(words.w, width);
}

static void draw_card(const Overview *overview, const Canvas *canvas, size_t index,
                      Box card) {
    const Theme *theme = overview->theme;
    const OverviewItem *item = &overview->items[index];
    bool chosen = index == overview->chosen;
    canvas_link(canvas, (Link){LINK_LESSON, index, 0, 0});
    scene_rectangle(canvas->scene, card, canvas_length(canvas, 10), theme->bar,
                    chosen ? theme->accent : theme->line,
                    chosen ? fmax(canvas_length(canvas, 3), 2) : 1);
    Box inner = box_inset(card, canvas_length(canvas, 20));
    Box picture = box_take_top(&inner, canvas_length(canvas, 72));
    if (item->lesson) {
        const char *count = canvas_count(canvas, item->lesson->step_count);
        Box steps = canvas_label(
            canvas, FONT_TEXT, 13, theme->ink_faint,
            (Point){picture.x + picture.w, picture.y + canvas_length(canvas, 11)},
            LABEL_RIGHT, canvas_words(canvas, "overview.steps", count, NULL));
        double taken = fmax(steps.w, draw_practised(canvas, item, picture));
        picture.w -= taken + canvas_length(canvas, 14);
        draw_picture(canvas, item->lesson, picture);
    }
    box_take_top(&inner, canvas_length(canvas, 14));
    const char *title = card_title(canvas, item);
    double size = canvas_size(canvas, TITLE_UNITS, title);
    box_take_top(&inner, canvas_paragraph(canvas, FONT_BOLD, size, theme->ink, inner,
                                          round(size * 1.25), 2, title));
    box_take_top(&inner, canvas_length(canvas, 5));
    const char *about = item->lesson ? text_in(&item->lesson->about, canvas->language)
                                     : canvas_string(canvas, "overview.broken");
    double about_size = canvas_size(canvas, ABOUT_UNITS, about);
    double leading = round(about_size * 1.35);
    size_t lines = (size_t)fmax(floor(inner.h / leading), 1);
    canvas_paragraph(canvas, FONT_TEXT, about_size,
                     item->lesson ? theme->ink_soft : theme->bad_ink, inner, leading,
                     lines, about);
    canvas_unlink(canvas);
}

static void draw_header(const Canvas *canvas, double left) {
    const Theme *theme = canvas->theme;
    double top = canvas_length(canvas, MARGIN);
    canvas_label(canvas, FONT_BOLD, 17, theme->ink_faint, (Point){left, top}, LABEL_LEFT,
                 "Glassformer");
    canvas_label(canvas, FONT_BOLD, 36, theme->ink,
                 (Point){left, top + canvas_length(canvas, 50)}, LABEL_LEFT,
                 canvas_string(canvas, "overview.title"));
    canvas_label(canvas, FONT_TEXT, 17, theme->ink_soft,
                 (Point){left, top + canvas_length(canvas, 86)}, LABEL_LEFT,
                 canvas_string(canvas, "overview.say"));
}

/* Parts and cards below the header, moved up so that the chosen card is whole in view. */
static void draw_cards(const Overview *overview, const Canvas *canvas,
                       const Layout *layout, Box area) {
    Box chosen = card_place(overview, layout, overview->chosen);
    double scroll = fmax(chosen.y + chosen.h + layout->gap - area.h, 0);
    scene_clip(canvas->scene, area);
    for (size_t i = 0; i < overview->count; i++) {
        Box card = card_place(overview, layout, i);
        card.y += area.y - scroll;
        if (card.y + card.h < area.y || card.y - layout->part_h > area.y + area.h)
            continue;
        if (begins_part(overview, i))
            canvas_label(canvas, FONT_BOLD, 20, canvas->theme->ink,
                         (Point){layout->left, card.y - canvas_length(canvas, 16)},
                         LABEL_LEFT, part_of(overview, i));
        draw_card(overview, canvas, i, card);
    }
    scene_unclip(canvas->scene);
}

void overview_draw(Scene *scene, Arena *arena, const Overview *overview) {
    scene_init(scene, arena, overview->width, overview->height, overview->theme->page);
    scene_set_lines(scene, overview->theme->lines);
    Canvas canvas = {.scene = scene,
                     .theme = overview->theme,
                     .metrics = overview->metrics,
                     .language = overview->language};
    Layout layout = {.columns = columns_of(overview->width),
                     .card_w = canvas_length(&canvas, CARD_WIDTH),
                     .card_h = canvas_length(&canvas, CARD_HEIGHT),
                     .gap = canvas_length(&canvas, GAP),
                     .part_h = canvas_length(&canvas, PART_HEIGHT)};
    layout.width = (double)layout.columns * (layout.card_w + layout.gap) - layout.gap;
    layout.left = round((overview->width - layout.width) / 2);
    draw_header(&canvas, layout.left);
    Box area = {0, canvas_length(&canvas, HEADER_HEIGHT), overview->width, 0};
    area.h = overview->height - area.y;
    if (overview->count)
        draw_cards(overview, &canvas, &layout, area);
}
