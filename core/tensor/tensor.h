/* A tensor: a row-major matrix of doubles whose axes may carry labels.
 *
 * Every tensor here has two axes. A flat list is one row, a number is [1,1]; a tensor of
 * several heads is several tensors side by side. Values and labels are borrowed: they
 * live in the arena of the code that made the tensor. {0} is a valid, empty tensor. */
#pragma once

#include <assert.h>
#include <float.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct Arena Arena;

enum { TENSOR_MAX_CELLS = 4194304 };

typedef struct Tensor {
    size_t rows, cols;
    double *values;                /* rows × cols */
    const char *const *row_labels; /* `rows` strings, or NULL */
    const char *const *col_labels; /* `cols` strings, or NULL */
} Tensor;

/* Checks its indices in sanitizer builds: a read beyond a row stays within the block. */
static inline double tensor_at(const Tensor *tensor, size_t row, size_t col) {
#ifdef CHECKED_TENSORS
    assert(row < tensor->rows && col < tensor->cols);
#endif
    return tensor->values[row * tensor->cols + col];
}

static inline size_t tensor_cells(const Tensor *tensor) {
    return tensor->rows * tensor->cols;
}

/* Returns the name of position `index` on an axis of length `count`: its label, as
 * "learning₃" if it is the third with that label; its number, from 0, if `labels` is
 * NULL. In the arena; NULL when that is exhausted. */
const char *tensor_position_name(const char *const *labels, size_t count, size_t index,
                                 Arena *arena);

/* Reports whether all finite values are whole numbers (and there is one). */
bool tensor_is_whole(const Tensor *tensor);

/* Reports whether every value is 0 or −∞, and at least one is −∞: an additive mask. */
bool tensor_is_mask(const Tensor *tensor);

/* Reports whether two tensors have as many rows and as many columns. */
static inline bool tensor_same_shape(const Tensor *a, const Tensor *b) {
    return a->rows == b->rows && a->cols == b->cols;
}

/* Reports whether a number can only be a mask's: ±∞, NaN, −1e8 and below. Inline, since
 * pictures test every cell. */
static inline bool tensor_is_masking(double value) {
    return !(value > -1e8 && value <= DBL_MAX);
}

/* Reports whether `is` holds for one of its numbers. */
bool tensor_has(const Tensor *tensor, bool (*is)(double value));
