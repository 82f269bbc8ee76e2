/* A heatmap: one tensor as coloured cells, with numbers where they fit.
 *
 * The picture sets where the cells lie and how large they are; the heatmap chooses what
 * fits into them: three decimals, fewer, no numbers, and at last one image of the whole
 * tensor. A cell that has a colour never reads as zero. Colour alone never shows a sign:
 * numbers have their minus, and cells too small for numbers are readable in the
 * inspector. */
#pragma once

#include "picture/scene/theme.h"

typedef struct Canvas Canvas;
typedef struct Lesson Lesson;
typedef struct LessonStep LessonStep;
typedef struct Theme Theme;

enum { HEATMAP_DECIMALS = 3 };

typedef enum HeatmapColors {
    HEATMAP_SIGNED,        /* diverging, symmetric about 0 */
    HEATMAP_PROBABILITIES, /* sequential, from 0 */
    HEATMAP_PLAIN,         /* no colour: IDs, positions */
    HEATMAP_UPPER, /* for legends: upper half of the diverging palette, for tables without
                      negative numbers */
    HEATMAP_BITS   /* for legends: tables of 0 and 1 only */
} HeatmapColors;

typedef struct Heatmap {
    const Tensor *tensor;
    size_t node;      /* node that the cells are linked to; TAPE_NONE: no link */
    size_t first_row; /* row of the node that is the tensor's first, if the tensor has
                         only some of its rows */
    size_t first_col; /* the same for columns */
    bool turned;      /* the tensor is one column: columns of the node's row first_row */
    Box cells;        /* where the cells lie */
    HeatmapColors colors;
    double reach;         /* value at the end of the palette */
    size_t visible;       /* cells computed so far, in reading order; the rest is blank */
    const Tensor *hidden; /* tensor of the same shape: cells that it masks are hatched;
                             NULL: cells that the tensor itself masks */
    size_t cached_rows;   /* number of leading rows from a cache, drawn in grey */
    bool without_numbers;
    double number_size; /* largest size of the digits; 0: as large as fits */
    /* Larger table whose number format is used; NULL: its own. */
    const Tensor *written_as;
    int exponent; /* heatmap_exponent's, if it is written beside the table */
    bool row_labels, col_labels; /* draw the tensor's labels left of it, above it */
    double label_room;           /* width for row labels, with their gap */
    double col_label_room;       /* height for column labels; 0: as needed */
    const Lesson *lesson; /* with `step`: source of the printed numbers to compare with */
    const LessonStep *step; /* NULL: nothing is compared */
    bool has_focus;         /* emphasise the labels of focus_row and focus_col */
    size_t focus_row, focus_col;
    const char *quoting; /* a text whose quoted labels are drawn even if there is no room
                            for the others; or NULL */
} Heatmap;

void heatmap_draw(const Canvas *canvas, const Heatmap *heatmap);

/* Box of the cells [row, row_end) × [col, col_end). */
Box heatmap_cells(const Heatmap *heatmap, size_t row, size_t row_end, size_t col,
                  size_t col_end);

/* Outlines the cells [row, row_end) × [col, col_end). */
void heatmap_outline(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                     size_t row_end, size_t col, size_t col_end, Color color);
void heatmap_outline_cell(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                          size_t col, Color color);

/* Draws the wedge of a row's largest number on a cell. */
void heatmap_mark_largest(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                          size_t col);

/* Strikes out a cell by a line from corner to corner, if there is room. */
void heatmap_strike_cell(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                         size_t col);

/* Marks a cell whose number differs from the source's, in the upper right corner of a
 * box; draws nothing if it doesn't differ. `row` counts from the node's first. */
void heatmap_mark_differing(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                            size_t col, Box box);

/* Number of decimals that a tensor's numbers need, at most HEATMAP_DECIMALS. */
int heatmap_decimals(const Tensor *tensor);

/* Exponent n of the common factor 10⁻ⁿ for numbers so small that they would read as
 * zeros; 0 if none is needed. A picture that sets it in a heatmap must write it beside
 * the table, with heatmap_power. */
int heatmap_exponent(HeatmapColors colors, double reach);

/* "10⁻³", for 3. */
const char *heatmap_power(const Canvas *canvas, int exponent);

/* Largest |value|, or 1 if all are 0: the reach of a signed colour scale. Masking numbers
 * (±∞, −1e9 and beyond) are ignored. */
double heatmap_reach(const Tensor *tensor);

/* Reach of a table's colours: like heatmap_reach, but in a table with too many cells for
 * numbers outliers share the last colour, so that they don't make all others pale. */
double heatmap_scale_reach(const Tensor *tensor);

/* Width of a tensor's row labels at the canvas's label size; 0 without labels. */
double heatmap_row_label_width(const Canvas *canvas, const Tensor *tensor);

/* Widths of a tensor's widest column label: horizontal, vertical, and without the common
 * beginning of labels such as "d_k = 8"; and of that beginning. 0 without labels.
 * Measured once, because several layouts are tried. */
typedef struct HeatmapColLabels {
    double flat, turned, rest, begin;
} HeatmapColLabels;

/* Width that horizontal column labels need left of cells of a given width: that of their
 * common beginning, if it is drawn there once. */
double heatmap_col_labels_before(HeatmapColLabels labels, double cell_width);
HeatmapColLabels heatmap_col_labels(const Canvas *canvas, const Tensor *tensor);

/* Height of column labels above cells of a given width: one line, or, if a label is wider
 * than its column, the length of the longest vertical label, but at most `most` (somewhat
 * more if even the smallest would be cut). 0 without labels. */
double heatmap_col_labels_height(const Canvas *canvas, HeatmapColLabels labels,
                                 double cell_width, double most);
double heatmap_col_label_height(const Canvas *canvas, const Tensor *tensor,
                                double cell_width, double most);

/* Draws only the labels, for heatmap_draw (heatmap_labels.c). */
void heatmap_draw_labels(const Canvas *canvas, const Heatmap *heatmap);

/* Size of a heatmap's digits in whole points; 0 if they don't fit. */
double heatmap_number_size(const Canvas *canvas, const Heatmap *heatmap);

/* Smallest readable size of digits; it grows less than type does on enlarged pages. */
double heatmap_least_digits(const Canvas *canvas);

/* Narrowest columns that have room for a heatmap's numbers in the smallest digits. */
double heatmap_least_column(const Canvas *canvas, const Heatmap *heatmap);

/* Lowest rows that have room for numbers. */
double heatmap_least_row(const Canvas *canvas);

/* Gives all heatmaps of a picture the smallest digits that any of them needs; heatmaps
 * without room for numbers are ignored. */
void heatmap_same_digits(const Canvas *canvas, Heatmap *const *heatmaps, size_t count);

/* Candidates for a table's widest number. Found once, because cells of several heights
 * are tried. */
enum { HEATMAP_EXTREMES = 7 };
typedef struct HeatmapWidest {
    double values[HEATMAP_EXTREMES];
    size_t decimals;    /* of all numbers */
    double size, width; /* width of the widest at the size that was measured last */
} HeatmapWidest;
HeatmapWidest heatmap_widest(const Tensor *tensor);

/* Ratio of a cell's width to its height: 1, or somewhat more if numbers would be too
 * small in a square. */
double heatmap_widest_aspect(const Canvas *canvas, HeatmapWidest *widest,
                             double cell_height);
double heatmap_aspect(const Canvas *canvas, const Tensor *tensor, double cell_height);

/* A number on a scale of a given reach, with enough digits not to read as 0. */
const char *heatmap_mark(const Canvas *canvas, double value, double reach);

/* Draws a colour bar with its numbers, right-aligned at the box's right end. If `reach`
 * is 0 it only shows which colours are negative and positive. */
Box heatmap_legend(const Canvas *canvas, Box area, HeatmapColors colors, double reach);

/* A kind of cell in a table with few kinds, and its meaning. */
typedef struct HeatmapSwatch {
    double value;
    const char *text;
} HeatmapSwatch;

/* Draws a swatch for each kind, right-aligned and vertically centred in the box; returns
 * the box used. */
Box heatmap_swatches(const Canvas *canvas, Box area, const HeatmapSwatch *swatches,
                     size_t count);

/* Height of a legend. */
double heatmap_legend_height(const Canvas *canvas);

/* ---- shared by heatmap.c, heatmap_numbers.c and heatmap_legend.c ---- */

/* Number format of a table. */
typedef struct NumberStyle {
    double size; /* 0: no numbers */
    int decimals;
    double factor; /* factor by which values are multiplied before they are written */
    double width;  /* width of the widest number */
} NumberStyle;

/* The largest style in which every number fits its cell: with all its decimals, else
 * with fewer, but never so few that a coloured cell reads as zero; otherwise without
 * numbers. */
NumberStyle heatmap_numbers(const Canvas *canvas, const Heatmap *heatmap);

/* Ground of cached cells, which weren't computed: grey, or the page's colour where
 * numbers are grey. */
Color heatmap_cached_ground(const Theme *theme);

/* Draws a cell's ground; in a theme of clear lines it has an edge unless it is very
 * small. */
void heatmap_draw_ground(const Canvas *canvas, Box box, double radius, Color ground);

/* Draws a cell's digits with the end of their baseline at `right`; hatching stops short
 * of them. */
void heatmap_draw_digits(const Canvas *canvas, double size, Box box, Color ground,
                         bool hatched, Point right, const char *text);

/* Draws a number on a cell of a given colour. A nonzero number that would read as zero is
 * "≈0". */
void heatmap_draw_number(const Canvas *canvas, const NumberStyle *style, Box box,
                         Color ground, bool hatched, double value);

/* Reports whether the cells are so small that they are drawn as one image. */
bool heatmap_is_image(const Heatmap *heatmap);

ColorScale heatmap_scale(const Canvas *canvas, HeatmapColors colors, double reach);
