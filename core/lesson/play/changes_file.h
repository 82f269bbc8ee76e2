/* Changes in a lesson's file: what is done to its tape, written down so that it is there
 * again when the file is read.
 *
 *   changes:
 *     - {cell: [W_Q, 0, 1], value: 0.25}
 *     - {mute: S_scaled}
 *     - {text: "you win"}
 *     - {heads: 1}
 *
 * A tensor goes by its name; one without, by the path of the step that makes it ("3.1");
 * a number in a statement by its step's path and as it is written ("3.2 sqrt(2)"), or by
 * which of the step's inputs it is ("3.2 #2"). What
 * reads them is the lesson's reader (lesson/read/reader.h). */
#ifndef LESSON_CHANGES_FILE_H
#define LESSON_CHANGES_FILE_H

#include "lesson/play/player.h"

/* What a changed tensor is called in a file; new in the arena. NULL when the arena is
 * exhausted, or for what has no name, no step and stands in no statement. */
const char *changes_name(const Player *player, size_t node, Arena *arena);

/* The tensor that is called so; false when there is none. */
bool changes_find(const Player *player, const char *name, size_t *node);

/* The text of a lesson's file with the changes that are in force now: byte for byte what
 * it was, but for the list `changes:`, which is at its end instead of any that was there.
 * New in the arena, zero-terminated; `length` is in and out. NULL with ERROR_VALUE for a
 * text that can't take it, ERROR_LIMIT past SPEC_CHANGES_MOST or LESSON_MAX_BYTES,
 * ERROR_MEMORY. */
const char *changes_write(const Player *player, const char *text, size_t *length,
                          Arena *arena, Error *error);

/* The text of a lesson's file for a place outside its folder: weights that are named
 * beside it are named below `folder`, a path from the root. Byte for byte the same
 * otherwise; `length` is in and out. New in the arena; NULL when that is exhausted. */
const char *changes_move(const char *text, size_t *length, const char *folder,
                         Arena *arena);

#endif
