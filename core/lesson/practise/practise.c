#include "lesson/practise/practise.h"

#include "base/arena.h"
#include "base/maths.h"
#include "base/number.h"
#include "base/random.h"
#include "base/strings/utf8.h"
#include "lesson/content/content.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
    PRACTISE_MAX_MEMORY = 64 << 20, /* bytes of each arena */
    TRIES_SHOWN = 3,   /* number of wrong answers after which the whole sum is shown */
    NUMBERS_LEAST = 3, /* computed numbers in a round, if the lesson has so many */
    IDEAS_USUAL = 3,   /* number of ideas in a round */
    IDEA_SELDOM = 3,   /* one in so many exercises about a single step is an idea */
};

/* ---- choosing a round ---- */

static const TapeNode *node_at(const Player *player, size_t step) {
    return tape_node(player->lesson->tape, player->steps[step].node);
}

typedef struct Candidate {
    size_t step;
    double chance; /* larger values are chosen first */
} Candidate;

/* The weight of a step in the draw: computed numbers are asked for more often than copied
 * ones, and seldom inside a generation, whose steps repeat the model's. */
static double weight_of(const Player *player, size_t step) {
    const TapeNode *node = node_at(player, step);
    const PlayerStep *at = &player->steps[step];
    OperationWork work = operation_of(node->operation)->work;
    bool moves = work == OPERATION_WORK_BY_MOVING || work == OPERATION_WORK_BY_MARKING;
    bool repeats = at->depth > 1 && player->lesson->steps[at->statement].generate;
    double weight = moves ? 1 : 4;
    weight /= repeats ? 50 : 1;
    return exercise_size_of_sum(player, node) > EXERCISE_EASY_PARTS ? weight / 20
                                                                    : weight;
}

/* Returns the best candidate, kinds that were chosen already last; `count` if none is
 * left. */
static size_t best_of(const Player *player, const Candidate *candidates, size_t count,
                      const size_t used[OPERATION_COUNT]) {
    size_t best = count;
    double most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (candidates[i].step == PLAYER_NONE)
            continue;
        OperationKind kind = node_at(player, candidates[i].step)->operation;
        double chance = candidates[i].chance - (double)used[kind];
        if (chance > most) {
            most = chance;
            best = i;
        }
    }
    return best;
}

/* Reports whether an exercise asks for a number, or for the largest of a row. */
static bool is_computed(const Exercise *exercise) {
    return exercise->kind == EXERCISE_CELL || exercise->kind == EXERCISE_LARGEST ||
           exercise->kind == EXERCISE_NEXT_WORD;
}

/* Fills the round up, and beyond with numbers: half as many as questions with options, at
 * least NUMBERS_LEAST. */
static void add_chosen(Practise *practise, const Player *player, Random *random,
                       Candidate *candidates, size_t count) {
    size_t used[OPERATION_COUNT] = {0}, numbers = 0;
    for (size_t i = 0; i < practise->count; i++)
        numbers += is_computed(&practise->exercises[i]);
    size_t options = practise->count - numbers;
    size_t least = options / 2 > NUMBERS_LEAST ? options / 2 : NUMBERS_LEAST;
    while (practise->count < PRACTISE_USUAL ||
           (numbers < least && practise->count < PRACTISE_MAX)) {
        size_t best = best_of(player, candidates, count, used);
        if (best == count)
            return;
        size_t step = candidates[best].step;
        candidates[best].step = PLAYER_NONE;
        if (!exercise_make(&practise->exercises[practise->count], player, step, random,
                           practise->answers))
            continue;
        numbers += is_computed(&practise->exercises[practise->count]);
        practise->count++;
        used[node_at(player, step)->operation]++;
    }
}

/* Adds ideas of some operations, each kind once. */
static void add_ideas(Practise *practise, const Player *player, Random *random) {
    bool used[OPERATION_COUNT] = {false};
    size_t first = random_below(random, exercise_steps(player)), added = 0;
    for (size_t i = 0; i < exercise_steps(player) && added < IDEAS_USUAL; i++) {
        size_t step = (first + i) % exercise_steps(player);
        OperationKind kind = node_at(player, step)->operation;
        bool opens = player->steps[step].child_count > 0;
        if (practise->count == PRACTISE_MAX || (!opens && used[kind]) ||
            !(opens || exercise_is_computed(player, step)) ||
            !exercise_of_idea(&practise->exercises[practise->count], player, step, random,
                              practise->answers))
            continue;
        used[kind] |= !opens;
        practise->count++;
        added++;
    }
}

/* Sorts its exercises into the lesson's order. */
static void sort(Practise *practise) {
    for (size_t i = 1; i < practise->count; i++) {
        Exercise exercise = practise->exercises[i];
        size_t j = i;
        for (; j > 0 && practise->exercises[j - 1].step > exercise.step; j--)
            practise->exercises[j] = practise->exercises[j - 1];
        practise->exercises[j] = exercise;
    }
}

bool practise_was_short(const Practise *practise) {
    return practise->is_short ||
           (practise->arena &&
            (arena_exhausted(practise->arena) || arena_exhausted(practise->answers)));
}

/* Explains the number asked for. */
static void present(Practise *practise) {
    arena_reset(practise->arena);
    practise->hint = (Hint){0};
    practise->term = NULL;
    const Exercise *exercise = practise_exercise(practise);
    if (exercise)
        practise->term =
            tape_explain(practise->player->lesson->tape, exercise->cell.node,
                         exercise->cell.row, exercise->cell.col, practise->arena);
}

static bool start(Practise *practise, const Player *player) {
    *practise = (Practise){.player = player};
    practise->arena = arena_create(PRACTISE_MAX_MEMORY);
    practise->answers = arena_create(PRACTISE_MAX_MEMORY);
    if (practise->arena && practise->answers)
        return true;
    practise_finish(practise);
    practise->is_short = true;
    return false;
}

/* Reports whether the round can begin; frees everything if not. */
static bool started(Practise *practise) {
    if (practise->count) {
        present(practise);
        return true;
    }
    bool is_short = arena_exhausted(practise->answers);
    practise_finish(practise);
    practise->is_short = is_short;
    return false;
}

static size_t count_questions(const Player *player) {
    size_t count = 0;
    for (size_t i = 0; i < player->step_count; i++)
        count += exercise_is_choice(player, i);
    return count;
}

/* Adds the steps' own questions that are not about numbers; of more than PRACTISE_OWN one
 * from each of so many equal parts of the lesson, chosen by the seed. */
static void add_questions(Practise *practise, const Player *player, Random *random) {
    size_t all = count_questions(player), part = 0, at = 0;
    size_t parts = all < PRACTISE_OWN ? all : PRACTISE_OWN;
    size_t next = parts ? random_below(random, all / parts) : 0;
    for (size_t i = 0; i < player->step_count && part < parts; i++) {
        if (!exercise_is_choice(player, i) || at++ != next)
            continue;
        part++;
        size_t first = part * all / parts, end = (part + 1) * all / parts;
        next = part < parts ? first + random_below(random, end - first) : 0;
        if (practise->count < PRACTISE_MAX &&
            exercise_ask(&practise->exercises[practise->count], player, i,
                         practise->answers))
            practise->count++;
    }
}

bool practise_begin(Practise *practise, const Player *player, uint64_t seed) {
    if (!start(practise, player))
        return false;
    Random random;
    random_init(&random, seed);
    Candidate *candidates =
        arena_alloc(practise->arena, player->step_count, sizeof *candidates);
    if (!candidates) {
        practise_finish(practise);
        return false;
    }
    size_t count = 0;
    for (size_t i = 0; i < exercise_steps(player); i++) {
        if (!exercise_is_computed(player, i))
            continue;
        double chance = pow(random_uniform(&random), 1 / weight_of(player, i));
        if (!exercise_number_asked(player, i))
            candidates[count++] = (Candidate){i, chance};
        else if (practise->count < PRACTISE_MAX &&
                 exercise_make(&practise->exercises[practise->count], player, i, &random,
                               practise->answers))
            practise->count++;
    }
    Random of_questions; /* its own, so that numbers are drawn as without questions */
    random_init(&of_questions, seed + 1);
    add_questions(practise, player, &of_questions);
    add_chosen(practise, player, &random, candidates, count);
    add_ideas(practise, player, &random);
    sort(practise);
    return started(practise);
}

bool practise_begin_paper(Practise *practise, const Player *player) {
    return start(practise, player);
}

/* Returns the first operation within a step whose result is the step's. */
static size_t operation_of_step(const Player *player, size_t step) {
    for (size_t i = step; i < player->steps[step].next; i++) {
        if (player->steps[i].node == player->steps[step].node &&
            exercise_is_computed(player, i))
            return i;
    }
    return PLAYER_NONE;
}

bool practise_begin_at(Practise *practise, const Player *player, size_t step,
                       uint64_t seed) {
    *practise = (Practise){0};
    size_t operation = operation_of_step(player, step);
    bool is_question = exercise_is_choice(player, step);
    if ((operation == PLAYER_NONE && !is_question) || !start(practise, player))
        return false;
    Random random;
    random_init(&random, seed);
    Exercise *exercise = &practise->exercises[0];
    bool idea = !is_question && random_below(&random, IDEA_SELDOM) == 0;
    if (is_question
            ? exercise_ask(exercise, player, step, practise->answers)
            : (idea &&
               (exercise_of_idea(exercise, player, step, &random, practise->answers) ||
                exercise_of_idea(exercise, player, operation, &random,
                                 practise->answers))) ||
                  exercise_make(exercise, player, operation, &random, practise->answers))
        practise->count = 1;
    return started(practise);
}

bool practise_begin_question(Practise *practise, const Player *player, size_t step) {
    *practise = (Practise){0};
    if (!exercise_question_at(player, step) || !start(practise, player))
        return false;
    if (exercise_ask(&practise->exercises[0], player, step, practise->answers))
        practise->count = 1;
    return started(practise);
}

bool practise_can_begin(const Player *player, size_t step) {
    if (step != PLAYER_NONE)
        return operation_of_step(player, step) != PLAYER_NONE ||
               exercise_is_choice(player, step);
    for (size_t i = 0; i < exercise_steps(player); i++) {
        if (exercise_is_computed(player, i))
            return true;
    }
    return false;
}

void practise_finish(Practise *practise) {
    arena_destroy(practise->arena);
    arena_destroy(practise->answers);
    *practise = (Practise){0};
}

/* ---- answering ---- */

const Exercise *practise_exercise(const Practise *practise) {
    return practise->at < practise->count ? &practise->exercises[practise->at] : NULL;
}

bool practise_hides(const Practise *practise) {
    const Exercise *exercise = practise_exercise(practise);
    return exercise && exercise->outcome == EXERCISE_OPEN;
}

bool practise_hides_node(const Practise *practise, size_t node) {
    const Exercise *exercise = practise_exercise(practise);
    if (!practise_hides(practise))
        return false;
    if (!exercise->question) /* an idea needs numbers that are visible */
        return exercise->kind != EXERCISE_DIRECTION && node >= exercise->cell.node;
    size_t result = practise->player->steps[exercise->step].node;
    return !exercise->question->open && node >= result;
}

static const Tensor *result_of(const Practise *practise, const Exercise *exercise) {
    return &tape_node(practise->player->lesson->tape, exercise->cell.node)->output;
}

static void show_whole(Practise *practise, Exercise *exercise) {
    exercise->outcome = EXERCISE_SKIPPED;
    practise->hint = (Hint){.kind = HINT_WHOLE, .term = practise->term};
}

static void accept(Practise *practise, Exercise *exercise) {
    exercise->outcome = exercise->tries ? EXERCISE_AFTER_HINTS : EXERCISE_AT_ONCE;
    practise->hint = (Hint){.kind = HINT_RIGHT, .term = practise->term};
}

/* Sets the hint after a wrong answer: first `first`, then the gap, then the whole sum;
 * the whole sum at once if the gap would repeat `first`. */
static void judge_wrong(Practise *practise, Exercise *exercise, const Hint *first) {
    const Judge judge = {practise->player->lesson->tape, exercise->cell, practise->term,
                         practise->answers};
    exercise->tries++;
    Hint hint = exercise->tries > 1 ? judge_gap(&judge, &practise->hint) : *first;
    bool again = hint.kind == HINT_GAP && !hint.gap && hint.term == practise->hint.term;
    if (exercise->tries >= TRIES_SHOWN || again)
        show_whole(practise, exercise);
    else
        practise->hint = hint;
}

static void answer_number(Practise *practise, Exercise *exercise, const char *text) {
    Hint hint = {.kind = HINT_FAULT};
    const Term *typed = answer_parse(practise->answers, text, &hint.problem);
    if (!typed || !practise->term) {
        snprintf(hint.text, sizeof hint.text, "%s", hint.problem.word);
        practise->hint = hint;
        return;
    }
    if (judge_is_close(typed->value, practise->term->value)) {
        accept(practise, exercise);
        return;
    }
    const Judge judge = {practise->player->lesson->tape, exercise->cell, practise->term,
                         practise->answers};
    if (!exercise->tries) {
        int decimals =
            typed->kind == TERM_NUMBER && text[strspn(text, "0123456789.- ")] == 0
                ? number_decimals(text)
                : -1;
        hint = judge_answer(&judge, typed, decimals);
    }
    judge_wrong(practise, exercise, &hint);
}

void practise_choose(Practise *practise, size_t col) {
    Exercise *exercise = &practise->exercises[practise->at];
    bool row = exercise->kind == EXERCISE_LARGEST || exercise->kind == EXERCISE_NEXT_WORD;
    if (!practise_hides(practise) || !row || col >= result_of(practise, exercise)->cols)
        return;
    if (col == exercise->cell.col) {
        accept(practise, exercise);
        return;
    }
    FollowCell chosen = {exercise->cell.node, exercise->cell.row, col};
    Hint hint = {.kind = HINT_CHOSEN, .cell = chosen};
    hint.term = tape_explain(practise->player->lesson->tape, chosen.node, chosen.row,
                             chosen.col, practise->answers);
    judge_wrong(practise, exercise, &hint);
}

/* ---- options ---- */

/* Returns how many items of a complete order are right, from the beginning. */
static size_t count_right(const Exercise *exercise) {
    size_t right = 0;
    while (right < exercise->placed_count &&
           exercise->shown[exercise->placed[right]] == right)
        right++;
    return right;
}

static void place_next(Practise *practise, Exercise *exercise, size_t place) {
    for (size_t i = 0; i < exercise->placed_count; i++) {
        if (exercise->placed[i] == place)
            return;
    }
    exercise->placed[exercise->placed_count++] = place;
    practise->hint = (Hint){0};
    if (exercise->placed_count < exercise->count)
        return;
    size_t right = count_right(exercise);
    if (right == exercise->count) {
        accept(practise, exercise);
        return;
    }
    exercise->tries++;
    exercise->placed_count = right;
    practise->hint = (Hint){.kind = HINT_ORDER, .number = right};
}

/* Reports whether the option is the answer. */
static bool is_right(const Exercise *exercise, size_t option) {
    return exercise->kind == EXERCISE_DIRECTION
               ? option + 1 == exercise->trend
               : exercise->question->options[option].right;
}

void practise_pick(Practise *practise, size_t place) {
    Exercise *exercise = &practise->exercises[practise->at];
    if (!practise_hides(practise) || place >= exercise->count || exercise->tried[place])
        return;
    if (exercise->kind == EXERCISE_ORDER) {
        place_next(practise, exercise, place);
        return;
    }
    size_t option = exercise->shown[place];
    if (is_right(exercise, option)) {
        accept(practise, exercise);
        return;
    }
    exercise->tries++;
    exercise->tried[place] = true;
    bool reason = exercise->kind == EXERCISE_CHOICE;
    practise->hint =
        (Hint){.kind = reason ? HINT_REASON : HINT_TREND, .number = option + 1};
}

bool practise_remove_last(Practise *practise) {
    Exercise *exercise = &practise->exercises[practise->at];
    if (!practise_hides(practise) || !exercise->placed_count)
        return false;
    exercise->placed_count--;
    practise->hint = (Hint){0};
    return true;
}

void practise_settle(Practise *practise, ExerciseOutcome outcome) {
    if (practise_hides(practise))
        practise->exercises[practise->at].outcome = outcome;
}

/* ---- columns by name ---- */

static void trim(char out[HINT_TEXT_SIZE], const char *text) {
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    if (length >= HINT_TEXT_SIZE) {
        length = HINT_TEXT_SIZE - 1;
        while (length && utf8_check(text, length) < length)
            length--;
    }
    snprintf(out, HINT_TEXT_SIZE, "%.*s", (int)length, text);
}

/* Finds the column of a label, of several equal ones the right one; else of a number. */
static bool find_column(const Tensor *out, size_t right, const char *text, size_t *col) {
    bool found = false;
    for (size_t j = 0; out->col_labels && j < out->cols; j++) {
        if (strcasecmp(out->col_labels[j], text) != 0 || (found && j != right))
            continue;
        *col = j;
        found = true;
    }
    size_t number = 0, digits = strspn(text, "0123456789");
    if (found || !digits || text[digits] || digits > 7)
        return found;
    for (size_t i = 0; i < digits; i++)
        number = 10 * number + (size_t)(text[i] - '0');
    *col = number;
    return number < out->cols;
}

/* An answer that is judged under the guard of the answers' arena. */
typedef struct Answer {
    Practise *practise;
    Exercise *exercise;
    const char *text;
} Answer;

static void answer_guarded(void *context) {
    const Answer *this = context;
    answer_number(this->practise, this->exercise, this->text);
}

void practise_answer(Practise *practise, const char *text) {
    if (!practise_hides(practise))
        return;
    Exercise *exercise = &practise->exercises[practise->at];
    arena_reset(practise->answers);
    if (exercise->count || exercise->kind == EXERCISE_THOUGHT)
        return;
    if (exercise->kind == EXERCISE_CELL) {
        arena_guard(practise->answers, answer_guarded,
                    &(Answer){practise, exercise, text});
        return;
    }
    Hint hint = {.kind = HINT_LABEL};
    trim(hint.text, text);
    size_t col;
    if (!hint.text[0])
        practise->hint = (Hint){.kind = HINT_FAULT, .problem = {.fault = ANSWER_EMPTY}};
    else if (find_column(result_of(practise, exercise), exercise->cell.col, hint.text,
                         &col))
        practise_choose(practise, col);
    else
        practise->hint = hint;
}

void practise_skip(Practise *practise) {
    if (practise_hides(practise))
        show_whole(practise, &practise->exercises[practise->at]);
}

bool practise_next(Practise *practise) {
    const Exercise *exercise = practise_exercise(practise);
    if (!exercise || exercise->outcome == EXERCISE_OPEN)
        return false;
    practise->at++;
    present(practise);
    return true;
}

PractiseScore practise_score(const Practise *practise) {
    PractiseScore score = {0};
    for (size_t i = 0; i < practise->count; i++) {
        score.at_once += practise->exercises[i].outcome == EXERCISE_AT_ONCE;
        score.after_hints += practise->exercises[i].outcome == EXERCISE_AFTER_HINTS;
        score.skipped += practise->exercises[i].outcome == EXERCISE_SKIPPED;
    }
    return score;
}

/* ---- names ---- */

const char *practise_hint_name(HintKind kind) {
    static const char *const names[HINT_COUNT] = {[HINT_NONE] = "none",
                                                  [HINT_RIGHT] = "right",
                                                  [HINT_FAULT] = "fault",
                                                  [HINT_LABEL] = "label",
                                                  [HINT_PART] = "part",
                                                  [HINT_NUMERATOR] = "numerator",
                                                  [HINT_DENOMINATOR] = "denominator",
                                                  [HINT_FACTOR] = "factor",
                                                  [HINT_INNER] = "inner",
                                                  [HINT_MISSING] = "missing",
                                                  [HINT_TOO_MANY] = "too_many",
                                                  [HINT_PARTIAL] = "partial",
                                                  [HINT_SIGN] = "sign",
                                                  [HINT_LINES] = "lines",
                                                  [HINT_NEGATED] = "negated",
                                                  [HINT_NEAR] = "near",
                                                  [HINT_TRANSPOSED] = "transposed",
                                                  [HINT_OTHER_CELL] = "other_cell",
                                                  [HINT_BEFORE] = "before",
                                                  [HINT_LEFT_OUT] = "left_out",
                                                  [HINT_NOT_DIVIDED] = "not_divided",
                                                  [HINT_ROW_FOR_COLUMN] =
                                                      "row_for_column",
                                                  [HINT_FIRST] = "first",
                                                  [HINT_COPIED] = "copied",
                                                  [HINT_REASON] = "reason",
                                                  [HINT_ORDER] = "order",
                                                  [HINT_TREND] = "trend",
                                                  [HINT_CHOSEN] = "chosen",
                                                  [HINT_GAP] = "gap",
                                                  [HINT_WHOLE] = "whole"};
    return names[kind];
}

const char *practise_kind_name(ExerciseKind kind) {
    static const char *const names[] = {"cell",  "largest",   "next_word", "choice",
                                        "order", "direction", "thought"};
    return names[kind];
}

/* ---- quizzes ---- */

size_t quiz_choose(const size_t *is_question, size_t count, uint64_t seed,
                   QuizItem items[QUIZ_QUESTIONS]) {
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += is_question[i];
    size_t length = all < QUIZ_QUESTIONS ? all : QUIZ_QUESTIONS;
    Random random;
    random_init(&random, seed);
    for (size_t i = 0; i < length; i++) {
        size_t from = all * i / length, to = all * (i + 1) / length;
        size_t at = from + random_below(&random, to - from), lesson = 0;
        while (at >= is_question[lesson])
            at -= is_question[lesson++];
        items[i] = (QuizItem){.lesson = lesson, .question = at};
    }
    return length;
}

size_t quiz_step(const Player *player, size_t question) {
    size_t found = PLAYER_NONE, seen = 0;
    for (size_t i = 0; i < player->step_count && seen <= question; i++) {
        if (!exercise_is_choice(player, i))
            continue;
        found = i;
        seen++;
    }
    return found;
}
