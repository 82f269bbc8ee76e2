/* Application of merges to a word: the earliest learned pair first, wherever it occurs,
 * from left to right. Used for merges learned here (text/bpe.h) and for those of a file
 * (text/file).
 *
 * It handles as many merges as models have, and words as long as a whole text: pairs are
 * found in a hash table, and a heap yields the first candidate. */
#pragma once

#include "base/table.h"

#include <stdint.h>

typedef struct MergerRule {
    uint32_t pair[2], result, rank;
} MergerRule;

typedef struct Merger {
    size_t count;
    MergerRule *rules;
    Table indices; /* indices of rules, by their pairs */
} Merger;

/* A part of a word: a symbol and its range of the word or text. */
typedef struct MergerPart {
    uint32_t symbol, from, to;
    bool unknown; /* never joined */
} MergerPart;

/* Two parts that were joined, [from, middle) and [middle, end), and the rule's number. */
typedef struct MergerJoin {
    uint32_t merge, from, middle, end;
} MergerJoin;

/* Scratch memory of a run; it keeps no state between runs. */
typedef struct MergerRoom {
    struct MergerLinks *links;
    struct MergerCandidate *heap;
} MergerRoom;

/* Creates a merger with memory for `most` rules. */
void merger_init(Merger *merger, Arena *arena, size_t most);

/* Allocates the memory that merging a word of `parts` parts needs. */
void merger_room(MergerRoom *room, Arena *arena, size_t parts);

/* Appends a rule for a pair; one that exists is moved to the end. */
void merger_add(Merger *merger, uint32_t left, uint32_t right, uint32_t result);

/* Applies the first `rules` rules; returns the number of parts left. `joins`, unless
 * NULL, has room for as many as parts less one, and receives the joins in order. */
size_t merger_run(const Merger *merger, size_t rules, MergerPart *parts, size_t count,
                  const MergerRoom *room, MergerJoin *joins);
