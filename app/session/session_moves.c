#include "session/session_actions.h"

/* ---- within a lesson, and from one to the next ---- */

static bool move(Session *session, PlayerMove how) {
    session->has_pin = false;
    return player_move(&session->player, how);
}

/* Goes to the next lesson that has something at the present depth, or to the one before
 * (`last`: at its end). False when there is none. */
static bool cross(Session *session, bool last) {
    size_t count = session->course->count;
    SessionArrival arrival = {.statement = PLAYER_NONE,
                              .depth = session->player.depth,
                              .cells = session->player.cell != PLAYER_NONE,
                              .last = last};
    for (size_t at = session->number; last ? at > 1 : at && at < count;) {
        at += last ? (size_t)-1 : 1;
        CourseLesson *entry = &session->course->lessons[at - 1];
        bool was_there = entry->lesson || entry->own;
        ErrorList errors = {0};
        if (open_entry(session, entry, arrival, NULL, &errors))
            return true;
        if (!was_there && !entry->lesson)
            return true; /* it has errors, which the message says */
    }
    return false;
}

/* Moves on, and shows how what is new there comes to be. */
static bool move_on(Session *session, PlayerMove how) {
    Player before = session->player;
    if (!move(session, how))
        return false;
    begin_motion(session, &before);
    return true;
}

bool go_right(Session *session) {
    if (skip_motion(session) || move_on(session, PLAYER_RIGHT) || cross(session, false))
        return true;
    session_say(session, session->number ? "page.course_ends" : "page.lesson_ends", NULL,
                NULL);
    return true;
}

bool go_left(Session *session) {
    return move(session, PLAYER_LEFT) || cross(session, true);
}

bool go_down(Session *session) {
    return move_on(session, PLAYER_DOWN);
}

bool go_up(Session *session) {
    return move(session, PLAYER_UP);
}

bool go_first(Session *session) {
    return move(session, PLAYER_FIRST);
}

bool go_last(Session *session) {
    return move(session, PLAYER_LAST);
}

bool next_lesson(Session *session) {
    return session->number && session_open_number(session, session->number);
}

bool previous_lesson(Session *session) {
    return session->number > 1 && session_open_number(session, session->number - 2);
}

bool show_overview(Session *session) {
    session->view = SESSION_OVERVIEW;
    session->switching = false;
    session->has_pin = session->has_hover = session->choosing = false;
    session->chosen = session->number ? session->number - 1 : 0;
    return true;
}

/* Out of whatever one is in: a pinned cell, an opened step, the lesson. */
bool let_go(Session *session) {
    if (session->has_pin) {
        session->has_pin = false;
        return true;
    }
    if (leave_influence(session) || drop_way(session))
        return true;
    bool within = session->player.cell != PLAYER_NONE ||
                  player_step(&session->player)->parent != PLAYER_NONE;
    return within ? go_up(session) : show_overview(session);
}

/* ---- in the overview ---- */

bool choose(Session *session, size_t index) {
    if (index >= session->course->count || index == session->chosen)
        return false;
    session->chosen = index;
    return true;
}

bool choose_next(Session *session) {
    session->choosing = true;
    return choose(session, session->chosen + 1);
}

bool choose_previous(Session *session) {
    session->choosing = true;
    return session->chosen && choose(session, session->chosen - 1);
}

bool choose_first(Session *session) {
    session->choosing = true;
    return choose(session, 0);
}

bool choose_last(Session *session) {
    session->choosing = true;
    return session->course->count && choose(session, session->course->count - 1);
}

Overview overview_of(Session *session) {
    Course *course = session->course;
    for (size_t i = 0; i < session->item_count; i++) {
        ErrorList errors = {0};
        session->items[i] = (OverviewItem){.lesson = course_lesson(course, i, &errors),
                                           .id = course->lessons[i].id};
        mark_practised(session, &session->items[i]);
    }
    return (Overview){.count = session->item_count,
                      .items = session->items,
                      .chosen = session->chosen,
                      .theme = session->theme,
                      .language = session->language,
                      .width = session->width,
                      .height = session->height};
}

static bool choose_by_row(Session *session, int rows) {
    session->choosing = true;
    Overview overview = overview_of(session);
    return choose(session, overview_step(&overview, rows));
}

bool choose_below(Session *session) {
    return choose_by_row(session, 1);
}

bool choose_above(Session *session) {
    return choose_by_row(session, -1);
}

bool open_chosen(Session *session) {
    return session_open_number(session, session->chosen) || session->message[0];
}

/* Who only ever presses Right comes into the lesson; who is choosing goes on choosing. */
bool begin_or_choose_next(Session *session) {
    return session->choosing ? choose_next(session) : open_chosen(session);
}
