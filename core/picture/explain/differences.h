/* Differences: how far a tape's present values are from the originals, or from those of
 * the same lesson read otherwise; as tensors that stand in the cells in place of values.
 */
#ifndef PICTURE_DIFFERENCES_H
#define PICTURE_DIFFERENCES_H

#include "tensor/tape/tape.h"

enum { DIFFERENCES_MOST = 64 };

typedef struct Differences {
    const Tape *tape;
    const Tape *base; /* the tape to compare with; NULL: the tape's own originals */
    Arena *arena;     /* the frame's */
    size_t count;     /* tensors made so far */
    struct {
        size_t node;
        Tensor tensor;
    } made[DIFFERENCES_MOST];
} Differences;

/* What a cell was, or is on the other tape. False when that has no tensor of the node's
 * name and shape. */
bool differences_base(const Differences *differences, size_t node, size_t row, size_t col,
                      double *value);

/* Present − base; 0 where both are the same, infinite or no number. */
double differences_of(double present, double base);

/* A node's differences with the node's labels; NULL where there is nothing to compare
 * with, or no room. The context is a Differences (StageValues,
 * picture/stage/stage.h). */
const Tensor *differences_tensor(void *context, size_t node);

#endif
