/* What a tape is made of: what tape_record.c appends to, tape_changes.c edits, mutes and
 * replays, and gradient_append.c prolongs. Only these include this. */
#ifndef TENSOR_TAPE_PARTS_H
#define TENSOR_TAPE_PARTS_H

#include "tensor/tape/tape.h"

struct Tape {
    Arena *arena;
    size_t count, capacity;
    TapeNode **nodes;
    size_t group_count, group_capacity;
    TapeGroup *groups;
    size_t open_group; /* the innermost group being appended to, or TAPE_NONE */
    size_t edit_count, edit_capacity;
    TapeEdit *edits;
    size_t replayed;
    bool *changed; /* scratch for replay, `changed_capacity` long */
    size_t changed_capacity;
    bool held;     /* replays wait … */
    bool *pending; /* … for these nodes, `pending_capacity` long */
    size_t pending_capacity;
    /* for going back through nodes that are edited, as long as any needs */
    double *scratch;
    size_t scratch_capacity;
};

/* Computes a node that is not muted itself. */
void tape_compute(const Tape *tape, TapeNode *node);

/* Marks which nodes hold IDs because of one that was appended. */
void tape_note_ids(Tape *tape, size_t number);

#endif
