/* Models with random weights that say words, each on a tape of its own. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "close.h"
#include "model/build/transformer.h"
#include "tensor/tape/tape.h"

#include "model/generate/generate.h"

#include <string.h>

typedef struct Bench {
    Arena *arena;
    Tape *tape;
    Transformer model;
} Bench;

static const double source_ids[] = {1, 5, 2, 4}, padded_ids[] = {3, 0, 2, 0, 0};
static const double start_ids[] = {1}, begin_ids[] = {1, 3, 2}, gap_ids[] = {0, 2, 0};

static inline Tensor ids_of(const double *ids, size_t count) {
    return (Tensor){.rows = 1, .cols = count, .values = (double *)(uintptr_t)ids};
}

static inline TransformerInput reading(const double *target, size_t count) {
    return (TransformerInput){.source = ids_of(source_ids, 4),
                              .target = ids_of(target, count)};
}

static const TransformerShape both = {
    .kind = TRANSFORMER_ENCODER_DECODER,
    .d_model = 8,
    .heads = 2,
    .d_ff = 12,
    .encoder_layers = 1,
    .decoder_layers = 2,
    .source_vocabulary = 6,
    .target_vocabulary = 5,
    .first_output = 1,
    .epsilon = 1e-5,
    .biases = true,
};

static inline TransformerShape decoder_alone(void) {
    TransformerShape shape = both;
    shape.kind = TRANSFORMER_DECODER;
    return shape;
}

enum { SHAPES = 9 };

/* Shapes that differ in every field that matters to a decoder. */
static inline TransformerShape shape_of(size_t index) {
    TransformerShape all[SHAPES];
    for (size_t i = 0; i < SHAPES; i++)
        all[i] = both;
    all[1].biases = false;
    all[2].pre_norm = all[2].final_norm = true;
    all[3].heads = 1;
    all[3].scale_embedding = true;
    all[4].heads = 8;
    all[4].first_output = 0;
    all[5].kind = TRANSFORMER_DECODER;
    all[6].kind = TRANSFORMER_DECODER;
    all[6].pre_norm = true;
    all[6].biases = false;
    all[6].first_output = 0;
    all[7].final_norm = true;
    all[7].encoder_layers = 3;
    all[7].decoder_layers = 1;
    all[8].d_model = 32; /* products large enough for the tiled kernel */
    all[8].heads = 4;
    all[8].d_ff = 40;
    return all[index];
}

/* Weights larger than those of a new model, so that no two texts score alike. */
static inline bool fill_widely(void *context, const TransformerParameter *parameter,
                               double *values, Error *error) {
    Random *random = context;
    (void)error;
    for (size_t i = 0; i < parameter->rows * parameter->cols; i++)
        values[i] = 0.7 * random_normal(random);
    return true;
}

static inline Bench bench_with(TransformerShape shape, TransformerWeights weights) {
    Bench bench = {.arena = arena_create((size_t)512 << 20)};
    Error error = {0};
    TransformerInput input = reading(start_ids, 1);
    bench.tape = tape_create(bench.arena);
    if (!transformer_append(bench.tape, bench.arena, &shape, &input, weights,
                            &bench.model, &error))
        fail_msg("%s", error.message);
    return bench;
}

static inline Bench bench_new(TransformerShape shape, uint64_t seed) {
    Random random;
    random_init(&random, seed);
    return bench_with(shape, (TransformerWeights){fill_widely, &random});
}

static inline void bench_finish(Bench *bench) {
    arena_destroy(bench->arena);
}

static inline const Tensor *tensor_of(const Bench *bench, size_t node) {
    return &tape_node(bench->tape, node)->output;
}

static inline DecodingOptions options_of(GenerateRule rule, size_t length) {
    return (DecodingOptions){.rule = rule,
                             .temperature = 1,
                             .top_p = 1,
                             .seed = 7,
                             .width = 1,
                             .length = length,
                             .end = GENERATE_NONE};
}

static inline GenerateRequest request_of(const Bench *bench, TransformerInput input,
                                         DecodingOptions options) {
    return (GenerateRequest){.tape = bench->tape,
                             .arena = bench->arena,
                             .model = &bench->model,
                             .input = input,
                             .name = "said",
                             .options = options};
}

static inline Generated say_good(const Bench *bench, TransformerInput input,
                                 DecodingOptions options) {
    Generated said;
    Error error = {0};
    GenerateRequest request = request_of(bench, input, options);
    if (!generate_run(&said, &request, &error))
        fail_msg("%s", error.message);
    return said;
}
