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

/* What the product gives back: to a [n,k] is added g [n,m] · bᵀ, to b [k,m] aᵀ · g. Each
 * cell's products are added to what is there in the order of m, or of n. */
void kernel_matmul_backward_left(double *da, const double *g, const double *b, size_t n,
                                 size_t k, size_t m);
void kernel_matmul_backward_right(double *db, const double *a, const double *g, size_t n,
                                  size_t k, size_t m);

/* out [d,n] = xᵀ, x [n,d]. */
void kernel_transpose(double *out, const double *x, size_t n, size_t d);

/* Each row of x [n,d] to shares that sum to 1: e^(x−max) over the row's total. The row's
 * maximum is taken off first, so large scores don't overflow. A row that is −∞ throughout
 * gives zeros; a row with NaN or +∞ gives NaN. Source: Vaswani et al. 2017, eq. 1. */
void kernel_softmax(double *out, const double *x, size_t n, size_t d);

/* Adds to dx [n,d] what gradient g [n,d] gives back through the softmax whose result is y
 * [n,d]: y · (g − Σ g·y). Rows of zeros give nothing. */
void kernel_softmax_backward(double *dx, const double *y, const double *g, size_t n,
                             size_t d);

/* out [n]: −log of the share that softmax gives to each row's target in x [n,d]; targets
 * [n] count columns from 0, -1 is none and costs 0. A target that is masked
 * costs ∞, and so does any in a row masked whole; one that is no column gives NaN. The
 * row's maximum is taken off first. */
void kernel_cross_entropy(double *out, const double *x, const double *targets, size_t n,
                          size_t d);

/* Adds to dx [n,d] what gradient g [n] gives back through it, `loss` [n] being its
 * result: g · (share − 1 at the target). Rows without a target, or masked whole, give
 * nothing. */
void kernel_cross_entropy_backward(double *dx, const double *x, const double *targets,
                                   const double *loss, const double *g, size_t n,
                                   size_t d);

/* Each row of x [n,d] brought to mean 0 and deviation 1, then times gamma [d] plus
 * beta [d] (either may be NULL): (x − μ) / √(σ² + epsilon) · γ + β, with the biased
 * variance σ². Source: Ba et al. 2016, eq. 3; torch.nn.LayerNorm. */
void kernel_layer_norm(double *out, const double *x, const double *gamma,
                       const double *beta, double epsilon, size_t n, size_t d);

/* Adds to dx [n,d], dgamma [d] and dbeta [d] (any may be NULL) what gradient g [n,d]
 * gives back through the layer norm of x with gamma [d] (or NULL) and epsilon. */
void kernel_layer_norm_backward(double *dx, double *dgamma, double *dbeta,
                                const double *x, const double *gamma, double epsilon,
                                const double *g, size_t n, size_t d);

/* Each row of x [n,d] over its size, then times gamma [d] (may be NULL):
 * x / √(mean of x² + epsilon) · γ. Source: Zhang & Sennrich 2019, eq. 4;
 * torch.nn.RMSNorm. */
void kernel_rms_norm(double *out, const double *x, const double *gamma, double epsilon,
                     size_t n, size_t d);

/* Adds to dx [n,d] and dgamma [d] (either may be NULL) what g [n,d] gives back through
 * it. */
void kernel_rms_norm_backward(double *dx, double *dgamma, const double *x,
                              const double *gamma, double epsilon, const double *g,
                              size_t n, size_t d);

/* A row's mean, and its biased variance (the mean of squared distances from it). */
double kernel_mean(const double *x, size_t d);
double kernel_variance(const double *x, double mean, size_t d);

/* The column of the row's largest value; the first of equals; NaN counts as largest. */
size_t kernel_argmax(const double *x, size_t d);

/* The column of the row that comes next after column `last` when they are ordered by
 * value, the largest first and of equals the leftmost first; `d` when there is none.
 * SIZE_MAX as `last` gives the first. The row has no NaN. */
size_t kernel_next_largest(const double *x, size_t d, size_t last);

/* out [n,d]: sin(pos / 10000^(2i/d)) in column 2i, the cosine of the same angle in column
 * 2i+1, pos from 0. Source: Vaswani et al. 2017, section 3.5. */
void kernel_positional_encoding(double *out, size_t n, size_t d);

/* Adds to out each row of x [n,heads·d] turned by its place (places [n]; NULL: its
 * number): columns i and i + d/2 of a head by sign · place / base^(2i/d). Source: Su et
 * al. 2021, in the halves of Hugging Face's LlamaRotaryEmbedding. */
void kernel_rotary_add(double *out, const double *x, const double *places, double sign,
                       size_t n, size_t cols, size_t heads, double base);

#endif
