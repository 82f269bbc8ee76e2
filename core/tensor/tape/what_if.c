#include "tensor/tape/what_if.h"

#include "base/arena.h"
#include "base/maths.h"
#include "tensor/tape/tape_parts.h"

#include <stdint.h>
#include <string.h>

/* Outputs of the nodes from `first` on, if its output were another. */
typedef struct Otherwise {
    const Tape *tape;
    size_t first;
    Arena *arena;    /* under a guard */
    Tensor *outputs; /* without values: as on the tape */
} Otherwise;

static Otherwise otherwise(const Tape *tape, size_t first, Arena *arena) {
    return (Otherwise){tape, first, arena,
                       arena_alloc(arena, tape_count(tape) - first, sizeof(Tensor))};
}

static const Tensor *output_of(const Otherwise *this, size_t node) {
    if (node >= this->first && this->outputs[node - this->first].values)
        return &this->outputs[node - this->first];
    return &tape_node(this->tape, node)->output;
}

/* Gives a node an output of its own, with the values of another. */
static Tensor *replace(const Otherwise *this, size_t node, const Tensor *with) {
    Tensor *out = &this->outputs[node - this->first];
    size_t cells = tensor_cells(with);
    *out = tape_node(this->tape, node)->output;
    out->values = arena_alloc(this->arena, cells, sizeof *out->values);
    memcpy(out->values, with->values, cells * sizeof *out->values);
    return out;
}

/* Reports whether an input of a node is otherwise; *call is then its operation. */
static bool differs(const Otherwise *this, size_t number, OperationCall *call) {
    const TapeNode *node = tape_node(this->tape, number);
    bool any = false;
    for (size_t i = 0; i < node->input_count; i++)
        any |= output_of(this, node->inputs[i]) != node->operands[i];
    if (!any)
        return false;
    const Tensor **inputs = arena_alloc(this->arena, node->input_count, sizeof *inputs);
    for (size_t i = 0; i < node->input_count; i++)
        inputs[i] = output_of(this, node->inputs[i]);
    *call = tape_call(node);
    call->inputs = inputs;
    return true;
}

/* ---- what a number would become ---- */

/* A question, answered under the arena's guard. */
typedef struct Question {
    const Tape *tape;
    const WhatIf *what;
    Arena *arena;
    double number; /* the number observed, after the change */
} Question;

/* Changes the cells that the question is about, in a node's output. */
static void change_cells(const WhatIf *what, Tensor *out) {
    for (size_t i = 0; i < tensor_cells(out); i++) {
        bool in_row =
            what->changed_row == TAPE_NONE || what->changed_row == i / out->cols;
        bool in_col =
            what->changed_col == TAPE_NONE || what->changed_col == i % out->cols;
        if (in_row && in_col)
            out->values[i] = what->times * out->values[i] + what->add;
    }
}

static void change(const Otherwise *this, const WhatIf *what) {
    const TapeNode *node = tape_node(this->tape, what->changed);
    if (what->mutes)
        replace(this, what->changed, node->operands[node->stand_in]);
    else
        change_cells(what, replace(this, what->changed, &node->output));
}

/* Recomputes a node if one of its inputs has changed, or if it repeats the one that is
 * changed; cells set by hand stay. */
static void compute(const Otherwise *this, const WhatIf *what, size_t number) {
    const TapeNode *node = tape_node(this->tape, number);
    OperationCall call = tape_call(node);
    bool repeats = node->repeats == what->changed && (what->mutes || node->repeats_cells);
    bool other = differs(this, number, &call);
    if (!other && !repeats)
        return;
    if (node->muted || (repeats && what->mutes)) {
        replace(this, number, call.inputs[node->stand_in]);
        return;
    }
    Tensor *out = replace(this, number, &node->output);
    if (other)
        operation_of(node->operation)->forward(&call, out);
    if (repeats)
        change_cells(what, out);
    for (size_t i = 0; node->edited && i < tensor_cells(out); i++)
        tape_cell_edited(this->tape, number, i / out->cols, i % out->cols,
                         &out->values[i]);
}

static void answer(void *context) {
    Question *question = context;
    const WhatIf *what = question->what;
    Otherwise this = otherwise(question->tape, what->changed, question->arena);
    change(&this, what);
    for (size_t i = what->changed + 1; i <= what->node; i++)
        compute(&this, what, i);
    question->number = tensor_at(output_of(&this, what->node), what->row, what->col);
}

Trend tape_what_if(const Tape *tape, const WhatIf *what, Arena *arena, double *before,
                   double *after) {
    const Tensor *watched = &tape_node(tape, what->node)->output;
    double old = tensor_at(watched, what->row, what->col);
    Question question = {tape, what, arena, old};
    if (what->node >= what->changed && !arena_guard(arena, answer, &question)) {
        arena_alloc(arena, SIZE_MAX, 1); /* fails again: for the caller's guard */
        return TREND_NONE;
    }
    double fresh = question.number;
    if (isnan(old) || isnan(fresh))
        return TREND_NONE;
    *before = old;
    *after = fresh;
    if (old == fresh || fabs(fresh - old) < WHAT_IF_SEEN)
        return TREND_SAME;
    return fresh > old ? TREND_UP : TREND_DOWN;
}

/* ---- IDs ---- */

enum { SCRATCH_BYTES = 64 << 20 };

/* Reports whether an operation passes one of its inputs on as it is. */
static bool moves(const TapeNode *user, size_t input) {
    return operation_of(user->operation)->values == OPERATION_VALUES_OF_INPUT &&
           operation_of(user->operation)->work == OPERATION_WORK_BY_MOVING &&
           !operation_reads_ids(user->operation, input);
}

/* Marks a node as holding IDs; *lowest becomes the first node whose inputs must still be
 * visited. */
static void mark(Tape *tape, size_t number, size_t *lowest) {
    TapeNode *node = tape->nodes[number];
    if (!node->holds_ids && node->input_count && number < *lowest)
        *lowest = number;
    node->holds_ids = true;
}

void tape_note_ids(Tape *tape, size_t number) {
    const TapeNode *user = tape->nodes[number];
    size_t lowest = number;
    for (size_t j = 0; j < user->input_count; j++) {
        if (operation_reads_ids(user->operation, j))
            mark(tape, user->inputs[j], &lowest);
    }
    for (size_t i = number; i-- > lowest;) {
        const TapeNode *node = tape->nodes[i];
        for (size_t j = 0; node->holds_ids && j < node->input_count; j++) {
            if (moves(node, j))
                mark(tape, node->inputs[j], &lowest);
        }
    }
}

/* An ID that is tried in a cell, under the guard of an arena of its own. */
typedef struct Trial {
    const Tape *tape;
    size_t node, row, col;
    double value;
    Arena *arena;
    Error *error;
    bool good;
} Trial;

/* Lets the operations that read the trial's values as IDs, directly or after they were
 * moved, accept or refuse them. */
static void try_id(void *context) {
    Trial *trial = context;
    Otherwise this = otherwise(trial->tape, trial->node, trial->arena);
    Tensor *tried =
        replace(&this, trial->node, &tape_node(trial->tape, trial->node)->output);
    tried->values[trial->row * tried->cols + trial->col] = trial->value;
    for (size_t i = trial->node + 1; trial->good && i < tape_count(trial->tape); i++) {
        const TapeNode *user = tape_node(trial->tape, i);
        const Operation *operation = operation_of(user->operation);
        bool reads = false, hands_on = false;
        OperationCall call;
        if (!differs(&this, i, &call))
            continue;
        for (size_t j = 0; j < call.count; j++) {
            bool other = call.inputs[j] != user->operands[j];
            reads |= other && operation_reads_ids(user->operation, j);
            hands_on |= other && user->holds_ids && moves(user, j);
        }
        if (reads && operation->accepts)
            trial->good = operation->accepts(&call, trial->error);
        if (hands_on)
            operation->forward(&call, replace(&this, i, &user->output));
    }
}

bool tape_accepts(const Tape *tape, size_t node, size_t row, size_t col, double value,
                  Error *error) {
    if (!tape_node(tape, node)->holds_ids)
        return true;
    Trial trial = {tape, node, row, col, value, arena_create(SCRATCH_BYTES), error, true};
    if (trial.arena) /* what can't be tried for lack of memory is accepted */
        arena_guard(trial.arena, try_id, &trial);
    arena_destroy(trial.arena);
    return trial.good;
}
