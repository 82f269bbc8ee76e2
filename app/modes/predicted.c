#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/content/view.h"
#include "modes/modes.h"
#include "session/state.h"
#include "tensor/tape/tape.h"

#include "base/number.h"

#include <string.h>

/* Messages that compare a changed model's prediction with that of the lesson's own model.
 */

enum { WEIGHT_DECIMALS = 2, CHANCE_DECIMALS = 3 };

/* The largest number of a tensor's row. */
typedef struct Largest {
    const char *label;
    double value;
} Largest;

/* Returns a number as the lesson's own model has it: of the node `other`, which is on its
 * tape. */
static double value_before(const Session *session, size_t other, size_t row, size_t col) {
    const Tape *base = session_base(session);
    return tape_original(base ? base : session->lesson->tape, other, row, col);
}

/* Finds a row's largest number now and before; false if the columns have no labels, or
 * the lesson's own model has no such row. */
static bool find_both(const Session *session, size_t node, size_t row, Largest *now,
                      Largest *before) {
    const Tape *tape = session->lesson->tape, *base = session_base(session);
    const Tensor *tensor = &tape_node(tape, node)->output;
    size_t other = base ? tape_find(base, tape_node(tape, node)->name) : node;
    const Tensor *own =
        other == TAPE_NONE ? NULL : &tape_node(base ? base : tape, other)->output;
    size_t at = 0, at_before = 0;
    if (!own || !tensor->col_labels || !own->col_labels || row >= tensor->rows ||
        row >= own->rows)
        return false;
    for (size_t j = 1; j < tensor->cols; j++)
        at = tensor_at(tensor, row, j) > tensor_at(tensor, row, at) ? j : at;
    for (size_t j = 1; j < own->cols; j++)
        at_before = value_before(session, other, row, j) >
                            value_before(session, other, row, at_before)
                        ? j
                        : at_before;
    *now = (Largest){tensor->col_labels[at], tensor_at(tensor, row, at)};
    *before = (Largest){own->col_labels[at_before],
                        value_before(session, other, row, at_before)};
    return true;
}

static const char *number_words(double value, int decimals, Arena *arena) {
    char text[NUMBER_SIZE];
    number_format(text, value, decimals);
    return arena_format(arena, "%s", text);
}

/* Finds attention weights among what the step shows, and the row that is explained or
 * followed; TAPE_NONE if there are none. */
static size_t find_weights(const Session *session, size_t *row) {
    const Lesson *lesson = session->lesson;
    const LessonStep *words = player_words(&session->player, session->player.step);
    size_t shown = words->shown_count, col;
    size_t node = shown ? words->shown[shown - 1] : player_step(&session->player)->node;
    const TapeNode *at = tape_node(lesson->tape, node);
    FollowCell cell;
    if (!at->output.row_labels || !at->output.col_labels || !at->name[0] ||
        node == lesson->model->probabilities || !lesson_has_probabilities(&at->output))
        return TAPE_NONE;
    if (lesson_explained_cell(session, &cell) && cell.node == node)
        *row = cell.row;
    else if (!lesson_followed(lesson, &at->output, row, &col))
        return TAPE_NONE;
    return node;
}

static const char *weight_words(const Session *session, Arena *arena) {
    size_t row, node = find_weights(session, &row);
    Largest now, before;
    if (node == TAPE_NONE || !session_base(session) ||
        !find_both(session, node, row, &now, &before))
        return NULL;
    const Tensor *weights = &tape_node(session->lesson->tape, node)->output;
    const char *const parts[] = {weights->row_labels[row], now.label,
                                 number_words(now.value, WEIGHT_DECIMALS, arena),
                                 before.label,
                                 number_words(before.value, WEIGHT_DECIMALS, arena)};
    return language_sentence(session->language, "switch.attends", 5, parts, arena);
}

/* The first token of an answer that is another one now, else its first token; without an
 * encoder the token behind the text. An own text is answered by its first token. */
static const char *answer_words(const Session *session, Arena *arena) {
    const Transformer *model = session->lesson->model;
    size_t end = model->probabilities;
    if (end == TAPE_NONE || !tape_node(session->lesson->tape, end)->output.rows)
        return NULL;
    size_t rows = tape_node(session->lesson->tape, end)->output.rows;
    bool answers = model->memory != TAPE_NONE;
    size_t row = answers ? 0 : rows - 1;
    Largest now, before;
    for (size_t i = 0; answers && !session->lesson->own_text && i < rows; i++) {
        bool other = find_both(session, end, i, &now, &before) &&
                     strcmp(now.label, before.label) != 0;
        if (other) {
            row = i;
            break;
        }
    }
    if (!find_both(session, end, row, &now, &before))
        return NULL;
    const char *const parts[] = {
        now.label, number_words(now.value, CHANCE_DECIMALS, arena), before.label,
        number_words(before.value, CHANCE_DECIMALS, arena)};
    return language_sentence(session->language, "change.predicts", 4, parts, arena);
}

const char *predicted_words(const Session *session, Arena *arena) {
    const Lesson *lesson = session->lesson;
    const LessonStep *words = player_words(&session->player, session->player.step);
    if (!lesson->model || lesson->switches.seeded ||
        lesson->model->probabilities == TAPE_NONE || words->view == LESSON_VIEW_CHANGED)
        return NULL;
    bool changed = tape_changed(lesson->tape, lesson->model->probabilities);
    return changed || session_base(session) ? answer_words(session, arena) : NULL;
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
