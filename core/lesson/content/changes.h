/* Changes: edits of a lesson's tape by hand, with undo and redo.
 *
 * Setting a cell, muting an operation and restoring everything are changes in a list
 * without a size limit. Undoing a change restores exactly the state before it, redoing
 * the state after it; a new change drops those that were undone. The list lives on the
 * heap, since it can grow at any time; its tape must outlive it. The changes of a
 * lesson's file (`changes:`) are in force from the start and not in the list. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Placeholders Placeholders;
typedef struct Tape Tape;

typedef struct Changes Changes;

/* Extent of the present differences from the originals. */
typedef struct ChangesCount {
    /* numbers of those that differ; transposes without a step don't count */
    size_t cells, tensors;
    size_t computed; /* operations that the last change recomputed */
} ChangesCount;

/* Creates an empty list for a tape, which is borrowed; NULL when there is no memory. */
Changes *changes_create(Tape *tape);

/* Destroys a list; NULL is fine. */
void changes_destroy(Changes *changes);

/* Sets the placeholders in the lesson's words, which changes_recount fills in. Borrowed.
 */
void changes_set_placeholders(Changes *changes, const Placeholders *placeholders);

/* Sets one cell by hand. With `joins`, extends the last change if it set the same cell
 * and nothing was done since, so that one turn of the mouse wheel is one change. Setting
 * a cell to its computed value removes the setting. Returns false, changing nothing, if
 * the cell has that value already, does not exist, or memory or work is short. `value`
 * must not be NaN. */
bool changes_set(Changes *changes, size_t node, size_t row, size_t col, double value,
                 bool joins);

/* Mutes or unmutes an operation. Returns false, changing nothing, if it is in that state
 * already, can't be muted, or memory or work is short. */
bool changes_mute(Changes *changes, size_t node, bool muted);

/* Reports whether the last setting or mute was refused because the changes together would
 * exceed the lesson's allowed work. A change that takes less than a thousandth of that is
 * not counted; undoing and redoing are never refused. */
bool changes_overspent(const Changes *changes);

/* Undoes all settings and mutes. False if there are none. */
bool changes_restore(Changes *changes);

/* Undo the last change; redo the last undone one. False if there is none. */
bool changes_undo(Changes *changes);
bool changes_redo(Changes *changes);

/* Drops the undone changes, because another change was made elsewhere. */
void changes_forget_undone(Changes *changes);

/* Return the number of changes that can be undone, and redone. */
size_t changes_undoable(const Changes *changes);
size_t changes_redoable(const Changes *changes);

/* Reports whether anything is set or muted. */
bool changes_any(const Changes *changes);

/* Returns the counts as of the last change. */
ChangesCount changes_count(const Changes *changes);

/* Counts again and updates placeholders, after the tape was changed without the list. */
void changes_recount(Changes *changes);

/* Reports whether a cell differs from the original; NaN equals NaN. */
bool changes_cell_changed(const Tape *tape, size_t node, size_t row, size_t col);

/* Replaces a cell of a transpose without a step of its own by the cell it is a copy of,
 * which is the one to set. */
void changes_resolve(const Tape *tape, size_t *node, size_t *row, size_t *col);

/* Returns the increment for a tensor's cells: a tenth of the largest magnitude of its
 * originals, rounded to 1, 2 or 5 times a power of ten; 0.1 if all are 0, and 1 for
 * IDs. */
double changes_step(const Tape *tape, size_t node);

/* Returns a value plus so many increments, rounded to short decimals. ±∞ stays, and
 * finite values stay finite. */
double changes_nudged(double value, double step, int steps);
