/* Joining pieces of a word, the earliest learned pair first, wherever it stands, from
 * left to right. The merges that are learned here (text/bpe.h) and those of a file
 * (text/file) are both run by it.
 *
 * It serves as many merges as models have, and words as long as a whole text: each pair
 * is looked up, and of those that stand side by side the first is known by a heap. */
#ifndef TEXT_MERGER_H
#define TEXT_MERGER_H

#include "base/table.h"

#include <stdint.h>

typedef struct MergerRule {
    uint32_t pair[2], result, rank;
} MergerRule;

typedef struct Merger {
    size_t count;
    MergerRule *rules;
    Table places; /* of rules, by their pairs */
} Merger;

/* A piece of a word: a symbol, and what of the word or its text it comes from. */
typedef struct MergerPart {
    uint32_t symbol, from, to;
    bool unknown; /* it is never joined */
} MergerPart;

/* Two pieces that were joined, [from, middle) and [middle, end), by the rule of that
 * number. */
typedef struct MergerJoin {
    uint32_t merge, from, middle, end;
} MergerJoin;

/* What a run needs besides; from run to run it holds nothing. */
typedef struct MergerRoom {
    struct MergerLinks *links;
    struct MergerTurn *heap;
} MergerRoom;

/* Room for so many rules, and for words of so many parts; false when the arena is
 * exhausted. */
bool merger_init(Merger *merger, Arena *arena, size_t most);
bool merger_room(MergerRoom *room, Arena *arena, size_t parts);

/* Adds a pair behind all that were added before; one that is there goes there. False when
 * the arena is exhausted. */
bool merger_add(Merger *merger, uint32_t left, uint32_t right, uint32_t result);

/* Joins what can be joined by the first so many rules; returns how many parts are left.
 * Where `joins` is not NULL it has room for as many as parts less one, and is given what
 * was joined in its order. */
size_t merger_run(const Merger *merger, size_t rules, MergerPart *parts, size_t count,
                  const MergerRoom *room, MergerJoin *joins);

#endif
