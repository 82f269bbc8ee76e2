#include "tensor/operations/operations.h"

#include "base/arena.h"
#include "base/error.h"

#include <math.h>

/* ---- embed: inputs E [v,d] and a list of n IDs ---- */

static bool embed_shape(const OperationCall *call, Tensor *out, Error *error) {
    out->rows = ids_count(call->inputs[1]);
    out->cols = call->inputs[0]->cols;
    return ids_check_shape(call->inputs[1], error);
}

/* Reports whether `id` is the index of one of `count` rows. */
static bool is_row(double id, size_t count) {
    return id >= 0 && id < (double)count && id == floor(id);
}

static bool embed_accepts(const OperationCall *call, Error *error) {
    const Tensor *table = call->inputs[0], *ids = call->inputs[1];
    for (size_t i = 0; i < ids_count(ids); i++) {
        if (!is_row(ids->values[i], table->rows))
            return error_set(
                error, ERROR_VALUE, 0, 0,
                "ID number %zu is %g, but must be a whole number from 0 to %zu, "
                "a row of the table",
                i + 1, ids->values[i], table->rows - 1);
    }
    return true;
}

/* Origin of an embedding's cell: none if its ID isn't a row. */
static Origin embed_origin(const OperationCall *call, size_t row, size_t col) {
    const Tensor *table = call->inputs[0];
    double id = call->inputs[1]->values[row];
    bool found = is_row(id, table->rows);
    return (Origin){found ? 0 : call->count, found ? (size_t)id : 0, col,
                    table->cols - col, 1};
}

static const Term *embed_explain(const OperationCall *call, const Tensor *out, size_t row,
                                 size_t col, Arena *arena) {
    (void)out;
    const Tensor *table = call->inputs[0], *ids = call->inputs[1];
    double id = ids->values[row];
    if (!is_row(id, table->rows))
        return term_number(arena, NAN);
    return term_binary(arena, TERM_ROW_OF,
                       term_cell(arena, 1, ids, ids_row(ids, row), ids_col(ids, row)),
                       term_cell(arena, 0, table, (size_t)id, col));
}

static void embed_label(const OperationCall *call, Tensor *out, Arena *arena) {
    const Tensor *table = call->inputs[0], *ids = call->inputs[1];
    out->col_labels = table->col_labels;
    out->row_labels = ids_labels(ids);
    if (out->row_labels || !table->row_labels)
        return;
    const char **labels = arena_alloc(arena, out->rows, sizeof *labels);
    for (size_t i = 0; i < out->rows; i++) {
        bool found = is_row(ids->values[i], table->rows);
        labels[i] = found ? table->row_labels[(size_t)ids->values[i]] : "?";
    }
    out->row_labels = labels;
}

static OperationReach embed_reach(const OperationCall *call, const Tensor *out,
                                  size_t input, size_t row, size_t col) {
    (void)call, (void)input, (void)row;
    return (OperationReach){0, out->rows, col, col + 1};
}

static const char *embed_problem(const OperationCall *call, const Tensor *out, size_t row,
                                 size_t col) {
    (void)out, (void)col;
    bool found = is_row(call->inputs[1]->values[row], call->inputs[0]->rows);
    return found ? NULL : "trouble.no_row";
}

const Operation operation_embed = {
    .name = "embed",
    .inputs = {2, 2},
    .arguments = "E, ids",
    .symbol = "embed",
    .formula = "#1_{id}",
    .code.numpy = "#1[#2.ravel().astype(int)]",
    .code.torch = "F.embedding(#2.flatten().long(), #1)",
    .code.numpy_backward = {"one_hot(#2, len(#1)).T @ #g"},
    .work = OPERATION_WORK_BY_MOVING,
    .ids = 2,
    .backward_inputs = 1,
    .shape = embed_shape,
    .accepts = embed_accepts,
    .origin = embed_origin,
    .forward = move_forward,
    .explain = embed_explain,
    .problem = embed_problem,
    .backward = move_backward,
    .reach = embed_reach,
    .label = embed_label,
};

/* ---- one-hot: a list of IDs, to one row each with a single 1 ---- */

static bool one_hot_shape(const OperationCall *call, Tensor *out, Error *error) {
    out->rows = ids_count(call->inputs[0]);
    out->cols = call->options.cols;
    return ids_check_shape(call->inputs[0], error);
}

static bool one_hot_accepts(const OperationCall *call, Error *error) {
    const Tensor *ids = call->inputs[0];
    for (size_t i = 0; i < ids_count(ids); i++) {
        if (!is_row(ids->values[i], call->options.cols))
            return error_set(
                error, ERROR_VALUE, 0, 0,
                "ID number %zu is %g, but must be a whole number from 0 to %zu, "
                "a column of one_hot",
                i + 1, ids->values[i], call->options.cols - 1);
    }
    return true;
}

static void one_hot_forward(const OperationCall *call, Tensor *out) {
    for (size_t i = 0; i < out->rows; i++) {
        for (size_t j = 0; j < out->cols; j++)
            out->values[i * out->cols + j] = call->inputs[0]->values[i] == (double)j;
    }
}

static const Term *one_hot_explain(const OperationCall *call, const Tensor *out,
                                   size_t row, size_t col, Arena *arena) {
    (void)out;
    const Tensor *ids = call->inputs[0];
    return term_new(arena, TERM_EQUAL, 4,
                    (const Term *const[]){
                        term_cell(arena, 0, ids, ids_row(ids, row), ids_col(ids, row)),
                        term_number(arena, (double)col), term_number(arena, 1),
                        term_number(arena, 0)});
}

static void one_hot_label(const OperationCall *call, Tensor *out, Arena *arena) {
    (void)arena;
    out->row_labels = ids_labels(call->inputs[0]);
}

static const char *one_hot_problem(const OperationCall *call, const Tensor *out,
                                   size_t row, size_t col) {
    (void)call;
    return isnan(tensor_at(out, row, col)) ? "trouble.no_row" : NULL;
}

const Operation operation_one_hot = {
    .name = "one_hot",
    .inputs = {1, 1},
    .arguments = "ids, n",
    .numbers = {{"n", offsetof(OperationOptions, cols), .whole = true}},
    .symbol = "onehot",
    .formula = "\\op{onehot}\\left(#1\\right)",
    .code.numpy = "one_hot(#1, $cols)",
    .code.torch = "F.one_hot(#1.flatten().long(), $cols).double()",
    .code.numpy_helpers = "def one_hot(ids, n):\n"
                          "    return np.eye(n)[ids.ravel().astype(int)]\n",
    .work = OPERATION_WORK_BY_MARKING,
    .values = OPERATION_VALUES_PROBABILITIES,
    .ids = 1,
    .shape = one_hot_shape,
    .accepts = one_hot_accepts,
    .forward = one_hot_forward,
    .explain = one_hot_explain,
    .problem = one_hot_problem,
    .label = one_hot_label,
};

/* ---- padding mask: a list of n IDs to one row of n; ID 0 is padding ---- */

static bool padding_mask_shape(const OperationCall *call, Tensor *out, Error *error) {
    out->rows = 1;
    out->cols = ids_count(call->inputs[0]);
    return ids_check_shape(call->inputs[0], error);
}

static void padding_mask_forward(const OperationCall *call, Tensor *out) {
    for (size_t j = 0; j < out->cols; j++)
        out->values[j] = call->inputs[0]->values[j] == 0 ? -INFINITY : 0;
}

static const Term *padding_mask_explain(const OperationCall *call, const Tensor *out,
                                        size_t row, size_t col, Arena *arena) {
    (void)out, (void)row;
    const Tensor *ids = call->inputs[0];
    return term_new(arena, TERM_EQUAL, 4,
                    (const Term *const[]){
                        term_cell(arena, 0, ids, ids_row(ids, col), ids_col(ids, col)),
                        term_number(arena, 0), term_number(arena, -INFINITY),
                        term_number(arena, 0)});
}

static void padding_mask_label(const OperationCall *call, Tensor *out, Arena *arena) {
    (void)arena;
    out->col_labels = ids_labels(call->inputs[0]);
}

const Operation operation_padding_mask = {
    .name = "padding_mask",
    .inputs = {1, 1},
    .arguments = "ids",
    .symbol = "padding",
    .formula = "\\tensor{M}_{j} = -\\infty \\quad #1_{j} = 0",
    .code.numpy = "np.where(#1.reshape(1, -1) == 0, -np.inf, 0.0)",
    .code.torch = "torch.where(#1.reshape(1, -1) == 0, -torch.inf, 0.0)",
    .work = OPERATION_WORK_BY_MARKING,
    .values = OPERATION_VALUES_MASK,
    .ids = 1,
    .shape = padding_mask_shape,
    .forward = padding_mask_forward,
    .explain = padding_mask_explain,
    .label = padding_mask_label,
};
