/* The formats that `export` writes, a row each. */
#ifndef APP_FORMAT_H
#define APP_FORMAT_H

#include "formats/deck.h"
#include "lesson/play/player.h"

/* It has one of the functions, or is a deck. */
typedef struct Format {
    const char *name; /* also what its files' names end in */
    /* A file a page: what a sheet has laid out. */
    bool (*write_page)(Sheet *sheet, const char *path, Error *error);
    /* A file a lesson, or one of them all: their pages (formats/pdf.h). */
    bool is_deck;
    /* A file a lesson: its tensors. */
    bool (*write_tensors)(const Player *player, const char *path, Error *error);
} Format;

/* The format number `index`, the first being the usual one; NULL behind the last. */
const Format *format_at(size_t index);

#endif
