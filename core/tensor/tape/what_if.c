#include "tensor/tape/what_if.h"

#include "base/arena.h"
#include "base/maths.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <string.h>

/* Hypothetical outputs of the nodes from the changed one on. */
typedef struct Otherwise {
    const Tape *tape;
    const WhatIf *what;
    Arena *arena;
    /* outputs of nodes from `changed` on; without values: as on the tape */
    Tensor *outputs;
} Otherwise;

static const Tensor *output_of(const Otherwise *this, size_t node) {
    size_t first = this->what->changed;
    if (node >= first && this->outputs[node - first].values)
        return &this->outputs[node - first];
    return &tape_node(this->tape, node)->output;
}

/* Copies a node's output, to be changed. */
static Tensor *replace(const Otherwise *this, size_t node, const Tensor *with) {
    Tensor *out = &this->outputs[node - this->what->changed];
    size_t cells = tensor_cells(with);
    double *values = arena_alloc(this->arena, cells, sizeof *values);
    if (!values)
        return NULL;
    memcpy(values, with->values, cells * sizeof *values);
    *out = tape_node(this->tape, node)->output;
    out->values = values;
    return out;
}

static bool change(const Otherwise *this) {
    const WhatIf *what = this->what;
    const TapeNode *node = tape_node(this->tape, what->changed);
    if (what->mutes)
        return replace(this, what->changed, node->operands[node->stand_in]) != NULL;
    Tensor *out = replace(this, what->changed, &node->output);
    for (size_t i = 0; out && i < tensor_cells(out); i++) {
        bool in_row =
            what->changed_row == TAPE_NONE || what->changed_row == i / out->cols;
        bool in_col =
            what->changed_col == TAPE_NONE || what->changed_col == i % out->cols;
        if (in_row && in_col)
            out->values[i] = what->times * out->values[i] + what->add;
    }
    return out != NULL;
}

/* Restores cells set by hand. */
static void keep_edits(const Otherwise *this, size_t number, Tensor *out) {
    double value;
    for (size_t i = 0; i < tensor_cells(out); i++) {
        if (tape_cell_edited(this->tape, number, i / out->cols, i % out->cols, &value))
            out->values[i] = value;
    }
}

/* Recomputes a node if one of its inputs has changed. */
static bool compute(const Otherwise *this, size_t number) {
    const TapeNode *node = tape_node(this->tape, number);
    const Tensor **operands =
        arena_alloc(this->arena, node->input_count + 1, sizeof *operands);
    bool otherwise = false;
    if (!operands)
        return false;
    for (size_t i = 0; i < node->input_count; i++) {
        operands[i] = output_of(this, node->inputs[i]);
        otherwise |= operands[i] != node->operands[i];
    }
    if (!otherwise)
        return true;
    if (node->muted)
        return replace(this, number, operands[node->stand_in]) != NULL;
    Tensor *out = replace(this, number, &node->output);
    OperationCall call = tape_call(node);
    call.inputs = operands;
    if (out)
        operation_of(node->operation)->forward(&call, out);
    if (out && node->edited)
        keep_edits(this, number, out);
    return out != NULL;
}

Trend tape_what_if(const Tape *tape, const WhatIf *what, Arena *arena, double *before,
                   double *after) {
    const Tensor *watched = &tape_node(tape, what->node)->output;
    double old = tensor_at(watched, what->row, what->col), fresh = old;
    if (what->node >= what->changed) {
        Otherwise this = {tape, what, arena, NULL};
        this.outputs =
            arena_alloc(arena, what->node - what->changed + 1, sizeof *this.outputs);
        if (!this.outputs || !change(&this))
            return TREND_NONE;
        for (size_t i = what->changed + 1; i <= what->node; i++) {
            if (!compute(&this, i))
                return TREND_NONE;
        }
        fresh = tensor_at(output_of(&this, what->node), what->row, what->col);
    }
    if (isnan(old) || isnan(fresh))
        return TREND_NONE;
    *before = old;
    *after = fresh;
    if (old == fresh || fabs(fresh - old) < WHAT_IF_SEEN)
        return TREND_SAME;
    return fresh > old ? TREND_UP : TREND_DOWN;
}
