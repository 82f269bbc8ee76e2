/* The arithmetic: pure functions on row-major doubles.
 *
 * Outputs come first, then inputs, then sizes. Kernels allocate nothing, keep nothing and
 * check nothing: whoever calls them has checked the shapes. An output never overlaps an
 * input unless its comment says so. `n` counts rows, `d` columns. */
#ifndef TENSOR_KERNELS_H
#define TENSOR_KERNELS_H

#include <stddef.h>

/* out [n,m] = a [n,k] · b [k,m]. Each cell's products are added in the order of k,
 * however large the product is. */
void kernel_matmul(double *out, const double *a, const double *b, size_t n, size_t k,
                   size_t m);

/* out [d,n] = xᵀ, x [n,d]. */
void kernel_transpose(double *out, const double *x, size_t n, size_t d);

/* Each row of x [n,d] to shares that sum to 1: e^(x−max) over the row's total. The row's
 * maximum is taken off first, so large scores don't overflow. A row that is −∞ throughout
 * gives zeros; a row with NaN or +∞ gives NaN. Source: Vaswani et al. 2017, eq. 1. */
void kernel_softmax(double *out, const double *x, size_t n, size_t d);

/* Each row of x [n,d] brought to mean 0 and deviation 1, then times gamma [d] plus
 * beta [d] (either may be NULL): (x − μ) / √(σ² + epsilon) · γ + β, with the biased
 * variance σ². Source: Ba et al. 2016, eq. 3; torch.nn.LayerNorm. */
void kernel_layer_norm(double *out, const double *x, const double *gamma,
                       const double *beta, double epsilon, size_t n, size_t d);

/* A row's mean, and its biased variance (the mean of squared distances from it). */
double kernel_mean(const double *x, size_t d);
double kernel_variance(const double *x, double mean, size_t d);

/* The column of the row's largest value; the first of equals; NaN counts as largest. */
size_t kernel_argmax(const double *x, size_t d);

/* out [n,d]: sin(pos / 10000^(2i/d)) in column 2i, the cosine of the same angle in column
 * 2i+1, pos from 0. Source: Vaswani et al. 2017, section 3.5. */
void kernel_positional_encoding(double *out, size_t n, size_t d);

#endif
