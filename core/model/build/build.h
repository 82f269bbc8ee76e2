/* Helpers to append a composite to the tape, shared by attention.c and layers.c.
 *
 * A Build holds the tape, the path and the error. Every node of a composite is named
 * `path.part`. The names of result and groups depend on the caller: a composite that a
 * lesson calls has a group of its own name ("attention"), and its result is `path` alone;
 * in a model groups are named by their paths and the result by its kind
 * ("path.projected"). Each function appends to the tape and returns false, with the error
 * filled, on failure. */
#pragma once

#include "tensor/tape/tape.h"

enum { BUILD_NAME_SIZE = 256 };

typedef struct Build {
    Tape *tape;
    const char *group; /* name of the composite's group; NULL in a model */
    const char *path;
    Error *error;
} Build;

/* Begins the composite's group; tape_group_end ends it. */
void build_group_begin(Build build);

/* Returns the composite `name` within this one, at `path.name`, which is written to
 * `path`. */
Build build_inner(Build build, const char *name, char path[BUILD_NAME_SIZE]);

/* Returns the name of the result: `part` in a model, "" elsewhere. */
const char *build_result(Build build, const char *part);

/* Appends an operation named `path.part`, or `path` when part is "". */
bool build_unary(Build build, OperationKind kind, size_t x, const char *part,
                 size_t *node);
bool build_binary(Build build, OperationKind kind, size_t left, size_t right,
                  const char *part, size_t *node);

/* Appends xᵀ as a node without a step, named after x: "K.T". */
bool build_transpose(Build build, size_t x, size_t *node);

/* Appends the number √d as a node without a step, named as written: "sqrt(2)". */
bool build_sqrt_constant(Build build, size_t d, size_t *node);

/* Appends columns [begin, end) of x. */
bool build_columns(Build build, size_t x, size_t begin, size_t end, const char *part,
                   size_t *node);

/* Appends x w + bias as `name`, after its product as `part_product`; without bias
 * (TAPE_NONE) only the product, as `name`. */
bool build_linear(Build build, size_t x, size_t w, size_t bias, const char *part,
                  const char *name, size_t *node);

/* Appends layer norm of x with gamma and beta; without beta (TAPE_NONE) RMS norm. */
bool build_norm(Build build, size_t x, size_t gamma, size_t beta, double epsilon,
                const char *part, size_t *node);

/* Returns a node's tensor. */
const Tensor *build_tensor(Build build, size_t node);

/* Reports whether `left @ right` is defined; ERROR_SHAPE with both names and shapes. */
bool build_check_product(Build build, const char *left_name, size_t left,
                         const char *right_name, size_t right);

/* Reports whether x is [rows,cols]; the message of ERROR_SHAPE ends with `why`. */
bool build_check_shape(Build build, const char *name, size_t x, size_t rows, size_t cols,
                       const char *why);
