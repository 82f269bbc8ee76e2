/* Joining pieces of a word, the earliest learned pair first, wherever it stands. Private
 * to core/text/file.
 *
 * As text/bpe.h does it, but for as many merges as models have, and for words as long as
 * a whole text: each pair is looked up, and of those that stand side by side the first is
 * known by a heap. */
#ifndef TEXT_MERGER_H
#define TEXT_MERGER_H

#include "base/table.h"

#include <stdint.h>

typedef struct MergerRule {
    uint32_t pair[2], result, rank;
} MergerRule;

typedef struct Merger {
    Arena *arena;
    size_t count, capacity;
    MergerRule *rules;
    Table places; /* of rules, by their pairs */
} Merger;

/* A piece of a word: a symbol, and the bytes of the text that it comes from. */
typedef struct MergerPart {
    uint32_t symbol, from, to;
    bool unknown; /* it is never joined */
} MergerPart;

/* So many rules can be added. The arena has a guard, as it must have below. */
Merger merger_create(Arena *arena, size_t most);

/* Adds a pair behind all that were added before; one that is there goes there. */
void merger_add(Merger *merger, uint32_t left, uint32_t right, uint32_t result);

/* Joins what can be joined; returns how many parts are left. */
size_t merger_run(const Merger *merger, MergerPart *parts, size_t count, Arena *arena);

#endif
