/* Sources: the items of a still that an output's cell is computed from, found by the
 * tape's terms. */
#pragma once

#include "picture/transitions/moving.h"

enum { SOURCES_MOST = 24 };

/* A cell is drawn once or twice, by itself and in a table of all: the first drawing of a
 * cell comes from the first drawing of its source. */
enum { DRAWN_FIRST, DRAWN_LAST, DRAWN_COUNT };

typedef struct Sources {
    const Moving *moving;
    size_t count, most;
    size_t items[SOURCES_MOST][DRAWN_COUNT]; /* in the still */
    bool once[STILL_TABLES_MAX]; /* tables of one cell that was taken already */
    size_t user;                 /* node whose inputs are examined */
    size_t depth;  /* depth behind the moving node through nodes that aren't drawn */
    size_t looked; /* number of cells examined */
} Sources;

/* Takes the cell of an input, or, if it isn't drawn, the cells that it is computed from;
 * for term_visit_cells, with the sources as its context. */
void sources_take(void *context, const Term *cell);

/* Sources of a cell: the cell that it copies, or one of each input (for inputs that
 * aren't drawn all of their sources); at most `most`. */
Sources sources_of(const Moving *moving, size_t row, size_t col, size_t most);

/* Item of an output's cell in its last drawing, or STILL_NONE. */
size_t moving_item(const Moving *moving, size_t row, size_t col);
