#include "tensor/tape.h"

#include "tensor/operation_backward.h"

#include <assert.h>
#include <string.h>

struct Tape {
    Arena *arena;
    size_t count, capacity;
    TapeNode *nodes;
    size_t group_count, group_capacity;
    TapeGroup *groups;
    size_t open_group; /* the innermost group being appended to, or TAPE_NONE */
    size_t edit_count, edit_capacity;
    TapeEdit *edits;
    size_t replayed;
    bool *changed; /* scratch for replay, `changed_capacity` long */
    size_t changed_capacity;
    bool held;     /* replays wait … */
    bool *pending; /* … for these nodes, `pending_capacity` long */
    size_t pending_capacity;
    const Tensor **inputs; /* scratch for calls, as long as the longest needs */
    size_t inputs_capacity;
    double
        *scratch; /* for going back through nodes that are edited, as long as any needs */
    size_t scratch_capacity;
};

Tape *tape_create(Arena *arena) {
    Tape *tape = arena_alloc(arena, 1, sizeof *tape);
    if (tape) {
        tape->arena = arena;
        tape->open_group = TAPE_NONE;
    }
    return tape;
}

static bool no_memory(Error *error) {
    return error_set(error, ERROR_MEMORY, 0, 0,
                     "the lesson needs more than the 1 GiB of memory that it may use");
}

/* Makes room for one more item, doubling; old arrays stay in the arena. */
static bool grow(Arena *arena, void **items, size_t count, size_t *capacity,
                 size_t size) {
    if (count < *capacity)
        return true;
    size_t larger = *capacity ? *capacity * 2 : 16;
    void *fresh = arena_alloc(arena, larger, size);
    if (!fresh)
        return false;
    if (count)
        memcpy(fresh, *items, count * size);
    *items = fresh;
    *capacity = larger;
    return true;
}

/* Appends an empty node; NULL with an error when there is no room. */
static TapeNode *append_node(Tape *tape, const char *name, Error *error) {
    if (tape->count == TAPE_MAX_NODES) {
        error_set(error, ERROR_LIMIT, 0, 0, "a lesson may have at most %d operations",
                  TAPE_MAX_NODES);
        return NULL;
    }
    const char *copy = arena_copy(tape->arena, name, strlen(name));
    if (!copy || !grow(tape->arena, (void **)&tape->nodes, tape->count, &tape->capacity,
                       sizeof *tape->nodes)) {
        no_memory(error);
        return NULL;
    }
    TapeNode *node = &tape->nodes[tape->count];
    *node = (TapeNode){.name = copy,
                       .group = tape->open_group,
                       .gradient_root = TAPE_NONE,
                       .gradient_of = TAPE_NONE};
    return node;
}

static void keep_node(Tape *tape, size_t *number) {
    if (number)
        *number = tape->count;
    tape->count++;
}

static bool check_size(size_t rows, size_t cols, Error *error) {
    size_t cells = 0;
    if (rows == 0 || cols == 0)
        return error_set(error, ERROR_SHAPE, 0, 0,
                         "a tensor of [%zu,%zu] is empty; it must have at least one row "
                         "and one column",
                         rows, cols);
    if (!__builtin_mul_overflow(rows, cols, &cells) && cells <= TENSOR_MAX_CELLS)
        return true;
    return error_set(error, ERROR_LIMIT, 0, 0,
                     "a tensor of [%zu,%zu] is too large; the limit is %d cells", rows,
                     cols, TENSOR_MAX_CELLS);
}

bool tape_given(Tape *tape, const char *name, Tensor tensor, size_t *number,
                Error *error) {
    if (!check_size(tensor.rows, tensor.cols, error))
        return false;
    TapeNode *node = append_node(tape, name, error);
    if (!node)
        return false;
    node->operation = OPERATION_GIVEN;
    node->options = (OperationOptions){.rows = tensor.rows, .cols = tensor.cols};
    node->output = tensor;
    keep_node(tape, number);
    return true;
}

bool tape_constant(Tape *tape, const char *name, double value, size_t *number,
                   Error *error) {
    double *values = arena_alloc(tape->arena, 1, sizeof *values);
    if (!values)
        return no_memory(error);
    *values = value;
    return tape_given(tape, name, (Tensor){.rows = 1, .cols = 1, .values = values},
                      number, error);
}

/* Points `call` at a node's inputs, through `inputs`, which is as long. */
static OperationCall call_of(const Tape *tape, const TapeNode *node,
                             const Tensor **inputs) {
    for (size_t i = 0; i < node->input_count; i++)
        inputs[i] = &tape->nodes[node->inputs[i]].output;
    return (OperationCall){inputs, node->input_count, node->options};
}

/* Makes the scratch for calls hold `count` inputs, so that a replay allocates nothing. */
static bool reserve_inputs(Tape *tape, size_t count) {
    if (count <= tape->inputs_capacity)
        return true;
    const Tensor **fresh = arena_alloc(tape->arena, count, sizeof *fresh);
    if (!fresh)
        return false;
    tape->inputs = fresh;
    tape->inputs_capacity = count;
    return true;
}

/* Whether a node is what a node that is muted or edited gives back. */
static bool goes_back_through_change(const Tape *tape, const TapeNode *node) {
    if (node->operation != OPERATION_BACKWARD)
        return false;
    const TapeNode *passed = &tape->nodes[node->inputs[node->input_count - 2]];
    return passed->muted || passed->edited;
}

/* Computes a node that is not muted itself. */
static void compute(const Tape *tape, TapeNode *node, const OperationCall *call) {
    if (!goes_back_through_change(tape, node)) {
        operation_of(node->operation)->forward(call, &node->output);
        return;
    }
    double *gradients[BACKWARD_INPUTS_MAX] = {0};
    size_t count = node->input_count - 2, passed = node->inputs[count];
    OperationCall forward = {call->inputs, count, tape->nodes[passed].options};
    memset(node->output.values, 0, tensor_cells(&node->output) * sizeof(double));
    gradients[node->options.input] = node->output.values;
    tape_give_back(tape, passed, &forward, call->inputs[count + 1]->values, gradients,
                   tape->scratch);
}

bool tape_append(Tape *tape, OperationKind kind, const size_t *inputs, size_t count,
                 OperationOptions options, const char *name, size_t *number,
                 Error *error) {
    const Operation *operation = operation_of(kind);
    assert(count >= operation->inputs_min && count <= operation->inputs_max);
    TapeNode *node = append_node(tape, name, error);
    size_t *copy = node ? arena_alloc(tape->arena, count, sizeof *copy) : NULL;
    if (!node)
        return false;
    if (!copy || !reserve_inputs(tape, count))
        return no_memory(error);
    for (size_t i = 0; i < count; i++) {
        assert(inputs[i] < tape->count);
        copy[i] = inputs[i];
    }
    node->operation = kind;
    node->options = options;
    node->input_count = count;
    node->inputs = copy;

    OperationCall call = call_of(tape, node, tape->inputs);
    if (!operation->shape(&call, &node->output, error) ||
        !check_size(node->output.rows, node->output.cols, error) ||
        (operation->accepts && !operation->accepts(&call, error)))
        return false;
    node->output.values =
        arena_alloc(tape->arena, tensor_cells(&node->output), sizeof(double));
    if (!node->output.values)
        return no_memory(error);
    operation_label(kind, &call, &node->output, tape->arena);
    compute(tape, node, &call);
    keep_node(tape, number);
    return true;
}

bool tape_group_begin(Tape *tape, const char *name, Error *error) {
    const char *copy = arena_copy(tape->arena, name, strlen(name));
    if (!copy || !grow(tape->arena, (void **)&tape->groups, tape->group_count,
                       &tape->group_capacity, sizeof *tape->groups))
        return no_memory(error);
    tape->groups[tape->group_count] =
        (TapeGroup){.name = copy, .parent = tape->open_group, .first = tape->count};
    tape->open_group = tape->group_count++;
    return true;
}

void tape_group_end(Tape *tape) {
    assert(tape->open_group != TAPE_NONE);
    TapeGroup *group = &tape->groups[tape->open_group];
    group->count = tape->count - group->first;
    tape->open_group = group->parent;
}

size_t tape_count(const Tape *tape) {
    return tape->count;
}

const TapeNode *tape_node(const Tape *tape, size_t node) {
    assert(node < tape->count);
    return &tape->nodes[node];
}

size_t tape_group_count(const Tape *tape) {
    return tape->group_count;
}

const TapeGroup *tape_group(const Tape *tape, size_t group) {
    assert(group < tape->group_count);
    return &tape->groups[group];
}

size_t tape_find(const Tape *tape, const char *name) {
    for (size_t i = tape->count; i > 0; i--) {
        if (tape->nodes[i - 1].name[0] && strcmp(tape->nodes[i - 1].name, name) == 0)
            return i - 1;
    }
    return TAPE_NONE;
}

void tape_rename(Tape *tape, size_t node, const char *name) {
    const char *copy = arena_copy(tape->arena, name, strlen(name));
    if (copy)
        tape->nodes[node].name = copy;
}

void tape_set_quiet(Tape *tape, size_t node) {
    tape->nodes[node].quiet = true;
}

void tape_set_gradient(Tape *tape, size_t node, size_t root, size_t of) {
    tape->nodes[node].gradient_root = root;
    tape->nodes[node].gradient_of = of;
}

void tape_set_labels(Tape *tape, size_t node, const char *const *row_labels,
                     const char *const *col_labels) {
    Tensor *output = &tape->nodes[node].output;
    output->row_labels = row_labels ? row_labels : output->row_labels;
    output->col_labels = col_labels ? col_labels : output->col_labels;
}

/* ---- edits, mutes and their replay ---- */

/* Keeps the values of a node as they are before they change for the first time. */
static bool keep_original(Tape *tape, TapeNode *node) {
    if (node->original)
        return true;
    size_t cells = tensor_cells(&node->output);
    node->original = arena_alloc(tape->arena, cells, sizeof *node->original);
    if (node->original)
        memcpy(node->original, node->output.values, cells * sizeof *node->original);
    return node->original != NULL;
}

static void recompute(Tape *tape, size_t number) {
    TapeNode *node = &tape->nodes[number];
    size_t bytes = tensor_cells(&node->output) * sizeof(double);
    OperationCall call = call_of(tape, node, tape->inputs);
    if (node->operation == OPERATION_GIVEN)
        memcpy(node->output.values, node->original, bytes);
    else if (node->muted)
        memcpy(node->output.values, call.inputs[node->stand_in]->values, bytes);
    else
        compute(tape, node, &call);
    if (!node->edited)
        return;
    for (size_t i = 0; i < tape->edit_count; i++) {
        const TapeEdit *edit = &tape->edits[i];
        if (edit->node == number)
            node->output.values[edit->row * node->output.cols + edit->col] = edit->value;
    }
}

void tape_recompute(Tape *tape, size_t first, size_t end) {
    assert(end <= tape->count);
    for (size_t i = first; i < end; i++) {
        if (tape->nodes[i].operation != OPERATION_GIVEN)
            recompute(tape, i);
    }
}

void tape_give_back(const Tape *tape, size_t number, const OperationCall *call,
                    const double *gradient, double *const *gradients, double *scratch) {
    const TapeNode *node = &tape->nodes[number];
    size_t cells = tensor_cells(&node->output);
    Tensor out = node->output;
    if (node->edited) { /* what was computed before the hand, and none from its cells */
        double *left = scratch + cells;
        memcpy(left, gradient, cells * sizeof *left);
        for (size_t i = 0; i < tape->edit_count; i++) {
            const TapeEdit *edit = &tape->edits[i];
            if (edit->node == number)
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

/* Makes the scratch for going back through an edited node hold two of its outputs. */
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

/* Whether one of a node's inputs is marked; marks are set from node `start` on. */
static bool depends(const TapeNode *node, size_t start, const bool *changed) {
    for (size_t i = 0; i < node->input_count; i++) {
        if (node->inputs[i] >= start && changed[node->inputs[i]])
            return true;
    }
    return false;
}

/* Makes a mark for every node hold. */
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

/* Marks `start` and what depends on it, and keeps their originals. Whatever could fail
 * for want of memory does so here, before anything has changed. */
static bool prepare_replay(Tape *tape, size_t start) {
    if (tape->held)
        return true;
    if (!reserve_marks(tape, &tape->changed, &tape->changed_capacity))
        return false;
    bool *changed = tape->changed;
    for (size_t i = start; i < tape->count; i++) {
        changed[i] = i == start || depends(&tape->nodes[i], start, changed);
        if (changed[i] && !keep_original(tape, &tape->nodes[i]))
            return false;
    }
    return true;
}

/* Computes what prepare_replay has marked. */
static void replay(Tape *tape, size_t start) {
    if (tape->held) {
        tape->pending[start] = true;
        return;
    }
    tape->replayed = 0;
    for (size_t i = start; i < tape->count; i++) {
        if (tape->changed[i]) {
            recompute(tape, i);
            tape->replayed++;
        }
    }
}

bool tape_hold(Tape *tape) {
    if (!reserve_marks(tape, &tape->pending, &tape->pending_capacity))
        return false;
    memset(tape->pending, 0, tape->count * sizeof *tape->pending);
    tape->held = true;
    return true;
}

bool tape_release(Tape *tape) {
    tape->held = false;
    if (!reserve_marks(tape, &tape->changed, &tape->changed_capacity))
        return false;
    for (size_t i = 0; i < tape->count; i++) {
        tape->changed[i] = tape->pending[i] || depends(&tape->nodes[i], 0, tape->changed);
        if (tape->changed[i] && !keep_original(tape, &tape->nodes[i]))
            return false;
    }
    replay(tape, 0);
    return true;
}

static TapeEdit *find_edit(const Tape *tape, size_t node, size_t row, size_t col) {
    for (size_t i = 0; i < tape->edit_count; i++) {
        TapeEdit *edit = &tape->edits[i];
        if (edit->node == node && edit->row == row && edit->col == col)
            return edit;
    }
    return NULL;
}

static bool has_cell(const Tape *tape, size_t node, size_t row, size_t col) {
    return node < tape->count && row < tape->nodes[node].output.rows &&
           col < tape->nodes[node].output.cols;
}

bool tape_edit(Tape *tape, size_t node, size_t row, size_t col, double value) {
    if (!has_cell(tape, node, row, col))
        return false;
    TapeEdit *edit = find_edit(tape, node, row, col);
    if (!edit && !grow(tape->arena, (void **)&tape->edits, tape->edit_count,
                       &tape->edit_capacity, sizeof *tape->edits))
        return false;
    if (!reserve_scratch(tape, &tape->nodes[node]) || !prepare_replay(tape, node))
        return false;
    if (!edit) {
        edit = &tape->edits[tape->edit_count++];
        *edit = (TapeEdit){.node = node, .row = row, .col = col};
    }
    edit->value = value;
    tape->nodes[node].edited = true;
    replay(tape, node);
    return true;
}

bool tape_unedit(Tape *tape, size_t node, size_t row, size_t col) {
    TapeEdit *edit = find_edit(tape, node, row, col);
    if (!edit || !prepare_replay(tape, node))
        return false;
    size_t behind = (size_t)(tape->edits + tape->edit_count - (edit + 1));
    memmove(edit, edit + 1, behind * sizeof *edit);
    tape->edit_count--;
    tape->nodes[node].edited = false;
    for (size_t i = 0; i < tape->edit_count; i++)
        tape->nodes[node].edited |= tape->edits[i].node == node;
    replay(tape, node);
    return true;
}

void tape_set_stand_in(Tape *tape, size_t node, size_t input) {
    assert(node < tape->count && input < tape->nodes[node].input_count);
    tape->nodes[node].stand_in = input;
}

bool tape_mute(Tape *tape, size_t number, bool muted) {
    assert(number < tape->count);
    TapeNode *node = &tape->nodes[number];
    if (!operation_of(node->operation)->mutable)
        return false;
    const Tensor *input = &tape->nodes[node->inputs[node->stand_in]].output;
    if (input->rows != node->output.rows || input->cols != node->output.cols)
        return false;
    if (!prepare_replay(tape, number))
        return false;
    node->muted = muted;
    replay(tape, number);
    return true;
}

void tape_restore(Tape *tape) {
    tape->edit_count = 0;
    tape->replayed = 0;
    for (size_t i = 0; i < tape->count; i++) {
        TapeNode *node = &tape->nodes[i];
        node->muted = node->edited = false;
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
    const TapeNode *node = &tape->nodes[number];
    return node->original && memcmp(node->original, node->output.values,
                                    tensor_cells(&node->output) * sizeof(double)) != 0;
}

double tape_original(const Tape *tape, size_t number, size_t row, size_t col) {
    const TapeNode *node = &tape->nodes[number];
    const double *values = node->original ? node->original : node->output.values;
    return values[row * node->output.cols + col];
}

bool tape_cell_edited(const Tape *tape, size_t node, size_t row, size_t col,
                      double *value) {
    const TapeEdit *edit =
        tape->nodes[node].edited ? find_edit(tape, node, row, col) : NULL;
    if (edit && value)
        *value = edit->value;
    return edit != NULL;
}

/* Which cells of a node are set by hand; NULL when the arena is exhausted. */
static bool *cells_set(const Tape *tape, size_t number, Arena *arena) {
    const Tensor *output = &tape->nodes[number].output;
    bool *set = arena_alloc(arena, tensor_cells(output), sizeof *set);
    for (size_t i = 0; set && i < tape->edit_count; i++) {
        const TapeEdit *edit = &tape->edits[i];
        if (edit->node == number)
            set[edit->row * output->cols + edit->col] = true;
    }
    return set;
}

/* A cell of what a node that is muted or edited gives back. */
static const Term *explain_change(const Tape *tape, const TapeNode *node,
                                  const OperationCall *call, size_t row, size_t col,
                                  Arena *arena) {
    size_t count = node->input_count - 2, passed = node->inputs[count];
    const TapeNode *through = &tape->nodes[passed];
    const Tensor *gradient = call->inputs[count + 1];
    bool *set = cells_set(tape, passed, arena);
    if (!set)
        return NULL;
    if (through->muted) {
        bool given =
            node->options.input == through->stand_in && !set[row * gradient->cols + col];
        return given ? term_cell(arena, count + 1, gradient, row, col)
                     : term_number(arena, 0);
    }
    OperationCall forward = {call->inputs, count, through->options};
    return backward_by_rule(through->operation, &forward, &through->output, gradient, set,
                            node->options.input, row, col, arena);
}

const Term *tape_explain(const Tape *tape, size_t number, size_t row, size_t col,
                         Arena *arena) {
    const TapeNode *node = &tape->nodes[number];
    if (node->operation == OPERATION_GIVEN ||
        tape_cell_edited(tape, number, row, col, NULL))
        return term_number(arena, tensor_at(&node->output, row, col));
    if (node->muted)
        return term_cell(arena, node->stand_in,
                         &tape->nodes[node->inputs[node->stand_in]].output, row, col);
    const Tensor **inputs = arena_alloc(arena, node->input_count, sizeof *inputs);
    if (!inputs)
        return NULL;
    OperationCall call = call_of(tape, node, inputs);
    if (goes_back_through_change(tape, node))
        return explain_change(tape, node, &call, row, col, arena);
    return operation_of(node->operation)->explain(&call, &node->output, row, col, arena);
}
