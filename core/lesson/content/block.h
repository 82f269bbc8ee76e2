/* The blocks of a transformer: where on its map a lesson or a step is at home.
 *
 * A lesson without a model says so with `block: NAME`, for all its steps or from one of
 * them on; what a block looks like is the picture layer's business. */
#ifndef LESSON_BLOCK_H
#define LESSON_BLOCK_H

#include <stddef.h>

typedef enum LessonBlock {
    LESSON_BLOCK_NONE, /* not said */
    LESSON_BLOCK_IDS,
    LESSON_BLOCK_SHIFTED,
    LESSON_BLOCK_INPUT,
    LESSON_BLOCK_SELF_ATTENTION,
    LESSON_BLOCK_MASKED_ATTENTION,
    LESSON_BLOCK_CROSS_ATTENTION,
    LESSON_BLOCK_ADD_AND_NORM,
    LESSON_BLOCK_FEED_FORWARD,
    LESSON_BLOCK_ENCODER,
    LESSON_BLOCK_DECODER,
    LESSON_BLOCK_PROBABILITIES,
    LESSON_BLOCK_TRANSFORMER, /* all of it */
    LESSON_BLOCK_COUNT
} LessonBlock;

/* "self_attention"; "" for LESSON_BLOCK_NONE. */
const char *lesson_block_name(LessonBlock block);

/* The block of that name; LESSON_BLOCK_NONE: there is none. */
LessonBlock lesson_block_find(const char *name);

#endif
