/* Result of a quiz as a page: how many answers were right, each question with its lesson,
 * and the lessons to read again. */
#pragma once

#include "lesson/practise/practise.h"
#include "picture/explain/explain.h"

typedef struct QuizLine {
    const char *lesson, *question; /* "8 · One head"; question: "" if unknown */
    ExerciseOutcome outcome;
} QuizLine;

typedef struct QuizSheet {
    size_t count, right; /* right: at the first try */
    QuizLine lines[QUIZ_QUESTIONS];
} QuizSheet;

/* Draws the sheet. The missed questions link to panel->look, with their number from 1 as
 * row. */
void quiz_sheet_draw(const Canvas *canvas, const PractisePanel *panel,
                     const QuizSheet *sheet);
