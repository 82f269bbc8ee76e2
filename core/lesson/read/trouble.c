#include "lesson/read/trouble.h"

#include <math.h>

/* One cell of one use of an operation. */
typedef struct Cell {
    const TapeNode *node;
    const Tensor *inputs[2]; /* the first two, as far as there are any */
    size_t row, col;
    double value;
} Cell;

/* A cell's own number of an input that is repeated along an axis where it has only one.
 */
static double input_at(const Cell *cell, size_t input) {
    const Tensor *tensor = cell->inputs[input];
    return tensor_at(tensor, tensor->rows == 1 ? 0 : cell->row,
                     tensor->cols == 1 ? 0 : cell->col);
}

static bool row_has(const Tensor *tensor, size_t row, bool (*is)(double)) {
    for (size_t j = 0; j < tensor->cols; j++) {
        if (is(tensor_at(tensor, row, j)))
            return true;
    }
    return false;
}

static bool is_none(double value) {
    return isnan(value);
}

static bool is_plus_infinite(double value) {
    return isinf(value) && value > 0;
}

static bool is_not_finite(double value) {
    return !isfinite(value);
}

static bool is_not_masked(double value) {
    return !(isinf(value) && value < 0);
}

/* ---- operations on whole rows ---- */

static const char *softmax_trouble(const Cell *cell) {
    const Tensor *scores = cell->inputs[0];
    if (cell->value != 0 && !isnan(cell->value))
        return NULL;
    if (row_has(scores, cell->row, is_none))
        return "trouble.from_none";
    if (row_has(scores, cell->row, is_plus_infinite))
        return "trouble.infinite_score";
    return row_has(scores, cell->row, is_not_masked) ? NULL : "trouble.row_masked";
}

static const char *layer_norm_trouble(const Cell *cell) {
    const Tensor *x = cell->inputs[0];
    if (row_has(x, cell->row, is_none))
        return "trouble.from_none";
    if (row_has(x, cell->row, is_not_finite))
        return "trouble.infinite_row";
    for (size_t j = 1; j < x->cols; j++) {
        if (tensor_at(x, cell->row, j) != tensor_at(x, cell->row, 0))
            return NULL;
    }
    return x->cols > 1 ? "trouble.no_deviation" : NULL;
}

/* Whether an ID stands for none of `count` rows. */
static bool is_no_row(double id, size_t count) {
    return !(id >= 0 && id < (double)count && id == floor(id));
}

static const char *embed_trouble(const Cell *cell) {
    const Tensor *ids = cell->inputs[1];
    double id =
        tensor_at(ids, ids->rows == 1 ? 0 : cell->row, ids->rows == 1 ? cell->row : 0);
    return is_no_row(id, cell->inputs[0]->rows) ? "trouble.no_row" : NULL;
}

static const char *cross_entropy_trouble(const Cell *cell) {
    const Tensor *targets = cell->inputs[1];
    double target = tensor_at(targets, targets->rows == 1 ? 0 : cell->row,
                              targets->rows == 1 ? cell->row : 0);
    if (target >= 0 && is_no_row(target, cell->inputs[0]->cols))
        return "trouble.no_row";
    return isinf(cell->value) ? "trouble.target_masked" : NULL;
}

/* ---- the others ---- */

static const char *divide_trouble(const Cell *cell) {
    if (input_at(cell, 1) != 0)
        return NULL;
    return input_at(cell, 0) == 0 ? "trouble.zero_by_zero" : "trouble.by_zero";
}

static const char *log_trouble(const Cell *cell) {
    double x = input_at(cell, 0);
    return x < 0 ? "trouble.log_negative" : x == 0 ? "trouble.log_zero" : NULL;
}

/* What is wrong with a cell that is finite, or not, by its operation's own rule. */
static const char *own_trouble(const Cell *cell) {
    switch (cell->node->operation) {
    case OPERATION_SOFTMAX:
        return softmax_trouble(cell);
    case OPERATION_LAYER_NORM:
        return layer_norm_trouble(cell);
    case OPERATION_EMBED:
        return embed_trouble(cell);
    case OPERATION_CROSS_ENTROPY:
        return cross_entropy_trouble(cell);
    case OPERATION_DIVIDE:
        return divide_trouble(cell);
    case OPERATION_LOG:
        return log_trouble(cell);
    case OPERATION_SQRT:
        return input_at(cell, 0) < 0 ? "trouble.sqrt_negative" : NULL;
    case OPERATION_ONE_HOT:
        return isnan(cell->value) ? "trouble.no_row" : NULL;
    default:
        return NULL;
    }
}

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

/* Of a cell that is no number: what comes from one that is none, is none; ∞ − ∞ and 0 × ∞
 * are none either. */
static const char *none_trouble(const Tape *tape, const TapeNode *node) {
    for (size_t i = 0; i < node->input_count; i++) {
        if (has_none(&tape_node(tape, node->inputs[i])->output))
            return "trouble.from_none";
    }
    for (size_t i = 0; i < node->input_count; i++) {
        if (has_infinite(&tape_node(tape, node->inputs[i])->output))
            return node->operation == OPERATION_MATMUL ||
                           node->operation == OPERATION_MULTIPLY
                       ? "trouble.zero_times_infinite"
                       : "trouble.infinite_less_infinite";
    }
    return "trouble.none";
}

const char *trouble_of(const Tape *tape, size_t number, size_t row, size_t col) {
    Cell cell = {.node = tape_node(tape, number), .row = row, .col = col};
    cell.value = tensor_at(&cell.node->output, row, col);
    bool computed = cell.node->operation != OPERATION_GIVEN && !cell.node->muted &&
                    !tape_cell_edited(tape, number, row, col, NULL);
    if (!computed) /* a mute hands on what its first input has */
        return isnan(cell.value) ? "trouble.from_none" : NULL;
    for (size_t i = 0; i < 2 && i < cell.node->input_count; i++)
        cell.inputs[i] = &tape_node(tape, cell.node->inputs[i])->output;
    const char *own = own_trouble(&cell);
    if (own)
        return own;
    return isnan(cell.value) ? none_trouble(tape, cell.node) : NULL;
}
