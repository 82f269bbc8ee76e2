/* What became of a quiz, as a page to show: how many were right, each question with the
 * lesson that it is from, and which are worth reading again. */
#ifndef PICTURE_QUIZ_SHEET_H
#define PICTURE_QUIZ_SHEET_H

#include "lesson/practise/quiz.h"
#include "picture/explain/practising.h"

typedef struct QuizLine {
    const char *lesson, *question; /* "8 · One head"; question: "" where it isn't known */
    ExerciseOutcome outcome;
} QuizLine;

typedef struct QuizSheet {
    size_t count, right; /* right: at once */
    QuizLine lines[QUIZ_QUESTIONS];
} QuizSheet;

/* The missed ones link to panel->look, their place as row from 1. */
void quiz_sheet_draw(const Canvas *canvas, const PractisePanel *panel,
                     const QuizSheet *sheet);

#endif
