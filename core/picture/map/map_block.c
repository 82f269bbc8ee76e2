#include "picture/map/map_parts.h"

#include "lesson/content/block.h"
#include "lesson/content/content.h"
#include "picture/draw/roles.h"
#include "tensor/tape/tape.h"

#include <string.h>

LessonBlock map_own_block(const Player *player, const PlayerStep *step) {
    const Tape *tape = player->lesson->tape;
    LessonBlock block = lesson_block_find(step->topic);
    if (block == LESSON_BLOCK_SELF_ATTENTION &&
        strstr(tape_node(tape, step->node)->name, "decoder."))
        return LESSON_BLOCK_MASKED_ATTENTION;
    if (block != LESSON_BLOCK_NONE)
        return block;
    return role_adds_or_norms(tape, step->node) ? LESSON_BLOCK_ADD_AND_NORM
                                                : LESSON_BLOCK_NONE;
}

/* Block of a step within a composite: its own, or the composite's. */
static LessonBlock block_of_topic(const Player *player, size_t step) {
    const PlayerStep *at = &player->steps[step];
    LessonBlock block = LESSON_BLOCK_NONE;
    for (; !block && at->parent != PLAYER_NONE; at = &player->steps[at->parent])
        block = map_own_block(player, at);
    return block;
}

LessonBlock map_stated_block(const Lesson *lesson, size_t statement) {
    for (size_t i = statement + 1; i > 0; i--) {
        if (lesson->steps[i - 1].block)
            return lesson->steps[i - 1].block;
    }
    return lesson->block;
}

LessonBlock map_block(const Player *player) {
    LessonBlock block = block_of_topic(player, player->step);
    return block ? block : map_stated_block(player->lesson, player_statement(player));
}
