/* Words while their symbols are being merged. Private to core/text: bpe.c learns with
 * them, bpe_words.c looks back. */
#ifndef TEXT_BPE_PARTS_H
#define TEXT_BPE_PARTS_H

#include "text/merger.h"
#include "text/vocabulary.h"

#include <stdint.h>

static const uint32_t BPE_NO_SYMBOL = UINT32_MAX; /* never joined */

/* A word as its symbols, and which of its characters each is; the mark is one behind
 * them all. */
typedef struct BpeParts {
    size_t count;
    MergerPart *items;
} BpeParts;

/* Two neighbours, weighted by the words' counts. */
typedef struct BpePairCount {
    uint32_t symbols[2];
    size_t count;
} BpePairCount;

/* The symbol of one character, or BPE_NO_SYMBOL when there is no such, as there never is
 * of the `mark`. */
uint32_t bpe_parts_symbol(const Vocabulary *symbols, uint32_t mark, uint32_t code_point);

/* Puts a symbol behind the others. */
void bpe_parts_add(BpeParts *parts, uint32_t symbol);

/* Counts the neighbours in a word that stands `weight` times in the corpus. `places` says
 * by their symbols which of `pairs` they are, which have room for all, in the order of
 * their first appearance. False when memory is short. */
bool bpe_parts_count(Table *places, BpePairCount *pairs, const BpeParts *word,
                     size_t weight);

#endif
