/* The formats that `export` writes, a row each, and decks: pages of one or more lessons
 * that go into one file. */
#pragma once

#include "base/error.h"
#include "lesson/play/player.h"
#include "paint/paint.h"

typedef struct Language Language;

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
    size_t number;       /* among its lesson's pages, from 0 */
    size_t step_count;   /* of `steps`, and of the lesson's pages */
    const size_t *steps; /* that the lesson's pages show; links lead to them */
    double seconds;      /* of a film: so long it is seen */
    /* Explains how a cell was computed, in words and numbers, in the arena; "": no
     * explanation; NULL: no memory. The function is NULL if no cell has one. */
    const char *(*tell)(void *context, Link cell, Arena *arena);
    void *context;
} DeckPage;

/* Functions that write a deck to a kind of file. */
typedef struct DeckKind {
    /* A deck without pages; the head is borrowed. NULL with ERROR_MEMORY. */
    void *(*create)(const DeckHead *head, Error *error);
    /* Adds a page. All are to be drawn with the same fonts, which last as long as the
     * deck. When memory is short, save says so. */
    void (*add)(void *deck, const DeckPage *page);
    /* Writes it, whole or not at all; nothing is added then. ERROR_FILE, ERROR_MEMORY. */
    bool (*save)(void *deck, const char *path, Error *error);
    void (*destroy)(void *deck); /* NULL is fine */
} DeckKind;

/* ---- The formats that `export` writes, a row each ---- */

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
