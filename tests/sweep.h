/* Sweep over the pages of all lessons. A shape is a way to set pages: a size, fonts, a
 * theme. Each shape draws a sample of the pages, and every check of that shape examines
 * each page it draws. A check is a cmocka test of its own, which fails if one of its
 * pages fails, and prints those. */
#pragma once

#include "page_look.h"

/* Properties of a shape, as bits. */
enum {
    SHAPE_OWN_FONTS =
        1, /* in the program's fonts; without it, characters have fixed advances */
    SHAPE_WIDE = 2, /* with wider advances than usual */
    SHAPE_PRESENTED = 4,
    SHAPE_THEMES = 8, /* in every theme instead of only the first */
    SHAPE_COURSE =
        16 /* only statements of the course, and the steps that they open into */
};

/* A way to set pages. */
typedef struct Shape {
    const char *name;
    unsigned traits;
    double text_scale;
    const Size *sizes; /* in pixels */
    size_t size_count;
    /* Sampling: each combination of size, language and theme takes every steps_in-th
     * step, and of the variants of that step (views, depths of text, cells) every
     * variants_in-th. Each combination begins at another step. */
    size_t steps_in, variants_in;
} Shape;

/* A check of pages. */
typedef struct Check {
    const char *name;
    unsigned shapes; /* bits of the shapes that it applies to */
    bool everywhere; /* false: only whole steps of the course's lessons */
    void (*look)(const View *view);
} Check;

/* Result of a check. */
typedef struct Outcome {
    const Check *check;
    size_t pages, failures; /* number of pages examined, and of failures found */
    char *report; /* text about the first failures, complete once `out` is closed */
    size_t report_length;
    FILE *out;
} Outcome;

/* Draws the pages of a shape and runs the checks that have its bit. Returns the number of
 * pages; 0 if the shape needs the program's fonts and they are not installed. */
size_t sweep(const CourseFiles *files, const Shape *shape, unsigned bit,
             Outcome *outcomes, size_t count);

/* Ends a check: fails if one of its pages failed, or if it had no pages. */
void sweep_assert(Outcome *outcome);

/* ---- checks of the rules for all pictures ---- */

void check_can_be_read(const View *view);
void check_stand_apart(const View *view);
void check_no_colour_reads_zero(const View *view);
void check_probabilities_are_teal(const View *view);
void check_no_picture_wears_the_accent(const View *view);
void check_legends_say_something(const View *view);
void check_legends_have_the_colours(const View *view);
void check_scales_are_told(const View *view);
void check_slices_are_marked(const View *view);
void check_pins_show(const View *view);
void check_captions_differ(const View *view);
