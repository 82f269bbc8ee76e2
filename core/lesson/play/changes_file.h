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
#include "lesson/read/reader.h"
#include "lesson/read/spec.h"

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

/* Drafts: changes of a lesson that are not saved as a lesson of their own yet, written in
 * the format of a lesson's file (lesson/play/changes_file.h) and applied again, each as
 * an undoable change. */

typedef struct ChangesDraft {
    const char *text;        /* text to load the lesson with; NULL: the file's */
    LessonSwitches switches; /* variants to load the lesson with */
    size_t count;            /* number of changes, including these two */
    const ChangeSpec *items;
} ChangesDraft;

/* Writes all differences from the lesson's file without its `changes:`, as such a list:
 * "changes:\n  - {mute: S}\n"; "" if there are none. New in the arena; NULL when that is
 * exhausted, or for a change that no step shows. */
const char *changes_list(const Player *player, Arena *arena);

/* Reads such a list; the draft lives in the arena, which mustn't be exhausted. False if
 * it is no list of changes. */
bool changes_draft_read(ChangesDraft *draft, const char *list, Arena *arena);

/* Applies exactly the draft's settings and mutes: others in force are undone. Returns the
 * number of undoable changes made; *left_out is the number of those skipped, as the
 * lesson lacks what they name. */
size_t changes_draft_apply(const Player *player, const ChangesDraft *draft,
                           size_t *left_out);

/* Applies the `changes:` of a lesson file (lesson/play/changes_file.h) while it is
 * loaded. */

/* Apply the changes of text and model, before these are built, and those of cells and
 * operations, after the steps. */
void changes_read_switches(LessonReader *reader);
void changes_read(LessonReader *reader);
