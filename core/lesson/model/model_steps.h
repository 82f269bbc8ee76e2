/* What a lesson makes of its model: a step for each part, and names for its tensors. */
#ifndef LESSON_MODEL_STEPS_H
#define LESSON_MODEL_STEPS_H

#include "lesson/read/reader.h"

/* Makes one step for each part of reader->lesson->model that is not within a layer, as
 * the reader's first. */
void model_steps_make(LessonReader *reader);

/* Names every tensor of the model; parts and groups stand for their results. ERROR_NAME
 * where the lesson's own tensors have taken a name. */
bool model_steps_name(LessonReader *reader);

#endif
