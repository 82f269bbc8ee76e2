/* Reads themes from a YAML file of their colours (assets/themes.yaml). */
#pragma once

#include "base/error.h"

typedef struct Arena Arena;
typedef struct Theme Theme;

typedef struct Themes {
    size_t count; /* at least 1 */
    const Theme *items;
} Themes;

/* Loads all themes of a file, in its order, into the arena. Returns false with every
 * error found: a colour that is missing, unknown, or not "#rrggbb". */
bool themes_load(Arena *arena, const char *path, Themes *themes, ErrorList *errors);

/* The theme with a name, borrowed; NULL if there is none. */
const Theme *themes_lookup(const Themes *themes, const char *name);
