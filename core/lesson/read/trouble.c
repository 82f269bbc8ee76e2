#include "lesson/read/trouble.h"

#include <math.h>

static bool has_none(const Tensor *tensor) {
    for (size_t i = 0; i < tensor_cells(tensor); i++) {
        if (isnan(tensor->values[i]))
            return true;
    }
    return false;
}

static bool has_infinite(const Tensor *tensor) {
    for (size_t i = 0; i < tensor_cells(tensor); i++) {
        if (isinf(tensor->values[i]))
            return true;
    }
    return false;
}

/* Of a cell that is no number: what comes from one that is none, is none; ∞ − ∞ is none
 * either. */
static const char *none_trouble(const Tape *tape, const TapeNode *node) {
    for (size_t i = 0; i < node->input_count; i++) {
        if (has_none(&tape_node(tape, node->inputs[i])->output))
            return "trouble.from_none";
    }
    for (size_t i = 0; i < node->input_count; i++) {
        if (has_infinite(&tape_node(tape, node->inputs[i])->output))
            return "trouble.infinite_less_infinite";
    }
    return "trouble.none";
}

const char *trouble_of(const Tape *tape, size_t number, size_t row, size_t col) {
    const TapeNode *node = tape_node(tape, number);
    bool none = isnan(tensor_at(&node->output, row, col));
    bool computed = node->operation != OPERATION_GIVEN && !node->muted &&
                    !tape_cell_edited(tape, number, row, col, NULL);
    if (!computed) /* a mute hands on what its first input has */
        return none ? "trouble.from_none" : NULL;
    const Operation *operation = operation_of(node->operation);
    OperationCall call = tape_call(node);
    const char *own =
        operation->trouble ? operation->trouble(&call, &node->output, row, col) : NULL;
    return own || !none ? own : none_trouble(tape, node);
}
