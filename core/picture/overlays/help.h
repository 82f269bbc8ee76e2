/* Overlays of a page: the help, a text field, a notice, a list of problems. All draw over
 * a finished page's scene, in the canvas's language. */
#pragma once

#include "picture/overlays/field_chips.h"

typedef struct HelpEntry {
    const char *keys;    /* "→  Space" */
    const char *words;   /* key of the interface strings */
    const char *subject; /* key of a heading that begins here; NULL: none */
} HelpEntry;

typedef struct Help {
    const HelpEntry *entries;
    size_t count, first; /* number of entries; the first `first` are the basic ones */
    double scroll;       /* requested scroll position of the list in points */
    int pages;           /* pages to scroll from there */
    Link close;
} Help;

/* Draws the basic keys and the mouse, below them all other keys by subject, scrolled.
 * Returns the actual scroll position, limited to the list's end. A page begins with the
 * lines that were not whole on the one before. */
double help_draw(const Canvas *canvas, const Help *help);

typedef struct HelpField {
    const char *title, *keys; /* keys of the interface strings */
    const char *text;
    size_t caret;           /* in bytes */
    bool selected;          /* all of the text is selected */
    const char *problem;    /* problem of the text; "": none */
    Link paste, use, leave; /* links of its buttons; LINK_NONE: no button */
    FieldChips chips;
} HelpField;

/* Draws a text field with its instructions, and as many words to choose from as have
 * room. Of a text too long for the field the part around the caret is visible. */
void help_draw_field(const Canvas *canvas, const HelpField *field);

/* Draws a small text field beside a cell; the title is the cell's name verbatim. A
 * number's keys are linked to `use`, with 1 as row. */
void help_draw_cell_field(const Canvas *canvas, const HelpField *field, Box cell);

/* Draws a field's text with its caret from the left end of a baseline, in `room` points;
 * only `text`, `caret` and `selected` are used. */
void help_draw_written(const Canvas *canvas, const HelpField *field, Point at,
                       double room, double size);

/* Draws, if `draw`, a strip along the foot of the scene with a title (a strings key) and
 * `count` lines of problems. Returns its height in either case. */
double help_problems(const Canvas *canvas, const char *title, const char *const *lines,
                     size_t count, bool draw);

/* Draws one quiet sentence in the middle of the page, linked to `link`. */
void help_draw_notice(const Canvas *canvas, const char *words, Link link);
