#include "lesson/play/follow.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "model/build/model.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

#include <math.h>
#include <string.h>

/* ---- ranking of a node's inputs ---- */

static bool is_table(const Tape *tape, size_t node) {
    return tape_is_first_input(tape, node, OPERATION_EMBED);
}

/* "W", "W_Q", "W1", "encoder.0.feed_forward.W_1", "b", "b_2", "gamma", "beta", "E". */
static bool has_weights_name(const char *name) {
    const char *dot = strrchr(name, '.');
    const char *last = dot ? dot + 1 : name;
    size_t letters = strcspn(last, "_0123456789");
    static const char *const known[] = {"W", "b", "B", "gamma", "beta"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i]) == letters && strncmp(last, known[i], letters) == 0)
            return true;
    }
    return false;
}

static bool is_weight(const Tape *tape, size_t node) {
    const TapeNode *at = tape_node(tape, node);
    return at->operation == OPERATION_GIVEN && !at->quiet &&
           (has_weights_name(at->name) || is_table(tape, node));
}

typedef enum Worth {
    WORTH_NOTHING, /* contains no cell */
    WORTH_CONSTANT,
    WORTH_WEIGHT,
    WORTH_GIVEN,
    WORTH_COMPUTED
} Worth;

static Worth worth_of(const Tape *tape, size_t node) {
    const TapeNode *at = tape_node(tape, node);
    if (at->input_count)
        return WORTH_COMPUTED;
    if (at->operation != OPERATION_GIVEN || at->quiet)
        return WORTH_CONSTANT;
    return has_weights_name(at->name) ? WORTH_WEIGHT : WORTH_GIVEN;
}

/* ---- the strongest cell of a term ---- */

/* The tape, and the node whose inputs the term's cells refer to. */
typedef struct Search {
    const Tape *tape;
    const TapeNode *at;
} Search;

/* NaN makes every result NaN, so it is the strongest. */
static double magnitude(const Term *term) {
    return isnan(term->value) ? INFINITY : fabs(term->value);
}

static const Term *strongest_cell(const Search *search, const Term *term);

/* Returns the first of these parts that contains a cell. */
static const Term *first_of(const Search *search, size_t count,
                            const Term *const *parts) {
    const Term *found = NULL;
    for (size_t i = 0; i < count && !found; i++)
        found = strongest_cell(search, parts[i]);
    return found;
}

/* Returns the part with the largest magnitude; `rows`: include quantities of the whole
 * row. */
static const Term *largest_part(const Search *search, const Term *term, bool rows) {
    const Term *best = NULL;
    double most = -1;
    for (size_t i = 0; i < term->count; i++) {
        const Term *part = term->parts[i];
        if ((part->kind == TERM_QUANTITY) != rows || magnitude(part) <= most)
            continue;
        const Term *cell = strongest_cell(search, part);
        if (!cell)
            continue;
        best = cell;
        most = magnitude(part);
    }
    return best;
}

static const Term *of_sum(const Search *search, const Term *term) {
    const Term *own = largest_part(search, term, false);
    return own ? own : largest_part(search, term, true);
}

static const Term *of_product(const Search *search, const Term *term) {
    const Term *best = NULL;
    Worth most = WORTH_NOTHING;
    double largest = -1;
    for (size_t i = 0; i < term->count; i++) {
        const Term *cell = strongest_cell(search, term->parts[i]);
        if (!cell)
            continue;
        Worth worth = worth_of(search->tape, search->at->inputs[cell->input]);
        double size = magnitude(term->parts[i]);
        if (worth < most || (worth == most && size <= largest))
            continue;
        best = cell;
        most = worth;
        largest = size;
    }
    return best;
}

/* Returns the largest number itself, by sign. */
static const Term *of_largest(const Search *search, const Term *term) {
    const Term *best = NULL;
    double most = -INFINITY;
    for (size_t i = 0; i < term->count; i++) {
        double value = term->parts[i]->value;
        if (best && !(value > most) && !isnan(value))
            continue;
        const Term *cell = strongest_cell(search, term->parts[i]);
        if (!cell)
            continue;
        best = cell;
        most = isnan(value) ? INFINITY : value;
    }
    return best;
}

/* Returns the case that holds; if it is a constant, what was compared. */
static const Term *of_case(const Search *search, const Term *term) {
    double a = term->parts[0]->value, b = term->parts[1]->value;
    bool holds = term->kind == TERM_EQUAL ? a == b : a > b;
    const Term *cell = strongest_cell(search, term->parts[holds ? 2 : 3]);
    return cell ? cell : first_of(search, 2, term->parts);
}

/* Returns the cell whose rank it is. */
static const Term *of_place(const Search *search, const Term *term) {
    size_t own = 1 + (size_t)term->parts[0]->value;
    return own < term->count ? strongest_cell(search, term->parts[own]) : NULL;
}

/* Returns the TERM_CELL that contributed most; NULL if there is none. */
static const Term *strongest_cell(const Search *search, const Term *term) {
    switch (term->kind) {
    case TERM_NUMBER:
        return NULL;
    case TERM_CELL:
        return term;
    case TERM_ROW_OF:
    case TERM_COLUMN_OF:
        return strongest_cell(search, term->parts[1]);
    case TERM_SUM:
    case TERM_DIFFERENCE:
        return of_sum(search, term);
    case TERM_PRODUCT:
        return of_product(search, term);
    case TERM_LARGEST:
    case TERM_POSITION:
        return of_largest(search, term);
    case TERM_RANK:
        return of_place(search, term);
    case TERM_EQUAL:
    case TERM_GREATER:
        return of_case(search, term);
    case TERM_QUOTIENT:
    case TERM_POWER:
    case TERM_NEGATIVE:
    case TERM_FUNCTION:
    case TERM_QUANTITY:
        return first_of(search, term->count, term->parts);
    }
    return NULL;
}

/* ---- tracing ---- */

/* Reports whether a cell depends on the whole row, but mainly on the cell at its own
 * position. */
static bool has_own_cell(const Tape *tape, FollowCell cell) {
    const Operation *operation = operation_of(tape_node(tape, cell.node)->operation);
    return operation->work == OPERATION_WORK_BY_ROW && operation->mutable &&
           !tape_cell_edited(tape, cell.node, cell.row, cell.col, NULL);
}

static bool strongest_input(const Tape *tape, FollowCell from, FollowCell *to,
                            Arena *scratch) {
    const TapeNode *at = tape_node(tape, from.node);
    if (!at->input_count)
        return false;
    if (has_own_cell(tape, from)) {
        *to = (FollowCell){at->inputs[0], from.row, from.col};
        return true;
    }
    const Term *term = tape_explain(tape, from.node, from.row, from.col, scratch);
    Search search = {tape, at};
    const Term *cell = term ? strongest_cell(&search, term) : NULL;
    if (cell)
        *to = (FollowCell){at->inputs[cell->input], cell->row, cell->col};
    return cell != NULL;
}

FollowCell follow_through(const Tape *tape, FollowCell cell, Arena *scratch) {
    FollowCell before;
    while (tape_node(tape, cell.node)->quiet &&
           strongest_input(tape, cell, &before, scratch))
        cell = before;
    return cell;
}

bool follow_strongest(const Tape *tape, FollowCell from, FollowCell *to, Arena *scratch) {
    if (!strongest_input(tape, from, to, scratch))
        return false;
    *to = follow_through(tape, *to, scratch);
    return true;
}

size_t follow_step(const Player *player, size_t node) {
    size_t shown = PLAYER_NONE;
    for (size_t i = 0; i < player->step_count; i++) {
        const PlayerStep *at = &player->steps[i];
        if (player_has_cells(player, i) && at->node == node)
            return i;
        const LessonStep *step = &player->lesson->steps[at->statement];
        if (shown == PLAYER_NONE && i <= player->step && lesson_shows(step, node))
            shown = i;
    }
    return shown;
}

bool follow_meets_gradient(const Tape *tape, size_t node, Arena *scratch) {
    bool *leads = arena_alloc(scratch, node + 1, sizeof *leads);
    leads[node] = true;
    for (size_t i = node + 1; i-- > 0;) {
        const TapeNode *at = tape_node(tape, i);
        if (leads[i] && at->operation == OPERATION_BACKWARD)
            return true;
        for (size_t j = 0; leads[i] && j < at->input_count; j++)
            leads[at->inputs[j]] = true;
    }
    return false;
}

/* ---- origins ---- */

/* Returns a label that is a word, rather than a number as some tables have for their
 * rows. */
static const char *label_at(const char *const *labels, size_t index) {
    return labels && labels[index] && labels[index][0] ? labels[index] : NULL;
}

/* Returns the input that an operation reads as IDs, or TAPE_NONE. */
static size_t ids_of(const TapeNode *node) {
    size_t ids = operation_of(node->operation)->ids;
    return ids ? node->inputs[ids - 1] : TAPE_NONE;
}

/* Returns the label of the table's row that an ID selects, or NULL. */
static const char *label_found(const Tape *tape, const TapeNode *user, double id) {
    const Tensor *table = &tape_node(tape, user->inputs[0])->output;
    bool finds =
        user->operation == OPERATION_EMBED && id >= 0 && id < (double)table->rows;
    return finds ? label_at(table->row_labels, (size_t)id) : NULL;
}

/* Returns the word of an ID, or NULL. */
static const char *word_of_id(const Tape *tape, FollowCell cell) {
    const Tensor *ids = &tape_node(tape, cell.node)->output;
    const char *word = ids->rows == 1 ? label_at(ids->col_labels, cell.col)
                                      : label_at(ids->row_labels, cell.row);
    for (size_t i = cell.node + 1; i < tape_count(tape); i++) {
        const TapeNode *user = tape_node(tape, i);
        if (ids_of(user) != cell.node)
            continue;
        const char *found =
            word ? word : label_found(tape, user, tensor_at(ids, cell.row, cell.col));
        if (found)
            return found;
    }
    return NULL;
}

/* Returns the word of an embedding's row, if the cell before it was looked up there. */
static const char *word_of_row(const Tape *tape, const FollowCell *path, size_t count) {
    FollowCell cell = path[count - 1];
    if (count < 2 || tape_node(tape, path[count - 2].node)->operation != OPERATION_EMBED)
        return NULL;
    const TapeNode *found = tape_node(tape, path[count - 2].node);
    if (found->inputs[0] != cell.node || found->muted)
        return NULL;
    const char *word = label_at(found->output.row_labels, path[count - 2].row);
    return word ? word
                : label_at(tape_node(tape, cell.node)->output.row_labels, cell.row);
}

static bool is_parameter(const Transformer *model, size_t node) {
    for (size_t i = 0; model && i < model->parameter_count; i++) {
        if (model->parameters[i].node == node)
            return true;
    }
    return false;
}

static FollowEnd end_of_given(const Lesson *lesson, const FollowCell *path, size_t count,
                              const char **word) {
    FollowCell cell = path[count - 1];
    *word = word_of_row(lesson->tape, path, count);
    if (!*word)
        *word = word_of_id(lesson->tape, cell);
    if (*word)
        return FOLLOW_WORD;
    const TapeNode *at = tape_node(lesson->tape, cell.node);
    if (tensor_is_mask(&at->output))
        return FOLLOW_MASK;
    if (is_parameter(lesson->model, cell.node) || is_weight(lesson->tape, cell.node))
        return FOLLOW_WEIGHT;
    return at->quiet ? FOLLOW_CONSTANT : FOLLOW_GIVEN;
}

FollowEnd follow_end(const Lesson *lesson, const FollowCell *path, size_t count,
                     const char **word, Arena *scratch) {
    FollowCell cell = path[count - 1], before;
    *word = NULL;
    if (tape_cell_edited(lesson->tape, cell.node, cell.row, cell.col, NULL))
        return FOLLOW_EDITED;
    OperationKind kind = tape_node(lesson->tape, cell.node)->operation;
    const Operation *operation = operation_of(kind);
    if (kind == OPERATION_GIVEN)
        return end_of_given(lesson, path, count, word);
    if (operation->inputs.most == 0)
        return operation->values == OPERATION_VALUES_MASK ? FOLLOW_MASK : FOLLOW_POSITION;
    return strongest_input(lesson->tape, cell, &before, scratch) ||
                   arena_exhausted(scratch)
               ? FOLLOW_CONTINUES
               : FOLLOW_CONSTANT;
}

const char *follow_end_name(FollowEnd end) {
    static const char *const names[FOLLOW_END_COUNT] = {
        [FOLLOW_CONTINUES] = "",        [FOLLOW_WORD] = "word",
        [FOLLOW_WEIGHT] = "weight",     [FOLLOW_GIVEN] = "given",
        [FOLLOW_POSITION] = "position", [FOLLOW_MASK] = "mask",
        [FOLLOW_CONSTANT] = "constant", [FOLLOW_EDITED] = "edited"};
    return names[end];
}
