/* Saving the present picture, as the key S does it. */
#pragma once

#include "session/session.h"

/* Writes what the session shows as a PNG of width × height pixels into `folder`, made
 * where it isn't there (NULL: where the user keeps pictures), under a name that no file
 * has yet, and has the session say where, or why not. Gives the path, in the arena; NULL
 * with ERROR_FILE or ERROR_MEMORY. */
const char *save_picture(Session *session, const char *folder, size_t width,
                         size_t height, Arena *arena, Error *error);
