#include "picture/motion/motion.h"

#include "picture/motion/flow.h"
#include "picture/motion/manners.h"
#include "picture/motion/turns.h"

void motion_play(const Stage *stage, const PaceMoment *moment, size_t first) {
    const Player *player = stage->player;
    const Tape *tape = stage->tape;
    const PlayerStep *at = player_step(player);
    bool focus = stage->has_focus && stage->focus_node == at->node;
    size_t cols = tape_node(tape, at->node)->output.cols;
    if (moment->kind == PACE_REST || moment->kind == PACE_CLOSE)
        return;
    bool shows = stage->step->shown_count && player->cell == PLAYER_NONE;
    Still still;
    still_init(&still, stage, first);
    size_t turn;
    const LessonGenerate *generate = lesson_generation_at(player, player->step, &turn);
    if (at->child_count && moment->kind == PACE_STEP) {
        if (!generate || turn != PLAYER_NONE || !turns_play(&still, generate, moment))
            flow_play(&still, player, moment);
        return;
    }
    Moving moving = {.still = &still,
                     .moment = moment,
                     .manner = shows ? MANNER_APPEAR : manner_of(tape, at->node),
                     .node = at->node,
                     .at = tape_node(tape, at->node),
                     .out = still_table(&still, at->node),
                     .cursor = player->cell,
                     .slow = focus ? stage->focus_row * cols + stage->focus_col : 0};
    if (moving.out)
        manners_play(&moving);
}
