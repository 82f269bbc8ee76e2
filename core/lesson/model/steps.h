/* Reads the steps of a lesson file: `do:`, `show:`, `train:`, `generate:` and the words
 * of each. */
#pragma once

#include "lesson/read/reader.h"

/* Makes the steps of the spec, behind the model's steps. */
void steps_read(LessonReader *reader);
