/* Helpers to append a composite to the tape, shared by the files that do.
 *
 * A Build holds the tape, the path and the error. Every node of a composite is named
 * `path.part`. The names of result and groups depend on the caller: a composite that a
 * lesson calls has a group of its own name ("attention"), and its result is `path` alone;
 * in a model groups are named by their paths and the result by its kind
 * ("path.projected"). Functions that append return the node; TAPE_NONE, with the error
 * filled, on failure. Nothing is appended to an input that is TAPE_NONE, so that only the
 * last of a row of calls has to be checked. */
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
size_t build_append(Build build, OperationKind kind, const size_t *inputs, size_t count,
                    OperationOptions options, const char *part);
size_t build_unary(Build build, OperationKind kind, size_t x, const char *part);
size_t build_binary(Build build, OperationKind kind, size_t left, size_t right,
                    const char *part);

/* Appends a given tensor of that name. */
size_t build_given(Build build, const char *name, Tensor tensor);

/* Marks a node as having no step of its own, and returns it. */
size_t build_quiet(Build build, size_t node);

/* Appends xᵀ as a node without a step, named after x: "K.T". */
size_t build_transpose(Build build, size_t x);

/* Appends a number as a node without a step; √d, named as written: "sqrt(2)". */
size_t build_constant(Build build, const char *name, double value);
size_t build_sqrt_constant(Build build, size_t d);

/* Appends rows [row, row + rows), or columns [begin, end), of x. */
size_t build_rows(Build build, size_t x, size_t row, size_t rows, const char *part);
size_t build_columns(Build build, size_t x, size_t begin, size_t end, const char *part);

/* Appends x w + bias as `name`, after its product as `part_product`; without bias
 * (TAPE_NONE) only the product, as `name`. */
size_t build_linear(Build build, size_t x, size_t w, size_t bias, const char *part,
                    const char *name);

/* Appends layer norm of x with gamma and beta; without beta (TAPE_NONE) RMS norm. */
size_t build_norm(Build build, size_t x, size_t gamma, size_t beta, double epsilon,
                  const char *part);

/* Returns a node's tensor. */
const Tensor *build_tensor(Build build, size_t node);

/* Reports whether `left @ right` is defined; ERROR_SHAPE with both names and shapes. */
bool build_check_product(Build build, const char *left_name, size_t left,
                         const char *right_name, size_t right);

/* Reports whether x is [rows,cols]; the message of ERROR_SHAPE ends with `why`. */
bool build_check_shape(Build build, const char *name, size_t x, size_t rows, size_t cols,
                       const char *why);
