/* Layouts of panels, kept by what they depend on.
 *
 * The lines of panels are searched for (picture/stage/panels_layout.c), which can take as
 * long as painting the page. Most frames have the layouts of the frame before: those of
 * a motion, and those behind a key that changes nothing which is measured. Whoever draws
 * many frames keeps one of these structs for all of them, and sets it in each Page; it
 * owns nothing. {0} is empty. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PANELS_LINES_MAX = 4 };

/* Result of a search. */
typedef struct LayoutChoice {
    /* Number of lines; line i has the panels [starts[i], starts[i + 1]). */
    size_t lines, starts[PANELS_LINES_MAX + 1];
    int contents; /* what is left out, see panels_layout.c */
    bool bare;    /* arrows have no formulas above them */
    double w, h;  /* of a cell, in points */
} LayoutChoice;

/* A presented page tries up to about a hundred layouts, in type of several sizes. */
enum { LAYOUTS_KEPT = 256 };

typedef struct Layouts {
    size_t searches; /* made so far; for tests */
    uint64_t keys[LAYOUTS_KEPT];
    LayoutChoice choices[LAYOUTS_KEPT]; /* a ring, in the order of the searches */
} Layouts;

/* Returns what was found for a key, which is a digest of all that the search depends on.
 * NULL if it isn't kept. `layouts` may be NULL. */
const LayoutChoice *layouts_find(const Layouts *layouts, uint64_t key);

/* Keeps what was found for a key that isn't kept, in place of the oldest. */
void layouts_keep(Layouts *layouts, uint64_t key, const LayoutChoice *choice);
