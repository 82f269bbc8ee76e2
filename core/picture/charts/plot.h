/* Plots: a box with an axis along each side. An axis says where a number lies; at round
 * numbers of the upward one lines run across, with the number at their left end. */
#ifndef PICTURE_PLOT_H
#define PICTURE_PLOT_H

#include "picture/draw/canvas.h"

enum {
    PLOT_TICKS_MAX = 40,
    PLOT_SHORT = -1,  /* decimals: what a number needs, at most three */
    PLOT_PERCENT = -2 /* whole per cents */
};

/* The numbers at an axis' ends; their logarithms where it goes by ratios. */
typedef struct PlotAxis {
    double from, to;
    bool ratios;
} PlotAxis;

typedef struct Plot {
    const Canvas *canvas;
    Box box;
    PlotAxis across, up;
    int decimals;      /* of the numbers at the left, or one of the above */
    double units, gap; /* how large they are, and how far from the box; units */
    Color ink;         /* of theirs */
    bool is_ground;    /* things stand on the line at 0, which is darker */
    size_t tick_count;
    double ticks[PLOT_TICKS_MAX];
} Plot;

/* A number on an axis: itself, or its logarithm. */
double plot_along(PlotAxis axis, double number);

/* Where numbers lie; what is beyond the upward axis' end lies at it. */
double plot_x(const Plot *plot, double place);
double plot_y(const Plot *plot, double value);
Point plot_point(const Plot *plot, double place, double value);

/* Puts lines at the multiples of a step; where ratios count at 1, 2, 5, 10 … The box need
 * not be known yet. */
void plot_find_ticks(Plot *plot, double step);

/* How wide the numbers at the left are, with their gap. */
double plot_ticks_width(const Plot *plot);

/* Draws lines and numbers; where these would meet, some are left out. */
void plot_draw_ticks(const Plot *plot);

/* The nearest of 1, 2, 2.5 and 5 times a power of ten that is not smaller than `least`,
 * which is positive: the steps of an axis. */
double plot_step(double least);

/* The same for counts: 1, 2, 5, 10 … */
size_t plot_stride(double least);

#endif
