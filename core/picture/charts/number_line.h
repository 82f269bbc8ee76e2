/* A number line with a row's numbers as dots on it.
 *
 * The picture sets where the line lies and the numbers at its ends; several lines may
 * share them. Dots have their numbers' colours and are linked to their cells; NaN and
 * numbers not computed yet have no dot. */
#pragma once

#include "picture/draw/heatmap.h"

typedef struct NumberLine {
    const Canvas *canvas;
    double left, right, y; /* points */
    double least, most;    /* numbers at the ends; 0 lies between them */
    const Tensor *tensor;  /* tensor with the row; NULL: no dots */
    size_t node, row;      /* cells that dots are linked to; node TAPE_NONE: no links */
    size_t visible;        /* cells of the tensor computed so far, in reading order */
    double radius;         /* of a dot */
    bool numbers_below;    /* the dots' numbers stand below the line instead of above */
    const Lesson *lesson; /* with `step`: source of the printed numbers to compare with */
    const LessonStep *step; /* NULL: nothing is compared */
    bool has_focus;         /* ring the dot of focus_col */
    size_t focus_col;
} NumberLine;

double number_line_x(const NumberLine *line, double value);

/* Sets *at to the position of a column's dot; returns false if it has none. */
bool number_line_dot(const NumberLine *line, size_t col, Point *at);

/* Draws the line with a stroke at 0. */
void number_line_draw_axis(const NumberLine *line);

/* Draws ticks at round numbers, with the numbers below them in letters of `units`. */
void number_line_draw_ticks(const NumberLine *line, double units);

void number_line_draw_dots(const NumberLine *line);

/* Draws threads of opacity `alpha` (of 255) from each dot to the same column's dot on
 * another line; the thread of the column in focus is stronger. */
void number_line_draw_threads(const NumberLine *from, const NumberLine *to, int alpha);

/* Draws the dots' numbers in up to `tiers` lines, each clear of other dots: of all dots,
 * or, without room, of the focused one and both ends of the row. */
void number_line_draw_numbers(const NumberLine *line, double units, size_t tiers);
