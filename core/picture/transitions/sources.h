/* Sources: which of a still's items an output's cell comes from, by the tape's terms. */
#ifndef PICTURE_SOURCES_H
#define PICTURE_SOURCES_H

#include "picture/transitions/moving.h"

enum { SOURCES_MOST = 24 };

/* A cell is drawn once or twice, by itself and in a table of all: what is drawn first
 * comes from what is drawn first. */
enum { DRAWN_FIRST, DRAWN_LAST, DRAWN_COUNT };

typedef struct Sources {
    const Moving *moving;
    size_t count, most;
    size_t items[SOURCES_MOST][DRAWN_COUNT]; /* in the still */
    bool once[STILL_TABLES_MAX];             /* tables that have given their one cell */
    size_t user;                             /* the node whose inputs are looked at */
    size_t depth;  /* how far it is behind the moving one, through what isn't drawn */
    size_t looked; /* how many cells have been looked through */
} Sources;

/* Takes the cell of an input that a term is, or, where it isn't drawn, those that it
 * comes from; for term_visit_cells, with the sources as its context. */
void sources_take(void *context, const Term *cell);

/* Where a cell comes from: the one that it is a copy of, or of each input one (of what
 * isn't drawn all that it comes from); no more than `most` of them. */
Sources sources_of(const Moving *moving, size_t row, size_t col, size_t most);

/* The item that an output's cell begins with where it is drawn last, or STILL_NONE. */
size_t moving_item(const Moving *moving, size_t row, size_t col);

#endif
