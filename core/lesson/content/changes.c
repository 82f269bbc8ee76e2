#include "lesson/content/changes.h"

#include "base/arena.h"
#include "base/maths.h"
#include "lesson/content/placeholders.h"
#include "tensor/tape/tape.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef enum ChangeKind { CHANGE_CELL, CHANGE_MUTE, CHANGE_RESTORE } ChangeKind;

typedef struct Change {
    ChangeKind kind;
    size_t node, row, col;
    bool was_set;    /* CELL: it was set before */
    double from, to; /* CELL: from is the earlier setting, if any */
    bool lifted;     /* CELL: set to the computed value, so that no setting remains */
    bool muted;      /* MUTE: the new state */
    /* RESTORE: the edits and mutes that were in force; owned */
    size_t edit_count, mute_count;
    TapeEdit *edits;
    size_t *mutes;
} Change;

struct Changes {
    Tape *tape;
    const Placeholders *placeholders; /* NULL: no placeholders */
    size_t count, done, capacity;     /* done: number of changes not undone */
    Change *items;
    bool closed;    /* the last change can't be extended */
    double spent;   /* operations that settings and mutes have recomputed */
    bool overspent; /* the last setting or mute was refused because it exceeded the
                       allowed work */
    ChangesCount counted;
};

Changes *changes_create(Tape *tape) {
    Changes *changes = calloc(1, sizeof *changes);
    if (changes)
        changes->tape = tape;
    return changes;
}

void changes_set_placeholders(Changes *changes, const Placeholders *placeholders) {
    changes->placeholders = placeholders;
}

void changes_forget_undone(Changes *changes) {
    while (changes->count > changes->done) {
        Change *change = &changes->items[--changes->count];
        free(change->edits);
        free(change->mutes);
    }
}

void changes_destroy(Changes *changes) {
    if (!changes)
        return;
    changes->done = 0;
    changes_forget_undone(changes);
    free(changes->items);
    free(changes);
}

/* ---- counting ---- */

static bool is_same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

bool changes_cell_changed(const Tape *tape, size_t node, size_t row, size_t col) {
    const TapeNode *at = tape_node(tape, node);
    return at->original && !is_same(tensor_at(&at->output, row, col),
                                    tape_original(tape, node, row, col));
}

static void count_again(Changes *changes) {
    const Tape *tape = changes->tape;
    changes->counted = (ChangesCount){.computed = tape_replayed(tape)};
    for (size_t i = 0; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        if (!node->original || node->quiet)
            continue;
        size_t cells = 0;
        for (size_t k = 0; k < tensor_cells(&node->output); k++)
            cells += !is_same(node->output.values[k], node->original[k]);
        changes->counted.cells += cells;
        changes->counted.tensors += cells > 0;
    }
}

void changes_recount(Changes *changes) {
    if (changes->placeholders)
        placeholders_refresh(changes->placeholders);
    count_again(changes);
}

/* Counts the nodes recomputed by a change at a node. A given tensor is replayed, but not
 * computed. */
static void count_from(Changes *changes, size_t node) {
    bool given = tape_node(changes->tape, node)->operation == OPERATION_GIVEN;
    count_again(changes);
    if (given && changes->counted.computed)
        changes->counted.computed--;
}

ChangesCount changes_count(const Changes *changes) {
    return changes->counted;
}

static size_t count_muted(const Tape *tape) {
    size_t count = 0;
    for (size_t i = 0; i < tape_count(tape); i++)
        count += tape_node(tape, i)->muted_itself;
    return count;
}

bool changes_any(const Changes *changes) {
    return tape_edit_count(changes->tape) || count_muted(changes->tape);
}

/* ---- work ---- */

/* Fraction of the lesson's allowed work above which a change is counted. */
static const double COUNTED_PART = 1e-3;

/* Adds the work of a change at a node; false if the changes together would exceed the
 * lesson's allowed work. */
static bool spend(Changes *changes, size_t node) {
    double allowed = arena_allowed(tape_arena(changes->tape));
    double cost = tape_replay_cost(changes->tape, node);
    bool counted = cost > COUNTED_PART * allowed;
    changes->overspent = counted && changes->spent + cost > allowed;
    if (counted && !changes->overspent)
        changes->spent += cost;
    return !changes->overspent;
}

bool changes_overspent(const Changes *changes) {
    return changes->overspent;
}

/* ---- the list ---- */

/* Reserves room for one more change, in place of those that were undone. */
static Change *next_change(Changes *changes) {
    if (changes->done == changes->capacity) {
        size_t larger = changes->capacity ? 2 * changes->capacity : 16;
        Change *grown = realloc(changes->items, larger * sizeof *grown);
        if (!grown)
            return NULL;
        changes->items = grown;
        changes->capacity = larger;
    }
    changes_forget_undone(changes);
    Change *change = &changes->items[changes->done];
    *change = (Change){0};
    return change;
}

static void keep(Changes *changes) {
    changes->count = ++changes->done;
    changes->closed = false;
}

/* Returns the last change if a further setting of that cell can extend it, else NULL. */
static Change *joined(Changes *changes, size_t node, size_t row, size_t col) {
    Change *last = changes->done ? &changes->items[changes->done - 1] : NULL;
    bool same = last && !changes->closed && changes->count == changes->done &&
                last->kind == CHANGE_CELL && last->node == node && last->row == row &&
                last->col == col;
    return same ? last : NULL;
}

/* Sets a cell; setting it to its computed value removes the setting. */
static bool put(Tape *tape, size_t node, size_t row, size_t col, double value,
                bool *lifted) {
    if (!tape_edit(tape, node, row, col, value))
        return false;
    *lifted = value == tape_original(tape, node, row, col);
    if (!*lifted)
        return true;
    tape_unedit(tape, node, row, col);
    *lifted = tensor_at(&tape_node(tape, node)->output, row, col) == value;
    return *lifted || tape_edit(tape, node, row, col, value);
}

bool changes_set(Changes *changes, size_t node, size_t row, size_t col, double value,
                 bool joins) {
    double from = 0;
    const TapeNode *at =
        node < tape_count(changes->tape) ? tape_node(changes->tape, node) : NULL;
    if (!at || row >= at->output.rows || col >= at->output.cols)
        return false;
    bool was_set = tape_cell_edited(changes->tape, node, row, col, &from), lifted;
    if (tensor_at(&at->output, row, col) == value || !spend(changes, node))
        return false;
    Change *last = joins ? joined(changes, node, row, col) : NULL;
    Change *change = last ? last : next_change(changes);
    if (!change || !put(changes->tape, node, row, col, value, &lifted))
        return false;
    count_from(changes, node);
    if (!last) {
        *change = (Change){.kind = CHANGE_CELL,
                           .node = node,
                           .row = row,
                           .col = col,
                           .was_set = was_set,
                           .from = from};
        keep(changes);
    }
    change->to = value;
    change->lifted = lifted;
    return true;
}

bool changes_mute(Changes *changes, size_t node, bool muted) {
    if (tape_node(changes->tape, node)->muted_itself == muted || !spend(changes, node))
        return false;
    Change *change = next_change(changes);
    if (!change || !tape_mute(changes->tape, node, muted))
        return false;
    *change = (Change){.kind = CHANGE_MUTE, .node = node, .muted = muted};
    keep(changes);
    count_from(changes, node);
    return true;
}

/* Stores the edits and mutes in force. */
static bool remember(const Tape *tape, Change *change) {
    size_t edits = tape_edit_count(tape), mutes = count_muted(tape);
    *change = (Change){.kind = CHANGE_RESTORE,
                       .edits = calloc(edits + 1, sizeof *change->edits),
                       .mutes = calloc(mutes + 1, sizeof *change->mutes)};
    if (!change->edits || !change->mutes) {
        free(change->edits);
        free(change->mutes);
        return false;
    }
    for (size_t i = 0; i < edits; i++)
        change->edits[change->edit_count++] = *tape_edit_at(tape, i);
    for (size_t i = 0; i < tape_count(tape); i++) {
        if (tape_node(tape, i)->muted_itself)
            change->mutes[change->mute_count++] = i;
    }
    return true;
}

static void restore(Changes *changes) {
    tape_restore(changes->tape);
    changes->counted = (ChangesCount){0};
}

bool changes_restore(Changes *changes) {
    if (!changes_any(changes))
        return false;
    Change *change = next_change(changes);
    if (!change || !remember(changes->tape, change))
        return false;
    keep(changes);
    restore(changes);
    return true;
}

/* ---- undo and redo ---- */

/* Brings back the edits and mutes that a restoring change removed. Needs no memory beyond
 * what the change has reserved, as all undoing. */
static void bring_back(Changes *changes, const Change *change) {
    bool held = tape_hold(changes->tape);
    for (size_t i = 0; i < change->mute_count; i++)
        tape_mute(changes->tape, change->mutes[i], true);
    for (size_t i = 0; i < change->edit_count; i++) {
        const TapeEdit *edit = &change->edits[i];
        tape_edit(changes->tape, edit->node, edit->row, edit->col, edit->value);
    }
    if (held)
        tape_release(changes->tape);
    count_again(changes);
}

/* Makes a change again, or undoes it. */
static void apply(Changes *changes, const Change *change, bool again) {
    Tape *tape = changes->tape;
    changes->closed = true;
    if (change->kind == CHANGE_RESTORE) {
        if (again)
            restore(changes);
        else
            bring_back(changes, change);
        return;
    }
    if (change->kind == CHANGE_MUTE)
        tape_mute(tape, change->node, change->muted == again);
    else if (again ? change->lifted : !change->was_set)
        tape_unedit(tape, change->node, change->row, change->col);
    else
        tape_edit(tape, change->node, change->row, change->col,
                  again ? change->to : change->from);
    count_from(changes, change->node);
}

bool changes_undo(Changes *changes) {
    if (!changes->done)
        return false;
    apply(changes, &changes->items[--changes->done], false);
    return true;
}

bool changes_redo(Changes *changes) {
    if (changes->done == changes->count)
        return false;
    apply(changes, &changes->items[changes->done++], true);
    return true;
}

size_t changes_undoable(const Changes *changes) {
    return changes->done;
}

size_t changes_redoable(const Changes *changes) {
    return changes->count - changes->done;
}

/* ---- cells and steps ---- */

void changes_resolve(const Tape *tape, size_t *node, size_t *row, size_t *col) {
    while (tape_node(tape, *node)->quiet &&
           tape_node(tape, *node)->operation == OPERATION_TRANSPOSE) {
        *node = tape_node(tape, *node)->inputs[0];
        size_t swapped = *row;
        *row = *col;
        *col = swapped;
    }
}

/* The largest magnitude of a node's finite originals. */
static double largest(const TapeNode *node) {
    const double *values = node->original ? node->original : node->output.values;
    double most = 0;
    for (size_t i = 0; i < tensor_cells(&node->output); i++) {
        if (isfinite(values[i]))
            most = fmax(most, fabs(values[i]));
    }
    return most;
}

double changes_step(const Tape *tape, size_t node) {
    double tenth = largest(tape_node(tape, node)) / 10;
    if (tape_node(tape, node)->holds_ids)
        return 1;
    if (!(tenth > 0))
        return 0.1;
    double unit = pow(10, floor(log10(tenth))), times = tenth / unit;
    double digit = times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10;
    return unit * digit;
}

/* Clamps a value to the range of finite doubles. */
static double within_range(double value) {
    return fmax(fmin(value, DBL_MAX), -DBL_MAX);
}

double changes_nudged(double value, double step, int steps) {
    enum { PARTS = 1000 };
    if (!isfinite(value))
        return value;
    /* Sums on a grid of thousandths of a step are exact decimals. */
    double parts = value / step * PARTS, whole = round(parts);
    if (!(fabs(parts) < 1e12) || fabs(parts - whole) > 1e-6 || step < 1e-300)
        return within_range(value + step * steps);
    int decimals = 3 - (int)floor(log10(step) + 1e-9);
    double digit = round(step * pow(10, decimals - 3));
    double count = (whole + (double)PARTS * steps) * digit;
    return within_range(decimals > 0 ? count / pow(10, decimals)
                                     : count * pow(10, -decimals));
}
