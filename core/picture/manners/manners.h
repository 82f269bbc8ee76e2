/* What moves while an operation's result comes to be: a row for every manner
 * (lesson/play/manner.h). */
#ifndef PICTURE_MANNERS_H
#define PICTURE_MANNERS_H

#include "picture/manners/moving.h"

/* Draws what is on its way below the still: it comes out from under it. */
void manners_draw_below(const Moving *moving);

/* Lets the output's items be there as far as they are, and draws what is on its way over
 * the still. */
void manners_play(const Moving *moving);

/* Whether a manner has its row; a test asks it of all. */
bool manners_has_row(MannerKind kind);

#endif
