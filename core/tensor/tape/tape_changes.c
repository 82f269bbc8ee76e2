#include "tensor/tape/tape_parts.h"

#include "base/array.h"

#include <assert.h>
#include <string.h>

/* Stores a node's original values before they change for the first time. */
static bool keep_original(Tape *tape, TapeNode *node) {
    if (node->original)
        return true;
    size_t cells = tensor_cells(&node->output);
    node->original = arena_alloc(tape->arena, cells, sizeof *node->original);
    if (node->original)
        memcpy(node->original, node->output.values, cells * sizeof *node->original);
    return node->original != NULL;
}

/* ---- the words of changed IDs ---- */

/* The token that an ID selects in the node's user: the label of a table's row or of a
 * column of logits. NULL if there is none. */
static const char *chosen_word(const Tape *tape, size_t node, double id) {
    for (size_t i = node + 1; i < tape->count; i++) {
        const TapeNode *user = tape->nodes[i];
        if (user->input_count < 2 || user->inputs[1] != node ||
            !operation_reads_ids(user->operation, 1))
            continue;
        const Tensor *from = user->operands[0];
        bool by_row = user->operation == OPERATION_EMBED;
        const char *const *words = by_row ? from->row_labels : from->col_labels;
        if (words && id >= 0 && id < (double)(by_row ? from->rows : from->cols))
            return words[(size_t)id];
    }
    return NULL;
}

/* Gives tensors that share a node's labels, starting with the node, a copy of their
 * own. */
static bool own_labels(Tape *tape, TapeNode *node) {
    size_t count = tensor_cells(&node->output);
    const Tensor *ids = &node->output;
    const char *const *old_labels = ids->rows == 1 ? ids->col_labels : ids->row_labels;
    if (node->labels || !old_labels || (ids->rows > 1 && ids->cols > 1))
        return node->labels != NULL;
    node->labels = arena_alloc(tape->arena, count, sizeof *node->labels);
    if (!node->labels)
        return false;
    node->generated_labels = old_labels;
    for (size_t i = 0; i < tape->count; i++) {
        Tensor *output = &tape->nodes[i]->output;
        if (output->row_labels == old_labels && output->rows <= count)
            output->row_labels = node->labels;
        if (output->col_labels == old_labels && output->cols <= count)
            output->col_labels = node->labels;
    }
    return true;
}

/* Labels IDs set by hand with the tokens they now select; others keep their labels. */
static void relabel(Tape *tape, size_t number) {
    TapeNode *node = tape->nodes[number];
    size_t count = tensor_cells(&node->output);
    bool known = node->edited && chosen_word(tape, number, node->output.values[0]);
    if ((!known && !node->labels) || !own_labels(tape, node))
        return;
    memcpy(node->labels, node->generated_labels, count * sizeof *node->labels);
    for (size_t i = 0; i < tape->edit_count; i++) {
        const TapeEdit *edit = &tape->edits[i];
        const char *word = tape_edit_reaches(tape, edit, number)
                               ? chosen_word(tape, number, edit->value)
                               : NULL;
        if (word)
            node->labels[edit->row * node->output.cols + edit->col] = word;
    }
}

/* ---- edits ---- */

static TapeEdit *own_edit(const Tape *tape, size_t node, size_t row, size_t col) {
    for (size_t i = 0; i < tape->edit_count; i++) {
        TapeEdit *edit = &tape->edits[i];
        if (edit->node == node && edit->row == row && edit->col == col)
            return edit;
    }
    return NULL;
}

static bool has_cell(const Tape *tape, size_t node, size_t row, size_t col) {
    return node < tape->count && row < tape->nodes[node]->output.rows &&
           col < tape->nodes[node]->output.cols;
}

bool tape_edit_reaches(const Tape *tape, const TapeEdit *edit, size_t number) {
    const TapeNode *node = tape->nodes[number];
    if (edit->node == number)
        return true;
    return node->repeats_cells && edit->node == node->repeats &&
           has_cell(tape, number, edit->row, edit->col) &&
           !own_edit(tape, number, edit->row, edit->col);
}

/* Notes whether a node is edited and muted, by itself or as the one it repeats. */
static void note_changes(const Tape *tape, size_t number) {
    TapeNode *node = tape->nodes[number];
    node->edited = false;
    for (size_t i = 0; i < tape->edit_count; i++)
        node->edited |= tape_edit_reaches(tape, &tape->edits[i], number);
    node->muted = node->muted_itself ||
                  (node->repeats != TAPE_NONE && tape->nodes[node->repeats]->muted &&
                   tape_can_mute(tape, number));
}

/* Notes the changes of a node and of those that repeat it. */
static void note_all_changes(const Tape *tape, size_t number) {
    note_changes(tape, number);
    for (size_t i = number + 1; i < tape->count; i++) {
        if (tape->nodes[i]->repeats == number)
            note_changes(tape, i);
    }
}

/* ---- replaying ---- */

static void recompute(Tape *tape, size_t number) {
    TapeNode *node = tape->nodes[number];
    size_t bytes = tensor_cells(&node->output) * sizeof(double);
    if (node->operation == OPERATION_GIVEN)
        memcpy(node->output.values, node->original, bytes);
    else if (node->muted)
        memcpy(node->output.values, node->operands[node->stand_in]->values, bytes);
    else
        tape_compute(tape, node);
    if (!node->edited)
        return;
    for (size_t i = 0; i < tape->edit_count; i++) {
        const TapeEdit *edit = &tape->edits[i];
        if (tape_edit_reaches(tape, edit, number))
            node->output.values[edit->row * node->output.cols + edit->col] = edit->value;
    }
}

void tape_recompute(Tape *tape, size_t first, size_t end) {
    assert(end <= tape->count);
    for (size_t i = first; i < end; i++) {
        if (tape->nodes[i]->operation != OPERATION_GIVEN)
            recompute(tape, i);
    }
}

void tape_replay(Tape *tape, const size_t *nodes, size_t count) {
    for (size_t i = 0; i < count; i++)
        recompute(tape, nodes[i]);
}

const size_t *tape_needed(const Tape *tape, size_t node, Arena *arena, size_t *count) {
    bool *needed = arena_alloc(arena, node + 1, sizeof *needed);
    size_t *nodes = arena_alloc(arena, node + 1, sizeof *nodes), first = node + 1;
    needed[node] = true;
    for (size_t i = node + 1; i > 0; i--) {
        const TapeNode *made = tape->nodes[i - 1];
        if (!needed[i - 1] || !made->input_count)
            continue;
        nodes[--first] = i - 1;
        for (size_t j = 0; j < made->input_count; j++)
            needed[made->inputs[j]] = true;
    }
    *count = node + 1 - first;
    return nodes + first;
}

void tape_add_gradients(const Tape *tape, size_t number, const OperationCall *call,
                        const double *gradient, double *const *gradients,
                        double *scratch) {
    const TapeNode *node = tape->nodes[number];
    size_t cells = tensor_cells(&node->output);
    Tensor out = node->output;
    if (node->edited) { /* gradients are of the computed values, and those of edited cells
                           are 0 */
        double *left = scratch + cells;
        memcpy(left, gradient, cells * sizeof *left);
        for (size_t i = 0; i < tape->edit_count; i++) {
            const TapeEdit *edit = &tape->edits[i];
            if (tape_edit_reaches(tape, edit, number))
                left[edit->row * out.cols + edit->col] = 0;
        }
        gradient = left;
        out.values = scratch;
        if (!node->muted)
            operation_of(node->operation)->forward(call, &out);
    }
    if (!node->muted) {
        operation_of(node->operation)->backward(call, &out, gradient, gradients);
        return;
    }
    double *back = gradients[node->stand_in];
    for (size_t i = 0; back && i < cells; i++)
        back[i] += gradient[i];
}

/* Reserves scratch for the backward pass through an edited node: two of its outputs. */
static bool reserve_scratch(Tape *tape, const TapeNode *node) {
    size_t cells = 2 * tensor_cells(&node->output);
    if (cells <= tape->scratch_capacity)
        return true;
    double *fresh = arena_alloc(tape->arena, cells, sizeof *fresh);
    if (!fresh)
        return false;
    tape->scratch = fresh;
    tape->scratch_capacity = cells;
    return true;
}

/* Reports whether one of a node's inputs is marked; marks begin at node `start`. */
static bool depends(const TapeNode *node, size_t start, const bool *changed) {
    for (size_t i = 0; i < node->input_count; i++) {
        if (node->inputs[i] >= start && changed[node->inputs[i]])
            return true;
    }
    return false;
}

/* Reserves a mark for every node. */
static bool reserve_marks(Tape *tape, bool **marks, size_t *capacity) {
    if (*capacity >= tape->count)
        return true;
    bool *fresh = arena_alloc(tape->arena, tape->count, sizeof *fresh);
    if (!fresh)
        return false;
    *marks = fresh;
    *capacity = tape->count;
    return true;
}

double tape_replay_cost(Tape *tape, size_t start) {
    double cost = 0;
    if (!reserve_marks(tape, &tape->changed, &tape->changed_capacity))
        return 0; /* the change itself reports the lack of memory */
    bool *changed = tape->changed;
    for (size_t i = start; i < tape->count; i++) {
        const TapeNode *node = tape->nodes[i];
        changed[i] =
            i == start || node->repeats == start || depends(node, start, changed);
        if (!changed[i] || node->operation == OPERATION_GIVEN)
            continue;
        OperationCall call = tape_call(node);
        cost += operation_cost(&call, &node->output);
    }
    return cost;
}

/* Marks `start` and the nodes that depend on it, and stores their originals. All
 * allocation happens here, before anything changes. */
static bool prepare_replay(Tape *tape, size_t start) {
    if (tape->held)
        return true;
    if (!reserve_marks(tape, &tape->changed, &tape->changed_capacity))
        return false;
    bool *changed = tape->changed;
    for (size_t i = start; i < tape->count; i++) {
        const TapeNode *node = tape->nodes[i];
        changed[i] =
            i == start || node->repeats == start || depends(node, start, changed);
        if (changed[i] && !keep_original(tape, tape->nodes[i]))
            return false;
    }
    return true;
}

/* Recomputes the nodes that prepare_replay marked. */
static void replay(Tape *tape, size_t start) {
    if (tape->held) {
        tape->pending[start] = true;
        return;
    }
    tape->replayed = 0;
    for (size_t i = start; i < tape->count; i++) {
        if (tape->changed[i]) {
            recompute(tape, i);
            relabel(tape, i);
            tape->replayed++;
        }
    }
}

bool tape_hold(Tape *tape) {
    if (!reserve_marks(tape, &tape->pending, &tape->pending_capacity))
        return false;
    for (size_t i = 0; i < tape->count; i++)
        tape->pending[i] = false;
    tape->held = true;
    return true;
}

bool tape_release(Tape *tape) {
    tape->held = false;
    if (!reserve_marks(tape, &tape->changed, &tape->changed_capacity))
        return false;
    for (size_t i = 0; i < tape->count; i++) {
        const TapeNode *node = tape->nodes[i];
        tape->changed[i] = tape->pending[i] || depends(node, 0, tape->changed) ||
                           (node->repeats != TAPE_NONE && tape->pending[node->repeats]);
        if (tape->changed[i] && !keep_original(tape, tape->nodes[i]))
            return false;
    }
    replay(tape, 0);
    return true;
}

/* Reserves scratch for a node and for those that repeat it. */
static bool reserve_all_scratch(Tape *tape, size_t number) {
    bool good = reserve_scratch(tape, tape->nodes[number]);
    for (size_t i = number + 1; good && i < tape->count; i++) {
        if (tape->nodes[i]->repeats == number)
            good = reserve_scratch(tape, tape->nodes[i]);
    }
    return good;
}

bool tape_edit(Tape *tape, size_t node, size_t row, size_t col, double value) {
    if (!has_cell(tape, node, row, col))
        return false;
    TapeEdit *edits = array_reserve(tape->arena, tape->edits, tape->edit_count,
                                    &tape->edit_capacity, sizeof *edits);
    if (!edits || !reserve_all_scratch(tape, node) || !prepare_replay(tape, node))
        return false;
    tape->edits = edits;
    TapeEdit *edit = own_edit(tape, node, row, col);
    if (!edit) {
        edit = &tape->edits[tape->edit_count++];
        *edit = (TapeEdit){.node = node, .row = row, .col = col};
    }
    edit->value = value;
    note_all_changes(tape, node);
    replay(tape, node);
    return true;
}

bool tape_unedit(Tape *tape, size_t node, size_t row, size_t col) {
    TapeEdit *edit = own_edit(tape, node, row, col);
    if (!edit || !prepare_replay(tape, node))
        return false;
    size_t behind = (size_t)(tape->edits + tape->edit_count - (edit + 1));
    memmove(edit, edit + 1, behind * sizeof *edit);
    tape->edit_count--;
    note_all_changes(tape, node);
    replay(tape, node);
    return true;
}

void tape_set_stand_in(Tape *tape, size_t node, size_t input) {
    assert(node < tape->count && input < tape->nodes[node]->input_count);
    tape->nodes[node]->stand_in = input;
}

bool tape_can_mute(const Tape *tape, size_t number) {
    assert(number < tape->count);
    const TapeNode *node = tape->nodes[number];
    if (!operation_of(node->operation)->mutable)
        return false;
    const Tensor *input = &tape->nodes[node->inputs[node->stand_in]]->output;
    return input->rows == node->output.rows && input->cols == node->output.cols;
}

bool tape_mute(Tape *tape, size_t number, bool muted) {
    if (!tape_can_mute(tape, number) || !prepare_replay(tape, number))
        return false;
    tape->nodes[number]->muted_itself = muted;
    note_all_changes(tape, number);
    replay(tape, number);
    return true;
}

void tape_set_repeats(Tape *tape, size_t node, size_t earlier, bool cells) {
    assert(node < tape->count && earlier < node);
    assert(tape->nodes[node]->operation == tape->nodes[earlier]->operation);
    tape->nodes[node]->repeats = earlier;
    tape->nodes[node]->repeats_cells = cells;
    note_changes(tape, node);
}

void tape_restore(Tape *tape) {
    tape->edit_count = 0;
    tape->replayed = 0;
    for (size_t i = 0; i < tape->count; i++) {
        TapeNode *node = tape->nodes[i];
        node->muted = node->muted_itself = node->edited = false;
        relabel(tape, i);
        if (node->original) {
            memcpy(node->output.values, node->original,
                   tensor_cells(&node->output) * sizeof(double));
            tape->replayed++;
        }
    }
}

size_t tape_edit_count(const Tape *tape) {
    return tape->edit_count;
}

const TapeEdit *tape_edit_at(const Tape *tape, size_t index) {
    assert(index < tape->edit_count);
    return &tape->edits[index];
}

size_t tape_replayed(const Tape *tape) {
    return tape->replayed;
}

bool tape_changed(const Tape *tape, size_t number) {
    const TapeNode *node = tape->nodes[number];
    return node->original && memcmp(node->original, node->output.values,
                                    tensor_cells(&node->output) * sizeof(double)) != 0;
}

double tape_original(const Tape *tape, size_t number, size_t row, size_t col) {
    const TapeNode *node = tape->nodes[number];
    const double *values = node->original ? node->original : node->output.values;
    return values[row * node->output.cols + col];
}

bool tape_cell_edited(const Tape *tape, size_t node, size_t row, size_t col,
                      double *value) {
    for (size_t i = 0; tape->nodes[node]->edited && i < tape->edit_count; i++) {
        const TapeEdit *edit = &tape->edits[i];
        if (edit->row != row || edit->col != col || !tape_edit_reaches(tape, edit, node))
            continue;
        if (value)
            *value = edit->value;
        return true;
    }
    return false;
}
