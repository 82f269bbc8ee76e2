/* Exercises: a question of a lesson's step or about its operation, and the learner's
 * progress with it. A round of exercises is in practise.h. */
#pragma once

#include "base/random.h"
#include "lesson/content/question.h"
#include "lesson/play/follow.h"

typedef struct TapeNode TapeNode;

/* maximum number of parts of a sum for mental arithmetic */
enum { EXERCISE_EASY_PARTS = 8 };

typedef enum ExerciseKind {
    EXERCISE_CELL,    /* a number */
    EXERCISE_LARGEST, /* the column of a row's largest number */
    /* the same for a row of probabilities or logits of the next token */
    EXERCISE_NEXT_WORD,
    EXERCISE_CHOICE,    /* one of several options */
    EXERCISE_ORDER,     /* the order of options */
    EXERCISE_DIRECTION, /* the direction in which a number changes when another does */
    EXERCISE_THOUGHT    /* a question to think about, without an answer */
} ExerciseKind;

/* Result of an exercise. */
typedef enum ExerciseOutcome {
    EXERCISE_OPEN,
    EXERCISE_AT_ONCE,
    EXERCISE_AFTER_HINTS,
    EXERCISE_SKIPPED /* skipped, or solved by the last hint */
} ExerciseOutcome;

typedef struct Exercise {
    ExerciseKind kind;
    size_t step;     /* the operation's step in the player's tree */
    FollowCell cell; /* the cell asked for; for a row, its largest */
    /* the lesson's own question; NULL: made from the operation */
    const Question *question;
    size_t tries; /* number of wrong answers */
    ExerciseOutcome outcome;
    /* Fields of exercises with options. */
    size_t count; /* number of options; 0: none */
    /* index of the question's option at each place on the screen */
    size_t shown[QUESTION_OPTIONS_MAX];
    /* flags of places that were chosen and are wrong */
    bool tried[QUESTION_OPTIONS_MAX];
    size_t placed[QUESTION_OPTIONS_MAX]; /* places chosen so far in an order */
    size_t placed_count;                 /* number of places chosen */
    WhatIf what;                         /* change of a question for a direction */
    Trend trend; /* answer to a question for a direction: option trend − 1 */
    double before, after;
} Exercise;

/* Return the lesson's question about a number of the step's own result, or NULL; and the
 * question of the step itself, of any kind, or NULL. */
const Question *exercise_number_asked(const Player *player, size_t step);
const Question *exercise_question_at(const Player *player, size_t step);

/* Reports whether a step has a question of its own that isn't about a number. */
bool exercise_is_choice(const Player *player, size_t step);

/* Reports whether the step is an operation with cells: no given tensor, and no frame of a
 * training. */
bool exercise_is_computed(const Player *player, size_t step);

/* Returns the number of inputs of one cell. */
size_t exercise_size_of_sum(const Player *player, const TapeNode *node);

/* Each makes an exercise of a step; false if it can't: from the step's question, from its
 * operation's idea, and from a number or a row's largest. `scratch` is reset, unless it
 * was exhausted. */
bool exercise_ask(Exercise *exercise, const Player *player, size_t step, Arena *scratch);
bool exercise_of_idea(Exercise *exercise, const Player *player, size_t step,
                      Random *random, Arena *scratch);
bool exercise_make(Exercise *exercise, const Player *player, size_t step, Random *random,
                   Arena *scratch);
