/* Numbers in a lesson file: given, random and printed ones. */
#pragma once

#include "lesson/content/content.h"
#include "lesson/read/spec.h"

/* Reads a given tensor: a number [1,1], a list [1,n], a list of lists, or {random: [rows,
 * cols], seed: N, scale: S} (standard normal times S, 1 by default; seed 0 by default;
 * base/random.h). Its values are new in the arena; `name` is used in messages.
 * ERROR_VALUE, ERROR_SHAPE for rows of unequal length, ERROR_LIMIT. */
bool numbers_read(Arena *arena, const GivenSpec *spec, const char *name, Tensor *tensor,
                  ErrorList *errors);

/* Reads printed numbers: like a given tensor's, but without `random`, and with `_` or `~`
 * for a cell that the source does not print. New in the arena; NULL on failure. */
const LessonPrinted *numbers_read_printed(Arena *arena, const YamlNode *node,
                                          ErrorList *errors);
