/* Sources: the texts that rows of IDs were made from, for pictures that show more than
 * IDs and tokens. They live in the lesson's arena. */
#pragma once

#include "text/bpe.h"

/* The corpus of a byte-pair encoding after a number of merges. */
typedef struct LessonMerging {
    const Bpe *bpe;
    size_t merges;
    BpeRanking pairs; /* the most frequent pairs before the last of these merges */
} LessonMerging;

typedef struct LessonSource {
    size_t node;                /* its row of IDs */
    const Tokenizer *tokenizer; /* the tokenizer used; its vocabulary has the IDs */
    /* By the token's index, the original word if the token doesn't show it, "zebra" for
     * [UNK]; NULL: all tokens show it. */
    const char *const *written;
    const LessonMerging *merging; /* state of the corpus for `corpus_after:`, or NULL */
    const struct LessonSource *next;
} LessonSource;

/* Returns a node's source; NULL if it was not made from a text. */
const LessonSource *lesson_source_of(const LessonSource *sources, size_t node);
