#include "base/user_folder.h"

#include <stdlib.h>

const char *folder_of_user(Arena *arena, const char *name) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data &&
        *data == '/') /* relative paths are ignored. Source: XDG base directories */
        return arena_format(arena, "%s/glassformer/%s", data, name);
    return home && *home
               ? arena_format(arena, "%s/.local/share/glassformer/%s", home, name)
               : NULL;
}
