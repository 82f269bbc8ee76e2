/* The folder of the user's own lessons, words and notes. */
#ifndef BASE_USER_FOLDER_H
#define BASE_USER_FOLDER_H

#include "base/arena.h"

/* Where the user keeps "lessons", or "strings" of a language: a folder of that name in
 * $XDG_DATA_HOME/glassformer, else in that below ~/.local/share. It may not be there yet.
 * In the arena; NULL without a home, or when the arena is exhausted. */
const char *folder_of_user(Arena *arena, const char *name);

#endif
