/* Files that are written whole or not at all.
 *
 * The bytes go to a temporary file in the same folder, which is renamed when all of them
 * are on the disk. If anything fails, nothing new is left behind, and an existing file of
 * that name is unchanged. The new file gets the mode of the one it replaces. If the name
 * is a link, its target is written; anything but a regular file is left alone. Another
 * user's link is not followed (files/links.h). Temporary files left by a killed process
 * are removed when the same file is written again. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

/* A file being written. {0} is none. */
typedef struct WholeFile {
    const char *asked; /* the path as it was given; borrowed */
    char *path, *name; /* behind links; of the temporary file. NULL once it has ended */
    int descriptor;
    int problem; /* the first errno, or 0 */
} WholeFile;

/* Begins the file; a problem shows when it ends. */
void whole_file_begin(WholeFile *file, const char *path);

/* Appends `size` bytes; does nothing once there is a problem. */
void whole_file_add(WholeFile *file, const void *bytes, size_t size);

/* Waits until the bytes are on the disk, so that no failure of the machine leaves the
 * name without them, and renames the file to its name. ERROR_FILE if any call failed
 * since it began. */
bool whole_file_end(WholeFile *file, Error *error);

/* Gives the file up. Does nothing once it has ended, and to {0}. */
void whole_file_drop(WholeFile *file);

/* Checks that writing the file could begin; changes nothing. ERROR_FILE. */
bool whole_file_check(const char *path, Error *error);

/* All at once. */
bool whole_file_write(const char *path, const void *bytes, size_t size, Error *error);

/* The same where nothing that is there is written over: the file is PATH or, where more
 * `names` than one are tried, PATH with -2, -3 … before its ending. Its path is the one
 * given or in the arena; NULL with ERROR_FILE. */
const char *whole_file_write_new(Arena *arena, const char *path, size_t names,
                                 const void *bytes, size_t size, Error *error);

/* Gives a file that is there such a name in place of its own. NULL with errno. */
const char *whole_file_move(Arena *arena, const char *from, const char *path,
                            size_t names);
