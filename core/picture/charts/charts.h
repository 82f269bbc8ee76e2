/* Charts: ways in which the numbers of a tensor are drawn other than as cells: axes, dots
 * on a number line, bars, ranked lists, the thin rows of a word's table, dials.
 *
 * A picture chooses the boxes; charts draw the numbers, with their links, their focus and
 * the marks of those that differ from the source. */
#pragma once

#include "picture/draw/canvas.h"
#include "picture/draw/heatmap.h"

/* ---- numbers and their texts ---- */

/* A series: numbers that follow each other in a tensor (a row, its only column, all of a
 * table of IDs), with what is shown of each. Borrows everything. */
typedef struct Series {
    const Canvas *canvas;
    const Tensor *tensor;
    size_t node;  /* node that numbers are linked to; TAPE_NONE: no links */
    size_t first; /* cell of the first number, in reading order */
    size_t count;
    const double *values;
    int decimals;              /* number of decimals, of the whole tensor */
    const char *const *labels; /* a label of each number; or NULL */
    size_t visible;            /* cells of the tensor computed so far */
    size_t focus;              /* index of the number in focus; `count` or more: none */
} Series;

/* A tensor's row; all numbers of a tensor, row by row, which if there are several rows
 * have a label each or none. Without links and focus. */
Series series_of(const Canvas *canvas, const Tensor *tensor, size_t row);
Series series_of_all(const Canvas *canvas, const Tensor *tensor);

Link series_link(const Series *series, size_t index);
bool series_is_visible(const Series *series, size_t index);
bool series_has_focus(const Series *series);

/* A number as text, with the decimals of its tensor's numbers; a label, or the index
 * without labels. They live for the frame. */
const char *series_number(const Series *series, size_t index);
const char *series_label(const Series *series, size_t index);

/* Index of the largest number that isn't masked. */
size_t series_largest(const Series *series);

/* Indices by descending number; lives for the frame. */
const size_t *series_order(const Series *series);

/* Text `index` of a list. */
typedef const char *(*ChartText)(const void *list, size_t index);

/* Width of the widest text in letters of `units`. */
double chart_widest(const Canvas *canvas, FontRole font, double units, size_t count,
                    ChartText text, const void *list);

/* Draws a text fitted into a box, vertically centred in it; returns its box. */
Box chart_text(const Canvas *canvas, FontRole font, double size, Color color, Box box,
               LabelAlign align, const char *text);

/* Reports whether a line runs through a box, checked in steps of a few points. */
bool line_meets(Point from, Point to, Box box);

/* Boxes of drawn texts, of which others keep clear. */
enum { TAKEN_MAX = 128 };
typedef struct Taken {
    size_t count;
    Box boxes[TAKEN_MAX];
} Taken;

/* Adds a box; returns false and adds nothing if it meets another or there are too many.
 */
bool taken_add(Taken *taken, Box box);

/* Labels of columns side by side, such as the tokens below bars: horizontal if neighbours
 * keep apart, else upright. Labels that meet one drawn before are left out. */
typedef struct LabelRow {
    const Canvas *canvas;
    ChartText label; /* label of a column: a token, or a number */
    const void *list;
    size_t count;
    double left, pitch; /* left end and distance of the columns */
    double units;       /* wanted size of the letters */
    bool is_counts;     /* labels are whole numbers, which are drawn equidistantly */
    /* The fields below are set by label_row_measure. */
    double size, height;
    size_t every;    /* columns from one label to the next */
    bool upright;    /* labels stand upright */
    bool is_crowded; /* not even upright labels all have room */
    Taken taken;
} LabelRow;

/* Chooses size and direction; upright labels are at most 1.5 times `room` high. */
void label_row_measure(LabelRow *row, double room);

/* Middle of a column; width of its label. */
double label_row_x(const LabelRow *row, size_t index);
double label_row_width(const LabelRow *row, size_t index);

/* Draws a label in the strip of the row's height below `top`: an upright one at its
 * middle (LABEL_CENTER) or its top (LABEL_RIGHT). */
void label_row_draw(LabelRow *row, size_t index, double top, LabelAlign align,
                    bool strong);

/* ---- plots ---- */

/* Plots: a box with an axis along each side. Lines run across at round numbers of the
 * vertical axis, with the number at their left end. */

enum {
    PLOT_TICKS_MAX = 40,
    PLOT_SHORT = -1,  /* decimals: as needed, at most three */
    PLOT_PERCENT = -2 /* whole percentages */
};

/* The numbers at an axis' ends; their logarithms on a logarithmic axis. */
typedef struct PlotAxis {
    double from, to;
    bool ratios;
} PlotAxis;

typedef struct Plot {
    const Canvas *canvas;
    Box box;
    PlotAxis across, up;
    int decimals;      /* decimals of the numbers at the left, or a PLOT_ constant */
    double units, gap; /* size of the numbers, and their distance from the box; units */
    Color ink;         /* ink of the numbers */
    bool is_ground;    /* the line at 0 is darker, because bars stand on it */
    size_t tick_count;
    double ticks[PLOT_TICKS_MAX];
} Plot;

/* Coordinate of a number on an axis: the number or its logarithm. */
double plot_along(PlotAxis axis, double number);

/* Coordinates of numbers. plot_y clamps numbers above the axis to its upper end. */
double plot_x(const Plot *plot, double place);
double plot_y(const Plot *plot, double value);
Point plot_point(const Plot *plot, double place, double value);

/* Puts lines at the multiples of a step; on a logarithmic axis at 1, 2, 5, 10 … The box
 * need not be known yet. */
void plot_find_ticks(Plot *plot, double step);

/* Width of the numbers at the left, with their gap. */
double plot_ticks_width(const Plot *plot);

/* Draws lines and numbers; leaves some out where they would meet. */
void plot_draw_ticks(const Plot *plot);

/* Draws vertical lines by the same step as the horizontal ones, with numbers below. Needs
 * two ticks and a linear axis. */
void plot_draw_ticks_across(const Plot *plot);

/* Step of an axis: the nearest of 1, 2, 2.5 and 5 times a power of ten that is not
 * smaller than `least`, which is positive. */
double plot_step(double least);

/* Step of an axis of counts: 1, 2, 5, 10 … */
size_t plot_stride(double least);

/* ---- number lines ---- */

/* A number line with a row's numbers as dots on it.
 *
 * The picture sets where the line lies and the numbers at its ends; several lines may
 * share them. Dots have their numbers' colours and are linked to their cells; NaN and
 * numbers not computed yet have no dot. */

typedef struct NumberLine {
    const Canvas *canvas;
    double left, right, y; /* points */
    double least, most;    /* numbers at the ends; 0 lies between them */
    Heatmap table; /* table of the row, with node, visible cells, focus and marks; its
                      cell box is not used; without a tensor there are no dots */
    size_t row;
    int decimals;       /* of its numbers; 0: as in the table */
    double radius;      /* of a dot */
    bool numbers_below; /* the dots' numbers stand below the line instead of above */
} NumberLine;

/* x of a number on the line. */
double number_line_x(const NumberLine *line, double value);

/* Sets *at to the position of a column's dot; returns false if it has none. */
bool number_line_dot(const NumberLine *line, size_t col, Point *at);

/* Draws the line with a stroke at 0. */
void number_line_draw_axis(const NumberLine *line);

/* Draws ticks at round numbers, with the numbers below them in letters of `units`. */
void number_line_draw_ticks(const NumberLine *line, double units);

/* Draws a dot for each visible number. */
void number_line_draw_dots(const NumberLine *line);

/* Draws the mark of a mean, a balance point below the line. */
void number_line_draw_balance(const NumberLine *line, double value);

/* Draws the dots' numbers in up to `tiers` lines, clear of each other, equal ones once.
 * If they have no room: only the focused, the least and the largest number. */
void number_line_draw_numbers(const NumberLine *line, double units, size_t tiers);

/* Draws the axes of lines below each other, and threads of opacity `alpha` (of 255) from
 * each dot to the dot of its column on the next line. */
void number_lines_draw_axes(const NumberLine *lines, size_t count, int alpha);

/* Draws the dots of these lines, their numbers in letters of `units` in as many tiers as
 * have room (0: no numbers), and ticks in letters of `tick_units` below the last line of
 * each scale. */
void number_lines_draw(const NumberLine *lines, size_t count, double units,
                       double tick_units);

/* ---- probability bars ---- */

/* A row of probabilities as one stacked bar of length 1, its segments in the columns'
 * order.
 *
 * A segment has its probability's colour and, if there is room, its number; it is linked
 * to its cell. A row that is masked whole has no segments and is hatched. */

typedef struct ProbabilityBar {
    const Heatmap *heatmap; /* table with tensor, node, visible cells and marks; its cell
                               box is not used; borrowed */
    size_t row;
    Box box;        /* box of the whole bar */
    double units;   /* size of the digits */
    bool has_focus; /* frame the segment of focus_col */
    size_t focus_col;
} ProbabilityBar;

/* Box of a column's segment; without width for a probability of 0. */
Box probability_bar_part(const ProbabilityBar *bar, size_t col);

/* Draws the segments with their numbers and marks. */
void probability_bar_draw(const Canvas *canvas, const ProbabilityBar *bar);

/* Axis of probability bars below each other: at most this wide (units), so that a
 * probability is equally long on every page; from 0 to 1, or, in narrow lists side by
 * side, to a round number above all of them. */
#define PROBABILITY_AXIS 560.0

/* Height of the axis' numbers above the bars. */
double probability_axis_height(const Canvas *canvas);

/* Draws a line at each end of the bars, with the numbers 0 and `end` above; a probability
 * of `end` is as wide as `bars`. */
void probability_axis_draw(const Canvas *canvas, Box bars, double end);

/* ---- ranked lists ---- */

enum { RANKED_LINES_MAX = 14, RANKED_COLUMNS_MAX = 3 };

/* A column of numbers, right of the bars or between them and the words. */
typedef struct RankedColumn {
    const char *heading; /* or "" */
    Series series;       /* of the same indices as the list's */
    bool is_main;        /* in ink, else softer */
    bool is_before;      /* between words and bars */
    double gap;          /* distance from what is left of it */
    Box box;             /* set by ranked_list_place */
} RankedColumn;

/* Probabilities in descending order, a line for each: its token, its bar on an axis from
 * 0, and columns of numbers. Lists side by side have one order, the first one's, so that
 * a token is in the same line of each, and one axis. The present token always has a line:
 * the last one, below "⋮", if it isn't among the largest. Below the lines is the sum of
 * the probabilities without one. */
typedef struct RankedList {
    Series series;
    const Series *beside; /* the lists side by side, this one among them; borrowed */
    size_t beside_count;
    size_t present;  /* index of the present token; SIZE_MAX: none */
    size_t strong;   /* index of the strong bar */
    const bool *out; /* which indices are excluded: their words are struck out; NULL:
                        none */
    size_t column_count;
    RankedColumn columns[RANKED_COLUMNS_MAX];
    /* The fields below are set by ranked_list_place. */
    size_t line_count;
    size_t lines[RANKED_LINES_MAX]; /* index of each line; SIZE_MAX: "⋮" */
    double line, size, end; /* height of a line; size of the letters; end of the axis */
    Box words, bars, frame; /* of all words and bars; of the first line */
} RankedList;

void ranked_list_place(RankedList *list, Box area);
void ranked_list_draw(const RankedList *list);

/* Box of a line; of a bar in it. */
Box ranked_list_line(const RankedList *list, size_t line);
Box ranked_list_bar(const RankedList *list, size_t line, double probability);

/* ---- word rows ---- */

/* Word rows: a table in which the row of one word has numbers, and the other rows are
 * thin and show only colours.
 *
 * All tables of a picture have one layout, so that columns and rows are of one size and
 * the chosen row is at the same height in each. All columns are equally wide: if not all
 * numbers have room, one column's number stands below the table, connected to its cell by
 * a plumb line. Of very many rows only those around the chosen one are drawn. */

typedef struct WordRows {
    size_t rows, chosen;
    size_t first, end; /* rows [first, end) are drawn */
    size_t cols, col;  /* number of columns; column whose number stands below, if not all
                          have room */
    /* Width of a column; height of the chosen row and of the others. */
    double cell, row, thin;
    double below;   /* height of the number below; 0: all numbers stand in their cells */
    double digits;  /* size of the digits in points */
    size_t visible; /* number of computed cells, in reading order; the rest is blank */
    double number_width; /* width of the widest number below */
} WordRows;

/* Layout for tables of one shape within the given room, with row `chosen` in numbers, or
 * only its column `col`. */
WordRows word_rows_measure(const Canvas *canvas, const Tensor *const *tensors,
                           size_t count, size_t chosen, size_t col, double width,
                           double height);

double word_rows_width(const WordRows *rows);
double word_rows_height(const WordRows *rows); /* includes the number below */

/* Box of the cells of a row in a table with its upper left corner at `corner`. */
Box word_rows_row(const WordRows *rows, Point corner, size_t row);

/* Draws a tensor as such a table, its cells linked to the node's and its chosen row
 * framed. */
void word_rows_draw(const Canvas *canvas, const WordRows *rows, Point corner, size_t node,
                    const Tensor *tensor, double reach);

/* Draws only the chosen row, with its upper left corner at `corner`. */
void word_rows_draw_chosen(const Canvas *canvas, const WordRows *rows, Point corner,
                           size_t node, const Tensor *tensor, double reach);

/* Draws only the number below a table, centred at `middle`. */
void word_rows_draw_number(const Canvas *canvas, const WordRows *rows, Point middle,
                           size_t node, const Tensor *tensor);

/* Distance from a table's upper edge to the middle of the number below it. */
double word_rows_number_line(const WordRows *rows);

/* ---- dials ---- */

/* A dial: an angle as the hand of a clock, which points upwards at position 0 and turns
 * clockwise by the same angle from position to position. Its tip is as far to the right
 * as the angle's sine, and as far up as its cosine. */

typedef struct Dial {
    Point centre;
    double radius;     /* points */
    double angle_step; /* radians from position to position */
    size_t count;      /* number of positions; up to 64 are dots on the rim, more none */
    double sine, cosine; /* coordinates of the hand's tip, as fractions of the radius */
    Color across, up;    /* colours of sine and cosine */
    Link sine_link, cosine_link; /* links of sine and cosine */
} Dial;

/* Draws only the rim with its positions; uses the dial's centre, radius, angle_step and
 * count. */
void dial_draw_rim(const Canvas *canvas, const Dial *dial);

/* Draws the rim, the hand, its sine and its cosine. */
void dial_draw(const Canvas *canvas, const Dial *dial);
