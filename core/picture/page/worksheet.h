/* A worksheet: what a lesson asks, on paper.
 *
 * A round of exercises (lesson/practise/practise.h) below each other, each with its
 * operation's picture: blank are the cells asked for, wherever they stand. The key is the
 * same with the numbers in, the sums and what is right. Nothing asked of a row's largest
 * is asked: other pictures on the sheet would tell, so that number is asked for. */
#ifndef PICTURE_WORKSHEET_H
#define PICTURE_WORKSHEET_H

#include "lesson/practise/practise.h"
#include "picture/stage/page_content.h"

enum { WORKSHEET_WIDTH = 1000 /* points: a sheet of paper's */ };

typedef struct Worksheet {
    Page page; /* player, theme, metrics, language, number; its height is the paper's */
    Practise *practise; /* its exercises, all of them; borrowed */
    bool left_out[PRACTISE_MAX];
    bool key;
    bool redrawn;     /* numbers are others than the lesson's: its texts may not fit */
    const char *copy; /* which of several: "7"; NULL: the lesson's own */
} Worksheet;

/* Makes cells of rows, and leaves out what paper can't ask, or what texts no longer fit;
 * then of the exercises that were made, ideas first, until the rest has room on two
 * pages. `scratch` is emptied. False when there is no memory. */
bool worksheet_choose(Worksheet *worksheet, Arena *scratch);

/* Draws the page that begins with exercise number `first` into a scene, which is
 * initialised in `arena`; returns the first that had no room, or the exercises' count. */
size_t worksheet_draw(Scene *scene, Arena *arena, const Worksheet *worksheet,
                      size_t first);

#endif
