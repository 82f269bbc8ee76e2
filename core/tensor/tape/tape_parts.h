/* The tape's struct, shared by tape_record.c, which appends, tape_changes.c, which edits,
 * mutes and replays, and gradient.c and what_if.c. Only these include this. */
#pragma once

#include "tensor/tape/tape.h"

struct Tape {
    Arena *arena;
    size_t count, capacity;
    TapeNode **nodes;
    size_t group_count, group_capacity;
    TapeGroup *groups;
    size_t open_group; /* the innermost open group, or TAPE_NONE */
    size_t edit_count, edit_capacity;
    TapeEdit *edits;
    size_t replayed;
    double cost;   /* operations that computing all nodes takes */
    bool *changed; /* scratch for replay, `changed_capacity` long */
    size_t changed_capacity;
    bool held;     /* replays are deferred */
    bool *pending; /* nodes to replay then, `pending_capacity` long */
    size_t pending_capacity;
    /* scratch for the backward pass through edited nodes, as long as any needs */
    double *scratch;
    size_t scratch_capacity;
};

/* Computes a node that is not muted. */
void tape_compute(const Tape *tape, TapeNode *node);

/* Marks the nodes that hold IDs because of an appended one. */
void tape_note_ids(Tape *tape, size_t number);
