#include "session/actions.h"
#include "session/state.h"

#include "base/hash.h"

#include <string.h>

/* Questions: a step that asks hides its result until it is answered, or is asked for. The
 * mode is on as long as the question waits, and then while one stays at the step; while
 * practising, as long as an exercise with options is open. */

static Practise *round_of(Session *session) {
    return &session->practise.round;
}

static bool is_practising(const Session *session) {
    return mode_on(session, &mode_practise);
}

/* Whether the present exercise is a lesson's question with the mode on. */
static const Exercise *asked(const Session *session) {
    return mode_on(session, &mode_question) ? practise_exercise(&session->practise.round)
                                            : NULL;
}

static bool waits(const Session *session) {
    return asked(session) && practise_hides(&session->practise.round);
}

static bool has_options(const Session *session) {
    return waits(session) && asked(session)->count;
}

/* ---- which have been answered: now or, without having it shown, another time ---- */

static uint64_t hash_of(const char *text) {
    return hash_bytes(HASH_START, text, strlen(text));
}

/* How the present step's question ended since the program was started; open: it didn't.
 */
static ExerciseOutcome outcome_now(const Session *session) {
    const SessionQuestions *questions = &session->questions;
    uint64_t lesson = hash_of(session->lesson->id);
    uint64_t step = hash_of(player_step(&session->player)->path);
    for (size_t i = questions->count; i > 0; i--) {
        if (questions->answered[i - 1].lesson == lesson &&
            questions->answered[i - 1].step == step)
            return questions->answered[i - 1].outcome;
    }
    return EXERCISE_OPEN;
}

/* What was answered before there was a class doesn't count while one is asked. */
static bool is_answered(const Session *session) {
    const Progress *progress = session->practise.progress;
    const char *id = session->lesson->id, *path = player_step(&session->player)->path;
    if (progress && !session_presents(session) && !session->questions.again &&
        progress_has_answer(progress, id, path))
        return true;
    return outcome_now(session) != EXERCISE_OPEN;
}

/* Forgets the answers of a lesson's step, or, where that is NULL, of all. */
static void forget_answers(Session *session, const char *path) {
    SessionQuestions *questions = &session->questions;
    uint64_t lesson = hash_of(session->lesson->id), step = path ? hash_of(path) : 0;
    size_t kept = 0;
    for (size_t i = 0; i < questions->count; i++) {
        if (questions->answered[i].lesson != lesson ||
            (path && questions->answered[i].step != step))
            questions->answered[kept++] = questions->answered[i];
    }
    if (kept < questions->count && !is_practising(session) && !waits(session))
        mode_leave(session, &mode_question); /* one that has been answered */
    questions->count = kept;
}

void questions_ask_again(Session *session) {
    forget_answers(session, NULL);
}

/* Who comes back to the beginning while presenting has another class. */
static void look_for_another_class(Session *session) {
    bool begins = session_presents(session) && !player_statement(&session->player);
    const Lesson *begun = begins ? session->lesson : NULL;
    if (begun && begun != session->questions.begun)
        questions_ask_again(session);
    session->questions.begun = begun;
}

/* The oldest is forgotten where there is no room. */
static void note_answer(Session *session) {
    SessionQuestions *questions = &session->questions;
    if (questions->count == QUESTIONS_KEPT) {
        memmove(questions->answered, questions->answered + 1,
                (QUESTIONS_KEPT - 1) * sizeof *questions->answered);
        questions->count--;
    }
    questions->answered[questions->count].lesson = hash_of(session->lesson->id);
    questions->answered[questions->count].step =
        hash_of(player_step(&session->player)->path);
    questions->answered[questions->count++].outcome = asked(session)->outcome;
    static const char *const how[] = {"", "at_once", "after_hints", "shown"};
    Progress *progress = session->practise.progress;
    Error error;
    if (progress && !progress_answer(progress, session->lesson->id,
                                     player_step(&session->player)->path,
                                     how[asked(session)->outcome], &error))
        session_say(session, "practise.not_kept", error.message, NULL);
}

/* ---- coming and going ---- */

/* Whether the present step has a question. In a lesson that was changed by hand it
 * doesn't: its answers would be others. */
static bool has_question(const Session *session) {
    const Player *player = &session->player;
    if (!session->questions.on || !mode_on(session, &mode_lesson) ||
        mode_on(session, &mode_tour) || player->cell != PLAYER_NONE ||
        player_step(player)->depth != player->depth)
        return false;
    const LessonStep *words = player_step(player)->words;
    return words && words->question && words->result == player_step(player)->node &&
           !changes_any(session->lesson->changes);
}

/* Who follows a number to a step has asked to see what is there. */
static bool should_ask(const Session *session) {
    return has_question(session) && !is_answered(session) && !way_is_followed(session);
}

/* A question that was answered is shown with its answer wherever one comes back to it. */
static bool should_recall(const Session *session) {
    return has_question(session) && outcome_now(session) != EXERCISE_OPEN;
}

static bool is_here(const Session *session) {
    const SessionQuestions *questions = &session->questions;
    return mode_on(session, &mode_lesson) && questions->lesson == session->lesson &&
           questions->step == session->player.step && session->player.cell == PLAYER_NONE;
}

/* Takes the present step's question up. */
static bool take_up(Session *session) {
    SessionQuestions *questions = &session->questions;
    questions->chosen = PLAYER_NONE;
    questions->lesson = session->lesson;
    questions->step = session->player.step;
    return practise_begin_question(round_of(session), &session->player, questions->step);
}

static void ask(Session *session) {
    if (!take_up(session))
        return;
    mode_leave(session, &mode_pin);
    autoplay_end_motion(session);
    session->has_hover = false;
    field_begin(&session->field, "");
    mode_enter(session, &mode_question);
}

static void recall(Session *session) {
    if (!take_up(session))
        return;
    practise_settle(round_of(session), outcome_now(session));
    mode_enter(session, &mode_question);
}

/* While practising: as long as there is something to choose from. */
static void follow_practise(Session *session) {
    const Exercise *exercise = practise_exercise(round_of(session));
    bool options = practise_hides(round_of(session)) && exercise->count;
    if (!options) {
        mode_leave(session, &mode_question);
    } else if (!mode_on(session, &mode_question) ||
               session->questions.step != exercise->step) {
        session->questions.step = exercise->step;
        session->questions.chosen = PLAYER_NONE;
        mode_enter(session, &mode_question);
    }
}

void questions_look(Session *session) {
    look_for_another_class(session);
    session->questions.again &= is_here(session);
    if (is_practising(session)) {
        follow_practise(session);
        return;
    }
    bool on = mode_on(session, &mode_question);
    if (on && (!is_here(session) || (waits(session) && !should_ask(session))))
        on = !mode_leave(session, &mode_question);
    if (!on && should_ask(session))
        ask(session);
    else if (!on && should_recall(session))
        recall(session);
}

static void leave(Session *session) {
    if (!is_practising(session))
        practise_finish(round_of(session));
}

void session_ask(Session *session, bool on) {
    session->questions.on = on;
    questions_look(session);
}

bool questions_wait(const Session *session) {
    return waits(session) || (!is_practising(session) && should_ask(session));
}

/* ---- answering ---- */

/* What was hidden comes as it would have come, had nothing been asked. */
static bool show_result(Session *session) {
    if (waits(session) || is_practising(session))
        return true;
    Player before = session->player;
    note_answer(session);
    session->field = (Field){0};
    if (player_move(&before, PLAYER_LEFT))
        autoplay_begin_motion(session, &before);
    return true;
}

static bool see_answer(Session *session) {
    practise_skip(round_of(session));
    return show_result(session);
}

bool questions_show_answer(Session *session) {
    return !is_practising(session) && waits(session) && see_answer(session);
}

bool questions_take_text(const Session *session) {
    return !is_practising(session) && waits(session) &&
           asked(session)->kind == EXERCISE_CELL;
}

/* An answer that was wrong stays, selected: what is typed takes its place, and other keys
 * are the lesson's as before. */
static bool writes(const Session *session) {
    return !is_practising(session) && waits(session) &&
           asked(session)->kind == EXERCISE_CELL && session->field.text[0] &&
           !session->field.selected;
}

/* A key is a number's first character; what follows comes as text. */
static bool begin_number(Session *session, const char *key) {
    return !writes(session) && field_insert(&session->field, key);
}

/* Where a number is asked for the key is its first digit. */
static bool pick(Session *session, size_t place) {
    const char digit[] = {(char)('1' + place), 0};
    if (questions_take_text(session))
        return begin_number(session, digit);
    session->questions.chosen = place;
    practise_pick(round_of(session), place);
    return show_result(session);
}

static bool choose_1(Session *session) {
    return pick(session, 0);
}

static bool choose_2(Session *session) {
    return pick(session, 1);
}

static bool choose_3(Session *session) {
    return pick(session, 2);
}

static bool choose_4(Session *session) {
    return pick(session, 3);
}

static const char *no_option(const Session *session, size_t place) {
    bool fits = has_options(session) && place < asked(session)->count;
    return fits || questions_take_text(session) ? NULL : "action.why.no_option";
}

static const char *no_option_1(const Session *session) {
    return no_option(session, 0);
}

static const char *no_option_3(const Session *session) {
    return no_option(session, 2);
}

static const char *no_option_4(const Session *session) {
    return no_option(session, 3);
}

/* The words of a question that was answered stay; its keys are the lesson's again. */
static bool rests(const Session *session) {
    return !waits(session);
}

static const char *is_answered_now(const Session *session) {
    return waits(session) ? NULL : "action.why.is_answered";
}

static const char *nothing_to_answer(const Session *session) {
    const SessionQuestions *questions = &session->questions;
    if (has_options(session) && questions->chosen >= asked(session)->count)
        return "action.why.nothing_chosen";
    return is_answered_now(session);
}

static bool take_back(Session *session) {
    return practise_take_back(round_of(session));
}

static const char *nothing_placed(const Session *session) {
    if (waits(session) && asked(session)->kind != EXERCISE_ORDER)
        return "action.why.question_waits";
    return waits(session) && asked(session)->placed_count ? NULL
                                                          : "action.why.nothing_placed";
}

/* What is chosen by the arrows; a number as it is written; or only looks. */
static bool answer(Session *session) {
    const Exercise *exercise = asked(session);
    if (exercise->count)
        return session->questions.chosen < exercise->count &&
               pick(session, session->questions.chosen);
    if (exercise->kind == EXERCISE_THOUGHT)
        return see_answer(session);
    practise_answer(round_of(session), session->field.text);
    if (round_of(session)->hint.kind != HINT_FAULT) /* which can be mended */
        field_key(&session->field, "Ctrl+A");
    return show_result(session);
}

/* ---- keys and the pointer ---- */

static const Action answering[] = {
    {"choose_1", {"1", "Keypad 1"}, "1   2   3   4", choose_1, no_option_1, ACTION_QUIET},
    {"choose_2", {"2", "Keypad 2"}, NULL, choose_2, no_option_1, ACTION_QUIET},
    {"choose_3", {"3", "Keypad 3"}, NULL, choose_3, no_option_3, ACTION_QUIET},
    {"choose_4", {"4", "Keypad 4"}, NULL, choose_4, no_option_4, ACTION_QUIET},
    {"answer_question", {"Return"}, NULL, answer, nothing_to_answer, 0},
    {"see_answer", {"Shift+Return"}, NULL, see_answer, is_answered_now, ACTION_QUIET},
    {"take_back", {"Backspace"}, NULL, take_back, nothing_placed, 0},
};

const ActionGroup actions_answering = ACTION_GROUP(&mode_question, answering);

static bool toggle(Session *session) {
    session_ask(session, !session->questions.on);
    if (session->memory)
        memory_note_text(session->memory, "questions",
                         session->questions.on ? "on" : "off");
    session_say(session, session->questions.on ? "question.on" : "question.off", NULL,
                NULL);
    return true;
}

static bool ask_again(Session *session) {
    forget_answers(session, player_step(&session->player)->path);
    take_up(session);
    session->questions.again = true;
    questions_look(session);
    return true;
}

static const char *not_answered(const Session *session) {
    return !has_question(session) ? "action.why.no_question"
           : waits(session)       ? "action.why.question_waits"
                                  : NULL;
}

static const Action turning[] = {
    {"questions", {"N"}, "N", toggle, NULL, 0},
    {"ask_again", {"Shift+N"}, "Shift+N", ask_again, not_answered, ACTION_ON_STEP},
};

const ActionGroup actions_questions = ACTION_GROUP(&mode_lesson, turning);

/* The arrows go from option to option, a digit begins a number; all else is the lesson's.
 */
static ModeAnswer key(Session *session, const char *name) {
    SessionQuestions *questions = &session->questions;
    bool down = strcmp(name, "Down") == 0;
    bool digit = strlen(name) == 1 && strchr("0123456789.-(", *name);
    if (questions_take_text(session) && digit)
        return begin_number(session, name) ? MODE_CHANGES : MODE_TAKES;
    if (rests(session) && digit) {
        session_say(session, "question.answered", NULL, NULL);
        return MODE_CHANGES;
    }
    if (!has_options(session) || (!down && strcmp(name, "Up") != 0))
        return MODE_PASSES;
    size_t count = asked(session)->count, at = questions->chosen;
    if (at >= count)
        at = down ? count - 1 : 0;
    questions->chosen = (at + (down ? 1 : count - 1)) % count;
    return MODE_CHANGES;
}

/* The buttons of a number's field, as while practising. */
static ModeAnswer press(Session *session, Link link) {
    if (link.kind != LINK_COMMAND || !waits(session))
        return MODE_PASSES;
    if (link.row && link.index == action_number("answer_question"))
        return questions_take_text(session) && field_number_key(&session->field, link.col)
                   ? MODE_CHANGES
                   : MODE_TAKES;
    bool own = !link.row && link.index < action_count() &&
               action_mode(link.index) == &mode_question;
    if (!own)
        return MODE_PASSES;
    return action_do(session, link.index) ? MODE_CHANGES : MODE_TAKES;
}

PractisePanel questions_panel(const Session *session) {
    bool whole = is_practising(session);
    return (PractisePanel){.practise = &session->practise.round,
                           .answer = session->field.text,
                           .caret = session->field.caret,
                           .selected = session->field.selected,
                           .chosen = session->questions.chosen,
                           .number = session->practise.round.at + 1,
                           .of = session->practise.round.count,
                           .look = action_link("practise_lesson"),
                           .check = action_link(whole ? "answer" : "answer_question"),
                           .go_on = action_link("next_exercise"),
                           .skip = action_link(whole ? "show_answer" : "see_answer"),
                           .stop = action_link("stop_practising"),
                           .again = action_link(whole ? "practise_again" : "ask_again"),
                           .paste = whole ? action_link("paste_answer") : (Link){0},
                           .options = {action_link("choose_1"), action_link("choose_2"),
                                       action_link("choose_3"), action_link("choose_4")},
                           .see = action_link("see_answer"),
                           .take_back = action_link("take_back")};
}

/* The question in place of the words, and nothing that tells. */
static void show(Session *session, Page *page, Arena *arena) {
    PractisePanel *panel = asked(session) ? arena_alloc(arena, 1, sizeof *panel) : NULL;
    if (!panel || is_practising(session))
        return;
    *panel = questions_panel(session);
    page->practise = panel;
    if (!practise_hides(panel->practise))
        return;
    page->moment = (PaceMoment){0};
    page->view = LESSON_VIEW_NONE;
    page->words = WORDS_USUAL;
    page->note = NULL;
    page->has_focus = practise_panel_focus(panel, &page->focus);
}

const Mode mode_question = {.name = "question",
                            .missing = "action.why.no_question",
                            .rests = rests,
                            .key = key,
                            .writes = writes,
                            .helps = true,
                            .press = press,
                            .show = show,
                            .leave = leave};
