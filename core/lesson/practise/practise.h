/* Practice: exercises made from a lesson's own numbers, and the judging of answers.
 *
 * A round has the lesson's own questions (`ask:`), of many with options some from all
 * parts of the lesson, and, from its operations, exercises chosen by a seed, among them
 * always numbers to compute, in the lesson's order: the same lesson and seed give the
 * same round. Some ask for a number, some for an operation's idea: the direction in which
 * one number changes when another does. The first wrong answer gets a hint at the
 * mistake, if it can be located; the second the sum with one gap; the third the whole
 * sum. Nothing here draws: a hint has a key of its words and the terms that belong to it.
 *
 * A Practise owns two arenas, reset with every exercise and with every answer. It borrows
 * the player's lesson and its steps and modifies neither. */
#pragma once

#include "base/random.h"
#include "lesson/content/question.h"
#include "lesson/play/follow.h"
#include "lesson/play/player.h"

#include <stdint.h>

typedef struct Arena Arena;
typedef struct Lesson Lesson;
typedef struct Tape Tape;
typedef struct TapeNode TapeNode;
typedef struct Term Term;
typedef struct WhatIf WhatIf;

/* Answers: parses the number or expression that a learner types into a term.
 *
 * Allowed are + − * / ^, parentheses, sqrt exp log sin cos, e and pi, inf; ×, ·, ÷, √ and
 * − as well. Powers bind tightest and to the right, then signs, then * and /, then + and
 * −, as in Python. The term's leaves are numbers, so it can be compared part by part with
 * an explanation (tensor/terms/term.h) and drawn like one. */

enum { ANSWER_MAX_DEPTH = 32, ANSWER_WORD_SIZE = 24 };

/* Syntax errors of an answer. */
typedef enum AnswerFault {
    ANSWER_FINE,
    ANSWER_EMPTY,
    ANSWER_COMMA,       /* a decimal comma */
    ANSWER_SIGN,        /* an unknown character: `word` */
    ANSWER_NAME,        /* an unknown name: `word` */
    ANSWER_UNFINISHED,  /* it ends where a number is expected */
    ANSWER_PARENTHESIS, /* an unmatched one */
    ANSWER_TWO_NUMBERS, /* two numbers without an operator between them */
    ANSWER_TOO_DEEP,    /* or too long */
    ANSWER_NO_NUMBER,   /* undefined: 0/0, sqrt(-1) */
    ANSWER_BEYOND,      /* overflow: `word` */
    ANSWER_FAULT_COUNT
} AnswerFault;

typedef struct AnswerProblem {
    AnswerFault fault;
    char word[ANSWER_WORD_SIZE]; /* UTF-8; "" if the fault has none */
} AnswerProblem;

/* Parses an answer; the term is new in the arena. NULL with the problem. */
const Term *answer_parse(Arena *arena, const char *text, AnswerProblem *problem);

/* Returns "comma", "sign" …: keys below `practise.fault.` in the interface's strings; ""
 * for ANSWER_FINE. */
const char *answer_fault_name(AnswerFault fault);

/* Hints: feedback on a learner's answer. */

enum { HINT_TEXT_SIZE = 64 };

/* Kinds of feedback. After a colon: the fields of Hint that belong to it. */
typedef enum HintKind {
    HINT_NONE,
    HINT_RIGHT,
    HINT_FAULT,       /* syntax error: problem */
    HINT_LABEL,       /* no column has this label: text */
    HINT_PART,        /* part `number` of the sum: yours, term */
    HINT_NUMERATOR,   /* yours, term */
    HINT_DENOMINATOR, /* yours, term */
    HINT_FACTOR,      /* yours, term */
    HINT_INNER,       /* under a root, in an exponent …: yours, term */
    HINT_MISSING,     /* part `number` is missing: term */
    HINT_TOO_MANY,    /* the sum has no such part: yours */
    HINT_PARTIAL,     /* the sum of the first `number` parts only: term, the next part */
    HINT_SIGN,        /* wrong sign of part `number`: term */
    HINT_LINES,       /* row and column of a product: cell */
    HINT_NEGATED,     /* the whole has the wrong sign */
    HINT_NEAR,        /* right except for the last digits */
    HINT_TRANSPOSED,  /* the number of the transposed cell: cell */
    HINT_OTHER_CELL,  /* the number of another cell: cell */
    HINT_BEFORE,      /* the number before this operation: cell */
    HINT_LEFT_OUT,    /* the softmax of the numbers before a scaling or a mask: cell */
    HINT_NOT_DIVIDED, /* the numerator without division: term, the denominator */
    HINT_ROW_FOR_COLUMN, /* a product with a row instead of the column: cell */
    HINT_FIRST,          /* no diagnosis: term, the first part */
    HINT_COPIED,         /* a copy of a cell of another tensor: cell */
    HINT_REASON,         /* explanation of the wrong option `number` */
    HINT_ORDER,          /* the first `number` are right, the next one is wrong */
    HINT_TREND,          /* wrong direction */
    HINT_CHOSEN,         /* computation of the chosen number of a row: cell, term */
    HINT_GAP,            /* the sum with one part left out: term, gap */
    HINT_WHOLE,          /* the whole sum: term */
    HINT_COUNT
} HintKind;

typedef struct Hint {
    HintKind kind;
    AnswerProblem problem;
    char text[HINT_TEXT_SIZE];      /* UTF-8, truncated */
    size_t number;                  /* counted from 1 */
    const Term *yours, *term, *gap; /* NULL if the kind has none */
    FollowCell cell;
} Hint;

/* Exercises: a question of a lesson's step or about its operation, and the learner's
 * progress with it. A round of exercises is in practise.h. */

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
    EXERCISE_THOUGHT    /* a question to think about, without an answer; on paper: to
                           explain, with the step's text as the answer */
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
    bool whole_row;  /* on paper: all cells of the cell's row are asked for */
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

/* Returns the number of steps that may be asked about; the closing step may not. */
size_t exercise_steps(const Player *player);

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

/* PRACTISE_OWN: most of the lesson's own questions with options in a round. */
enum { PRACTISE_MAX = 32, PRACTISE_USUAL = 7, PRACTISE_OWN = 9 };

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

/* Judging an answer: compares it with the explanation of the number asked for. */

typedef struct Judge {
    const Tape *tape;
    FollowCell cell;  /* the cell asked for */
    const Term *term; /* its explanation */
    Arena *arena;     /* arena for the hints' terms */
} Judge;

/* Returns the tolerance for answers near a value: half a unit of the third decimal, or 1
 * % of it, whichever is larger. */
double judge_tolerance(double value);

/* Reports whether an answer is within judge_tolerance; infinities must be equal. */
bool judge_is_close(double answer, double value);

/* Returns the first hint for a wrong answer: the part that differs if the typed
 * expression has the explanation's structure; else what number it equals by mistake; else
 * the first part, computed. `decimals` are those of a plain number as typed, else -1. */
Hint judge_answer(const Judge *judge, const Term *typed, int decimals);

/* Returns the second hint: the whole sum except for one part, which is the one of the
 * hint `before` if possible. */
Hint judge_gap(const Judge *judge, const Hint *before);

/* Ideas: questions about an operation's principle.
 *
 * "One score grows by 1: what happens to the probability beside it?" One table has the
 * change and the number to observe for each operation; the answer is computed on the tape
 * (tensor/tape/what_if.h). */

/* Makes a question about a step, an operation or a composite. False if there is none: it
 * has no inputs, or its numbers don't allow the question. */
bool idea_of(const Player *player, size_t step, Random *random, WhatIf *what);

/* Questions on paper, without feedback: each number asked for can be computed from
 * printed ones, and is not revealed by them. */

enum {
    PAPER_LEAVES = 24,        /* most inputs of a number asked for */
    PAPER_ROW_COLUMNS = 4,    /* most numbers of a row to fill in */
    PAPER_QUESTIONS_USUAL = 8 /* questions of a lesson's worksheet */
};

/* Kinds of questions, the rarest in lessons first. */
typedef enum PaperKind {
    PAPER_ORDER,
    PAPER_ROW,
    PAPER_NUMBER,
    PAPER_DIRECTION,
    PAPER_EXPLAIN,
    PAPER_CHOICE,
    PAPER_KIND_COUNT
} PaperKind;

/* Request for a paper: how many questions, and how they are spread. */
typedef struct PaperOrder {
    size_t count; /* number of questions wanted */
    /* spread over the lessons, at most two of each, with points; else over the concepts
     * of the steps */
    bool exam;
    bool redrawn; /* the numbers are not the lesson's, so its texts with digits don't
                     apply */
    uint64_t seed;
} PaperOrder;

enum { PAPER_POINTS = 100 /* sum of an exam's points */ };

typedef struct PaperQuestion {
    size_t lesson;   /* index of its round */
    size_t exercise; /* index of its exercise there */
    size_t points;   /* 0: none */
} PaperQuestion;

/* Begins an empty round for paper_compose. False when there is no memory. */
bool practise_begin_paper(Practise *practise, const Player *player);

/* Chooses questions of the lessons of empty rounds, at most order->count, adds their
 * exercises to the rounds, and returns how many it found. The kinds are mixed, and two
 * questions in a row have different concepts if possible. The same order gives the same
 * questions, whatever the language and the paper. Memory is from `scratch`; when that or
 * a round's memory is exhausted, there are fewer questions. */
size_t paper_compose(Practise *rounds, size_t round_count, const PaperOrder *order,
                     PaperQuestion *questions, Arena *scratch);

/* Returns the kind of an exercise, and the concept that it is about (first wording);
 * "" if its step has none. */
PaperKind paper_kind(const Exercise *exercise);
const char *paper_concept(const Player *player, const Exercise *exercise);

/* Lists the cells asked for: one, those of a row, or none; returns their number. */
size_t paper_cells(const Practise *practise, const Exercise *exercise,
                   FollowCell cells[PAPER_ROW_COLUMNS]);

/* Lists the input cells of a cell, each once; cells of nodes without a step are replaced
 * by those shown, and constants of the formula are left out. Returns their number;
 * PAPER_LEAVES + 1: too many. */
size_t paper_leaves(const Tape *tape, FollowCell cell, Arena *scratch,
                    FollowCell leaves[PAPER_LEAVES]);

/* Reports whether a cell is asked for, or would reveal one that is: it is computed from
 * that alone and from given numbers. */
bool paper_reveals(const Practise *practise, FollowCell cell, Arena *scratch);

/* Reports whether pictures leave a cell blank: one that reveals an answer, and, if a
 * number of its table is watched, one that is computed from a number asked for. Check
 * whether `scratch` was exhausted: the result is then uncertain. */
bool paper_hides(const Practise *practise, FollowCell cell, Arena *scratch);

/* Reports whether a text has no digits, which may refer to numbers that were redrawn. */
bool paper_fits(const Text *text);

/* Variants of a lesson with other numbers of the same kind, as for neighbours in an
 * exam. */

/* Redraws the small numbers that a lesson gives: each table of whole numbers, or of
 * numbers with one or two decimals, between its own least and largest, and recomputes the
 * rest. IDs, masks and a model's parameters stay. The same seed draws the same. Draws
 * again while a result is not finite, as long as all draws together take no more work
 * than the lesson may. If there is nothing to redraw, or no draw is finite, *redrawn is
 * false and nothing changes. False when there is no memory. */
bool lesson_redraw(Lesson *lesson, uint64_t seed, bool *redrawn);

/* Quizzes: questions of many lessons, evenly distributed over them. */

enum { QUIZ_QUESTIONS = 10 };

typedef struct QuizItem {
    size_t lesson;   /* index in the list of lessons */
    size_t question; /* index among the lesson's questions about ideas */
    ExerciseOutcome outcome;
} QuizItem;

/* Chooses up to QUIZ_QUESTIONS of all questions, lesson i having is_question[i]: divides
 * them into as many equal ranges and takes one from each, in order. The same seed chooses
 * the same. Returns their number. */
size_t quiz_choose(const size_t *is_question, size_t count, uint64_t seed,
                   QuizItem items[QUIZ_QUESTIONS]);

/* Returns the step of that question of a lesson; the last question if there are fewer,
 * PLAYER_NONE if there is none. */
size_t quiz_step(const Player *player, size_t question);
