#include "picture/explain/inspector.h"

#include "base/number.h"
#include "lesson/content/changes.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/content/problem.h"
#include "picture/composites/composites.h"
#include "picture/explain/cell_name.h"
#include "picture/explain/cell_sum.h"
#include "picture/explain/differences.h"
#include "picture/explain/influence.h"
#include "picture/explain/page_focus.h"
#include "picture/explain/term_runs.h"
#include "picture/scene/scene_scale.h"
#include "tensor/terms/term.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double FIRST_UNITS = 19, SECOND_UNITS = 15.5, NAME_UNITS = 23,
                    TURNING_UNITS = 44, VERDICT_FRACTION = 0.42;

/* Draws a cell's name, "A[I, am]"; returns its right end. */
static double draw_cell_name(const Canvas *canvas, const PageParts *parts, CellName name,
                             FontRole font, Point baseline) {
    CellStyle style = {font, canvas->theme->ink, canvas_size(canvas, FIRST_UNITS, ""),
                       canvas_size(canvas, NAME_UNITS, "")};
    return cell_name_draw(canvas, parts->page->player, &name, &style, baseline);
}

/* ---- the source's numbers ---- */

typedef struct Verdict {
    bool any, differs;
    const char *text;
} Verdict;

/* Text of the verdict in the longest wording that fits. */
static const char *verdict_words(const Canvas *canvas, double width, const char *key,
                                 const char *const *texts) {
    const char *words = canvas_words(canvas, key, texts[0], texts[1], texts[2], NULL);
    if (canvas_pill_fits(canvas, width, words))
        return words;
    return canvas_words(canvas, canvas_format(canvas, "%s_short", key), texts[0],
                        texts[1], texts[2], NULL);
}

static Verdict verdict_of(const PageParts *parts, const CellSum *cell, double width) {
    const Canvas *canvas = parts->canvas;
    const Player *player = parts->page->player;
    const LessonStep *step = player_words(player, player->step);
    size_t printed = 0, differing = 0;
    if (step->printed)
        lesson_count_printed(player->lesson, step, &printed, &differing);
    if (!printed || cell->node != step->result ||
        player_step(player)->node != cell->node ||
        !lesson_is_original(player->lesson, step))
        return (Verdict){0};
    const char *all = canvas_count(canvas, printed);
    if (!differing)
        return (Verdict){true, false,
                         verdict_words(canvas, width, "inspector.agrees",
                                       (const char *const[]){all, "", ""})};
    double value;
    int decimals;
    bool differs = false;
    char text[NUMBER_SIZE] = "";
    if (lesson_printed_at(player->lesson, step, cell->row, cell->col, &value, &decimals,
                          &differs) &&
        differs)
        number_format(text, value, decimals);
    const char *key = text[0] ? "inspector.differs_here" : "inspector.differs_elsewhere";
    const char *const texts[] = {canvas_count(canvas, differing), all, text};
    return (Verdict){true, true, verdict_words(canvas, width, key, texts)};
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
                 (Point){area.x + area.w, area.y + 35}, LABEL_RIGHT, words);
    canvas_unlink(canvas);
    return width + 24;
}

static double draw_verdict(const PageParts *parts, const CellSum *cell, Box area) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    if (!parts->page->sources)
        return offer_verdict(parts, area);
    double width = area.w * VERDICT_FRACTION;
    Verdict verdict = verdict_of(parts, cell, width);
    if (!verdict.any)
        return 0;
    begin_turning(parts, area, 200);
    Box pill =
        canvas_pill(canvas, area.x + area.w, area.y + 30, width,
                    verdict.differs ? theme->bad : theme->good,
                    verdict.differs ? theme->bad_ink : theme->good_ink, verdict.text);
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

/* Writes the origin of a copy: " = K[2, 1]"; of a lookup ": ID 7 → E[7, 1]", whose row is
 * the ID. Returns its right end. */
static double draw_origin(const PageParts *parts, const CellSum *cell, const Term *origin,
                          Runs *runs, Point baseline) {
    const Canvas *canvas = parts->canvas;
    bool found = cell->term->kind == TERM_ROW_OF;
    TermWriter writer;
    cell_sum_start(runs, &writer, parts, cell, RUNS_MAX);
    Color soft = canvas->theme->ink_soft;
    runs_add(runs, FONT_TEXT, soft, 0, (Link){0}, found ? ":  " : " = ");
    if (found) {
        runs_add(runs, FONT_TEXT, soft, 0, (Link){0},
                 canvas_string(canvas, "inspector.id"));
        runs_add(runs, FONT_TEXT, soft, 0, (Link){0}, " ");
        term_write(&writer, cell->term->parts[0]);
        runs_add(runs, FONT_TEXT, soft, 0, (Link){0}, " → ");
    }
    baseline.x = runs_draw(runs, canvas_size(canvas, FIRST_UNITS, "一"), baseline);
    size_t source = cell->at->inputs[origin->input];
    CellName name = {{source, origin->row, origin->col}, found};
    canvas_link(canvas, (Link){LINK_SOURCE, source, origin->row, origin->col});
    baseline.x = draw_cell_name(canvas, parts, name, FONT_TEXT, baseline);
    canvas_unlink(canvas);
    return baseline.x;
}

/* Writes a copied number's origin once; returns its right end. */
static double draw_source(const PageParts *parts, CellSum *cell, Runs *runs,
                          Point baseline) {
    const Term *origin = origin_of(cell->term);
    if (!origin)
        return baseline.x;
    baseline.x = draw_origin(parts, cell, origin, runs, baseline);
    cell->term = NULL; /* only the number remains to be written */
    return baseline.x;
}

/* ---- changes and problems ---- */

/* Description of a change: "set by hand  ·  was 0.5  ·  difference 0.25"; NULL if there
 * is none. */
static const char *change_words(const PageParts *parts, const CellSum *cell) {
    const Canvas *canvas = parts->canvas;
    const Page *page = parts->page;
    const Tape *tape = page->player->lesson->tape;
    Differences differences = {.tape = tape, .base = page->compares ? page->base : NULL};
    bool set = tape_cell_edited(tape, cell->node, cell->row, cell->col, NULL);
    bool changed = changes_cell_changed(tape, cell->node, cell->row, cell->col);
    double base;
    if (!(set || changed || page->compares) ||
        !differences_base(&differences, cell->node, cell->row, cell->col, &base))
        return NULL;
    double present = tensor_at(&cell->at->output, cell->row, cell->col);
    const char *was =
        canvas_words(canvas, differences.base ? "change.unswitched" : "change.was",
                     term_number_text(canvas, base),
                     term_number_text(canvas, differences_of(present, base)), NULL);
    return set ? canvas_format(canvas, "%s  ·  %s", canvas_string(canvas, "change.set"),
                               was)
               : was;
}

/* Draws the change at the right end of the second line; returns its width. */
static double draw_change(const PageParts *parts, const CellSum *cell, Box inner,
                          double baseline) {
    const Canvas *canvas = parts->canvas;
    const char *words = change_words(parts, cell);
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
static bool draw_trouble(const PageParts *parts, const CellSum *cell, Box inner,
                         double baseline, double taken) {
    const Canvas *canvas = parts->canvas;
    const char *key =
        problem_of(parts->page->player->lesson->tape, cell->node, cell->row, cell->col);
    if (!key)
        return false;
    bool alarms = !isfinite(tensor_at(&cell->at->output, cell->row, cell->col));
    const char *words =
        canvas_format(canvas, alarms ? "⚠ %s" : "%s", canvas_string(canvas, key));
    canvas_text_within(canvas, FONT_TEXT, canvas_size(canvas, SECOND_UNITS, words),
                       inner.w - taken,
                       alarms ? canvas->theme->bad_ink : canvas->theme->ink_soft,
                       (Point){inner.x, baseline}, LABEL_LEFT, words);
    return true;
}

/* Explains the numbers in a cell's name, if the line is free. */
static void draw_counting(const PageParts *parts, const CellSum *cell, Point baseline) {
    const Canvas *canvas = parts->canvas;
    const Tensor *tensor = &cell->at->output;
    bool counts = !tensor->row_labels || !tensor->col_labels;
    if (counts && parts->page->interactive)
        canvas_label(canvas, FONT_TEXT, SECOND_UNITS, canvas->theme->ink_faint, baseline,
                     LABEL_LEFT, canvas_string(canvas, "inspector.counted"));
}

/* Draws "A[I, am] = 1 × 0 + 1 × 1 = 1" fitted into `room`; smaller if the name alone is
 * long. */
static void draw_sum(const PageParts *parts, CellSum *cell, SumLines *lines,
                     Point baseline, double room) {
    Scene *scene = parts->canvas->scene;
    Point begin = baseline;
    double end = baseline.x + room;
    size_t first = scene->count;
    CellName name = {{cell->node, cell->row, cell->col}, false};
    baseline.x = draw_cell_name(parts->canvas, parts, name, FONT_BOLD, baseline);
    baseline.x = draw_source(parts, cell, lines->value, baseline);
    double size = sum_lines_fit_value(lines, cell, FIRST_UNITS, end - baseline.x);
    double factor = fmin(room / (runs_draw(lines->value, size, baseline) - begin.x), 1);
    if (factor < 1)
        scene_scale(scene, first, factor,
                    (Point){begin.x * (1 - factor), begin.y * (1 - factor)});
}

void inspector_draw_sum(const PageParts *parts, Box area) {
    CellSum cell = {0};
    SumLines lines;
    if (!page_focus(parts->page, &cell.node, &cell.row, &cell.col))
        return;
    cell_sum_init(&cell, parts);
    sum_lines_init(&lines, parts);
    draw_sum(parts, &cell, &lines,
             (Point){area.x, label_baseline(area.y + area.h / 2, FIRST_UNITS)}, area.w);
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
    CellSum cell = {0};
    if (training_inspect(parts, area))
        return;
    if (!page_focus(parts->page, &cell.node, &cell.row, &cell.col))
        return;
    SumLines lines;
    cell_sum_init(&cell, parts);
    sum_lines_init(&lines, parts);
    double pad = 28;
    Box inner = {area.x + pad, area.y, area.w - 2 * pad, area.h};
    double taken = draw_verdict(parts, &cell, inner);

    double baseline = area.y + 37;
    draw_sum(parts, &cell, &lines, (Point){inner.x, baseline}, inner.w - taken);

    double below = baseline + 32;
    if (parts->page->influence) {
        double height = 34;
        influence_describe(parts, (FollowCell){cell.node, cell.row, cell.col},
                           (Box){inner.x, below - height * 0.68, inner.w, height});
        return;
    }
    double right = draw_change(parts, &cell, inner, below);
    if (draw_trouble(parts, &cell, inner, below, right))
        return;
    double size = sum_lines_fit_quantities(&lines, &cell, SECOND_UNITS, inner.w - right);
    runs_draw(lines.quantities, size, (Point){inner.x, below});
    if (!lines.quantities->count)
        draw_counting(parts, &cell, (Point){inner.x, below});
}

void inspector_draw(const PageParts *parts, Box area) {
    size_t first = parts->canvas->scene->count;
    draw_lines(parts, area);
    if (parts->page->interactive)
        underline_sources(parts->canvas, first);
}
