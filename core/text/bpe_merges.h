/* What byte-pair encoding has learned, and merging one word by it. Private to core/text.
 */
#ifndef TEXT_BPE_MERGES_H
#define TEXT_BPE_MERGES_H

#include "text/bpe.h"
#include "text/pair_table.h"
#include "text/sequence.h"

struct Bpe {
    const char *mark;
    size_t mark_length;
    uint32_t mark_symbol;
    size_t word_count;
    BpeWord *words;
    Vocabulary *symbols;
    size_t merge_count;
    BpeMerge *merges;
    PairTable ranks; /* from each pair to its merge */
};

/* A word being merged, and scratch memory for it. */
typedef struct BpeMerging {
    Sequence sequence;
    size_t queued;
    uint64_t *queue; /* a heap of merge << 32 | place */
} BpeMerging;

/* Room for words of `capacity` symbols; false when the arena is exhausted. */
bool bpe_merging_init(BpeMerging *merging, Arena *arena, size_t capacity);

/* Merges the first `count` places of merging->sequence, whose symbols are set, by the
 * first `merges` merges: each joins its pair everywhere, from left to right. */
void bpe_merging_run(BpeMerging *merging, const Bpe *bpe, size_t count, size_t merges);

/* The symbol of one character, or SEQUENCE_NONE when the corpus had no such, as it never
 * has one that is the mark. */
uint32_t bpe_symbol_of(const Bpe *bpe, uint32_t code_point);

#endif
