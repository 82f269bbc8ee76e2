/* Files beside a lesson's: their bytes, and their lines as a list.
 *
 * A lesson reads ordinary files of its own folder and below: no "..", no link and no
 * absolute path leads it out of there, or a stranger's lesson would draw the reader's
 * files into what is published. Only lessons in the user's own lessons folder take
 * absolute paths: one that is kept there, away from its weights, has one. Errors tell
 * nothing of what is in a file that is none of its kind. */
#ifndef LESSON_LESSON_FILES_H
#define LESSON_LESSON_FILES_H

#include "lesson/schema/yaml.h"

#include <stdint.h>

/* Whether a file of that name is there, be it a link that leads nowhere. */
bool lesson_file_exists(const char *lesson, const char *name);

/* All bytes of the file that a lesson of that path names so, new in the arena, which has
 * a guard. `what` names them in the sentence: "weights". ERROR_FILE; ERROR_LIMIT where it
 * has more than `most` bytes. */
bool lesson_file_read(Arena *arena, const char *what, const char *lesson,
                      const char *name, size_t most, uint8_t **bytes, size_t *length,
                      Error *error);

/* The file's lines, but for empty ones, as a list of texts that stands where its name
 * does; NULL with an error there. ERROR_FILE when it can't be read, ERROR_ENCODING when
 * it is no UTF-8, ERROR_VALUE when it has no lines. */
const YamlNode *lesson_file_lines(Arena *arena, const char *lesson, const YamlNode *name,
                                  ErrorList *errors);

#endif
