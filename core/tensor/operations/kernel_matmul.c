#include "tensor/operations/kernels.h"

#include <stdbool.h>
#include <string.h>

/* All variants of the product sum each cell's products in the order of k, starting from
 * the present value, so the result is the same to the last bit. Only different cells are
 * computed in parallel. */

/* A product out [n,m] += a · b with `depth` products per cell. Either factor may be read
 * as its transpose: the strides are the distances between its rows and between its
 * columns. */
typedef struct Product {
    double *out;
    const double *a, *b;
    size_t a_row, a_col, b_row, b_col;
    size_t n, depth, m;
} Product;

/* A tile of 2 × 8 cells stays in registers during the sum. The part of b that it needs is
 * packed, once for all rows of a, unless it is nearly contiguous (within NEAR_CELLS, or
 * in NEAR_ROWS rows). With less than FEW rows, or products per cell, packing isn't
 * worthwhile. */
enum {
    TILE_ROWS = 2,
    TILE_COLS = 8,
    TILE_DEPTH = 256,
    NEAR_ROWS = 8,
    NEAR_CELLS = 2048,
    FEW = 4
};

/* Two adjacent numbers, at any address: the vector size that every target has. */
typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));

enum { TILE_PAIRS = TILE_COLS / 2 };

/* A tile: its cells, `stride` from row to row, and the factors of its first products. */
typedef struct Tile {
    double *out;
    const double *a, *b;
    size_t stride, a_row, a_col, b_row, depth;
} Tile;

/* Inlined for each size of a tile, so that the sums are registers. */
static inline __attribute__((always_inline)) void add_sized(const Tile *tile, size_t rows,
                                                            size_t pairs) {
    Pair sums[TILE_ROWS][TILE_PAIRS];
    const double *a = tile->a, *b = tile->b;
    size_t stride = tile->stride, a_row = tile->a_row, a_col = tile->a_col;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < pairs; j++)
            sums[i][j] = *(const Pair *)(tile->out + i * stride + 2 * j);
    }
    for (size_t l = tile->depth; l > 0; l--, a += a_col, b += tile->b_row) {
        for (size_t i = 0; i < rows; i++) {
            for (size_t j = 0; j < pairs; j++)
                sums[i][j] += a[i * a_row] * *(const Pair *)(b + 2 * j);
        }
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < pairs; j++)
            *(Pair *)(tile->out + i * stride + 2 * j) = sums[i][j];
    }
}

static inline __attribute__((always_inline)) void add_pairs(const Tile *tile, size_t rows,
                                                            size_t pairs) {
    if (rows == TILE_ROWS)
        add_sized(tile, TILE_ROWS, pairs);
    else
        add_sized(tile, 1, pairs);
}

/* A tile with an odd number of columns: computed in a whole tile beside, whose other
 * cells are discarded. */
static void add_odd(Tile tile, size_t rows, size_t cols) {
    double whole[TILE_ROWS * TILE_COLS] = {0}, *out = tile.out;
    size_t stride = tile.stride;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < cols; j++)
            whole[i * TILE_COLS + j] = out[i * stride + j];
    }
    tile.out = whole;
    tile.stride = TILE_COLS;
    add_pairs(&tile, rows, TILE_PAIRS);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < cols; j++)
            out[i * stride + j] = whole[i * TILE_COLS + j];
    }
}

static void add_tile(const Tile *tile, size_t rows, size_t cols) {
    switch (cols) {
    case 2:
        add_pairs(tile, rows, 1);
        break;
    case 4:
        add_pairs(tile, rows, 2);
        break;
    case 6:
        add_pairs(tile, rows, 3);
        break;
    case TILE_COLS:
        add_pairs(tile, rows, TILE_PAIRS);
        break;
    default:
        add_odd(*tile, rows, cols);
    }
}

/* Not on Windows, where gcc can't align the stack to such vectors. */
#if defined(__x86_64__) && !defined(_WIN32)

/* Adds to a tile of ROWS × TILE_COLS cells by a processor's wider vectors. Products and
 * sums are rounded one by one, as everywhere, so the cells have the same bits: vectors
 * differ only in how many cells they compute at once. As many rows as the registers can
 * hold sums for. */
#define WIDE_TILE(name, processor, Vector, ROWS)                                         \
    __attribute__((target(processor))) static void name(const Tile *tile) {              \
        enum { LANES = sizeof(Vector) / sizeof(double), VECTORS = TILE_COLS / LANES };   \
        Vector sums[ROWS][VECTORS];                                                      \
        const double *a = tile->a, *b = tile->b;                                         \
        for (size_t i = 0; i < ROWS; i++) {                                              \
            for (size_t j = 0; j < VECTORS; j++)                                         \
                sums[i][j] =                                                             \
                    *(const Vector *)(tile->out + i * tile->stride + LANES * j);         \
        }                                                                                \
        for (size_t l = tile->depth; l > 0; l--, a += tile->a_col, b += tile->b_row) {   \
            for (size_t i = 0; i < ROWS; i++) {                                          \
                for (size_t j = 0; j < VECTORS; j++)                                     \
                    sums[i][j] += a[i * tile->a_row] * *(const Vector *)(b + LANES * j); \
            }                                                                            \
        }                                                                                \
        for (size_t i = 0; i < ROWS; i++) {                                              \
            for (size_t j = 0; j < VECTORS; j++)                                         \
                *(Vector *)(tile->out + i * tile->stride + LANES * j) = sums[i][j];      \
        }                                                                                \
    }

typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef double Eight __attribute__((vector_size(64), aligned(8), may_alias));

enum { ROWS_OF_FOURS = 4, ROWS_OF_EIGHTS = 8 };

WIDE_TILE(add_by_fours, "avx2", Four, ROWS_OF_FOURS)
WIDE_TILE(add_by_eights, "avx512f", Eight, ROWS_OF_EIGHTS)

/* Rows of the processor's widest tile, and the function that adds to it; 0 rows: it has
 * none. */
static size_t wide_tile(void (**add)(const Tile *tile)) {
    if (__builtin_cpu_supports("avx512f")) {
        *add = add_by_eights;
        return ROWS_OF_EIGHTS;
    }
    *add = add_by_fours;
    return __builtin_cpu_supports("avx2") ? ROWS_OF_FOURS : 0;
}

#else

static size_t wide_tile(void (**add)(const Tile *tile)) {
    *add = NULL;
    return 0;
}

#endif

/* Packs rows [first, first + depth) of `cols` columns of b, padded with zeros to a
 * tile. */
static void pack(const Product *p, double *packed, size_t first, size_t depth, size_t col,
                 size_t cols) {
    const double *b = p->b + first * p->b_row + col * p->b_col;
    for (size_t l = 0; l < depth; l++, b += p->b_row, packed += TILE_COLS) {
        for (size_t j = 0; j < TILE_COLS; j++)
            packed[j] = j < cols ? b[j * p->b_col] : 0;
    }
}

static size_t at_most(size_t count, size_t most) {
    return count < most ? count : most;
}

/* Computes all rows of the tile's columns. */
static void add_column(const Product *p, Tile tile, size_t cols) {
    void (*add_wide)(const Tile *tile);
    size_t wide = cols == TILE_COLS ? wide_tile(&add_wide) : 0;
    for (size_t i = 0, rows; i < p->n; i += rows) {
        bool is_wide = wide && p->n - i >= wide;
        rows = is_wide ? wide : at_most(p->n - i, TILE_ROWS);
        if (is_wide)
            add_wide(&tile);
        else
            add_tile(&tile, rows, cols);
        tile.out += rows * p->m;
        tile.a += rows * p->a_row;
    }
}

/* The product without tiles: b is read row by row. */
static void add_few(const Product *p) {
    for (size_t i = 0; i < p->n; i++) {
        double *restrict cells = p->out + i * p->m;
        for (size_t l = 0; l < p->depth; l++) {
            double factor = p->a[i * p->a_row + l * p->a_col];
            const double *b = p->b + l * p->b_row;
            for (size_t j = 0; j < p->m; j++)
                cells[j] += factor * b[j];
        }
    }
}

static void add_tiles(const Product *p) {
    double packed[TILE_DEPTH * TILE_COLS];
    bool near =
        p->b_col == 1 && (p->depth <= NEAR_ROWS || p->depth * p->b_row <= NEAR_CELLS);
    for (size_t l = 0; l < p->depth; l += TILE_DEPTH) {
        size_t depth = at_most(p->depth - l, TILE_DEPTH);
        for (size_t j = 0; j < p->m; j += TILE_COLS) {
            size_t cols = at_most(p->m - j, TILE_COLS);
            Tile tile = {.out = p->out + j,
                         .a = p->a + l * p->a_col,
                         .b = p->b + l * p->b_row + j,
                         .stride = p->m,
                         .a_row = p->a_row,
                         .a_col = p->a_col,
                         .b_row = p->b_row,
                         .depth = depth};
            if (!near || cols % 2) {
                pack(p, packed, l, depth, j, cols);
                tile.b = packed;
                tile.b_row = TILE_COLS;
            }
            add_column(p, tile, cols);
        }
    }
}

static void add_product(const Product *p) {
    if (p->b_col == 1 && (p->n < FEW || p->depth < FEW))
        add_few(p);
    else
        add_tiles(p);
}

void kernel_matmul(double *out, const double *a, const double *b, size_t n, size_t k,
                   size_t m) {
    memset(out, 0, n * m * sizeof *out);
    add_product(&(Product){out, a, b, k, 1, m, 1, n, k, m});
}

void kernel_matmul_backward_left(double *da, const double *g, const double *b, size_t n,
                                 size_t k, size_t m) {
    add_product(&(Product){da, g, b, m, 1, 1, m, n, m, k});
}

void kernel_matmul_backward_right(double *db, const double *a, const double *g, size_t n,
                                  size_t k, size_t m) {
    add_product(&(Product){db, a, g, 1, k, m, 1, k, n, m});
}
