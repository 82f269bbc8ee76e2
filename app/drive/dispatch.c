#include "actions/actions.h"
#include "base/strings/utf8.h"
#include "drive/drive.h"
#include "modes/modes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Keys, text and the pointer go down the stack of modes until one takes them. */

/* ---- keys ---- */

static bool write_key(Session *session, const Mode *mode, const char *key) {
    bool changed = field_key(&session->field, key);
    if (changed && mode->typed)
        mode->typed(session);
    return changed;
}

/* Goes down the stack until a mode takes it: text is written, an action has the key, or
 * the mode does something with keys of its own accord. Behind a closed mode there is
 * still what can be done anywhere, but for letters while they are written. */
static ModeAnswer give_key(Session *session, const char *key) {
    const Mode *writing = mode_writing(session);
    bool helps = !writing || (writing->helps && strcmp(key, "?") == 0);
    for (size_t i = session->mode_count; i > 0; i--) {
        const Mode *mode = session->modes[i - 1];
        bool edits = mode_writes(session, mode) && field_key_exists(key);
        ModeAnswer first = edits && mode->key ? mode->key(session, key) : MODE_PASSES;
        if (first != MODE_PASSES)
            return first;
        if (edits)
            return write_key(session, mode, key) ? MODE_CHANGES : MODE_TAKES;
        bool rests = mode->rests && mode->rests(session);
        size_t number = rests ? action_count() : action_of_key(mode, key);
        if (number < action_count())
            return action_do(session, number) ? MODE_CHANGES : MODE_TAKES;
        ModeAnswer answer = mode->list ? list_key(session, mode->list, key) : MODE_PASSES;
        if (answer == MODE_PASSES && mode->key)
            answer = mode->key(session, key);
        if (answer != MODE_PASSES)
            return answer;
        if (mode->closed)
            break;
    }
    size_t anywhere = action_of_key(NULL, key);
    if (anywhere == action_count() || (strlen(key) == 1 && !helps))
        return MODE_PASSES;
    return action_do(session, anywhere) ? MODE_CHANGES : MODE_TAKES;
}

/* A pointer that lies still says nothing about what a key brings. Any key ends a motion
 * that it doesn't begin. */
bool session_key(Session *session, const char *name) {
    const char *key = action_plain_key(name);
    bool opening = session_is_opening(session);
    bool had_message = !opening && session->message[0];
    bool hovered = session->has_hover && action_key_exists(key);
    if (!opening) {
        session->message[0] = 0;
        had_message |= reload_dismiss(session);
    }
    if (session->leaving && strcasecmp(key, session->leaving) != 0)
        session->leaving = NULL;
    session->offers_text &= strcasecmp(key, "E") == 0;
    session->presses = false;
    session->clicked = (Link){0};
    size_t motions = session->play.motions;
    questions_look(session);
    bool changed =
        present_takes_key(session, key) || give_key(session, key) == MODE_CHANGES;
    session->term = (Link){0};
    questions_look(session);
    if (session->play.motions == motions) /* what was moving, is there */
        changed |= autoplay_skip_motion(session);
    if (hovered)
        session->has_hover = false;
    return changed || had_message || hovered;
}

bool session_compose(Session *session, const char *text) {
    size_t length = mode_writing(session) ? strlen(text) : 0;
    size_t most = sizeof session->composed - 1;
    size_t good = utf8_check(text, length < most ? length : most);
    bool changed =
        strlen(session->composed) != good || memcmp(session->composed, text, good) != 0;
    memcpy(session->composed, text, good);
    session->composed[good] = 0;
    return changed;
}

bool session_type(Session *session, const char *text) {
    const Mode *writing = mode_writing(session);
    session->composed[0] = 0;
    if (writing && writing->helps && strcmp(text, "?") == 0)
        return session_key(session, text);
    if (!(writing || questions_take_text(session)) ||
        !field_insert(&session->field, text))
        return false;
    session->message[0] = 0;
    if (writing && writing->typed)
        writing->typed(session);
    return true;
}

/* ---- the pointer ---- */

/* Distance in points within which two clicks are at the same place. */
static const double SAME_PLACE = 6;

/* Events may come faster than frames: a scene of what has been left is not pointed at. */
static bool is_of_now(const Session *session) {
    return session->drawn == session->shown;
}

bool session_pointer_move(Session *session, const Scene *scene, double x, double y) {
    if (!is_of_now(session))
        return false;
    Link link = scene_hit(scene, x, y);
    bool changed = bar_point_at(session, link);
    session->term = link.kind == LINK_TERM ? link : (Link){0};
    for (size_t i = session->mode_count; i > 0; i--) {
        const Mode *mode = session->modes[i - 1];
        if (mode->list && mode->list->link)
            return list_point(session, mode->list, link) == MODE_CHANGES || changed;
        if (mode->move)
            return mode->move(session, scene, x, y) || changed;
        if (mode->closed)
            break;
    }
    return changed;
}

/* A command is done wherever its mode can be reached; one that can't be says why. */
static bool press_command(Session *session, Link link) {
    if (link.kind != LINK_COMMAND || link.row || link.index >= action_count())
        return false;
    const char *why = action_why_not(session, link.index);
    if (!why)
        return action_do(session, link.index);
    snprintf(session->message, sizeof session->message, "%s", why);
    return true;
}

/* Reports whether a link is a step's dot on the timeline, which is dragged like the bar.
 */
static bool is_dot(const Scene *scene, Link link, double x, double y) {
    Box bar;
    return link.kind == LINK_STEP &&
           scene_find(scene, (Link){LINK_TIMELINE, 0, 0, 0}, &bar) &&
           box_contains(bar, x, y);
}

static bool is_cell(Link link) {
    return link.kind == LINK_CELL || link.kind == LINK_SOURCE;
}

/* Keeps the cell that was pressed for a second click there: the page may move it away. */
static void keep_clicked(Session *session, Link link, double x, double y) {
    session->clicked = is_cell(link) ? link : (Link){0};
    session->clicked_at = (Point){x, y};
    session->clicked_in = session->shown;
}

bool session_pointer_press(Session *session, const Scene *scene, double x, double y) {
    if (!is_of_now(session))
        return false;
    questions_look(session);
    session->leaving = NULL;
    session->clicked = (Link){0};
    Link link = scene_hit(scene, x, y);
    bool closed = false, changed = session->message[0] != 0;
    changed |= reload_dismiss(session);
    bar_drop_tip(session);
    if (!session_is_opening(session) && !mode_on(session, &mode_prompt))
        session->message[0] = 0;
    /* Ends the animation before the click acts, because the click may be on something
     * that is still moving. */
    bool skips = autoplay_skip_motion(session);
    bool anywhere = mode_on(session, &mode_tour); /* where a click goes on */
    if (skips && link.kind == LINK_NONE && !mode_overlaid(session) && !anywhere) {
        session->presses = true;
        session->press = (Point){x, y};
        return true;
    }
    changed |= skips;
    for (size_t i = session->mode_count; i > 0 && !closed; i--) {
        const Mode *mode = session->modes[i - 1];
        ModeAnswer answer =
            mode->list ? list_press(session, mode->list, link) : MODE_PASSES;
        if (answer == MODE_PASSES && mode->press)
            answer = mode->press(session, link);
        if (answer != MODE_PASSES && mode == &mode_lesson)
            keep_clicked(session, link, x, y);
        if (answer != MODE_PASSES && mode == &mode_lesson && is_dot(scene, link, x, y))
            session->scrubbing = !session->scrubbing_training;
        if (session->scrubbing) /* begun here: it goes there at once */
            return session_pointer_move(session, scene, x, y) || answer == MODE_CHANGES ||
                   changed;
        if (answer != MODE_PASSES)
            return answer == MODE_CHANGES || changed;
        closed = mode->closed;
    }
    return press_command(session, link) || changed;
}

bool session_pointer_release(Session *session) {
    bool was = session->scrubbing || session->scrubbing_training;
    session->scrubbing = session->scrubbing_training = false;
    return was;
}

/* Reports whether a cell was pressed last, at this point. */
static bool was_clicked(const Session *session, double x, double y) {
    return is_cell(session->clicked) && session->clicked_in == session->shown &&
           fabs(x - session->clicked_at.x) <= SAME_PLACE &&
           fabs(y - session->clicked_at.y) <= SAME_PLACE;
}

/* The cell that was clicked at a point where cells can be changed, else the one that is
 * there now. */
static bool find_changeable(const Session *session, const Scene *scene, double x,
                            double y, Link *link) {
    if (!mode_on(session, &mode_lesson) || mode_overlaid(session) ||
        session_is_opening(session) || !is_of_now(session))
        return false;
    *link = was_clicked(session, x, y) ? session->clicked : scene_hit(scene, x, y);
    return is_cell(*link);
}

bool session_pointer_double(Session *session, const Scene *scene, double x, double y) {
    Link link;
    if (!find_changeable(session, scene, x, y, &link))
        return false;
    session->message[0] = 0; /* of the first click: in the field it would be a problem */
    return edit_cell_of(session, link);
}

bool session_pointer_menu(Session *session, const Scene *scene, double x, double y) {
    if (!is_of_now(session))
        return false;
    session->message[0] = 0;
    bar_drop_tip(session);
    bool opened = menu_open(session, scene_hit(scene, x, y), (Point){x, y});
    questions_look(session);
    return opened;
}

SessionPointer session_pointer_shape(const Session *session, const Scene *scene, double x,
                                     double y) {
    Link link = is_of_now(session) ? scene_hit(scene, x, y) : (Link){0};
    bool ground = link.kind == LINK_COMMAND && !link.row && link.col;
    return link.kind == LINK_FIELD            ? SESSION_TEXT
           : link.kind == LINK_NONE || ground ? SESSION_ARROW
                                              : SESSION_HAND;
}

bool session_roll(Session *session, int steps) {
    const Mode *top = session->modes[session->mode_count - 1];
    bool is_home = top == &mode_home && !home_state(session)->door.kind;
    if (is_home)
        return home_roll(session, steps);
    return steps && top->rolls && session_key(session, steps > 0 ? "Up" : "Down");
}

bool session_pointer_wheel(Session *session, const Scene *scene, double x, double y,
                           int steps) {
    if (session_roll(session, steps))
        return true;
    return steps && is_of_now(session) &&
           edit_turn(session, scene_hit(scene, x, y), steps);
}
