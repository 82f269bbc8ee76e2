/* Files beside a lesson's: their paths, and their lines as a list. */
#ifndef LESSON_BESIDE_H
#define LESSON_BESIDE_H

#include "lesson/schema/yaml.h"

/* Where a file is that a lesson of that path names: without a slash at its beginning it
 * is in the lesson's folder. New in the arena, which has a guard. */
const char *beside_path(Arena *arena, const char *lesson, const char *name);

/* The file's lines, but for empty ones, as a list of texts that stands where its name
 * does; NULL with an error there. ERROR_FILE when it can't be read, ERROR_ENCODING when
 * it is no UTF-8, ERROR_VALUE when it has no lines. */
const YamlNode *beside_lines(Arena *arena, const char *lesson, const YamlNode *name,
                             ErrorList *errors);

#endif
