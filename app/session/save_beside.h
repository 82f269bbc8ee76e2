/* Files that a lesson reads, where it is kept in another folder than its own: the user's
 * own lessons name them by their paths from the root, any other names files of its folder
 * and below only, so that they are copied beside it. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

typedef struct SaveBeside {
    const char *lesson;            /* the path of the lesson's file, borrowed */
    const char *folder;            /* that it is kept in; borrowed */
    Arena *arena;                  /* for names */
    struct SaveBesideCopy *copies; /* the files made, in the arena */
    bool users;                    /* the folder is the one of the user's own lessons */
    bool failed;
    Error error; /* why */
} SaveBeside;

/* The lesson's text with new names for what it reads, copied where that is needed; NULL
 * with an error: ERROR_FILE, ERROR_VALUE where another file has its name, ERROR_MEMORY.
 */
const char *save_beside_move(SaveBeside *along, const char *text, size_t *length,
                             Error *error);

/* Removes the copies that were made. */
void save_beside_remove(SaveBeside *along);
