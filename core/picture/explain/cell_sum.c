#include "picture/explain/cell_sum.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "picture/scene/theme.h"
#include "tensor/terms/term.h"

static const Runs EMPTY_RUNS;

void cell_sum_start(Runs *runs, TermWriter *writer, const PageParts *parts,
                    const CellSum *cell, size_t max_parts) {
    runs->canvas = parts->canvas;
    runs->count = 0;
    runs->overflowed = false;
    *writer = (TermWriter){.runs = runs,
                           .tape = parts->page->player->lesson->tape,
                           .node = cell->node,
                           .max_parts = max_parts,
                           .growing = cell->growing,
                           .grown = cell->grown,
                           .gap = cell->gap};
}

/* Writes "   so far 3" for a sum in progress. */
static void write_so_far(TermWriter *writer) {
    const Canvas *canvas = writer->runs->canvas;
    const Term *sum = writer->growing;
    if (!writer->grown || (sum->kind != TERM_SUM && sum->kind != TERM_LARGEST))
        return;
    const Term *done =
        term_new(canvas->scene->arena, sum->kind, writer->grown, sum->parts);
    runs_add(writer->runs, FONT_TEXT, canvas->theme->ink_soft, 0, (Link){0},
             canvas_format(canvas, "      %s ", canvas_string(canvas, "pace.so_far")));
    runs_add(writer->runs, FONT_BOLD, canvas->theme->ink, 0, (Link){0},
             term_number_text(canvas, done->value));
}

/* Writes "= 1 × 1 + 1 × 1 = 2", without the sum if it is the value itself. */
static void write_value(TermWriter *writer, const CellSum *cell) {
    const Canvas *canvas = writer->runs->canvas;
    double value = tensor_at(&cell->at->output, cell->row, cell->col);
    TermKind kind = cell->term ? cell->term->kind : TERM_NUMBER;
    bool is_case = kind == TERM_EQUAL || kind == TERM_GREATER;
    if (kind != TERM_NUMBER) {
        runs_add(writer->runs, FONT_TEXT, canvas->theme->ink_soft, 0, (Link){0},
                 is_case ? ":  " : " = ");
        term_write(writer, cell->term);
    }
    if (is_case) /* the case has stated its value already */
        return;
    if (cell->growing && cell->grown < cell->growing->count) {
        bool below = false; /* the growing sum is in the second line */
        for (size_t i = 0; i < writer->quantity_count; i++)
            below |= term_is_unknown(writer, writer->quantities[i]);
        if (!below)
            write_so_far(writer);
        return;
    }
    runs_add(writer->runs, FONT_TEXT, canvas->theme->ink_soft, 0, (Link){0},
             kind == TERM_NUMBER ? " = " : term_equals(writer, cell->term, value));
    runs_add(writer->runs, FONT_BOLD, canvas->theme->ink, 0, (Link){0},
             cell->open ? "…" : term_number_text(canvas, value));
}

/* Writes "= … = 2" for a sum that doesn't fit even if it is shortened. */
static void write_bare_value(Runs *runs, const Canvas *canvas, const CellSum *cell) {
    runs->count = 0;
    runs_add(runs, FONT_TEXT, canvas->theme->ink_soft, 0, (Link){0},
             cell->open ? " = " : " = … = ");
    double value = tensor_at(&cell->at->output, cell->row, cell->col);
    runs_add(runs, FONT_BOLD, canvas->theme->ink, 0, (Link){0},
             cell->open ? "…" : term_number_text(canvas, value));
}

/* Reports whether a part is in a term itself, not in a quantity that the term depends
 * on. */
static bool holds(const Term *term, const Term *part) {
    bool found = term == part;
    for (size_t i = 0; i < term->count && !found; i++)
        found = term->parts[i]->kind != TERM_QUANTITY && holds(term->parts[i], part);
    return found;
}

/* Writes the first `count` quantities of the sum: "the row's total = e^… + e^… =
 * 2.493". */
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
        if (term_is_unknown(writer, quantity)) {
            if (holds(quantity->parts[0], writer->growing))
                write_so_far(writer);
            continue;
        }
        runs_add(writer->runs, FONT_TEXT, canvas->theme->ink_soft, 0, (Link){0},
                 term_equals(writer, quantity->parts[0], quantity->value));
        runs_add(writer->runs, FONT_TEXT, canvas->theme->ink, 0, (Link){0},
                 term_value_text(canvas, quantity->parts[0], quantity->value));
    }
}

/* Adds the quantities inside written quantities: the standard deviation depends on the
 * variance, which depends on the mean. */
static void collect_quantities(TermWriter *main, const Canvas *canvas) {
    Runs *unseen = arena_alloc(canvas->scene->arena, 1, sizeof *unseen);
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

/* A line of the inspector while it is fitted: the cell's value, or `quantities` of those
 * that the writer `from` has collected. */
typedef struct Line {
    Runs *runs;
    TermWriter *writer;
    const TermWriter *from;
    size_t quantities;
} Line;

static void write_line(const Line *line, const PageParts *parts, const CellSum *cell,
                       size_t max_parts) {
    cell_sum_start(line->runs, line->writer, parts, cell, max_parts);
    if (line->from)
        write_quantities(line->writer, line->from, line->quantities);
    else
        write_value(line->writer, cell);
}

/* Writes a line with as many parts as fit the width, at most `most`, reducing the font
 * last; returns false if even that is too wide. */
static bool fit_parts(const Line *line, const PageParts *parts, const CellSum *cell,
                      size_t most, double width, double *size) {
    for (size_t i = 0; i < sizeof PARTS_TRIED / sizeof *PARTS_TRIED; i++) {
        if (PARTS_TRIED[i] > most)
            continue;
        write_line(line, parts, cell, PARTS_TRIED[i]);
        if (!line->runs->overflowed && runs_width(line->runs, *size) <= width)
            return true;
    }
    while (*size > label_min_size("") && runs_width(line->runs, *size) > width)
        --*size;
    return runs_width(line->runs, *size) <= width;
}

/* Fits a line at size `largest` or less; of quantities that don't fit together the last
 * ones are left out. Returns the size. */
static double fit_line(Line *line, const PageParts *parts, const CellSum *cell,
                       size_t most, double largest, double width) {
    double size = largest;
    while (!fit_parts(line, parts, cell, most, width, &size) && line->quantities > 1) {
        line->quantities--;
        size = largest;
    }
    return size;
}

/* The cell with the part of its sum that is computed so far. */
static CellSum grown_cell(const PageParts *parts, const CellSum *cell) {
    CellSum grown = *cell;
    grown.growing = cell->term ? pace_sum(cell->term) : NULL;
    if (grown.growing)
        grown.grown = pace_parts_complete(parts->page->moment.sum, grown.growing->count);
    return grown;
}

/* Reports whether no number that the cell is computed from is visible yet. */
static bool is_ahead(const PageParts *parts, const CellSum *cell) {
    return cell->open && !(parts->page->moment.sum > 0);
}

/* Rewrites a fitted line with the part that is computed so far; returns its size. If the
 * partial result makes it wider, it is shortened further. */
static double write_grown(const Line *line, const PageParts *parts, const CellSum *cell,
                          double size, double width) {
    TermWriter writer;
    Line grown = *line;
    grown.writer = &writer;
    if (!cell->open)
        return size;
    CellSum so_far = grown_cell(parts, cell);
    return fit_line(&grown, parts, &so_far, line->writer->max_parts, size, width);
}

/* Reports whether the cell's sum is in progress. */
static bool is_open(const PageParts *parts, const CellSum *cell) {
    const Player *player = parts->page->player;
    size_t row, col;
    bool cursor = player_cell(player, &row, &col);
    return parts->page->moment.adds && cell->node == player_step(player)->node &&
           (!cursor || (cell->row == row && cell->col == col));
}

void cell_sum_init(CellSum *cell, const PageParts *parts) {
    const Tape *tape = parts->page->player->lesson->tape;
    Arena *arena = parts->canvas->scene->arena;
    cell->at = tape_node(tape, cell->node);
    cell->term = tape_explain(tape, cell->node, cell->row, cell->col, arena);
    cell->open = is_open(parts, cell);
}

void sum_lines_init(SumLines *lines, const PageParts *parts) {
    Arena *arena = parts->canvas->scene->arena;
    *lines = (SumLines){.parts = parts,
                        .value = arena_alloc(arena, 1, sizeof *lines->value),
                        .quantities = arena_alloc(arena, 1, sizeof *lines->quantities)};
    lines->value->canvas = lines->quantities->canvas = parts->canvas;
}

double sum_lines_fit_value(SumLines *lines, const CellSum *cell, double units,
                           double width) {
    Line line = {.runs = lines->value, .writer = &lines->writer};
    double largest = canvas_size(lines->parts->canvas, units, "一");
    CellSum whole = *cell;
    whole.open = false;
    double size = fit_line(&line, lines->parts, &whole, RUNS_MAX, largest, width);
    if (runs_width(lines->value, size) <= width && !is_ahead(lines->parts, cell))
        return write_grown(&line, lines->parts, cell, size, width);
    write_bare_value(lines->value, lines->parts->canvas, cell);
    return size;
}

double sum_lines_fit_quantities(SumLines *lines, const CellSum *cell, double units,
                                double width) {
    TermWriter writer;
    collect_quantities(&lines->writer, lines->parts->canvas);
    Line line = {lines->quantities, &writer, &lines->writer,
                 lines->writer.quantity_count};
    lines->quantities->count = 0;
    if (!line.quantities)
        return label_min_size("");
    double largest = canvas_size(lines->parts->canvas, units, "一");
    double size = fit_line(&line, lines->parts, cell, RUNS_MAX, largest, width);
    if (!is_ahead(lines->parts, cell))
        return write_grown(&line, lines->parts, cell, size, width);
    lines->quantities->count = 0;
    runs_add(lines->quantities, FONT_TEXT, lines->parts->canvas->theme->ink_soft, 0,
             (Link){0}, "…");
    return size;
}
