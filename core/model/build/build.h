/* Building a composite on the tape: what attention.c and layers.c share.
 *
 * A Build is where the next operation goes and what it is called. Every node of a
 * composite is named `path.part`. What the result and the groups are called depends: a
 * composite that a lesson calls has a group of its own name ("attention"), and its result
 * is `path` alone; a part of a model has no such name, its groups are called by their
 * paths and its result by what it is ("path.projected"). Each function appends to the
 * tape and returns false, with the error filled, when it can't. */
#ifndef MODEL_BUILD_H
#define MODEL_BUILD_H

#include "tensor/tape/tape.h"

enum { BUILD_NAME_SIZE = 256 };

typedef struct Build {
    Tape *tape;
    const char *group; /* what the composite's group is called; NULL in a model */
    const char *path;
    Error *error;
} Build;

/* Begins the composite's group; ended by tape_group_end. */
bool build_group_begin(Build build);

/* The composite `name` within this one, at `path.name`; `path` is where that is written.
 */
Build build_inner(Build build, const char *name, char path[BUILD_NAME_SIZE]);

/* What the result is called: `part` in a model, "" elsewhere. */
const char *build_result(Build build, const char *part);

/* Appends an operation named `path.part`, or `path` when part is "". */
bool build_unary(Build build, OperationKind kind, size_t x, const char *part,
                 size_t *node);
bool build_binary(Build build, OperationKind kind, size_t left, size_t right,
                  const char *part, size_t *node);

/* Appends xᵀ, which is no step of its own, named after x: "K.T". */
bool build_transpose(Build build, size_t x, size_t *node);

/* Appends the number √d, which is no step of its own, named as written: "sqrt(2)". */
bool build_sqrt_constant(Build build, size_t d, size_t *node);

/* Appends columns [begin, end) of x. */
bool build_columns(Build build, size_t x, size_t begin, size_t end, const char *part,
                   size_t *node);

/* Appends x w + bias as `name`, after its product as `part_product`; without a bias
 * (TAPE_NONE) the product alone, as `name`. */
bool build_linear(Build build, size_t x, size_t w, size_t bias, const char *part,
                  const char *name, size_t *node);

/* Appends layer norm of x with gamma and beta; without beta (TAPE_NONE) RMS norm. */
bool build_norm(Build build, size_t x, size_t gamma, size_t beta, double epsilon,
                const char *part, size_t *node);

/* A node's tensor. */
const Tensor *build_tensor(Build build, size_t node);

/* Whether `left @ right` goes; ERROR_SHAPE with both names and shapes. */
bool build_check_product(Build build, const char *left_name, size_t left,
                         const char *right_name, size_t right);

/* Whether x is [rows,cols]; ERROR_SHAPE saying `why`. */
bool build_check_shape(Build build, const char *name, size_t x, size_t rows, size_t cols,
                       const char *why);

#endif
