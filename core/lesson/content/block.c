#include "lesson/content/block.h"

#include <string.h>

static const char *const names[LESSON_BLOCK_COUNT] = {
    [LESSON_BLOCK_NONE] = "",
    [LESSON_BLOCK_IDS] = "ids",
    [LESSON_BLOCK_SHIFTED] = "shifted",
    [LESSON_BLOCK_INPUT] = "input",
    [LESSON_BLOCK_SELF_ATTENTION] = "self_attention",
    [LESSON_BLOCK_MASKED_ATTENTION] = "masked_attention",
    [LESSON_BLOCK_CROSS_ATTENTION] = "cross_attention",
    [LESSON_BLOCK_ADD_AND_NORM] = "add_and_norm",
    [LESSON_BLOCK_FEED_FORWARD] = "feed_forward",
    [LESSON_BLOCK_ENCODER] = "encoder",
    [LESSON_BLOCK_DECODER] = "decoder",
    [LESSON_BLOCK_PROBABILITIES] = "probabilities",
    [LESSON_BLOCK_TRANSFORMER] = "transformer",
};

const char *lesson_block_name(LessonBlock block) {
    return names[block];
}

LessonBlock lesson_block_find(const char *name) {
    for (size_t i = LESSON_BLOCK_NONE + 1; i < LESSON_BLOCK_COUNT; i++) {
        if (strcmp(names[i], name) == 0)
            return (LessonBlock)i;
    }
    return LESSON_BLOCK_NONE;
}
