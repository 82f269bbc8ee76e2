/* One of the reference's models and its file, and room to read it in. */
#pragma once

#include "model/weights/weights.h"

#include "reference_bytes.h"
#include "transformer_reference.h"

enum { PLENTY = 64 << 20 };

typedef struct Bench {
    Arena *arena;
    ModelReference *reference; /* its shape, its input and what it computes */
    ReferenceBytes file;
    Weights weights;
    Error error;
} Bench;

static inline Bench bench_new(void) {
    Bench bench = {.arena = arena_create(PLENTY),
                   .reference = malloc(sizeof(ModelReference))};
    assert_non_null(bench.arena);
    assert_non_null(bench.reference);
    bench.reference->arena = arena_create(PLENTY);
    return bench;
}

static inline void bench_free(Bench *bench) {
    arena_destroy(bench->reference->arena);
    free(bench->reference);
    arena_destroy(bench->arena);
}
