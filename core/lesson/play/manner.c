#include "lesson/play/manner.h"

#include "base/maths.h"

typedef struct Manner {
    MannerKind kind;
    double length; /* milliseconds, of MANY cells and more */
} Manner;

enum { MANY = 6 };

static const Manner manners[OPERATION_COUNT] = {
    [OPERATION_GIVEN] = {MANNER_APPEAR, 500},
    [OPERATION_ADD] = {MANNER_LAND, 1500},
    [OPERATION_SUBTRACT] = {MANNER_LAND, 1500},
    [OPERATION_MULTIPLY] = {MANNER_LAND, 1500},
    [OPERATION_DIVIDE] = {MANNER_LAND, 1300},
    [OPERATION_NEGATE] = {MANNER_LAND, 1200},
    [OPERATION_MATMUL] = {MANNER_GATHER, 2500},
    [OPERATION_TRANSPOSE] = {MANNER_TURN, 1800},
    [OPERATION_SLICE] = {MANNER_PICK, 1400},
    [OPERATION_CONCAT] = {MANNER_JOIN, 1600},
    [OPERATION_SOFTMAX] = {MANNER_SQUEEZE, 2500},
    [OPERATION_RELU] = {MANNER_STRIKE, 1600},
    [OPERATION_GELU] = {MANNER_LAND, 1300},
    [OPERATION_GELU_TANH] = {MANNER_LAND, 1300},
    [OPERATION_SILU] = {MANNER_LAND, 1300},
    [OPERATION_EXP] = {MANNER_LAND, 1300},
    [OPERATION_SQRT] = {MANNER_LAND, 1300},
    [OPERATION_SUM] = {MANNER_GATHER, 1800},
    [OPERATION_MEAN] = {MANNER_GATHER, 1800},
    [OPERATION_MAX] = {MANNER_PICK, 1400},
    [OPERATION_ARGMAX] = {MANNER_PICK, 1400},
    [OPERATION_ONE_HOT] = {MANNER_PICK, 1400},
    [OPERATION_LAYER_NORM] = {MANNER_SLIDE, 2200},
    [OPERATION_RMS_NORM] = {MANNER_SLIDE, 2200},
    [OPERATION_DROPOUT] = {MANNER_STRIKE, 1600},
    [OPERATION_ROTARY] = {MANNER_ROTATE, 1800},
    [OPERATION_EMBED] = {MANNER_PICK, 1800},
    [OPERATION_POSITIONAL_ENCODING] = {MANNER_APPEAR, 900},
    [OPERATION_CAUSAL_MASK] = {MANNER_SHUTTER, 1100},
    [OPERATION_PADDING_MASK] = {MANNER_SHUTTER, 1100},
    [OPERATION_LOG] = {MANNER_LAND, 1300},
    [OPERATION_CROSS_ENTROPY] = {MANNER_PICK, 1400},
    [OPERATION_STACK] = {MANNER_JOIN, 1600},
    [OPERATION_TOP_K] = {MANNER_PICK, 1400},
    [OPERATION_TOP_P] = {MANNER_PICK, 1400},
    [OPERATION_BACKWARD] = {MANNER_SPREAD, 1800},
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
