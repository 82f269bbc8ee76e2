/* The operations: one row each in one table.
 *
 * A row says all that there is to know about an operation: its name, what it takes, what
 * shape comes out, its kernel and derivative, how one cell came to be, how it is written
 * in a lesson, in a formula and in Python, and what others ask of it (its traits). What
 * it is called in the reader's language is found by its name in the interface strings.
 * Whoever adds one adds a kind here, a row beside its kernel (operations_*.c), its name
 * in operations.h and operations.c, and its words in assets/strings; core/README.md has
 * the whole list, with the tests' files. Nothing here allocates
 * but explanations and labels, which live in the arena given. */
#ifndef TENSOR_OPERATION_H
#define TENSOR_OPERATION_H

#include "base/arena.h"
#include "base/error.h"
#include "tensor/tensor.h"
#include "tensor/terms/term.h"

typedef enum OperationKind {
    OPERATION_GIVEN, /* no inputs: the lesson's numbers, or a constant */
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
    OPERATION_BACKWARD, /* what an operation gives back to one of its inputs */
    OPERATION_COUNT
} OperationKind;

/* The base of rotary wavelengths in Su et al. 2021, and in LLaMA. */
#define ROTARY_BASE 10000.0

/* What an operation needs beside its inputs. Unused fields are 0. */
typedef struct OperationOptions {
    size_t row_begin, row_end; /* slice: rows [begin, end) */
    size_t col_begin, col_end; /* slice: columns [begin, end) */
    size_t rows, cols;         /* positional_encoding, causal_mask, one_hot (cols) */
    double epsilon;            /* layer_norm, rms_norm */
    size_t keep;               /* top_k: how many cells of a row stay */
    size_t heads;              /* rotary: each has its columns apart */
    double base;               /* rotary: of the wavelengths; 0: ROTARY_BASE */
    double share;              /* top_p: the share that the cells that stay have;
                                  dropout: the chance of each cell to become 0 */
    size_t seed;               /* dropout */
    OperationKind operation;   /* backward: of which operation … */
    size_t input;              /* … and of which of its inputs */
} OperationOptions;

/* One use of an operation. */
typedef struct OperationCall {
    const Tensor *const *inputs;
    size_t count;
    OperationOptions options;
} OperationCall;

/* Rows [row_begin, row_end) and columns [col_begin, col_end) of a tensor. */
typedef struct OperationReach {
    size_t row_begin, row_end, col_begin, col_end;
} OperationReach;

/* How one cell of the output comes to be. */
typedef enum OperationWork {
    OPERATION_WORK_UNSAID,    /* a row that says nothing is a mistake */
    OPERATION_WORK_BY_ITSELF, /* from its place alone */
    OPERATION_WORK_BY_CELL,   /* from the inputs' cells at its own place */
    OPERATION_WORK_BY_ROW,    /* from a whole row of the first input */
    OPERATION_WORK_BY_MOVING, /* as a copy of one cell from elsewhere */
    OPERATION_WORK_BY_MARKING /* 0, 1 or −∞, by its place or an ID */
} OperationWork;

/* What the output's numbers are. */
typedef enum OperationValues {
    OPERATION_VALUES_UNSAID,
    OPERATION_VALUES_SIGNED,        /* numbers of either sign */
    OPERATION_VALUES_PROBABILITIES, /* from 0 to 1 */
    OPERATION_VALUES_POSITIONS,     /* whole numbers that count rows or columns */
    OPERATION_VALUES_MASK,          /* 0, and −∞ where nothing is to be seen */
    OPERATION_VALUES_CUT,           /* signed, and −∞ where they were cut away */
    OPERATION_VALUES_OF_INPUT       /* what the first input's are */
} OperationValues;

/* How firmly an operation's text holds together among operators: Python's precedence. */
typedef enum OperationBinding {
    OPERATION_BINDS_UNSAID,
    OPERATION_BINDS_SUM,
    OPERATION_BINDS_PRODUCT,
    OPERATION_BINDS_SIGN,
    OPERATION_BINDS_WHOLE
} OperationBinding;

/* An argument of a call that is no tensor: a number that goes into the options. */
typedef struct OperationArgument {
    const char *name; /* "n"; NULL: there is none */
    size_t offset; /* in OperationOptions: of a size_t where it is whole, of a double */
    bool whole;    /* from 1 on */
    bool words;    /* it says how many words there are */
    double usual;  /* where it may be left out, what it is then; else 0 */
    bool (*fits)(double value); /* NULL: any does; else … */
    const char *must_be;        /* … what does: "a share: above 0, at most 1" */
} OperationArgument;

/* What layer norm adds to the variance where nothing is said. */
#define LAYER_NORM_EPSILON 1e-5

enum { OPERATION_ARGUMENTS_MAX = 2, OPERATION_BACKWARD_MAX = 3 };

/* What an operation is in Python.
 *
 * In a pattern #1, #2 … are the inputs and #* is all of them; #o is the output and #g the
 * gradient of an operation run backwards, #x the input that the gradient is for. Options
 * are $rows, $cols, $slice (what stands in its brackets), $r0 $c0 (where it begins),
 * $epsilon, $keep, $share, $heads, $seed, and where input #x lies in what is put together
 * of several: its columns $left and $right, its rows $top and $bottom; $width has the
 * columns of input #1. What stands in {} is left out where there is no such input. */
typedef struct OperationCode {
    const char *numpy, *torch;
    /* What NumPy gives back to each input; the last one that is there holds for all that
     * follow. PyTorch has autograd. */
    const char *numpy_backward[OPERATION_BACKWARD_MAX];
    /* Functions that the patterns call, whole, an empty line between two; NULL where the
     * libraries have them. */
    const char *numpy_helpers, *torch_helpers;
    /* The same shorter, for lessons in which no row is masked whole; or NULL. */
    const char *torch_usual, *numpy_usual_helpers;
} OperationCode;

/* How many inputs an operation takes. */
typedef struct OperationInputs {
    size_t least, most;
} OperationInputs;

typedef struct Operation {
    const char *name; /* also the key of its words: operation.NAME, say.NAME … */
    OperationInputs inputs;

    /* ---- how it is written ---- */

    const char *arguments; /* of a call: "logits, k"; NULL where a lesson can't call it */
    OperationArgument numbers[OPERATION_ARGUMENTS_MAX]; /* those that are no tensors */
    const char *symbol; /* the call's name in a formula, or the sign between two inputs */
    const char *formula; /* TeX (see picture/formula/formula.h); #1, #2 … stand for the
                            inputs */
    const char *arrow;   /* the same, shorter, over an arrow; NULL: the formula of x */
    OperationBinding binding;
    OperationCode code;

    /* ---- traits ---- */

    OperationWork work;
    OperationValues values;
    bool mutable; /* it changes numbers that keep their places: an input of its output's
                     shape can stand in for it, mostly the first */
    bool normalizes; /* it brings each row to one scale: a gate on the residual lane */
    bool rescales;   /* its numbers are of another size than what they are made of */
    bool bends;      /* an activation: next to nothing of what is far below 0, and what is
                        far above it as it is */
    size_t ids;      /* which input is a list of IDs, from 1 on; 0: none */
    size_t backward_inputs; /* only the first so many get gradients; 0: all of them */

    /* ---- what it does ---- */

    /* Sets out->rows and out->cols; ERROR_SHAPE with both shapes when they disagree. */
    bool (*shape)(const OperationCall *call, Tensor *out, Error *error);
    /* Whether the inputs' values are ones the operation can take (an ID that is a row of
     * the table); NULL when any are. ERROR_VALUE naming the cell. */
    bool (*accepts)(const OperationCall *call, Error *error);
    /* Fills out->values. Any values are survived: where a number can't be had, NaN. */
    void (*forward)(const OperationCall *call, Tensor *out);
    /* The term whose value is cell (row, col) of `out`; NULL when the arena is exhausted.
     */
    const Term *(*explain)(const OperationCall *call, const Tensor *out, size_t row,
                           size_t col, Arena *arena);
    /* Why cell (row, col) of `out` has no proper value, by the operation's own rule: a
     * key of the interface strings ("trouble.row_masked"), or NULL where nothing is
     * wrong. NULL: it has no rule of its own. */
    const char *(*trouble)(const OperationCall *call, const Tensor *out, size_t row,
                           size_t col);
    /* Adds to gradients[i], which has the shape of input i (NULL where it is not wanted),
     * what `gradient` (of out's shape) gives back through this operation, out being what
     * forward made of the call. NULL: nothing flows back (IDs, masks, positions,
     * argmax). */
    void (*backward)(const OperationCall *call, const Tensor *out, const double *gradient,
                     double *const *gradients);
    /* Which cells of `out` cell (row, col) of an input can have gone into; NULL: any.
     * Only where there is a `backward`. */
    OperationReach (*reach)(const OperationCall *call, const Tensor *out, size_t input,
                            size_t row, size_t col);
    /* The term of a cell of an OPERATION_BACKWARD of this operation, whose inputs are
     * this one's, then out, then the gradient; NULL: worked out from `explain`. For
     * operations of which that would take too long. */
    const Term *(*explain_backward)(const OperationCall *call, const Tensor *out,
                                    const Tensor *gradient, size_t input, size_t row,
                                    size_t col, Arena *arena);
    /* Gives `out` the labels that the inputs' labels imply; NULL: as for elementwise,
     * each axis takes the labels of the first input that has them at that length. */
    void (*label)(const OperationCall *call, Tensor *out, Arena *arena);
} Operation;

/* Whether a kind has its row in the table; a test asks it of all. */
bool operation_has_row(OperationKind kind);

/* The table's row of a kind. Never NULL. */
const Operation *operation_of(OperationKind kind);

/* Whether computing a call is a matrix product, forwards or backwards. */
bool operation_is_product(OperationKind kind, const OperationCall *call);

/* The operations (see base/arena.h) that computing `out` takes. */
double operation_cost(OperationKind kind, const OperationCall *call, const Tensor *out);

/* How many of a call's numbers can't be left out. */
size_t operation_numbers_needed(const Operation *operation);

/* Whether an input is read as a list of IDs. */
bool operation_reads_ids(OperationKind kind, size_t input);

/* Whether a gradient flows back through the operation to input number `input`. */
bool operation_has_gradient(OperationKind kind, size_t input);

/* Gives `out` the labels that its inputs' labels imply: a product has its left factor's
 * row labels and its right factor's column labels, an embedding its IDs' labels. */
void operation_label(OperationKind kind, const OperationCall *call, Tensor *out,
                     Arena *arena);

#endif
