/* Byte-pair encoding: subwords learned by joining frequent neighbours.
 *
 * Learning begins with every word of a corpus as its characters and an end-of-word mark.
 * The most frequent pair of neighbours is joined everywhere into one symbol, then the
 * most frequent pair of the result, and so on. Of pairs with equal counts the first in
 * the corpus is joined, read word by word in the order given. A new word is split by the
 * same merges, the earliest learned first. The whole history is stored: each merge, and
 * the state of the words after it. As in the paper all pairs are counted again for every
 * merge; the limits keep that short. Source: Sennrich, Haddow and Birch 2016, algorithm
 * 1. */
#pragma once

#include "text/merger.h"
#include "text/tokenizer.h"

#include <stdint.h>

enum {
    BPE_CORPUS_MAX = 1 << 20, /* bytes of a corpus */
    BPE_WORDS_MAX = 1 << 16,  /* bytes of all distinct words together */
    BPE_WORD_MAX = 1000,      /* bytes of one word of the corpus */
    BPE_WORD_COUNT_MAX = 1000000000,
    BPE_MERGES_MAX = 2000,
    BPE_MARK_MAX = 16 /* bytes of the end-of-word mark */
};

typedef struct BpeWord {
    const char *text; /* zero-terminated UTF-8 */
    size_t count;     /* frequency in the corpus */
} BpeWord;

typedef struct BpeWords {
    size_t count;
    BpeWord *items; /* words, in the arena given */
} BpeWords;

typedef struct BpeOptions {
    size_t merges;    /* maximum number; fewer if no pair is left */
    size_t min_count; /* pairs below it are not merged; 0 is as 1 */
    const char *mark; /* end-of-word mark; NULL: "</w>" */
    bool bytes;       /* words are bytes (text/byte_bpe.h), without a mark */
} BpeOptions;

/* A merge; symbols are numbers within a Bpe. */
typedef struct BpeMerge {
    size_t left, right, result;
    size_t count; /* frequency of the pair when it was merged */
} BpeMerge;

typedef struct BpeSplit {
    size_t count;
    const char **symbols; /* their texts; the array is in the arena given */
} BpeSplit;

/* Two neighbours and their frequency in the corpus. */
typedef struct BpePair {
    const char *left, *right; /* the symbols' texts */
    size_t count;
} BpePair;

typedef struct BpeRanking {
    size_t count;
    BpePair *pairs; /* the most frequent first; in the arena given */
} BpeRanking;

/* A word as a binary tree: its leaves are the characters and the mark, its inner nodes
 * the joins, in order. */
typedef struct BpeTree {
    size_t leaf_count, join_count;
    const char **leaves; /* both arrays are in the arena given */
    MergerJoin *joins;   /* joins of leaves, with the number of the merge, from 0 */
} BpeTree;

/* The result of learning. Symbols are numbered from 0: characters and the mark in the
 * order of first appearance, then the merges' results; with `bytes`, all bytes come
 * first. */
struct Bpe {
    bool bytes; /* symbols are bytes, without a mark */
    const char *mark;
    size_t mark_length;
    uint32_t mark_symbol;
    size_t word_count;
    BpeWord *words; /* the corpus, in the order given */
    size_t merge_count;
    BpeMerge *merges; /* merges in the order they were learned */
    Merger merger;    /* the same, prepared to split new words */
    Vocabulary *symbols;
};

/* Counts the distinct words of a corpus in the order of first appearance. Words are
 * separated by white space; `lower_case` converts them. With `bytes` they are split and
 * written as in text/byte_bpe.h. ERROR_LIMIT: more than BPE_CORPUS_MAX bytes, or a word
 * longer than BPE_WORD_MAX. ERROR_ENCODING, with the byte's offset. ERROR_VALUE: a zero
 * byte. */
bool bpe_count_words(BpeWords *words, Arena *arena, const char *text, size_t length,
                     bool lower_case, bool bytes, Error *error);

/* Learns merges from `count` words, which need not be distinct. They are copied. The
 * result and scratch memory (about 200 bytes for each byte of the words) are in the
 * arena. NULL on failure: ERROR_LIMIT: past one of the limits above. ERROR_VALUE: an
 * empty word or mark, a count of 0, a word that contains the mark. ERROR_ENCODING: not
 * UTF-8. */
Bpe *bpe_learn(Arena *arena, const BpeWord *words, size_t count,
               const BpeOptions *options, Error *error);

/* Adds to a vocabulary every symbol that it lacks, in order; bytes under their names.
 * Errors as for vocabulary_add; symbols added before an error stay. */
bool bpe_add_symbols(Vocabulary *vocabulary, const Bpe *bpe, Error *error);

/* Splits word number `word` of the corpus as after the first `merges` merges. Both must
 * be in range. Scratch memory comes from the arena, too. */
void bpe_word_after(BpeSplit *split, const Bpe *bpe, Arena *arena, size_t word,
                    size_t merges);

/* The same as a tree of the joins so far. */
void bpe_word_tree(BpeTree *tree, const Bpe *bpe, Arena *arena, size_t word,
                   size_t merges);

/* Lists at most `most` of the most frequent adjacent pairs after `merges` merges, which
 * must be in range. Equally frequent pairs are in the order of the corpus, so the first
 * pair is merged next. Scratch memory as for bpe_learn. */
void bpe_rank(BpeRanking *ranking, const Bpe *bpe, Arena *arena, size_t merges,
              size_t most);
