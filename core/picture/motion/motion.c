#include "picture/motion/motion.h"

#include "picture/manners/manners.h"
#include "picture/motion/flow.h"
#include "picture/motion/turns.h"

static void play_node(const Still *still, const Stage *stage, const PaceMoment *moment,
                      size_t node, MannerKind manner) {
    const TapeNode *at = tape_node(stage->tape, node);
    bool focus = stage->has_focus && stage->focus_node == node;
    Moving moving = {.still = still,
                     .moment = moment,
                     .manner = manner,
                     .node = node,
                     .at = at,
                     .out = still_table(still, node),
                     .lesson = stage->player->lesson,
                     .cursor = stage->player->cell};
    if (focus)
        moving.slow = stage->focus_row * at->output.cols + stage->focus_col;
    if (!moving.out)
        return;
    moving.recipe = manner == MANNER_GATHER && recipe_is(&moving);
    manners_play(&moving);
}

/* A step of several operations: a generation's turns, or whatever is drawn of them. */
static void play_parts(const Still *still, const Stage *stage, const PaceMoment *moment) {
    const Player *player = stage->player;
    size_t turn;
    const LessonGenerate *generate = lesson_generation_at(player, player->step, &turn);
    if (!generate || turn != PLAYER_NONE || !turns_play(still, generate, moment))
        flow_play(still, player, moment);
}

void motion_play(const Stage *stage, const PaceMoment *moment, size_t first) {
    const PlayerStep *at = player_step(stage->player);
    const LessonStep *words = stage->step;
    Still still;
    if (moment->kind == PACE_REST || moment->kind == PACE_CLOSE)
        return;
    still_init(&still, stage, first);
    if (moment->kind != PACE_STEP || (!at->child_count && !words->shown_count))
        play_node(&still, stage, moment, at->node, manner_of(stage->tape, at->node));
    else if (at->child_count)
        play_parts(&still, stage, moment);
    else
        for (size_t i = 0; i < words->shown_count; i++)
            play_node(&still, stage, moment, words->shown[i],
                      manner_of_shown(stage->player->lesson, words->shown[i]));
}
