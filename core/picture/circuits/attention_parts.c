#include "base/arena.h"
#include "lesson/play/player.h"
#include "picture/circuits/circuits.h"
#include "picture/draw/canvas.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <string.h>

/* The nodes that a step computes. */
typedef struct Span {
    const Stage *stage;
    size_t first, last;
} Span;

static const TapeNode *node_of(const Span *span, size_t node) {
    return stage_node(span->stage, node);
}

static bool is_made(const Span *span, size_t node) {
    return node >= span->first && node <= span->last;
}

static Span span_of(const Stage *stage, size_t step) {
    const PlayerStep *steps = stage->player->steps;
    size_t first = step;
    while (steps[first].child_count)
        first = steps[first].parts;
    size_t begin = steps[first].node, last = steps[step].node;
    while (begin > 0 && stage_node(stage, begin - 1)->quiet && /* constants of the step */
           stage_node(stage, begin - 1)->group == stage_node(stage, begin)->group)
        begin--;
    return (Span){stage, begin, last};
}

/* ---- one head ---- */

static const AttentionLane no_lane = {
    .table = TAPE_NONE, .source = TAPE_NONE, .weight = TAPE_NONE, .bias = TAPE_NONE};

static bool is_given(const Span *span, size_t node) {
    const TapeNode *at = node_of(span, node);
    while (at->operation == OPERATION_SLICE) /* W_Q[:, 2:4] */
        at = node_of(span, at->inputs[0]);
    return at->operation == OPERATION_GIVEN;
}

/* Takes a product of a source with a given weight, x W, apart. */
static bool take_product(const Span *span, size_t node, AttentionLane *lane) {
    const TapeNode *at = node_of(span, node);
    if (!is_made(span, node) || at->operation != OPERATION_MATMUL ||
        !is_given(span, at->inputs[1]))
        return false;
    lane->source = at->inputs[0];
    lane->weight = at->inputs[1];
    return true;
}

/* Input of a rotary position embedding that this step applies; else the node itself. */
static size_t before_rotation(const Span *span, size_t node) {
    const TapeNode *at = node_of(span, node);
    bool turned = is_made(span, node) && at->operation == OPERATION_ROTARY;
    return turned ? at->inputs[0] : node;
}

static AttentionLane lane_of(const Span *span, size_t table) {
    AttentionLane lane = no_lane;
    lane.table = table;
    table = before_rotation(span, table);
    const TapeNode *at = node_of(span, table);
    if (!is_made(span, table) || take_product(span, table, &lane))
        return lane;
    if (at->operation == OPERATION_ADD && take_product(span, at->inputs[0], &lane)) {
        lane.bias = at->inputs[1];
    } else if (at->operation == OPERATION_SLICE) {
        const OperationOptions *cut = &at->options;
        lane.band = cut->row_begin == 0 && cut->row_end == at->operands[0]->rows;
        lane.source = lane.band ? at->inputs[0] : TAPE_NONE;
        lane.first_col = cut->col_begin;
        lane.end_col = cut->col_end;
    }
    return lane;
}

static bool is_product_of_keys(const TapeNode *at, const Span *span) {
    return at->operation == OPERATION_MATMUL &&
           node_of(span, at->inputs[1])->operation == OPERATION_TRANSPOSE;
}

/* Operand of a node that leads back to the scores: of a sum or a quotient the one that is
 * neither mask nor number; TAPE_NONE if there is none. */
static size_t step_back(const Span *span, size_t node, AttentionParts *parts) {
    const TapeNode *at = node_of(span, node);
    if (at->operation == OPERATION_DIVIDE || at->operation == OPERATION_MULTIPLY)
        return tensor_cells(at->operands[1]) == 1 ? at->inputs[0] : TAPE_NONE;
    if (at->operation != OPERATION_ADD)
        return TAPE_NONE;
    parts->masked = true;
    for (size_t i = 0; i < 2; i++) {
        OperationKind kind = node_of(span, at->inputs[i])->operation;
        if (kind == OPERATION_DIVIDE || kind == OPERATION_MATMUL)
            return at->inputs[i];
    }
    return TAPE_NONE;
}

/* Follows scaled and masked scores back to Q and K; returns false if they are not such
 * scores. */
static bool take_scores(const Span *span, size_t node, AttentionParts *parts) {
    while (is_made(span, node) && !is_product_of_keys(node_of(span, node), span)) {
        node = step_back(span, node, parts);
        if (node == TAPE_NONE)
            return false;
    }
    if (!is_made(span, node))
        return false;
    const TapeNode *scores = node_of(span, node);
    parts->scores = node;
    parts->query = lane_of(span, scores->inputs[0]);
    parts->key = lane_of(span, node_of(span, scores->inputs[1])->inputs[0]);
    return true;
}

static AttentionParts no_parts(size_t probabilities) {
    return (AttentionParts){.query = no_lane,
                            .key = no_lane,
                            .value = no_lane,
                            .scores = TAPE_NONE,
                            .last = TAPE_NONE,
                            .probabilities = probabilities,
                            .output = TAPE_NONE};
}

static bool find_in(const Span *span, size_t node, AttentionParts *parts) {
    *parts = no_parts(node);
    const TapeNode *at = node_of(span, node);
    if (at->operation == OPERATION_MATMUL) {
        parts->probabilities = at->inputs[0];
        parts->output = node;
        if (node_of(span, parts->probabilities)->operation != OPERATION_SOFTMAX)
            return false;
        parts->value = lane_of(span, at->inputs[1]);
    } else if (at->operation != OPERATION_SOFTMAX) {
        return false;
    }
    if (!is_made(span, parts->probabilities))
        return false;
    parts->last = node_of(span, parts->probabilities)->inputs[0];
    return take_scores(span, parts->last, parts);
}

/* Finds scores at the end of a step that computes their queries or their keys. */
static bool find_bare(const Span *span, AttentionParts *parts) {
    *parts = no_parts(span->last);
    parts->bare = true;
    if (!take_scores(span, span->last, parts))
        return false;
    if (parts->scores != span->last)
        parts->last = parts->scores;
    return parts->query.source != TAPE_NONE || parts->key.source != TAPE_NONE;
}

bool attention_find(const Stage *stage, AttentionParts *parts) {
    Span span = span_of(stage, stage->player->step);
    return find_in(&span, span.last, parts) || find_bare(&span, parts);
}

/* ---- several ---- */

/* Table that a head's columns are cut from, and its origin. */
static AttentionLane whole_of(const Span *span, const AttentionLane *own) {
    return own->band ? lane_of(span, own->source) : *own;
}

static bool take_heads(const Span *span, AttentionHeads *all) {
    const TapeNode *joined = node_of(span, all->joined);
    bool several = joined->operation == OPERATION_CONCAT;
    all->count = several ? joined->input_count : 1;
    AttentionParts *heads =
        arena_alloc(span->stage->canvas->scene->arena, all->count, sizeof *heads);
    if (all->count > ATTENTION_HEADS_MAX)
        return false;
    for (size_t i = 0; i < all->count; i++) {
        size_t node = several ? joined->inputs[i] : all->joined;
        if (!is_made(span, node) || !find_in(span, node, &heads[i]))
            return false;
    }
    all->heads = heads;
    all->query = whole_of(span, &heads[0].query);
    all->key = whole_of(span, &heads[0].key);
    all->value = whole_of(span, &heads[0].value);
    return true;
}

bool attention_find_heads(const Stage *stage, AttentionHeads *heads) {
    Span span = span_of(stage, stage->player->step);
    AttentionLane result = lane_of(&span, span.last);
    *heads = (AttentionHeads){.joined = span.last,
                              .weight = result.weight,
                              .bias = result.bias,
                              .output = span.last};
    if (result.weight != TAPE_NONE)
        heads->joined = result.source;
    return is_made(&span, heads->joined) && take_heads(&span, heads) &&
           (heads->count > 1 || heads->weight != TAPE_NONE);
}

bool attention_head_of(const Stage *stage, size_t *head, size_t *count) {
    Stage around = *stage;
    Player player = *stage->player;
    around.player = &player;
    const PlayerStep *steps = player.steps;
    size_t node = steps[player.step].node;
    for (size_t step = steps[player.step].parent; step != PLAYER_NONE;
         step = steps[step].parent) {
        AttentionHeads heads;
        player.step = step;
        if (steps[step].frame != PLAYER_NONE || !attention_find_heads(&around, &heads))
            continue;
        for (size_t i = 0; i < heads.count; i++) {
            if (heads.heads[i].output == node || heads.heads[i].probabilities == node) {
                *head = i;
                *count = heads.count;
                return heads.count > 1;
            }
        }
    }
    return false;
}
