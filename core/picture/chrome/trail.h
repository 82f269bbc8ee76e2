/* A trail: places to go to, as chips in a strip, with words before and behind them.
 *
 * The way followed back, "P[2, 5] ← L[2, 5] ← … ← E[you, 3]", and at its end in words
 * what that is; what a change has moved, "What moved:  X  Q  K  …"; where a lesson's end
 * leads. Of one too long for the strip the first chip stays, and what lies around the
 * chip `at`. */
#ifndef PICTURE_TRAIL_H
#define PICTURE_TRAIL_H

#include "base/strings/language.h"
#include "lesson/play/follow.h"
#include "picture/stage/page_content.h"

typedef struct TrailChip {
    Link link;
    FollowCell cell;   /* by its name; a row of PLAYER_NONE: its tensor by its */
    const char *words; /* in place of that; NULL: none */
} TrailChip;

struct Trail {
    const char *head;    /* words before; NULL: none */
    const char *between; /* a sign between two chips; NULL: none */
    size_t count;
    const TrailChip *chips;
    size_t at;        /* the chip that is shown, however many there are, … */
    bool away;        /* … and none, not even that, is the present place */
    FollowEnd end;    /* of a way: what its last cell is */
    const char *word; /* of a FOLLOW_WORD */
    const char *tail; /* words behind, where it has no such end; NULL: none */
};

/* The strip's height in points; 0 where there is nothing to draw (`trail` may be NULL).
 */
double trail_height(const Trail *trail);

void trail_draw(const Canvas *canvas, const Player *player, const Trail *trail,
                Box strip);

/* What an end is, in words: "the word “you”"; "" for FOLLOW_CONTINUES. In the arena. */
const char *trail_ending(const Language *language, FollowEnd end, const char *word,
                         Arena *arena);

#endif
