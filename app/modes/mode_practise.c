#include "base/hash.h"
#include "modes/modes.h"
#include "session/state.h"

#include <stdio.h>
#include <string.h>

/* Practising: while it goes on, keys and clicks are the exercise's. Where it leaves the
 * viewer is where it began, unless a step is chosen to be looked at again. */

static bool is_open(const Session *session) {
    return practise_hides(&practise_state(session)->round);
}

static bool writes(const Session *session) {
    return is_open(session) && !practise_exercise(&practise_state(session)->round)->count;
}

static bool is_quiz(const Session *session) {
    return quiz_state(session)->on;
}

static bool is_over(const Session *session) {
    return !practise_exercise(&practise_state(session)->round);
}

/* ---- beginning and ending ---- */

/* Notes what was answered of a round through the lesson, once. */
static void record(Session *session) {
    PractiseState *practise = practise_state(session);
    PractiseScore score = practise_score(&practise->round);
    bool answered = score.at_once + score.after_hints + score.skipped > 0;
    if (!practise->whole || practise->recorded || !answered)
        return;
    ProgressLesson notes = {.id = session->lesson->id,
                            .at_once = score.at_once,
                            .after_hints = score.after_hints,
                            .skipped = score.skipped};
    Error error;
    practise->recorded = true;
    if (!practise->progress)
        practise->rounds++;
    else if (!progress_record(practise->progress, &notes, &error))
        session_show_message(session, "practise.not_kept", error.message, NULL);
}

static void leave(Session *session) {
    record(session);
    mode_leave(
        session,
        &mode_question); /* an exercise's; the step's own question is asked again */
    practise_finish(&practise_state(session)->round);
}

/* Shows a message that the step has changed. */
static void describe_step(Session *session) {
    char number[24], count[24];
    snprintf(number, sizeof number, "%zu", player_statement(&session->player) + 1);
    snprintf(count, sizeof count, "%zu", player_statement_count(&session->player));
    session_show_message(session, "practise.moved", number, count);
}

/* Shows the present exercise's step, or the place where the round began. */
static void show_exercise(Session *session) {
    PractiseState *practise = practise_state(session);
    const Exercise *exercise = practise_exercise(&practise->round);
    session->has_hover = false;
    field_begin(&session->field, "");
    practise->chosen = PLAYER_NONE;
    if (exercise) {
        size_t before = player_statement(&session->player);
        player_jump(&session->player, exercise->step);
        if (player_statement(&session->player) != before)
            describe_step(session);
        return;
    }
    session->player = practise->before;
}

/* Returns the number of rounds of this lesson so far, which makes the next round
 * different. */
static size_t rounds_of(const Session *session) {
    const PractiseState *practise = practise_state(session);
    return practise->rounds + progress_of(practise->progress, session->lesson->id).rounds;
}

/* Enters the mode and leaves all others above the lesson. */
static bool enter(Session *session, bool whole) {
    PractiseState *practise = practise_state(session);
    practise->whole = whole;
    practise->recorded = false;
    practise->before = session->player;
    mode_begin(session, &mode_lesson);
    mode_enter(session, &mode_practise);
    show_exercise(session);
    return true;
}

/* Begins with the quiz's present question. */
static void arrive(Session *session) {
    if (quiz_resume(session))
        enter(session, false);
}

/* Returns a seed that depends on the lesson only, not on its file's place. */
static uint64_t lesson_seed(const Session *session) {
    return hash_bytes(HASH_START, session->lesson->id, strlen(session->lesson->id));
}

static bool begin_lesson(const Session *session, Practise *round) {
    uint64_t seed = lesson_seed(session) + rounds_of(session);
    return practise_begin(round, &session->player, seed);
}

static bool begin_step(const Session *session, Practise *round) {
    uint64_t seed = lesson_seed(session) + session->player.step +
                    practise_state(session)->extra * 0x9e3779b97f4a7c15u;
    return practise_begin_at(round, &session->player, session->player.step, seed);
}

/* There is something to practise: a round that didn't begin had no memory. */
static bool enter_round(Session *session, bool begun, bool whole) {
    session->short_of_memory |= !begun;
    return begun && enter(session, whole);
}

static bool practise_lesson(Session *session) {
    mode_leave(session, &mode_question); /* whose round it was */
    bool begun = begin_lesson(session, &practise_state(session)->round);
    return enter_round(session, begun, true);
}

static bool practise_step(Session *session) {
    practise_state(session)->extra++;
    mode_leave(session, &mode_question);
    bool begun = begin_step(session, &practise_state(session)->round);
    return enter_round(session, begun, false);
}

static const char *nothing_to_practise(const Session *session) {
    return practise_can_begin(&session->player, PLAYER_NONE) ? NULL : "practise.none";
}

static const char *nothing_to_practise_here(const Session *session) {
    return practise_can_begin(&session->player, session->player.step)
               ? NULL
               : "practise.none_here";
}

/* Ends the practice and returns to the step where it began. */
static bool stop(Session *session) {
    const PractiseState *practise = practise_state(session);
    if (is_quiz(session))
        return quiz_look(session, PLAYER_NONE);
    mode_leave(session, &mode_practise);
    session->player = practise->before;
    session->has_hover = false;
    return true;
}

/* ---- during an exercise ---- */

static bool go_on(Session *session) {
    PractiseState *practise = practise_state(session);
    if (!practise_next(&practise->round))
        return false;
    if (is_quiz(session))
        return quiz_go_on(session);
    show_exercise(session);
    if (is_over(session))
        record(session);
    return true;
}

static bool check(Session *session) {
    PractiseState *practise = practise_state(session);
    if (!practise_hides(&practise->round))
        return go_on(session);
    practise_answer(&practise->round, session->field.text);
    if (!practise_hides(&practise->round))
        field_begin(&session->field, "");
    else if (practise->round.hint.kind != HINT_FAULT) /* that can be mended where it is */
        field_key(&session->field, "Ctrl+A");
    return true;
}

static bool skip(Session *session) {
    if (!practise_hides(&practise_state(session)->round))
        return go_on(session);
    practise_skip(&practise_state(session)->round);
    return true;
}

/* ---- behind the last one ---- */

/* Goes to the step of an exercise and stays there. */
static bool look_again(Session *session, size_t index) {
    const Practise *round = &practise_state(session)->round;
    if (is_quiz(session))
        return quiz_look(session, index);
    if (index >= round->count)
        return stop(session);
    size_t step = round->exercises[index].step;
    FollowCell cell = round->exercises[index].cell;
    stop(session);
    player_jump(&session->player, step);
    pin_put(session, (Link){LINK_CELL, cell.node, cell.row, cell.col});
    return true;
}

static size_t count_listed(const Session *session) {
    return is_quiz(session) ? quiz_state(session)->count
                            : practise_state(session)->round.count;
}

static bool is_right_at_once(const Session *session, size_t index) {
    ExerciseOutcome outcome =
        is_quiz(session) ? quiz_state(session)->items[index].outcome
                         : practise_state(session)->round.exercises[index].outcome;
    return outcome == EXERCISE_AT_ONCE;
}

/* The next exercise of the list that way; none before the first. */
static bool choose_listed(Session *session, int by) {
    PractiseState *practise = practise_state(session);
    size_t count = count_listed(session), at = practise->chosen;
    for (;;) {
        at += (size_t)by; /* from PLAYER_NONE down comes 0 */
        if (at >= count)
            break;
        if (!is_right_at_once(session, at)) {
            practise->chosen = at;
            return true;
        }
    }
    if (by > 0 || practise->chosen == PLAYER_NONE)
        return false;
    practise->chosen = PLAYER_NONE;
    return true;
}

static bool again(Session *session) {
    if (is_quiz(session))
        return quiz_again(session);
    bool whole = practise_state(session)->whole;
    stop(session);
    return whole ? practise_lesson(session) : practise_step(session);
}

/* ---- keys and the pointer ---- */

static const Action entering[] = {
    {"practise_lesson", "P", "P", .act = practise_lesson, .why_not = nothing_to_practise,
     .traits = ACTION_TOOL(TOOL_PRACTISE)},
    {"practise_step", "Shift+P", "Shift+P", .act = practise_step,
     .why_not = nothing_to_practise_here, .traits = ACTION_ON_CELL | ACTION_ON_STEP},
};

const ActionGroup actions_practise = ACTION_GROUP(&mode_lesson, entering);

/* Checks the answer, goes on behind it, looks at what is chosen in the list at the end.
 */
static bool enter_key(Session *session) {
    return is_over(session) ? look_again(session, practise_state(session)->chosen)
                            : check(session);
}

static const char *why_round_over(const Session *session) {
    return is_over(session) ? "action.why.round_over" : NULL;
}

static const char *why_question_open(const Session *session) {
    return is_over(session)   ? "action.why.round_over"
           : is_open(session) ? "action.why.asks_still"
                              : NULL;
}

static const char *why_not_writing(const Session *session) {
    return writes(session) ? NULL : "action.why.not_writing";
}

static const char *why_round_goes_on(const Session *session) {
    return is_over(session) ? NULL : "action.why.round_goes_on";
}

static const Action exercise[] = {
    {"answer", "Return", .act = enter_key},
    {"show_answer", "Shift+Return", .act = skip, .why_not = why_round_over,
     .traits = ACTION_QUIET},
    {"stop_practising", "Escape", .act = stop},
    {"paste_answer", "Ctrl+V|Shift+Insert", .request = SESSION_PASTE,
     .why_not = why_not_writing, .traits = ACTION_QUIET},
    {"next_exercise", "Right|Space", .act = go_on, .why_not = why_question_open,
     .traits = ACTION_QUIET},
    {"practise_again", "P", .act = again, .why_not = why_round_goes_on,
     .traits = ACTION_QUIET},
    {"save_score", "Ctrl+S", .request = SESSION_SAVE, .why_not = why_round_goes_on,
     .traits = ACTION_QUIET | ACTION_MORE},
    {"look_above", "Up", .act_by = choose_listed, .by = -1, .why_not = why_round_goes_on,
     .traits = ACTION_QUIET | ACTION_OF_KEYS},
    {"look_below", "Down", .act_by = choose_listed, .by = 1, .why_not = why_round_goes_on,
     .traits = ACTION_QUIET | ACTION_OF_KEYS},
};

const ActionGroup actions_exercise = ACTION_GROUP(&mode_practise, exercise);

/* A column of the asked row. */
static bool choose_column(Session *session, Link link) {
    const Exercise *asked = practise_exercise(&practise_state(session)->round);
    if (!asked || link.index != asked->cell.node || link.row != asked->cell.row ||
        (asked->kind != EXERCISE_LARGEST && asked->kind != EXERCISE_NEXT_WORD))
        return false;
    practise_choose(&practise_state(session)->round, link.col);
    return true;
}

/* Buttons and the asked row's cells answer, and all else is still. */
static ModeAnswer press(Session *session, Link link) {
    bool changes = false;
    if (link.kind == LINK_COMMAND && !link.row)
        return MODE_PASSES;
    if (link.kind == LINK_COMMAND && link.index == action_number("answer"))
        changes = writes(session) && field_number_key(&session->field, link.col);
    else if (link.kind == LINK_COMMAND)
        changes = look_again(session, link.row - 1);
    else if (link.kind == LINK_CELL)
        changes = choose_column(session, link);
    return changes ? MODE_CHANGES : MODE_TAKES;
}

/* ---- what is shown ---- */

static PractisePanel panel_of(const Session *session) {
    PractisePanel panel = questions_panel(session);
    panel.whole = true;
    panel.save = action_link("save_score");
    if (is_quiz(session)) {
        panel.number = quiz_state(session)->at + 1;
        panel.of = quiz_state(session)->count;
    }
    if (is_over(session))
        panel.chosen = practise_state(session)->chosen;
    return panel;
}

/* The exercise in place of what the page shows otherwise. */
static void show(Session *session, Page *page, Arena *arena) {
    const Exercise *asked = practise_exercise(&practise_state(session)->round);
    PractisePanel *panel = asked ? arena_alloc(arena, 1, sizeof *panel) : NULL;
    if (!panel)
        return;
    *panel = panel_of(session);
    page->practise = panel;
    page->has_focus = practise_panel_focus(panel, &page->focus);
    page->moment = (PaceMoment){0};
    page->view = LESSON_VIEW_PICTURE;
    page->note = NULL;
    if (practise_hides(panel->practise))
        page->words = WORDS_USUAL;
}

static void draw(Session *session, const Canvas *canvas) {
    PractisePanel panel = panel_of(session);
    if (!is_over(session))
        return;
    if (!is_quiz(session)) {
        practise_score_draw(canvas, &panel);
        return;
    }
    QuizSheet sheet = quiz_sheet(session, canvas->scene->arena);
    quiz_sheet_draw(canvas, &panel, &sheet);
}

const Mode mode_practise = {.name = "practise",
                            .state_size = sizeof(PractiseState),
                            .missing = "action.why.not_practising",
                            .banner = "banner.practise",
                            .closed = true,
                            .overlays = true,
                            .writes = writes,
                            .helps = true,
                            .press = press,
                            .show = show,
                            .draw = draw,
                            .arrive = arrive,
                            .leave = leave};
