#include "tensor/kernels.h"

#include <stdbool.h>
#include <string.h>

/* Every way of going about a product adds up each cell's products in the order of their
 * number, beginning with what is there, as one would by hand: the result is the same to
 * the last bit. */

/* A product out [n,m] += a · b of `depth` products a cell, where either factor may be
 * read as its transpose: the strides say how far its rows and its columns are apart. */
typedef struct Product {
    double *out;
    const double *a, *b;
    size_t a_row, a_col, b_row, b_col;
    size_t n, depth, m;
} Product;

/* Rows of b are walked in order, so that memory is read forwards. */
static void add_rows(const Product *p) {
    for (size_t i = 0; i < p->n; i++) {
        double *cells = p->out + i * p->m;
        for (size_t l = 0; l < p->depth; l++) {
            double factor = p->a[i * p->a_row + l * p->a_col];
            const double *b = p->b + l * p->b_row;
            for (size_t j = 0; j < p->m; j++)
                cells[j] += factor * b[j];
        }
    }
}

/* Cell by cell, where it is a column of b that lies together. */
static void add_cells(const Product *p) {
    for (size_t i = 0; i < p->n; i++) {
        for (size_t j = 0; j < p->m; j++) {
            double sum = p->out[i * p->m + j];
            const double *b = p->b + j * p->b_col;
            for (size_t l = 0; l < p->depth; l++)
                sum += p->a[i * p->a_row + l * p->a_col] * b[l * p->b_row];
            p->out[i * p->m + j] = sum;
        }
    }
}

static void add_plain(const Product *p) {
    if (p->b_col == 1)
        add_rows(p);
    else
        add_cells(p);
}

#if defined __x86_64__ && defined __GNUC__

/* A tile of 4 × 8 cells stays in registers while the products go by, and the part of b
 * that it needs lies together in the nearest cache for all rows. */
enum { TILE_ROWS = 4, TILE_COLS = 8, TILE_DEPTH = 256, LANES = 4 };

typedef double Lanes __attribute__((vector_size(LANES * sizeof(double))));

enum { TILE_LANES = TILE_COLS / LANES };

/* Adds `depth` products to each cell of a tile whose rows are `stride` apart: a[i] points
 * at row i's first factor, the next one is a_col further; `packed` holds b's rows of
 * TILE_COLS. */
__attribute__((target("avx2"))) static void tile_add(double *out, size_t stride,
                                                     const double *const *a, size_t a_col,
                                                     const double *packed, size_t depth) {
    Lanes sums[TILE_ROWS][TILE_LANES];
    const double *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3];
    for (size_t i = 0; i < TILE_ROWS; i++) {
        for (size_t j = 0; j < TILE_LANES; j++)
            memcpy(&sums[i][j], out + i * stride + j * LANES, sizeof(Lanes));
    }
    for (size_t l = 0; l < depth; l++) {
        const double factors[TILE_ROWS] = {a0[l * a_col], a1[l * a_col], a2[l * a_col],
                                           a3[l * a_col]};
        Lanes row[TILE_LANES];
        for (size_t j = 0; j < TILE_LANES; j++)
            memcpy(&row[j], packed + l * TILE_COLS + j * LANES, sizeof(Lanes));
        for (size_t i = 0; i < TILE_ROWS; i++) {
            for (size_t j = 0; j < TILE_LANES; j++)
                sums[i][j] += factors[i] * row[j];
        }
    }
    for (size_t i = 0; i < TILE_ROWS; i++) {
        for (size_t j = 0; j < TILE_LANES; j++)
            memcpy(out + i * stride + j * LANES, &sums[i][j], sizeof(Lanes));
    }
}

/* Rows [first, first + depth) of `cols` columns of b, filled up with zeros to a tile's.
 */
static void pack(const Product *p, double *packed, size_t first, size_t depth, size_t col,
                 size_t cols) {
    for (size_t l = 0; l < depth; l++, packed += TILE_COLS) {
        const double *b = p->b + (first + l) * p->b_row + col * p->b_col;
        if (p->b_col == 1 && cols == TILE_COLS) {
            memcpy(packed, b, TILE_COLS * sizeof *b);
            continue;
        }
        for (size_t j = 0; j < TILE_COLS; j++)
            packed[j] = j < cols ? b[j * p->b_col] : 0;
    }
}

/* A tile at the edge, of `rows` × `cols` cells: on a whole one beside, whose other cells
 * are forgotten. */
static void edge_add(double *out, size_t stride, size_t rows, size_t cols,
                     const double *const *a, size_t a_col, const double *packed,
                     size_t depth) {
    double whole[TILE_ROWS * TILE_COLS] = {0};
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < cols; j++)
            whole[i * TILE_COLS + j] = out[i * stride + j];
    }
    tile_add(whole, TILE_COLS, a, a_col, packed, depth);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < cols; j++)
            out[i * stride + j] = whole[i * TILE_COLS + j];
    }
}

static size_t at_most(size_t size, size_t limit) {
    return size < limit ? size : limit;
}

static void add_tiles(const Product *p) {
    double packed[TILE_DEPTH * TILE_COLS];
    for (size_t l = 0; l < p->depth; l += TILE_DEPTH) {
        size_t depth = at_most(p->depth - l, TILE_DEPTH);
        for (size_t j = 0; j < p->m; j += TILE_COLS) {
            size_t cols = at_most(p->m - j, TILE_COLS);
            pack(p, packed, l, depth, j, cols);
            for (size_t i = 0; i < p->n; i += TILE_ROWS) {
                size_t rows = at_most(p->n - i, TILE_ROWS);
                double *out = p->out + i * p->m + j;
                const double *a[TILE_ROWS]; /* past the edge, the last row again */
                for (size_t r = 0; r < TILE_ROWS; r++)
                    a[r] = p->a + (i + at_most(r, rows - 1)) * p->a_row + l * p->a_col;
                if (rows == TILE_ROWS && cols == TILE_COLS)
                    tile_add(out, p->m, a, p->a_col, packed, depth);
                else
                    edge_add(out, p->m, rows, cols, a, p->a_col, packed, depth);
            }
        }
    }
}

static bool tiles_pay(const Product *p) {
    return p->n >= TILE_ROWS && p->depth >= 4 && p->m >= LANES &&
           __builtin_cpu_supports("avx2");
}

#else

static void add_tiles(const Product *p) {
    add_plain(p);
}

static bool tiles_pay(const Product *p) {
    (void)p;
    return false;
}

#endif

static void add_product(const Product *p) {
    if (tiles_pay(p))
        add_tiles(p);
    else
        add_plain(p);
}

void kernel_matmul(double *out, const double *a, const double *b, size_t n, size_t k,
                   size_t m) {
    memset(out, 0, n * m * sizeof *out);
    add_product(&(Product){out, a, b, k, 1, m, 1, n, k, m});
}

void kernel_matmul_back_left(double *da, const double *g, const double *b, size_t n,
                             size_t k, size_t m) {
    add_product(&(Product){da, g, b, m, 1, 1, m, n, m, k});
}

void kernel_matmul_back_right(double *db, const double *a, const double *g, size_t n,
                              size_t k, size_t m) {
    add_product(&(Product){db, a, g, 1, k, m, 1, k, n, m});
}
