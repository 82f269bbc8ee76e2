#include "actions/actions.h"

#include "picture/map/map.h"

#include <math.h>

static bool go_to(Session *session, size_t step) {
    player_jump(&session->player, step);
    lesson_leave_place(session);
    return true;
}

bool scrub_timeline(Session *session, const Scene *scene, double x) {
    Box bar;
    if (!scene_find(scene, (Link){LINK_TIMELINE, 0, 0, 0}, &bar))
        return false;
    size_t statement = timeline_statement_at(&session->player, bar, x);
    return statement != player_statement(&session->player) &&
           go_to(session, player_statement_step(&session->player, statement));
}

/* The middle of an epoch's strip. The bar at the top, which is drawn before it, links to
 * the present step, too. */
static bool find_strip(const Scene *scene, size_t step, double *middle) {
    for (size_t i = scene->count; i-- > 0;) {
        if (!link_equal(scene->items[i].link, (Link){LINK_STEP, step, 0, 0}))
            continue;
        Box box = scene->items[i].box;
        *middle = box.x + box.w / 2;
        return true;
    }
    return false;
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

bool scrub_training(Session *session, const Scene *scene, double x) {
    size_t step = epoch_at(session, scene, x);
    return step != PLAYER_NONE && step != session->player.step && go_to(session, step);
}
