/* A worksheet: a lesson's exercises on paper.
 *
 * A round of exercises (lesson/practise/practise.h) below each other, each with its
 * operation's formula and picture. The cells asked for are blank, and so are cells that
 * would reveal them. Numbers that a picture doesn't print, or prints with too few digits
 * for the computation, stand in a line below it. The key adds the numbers, the sums and
 * the right answers. */
#pragma once

#include "lesson/practise/practise.h"
#include "picture/stage/page_content.h"

enum { WORKSHEET_WIDTH = 1000 /* width of a sheet in points */ };

typedef struct Worksheet {
    Page page; /* player, theme, metrics, language, number; its height is the paper's */
    Practise *practise; /* its exercises; borrowed */
    size_t at, pages;   /* number of the drawn page, from 1, and of all; 0: not written */
    bool tight;         /* dense layout, because that takes fewer pages */
    bool key;
    bool redrawn;     /* numbers differ from the lesson's, so its texts may not fit */
    const char *copy; /* name of one of several copies: "7"; NULL: the lesson's own */
} Worksheet;

/* Lays out the worksheet: sets `at` before the first page, the number of pages, and
 * `tight`. `scratch` is emptied. Returns false when there is no memory. */
bool worksheet_begin(Worksheet *worksheet, Arena *scratch);

/* Draws the page that begins with exercise `first` into a scene, which is initialised in
 * `arena`; returns the first exercise that had no room, or the number of exercises. */
size_t worksheet_draw(Scene *scene, Arena *arena, const Worksheet *worksheet,
                      size_t first);
