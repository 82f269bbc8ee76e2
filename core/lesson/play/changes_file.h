/* Changes in a lesson's file: edits of its tape, saved and applied again when the file is
 * loaded.
 *
 *   changes:
 *     - {cell: [W_Q, 0, 1], value: 0.25}
 *     - {mute: S_scaled}
 *     - {text: "you win"}
 *     - {heads: 1}
 *
 * A tensor is referred to by its name; without one, by the path of the step that makes it
 * ("3.1"); a number in a statement by its step's path and its notation ("3.2 sqrt(2)"),
 * or by its index among the step's inputs ("3.2 #2"). The lesson's reader
 * (lesson/read/reader.h) reads them. */
#pragma once

#include "lesson/play/player.h"

typedef struct Arena Arena;
typedef struct Error Error;

/* Returns the reference to a changed tensor in a file; new in the arena. NULL when the
 * arena is exhausted, or for a tensor that has no name, no step and is in no
 * statement. */
const char *changes_name(const Player *player, size_t node, Arena *arena);

/* Finds the tensor of a reference; false if there is none. */
bool changes_find(const Player *player, const char *name, size_t *node);

/* Returns the text of a lesson's file with the changes in force: byte for byte the same,
 * except for the list `changes:`, which is at its end and replaces any other. New in the
 * arena, zero-terminated; `length` is in and out. NULL with ERROR_VALUE for a text that
 * can't contain it, ERROR_LIMIT past SPEC_CHANGES_MOST or LESSON_MAX_BYTES,
 * ERROR_MEMORY. */
const char *changes_write(const Player *player, const char *text, size_t *length,
                          Arena *arena, Error *error);

/* Returns the new name of a file that a lesson reads; NULL keeps the name. `weights` is
 * true of the model's weights, which a configuration may lie beside. */
typedef const char *(*ChangesRename)(void *context, const char *name, bool weights);

/* Returns the text of a lesson's file to be stored outside its folder: each file that it
 * reads has its new name. Byte for byte the same otherwise; `length` is in and out. New
 * in the arena; NULL when that is exhausted. */
const char *changes_move(const char *text, size_t *length, ChangesRename new_name,
                         void *context, Arena *arena);
