#include "tensor/kernels.h"

#include <stdbool.h>
#include <string.h>

/* Every way of going about a product adds up each cell's products in the order of k,
 * beginning with 0, as one would by hand: the result is the same to the last bit. */

/* The cells [row, row_end) × [col, col_end). Rows of b are walked in order, so that
 * memory is read forwards. */
static void matmul_plain(double *out, const double *a, const double *b, size_t row,
                         size_t row_end, size_t k, size_t col, size_t col_end, size_t m) {
    for (size_t i = row; i < row_end && col < col_end; i++) {
        double *cells = out + i * m;
        memset(cells + col, 0, (col_end - col) * sizeof *cells);
        for (size_t l = 0; l < k; l++) {
            double factor = a[i * k + l];
            for (size_t j = col; j < col_end; j++)
                cells[j] += factor * b[l * m + j];
        }
    }
}

#if defined __x86_64__ && defined __GNUC__

/* Large products: a tile of 4 × 8 cells stays in registers while k goes by, and the part
 * of b that it needs lies together in the nearest cache for all rows. */
enum { TILE_ROWS = 4, TILE_COLS = 8, TILE_DEPTH = 256, LANES = 4 };

typedef double Lanes __attribute__((vector_size(LANES * sizeof(double))));

enum { TILE_LANES = TILE_COLS / LANES };

/* Adds `depth` products to each cell of a tile: a's rows are k apart, out's m. */
__attribute__((target("avx2"))) static void tile_add(double *out, const double *a,
                                                     const double *packed, size_t depth,
                                                     size_t k, size_t m) {
    Lanes sums[TILE_ROWS][TILE_LANES];
    for (size_t i = 0; i < TILE_ROWS; i++) {
        for (size_t j = 0; j < TILE_LANES; j++)
            memcpy(&sums[i][j], out + i * m + j * LANES, sizeof(Lanes));
    }
    for (size_t l = 0; l < depth; l++) {
        Lanes row[TILE_LANES];
        for (size_t j = 0; j < TILE_LANES; j++)
            memcpy(&row[j], packed + l * TILE_COLS + j * LANES, sizeof(Lanes));
        for (size_t i = 0; i < TILE_ROWS; i++) {
            for (size_t j = 0; j < TILE_LANES; j++)
                sums[i][j] += a[i * k + l] * row[j];
        }
    }
    for (size_t i = 0; i < TILE_ROWS; i++) {
        for (size_t j = 0; j < TILE_LANES; j++)
            memcpy(out + i * m + j * LANES, &sums[i][j], sizeof(Lanes));
    }
}

/* The whole tiles' part of the product: `rows` and `cols` are multiples of a tile's. */
static void matmul_tiled(double *out, const double *a, const double *b, size_t rows,
                         size_t k, size_t cols, size_t m) {
    double packed[TILE_DEPTH * TILE_COLS];
    for (size_t i = 0; i < rows; i++)
        memset(out + i * m, 0, cols * sizeof *out);
    for (size_t l = 0; l < k; l += TILE_DEPTH) {
        size_t depth = k - l < TILE_DEPTH ? k - l : TILE_DEPTH;
        for (size_t j = 0; j < cols; j += TILE_COLS) {
            for (size_t d = 0; d < depth; d++)
                memcpy(packed + d * TILE_COLS, b + (l + d) * m + j,
                       TILE_COLS * sizeof *b);
            for (size_t i = 0; i < rows; i += TILE_ROWS)
                tile_add(out + i * m + j, a + i * k + l, packed, depth, k, m);
        }
    }
}

/* Packing pays from a few rows on. */
static bool tiles_pay(size_t n, size_t k, size_t m) {
    return n >= 2 * TILE_ROWS && k >= 16 && m >= TILE_COLS &&
           __builtin_cpu_supports("avx2");
}

#else

enum { TILE_ROWS = 1, TILE_COLS = 1 };

static void matmul_tiled(double *out, const double *a, const double *b, size_t rows,
                         size_t k, size_t cols, size_t m) {
    matmul_plain(out, a, b, 0, rows, k, 0, cols, m);
}

static bool tiles_pay(size_t n, size_t k, size_t m) {
    (void)n, (void)k, (void)m;
    return false;
}

#endif

void kernel_matmul_back_left(double *da, const double *g, const double *b, size_t n,
                             size_t k, size_t m) {
    for (size_t i = 0; i < n; i++) {
        for (size_t l = 0; l < k; l++) {
            for (size_t j = 0; j < m; j++)
                da[i * k + l] += g[i * m + j] * b[l * m + j];
        }
    }
}

void kernel_matmul_back_right(double *db, const double *a, const double *g, size_t n,
                              size_t k, size_t m) {
    for (size_t i = 0; i < n; i++) {
        for (size_t l = 0; l < k; l++) {
            for (size_t j = 0; j < m; j++)
                db[l * m + j] += a[i * k + l] * g[i * m + j];
        }
    }
}

void kernel_matmul(double *out, const double *a, const double *b, size_t n, size_t k,
                   size_t m) {
    size_t rows = 0, cols = 0;
    if (tiles_pay(n, k, m)) {
        rows = n - n % TILE_ROWS;
        cols = m - m % TILE_COLS;
        matmul_tiled(out, a, b, rows, k, cols, m);
        matmul_plain(out, a, b, 0, rows, k, cols, m, m);
    }
    matmul_plain(out, a, b, rows, n, k, 0, m, m);
}
