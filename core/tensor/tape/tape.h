/* The tape: an append-only record of operations, each with its output.
 *
 * Appending computes at once. Every intermediate result is stored, so reading never
 * computes. Edits and mutes change values: they are stored beside the record and applied
 * by replaying only the nodes that depend on them; the original values remain for
 * comparison and for restoring. Nodes are numbered from 0 in the order they were
 * appended; inputs always have smaller numbers. The tape and all its data live in the
 * arena it was made in. */
#pragma once

#include "tensor/operations/operation.h"

enum { TAPE_MAX_NODES = 100000 };

#define TAPE_NONE ((size_t)-1)

typedef struct TapeNode {
    OperationKind operation;
    OperationOptions options;
    size_t input_count;
    const size_t *inputs;          /* node numbers of the inputs */
    const Tensor *const *operands; /* outputs of the inputs */
    Tensor output;                 /* present values */
    double *original; /* values as first computed; NULL if nothing has changed */
    const char *name; /* unique where given by the lesson; "" for unnamed steps */
    /* if it is the gradient d gradient_root / d gradient_of: the root's node, else
     * TAPE_NONE */
    size_t gradient_root;
    /* the node gradient_of, else TAPE_NONE (see tensor/tape/gradient.h) */
    size_t gradient_of;
    size_t group; /* the innermost group it belongs to, or TAPE_NONE */
    bool quiet;   /* has no step of its own: a constant, or a transpose within Q @ K.T */
    size_t repeats;     /* the node whose edits and mute it takes on, or TAPE_NONE */
    bool repeats_cells; /* takes on its edits, too, and not only its mute */
    bool muted;         /* skipped, by itself or as the node that it repeats is */
    bool muted_itself;
    size_t stand_in; /* the input that replaces its output while it is muted */
    bool edited;     /* some of its cells are set by hand, or in the node it repeats */
    /* an operation reads its values as IDs, directly or after they were sliced,
     * transposed or concatenated */
    bool holds_ids;
    const char *const *generated_labels; /* original labels of edited IDs, else NULL */
    const char **labels;                 /* present labels of edited IDs, else NULL */
} TapeNode;

/* Operations that belong together and open as one step: an attention, a layer. A group's
 * nodes are [first, first + count). */
typedef struct TapeGroup {
    const char *name; /* "attention", "encoder_layer", or a path in a model */
    size_t parent;    /* TAPE_NONE at the top */
    size_t first, count;
} TapeGroup;

typedef struct TapeEdit {
    size_t node, row, col;
    double value;
} TapeEdit;

typedef struct Tape Tape;

/* Creates a tape in `arena`, which must have a guard while nodes are appended. */
Tape *tape_create(Arena *arena);

/* Returns the arena that the tape is in. */
const Arena *tape_arena(const Tape *tape);

/* Appends a tensor of given numbers; `values` (rows × cols) and labels are borrowed and
 * must outlive the tape. ERROR_LIMIT past the tape's or a tensor's size. */
bool tape_given(Tape *tape, const char *name, Tensor tensor, size_t *node, Error *error);

/* Appends a number [1,1], which the tape stores itself. ERROR_LIMIT. */
bool tape_constant(Tape *tape, const char *name, double value, size_t *node,
                   Error *error);

/* Appends an operation on earlier nodes and computes it. `inputs` and `name` are copied;
 * name "" gives an unnamed node. ERROR_SHAPE, ERROR_VALUE, ERROR_LIMIT. */
bool tape_append(Tape *tape, OperationKind operation, const size_t *inputs, size_t count,
                 OperationOptions options, const char *name, size_t *node, Error *error);

/* Begin and end a group of the nodes appended in between; groups nest. */
void tape_group_begin(Tape *tape, const char *name);
void tape_group_end(Tape *tape);

/* Number of nodes, and access to one; its address doesn't change while the tape grows. */
size_t tape_count(const Tape *tape);

/* The operations that computing all nodes takes (see ArenaWork). */
double tape_cost(const Tape *tape);

const TapeNode *tape_node(const Tape *tape, size_t node);

/* Returns a node's operation with its inputs, ready to be computed. */
OperationCall tape_call(const TapeNode *node);

size_t tape_group_count(const Tape *tape);
const TapeGroup *tape_group(const Tape *tape, size_t group);

/* Returns the last node of that name, or TAPE_NONE. */
size_t tape_find(const Tape *tape, const char *name);

/* Reports whether two nodes are the same, or slices of the same cells of one node. */
bool tape_is_same(const Tape *tape, size_t node, size_t other);

/* Reports whether a node is computed from an earlier one, directly or indirectly. False,
 * too, when memory is short. */
bool tape_depends(const Tape *tape, size_t node, size_t on);

/* Reports whether an operation of that kind has the node as its first input. */
bool tape_is_first_input(const Tape *tape, size_t node, OperationKind operation);

/* Rename a node, mark it as having no step of its own, set its labels (NULL leaves them),
 * or remove its row labels. For code that builds the tape. */
void tape_rename(Tape *tape, size_t node, const char *name);
void tape_set_quiet(Tape *tape, size_t node);
void tape_set_labels(Tape *tape, size_t node, const char *const *row_labels,
                     const char *const *col_labels);
void tape_take_row_labels(Tape *tape, size_t node);

/* Makes a node repeat an earlier one of the same operation: whatever is muted there is
 * muted here, too, and with `cells` each cell set by hand there is set here, if this node
 * has that cell and it isn't set here to another value. For code that builds the tape:
 * changes in force need a tape_recompute. */
void tape_set_repeats(Tape *tape, size_t node, size_t earlier, bool cells);

/* Marks a node as the gradient of `root` with respect to node `of`. */
void tape_set_gradient(Tape *tape, size_t node, size_t root, size_t of);

/* Recomputes nodes [first, end) from their inputs' present values; given ones stay. For
 * code that writes into given values, as training does: edits and mutes hold, but
 * originals are neither stored nor compared. */
void tape_recompute(Tape *tape, size_t first, size_t end);

/* The same for `count` nodes, in the order given. */
void tape_replay(Tape *tape, const size_t *nodes, size_t count);

/* Returns the *count nodes that have to be recomputed for a node when given values
 * change: its computed direct and indirect inputs, in order, and the node itself at the
 * end. New in `arena`. */
const size_t *tape_needed(const Tape *tape, size_t node, Arena *arena, size_t *count);

/* Adds to gradients[i] (input i's shape, or NULL) the gradient of input i, given
 * `gradient` of the node (the node's shape), as the tape stands: a muted node passes it
 * to its stand-in, cells set by hand pass nothing. `call` is the node's own, with present
 * values; `scratch` has room for twice the node's cells, and is needed only if some of
 * its cells are set by hand. */
void tape_add_gradients(const Tape *tape, size_t node, const OperationCall *call,
                        const double *gradient, double *const *gradients,
                        double *scratch);

/* Returns the cost, in operations, of recomputing a node and all nodes that depend on
 * it. */
double tape_replay_cost(Tape *tape, size_t node);

/* Set one cell of any node by hand, or undo that, and replay, with the nodes that repeat
 * it. Setting a cell twice keeps the last value. False when the cell does not exist or
 * memory is short. */
bool tape_edit(Tape *tape, size_t node, size_t row, size_t col, double value);
bool tape_unedit(Tape *tape, size_t node, size_t row, size_t col);

/* Sets the input that replaces a node while it is muted, if that is not the first: for a
 * residual sum, the sublayer's output. For code that builds the tape. */
void tape_set_stand_in(Tape *tape, size_t node, size_t input);

/* Reports whether an operation can be muted: it is mutable, and its stand-in has its
 * shape. */
bool tape_can_mute(const Tape *tape, size_t node);

/* Mutes a mutable operation, so that its output is its stand-in, or unmutes it, and
 * replays it and the nodes that repeat it. One that repeats a muted node stays muted.
 * False when it can't be muted or memory is short. */
bool tape_mute(Tape *tape, size_t node, bool muted);

/* After tape_hold, edits and mutes are only recorded; tape_release replays all of them at
 * once. Both return false, the second without replaying, when memory is short. */
bool tape_hold(Tape *tape);
bool tape_release(Tape *tape);

/* Undoes all edits and mutes. */
void tape_restore(Tape *tape);

/* The edits in force, in the order they were first made. */
size_t tape_edit_count(const Tape *tape);
const TapeEdit *tape_edit_at(const Tape *tape, size_t index);

/* Reports whether an edit sets a cell of a node: it is the node's own, or one of the node
 * that it repeats. */
bool tape_edit_reaches(const Tape *tape, const TapeEdit *edit, size_t node);

/* Returns the number of nodes that the last edit, mute or restore recomputed. */
size_t tape_replayed(const Tape *tape);

/* Reports whether any of a node's values differs from the original. */
bool tape_changed(const Tape *tape, size_t node);

/* Returns a node's original value at a cell. */
double tape_original(const Tape *tape, size_t node, size_t row, size_t col);

/* Explains cell (row, col) of a node as a term over its inputs' present cells. Term
 * inputs count the node's inputs. A given or edited cell is one TERM_NUMBER, a muted one
 * the TERM_CELL of its stand-in. NULL when an arena without a guard is exhausted. */
const Term *tape_explain(const Tape *tape, size_t node, size_t row, size_t col,
                         Arena *arena);

/* Reports whether every operation that reads a node's values as IDs accepts `value` in
 * cell (row, col). ERROR_VALUE with the message of the operation that doesn't. */
bool tape_accepts(const Tape *tape, size_t node, size_t row, size_t col, double value,
                  Error *error);

/* Reports whether a cell is set by hand, also in the node that it repeats; stores its
 * value in *value unless that is NULL. */
bool tape_cell_edited(const Tape *tape, size_t node, size_t row, size_t col,
                      double *value);
