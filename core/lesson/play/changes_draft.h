/* A draft: what was changed in a lesson and is not yet kept as a lesson of its own,
 * written as a lesson's file has it (lesson/play/changes_file.h) and done again, each
 * thing so that it can be undone. */
#ifndef LESSON_CHANGES_DRAFT_H
#define LESSON_CHANGES_DRAFT_H

#include "lesson/play/player.h"
#include "lesson/read/spec.h"

typedef struct ChangesDraft {
    const char *text;        /* that the lesson is to be read with; NULL: its file's */
    LessonSwitches switches; /* the same */
    size_t count;            /* of all, with these two */
    const ChangeSpec *items;
} ChangesDraft;

/* All that is otherwise now than the lesson's file says without its `changes:`, as such a
 * list: "changes:\n  - {mute: S}\n"; "" for nothing. New in the arena; NULL when that is
 * exhausted, and for what no step shows. */
const char *changes_list(const Player *player, Arena *arena);

/* Reads such a list; the draft lives in the arena, which mustn't be exhausted. False for
 * what is none. */
bool changes_draft_read(ChangesDraft *draft, const char *list, Arena *arena);

/* Sets and mutes what the draft says, and nothing else: what is set and muted now goes.
 * Gives how many changes that were, each of which can be undone; and how many are left
 * out, as the lesson hasn't got what they name. */
size_t changes_draft_apply(const Player *player, const ChangesDraft *draft,
                           size_t *left_out);

#endif
