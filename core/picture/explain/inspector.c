#include "picture/explain/explain.h"

#include "base/number.h"
#include "lesson/content/changes.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/content/problem.h"
#include "picture/composites/composites.h"
#include "picture/scene/scene.h"
#include "picture/scene/theme.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double FIRST_UNITS = 19, SECOND_UNITS = 15.5, NAME_UNITS = 23,
                    TURNING_UNITS = 44, VERDICT_FRACTION = 0.42, PAD = 28;

/* Draws a cell's name, "A[I, am]"; returns its right end. */
static double draw_cell_name(const PageParts *parts, CellName name, FontRole font,
                             Point baseline) {
    const Canvas *canvas = parts->canvas;
    CellStyle style = {font, canvas->theme->ink, canvas_size(canvas, FIRST_UNITS, ""),
                       canvas_size(canvas, NAME_UNITS, "")};
    return cell_name_draw(canvas, parts->page->player, &name, &style, baseline);
}

/* ---- the source's numbers ---- */

/* Verdict on the step's printed numbers, in the longest wording that fits; NULL: there is
 * nothing to compare. */
static const char *verdict_of(const PageParts *parts, const CellSum *sum, double width,
                              size_t *differing) {
    const Canvas *canvas = parts->canvas;
    const Player *player = parts->page->player;
    const LessonStep *step = player_words(player, player->step);
    size_t printed = 0;
    if (step->printed)
        lesson_count_printed(player->lesson, step, &printed, differing);
    if (!printed || sum->cell.node != step->result ||
        player_step(player)->node != sum->cell.node ||
        !lesson_is_original(player->lesson, step))
        return NULL;
    double value;
    int decimals;
    bool differs = false;
    char text[NUMBER_SIZE] = "";
    if (lesson_printed_at(player->lesson, step, sum->cell.row, sum->cell.col, &value,
                          &decimals, &differs) &&
        differs)
        number_format(text, value, decimals);
    const char *key = !*differing ? "inspector.agrees"
                      : text[0]   ? "inspector.differs_here"
                                  : "inspector.differs_elsewhere";
    const char *all = canvas_count(canvas, printed);
    const char *first = *differing ? canvas_count(canvas, *differing) : all;
    const char *words = canvas_words(canvas, key, first, all, text, NULL);
    if (canvas_pill_fits(canvas, width, words))
        return words;
    return canvas_words(canvas, canvas_format(canvas, "%s_short", key), first, all, text,
                        NULL);
}

/* Begins the link that turns comparing on and off, with room for a finger; its words are
 * drawn over it. */
static void begin_turning(const PageParts *parts, Box area, double width) {
    const Canvas *canvas = parts->canvas;
    if (!parts->page->compare.kind)
        return;
    canvas_link(canvas, parts->page->compare);
    canvas_fill(canvas, (Box){area.x + area.w - width, area.y + 2, width, TURNING_UNITS},
                0, canvas->theme->bar);
}

/* Offers to compare the step with its source, except on presented pages. */
static double offer_verdict(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const Player *player = parts->page->player;
    if (!parts->page->compare.kind ||
        !lesson_has_source(player->lesson, player_words(player, player->step)))
        return 0;
    const char *words = canvas_string(canvas, "inspector.compare");
    double width =
        canvas_text_width(canvas, FONT_TEXT, canvas_size(canvas, 13, words), words);
    begin_turning(parts, area, width);
    canvas_label(canvas, FONT_TEXT, 13, canvas->theme->ink_faint,
                 (Point){area.x + area.w, area.y + 31}, LABEL_RIGHT, words);
    canvas_unlink(canvas);
    return width + 24;
}

static double draw_verdict(const PageParts *parts, const CellSum *sum, Box area) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    if (!parts->page->sources)
        return offer_verdict(parts, area);
    double width = area.w * VERDICT_FRACTION;
    size_t differing = 0;
    const char *verdict = verdict_of(parts, sum, width, &differing);
    if (!verdict)
        return 0;
    begin_turning(parts, area, 200);
    Box pill = canvas_pill(canvas, area.x + area.w, area.y + 26, width,
                           differing ? theme->bad : theme->good,
                           differing ? theme->bad_ink : theme->good_ink, verdict);
    canvas_unlink(canvas);
    return pill.w + 24;
}

/* ---- copied cells ---- */

/* Input cell that a cell is a copy of; NULL if the cell was computed. */
static const Term *origin_of(const Term *term) {
    if (term && term->kind == TERM_ROW_OF)
        term = term->parts[1];
    return term && term->kind == TERM_CELL ? term : NULL;
}

/* Writes once where a copied number comes from: " = K[2, 1]"; of a lookup ": ID 7 → E[7,
 * 1]", whose row is the ID. Only the number then remains to be written. Returns the right
 * end. */
static double draw_origin(CellSum *sum, Point baseline) {
    const Canvas *canvas = sum->parts->canvas;
    const Term *origin = origin_of(sum->term);
    if (!origin)
        return baseline.x;
    bool found = sum->term->kind == TERM_ROW_OF;
    cell_sum_begin(sum, RUNS_MAX);
    runs_add(sum->value, found ? ":  " : " = ");
    if (found) {
        runs_add(sum->value, canvas_string(canvas, "inspector.id"));
        runs_add(sum->value, " ");
        term_write(&sum->writer, sum->term->parts[0]);
        runs_add(sum->value, " → ");
    }
    baseline.x = runs_draw(sum->value, canvas_size(canvas, FIRST_UNITS, "一"), baseline);
    CellName name = {{sum->at->inputs[origin->input], origin->row, origin->col}, found};
    canvas_link(canvas,
                (Link){LINK_SOURCE, name.cell.node, name.cell.row, name.cell.col});
    baseline.x = draw_cell_name(sum->parts, name, FONT_TEXT, baseline);
    canvas_unlink(canvas);
    sum->term = NULL;
    return baseline.x;
}

/* ---- changes and problems ---- */

/* Description of a change: "set by hand  ·  was 0.5  ·  difference 0.25"; NULL if there
 * is none. */
static const char *change_words(const PageParts *parts, const CellSum *sum) {
    const Canvas *canvas = parts->canvas;
    const Page *page = parts->page;
    const Tape *tape = page->player->lesson->tape;
    const Tape *other = page->compares ? page->base : NULL;
    FollowCell cell = sum->cell;
    bool set = tape_cell_edited(tape, cell.node, cell.row, cell.col, NULL);
    bool changed = changes_cell_changed(tape, cell.node, cell.row, cell.col);
    double base;
    if (!(set || changed || page->compares) || !difference_base(tape, other, cell, &base))
        return NULL;
    double present = tensor_at(&sum->at->output, cell.row, cell.col);
    const char *was =
        canvas_words(canvas, other ? "change.unswitched" : "change.was",
                     term_number_text(canvas, base),
                     term_number_text(canvas, difference_of(present, base)), NULL);
    return set ? canvas_format(canvas, "%s  ·  %s", canvas_string(canvas, "change.set"),
                               was)
               : was;
}

/* Draws the change at the right end of the second line; returns its width. */
static double draw_change(const PageParts *parts, const CellSum *sum, Box inner,
                          double baseline) {
    const Canvas *canvas = parts->canvas;
    const char *words = change_words(parts, sum);
    if (!words)
        return 0;
    LabelFit fit = canvas_fit(canvas, FONT_BOLD, canvas_size(canvas, SECOND_UNITS, words),
                              inner.w * 0.6, words);
    Box drawn = canvas_text(canvas, FONT_BOLD, fit.size, canvas->theme->ink,
                            (Point){inner.x + inner.w, baseline}, LABEL_RIGHT, fit.text);
    return drawn.w + 24;
}

/* Draws the reason why the cell has no proper value, or has one nevertheless, in place of
 * its quantities; returns false if there is no problem. */
static bool draw_trouble(const PageParts *parts, const CellSum *sum, Box inner,
                         double baseline, double taken) {
    const Canvas *canvas = parts->canvas;
    FollowCell cell = sum->cell;
    const char *key =
        problem_of(parts->page->player->lesson->tape, cell.node, cell.row, cell.col);
    if (!key)
        return false;
    bool alarms = !isfinite(tensor_at(&sum->at->output, cell.row, cell.col));
    const char *words =
        canvas_format(canvas, alarms ? "⚠ %s" : "%s", canvas_string(canvas, key));
    canvas_text_within(canvas, FONT_TEXT, canvas_size(canvas, SECOND_UNITS, words),
                       inner.w - taken,
                       alarms ? canvas->theme->bad_ink : canvas->theme->ink_soft,
                       (Point){inner.x, baseline}, LABEL_LEFT, words);
    return true;
}

/* Explains the numbers in a cell's name, if the line is free. */
static void draw_counting(const PageParts *parts, const CellSum *sum, Point baseline) {
    const Canvas *canvas = parts->canvas;
    const Tensor *tensor = &sum->at->output;
    bool counts = !tensor->row_labels || !tensor->col_labels;
    if (counts && parts->page->interactive && !parts->page->counted)
        canvas_label(canvas, FONT_TEXT, SECOND_UNITS, canvas->theme->ink_faint, baseline,
                     LABEL_LEFT, canvas_string(canvas, "inspector.counted"));
}

/* Draws "A[I, am] = 1 × 0 + 1 × 1 = 1" fitted into `room`; smaller if the name alone is
 * long. */
static void draw_sum(CellSum *sum, Point baseline, double room) {
    Scene *scene = sum->parts->canvas->scene;
    Point begin = baseline;
    size_t first = scene->count;
    baseline.x =
        draw_cell_name(sum->parts, (CellName){.cell = sum->cell}, FONT_BOLD, baseline);
    baseline.x = draw_origin(sum, baseline);
    double size = cell_sum_fit_value(sum, FIRST_UNITS, begin.x + room - baseline.x);
    double factor = fmin(room / (runs_draw(sum->value, size, baseline) - begin.x), 1);
    if (factor < 1)
        scene_scale(scene, first, factor,
                    (Point){begin.x * (1 - factor), begin.y * (1 - factor)});
}

void inspector_draw_sum(const PageParts *parts, Box area) {
    FollowCell cell;
    if (!page_focus(parts->page, &cell.node, &cell.row, &cell.col))
        return;
    CellSum sum = cell_sum_of(parts, cell);
    cell_sum_write_out(&sum);
    draw_sum(&sum, (Point){area.x, label_baseline(area.y + area.h / 2, FIRST_UNITS)},
             area.w);
}

/* Underlines numbers with a link. */
static void underline_sources(const Canvas *canvas, size_t first) {
    const Scene *scene = canvas->scene;
    for (size_t i = first, count = scene->count; i < count; i++) {
        const SceneItem *item = &scene->items[i];
        Box line = {item->box.x, item->box.y + item->box.h - 1, item->box.w, 1};
        if (item->kind == SCENE_TEXT && item->link.kind == LINK_SOURCE)
            canvas_fill(canvas, line, 0, item->fill);
    }
}

static void draw_lines(const PageParts *parts, Box area) {
    FollowCell cell;
    if (training_inspect(parts, area) ||
        !page_focus(parts->page, &cell.node, &cell.row, &cell.col))
        return;
    CellSum sum = cell_sum_of(parts, cell);
    cell_sum_write_out(&sum);
    Box inner = {area.x + PAD, area.y, area.w - 2 * PAD, area.h};
    double taken = draw_verdict(parts, &sum, inner);
    Point first = {inner.x, area.y + 32}, second = {inner.x, first.y + 33};
    draw_sum(&sum, first, inner.w - taken);
    if (parts->page->influence) {
        influence_describe(parts, cell,
                           (Box){inner.x, second.y - INFLUENCE_HEIGHT * 0.68, inner.w,
                                 INFLUENCE_HEIGHT});
        return;
    }
    double right = draw_change(parts, &sum, inner, second.y);
    if (draw_trouble(parts, &sum, inner, second.y, right))
        return;
    double size = cell_sum_fit_quantities(&sum, SECOND_UNITS, inner.w - right);
    runs_draw(sum.quantities, size, second);
    if (!sum.quantities->count)
        draw_counting(parts, &sum, second);
}

void inspector_draw(const PageParts *parts, Box area) {
    size_t first = parts->canvas->scene->count;
    draw_lines(parts, area);
    if (parts->page->interactive)
        underline_sources(parts->canvas, first);
}

static bool is_computed(const Tape *tape, size_t node) {
    return tape_node(tape, node)->operation != OPERATION_GIVEN;
}

bool inspector_has_more(const PageParts *parts) {
    Page page = *parts->page;
    const Player *player = page.player;
    const LessonStep *step = &player->lesson->steps[player_statement(player)];
    const Tape *tape = player->lesson->tape;
    FollowCell cell;
    page.has_focus = false;
    if (page.influence || page.compares || page.sources || tape_edit_count(tape) ||
        player_step(player)->frame != PLAYER_NONE ||
        !page_focus(&page, &cell.node, &cell.row, &cell.col) ||
        is_computed(tape, cell.node) || problem_of(tape, cell.node, cell.row, cell.col))
        return true;
    for (size_t i = 0; i < step->shown_count; i++) {
        if (is_computed(tape, step->shown[i]))
            return true;
    }
    return is_computed(tape, step->result);
}
