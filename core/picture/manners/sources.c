#include "picture/manners/sources.h"

/* Where a row's cells are drawn twice: not where one of them has a word besides. */
static bool is_row_twice(const StillTable *table, size_t row) {
    size_t twice = 0;
    for (size_t i = 0; i < table->cols; i++)
        twice += still_cell(table, row, i, false) != still_cell(table, row, i, true);
    return twice > 1 || table->cols == 1;
}

void sources_take(void *context, const Term *cell) {
    Sources *sources = context;
    const Moving *moving = sources->moving;
    if (sources->count == sources->most || cell->input >= moving->at->input_count)
        return;
    bool counted = cell->input < INPUTS_MOST;
    if (sources->one_each && (!counted || sources->once[cell->input]))
        return;
    const StillTable *table = still_table(moving->still, moving->at->inputs[cell->input]);
    size_t last = still_cell(table, cell->row, cell->col, true);
    if (last == STILL_NONE)
        return;
    size_t first = cell->input || !is_row_twice(table, cell->row)
                       ? last
                       : still_cell(table, cell->row, cell->col, false);
    for (size_t i = 0; i < sources->count; i++) {
        if (sources->items[i][DRAWN_LAST] == last)
            return;
    }
    if (counted)
        sources->once[cell->input] = true;
    sources->items[sources->count][DRAWN_FIRST] = first;
    sources->items[sources->count++][DRAWN_LAST] = last;
}

static const Term *largest_part(const Term *term) {
    const Term *largest = term->parts[0];
    for (size_t i = 1; i < term->count; i++)
        largest = term->parts[i]->value > largest->value ? term->parts[i] : largest;
    return largest;
}

/* The cell that an output's is a copy of, or a row's largest that it tells of. */
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

/* Whether the first input's cell at an output's own place stands for all of its row. */
static bool stands_for_row(const Moving *moving) {
    const Operation *operation = operation_of(moving->at->operation);
    const Tensor *input = moving->at->input_count ? moving->at->operands[0] : NULL;
    return input && input->rows == moving->out->rows &&
           input->cols == moving->out->cols && operation->work == OPERATION_WORK_BY_ROW;
}

Sources sources_of(const Moving *moving, size_t row, size_t col, bool one_each,
                   size_t most) {
    Sources sources = {.moving = moving, .most = most, .one_each = one_each};
    Arena *arena = moving->still->canvas->scene->arena;
    if (one_each && stands_for_row(moving)) {
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
