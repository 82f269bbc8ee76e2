/* Plots: a box with an axis along each side. Lines run across at round numbers of the
 * vertical axis, with the number at their left end. */
#pragma once

#include "picture/draw/canvas.h"

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

/* Coordinates of numbers; beyond the vertical axis' ends they are clamped. */
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

/* Step of an axis: the nearest of 1, 2, 2.5 and 5 times a power of ten that is not
 * smaller than `least`, which is positive. */
double plot_step(double least);

/* Step of an axis of counts: 1, 2, 5, 10 … */
size_t plot_stride(double least);
