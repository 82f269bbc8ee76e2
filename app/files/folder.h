/* Folders that pictures go to. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

/* Makes a folder and those above it, as far as they are not there. ERROR_FILE. */
bool folder_make(const char *path, Error *error);

/* Takes a name of a folder's; false without memory. */
typedef bool (*FolderTake)(void *context, const char *folder, const char *name);

/* Hands it the names in a folder, which may not be there. ERROR_FILE where that can't be
 * read to its end, ERROR_MEMORY. */
bool folder_each(const char *path, FolderTake take, void *context, Error *error);

/* Returns the folder for saved pictures: Glassformer, which may not exist yet, in
 * $XDG_PICTURES_DIR, the one that user-dirs.dirs names, ~/Pictures, or home; without
 * any the current folder. In the arena; NULL when that is exhausted. */
const char *folder_of_pictures(Arena *arena);
