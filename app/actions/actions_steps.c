#include "actions/actions.h"

/* Moving within a lesson, from one to the next, and out of it. */

/* True if something is laid over the presented page; every move removes it. */
static bool is_covered(const Session *session) {
    return session_presents(session) && present_state(session)->screen != PRESENT_PAGE;
}

static bool move(Session *session, int how) {
    bool covered = is_covered(session);
    present_state(session)->screen = PRESENT_PAGE;
    if (!player_move(&session->player, (PlayerMove)how))
        return covered;
    lesson_leave_place(session);
    return true;
}

static bool can_move(const Session *session, int how) {
    Player player = session->player;
    return player_move(&player, (PlayerMove)how) || is_covered(session);
}

/* The lesson after the present one, or before it; the course's count for none. */
static size_t lesson_beside(const Session *session, int by) {
    Course *course = session->course;
    return !session->number ? course->count
           : by > 0         ? course_after(course, session->number - 1)
                            : course_before(course, session->number - 1);
}

/* Goes to the next lesson that has something at the present depth, or to the one before
 * (`last`: at its end). False when there is none. */
static bool cross(Session *session, bool last) {
    Course *course = session->course;
    Arrival arrival = {.cell = PLAYER_NONE,
                       .statement = PLAYER_NONE,
                       .depth = session->player.depth,
                       .cells = session->player.cell != PLAYER_NONE,
                       .last = last};
    for (size_t at = lesson_beside(session, last ? -1 : 1); at < course->count;
         at = last ? course_before(course, at) : course_after(course, at)) {
        CourseLesson *entry = &course->lessons[at];
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
static bool move_on(Session *session, int how) {
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
    if (can_move(session, PLAYER_RIGHT) ||
        lesson_beside(session, 1) < session->course->count)
        return NULL;
    return session->number ? "page.course_ends" : "page.lesson_ends";
}

bool lesson_step_back(Session *session) {
    return move(session, PLAYER_LEFT) || cross(session, true);
}

/* The step before; where a link has led to the first, the place it was followed from. */
static bool step_back(Session *session) {
    return move(session, PLAYER_LEFT) || returns_go(session);
}

static const char *nothing_before(const Session *session) {
    return can_move(session, PLAYER_LEFT) || returns_exist(session)
               ? NULL
               : "action.why.lesson_begins";
}

/* The reason why there is no such move. */
static const char *why_no_move(const Session *session, int how) {
    static const char *const reasons[] = {[PLAYER_DOWN] = "action.why.opens_no_further",
                                          [PLAYER_UP] = "action.why.is_closed",
                                          [PLAYER_FIRST] = "action.why.at_first",
                                          [PLAYER_LAST] = "action.why.at_last"};
    return can_move(session, how) ? NULL : reasons[how];
}

static const Action steps[] = {
    {"next_step", "Right|Space|PageDown|Return", "→   Space   Enter",
     .act = lesson_step_on, .why_not = nothing_next,
     .traits = ACTION_FIRST | ACTION_TOOL(TOOL_NEXT)},
    {"step_back", "Left|PageUp", "←   Page Up", .act = step_back,
     .why_not = nothing_before, .traits = ACTION_TOOL(TOOL_BACK)},
    {"open_step", "Down", "↓", .act_by = move_on, .by = PLAYER_DOWN,
     .why_not_by = why_no_move,
     .traits = ACTION_FIRST | ACTION_ON_STEP | ACTION_TOOL(TOOL_OPEN)},
    {"close_step", "Up", "↑", .act_by = move_on, .by = PLAYER_UP,
     .why_not_by = why_no_move, .traits = ACTION_QUIET | ACTION_TOOL(TOOL_CLOSE)},
    {"first_step", "Home", "Home", .act_by = move, .by = PLAYER_FIRST,
     .why_not_by = why_no_move, .traits = ACTION_QUIET},
    {"last_step", "End", "End", .act_by = move, .by = PLAYER_LAST,
     .why_not_by = why_no_move, .traits = ACTION_QUIET},
};

const ActionGroup actions_steps = ACTION_GROUP(&mode_lesson, steps);

/* ---- from lesson to lesson ---- */

/* Goes to the next lesson (1) or to the one before (-1), on its first step. */
static bool go_beside(Session *session, int by) {
    return opening_at(session, lesson_beside(session, by), "");
}

static const char *is_last_lesson(const Session *session) {
    bool is = lesson_beside(session, 1) == session->course->count;
    return is ? "action.why.last_lesson" : NULL;
}

static const char *is_first_lesson(const Session *session) {
    bool is = lesson_beside(session, -1) == session->course->count;
    return is ? "action.why.first_lesson" : NULL;
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

static bool go_to_chapter(Session *session, int by) {
    size_t statement = chapter_at(session, by > 0);
    player_jump(&session->player, player_statement_step(&session->player, statement));
    lesson_leave_place(session);
    return true;
}

static const char *is_last_chapter(const Session *session) {
    bool is = chapter_at(session, true) == player_statement_count(&session->player);
    return is ? "action.why.last_chapter" : NULL;
}

static const char *is_first_chapter(const Session *session) {
    return player_statement(&session->player) ? NULL : "action.why.at_first";
}

static const Action lessons[] = {
    {"next_chapter", "Ctrl+PageDown", "Ctrl+Page Down", .act_by = go_to_chapter, .by = 1,
     .why_not = is_last_chapter, .traits = ACTION_QUIET},
    {"previous_chapter", "Ctrl+PageUp", "Ctrl+Page Up", .act_by = go_to_chapter, .by = -1,
     .why_not = is_first_chapter, .traits = ACTION_QUIET},
    {"next_lesson", "Ctrl+Right", "Ctrl+→", .act_by = go_beside, .by = 1,
     .why_not = is_last_lesson, .traits = ACTION_QUIET},
    {"previous_lesson", "Ctrl+Left", "Ctrl+←", .act_by = go_beside, .by = -1,
     .why_not = is_first_lesson, .traits = ACTION_QUIET},
};

const ActionGroup actions_lessons = ACTION_GROUP(&mode_lesson, lessons);

/* ---- out of it ---- */

static bool show_home(Session *session) {
    home_enter(session);
    return true;
}

/* Back from where a link has led; out of an opened step; then, asked for twice, out of
 * the lesson. */
static bool leave(Session *session) {
    bool arrived = returns_arrived(session);
    return (arrived && returns_go(session)) || move_on(session, PLAYER_UP) ||
           returns_go(session) || !session_leaves(session, "Escape", "page.leave") ||
           show_home(session);
}

static const Action leaving[] = {
    {"home", "O", "O", .act = show_home},
    {"leave", "Escape", "Esc", .act = leave, .traits = ACTION_FIRST},
};

const ActionGroup actions_leave = ACTION_GROUP(&mode_lesson, leaving);
