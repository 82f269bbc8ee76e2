#include "picture/transitions/sources.h"

#include "picture/draw/canvas.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

enum {
    DEPTH_MOST = 4,
    LOOKED_MOST = 64
}; /* limits of the search through nodes that aren't drawn */

/* Reports whether a row's cells are drawn twice; not if only a single cell has a label
 * besides. */
static bool is_row_twice(const StillTable *table, size_t row) {
    size_t twice = 0;
    for (size_t i = 0; i < table->cols; i++)
        twice += still_cell(table, row, i, false) != still_cell(table, row, i, true);
    return twice > 1 || table->cols == 1;
}

/* Takes the sources of a cell that isn't drawn. */
static void look_through(Sources *sources, size_t node, const Term *cell) {
    const Moving *moving = sources->moving;
    Arena *arena = moving->still->canvas->scene->arena;
    if (sources->depth == DEPTH_MOST || sources->looked == LOOKED_MOST)
        return;
    const Term *term =
        tape_explain(moving->still->tape, node, cell->row, cell->col, arena);
    size_t user = sources->user;
    sources->user = node;
    sources->depth++;
    sources->looked++;
    if (term)
        term_visit_cells(term, sources_take, sources);
    sources->depth--;
    sources->user = user;
}

void sources_take(void *context, const Term *cell) {
    Sources *sources = context;
    const Moving *moving = sources->moving;
    const TapeNode *user = tape_node(moving->still->tape, sources->user);
    if (sources->count == sources->most || cell->input >= user->input_count)
        return;
    size_t node = user->inputs[cell->input];
    const StillTable *table = still_table(moving->still, node);
    if (!table)
        look_through(sources, node, cell);
    size_t at = table ? (size_t)(table - moving->still->tables) : 0;
    size_t last = still_cell(table, cell->row, cell->col, true);
    if (last == STILL_NONE || (!sources->depth && sources->once[at]))
        return;
    size_t first = cell->input || !is_row_twice(table, cell->row)
                       ? last
                       : still_cell(table, cell->row, cell->col, false);
    for (size_t i = 0; i < sources->count; i++) {
        if (sources->items[i][DRAWN_LAST] == last)
            return;
    }
    sources->once[at] = true;
    sources->items[sources->count][DRAWN_FIRST] = first;
    sources->items[sources->count++][DRAWN_LAST] = last;
}

static const Term *largest_part(const Term *term) {
    const Term *largest = term->parts[0];
    for (size_t i = 1; i < term->count; i++)
        largest = term->parts[i]->value > largest->value ? term->parts[i] : largest;
    return largest;
}

/* Input cell that an output's cell copies, or the row's largest that it reports. */
static const Term *copied_cell(const Term *term) {
    while (term && term->kind != TERM_CELL) {
        if (term->kind == TERM_ROW_OF || term->kind == TERM_COLUMN_OF)
            term = term->parts[1];
        else if (term->kind == TERM_LARGEST || term->kind == TERM_POSITION)
            term = largest_part(term);
        else
            term = term->count == 1 ? term->parts[0] : NULL;
    }
    return term;
}

/* Reports whether the first input's cell at an output's own position represents all of
 * its row. */
static bool represents_row(const Moving *moving) {
    const Operation *operation = operation_of(moving->at->operation);
    const Tensor *input = moving->at->input_count ? moving->at->operands[0] : NULL;
    return input && input->rows == moving->out->rows &&
           input->cols == moving->out->cols && operation->work == OPERATION_WORK_BY_ROW;
}

Sources sources_of(const Moving *moving, size_t row, size_t col, size_t most) {
    Sources sources = {.moving = moving, .user = moving->node, .most = most};
    Arena *arena = moving->still->canvas->scene->arena;
    if (represents_row(moving)) {
        sources_take(&sources, &(Term){.kind = TERM_CELL, .row = row, .col = col});
        return sources;
    }
    const Term *term = tape_explain(moving->still->tape, moving->node, row, col, arena);
    const Term *copied = copied_cell(term);
    if (copied)
        sources_take(&sources, copied);
    else if (term)
        term_visit_cells(term, sources_take, &sources);
    return sources;
}

size_t moving_item(const Moving *moving, size_t row, size_t col) {
    return still_cell(moving->out, row, col, true);
}
