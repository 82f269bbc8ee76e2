/* Practising and the quiz: the state of mode_practise. */
#pragma once

#include "lesson/practise/practise.h"
#include "session/mode.h"
#include "session/state.h"

typedef struct ProgressLesson ProgressLesson;

/* A quiz over the course. Each of its questions is practised as a round of one. */
typedef struct QuizState {
    bool on;      /* from its first question until it is left */
    size_t count; /* of questions */
    size_t at;    /* present question; `count` behind the last */
    QuizItem items[QUIZ_QUESTIONS];
    char paths[QUIZ_QUESTIONS][SESSION_NAME_SIZE]; /* of their steps, once asked */
    size_t taken; /* quizzes finished while no progress is kept */
} QuizState;

typedef struct PractiseState {
    Practise round;     /* also of a step's question (session/question.h) */
    bool whole;         /* the round is of the lesson, not of one step */
    bool recorded;      /* the round's outcome is noted */
    size_t chosen;      /* in the list at the end, or PLAYER_NONE */
    size_t step;        /* of the player before */
    size_t depth;       /* of the player before */
    size_t cell;        /* of the player before */
    size_t rounds;      /* finished while no progress is kept */
    size_t extra;       /* rounds of single steps */
    Progress *progress; /* borrowed; NULL: nothing is kept between runs */
    QuizState quiz;
} PractiseState;

PractiseState *practise_state(const Session *session);
QuizState *quiz_state(const Session *session);

/* The notes about practising a lesson, or NULL; borrowed from the progress. */
const ProgressLesson *practise_notes(const Session *session, const char *id);
