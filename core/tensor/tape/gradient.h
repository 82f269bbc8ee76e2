/* Gradients: reverse-mode differentiation of the tape.
 *
 * It comes in two forms. `Gradients` are numbers beside the tape: a plan made once for a
 * root, then run as often as the tape's values change, without allocation.
 * `gradient_append` puts gradients on the tape itself, as tensors like others: one
 * OPERATION_BACKWARD for each gradient of an operation with respect to one of its inputs.
 * Both use the tape as it stands: a muted node is the identity of its stand-in, and a
 * cell set by hand passes no gradient to the inputs it was computed from. Source:
 * Griewank and Walther 2008, chapter 3. */
#pragma once

#include "tensor/tape/tape.h"

typedef struct Gradients Gradients;

/* Plans the gradients of node `root` with respect to the `count` nodes in `wanted` and to
 * the nodes on the paths to them; with `wanted` NULL, to every earlier node that the root
 * depends on. Nodes without a derivative (IDs, masks) have none. The plan and its buffers
 * live in `arena`, which must not outlive the tape. All gradients are 0 until the first
 * run. Nodes appended to the tape later don't disturb the plan. */
Gradients *gradients_create(const Tape *tape, size_t root, const size_t *wanted,
                            size_t count, Arena *arena);

/* Computes the gradients of one cell of the root, from the tape's present values. */
void gradients_of_cell(Gradients *gradients, size_t row, size_t col);

/* Adds the gradients of the sum of the root's cells, weighted by `seed` (the root's
 * shape; NULL: all weights are 1), to the present gradients of the wanted nodes: for a
 * sum over several inputs, written into given tensors and replayed one after the other.
 * `wanted` must have been given tensors. gradients_clear sets all gradients to 0. */
void gradients_add(Gradients *gradients, const double *seed);
void gradients_clear(Gradients *gradients);

/* Returns d root / d node as last computed, in the node's shape; NULL if the plan has
 * none. The address stays the same from run to run. Borrowed. */
const double *gradients_get(const Gradients *gradients, size_t node);

/* Appends d root / d wanted to the tape: the gradients of all nodes on the paths from
 * `wanted` to `root`, last first, each the sum of the gradients through its users. They
 * are one group "gradient"; the result is called `name` ("" for "gradient.W"), the others
 * "gradient.NAME" after their nodes. Gradients of the same root that are on the tape
 * already are reused. ERROR_SHAPE unless the root is [1,1]; ERROR_VALUE if it does not
 * depend on `wanted` by operations with a derivative, or depends on it through a gradient
 * (second derivatives are not implemented); ERROR_LIMIT. On failure the
 * tape may have some of the nodes. */
bool gradient_append(Tape *tape, size_t root, size_t wanted, const char *name,
                     size_t *node, Error *error);
