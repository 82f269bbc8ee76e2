/* The tape: an append-only record of operations, each with its output.
 *
 * Appending computes at once. Every intermediate is kept, so reading never computes. What
 * does change values are edits and mutes, kept beside the record and applied by a replay
 * of just the nodes that depend on them; the original values stay, to compare with and to
 * return to. Nodes are numbered from 0 in the order they were appended; inputs always
 * have smaller numbers. The tape and all it holds live in the arena it was made in. */
#ifndef TENSOR_TAPE_H
#define TENSOR_TAPE_H

#include "base/arena.h"
#include "base/error.h"
#include "tensor/operations/operation.h"

enum { TAPE_MAX_NODES = 100000 };

#define TAPE_NONE ((size_t)-1)

typedef struct TapeNode {
    OperationKind operation;
    OperationOptions options;
    size_t input_count;
    const size_t *inputs;          /* node numbers … */
    const Tensor *const *operands; /* … and their outputs */
    Tensor output;                 /* present values */
    double *original;     /* values as first computed; NULL while nothing has changed */
    const char *name;     /* unique where given by the lesson; "" for unnamed steps */
    size_t gradient_root; /* where it is d gradient_root / d gradient_of: those nodes, */
    size_t gradient_of;   /* else TAPE_NONE (see tensor/tape/gradient.h) */
    size_t group;         /* the innermost group it belongs to, or TAPE_NONE */
    bool quiet; /* no step of its own: a constant, or a transpose within Q @ K.T */
    bool muted;
    size_t stand_in; /* the input that its output is while it is muted */
    bool edited;     /* some of its cells are set by hand */
    bool holds_ids;  /* an operation reads its values as IDs (tensor/tape/tape_ids.h) */
    const char *const *generated_labels; /* of changed IDs: the labels as they were, … */
    const char **labels;                 /* … and as they are; else NULL */
} TapeNode;

/* Operations that belong together and open from one step: an attention, a layer. A
 * group's nodes are [first, first + count). */
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

/* A new tape in `arena`; NULL when the arena is exhausted. */
Tape *tape_create(Arena *arena);

/* Appends a tensor of given numbers; `values` (rows × cols) and labels are borrowed from
 * the arena's owner and become the node's. ERROR_LIMIT past the tape's or a tensor's
 * size. */
bool tape_given(Tape *tape, const char *name, Tensor tensor, size_t *node, Error *error);

/* Appends a number [1,1] that the tape keeps itself. ERROR_LIMIT, ERROR_MEMORY. */
bool tape_constant(Tape *tape, const char *name, double value, size_t *node,
                   Error *error);

/* Appends an operation on earlier nodes and computes it. `inputs` and `name` are copied;
 * name "" gives an unnamed node. ERROR_SHAPE, ERROR_VALUE, ERROR_LIMIT, ERROR_MEMORY. */
bool tape_append(Tape *tape, OperationKind operation, const size_t *inputs, size_t count,
                 OperationOptions options, const char *name, size_t *node, Error *error);

/* Nodes appended between begin and end belong to a group; groups nest. */
bool tape_group_begin(Tape *tape, const char *name, Error *error);
void tape_group_end(Tape *tape);

/* A node stays where it is while the tape grows. */
size_t tape_count(const Tape *tape);
const TapeNode *tape_node(const Tape *tape, size_t node);

/* A node's operation with its inputs, ready to be computed. */
OperationCall tape_call(const TapeNode *node);

size_t tape_group_count(const Tape *tape);
const TapeGroup *tape_group(const Tape *tape, size_t group);

/* The last node of that name, or TAPE_NONE. */
size_t tape_find(const Tape *tape, const char *name);

/* Whether two nodes are one, or cut the same cells from one. */
bool tape_is_same(const Tape *tape, size_t node, size_t other);

/* Whether some operation of that kind has the node as its first input. */
bool tape_is_first_input(const Tape *tape, size_t node, OperationKind operation);

/* Renames a node, marks it as having no step of its own, or gives it labels (NULL leaves
 * them as they are) or takes its rows' away. For whoever is building the tape. */
void tape_rename(Tape *tape, size_t node, const char *name);
void tape_set_quiet(Tape *tape, size_t node);
void tape_set_labels(Tape *tape, size_t node, const char *const *row_labels,
                     const char *const *col_labels);
void tape_take_row_labels(Tape *tape, size_t node);

/* Marks a node as the gradient of `root` with respect to node `of`. */
void tape_set_gradient(Tape *tape, size_t node, size_t root, size_t of);

/* Computes nodes [first, end) again from their inputs' present values; given ones stay as
 * they are. For whoever writes into given values, as training does: edits and mutes hold,
 * but originals are neither kept nor compared. */
void tape_recompute(Tape *tape, size_t first, size_t end);

/* The same of `count` nodes, in the order given. */
void tape_replay(Tape *tape, const size_t *nodes, size_t count);

/* What must be computed again for a node when given values change: the nodes that it is
 * made from and that have inputs themselves, in order, itself last; *count of them. New
 * in `arena`, NULL when that is exhausted. */
const size_t *tape_needed(const Tape *tape, size_t node, Arena *arena, size_t *count);

/* Adds to gradients[i] (input i's shape, or NULL) what `gradient` (the node's shape)
 * gives back through a node, as the tape stands: a muted one hands it to its first input,
 * cells set by hand give nothing. `call` is the node's own, its values the present ones;
 * `scratch` has room for twice the node's cells, and is needed only while some of its
 * cells are set by hand. */
void tape_add_gradients(const Tape *tape, size_t node, const OperationCall *call,
                        const double *gradient, double *const *gradients,
                        double *scratch);

/* Sets one cell of any node by hand, or takes the setting back, and replays. Setting a
 * cell twice keeps the last value. False when the cell does not exist or memory is short.
 */
bool tape_edit(Tape *tape, size_t node, size_t row, size_t col, double value);
bool tape_unedit(Tape *tape, size_t node, size_t row, size_t col);

/* Which input stands in for a node while it is muted, where that is not the first: of a
 * residual sum, what the sublayer made. For whoever is building the tape. */
void tape_set_stand_in(Tape *tape, size_t node, size_t input);

/* Whether an operation is mutable and its result has the shape of what would stand in. */
bool tape_can_mute(const Tape *tape, size_t node);

/* Makes a mutable operation the identity of the input that stands in for it, or itself
 * again, and replays. False when it can't be muted or memory is short. */
bool tape_mute(Tape *tape, size_t node, bool muted);

/* From tape_hold on, edits and mutes are only noted; tape_release replays all of them at
 * once. Both are false, the second with nothing replayed, when memory is short. */
bool tape_hold(Tape *tape);
bool tape_release(Tape *tape);

/* Takes all edits and mutes back. */
void tape_restore(Tape *tape);

/* The edits in force, in the order they were first made. */
size_t tape_edit_count(const Tape *tape);
const TapeEdit *tape_edit_at(const Tape *tape, size_t index);

/* How many nodes the last edit, mute or restore computed again. */
size_t tape_replayed(const Tape *tape);

/* Whether any of a node's values differs from the original. */
bool tape_changed(const Tape *tape, size_t node);

/* A node's original value at a cell. */
double tape_original(const Tape *tape, size_t node, size_t row, size_t col);

/* How cell (row, col) of a node came to be, in terms of its inputs' present cells. Term
 * inputs count the node's inputs. A given, an edited or a muted cell explains itself: one
 * TERM_NUMBER, or one TERM_CELL of the input that stands in. NULL when the arena is
 * exhausted. */
const Term *tape_explain(const Tape *tape, size_t node, size_t row, size_t col,
                         Arena *arena);

/* Whether a cell is set by hand; *value, where given, is what it was set to. */
bool tape_cell_edited(const Tape *tape, size_t node, size_t row, size_t col,
                      double *value);

#endif
