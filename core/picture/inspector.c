#include "base/number.h"
#include "lesson/changes.h"
#include "lesson/trouble.h"
#include "picture/cell_name.h"
#include "picture/differences.h"
#include "picture/influence.h"
#include "picture/page.h"
#include "picture/stage.h"
#include "picture/term_runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double FIRST_UNITS = 19, SECOND_UNITS = 15.5, NAME_UNITS = 23;

typedef struct Inspected {
    size_t node, row, col;
    const TapeNode *at;
    const Term *term;
} Inspected;

/* "A[I, am]"; gives back where it ends. */
static double draw_cell_name(const Canvas *canvas, const PageParts *parts, CellName name,
                             FontRole font, Point baseline) {
    CellStyle style = {font, canvas->theme->ink, canvas_size(canvas, FIRST_UNITS, ""),
                       canvas_size(canvas, NAME_UNITS, "")};
    return cell_name_draw(canvas, parts->page->player, &name, &style, baseline);
}

static const Runs EMPTY_RUNS;

static void start(Runs *runs, TermWriter *writer, const Canvas *canvas,
                  const PageParts *parts, const Inspected *cell, size_t max_parts) {
    runs->canvas = canvas;
    runs->count = 0;
    runs->overflowed = false;
    *writer = (TermWriter){.runs = runs,
                           .tape = parts->page->player->lesson->tape,
                           .node = cell->node,
                           .max_parts = max_parts};
}

/* "= 1 × 1 + 1 × 1 = 2", with the sum left out where it is the value itself. */
static void write_value(TermWriter *writer, const Inspected *cell) {
    const Canvas *canvas = writer->runs->canvas;
    double value = tensor_at(&cell->at->output, cell->row, cell->col);
    TermKind kind = cell->term ? cell->term->kind : TERM_NUMBER;
    bool is_case = kind == TERM_EQUAL || kind == TERM_GREATER;
    if (kind != TERM_NUMBER) {
        runs_add(writer->runs, FONT_TEXT, canvas->theme->ink_soft, 0, (Link){0},
                 is_case ? ":  " : " = ");
        term_write(writer, cell->term);
    }
    if (is_case) /* it has already said what follows */
        return;
    runs_add(writer->runs, FONT_TEXT, canvas->theme->ink_soft, 0, (Link){0},
             kind == TERM_NUMBER ? " = " : term_equals(writer, cell->term, value));
    runs_add(writer->runs, FONT_BOLD, canvas->theme->ink, 0, (Link){0},
             term_number_text(canvas, value));
}

/* "= … = 2": a sum that has no room however it is shortened. */
static void write_bare_value(Runs *runs, const Canvas *canvas, const Inspected *cell) {
    runs->count = 0;
    runs_add(runs, FONT_TEXT, canvas->theme->ink_soft, 0, (Link){0}, " = … = ");
    runs_add(
        runs, FONT_BOLD, canvas->theme->ink, 0, (Link){0},
        term_number_text(canvas, tensor_at(&cell->at->output, cell->row, cell->col)));
}

/* "the row's total = e^… + e^… = 2.493" for the first `count` quantities the sum stands
 * on. */
static void write_quantities(TermWriter *writer, const TermWriter *main, size_t count) {
    const Canvas *canvas = writer->runs->canvas;
    for (size_t i = 0; i < count; i++) {
        const Term *quantity = main->quantities[i];
        const char *name =
            canvas_string(canvas, canvas_format(canvas, "quantity.%s", quantity->name));
        runs_add(writer->runs, FONT_TEXT, canvas->theme->ink_soft, 0, (Link){0},
                 canvas_format(canvas, "%s%s = ", i ? "      " : "", name));
        writer->shortened = false;
        term_write(writer, quantity->parts[0]);
        runs_add(writer->runs, FONT_TEXT, canvas->theme->ink_soft, 0, (Link){0},
                 term_equals(writer, quantity->parts[0], quantity->value));
        runs_add(writer->runs, FONT_TEXT, canvas->theme->ink, 0, (Link){0},
                 term_number_text(canvas, quantity->value));
    }
}

/* Quantities met inside the written-out quantities come along: the deviation stands on
 * the variance, which stands on the mean. */
static void collect_quantities(TermWriter *main, const Canvas *canvas) {
    Runs *unseen = arena_alloc(canvas->scene->arena, 1, sizeof *unseen);
    if (!unseen)
        return;
    *unseen = EMPTY_RUNS;
    unseen->canvas = canvas;
    Runs *kept = main->runs;
    main->runs = unseen;
    for (size_t i = 0; i < main->quantity_count; i++) {
        unseen->count = 0;
        term_write(main, main->quantities[i]->parts[0]);
    }
    main->runs = kept;
}

static const size_t PARTS_TRIED[] = {RUNS_MAX, 16, 12, 8, 6, 4, 3, 2};

/* A line of the inspector being fitted: the cell's value, or `quantities` of those that
 * the writer `from` has met. */
typedef struct Line {
    Runs *runs;
    TermWriter *writer;
    const TermWriter *from;
    size_t quantities;
} Line;

static void write_line(const Line *line, const PageParts *parts, const Inspected *cell,
                       size_t max_parts) {
    start(line->runs, line->writer, parts->canvas, parts, cell, max_parts);
    if (line->from)
        write_quantities(line->writer, line->from, line->quantities);
    else
        write_value(line->writer, cell);
}

/* Writes with as many parts as fit the width, shrinking the font last; false where even
 * that is too wide. */
static bool fit_parts(const Line *line, const PageParts *parts, const Inspected *cell,
                      double units, double width, double *size) {
    *size = canvas_size(parts->canvas, units, "一");
    for (size_t i = 0; i < sizeof PARTS_TRIED / sizeof *PARTS_TRIED; i++) {
        write_line(line, parts, cell, PARTS_TRIED[i]);
        if (!line->runs->overflowed && runs_width(line->runs, *size) <= width)
            return true;
    }
    while (*size > label_min_size("") && runs_width(line->runs, *size) > width)
        --*size;
    return runs_width(line->runs, *size) <= width;
}

/* The same; of quantities that have no room together the last ones are left out. */
static double fit(Line line, const PageParts *parts, const Inspected *cell, double units,
                  double width) {
    double size;
    while (!fit_parts(&line, parts, cell, units, width, &size) && line.quantities > 1)
        line.quantities--;
    return size;
}

/* ---- what the document says ---- */

typedef struct Verdict {
    bool any, differs;
    const char *text;
} Verdict;

static Verdict verdict_of(const PageParts *parts, const Inspected *cell) {
    const Canvas *canvas = parts->canvas;
    const Player *player = parts->page->player;
    const LessonStep *step = player_words(player, player->step);
    size_t printed = 0, differing = 0;
    if (step->printed)
        lesson_count_printed(player->lesson, step, &printed, &differing);
    if (!printed || cell->node != step->result || player_step(player)->node != cell->node)
        return (Verdict){0};
    const char *count = canvas_format(canvas, "%zu", differing);
    const char *all = canvas_format(canvas, "%zu", printed);
    if (!differing)
        return (Verdict){
            true, false,
            canvas_words(canvas, "inspector.agrees", 1, (const char *const[]){all})};
    double value;
    int decimals;
    bool differs = false;
    char text[NUMBER_SIZE] = "";
    if (lesson_printed_at(player->lesson, step, cell->row, cell->col, &value, &decimals,
                          &differs) &&
        differs)
        number_format(text, value, decimals);
    const char *key = text[0] ? "inspector.differs_here" : "inspector.differs_elsewhere";
    return (Verdict){
        true, true,
        canvas_words(canvas, key, 3, (const char *const[]){count, all, text})};
}

static double draw_verdict(const PageParts *parts, const Inspected *cell, Box area) {
    const Theme *theme = parts->canvas->theme;
    Verdict verdict = verdict_of(parts, cell);
    if (!verdict.any)
        return 0;
    Box pill = canvas_pill(
        parts->canvas, area.x + area.w, area.y + canvas_length(parts->canvas, 30),
        area.w * 0.42, verdict.differs ? theme->bad : theme->good,
        verdict.differs ? theme->bad_ink : theme->good_ink, verdict.text);
    return pill.w + canvas_length(parts->canvas, 24);
}

/* ---- cells that were only moved ---- */

/* The input's cell that a cell is a copy of, or NULL where it was computed. */
static const Term *origin_of(const Term *term) {
    if (term && term->kind == TERM_ROW_OF)
        term = term->parts[1];
    return term && term->kind == TERM_CELL ? term : NULL;
}

/* " = K[2, 1]"; of a lookup ": ID 7 → E[7, 1]", whose row is the ID. Gives back where it
 * ends. */
static double draw_origin(const PageParts *parts, const Inspected *cell,
                          const Term *origin, Runs *runs, Point baseline) {
    const Canvas *canvas = parts->canvas;
    bool found = cell->term->kind == TERM_ROW_OF;
    TermWriter writer;
    start(runs, &writer, canvas, parts, cell, RUNS_MAX);
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
    scene_link(canvas->scene, (Link){LINK_SOURCE, source, origin->row, origin->col});
    baseline.x = draw_cell_name(canvas, parts, name, FONT_TEXT, baseline);
    scene_link(canvas->scene, (Link){0});
    return baseline.x;
}

/* Says once where a copied number comes from; gives back where that ends. */
static double say_origin(const PageParts *parts, Inspected *cell, Runs *runs,
                         Point baseline) {
    const Term *origin = origin_of(cell->term);
    if (!origin)
        return baseline.x;
    baseline.x = draw_origin(parts, cell, origin, runs, baseline);
    cell->term = NULL; /* what is left to say is the number */
    return baseline.x;
}

/* ---- what was changed, and what has no meaning ---- */

/* "set by hand  ·  was 0.5  ·  difference 0.25"; NULL where nothing is to be said. */
static const char *change_words(const PageParts *parts, const Inspected *cell) {
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
    const char *was = canvas_words(
        canvas, differences.base ? "change.unswitched" : "change.was", 2,
        (const char *const[]){
            term_number_text(canvas, base),
            term_number_text(canvas, differences_of(present, base))});
    return set ? canvas_format(canvas, "%s  ·  %s", canvas_string(canvas, "change.set"),
                               was)
               : was;
}

/* At the right end of the second line; gives back how much of it that takes. */
static double draw_change(const PageParts *parts, const Inspected *cell, Box inner,
                          double baseline) {
    const Canvas *canvas = parts->canvas;
    const char *words = change_words(parts, cell);
    if (!words)
        return 0;
    LabelFit fit = label_fit(canvas->scene->arena, canvas->metrics, FONT_BOLD,
                             canvas_size(canvas, SECOND_UNITS, words),
                             label_min_size(words), inner.w * 0.6, words);
    Box drawn = label_draw(canvas->scene, canvas->metrics, FONT_BOLD, fit.size,
                           canvas->theme->ink, (Point){inner.x + inner.w, baseline},
                           LABEL_RIGHT, fit.text);
    return drawn.w + canvas_length(canvas, 24);
}

/* Why the cell has no proper value, in place of what its sum stands on. */
static bool draw_trouble(const PageParts *parts, const Inspected *cell, Box inner,
                         double baseline, double taken) {
    const Canvas *canvas = parts->canvas;
    const char *key = trouble_of(parts->page->player->lesson->tape, cell->node, cell->row,
                                 cell->col);
    if (!key)
        return false;
    const char *words = canvas_format(canvas, "⚠ %s", canvas_string(canvas, key));
    LabelFit fit = label_fit(canvas->scene->arena, canvas->metrics, FONT_TEXT,
                             canvas_size(canvas, SECOND_UNITS, words),
                             label_min_size(words), inner.w - taken, words);
    label_draw(canvas->scene, canvas->metrics, FONT_TEXT, fit.size,
               canvas->theme->bad_ink, (Point){inner.x, baseline}, LABEL_LEFT, fit.text);
    return true;
}

void inspector_draw(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    Inspected cell;
    if (!page_focus(parts->page, &cell.node, &cell.row, &cell.col))
        return;
    const Tape *tape = parts->page->player->lesson->tape;
    cell.at = tape_node(tape, cell.node);
    cell.term = tape_explain(tape, cell.node, cell.row, cell.col, canvas->scene->arena);
    Runs *first = arena_alloc(canvas->scene->arena, 2, sizeof *first);
    if (!first) {
        canvas->scene->incomplete = true;
        return;
    }
    double pad = canvas_length(canvas, 28);
    Box inner = {area.x + pad, area.y, area.w - 2 * pad, area.h};
    double taken = draw_verdict(parts, &cell, inner);

    double baseline = area.y + canvas_length(canvas, 37);
    double x =
        draw_cell_name(canvas, parts, (CellName){{cell.node, cell.row, cell.col}, false},
                       FONT_BOLD, (Point){inner.x, baseline});
    x = say_origin(parts, &cell, first, (Point){x, baseline});
    TermWriter writer, quantities;
    double size = fit((Line){.runs = first, .writer = &writer}, parts, &cell, FIRST_UNITS,
                      inner.x + inner.w - taken - x);
    if (runs_width(first, size) > inner.x + inner.w - taken - x)
        write_bare_value(first, canvas, &cell);
    runs_draw(first, size, (Point){x, baseline});

    double below = baseline + canvas_length(canvas, 32);
    if (parts->page->influence) {
        double height = canvas_length(canvas, 34);
        influence_say(parts, (FollowCell){cell.node, cell.row, cell.col},
                      (Box){inner.x, below - height * 0.68, inner.w, height});
        return;
    }
    double right = draw_change(parts, &cell, inner, below);
    if (draw_trouble(parts, &cell, inner, below, right))
        return;
    collect_quantities(&writer, canvas);
    if (!writer.quantity_count)
        return;
    Runs *second = first + 1;
    size = fit((Line){second, &quantities, &writer, writer.quantity_count}, parts, &cell,
               SECOND_UNITS, inner.w - right);
    runs_draw(second, size, (Point){inner.x, below});
}
