#include "lesson/play/transition.h"

#include "base/maths.h"
#include "lesson/content/content.h"
#include "lesson/content/sources.h"
#include "lesson/content/view.h"
#include "tensor/tape/tape.h"

typedef struct Transition {
    TransitionKind kind;
    double length; /* milliseconds, for MANY cells or more */
} Transition;

enum { MANY = 6 };

/* Timing of the explained cell or row, which comes before the others, by transition. */
typedef struct Ahead {
    double first; /* fraction of the time for it alone; 0: none */
    double sum; /* fraction of that until its sum is complete; 0: TRANSITION_EXPLAINED */
    bool by_rows, by_columns;
} Ahead;

static const Ahead ahead_of[TRANSITION_COUNT] = {
    [TRANSITION_GATHER] = {.first = 0.6},
    [TRANSITION_LAND] = {.first = 0.5},
    [TRANSITION_TRANSPOSE] = {.first = 0.5, .by_columns = true},
    [TRANSITION_NORMALIZE] = {.first = 0.7, .sum = 0.55, .by_rows = true},
    [TRANSITION_STRIKE] = {.first = 0.5},
    [TRANSITION_LOOKUP] = {.first = 0.5, .by_rows = true},
    [TRANSITION_SLIDE] = {.first = 0.7, .by_rows = true},
    [TRANSITION_SPREAD] = {.first = 0.5},
};

static const Transition transitions[OPERATION_COUNT] = {
    [OPERATION_GIVEN] = {TRANSITION_APPEAR, 500},
    [OPERATION_ADD] = {TRANSITION_LAND, 2000},
    [OPERATION_SUBTRACT] = {TRANSITION_LAND, 2000},
    [OPERATION_MULTIPLY] = {TRANSITION_LAND, 2000},
    [OPERATION_DIVIDE] = {TRANSITION_LAND, 1800},
    [OPERATION_NEGATE] = {TRANSITION_LAND, 1700},
    [OPERATION_MATMUL] = {TRANSITION_GATHER, 3600},
    [OPERATION_TRANSPOSE] = {TRANSITION_TRANSPOSE, 2200},
    [OPERATION_SLICE] = {TRANSITION_LOOKUP, 1900},
    [OPERATION_CONCAT] = {TRANSITION_CONCAT, 1600},
    [OPERATION_SOFTMAX] = {TRANSITION_NORMALIZE, 4000},
    [OPERATION_RELU] = {TRANSITION_STRIKE, 2200},
    [OPERATION_GELU] = {TRANSITION_LAND, 1800},
    [OPERATION_GELU_TANH] = {TRANSITION_LAND, 1800},
    [OPERATION_SILU] = {TRANSITION_LAND, 1800},
    [OPERATION_EXP] = {TRANSITION_LAND, 1800},
    [OPERATION_SQRT] = {TRANSITION_LAND, 1800},
    [OPERATION_SUM] = {TRANSITION_GATHER, 2600},
    [OPERATION_MEAN] = {TRANSITION_GATHER, 2600},
    [OPERATION_MAX] = {TRANSITION_LOOKUP, 1900},
    [OPERATION_ARGMAX] = {TRANSITION_LOOKUP, 1900},
    [OPERATION_ONE_HOT] = {TRANSITION_LOOKUP, 1900},
    [OPERATION_LAYER_NORM] = {TRANSITION_SLIDE, 3400},
    [OPERATION_RMS_NORM] = {TRANSITION_SLIDE, 3400},
    [OPERATION_DROPOUT] = {TRANSITION_STRIKE, 2200},
    [OPERATION_ROTARY] = {TRANSITION_ROTATE, 1800},
    [OPERATION_EMBED] = {TRANSITION_LOOKUP, 2400},
    [OPERATION_POSITIONAL_ENCODING] = {TRANSITION_APPEAR, 900},
    [OPERATION_CAUSAL_MASK] = {TRANSITION_MASK, 1100},
    [OPERATION_PADDING_MASK] = {TRANSITION_MASK, 1100},
    [OPERATION_LOG] = {TRANSITION_LAND, 1800},
    [OPERATION_CROSS_ENTROPY] = {TRANSITION_LOOKUP, 1900},
    [OPERATION_STACK] = {TRANSITION_CONCAT, 1600},
    [OPERATION_TOP_K] = {TRANSITION_LOOKUP, 1900},
    [OPERATION_TOP_P] = {TRANSITION_LOOKUP, 1900},
    [OPERATION_BACKWARD] = {TRANSITION_SPREAD, 2400},
};

bool transition_has_row(OperationKind kind) {
    return transitions[kind].kind != TRANSITION_MISSING;
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

TransitionKind transition_of(const Tape *tape, size_t node) {
    const TapeNode *at = tape_node(tape, node);
    if (at->muted)
        return TRANSITION_LAND;
    return adds_mask(tape, at) ? TRANSITION_MASK : transitions[at->operation].kind;
}

/* Reports whether a step shows bars of one shape. */
static bool are_bars(const Lesson *lesson, const LessonStep *step) {
    const Tensor *first = &tape_node(lesson->tape, step->shown[0])->output;
    for (size_t i = 1; i < step->shown_count; i++) {
        const Tensor *other = &tape_node(lesson->tape, step->shown[i])->output;
        if (other->rows != first->rows || other->cols != first->cols)
            return false;
    }
    return step->view == LESSON_VIEW_BARS && step->shown_count > 1;
}

TransitionKind transition_of_shown(const Lesson *lesson, const LessonStep *step,
                                   size_t index) {
    const LessonSource *source = lesson_source_of(lesson->sources, step->shown[index]);
    if (source && source->merging && source->merging->merges > 0)
        return TRANSITION_MERGE;
    return are_bars(lesson, step) ? TRANSITION_MORPH : TRANSITION_APPEAR;
}

double transition_length(const Tape *tape, size_t node) {
    const TapeNode *at = tape_node(tape, node);
    double length = fmin(transitions[at->operation].length, TRANSITION_LONGEST);
    double cells = fmin((double)tensor_cells(&at->output), MANY);
    return length * (0.5 + 0.5 * (cells - 1) / (MANY - 1));
}

TransitionExplanation transition_explanation(const Tape *tape, size_t node) {
    const Tensor *output = &tape_node(tape, node)->output;
    const Ahead *ahead = &ahead_of[transition_of(tape, node)];
    size_t count = ahead->by_rows      ? output->rows
                   : ahead->by_columns ? output->cols
                                       : tensor_cells(output);
    return (TransitionExplanation){.to = ahead->first > 0 && count > 1 ? ahead->first : 1,
                                   .sum = ahead->sum > 0 ? ahead->sum
                                                         : TRANSITION_EXPLAINED};
}
