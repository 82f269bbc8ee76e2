/* Changes: what was done to a lesson's tape by hand, and how it is undone.
 *
 * A cell set, an operation muted, everything restored: each is one change in a list that
 * has no end. Undoing a change gives back exactly what was there before it, redoing what
 * was there behind it; a new change drops those that were undone. The list lives on the
 * heap, since it grows as long as somebody goes on changing; the tape it is about must
 * outlive it. Which changes a lesson's file has in it (`changes:`) is in force from the
 * start and not in the list. */
#ifndef LESSON_CHANGES_H
#define LESSON_CHANGES_H

#include "lesson/content/placeholders.h"

typedef struct Changes Changes;

/* How far what differs from the originals reaches. */
typedef struct ChangesCount {
    size_t cells, tensors; /* that differ now; transposes without a step don't count */
    size_t computed;       /* operations that the last change computed again */
} ChangesCount;

/* An empty list about a tape, which is borrowed; NULL when there is no memory. */
Changes *changes_create(Tape *tape);

/* NULL is fine. */
void changes_destroy(Changes *changes);

/* From now on, what words name follows each change. Borrowed. */
void changes_set_placeholders(Changes *changes, const Placeholders *told);

/* Sets one cell by hand. `joins`: when the last change set the same cell and nothing was
 * done since, this becomes a part of it, so that turning a wheel is one change. Set to
 * what it is without a setting, the cell has none any more. False, and no change, when
 * the cell has that value already, does not exist or memory is short. `value` must not be
 * NaN. */
bool changes_set(Changes *changes, size_t node, size_t row, size_t col, double value,
                 bool joins);

/* Mutes an operation or lets it sound again. False, and no change, when it is so already,
 * can't be muted or memory is short. */
bool changes_mute(Changes *changes, size_t node, bool muted);

/* Takes all settings and mutes back. False when there are none. */
bool changes_restore(Changes *changes);

/* Takes the last change back; does the last one taken back again. False when there is
 * none. */
bool changes_undo(Changes *changes);
bool changes_redo(Changes *changes);

/* Drops what was taken back: something else has been changed since. */
void changes_forget_undone(Changes *changes);

/* How many changes can be undone, and redone. */
size_t changes_undoable(const Changes *changes);
size_t changes_redoable(const Changes *changes);

/* Whether anything is set or muted now. */
bool changes_any(const Changes *changes);

/* As of the last change. */
ChangesCount changes_count(const Changes *changes);

/* Counts anew and has words follow, for whoever has changed the tape without the list. */
void changes_recount(Changes *changes);

/* Whether a cell differs from the original; NaN equals NaN. */
bool changes_cell_changed(const Tape *tape, size_t node, size_t row, size_t col);

/* What a cell is set by that stands for another: a transpose without a step of its own
 * hands on to what it transposes. */
void changes_resolve(const Tape *tape, size_t *node, size_t *row, size_t *col);

/* The step by which a tensor's cells are nudged: a tenth of the largest magnitude of its
 * originals, rounded to 1, 2 or 5 times a power of ten; 0.1 where all are 0, and 1 for
 * IDs. */
double changes_step(const Tape *tape, size_t node);

/* A value so many steps further; decimal fractions stay short ones. ±∞ stays, and nothing
 * finite gets there. */
double changes_nudged(double value, double step, int steps);

#endif
