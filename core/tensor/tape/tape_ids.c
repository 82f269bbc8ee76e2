#include "tensor/tape/tape_ids.h"

#include <string.h>

enum { SCRATCH_BYTES = 64 << 20 };

/* What an operation does with one of its inputs, as far as IDs go. */
static bool reads_ids(const TapeNode *user, size_t input) {
    return operation_reads_ids(user->operation, input);
}

static bool moves(const TapeNode *user, size_t input) {
    return operation_of(user->operation)->values == OPERATION_VALUES_OF_INPUT &&
           operation_of(user->operation)->work == OPERATION_WORK_BY_MOVING &&
           !reads_ids(user, input);
}

bool tape_holds_ids(const Tape *tape, size_t node) {
    for (size_t i = node + 1; i < tape_count(tape); i++) {
        const TapeNode *user = tape_node(tape, i);
        for (size_t j = 0; j < user->input_count; j++) {
            if (user->inputs[j] == node &&
                (reads_ids(user, j) || (moves(user, j) && tape_holds_ids(tape, i))))
                return true;
        }
    }
    return false;
}

typedef struct Trial {
    const Tape *tape;
    Arena *arena;
    Error *error;
} Trial;

static bool accepts(const Trial *trial, size_t node, const Tensor *tried);

/* Whether one reader of a node can have `tried` in its place. */
static bool reader_accepts(const Trial *trial, size_t number, size_t input,
                           const Tensor *tried) {
    const TapeNode *user = tape_node(trial->tape, number);
    const Operation *operation = operation_of(user->operation);
    OperationCall call = tape_call(user);
    const Tensor **inputs = arena_alloc(trial->arena, call.count, sizeof *inputs);
    if (!inputs)
        return true;
    memcpy(inputs, call.inputs, call.count * sizeof *inputs);
    inputs[input] = tried;
    call.inputs = inputs;
    if (reads_ids(user, input))
        return !operation->accepts || operation->accepts(&call, trial->error);
    Tensor moved = user->output;
    moved.values = arena_alloc(trial->arena, tensor_cells(&moved), sizeof *moved.values);
    if (!moved.values)
        return true;
    operation->forward(&call, &moved);
    return accepts(trial, number, &moved);
}

static bool accepts(const Trial *trial, size_t node, const Tensor *tried) {
    for (size_t i = node + 1; i < tape_count(trial->tape); i++) {
        const TapeNode *user = tape_node(trial->tape, i);
        for (size_t j = 0; j < user->input_count; j++) {
            if (user->inputs[j] == node && (reads_ids(user, j) || moves(user, j)) &&
                !reader_accepts(trial, i, j, tried))
                return false;
        }
    }
    return true;
}

bool tape_accepts(const Tape *tape, size_t node, size_t row, size_t col, double value,
                  Error *error) {
    if (!tape_holds_ids(tape, node))
        return true;
    Arena *arena = arena_create(SCRATCH_BYTES);
    Tensor tried = tape_node(tape, node)->output;
    double *values =
        arena ? arena_alloc(arena, tensor_cells(&tried), sizeof *values) : NULL;
    bool good = true;
    if (values) {
        memcpy(values, tried.values, tensor_cells(&tried) * sizeof *values);
        values[row * tried.cols + col] = value;
        tried.values = values;
        good = accepts(&(Trial){tape, arena, error}, node, &tried);
    }
    arena_destroy(arena);
    return good;
}
