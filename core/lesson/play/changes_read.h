/* `changes:` in a lesson file, as lesson/play/changes_file.h has it, done to the lesson
 * while that is read. */
#ifndef LESSON_CHANGES_READ_H
#define LESSON_CHANGES_READ_H

#include "lesson/read/reader.h"

/* Does what it says of text and model, before these are made, and of cells and
 * operations, when all are there. */
void changes_read_switches(LessonReader *reader);
void changes_read(LessonReader *reader);

#endif
