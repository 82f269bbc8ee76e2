/* The arithmetic of training: kernels that work on four numbers at a time.
 *
 * Rows are padded with zeros to a multiple of LANES cells, so that no loop has a
 * remainder; a stride is the padded length. Sums over rows or over depth are made in the
 * same order whatever the machine, so every set of kernels gives the same bits. Kernels
 * allocate nothing, keep nothing and check nothing. */
#ifndef MODEL_LANES_H
#define MODEL_LANES_H

#include <stdbool.h>
#include <stddef.h>

enum { LANES = 4, LANES_BYTES = 32 };

/* `count` cells with the padding. */
static inline size_t lanes_up(size_t count) {
    return (count + LANES - 1) / LANES * LANES;
}

/* out [rows,cols] = from + x · w, with x [rows,depth] and w [depth,cols]. Cell (i, l) of
 * x is x[i × x_row + l × x_depth], so that a product with xᵀ needs no transpose. `cols`
 * is padded. `from` is a row for all (from_stride 0), a matrix (out itself, to add to
 * it), or NULL for zeros. */
typedef struct LanesProduct {
    double *out;
    size_t out_stride;
    const double *from;
    size_t from_stride;
    const double *x;
    size_t x_row, x_depth;
    const double *w;
    size_t w_stride;
    size_t rows, depth, cols;
} LanesProduct;

/* A layer norm of rows [n,d], each `stride` long: what forward leaves for backward is
 * `normal` [n,d], the rows brought to mean 0 and deviation 1, and `inverse` [n], one over
 * their deviations. */
typedef struct LanesNorm {
    double *normal, *inverse;
    const double *gamma;
    size_t n, d, stride;
} LanesNorm;

typedef struct LanesAdam {
    double beta_1, beta_2, epsilon;
    double step;   /* the learning rate over the first moment's correction */
    double root_2; /* one over the root of the second moment's correction */
    double clip;   /* what gradients are multiplied by first */
} LanesAdam;

typedef struct LanesKernels {
    void (*product)(const LanesProduct *product);
    /* out [cols] = the sums of x's columns, x [n,stride]. */
    void (*column_sums)(double *out, const double *x, size_t n, size_t stride);
    /* out = a + b, `count` cells, padded. */
    void (*add)(double *out, const double *a, const double *b, size_t count);
    /* x = max(0, x), `count` cells. */
    void (*relu)(double *x, size_t count);
    /* dx = 0 where out is not above 0. */
    void (*relu_backward)(double *dx, const double *out, size_t count);
    /* x [n,m] times `scale`, each row to shares that sum to 1; of row i only the cells
     * before i + 1 count where `causal`, the others become 0, as the padding does. */
    void (*softmax)(double *x, size_t n, size_t m, size_t stride, double scale,
                    bool causal);
    /* What comes back to the scores: d [n,stride] of the shares becomes d of what softmax
     * was given. */
    void (*softmax_backward)(double *d, const double *shares, size_t n, size_t stride,
                             double scale);
    /* out = norm(x + added) · gamma + beta; `added` may be NULL. */
    void (*norm)(double *out, const double *x, const double *added, const double *beta,
                 double epsilon, const LanesNorm *norm);
    /* dx may be dy. dgamma, dbeta [stride] are set. */
    void (*norm_backward)(double *dx, double *dgamma, double *dbeta, const double *dy,
                          const LanesNorm *norm);
    /* Cross entropy of one row of logits [m]: the loss of saying `column`. The row
     * becomes d loss / d logits times `weight`. *right says whether `column` is the first
     * largest. */
    double (*cross_entropy)(double *logits, size_t m, size_t stride, size_t column,
                            double weight, bool *right);
    double (*sum_of_squares)(const double *x, size_t count);
    /* values -= scale × gradients */
    void (*descend)(double *values, const double *gradients, size_t count, double scale);
    void (*adam)(double *values, double *first, double *second, const double *gradients,
                 size_t count, const LanesAdam *adam);
} LanesKernels;

/* The fastest kernels that this machine can run. */
const LanesKernels *lanes_kernels(void);

#endif
