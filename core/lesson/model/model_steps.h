/* What a lesson makes of its model: a step for each part, and names for its tensors. */
#ifndef LESSON_MODEL_STEPS_H
#define LESSON_MODEL_STEPS_H

#include "lesson/read/reader.h"

/* Makes one step for each part of reader->lesson->model that is not within a layer, as
 * the reader's first.
 *   Nobody says padding, so the logits have no column for ID 0 (shape.first_output is 1).
 * PyTorch's generator has one, and its softmax gives padding a share: the chances here
 * are PyTorch's divided by 1 less that share. Where the weights are `from_file`, made by
 * PyTorch, the steps that show these numbers say so. */
void model_steps_make(LessonReader *reader, bool from_file);

/* Names every tensor of the model; parts and groups stand for their results. ERROR_NAME
 * where the lesson's own tensors have taken a name. */
bool model_steps_name(LessonReader *reader);

#endif
