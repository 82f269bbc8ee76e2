#include "tensor/operations/operations.h"
#include "tensor/terms/term_function.h"

#include "base/maths.h"

static const double SQRT_HALF = 0.70710678118654752440, SQRT_PI = 1.77245385090551602730;
static const double SQRT_2_BY_PI = 0.79788456080286535588, CUBIC = 0.044715;

static inline void map1(const OperationCall *call, Tensor *out, double (*f)(double)) {
    for (size_t i = 0; i < tensor_cells(out); i++)
        out->values[i] = f(call->inputs[0]->values[i]);
}

/* Adds a function of the gradient, the input and the output at each position. */
static inline void backward1(const OperationCall *call, const Tensor *out,
                             const double *gradient, double *to,
                             double (*f)(double gradient, double x, double out)) {
    const double *x = call->inputs[0]->values;
    for (size_t i = 0; to && i < tensor_cells(out); i++)
        to[i] += f(gradient[i], x[i], out->values[i]);
}

static const Term *explain1(const OperationCall *call, size_t row, size_t col,
                            Arena *arena, TermKind kind) {
    return term_unary(arena, kind, term_cell(arena, 0, call->inputs[0], row, col));
}

static const Term *function_term(const OperationCall *call, size_t row, size_t col,
                                 Arena *arena, const TermFunction *function) {
    return term_apply(arena, function, term_cell(arena, 0, call->inputs[0], row, col));
}

static double negate(double x) {
    return -x;
}

static void negate_forward(const OperationCall *call, Tensor *out) {
    map1(call, out, negate);
}

static const Term *negate_explain(const OperationCall *call, const Tensor *out,
                                  size_t row, size_t col, Arena *arena) {
    (void)out;
    return explain1(call, row, col, arena, TERM_NEGATIVE);
}

static double negate_gradient(double g, double x, double out) {
    (void)x, (void)out;
    return -g;
}

static void negate_backward(const OperationCall *call, const Tensor *out,
                            const double *gradient, double *const *gradients) {
    backward1(call, out, gradient, gradients[0], negate_gradient);
}

const Operation operation_negate = {
    .name = "negate",
    .inputs = {1, 1},
    .formula = "-#1",
    .binding = OPERATION_BINDS_SIGN,
    .code.numpy = "-#1",
    .code.torch = "-#1",
    .code.numpy_backward = {"-#g"},
    .work = OPERATION_WORK_BY_CELL,
    .values = OPERATION_VALUES_SIGNED,
    .mutable = true,
    .shape = shape_same,
    .forward = negate_forward,
    .explain = negate_explain,
    .backward = negate_backward,
    .reach = reach_place,
};

static double relu(double x) {
    return x < 0 ? 0 : x; /* NaN stays NaN */
}

static void relu_forward(const OperationCall *call, Tensor *out) {
    map1(call, out, relu);
}

static const Term *relu_explain(const OperationCall *call, const Tensor *out, size_t row,
                                size_t col, Arena *arena) {
    (void)out;
    return term_binary(arena, TERM_LARGEST, term_number(arena, 0),
                       term_cell(arena, 0, call->inputs[0], row, col));
}

static double relu_gradient(double g, double x, double out) {
    (void)out;
    return x <= 0 ? 0 : g;
}

static void relu_backward(const OperationCall *call, const Tensor *out,
                          const double *gradient, double *const *gradients) {
    backward1(call, out, gradient, gradients[0], relu_gradient);
}

const Operation operation_relu = {
    .name = "relu",
    .inputs = {1, 1},
    .arguments = "x",
    .symbol = "ReLU",
    .formula = "\\max\\left(0, #1\\right)",
    .binding = OPERATION_BINDS_WHOLE,
    .code.numpy = "np.maximum(#1, 0)",
    .code.torch = "F.relu(#1)",
    .code.numpy_backward = {"#g * (#1 > 0)"},
    .work = OPERATION_WORK_BY_CELL,
    .values = OPERATION_VALUES_SIGNED,
    .mutable = true,
    .bends = true,
    .shape = shape_same,
    .forward = relu_forward,
    .explain = relu_explain,
    .backward = relu_backward,
    .reach = reach_place,
};

/* Φ(x), the cumulative distribution function of the standard normal distribution. */
static double normal_cdf(double x) {
    return (1 + erf(x * SQRT_HALF)) / 2;
}

/* Source: Hendrycks & Gimpel 2016, eq. 2; torch.nn.functional.gelu. */
static double gelu(double x) {
    return x * normal_cdf(x);
}

static void gelu_forward(const OperationCall *call, Tensor *out) {
    map1(call, out, gelu);
}

/* x · (1 + between) / 2, `between` lying from −1 to 1 */
static const Term *gate_term(Arena *arena, const Term *x, const Term *between) {
    const Term *sum = term_binary(arena, TERM_SUM, term_number(arena, 1), between);
    const Term *share = term_binary(arena, TERM_QUOTIENT, sum, term_number(arena, 2));
    return term_binary(arena, TERM_PRODUCT, x, share);
}

/* x · (1 + erf(x / √2)) / 2 */
static const Term *gelu_explain(const OperationCall *call, const Tensor *out, size_t row,
                                size_t col, Arena *arena) {
    (void)out;
    const Term *x = term_cell(arena, 0, call->inputs[0], row, col);
    const Term *root = term_apply(arena, &term_sqrt, term_number(arena, 2));
    const Term *error =
        term_apply(arena, &term_erf, term_binary(arena, TERM_QUOTIENT, x, root));
    return gate_term(arena, x, error);
}

/* Φ(x) + x Φ′(x) */
static double gelu_gradient(double g, double x, double out) {
    (void)out;
    double density = exp(-x * x / 2) * SQRT_HALF / SQRT_PI;
    return g * (normal_cdf(x) + x * density);
}

static void gelu_backward(const OperationCall *call, const Tensor *out,
                          const double *gradient, double *const *gradients) {
    backward1(call, out, gradient, gradients[0], gelu_gradient);
}

const Operation operation_gelu = {
    .name = "gelu",
    .inputs = {1, 1},
    .arguments = "x",
    .symbol = "GELU",
    .formula = "\\op{GELU}\\left(#1\\right)",
    .arrow = "x \\cdot \\Phi\\left(x\\right)",
    .binding = OPERATION_BINDS_WHOLE,
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
    .work = OPERATION_WORK_BY_CELL,
    .values = OPERATION_VALUES_SIGNED,
    .mutable = true,
    .bends = true,
    .shape = shape_same,
    .forward = gelu_forward,
    .explain = gelu_explain,
    .backward = gelu_backward,
    .reach = reach_place,
};

/* The argument of tanh, u = √(2/π) (x + 0.044715 x³), and its derivative. */
static double tanh_argument(double x) {
    return SQRT_2_BY_PI * (x + CUBIC * (x * x * x));
}

static double tanh_argument_slope(double x) {
    return SQRT_2_BY_PI * (1 + 3 * CUBIC * (x * x));
}

/* Source: Hendrycks & Gimpel 2016, section 2; torch.nn.functional.gelu with
 * approximate="tanh". */
static double gelu_tanh(double x) {
    return x * ((1 + tanh(tanh_argument(x))) / 2);
}

static void gelu_tanh_forward(const OperationCall *call, Tensor *out) {
    map1(call, out, gelu_tanh);
}

/* x · (1 + tanh(√(2 / π) · (x + 0.044715 x³))) / 2 */
static const Term *gelu_tanh_explain(const OperationCall *call, const Tensor *out,
                                     size_t row, size_t col, Arena *arena) {
    (void)out;
    const Term *x = term_cell(arena, 0, call->inputs[0], row, col);
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
static double gelu_tanh_gradient(double g, double x, double out) {
    (void)out;
    double between = tanh(tanh_argument(x)),
           slope = (1 - between * between) * tanh_argument_slope(x);
    return g * ((1 + between) / 2 + x * slope / 2);
}

static void gelu_tanh_backward(const OperationCall *call, const Tensor *out,
                               const double *gradient, double *const *gradients) {
    backward1(call, out, gradient, gradients[0], gelu_tanh_gradient);
}

const Operation operation_gelu_tanh = {
    .name = "gelu_tanh",
    .inputs = {1, 1},
    .arguments = "x",
    .symbol = "\\op{GELU}_{\\op{tanh}}\\left(#1\\right)",
    .formula = "\\op{GELU}_{\\op{tanh}}\\left(#1\\right)",
    .arrow = "\\frac{x}{2} \\left(1 + \\op{tanh}\\left(u\\right)\\right)",
    .binding = OPERATION_BINDS_WHOLE,
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
    .work = OPERATION_WORK_BY_CELL,
    .values = OPERATION_VALUES_SIGNED,
    .mutable = true,
    .bends = true,
    .shape = shape_same,
    .forward = gelu_tanh_forward,
    .explain = gelu_tanh_explain,
    .backward = gelu_tanh_backward,
    .reach = reach_place,
};

/* Source: Hendrycks & Gimpel 2016, section 2; torch.nn.functional.silu. */
static double silu(double x) {
    return x * term_sigmoid.value(x);
}

static void silu_forward(const OperationCall *call, Tensor *out) {
    map1(call, out, silu);
}

/* x · σ(x) */
static const Term *silu_explain(const OperationCall *call, const Tensor *out, size_t row,
                                size_t col, Arena *arena) {
    (void)out;
    return term_binary(arena, TERM_PRODUCT,
                       term_cell(arena, 0, call->inputs[0], row, col),
                       function_term(call, row, col, arena, &term_sigmoid));
}

/* σ(x) + x σ′(x) */
static double silu_gradient(double g, double x, double out) {
    (void)out;
    double share = term_sigmoid.value(x);
    return g * (share + x * (share * (1 - share)));
}

static void silu_backward(const OperationCall *call, const Tensor *out,
                          const double *gradient, double *const *gradients) {
    backward1(call, out, gradient, gradients[0], silu_gradient);
}

const Operation operation_silu = {
    .name = "silu",
    .inputs = {1, 1},
    .arguments = "x",
    .symbol = "SiLU",
    .formula = "\\op{SiLU}\\left(#1\\right)",
    .arrow = "x \\cdot \\sigma\\left(x\\right)",
    .binding = OPERATION_BINDS_WHOLE,
    .code.numpy = "silu(#1)",
    .code.torch = "F.silu(#1)",
    .code.numpy_backward = {"silu_back(#g, #1)"},
    .code.numpy_helpers = "def silu(x):\n"
                          "    return x / (1 + np.exp(-x))\n"
                          "\n"
                          "def silu_back(g, x):\n"
                          "    share = 1 / (1 + np.exp(-x))\n"
                          "    return g * (share + x * share * (1 - share))\n",
    .work = OPERATION_WORK_BY_CELL,
    .values = OPERATION_VALUES_SIGNED,
    .mutable = true,
    .bends = true,
    .shape = shape_same,
    .forward = silu_forward,
    .explain = silu_explain,
    .backward = silu_backward,
    .reach = reach_place,
};

static void exp_forward(const OperationCall *call, Tensor *out) {
    map1(call, out, exp);
}

static const Term *exp_explain(const OperationCall *call, const Tensor *out, size_t row,
                               size_t col, Arena *arena) {
    (void)out;
    return function_term(call, row, col, arena, &term_exp);
}

static double exp_gradient(double g, double x, double out) {
    (void)x;
    return g * out;
}

static void exp_backward(const OperationCall *call, const Tensor *out,
                         const double *gradient, double *const *gradients) {
    backward1(call, out, gradient, gradients[0], exp_gradient);
}

const Operation operation_exp = {
    .name = "exp",
    .inputs = {1, 1},
    .arguments = "x",
    .symbol = "exp",
    .formula = "e^{#1}",
    .binding = OPERATION_BINDS_WHOLE,
    .code.numpy = "np.exp(#1)",
    .code.torch = "torch.exp(#1)",
    .code.numpy_backward = {"#g * #o"},
    .work = OPERATION_WORK_BY_CELL,
    .values = OPERATION_VALUES_SIGNED,
    .mutable = true,
    .rescales = true,
    .shape = shape_same,
    .forward = exp_forward,
    .explain = exp_explain,
    .backward = exp_backward,
    .reach = reach_place,
};

static void sqrt_forward(const OperationCall *call, Tensor *out) {
    map1(call, out, sqrt);
}

static const Term *sqrt_explain(const OperationCall *call, const Tensor *out, size_t row,
                                size_t col, Arena *arena) {
    (void)out;
    return function_term(call, row, col, arena, &term_sqrt);
}

static double sqrt_gradient(double g, double x, double out) {
    (void)x;
    return g / (2 * out);
}

static void sqrt_backward(const OperationCall *call, const Tensor *out,
                          const double *gradient, double *const *gradients) {
    backward1(call, out, gradient, gradients[0], sqrt_gradient);
}

static const char *sqrt_problem(const OperationCall *call, const Tensor *out, size_t row,
                                size_t col) {
    (void)out;
    return tensor_at(call->inputs[0], row, col) < 0 ? "trouble.sqrt_negative" : NULL;
}

const Operation operation_sqrt = {
    .name = "sqrt",
    .inputs = {1, 1},
    .arguments = "x",
    .symbol = "\\sqrt{#1}",
    .formula = "\\sqrt{#1}",
    .binding = OPERATION_BINDS_WHOLE,
    .code.numpy = "np.sqrt(#1)",
    .code.torch = "torch.sqrt(#1)",
    .code.numpy_backward = {"#g / (2 * #o)"},
    .work = OPERATION_WORK_BY_CELL,
    .values = OPERATION_VALUES_SIGNED,
    .mutable = true,
    .rescales = true,
    .shape = shape_same,
    .forward = sqrt_forward,
    .explain = sqrt_explain,
    .problem = sqrt_problem,
    .backward = sqrt_backward,
    .reach = reach_place,
};

static void log_forward(const OperationCall *call, Tensor *out) {
    map1(call, out, log);
}

static const Term *log_explain(const OperationCall *call, const Tensor *out, size_t row,
                               size_t col, Arena *arena) {
    (void)out;
    return function_term(call, row, col, arena, &term_log);
}

static double log_gradient(double g, double x, double out) {
    (void)out;
    return g / x;
}

static void log_backward(const OperationCall *call, const Tensor *out,
                         const double *gradient, double *const *gradients) {
    backward1(call, out, gradient, gradients[0], log_gradient);
}

static const char *log_problem(const OperationCall *call, const Tensor *out, size_t row,
                               size_t col) {
    (void)out;
    double x = tensor_at(call->inputs[0], row, col);
    return x < 0 ? "trouble.log_negative" : x == 0 ? "trouble.log_zero" : NULL;
}

const Operation operation_log = {
    .name = "log",
    .inputs = {1, 1},
    .arguments = "x",
    .symbol = "log",
    .formula = "\\log \\left(#1\\right)",
    .arrow = "\\log x",
    .binding = OPERATION_BINDS_WHOLE,
    .code.numpy = "np.log(#1)",
    .code.torch = "torch.log(#1)",
    .code.numpy_backward = {"#g / #1"},
    .work = OPERATION_WORK_BY_CELL,
    .values = OPERATION_VALUES_SIGNED,
    .mutable = true,
    .shape = shape_same,
    .forward = log_forward,
    .explain = log_explain,
    .problem = log_problem,
    .backward = log_backward,
    .reach = reach_place,
};
