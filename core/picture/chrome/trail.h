/* A trail: places to go to, as chips in a strip, with text before and behind them.
 *
 * Examples: the path followed back, "P[2, 5] ← L[2, 5] ← … ← E[you, 3]", with a
 * description of its end; the tensors changed by an edit, "What moved:  X  Q  K  …"; the
 * continuations of a lesson. If it is too long for the strip, the first chip and those
 * around the chip `at` remain. */
#pragma once

#include "base/strings/language.h"
#include "lesson/play/follow.h"
#include "picture/stage/page_content.h"

typedef struct TrailChip {
    Link link;
    FollowCell cell;   /* cell by its name; row PLAYER_NONE: only its tensor */
    const char *words; /* used instead of the cell; NULL: none */
} TrailChip;

struct Trail {
    const char *head;    /* text before the chips; NULL: none */
    const char *between; /* sign between two chips; NULL: none */
    size_t count;
    const TrailChip *chips;
    size_t at;        /* chip that is always shown */
    bool away;        /* no chip is the present place, not even `at` */
    FollowEnd end;    /* of a followed path: kind of its last cell */
    const char *word; /* token of a FOLLOW_WORD */
    const char *tail; /* text behind, if the path has no such end; NULL: none */
};

/* Height of the strip in points; 0 if there is nothing to draw (`trail` may be NULL). */
double trail_height(const Trail *trail);

void trail_draw(const Canvas *canvas, const Player *player, const Trail *trail,
                Box strip);

/* Description of a path's end, new in the arena: "the word “you”"; "" for
 * FOLLOW_CONTINUES. */
const char *trail_ending(const Language *language, FollowEnd end, const char *word,
                         Arena *arena);
