/* Files beside a lesson's: their paths, their bytes, and their lines as a list. */
#ifndef LESSON_BESIDE_H
#define LESSON_BESIDE_H

#include "lesson/schema/yaml.h"

#include <stdint.h>

/* Where a file is that a lesson of that path names: without a slash at its beginning it
 * is in the lesson's folder. New in the arena, which has a guard. */
const char *beside_path(Arena *arena, const char *lesson, const char *name);

/* All bytes of the file at that path, new in the arena, which has a guard. `what` names
 * them in the sentence: "weights". ERROR_FILE. */
bool beside_bytes(Arena *arena, const char *what, const char *path, uint8_t **bytes,
                  size_t *length, Error *error);

/* The file's lines, but for empty ones, as a list of texts that stands where its name
 * does; NULL with an error there. ERROR_FILE when it can't be read, ERROR_ENCODING when
 * it is no UTF-8, ERROR_VALUE when it has no lines. */
const YamlNode *beside_lines(Arena *arena, const char *lesson, const YamlNode *name,
                             ErrorList *errors);

#endif
