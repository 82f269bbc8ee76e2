/* Text in boxes: the sizes of the interface's type, lines, and blocks of several lines,
 * which are measured before they are drawn. Lengths are points. */
#pragma once

#include "picture/draw/canvas.h"

/* The type scale: sizes of the interface's texts in points. */
enum {
    TYPE_SMALL = 15,  /* notes, keys, captions */
    TYPE_TEXT = 17,   /* rows, buttons, sentences */
    TYPE_LARGE = 19,  /* options, chips, home */
    TYPE_HEAD = 24,   /* titles of panels, questions */
    TYPE_TITLE = 30,  /* terms, scores, stations */
    TYPE_POSTER = 40, /* home's title, a lecturer's clock */
    TYPE_SLIDE = 64   /* the slide behind a lesson */
};

/* A text in one font. */
typedef struct TextBlock {
    FontRole font;
    double size;    /* points */
    double spacing; /* distance of baselines, as a multiple of the size */
    size_t most;    /* largest number of lines; text beyond them is cut */
    Color ink;
    const char *text; /* "": nothing, without height; borrowed */
} TextBlock;

/* Returns a block of readable size with the usual spacing. */
TextBlock text_block(const Canvas *canvas, FontRole font, double units, Color ink,
                     size_t most, const char *text);

/* Number of lines that the text needs in a width, at most `most` + 1. */
size_t text_block_lines(const Canvas *canvas, const TextBlock *block, double width);

/* Height of a block in a width, of at most `most` lines. */
double text_block_height(const Canvas *canvas, const TextBlock *block, double width);

/* Reduces a block, down to the smallest readable size, until its text needs at most
 * `most` lines and `height`; returns the height that it takes then. */
double text_block_fit(const Canvas *canvas, TextBlock *block, double width,
                      double height);

/* Draws a block from the top of an area, whose height is ignored; returns the height. */
double text_block_draw(const Canvas *canvas, const TextBlock *block, Box area);

/* Draws a block at the top of an area and cuts it off. */
void text_block_take(const Canvas *canvas, const TextBlock *block, Box *area);

/* Draws a line in the middle of a box's height, fitted into its width, at its left end,
 * its middle or its right end; returns the text's box. */
Box text_line(const Canvas *canvas, FontRole font, double units, Color ink, Box box,
              LabelAlign align, const char *text);

/* Width of a line at a size of the type scale, or larger to be readable. */
double text_line_width(const Canvas *canvas, FontRole font, double units,
                       const char *text);

/* Box without a margin at its left and at its right. */
Box box_narrowed(Box box, double margin);
