/* Sources: what rows of IDs were cut from, for pictures that tell more of a text than its
 * IDs and tokens. They live in the lesson's arena. */
#ifndef LESSON_SOURCES_H
#define LESSON_SOURCES_H

#include "text/bpe.h"
#include "text/tokenizer.h"

/* The corpus of a byte-pair encoding as it was after some merges. */
typedef struct LessonMerging {
    const Bpe *bpe;
    size_t merges;
    BpeRanking pairs; /* the most frequent before the last of these merges */
} LessonMerging;

typedef struct LessonSource {
    size_t node;                /* the row of IDs */
    const Tokenizer *tokenizer; /* that cut it; its vocabulary has the IDs */
    /* What a word was whose token doesn't tell, "zebra" for [UNK], by the token's index;
     * NULL: all tokens tell. */
    const char *const *written;
    const LessonMerging *merging; /* of `corpus_after:`, or NULL */
    const struct LessonSource *next;
} LessonSource;

/* A node's; NULL where it was cut from no text. */
const LessonSource *lesson_source_of(const LessonSource *sources, size_t node);

#endif
