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

/* A tile stays in registers during the sum: 2 × 8 cells with the vectors that every
 * target has, up to 8 × 16 with a processor's wider ones. The part of b that it needs,
 * TILE_DEPTH rows of it, is packed, once for all rows of a, unless it is nearly
 * contiguous (within NEAR_CELLS, or in NEAR_ROWS rows). With less than FEW rows, or
 * products per cell, packing isn't worthwhile. */
enum {
    TILE_ROWS = 2,
    TILE_COLS = 8,
    WIDE_ROWS = 8,
    WIDE_COLS = 16,
    TILE_DEPTH = 192,
    NEAR_ROWS = 8,
    NEAR_CELLS = 2048,
    FEW = 4,
    CACHE_LINE = 64 /* in bytes; a vector that lies in one is read fastest */
};

/* Two adjacent numbers, at any address: the vector size that every target has. */
typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));

enum { TILE_PAIRS = TILE_COLS / 2 };

/* A tile: its cells, `stride` from row to row, and the factors of its first products. */
typedef struct Tile {
    double *out;
    const double *a, *b;
    size_t stride, a_row, a_col, b_row, depth;
    double *packed; /* where the first tile of a column packs b; NULL: it doesn't */
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

/* Adds to a column of tiles, of `rows` rows in all; the tile is the first. Packs b if the
 * tile says where; there are at least WIDE_ROWS rows then. */
typedef void AddRows(Tile tile, size_t rows);

/* Not on Windows, where gcc can't align the stack to such vectors. */
#if defined(__x86_64__) && !defined(_WIN32)

/* Defines an AddRows for tiles of VECTORS of a processor's wider vectors a row, and of as
 * many rows, at most MOST, as the registers can hold sums for; MOST is 4 or 8. Products
 * and sums are rounded one by one, as everywhere, so the cells have the same bits:
 * vectors differ only in how many cells they compute at once. The first tile packs b,
 * because the processor can store while it multiplies, and prefetches the columns beside,
 * which are needed next. A prefetched vector's last number is named, because an unaligned
 * vector begins in a line that was read with the columns before it. */
#define WIDE_TILES(name, processor, Vector, VECTORS, MOST)                               \
    static inline __attribute__((always_inline, target(processor))) void name##_sized(   \
        Tile *tile, size_t rows, bool packs) {                                           \
        enum { LANES = sizeof(Vector) / sizeof(double), COLS = LANES * VECTORS };        \
        Vector sums[MOST][VECTORS], b_row[VECTORS];                                      \
        const double *a = tile->a, *b = tile->b;                                         \
        double *packed = tile->packed;                                                   \
        for (size_t i = 0; i < rows; i++) {                                              \
            for (size_t j = 0; j < VECTORS; j++)                                         \
                sums[i][j] =                                                             \
                    *(const Vector *)(tile->out + i * tile->stride + LANES * j);         \
        }                                                                                \
        for (size_t l = tile->depth; l > 0; l--, a += tile->a_col, b += tile->b_row) {   \
            for (size_t j = 0; j < VECTORS; j++) {                                       \
                b_row[j] = *(const Vector *)(b + LANES * j);                             \
                if (packs) {                                                             \
                    *(Vector *)packed = b_row[j];                                        \
                    packed += LANES;                                                     \
                    __builtin_prefetch(b + COLS + LANES * (j + 1) - 1, 0, 2);            \
                }                                                                        \
            }                                                                            \
            for (size_t i = 0; i < rows; i++) {                                          \
                for (size_t j = 0; j < VECTORS; j++)                                     \
                    sums[i][j] += a[i * tile->a_row] * b_row[j];                         \
            }                                                                            \
        }                                                                                \
        for (size_t i = 0; i < rows; i++) {                                              \
            for (size_t j = 0; j < VECTORS; j++)                                         \
                *(Vector *)(tile->out + i * tile->stride + LANES * j) = sums[i][j];      \
        }                                                                                \
        tile->out += rows * tile->stride;                                                \
        tile->a += rows * tile->a_row;                                                   \
        if (packs) {                                                                     \
            tile->b = tile->packed;                                                      \
            tile->b_row = COLS;                                                          \
        }                                                                                \
    }                                                                                    \
    __attribute__((target(processor))) static void name(Tile tile, size_t rows) {        \
        if (tile.packed) {                                                               \
            name##_sized(&tile, MOST, true);                                             \
            rows -= MOST;                                                                \
        }                                                                                \
        for (; rows >= MOST; rows -= MOST)                                               \
            name##_sized(&tile, MOST, false);                                            \
        if (rows & 4)                                                                    \
            name##_sized(&tile, 4, false);                                               \
        if (rows & 2)                                                                    \
            name##_sized(&tile, 2, false);                                               \
        if (rows & 1)                                                                    \
            name##_sized(&tile, 1, false);                                               \
    }

typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef double Eight __attribute__((vector_size(64), aligned(8), may_alias));

WIDE_TILES(add_rows_of_8_by_fours, "avx2", Four, 2, 4)
WIDE_TILES(add_rows_of_8, "avx512f", Eight, 1, 8)
WIDE_TILES(add_rows_of_16, "avx512f", Eight, 2, 8)

/* Returns the number of columns of the widest tile, at most `cols`, that the processor
 * has vectors for, and the function that adds to it; 0: it has none. */
static size_t wide_tile(size_t cols, AddRows **add) {
    bool has_eights = __builtin_cpu_supports("avx512f");
    if (cols < TILE_COLS || (!has_eights && !__builtin_cpu_supports("avx2")))
        return 0;
    bool is_wide = has_eights && cols >= WIDE_COLS;
    *add = is_wide ? add_rows_of_16 : has_eights ? add_rows_of_8 : add_rows_of_8_by_fours;
    return is_wide ? WIDE_COLS : TILE_COLS;
}

#else

static size_t wide_tile(size_t cols, AddRows **add) {
    (void)cols, (void)add;
    return 0;
}

#endif

static size_t at_most(size_t count, size_t most) {
    return count < most ? count : most;
}

/* Packs rows [first, first + depth) of `cols` columns of b; fewer than TILE_COLS are
 * padded with zeros. */
static void pack(const Product *p, double *packed, size_t first, size_t depth, size_t col,
                 size_t cols) {
    const double *b = p->b + first * p->b_row + col * p->b_col;
    size_t width = cols < TILE_COLS ? TILE_COLS : cols;
    for (size_t l = 0; l < depth; l++, b += p->b_row, packed += width) {
        for (size_t j = 0; j < width; j++)
            packed[j] = j < cols ? b[j * p->b_col] : 0;
    }
}

/* Computes all rows of the tile's columns: add_wide, or NULL. */
static void add_column(const Product *p, Tile tile, size_t cols, AddRows *add_wide) {
    if (add_wide) {
        add_wide(tile, p->n);
        return;
    }
    for (size_t i = 0, rows; i < p->n; i += rows) {
        rows = at_most(p->n - i, TILE_ROWS);
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
    _Alignas(CACHE_LINE) double packed[TILE_DEPTH * WIDE_COLS];
    bool near =
        p->b_col == 1 && (p->depth <= NEAR_ROWS || p->depth * p->b_row <= NEAR_CELLS);
    for (size_t l = 0; l < p->depth; l += TILE_DEPTH) {
        size_t depth = at_most(p->depth - l, TILE_DEPTH);
        for (size_t j = 0, cols; j < p->m; j += cols) {
            AddRows *add_wide = NULL;
            cols = wide_tile(p->m - j, &add_wide);
            if (!cols)
                cols = at_most(p->m - j, TILE_COLS);
            Tile tile = {.out = p->out + j,
                         .a = p->a + l * p->a_col,
                         .b = p->b + l * p->b_row + j,
                         .stride = p->m,
                         .a_row = p->a_row,
                         .a_col = p->a_col,
                         .b_row = p->b_row,
                         .depth = depth};
            if (!near && add_wide && p->b_col == 1 && p->n >= WIDE_ROWS) {
                tile.packed = packed;
            } else if (!near || cols % 2) {
                pack(p, packed, l, depth, j, cols);
                tile.b = packed;
                tile.b_row = cols < TILE_COLS ? TILE_COLS : cols;
            }
            add_column(p, tile, cols, add_wide);
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
