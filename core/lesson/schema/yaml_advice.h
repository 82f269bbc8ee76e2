/* Messages about files that are not valid YAML, for readers who don't know YAML. */
#pragma once

#include "base/error.h"

/* Fills `out` with the complete message about a problem at a position of the text, both
 * from 1, columns in code points: libyaml's description and a correction; only the
 * correction if the intention is recognizable, and then *line and *column are moved to
 * its position. Returns true if libyaml's context would add nothing. */
bool yaml_advise(char out[ERROR_MESSAGE_SIZE], const char *problem, const char *text,
                 size_t length, int *line, int *column);
