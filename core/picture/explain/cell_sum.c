#include "picture/explain/explain.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "picture/scene/theme.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

/* Reports whether the cell's sum is in progress. */
static bool is_open(const PageParts *parts, FollowCell cell) {
    const Player *player = parts->page->player;
    size_t row, col;
    bool cursor = player_cell(player, &row, &col);
    return parts->page->moment.adds && cell.node == player_step(player)->node &&
           (!cursor || (cell.row == row && cell.col == col));
}

CellSum cell_sum_of(const PageParts *parts, FollowCell cell) {
    const Tape *tape = parts->page->player->lesson->tape;
    Arena *arena = parts->canvas->scene->arena;
    CellSum sum = {
        .parts = parts,
        .cell = cell,
        .at = tape_node(tape, cell.node),
        .term = tape_explain(tape, cell.node, cell.row, cell.col, arena),
        .open = is_open(parts, cell),
        .value = arena_alloc(arena, 1, sizeof *sum.value),
        .quantities = arena_alloc(arena, 1, sizeof *sum.quantities),
        .writer = {.tape = tape,
                   .node = cell.node,
                   .soft_inputs = player_step(parts->page->player)->child_count > 0}};
    sum.value->canvas = sum.quantities->canvas = parts->canvas;
    return sum;
}

/* ---- what a page has no table of ---- */

/* Reports whether the page is of several operations, so that it has no table of what lies
 * between its first and its last. */
static bool is_of_several(const PageParts *parts) {
    enum { FEW = 2 }; /* a product and its bias: the picture has both */
    const Player *player = parts->page->player;
    return player_step(player)->child_count > FEW ||
           player->lesson->steps[player_statement(player)].view ==
               LESSON_VIEW_PROJECTIONS;
}

static const Term *put_out(CellSum *sum, const Term *term, size_t node) {
    TermWriter *writer = &sum->writer;
    if (!term || writer->out_count == WRITTEN_OUT_MAX)
        return NULL;
    writer->out[writer->out_count++] = (WrittenOut){term, node};
    return term;
}

/* Term of a node's cell: of a copied cell that of its source, of a product and its bias
 * the products and the bias; or NULL if the page shows what it is made of. */
static const Term *write_out(CellSum *sum, size_t node, const Term *term) {
    const Tape *tape = sum->writer.tape;
    Arena *arena = sum->parts->canvas->scene->arena;
    const TapeNode *at = tape_node(tape, node);
    bool copies = at->operation == OPERATION_SLICE && term->kind == TERM_CELL;
    if (!copies && (at->operation != OPERATION_ADD || term->kind != TERM_SUM))
        return NULL; /* also where the cell was set by hand */
    size_t source = at->inputs[0];
    const Term *cell = copies ? term : term->parts[0];
    const TapeNode *from = tape_node(tape, source);
    if (!copies && (from->operation != OPERATION_MATMUL ||
                    tape_node(tape, at->inputs[1])->operation != OPERATION_GIVEN))
        return NULL;
    const Term *inner = tape_explain(tape, source, cell->row, cell->col, arena);
    if (copies) {
        const Term *further = inner ? write_out(sum, source, inner) : NULL;
        return further ? further : put_out(sum, inner, source);
    }
    const Term *parts[] = {put_out(sum, inner, source), term->parts[1]};
    return parts[0] ? put_out(sum, term_new(arena, TERM_SUM, 2, parts), node) : NULL;
}

void cell_sum_write_out(CellSum *sum) {
    const Term *term = sum->term && is_of_several(sum->parts)
                           ? write_out(sum, sum->cell.node, sum->term)
                           : NULL;
    if (term)
        sum->term = term;
}

static void begin(CellSum *sum, Runs *line, size_t max_parts) {
    line->count = 0;
    line->overflowed = false;
    sum->writer.runs = line;
    sum->writer.max_parts = max_parts;
    sum->writer.shortened = sum->writer.after_operator = false;
    if (line == sum->value && !sum->writer.growing) /* else it has those of the whole */
        sum->writer.quantity_count = 0;
}

void cell_sum_begin(CellSum *sum, size_t max_parts) {
    begin(sum, sum->value, max_parts);
}

/* ---- what is written ---- */

/* Writes "   so far 3" for a sum in progress. */
static void write_so_far(TermWriter *writer) {
    const Canvas *canvas = writer->runs->canvas;
    const Term *sum = writer->growing;
    if (!writer->grown || (sum->kind != TERM_SUM && sum->kind != TERM_LARGEST))
        return;
    const Term *done =
        term_new(canvas->scene->arena, sum->kind, writer->grown, sum->parts);
    runs_add(writer->runs,
             canvas_format(canvas, "      %s ", canvas_string(canvas, "pace.so_far")));
    runs_add_bold(writer->runs, canvas->theme->ink,
                  term_number_text(canvas, done->value));
}

static double value_of(const CellSum *sum) {
    return tensor_at(&sum->at->output, sum->cell.row, sum->cell.col);
}

static void write_result(CellSum *sum) {
    const Canvas *canvas = sum->value->canvas;
    runs_add_bold(sum->value, canvas->theme->ink,
                  sum->open ? "…" : term_number_text(canvas, value_of(sum)));
}

/* Writes "= 1 × 1 + 1 × 1 = 2", without the sum if it is the value itself. */
static void write_value(CellSum *sum, const void *unused) {
    (void)unused;
    TermWriter *writer = &sum->writer;
    TermKind kind = sum->term ? sum->term->kind : TERM_NUMBER;
    bool is_case = kind == TERM_EQUAL || kind == TERM_GREATER;
    if (kind != TERM_NUMBER) {
        runs_add(sum->value, is_case ? ":  " : " = ");
        term_write(writer, sum->term);
    }
    if (is_case) /* the case has stated its value already */
        return;
    if (writer->growing && writer->grown < writer->growing->count) {
        bool below = false; /* the growing sum is in the second line */
        for (size_t i = 0; i < writer->quantity_count; i++)
            below |= term_is_unknown(writer, writer->quantities[i]);
        if (!below)
            write_so_far(writer);
        return;
    }
    runs_add(sum->value,
             kind == TERM_NUMBER ? " = " : term_equals(writer, sum->term, value_of(sum)));
    write_result(sum);
}

/* Reports whether a part is in a term itself, not in a quantity that the term depends
 * on. */
static bool holds(const Term *term, const Term *part) {
    bool found = term == part;
    for (size_t i = 0; i < term->count && !found; i++)
        found = term->parts[i]->kind != TERM_QUANTITY && holds(term->parts[i], part);
    return found;
}

/* Writes the first quantities of the sum: "the row's total = e^… + e^… = 2.493". */
static void write_quantities(CellSum *sum, const void *count) {
    TermWriter *writer = &sum->writer;
    Runs *line = sum->quantities;
    const Canvas *canvas = line->canvas;
    for (size_t i = 0; i < *(const size_t *)count; i++) {
        const Term *quantity = writer->quantities[i], *term = quantity->parts[0];
        const char *key = canvas_format(canvas, "quantity.%s", quantity->name);
        runs_add(line, canvas_format(canvas, "%s%s = ", i ? "      " : "",
                                     canvas_string(canvas, key)));
        writer->shortened = false;
        term_write(writer, term);
        if (term_is_unknown(writer, quantity)) {
            if (holds(term, writer->growing))
                write_so_far(writer);
            continue;
        }
        runs_add(line, term_equals(writer, term, quantity->value));
        runs_add_ink(line, term_value_text(canvas, term, quantity->value));
    }
}

/* ---- fitting ---- */

static const size_t PARTS_TRIED[] = {RUNS_MAX, 16, 12, 8, 6, 4, 3, 2};

/* Writes a line with as many parts as fit the width, at most `most`, reducing the font
 * last; returns false if even that is too wide. */
static bool fit(CellSum *sum, Runs *line, CellSumWrite *write, const void *context,
                size_t most, double width, double *size) {
    for (size_t i = 0; i < sizeof PARTS_TRIED / sizeof *PARTS_TRIED; i++) {
        if (PARTS_TRIED[i] > most)
            continue;
        begin(sum, line, PARTS_TRIED[i]);
        write(sum, context);
        if (!line->overflowed && runs_width(line, *size) <= width)
            return true;
    }
    while (*size > label_min_size("") && runs_width(line, *size) > width)
        --*size;
    return runs_width(line, *size) <= width;
}

double cell_sum_fit(CellSum *sum, CellSumWrite *write, const void *context, double units,
                    double width) {
    double size = canvas_size(sum->parts->canvas, units, "一");
    fit(sum, sum->value, write, context, RUNS_MAX, width, &size);
    return size;
}

/* Fits the second line at size `largest` or less; of quantities that don't fit together
 * the last ones are left out. Returns the size. */
static double fit_quantities(CellSum *sum, size_t *count, size_t most, double largest,
                             double width) {
    double size = largest;
    while (!fit(sum, sum->quantities, write_quantities, count, most, width, &size) &&
           *count > 1) {
        --*count;
        size = largest;
    }
    return size;
}

/* Reports whether no number that the cell is computed from is visible yet. */
static bool is_ahead(const CellSum *sum) {
    return sum->open && !(sum->parts->page->moment.sum > 0);
}

/* Makes the writer write the part of the sum that is computed so far; returns false if
 * all is. If the partial result makes a line wider, it is shortened further. */
static bool grow(CellSum *sum) {
    const Term *growing = sum->open && sum->term ? pace_sum(sum->term) : NULL;
    sum->writer.growing = growing;
    if (growing)
        sum->writer.grown =
            pace_parts_complete(sum->parts->page->moment.sum, growing->count);
    return sum->open;
}

double cell_sum_fit_value(CellSum *sum, double units, double width) {
    bool open = sum->open;
    sum->open = false;
    double size = cell_sum_fit(sum, write_value, NULL, units, width);
    sum->open = open;
    if (runs_width(sum->value, size) > width || is_ahead(sum)) {
        sum->value->count = 0; /* only the value */
        runs_add(sum->value, open ? " = " : " = … = ");
        write_result(sum);
    } else if (grow(sum)) {
        fit(sum, sum->value, write_value, NULL, sum->writer.max_parts, width, &size);
        sum->writer.growing = NULL;
    }
    return size;
}

/* Adds the quantities inside quantities: the standard deviation depends on the variance,
 * which depends on the mean. */
static void collect_quantities(CellSum *sum) {
    Arena *arena = sum->parts->canvas->scene->arena;
    Runs *unseen = arena_alloc(arena, 1, sizeof *unseen);
    unseen->canvas = sum->parts->canvas;
    for (size_t i = 0; i < sum->writer.quantity_count; i++) {
        begin(sum, unseen, sum->writer.max_parts);
        term_write(&sum->writer, sum->writer.quantities[i]->parts[0]);
    }
}

double cell_sum_fit_quantities(CellSum *sum, double units, double width) {
    collect_quantities(sum);
    size_t count = sum->writer.quantity_count;
    double size = canvas_size(sum->parts->canvas, units, "一");
    if (!count)
        return size;
    size = fit_quantities(sum, &count, RUNS_MAX, size, width);
    if (is_ahead(sum)) {
        sum->quantities->count = 0;
        runs_add(sum->quantities, "…");
    } else if (grow(sum)) {
        size = fit_quantities(sum, &count, sum->writer.max_parts, size, width);
    }
    return size;
}
