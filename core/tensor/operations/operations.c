#include "tensor/operations/operations.h"

#include "base/error.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const Operation *const table[OPERATION_COUNT] = {
    [OPERATION_GIVEN] = &operation_given,
    [OPERATION_ADD] = &operation_add,
    [OPERATION_SUBTRACT] = &operation_subtract,
    [OPERATION_MULTIPLY] = &operation_multiply,
    [OPERATION_DIVIDE] = &operation_divide,
    [OPERATION_NEGATE] = &operation_negate,
    [OPERATION_MATMUL] = &operation_matmul,
    [OPERATION_TRANSPOSE] = &operation_transpose,
    [OPERATION_SLICE] = &operation_slice,
    [OPERATION_CONCAT] = &operation_concat,
    [OPERATION_SOFTMAX] = &operation_softmax,
    [OPERATION_RELU] = &operation_relu,
    [OPERATION_GELU] = &operation_gelu,
    [OPERATION_GELU_TANH] = &operation_gelu_tanh,
    [OPERATION_SILU] = &operation_silu,
    [OPERATION_EXP] = &operation_exp,
    [OPERATION_SQRT] = &operation_sqrt,
    [OPERATION_SUM] = &operation_sum,
    [OPERATION_MEAN] = &operation_mean,
    [OPERATION_MAX] = &operation_max,
    [OPERATION_ARGMAX] = &operation_argmax,
    [OPERATION_ONE_HOT] = &operation_one_hot,
    [OPERATION_LAYER_NORM] = &operation_layer_norm,
    [OPERATION_RMS_NORM] = &operation_rms_norm,
    [OPERATION_EMBED] = &operation_embed,
    [OPERATION_DROPOUT] = &operation_dropout,
    [OPERATION_ROTARY] = &operation_rotary,
    [OPERATION_POSITIONAL_ENCODING] = &operation_positional_encoding,
    [OPERATION_CAUSAL_MASK] = &operation_causal_mask,
    [OPERATION_PADDING_MASK] = &operation_padding_mask,
    [OPERATION_LOG] = &operation_log,
    [OPERATION_CROSS_ENTROPY] = &operation_cross_entropy,
    [OPERATION_STACK] = &operation_stack,
    [OPERATION_TOP_K] = &operation_top_k,
    [OPERATION_TOP_P] = &operation_top_p,
    [OPERATION_BACKWARD] = &operation_backward,
};

bool operation_has_row(OperationKind kind) {
    return table[kind] != NULL;
}

const Operation *operation_of(OperationKind kind) {
    assert(kind < OPERATION_COUNT && table[kind]);
    return table[kind];
}

size_t operation_numbers_needed(const Operation *operation) {
    size_t needed = 0;
    for (size_t i = 0; i < OPERATION_ARGUMENTS_MAX; i++)
        needed += operation->numbers[i].name && operation->numbers[i].usual == 0;
    return needed;
}

bool operation_reads_ids(OperationKind kind, size_t input) {
    return operation_of(kind)->ids == input + 1;
}

bool operation_has_gradient(OperationKind kind, size_t input) {
    const Operation *operation = operation_of(kind);
    return operation->backward &&
           (operation->backward_inputs == 0 || input < operation->backward_inputs);
}

void operation_label(const OperationCall *call, Tensor *out, Arena *arena) {
    if (table[call->kind]->label) {
        table[call->kind]->label(call, out, arena);
        return;
    }
    for (size_t i = 0; i < call->count; i++) {
        const Tensor *input = call->inputs[i];
        if (!out->row_labels && input->rows == out->rows)
            out->row_labels = input->row_labels;
        if (!out->col_labels && input->cols == out->cols)
            out->col_labels = input->col_labels;
    }
}

bool operation_shape(const OperationCall *call, Tensor *out, Error *error) {
    if (call->count) {
        out->rows = call->inputs[0]->rows;
        out->cols = call->inputs[0]->cols;
    }
    return !table[call->kind]->shape || table[call->kind]->shape(call, out, error);
}

const char *product_problem(const OperationCall *call, const Tensor *out, size_t row,
                            size_t col) {
    bool infinite = false;
    if (!isnan(tensor_at(out, row, col)))
        return NULL;
    for (size_t i = 0; i < call->count; i++) {
        for (size_t j = 0; j < tensor_cells(call->inputs[i]); j++) {
            if (isnan(call->inputs[i]->values[j]))
                return NULL;
            infinite |= isinf(call->inputs[i]->values[j]) != 0;
        }
    }
    return infinite ? "trouble.zero_times_infinite" : NULL;
}

OperationReach reach_row(const OperationCall *call, const Tensor *out, size_t input,
                         size_t row, size_t col) {
    (void)call, (void)input, (void)col;
    return (OperationReach){row, row + 1, 0, out->cols};
}

OperationReach reach_place(const OperationCall *call, const Tensor *out, size_t input,
                           size_t row, size_t col) {
    const Tensor *from = call->inputs[input];
    OperationReach reach = {row, row + 1, col, col + 1};
    if (from->rows == 1)
        reach.row_end = out->rows;
    if (from->cols == 1)
        reach.col_end = out->cols;
    return reach;
}

const double *row_of(const OperationCall *call, size_t row) {
    return call->inputs[0]->values + row * call->inputs[0]->cols;
}

bool row_has(const OperationCall *call, size_t row, bool (*is)(double)) {
    for (size_t j = 0; j < call->inputs[0]->cols; j++) {
        if (is(row_of(call, row)[j]))
            return true;
    }
    return false;
}

bool is_none(double value) {
    return isnan(value);
}

size_t ids_count(const Tensor *ids) {
    return ids->rows * ids->cols;
}

size_t ids_row(const Tensor *ids, size_t i) {
    return ids->rows == 1 ? 0 : i;
}

size_t ids_col(const Tensor *ids, size_t i) {
    return ids->rows == 1 ? i : 0;
}

const char *const *ids_labels(const Tensor *ids) {
    return ids->rows == 1 ? ids->col_labels : ids->row_labels;
}

bool ids_check_shape(const Tensor *ids, Error *error) {
    if (ids->rows == 1 || ids->cols == 1)
        return true;
    return error_set(error, ERROR_SHAPE, 0, 0,
                     "a list of IDs is one row or one column, not [%zu,%zu]", ids->rows,
                     ids->cols);
}

/* Returns a call's operation; of a gradient, the one that it goes back through. */
static OperationKind kind_passed(const OperationCall *call) {
    return call->kind == OPERATION_BACKWARD ? call->options.operation : call->kind;
}

bool operation_is_product(const OperationCall *call) {
    return kind_passed(call) == OPERATION_MATMUL;
}

/* Upper bounds of the cost, in operations: of a cell of an operation other than a
 * product, such as softmax; of a cell computed from its position, such as a sine; of a
 * cell inspected in a search for the largest ones, with the heap of those found; and of
 * the call itself, which takes about 1.5 microseconds, with its node on the tape, even
 * for the smallest tensors. */
enum { CELL_COST = 64, PLACE_COST = 128, LOOK_COST = 40, CALL_COST = 8000 };

/* Returns the number of passes over a row that find its largest cells. One pass finds
 * several; top_p may need all cells. */
static double passes(const OperationCall *call, size_t cols) {
    OperationKind kind = kind_passed(call);
    bool keeps_some = kind == OPERATION_TOP_K || kind == OPERATION_TOP_P;
    bool all = kind == OPERATION_TOP_P || call->options.keep > cols;
    size_t kept = all ? cols : call->options.keep;
    return keeps_some ? (double)(kept / OPERATION_FOUND_AT_ONCE + 1) : 0;
}

double operation_cost(const OperationCall *call, const Tensor *out) {
    double cells = (double)tensor_cells(out);
    if (operation_is_product(call))
        return CALL_COST + 4 * cells +
               (double)call->inputs[0]->rows * (double)call->inputs[0]->cols *
                   (double)call->inputs[1]->cols;
    double looked = LOOK_COST * cells * passes(call, out->cols);
    OperationWork work = operation_of(call->kind)->work;
    if (call->kind == OPERATION_BACKWARD)
        cells += (double)tensor_cells(call->inputs[call->count - 1]);
    else if (work == OPERATION_WORK_BY_ROW)
        cells += (double)tensor_cells(call->inputs[0]);
    return CALL_COST + looked +
           (work == OPERATION_WORK_BY_ITSELF ? PLACE_COST : CELL_COST) * cells;
}
