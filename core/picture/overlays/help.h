/* What is laid over a page: the help, a field to write in, a notice; and what stands
 * instead of a page that has no room. All draw over a finished page's scene, in the
 * canvas's language. */
#ifndef PICTURE_HELP_H
#define PICTURE_HELP_H

#include "picture/overlays/field_chips.h"

typedef struct HelpEntry {
    const char *keys;  /* "→  Space" */
    const char *words; /* a key of the interface strings */
    const char
        *subject; /* another, the heading of what begins here; NULL: nothing does */
} HelpEntry;

typedef struct Help {
    const HelpEntry *entries;
    size_t count, first; /* so many of them are what one begins with */
    double scroll;       /* points of the list that lie above its place, as wanted */
    int pages;           /* and so many pages on from there */
    Link close;
} Help;

/* Draws what one begins with and what the mouse does, below it every other key by
 * subject: as much as has room from there on. Gives back how far that went: no further
 * than to the list's end. A page begins with what wasn't whole on the one before. */
double help_draw(const Canvas *canvas, const Help *help);

typedef struct HelpField {
    const char *title, *keys; /* keys of the interface strings */
    const char *text;
    size_t caret;           /* in bytes */
    bool selected;          /* all of the text */
    const char *problem;    /* what is wrong with the text; "": nothing */
    Link paste, use, leave; /* what its buttons stand for; of none: there are none */
    FieldChips chips;
} HelpField;

/* Draws a field with a text, what to do with it, and words to choose from: as many as
 * have room. Of a text too long for the field the
 * part around the caret is seen. */
void help_draw_field(const Canvas *canvas, const HelpField *field);

/* The same, small and beside a cell; the title is its name as it stands. A number's keys
 * are linked to `use`, with 1 as row. */
void help_draw_cell_field(const Canvas *canvas, const HelpField *field, Box cell);

/* Draws what is written with its caret, from the left end of a baseline, in `room`
 * points: `text`, `caret` and `selected` are looked at. */
void help_draw_written(const Canvas *canvas, const HelpField *field, Point at,
                       double room, double size);

/* A strip along the foot of all that is drawn: a title (a strings key), and `count` lines
 * of what is wrong below it. Gives back its height, whether it is drawn or not. */
double help_problems(const Canvas *canvas, const char *title, const char *const *lines,
                     size_t count, bool draw);

/* Draws one quiet sentence in the middle of the page, linked to `link`. */
void help_draw_notice(const Canvas *canvas, const char *words, Link link);

#endif
