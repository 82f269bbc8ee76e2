/* Influence: how much one cell, the root, changes with each of the numbers before it.
 *
 * While a page has an influence, the stage and the map show the root's gradient by each
 * tensor in place of its values; it is 0 for tensors that the root doesn't depend on.
 * Only the drawing changes: gradients are computed beforehand (tensor/tape/gradient.h)
 * and borrowed. */
#pragma once

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
    Tensor **made; /* gradient of each node once it was requested */
} InfluenceFrame;

/* Begins the computation of a frame's gradients, in the frame's arena. */
void influence_begin(InfluenceFrame *frame, const Influence *influence, Arena *arena);

/* Returns the gradients with respect to a node, with its labels; zeros if it has none.
 * The context is an InfluenceFrame (StageValues, picture/stage/stage.h). */
const Tensor *influence_tensor(void *context, size_t node);

/* Height of the line that influence_title draws. */
#define INFLUENCE_HEIGHT 34.0

/* Draws what is shown: "Influence on P[2, 5]: how much it moves for 1 more in a cell",
 * and the tensors with influence. */
void influence_title(const PageParts *parts, Box line);

/* Draws the inspector's line about a cell, as large as fits: "moving X[1, 0] by 0.01
 * moves P[2, 5] by about 0.002". */
void influence_describe(const PageParts *parts, FollowCell cell, Box line);
