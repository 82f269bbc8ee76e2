#include "tensor/operations/kernels.h"
#include "tensor/operations/operations.h"

#include <math.h>

/* A given tensor keeps the values that it was appended with. */
static bool given_shape(const OperationCall *call, Tensor *out, Error *error) {
    (void)error;
    out->rows = call->options.rows;
    out->cols = call->options.cols;
    return true;
}

static void given_forward(const OperationCall *call, Tensor *out) {
    (void)call, (void)out;
}

static const Term *given_explain(const OperationCall *call, const Tensor *out, size_t row,
                                 size_t col, Arena *arena) {
    (void)call;
    return term_number(arena, tensor_at(out, row, col));
}

const Operation operation_given = {
    .name = "given",
    .formula = "",
    .work = OPERATION_WORK_BY_ITSELF,
    .shape = given_shape,
    .forward = given_forward,
    .explain = given_explain,
};

static void positional_encoding_forward(const OperationCall *call, Tensor *out) {
    (void)call;
    kernel_positional_encoding(out->values, out->rows, out->cols);
}

/* sin or cos of pos / 10000^(2i/d), with the angle as a quantity of its own. */
static const Term *positional_encoding_explain(const OperationCall *call,
                                               const Tensor *out, size_t row, size_t col,
                                               Arena *arena) {
    (void)call;
    const Term *exponent =
        term_binary(arena, TERM_QUOTIENT, term_number(arena, (double)(col / 2 * 2)),
                    term_number(arena, (double)out->cols));
    const Term *wavelength =
        term_binary(arena, TERM_POWER, term_number(arena, 10000), exponent);
    const Term *angle =
        term_binary(arena, TERM_QUOTIENT, term_number(arena, (double)row), wavelength);
    return term_apply(arena, col % 2 == 0 ? &term_sin : &term_cos,
                      term_quantity(arena, "angle", angle));
}

const Operation operation_positional_encoding = {
    .name = "positional_encoding",
    .arguments = "n, d",
    .numbers = {{"n", offsetof(OperationOptions, rows), .whole = true, .words = true},
                {"d", offsetof(OperationOptions, cols), .whole = true}},
    .symbol = "PE",
    .formula = "\\op{sin}\\left(\\frac{pos}{10000^{2i/d}}\\right), "
               "\\op{cos}\\left(\\frac{pos}{10000^{2i/d}}\\right)",
    .code.numpy = "positional_encoding($rows, $cols)",
    .code.numpy_helpers = "def positional_encoding(n, d):\n"
                          "    pair = np.arange(d) // 2 * 2\n"
                          "    angle = np.arange(n)[:, None] / 10000 ** (pair / d)\n"
                          "    return np.where(np.arange(d) % 2 == 0, np.sin(angle), "
                          "np.cos(angle))\n",
    .code.torch_helpers = "def positional_encoding(n, d):\n"
                          "    pair = torch.arange(d) // 2 * 2\n"
                          "    angle = torch.arange(n)[:, None] / 10000 ** (pair / d)\n"
                          "    return torch.where(torch.arange(d) % 2 == 0, angle.sin(), "
                          "angle.cos())\n",
    .work = OPERATION_WORK_BY_ITSELF,
    .shape = given_shape,
    .forward = positional_encoding_forward,
    .explain = positional_encoding_explain,
};

static bool causal_mask_shape(const OperationCall *call, Tensor *out, Error *error) {
    (void)error;
    out->rows = out->cols = call->options.rows;
    return true;
}

static void causal_mask_forward(const OperationCall *call, Tensor *out) {
    (void)call;
    for (size_t i = 0; i < out->rows; i++) {
        for (size_t j = 0; j < out->cols; j++)
            out->values[i * out->cols + j] = j > i ? -INFINITY : 0;
    }
}

static const Term *causal_mask_explain(const OperationCall *call, const Tensor *out,
                                       size_t row, size_t col, Arena *arena) {
    (void)call, (void)out;
    return term_new(arena, TERM_GREATER, 4,
                    (const Term *const[]){
                        term_number(arena, (double)col), term_number(arena, (double)row),
                        term_number(arena, -INFINITY), term_number(arena, 0)});
}

const Operation operation_causal_mask = {
    .name = "causal_mask",
    .arguments = "n",
    .numbers = {{"n", offsetof(OperationOptions, rows), .whole = true, .words = true}},
    .symbol = "mask",
    .formula = "\\tensor{M}_{ij} = -\\infty \\quad j > i",
    .code.numpy = "np.triu(np.full(($rows, $rows), -np.inf), 1)",
    .code.torch = "torch.full(($rows, $rows), -torch.inf).triu(1)",
    .work = OPERATION_WORK_BY_MARKING,
    .values = OPERATION_VALUES_MASK,
    .shape = causal_mask_shape,
    .forward = causal_mask_forward,
    .explain = causal_mask_explain,
};
