/* Following a number back: from a cell to the cell that contributed most to it, and so
 * on to where it comes from: a word, a weight, a number that the lesson gives.
 *
 * What a cell is made of its explanation says (tape_explain). Nodes without a step of
 * their own are passed through: of Q @ K.T one comes to K. Inputs have smaller numbers
 * than what is made of them, so that every way ends. Nothing here changes anything;
 * explanations go to a scratch arena of the caller's, which may be reset afterwards. */
#ifndef LESSON_FOLLOW_H
#define LESSON_FOLLOW_H

#include "lesson/play/player.h"

/* One cell of the tape. */
typedef struct FollowCell {
    size_t node, row, col;
} FollowCell;

/* What a way ends at. */
typedef enum FollowEnd {
    FOLLOW_CONTINUES, /* it doesn't: there is a cell before this one */
    FOLLOW_WORD,      /* a word's ID, or a word's row of an embedding's table */
    FOLLOW_WEIGHT, /* of a model, or given under a weight's name: W…, b, gamma, beta */
    FOLLOW_GIVEN,  /* a number that the lesson gives */
    FOLLOW_POSITION, /* of where the word stands alone: a positional encoding */
    FOLLOW_MASK,     /* of which places may be seen */
    FOLLOW_CONSTANT, /* the same whatever the inputs are */
    FOLLOW_EDITED,   /* set by hand */
    FOLLOW_END_COUNT
} FollowEnd;

static inline bool follow_same(FollowCell a, FollowCell b) {
    return a.node == b.node && a.row == b.row && a.col == b.col;
}

/* The cell that contributed most to a cell: of a sum the part of the largest magnitude
 * (what stands for the whole row, as its mean does, only where there is nothing else), of
 * a product the factor that is computed rather than given, given rather than a weight,
 * else the one of the largest magnitude; of a quotient the numerator; of a maximum the
 * largest; of a lookup the table's cell; of a softmax and a layer norm the cell at the
 * same place. False where the explanation has no cells, or `scratch` is exhausted. */
bool follow_strongest(const Tape *tape, FollowCell from, FollowCell *to, Arena *scratch);

/* The cell that stands for a cell of a node without a step: the first of the way back
 * whose node has one, or a given. Other cells stand for themselves. */
FollowCell follow_through(const Tape *tape, FollowCell cell, Arena *scratch);

/* The step of the tree in which a node was made: its operation's, else the first that
 * shows it, if that is not behind the player's. PLAYER_NONE for other givens. */
size_t follow_step(const Player *player, size_t node);

/* What the last of `count` cells, each one following from the one before, is. *word is
 * the word of a FOLLOW_WORD, borrowed from the tape, else NULL. */
FollowEnd follow_end(const Lesson *lesson, const FollowCell *way, size_t count,
                     const char **word, Arena *scratch);

/* Whether a node is a gradient, or made from one: what moves it can't be told by running
 * the tape backwards once. True where `scratch` is exhausted, too. */
bool follow_meets_gradient(const Tape *tape, size_t node, Arena *scratch);

/* "word", "weight" …: under `follow.` in the interface's strings; "" for
 * FOLLOW_CONTINUES.
 */
const char *follow_end_name(FollowEnd end);

#endif
