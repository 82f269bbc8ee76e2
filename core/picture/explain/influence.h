/* Influence: how much one cell, the root, moves when each of the numbers before it does.
 *
 * While a page has an influence, the stage and the map show the root's gradient with
 * respect to each tensor in place of its values; it is 0 with respect to those that the
 * root does not depend on. Only what is drawn changes: gradients are worked out
 * beforehand (tensor/tape/gradient.h) and borrowed. */
#ifndef PICTURE_INFLUENCE_H
#define PICTURE_INFLUENCE_H

#include "lesson/play/follow.h"
#include "picture/stage/page_content.h"
#include "tensor/tape/gradient.h"

struct Influence {
    const Tape *tape;
    const Gradients *gradients;
    FollowCell root;
};

/* An influence for one frame: the context of influence_tensor. */
typedef struct InfluenceFrame {
    const Influence *influence;
    Arena *arena;
    Tensor **made; /* for each node, once it was asked for */
} InfluenceFrame;

/* Begins a frame in its arena; false when that is exhausted. */
bool influence_begin(InfluenceFrame *frame, const Influence *influence, Arena *arena);

/* The gradients with respect to a node, with its labels: zeros where there are none. NULL
 * when the arena is exhausted. The context is an InfluenceFrame (StageValues,
 * picture/stage/stage.h). */
const Tensor *influence_tensor(void *context, size_t node);

/* How tall the line is that says what is shown. */
#define INFLUENCE_HEIGHT 34.0

/* That line: "Influence on P[2, 5]: how much it moves for 1 more in a cell", and which
 * tensors move it. */
void influence_title(const PageParts *parts, Box line);

/* The inspector's line about a cell, as large as it fits: "moving X[1, 0] by 0.01 moves
 * P[2, 5] by about 0.002". */
void influence_describe(const PageParts *parts, FollowCell cell, Box line);

#endif
