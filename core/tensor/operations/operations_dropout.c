#include "base/random.h"
#include "tensor/operations/operations.h"

/* Dropout, as in training: each cell becomes 0 with probability p, the others are divided
 * by 1 − p, so that the expected sum is unchanged. Cells are drawn row by row, one
 * random_uniform each; those from p on are kept. The same seed always drops the same
 * cells. */

static bool next_is_kept(Random *random, double p) {
    return random_uniform(random) >= p;
}

/* Adds the kept cells of x, scaled; infinite ones give NaN. */
static void add_scaled(const OperationCall *call, double *to, const double *x,
                       size_t cells) {
    double p = call->options.share;
    Random random;
    random_init(&random, call->options.seed);
    for (size_t i = 0; i < cells; i++)
        to[i] += next_is_kept(&random, p) ? x[i] / (1 - p) : x[i] * 0;
}

static void dropout_forward(const OperationCall *call, Tensor *out) {
    for (size_t i = 0; i < tensor_cells(out); i++)
        out->values[i] = 0;
    add_scaled(call, out->values, call->inputs[0]->values, tensor_cells(out));
}

static void dropout_backward(const OperationCall *call, const Tensor *out,
                             const double *gradient, double *const *gradients) {
    if (gradients[0])
        add_scaled(call, gradients[0], gradient, tensor_cells(out));
}

static const Term *dropout_explain(const OperationCall *call, const Tensor *out,
                                   size_t row, size_t col, Arena *arena) {
    double p = call->options.share;
    const Term *cell = term_cell(arena, 0, call->inputs[0], row, col);
    Random random;
    random_init(&random, call->options.seed);
    for (size_t i = 0; i < row * out->cols + col; i++)
        random_uniform(&random);
    if (!next_is_kept(&random, p))
        return term_binary(arena, TERM_PRODUCT, cell, term_number(arena, 0));
    return term_binary(arena, TERM_QUOTIENT, cell,
                       term_binary(arena, TERM_DIFFERENCE, term_number(arena, 1),
                                   term_number(arena, p)));
}

static bool is_chance(double value) {
    return value >= 0 && value < 1;
}

const Operation operation_dropout = {
    .name = "dropout",
    .inputs = {1, 1},
    .arguments = "x, p, seed",
    .numbers = {{"p", offsetof(OperationOptions, share), .fits = is_chance,
                 .must_be = "a chance: 0 or more, below 1"},
                {"seed", offsetof(OperationOptions, seed), .whole = true}},
    .symbol = "dropout",
    .formula = "\\op{dropout}\\left(#1\\right)",
    .code.numpy = "dropout(#1, $share, $seed)",
    .code.numpy_backward = {"dropout(#g, $share, $seed)"},
    .code.numpy_helpers = "def dropout(x, p, seed):\n"
                          "    state = seeded(seed)\n"
                          "    kept = [uniform(state) >= p for _ in range(x.size)]\n"
                          "    return x * np.reshape(kept, x.shape) / (1 - p)\n",
    .code.torch_helpers =
        "def dropout(x, p, seed):\n"
        "    state = seeded(seed)\n"
        "    kept = [uniform(state) >= p for _ in range(x.numel())]\n"
        "    return x * torch.tensor(kept).reshape(x.shape) / (1 - p)\n",
    .work = OPERATION_WORK_BY_CELL,
    .mutable = true,
    .forward = dropout_forward,
    .explain = dropout_explain,
    .backward = dropout_backward,
    .reach = reach_place,
};
