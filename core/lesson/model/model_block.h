/* `model:` in a lesson file. */
#pragma once

#include "lesson/read/reader.h"

/* Puts the spec's model on the tape and makes its steps. Returns false on failure. */
bool model_block_read(LessonReader *reader, const ModelSpec *spec);
