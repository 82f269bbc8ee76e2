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

size_t build_append(Build build, OperationKind kind, const size_t *inputs, size_t count,
                    OperationOptions options, const char *part) {
    char name[BUILD_NAME_SIZE];
    size_t node;
    for (size_t i = 0; i < count; i++) {
        if (inputs[i] == TAPE_NONE)
            return TAPE_NONE;
    }
    return tape_append(build.tape, kind, inputs, count, options,
                       full_name(name, build, part), &node, build.error)
               ? node
               : TAPE_NONE;
}

size_t build_unary(Build build, OperationKind kind, size_t x, const char *part) {
    return build_append(build, kind, &x, 1, (OperationOptions){0}, part);
}

size_t build_binary(Build build, OperationKind kind, size_t left, size_t right,
                    const char *part) {
    return build_append(build, kind, (const size_t[]){left, right}, 2,
                        (OperationOptions){0}, part);
}

size_t build_given(Build build, const char *name, Tensor tensor) {
    size_t node;
    return tape_given(build.tape, name, tensor, &node, build.error) ? node : TAPE_NONE;
}

size_t build_quiet(Build build, size_t node) {
    if (node != TAPE_NONE)
        tape_set_quiet(build.tape, node);
    return node;
}

size_t build_transpose(Build build, size_t x) {
    char name[BUILD_NAME_SIZE] = "";
    if (x == TAPE_NONE)
        return x;
    const char *of = tape_node(build.tape, x)->name;
    build.path = *of && snprintf(name, sizeof name, "%s.T", of) > 0 ? name : "";
    return build_quiet(build, build_unary(build, OPERATION_TRANSPOSE, x, ""));
}

size_t build_constant(Build build, const char *name, double value) {
    size_t node;
    return tape_constant(build.tape, name, value, &node, build.error)
               ? build_quiet(build, node)
               : TAPE_NONE;
}

size_t build_sqrt_constant(Build build, size_t d) {
    char name[BUILD_NAME_SIZE];
    snprintf(name, sizeof name, "sqrt(%zu)", d);
    return build_constant(build, name, sqrt((double)d));
}

size_t build_rows(Build build, size_t x, size_t row, size_t rows, const char *part) {
    return build_append(build, OPERATION_SLICE, &x, 1,
                        (OperationOptions){.row_begin = row,
                                           .row_end = row + rows,
                                           .col_end = build_tensor(build, x)->cols},
                        part);
}

size_t build_columns(Build build, size_t x, size_t begin, size_t end, const char *part) {
    return build_append(build, OPERATION_SLICE, &x, 1,
                        (OperationOptions){.row_end = build_tensor(build, x)->rows,
                                           .col_begin = begin,
                                           .col_end = end},
                        part);
}

size_t build_linear(Build build, size_t x, size_t w, size_t bias, const char *part,
                    const char *name) {
    char product[BUILD_NAME_SIZE];
    if (bias == TAPE_NONE)
        return build_binary(build, OPERATION_MATMUL, x, w, name);
    snprintf(product, sizeof product, "%s_product", part);
    return build_binary(build, OPERATION_ADD,
                        build_binary(build, OPERATION_MATMUL, x, w, product), bias, name);
}

size_t build_norm(Build build, size_t x, size_t gamma, size_t beta, double epsilon,
                  const char *part) {
    bool rms = beta == TAPE_NONE;
    return build_append(build, rms ? OPERATION_RMS_NORM : OPERATION_LAYER_NORM,
                        (const size_t[]){x, gamma, beta}, rms ? 2 : 3,
                        (OperationOptions){.epsilon = epsilon}, part);
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
