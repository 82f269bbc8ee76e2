#include "base/arena.h"
#include "base/error.h"
#include "tensor/operations/kernels.h"
#include "tensor/operations/operations.h"

#include <stdint.h>
#include <string.h>

/* ---- transpose ---- */

static bool transpose_shape(const OperationCall *call, Tensor *out, Error *error) {
    (void)error;
    out->rows = call->inputs[0]->cols;
    out->cols = call->inputs[0]->rows;
    return true;
}

static void transpose_forward(const OperationCall *call, Tensor *out) {
    kernel_transpose(out->values, call->inputs[0]->values, out->cols, out->rows);
}

static const Term *transpose_explain(const OperationCall *call, const Tensor *out,
                                     size_t row, size_t col, Arena *arena) {
    (void)out;
    return term_cell(arena, 0, call->inputs[0], col, row);
}

static void transpose_label(const OperationCall *call, Tensor *out, Arena *arena) {
    (void)arena;
    out->row_labels = call->inputs[0]->col_labels;
    out->col_labels = call->inputs[0]->row_labels;
}

static void transpose_backward(const OperationCall *call, const Tensor *out,
                               const double *gradient, double *const *gradients) {
    (void)call;
    for (size_t i = 0; gradients[0] && i < out->rows; i++) {
        for (size_t j = 0; j < out->cols; j++)
            gradients[0][j * out->rows + i] += gradient[i * out->cols + j];
    }
}

static OperationReach transpose_reach(const OperationCall *call, const Tensor *out,
                                      size_t input, size_t row, size_t col) {
    (void)call, (void)out, (void)input;
    return (OperationReach){col, col + 1, row, row + 1};
}

const Operation operation_transpose = {
    .name = "transpose",
    .inputs = {1, 1},
    .formula = "#1^{\\text{T}}",
    .binding = OPERATION_BINDS_WHOLE,
    .code.numpy = "#1.T",
    .code.torch = "#1.T",
    .code.numpy_backward = {"#g.T"},
    .work = OPERATION_WORK_BY_MOVING,
    .values = OPERATION_VALUES_OF_INPUT,
    .shape = transpose_shape,
    .forward = transpose_forward,
    .explain = transpose_explain,
    .backward = transpose_backward,
    .reach = transpose_reach,
    .label = transpose_label,
};

/* ---- slice ---- */

static bool slice_shape(const OperationCall *call, Tensor *out, Error *error) {
    const OperationOptions *o = &call->options;
    const Tensor *x = call->inputs[0];
    if (o->row_begin >= o->row_end || o->row_end > x->rows)
        return error_set(
            error, ERROR_SHAPE, 0, 0,
            "rows %zu:%zu of [%zu,%zu] don't exist; rows count from 0 to %zu",
            o->row_begin, o->row_end, x->rows, x->cols, x->rows - 1);
    if (o->col_begin >= o->col_end || o->col_end > x->cols)
        return error_set(
            error, ERROR_SHAPE, 0, 0,
            "columns %zu:%zu of [%zu,%zu] don't exist; columns count from 0 to "
            "%zu",
            o->col_begin, o->col_end, x->rows, x->cols, x->cols - 1);
    out->rows = o->row_end - o->row_begin;
    out->cols = o->col_end - o->col_begin;
    return true;
}

static void slice_forward(const OperationCall *call, Tensor *out) {
    const OperationOptions *o = &call->options;
    const Tensor *x = call->inputs[0];
    for (size_t i = 0; i < out->rows; i++)
        memcpy(out->values + i * out->cols,
               x->values + (i + o->row_begin) * x->cols + o->col_begin,
               out->cols * sizeof *out->values);
}

static const Term *slice_explain(const OperationCall *call, const Tensor *out, size_t row,
                                 size_t col, Arena *arena) {
    (void)out;
    return term_cell(arena, 0, call->inputs[0], row + call->options.row_begin,
                     col + call->options.col_begin);
}

static void slice_label(const OperationCall *call, Tensor *out, Arena *arena) {
    (void)arena;
    const Tensor *x = call->inputs[0];
    if (x->row_labels)
        out->row_labels = x->row_labels + call->options.row_begin;
    if (x->col_labels)
        out->col_labels = x->col_labels + call->options.col_begin;
}

static void slice_backward(const OperationCall *call, const Tensor *out,
                           const double *gradient, double *const *gradients) {
    const OperationOptions *o = &call->options;
    size_t cols = call->inputs[0]->cols;
    for (size_t i = 0; gradients[0] && i < out->rows; i++)
        add_numbers(gradients[0] + (i + o->row_begin) * cols + o->col_begin,
                    gradient + i * out->cols, out->cols);
}

static OperationReach slice_reach(const OperationCall *call, const Tensor *out,
                                  size_t input, size_t row, size_t col) {
    (void)out, (void)input;
    const OperationOptions *o = &call->options;
    if (row < o->row_begin || row >= o->row_end || col < o->col_begin ||
        col >= o->col_end)
        return (OperationReach){0};
    row -= o->row_begin;
    col -= o->col_begin;
    return (OperationReach){row, row + 1, col, col + 1};
}

const Operation operation_slice = {
    .name = "slice",
    .inputs = {1, 1},
    .formula = "#1",
    .binding = OPERATION_BINDS_WHOLE,
    .code.numpy = "#1[$slice]",
    .code.torch = "#1[$slice]",
    .code.numpy_backward = {"place(#g, #1, $r0, $c0)"},
    .code.numpy_helpers = "def place(g, x, row, col):\n"
                          "    out = np.zeros(x.shape)\n"
                          "    out[row:row + g.shape[0], col:col + g.shape[1]] = g\n"
                          "    return out\n",
    .work = OPERATION_WORK_BY_MOVING,
    .values = OPERATION_VALUES_OF_INPUT,
    .shape = slice_shape,
    .forward = slice_forward,
    .explain = slice_explain,
    .backward = slice_backward,
    .reach = slice_reach,
    .label = slice_label,
};

/* ---- concat: side by side ---- */

/* Concatenates the labels of all inputs' rows, or columns: `count` of them; NULL if an
 * input has none. */
static const char *const *join_labels(const OperationCall *call, bool rows, size_t count,
                                      Arena *arena) {
    const char **labels = arena_alloc(arena, count, sizeof *labels), **end = labels;
    for (size_t p = 0; p < call->count; p++) {
        const Tensor *part = call->inputs[p];
        const char *const *own = rows ? part->row_labels : part->col_labels;
        size_t length = rows ? part->rows : part->cols;
        if (!own)
            return NULL;
        memcpy(end, own, length * sizeof *own);
        end += length;
    }
    return labels;
}

static bool concat_shape(const OperationCall *call, Tensor *out, Error *error) {
    out->rows = call->inputs[0]->rows;
    out->cols = 0;
    for (size_t i = 0; i < call->count; i++) {
        const Tensor *part = call->inputs[i];
        if (part->rows != out->rows)
            return error_set(
                error, ERROR_SHAPE, 0, 0,
                "concat sets tensors side by side, so all need the same number "
                "of rows: part 1 is [%zu,%zu], part %zu is [%zu,%zu]",
                call->inputs[0]->rows, call->inputs[0]->cols, i + 1, part->rows,
                part->cols);
        out->cols += part->cols;
    }
    return true;
}

static void concat_forward(const OperationCall *call, Tensor *out) {
    size_t left = 0;
    for (size_t p = 0; p < call->count; p++) {
        const Tensor *part = call->inputs[p];
        for (size_t i = 0; i < part->rows; i++)
            memcpy(out->values + i * out->cols + left, part->values + i * part->cols,
                   part->cols * sizeof *out->values);
        left += part->cols;
    }
}

static const Term *concat_explain(const OperationCall *call, const Tensor *out,
                                  size_t row, size_t col, Arena *arena) {
    (void)out;
    size_t part = 0;
    while (col >= call->inputs[part]->cols)
        col -= call->inputs[part++]->cols;
    return term_cell(arena, part, call->inputs[part], row, col);
}

static void concat_label(const OperationCall *call, Tensor *out, Arena *arena) {
    out->row_labels = call->inputs[0]->row_labels;
    out->col_labels = join_labels(call, false, out->cols, arena);
}

static void concat_backward(const OperationCall *call, const Tensor *out,
                            const double *gradient, double *const *gradients) {
    size_t left = 0;
    for (size_t p = 0; p < call->count; p++) {
        const Tensor *part = call->inputs[p];
        for (size_t i = 0; gradients[p] && i < part->rows; i++)
            add_numbers(gradients[p] + i * part->cols, gradient + i * out->cols + left,
                        part->cols);
        left += part->cols;
    }
}

static OperationReach concat_reach(const OperationCall *call, const Tensor *out,
                                   size_t input, size_t row, size_t col) {
    (void)out;
    for (size_t p = 0; p < input; p++)
        col += call->inputs[p]->cols;
    return (OperationReach){row, row + 1, col, col + 1};
}

const Operation operation_concat = {
    .name = "concat",
    .inputs = {1, SIZE_MAX},
    .arguments = "a, b, …",
    .symbol = "concat",
    .formula = "\\op{concat}\\left(#1, \\ldots\\right)",
    .binding = OPERATION_BINDS_WHOLE,
    .code.numpy = "np.concatenate([#*], axis=1)",
    .code.torch = "torch.cat([#*], dim=1)",
    .code.numpy_backward = {"#g[:, $left:$right]"},
    .work = OPERATION_WORK_BY_MOVING,
    .values = OPERATION_VALUES_OF_INPUT,
    .shape = concat_shape,
    .forward = concat_forward,
    .explain = concat_explain,
    .backward = concat_backward,
    .reach = concat_reach,
    .label = concat_label,
};

/* ---- stack: rows under rows ---- */

static bool stack_shape(const OperationCall *call, Tensor *out, Error *error) {
    out->rows = 0;
    out->cols = call->inputs[0]->cols;
    for (size_t i = 0; i < call->count; i++) {
        const Tensor *part = call->inputs[i];
        if (part->cols != out->cols)
            return error_set(error, ERROR_SHAPE, 0, 0,
                             "stack sets rows under rows, so all need the same number of "
                             "columns: part 1 is [%zu,%zu], part %zu is [%zu,%zu]",
                             call->inputs[0]->rows, call->inputs[0]->cols, i + 1,
                             part->rows, part->cols);
        out->rows += part->rows;
    }
    return true;
}

static void stack_forward(const OperationCall *call, Tensor *out) {
    double *to = out->values;
    for (size_t p = 0; p < call->count; p++) {
        size_t cells = tensor_cells(call->inputs[p]);
        memcpy(to, call->inputs[p]->values, cells * sizeof *to);
        to += cells;
    }
}

static const Term *stack_explain(const OperationCall *call, const Tensor *out, size_t row,
                                 size_t col, Arena *arena) {
    (void)out;
    size_t part = 0;
    while (row >= call->inputs[part]->rows)
        row -= call->inputs[part++]->rows;
    return term_cell(arena, part, call->inputs[part], row, col);
}

static void stack_label(const OperationCall *call, Tensor *out, Arena *arena) {
    out->col_labels = call->inputs[0]->col_labels;
    out->row_labels = join_labels(call, true, out->rows, arena);
}

static void stack_backward(const OperationCall *call, const Tensor *out,
                           const double *gradient, double *const *gradients) {
    (void)out;
    for (size_t p = 0; p < call->count; p++) {
        size_t cells = tensor_cells(call->inputs[p]);
        if (gradients[p])
            add_numbers(gradients[p], gradient, cells);
        gradient += cells;
    }
}

static OperationReach stack_reach(const OperationCall *call, const Tensor *out,
                                  size_t input, size_t row, size_t col) {
    (void)out;
    for (size_t p = 0; p < input; p++)
        row += call->inputs[p]->rows;
    return (OperationReach){row, row + 1, col, col + 1};
}

const Operation operation_stack = {
    .name = "stack",
    .inputs = {1, SIZE_MAX},
    .arguments = "a, b, …",
    .symbol = "stack",
    .formula = "\\op{stack}\\left(#1, \\ldots\\right)",
    .binding = OPERATION_BINDS_WHOLE,
    .code.numpy = "np.concatenate([#*], axis=0)",
    .code.torch = "torch.cat([#*], dim=0)",
    .code.numpy_backward = {"#g[$top:$bottom]"},
    .work = OPERATION_WORK_BY_MOVING,
    .values = OPERATION_VALUES_OF_INPUT,
    .shape = stack_shape,
    .forward = stack_forward,
    .explain = stack_explain,
    .backward = stack_backward,
    .reach = stack_reach,
    .label = stack_label,
};
