#include "lesson/practise/practise.h"

#include "base/arena.h"
#include "base/maths.h"
#include "lesson/content/content.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

enum {
    CELL_DRAWS = 12,
    ROW_COLUMNS_MIN = 3,
    /* maximum columns of a row whose largest number must be computed */
    ROW_COLUMNS_MAX = 40
};

static const double ROUNDING =
    1e-9; /* relative difference that doesn't count as a change */

static const TapeNode *node_at(const Player *player, size_t step) {
    return tape_node(player->lesson->tape, player->steps[step].node);
}

const Question *exercise_number_asked(const Player *player, size_t step) {
    const LessonStep *words = player_words(player, step);
    bool is_question = words && words->question &&
                       words->question->kind == QUESTION_CELL &&
                       words->result == player->steps[step].node;
    return is_question ? words->question : NULL;
}

const Question *exercise_question_at(const Player *player, size_t step) {
    const PlayerStep *at = &player->steps[step];
    bool epoch = at->frame != PLAYER_NONE && at->parent != PLAYER_NONE;
    return at->words && at->words->result == at->node && !epoch ? at->words->question
                                                                : NULL;
}

bool exercise_is_choice(const Player *player, size_t step) {
    const Question *question = exercise_question_at(player, step);
    return question && question->kind != QUESTION_CELL &&
           question->kind != QUESTION_THOUGHT;
}

bool exercise_is_computed(const Player *player, size_t step) {
    return player_has_cells(player, step) && player->steps[step].frame == PLAYER_NONE &&
           node_at(player, step)->operation != OPERATION_GIVEN &&
           tensor_cells(&node_at(player, step)->output) > 0;
}

size_t exercise_steps(const Player *player) {
    const Lesson *lesson = player->lesson;
    return player->step_count - lesson->steps[lesson->step_count - 1].closes;
}

size_t exercise_size_of_sum(const Player *player, const TapeNode *node) {
    if (node->operation == OPERATION_BACKWARD)
        return EXERCISE_EASY_PARTS;
    return operation_of(node->operation)->work == OPERATION_WORK_BY_ROW
               ? tape_node(player->lesson->tape, node->inputs[0])->output.cols
               : 1;
}

/* Finds a row's largest number; false if it is not clearly the largest. */
static bool has_largest(const Tensor *tensor, size_t row, size_t *col) {
    size_t best = 0;
    for (size_t j = 0; j < tensor->cols; j++) {
        if (isnan(tensor_at(tensor, row, j)))
            return false;
        if (tensor_at(tensor, row, j) > tensor_at(tensor, row, best))
            best = j;
    }
    double largest = tensor_at(tensor, row, best);
    for (size_t j = 0; j < tensor->cols; j++) {
        if (j != best && judge_is_close(tensor_at(tensor, row, j), largest))
            return false;
    }
    *col = best;
    return isfinite(largest);
}

/* Reports whether a softmax's rows are weights of a weighted sum, as in attention. */
static bool is_recipe(const Tape *tape, size_t node) {
    return tape_is_first_input(tape, node, OPERATION_MATMUL);
}

/* Reports whether a node has scores or attention weights with words as row labels. */
static bool has_words(const TapeNode *node) {
    bool kind = node->operation == OPERATION_SOFTMAX ||
                node->operation == OPERATION_MATMUL ||
                node->operation == OPERATION_DIVIDE;
    return kind && node->output.row_labels && node->output.col_labels &&
           node->output.cols >= ROW_COLUMNS_MIN;
}

/* Chooses a row whose largest number is asked for, if the exercise can be of that
 * kind. */
static bool make_row(Exercise *exercise, const Player *player, Random *random) {
    const TapeNode *node = node_at(player, exercise->step);
    const Tensor *out = &node->output;
    bool next = node->operation == OPERATION_SOFTMAX && node->output.col_labels &&
                !is_recipe(player->lesson->tape, exercise->cell.node);
    size_t first = random_below(random, out->rows);
    bool wanted = random_below(random, 2) == 0;
    if (next && out->cols >= ROW_COLUMNS_MIN &&
        has_largest(out, out->rows - 1, &exercise->cell.col)) {
        exercise->kind = EXERCISE_NEXT_WORD;
        exercise->cell.row = out->rows - 1;
        return true;
    }
    if (!wanted || !has_words(node) || out->cols > ROW_COLUMNS_MAX)
        return false;
    for (size_t i = 0; i < out->rows; i++) {
        exercise->cell.row = (first + i) % out->rows;
        if (has_largest(out, exercise->cell.row, &exercise->cell.col)) {
            exercise->kind = EXERCISE_LARGEST;
            return true;
        }
    }
    return false;
}

/* Chooses a finite cell, preferably not 0. */
static bool make_cell(Exercise *exercise, const Player *player, Random *random) {
    const Tensor *out = &node_at(player, exercise->step)->output;
    size_t cells = tensor_cells(out), best = cells;
    for (int i = 0; i < CELL_DRAWS; i++) {
        size_t cell = random_below(random, cells);
        double value = out->values[cell];
        if (isnan(value))
            continue;
        best = cell;
        if (value != 0 && isfinite(value))
            break;
    }
    if (best == cells)
        return false;
    exercise->kind = EXERCISE_CELL;
    exercise->cell.row = best / out->cols;
    exercise->cell.col = best % out->cols;
    return true;
}

/* ---- exercises with options ---- */

/* Shuffles the options: the same order for the same question, and never the solution of
 * an ordering. */
static void shuffle(Exercise *exercise, uint64_t seed) {
    Random random;
    random_init(&random, seed);
    for (size_t i = 0; i < exercise->count; i++)
        exercise->shown[i] = i;
    for (size_t i = exercise->count; i > 1; i--) {
        size_t j = random_below(&random, i), kept = exercise->shown[i - 1];
        exercise->shown[i - 1] = exercise->shown[j];
        exercise->shown[j] = kept;
    }
    bool sorted = true;
    for (size_t i = 0; i < exercise->count; i++)
        sorted &= exercise->shown[i] == i;
    for (size_t i = 0; sorted && i < exercise->count; i++)
        exercise->shown[i] = (i + 1) % exercise->count;
}

/* Asks for the direction in which a number changes; false if it can't be determined. */
static bool make_direction(Exercise *exercise, const Player *player, const WhatIf *what,
                           Arena *scratch) {
    exercise->kind = EXERCISE_DIRECTION;
    exercise->what = *what;
    exercise->cell = (FollowCell){what->node, what->row, what->col};
    exercise->count = TREND_COUNT - 1;
    for (size_t i = 0; i < exercise->count; i++)
        exercise->shown[i] = i;
    exercise->trend = tape_what_if(player->lesson->tape, what, scratch, &exercise->before,
                                   &exercise->after);
    if (!arena_exhausted(scratch)) /* keeps the exhausted state for the caller */
        arena_reset(scratch);
    return exercise->trend != TREND_NONE;
}

bool exercise_ask(Exercise *exercise, const Player *player, size_t step, Arena *scratch) {
    static const ExerciseKind kinds[] = {[QUESTION_CELL] = EXERCISE_CELL,
                                         [QUESTION_CHOICE] = EXERCISE_CHOICE,
                                         [QUESTION_ORDER] = EXERCISE_ORDER,
                                         [QUESTION_DIRECTION] = EXERCISE_DIRECTION,
                                         [QUESTION_THOUGHT] = EXERCISE_THOUGHT};
    const Question *question = player_words(player, step)->question;
    const Tensor *out = &node_at(player, step)->output;
    *exercise = (Exercise){.kind = kinds[question->kind],
                           .step = step,
                           .question = question,
                           .cell = {player->steps[step].node, 0, 0}};
    switch (question->kind) {
    case QUESTION_CELL:
        exercise->cell.row = question->row;
        exercise->cell.col = question->col;
        return !isnan(tensor_at(out, question->row, question->col));
    case QUESTION_CHOICE:
    case QUESTION_ORDER:
        exercise->count = question->count;
        shuffle(exercise, (uint64_t)player_words(player, step)->line + question->count);
        return true;
    case QUESTION_DIRECTION:
        return make_direction(exercise, player, &question->what, scratch);
    case QUESTION_THOUGHT:
        break;
    }
    return true;
}

/* Reports whether numbers with three decimals show that there is a change, or that there
 * is none. */
static bool is_visible(const Exercise *exercise) {
    double from = fabs(exercise->before),
           change = fabs(exercise->after - exercise->before);
    bool tiny = from > 0 && from < WHAT_IF_SEEN;
    return !tiny && (exercise->trend != TREND_SAME || change <= ROUNDING * fmax(from, 1));
}

bool exercise_of_idea(Exercise *exercise, const Player *player, size_t step,
                      Random *random, Arena *scratch) {
    WhatIf what;
    *exercise = (Exercise){.step = step};
    return idea_of(player, step, random, &what) &&
           make_direction(exercise, player, &what, scratch) && is_visible(exercise);
}

bool exercise_make(Exercise *exercise, const Player *player, size_t step, Random *random,
                   Arena *scratch) {
    if (exercise_number_asked(player, step))
        return exercise_ask(exercise, player, step, scratch);
    *exercise = (Exercise){.step = step, .cell = {.node = player->steps[step].node}};
    return make_row(exercise, player, random) || make_cell(exercise, player, random);
}
