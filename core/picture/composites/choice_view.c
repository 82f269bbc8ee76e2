#include "picture/composites/composites.h"

#include "base/arena.h"
#include "lesson/model/generate_step.h"
#include "picture/charts/charts.h"
#include "picture/tensors/views.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const double CHIP_UNITS = 24, BELOW_TEXT = 20;
static const double COLUMN_GAP = 18, ARROW_GAP = 34; /* units */
static const double WHY_GAP = 10; /* behind the bar of an excluded token */

typedef struct Choice {
    const Stage *stage;
    const LessonGenerate *generate;
    const DecodingStep *turn;
    size_t number;
    const Tensor *chances; /* renormalized probabilities */
    RankedList list;       /* of the probabilities before tokens are excluded */
} Choice;

/* ---- tokens and rules ---- */

static bool is_out(const Choice *choice, size_t node, size_t word) {
    return node != TAPE_NONE &&
           tensor_at(stage_tensor(choice->stage, node), 0, word) == -INFINITY;
}

/* Node that excludes a token; TAPE_NONE if it remains. */
static size_t cut_by(const Choice *choice, size_t word) {
    const DecodingStep *turn = choice->turn;
    return is_out(choice, turn->top_k, word)   ? turn->top_k
           : is_out(choice, turn->top_p, word) ? turn->top_p
                                               : TAPE_NONE;
}

/* Description of the rule of an excluding node. */
static const char *why_cut(const Choice *choice, size_t cut) {
    const Canvas *canvas = choice->stage->canvas;
    const DecodingOptions *options = &choice->generate->generated.options;
    return cut == choice->turn->top_k
               ? canvas_words(canvas, "view.cut_top_k",
                              canvas_count(canvas, options->top_k), NULL)
               : canvas_words(canvas, "view.cut_top_p",
                              canvas_format(canvas, "%g", options->top_p), NULL);
}

/* ---- the list ---- */

/* Row of a node over the tokens. */
static Series series_over(const Choice *choice, size_t node, size_t row) {
    const Stage *stage = choice->stage;
    Series series = series_of(stage->canvas, stage_tensor(stage, node), row);
    series.node = node;
    series.labels = choice->generate->words;
    if (stage->has_focus && stage->focus_node >= choice->turn->all_probabilities &&
        stage->focus_node <= choice->turn->probabilities)
        series.focus = stage->focus_col;
    return series;
}

static void add_column(Choice *choice, RankedColumn column) {
    choice->list.columns[choice->list.column_count++] = column;
}

/* Lists the tokens with their probabilities; with the renormalized ones if a rule
 * excludes tokens, else with how often each was drawn. */
static void fill_list(Choice *choice) {
    const Canvas *canvas = choice->stage->canvas;
    const LessonGenerate *generate = choice->generate;
    RankedList *list = &choice->list;
    list->series = series_over(choice, choice->turn->all_probabilities, 0);
    list->beside = &list->series;
    list->beside_count = 1;
    list->present = list->strong = lesson_generation_cell(generate, choice->number).col;
    bool *out = arena_alloc(canvas->scene->arena, list->series.count, sizeof *out);
    for (size_t i = 0; i < list->series.count; i++) {
        out[i] = cut_by(choice, i) != TAPE_NONE;
        list->out = out[i] ? out : list->out;
    }
    if (list->out)
        add_column(choice, (RankedColumn){.heading = canvas_string(canvas, "view.uncut"),
                                          .series = list->series,
                                          .gap = COLUMN_GAP});
    const char *kept = list->out ? "view.kept" : "part.chances";
    add_column(choice, (RankedColumn){
                           .heading = canvas_string(canvas, kept),
                           .series = series_over(choice, choice->turn->probabilities, 0),
                           .is_main = true,
                           .gap = list->out ? ARROW_GAP : COLUMN_GAP});
    const char *draws = canvas_count(canvas, generate->draws);
    if (generate->drawn != TAPE_NONE && !list->out)
        add_column(
            choice,
            (RankedColumn){.heading = canvas_words(canvas, "view.draws", draws, NULL),
                           .series = series_over(choice, generate->drawn, choice->number),
                           .gap = COLUMN_GAP});
}

/* Draws an excluded token's bar hatched; behind the first one that a rule excludes, which
 * rule it was. */
static void draw_out(const Choice *choice, size_t line, size_t cut) {
    const Canvas *canvas = choice->stage->canvas;
    const RankedList *list = &choice->list;
    size_t word = list->lines[line], above = line ? list->lines[line - 1] : SIZE_MAX;
    Box bar = ranked_list_bar(list, line, list->series.values[word]);
    canvas_link_cell(canvas, cut, 0, word);
    canvas_masked(canvas, bar);
    const char *why = why_cut(choice, cut);
    double left = bar.x + bar.w + WHY_GAP;
    if (above >= list->series.count || cut_by(choice, above) != cut)
        chart_text(canvas, FONT_TEXT, fmax(list->size - 1, canvas_least(canvas, why)),
                   canvas->theme->ink_soft,
                   (Box){left, bar.y, list->bars.x + list->bars.w - left, bar.h},
                   LABEL_LEFT, why);
    canvas_unlink(canvas);
}

/* Outlines a bar of a token's renormalized probability, and draws an arrow to its
 * number. */
static void draw_kept(const Choice *choice, size_t line) {
    const Canvas *canvas = choice->stage->canvas;
    const RankedList *list = &choice->list;
    size_t word = list->lines[line];
    double chance = tensor_at(choice->chances, 0, word), head = 6, pad = 7;
    Box bar = ranked_list_bar(list, line, chance), to = list->columns[1].box;
    double y = round(bar.y + bar.h / 2) + 0.5;
    canvas_link_cell(canvas, choice->turn->probabilities, 0, word);
    if (isfinite(chance))
        canvas_outline(canvas, bar, 2, canvas->theme->ink_soft, 2);
    canvas_arrow(canvas, (Point){to.x - ARROW_GAP + pad, y}, (Point){to.x - pad, y}, 1.5,
                 head, canvas->theme->ink_faint);
    canvas_unlink(canvas);
}

/* Draws the text read and the generated token. */
static void draw_text(const Choice *choice, Box strip) {
    const Stage *stage = choice->stage;
    const Canvas *canvas = stage->canvas;
    const char *reads = canvas_string(canvas, "view.reads");
    double size = canvas_size(canvas, 14, reads), gap = 14;
    Box label = chart_text(canvas, FONT_BOLD, size, canvas->theme->ink_faint, strip,
                           LABEL_LEFT, reads);
    box_take_left(&strip, label.w + gap);
    double chip = canvas_size(canvas, CHIP_UNITS, "一");
    const char *word = choice->generate->words[choice->list.strong];
    const char *now = lesson_would_generate(choice->generate, stage->tape, choice->number,
                                            canvas->scene->arena);
    Box text = strip;
    text.w -= token_width(canvas, chip, word) + 40 + 2 * gap;
    text.w -=
        now ? canvas_text_width(canvas, FONT_BOLD, chip, sentence_now(canvas, now)) : 0;
    box_take_left(&strip,
                  sentence_draw(stage, choice->turn->ids[0], text, chip, false) + gap);
    sentence_draw_next(
        stage, strip, chip, word, now,
        (Link){LINK_CELL, choice->turn->probabilities, 0, choice->list.strong}, true);
}

void choice_view(const Stage *stage, const LessonGenerate *generate, size_t turn) {
    const Canvas *canvas = stage->canvas;
    Choice choice = {.stage = stage,
                     .generate = generate,
                     .turn = &generate->generated.steps[turn],
                     .number = turn};
    choice.chances = stage_tensor(stage, choice.turn->probabilities);
    fill_list(&choice);
    Box area = stage->area;
    draw_text(&choice,
              box_take_top(&area, token_height(canvas_size(canvas, CHIP_UNITS, "一"))));
    box_take_top(&area, BELOW_TEXT);
    ranked_list_place(&choice.list, area);
    ranked_list_draw(&choice.list);
    for (size_t i = 0; choice.list.out && i < choice.list.line_count; i++) {
        size_t word = choice.list.lines[i];
        if (word >= choice.list.series.count)
            continue;
        if (choice.list.out[word])
            draw_out(&choice, i, cut_by(&choice, word));
        else
            draw_kept(&choice, i);
    }
}
