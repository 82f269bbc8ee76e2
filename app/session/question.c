#include "session/state.h"

#include "base/hash.h"
#include "lesson/content/changes.h"

#include <string.h>

QuestionState *question_state(const Session *session) {
    return mode_state(session, &mode_question);
}

static Practise *round_of(Session *session) {
    return &practise_state(session)->round;
}

static bool is_practising(const Session *session) {
    return mode_on(session, &mode_practise);
}

const Exercise *questions_asked(const Session *session) {
    return mode_on(session, &mode_question)
               ? practise_exercise(&practise_state(session)->round)
               : NULL;
}

bool questions_open(const Session *session) {
    return questions_asked(session) && practise_hides(&practise_state(session)->round);
}

static uint64_t hash_of(const char *text) {
    return hash_bytes(HASH_START, text, strlen(text));
}

/* ---- which have been answered: now or, without having it shown, another time ---- */

/* Returns the outcome of the present step's question since the program was started. */
static ExerciseOutcome outcome_now(const Session *session) {
    const QuestionState *questions = question_state(session);
    uint64_t lesson = hash_of(session->lesson->id);
    uint64_t step = hash_of(player_step(&session->player)->path);
    for (size_t i = questions->count; i > 0; i--) {
        if (questions->answered[i - 1].lesson == lesson &&
            questions->answered[i - 1].step == step)
            return questions->answered[i - 1].outcome;
    }
    return EXERCISE_OPEN;
}

/* True if the present step's question has been answered; while a class is asked, answers
 * from before don't count. */
static bool is_answered(const Session *session) {
    const Notes *progress = practise_state(session)->progress;
    const char *id = session->lesson->id, *path = player_step(&session->player)->path;
    if (progress && !session_presents(session) && !question_state(session)->again &&
        progress_has_answer(progress, id, path))
        return true;
    return outcome_now(session) != EXERCISE_OPEN;
}

/* Forgets the answers that `forgets` is true for. */
static void forget_answers(Session *session,
                           bool (*forgets)(const Session *, const QuestionAnswered *)) {
    QuestionState *questions = question_state(session);
    size_t kept = 0;
    for (size_t i = 0; i < questions->count; i++) {
        if (!forgets(session, &questions->answered[i]))
            questions->answered[kept++] = questions->answered[i];
    }
    if (kept < questions->count && !is_practising(session) && !questions_open(session))
        mode_leave(session, &mode_question); /* one that has been answered */
    questions->count = kept;
}

static bool is_of_step(const Session *session, const QuestionAnswered *answered) {
    return answered->lesson == hash_of(session->lesson->id) &&
           answered->step == hash_of(player_step(&session->player)->path);
}

static bool is_of_no_talk(const Session *session, const QuestionAnswered *answered) {
    return answered->lesson == hash_of(session->lesson->id) && !answered->presented;
}

static bool is_of_lesson(const Session *session, const QuestionAnswered *answered) {
    return answered->lesson == hash_of(session->lesson->id);
}

void questions_ask_again(Session *session, bool resumes) {
    forget_answers(session, resumes ? is_of_no_talk : is_of_lesson);
}

/* A return to the beginning while presenting means another class: the lesson's
 * questions are asked again. */
static void look_for_another_class(Session *session) {
    bool begins = session_presents(session) && !player_statement(&session->player);
    const Lesson *begun = begins ? session->lesson : NULL;
    if (begun && begun != question_state(session)->begun)
        questions_ask_again(session, false);
    question_state(session)->begun = begun;
}

/* The oldest is forgotten where there is no room. */
static void note_answer(Session *session) {
    QuestionState *questions = question_state(session);
    if (questions->count == QUESTIONS_KEPT) {
        memmove(questions->answered, questions->answered + 1,
                (QUESTIONS_KEPT - 1) * sizeof *questions->answered);
        questions->count--;
    }
    questions->answered[questions->count].lesson = hash_of(session->lesson->id);
    questions->answered[questions->count].step =
        hash_of(player_step(&session->player)->path);
    questions->answered[questions->count].presented = session_presents(session);
    questions->answered[questions->count++].outcome = questions_asked(session)->outcome;
    static const char *const how[] = {"", "at_once", "after_hints", "shown"};
    Notes *progress = practise_state(session)->progress;
    Error error;
    if (progress && !progress_answer(progress, session->lesson->id,
                                     player_step(&session->player)->path,
                                     how[questions_asked(session)->outcome], &error))
        session_show_message(session, "practise.not_kept", error.message, NULL);
}

/* ---- coming and going ---- */

bool questions_here(const Session *session) {
    const Player *player = &session->player;
    if (!question_state(session)->on || !mode_on(session, &mode_lesson) ||
        mode_on(session, &mode_tour) || player->cell != PLAYER_NONE ||
        player_step(player)->depth != player->depth)
        return false;
    const LessonStep *words = player_step(player)->words;
    return words && words->question && words->result == player_step(player)->node &&
           !changes_any(session->lesson->changes);
}

/* Returns true if the present step's question is to be asked. It isn't after following a
 * number to the step, because the user wants to see it. */
static bool should_ask(const Session *session) {
    return questions_here(session) && !is_answered(session) && !trace_is_open(session);
}

/* True if the present step's question has been answered and is shown with its answer. */
static bool should_recall(const Session *session) {
    return questions_here(session) && outcome_now(session) != EXERCISE_OPEN;
}

static bool is_here(const Session *session) {
    const QuestionState *questions = question_state(session);
    return mode_on(session, &mode_lesson) && questions->lesson == session->lesson &&
           questions->step == session->player.step && session->player.cell == PLAYER_NONE;
}

/* Takes the present step's question up. */
static bool take_up(Session *session) {
    QuestionState *questions = question_state(session);
    questions->options.chosen = PLAYER_NONE;
    questions->lesson = session->lesson;
    questions->step = session->player.step;
    practise_finish(round_of(session)); /* asked again, it has one */
    return practise_begin_question(round_of(session), &session->player, questions->step);
}

static void ask(Session *session) {
    if (!take_up(session))
        return;
    pin_rest(session);
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
    mode_raise(session, &mode_pin); /* its keys come first: the question is answered */
}

/* While practising: as long as there is something to choose from. */
static void follow_practise(Session *session) {
    const Exercise *exercise = practise_exercise(round_of(session));
    bool options = practise_hides(round_of(session)) && exercise->count;
    if (!options) {
        mode_leave(session, &mode_question);
    } else if (!mode_on(session, &mode_question) ||
               question_state(session)->step != exercise->step) {
        question_state(session)->step = exercise->step;
        question_state(session)->options.chosen = PLAYER_NONE;
        mode_enter(session, &mode_question);
    }
}

void questions_look(Session *session) {
    look_for_another_class(session);
    question_state(session)->again &= is_here(session);
    if (is_practising(session)) {
        follow_practise(session);
        return;
    }
    bool on = mode_on(session, &mode_question);
    if (on && (!is_here(session) || (questions_open(session) && !should_ask(session)))) {
        on = !mode_leave(session, &mode_question);
        if (mode_on(session, &mode_lesson))
            pin_look(session);
    }
    if (!on && should_ask(session))
        ask(session);
    else if (!on && should_recall(session))
        recall(session);
}

void questions_ask_anew(Session *session) {
    forget_answers(session, is_of_step);
    take_up(session);
    question_state(session)->again = true;
    questions_look(session);
}

void session_ask(Session *session, bool on) {
    question_state(session)->on = on;
    questions_look(session);
}

bool questions_wait(const Session *session) {
    return questions_open(session) || (!is_practising(session) && should_ask(session));
}

/* ---- answering ---- */

/* Shows the result with the animation that it would have had without a question. */
bool questions_show_result(Session *session) {
    if (questions_open(session) || is_practising(session))
        return true;
    Player before = session->player;
    note_answer(session);
    session->field = (Field){0};
    pin_look(session);
    mode_raise(session, &mode_pin);
    if (player_move(&before, PLAYER_LEFT))
        autoplay_begin_motion(session, &before);
    return true;
}

bool questions_see_answer(Session *session) {
    practise_skip(round_of(session));
    return questions_show_result(session);
}

bool questions_show_answer(Session *session) {
    return !is_practising(session) && questions_open(session) &&
           questions_see_answer(session);
}

bool questions_take_text(const Session *session) {
    return !is_practising(session) && questions_open(session) &&
           questions_asked(session)->kind == EXERCISE_CELL;
}
