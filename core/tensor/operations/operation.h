/* The operations, one table row each.
 *
 * A row describes an operation completely: its name, inputs, output shape, kernel and
 * derivative, the explanation of one cell, its notation in lessons, formulas and Python,
 * and its traits, which other layers query. Its name in the reader's language comes from
 * the interface strings. To add an operation, add a kind here, a row beside its kernel
 * (operations_*.c), its name in operations.h and operations.c, and its words in
 * assets/strings; core/README.md has the whole list, with the tests' files. Only
 * explanations and labels are allocated, in the arena given. */
#pragma once

#include "tensor/tensor.h"

typedef struct Error Error;
typedef struct Term Term;

typedef enum OperationKind {
    OPERATION_GIVEN, /* no inputs: numbers of the lesson, or a constant */
    OPERATION_ADD,
    OPERATION_SUBTRACT,
    OPERATION_MULTIPLY,
    OPERATION_DIVIDE,
    OPERATION_NEGATE,
    OPERATION_MATMUL,
    OPERATION_TRANSPOSE,
    OPERATION_SLICE,
    OPERATION_CONCAT,
    OPERATION_SOFTMAX,
    OPERATION_RELU,
    OPERATION_GELU,
    OPERATION_GELU_TANH,
    OPERATION_SILU,
    OPERATION_EXP,
    OPERATION_SQRT,
    OPERATION_SUM,
    OPERATION_MEAN,
    OPERATION_MAX,
    OPERATION_ARGMAX,
    OPERATION_ONE_HOT,
    OPERATION_LAYER_NORM,
    OPERATION_RMS_NORM,
    OPERATION_EMBED,
    OPERATION_DROPOUT,
    OPERATION_ROTARY,
    OPERATION_POSITIONAL_ENCODING,
    OPERATION_CAUSAL_MASK,
    OPERATION_PADDING_MASK,
    OPERATION_LOG,
    OPERATION_CROSS_ENTROPY,
    OPERATION_STACK,
    OPERATION_TOP_K,
    OPERATION_TOP_P,
    OPERATION_BACKWARD, /* gradient of an operation with respect to one of its inputs */
    OPERATION_COUNT
} OperationKind;

/* The base of rotary wavelengths in Su et al. 2021, and in LLaMA. */
#define ROTARY_BASE 10000.0

/* Parameters of an operation beside its inputs. Unused fields are 0. */
typedef struct OperationOptions {
    size_t row_begin, row_end; /* slice: rows [begin, end) */
    size_t col_begin, col_end; /* slice: columns [begin, end) */
    size_t rows, cols;         /* positional_encoding, causal_mask, one_hot (cols) */
    double epsilon;            /* layer_norm, rms_norm */
    size_t keep;               /* top_k: number of cells kept in each row */
    size_t heads;              /* rotary: number of heads */
    double base;               /* rotary: base of the wavelengths; 0: ROTARY_BASE */
    /* top_p: probability mass to keep; dropout: probability of setting a cell to 0 */
    double share;
    size_t seed;             /* dropout */
    OperationKind operation; /* backward: the operation */
    size_t input;            /* backward: number of its input */
} OperationOptions;

/* One use of an operation. */
typedef struct OperationCall {
    const Tensor *const *inputs;
    size_t count;
    OperationOptions options;
    OperationKind kind;
} OperationCall;

/* The input's cell that a cell of the output is a copy of; input number `count` for none.
 * The same holds for the next cells of the output's row, `run` in all; theirs are `step`
 * cells apart in the input. */
typedef struct Origin {
    size_t input, row, col, run, step;
} Origin;

/* Rows [row_begin, row_end) and columns [col_begin, col_end) of a tensor. */
typedef struct OperationReach {
    size_t row_begin, row_end, col_begin, col_end;
} OperationReach;

/* How a cell of the output depends on the inputs. */
typedef enum OperationWork {
    OPERATION_WORK_UNSAID,    /* missing in a row: a mistake */
    OPERATION_WORK_BY_ITSELF, /* on its position alone */
    OPERATION_WORK_BY_CELL,   /* on the inputs' cells at the same position */
    OPERATION_WORK_BY_ROW,    /* on a whole row of the first input */
    OPERATION_WORK_BY_MOVING, /* copies one cell from elsewhere */
    OPERATION_WORK_BY_MARKING /* 0, 1 or −∞, by its position or an ID */
} OperationWork;

/* Range of the output's numbers. */
typedef enum OperationValues {
    OPERATION_VALUES_SIGNED,        /* either sign */
    OPERATION_VALUES_PROBABILITIES, /* numbers from 0 to 1 */
    OPERATION_VALUES_POSITIONS,     /* whole numbers: indices of rows or columns */
    OPERATION_VALUES_MASK,          /* 0, and −∞ where masked */
    OPERATION_VALUES_CUT,           /* signed, and −∞ where cut away */
    OPERATION_VALUES_OF_INPUT       /* same as the first input's */
} OperationValues;

/* Precedence of an operation's notation among operators, as in Python. */
typedef enum OperationBinding {
    OPERATION_BINDS_SUM = -3,
    OPERATION_BINDS_PRODUCT,
    OPERATION_BINDS_SIGN,
    OPERATION_BINDS_WHOLE /* a name or a call */
} OperationBinding;

/* A numeric argument of a call, stored in the options. */
typedef struct OperationArgument {
    const char *name; /* "n"; NULL: no argument */
    /* offset in OperationOptions: of a size_t if `whole`, else of a double */
    size_t offset;
    bool whole;                 /* a whole number, at least 1 */
    bool words;                 /* a number of tokens */
    double usual;               /* default if it may be omitted; else 0 */
    bool (*fits)(double value); /* reports whether a value is allowed; NULL: any is */
    /* the allowed values, for messages: "a share: above 0, at most 1" */
    const char *must_be;
} OperationArgument;

/* Default that layer norm adds to the variance. */
#define LAYER_NORM_EPSILON 1e-5

enum { OPERATION_ARGUMENTS_MAX = 2, OPERATION_BACKWARD_MAX = 3 };

/* An operation's Python code.
 *
 * In a pattern #1, #2 … are the inputs and #* is all of them; #o is the output and #g the
 * gradient of an operation run backward, #x the input that the gradient is for. Options
 * are $rows, $cols, $slice (the content of its brackets), $r0 $c0 (where it begins),
 * $epsilon, $keep, $share, $heads, $seed; and for input #x of a concatenation its columns
 * $left and $right and its rows $top and $bottom; $width is the number of columns of
 * input #1. Text in {} is omitted if there is no such input. */
typedef struct OperationCode {
    const char *numpy, *torch; /* torch NULL: the same as numpy */
    /* NumPy code of the gradient with respect to each input; the last one present holds
     * for all that follow. PyTorch has autograd. */
    const char *numpy_backward[OPERATION_BACKWARD_MAX];
    /* Functions that the patterns call, complete, separated by an empty line; NULL if the
     * libraries have them. */
    const char *numpy_helpers, *torch_helpers;
    /* Shorter versions for lessons in which no row is masked whole; or NULL. */
    const char *torch_usual, *numpy_usual_helpers;
} OperationCode;

/* Number of inputs of an operation. */
typedef struct OperationInputs {
    size_t least, most;
} OperationInputs;

typedef struct Operation {
    const char *name; /* also the key of its words: operation.NAME, say.NAME … */
    OperationInputs inputs;

    /* ---- notation ---- */

    /* signature of its call: "logits, k"; NULL if lessons can't call it */
    const char *arguments;
    OperationArgument numbers[OPERATION_ARGUMENTS_MAX]; /* the numeric ones */
    /* the call's name in a formula, or the operator between two inputs */
    const char *symbol;
    const char *formula; /* TeX (see picture/formula/formula.h); #1, #2 … stand for the
                            inputs */
    /* a shorter one, for a label over an arrow; NULL: the formula of x */
    const char *arrow;
    OperationBinding binding;
    OperationCode code;

    /* ---- traits ---- */

    OperationWork work;
    OperationValues values;
    /* it changes numbers in place: an input of its output's shape can replace it, usually
     * the first */
    bool mutable;
    bool normalizes; /* it normalizes each row: a gate on the residual lane */
    bool rescales;   /* its numbers have another magnitude than its inputs */
    /* an activation: close to 0 far below 0, close to the identity far above it */
    bool bends;
    size_t ids; /* number of the input that is a list of IDs, from 1; 0: none */
    /* number of inputs that have gradients, the first ones; 0: all */
    size_t backward_inputs;

    /* ---- functions ---- */

    /* Sets out->rows and out->cols, which are those of input 0; ERROR_SHAPE with both
     * shapes if they disagree. NULL: they are input 0's. */
    bool (*shape)(const OperationCall *call, Tensor *out, Error *error);
    /* Reports whether the inputs' values are valid (an ID is a row of the table); NULL if
     * all are. ERROR_VALUE names the cell. */
    bool (*accepts)(const OperationCall *call, Error *error);
    /* Returns where cell (row, col) of the output is copied from; NULL unless `forward`
     * is move_forward. */
    Origin (*origin)(const OperationCall *call, size_t row, size_t col);
    /* Fills out->values. Any values are allowed: undefined results are NaN. */
    void (*forward)(const OperationCall *call, Tensor *out);
    /* Returns the term whose value is cell (row, col) of `out`. */
    const Term *(*explain)(const OperationCall *call, const Tensor *out, size_t row,
                           size_t col, Arena *arena);
    /* Returns why cell (row, col) of `out` has no proper value, by the operation's own
     * rule: a key of the interface strings ("trouble.row_masked"), or NULL if nothing is
     * wrong. NULL: no such rule. */
    const char *(*problem)(const OperationCall *call, const Tensor *out, size_t row,
                           size_t col);
    /* Adds to gradients[i], of the shape of input i (NULL if not needed), the gradient of
     * input i, given `gradient` of out and out itself as computed by forward. NULL: not
     * differentiable (IDs, masks, positions, argmax). */
    void (*backward)(const OperationCall *call, const Tensor *out, const double *gradient,
                     double *const *gradients);
    /* Returns the cells of `out` that cell (row, col) of an input can influence; NULL:
     * any. Only if there is a `backward`. */
    OperationReach (*reach)(const OperationCall *call, const Tensor *out, size_t input,
                            size_t row, size_t col);
    /* Returns the term of a cell of this operation's OPERATION_BACKWARD, whose inputs are
     * this one's, then out, then the gradient; NULL: derived from `explain`. For
     * operations where that would take too long. */
    const Term *(*explain_backward)(const OperationCall *call, const Tensor *out,
                                    const Tensor *gradient, size_t input, size_t row,
                                    size_t col, Arena *arena);
    /* Sets labels of `out` from the inputs' labels; NULL: as for elementwise operations,
     * each axis takes the labels of the first input that has them at that length. */
    void (*label)(const OperationCall *call, Tensor *out, Arena *arena);
} Operation;

/* Reports whether a kind has a row in the table; a test checks all of them. */
bool operation_has_row(OperationKind kind);

/* Returns the table's row of a kind. Never NULL. */
const Operation *operation_of(OperationKind kind);

/* Sets the shape of a call's output. ERROR_SHAPE, ERROR_VALUE. */
bool operation_shape(const OperationCall *call, Tensor *out, Error *error);

/* Reports whether a call is a matrix product, forward or backward. */
bool operation_is_product(const OperationCall *call);

/* Returns the cost of computing `out`, in operations (see base/arena.h). */
double operation_cost(const OperationCall *call, const Tensor *out);

/* Returns the number of a call's numeric arguments that are required. */
size_t operation_numbers_needed(const Operation *operation);

/* Reports whether an input is read as a list of IDs. */
bool operation_reads_ids(OperationKind kind, size_t input);

/* Reports whether the operation has a gradient with respect to input number `input`. */
bool operation_has_gradient(OperationKind kind, size_t input);

/* Sets labels of `out` from its inputs' labels: a product has its left factor's row
 * labels and its right factor's column labels, an embedding its IDs' labels. */
void operation_label(const OperationCall *call, Tensor *out, Arena *arena);

/* Gradients of an operation with respect to one input, explained cell by cell.
 *
 * The inputs of an OPERATION_BACKWARD are those of its operation, in order, then that
 * operation's output, then the gradient of that output. Its options are the operation's
 * own, with `operation` and `input` set. */

/* Maximum number of inputs of an operation with gradients. */
enum { BACKWARD_INPUTS_MAX = 256 };

/* Returns the sum over the cells of `out` of gradient × derivative, which is that of the
 * cell's own explanation with respect to cell (row, col) of input `input`. Parts that are
 * 0 are left out. `set`, unless NULL, marks cells of `out` that are set by hand and pass
 * no gradient. Term inputs count an OPERATION_BACKWARD's inputs. NULL when the arena is
 * exhausted. */
const Term *backward_by_rule(const OperationCall *call, const Tensor *out,
                             const Tensor *gradient, const bool *set, size_t input,
                             size_t row, size_t col, Arena *arena);
