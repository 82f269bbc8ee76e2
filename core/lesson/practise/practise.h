/* Practice: exercises made from a lesson's own numbers, and the judging of answers.
 *
 * A round has the lesson's own questions (`ask:`) and, from its operations, exercises
 * chosen by a seed, in the lesson's order: the same lesson and seed give the same round.
 * Some ask for a number, some for an operation's idea: the direction in which one number
 * changes when another does (lesson/practise/ideas.h). The first wrong answer gets a hint
 * at the mistake, if it can be located; the second the sum with one gap; the third the
 * whole sum. Nothing here draws: a hint has a key of its words and the terms that belong
 * to it.
 *
 * A Practise owns two arenas, reset with every exercise and with every answer. It borrows
 * the player's lesson and its steps and modifies neither. */
#pragma once

#include "lesson/practise/exercise.h"
#include "lesson/practise/hint.h"

enum { PRACTISE_MAX = 16, PRACTISE_USUAL = 7 };

typedef struct Practise {
    const Player *player; /* borrowed; its cursor is ignored */
    Arena *arena;         /* arena of `term` */
    Arena *answers;       /* arena of the last answer and its hint */
    /* number of exercises, and the present one; at == count: the round is over */
    size_t count, at;
    Exercise exercises[PRACTISE_MAX];
    const Term *term; /* explanation of the number asked for */
    Hint hint;        /* the last one */
    bool is_short;    /* beginning failed for lack of memory */
} Practise;

typedef struct PractiseScore {
    size_t at_once, after_hints, skipped;
} PractiseScore;

/* Begins a round. False, with nothing to finish, if the lesson has no operation to ask
 * about or there is no memory. */
bool practise_begin(Practise *practise, const Player *player, uint64_t seed);

/* Reports whether memory was short, at the beginning or for the present hint. */
bool practise_was_short(const Practise *practise);

/* Sorts its exercises into the lesson's order. */
void practise_sort(Practise *practise);

/* Begins a round of one exercise about a step's operation: the lesson's question if it
 * has one there, else chosen by the seed. False also if the step computes nothing. */
bool practise_begin_at(Practise *practise, const Player *player, size_t step,
                       uint64_t seed);

/* Reports whether a round of one step, or of the whole lesson (PLAYER_NONE), would have
 * exercises. */
bool practise_can_begin(const Player *player, size_t step);

/* Begins a round of one exercise: the question of the step itself, of any kind. False
 * also if it has none. */
bool practise_begin_question(Practise *practise, const Player *player, size_t step);

/* Frees what it owns; {0} is fine. */
void practise_finish(Practise *practise);

/* Returns the present exercise; NULL when the round is over. */
const Exercise *practise_exercise(const Practise *practise);

/* Reports whether the present exercise is unanswered, so that its result must be
 * hidden. */
bool practise_hides(const Practise *practise);

/* Reports whether a node's numbers would reveal it. */
bool practise_hides_node(const Practise *practise, size_t node);

/* Judges an answer: a number or expression, or for a row a column's label or number. It
 * is right within judge_tolerance. Syntax errors don't count as tries. */
void practise_answer(Practise *practise, const char *text);

/* The same for a column of the row, chosen by pointing. */
void practise_choose(Practise *practise, size_t col);

/* Chooses the option at a place, from 0; in an order it comes next. */
void practise_pick(Practise *practise, size_t place);

/* Removes the last option of an order; false if there is none. */
bool practise_remove_last(Practise *practise);

/* Gives up the present exercise: its whole sum is shown. */
void practise_skip(Practise *practise);

/* Restores the outcome of the present exercise from an earlier time. */
void practise_settle(Practise *practise, ExerciseOutcome outcome);

/* Goes to the next exercise; false if the present one isn't finished. */
bool practise_next(Practise *practise);

PractiseScore practise_score(const Practise *practise);

/* Returns "part", "first" …: keys below `practise.hint.` in the interface's strings. */
const char *practise_hint_name(HintKind kind);

/* Returns "cell", "largest", "next_word", "choice" … */
const char *practise_kind_name(ExerciseKind kind);
