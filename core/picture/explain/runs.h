/* Runs: a line of differently coloured, sized and raised pieces of text, as the inspector
 * needs: numbers in their tensors' colours, exponents, links to the cells they are. */
#ifndef PICTURE_RUNS_H
#define PICTURE_RUNS_H

#include "picture/draw/canvas.h"

enum { RUNS_MAX = 400 };

typedef struct Run {
    const char *text;
    FontRole font;
    Color color;
    double raise; /* 0 on the line; 1 an exponent, 2 an exponent's exponent */
    Link link;
} Run;

typedef struct Runs {
    const Canvas *canvas;
    size_t count;
    bool overflowed; /* more than RUNS_MAX pieces: the rest was left out */
    Run items[RUNS_MAX];
} Runs;

/* Appends a piece; "" appends nothing. The text is borrowed for the frame. */
void runs_add(Runs *runs, FontRole font, Color color, double raise, Link link,
              const char *text);

/* The line's width at a font size. */
double runs_width(const Runs *runs, double size);

/* Draws the line from the left end of its baseline; returns where it ends. */
double runs_draw(const Runs *runs, double size, Point baseline);

#endif
