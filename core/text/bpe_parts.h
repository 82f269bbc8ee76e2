/* Words during merging. Private to core/text: bpe.c learns with them, bpe_words.c
 * reconstructs earlier states. */
#pragma once

#include "text/merger.h"
#include "text/vocabulary.h"

#include <stdint.h>

static const uint32_t BPE_NO_SYMBOL = UINT32_MAX; /* never joined */

/* A word as its symbols and the range of characters of each; the mark is one past the
 * last. */
typedef struct BpeParts {
    size_t count;
    MergerPart *items;
} BpeParts;

/* Two neighbours, weighted by the words' counts. */
typedef struct BpePairCount {
    uint32_t symbols[2];
    size_t count;
} BpePairCount;

/* Returns the symbol of a character, or BPE_NO_SYMBOL if there is none, as for a
 * character equal to the `mark`. */
uint32_t bpe_parts_symbol(const Vocabulary *symbols, uint32_t mark, uint32_t code_point);

/* Appends a symbol. */
void bpe_parts_add(BpeParts *parts, uint32_t symbol);

/* Counts the neighbours in a word with frequency `weight`. `indices` maps their symbols
 * to indices of `pairs`, which has room for all, in the order of first appearance. */
void bpe_parts_count(Table *indices, BpePairCount *pairs, const BpeParts *word,
                     size_t weight);
