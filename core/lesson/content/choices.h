/* Settings that both a lesson's file and a learner can choose: the position of norms, and
 * variants of a lesson's model. */
#pragma once

#include "model/build/model.h"

/* Kind and position of norms. LESSON_NORM_RMS, pre-norm with RMS norms, is only available
 * in files. */
typedef enum LessonNorm {
    LESSON_NORM_OWN,
    LESSON_NORM_POST,
    LESSON_NORM_PRE,
    LESSON_NORM_RMS
} LessonNorm;

/* Variants of a lesson's model; {0}: none. */
typedef struct LessonSwitches {
    size_t heads; /* number of heads; 0: the model's own */
    LessonNorm norm;
    TransformerMask mask;
    /* divisor of logits in the last softmax and in sampling; 0: the model's own */
    double temperature;
    bool seeded; /* the model is trained with another seed */
    size_t seed; /* that seed */
} LessonSwitches;

/* Reports whether anything is switched. */
static inline bool lesson_switches_any(const LessonSwitches *switches) {
    return switches->heads || switches->norm || switches->mask ||
           switches->temperature > 0 || switches->seeded;
}
