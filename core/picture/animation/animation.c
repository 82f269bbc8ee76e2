#include "picture/animation/animation.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "picture/animation/animation_parts.h"
#include "picture/draw/canvas.h"
#include "tensor/tape/tape.h"

/* Plays tensors that the step shows, which were computed before. Bars become the next
 * one's bars one after the other. */
static void play_shown(const Still *still, const Stage *stage, const PaceMoment *moment) {
    const LessonStep *step = stage->step;
    TransitionPhase *phases =
        arena_alloc(stage->canvas->scene->arena, step->shown_count, sizeof *phases);
    double each = 1 / ((double)step->shown_count - 1);
    for (size_t i = 0; i < step->shown_count; i++) {
        phases[i] = (TransitionPhase){
            .node = step->shown[i],
            .transition = transition_of_shown(stage->player->lesson, step, i),
            .moment = *moment,
            .before = i ? step->shown[i - 1] : TAPE_NONE};
        if (phases[i].transition == TRANSITION_MORPH)
            phases[i].moment.time =
                motion_between(moment->time, each * ((double)i - 1), each * (double)i);
    }
    transitions_play(still, stage, phases, step->shown_count);
}

/* Plays the step's node, after the transposes that the step itself computes. */
static void play_node(const Still *still, const Stage *stage, const PaceMoment *moment) {
    size_t node = player_step(stage->player)->node;
    size_t turned = pace_transposed(stage->player);
    bool operation_first =
        moment->kind == PACE_STEP && turned != TAPE_NONE && still_table(still, turned);
    TransitionPhase phases[] = {
        {node, transition_of(stage->tape, node), *moment, false, TAPE_NONE},
        {turned, TRANSITION_TRANSPOSE, *moment, true, TAPE_NONE}};
    if (operation_first) {
        phases[0].moment.time = motion_between(moment->time, PACE_TRANSPOSE_TIME, 1);
        phases[1].moment.time = motion_between(moment->time, 0, PACE_TRANSPOSE_TIME);
        phases[1].moment.explanation = (TransitionExplanation){0};
    }
    phases[0].moment.explanation = transition_explanation(stage->tape, node);
    transitions_play(still, stage, phases, operation_first ? 2 : 1);
}

/* Plays a step of several operations: a generation's steps, or whatever is drawn of its
 * parts. */
static void play_parts(const Still *still, const Stage *stage, const PaceMoment *moment) {
    const Player *player = stage->player;
    size_t turn;
    const LessonGenerate *generate = lesson_generation_at(player, player->step, &turn);
    if (!generate || turn != PLAYER_NONE ||
        !generation_steps_play(still, generate, moment))
        step_timing_play(still, stage, moment);
}

void motion_play(const Stage *stage, const PaceMoment *moment, size_t first) {
    Still still;
    if (moment->kind == PACE_REST || moment->kind == PACE_CLOSE)
        return;
    still_init(&still, stage, first);
    if (moment->kind == PACE_STEP && player_step(stage->player)->child_count)
        play_parts(&still, stage, moment);
    else if (moment->kind == PACE_STEP && stage->step->shown_count)
        play_shown(&still, stage, moment);
    else
        play_node(&still, stage, moment);
}
