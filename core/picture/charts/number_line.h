/* A number line with a row's numbers as dots on it.
 *
 * Whoever lays out a picture says where the line lies and which numbers are at its ends;
 * several lines may share them. Dots have their numbers' colours and are linked to their
 * cells; what is no number or not computed yet has none. */
#ifndef PICTURE_NUMBER_LINE_H
#define PICTURE_NUMBER_LINE_H

#include "picture/draw/heatmap.h"

typedef struct NumberLine {
    const Canvas *canvas;
    double left, right, y;  /* points */
    double least, most;     /* the numbers at its ends, 0 not outside them */
    const Tensor *tensor;   /* the row's; NULL: no dots */
    size_t node, row;       /* what dots are linked to; TAPE_NONE: to nothing */
    size_t visible;         /* cells of the tensor computed so far, in reading order */
    double radius;          /* of a dot */
    bool numbers_below;     /* the dots' numbers stand below the line, not above it */
    const Lesson *lesson;   /* with `step`: whose printed numbers to compare with */
    const LessonStep *step; /* or NULL */
    bool has_focus;         /* a ring around the dot of column … */
    size_t focus_col;
} NumberLine;

double number_line_x(const NumberLine *line, double value);

/* Where the dot of a column lies; false where there is none. */
bool number_line_dot(const NumberLine *line, size_t col, Point *at);

/* The line by itself, with a stroke at 0. */
void number_line_draw_axis(const NumberLine *line);

/* Strokes at round numbers, which stand below them at `units`. */
void number_line_draw_ticks(const NumberLine *line, double units);

void number_line_draw_dots(const NumberLine *line);

/* Threads from each dot to the same column's on another line, so dense (of 255); that of
 * the column in focus there is stronger. */
void number_line_draw_threads(const NumberLine *from, const NumberLine *to, int alpha);

/* The dots' numbers at them, in up to `tiers` lines and none between a dot and its own:
 * those of all dots, or where these have no room the focused one's and those of both ends
 * of the row, so that nobody wonders why a dot has none. */
void number_line_draw_numbers(const NumberLine *line, double units, size_t tiers);

#endif
