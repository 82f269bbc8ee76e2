/* The trail: the way that was followed back from a cell, as chips in a strip.
 *
 * "P[2, 5] ← L[2, 5] ← … ← E[you, 3]", and at its end in words what that is. Of a way too
 * long for the strip the middle is left out. Each chip is a LINK_TRAIL of its number. */
#ifndef PICTURE_TRAIL_H
#define PICTURE_TRAIL_H

#include "base/strings/language.h"
#include "lesson/play/follow.h"
#include "picture/stage/page_content.h"

struct Trail {
    size_t count; /* 2 or more, else nothing is drawn */
    const FollowCell *cells;
    bool away;        /* the viewer has left its end: no chip is the present one */
    FollowEnd end;    /* what its last cell is */
    const char *word; /* of a FOLLOW_WORD */
};

/* The strip's height in points; 0 where there is nothing to draw (`trail` may be NULL).
 */
double trail_height(const Canvas *canvas, const Trail *trail);

void trail_draw(const Canvas *canvas, const Player *player, const Trail *trail,
                Box strip);

/* What an end is, in words: "the word “you”"; "" for FOLLOW_GOES_ON. In the arena. */
const char *trail_ending(const Language *language, FollowEnd end, const char *word,
                         Arena *arena);

#endif
