#include "session/session_actions.h"

#include <math.h>

/* Going through a training by its curves, which are linked to its epochs' steps. */

/* Whether a step is an epoch of a training. */
static bool is_epoch(const Session *session, size_t step) {
    const PlayerStep *at = &session->player.steps[step];
    return at->frame != PLAYER_NONE && at->depth == 2;
}

/* The middle of an epoch's strip. */
static bool find_strip(const Scene *scene, size_t step, double *middle) {
    Box box;
    if (!scene_find(scene, (Link){LINK_STEP, step, 0, 0}, &box))
        return false;
    *middle = box.x + box.w / 2;
    return true;
}

/* The epoch whose place on the curves is nearest to x, or PLAYER_NONE. The first and the
 * last always have a strip. */
static size_t epoch_at(const Session *session, const Scene *scene, double x) {
    const Player *player = &session->player;
    size_t self = player_statement_step(player, player_statement(player));
    size_t count = player->steps[self].child_count, step = self + 1, last = step;
    double left, right;
    for (size_t i = step; i < player->steps[self].next; i = player->steps[i].next)
        last = i;
    if (count < 2 || !find_strip(scene, step, &left) ||
        !find_strip(scene, last, &right) || !(right > left))
        return PLAYER_NONE;
    double share = fmin(fmax((x - left) / (right - left), 0), 1);
    for (size_t i = (size_t)round(share * (double)(count - 1)); i > 0; i--)
        step = player->steps[step].next;
    return step;
}

bool begin_training_scrub(Session *session, size_t step) {
    session->scrubbing_training =
        session->view == SESSION_LESSON && is_epoch(session, step);
    return session->scrubbing_training;
}

bool scrub_training(Session *session, const Scene *scene, double x) {
    size_t step = epoch_at(session, scene, x);
    if (step == PLAYER_NONE || step == session->player.step)
        return false;
    player_jump(&session->player, step);
    session->has_pin = false;
    return true;
}
