#include "drive/drive.h"

#include "modes/modes.h"
#include "session/state.h"

#include <math.h>

static const double HELD_AFTER = 500;                   /* milliseconds */
static const double PINCH = 0.1;                        /* of the window */
static const double STILL = 14, STROKE = 70, ROLL = 60; /* points */

static bool scrubs(const Session *session) {
    return session->scrubbing || session->scrubbing_training;
}

/* True if a finger at a point begins to drag along the timeline or a training's curves.
 */
static bool begins_drag(const Session *session, const Scene *scene, Point at, Link link) {
    Box bar;
    if (!mode_reached(session, &mode_lesson))
        return false;
    return (scene_find(scene, (Link){LINK_TIMELINE, 0, 0, 0}, &bar) &&
            box_contains(bar, at.x, at.y)) ||
           (link.kind == LINK_STEP && scrub_is_epoch(session, link.index));
}

bool session_touch_down(Session *session, const Scene *scene, double x, double y) {
    bool now = session->drawn == session->shown;
    Link link = now ? scene_hit(scene, x, y) : (Link){0};
    Point at = {x, y};
    bool drags = now && begins_drag(session, scene, at, link);
    session->touch =
        (SessionTouch){.down = true, .done = drags, .from = at, .last = at, .link = link};
    if (!drags)
        return false;
    bool changed = session_pointer_press(session, scene, x, y);
    session->scrubbing = !session->scrubbing_training;
    return changed;
}

bool session_touch_move(Session *session, const Scene *scene, double x, double y) {
    SessionTouch *touch = &session->touch;
    if (!touch->down)
        return false;
    if (scrubs(session))
        return session_pointer_move(session, scene, x, y);
    if (point_distance(touch->from, (Point){x, y}) > STILL)
        touch->held = -INFINITY;
    double rolled = y - touch->last.y;
    if (touch->done || fabs(rolled) < ROLL ||
        fabs(x - touch->from.x) > fabs(y - touch->from.y))
        return false;
    touch->last.y = y;
    return session_roll(session, rolled > 0 ? 1 : -1);
}

static bool do_named(Session *session, const char *name) {
    bool changed = action_do(session, action_number(name));
    questions_look(session);
    return changed;
}

bool session_touch_up(Session *session, const Scene *scene, double x, double y) {
    SessionTouch touch = session->touch;
    double right = x - touch.from.x, down = y - touch.from.y;
    session_touch_cancel(session);
    if (!touch.down || touch.done)
        return scrubs(session) ? session_pointer_release(session) : false;
    if (point_distance(touch.from, (Point){x, y}) <= STILL) {
        bool changed = session_pointer_press(session, scene, touch.from.x, touch.from.y);
        return session_pointer_release(session) || changed;
    }
    if (fabs(right) < STROKE || fabs(right) < 2 * fabs(down) ||
        !mode_reached(session, &mode_lesson))
        return false;
    return do_named(session, right < 0 ? "next_step" : "step_back");
}

bool session_touch_pinch(Session *session, double spread) {
    SessionTouch *touch = &session->touch;
    touch->spread += spread;
    if (fabs(touch->spread) < PINCH)
        return false;
    bool larger = touch->spread > 0;
    touch->spread = 0;
    return do_named(session, larger ? "larger_type" : "smaller_type");
}

bool session_touch_cancel(Session *session) {
    session->touch = (SessionTouch){0};
    return false;
}

double touch_until_held(const Session *session) {
    const SessionTouch *touch = &session->touch;
    return touch->down && !touch->done && touch->held >= 0 ? HELD_AFTER - touch->held
                                                           : INFINITY;
}

/* Held still for long enough it opens the menu, as far as the scene is still there. */
bool touch_tick(Session *session, double milliseconds) {
    SessionTouch *touch = &session->touch;
    bool opens = touch_until_held(session) <= milliseconds;
    if (touch->down)
        touch->held += milliseconds;
    if (!opens)
        return false;
    touch->done = true;
    return menu_open(session, touch->link, touch->from);
}
