/* The formats that `export` writes, a row each. */
#pragma once

#include "formats/deck.h"
#include "lesson/play/player.h"

/* A format: it has one of the functions, or is a deck. */
typedef struct Format {
    const char *name;
    const char *ending; /* of its files' names */
    bool has_width;     /* its pages can have a width on paper */
    /* A file a page: what a sheet has laid out. */
    bool (*write_page)(Sheet *sheet, const char *path, Error *error);
    /* A file a lesson, or one of them all: their pages, or what they ask. */
    const DeckKind *deck;
    bool is_worksheet;
    bool says;    /* also what is read aloud of its pages */
    bool is_film; /* its pages come to be as they do in the window */
    /* A file a lesson: its tensors. */
    bool (*write_tensors)(const Player *player, const char *path, Error *error);
} Format;

/* The format number `index`, the first being the usual one; NULL behind the last. */
const Format *format_at(size_t index);

/* Returns the first of the formats, bit i being format_at(i), that is a deck and that a
 * file's name ends in; NULL if none is. */
const Format *format_of_file(const char *name, unsigned formats);

/* Report whether any of the formats, bit i being format_at(i), is a deck, is a worksheet,
 * has a lesson's numbers without its pages, so that --seed can replace them, or can have
 * a width on paper. */
bool formats_have_decks(unsigned formats);
bool formats_have_worksheets(unsigned formats);
bool formats_have_numbers(unsigned formats);
bool formats_have_width(unsigned formats);
