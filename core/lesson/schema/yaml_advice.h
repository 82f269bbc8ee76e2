/* What would be right where a file is not YAML, said to somebody who knows no YAML. */
#ifndef LESSON_YAML_ADVICE_H
#define LESSON_YAML_ADVICE_H

#include "base/error.h"

/* Fills `out` with the whole sentence about a problem at a place of the text, both from
 * 1, columns in code points: what libyaml calls it and what would be right, or, where it
 * can be seen what was meant, just that; *line and *column then become the place of it.
 */
void yaml_advise(char out[ERROR_MESSAGE_SIZE], const char *problem, const char *text,
                 size_t length, int *line, int *column);

#endif
