/* Which nodes of a tape lie on the ways from some nodes to a root. Only gradient.c and
 * gradient_append.c include this. */
#ifndef TENSOR_GRADIENT_PATHS_H
#define TENSOR_GRADIENT_PATHS_H

#include "tensor/tape/tape.h"

typedef enum GradientPath {
    GRADIENT_OFF,    /* made from no wanted node */
    GRADIENT_LEADS,  /* made from one, or one itself, but the root is not made from it */
    GRADIENT_ON_PATH /* the root is made from it, by operations that have derivatives */
} GradientPath;

/* Fills places[0 … root]. `wanted` NULL: every node is. */
void gradient_paths(const Tape *tape, size_t root, const size_t *wanted, size_t count,
                    GradientPath *places);

#endif
