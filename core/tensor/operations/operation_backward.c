#include "tensor/operations/operation.h"

#include "base/arena.h"
#include "base/error.h"
#include "tensor/operations/operations.h"
#include "tensor/terms/term.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

/* The forward call that the gradient belongs to. */
static OperationCall forward_call(const OperationCall *call) {
    return (OperationCall){call->inputs, call->count - 2, call->options,
                           call->options.operation};
}

static bool backward_shape(const OperationCall *call, Tensor *out, Error *error) {
    const Tensor *result = call->inputs[call->count - 2];
    const Tensor *gradient = call->inputs[call->count - 1];
    const OperationOptions *o = &call->options;
    if (o->operation >= OPERATION_COUNT || o->input + 2 >= call->count ||
        !operation_has_gradient(o->operation, o->input))
        return error_set(error, ERROR_VALUE, 0, 0,
                         "there is nothing to go back to; the input must be one that the "
                         "operation has a derivative for");
    if (gradient->rows != result->rows || gradient->cols != result->cols)
        return error_set(error, ERROR_SHAPE, 0, 0,
                         "the gradient is [%zu,%zu], but belongs to [%zu,%zu]; both must "
                         "have the same shape",
                         gradient->rows, gradient->cols, result->rows, result->cols);
    out->rows = call->inputs[o->input]->rows;
    out->cols = call->inputs[o->input]->cols;
    return true;
}

static void backward_forward(const OperationCall *call, Tensor *out) {
    double *gradients[BACKWARD_INPUTS_MAX] = {0};
    OperationCall forward = forward_call(call);
    assert(forward.count <= BACKWARD_INPUTS_MAX);
    memset(out->values, 0, tensor_cells(out) * sizeof *out->values);
    gradients[call->options.input] = out->values;
    operation_of(call->options.operation)
        ->backward(&forward, call->inputs[call->count - 2],
                   call->inputs[call->count - 1]->values, gradients);
}

const Term *backward_by_rule(const OperationCall *call, const Tensor *out,
                             const Tensor *gradient, const bool *set, size_t input,
                             size_t row, size_t col, Arena *arena) {
    const Operation *operation = operation_of(call->kind);
    OperationReach reach = {0, out->rows, 0, out->cols};
    if (operation->reach)
        reach = operation->reach(call, out, input, row, col);
    size_t cells = (reach.row_end - reach.row_begin) * (reach.col_end - reach.col_begin);
    const Term **parts = arena_alloc(arena, cells ? cells : 1, sizeof *parts);
    size_t count = 0;
    for (size_t i = reach.row_begin; i < reach.row_end; i++) {
        for (size_t j = reach.col_begin; j < reach.col_end; j++) {
            if (set && set[i * out->cols + j])
                continue;
            const Term *term = operation->explain(call, out, i, j, arena);
            /* The explanation doesn't compute values set by hand. */
            const Term *self = set ? NULL : term_cell(arena, call->count, out, i, j);
            const Term *factor = term_derivative(arena, term, input, row, col, self);
            if (!term_is_zero(factor))
                parts[count++] = term_times(
                    arena, term_cell(arena, call->count + 1, gradient, i, j), factor);
        }
    }
    if (count == 0)
        return term_number(arena, 0);
    return count == 1 ? parts[0] : term_new(arena, TERM_SUM, count, parts);
}

static const Term *backward_explain(const OperationCall *call, const Tensor *out,
                                    size_t row, size_t col, Arena *arena) {
    (void)out;
    OperationCall forward = forward_call(call);
    const Operation *operation = operation_of(call->options.operation);
    const Tensor *result = call->inputs[call->count - 2];
    const Tensor *gradient = call->inputs[call->count - 1];
    if (operation->explain_backward)
        return operation->explain_backward(&forward, result, gradient,
                                           call->options.input, row, col, arena);
    return backward_by_rule(&forward, result, gradient, NULL, call->options.input, row,
                            col, arena);
}

static void backward_label(const OperationCall *call, Tensor *out, Arena *arena) {
    (void)arena;
    out->row_labels = call->inputs[call->options.input]->row_labels;
    out->col_labels = call->inputs[call->options.input]->col_labels;
}

const Operation operation_backward = {
    .name = "backward",
    .inputs = {3, BACKWARD_INPUTS_MAX + 2},
    .formula = "\\frac{\\partial L}{\\partial x}",
    .work = OPERATION_WORK_BY_ROW,
    .shape = backward_shape,
    .forward = backward_forward,
    .explain = backward_explain,
    .label = backward_label,
};
