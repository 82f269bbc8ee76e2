#include "picture/overview.h"

#include "picture/stage.h"

#include <math.h>

static const double MARGIN = 56, CARD_WIDTH = 340, CARD_HEIGHT = 212, GAP = 28;

size_t overview_columns(double width, double height) {
    double unit = canvas_unit(width, height);
    double columns =
        floor((width - (2 * MARGIN - GAP) * unit) / ((CARD_WIDTH + GAP) * unit));
    return columns < 1 ? 1 : (size_t)columns;
}

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
    cell = fmin(cell, canvas_length(canvas, 34));
    cell = cell > 4 ? floor(cell) : cell;
    Box cells = {area.x, round(area.y + (area.h - cell * (double)tensor->rows) / 2),
                 cell * (double)tensor->cols, cell * (double)tensor->rows};
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

static void draw_card(const Overview *overview, const Canvas *canvas, size_t index,
                      Box card) {
    const Theme *theme = overview->theme;
    const OverviewItem *item = &overview->items[index];
    bool chosen = index == overview->chosen;
    scene_link(canvas->scene, (Link){LINK_LESSON, index, 0, 0});
    scene_rectangle(canvas->scene, card, canvas_length(canvas, 10), theme->bar,
                    chosen ? theme->accent : theme->line,
                    chosen ? fmax(canvas_length(canvas, 3), 2) : 1);
    Box inner = box_inset(card, canvas_length(canvas, 20));
    Box picture = box_take_top(&inner, canvas_length(canvas, 78));
    if (item->lesson)
        draw_picture(canvas, item->lesson, picture);
    box_take_top(&inner, canvas_length(canvas, 14));
    const char *title =
        item->lesson ? text_in(&item->lesson->title, canvas->language) : item->id;
    title = canvas_format(canvas, "%zu · %s", index + 1, title);
    double size = canvas_size(canvas, 17, title);
    LabelFit fit = label_fit(canvas->scene->arena, canvas->metrics, FONT_BOLD, size,
                             label_min_size(title), inner.w, title);
    label_draw(canvas->scene, canvas->metrics, FONT_BOLD, fit.size, theme->ink,
               (Point){inner.x, inner.y + fit.size}, LABEL_LEFT, fit.text);
    box_take_top(&inner, size * 1.5);
    const char *about = item->lesson ? text_in(&item->lesson->about, canvas->language)
                                     : canvas_string(canvas, "overview.broken");
    double about_size = canvas_size(canvas, 14, about), leading = round(about_size * 1.4);
    size_t lines = (size_t)fmax(floor(inner.h / leading), 1);
    paragraph_draw(canvas->scene, canvas->metrics, FONT_TEXT, about_size,
                   item->lesson ? theme->ink_soft : theme->bad_ink, inner, leading, lines,
                   about);
    if (item->lesson) {
        const char *count = canvas_format(canvas, "%zu", item->lesson->step_count);
        canvas_label(
            canvas, FONT_TEXT, 13, theme->ink_faint,
            (Point){picture.x + picture.w, picture.y + canvas_length(canvas, 12)},
            LABEL_RIGHT,
            canvas_words(canvas, "overview.steps", 1, (const char *const[]){count}));
    }
    scene_link(canvas->scene, (Link){0});
}

void overview_draw(Scene *scene, Arena *arena, const Overview *overview) {
    scene_init(scene, arena, overview->width, overview->height, overview->theme->page);
    Canvas canvas = {.scene = scene,
                     .theme = overview->theme,
                     .metrics = overview->metrics,
                     .strings = overview->strings,
                     .language = overview->language,
                     .unit = canvas_unit(overview->width, overview->height)};
    const Theme *theme = overview->theme;
    double margin = canvas_length(&canvas, MARGIN), gap = canvas_length(&canvas, GAP);
    double w = canvas_length(&canvas, CARD_WIDTH),
           h = canvas_length(&canvas, CARD_HEIGHT);
    size_t columns = overview_columns(overview->width, overview->height);
    double used = (double)columns * (w + gap) - gap;
    double left = round((overview->width - used) / 2);
    canvas_label(&canvas, FONT_BOLD, 19, theme->accent, (Point){left, margin}, LABEL_LEFT,
                 "Glassformer");
    const char *title = canvas_string(&canvas, "overview.title");
    canvas_label(&canvas, FONT_BOLD, 36, theme->ink,
                 (Point){left, margin + canvas_length(&canvas, 52)}, LABEL_LEFT, title);
    const char *say = canvas_string(&canvas, "overview.say");
    canvas_label(&canvas, FONT_TEXT, 17, theme->ink_soft,
                 (Point){left, margin + canvas_length(&canvas, 88)}, LABEL_LEFT, say);

    double top = margin + canvas_length(&canvas, 124);
    double room = overview->height - top - gap;
    size_t rows_shown = (size_t)fmax(floor((room + gap) / (h + gap)), 1);
    size_t chosen_row = overview->chosen / columns;
    size_t first_row = chosen_row >= rows_shown ? chosen_row - rows_shown + 1 : 0;
    for (size_t i = first_row * columns; i < overview->count; i++) {
        size_t row = i / columns - first_row;
        if (row >= rows_shown)
            break;
        draw_card(overview, &canvas, i,
                  (Box){left + (double)(i % columns) * (w + gap),
                        top + (double)row * (h + gap), w, h});
    }
}
