/* What a lesson's file and a learner choose among: where norms stand, and what of a model
 * is put otherwise. */
#ifndef LESSON_CHOICES_H
#define LESSON_CHOICES_H

#include "model/build/model.h"

/* Where the norms stand; the last is of a file alone: RMS norms before. */
typedef enum LessonNorm {
    LESSON_NORM_OWN,
    LESSON_NORM_POST,
    LESSON_NORM_PRE,
    LESSON_NORM_RMS
} LessonNorm;

/* What of a lesson's model is put otherwise; {0}: nothing. */
typedef struct LessonSwitches {
    size_t heads; /* 0: as the model has it */
    LessonNorm norm;
    TransformerMask mask;
    /* of the last softmax and of drawn words; 0: as the model has it */
    double temperature;
} LessonSwitches;

#endif
