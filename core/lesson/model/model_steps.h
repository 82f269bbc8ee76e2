/* The steps of a model: one for each part, and names for its tensors. */
#pragma once

#include "lesson/read/reader.h"

/* Makes one step for each part of reader->lesson->model that is not within a layer, as
 * the reader's first.
 *
 * Padding is never generated, so the logits have no column for ID 0 (shape.first_output
 * is 1). PyTorch's generator has one, and its softmax gives padding a probability p: the
 * probabilities here are PyTorch's divided by 1 − p. If the weights are `from_file`, made
 * by PyTorch, the steps that show these numbers explain it. */
void model_steps_make(LessonReader *reader, bool from_file);

/* Names every tensor of the model; the names of parts and groups refer to their results.
 * ERROR_NAME if the lesson's own tensors use a name. */
bool model_steps_name(LessonReader *reader);
