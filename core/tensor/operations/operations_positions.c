#include "base/arena.h"
#include "base/error.h"
#include "tensor/operations/operations.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- moving: each output cell is a copy of an input's cell ---- */

/* Offset of the cell that an output cell is copied from, within its input. */
static size_t offset_of(const OperationCall *call, const Origin *from) {
    return from->row * call->inputs[from->input]->cols + from->col;
}

void move_forward(const OperationCall *call, Tensor *out) {
    for (size_t row = 0; row < out->rows; row++) {
        for (size_t col = 0; col < out->cols;) {
            Origin from = operation_of(call->kind)->origin(call, row, col);
            bool moved = from.input < call->count;
            const double *cells =
                moved ? call->inputs[from.input]->values + offset_of(call, &from) : NULL;
            double *to = out->values + row * out->cols + col;
            for (size_t i = 0; i < from.run; i++)
                to[i] = moved ? cells[i * from.step] : NAN;
            col += from.run;
        }
    }
}

void move_backward(const OperationCall *call, const Tensor *out, const double *gradient,
                   double *const *gradients) {
    for (size_t row = 0; row < out->rows; row++) {
        for (size_t col = 0; col < out->cols;) {
            Origin from = operation_of(call->kind)->origin(call, row, col);
            const double *g = gradient + row * out->cols + col;
            if (from.input < call->count && gradients[from.input]) {
                double *to = gradients[from.input] + offset_of(call, &from);
                for (size_t i = 0; i < from.run; i++)
                    to[i * from.step] += g[i];
            }
            col += from.run;
        }
    }
}

const Term *move_explain(const OperationCall *call, const Tensor *out, size_t row,
                         size_t col, Arena *arena) {
    (void)out;
    Origin from = operation_of(call->kind)->origin(call, row, col);
    return term_cell(arena, from.input, call->inputs[from.input], from.row, from.col);
}

/* ---- transpose ---- */

static bool transpose_shape(const OperationCall *call, Tensor *out, Error *error) {
    (void)error;
    out->rows = call->inputs[0]->cols;
    out->cols = call->inputs[0]->rows;
    return true;
}

static Origin transpose_origin(const OperationCall *call, size_t row, size_t col) {
    const Tensor *x = call->inputs[0];
    return (Origin){0, col, row, x->rows - col, x->cols};
}

static void transpose_label(const OperationCall *call, Tensor *out, Arena *arena) {
    (void)arena;
    out->row_labels = call->inputs[0]->col_labels;
    out->col_labels = call->inputs[0]->row_labels;
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
    .code.numpy = "#1.T",
    .code.numpy_backward = {"#g.T"},
    .work = OPERATION_WORK_BY_MOVING,
    .values = OPERATION_VALUES_OF_INPUT,
    .shape = transpose_shape,
    .origin = transpose_origin,
    .forward = move_forward,
    .explain = move_explain,
    .backward = move_backward,
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

static Origin slice_origin(const OperationCall *call, size_t row, size_t col) {
    const OperationOptions *o = &call->options;
    size_t from = o->col_begin + col;
    return (Origin){0, o->row_begin + row, from, o->col_end - from, 1};
}

static void slice_label(const OperationCall *call, Tensor *out, Arena *arena) {
    (void)arena;
    const Tensor *x = call->inputs[0];
    if (x->row_labels)
        out->row_labels = x->row_labels + call->options.row_begin;
    if (x->col_labels)
        out->col_labels = x->col_labels + call->options.col_begin;
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
    .code.numpy = "#1[$slice]",
    .code.numpy_backward = {"place(#g, #1, $r0, $c0)"},
    .code.numpy_helpers = "def place(g, x, row, col):\n"
                          "    out = np.zeros(x.shape)\n"
                          "    out[row:row + g.shape[0], col:col + g.shape[1]] = g\n"
                          "    return out\n",
    .work = OPERATION_WORK_BY_MOVING,
    .values = OPERATION_VALUES_OF_INPUT,
    .shape = slice_shape,
    .origin = slice_origin,
    .forward = move_forward,
    .explain = move_explain,
    .backward = move_backward,
    .reach = slice_reach,
    .label = slice_label,
};

/* ---- concat, side by side; and stack, rows under rows ---- */

static bool is_stack(const OperationCall *call) {
    return call->kind == OPERATION_STACK;
}

/* Length of a part on the axis on which the parts follow one another. */
static size_t part_length(const OperationCall *call, size_t part) {
    return is_stack(call) ? call->inputs[part]->rows : call->inputs[part]->cols;
}

static bool join_shape(const OperationCall *call, Tensor *out, Error *error) {
    const Tensor *first = call->inputs[0];
    bool stack = is_stack(call);
    size_t length = 0;
    for (size_t i = 0; i < call->count; i++) {
        const Tensor *part = call->inputs[i];
        if (stack ? part->cols != first->cols : part->rows != first->rows)
            return error_set(error, ERROR_SHAPE, 0, 0,
                             "%s, so all need the same number of %s: part 1 is "
                             "[%zu,%zu], part %zu is [%zu,%zu]",
                             stack ? "stack sets rows under rows"
                                   : "concat sets tensors side by side",
                             stack ? "columns" : "rows", first->rows, first->cols, i + 1,
                             part->rows, part->cols);
        length += part_length(call, i);
    }
    out->rows = stack ? length : first->rows;
    out->cols = stack ? first->cols : length;
    return true;
}

static Origin join_origin(const OperationCall *call, size_t row, size_t col) {
    size_t part = 0, *at = is_stack(call) ? &row : &col;
    while (*at >= part_length(call, part))
        *at -= part_length(call, part++);
    return (Origin){part, row, col, call->inputs[part]->cols - col, 1};
}

/* Concatenates the labels of all parts' rows, or columns; none if a part has none. */
static void join_label(const OperationCall *call, Tensor *out, Arena *arena) {
    bool stack = is_stack(call);
    size_t length = stack ? out->rows : out->cols;
    const char **labels = arena_alloc(arena, length, sizeof *labels), **end = labels;
    for (size_t p = 0; end && p < call->count; p++) {
        const Tensor *part = call->inputs[p];
        const char *const *own = stack ? part->row_labels : part->col_labels;
        if (own)
            memcpy(end, own, part_length(call, p) * sizeof *own);
        end = own ? end + part_length(call, p) : NULL;
    }
    out->row_labels = stack ? NULL : call->inputs[0]->row_labels;
    out->col_labels = stack ? call->inputs[0]->col_labels : NULL;
    *(stack ? &out->row_labels : &out->col_labels) = end ? labels : NULL;
}

static OperationReach join_reach(const OperationCall *call, const Tensor *out,
                                 size_t input, size_t row, size_t col) {
    (void)out;
    for (size_t p = 0; p < input; p++)
        *(is_stack(call) ? &row : &col) += part_length(call, p);
    return (OperationReach){row, row + 1, col, col + 1};
}

/* The columns of the operation table that are equal for both. */
#define JOIN_ROW                                                                         \
    .inputs = {1, SIZE_MAX}, .arguments = "a, b, …", .work = OPERATION_WORK_BY_MOVING,   \
    .values = OPERATION_VALUES_OF_INPUT, .shape = join_shape, .origin = join_origin,     \
    .forward = move_forward, .explain = move_explain, .backward = move_backward,         \
    .reach = join_reach, .label = join_label

const Operation operation_concat = {
    .name = "concat",
    JOIN_ROW,
    .symbol = "concat",
    .formula = "\\op{concat}\\left(#1, \\ldots\\right)",
    .code.numpy = "np.concatenate([#*], axis=1)",
    .code.torch = "torch.cat([#*], dim=1)",
    .code.numpy_backward = {"#g[:, $left:$right]"},
};

const Operation operation_stack = {
    .name = "stack",
    JOIN_ROW,
    .symbol = "stack",
    .formula = "\\op{stack}\\left(#1, \\ldots\\right)",
    .code.numpy = "np.concatenate([#*], axis=0)",
    .code.torch = "torch.cat([#*], dim=0)",
    .code.numpy_backward = {"#g[$top:$bottom]"},
};
