/* The folder of the user's own lessons, words and notes. */
#pragma once

#include "base/arena.h"

/* Returns the user's folder for "lessons", or for "strings" of a language:
 * $XDG_DATA_HOME/glassformer/NAME, else ~/.local/share/glassformer/NAME. It may not
 * exist. In the arena; NULL without a home, or when the arena is exhausted. */
const char *folder_of_user(Arena *arena, const char *name);
