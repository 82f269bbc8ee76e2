/* Finds the nodes on the paths from given nodes to a root. Only gradient.c and
 * gradient_append.c include this. */
#pragma once

#include "tensor/tape/tape.h"

typedef enum GradientPath {
    GRADIENT_OFF,    /* not computed from a wanted node */
    GRADIENT_LEADS,  /* wanted or computed from one, but not an input of the root */
    GRADIENT_ON_PATH /* the root is computed from it by operations with derivatives */
} GradientPath;

/* Fills paths[0 … root]. `wanted` NULL: all nodes are wanted. */
void gradient_paths(const Tape *tape, size_t root, const size_t *wanted, size_t count,
                    GradientPath *paths);
