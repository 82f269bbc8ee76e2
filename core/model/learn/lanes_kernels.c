#include "model/learn/lanes.h"

#include <math.h>
#include <stdint.h>
#ifdef __AVX__
#include <immintrin.h>
#endif

/* GCC and clang warn of functions that take or give Lanes, which without AVX pass them in
 * memory: here all such functions are inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* Four numbers, anywhere in memory. */
typedef double Lanes
    __attribute__((vector_size(LANES_BYTES), aligned(sizeof(double)), may_alias));
typedef int64_t Bits
    __attribute__((vector_size(LANES_BYTES), aligned(sizeof(double)), may_alias));

#define INLINE static inline __attribute__((always_inline))

INLINE Lanes load(const double *cells) {
    return *(const Lanes *)cells;
}

INLINE void store(double *cells, Lanes lanes) {
    *(Lanes *)cells = lanes;
}

INLINE Lanes all(double value) {
    return (Lanes){value, value, value, value};
}

/* `yes` where the mask is −1, `no` where it is 0. */
INLINE Lanes choose(Bits mask, Lanes yes, Lanes no) {
    return (Lanes)((mask & (Bits)yes) | (~mask & (Bits)no));
}

INLINE Lanes larger(Lanes a, Lanes b) {
    return choose(a > b, a, b);
}

INLINE double sum(Lanes lanes) {
    return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
}

INLINE double largest(Lanes lanes) {
    double a = lanes[0] > lanes[2] ? lanes[0] : lanes[2];
    double b = lanes[1] > lanes[3] ? lanes[1] : lanes[3];
    return a > b ? a : b;
}

/* −1 in the lanes whose cell, counted from `first`, is below `end`. */
INLINE Bits before(size_t first, size_t end) {
    static const Bits places = {0, 1, 2, 3};
    int64_t left = (int64_t)end - (int64_t)first;
    return places < (Bits){left, left, left, left};
}

/* e^x for x ≤ 0, to about the last bit; 0 below the smallest normal number. x = n ln 2 +
 * r with |r| ≤ ln 2 / 2, e^r by its series. */
INLINE Lanes exponential(Lanes x) {
    static const double series[] = {1.0 / 6227020800,
                                    1.0 / 479001600,
                                    1.0 / 39916800,
                                    1.0 / 3628800,
                                    1.0 / 362880,
                                    1.0 / 40320,
                                    1.0 / 5040,
                                    1.0 / 720,
                                    1.0 / 120,
                                    1.0 / 24,
                                    1.0 / 6,
                                    0.5,
                                    1,
                                    1};
    /* Adding this rounds to a whole number and leaves it in the lowest bits. */
    const Lanes round = all(0x1.8p52);
    Bits vanishes = x < all(-708);
    x = choose(vanishes, all(-708), x);
    Lanes shifted = x * all(0x1.71547652b82fep0) + round, n = shifted - round;
    Lanes r = x - n * all(0x1.62e42feep-1) - n * all(0x1.a39ef35793c76p-33);
    Lanes value = all(series[0]);
    for (size_t i = 1; i < sizeof series / sizeof *series; i++)
        value = value * r + all(series[i]);
    return choose(vanishes, all(0), (Lanes)((Bits)value + ((Bits)shifted << 52)));
}

/* ---- products ---- */

enum { TILE_ROWS = 4, TILE_VECTORS = 2 };

/* `rows` × `vectors` cells of a product stay in registers while the depth goes by. */
INLINE void tile(const LanesProduct *p, size_t row, size_t col, size_t rows,
                 size_t vectors) {
    Lanes cells[TILE_ROWS][TILE_VECTORS];
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < vectors; j++)
            cells[i][j] =
                p->from ? load(p->from + (row + i) * p->from_stride + col + j * LANES)
                        : all(0);
    }
    const double *x = p->x + row * p->x_row, *w = p->w + col;
    size_t x_row = p->x_row, x_depth = p->x_depth, w_stride = p->w_stride;
    for (size_t l = 0, depth = p->depth; l < depth; l++) {
        for (size_t i = 0; i < rows; i++) {
            Lanes factor = all(x[i * x_row]);
            for (size_t j = 0; j < vectors; j++)
                cells[i][j] += factor * load(w + j * LANES);
        }
        x += x_depth;
        w += w_stride;
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < vectors; j++)
            store(p->out + (row + i) * p->out_stride + col + j * LANES, cells[i][j]);
    }
}

INLINE void tile_column(const LanesProduct *p, size_t col, size_t vectors) {
    size_t row = 0;
    for (; row + TILE_ROWS <= p->rows; row += TILE_ROWS)
        tile(p, row, col, TILE_ROWS, vectors);
    if (row + 2 <= p->rows) {
        tile(p, row, col, 2, vectors);
        row += 2;
    }
    if (row < p->rows)
        tile(p, row, col, 1, vectors);
}

static void product(const LanesProduct *p) {
    size_t col = 0;
    for (; col + TILE_VECTORS * LANES <= p->cols; col += TILE_VECTORS * LANES)
        tile_column(p, col, TILE_VECTORS);
    if (col < p->cols)
        tile_column(p, col, 1);
}

/* ---- cell by cell ---- */

static void column_sums(double *out, const double *x, size_t n, size_t stride) {
    for (size_t j = 0; j < stride; j += LANES) {
        Lanes total = all(0);
        for (size_t i = 0; i < n; i++)
            total += load(x + i * stride + j);
        store(out + j, total);
    }
}

static void add(double *out, const double *a, const double *b, size_t count) {
    for (size_t i = 0; i < count; i += LANES)
        store(out + i, load(a + i) + load(b + i));
}

static void relu(double *x, size_t count) {
    for (size_t i = 0; i < count; i += LANES) {
        Lanes lanes = load(x + i);
        store(x + i, choose(lanes < all(0), all(0), lanes)); /* NaN stays NaN */
    }
}

static void relu_backward(double *dx, const double *out, size_t count) {
    for (size_t i = 0; i < count; i += LANES)
        store(dx + i, choose(load(out + i) > all(0), load(dx + i), all(0)));
}

/* ---- rows ---- */

/* Turns the cells of a row that are not −∞ into e^(cell − top); gives their sum. */
INLINE double exponentials(double *row, size_t stride, double top) {
    Lanes total = all(0);
    for (size_t j = 0; j < stride; j += LANES) {
        Lanes power = exponential(load(row + j) - all(top));
        total += power;
        store(row + j, power);
    }
    return sum(total);
}

/* Scales the first `count` cells, sets the others to −∞; gives the largest. */
INLINE double prepare(double *row, size_t count, size_t stride, double scale) {
    Lanes top = all(-INFINITY);
    for (size_t j = 0; j < stride; j += LANES) {
        Lanes cells =
            choose(before(j, count), load(row + j) * all(scale), all(-INFINITY));
        top = larger(cells, top);
        store(row + j, cells);
    }
    return largest(top);
}

static void softmax(double *x, size_t n, size_t m, size_t stride, double scale,
                    bool causal) {
    for (size_t i = 0; i < n; i++) {
        double *row = x + i * stride;
        double top = prepare(row, causal && i + 1 < m ? i + 1 : m, stride, scale);
        Lanes share = all(1 / exponentials(row, stride, top));
        for (size_t j = 0; j < stride; j += LANES)
            store(row + j, load(row + j) * share);
    }
}

static void softmax_backward(double *d, const double *shares, size_t n, size_t stride,
                             double scale) {
    for (size_t i = 0; i < n; i++) {
        double *row = d + i * stride;
        const double *share = shares + i * stride;
        Lanes total = all(0);
        for (size_t j = 0; j < stride; j += LANES)
            total += load(row + j) * load(share + j);
        Lanes mean = all(sum(total));
        for (size_t j = 0; j < stride; j += LANES)
            store(row + j, load(share + j) * (load(row + j) - mean) * all(scale));
    }
}

static void norm(double *out, const double *x, const double *added, const double *beta,
                 double epsilon, const LanesNorm *norm) {
    double one = 1 / (double)norm->d;
    size_t stride = norm->stride;
    for (size_t i = 0; i < norm->n; i++) {
        double *normal = norm->normal + i * stride;
        Lanes total = all(0), squares = all(0);
        for (size_t j = 0; j < stride; j += LANES) {
            Lanes cells = load(x + i * stride + j);
            if (added)
                cells += load(added + i * stride + j);
            store(normal + j, cells);
            total += cells;
        }
        Lanes mean = all(sum(total) * one);
        for (size_t j = 0; j < stride; j += LANES) {
            Lanes cells = choose(before(j, norm->d), load(normal + j) - mean, all(0));
            store(normal + j, cells);
            squares += cells * cells;
        }
        double inverse = 1 / sqrt(sum(squares) * one + epsilon);
        norm->inverse[i] = inverse;
        for (size_t j = 0; j < stride; j += LANES) {
            Lanes cells = load(normal + j) * all(inverse);
            store(normal + j, cells);
            store(out + i * stride + j, cells * load(norm->gamma + j) + load(beta + j));
        }
    }
}

/* With g = dy · gamma: dx = (g − mean(g) − normal · mean(g · normal)) / deviation. */
static void norm_backward(double *dx, double *dgamma, double *dbeta, const double *dy,
                          const LanesNorm *norm) {
    double one = 1 / (double)norm->d;
    size_t stride = norm->stride;
    for (size_t j = 0; j < stride; j += LANES) {
        store(dgamma + j, all(0));
        store(dbeta + j, all(0));
    }
    for (size_t i = 0; i < norm->n; i++) {
        const double *normal = norm->normal + i * stride;
        Lanes total = all(0), along = all(0);
        for (size_t j = 0; j < stride; j += LANES) {
            Lanes d = load(dy + i * stride + j), x = load(normal + j);
            Lanes g = d * load(norm->gamma + j);
            store(dgamma + j, load(dgamma + j) + d * x);
            store(dbeta + j, load(dbeta + j) + d);
            total += g;
            along += g * x;
        }
        Lanes mean = all(sum(total) * one), slope = all(sum(along) * one);
        Lanes inverse = all(norm->inverse[i]);
        for (size_t j = 0; j < stride; j += LANES) {
            Lanes g = load(dy + i * stride + j) * load(norm->gamma + j);
            Lanes back = (g - mean - load(normal + j) * slope) * inverse;
            store(dx + i * stride + j, choose(before(j, norm->d), back, all(0)));
        }
    }
}

static double cross_entropy(double *logits, size_t m, size_t stride, size_t column,
                            double weight, bool *right) {
    double said = logits[column], top = prepare(logits, m, stride, 1);
    *right = said == top;
    for (size_t j = 0; *right && j < column; j++)
        *right = logits[j] < top;
    double total = exponentials(logits, stride, top);
    Lanes share = all(weight / total);
    for (size_t j = 0; j < stride; j += LANES)
        store(logits + j, load(logits + j) * share);
    logits[column] -= weight;
    return log(total) + top - said;
}

/* ---- updates ---- */

static double sum_of_squares(const double *x, size_t count) {
    Lanes total = all(0);
    for (size_t i = 0; i < count; i += LANES)
        total += load(x + i) * load(x + i);
    return sum(total);
}

static void descend(double *values, const double *gradients, size_t count, double scale) {
    for (size_t i = 0; i < count; i += LANES)
        store(values + i, load(values + i) - load(gradients + i) * all(scale));
}

INLINE Lanes root(Lanes x) {
#ifdef __AVX__
    return (Lanes)_mm256_sqrt_pd((__m256d)x);
#else
    return (Lanes){sqrt(x[0]), sqrt(x[1]), sqrt(x[2]), sqrt(x[3])};
#endif
}

static void adam(double *values, double *first, double *second, const double *gradients,
                 size_t count, const LanesAdam *adam) {
    Lanes keep_1 = all(adam->beta_1), take_1 = all(1 - adam->beta_1);
    Lanes keep_2 = all(adam->beta_2), take_2 = all(1 - adam->beta_2);
    Lanes step = all(adam->step), root_2 = all(adam->root_2);
    Lanes epsilon = all(adam->epsilon), clip = all(adam->clip);
    for (size_t i = 0; i < count; i += LANES) {
        Lanes g = load(gradients + i) * clip;
        Lanes m = load(first + i) * keep_1 + g * take_1;
        Lanes v = load(second + i) * keep_2 + g * g * take_2;
        store(first + i, m);
        store(second + i, v);
        store(values + i, load(values + i) - step * m / (root(v) * root_2 + epsilon));
    }
}

#ifndef LANES_TABLE
#define LANES_TABLE lanes_plain
#endif

extern const LanesKernels LANES_TABLE;

const LanesKernels LANES_TABLE = {
    .product = product,
    .column_sums = column_sums,
    .add = add,
    .relu = relu,
    .relu_backward = relu_backward,
    .softmax = softmax,
    .softmax_backward = softmax_backward,
    .norm = norm,
    .norm_backward = norm_backward,
    .cross_entropy = cross_entropy,
    .sum_of_squares = sum_of_squares,
    .descend = descend,
    .adam = adam,
};
