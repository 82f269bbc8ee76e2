/* The timeline along the bottom of a page. */
#ifndef PICTURE_TIMELINE_H
#define PICTURE_TIMELINE_H

#include "picture/stage/page_content.h"

/* The lesson's statements as dots under chapter names. */
void timeline_draw(const PageParts *parts, Box area);

/* Where along the timeline (0 to 1) an x coordinate lies, as a statement's number. */
size_t timeline_statement_at(const Player *player, Box bar, double x);

/* How far the player has come, from 0 to 1. */
double timeline_fraction(const Player *player);

#endif
