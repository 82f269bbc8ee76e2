#include "picture/transitions/transitions_parts.h"

#include "base/arena.h"
#include "picture/draw/canvas.h"
#include "picture/stage/stage.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

/* ---- sources ---- */

/* Limits of the search through nodes that aren't drawn. */
enum { DEPTH_MOST = 4, LOOKED_MOST = 64 };

/* Reports whether a node is drawn, or a source of it up to a depth. */
static bool is_or_leads_to_drawn(const Still *still, size_t node, size_t depth) {
    if (still_table(still, node))
        return true;
    const TapeNode *at = tape_node(still->tape, node);
    for (size_t i = 0; depth > 0 && i < at->input_count; i++) {
        if (is_or_leads_to_drawn(still, at->inputs[i], depth - 1))
            return true;
    }
    return false;
}

bool moving_input_leads_to_drawn(const Moving *moving, size_t input) {
    return input < moving->at->input_count &&
           is_or_leads_to_drawn(moving->still, moving->at->inputs[input], DEPTH_MOST);
}

/* Reports whether a source of the moving node may be drawn. */
static bool may_have_sources(const Moving *moving) {
    size_t input = 0;
    while (input < moving->at->input_count && !moving_input_leads_to_drawn(moving, input))
        input++;
    return input < moving->at->input_count;
}

const Term *moving_term(const Moving *moving, size_t node, size_t row, size_t col) {
    const Still *still = moving->still;
    return tape_explain(still->tape, node, row, col, still->canvas->scene->arena);
}

/* Reports whether a row's cells are drawn twice; not if only a single cell has a label
 * besides. */
static bool is_row_twice(const StillTable *table, size_t row) {
    size_t twice = 0;
    for (size_t i = 0; i < table->cols; i++)
        twice += still_cell(table, row, i, false) != still_cell(table, row, i, true);
    return twice > 1 || table->cols == 1;
}

/* Reports whether an input of a node, or of its inputs that many times over, is drawn. */
static bool leads_to_drawn(const Still *still, size_t node, size_t depth) {
    const TapeNode *at = tape_node(still->tape, node);
    for (size_t i = 0; depth > 0 && i < at->input_count; i++) {
        if (still_table(still, at->inputs[i]) ||
            leads_to_drawn(still, at->inputs[i], depth - 1))
            return true;
    }
    return false;
}

/* Takes the sources of a cell that isn't drawn. A cell that can't have any isn't
 * explained, since its sum may have thousands of parts. */
static void look_through(Sources *sources, size_t node, const Term *cell) {
    if (sources->looked == LOOKED_MOST ||
        !leads_to_drawn(sources->moving->still, node, DEPTH_MOST - sources->depth))
        return;
    const Term *term = moving_term(sources->moving, node, cell->row, cell->col);
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
    if (!may_have_sources(moving))
        return sources;
    if (represents_row(moving)) {
        sources_take(&sources, &(Term){.kind = TERM_CELL, .row = row, .col = col});
        return sources;
    }
    const Term *term = moving_term(moving, moving->node, row, col);
    const Term *copied = copied_cell(term);
    if (copied)
        sources_take(&sources, copied);
    else if (term)
        term_visit_cells(term, sources_take, &sources);
    return sources;
}

/* ---- the moving output ---- */

size_t moving_item(const Moving *moving, size_t row, size_t col) {
    return still_cell(moving->out, row, col, true);
}

/* Reports whether the first cell's source is drawn, or the operation has no source. */
static bool has_drawn_source(const Moving *moving) {
    TransitionKind transition = moving->transition;
    return transition == TRANSITION_APPEAR || transition == TRANSITION_MASK ||
           transition == TRANSITION_ROTATE || transition == TRANSITION_MERGE ||
           transition == TRANSITION_MORPH ||
           sources_of(moving, moving->slow_row, moving->slow_col, 1).count;
}

/* Finds the places of cells that move one by one, in drawing order. */
static void find_places(Moving *moving) {
    const StillTable *out = moving->out;
    size_t count = out->rows * out->cols;
    size_t *places =
        arena_alloc(moving->still->canvas->scene->arena, count, sizeof *places);
    for (size_t i = 0; out->first && i < count; i++) {
        places[i] = moving->place_count;
        moving->place_count += out->first[i] != STILL_NONE;
    }
    moving->places = places;
}

/* Numbers the rows of which a cell is drawn; a row that isn't gets the next one's. */
static void find_rows(Moving *moving) {
    const StillTable *out = moving->out;
    Arena *arena = moving->still->canvas->scene->arena;
    size_t *ranks = arena_alloc(arena, out->rows, sizeof *ranks);
    for (size_t i = 0; i < out->rows; i++) {
        bool drawn = !out->first;
        for (size_t j = 0; !drawn && j < out->cols; j++)
            drawn = out->first[i * out->cols + j] != STILL_NONE;
        ranks[i] = moving->drawn_rows;
        moving->drawn_rows += drawn;
    }
    moving->ranks = ranks;
}

/* First drawn cell of a row. */
static size_t drawn_cell(const StillTable *out, size_t row) {
    size_t cell = row * out->cols, end = cell + out->cols;
    while (out->first && cell + 1 < end && out->first[cell] == STILL_NONE)
        cell++;
    return cell;
}

/* The cell that is explained; in its row, the first cell that leads to it. */
static size_t slow_cell(const Stage *stage, const Moving *moving) {
    size_t rows = tape_node(stage->tape, stage->focus_node)->output.rows;
    if (!stage->has_focus)
        return 0;
    if (stage->focus_node == moving->node)
        return stage->focus_row * moving->out->cols + stage->focus_col;
    return rows == moving->out->rows ? drawn_cell(moving->out, stage->focus_row) : 0;
}

/* Reports whether a table's cells are drawn as arcs: curves that are linked to them. */
static bool are_arcs(const Still *still, size_t node) {
    bool arcs = false;
    for (size_t i = still->first; i < still->end && !arcs; i++) {
        const SceneItem *item = &still->canvas->scene->items[i];
        arcs = item->kind == SCENE_LINE && item->count > 2 &&
               item->link.kind == LINK_CELL && item->link.index == node;
    }
    return arcs;
}

/* Reports whether at most one of a table's rows is drawn. */
static bool is_one_row(const StillTable *table) {
    size_t drawn = 0, row = 0;
    for (size_t i = 0; table->first && i < table->rows * table->cols; i++) {
        if (table->first[i] == STILL_NONE || (drawn && i / table->cols == row))
            continue;
        row = i / table->cols;
        drawn++;
    }
    return drawn <= 1;
}

bool moving_find(Moving *moving, const Still *still, const Stage *stage,
                 const TransitionPhase *phase) {
    *moving = (Moving){.still = still,
                       .node = phase->node,
                       .transition = phase->transition,
                       .moment = phase->moment,
                       .at = tape_node(stage->tape, phase->node),
                       .out = still_table(still, phase->node),
                       .before = still_table(still, phase->before),
                       .lesson = stage->player->lesson,
                       .cursor = stage->player->cell};
    if (!moving->out)
        return false;
    find_rows(moving);
    moving->slow = slow_cell(stage, moving);
    moving->slow_row = moving->slow / moving->out->cols;
    moving->slow_col = moving->slow % moving->out->cols;
    moving->orphan = !phase->in_place && !has_drawn_source(moving);
    moving->arcs = are_arcs(still, phase->node);
    moving->bars = bars_of(still, moving->out);
    bool appears = phase->transition == TRANSITION_APPEAR && !moving->arcs;
    if (appears || (moving->orphan && is_one_row(moving->out)))
        find_places(moving);
    return true;
}
