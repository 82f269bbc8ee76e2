/* Differences between a tape's present values and the originals, or those of the same
 * lesson loaded differently; as tensors drawn in place of values. */
#pragma once

#include "tensor/tape/tape.h"

enum { DIFFERENCES_MOST = 64 };

typedef struct Differences {
    const Tape *tape;
    const Tape *base; /* tape to compare with; NULL: the tape's own originals */
    Arena *arena;     /* of the frame */
    size_t count;     /* number of tensors made so far */
    struct {
        size_t node;
        Tensor tensor;
    } made[DIFFERENCES_MOST];
} Differences;

/* Sets *value to a cell's original, or its value on the other tape. Returns false if that
 * has no tensor of the node's name and shape. */
bool differences_base(const Differences *differences, size_t node, size_t row, size_t col,
                      double *value);

/* present − base; 0 if both are equal, infinite or NaN. */
double differences_of(double present, double base);

/* Differences of a node with the node's labels; NULL if there is nothing to compare with,
 * or no memory. The context is a Differences (StageValues, picture/stage/stage.h). */
const Tensor *differences_tensor(void *context, size_t node);
