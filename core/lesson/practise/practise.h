/* Practising: exercises made from a lesson's own numbers, and the judging of answers.
 *
 * A round has the lesson's own questions (`ask:`) and, from its operations, exercises
 * chosen by a seed, in the lesson's order: the same lesson and seed give the same round.
 * Some ask for a number, some for an operation's idea: which way one number goes when
 * another changes (lesson/practise/ideas.h).
 * A wrong answer gets a hint that says, as far as that can be told, where it goes astray;
 * the next one the sum with one gap; the third the whole. Nothing here draws or speaks:
 * a hint names its words by a key and has the terms that go with them.
 *
 * A Practise owns two arenas, emptied with every exercise and with every answer. It
 * borrows the player's lesson and its steps and changes neither. */
#ifndef LESSON_PRACTISE_H
#define LESSON_PRACTISE_H

#include "lesson/practise/exercise.h"
#include "lesson/practise/hint.h"

enum { PRACTISE_MAX = 16, PRACTISE_USUAL = 7 };

typedef struct Practise {
    const Player *player; /* borrowed, as it stood; its cursor is not looked at */
    Arena *arena;         /* of `term` */
    Arena *answers;       /* of the last answer, and what is said to it */
    size_t count, at;     /* at == count: the round is over */
    Exercise exercises[PRACTISE_MAX];
    const Term *term; /* how the number asked for came to be */
    Hint hint;        /* what was said last */
    bool is_short;    /* it could not begin, as there is no memory */
} Practise;

typedef struct PractiseScore {
    size_t at_once, after_hints, skipped;
} PractiseScore;

/* Begins a round. False, with nothing to finish, when the lesson has no operation to ask
 * about or there is no memory. */
bool practise_begin(Practise *practise, const Player *player, uint64_t seed);

/* Whether there was no memory to begin it, or for what it says now. */
bool practise_was_short(const Practise *practise);

/* Puts its exercises into the lesson's order. */
void practise_sort(Practise *practise);

/* Begins a round of one exercise, from a step's operation: the lesson's question where it
 * has one there, else by the seed. False also where the step has nothing to reckon. */
bool practise_begin_at(Practise *practise, const Player *player, size_t step,
                       uint64_t seed);

/* Whether a round of one step, or of the whole lesson (PLAYER_NONE), would have
 * exercises. */
bool practise_can_begin(const Player *player, size_t step);

/* Begins a round of one exercise: what a step itself asks, not only what is reckoned in
 * it. False also where it asks nothing. */
bool practise_begin_question(Practise *practise, const Player *player, size_t step);

/* Frees what it owns; {0} is fine. */
void practise_finish(Practise *practise);

/* The present exercise; NULL when the round is over. */
const Exercise *practise_exercise(const Practise *practise);

/* Whether the present exercise's result is still to be found out. */
bool practise_hides(const Practise *practise);

/* Whether a node's numbers would give that away. */
bool practise_hides_node(const Practise *practise, size_t node);

/* Judges an answer: a number or expression, of a row a column's label or number. Right
 * when it is within judge_tolerance. What can't be read is no try. */
void practise_answer(Practise *practise, const char *text);

/* The same for a column of the asked row, pointed at. */
void practise_choose(Practise *practise, size_t col);

/* Chooses the option that stands at a place, from 0; of an order it comes next. */
void practise_pick(Practise *practise, size_t place);

/* Takes the last one of an order back; false where none is placed. */
bool practise_remove_last(Practise *practise);

/* Gives the present exercise up: its whole sum is shown. */
void practise_skip(Practise *practise);

/* The present exercise ended so another time. */
void practise_settle(Practise *practise, ExerciseOutcome outcome);

/* Goes on behind an exercise that has ended; false while it hasn't. */
bool practise_next(Practise *practise);

PractiseScore practise_score(const Practise *practise);

/* "part", "first" …: under `practise.hint.` in the interface's strings. */
const char *practise_hint_name(HintKind kind);

/* "cell", "largest", "next_word", "choice" … */
const char *practise_kind_name(ExerciseKind kind);

#endif
