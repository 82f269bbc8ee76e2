#include "tensor/operations/operations.h"

#include "base/maths.h"

static const double SQRT_HALF = 0.70710678118654752440, SQRT_PI = 1.77245385090551602730;
static const double SQRT_2_BY_PI = 0.79788456080286535588, CUBIC = 0.044715;

/* Defines the functions of an operation on a single cell x: the `value` of the result
 * `out`; the `slope`, which is the gradient with respect to x, given g, the gradient with
 * respect to `out`; and the `term` of the result, given the term x, in `arena`. */
#define BY_CELL(name, value, slope, term)                                                \
    static void name##_forward(const OperationCall *call, Tensor *out) {                 \
        for (size_t i = 0; i < tensor_cells(out); i++) {                                 \
            double x = call->inputs[0]->values[i];                                       \
            out->values[i] = value;                                                      \
        }                                                                                \
    }                                                                                    \
    static void name##_backward(const OperationCall *call, const Tensor *output,         \
                                const double *gradient, double *const *gradients) {      \
        for (size_t i = 0; gradients[0] && i < tensor_cells(output); i++) {              \
            double g = gradient[i], x = call->inputs[0]->values[i];                      \
            double out = output->values[i];                                              \
            gradients[0][i] += slope;                                                    \
            (void)g, (void)x, (void)out;                                                 \
        }                                                                                \
    }                                                                                    \
    static const Term *name##_explain(const OperationCall *call, const Tensor *out,      \
                                      size_t row, size_t col, Arena *arena) {            \
        const Term *x = term_cell(arena, 0, call->inputs[0], row, col);                  \
        (void)out;                                                                       \
        return term;                                                                     \
    }

/* The columns of the operation table that are equal for all unary operations. */
#define BY_CELL_ROW(name)                                                                \
    .inputs = {1, 1}, .work = OPERATION_WORK_BY_CELL, .mutable = true,                   \
    .forward = name##_forward, .explain = name##_explain, .backward = name##_backward,   \
    .reach = reach_place

BY_CELL(negate, -x, -g, term_unary(arena, TERM_NEGATIVE, x))

const Operation operation_negate = {
    .name = "negate",
    BY_CELL_ROW(negate),
    .formula = "-#1",
    .binding = OPERATION_BINDS_SIGN,
    .code.numpy = "-#1",
    .code.numpy_backward = {"-#g"},
};

/* The result for NaN is NaN. */
BY_CELL(relu, x < 0 ? 0 : x, x <= 0 ? 0 : g,
        term_binary(arena, TERM_LARGEST, term_number(arena, 0), x))

const Operation operation_relu = {
    .name = "relu",
    BY_CELL_ROW(relu),
    .arguments = "x",
    .symbol = "ReLU",
    .formula = "\\max\\left(0, #1\\right)",
    .code.numpy = "np.maximum(#1, 0)",
    .code.torch = "F.relu(#1)",
    .code.numpy_backward = {"#g * (#1 > 0)"},
    .bends = true,
};

/* Φ(x), the cumulative distribution function of the standard normal distribution. */
static double normal_cdf(double x) {
    return (1 + erf(x * SQRT_HALF)) / 2;
}

/* x · (1 + between) / 2, `between` lying from −1 to 1 */
static const Term *gate_term(Arena *arena, const Term *x, const Term *between) {
    const Term *sum = term_binary(arena, TERM_SUM, term_number(arena, 1), between);
    const Term *share = term_binary(arena, TERM_QUOTIENT, sum, term_number(arena, 2));
    return term_binary(arena, TERM_PRODUCT, x, share);
}

/* x · (1 + erf(x / √2)) / 2 */
static const Term *gelu_term(Arena *arena, const Term *x) {
    const Term *root = term_apply(arena, &term_sqrt, term_number(arena, 2));
    const Term *error =
        term_apply(arena, &term_erf, term_binary(arena, TERM_QUOTIENT, x, root));
    return gate_term(arena, x, error);
}

/* Φ(x) + x Φ′(x) */
static double gelu_slope(double x) {
    double density = exp(-x * x / 2) * SQRT_HALF / SQRT_PI;
    return normal_cdf(x) + x * density;
}

/* Source: Hendrycks & Gimpel 2016, eq. 2; torch.nn.functional.gelu. */
BY_CELL(gelu, normal_cdf(x) * x, gelu_slope(x) * g, gelu_term(arena, x))

const Operation operation_gelu = {
    .name = "gelu",
    BY_CELL_ROW(gelu),
    .arguments = "x",
    .symbol = "GELU",
    .formula = "\\op{GELU}\\left(#1\\right)",
    .arrow = "x \\cdot \\Phi\\left(x\\right)",
    .code.numpy = "gelu(#1)",
    .code.torch = "F.gelu(#1)",
    .code.numpy_backward = {"gelu_back(#g, #1)"},
    .code.numpy_helpers =
        "import math\n"
        "\n"
        "def normal_share(x):  # of a normal distribution, what lies below x\n"
        "    return (1 + np.vectorize(math.erf)(x / 2 ** 0.5)) / 2\n"
        "\n"
        "def gelu(x):\n"
        "    return x * normal_share(x)\n"
        "\n"
        "def gelu_back(g, x):\n"
        "    density = np.exp(-x * x / 2) / (2 * np.pi) ** 0.5\n"
        "    return g * (normal_share(x) + x * density)\n",
    .bends = true,
};

/* The argument of tanh, u = √(2/π) (x + 0.044715 x³), and its derivative. */
static double tanh_argument(double x) {
    return SQRT_2_BY_PI * (x + CUBIC * (x * x * x));
}

static double tanh_argument_slope(double x) {
    return SQRT_2_BY_PI * (1 + 3 * CUBIC * (x * x));
}

/* x · (1 + tanh(√(2 / π) · (x + 0.044715 x³))) / 2 */
static const Term *gelu_tanh_term(Arena *arena, const Term *x) {
    const Term *cube = term_binary(arena, TERM_POWER, x, term_number(arena, 3));
    const Term *sum =
        term_binary(arena, TERM_SUM, x,
                    term_binary(arena, TERM_PRODUCT, term_number(arena, CUBIC), cube));
    const Term *root = term_apply(
        arena, &term_sqrt,
        term_binary(arena, TERM_QUOTIENT, term_number(arena, 2), term_number(arena, PI)));
    const Term *inside = term_binary(arena, TERM_PRODUCT, root, sum);
    return gate_term(arena, x, term_apply(arena, &term_tanh, inside));
}

/* (1 + tanh u) / 2 + x (1 − tanh² u) u′ / 2 */
static double gelu_tanh_slope(double x) {
    double between = tanh(tanh_argument(x)),
           slope = (1 - between * between) * tanh_argument_slope(x);
    return (1 + between) / 2 + x * slope / 2;
}

/* Source: Hendrycks & Gimpel 2016, section 2; torch.nn.functional.gelu with
 * approximate="tanh". */
BY_CELL(gelu_tanh, (1 + tanh(tanh_argument(x))) / 2 * x, gelu_tanh_slope(x) * g,
        gelu_tanh_term(arena, x))

const Operation operation_gelu_tanh = {
    .name = "gelu_tanh",
    BY_CELL_ROW(gelu_tanh),
    .arguments = "x",
    .symbol = "\\op{GELU}_{\\op{tanh}}\\left(#1\\right)",
    .formula = "\\op{GELU}_{\\op{tanh}}\\left(#1\\right)",
    .arrow = "\\frac{x}{2} \\left(1 + \\op{tanh}\\left(u\\right)\\right)",
    .code.numpy = "gelu_tanh(#1)",
    .code.torch = "F.gelu(#1, approximate=\"tanh\")",
    .code.numpy_backward = {"gelu_tanh_back(#g, #1)"},
    .code.numpy_helpers = "def bent(x):\n"
                          "    return (2 / np.pi) ** 0.5 * (x + 0.044715 * x**3)\n"
                          "\n"
                          "def gelu_tanh(x):\n"
                          "    return x * (1 + np.tanh(bent(x))) / 2\n"
                          "\n"
                          "def gelu_tanh_back(g, x):\n"
                          "    t = np.tanh(bent(x))\n"
                          "    slope = (2 / np.pi) ** 0.5 * (1 + 3 * 0.044715 * x**2)\n"
                          "    return g * (1 + t + x * (1 - t**2) * slope) / 2\n",
    .bends = true,
};

/* σ(x) + x σ′(x) */
static double silu_slope(double x) {
    double share = term_sigmoid.value(x);
    return share + x * (share * (1 - share));
}

/* Source: Hendrycks & Gimpel 2016, section 2; torch.nn.functional.silu. */
BY_CELL(silu, term_sigmoid.value(x) * x, silu_slope(x) * g,
        term_binary(arena, TERM_PRODUCT, x, term_apply(arena, &term_sigmoid, x)))

const Operation operation_silu = {
    .name = "silu",
    BY_CELL_ROW(silu),
    .arguments = "x",
    .symbol = "SiLU",
    .formula = "\\op{SiLU}\\left(#1\\right)",
    .arrow = "x \\cdot \\sigma\\left(x\\right)",
    .code.numpy = "silu(#1)",
    .code.torch = "F.silu(#1)",
    .code.numpy_backward = {"silu_back(#g, #1)"},
    .code.numpy_helpers = "def silu(x):\n"
                          "    return x / (1 + np.exp(-x))\n"
                          "\n"
                          "def silu_back(g, x):\n"
                          "    share = 1 / (1 + np.exp(-x))\n"
                          "    return g * (share + x * share * (1 - share))\n",
    .bends = true,
};

BY_CELL(exp, exp(x), (g * out), term_apply(arena, &term_exp, x))

const Operation operation_exp = {
    .name = "exp",
    BY_CELL_ROW(exp),
    .arguments = "x",
    .symbol = "exp",
    .formula = "e^{#1}",
    .code.numpy = "np.exp(#1)",
    .code.torch = "torch.exp(#1)",
    .code.numpy_backward = {"#g * #o"},
    .rescales = true,
};

BY_CELL(sqrt, sqrt(x), g / (2 * out), term_apply(arena, &term_sqrt, x))

static const char *sqrt_problem(const OperationCall *call, const Tensor *out, size_t row,
                                size_t col) {
    (void)out;
    return tensor_at(call->inputs[0], row, col) < 0 ? "trouble.sqrt_negative" : NULL;
}

const Operation operation_sqrt = {
    .name = "sqrt",
    BY_CELL_ROW(sqrt),
    .arguments = "x",
    .symbol = "\\sqrt{#1}",
    .formula = "\\sqrt{#1}",
    .code.numpy = "np.sqrt(#1)",
    .code.torch = "torch.sqrt(#1)",
    .code.numpy_backward = {"#g / (2 * #o)"},
    .rescales = true,
    .problem = sqrt_problem,
};

BY_CELL(log, log(x), g / x, term_apply(arena, &term_log, x))

static const char *log_problem(const OperationCall *call, const Tensor *out, size_t row,
                               size_t col) {
    (void)out;
    double x = tensor_at(call->inputs[0], row, col);
    return x < 0 ? "trouble.log_negative" : x == 0 ? "trouble.log_zero" : NULL;
}

const Operation operation_log = {
    .name = "log",
    BY_CELL_ROW(log),
    .arguments = "x",
    .symbol = "log",
    .formula = "\\log \\left(#1\\right)",
    .arrow = "\\log x",
    .code.numpy = "np.log(#1)",
    .code.torch = "torch.log(#1)",
    .code.numpy_backward = {"#g / #1"},
    .problem = log_problem,
};
