/* Sweep over the pages of all lessons. Each page is drawn once in each shape that its
 * turn has come for, and every check that is meant for that shape looks at it. A check
 * is a test of its own: it fails with the pages that break it. */
#ifndef TESTS_SWEEP_H
#define TESTS_SWEEP_H

#include "page_look.h"

/* What is particular about a shape's pages. */
enum {
    SHAPE_OWN_FONTS = 1, /* in the program's fonts; else letters have fixed advances */
    SHAPE_WIDE = 2,      /* with advances that are wider than usual */
    SHAPE_PRESENTED = 4,
    SHAPE_THEMES = 8, /* in every theme, not only the first */
    SHAPE_COURSE = 16 /* only the course's statements, and what those open into */
};

/* How pages are set: one of a table. */
typedef struct Shape {
    const char *name;
    unsigned traits;
    double text_scale;
    const Size *sizes; /* in pixels */
    size_t size_count;
    /* A step is looked at in one of so many ways (a size, a language, a theme), and its
     * variants (views, depths of words, cells) in one of so many of those. The ways go
     * round from step to step, so that in the end each has been seen in each. */
    size_t steps_in, variants_in;
} Shape;

/* What is asked of a page: one of a table, and a test. */
typedef struct Check {
    const char *name;
    unsigned shapes; /* a bit for each of the table */
    bool everywhere; /* else only the course's lessons, and of them steps as wholes */
    void (*look)(const View *view);
} Check;

/* What came of a check. */
typedef struct Outcome {
    const Check *check;
    size_t pages, failures; /* looked at, and found there */
    char *report;           /* of the first failures, complete once `out` is closed */
    size_t report_length;
    FILE *out;
} Outcome;

/* Draws the pages of a shape, and has the checks of its bit look at them. Returns how
 * many there were; 0 where the program's fonts are wanted and not installed. */
size_t sweep(const CourseFiles *files, const Shape *shape, unsigned bit,
             Outcome *outcomes, size_t count);

/* Ends a check: fails where one of its pages did, or where it had none. */
void sweep_assert(Outcome *outcome);

/* ---- checks of the grammar that all pictures obey ---- */

void check_can_be_read(const View *view);
void check_stand_apart(const View *view);
void check_no_colour_reads_zero(const View *view);
void check_shares_are_teal(const View *view);
void check_no_picture_wears_the_accent(const View *view);
void check_legends_say_something(const View *view);
void check_legends_have_the_colours(const View *view);
void check_scales_are_told(const View *view);
void check_slices_are_marked(const View *view);
void check_captions_differ(const View *view);

#endif
