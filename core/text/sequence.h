/* A row of symbols that are joined two by two: words while byte-pair encoding merges
 * them.
 *
 * Places never move. A join puts its result at the left symbol's place and frees the
 * right one's; places in use are linked. Private to core/text. */
#ifndef TEXT_SEQUENCE_H
#define TEXT_SEQUENCE_H

#include "base/arena.h"

#include <stdint.h>

static const uint32_t SEQUENCE_NONE = UINT32_MAX; /* no place, or no symbol */

typedef struct Sequence {
    size_t capacity;
    uint32_t *symbols;         /* SEQUENCE_NONE: never joined */
    uint32_t *next, *previous; /* places, or SEQUENCE_NONE at a word's ends */
} Sequence;

/* Room for `capacity` places in the arena; false when it is exhausted. */
bool sequence_init(Sequence *sequence, Arena *arena, size_t capacity);

/* Links the places [start, end) into one word of symbols that are set already or will be.
 */
void sequence_link(Sequence *sequence, size_t start, size_t end);

/* Whether the symbol `left` stands at the place and `right` behind it. */
bool sequence_has(const Sequence *sequence, uint32_t place, uint32_t left,
                  uint32_t right);

/* Joins the symbol at the place with the one behind it, which must be there. */
void sequence_join(Sequence *sequence, uint32_t place, uint32_t result);

#endif
