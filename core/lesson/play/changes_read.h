/* Applies the `changes:` of a lesson file (lesson/play/changes_file.h) while it is
 * loaded. */
#pragma once

#include "lesson/read/reader.h"

/* Apply the changes of text and model, before these are built, and those of cells and
 * operations, after the steps. */
void changes_read_switches(LessonReader *reader);
void changes_read(LessonReader *reader);
