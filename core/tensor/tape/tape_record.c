#include "tensor/tape/tape_parts.h"

#include "base/array.h"
#include "base/error.h"
#include "tensor/operations/operation.h"
#include "tensor/terms/term.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

Tape *tape_create(Arena *arena) {
    Tape *tape = arena_alloc(arena, 1, sizeof *tape);
    tape->arena = arena;
    tape->open_group = TAPE_NONE;
    return tape;
}

const Arena *tape_arena(const Tape *tape) {
    return tape->arena;
}

/* Appends an empty node; NULL with an error when the tape is full. */
static TapeNode *append_node(Tape *tape, const char *name, Error *error) {
    if (tape->count == TAPE_MAX_NODES) {
        error_set(error, ERROR_LIMIT, 0, 0, "a lesson may have at most %d operations",
                  TAPE_MAX_NODES);
        return NULL;
    }
    TapeNode *node = arena_alloc(tape->arena, 1, sizeof *node);
    tape->nodes = array_reserve(tape->arena, tape->nodes, tape->count, &tape->capacity,
                                sizeof *tape->nodes);
    tape->nodes[tape->count] = node;
    *node = (TapeNode){.name = arena_copy(tape->arena, name, strlen(name)),
                       .group = tape->open_group,
                       .repeats = TAPE_NONE,
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
    *values = value;
    return tape_given(tape, name, (Tensor){.rows = 1, .cols = 1, .values = values},
                      number, error);
}

OperationCall tape_call(const TapeNode *node) {
    return (OperationCall){node->operands, node->input_count, node->options,
                           node->operation};
}

/* Reports whether a node is the gradient through a node that is muted or edited. */
static bool goes_back_through_change(const Tape *tape, const TapeNode *node) {
    if (node->operation != OPERATION_BACKWARD)
        return false;
    const TapeNode *passed = tape->nodes[node->inputs[node->input_count - 2]];
    return passed->muted || passed->edited;
}

void tape_compute(const Tape *tape, TapeNode *node) {
    OperationCall call = tape_call(node);
    if (!goes_back_through_change(tape, node)) {
        operation_of(node->operation)->forward(&call, &node->output);
        return;
    }
    double *gradients[BACKWARD_INPUTS_MAX] = {0};
    size_t count = node->input_count - 2, passed = node->inputs[count];
    const TapeNode *through = tape->nodes[passed];
    OperationCall forward = {call.inputs, count, through->options, through->operation};
    memset(node->output.values, 0, tensor_cells(&node->output) * sizeof(double));
    gradients[node->options.input] = node->output.values;
    tape_add_gradients(tape, passed, &forward, call.inputs[count + 1]->values, gradients,
                       tape->scratch);
}

/* Stores the inputs' numbers and outputs with the node. */
static void keep_inputs(const Tape *tape, TapeNode *node, const size_t *inputs,
                        size_t count) {
    size_t *numbers = arena_alloc(tape->arena, count, sizeof *numbers);
    const Tensor **operands = arena_alloc(tape->arena, count, sizeof *operands);
    for (size_t i = 0; i < count; i++) {
        assert(inputs[i] < tape->count);
        numbers[i] = inputs[i];
        operands[i] = &tape->nodes[inputs[i]]->output;
    }
    node->input_count = count;
    node->inputs = numbers;
    node->operands = operands;
}

bool tape_append(Tape *tape, OperationKind kind, const size_t *inputs, size_t count,
                 OperationOptions options, const char *name, size_t *number,
                 Error *error) {
    const Operation *operation = operation_of(kind);
    assert(count >= operation->inputs.least && count <= operation->inputs.most);
    TapeNode *node = append_node(tape, name, error);
    if (!node)
        return false;
    keep_inputs(tape, node, inputs, count);
    node->operation = kind;
    node->options = options;

    OperationCall call = tape_call(node);
    if (!operation_shape(&call, &node->output, error) ||
        !check_size(node->output.rows, node->output.cols, error) ||
        (operation->accepts && !operation->accepts(&call, error)))
        return false;
    node->output.values =
        arena_alloc(tape->arena, tensor_cells(&node->output), sizeof(double));
    bool product = operation_is_product(&call);
    double cost = operation_cost(&call, &node->output);
    arena_spend(tape->arena, product ? ARENA_WORK_PRODUCTS : ARENA_WORK_OPERATIONS, cost);
    tape->cost += cost;
    operation_label(&call, &node->output, tape->arena);
    tape_compute(tape, node);
    tape_note_ids(tape, tape->count);
    keep_node(tape, number);
    return true;
}

void tape_group_begin(Tape *tape, const char *name) {
    tape->groups = array_reserve(tape->arena, tape->groups, tape->group_count,
                                 &tape->group_capacity, sizeof *tape->groups);
    tape->groups[tape->group_count] =
        (TapeGroup){.name = arena_copy(tape->arena, name, strlen(name)),
                    .parent = tape->open_group,
                    .first = tape->count};
    tape->open_group = tape->group_count++;
}

void tape_group_end(Tape *tape) {
    assert(tape->open_group != TAPE_NONE);
    TapeGroup *group = &tape->groups[tape->open_group];
    group->count = tape->count - group->first;
    tape->open_group = group->parent;
}

double tape_cost(const Tape *tape) {
    return tape->cost;
}

size_t tape_count(const Tape *tape) {
    return tape->count;
}

const TapeNode *tape_node(const Tape *tape, size_t node) {
    assert(node < tape->count);
    return tape->nodes[node];
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
        if (tape->nodes[i - 1]->name[0] && strcmp(tape->nodes[i - 1]->name, name) == 0)
            return i - 1;
    }
    return TAPE_NONE;
}

bool tape_is_same(const Tape *tape, size_t node, size_t other) {
    const TapeNode *a = tape_node(tape, node), *b = tape_node(tape, other);
    const OperationOptions *cut = &a->options, *as = &b->options;
    return node == other ||
           (a->operation == OPERATION_SLICE && b->operation == OPERATION_SLICE &&
            a->inputs[0] == b->inputs[0] && cut->row_begin == as->row_begin &&
            cut->row_end == as->row_end && cut->col_begin == as->col_begin &&
            cut->col_end == as->col_end);
}

bool tape_depends(const Tape *tape, size_t node, size_t on) {
    bool *depends = on < node ? calloc(node - on + 1, sizeof *depends) : NULL;
    if (!depends)
        return false;
    depends[0] = true;
    for (size_t i = on + 1; i <= node; i++) {
        const TapeNode *made = tape->nodes[i];
        for (size_t j = 0; j < made->input_count; j++)
            depends[i - on] |= made->inputs[j] >= on && depends[made->inputs[j] - on];
    }
    bool found = depends[node - on];
    free(depends);
    return found;
}

bool tape_is_first_input(const Tape *tape, size_t node, OperationKind operation) {
    for (size_t i = node + 1; i < tape->count; i++) {
        const TapeNode *user = tape->nodes[i];
        if (user->operation == operation && user->inputs[0] == node)
            return true;
    }
    return false;
}

void tape_rename(Tape *tape, size_t node, const char *name) {
    tape->nodes[node]->name = arena_copy(tape->arena, name, strlen(name));
}

void tape_set_quiet(Tape *tape, size_t node) {
    tape->nodes[node]->quiet = true;
}

void tape_set_gradient(Tape *tape, size_t node, size_t root, size_t of) {
    tape->nodes[node]->gradient_root = root;
    tape->nodes[node]->gradient_of = of;
}

void tape_set_labels(Tape *tape, size_t node, const char *const *row_labels,
                     const char *const *col_labels) {
    Tensor *output = &tape->nodes[node]->output;
    output->row_labels = row_labels ? row_labels : output->row_labels;
    output->col_labels = col_labels ? col_labels : output->col_labels;
}

void tape_take_row_labels(Tape *tape, size_t node) {
    tape->nodes[node]->output.row_labels = NULL;
}

/* ---- explanations ---- */

/* Returns flags of the cells of a node that are set by hand. */
static bool *cells_set(const Tape *tape, size_t number, Arena *arena) {
    const Tensor *output = &tape->nodes[number]->output;
    bool *set = arena_alloc(arena, tensor_cells(output), sizeof *set);
    for (size_t i = 0; i < tape->edit_count; i++) {
        const TapeEdit *edit = &tape->edits[i];
        if (edit->node == number)
            set[edit->row * output->cols + edit->col] = true;
    }
    return set;
}

/* Explains a cell of the gradient through a node that is muted or edited. */
static const Term *explain_change(const Tape *tape, const TapeNode *node,
                                  const OperationCall *call, size_t row, size_t col,
                                  Arena *arena) {
    size_t count = node->input_count - 2, passed = node->inputs[count];
    const TapeNode *through = tape->nodes[passed];
    const Tensor *gradient = call->inputs[count + 1];
    bool *set = cells_set(tape, passed, arena);
    if (through->muted) {
        bool given =
            node->options.input == through->stand_in && !set[row * gradient->cols + col];
        return given ? term_cell(arena, count + 1, gradient, row, col)
                     : term_number(arena, 0);
    }
    OperationCall forward = {call->inputs, count, through->options, through->operation};
    return backward_by_rule(&forward, &through->output, gradient, set,
                            node->options.input, row, col, arena);
}

static const Term *explain(const Tape *tape, size_t number, size_t row, size_t col,
                           Arena *arena) {
    const TapeNode *node = tape->nodes[number];
    if (node->operation == OPERATION_GIVEN ||
        tape_cell_edited(tape, number, row, col, NULL))
        return term_number(arena, tensor_at(&node->output, row, col));
    if (node->muted)
        return term_cell(arena, node->stand_in,
                         &tape->nodes[node->inputs[node->stand_in]]->output, row, col);
    OperationCall call = tape_call(node);
    if (goes_back_through_change(tape, node))
        return explain_change(tape, node, &call, row, col, arena);
    return operation_of(node->operation)->explain(&call, &node->output, row, col, arena);
}

/* A cell that is explained under the arena's guard. */
typedef struct Explanation {
    const Tape *tape;
    size_t node, row, col;
    Arena *arena;
    const Term *term;
} Explanation;

static void explain_guarded(void *context) {
    Explanation *this = context;
    this->term = explain(this->tape, this->node, this->row, this->col, this->arena);
}

const Term *tape_explain(const Tape *tape, size_t node, size_t row, size_t col,
                         Arena *arena) {
    Explanation explanation = {tape, node, row, col, arena, NULL};
    if (arena_guard(arena, explain_guarded, &explanation))
        return explanation.term;
    return arena_alloc(arena, SIZE_MAX, 1); /* fails again: for the caller's guard */
}
