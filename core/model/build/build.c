#include "model/build/build.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Names that are too long are cut, since they are only displayed. */
static const char *full_name(char out[BUILD_NAME_SIZE], Build build, const char *part) {
    int length = snprintf(out, BUILD_NAME_SIZE, "%s%s%s", build.path,
                          *part && *build.path ? "." : "", part);
    return length < 0 ? "" : out;
}

void build_group_begin(Build build) {
    tape_group_begin(build.tape, build.group ? build.group : build.path);
}

Build build_inner(Build build, const char *name, char path[BUILD_NAME_SIZE]) {
    Build inner = build;
    inner.path = full_name(path, build, name);
    inner.group = build.group ? name : NULL;
    return inner;
}

const char *build_result(Build build, const char *part) {
    return build.group ? "" : part;
}

bool build_unary(Build build, OperationKind kind, size_t x, const char *part,
                 size_t *node) {
    char name[BUILD_NAME_SIZE];
    return tape_append(build.tape, kind, &x, 1, (OperationOptions){0},
                       full_name(name, build, part), node, build.error);
}

bool build_binary(Build build, OperationKind kind, size_t left, size_t right,
                  const char *part, size_t *node) {
    char name[BUILD_NAME_SIZE];
    return tape_append(build.tape, kind, (const size_t[]){left, right}, 2,
                       (OperationOptions){0}, full_name(name, build, part), node,
                       build.error);
}

bool build_transpose(Build build, size_t x, size_t *node) {
    char name[BUILD_NAME_SIZE];
    const char *of = tape_node(build.tape, x)->name;
    if (snprintf(name, sizeof name, "%s%s", of, *of ? ".T" : "") < 0)
        name[0] = 0;
    if (!tape_append(build.tape, OPERATION_TRANSPOSE, &x, 1, (OperationOptions){0}, name,
                     node, build.error))
        return false;
    tape_set_quiet(build.tape, *node);
    return true;
}

bool build_sqrt_constant(Build build, size_t d, size_t *node) {
    char name[BUILD_NAME_SIZE];
    snprintf(name, sizeof name, "sqrt(%zu)", d);
    if (!tape_constant(build.tape, name, sqrt((double)d), node, build.error))
        return false;
    tape_set_quiet(build.tape, *node);
    return true;
}

bool build_columns(Build build, size_t x, size_t begin, size_t end, const char *part,
                   size_t *node) {
    char name[BUILD_NAME_SIZE];
    OperationOptions options = {
        .row_end = build_tensor(build, x)->rows, .col_begin = begin, .col_end = end};
    return tape_append(build.tape, OPERATION_SLICE, &x, 1, options,
                       full_name(name, build, part), node, build.error);
}

bool build_linear(Build build, size_t x, size_t w, size_t bias, const char *part,
                  const char *name, size_t *node) {
    char product[BUILD_NAME_SIZE];
    if (bias == TAPE_NONE)
        return build_binary(build, OPERATION_MATMUL, x, w, name, node);
    snprintf(product, sizeof product, "%s_product", part);
    return build_binary(build, OPERATION_MATMUL, x, w, product, node) &&
           build_binary(build, OPERATION_ADD, *node, bias, name, node);
}

bool build_norm(Build build, size_t x, size_t gamma, size_t beta, double epsilon,
                const char *part, size_t *node) {
    char name[BUILD_NAME_SIZE];
    bool rms = beta == TAPE_NONE;
    return tape_append(build.tape, rms ? OPERATION_RMS_NORM : OPERATION_LAYER_NORM,
                       (const size_t[]){x, gamma, beta}, rms ? 2 : 3,
                       (OperationOptions){.epsilon = epsilon},
                       full_name(name, build, part), node, build.error);
}

const Tensor *build_tensor(Build build, size_t node) {
    return &tape_node(build.tape, node)->output;
}

bool build_check_product(Build build, const char *left_name, size_t left,
                         const char *right_name, size_t right) {
    const Tensor *a = build_tensor(build, left), *b = build_tensor(build, right);
    if (a->cols == b->rows)
        return true;
    return error_set(
        build.error, ERROR_SHAPE, 0, 0,
        "%s [%zu,%zu] @ %s [%zu,%zu]: %s needs %zu row%s, one for each column "
        "of %s",
        left_name, a->rows, a->cols, right_name, b->rows, b->cols, right_name, a->cols,
        a->cols == 1 ? "" : "s", left_name);
}

bool build_check_shape(Build build, const char *name, size_t x, size_t rows, size_t cols,
                       const char *why) {
    const Tensor *tensor = build_tensor(build, x);
    if (tensor->rows == rows && tensor->cols == cols)
        return true;
    return error_set(build.error, ERROR_SHAPE, 0, 0,
                     "%s is [%zu,%zu], but must be [%zu,%zu]: %s", name, tensor->rows,
                     tensor->cols, rows, cols, why);
}
