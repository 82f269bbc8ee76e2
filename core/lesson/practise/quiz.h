/* A quiz: questions of many lessons, one from each part of the way through them. */
#ifndef LESSON_QUIZ_H
#define LESSON_QUIZ_H

#include "lesson/practise/exercise.h"

enum { QUIZ_QUESTIONS = 10 };

typedef struct QuizItem {
    size_t lesson;   /* its place among those that were chosen from */
    size_t question; /* which of those it asks for its idea, from 0 */
    ExerciseOutcome outcome;
} QuizItem;

/* Chooses up to QUIZ_QUESTIONS of all questions, lesson i having asks[i]: as many equal
 * stretches of them as there are questions in the quiz, one from each, in their order.
 * The same seed chooses the same. Gives back how many there are; 0 for none. */
size_t quiz_choose(const size_t *is_question, size_t count, uint64_t seed,
                   QuizItem items[QUIZ_QUESTIONS]);

/* The step that asks that question of a lesson; the last that asks any where there are
 * fewer, PLAYER_NONE where there is none. */
size_t quiz_step(const Player *player, size_t question);

#endif
