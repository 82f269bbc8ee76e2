/* Drafts: changes of a lesson that are not saved as a lesson of their own yet, written in
 * the format of a lesson's file (lesson/play/changes_file.h) and applied again, each as
 * an undoable change. */
#pragma once

#include "lesson/play/player.h"
#include "lesson/read/spec.h"

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
