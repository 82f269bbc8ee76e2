#include "picture/map/timeline.h"
#include "session/session_actions.h"

static bool set_hover(Session *session, bool has, Link link) {
    bool changed =
        has != session->has_hover || (has && !link_equal(link, session->hover));
    session->has_hover = has;
    session->hover = link;
    return changed;
}

static bool scrub(Session *session, const Scene *scene, double x) {
    Box bar;
    if (!scene_find(scene, (Link){LINK_TIMELINE, 0, 0, 0}, &bar))
        return false;
    size_t statement = timeline_statement_at(&session->player, bar, x);
    if (statement == player_statement(&session->player))
        return false;
    player_jump(&session->player, player_statement_step(&session->player, statement));
    session->has_pin = false;
    return true;
}

/* Whether a card is whole in view: choosing one that is not would move the page away from
 * under the pointer. */
static bool is_whole(const Scene *scene, Link link) {
    Box box;
    return scene_find(scene, link, &box) && box.y >= 0 && box.y + box.h <= scene->height;
}

bool session_pointer_move(Session *session, const Scene *scene, double x, double y) {
    if (session->help || session->prompt || is_practising(session))
        return false;
    if (session->scrubbing)
        return scrub(session, scene, x);
    if (session->scrubbing_training)
        return scrub_training(session, scene, x);
    Link link = scene_hit(scene, x, y);
    if (session->view == SESSION_OVERVIEW)
        return link.kind == LINK_LESSON && is_whole(scene, link) &&
               choose(session, link.index);
    return set_hover(session, link.kind == LINK_CELL, link);
}

/* While practising, buttons and the asked row's cells answer, and all else is still. */
static bool press_in_practise(Session *session, Link link) {
    if (link.kind == LINK_CELL)
        return choose_in_practise(session, link);
    if (link.kind != LINK_COMMAND)
        return false;
    if (link.index == key_index("P") && link.row)
        return press_practise(session, link);
    return link.index == key_index("?") && press_entry(session, link.index);
}

bool session_pointer_press(Session *session, const Scene *scene, double x, double y) {
    if (session_is_opening(session) || session->prompt)
        return false;
    session->message[0] = 0;
    if (session->help) {
        session->help = false;
        return true;
    }
    Link link = scene_hit(scene, x, y);
    if (is_practising(session))
        return press_in_practise(session, link);
    if (link.kind != LINK_COMMAND)
        stop_playing(session);
    switch (link.kind) {
    case LINK_LESSON:
        return session_open_number(session, link.index) || session->message[0];
    case LINK_COMMAND:
        return link.row ? press_switch(session, link) : press_entry(session, link.index);
    case LINK_WORDS:
        return turn_words_to(session, link.index);
    case LINK_STEP:
        player_jump(&session->player, link.index);
        begin_training_scrub(session, link.index);
        session->has_pin = false;
        return true;
    case LINK_TIMELINE:
        session->scrubbing = true;
        return scrub(session, scene, x);
    case LINK_SOURCE:
        return follow_to(session, (FollowCell){link.index, link.row, link.col});
    case LINK_TRAIL:
        return return_along(session, link.index);
    case LINK_CELL:
        session->has_pin = !session->has_pin || !link_equal(link, session->pin);
        session->pin = link;
        session_say(session, session->has_pin ? "pin.pinned" : "pin.let_go", NULL, NULL);
        return true;
    default:
        session->has_pin = false;
        return true;
    }
}

/* The cell under a point where cells can be changed. */
static bool find_changeable(const Session *session, const Scene *scene, double x,
                            double y, Link *link) {
    if (session->view != SESSION_LESSON || session->help || session->prompt ||
        session->switching || session_is_opening(session) || is_practising(session))
        return false;
    *link = scene_hit(scene, x, y);
    return link->kind == LINK_CELL || link->kind == LINK_SOURCE;
}

bool session_pointer_double(Session *session, const Scene *scene, double x, double y) {
    Link link;
    if (!find_changeable(session, scene, x, y, &link))
        return false;
    session->message[0] = 0; /* of the first click: in the field it would be a problem */
    return edit_link(session, link);
}

bool session_pointer_wheel(Session *session, const Scene *scene, double x, double y,
                           int steps) {
    Link link;
    if (!steps || !find_changeable(session, scene, x, y, &link))
        return false;
    session->message[0] = 0;
    return nudge_link(session, link, steps);
}

bool session_pointer_release(Session *session) {
    bool was = session->scrubbing || session->scrubbing_training;
    session->scrubbing = session->scrubbing_training = false;
    return was;
}
