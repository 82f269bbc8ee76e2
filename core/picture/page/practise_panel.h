/* What the page shows while a learner practises: the exercise and what is said to the
 * last answer, below the picture; question marks in the cells that are asked for; and the
 * score at a round's end. */
#ifndef PICTURE_PRACTISE_PANEL_H
#define PICTURE_PRACTISE_PANEL_H

#include "lesson/play/practise.h"
#include "picture/draw/canvas.h"

typedef struct PageParts PageParts; /* picture/page/page.h */

/* What a click does: the row of its link. */
typedef enum PractiseButton {
    PRACTISE_CHECK = 1, /* the answer, or goes on behind one that was right */
    PRACTISE_SKIP,
    PRACTISE_STOP,
    PRACTISE_AGAIN, /* another round */
    PRACTISE_LOOK   /* again at the exercise whose number is the link's column */
} PractiseButton;

typedef struct PractisePanel {
    const Practise *practise;
    const char *answer; /* what is written so far … */
    size_t caret;       /* … and where, in bytes */
    size_t chosen;      /* the exercise chosen in the score, or PLAYER_NONE */
    Link command;       /* what a click stands for; row and column are put in */
} PractisePanel;

/* Whether a node's numbers are not to be seen: the result's that is asked for, and what
 * came after it. `panel` may be NULL, as in the next one. */
bool practise_panel_hides(const PractisePanel *panel, size_t node);

/* Whether the asked cell is itself what is asked for, so that nothing may point at it. */
bool practise_panel_hides_cell(const PractisePanel *panel);

/* The lesson's own sentences about the present step are not to be read yet. */
bool practise_panel_hides_words(const PractisePanel *panel, const char *words);

/* Puts question marks into the asked cells, as the page has drawn them. */
void practise_panel_mark(const Canvas *canvas, const PractisePanel *panel);

/* The exercise, over the whole lower part of the page. */
void practise_panel_draw(const PageParts *parts, Box area);

/* The score in the middle of the page, with what to look at again. */
void practise_score_draw(const Canvas *canvas, const PractisePanel *panel);

#endif
