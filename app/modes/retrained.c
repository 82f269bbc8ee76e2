#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/content/view.h"
#include "modes/modes.h"
#include "session/state.h"
#include "tensor/tape/tape.h"

#include "base/number.h"

#include <string.h>

/* What differs between the model that was trained with another seed and the lesson's own,
 * and what doesn't, in words. */

enum { WEIGHT_DECIMALS = 2, CHANCE_DECIMALS = 3 };

/* The largest number of a tensor's row. */
typedef struct Largest {
    const char *label;
    double value;
} Largest;

/* Finds it; false if the columns have no labels, or there is no such row. */
static bool find_largest(const Tensor *tensor, size_t row, Largest *largest) {
    size_t best = 0;
    if (!tensor->col_labels || row >= tensor->rows || !tensor->cols)
        return false;
    for (size_t j = 1; j < tensor->cols; j++) {
        if (tensor_at(tensor, row, j) > tensor_at(tensor, row, best))
            best = j;
    }
    *largest = (Largest){tensor->col_labels[best], tensor_at(tensor, row, best)};
    return true;
}

/* Finds a row's largest number now and in the lesson's own model; false if that has no
 * such tensor. */
static bool find_both(const Session *session, const char *name, size_t row, Largest *now,
                      Largest *before) {
    const Tape *tape = session->lesson->tape, *base = session_base(session);
    size_t node = tape_find(tape, name), other = base ? tape_find(base, name) : TAPE_NONE;
    return node != TAPE_NONE && other != TAPE_NONE &&
           find_largest(&tape_node(tape, node)->output, row, now) &&
           find_largest(&tape_node(base, other)->output, row, before);
}

static const char *number_words(double value, int decimals, Arena *arena) {
    char text[NUMBER_SIZE];
    number_format(text, value, decimals);
    return arena_format(arena, "%s", text);
}

/* Finds attention weights among what the step shows, and the row that is explained or
 * followed. */
static const TapeNode *find_weights(const Session *session, size_t *row) {
    const Lesson *lesson = session->lesson;
    const LessonStep *words = player_words(&session->player, session->player.step);
    size_t shown = words->shown_count, col;
    size_t node = shown ? words->shown[shown - 1] : player_step(&session->player)->node;
    const TapeNode *at = tape_node(lesson->tape, node);
    FollowCell cell;
    if (!at->output.row_labels || !at->output.col_labels || !at->name[0] ||
        node == lesson->model->probabilities || !lesson_has_probabilities(&at->output))
        return NULL;
    if (lesson_explained_cell(session, &cell) && cell.node == node)
        *row = cell.row;
    else if (!lesson_followed(lesson, &at->output, row, &col))
        return NULL;
    return at;
}

static const char *weight_words(const Session *session, Arena *arena) {
    size_t row;
    Largest now, before;
    const TapeNode *weights = find_weights(session, &row);
    if (!weights || !find_both(session, weights->name, row, &now, &before))
        return NULL;
    const char *const parts[] = {weights->output.row_labels[row], now.label,
                                 number_words(now.value, WEIGHT_DECIMALS, arena),
                                 before.label,
                                 number_words(before.value, WEIGHT_DECIMALS, arena)};
    return language_sentence(session->language, "switch.attends", 5, parts, arena);
}

/* The token that the model predicts first for an answer, else behind the text. */
static const char *answer_words(const Session *session, Arena *arena) {
    const Transformer *model = session->lesson->model;
    if (model->probabilities == TAPE_NONE)
        return NULL;
    const TapeNode *end = tape_node(session->lesson->tape, model->probabilities);
    size_t row =
        model->memory != TAPE_NONE || !end->output.rows ? 0 : end->output.rows - 1;
    Largest now, before;
    if (!find_both(session, end->name, row, &now, &before))
        return NULL;
    const char *const parts[] = {
        now.label, number_words(now.value, CHANCE_DECIMALS, arena), before.label,
        number_words(before.value, CHANCE_DECIMALS, arena)};
    return language_sentence(session->language, "switch.answer", 4, parts, arena);
}

static const char *unseen_words(const Session *session, Arena *arena) {
    const Lesson *plain = session->entry->lesson;
    LessonHeldOut now = session->lesson->held_out;
    LessonHeldOut before = plain ? plain->held_out : now;
    if (!now.count || !session_base(session) || before.count != now.count)
        return NULL;
    const char *const parts[] = {arena_format(arena, "%zu", now.count),
                                 arena_format(arena, "%zu", now.right),
                                 arena_format(arena, "%zu", before.right)};
    return language_sentence(session->language, "switch.unseen", 3, parts, arena);
}

const char *retrained_words(const Session *session, Arena *arena) {
    const LessonSwitches *switches = &session->lesson->switches;
    if (!switches->seeded || !session->lesson->model)
        return NULL;
    const char *const seed[] = {arena_format(arena, "%zu", switches->seed)};
    const char *all =
        language_sentence(session->language, "switch.retrained", 1, seed, arena);
    const char *const words[] = {unseen_words(session, arena),
                                 weight_words(session, arena),
                                 answer_words(session, arena)};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (words[i])
            all = session_list(session, all, words[i], arena);
    }
    return all;
}
