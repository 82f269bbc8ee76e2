#include "base/error.h"
#include "tensor/operations/kernels.h"
#include "tensor/operations/operations.h"

#include <math.h>
#include <string.h>

/* Rotary positions: inputs x [n,h·d] and, unless they are 0, 1, 2 …, a list of n
 * positions. Of each head's d columns i and i + d/2 are a pair, as in Hugging Face's
 * LLaMA ("rotate_half"), which is rotated by the angle position / base^(2i/d). */

static bool rotary_shape(const OperationCall *call, Tensor *out, Error *error) {
    const Tensor *x = call->inputs[0];
    size_t heads = call->options.heads;
    (void)out;
    if (x->cols % (2 * heads))
        return error_set(
            error, ERROR_SHAPE, 0, 0,
            "x is [%zu,%zu], but pairs of columns are turned; with %zu head%s "
            "the columns must be a multiple of %zu",
            x->rows, x->cols, heads, heads == 1 ? "" : "s", 2 * heads);
    if (call->count < 2)
        return true;
    if (!ids_check_shape(call->inputs[1], error))
        return false;
    size_t positions = ids_count(call->inputs[1]);
    return positions == x->rows ||
           error_set(error, ERROR_SHAPE, 0, 0,
                     "x is [%zu,%zu], but there are %zu places; there must be one for "
                     "each row",
                     x->rows, x->cols, positions);
}

static const double *positions_of(const OperationCall *call) {
    return call->count > 1 ? call->inputs[1]->values : NULL;
}

static double base_of(const OperationCall *call) {
    return call->options.base > 0 ? call->options.base : ROTARY_BASE;
}

static bool is_base(double number) {
    return number > 0 && isfinite(number);
}

static void rotary_forward(const OperationCall *call, Tensor *out) {
    memset(out->values, 0, tensor_cells(out) * sizeof *out->values);
    kernel_rotary_add(out->values, call->inputs[0]->values, positions_of(call), 1,
                      out->rows, out->cols, call->options.heads, base_of(call));
}

/* Rotates back by the same angles. */
static void rotary_backward(const OperationCall *call, const Tensor *out,
                            const double *gradient, double *const *gradients) {
    if (gradients[0])
        kernel_rotary_add(gradients[0], gradient, positions_of(call), -1, out->rows,
                          out->cols, call->options.heads, base_of(call));
}

/* position / base^(2i/d), of a pair's number i in its head */
static const Term *angle_term(const OperationCall *call, size_t row, size_t pair,
                              size_t width, Arena *arena) {
    const Tensor *positions = call->count > 1 ? call->inputs[1] : NULL;
    const Term *place = positions
                            ? term_cell(arena, 1, positions, ids_row(positions, row),
                                        ids_col(positions, row))
                            : term_number(arena, (double)row);
    const Term *exponent =
        term_binary(arena, TERM_QUOTIENT, term_number(arena, (double)(2 * pair)),
                    term_number(arena, (double)width));
    const Term *wavelength =
        term_binary(arena, TERM_POWER, term_number(arena, base_of(call)), exponent);
    return term_quantity(arena, "angle",
                         term_binary(arena, TERM_QUOTIENT, place, wavelength));
}

/* a cos φ − b sin φ for a pair's first number, b cos φ + a sin φ for its second. */
static const Term *rotary_explain(const OperationCall *call, const Tensor *out,
                                  size_t row, size_t col, Arena *arena) {
    const Tensor *x = call->inputs[0];
    size_t width = out->cols / call->options.heads, half = width / 2;
    bool second = col % width >= half;
    size_t partner = second ? col - half : col + half;
    const Term *angle = angle_term(call, row, col % half, width, arena);
    const Term *own = term_binary(arena, TERM_PRODUCT, term_cell(arena, 0, x, row, col),
                                  term_apply(arena, &term_cos, angle));
    const Term *other =
        term_binary(arena, TERM_PRODUCT, term_cell(arena, 0, x, row, partner),
                    term_apply(arena, &term_sin, angle));
    return term_binary(arena, second ? TERM_SUM : TERM_DIFFERENCE, own, other);
}

/* Each number of a pair influences both. */
static OperationReach rotary_reach(const OperationCall *call, const Tensor *out,
                                   size_t input, size_t row, size_t col) {
    size_t width = out->cols / call->options.heads, half = width / 2;
    size_t first = col % width >= half ? col - half : col;
    (void)input;
    return (OperationReach){row, row + 1, first, first + half + 1};
}

const Operation operation_rotary = {
    .name = "rotary",
    .inputs = {1, 2},
    .arguments = "x[, places[, heads[, base]]]",
    .numbers = {{"heads", offsetof(OperationOptions, heads), .whole = true, .usual = 1},
                {"base", offsetof(OperationOptions, base), .usual = ROTARY_BASE,
                 .fits = is_base, .must_be = "a number above 0"}},
    .symbol = "rotary",
    .formula = "\\op{rotary}\\left(#1\\right)",
    .code.numpy = "rotary(#*, heads=$heads$base)",
    .code.numpy_backward = {"rotary_back(#g, #*, heads=$heads$base)"},
    .code.numpy_helpers =
        "def rotary(x, places=None, heads=1, sign=1, base=10000):\n"
        "    half = x.shape[1] // heads // 2\n"
        "    places = np.arange(len(x)) if places is None else places.ravel()\n"
        "    angle = places[:, None] / base ** (np.arange(half) / half)\n"
        "    cos, sin = np.cos(angle)[:, None], sign * np.sin(angle)[:, None]\n"
        "    pairs = x.reshape(len(x), heads, 2, half)\n"
        "    a, b = pairs[:, :, 0], pairs[:, :, 1]\n"
        "    return np.stack([a * cos - b * sin, b * cos + a * sin], 2)"
        ".reshape(x.shape)\n\n"
        "def rotary_back(g, x, places=None, heads=1, base=10000):\n"
        "    return rotary(g, places, heads, sign=-1, base=base)\n",
    .code.torch_helpers =
        "def rotary(x, places=None, heads=1, base=10000):\n"
        "    half = x.shape[1] // heads // 2\n"
        "    places = torch.arange(len(x)) if places is None else places.flatten()\n"
        "    angle = places[:, None] / base ** (torch.arange(half) / half)\n"
        "    cos, sin = angle.cos()[:, None], angle.sin()[:, None]\n"
        "    a, b = x.reshape(len(x), heads, 2, half).unbind(2)\n"
        "    return torch.stack([a * cos - b * sin, b * cos + a * sin], 2)"
        ".reshape(x.shape)\n",
    .work = OPERATION_WORK_BY_ROW,
    .mutable = true,
    .backward_inputs = 1,
    .shape = rotary_shape,
    .forward = rotary_forward,
    .explain = rotary_explain,
    .backward = rotary_backward,
    .reach = rotary_reach,
};
