/* A tensor: a row-major matrix of doubles whose axes may carry labels.
 *
 * Every tensor here has two axes. A flat list is one row, a number is [1,1]; a tensor of
 * several heads is several tensors side by side. Values and labels are borrowed: they
 * live in the arena of whoever made the tensor. {0} is a valid, empty tensor. */
#ifndef TENSOR_TENSOR_H
#define TENSOR_TENSOR_H

#include "base/arena.h"

#include <float.h>
#include <stdbool.h>
#include <stddef.h>

enum { TENSOR_MAX_CELLS = 4194304 };

typedef struct Tensor {
    size_t rows, cols;
    double *values;                /* rows × cols */
    const char *const *row_labels; /* `rows` strings, or NULL */
    const char *const *col_labels; /* `cols` strings, or NULL */
} Tensor;

static inline double tensor_at(const Tensor *tensor, size_t row, size_t col) {
    return tensor->values[row * tensor->cols + col];
}

static inline size_t tensor_cells(const Tensor *tensor) {
    return tensor->rows * tensor->cols;
}

/* What a place of an axis of that length is called: by its label, "learning₃" where it is
 * the third and another is labelled like it; by its number, from 0, where `labels` is
 * NULL. In the arena, or NULL when that is exhausted. */
const char *tensor_position_name(const char *const *labels, size_t count, size_t index,
                                 Arena *arena);

/* Whether all finite values are whole numbers (and there is one). */
bool tensor_is_whole(const Tensor *tensor);

/* Whether every value is 0 or −∞, and at least one is −∞: a mask to be added. */
bool tensor_is_mask(const Tensor *tensor);

/* Whether two have as many rows and as many columns. */
static inline bool tensor_same_shape(const Tensor *a, const Tensor *b) {
    return a->rows == b->rows && a->cols == b->cols;
}

/* Whether a number only serves to mask: ±∞, NaN, −1e8 and below. Inline, as pictures ask
 * it of every cell. */
static inline bool tensor_is_masking(double value) {
    return !(value > -1e8 && value <= DBL_MAX);
}

/* Whether one of its numbers is such. */
bool tensor_has_masks(const Tensor *tensor);

#endif
