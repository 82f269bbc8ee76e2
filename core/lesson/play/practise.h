/* Practising: exercises made from a lesson's own numbers, and the judging of answers.
 *
 * A round has the lesson's own questions (`ask:`) and, from its operations, exercises
 * chosen by a seed, in the lesson's order: the same lesson and seed give the same round.
 * A wrong answer gets a hint that says, as far as that can be told, where it goes astray;
 * the next one the sum with one gap; the third the whole. Nothing here draws or speaks:
 * a hint names its words by a key and has the terms that go with them.
 *
 * A Practise owns two arenas, emptied with every exercise and with every answer. It
 * borrows the player's lesson and its steps and changes neither. */
#ifndef LESSON_PRACTISE_H
#define LESSON_PRACTISE_H

#include "lesson/play/hint.h"

enum { PRACTISE_MAX = 16, PRACTISE_USUAL = 7 };

typedef enum ExerciseKind {
    EXERCISE_CELL,     /* what is this number? */
    EXERCISE_LARGEST,  /* which column of this row is the largest? */
    EXERCISE_NEXT_WORD /* the same of a row that says the next word */
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
    size_t step;     /* of the player's tree: the operation's */
    FollowCell cell; /* asked for; of a row its largest */
    bool asked;      /* a question of the lesson's own */
    size_t tries;    /* wrong answers */
    ExerciseOutcome outcome;
} Exercise;

typedef struct Practise {
    const Player *player; /* borrowed, as it stood; its cursor is not looked at */
    Arena *arena;         /* of `term` */
    Arena *answers;       /* of the last answer, and what is said to it */
    size_t count, at;     /* at == count: the round is over */
    Exercise exercises[PRACTISE_MAX];
    const Term *term; /* how the number asked for came to be */
    Hint hint;        /* what was said last */
} Practise;

typedef struct PractiseScore {
    size_t at_once, after_hints, skipped;
} PractiseScore;

/* Begins a round. False, with nothing to finish, when the lesson has no operation to ask
 * about or there is no memory. */
bool practise_begin(Practise *practise, const Player *player, uint64_t seed);

/* Begins a round of one exercise, from a step's operation: the lesson's question where it
 * has one there, else by the seed. False also where the step has nothing to reckon. */
bool practise_begin_at(Practise *practise, const Player *player, size_t step,
                       uint64_t seed);

/* Frees what it owns; {0} is fine. */
void practise_finish(Practise *practise);

/* The present exercise; NULL when the round is over. */
const Exercise *practise_exercise(const Practise *practise);

/* Whether the present exercise's result is still to be found out. */
bool practise_hides(const Practise *practise);

/* Judges an answer: a number or expression, of a row a column's label or number. Right
 * when it is within judge_tolerance. What can't be read is no try. */
void practise_answer(Practise *practise, const char *text);

/* The same for a column of the asked row, pointed at. */
void practise_choose(Practise *practise, size_t col);

/* Gives the present exercise up: its whole sum is shown. */
void practise_skip(Practise *practise);

/* Goes on behind an exercise that has ended; false while it hasn't. */
bool practise_next(Practise *practise);

PractiseScore practise_score(const Practise *practise);

/* Whether a text has the number in it, as exactly as it writes its numbers. */
bool practise_tells(const char *text, double value);

/* "part", "first" …: under `practise.hint.` in the interface's strings. */
const char *practise_hint_name(HintKind kind);

/* "cell", "largest", "next_word". */
const char *practise_kind_name(ExerciseKind kind);

#endif
