/* A worksheet: what a lesson asks, on paper.
 *
 * A round of exercises (lesson/practise/paper.h) below each other, each with its
 * operation's formula and picture: blank are the cells asked for, wherever they or what
 * would tell them stand. What a picture doesn't print, or with too few digits to reckon
 * with, stands in a line below it. The key is the same with the numbers in, the sums and
 * what is right. */
#ifndef PICTURE_WORKSHEET_H
#define PICTURE_WORKSHEET_H

#include "lesson/practise/paper.h"
#include "picture/stage/page_content.h"

enum { WORKSHEET_WIDTH = 1000 /* points: a sheet of paper's */ };

typedef struct Worksheet {
    Page page; /* player, theme, metrics, language, number; its height is the paper's */
    Practise *practise; /* its exercises; borrowed */
    size_t at, pages;   /* the page drawn, from 1, of how many; or 0, and not said */
    bool tight;         /* as that takes fewer pages */
    bool key;
    bool redrawn;     /* numbers are others than the lesson's: its texts may not fit */
    const char *copy; /* which of several: "7"; NULL: the lesson's own */
} Worksheet;

/* Lays out what of it is up to the paper: `at` before the first page, how many there are,
 * and whether they are tight. `scratch` is emptied. False when there is no memory. */
bool worksheet_begin(Worksheet *worksheet, Arena *scratch);

/* Draws the page that begins with exercise number `first` into a scene, which is
 * initialised in `arena`; returns the first that had no room, or the exercises' count. */
size_t worksheet_draw(Scene *scene, Arena *arena, const Worksheet *worksheet,
                      size_t first);

#endif
