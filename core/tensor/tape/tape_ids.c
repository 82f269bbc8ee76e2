#include "tensor/tape/tape_ids.h"

#include "base/arena.h"
#include "tensor/tape/tape_parts.h"

#include <string.h>

enum { SCRATCH_BYTES = 64 << 20 };

/* Reports whether an operation reads one of its inputs as IDs. */
static bool reads_ids(const TapeNode *user, size_t input) {
    return operation_reads_ids(user->operation, input);
}

static bool moves(const TapeNode *user, size_t input) {
    return operation_of(user->operation)->values == OPERATION_VALUES_OF_INPUT &&
           operation_of(user->operation)->work == OPERATION_WORK_BY_MOVING &&
           !reads_ids(user, input);
}

bool tape_holds_ids(const Tape *tape, size_t node) {
    return tape_node(tape, node)->holds_ids;
}

/* Marks a node as holding IDs; *lowest becomes the first node whose inputs must still be
 * visited. */
static void mark(Tape *tape, size_t number, size_t *lowest) {
    TapeNode *node = tape->nodes[number];
    if (!node->holds_ids && node->input_count && number < *lowest)
        *lowest = number;
    node->holds_ids = true;
}

void tape_note_ids(Tape *tape, size_t number) {
    const TapeNode *user = tape->nodes[number];
    size_t lowest = number;
    for (size_t j = 0; j < user->input_count; j++) {
        if (reads_ids(user, j))
            mark(tape, user->inputs[j], &lowest);
    }
    for (size_t i = number; i-- > lowest;) {
        const TapeNode *node = tape->nodes[i];
        for (size_t j = 0; node->holds_ids && j < node->input_count; j++) {
            if (moves(node, j))
                mark(tape, node->inputs[j], &lowest);
        }
    }
}

/* Trial outputs of the nodes from one on, where they differ from the tape's; else
 * NULL. */
typedef struct Trial {
    const Tape *tape;
    size_t first;
    const Tensor **instead;
    Arena *arena;
} Trial;

/* Finds out whether a node reads a trial output as IDs, and whether it passes it on as
 * such. */
static void look(const Trial *trial, const TapeNode *user, bool *reads, bool *hands_on) {
    *reads = *hands_on = false;
    for (size_t j = 0; j < user->input_count; j++) {
        size_t input = user->inputs[j];
        if (input < trial->first || !trial->instead[input - trial->first])
            continue;
        *reads = *reads || reads_ids(user, j);
        *hands_on = *hands_on || (user->holds_ids && moves(user, j));
    }
}

/* An operation's call with the trial outputs; without inputs when memory is short. */
static OperationCall call_with(const Trial *trial, const TapeNode *user) {
    OperationCall call = tape_call(user);
    const Tensor **inputs = arena_alloc(trial->arena, call.count, sizeof *inputs);
    for (size_t j = 0; inputs && j < call.count; j++) {
        size_t input = user->inputs[j];
        const Tensor *instead =
            input < trial->first ? NULL : trial->instead[input - trial->first];
        inputs[j] = instead ? instead : call.inputs[j];
    }
    call.inputs = inputs;
    return call;
}

static bool hand_on(const Trial *trial, size_t number, const OperationCall *call) {
    const TapeNode *user = tape_node(trial->tape, number);
    Tensor *moved = arena_alloc(trial->arena, 1, sizeof *moved);
    double *values =
        arena_alloc(trial->arena, tensor_cells(&user->output), sizeof *values);
    if (!moved || !values)
        return false;
    *moved = user->output;
    moved->values = values;
    operation_of(user->operation)->forward(call, moved);
    trial->instead[number - trial->first] = moved;
    return true;
}

/* Values that can't be tried for lack of memory are accepted. */
static bool accepts(const Trial *trial, Error *error) {
    for (size_t i = trial->first + 1; i < tape_count(trial->tape); i++) {
        const TapeNode *user = tape_node(trial->tape, i);
        const Operation *operation = operation_of(user->operation);
        bool reads, hands_on;
        look(trial, user, &reads, &hands_on);
        if (!reads && !hands_on)
            continue;
        OperationCall call = call_with(trial, user);
        if (!call.inputs)
            return true;
        if (reads && operation->accepts && !operation->accepts(&call, error))
            return false;
        if (hands_on && !hand_on(trial, i, &call))
            return true;
    }
    return true;
}

bool tape_accepts(const Tape *tape, size_t node, size_t row, size_t col, double value,
                  Error *error) {
    if (!tape_holds_ids(tape, node))
        return true;
    Arena *arena = arena_create(SCRATCH_BYTES);
    Tensor tried = tape_node(tape, node)->output;
    size_t count = tape_count(tape) - node;
    const Tensor **instead = arena ? arena_alloc(arena, count, sizeof *instead) : NULL;
    double *values =
        instead ? arena_alloc(arena, tensor_cells(&tried), sizeof *values) : NULL;
    bool good = true;
    if (values) {
        memcpy(values, tried.values, tensor_cells(&tried) * sizeof *values);
        values[row * tried.cols + col] = value;
        tried.values = values;
        instead[0] = &tried;
        good = accepts(&(Trial){tape, node, instead, arena}, error);
    }
    arena_destroy(arena);
    return good;
}
