/* Byte-pair encoding: pieces learned by joining what often stands together.
 *
 * Learning begins with every word of a corpus as its characters and an end-of-word mark.
 * The most frequent pair of neighbours is joined everywhere into one symbol, then the
 * most frequent pair of what that leaves, and so on. Among pairs of one count the one
 * that stands first in the corpus is joined, read word by word in the order given. A new
 * word is cut by the same merges, the earliest learned first. Everything is kept: what
 * was merged when, and what that made of the words.
 * As in the paper all pairs are counted anew for every merge; the limits keep that short.
 * Source: Sennrich, Haddow and Birch 2016, algorithm 1. */
#ifndef TEXT_BPE_H
#define TEXT_BPE_H

#include "text/merger.h"
#include "text/pieces.h"

#include <stdint.h>

enum {
    BPE_CORPUS_MAX = 1 << 20, /* bytes of a corpus */
    BPE_WORDS_MAX = 1 << 16,  /* bytes of all words to learn from together, once each */
    BPE_WORD_MAX = 1000,      /* bytes of one word of the corpus */
    BPE_WORD_COUNT_MAX = 1000000000,
    BPE_MERGES_MAX = 2000,
    BPE_MARK_MAX = 16 /* bytes of the end-of-word mark */
};

typedef struct BpeWord {
    const char *text; /* zero-terminated UTF-8 */
    size_t count;     /* how often it stands in the corpus */
} BpeWord;

typedef struct BpeWords {
    size_t count;
    BpeWord *items; /* in the arena given */
} BpeWords;

typedef struct BpeOptions {
    size_t merges;    /* at most so many; fewer where no pair is left */
    size_t min_count; /* pairs below it are not merged; 0 does as 1 */
    const char *mark; /* end-of-word mark; NULL: "</w>" */
    bool bytes;       /* the words are of bytes (text/byte_bpe.h) and have no mark */
} BpeOptions;

/* Symbols are the numbers of a Bpe's. */
typedef struct BpeMerge {
    size_t left, right, result;
    size_t count; /* of the pair, when it was merged */
} BpeMerge;

typedef struct BpeSplit {
    size_t count;
    const char **symbols; /* their texts; the array is in the arena given */
} BpeSplit;

/* Two neighbours, and how often they stand together in the corpus. */
typedef struct BpePair {
    const char *left, *right; /* the symbols' texts */
    size_t count;
} BpePair;

typedef struct BpeRanking {
    size_t count;
    BpePair *pairs; /* the most frequent first; in the arena given */
} BpeRanking;

/* A word as the characters and the mark that it began as, its leaves, and what was joined
 * of them, in that order. */
typedef struct BpeTree {
    size_t leaf_count, join_count;
    const char **leaves; /* both arrays are in the arena given */
    MergerJoin *joins;   /* of leaves, by the merge of that number, from 0 */
} BpeTree;

/* What was learned. Symbols are numbered from 0: characters and the mark in the order of
 * their first appearance, then the merges' results; of bytes first all of them. */
struct Bpe {
    bool bytes; /* … and there is no mark */
    const char *mark;
    size_t mark_length;
    uint32_t mark_symbol;
    size_t word_count;
    BpeWord *words; /* it was learned from, in the order given */
    size_t merge_count;
    BpeMerge *merges; /* in the order they were learned */
    Merger merger;    /* the same, as new words are cut by them */
    Vocabulary *symbols;
};

/* The distinct words of a corpus in the order of their first appearance, with their
 * counts. Words stand between white space; with `lower_case` they are made so. With
 * `bytes` they are cut and written as text/byte_bpe.h has it.
 * ERROR_LIMIT: more than BPE_CORPUS_MAX bytes, or a word longer than BPE_WORD_MAX.
 * ERROR_ENCODING, with the byte's place. ERROR_VALUE: a zero byte. ERROR_MEMORY. */
bool bpe_count_words(BpeWords *words, Arena *arena, const char *text, size_t length,
                     bool lower_case, bool bytes, Error *error);

/* Learns merges from `count` words, which need not be distinct. They are copied. The
 * result and scratch memory (about 200 bytes for each byte of the words) are the
 * arena's. NULL when it fails:
 * ERROR_LIMIT: past one of the limits above. ERROR_VALUE: an empty word or mark, a count
 * of 0, a word that holds the mark. ERROR_ENCODING: not UTF-8. ERROR_MEMORY. */
Bpe *bpe_learn(Arena *arena, const BpeWord *words, size_t count,
               const BpeOptions *options, Error *error);

/* Adds to a vocabulary every symbol that it lacks, in their order; of bytes their names.
 * Errors as for vocabulary_add; what was added before an error stays. */
bool bpe_add_symbols(Vocabulary *vocabulary, const Bpe *bpe, Error *error);

/* How the word number `word` of the corpus stood after so many `merges`; 0 is before the
 * first. Both must be in range. Scratch memory as well comes from the arena.
 * ERROR_MEMORY. */
bool bpe_word_after(BpeSplit *split, const Bpe *bpe, Arena *arena, size_t word,
                    size_t merges, Error *error);

/* The same as a tree: which of its characters those merges have joined. */
bool bpe_word_tree(BpeTree *tree, const Bpe *bpe, Arena *arena, size_t word,
                   size_t merges, Error *error);

/* The most frequent pairs of neighbours, at most so many, after so many `merges`, which
 * must be in range; of one count in the order of the corpus, so that the first is the one
 * to be merged next. Scratch memory as for bpe_learn. ERROR_MEMORY. */
bool bpe_rank(BpeRanking *ranking, const Bpe *bpe, Arena *arena, size_t merges,
              size_t most, Error *error);

#endif
