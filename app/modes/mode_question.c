#include "modes/modes.h"

#include "session/state.h"

#include <string.h>

static bool has_options(const Session *session) {
    return questions_open(session) && questions_asked(session)->count;
}

static void leave(Session *session) {
    if (!mode_on(session, &mode_practise))
        practise_finish(&practise_state(session)->round);
}

/* ---- answering ---- */

/* An answer that was wrong stays, selected: what is typed takes its place, and other keys
 * are the lesson's as before. */
static bool writes(const Session *session) {
    return questions_take_text(session) && session->field.text[0] &&
           !session->field.selected;
}

/* A key is a number's first character; what follows comes as text. */
static bool begin_number(Session *session, const char *key) {
    return !writes(session) && field_insert(&session->field, key);
}

/* Picks an option; where a number is to be entered, the key is its first digit. */
static bool pick(Session *session, int place) {
    const char digit[] = {(char)('1' + place), 0};
    if (questions_take_text(session))
        return begin_number(session, digit);
    question_state(session)->options.chosen = (size_t)place;
    practise_pick(&practise_state(session)->round, (size_t)place);
    return questions_show_result(session);
}

static const char *why_no_option(const Session *session, int place) {
    bool fits = has_options(session) && (size_t)place < questions_asked(session)->count;
    return fits || questions_take_text(session) ? NULL : "action.why.no_option";
}

/* The words of a question that was answered stay; its keys are the lesson's again. */
static bool rests(const Session *session) {
    return !questions_open(session);
}

static const char *why_answered(const Session *session) {
    return questions_open(session) ? NULL : "action.why.is_answered";
}

static const char *why_no_answer(const Session *session) {
    const QuestionState *questions = question_state(session);
    if (has_options(session) &&
        questions->options.chosen >= questions_asked(session)->count)
        return "action.why.nothing_chosen";
    return why_answered(session);
}

static bool take_back(Session *session) {
    return practise_remove_last(&practise_state(session)->round);
}

static const char *why_nothing_placed(const Session *session) {
    if (questions_open(session) && questions_asked(session)->kind != EXERCISE_ORDER)
        return "action.why.question_waits";
    return questions_open(session) && questions_asked(session)->placed_count
               ? NULL
               : "action.why.nothing_placed";
}

/* Answers with the option chosen by the arrows or with the number in the field; a
 * question without either shows its answer. */
static bool answer(Session *session) {
    const Exercise *exercise = questions_asked(session);
    if (exercise->count)
        return question_state(session)->options.chosen < exercise->count &&
               pick(session, (int)question_state(session)->options.chosen);
    if (exercise->kind == EXERCISE_THOUGHT)
        return questions_see_answer(session);
    practise_answer(&practise_state(session)->round, session->field.text);
    if (practise_state(session)->round.hint.kind != HINT_FAULT) /* which can be mended */
        field_key(&session->field, "Ctrl+A");
    return questions_show_result(session);
}

/* ---- keys and the pointer ---- */

static const Action answering[] = {
    {"choose_1", "1|Keypad 1", "1   2   3   4", .act_by = pick, .by = 0,
     .why_not_by = why_no_option, .traits = ACTION_QUIET},
    {"choose_2", "2|Keypad 2", .act_by = pick, .by = 1, .why_not_by = why_no_option,
     .traits = ACTION_QUIET},
    {"choose_3", "3|Keypad 3", .act_by = pick, .by = 2, .why_not_by = why_no_option,
     .traits = ACTION_QUIET},
    {"choose_4", "4|Keypad 4", .act_by = pick, .by = 3, .why_not_by = why_no_option,
     .traits = ACTION_QUIET},
    {"answer_question", "Return", .act = answer, .why_not = why_no_answer},
    {"see_answer", "Shift+Return", .act = questions_see_answer, .why_not = why_answered,
     .traits = ACTION_QUIET},
    {"take_back", "Backspace", .act = take_back, .why_not = why_nothing_placed},
};

const ActionGroup actions_answering = ACTION_GROUP(&mode_question, answering);

static bool toggle(Session *session) {
    session_ask(session, !question_state(session)->on);
    if (session->memory)
        memory_note_text(session->memory, "questions",
                         question_state(session)->on ? "on" : "off");
    session_show_message(session,
                         question_state(session)->on ? "question.on" : "question.off",
                         NULL, NULL);
    return true;
}

static bool ask_anew(Session *session) {
    questions_ask_anew(session);
    return true;
}

static const char *why_not_answered(const Session *session) {
    return !questions_here(session)  ? "action.why.no_question"
           : questions_open(session) ? "action.why.question_waits"
                                     : NULL;
}

static const Action turning[] = {
    {"questions", "N", "N", .act = toggle},
    {"ask_again", "Shift+N", "Shift+N", .act = ask_anew, .why_not = why_not_answered,
     .traits = ACTION_ON_STEP},
};

const ActionGroup actions_questions = ACTION_GROUP(&mode_lesson, turning);

static List *options_of(Session *session) {
    return &question_state(session)->options;
}

/* None as long as the keys are the lesson's. */
static size_t count_options(Session *session) {
    return has_options(session) ? questions_asked(session)->count : 0;
}

static const ListControl control = {
    .list = options_of, .count = count_options, .wraps = true};

/* A digit begins a number; other keys are the lesson's. While presenting, a point that
 * isn't within a number is the black screen's key. */
static ModeAnswer key(Session *session, const char *name) {
    bool blanks = session_presents(session) && !writes(session);
    bool digit =
        strlen(name) == 1 && strchr(blanks ? "0123456789-(" : "0123456789.-(", *name);
    if (questions_take_text(session) && digit)
        return begin_number(session, name) ? MODE_CHANGES : MODE_TAKES;
    if (!rests(session) || !digit)
        return MODE_PASSES;
    session_show_message(session, "question.answered", NULL, NULL);
    return MODE_CHANGES;
}

/* The buttons of a number's field, as while practising. */
static ModeAnswer press(Session *session, Link link) {
    if (link.kind != LINK_COMMAND || !questions_open(session))
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
    static const Field empty;
    bool whole = mode_on(session, &mode_practise);
    const Mode *writing = mode_writing(session);
    bool own = !writing || writing == &mode_question || writing == &mode_practise;
    const Field *field = own ? &session->field : &empty;
    return (PractisePanel){.practise = &practise_state(session)->round,
                           .answer = field->text,
                           .caret = field->caret,
                           .selected = field->selected,
                           .chosen = question_state(session)->options.chosen,
                           .number = practise_state(session)->round.at + 1,
                           .of = practise_state(session)->round.count,
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

/* Shows the question in place of the words, and hides everything that shows its answer.
 */
static void show(Session *session, Page *page, Arena *arena) {
    PractisePanel *panel =
        questions_asked(session) ? arena_alloc(arena, 1, sizeof *panel) : NULL;
    if (!panel || mode_on(session, &mode_practise))
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
                            .state_size = sizeof(QuestionState),
                            .missing = "action.why.no_question",
                            .rests = rests,
                            .list = &control,
                            .key = key,
                            .writes = writes,
                            .helps = true,
                            .press = press,
                            .show = show,
                            .leave = leave};
