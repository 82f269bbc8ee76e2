/* `model:` in a lesson file. */
#ifndef LESSON_MODEL_BLOCK_H
#define LESSON_MODEL_BLOCK_H

#include "lesson/read/reader.h"

/* Puts the spec's model on the tape and makes its steps. Returns false on failure. */
bool model_block_read(LessonReader *reader, const ModelSpec *spec);

#endif
