/* An exercise: what a lesson's step asks, or what can be asked of its operation, and how
 * the learner has fared with it so far. A round of them is practise.h's. */
#ifndef LESSON_EXERCISE_H
#define LESSON_EXERCISE_H

#include "base/random.h"
#include "lesson/play/follow.h"

enum { EXERCISE_EASY_PARTS = 8 }; /* of a sum: longer ones are nothing for the head */

typedef enum ExerciseKind {
    EXERCISE_CELL,      /* what is this number? */
    EXERCISE_LARGEST,   /* which column of this row is the largest? */
    EXERCISE_NEXT_WORD, /* the same of a row that says the next word */
    EXERCISE_CHOICE,    /* which of these is so? */
    EXERCISE_ORDER,     /* in which order do these come? */
    EXERCISE_DIRECTION, /* up, down or the same, when another number changes? */
    EXERCISE_THOUGHT    /* there is nothing to answer but to look */
} ExerciseKind;

/* How an exercise ended. */
typedef enum ExerciseOutcome {
    EXERCISE_OPEN,
    EXERCISE_AT_ONCE,
    EXERCISE_AFTER_HINTS,
    EXERCISE_SKIPPED /* or shown after the last hint */
} ExerciseOutcome;

typedef struct Exercise {
    ExerciseKind kind;
    size_t step;              /* of the player's tree: the operation's */
    FollowCell cell;          /* asked for; of a row its largest */
    const Question *question; /* of the lesson's own; NULL: made from the operation */
    size_t tries;             /* wrong answers */
    ExerciseOutcome outcome;
    /* with options */
    size_t count;                        /* of them; 0: none */
    size_t shown[QUESTION_OPTIONS_MAX];  /* which of the question's stands where */
    bool tried[QUESTION_OPTIONS_MAX];    /* what stands there was chosen and is wrong */
    size_t placed[QUESTION_OPTIONS_MAX]; /* of an order: the places chosen so far … */
    size_t placed_count;                 /* … and how many */
    WhatIf what;                         /* of a direction */
    Trend trend;                         /* its answer: option trend − 1 */
    double before, after;
} Exercise;

/* The lesson's question about a number of the step's own result, or NULL; and what the
 * step asks itself, whatever that is, or NULL. */
const Question *exercise_number_asked(const Player *player, size_t step);
const Question *exercise_question_at(const Player *player, size_t step);

/* Whether a step asks itself, and for more than a number. */
bool exercise_is_choice(const Player *player, size_t step);

/* Whether there is something to reckon. */
bool exercise_is_computed(const Player *player, size_t step);

/* How many numbers one cell is made of. */
size_t exercise_size_of_sum(const Player *player, const TapeNode *node);

/* Each makes an exercise of a step; false where it can't: what the step asks, what its
 * operation's idea is, and a number or a row's largest. `scratch` is emptied,
 * but where it was exhausted. */
bool exercise_ask(Exercise *exercise, const Player *player, size_t step, Arena *scratch);
bool exercise_of_idea(Exercise *exercise, const Player *player, size_t step,
                      Random *random, Arena *scratch);
bool exercise_make(Exercise *exercise, const Player *player, size_t step, Random *random,
                   Arena *scratch);

#endif
