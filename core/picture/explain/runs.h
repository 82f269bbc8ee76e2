/* Runs: a line of pieces of text with different colours, sizes and heights for the
 * inspector: numbers in their tensors' colours, exponents, links to cells. */
#pragma once

#include "picture/draw/canvas.h"

enum { RUNS_MAX = 400 };

typedef struct Run {
    const char *text;
    FontRole font;
    Color color;
    double raise; /* level: 0 on the line; 1 an exponent, 2 an exponent's exponent */
    Link link;
} Run;

typedef struct Runs {
    const Canvas *canvas;
    size_t count;
    bool overflowed; /* more than RUNS_MAX pieces; the others were left out */
    Run items[RUNS_MAX];
} Runs;

/* Appends a piece; "" appends nothing. The text is borrowed for the frame. */
void runs_add(Runs *runs, FontRole font, Color color, double raise, Link link,
              const char *text);

/* Width of the line at a font size. */
double runs_width(const Runs *runs, double size);

/* Draws the line from the left end of its baseline; returns its right end. */
double runs_draw(const Runs *runs, double size, Point baseline);
