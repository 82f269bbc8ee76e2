/* The formats that `export` writes, a row each, and decks: pages of one or more lessons
 * that go into one file. */
#pragma once

#include "base/error.h"
#include "lesson/play/player.h"
#include "paint/paint.h"

typedef struct Language Language;
typedef struct TensorChoice TensorChoice;
typedef struct WholeFile WholeFile;

/* ---- A deck: pages of one or more lessons that go into one file ---- */

/* A sheet of paper, upright: in 1/72 inch. */
typedef struct Paper {
    const char *name;
    double width, height;
} Paper;

/* The papers, the first being the usual one; NULL behind the last. */
const Paper *paper_at(size_t index);

typedef struct DeckHead {
    const char *title;
    const Language *language;
    const Paper *paper; /* that it is printed on; NULL: pages are slides */
    size_t handout;     /* pages on a sheet of it; 0: each is one of its own */
} DeckHead;

/* A page. All is borrowed until the page has been added. */
typedef struct DeckPage {
    SheetPicture picture;
    const char *part;    /* of the course; NULL or "": none */
    const char *lesson;  /* its title */
    const char *step;    /* heading; "": the page continues the previous step */
    const char *notes;   /* for the lecturer; NULL or "": none */
    const char *said;    /* text of the page for screen readers, or NULL */
    const char *sum;     /* how its cell was computed; "": it has none; or NULL */
    size_t number;       /* among its lesson's pages, from 0 */
    size_t step_count;   /* of `steps`, and of the lesson's pages */
    const size_t *steps; /* that the lesson's pages show; links lead to them */
    double seconds;      /* of a film: so long it is seen */
    /* Explains how a cell was computed, as it is heard or as it is seen, in the arena;
     * "": no explanation; NULL: no memory. The function is NULL if no cell has one. */
    const char *(*tell)(void *context, Link cell, bool heard, Arena *arena);
    void *context;
} DeckPage;

typedef struct DeckKind DeckKind;

/* A deck being written. */
typedef struct Deck {
    const DeckKind *kind;
    const DeckHead *head; /* borrowed */
    Arena *arena;
    void *own;            /* what its kind has of it, in the arena */
    const char *template; /* the text that its kind fills in, or NULL */
    bool failed;          /* memory was short */
} Deck;

/* A deck without pages; the head is borrowed. NULL with ERROR_FILE where its
 * template can't be read, ERROR_MEMORY. The caller destroys it. */
Deck *deck_create(const DeckKind *kind, const DeckHead *head, Error *error);

/* Adds a page. All are to be drawn with the same fonts, which last as long as the deck.
 * When memory is short, deck_save says so. */
void deck_add(Deck *deck, const DeckPage *page);

/* Writes the deck, whole or not at all; nothing is added then. ERROR_FILE, ERROR_MEMORY.
 */
bool deck_save(Deck *deck, const char *path, Error *error);

/* NULL is fine. */
void deck_destroy(Deck *deck);

/* ---- The formats that `export` writes, a row each ---- */

typedef enum FormatTraits {
    FORMAT_HAS_WIDTH = 1,   /* its pages can have a width on paper */
    FORMAT_HAS_HANDOUT = 2, /* several pages fit on a sheet */
    FORMAT_HAS_NUMBERS =
        4, /* of a lesson without its pages, so that --seed can replace them */
    FORMAT_IS_WORKSHEET = 8,
    FORMAT_SAYS = 16,     /* also what is read aloud of its pages */
    FORMAT_IS_FILM = 32,  /* its pages come to be as they do in the window */
    FORMAT_PRESENTS = 64, /* slides: in large type, with little besides the picture */
    FORMAT_IS_EXAM = 128  /* one worksheet of all lessons, with points */
} FormatTraits;

/* A format: it has one of the functions, or is a deck. */
typedef struct Format {
    const char *name;
    const char *ending; /* of its files' names */
    unsigned traits;
    /* A file a page: adds what a sheet has laid out to a file that was begun.
     * ERROR_MEMORY. */
    bool (*write_page)(Sheet *sheet, WholeFile *file, Error *error);
    /* A file a lesson, or one of them all: their pages, or what they ask. */
    const DeckKind *deck;
    /* A file a lesson: its tensors. */
    bool (*write_tensors)(const Player *player, const char *path, TensorChoice *choice,
                          Error *error);
    bool is_abridged; /* leaves tensors of large lessons out, except with --all-steps */
} Format;

/* The format number `index`, the first being the usual one; NULL behind the last. */
const Format *format_at(size_t index);

/* Returns the first of the formats, bit i being format_at(i), that is a deck and that a
 * file's name ends in; NULL if none is. */
const Format *format_of_file(const char *name, unsigned formats);

/* True if any of the formats, bit i being format_at(i), has a trait. */
bool formats_have(unsigned formats, FormatTraits trait);
