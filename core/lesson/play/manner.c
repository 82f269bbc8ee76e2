#include "lesson/play/manner.h"

#include "base/maths.h"

typedef struct Manner {
    MannerKind kind;
    double length; /* milliseconds, of MANY cells and more */
} Manner;

enum { MANY = 6 };

/* How the explained cell, or its row, of all goes ahead, by manner. */
typedef struct Ahead {
    double first; /* the share of the time that it has alone; 0: none */
    double sum;   /* of that, until its sum is whole; 0: MANNER_TOLD */
    bool by_rows, by_columns;
} Ahead;

static const Ahead ahead_of[MANNER_COUNT] = {
    [MANNER_GATHER] = {.first = 0.6},
    [MANNER_LAND] = {.first = 0.5},
    [MANNER_TURN] = {.first = 0.5, .by_columns = true},
    [MANNER_SQUEEZE] = {.first = 0.7, .sum = 0.55, .by_rows = true},
    [MANNER_STRIKE] = {.first = 0.5},
    [MANNER_PICK] = {.first = 0.5, .by_rows = true},
    [MANNER_SLIDE] = {.first = 0.7, .by_rows = true},
    [MANNER_SPREAD] = {.first = 0.5},
};

static const Manner manners[OPERATION_COUNT] = {
    [OPERATION_GIVEN] = {MANNER_APPEAR, 500},
    [OPERATION_ADD] = {MANNER_LAND, 2000},
    [OPERATION_SUBTRACT] = {MANNER_LAND, 2000},
    [OPERATION_MULTIPLY] = {MANNER_LAND, 2000},
    [OPERATION_DIVIDE] = {MANNER_LAND, 1800},
    [OPERATION_NEGATE] = {MANNER_LAND, 1700},
    [OPERATION_MATMUL] = {MANNER_GATHER, 3600},
    [OPERATION_TRANSPOSE] = {MANNER_TURN, 2200},
    [OPERATION_SLICE] = {MANNER_PICK, 1900},
    [OPERATION_CONCAT] = {MANNER_JOIN, 1600},
    [OPERATION_SOFTMAX] = {MANNER_SQUEEZE, 4000},
    [OPERATION_RELU] = {MANNER_STRIKE, 2200},
    [OPERATION_GELU] = {MANNER_LAND, 1800},
    [OPERATION_GELU_TANH] = {MANNER_LAND, 1800},
    [OPERATION_SILU] = {MANNER_LAND, 1800},
    [OPERATION_EXP] = {MANNER_LAND, 1800},
    [OPERATION_SQRT] = {MANNER_LAND, 1800},
    [OPERATION_SUM] = {MANNER_GATHER, 2600},
    [OPERATION_MEAN] = {MANNER_GATHER, 2600},
    [OPERATION_MAX] = {MANNER_PICK, 1900},
    [OPERATION_ARGMAX] = {MANNER_PICK, 1900},
    [OPERATION_ONE_HOT] = {MANNER_PICK, 1900},
    [OPERATION_LAYER_NORM] = {MANNER_SLIDE, 3400},
    [OPERATION_RMS_NORM] = {MANNER_SLIDE, 3400},
    [OPERATION_DROPOUT] = {MANNER_STRIKE, 2200},
    [OPERATION_ROTARY] = {MANNER_ROTATE, 1800},
    [OPERATION_EMBED] = {MANNER_PICK, 2400},
    [OPERATION_POSITIONAL_ENCODING] = {MANNER_APPEAR, 900},
    [OPERATION_CAUSAL_MASK] = {MANNER_SHUTTER, 1100},
    [OPERATION_PADDING_MASK] = {MANNER_SHUTTER, 1100},
    [OPERATION_LOG] = {MANNER_LAND, 1800},
    [OPERATION_CROSS_ENTROPY] = {MANNER_PICK, 1900},
    [OPERATION_STACK] = {MANNER_JOIN, 1600},
    [OPERATION_TOP_K] = {MANNER_PICK, 1900},
    [OPERATION_TOP_P] = {MANNER_PICK, 1900},
    [OPERATION_BACKWARD] = {MANNER_SPREAD, 2400},
};

bool manner_has_row(OperationKind kind) {
    return manners[kind].kind != MANNER_UNSAID;
}

static bool adds_mask(const Tape *tape, const TapeNode *at) {
    if (at->operation != OPERATION_ADD)
        return false;
    for (size_t i = 0; i < at->input_count; i++) {
        OperationKind kind = tape_node(tape, at->inputs[i])->operation;
        if (operation_of(kind)->values == OPERATION_VALUES_MASK)
            return true;
    }
    return false;
}

MannerKind manner_of(const Tape *tape, size_t node) {
    const TapeNode *at = tape_node(tape, node);
    if (at->muted)
        return MANNER_LAND;
    return adds_mask(tape, at) ? MANNER_SHUTTER : manners[at->operation].kind;
}

/* Whether what is shown are bars of one shape. */
static bool are_bars(const Lesson *lesson, const LessonStep *step) {
    const Tensor *first = &tape_node(lesson->tape, step->shown[0])->output;
    for (size_t i = 1; i < step->shown_count; i++) {
        const Tensor *other = &tape_node(lesson->tape, step->shown[i])->output;
        if (other->rows != first->rows || other->cols != first->cols)
            return false;
    }
    return step->view == LESSON_VIEW_BARS && step->shown_count > 1;
}

MannerKind manner_of_shown(const Lesson *lesson, const LessonStep *step, size_t index) {
    const LessonSource *source = lesson_source_of(lesson->sources, step->shown[index]);
    if (source && source->merging && source->merging->merges > 0)
        return MANNER_MERGE;
    return are_bars(lesson, step) ? MANNER_BECOME : MANNER_APPEAR;
}

double manner_length(const Tape *tape, size_t node) {
    const TapeNode *at = tape_node(tape, node);
    double length = fmin(manners[at->operation].length, MANNER_LONGEST);
    double cells = fmin((double)tensor_cells(&at->output), MANY);
    return length * (0.5 + 0.5 * (cells - 1) / (MANY - 1));
}

MannerTelling manner_telling(const Tape *tape, size_t node) {
    const Tensor *output = &tape_node(tape, node)->output;
    const Ahead *ahead = &ahead_of[manner_of(tape, node)];
    size_t count = ahead->by_rows      ? output->rows
                   : ahead->by_columns ? output->cols
                                       : tensor_cells(output);
    return (MannerTelling){.to = ahead->first > 0 && count > 1 ? ahead->first : 1,
                           .sum = ahead->sum > 0 ? ahead->sum : MANNER_TOLD};
}
