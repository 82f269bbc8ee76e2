#include "actions/actions.h"

/* Moving within a lesson, from one to the next, and out of it. */

/* True if something is laid over the presented page; every move removes it. */
static bool is_covered(const Session *session) {
    return session_presents(session) && present_state(session)->screen != PRESENT_PAGE;
}

static bool move(Session *session, PlayerMove how) {
    bool covered = is_covered(session);
    present_state(session)->screen = PRESENT_PAGE;
    lesson_leave_place(session);
    return player_move(&session->player, how) || covered;
}

static bool can_move(const Session *session, PlayerMove how) {
    Player player = session->player;
    return player_move(&player, how) || is_covered(session);
}

/* Goes to the next lesson that has something at the present depth, or to the one before
 * (`last`: at its end). False when there is none. */
static bool cross(Session *session, bool last) {
    size_t count = session->course->count;
    Arrival arrival = {.cell = PLAYER_NONE,
                       .statement = PLAYER_NONE,
                       .depth = session->player.depth,
                       .cells = session->player.cell != PLAYER_NONE,
                       .last = last};
    for (size_t at = session->number; last ? at > 1 : at && at < count;) {
        at += last ? (size_t)-1 : 1;
        CourseLesson *entry = &session->course->lessons[at - 1];
        bool was_there = entry->lesson || entry->own;
        ErrorList errors = {0};
        if (opening_begin(session, entry, arrival, NULL, &errors))
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
    autoplay_begin_motion(session, &before);
    return true;
}

/* Whatever still moves is left behind: each press of a key, or of a clicker, is a step.
 */
bool lesson_step_within(Session *session) {
    return questions_show_answer(session) || move_on(session, PLAYER_RIGHT);
}

bool lesson_step_on(Session *session) {
    if (lesson_step_within(session) || cross(session, false))
        return true;
    session_show_message(
        session, session->number ? "page.course_ends" : "page.lesson_ends", NULL, NULL);
    return true;
}

static const char *nothing_next(const Session *session) {
    if (questions_wait(session))
        return NULL; /* its answer is next */
    if (session->number && session->number < session->course->count)
        return NULL;
    return can_move(session, PLAYER_RIGHT) ? NULL
           : session->number               ? "page.course_ends"
                                           : "page.lesson_ends";
}

bool lesson_step_back(Session *session) {
    return move(session, PLAYER_LEFT) || cross(session, true);
}

static const char *nothing_before(const Session *session) {
    return session->number > 1 || can_move(session, PLAYER_LEFT) ? NULL
                                                                 : "action.why.at_first";
}

static bool open_step(Session *session) {
    return move_on(session, PLAYER_DOWN);
}

static const char *opens_no_further(const Session *session) {
    return can_move(session, PLAYER_DOWN) ? NULL : "action.why.opens_no_further";
}

static bool close_step(Session *session) {
    return move_on(session, PLAYER_UP);
}

static const char *is_closed(const Session *session) {
    return can_move(session, PLAYER_UP) ? NULL : "action.why.is_closed";
}

static bool go_first(Session *session) {
    return move(session, PLAYER_FIRST);
}

static const char *is_first(const Session *session) {
    return can_move(session, PLAYER_FIRST) ? NULL : "action.why.at_first";
}

static bool go_last(Session *session) {
    return move(session, PLAYER_LAST);
}

static const char *is_last(const Session *session) {
    return can_move(session, PLAYER_LAST) ? NULL : "action.why.at_last";
}

static const Action steps[] = {
    {"next_step",
     {"Right", "Space", "PageDown"},
     "→   Space",
     lesson_step_on,
     nothing_next,
     ACTION_FIRST | ACTION_TOOL(TOOL_NEXT)},
    {"step_back",
     {"Left", "PageUp"},
     "←   Page Up",
     lesson_step_back,
     nothing_before,
     ACTION_QUIET | ACTION_TOOL(TOOL_BACK)},
    {"open_step",
     {"Down"},
     "↓",
     open_step,
     opens_no_further,
     ACTION_FIRST | ACTION_ON_STEP | ACTION_TOOL(TOOL_OPEN)},
    {"close_step",
     {"Up"},
     "↑",
     close_step,
     is_closed,
     ACTION_QUIET | ACTION_TOOL(TOOL_CLOSE)},
    {"first_step", {"Home"}, "Home", go_first, is_first, ACTION_QUIET},
    {"last_step", {"End"}, "End", go_last, is_last, ACTION_QUIET},
};

const ActionGroup actions_steps = ACTION_GROUP(&mode_lesson, steps);

/* ---- from lesson to lesson ---- */

static bool go_on(Session *session) {
    return opening_at(session, session->number, "");
}

static const char *is_last_lesson(const Session *session) {
    bool is = session->number && session->number < session->course->count;
    return is ? NULL : "action.why.last_lesson";
}

static bool go_back(Session *session) {
    return opening_at(session, session->number - 2, "");
}

static const char *is_first_lesson(const Session *session) {
    return session->number > 1 ? NULL : "action.why.first_lesson";
}

/* ---- from chapter to chapter ---- */

/* The statement that begins the next chapter, or the present one or that before; the
 * count of statements where there is none. */
static size_t chapter_at(const Session *session, bool next) {
    const Player *player = &session->player;
    size_t count = player_statement_count(player), at = player_statement(player);
    for (size_t i = next ? at + 1 : at - 1; i < count; i += next ? 1 : (size_t)-1) {
        if (i == 0 || !text_is_empty(&session->lesson->steps[i].chapter))
            return i;
    }
    return count;
}

static bool go_to_chapter(Session *session, bool next) {
    size_t statement = chapter_at(session, next);
    lesson_leave_place(session);
    player_jump(&session->player, player_statement_step(&session->player, statement));
    return true;
}

static bool next_chapter(Session *session) {
    return go_to_chapter(session, true);
}

static bool previous_chapter(Session *session) {
    return go_to_chapter(session, false);
}

static const char *is_last_chapter(const Session *session) {
    bool is = chapter_at(session, true) == player_statement_count(&session->player);
    return is ? "action.why.last_chapter" : NULL;
}

static const char *is_first_chapter(const Session *session) {
    return player_statement(&session->player) ? NULL : "action.why.at_first";
}

static const Action lessons[] = {
    {"next_chapter",
     {"Ctrl+PageDown"},
     "Ctrl+Page Down",
     next_chapter,
     is_last_chapter,
     ACTION_QUIET},
    {"previous_chapter",
     {"Ctrl+PageUp"},
     NULL,
     previous_chapter,
     is_first_chapter,
     ACTION_QUIET},
    {"next_lesson", {"Ctrl+Right"}, "Ctrl+→", go_on, is_last_lesson, ACTION_QUIET},
    {"previous_lesson", {"Ctrl+Left"}, "Ctrl+←", go_back, is_first_lesson, ACTION_QUIET},
};

const ActionGroup actions_lessons = ACTION_GROUP(&mode_lesson, lessons);

/* ---- out of it ---- */

static bool show_home(Session *session) {
    home_enter(session);
    return true;
}

/* Out of an opened step, then, asked for twice, out of the lesson. */
static bool leave(Session *session) {
    return move_on(session, PLAYER_UP) ||
           !session_leaves(session, "Escape", "page.leave") || show_home(session);
}

static const Action leaving[] = {
    {"home", {"O"}, "O", show_home, NULL, 0},
    {"leave", {"Escape"}, "Esc", leave, NULL, ACTION_FIRST},
};

const ActionGroup actions_leave = ACTION_GROUP(&mode_lesson, leaving);
