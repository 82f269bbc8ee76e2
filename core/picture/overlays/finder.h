/* The finder: a field, and below it what of all that can be done and gone to its letters
 * stand for, laid over a page. */
#ifndef PICTURE_FINDER_H
#define PICTURE_FINDER_H

#include "picture/overlays/help.h"

enum { FINDER_ROWS = 10 };

typedef struct FinderRow {
    const char *kind;   /* "step", in the page's language */
    const char *words;  /* what it is called */
    const char *detail; /* its key, its shape, or why it can't be done; "" for none */
    bool can;
} FinderRow;

typedef struct Finder {
    HelpField field; /* text, caret and selected; problem: what is said, "" for nothing */
    size_t found;    /* of how many rows these … */
    size_t first, shown; /* … are so many from this one, finder_rows at most */
    const FinderRow *rows;
    size_t chosen;    /* in all of them */
    const char *told; /* a sentence on it, in the keys' place; NULL or "": none */
    Link link;        /* of a row, with its place in all of them, from 1, as row */
    Link close;
} Finder;

/* How many rows a page has room for, FINDER_ROWS at most. */
size_t finder_rows(const Canvas *canvas);

void finder_draw(const Canvas *canvas, const Finder *finder);

#endif
