#include "modes/modes.h"

#include "session/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char NOTES_ID[] = "quiz"; /* among what is noted of lessons */

/* ---- which questions ---- */

static size_t choose(Session *session, uint64_t seed, QuizItem items[QUIZ_QUESTIONS]) {
    Course *course = session->course;
    Arena *arena = arena_create(1 << 20);
    size_t *is_question =
        arena ? arena_alloc(arena, course->count + 1, sizeof *is_question) : NULL;
    size_t count = 0;
    for (size_t i = 0; is_question && i < course->count; i++)
        is_question[i] = course_contents(course, i)->questions;
    if (is_question)
        count = quiz_choose(is_question, course->count, seed, items);
    else
        session->short_of_memory = true;
    arena_destroy(arena);
    return count;
}

/* Each quiz that was taken makes the next one another. */
static uint64_t next_seed(const Session *session) {
    const Notes *progress = practise_state(session)->progress;
    return quiz_state(session)->taken + progress_of(progress, NOTES_ID).rounds + 1;
}

/* ---- from question to question ---- */

/* Its lesson comes first. */
static bool open_lesson(Session *session) {
    const QuizState *quiz = quiz_state(session);
    return opening_number(session, quiz->items[quiz->at].lesson,
                          (Arrival){.begins = &mode_practise});
}

bool quiz_begin(Session *session, uint64_t seed) {
    QuizState quiz = {.taken = quiz_state(session)->taken};
    quiz.count = choose(session, seed, quiz.items);
    if (!quiz.count)
        return false;
    home_note_place(session);
    *quiz_state(session) = quiz;
    return open_lesson(session);
}

static void record(Session *session) {
    QuizState *quiz = quiz_state(session);
    Notes *progress = practise_state(session)->progress;
    ProgressLesson notes = {.id = NOTES_ID};
    Error error;
    for (size_t i = 0; i < quiz->count; i++) {
        notes.at_once += quiz->items[i].outcome == EXERCISE_AT_ONCE;
        notes.after_hints += quiz->items[i].outcome == EXERCISE_AFTER_HINTS;
        notes.skipped += quiz->items[i].outcome == EXERCISE_SKIPPED;
    }
    if (!progress)
        quiz->taken++;
    else if (!progress_record(progress, &notes, &error))
        session_show_message(session, "practise.not_kept", error.message, NULL);
}

static bool end_question(Session *session, ExerciseOutcome outcome) {
    QuizState *quiz = quiz_state(session);
    quiz->items[quiz->at++].outcome = outcome;
    if (quiz->at < quiz->count)
        return open_lesson(session);
    record(session);
    practise_state(session)->chosen = PLAYER_NONE;
    return true;
}

bool quiz_go_on(Session *session) {
    return end_question(session, practise_state(session)->round.exercises[0].outcome);
}

bool quiz_resume(Session *session) {
    QuizState *quiz = quiz_state(session);
    size_t step = quiz_step(&session->player, quiz->items[quiz->at].question);
    Practise *round = &practise_state(session)->round;
    mode_leave(session, &mode_question);
    if (step == PLAYER_NONE || !practise_begin_question(round, &session->player, step))
        return false; /* a text of the learner's own, of which nothing is asked */
    snprintf(quiz->paths[quiz->at], SESSION_NAME_SIZE, "%s",
             session->player.steps[step].path);
    quiz->on = true;
    return true;
}

/* ---- behind the last one ---- */

bool quiz_look(Session *session, size_t index) {
    QuizState *quiz = quiz_state(session);
    quiz->on = false;
    if (index >= quiz->count) {
        home_enter(session);
        return true;
    }
    Arrival arrival = {0};
    memcpy(arrival.path, quiz->paths[index], sizeof arrival.path);
    return opening_number(session, quiz->items[index].lesson, arrival);
}

bool quiz_again(Session *session) {
    return quiz_begin(session, next_seed(session));
}

/* Returns the text of a question; "" if its lesson isn't loaded. */
static const char *question_of(const Session *session, size_t index) {
    const CourseLesson *entry =
        &session->course->lessons[quiz_state(session)->items[index].lesson];
    const Player *player = entry->own ? &entry->own_player : &entry->player;
    for (size_t i = 0; (entry->lesson || entry->own) && i < player->step_count; i++) {
        const Question *question = exercise_question_at(player, i);
        if (question &&
            strcmp(player->steps[i].path, quiz_state(session)->paths[index]) == 0)
            return text_in(&question->text, session->language);
    }
    return "";
}

QuizSheet quiz_sheet(Session *session, Arena *arena) {
    const QuizState *quiz = quiz_state(session);
    QuizSheet sheet = {.count = quiz->count};
    for (size_t i = 0; i < quiz->count; i++) {
        size_t lesson = quiz->items[i].lesson;
        const char *words[] = {
            arena_format(arena, "%d", atoi(session->course->lessons[lesson].id)),
            course_title(session->course, lesson, session->language)};
        sheet.right += quiz->items[i].outcome == EXERCISE_AT_ONCE;
        sheet.lines[i] =
            (QuizLine){.lesson = language_sentence(session->language, "quiz.lesson", 2,
                                                   words, arena),
                       .question = question_of(session, i),
                       .outcome = quiz->items[i].outcome};
    }
    return sheet;
}

/* ---- actions ---- */

static const char *why_no_quiz(const Session *session) {
    Course *course = session->course;
    for (size_t i = 0; i < course->count; i++) {
        if (course_contents(course, i)->questions)
            return NULL;
    }
    return "action.why.no_quiz";
}

const ActionGroup actions_quiz = {
    NULL, 1, &(const Action){"quiz", "P", .act = quiz_again, .why_not = why_no_quiz}};
