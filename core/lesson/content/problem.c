#include "lesson/content/problem.h"

#include "base/arena.h"

#include <math.h>

static bool is_none(double value) {
    return isnan(value);
}

static bool is_infinite(double value) {
    return isinf(value);
}

static bool is_minus_infinite(double value) {
    return value == -INFINITY;
}

static bool any_input(const Tape *tape, const TapeNode *node, bool (*is)(double)) {
    for (size_t i = 0; i < node->input_count; i++) {
        if (tensor_has(&tape_node(tape, node->inputs[i])->output, is))
            return true;
    }
    return false;
}

/* The reason why a cell is NaN: it follows from an input that is NaN; ∞ − ∞ is NaN,
 * too. */
static const char *nan_problem(const Tape *tape, const TapeNode *node) {
    if (any_input(tape, node, is_none))
        return "trouble.from_none";
    return any_input(tape, node, is_infinite) ? "trouble.infinite_less_infinite"
                                              : "trouble.none";
}

const char *problem_of(const Tape *tape, size_t number, size_t row, size_t col) {
    const TapeNode *node = tape_node(tape, number);
    bool none = isnan(tensor_at(&node->output, row, col));
    bool computed = node->operation != OPERATION_GIVEN && !node->muted &&
                    !tape_cell_edited(tape, number, row, col, NULL);
    bool edited = tape_cell_edited(tape, number, row, col, NULL);
    if (none && !computed && !node->muted && !edited)
        return "trouble.diverged"; /* files have no such numbers */
    if (!computed)                 /* a muted node passes its stand-in on */
        return none ? "trouble.from_none" : NULL;
    const Operation *operation = operation_of(node->operation);
    OperationCall call = tape_call(node);
    const char *own =
        operation->problem ? operation->problem(&call, &node->output, row, col) : NULL;
    return own || !none ? own : nan_problem(tape, node);
}

/* ---- cells that are not finite ---- */

/* Reports whether −∞ in a node's cells is a mask's, or copied from one cell by cell. */
static bool is_masked(const TapeNode *node, const bool *masked) {
    const Operation *operation = operation_of(node->operation);
    if (node->operation == OPERATION_GIVEN)
        return tensor_has(&node->output, is_minus_infinite);
    if (operation->values == OPERATION_VALUES_MASK ||
        operation->values == OPERATION_VALUES_CUT)
        return true;
    bool keeps = operation->mutable || operation->work == OPERATION_WORK_BY_MOVING;
    for (size_t i = 0; keeps && i < node->input_count; i++) {
        if (masked[node->inputs[i]])
            return true;
    }
    return false;
}

static bool is_bad(double value, bool masked) {
    return isnan(value) || (isinf(value) && !(masked && value < 0));
}

static bool find_bad(const TapeNode *node, bool masked, Problem *problem) {
    const Tensor *tensor = &node->output;
    for (size_t i = tensor_cells(tensor); i-- > 0;) {
        if (!is_bad(tensor->values[i], masked))
            continue;
        problem->cells++;
        problem->row = i / tensor->cols;
        problem->col = i % tensor->cols;
    }
    return problem->cells > 0;
}

bool problem_list(const Tape *tape, Arena *arena, const Problem **list, size_t *count) {
    size_t nodes = tape_count(tape);
    bool *masked = arena_alloc(arena, nodes + 1, sizeof *masked);
    bool *bad = arena_alloc(arena, nodes + 1, sizeof *bad);
    Problem *items = arena_alloc(arena, nodes + 1, sizeof *items);
    *count = 0;
    *list = items;
    if (!masked || !bad || !items)
        return false;
    for (size_t i = 0; i < nodes; i++) {
        const TapeNode *node = tape_node(tape, i);
        Problem problem = {.node = i};
        bool given = node->operation == OPERATION_GIVEN, inherited = false;
        masked[i] = is_masked(node, masked);
        bad[i] = !given && find_bad(node, masked[i], &problem);
        for (size_t j = 0; j < node->input_count; j++)
            inherited |= bad[node->inputs[j]];
        if (bad[i] && !inherited)
            items[(*count)++] = problem;
    }
    return true;
}
