#include "lesson/practise/practise.h"

#include "base/maths.h"
#include "lesson/content/content.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"
#include "tensor/tape/what_if.h"

#include <string.h>

/* Position of the observed number relative to the changed one, at (r, c) of the input. */
typedef enum IdeaPosition {
    IDEA_SAME_CELL,  /* (r, c) */
    IDEA_SAME_ROW,   /* the same row, another column */
    IDEA_BELOW,      /* another row, which is unaffected */
    IDEA_IN_ROW,     /* the same row: its only number, or any */
    IDEA_TRANSPOSED, /* (c, r) */
    IDEA_IN_COLUMN,  /* any row of the changed column, in a product's second factor */
    IDEA_POSITIONS
} IdeaPosition;

/* One question: the input that changes, the change, and the number observed. */
typedef struct Idea {
    size_t input;
    double times, add;
    bool whole_row; /* the whole row changes */
    IdeaPosition watched;
} Idea;

enum { IDEAS_MOST = 3, DRAWS = 24 };

/* {0}: none. One array serves all elementwise operations. */
static const Idea ideas[OPERATION_COUNT][IDEAS_MOST] = {
    /* probabilities of a row sum to 1 */
    [OPERATION_SOFTMAX] = {{0, 1, 1, false, IDEA_SAME_ROW},
                           {0, 1, 1, false, IDEA_SAME_CELL},
                           {0, 1, 1, true, IDEA_SAME_CELL}},
    /* a row's scale doesn't matter */
    [OPERATION_LAYER_NORM] = {{0, 100, 0, true, IDEA_SAME_CELL},
                              {0, 1, 10, true, IDEA_SAME_CELL},
                              {0, 1, 1, false, IDEA_SAME_ROW}},
    [OPERATION_RMS_NORM] = {{0, 100, 0, true, IDEA_SAME_CELL},
                            {0, 1, 10, true, IDEA_SAME_CELL},
                            {0, 1, 1, false, IDEA_SAME_ROW}},
    /* a row of the result depends on one row of the left factor, a column on one of the
     * right */
    [OPERATION_MATMUL] = {{0, 1, 1, true, IDEA_BELOW}, {1, 1, 1, false, IDEA_IN_COLUMN}},
    [OPERATION_SUM] = {{0, 1, 1, false, IDEA_IN_ROW}, {0, 1, 1, false, IDEA_BELOW}},
    [OPERATION_MEAN] = {{0, 1, 1, false, IDEA_IN_ROW}, {0, 1, 1, false, IDEA_BELOW}},
    [OPERATION_MAX] = {{0, 1, 1, false, IDEA_IN_ROW}, {0, 1, -1, false, IDEA_IN_ROW}},
    [OPERATION_TRANSPOSE] = {{0, 1, 1, false, IDEA_TRANSPOSED}},
    [OPERATION_CONCAT] = {{0, 1, 1, false, IDEA_SAME_CELL}, {0, 1, 1, false, IDEA_BELOW}},
    [OPERATION_STACK] = {{0, 1, 1, false, IDEA_SAME_CELL}, {0, 1, 1, false, IDEA_BELOW}},
    [OPERATION_TOP_P] = {{0, 1, 1, false, IDEA_SAME_CELL}},
    [OPERATION_TOP_K] = {{0, 1, 1, false, IDEA_SAME_CELL}},
    /* the target's score, and the others' */
    [OPERATION_CROSS_ENTROPY] = {{0, 1, 1, false, IDEA_IN_ROW}},
    /* negative numbers become 0 */
    [OPERATION_RELU] = {{0, 2, 0, false, IDEA_SAME_CELL},
                        {0, 1, 1, false, IDEA_SAME_CELL}},
    [OPERATION_MULTIPLY] = {{0, 2, 0, false, IDEA_SAME_CELL}},
    [OPERATION_DIVIDE] = {{0, 2, 0, false, IDEA_SAME_CELL},
                          {1, 4, 0, false, IDEA_SAME_CELL}},
    /* masked numbers stay −∞ whatever is added */
    [OPERATION_ADD] = {{0, 1, 1, false, IDEA_SAME_CELL}, {0, 1, 1, false, IDEA_SAME_ROW}},
    [OPERATION_SUBTRACT] = {{1, 1, 1, false, IDEA_SAME_CELL}},
    [OPERATION_NEGATE] = {{0, 1, 1, false, IDEA_SAME_CELL}},
    [OPERATION_GELU] = {{0, 1, 1, false, IDEA_SAME_CELL}},
    [OPERATION_GELU_TANH] = {{0, 1, 1, false, IDEA_SAME_CELL}},
    /* it falls until −1.28, and grows from there */
    [OPERATION_SILU] = {{0, 1, 1, false, IDEA_SAME_CELL}},
    [OPERATION_DROPOUT] = {{0, 1, 1, false, IDEA_SAME_CELL}},
    [OPERATION_ROTARY] = {{0, 1, 1, false, IDEA_SAME_CELL}},
    [OPERATION_EXP] = {{0, 1, -1, false, IDEA_SAME_CELL}},
    [OPERATION_SQRT] = {{0, 4, 0, false, IDEA_SAME_CELL}},
    [OPERATION_LOG] = {{0, 2, 0, false, IDEA_SAME_CELL}},
};

/* Composites by topic: a row of the first tensor changes and another row of the result is
 * observed. The feed-forward network works on each row separately, as does attention on
 * its queries; in self-attention all rows change. */
static const struct {
    const char *topic;
    Idea idea;
} composites[] = {
    {"feed_forward", {0, 1, 1, true, IDEA_BELOW}},
    {"attention", {0, 1, 1, true, IDEA_BELOW}},
};

static size_t count_of(OperationKind kind) {
    size_t count = 0;
    while (count < IDEAS_MOST && (ideas[kind][count].times > 0))
        count++;
    return count;
}

/* Returns an index below `count` other than `but`; `but` if there is none. */
static size_t another(size_t but, size_t count, Random *random) {
    return count < 2 ? but : (but + 1 + random_below(random, count - 1)) % count;
}

/* Sets the number to observe; false if the output has no such position. */
static bool watch(const Tensor *out, const Idea *idea, Random *random, WhatIf *what,
                  size_t row, size_t col) {
    what->row = row;
    what->col = col;
    switch (idea->watched) {
    case IDEA_SAME_CELL:
        break;
    case IDEA_SAME_ROW:
        what->col = another(col, out->cols, random);
        break;
    case IDEA_BELOW:
        what->row = another(row, out->rows, random);
        what->col = random_below(random, out->cols);
        break;
    case IDEA_IN_ROW:
        what->col = out->cols == 1 ? 0 : col;
        break;
    case IDEA_TRANSPOSED:
        what->row = col;
        what->col = row;
        break;
    case IDEA_IN_COLUMN:
        what->row = random_below(random, out->rows);
        break;
    case IDEA_POSITIONS:
        return false;
    }
    bool away = (idea->watched != IDEA_SAME_ROW || what->col != col) &&
                (idea->watched != IDEA_BELOW || what->row != row);
    return away && what->row < out->rows && what->col < out->cols;
}

/* Reports whether a change has an effect: not of NaN, and not a factor on 0. */
static bool is_fair(const Tape *tape, const Idea *idea, const WhatIf *what, double from) {
    double watched =
        tensor_at(&tape_node(tape, what->node)->output, what->row, what->col);
    bool scales = idea->times > 1 && !idea->whole_row;
    return !isnan(watched) && isfinite(from) && !(scales && fabs(from) < WHAT_IF_SEEN);
}

static WhatIf change_of(const Idea *idea, size_t node, size_t changed, size_t row,
                        size_t col) {
    return (WhatIf){.node = node,
                    .changed = changed,
                    .changed_row = row,
                    .changed_col = idea->whole_row ? TAPE_NONE : col,
                    .times = idea->times,
                    .add = idea->add};
}

/* Makes a question about a composite's first input. */
static bool composite_idea(const Player *player, size_t step, Random *random,
                           WhatIf *what) {
    const Tape *tape = player->lesson->tape;
    const PlayerStep *at = &player->steps[step];
    size_t i = 0, count = sizeof composites / sizeof *composites, first = step;
    while (i < count && strcmp(composites[i].topic, at->topic) != 0)
        i++;
    while (first < at->next && player->steps[first].child_count)
        first = player->steps[first].parts;
    if (i == count || first == at->next)
        return false;
    const TapeNode *begins = tape_node(tape, player->steps[first].node);
    const Tensor *out = &tape_node(tape, at->node)->output;
    if (!begins->input_count || begins->operands[0]->rows != out->rows)
        return false;
    size_t row = random_below(random, out->rows);
    *what = change_of(&composites[i].idea, at->node, begins->inputs[0], row, 0);
    return watch(out, &composites[i].idea, random, what, row, 0) &&
           is_fair(tape, &composites[i].idea, what, 0);
}

bool idea_of(const Player *player, size_t step, Random *random, WhatIf *what) {
    if (player->steps[step].child_count)
        return composite_idea(player, step, random, what);
    const Tape *tape = player->lesson->tape;
    const TapeNode *node = tape_node(tape, player->steps[step].node);
    size_t count = count_of(node->operation);
    if (!count || node->muted || node->gradient_of != TAPE_NONE)
        return false;
    for (int i = 0; i < DRAWS; i++) {
        const Idea *idea = &ideas[node->operation][random_below(random, count)];
        const Tensor *from = node->operands[idea->input];
        size_t cell = random_below(random, tensor_cells(from));
        size_t row = cell / from->cols, col = cell % from->cols;
        *what = change_of(idea, player->steps[step].node, node->inputs[idea->input], row,
                          col);
        if (!tape_node(tape, what->changed)->quiet &&
            watch(&node->output, idea, random, what, row, col) &&
            is_fair(tape, idea, what, from->values[cell]))
            return true;
    }
    return false;
}
