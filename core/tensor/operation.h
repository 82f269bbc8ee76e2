/* The operations: one row each in one table.
 *
 * A row says an operation's name (as `show --json` prints it and, where it can be called,
 * as a lesson writes it), how many inputs it takes, what shape comes out, its kernel, how
 * one cell of its output came to be, and its formula. Whoever adds an operation adds a
 * kernel, a row here and a row in the picture layer's table. Nothing here allocates but
 * explanations and labels, which live in the arena given. */
#ifndef TENSOR_OPERATION_H
#define TENSOR_OPERATION_H

#include "base/arena.h"
#include "base/error.h"
#include "tensor/tensor.h"
#include "tensor/term.h"

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
    OPERATION_EXP,
    OPERATION_SQRT,
    OPERATION_SUM,
    OPERATION_MEAN,
    OPERATION_MAX,
    OPERATION_ARGMAX,
    OPERATION_ONE_HOT,
    OPERATION_LAYER_NORM,
    OPERATION_EMBED,
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

/* What an operation needs beside its inputs. Unused fields are 0. */
typedef struct OperationOptions {
    size_t row_begin, row_end; /* slice: rows [begin, end) */
    size_t col_begin, col_end; /* slice: columns [begin, end) */
    size_t rows, cols;         /* positional_encoding, causal_mask, one_hot (cols) */
    double epsilon;            /* layer_norm */
    size_t keep;               /* top_k: how many cells of a row stay */
    double share;              /* top_p: the share that the cells that stay have */
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

typedef struct Operation {
    const char *name;
    size_t inputs_min, inputs_max;
    bool callable; /* a lesson may call it by its name */
    bool mutable;  /* an input of its output's shape can stand in for it, mostly the first
                    */
    size_t backward_inputs; /* only the first so many get gradients; 0: all of them */
    const char
        *formula; /* TeX (see picture/formula/formula.h); #1, #2 … stand for the inputs */
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

/* The table's row of a kind. Never NULL. */
const Operation *operation_of(OperationKind kind);

/* The kind of a callable operation's name; false when there is none. */
bool operation_from_name(const char *name, OperationKind *kind);

/* Whether a gradient flows back through the operation to input number `input`. */
bool operation_gives_back(OperationKind kind, size_t input);

/* Gives `out` the labels that its inputs' labels imply: a product has its left factor's
 * row labels and its right factor's column labels, an embedding its IDs' labels. */
void operation_label(OperationKind kind, const OperationCall *call, Tensor *out,
                     Arena *arena);

#endif
