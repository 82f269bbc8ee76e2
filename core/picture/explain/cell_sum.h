/* How one cell came to be, as lines of numbers: " = 1 × 0 + 1 × 1 = 1", and the
 * quantities that stands on: "the row's total = e^… + e^… = 2.493". Made to fit: of long
 * sums the middle is left out. Everything lives for the frame. */
#ifndef PICTURE_CELL_SUM_H
#define PICTURE_CELL_SUM_H

#include "picture/explain/term_runs.h"
#include "picture/stage/page_content.h"

typedef struct CellSum {
    size_t node, row, col;
    const TapeNode *at;
    const Term *term;    /* NULL: the value alone */
    const Term *growing; /* see TermWriter; set while the lines are written */
    size_t grown;
    bool open;       /* its value isn't told yet */
    const Term *gap; /* see TermWriter; NULL for none */
} CellSum;

/* Fills `at`, `term` and `open` for a cell. False when the frame's memory is exhausted.
 */
bool cell_sum_init(CellSum *cell, const PageParts *parts);

typedef struct SumLines {
    const PageParts *parts;
    Runs *value, *quantities;
    TermWriter writer; /* of the value */
} SumLines;

/* Two empty lines. False when the frame's memory is exhausted. */
bool sum_lines_init(SumLines *lines, const PageParts *parts);

/* Writes the first line so that it has room in `width` points, at `units` or less; gives
 * back the size that it is to be drawn at. */
double sum_lines_fit_value(SumLines *lines, const CellSum *cell, double units,
                           double width);

/* Then the second; it stays empty where the sum stands on nothing else. */
double sum_lines_fit_quantities(SumLines *lines, const CellSum *cell, double units,
                                double width);

/* An empty line, and a writer for it that leaves out what goes beyond `max_parts`. */
void cell_sum_start(Runs *runs, TermWriter *writer, const PageParts *parts,
                    const CellSum *cell, size_t max_parts);

#endif
