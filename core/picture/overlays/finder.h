/* The finder over a page: a text field, and below it the commands and places that match
 * its text. */
#pragma once

#include "picture/overlays/help.h"

enum { FINDER_ROWS = 10 };

typedef struct FinderRow {
    const char *kind;  /* "step", in the page's language */
    const char *words; /* its name */
    /* Its key, its shape, or the reason why it is disabled; "" for none. */
    const char *detail;
    bool can;
} FinderRow;

typedef struct Finder {
    HelpField field; /* text, caret and selected; problem: a message, "" for none */
    size_t found;    /* number of all rows found */
    /* Visible rows: `shown` of them from `first` on, finder_rows at most. */
    size_t first, shown;
    const FinderRow *rows;
    size_t chosen; /* among all rows */
    /* Sentence on the chosen row, in place of the keys; NULL or "": none. */
    const char *told;
    Link link; /* link of a row, with its number among all rows, from 1, as row */
    Link close;
} Finder;

/* Number of rows that a page has room for, FINDER_ROWS at most. */
size_t finder_rows(const Canvas *canvas);

void finder_draw(const Canvas *canvas, const Finder *finder);
