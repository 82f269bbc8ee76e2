/* Kernels: pure functions on row-major doubles.
 *
 * Outputs come first, then inputs, then sizes. Kernels allocate nothing, keep no state
 * and check nothing: the caller has checked the shapes. An output never overlaps an input
 * unless its comment says so. `n` counts rows, `d` columns. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Matrix product: out [n,m] = a [n,k] · b [k,m]. Each cell's products are summed in the
 * order of k, however large the product is. */
void kernel_matmul(double *out, const double *a, const double *b, size_t n, size_t k,
                   size_t m);

/* Gradients of the product: adds g [n,m] · bᵀ to da [n,k], and aᵀ · g to db [k,m]. Each
 * cell's products are added to the present value in the order of m, or of n. */
void kernel_matmul_backward_left(double *da, const double *g, const double *b, size_t n,
                                 size_t k, size_t m);
void kernel_matmul_backward_right(double *db, const double *a, const double *g, size_t n,
                                  size_t k, size_t m);

/* Softmax of each row of x [n,d]: e^(x−max) over the row's sum, so that rows sum to 1.
 * The row's maximum is subtracted first, so large scores don't overflow. A row that is −∞
 * throughout gives zeros; a row with NaN or +∞ gives NaN. Source: Vaswani et al. 2017,
 * eq. 1. */
void kernel_softmax(double *out, const double *x, size_t n, size_t d);

/* Gradient of softmax: adds y · (g − Σ g·y) to dx [n,d] for the result y [n,d] and its
 * gradient g [n,d]. Rows of zeros contribute nothing. */
void kernel_softmax_backward(double *dx, const double *y, const double *g, size_t n,
                             size_t d);

/* Cross entropy: out [n] = −log of the softmax probability of each row's target in x
 * [n,d]; targets [n] are column indices from 0, -1 is none and costs 0. A masked target
 * costs ∞, as does any in a row masked whole; a target outside the columns gives NaN. The
 * row's maximum is subtracted first. */
void kernel_cross_entropy(double *out, const double *x, const double *targets, size_t n,
                          size_t d);

/* Gradient of cross entropy: adds g · (probability − 1 at the target) to dx [n,d] for the
 * gradient g [n] of the result `loss` [n]. Rows without a target, or masked whole,
 * contribute nothing. */
void kernel_cross_entropy_backward(double *dx, const double *x, const double *targets,
                                   const double *loss, const double *g, size_t n,
                                   size_t d);

/* Norms of each row of x [n,d], times gamma [d] plus beta [d] (either may be NULL). Layer
 * norm, if rows are `centred`, gives them mean 0 and standard deviation 1: (x − μ) /
 * √(σ² + epsilon) · γ + β, with the biased variance σ²; else RMS norm divides them by
 * their root mean square, as if μ were 0. Sources: Ba et al. 2016, eq. 3;
 * torch.nn.LayerNorm; Zhang & Sennrich 2019, eq. 4; torch.nn.RMSNorm. */
void kernel_norm(double *out, const double *x, const double *gamma, const double *beta,
                 bool centred, double epsilon, size_t n, size_t d);

/* Gradients of a norm of x with gamma [d] (or NULL): adds to dx [n,d], dgamma [d] and
 * dbeta [d] (any may be NULL) for the gradient g [n,d] of the result. */
void kernel_norm_backward(double *dx, double *dgamma, double *dbeta, const double *x,
                          const double *gamma, bool centred, double epsilon,
                          const double *g, size_t n, size_t d);

/* Return a row's mean, and its biased variance (the mean squared distance from the
 * mean). */
double kernel_mean(const double *x, size_t d);
double kernel_variance(const double *x, double mean, size_t d);

/* Returns the column of the row's largest value, the first of equals; NaN counts as
 * largest. */
size_t kernel_argmax(const double *x, size_t d);

/* Returns the column that follows column `last` when the row is sorted by falling values,
 * ties from the left; `d` past the end. SIZE_MAX as `last` gives the first. The row has
 * no NaN. */
size_t kernel_next_largest(const double *x, size_t d, size_t last);

/* Sinusoidal positions: out [n,d] has sin(pos / 10000^(2i/d)) in column 2i, the cosine of
 * the same angle in column 2i+1, pos from 0. Source: Vaswani et al. 2017, section 3.5. */
void kernel_positional_encoding(double *out, size_t n, size_t d);

/* Rotary positions: adds to out each row of x [n,heads·d], rotated by its position
 * (places [n]; NULL: its index): columns i and i + d/2 of a head by sign · position /
 * base^(2i/d). Source: Su et al. 2021, in the halves of Hugging Face's
 * LlamaRotaryEmbedding. */
void kernel_rotary_add(double *out, const double *x, const double *positions, double sign,
                       size_t n, size_t cols, size_t heads, double base);
