#include "base/hash.h"
#include "picture/page/practise_panel.h"
#include "session/session_actions.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Practising: while it goes on, keys and clicks are the exercise's. Where it leaves the
 * viewer is where it began, unless a step is chosen to be looked at again. */

void session_keep_progress(Session *session, Progress *progress) {
    static const char *const said[] = {[PROGRESS_FINE] = "",
                                       [PROGRESS_SET_ASIDE] = "practise.set_aside",
                                       [PROGRESS_STUCK] = "practise.stuck",
                                       [PROGRESS_NEWER] = "practise.newer"};
    session->practise.progress = progress;
    ProgressState state = progress ? progress_state(progress) : PROGRESS_FINE;
    if (state != PROGRESS_FINE)
        session_say(session, said[state], progress_file(progress),
                    progress_aside(progress));
}

bool is_practising(const Session *session) {
    return session->practise.on;
}

bool practise_is_writing(const Session *session) {
    return session->practise.on && practise_hides(&session->practise.round);
}

static bool is_over(const Session *session) {
    return session->practise.on && !practise_exercise(&session->practise.round);
}

/* ---- beginning and ending ---- */

/* Notes what was answered of a round through the lesson, once. */
static void record(Session *session) {
    SessionPractise *practise = &session->practise;
    PractiseScore score = practise_score(&practise->round);
    bool answered = score.at_once + score.after_hints + score.skipped > 0;
    if (!practise->on || !practise->whole || practise->recorded || !answered)
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
        session_say(session, "practise.not_kept", error.message, NULL);
}

void leave_practise(Session *session) {
    record(session);
    practise_finish(&session->practise.round);
    session->practise.on = false;
}

/* Shows the present exercise's step, or the place where the round began. */
static void show_exercise(Session *session) {
    SessionPractise *practise = &session->practise;
    const Exercise *exercise = practise_exercise(&practise->round);
    session->has_pin = session->has_hover = false;
    field_begin(&practise->answer, "");
    practise->chosen = PLAYER_NONE;
    if (exercise) {
        player_jump(&session->player, exercise->step);
        return;
    }
    session->player.step = practise->step;
    session->player.depth = practise->depth;
    session->player.cell = practise->cell;
}

/* How many rounds of this lesson there were: the next one is another. */
static size_t rounds_of(const Session *session) {
    const SessionPractise *practise = &session->practise;
    const ProgressLesson *notes =
        practise->progress ? progress_of(practise->progress, session->lesson->id) : NULL;
    return practise->rounds + (notes ? notes->rounds : 0);
}

static void enter(Session *session) {
    SessionPractise *practise = &session->practise;
    practise->on = true;
    practise->recorded = false;
    practise->step = session->player.step;
    practise->depth = session->player.depth;
    practise->cell = session->player.cell;
    forget_way(session);
    leave_influence(session);
    end_motion(session);
    session->compares = false;
    show_exercise(session);
}

/* The same for a lesson wherever its file lies. */
static uint64_t lesson_seed(const Session *session) {
    return hash_bytes(HASH_START, session->lesson->id, strlen(session->lesson->id));
}

bool practise_lesson(Session *session) {
    SessionPractise *practise = &session->practise;
    uint64_t seed = lesson_seed(session) + rounds_of(session);
    if (practise_begin(&practise->round, &session->player, seed)) {
        practise->whole = true;
        enter(session);
    } else {
        session_say(session, "practise.none", NULL, NULL);
    }
    return true;
}

bool practise_step(Session *session) {
    SessionPractise *practise = &session->practise;
    uint64_t seed = lesson_seed(session) + session->player.step +
                    ++practise->extra * 0x9e3779b97f4a7c15u;
    if (practise_begin_at(&practise->round, &session->player, session->player.step,
                          seed)) {
        practise->whole = false;
        enter(session);
    } else {
        session_say(session, "practise.none_here", NULL, NULL);
    }
    return true;
}

static bool stop(Session *session) {
    record(session);
    practise_finish(&session->practise.round); /* so that the place is where it began */
    show_exercise(session);
    leave_practise(session);
    return true;
}

/* ---- during an exercise ---- */

static bool go_on(Session *session) {
    SessionPractise *practise = &session->practise;
    if (!practise_next(&practise->round))
        return false;
    show_exercise(session);
    if (is_over(session))
        record(session);
    return true;
}

static bool check(Session *session) {
    SessionPractise *practise = &session->practise;
    if (!practise_hides(&practise->round))
        return go_on(session);
    practise_answer(&practise->round, practise->answer.text);
    practise->answer.selected = practise->answer.text[0] != 0;
    return true;
}

static bool skip(Session *session) {
    if (!practise_hides(&session->practise.round))
        return go_on(session);
    practise_skip(&session->practise.round);
    return true;
}

static bool paste(Session *session) {
    session->request = SESSION_PASTE;
    return false;
}

bool practise_type(Session *session, const char *text) {
    return field_insert(&session->practise.answer, text);
}

/* ---- behind the last one ---- */

/* Goes to the step of an exercise and stays there. */
static bool look_again(Session *session, size_t index) {
    const Practise *round = &session->practise.round;
    if (index >= round->count)
        return stop(session);
    size_t step = round->exercises[index].step;
    FollowCell cell = round->exercises[index].cell;
    stop(session);
    player_jump(&session->player, step);
    session->has_pin = true;
    session->pin = (Link){LINK_CELL, cell.node, cell.row, cell.col};
    return true;
}

/* The next exercise of the list that way; none before the first. */
static bool choose_listed(Session *session, bool down) {
    SessionPractise *practise = &session->practise;
    size_t count = practise->round.count, at = practise->chosen;
    for (;;) {
        at += down ? 1 : (size_t)-1; /* from PLAYER_NONE down comes 0 */
        if (at >= count)
            break;
        if (practise->round.exercises[at].outcome != EXERCISE_AT_ONCE) {
            practise->chosen = at;
            return true;
        }
    }
    if (down || practise->chosen == PLAYER_NONE)
        return false;
    practise->chosen = PLAYER_NONE;
    return true;
}

static bool choose_below_in_list(Session *session) {
    return choose_listed(session, true);
}

static bool choose_above_in_list(Session *session) {
    return choose_listed(session, false);
}

static bool close_score(Session *session) {
    return look_again(session, session->practise.chosen);
}

static bool practise_again(Session *session) {
    bool whole = session->practise.whole;
    stop(session);
    return whole ? practise_lesson(session) : practise_step(session);
}

/* ---- keys and the pointer ---- */

typedef enum PractisePart { PART_ASKING, PART_ANSWERED, PART_OVER } PractisePart;

typedef struct PractiseKey {
    PractisePart part;
    const char *key;
    SessionAction action;
} PractiseKey;

static const PractiseKey practise_keys[] = {
    {PART_ASKING, "Return", check},
    {PART_ASKING, "PageDown", skip},
    {PART_ASKING, "Escape", stop},
    {PART_ASKING, "Ctrl+V", paste},
    {PART_ASKING, "Shift+Insert", paste},
    {PART_ANSWERED, "Return", go_on},
    {PART_ANSWERED, "PageDown", go_on},
    {PART_ANSWERED, "Right", go_on},
    {PART_ANSWERED, "Space", go_on},
    {PART_ANSWERED, "Escape", stop},
    {PART_OVER, "Return", close_score},
    {PART_OVER, "Escape", stop},
    {PART_OVER, "P", practise_again},
    {PART_OVER, "Up", choose_above_in_list},
    {PART_OVER, "Down", choose_below_in_list},
};

static PractisePart part_of(const Session *session) {
    return is_over(session)               ? PART_OVER
           : practise_is_writing(session) ? PART_ASKING
                                          : PART_ANSWERED;
}

bool press_while_practising(Session *session, const char *key, bool *changed) {
    PractisePart part = part_of(session);
    bool had_message = session->message[0] != 0;
    for (size_t i = 0; i < sizeof practise_keys / sizeof *practise_keys; i++) {
        const PractiseKey *entry = &practise_keys[i];
        if (entry->part != part || strcasecmp(entry->key, key) != 0)
            continue;
        session->message[0] = 0;
        *changed = entry->action(session) || had_message;
        return true;
    }
    *changed = part == PART_ASKING && field_key(&session->practise.answer, key);
    return *changed;
}

bool press_practise(Session *session, Link link) {
    session->message[0] = 0;
    switch ((PractiseButton)link.row) {
    case PRACTISE_CHECK:
        return check(session);
    case PRACTISE_SKIP:
        return skip(session);
    case PRACTISE_STOP:
        return stop(session);
    case PRACTISE_AGAIN:
        return practise_again(session);
    case PRACTISE_LOOK:
        return look_again(session, link.col);
    }
    return false;
}

bool choose_in_practise(Session *session, Link link) {
    const Exercise *exercise = practise_exercise(&session->practise.round);
    if (!exercise || link.index != exercise->cell.node ||
        link.row != exercise->cell.row || exercise->kind == EXERCISE_CELL)
        return false;
    practise_choose(&session->practise.round, link.col);
    return true;
}

/* ---- what is shown ---- */

void mark_practised(const Session *session, OverviewItem *item) {
    Progress *progress = session->practise.progress;
    const ProgressLesson *notes = progress ? progress_of(progress, item->id) : NULL;
    if (!notes)
        return;
    item->practised = notes->at_once + notes->after_hints + notes->skipped;
    item->at_once = notes->at_once;
}

PractisePanel practise_panel(const Session *session) {
    const SessionPractise *practise = &session->practise;
    return (PractisePanel){.practise = &practise->round,
                           .answer = practise->answer.text,
                           .caret = practise->answer.caret,
                           .chosen = practise->chosen,
                           .command = {LINK_COMMAND, key_index("P"), 0, 0}};
}

Link practised_cell(const Session *session) {
    const Exercise *exercise = practise_exercise(&session->practise.round);
    FollowCell cell = exercise->cell;
    return (Link){LINK_CELL, cell.node, cell.row, cell.col};
}
