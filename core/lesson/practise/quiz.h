/* Quizzes: questions of many lessons, evenly distributed over them. */
#pragma once

#include "lesson/practise/exercise.h"

enum { QUIZ_QUESTIONS = 10 };

typedef struct QuizItem {
    size_t lesson;   /* index in the list of lessons */
    size_t question; /* index among the lesson's questions about ideas */
    ExerciseOutcome outcome;
} QuizItem;

/* Chooses up to QUIZ_QUESTIONS of all questions, lesson i having is_question[i]: divides
 * them into as many equal ranges and takes one from each, in order. The same seed chooses
 * the same. Returns their number. */
size_t quiz_choose(const size_t *is_question, size_t count, uint64_t seed,
                   QuizItem items[QUIZ_QUESTIONS]);

/* Returns the step of that question of a lesson; the last question if there are fewer,
 * PLAYER_NONE if there is none. */
size_t quiz_step(const Player *player, size_t question);
