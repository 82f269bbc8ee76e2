/* Computation of one cell as lines of numbers: " = 1 × 0 + 1 × 1 = 1", and the quantities
 * that it depends on: "the row's total = e^… + e^… = 2.493". Fitted to the width: the
 * middle of long sums is left out. Everything lives for the frame. */
#pragma once

#include "picture/explain/term_runs.h"
#include "picture/stage/page_content.h"

typedef struct CellSum {
    size_t node, row, col;
    const TapeNode *at;
    const Term *term;    /* NULL: only the value */
    const Term *growing; /* see TermWriter; set while the lines are written */
    size_t grown;
    bool open;       /* its value is not shown yet */
    const Term *gap; /* see TermWriter; NULL for none */
} CellSum;

/* Fills in `at`, `term` and `open` for a cell. */
void cell_sum_init(CellSum *cell, const PageParts *parts);

typedef struct SumLines {
    const PageParts *parts;
    Runs *value, *quantities;
    TermWriter writer; /* for the value */
} SumLines;

/* Initializes two empty lines. */
void sum_lines_init(SumLines *lines, const PageParts *parts);

/* Writes the first line fitted to `width` points, at `units` or less; returns the size at
 * which it is to be drawn. */
double sum_lines_fit_value(SumLines *lines, const CellSum *cell, double units,
                           double width);

/* Writes the second line in the same way; it stays empty if the sum depends on no
 * quantities. */
double sum_lines_fit_quantities(SumLines *lines, const CellSum *cell, double units,
                                double width);

/* Starts an empty line with a writer that leaves out parts beyond `max_parts`. */
void cell_sum_start(Runs *runs, TermWriter *writer, const PageParts *parts,
                    const CellSum *cell, size_t max_parts);
