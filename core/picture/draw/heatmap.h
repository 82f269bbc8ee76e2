/* A heatmap: one tensor as coloured cells, with numbers where they fit.
 *
 * Whoever lays out a picture decides where the cells lie and how large they are; the
 * heatmap decides what fits into them: three decimals, fewer, no numbers, and at last one
 * image of the whole tensor. A cell that has a colour never reads as zero. Colours never
 * carry a sign alone: numbers have their minus, cells too small for numbers are readable
 * in the inspector. */
#ifndef PICTURE_HEATMAP_H
#define PICTURE_HEATMAP_H

#include "lesson/content/lesson.h"
#include "picture/draw/canvas.h"

enum { HEATMAP_DECIMALS = 3 };

typedef enum HeatmapColors {
    HEATMAP_SIGNED,        /* diverging, symmetric about 0 */
    HEATMAP_PROBABILITIES, /* sequential, from 0 */
    HEATMAP_PLAIN,         /* no colour: IDs, positions */
    HEATMAP_UPPER, /* a legend's: the half from 0 of the diverging ones, of tables that
                      have nothing below */
    HEATMAP_BITS   /* … that have nothing but 0 and 1 */
} HeatmapColors;

typedef struct Heatmap {
    const Tensor *tensor;
    size_t node; /* what its cells are linked to; TAPE_NONE: to nothing */
    size_t
        first_row; /* the node's row that the tensor's first is, where it has not all */
    Box cells;     /* where the cells lie */
    HeatmapColors colors;
    double reach;         /* the value that has the palette's last colour */
    size_t visible;       /* cells computed so far, in reading order; the rest is blank */
    const Tensor *hidden; /* of the same shape: where it only masks, the cell is hatched;
                             NULL: where the tensor itself does */
    size_t cached_rows; /* so many rows, the first, are grey: they were computed before */
    bool without_numbers;
    double number_size;          /* the digits' size at most; 0: as large as they fit */
    const Tensor *written_as;    /* a larger table whose digits it has; NULL: its own */
    int exponent;                /* heatmap_exponent's, where it is said beside it */
    bool row_labels, col_labels; /* draw the tensor's labels left of it, above it */
    double label_room;           /* how wide row labels may be, with their gap */
    double col_label_room;       /* how tall column labels may be; 0: as they want */
    const Lesson *lesson;        /* with `step`: whose printed numbers to compare with */
    const LessonStep *step;      /* or NULL */
    bool has_focus;              /* emphasise the labels of … */
    size_t focus_row, focus_col;
    const char *quoting; /* a text: what labels it quotes stand there even where the
                         others have no room; or NULL */
} Heatmap;

void heatmap_draw(const Canvas *canvas, const Heatmap *heatmap);

/* The box of the cells [row, row_end) × [col, col_end). */
Box heatmap_cells(const Heatmap *heatmap, size_t row, size_t row_end, size_t col,
                  size_t col_end);

/* An outline around those cells. */
void heatmap_outline(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                     size_t row_end, size_t col, size_t col_end, Color color);
void heatmap_outline_cell(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                          size_t col, Color color);

/* The wedge of a row's largest number on a cell. */
void heatmap_mark_largest(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                          size_t col);

/* A line through a cell from corner to corner, where it has room. */
void heatmap_strike_cell(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                         size_t col);

/* In the upper right corner of a box the mark of a cell whose printed number differs;
 * nothing where it doesn't. `row` counts from the node's first. */
void heatmap_mark_differing(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                            size_t col, Box box);

/* The digits behind the point that a tensor's numbers need, at most HEATMAP_DECIMALS. */
int heatmap_decimals(const Tensor *tensor);

/* Numbers so small that they would read as zeros are written as so many times 10 to the
 * power of -n: n, or 0 where the scale reaches far enough. Who sets it in a heatmap says
 * so beside it, with heatmap_power. */
int heatmap_exponent(HeatmapColors colors, double reach);

/* "10⁻³", for 3. */
const char *heatmap_power(const Canvas *canvas, int exponent);

/* The largest |value|, or 1 where all are 0: the reach of a signed colour scale. Numbers
 * that only serve to mask (±∞, −1e9 and beyond) don't count. */
double heatmap_reach(const Tensor *tensor);

/* The same for a table's colours: where it has more cells than can have numbers, a few
 * outliers don't make all others pale, but have the last colour with what is next to
 * them. */
double heatmap_scale_reach(const Tensor *tensor);

/* How wide a tensor's row labels want to be at the canvas's label size; 0 without any. */
double heatmap_row_label_width(const Canvas *canvas, const Tensor *tensor);

/* How wide the widest of a tensor's column labels is, as it stands, upright, and, of
 * labels that all begin alike, "d_k = 8", without that; 0 without any. Measured once, as
 * layouts are tried. */
typedef struct HeatmapColLabels {
    double flat, turned, rest;
} HeatmapColLabels;
HeatmapColLabels heatmap_col_labels(const Canvas *canvas, const Tensor *tensor);

/* How tall column labels are above cells of that width: one line, or, where a label is
 * wider than its column, as tall as the longest set upright, but no more than `most`
 * (somewhat more where even the smallest would be cut). 0 without any. */
double heatmap_col_labels_height(const Canvas *canvas, HeatmapColLabels labels,
                                 double cell_width, double most);
double heatmap_col_label_height(const Canvas *canvas, const Tensor *tensor,
                                double cell_width, double most);

/* The labels alone, for heatmap_draw (heatmap_labels.c). */
void heatmap_draw_labels(const Canvas *canvas, const Heatmap *heatmap);

/* The size its digits have, in whole points; 0 where they don't fit. */
double heatmap_number_size(const Canvas *canvas, const Heatmap *heatmap);

/* The smallest digits that can be read: of larger type they need not be as much larger.
 */
double heatmap_least_digits(const Canvas *canvas);

/* The narrowest columns in which its numbers have room, in the smallest digits. */
double heatmap_least_column(const Canvas *canvas, const Heatmap *heatmap);

/* The lowest rows in which they have. */
double heatmap_least_row(const Canvas *canvas);

/* Gives all heatmaps of a picture the digits of the one with the smallest; those whose
 * numbers don't fit at all don't count. */
void heatmap_same_digits(const Canvas *canvas, Heatmap *const *heatmaps, size_t count);

/* The width of a cell over its height: 1, and somewhat more where the tensor's numbers
 * would have to be small in a square. */
double heatmap_aspect(const Canvas *canvas, const Tensor *tensor, double cell_height);

/* A number of a scale that reaches so far, with digits enough not to be 0. */
const char *heatmap_mark(const Canvas *canvas, double value, double reach);

/* A bar that says which colour means which number, right-aligned at the box's right end.
 * Where `reach` is 0 it only says which are negative and positive. */
Box heatmap_legend(const Canvas *canvas, Box area, HeatmapColors colors, double reach);

/* One of the few kinds of cells that a table has, and what it says. */
typedef struct HeatmapSwatch {
    double value;
    const char *text;
} HeatmapSwatch;

/* A swatch of each, right-aligned at the box's right end, in its middle; gives back what
 * they take. */
Box heatmap_swatches(const Canvas *canvas, Box area, const HeatmapSwatch *swatches,
                     size_t count);

/* How tall a legend is. */
double heatmap_legend_height(const Canvas *canvas);

/* ---- what heatmap.c, heatmap_numbers.c and heatmap_legend.c have to agree on ---- */

/* How all numbers of a table are written. */
typedef struct NumberStyle {
    double size; /* 0: no numbers */
    int decimals;
    double factor; /* what stands in the cells is the value times this */
    double width;  /* of the widest number */
} NumberStyle;

/* The largest size at which every number fits its cell: with all its decimals, else with
 * fewer, but never so few that a coloured cell reads as zero; else none. */
NumberStyle heatmap_numbers(const Canvas *canvas, const Heatmap *heatmap);

/* The ground of what is kept, not computed: grey, or where numbers are grey the page's.
 */
Color heatmap_cached_ground(const Theme *theme);

/* A cell's ground; in a theme of clear lines it has an edge unless it is very small. */
void heatmap_draw_ground(const Canvas *canvas, Box box, double radius, Color ground);

/* A cell's digits, to where their baseline ends; hatching stops short of them. */
void heatmap_draw_digits(const Canvas *canvas, double size, Box box, Color ground,
                         bool hatched, Point right, const char *text);

/* A number on a cell of that colour. What isn't 0 but would read as zero is "≈0". */
void heatmap_draw_number(const Canvas *canvas, const NumberStyle *style, Box box,
                         Color ground, bool hatched, double value);

/* Whether its cells are so small that they become one image. */
bool heatmap_is_image(const Heatmap *heatmap);

ColorScale heatmap_scale(const Canvas *canvas, HeatmapColors colors, double reach);

#endif
