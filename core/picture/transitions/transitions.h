/* What moves while an operation's result comes to be: a row for every manner
 * (lesson/play/transition.h). */
#ifndef PICTURE_TRANSITIONS_H
#define PICTURE_TRANSITIONS_H

#include "picture/transitions/moving.h"

/* Draws what is on its way below the still: it comes out from under it. */
void transitions_draw_below(const Moving *moving);

/* Lets the output's items be there as far as they are, and draws what is on its way over
 * the still. */
void transitions_play(const Moving *moving);

/* Whether a manner has its row; a test asks it of all. */
bool transitions_has_row(TransitionKind kind);

#endif
