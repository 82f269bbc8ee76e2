/* Blocks of a transformer's map, by which a lesson or a step is located on it.
 *
 * A lesson without a model gives its block with `block: NAME`, for all its steps or from
 * one of them on; drawing them is up to core/picture. */
#pragma once

#include <stddef.h>

typedef enum LessonBlock {
    LESSON_BLOCK_NONE, /* not given */
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
    LESSON_BLOCK_TRANSFORMER, /* the whole model */
    LESSON_BLOCK_COUNT
} LessonBlock;

/* Returns "self_attention" …; "" for LESSON_BLOCK_NONE. */
const char *lesson_block_name(LessonBlock block);

/* Returns the block of that name, or LESSON_BLOCK_NONE. */
LessonBlock lesson_block_find(const char *name);
