/* Tracing a number back: from a cell to the input cell that contributed most to it, and
 * so on to its origin: a word, a weight, a number that the lesson gives.
 *
 * A cell's inputs come from its explanation (tape_explain). Nodes without a step of their
 * own are skipped: from Q @ K.T the trace goes to K. Inputs have smaller numbers than
 * their results, so every trace ends. Nothing is modified; explanations use a scratch
 * arena of the caller's, which may be reset afterwards. */
#pragma once

#include "lesson/play/player.h"

typedef struct Arena Arena;
typedef struct Tape Tape;

/* One cell of the tape. */
typedef struct FollowCell {
    size_t node, row, col;
} FollowCell;

/* The origin that a trace ends at. */
typedef enum FollowEnd {
    FOLLOW_CONTINUES, /* none: there is a cell before this one */
    FOLLOW_WORD,      /* a word's ID, or a word's row of an embedding's table */
    /* parameter of a model, or given under a weight's name: W…, b, gamma, beta */
    FOLLOW_WEIGHT,
    FOLLOW_GIVEN,    /* a number that the lesson gives */
    FOLLOW_POSITION, /* a positional encoding, which depends on the position only */
    FOLLOW_MASK,     /* part of a mask */
    FOLLOW_CONSTANT, /* independent of all inputs */
    FOLLOW_EDITED,   /* set by hand */
    FOLLOW_END_COUNT
} FollowEnd;

static inline bool follow_same(FollowCell a, FollowCell b) {
    return a.node == b.node && a.row == b.row && a.col == b.col;
}

/* Finds the cell that contributed most to a cell: of a sum the part of the largest
 * magnitude (quantities of the whole row, such as its mean, only if there is nothing
 * else), of a product the factor that is computed rather than given, given rather than a
 * weight, else the one of the largest magnitude; of a quotient the numerator; of a
 * maximum the largest; of a lookup the table's cell; of a softmax and a layer norm the
 * cell at the same position. False if the explanation has no cells, or `scratch` is
 * exhausted. */
bool follow_strongest(const Tape *tape, FollowCell from, FollowCell *to, Arena *scratch);

/* Returns the cell shown instead of a cell of a node without a step: the first of the
 * trace whose node has one, or is given. Other cells are returned as they are. */
FollowCell follow_through(const Tape *tape, FollowCell cell, Arena *scratch);

/* Returns the step of the tree in which a node was made: its operation's, else the first
 * that shows it, unless that is behind the player's. PLAYER_NONE for other given
 * nodes. */
size_t follow_step(const Player *player, size_t node);

/* Returns the kind of the last of `count` cells, each one traced from the one before.
 * *word is the word of a FOLLOW_WORD, borrowed from the tape, else NULL. */
FollowEnd follow_end(const Lesson *lesson, const FollowCell *path, size_t count,
                     const char **word, Arena *scratch);

/* Reports whether a node is a gradient, or computed from one, so that its own derivative
 * can't be computed by one backward pass. Also true if `scratch` is exhausted. */
bool follow_meets_gradient(const Tape *tape, size_t node, Arena *scratch);

/* Returns "word", "weight" …: keys below `follow.` in the interface's strings; "" for
 * FOLLOW_CONTINUES. */
const char *follow_end_name(FollowEnd end);
