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

#include "lesson/play/answer.h"
#include "lesson/play/follow.h"

enum { PRACTISE_MAX = 16, PRACTISE_USUAL = 7, PRACTISE_TEXT_SIZE = 64 };

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

/* What is said to an answer. The letters say which of a hint's fields go with it. */
typedef enum HintKind {
    HINT_NONE,
    HINT_RIGHT,
    HINT_FAULT,          /* it can't be read: problem */
    HINT_LABEL,          /* no column is called so: text */
    HINT_PART,           /* part `number` of the sum: yours, term */
    HINT_NUMERATOR,      /* yours, term */
    HINT_DENOMINATOR,    /* yours, term */
    HINT_FACTOR,         /* yours, term */
    HINT_INNER,          /* under a root, in an exponent …: yours, term */
    HINT_MISSING,        /* part `number` is left out: term */
    HINT_TOO_MANY,       /* the sum has no such part: yours */
    HINT_PARTIAL,        /* it is the sum of the first `number` parts: term, the next */
    HINT_SIGN,           /* the sign of part `number`: term */
    HINT_INDEX,          /* one factor of part `number` is another cell's: term */
    HINT_NEGATED,        /* all of it has the wrong sign */
    HINT_NEAR,           /* right but for its last digits */
    HINT_TRANSPOSED,     /* the number with row and column exchanged: cell */
    HINT_OTHER_CELL,     /* the number of another cell: cell */
    HINT_BEFORE,         /* what stood there before this operation: cell */
    HINT_LEFT_OUT,       /* the softmax of what came before a scaling or a mask: cell */
    HINT_NOT_DIVIDED,    /* the quotient's numerator: term, the denominator */
    HINT_ROW_FOR_COLUMN, /* a product with a row in place of the column: cell */
    HINT_FIRST,          /* where nothing else can be told: term, the first part */
    HINT_COPIED,         /* it is only moved here from a tensor: cell */
    HINT_CHOSEN,         /* of a row: how the chosen one came to be: cell, term */
    HINT_GAP,            /* the sum with a gap: term, gap */
    HINT_WHOLE,          /* term */
    HINT_COUNT
} HintKind;

typedef struct Hint {
    HintKind kind;
    AnswerProblem problem;
    char text[PRACTISE_TEXT_SIZE];  /* UTF-8, cut to fit */
    size_t number;                  /* from 1 */
    const Term *yours, *term, *gap; /* NULL where none goes */
    FollowCell cell;
} Hint;

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
 * when it is within practise_tolerance. What can't be read is no try. */
void practise_answer(Practise *practise, const char *text);

/* The same for a column of the asked row, pointed at. */
void practise_choose(Practise *practise, size_t col);

/* Gives the present exercise up: its whole sum is shown. */
void practise_skip(Practise *practise);

/* Goes on behind an exercise that has ended; false while it hasn't. */
bool practise_next(Practise *practise);

PractiseScore practise_score(const Practise *practise);

/* How far an answer may lie from a value: half a unit of the third decimal, or 1 % of it,
 * whichever is larger. */
double practise_tolerance(double value);

/* Whether a text has the number in it, as exactly as it writes its numbers. */
bool practise_tells(const char *text, double value);

/* "part", "first" …: under `practise.hint.` in the interface's strings. */
const char *practise_hint_name(HintKind kind);

/* "cell", "largest", "next_word". */
const char *practise_kind_name(ExerciseKind kind);

#endif
