#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"
#include "picture/layers/layers_parts.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <string.h>

static const PlayerStep *step_of(const Stage *stage, size_t step) {
    return &stage->player->steps[step];
}

size_t lane_first_node(const Stage *stage, size_t step) {
    while (step_of(stage, step)->child_count)
        step = step_of(stage, step)->parts;
    return step_of(stage, step)->node;
}

size_t lane_maker(const Stage *stage, size_t node) {
    const Lesson *lesson = stage->player->lesson;
    for (size_t i = 0; i < lesson->step_count; i++) {
        if (lesson->steps[i].result == node && !lesson->steps[i].shown_count &&
            !lesson->steps[i].film && !lesson->steps[i].generate)
            return player_statement_step(stage->player, i);
    }
    return PLAYER_NONE;
}

/* Node outside a sublayer that it reads besides `in`. */
static size_t find_memory(const Stage *stage, size_t step, size_t in) {
    size_t first = lane_first_node(stage, step);
    if (strcmp(step_of(stage, step)->topic, "cross_attention") != 0)
        return TAPE_NONE;
    for (size_t i = first; i < step_of(stage, step)->node; i++) {
        const TapeNode *at = stage_node(stage, i);
        if (at->operation == OPERATION_MATMUL && at->inputs[0] < first &&
            at->inputs[0] != in)
            return at->inputs[0];
    }
    return TAPE_NONE;
}

bool lane_reads(const Stage *stage, size_t step, size_t node) {
    size_t first = lane_first_node(stage, step);
    for (size_t i = first; i <= step_of(stage, step)->node; i++) {
        const TapeNode *at = stage_node(stage, i);
        for (size_t j = 0; j < at->input_count; j++) {
            if (at->inputs[j] == node)
                return true;
        }
    }
    return false;
}

/* Sublayer step that computed one term of a sum from the other; PLAYER_NONE: none. */
static size_t sublayer_before(const Stage *stage, size_t term, size_t lane) {
    size_t step = lane_maker(stage, term);
    return step != PLAYER_NONE && step_of(stage, step)->child_count &&
                   step < stage->player->step && lane_reads(stage, step, lane)
               ? step
               : PLAYER_NONE;
}

/* Input of the lane: the other term of the first sum that adds a sublayer's result. */
static size_t find_input(const Stage *stage, size_t step) {
    size_t sublayer = TAPE_NONE;
    for (size_t i = step_of(stage, step)->parts; i < step_of(stage, step)->next;
         i = step_of(stage, i)->next) {
        const TapeNode *at = stage_node(stage, step_of(stage, i)->node);
        if (step_of(stage, i)->child_count)
            sublayer = step_of(stage, i)->node;
        else if (sublayer != TAPE_NONE && at->operation == OPERATION_ADD)
            return at->inputs[0] == sublayer ? at->inputs[1] : at->inputs[0];
        else if (at->operation == OPERATION_ADD &&
                 sublayer_before(stage, at->inputs[1], at->inputs[0]) != PLAYER_NONE)
            return at->inputs[0];
    }
    return TAPE_NONE;
}

/* State while a step is taken apart; the open loop has no sum yet. */
typedef struct Reading {
    const Stage *stage;
    LaneParts *parts;
    LaneLoop open;
    size_t lane; /* node on the lane now */
} Reading;

static bool read_norm(Reading *this, size_t step, size_t node) {
    const Stage *stage = this->stage;
    LaneParts *parts = this->parts;
    size_t input = stage_node(stage, node)->inputs[0];
    if (input != this->lane || this->open.node != TAPE_NONE)
        return false;
    /* the norm belongs to the sublayer behind it if the lane itself leads on to a later
     * sum */
    const PlayerStep *around = step_of(stage, step_of(stage, step)->parent);
    for (size_t i = step_of(stage, step)->next; i < around->next;
         i = step_of(stage, i)->next) {
        if (!step_of(stage, i)->child_count && lane_reads(stage, i, this->lane)) {
            this->open.norm_first = true;
            this->open.norm = node;
            this->open.norm_step = step;
            return true;
        }
    }
    if (parts->count == 0 || parts->loops[parts->count - 1].norm != TAPE_NONE)
        return false;
    LaneLoop *last = &parts->loops[parts->count - 1];
    last->norm = last->out = this->lane = node;
    last->norm_step = step;
    return true;
}

static const LaneLoop closed = {.step = PLAYER_NONE,
                                .node = TAPE_NONE,
                                .memory = TAPE_NONE,
                                .sum_step = PLAYER_NONE,
                                .sum = TAPE_NONE,
                                .norm_step = PLAYER_NONE,
                                .norm = TAPE_NONE};

static bool read_sublayer(Reading *this, size_t step, size_t node) {
    size_t source = this->open.norm == TAPE_NONE ? this->lane : this->open.norm;
    if (this->open.node != TAPE_NONE || this->parts->count == LANE_LOOPS_MAX ||
        !lane_reads(this->stage, step, source))
        return false;
    this->open.step = step;
    this->open.node = node;
    this->open.memory = find_memory(this->stage, step, source);
    return true;
}

static bool read_sum(Reading *this, size_t step, size_t node) {
    const TapeNode *at = stage_node(this->stage, node);
    size_t a = at->inputs[0], b = at->inputs[1], before = PLAYER_NONE;
    if (this->open.node == TAPE_NONE && a == this->lane)
        before = sublayer_before(this->stage, b, a);
    if (before != PLAYER_NONE)
        read_sublayer(this, before, b);
    size_t loop = this->open.node;
    if (loop == TAPE_NONE ||
        !((a == loop && b == this->lane) || (b == loop && a == this->lane)))
        return false;
    this->open.sum = this->open.out = node;
    this->open.sum_step = step;
    this->open.in = this->lane;
    this->parts->loops[this->parts->count++] = this->open;
    this->lane = node;
    this->open = closed;
    return true;
}

bool lane_parts(LaneParts *parts, const Stage *stage, size_t step) {
    *parts = (LaneParts){0};
    Reading this = {stage, parts, closed, find_input(stage, step)};
    if (this.lane == TAPE_NONE)
        return false;
    for (size_t i = step_of(stage, step)->parts; i < step_of(stage, step)->next;
         i = step_of(stage, i)->next) {
        size_t node = step_of(stage, i)->node;
        OperationKind kind = stage_node(stage, node)->operation;
        bool read = step_of(stage, i)->child_count   ? read_sublayer(&this, i, node)
                    : operation_of(kind)->normalizes ? read_norm(&this, i, node)
                    : kind == OPERATION_ADD          ? read_sum(&this, i, node)
                                                     : false;
        if (!read)
            return false;
    }
    return parts->count > 0 && this.open.node == TAPE_NONE &&
           this.lane == step_of(stage, step)->node;
}

static bool is_masked(const Stage *stage, size_t step) {
    for (size_t i = lane_first_node(stage, step); i < step_of(stage, step)->node; i++) {
        const char *name = strrchr(stage_node(stage, i)->name, '.');
        if (name && strcmp(name, ".masked") == 0)
            return true;
    }
    return false;
}

/* Topic of a sublayer's step. */
static const char *topic_of(const Stage *stage, size_t step) {
    const char *topic = step_of(stage, step)->topic;
    bool masked = strcmp(topic, "self_attention") == 0 && is_masked(stage, step);
    return masked ? "masked_attention" : topic;
}

const char *lane_sublayer_name(const Stage *stage, size_t step) {
    const Canvas *canvas = stage->canvas;
    const char *key = canvas_format(canvas, "map.%s", topic_of(stage, step));
    return language_has(canvas->language, key) ? canvas_string(canvas, key) : NULL;
}

LaneBlock lane_loop_block(const Stage *stage, const LaneLoop *loop) {
    return lane_block_of(stage->canvas, topic_of(stage, loop->step));
}
