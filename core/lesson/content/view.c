#include "lesson/content/view.h"

#include "base/error.h"
#include "base/number.h"
#include "lesson/content/sources.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* the sum of three probabilities printed to two decimals */
static const double PROBABILITY_TOLERANCE = 0.02;

bool lesson_has_probabilities(const Tensor *tensor) {
    for (size_t i = 0; i < tensor->rows; i++) {
        double sum = 0;
        for (size_t j = 0; j < tensor->cols; j++) {
            double value = tensor_at(tensor, i, j);
            if (!(value >= 0 && value <= 1))
                return false;
            sum += value;
        }
        if (fabs(sum - 1) > PROBABILITY_TOLERANCE && sum != 0)
            return false;
    }
    return tensor_cells(tensor) > 0;
}

static const Tensor *tensor_of(const Tape *tape, size_t node) {
    return &tape_node(tape, node)->output;
}

static bool any_fits(const Tape *tape, size_t node) {
    return tensor_cells(tensor_of(tape, node)) > 0;
}

static bool waves_fit(const Tape *tape, size_t node) {
    return any_fits(tape, node) && tensor_of(tape, node)->rows >= 2;
}

static bool arcs_fit(const Tape *tape, size_t node) {
    const Tensor *tensor = tensor_of(tape, node);
    return tensor->row_labels && tensor->col_labels && lesson_has_probabilities(tensor);
}

static bool chips_fit(const Tape *tape, size_t node) {
    const Tensor *tensor = tensor_of(tape, node);
    return ((tensor->rows == 1 && tensor->col_labels) ||
            (tensor->cols == 1 && tensor->row_labels)) &&
           tensor_is_whole(tensor);
}

static bool recipe_fits(const Tape *tape, size_t node) {
    const TapeNode *at = tape_node(tape, node);
    return at->operation == OPERATION_MATMUL && any_fits(tape, node) &&
           lesson_has_probabilities(at->operands[0]);
}

/* Reports whether cells are column minus row, the same along each diagonal. */
static bool distances_fit(const Tape *tape, size_t node) {
    const Tensor *tensor = tensor_of(tape, node);
    if (tensor->rows != tensor->cols || tensor->rows < 2 || !tensor->row_labels)
        return false;
    for (size_t i = 0; i < tensor->rows; i++) {
        for (size_t j = 0; j < tensor->cols; j++) {
            if (tensor_at(tensor, i, j) != (double)j - (double)i)
                return false;
        }
    }
    return true;
}

size_t lesson_curve_position(const Tensor *tensor, size_t row, double *place) {
    const char *label = tensor->row_labels[row], *equals = strrchr(label, '=');
    const char *number = equals ? equals + 1 : label;
    while (*number == ' ')
        number++;
    double value;
    if (number_parse(number, &value, NULL) && isfinite(value))
        *place = value;
    return (size_t)(number - label);
}

static bool curve_fits(const Tape *tape, size_t node) {
    const Tensor *tensor = tensor_of(tape, node);
    double before = -INFINITY;
    if (!tensor->row_labels || tensor->rows < 2 || tensor->cols > LESSON_CURVES_MAX)
        return false;
    for (size_t i = 0; i < tensor->rows; i++) {
        double place = before;
        lesson_curve_position(tensor, i, &place);
        if (!(place > before))
            return false;
        before = place;
    }
    return tensor->cols > 0;
}

static bool histogram_fits(const Tape *tape, size_t node) {
    const Tensor *tensor = &tape_node(tape, node)->output;
    return tensor->rows >= LESSON_HISTOGRAM_LEAST && tensor->cols > 0 &&
           tensor->cols <= LESSON_HISTOGRAMS_MAX;
}

/* ---- texts ---- */

static bool is_text_of_vocabulary(const LessonSource *source) {
    return source->tokenizer && !source->merging;
}

static bool is_merged(const LessonSource *source) {
    return source->merging != NULL;
}

/* Finds a shift in a text that is a slice of another: everything but its first token is
 * the target. */
static bool cut_shift(const Tape *tape, size_t at, LessonShift *shift) {
    const TapeNode *node = tape_node(tape, at);
    const OperationOptions *o = &node->options;
    if (node->operation != OPERATION_SLICE || node->muted || node->operands[0]->rows != 1)
        return false;
    bool ends = o->col_end == node->operands[0]->cols;
    *shift = (LessonShift){.count = o->col_end - o->col_begin,
                           .reads = ends ? node->inputs[0] : at,
                           .says = ends ? at : node->inputs[0],
                           .first = ends ? 0 : 1,
                           .mask = TAPE_NONE,
                           .one_each = !ends};
    return o->col_begin == (ends ? 1 : 0) && shift->count > 0;
}

static bool is_text(const Tensor *tensor) {
    return tensor->rows == 1 && tensor->col_labels && tensor_is_whole(tensor);
}

bool lesson_find_shift(const Tape *tape, const size_t *nodes, size_t count,
                       LessonShift *shift) {
    if (count < 1 || count > 3 || (count == 1 && !cut_shift(tape, nodes[0], shift)))
        return false;
    if (count > 1)
        *shift = (LessonShift){.count = tape_node(tape, nodes[1])->output.cols,
                               .reads = nodes[0],
                               .says = nodes[1],
                               .mask = count > 2 ? nodes[2] : TAPE_NONE};
    const Tensor *reads = &tape_node(tape, shift->reads)->output;
    const Tensor *says = &tape_node(tape, shift->says)->output;
    if (!is_text(reads) || !is_text(says) || reads->cols < shift->count)
        return false;
    for (size_t i = 0; i + 1 < shift->count; i++) {
        if (says->values[shift->first + i] != reads->values[i + 1])
            return false;
    }
    const Tensor *mask = count > 2 ? &tape_node(tape, shift->mask)->output : NULL;
    return !mask || (mask->rows == shift->count && mask->cols == shift->count);
}

static bool shift_fits(const Tape *tape, const size_t *nodes, size_t count) {
    LessonShift shift;
    return lesson_find_shift(tape, nodes, count, &shift);
}

/* ---- attention with a cache ---- */

/* Returns the number of rows before the last part of a stack whose last part is new; else
 * 0. */
static size_t cached_row_count(const Tape *tape, size_t node) {
    const TapeNode *stack = tape_node(tape, node);
    return stack->operation == OPERATION_STACK && stack->input_count > 1
               ? stack->output.rows - stack->operands[stack->input_count - 1]->rows
               : 0;
}

/* Returns the product that attention weights are computed from, through scaling and
 * mask. */
static size_t scores_of(const Tape *tape, size_t weights) {
    const TapeNode *node = tape_node(tape, weights);
    size_t at = weights;
    if (node->operation != OPERATION_SOFTMAX)
        return TAPE_NONE;
    while (node->operation != OPERATION_MATMUL) {
        bool passes =
            node->operation == OPERATION_SOFTMAX || node->operation == OPERATION_DIVIDE ||
            node->operation == OPERATION_MULTIPLY || node->operation == OPERATION_ADD;
        if (!passes)
            return TAPE_NONE;
        at = node->inputs[0];
        node = tape_node(tape, at);
    }
    return at;
}

bool lesson_find_cache(const Tape *tape, size_t node, LessonCache *cache) {
    const TapeNode *result = tape_node(tape, node);
    if (result->operation != OPERATION_MATMUL)
        return false;
    *cache = (LessonCache){.weights = result->inputs[0], .values = result->inputs[1]};
    cache->scores = scores_of(tape, cache->weights);
    if (cache->scores == TAPE_NONE || !lesson_has_probabilities(result->operands[0]))
        return false;
    const TapeNode *scores = tape_node(tape, cache->scores);
    const TapeNode *transpose = tape_node(tape, scores->inputs[1]);
    if (transpose->operation != OPERATION_TRANSPOSE)
        return false;
    cache->query = scores->inputs[0];
    cache->keys = transpose->inputs[0];
    cache->cached_rows = cached_row_count(tape, cache->keys);
    return cache->cached_rows > 0 &&
           cache->cached_rows == cached_row_count(tape, cache->values);
}

static bool cache_fits(const Tape *tape, size_t node) {
    LessonCache cache;
    return lesson_find_cache(tape, node, &cache);
}

static bool plane_fits(const Tape *tape, size_t node) {
    const Tensor *tensor = &tape_node(tape, node)->output;
    return tensor->cols >= 2 && tensor->rows >= 1 && tensor->rows <= LESSON_PLANE_MAX &&
           tensor->row_labels;
}

/* Reports whether a node is the encoder's output or the final result of a model with both
 * towers. */
static bool model_fits(const Tape *tape, size_t node) {
    size_t memory = tape_find(tape, "memory"), end = tape_find(tape, "probabilities");
    return memory != TAPE_NONE && end != TAPE_NONE && (node == memory || node == end) &&
           tape_node(tape, end)->operation == OPERATION_SOFTMAX;
}

static bool same_columns(const Tape *tape, const size_t *nodes, size_t count) {
    for (size_t i = 1; i < count; i++) {
        if (tape_node(tape, nodes[i])->output.cols !=
            tape_node(tape, nodes[0])->output.cols)
            return false;
    }
    return true;
}

static bool is_path(const Tape *tape, const size_t *nodes, size_t count) {
    for (size_t i = 1; i < count; i++) {
        if (!tensor_same_shape(tensor_of(tape, nodes[i]), tensor_of(tape, nodes[0])) ||
            !tape_depends(tape, nodes[i], nodes[i - 1]))
            return false;
    }
    return count > 1 && tensor_of(tape, nodes[0])->cols > 1;
}

bool lesson_find_projection(const Tape *tape, size_t node, LessonProjection *projection) {
    const TapeNode *at = tape_node(tape, node);
    *projection = (LessonProjection){.bias = TAPE_NONE, .end_col = at->output.cols};
    while (at->operation == OPERATION_SLICE && !at->muted &&
           at->output.rows == at->operands[0]->rows) {
        projection->first_col += at->options.col_begin;
        projection->end_col += at->options.col_begin;
        at = tape_node(tape, at->inputs[0]);
    }
    if (at->operation == OPERATION_ADD && !at->muted && at->operands[1]->rows == 1) {
        projection->bias = at->inputs[1];
        at = tape_node(tape, at->inputs[0]);
    }
    if (at->operation != OPERATION_MATMUL || at->muted)
        return false;
    projection->source = at->inputs[0];
    projection->weight = at->inputs[1];
    return projection->end_col <= at->output.cols;
}

static bool is_projection(const Tape *tape, size_t node) {
    LessonProjection projection;
    return any_fits(tape, node) && lesson_find_projection(tape, node, &projection);
}

static bool have_one_source(const Tape *tape, const size_t *nodes, size_t count) {
    LessonProjection first, other;
    for (size_t i = 0; i < count; i++) {
        if (!lesson_find_projection(tape, nodes[i], i ? &other : &first) ||
            (i && other.source != first.source))
            return false;
    }
    return count > 1 && count <= LESSON_PROJECTIONS_MAX;
}

/* Reports whether the last node has attention weights, and the one before it, if any, is
 * a table of their shape that they are computed from. */
static bool are_weights(const Tape *tape, const size_t *nodes, size_t count) {
    size_t last = count ? nodes[count - 1] : 0;
    return count >= 1 && count <= 2 && arcs_fit(tape, last) &&
           (count == 1 ||
            (tensor_same_shape(tensor_of(tape, nodes[0]), tensor_of(tape, last)) &&
             tape_depends(tape, last, nodes[0])));
}

/* Returns the node of a group that has the group's name, a dot and `name` as its name, or
 * TAPE_NONE. */
static size_t find_within(const Tape *tape, const TapeGroup *group, const char *name) {
    size_t length = strlen(group->name);
    for (size_t i = group->first; i < group->first + group->count; i++) {
        const char *own = tape_node(tape, i)->name;
        if (strncmp(own, group->name, length) == 0 && own[length] == '.' &&
            strcmp(own + length + 1, name) == 0)
            return i;
    }
    return TAPE_NONE;
}

size_t lesson_find_contexts(const Tape *tape, size_t node,
                            size_t contexts[LESSON_CONTEXTS_MAX]) {
    const char *name = tape_node(tape, node)->name;
    size_t count = 0;
    for (size_t i = 0;
         name[0] && i < tape_group_count(tape) && count < LESSON_CONTEXTS_MAX; i++) {
        const TapeGroup *group = tape_group(tape, i);
        if (group->first <= node || strchr(group->name, '.'))
            continue;
        size_t found = find_within(tape, group, name);
        if (found != TAPE_NONE &&
            tensor_of(tape, found)->cols == tensor_of(tape, node)->cols)
            contexts[count++] = found;
    }
    return count;
}

static bool contexts_fit(const Tape *tape, size_t node) {
    size_t contexts[LESSON_CONTEXTS_MAX];
    return tensor_of(tape, node)->row_labels && any_fits(tape, node) &&
           lesson_find_contexts(tape, node, contexts) > 0;
}

static bool is_single(const Tape *tape, const size_t *nodes, size_t count) {
    (void)tape;
    (void)nodes;
    return count == 1;
}

typedef struct ViewEntry {
    const char *name;
    const char *draws; /* what it draws, a phrase */
    bool (*fits)(const Tape *tape, size_t node);
    const char *needs; /* the end of a message: "'as: arcs' draws …" */
    /* Condition on the source; NULL: none. */
    bool (*cut_from)(const LessonSource *source);
    /* Condition on all tensors of a step together; NULL: none. */
    bool (*together)(const Tape *tape, const size_t *nodes, size_t count);
} ViewEntry;

static const ViewEntry views[LESSON_VIEW_COUNT] = {
    [LESSON_VIEW_NONE] = {.name = "", .fits = any_fits, .needs = ""},
    [LESSON_VIEW_PICTURE] = {.name = "", .fits = any_fits, .needs = ""},
    [LESSON_VIEW_HEATMAP] = {.name = "heatmap",
                             .draws = "the tensor alone, as a table of coloured cells",
                             .fits = any_fits,
                             .needs = "a tensor with cells"},
    [LESSON_VIEW_BARS] = {.name = "bars",
                          .draws = "one row as bars over its columns",
                          .fits = any_fits,
                          .needs = "a tensor with cells"},
    [LESSON_VIEW_WAVES] =
        {.name = "waves",
         .draws = "columns as curves over the rows, as positional encodings are drawn",
         .fits = waves_fit,
         .needs = "a tensor of two rows or more"},
    [LESSON_VIEW_ARCS] =
        {.name = "arcs",
         .draws = "attention weights as arcs between tokens",
         .fits = arcs_fit,
         .needs = "attention weights: numbers from 0 to 1 in rows that sum to "
                  "1, with labels for rows and columns ('tokens:' or 'labels:')"},
    [LESSON_VIEW_CHIPS] =
        {.name = "chips",
         .draws = "tokens with their IDs",
         .fits = chips_fit,
         .needs = "a list of whole numbers with a label for each ('tokens:' or "
                  "'labels:')"},
    [LESSON_VIEW_RECIPE] =
        {.name = "recipe",
         .draws = "a row of a product as a weighted sum of the other factor's rows",
         .fits = recipe_fits,
         .needs = "a product 'A @ V' whose rows of A are weights that sum to 1"},
    [LESSON_VIEW_DISTANCES] = {.name = "distances",
                               .draws = "relative positions as steps along a line",
                               .fits = distances_fit,
                               .needs =
                                   "a table whose cell in row i, column j is j − i, with "
                                   "labels for its rows ('tokens:' or 'labels:')"},
    [LESSON_VIEW_CURVE] =
        {.name = "curve",
         .draws = "columns as curves over the numbers in the rows' labels",
         .fits = curve_fits,
         .needs = "two rows or more whose labels are growing numbers ('8' or "
                  "'d_k = 8'), and at most 8 columns"},
    [LESSON_VIEW_HISTOGRAM] = {.name = "histogram",
                               .draws = "the distribution of each column's numbers",
                               .fits = histogram_fits,
                               .needs = "eight rows or more, in at most 32 columns"},
    [LESSON_VIEW_MERGES] =
        {.name = "merges",
         .draws = "words with their merged tokens, and the pairs that could be next",
         .fits = chips_fit,
         .needs = "the corpus of a byte-pair encoding, given with "
                  "'corpus_after:'",
         .cut_from = is_merged},
    [LESSON_VIEW_SHIFT] =
        {.name = "shift",
         .draws = "the input of a decoder beside its target, one token further on",
         .fits = any_fits,
         .needs = "two texts of which the second is the first one word further "
                  "on ('show: [reads, says]', with a mask behind them or "
                  "without), a text without its first word ('text[:, 1:5]'), "
                  "or the beginning of one ('text[:, 0:2]')",
         .together = shift_fits},
    [LESSON_VIEW_CACHE] =
        {.name = "cache",
         .draws = "the attention of new tokens to cached keys and values",
         .fits = cache_fits,
         .needs = "an attention whose keys and values are stacked, 'stack(kept, "
                  "new)'"},
    [LESSON_VIEW_VOCABULARY] =
        {.name = "vocabulary",
         .draws = "tokens, each with a line to its row of the vocabulary",
         .fits = chips_fit,
         .needs = "a text, given with 'text:' and 'vocabulary:'",
         .cut_from = is_text_of_vocabulary},
    [LESSON_VIEW_PLANE] =
        {.name = "plane",
         .draws = "rows as points of a plane",
         .fits = plane_fits,
         .needs = "rows with labels ('tokens:' or 'labels:'), at most 64, of "
                  "two columns or more, and equally many",
         .together = same_columns},
    [LESSON_VIEW_MODEL] = {.name = "model",
                           .draws = "the whole model",
                           .fits = model_fits,
                           .needs = "'memory' or 'probabilities' of a model of kind "
                                    "encoder_decoder"},
    [LESSON_VIEW_PATH] =
        {.name = "path",
         .draws = "one row of several tensors as stations, number by number",
         .fits = any_fits,
         .needs = "two tensors or more of equally many rows and columns, each computed "
                  "from the one before it ('show: [X, Y, Z]')",
         .together = is_path},
    [LESSON_VIEW_PROJECTIONS] =
        {.name = "projections",
         .draws = "one row of a tensor, multiplied by a matrix on each of several lanes",
         .fits = is_projection,
         .needs = "two to four products of one tensor with other matrices ('show: [Q, K, "
                  "V]' with 'Q = X @ W_Q')",
         .together = have_one_source},
    [LESSON_VIEW_CHANGED] =
        {.name = "changed",
         .draws = "one row of attention weights before and after numbers are changed, "
                  "with what the model predicts",
         .fits = any_fits,
         .needs = "attention weights with labels, alone or behind the scores that they "
                  "are computed from ('show: [scores, weights]')",
         .together = are_weights},
    [LESSON_VIEW_CONTEXTS] =
        {.name = "contexts",
         .draws = "the vector of one token in each of several texts, under its embedding",
         .fits = contexts_fit,
         .needs = "a tensor that a model computes from its own text and from "
                  "'other_texts:'",
         .together = is_single},
};

const char *lesson_view_name(LessonView view) {
    return views[view].name;
}

const char *lesson_view_draws(LessonView view) {
    return views[view].draws;
}

const char *lesson_view_needs(LessonView view) {
    return views[view].needs;
}

static bool fits(const ViewEntry *entry, const Tape *tape, const LessonSource *sources,
                 size_t node) {
    const LessonSource *source = lesson_source_of(sources, node);
    return entry->fits(tape, node) &&
           (!entry->cut_from || (source && entry->cut_from(source)));
}

bool lesson_view_fits(LessonView view, const Tape *tape, const LessonSource *sources,
                      const size_t *nodes, size_t count, Error *error) {
    const ViewEntry *entry = &views[view];
    bool all = !entry->together || entry->together(tape, nodes, count);
    for (size_t i = 0; all && i < count; i++)
        all = fits(entry, tape, sources, nodes[i]);
    return all || error_set(error, ERROR_VALUE, 0, 0, "'as: %s' draws %s", entry->name,
                            entry->needs);
}
