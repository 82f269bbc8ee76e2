/* How long a whole transformer takes to compute, with everything kept:
 *   model D_MODEL HEADS D_FF LAYERS WORDS VOCABULARY ROUNDS
 * Prints seconds of laying the model on a tape for the first time, in fresh memory; the
 * medians of ROUNDS forward passes that replay it, in seconds of the processor and in
 * seconds that passed; and the process's peak of memory in megabytes. */
#include "base/arena.h"
#include "base/error.h"
#include "base/random.h"
#include "model/build/transformer.h"
#include "tensor/tape/tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { ROUNDS_MAX = 1000, NUMBERS = 7 };

typedef struct Clock {
    TransformerWeights weights;
    double filled; /* when the last parameter was there */
} Clock;

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool fill(void *context, const TransformerParameter *parameter, double *values,
                 Error *error) {
    Clock *clock = context;
    bool filled = clock->weights.fill(clock->weights.context, parameter, values, error);
    clock->filled = now(CLOCK_MONOTONIC);
    return filled;
}

/* Lays the model on a new tape; returns seconds without drawing the parameters. */
static double lay(Arena *arena, const TransformerShape *shape, size_t words, Tape **tape,
                  Transformer *model) {
    *tape = tape_create(arena);
    Tensor ids = {.rows = 1, .cols = words};
    ids.values = arena_alloc(arena, words, sizeof *ids.values);
    for (size_t i = 0; i < words; i++)
        ids.values[i] = (double)(1 + i);
    TransformerInput input = {.source = ids, .target = ids};
    Random random;
    random_init(&random, 1);
    Clock clock = {.weights = transformer_random_weights(&random)};
    Error error;
    if (!transformer_append(*tape, arena, shape, &input,
                            (TransformerWeights){fill, &clock}, model, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    return now(CLOCK_MONOTONIC) - clock.filled;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv) {
    size_t numbers[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = argc == NUMBERS + 1 ? (size_t)strtoul(argv[i + 1], NULL, 10) : 0;
    size_t words = numbers[4], vocabulary = numbers[5], rounds = numbers[6];
    if (!words || words >= vocabulary || !rounds || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: model D_MODEL HEADS D_FF LAYERS WORDS VOCABULARY "
                        "ROUNDS\n");
        return 2;
    }
    TransformerShape shape = {.d_model = numbers[0],
                              .heads = numbers[1],
                              .d_ff = numbers[2],
                              .encoder_layers = numbers[3],
                              .decoder_layers = numbers[3],
                              .source_vocabulary = vocabulary,
                              .target_vocabulary = vocabulary,
                              .epsilon = 1e-5,
                              .final_norm = true,
                              .biases = true};
    Arena *arena = arena_create((size_t)1 << 30);
    Tape *tape;
    Transformer model;
    static double cpu[ROUNDS_MAX], wall[ROUNDS_MAX];
    double first = lay(arena, &shape, words, &tape, &model);
    for (size_t i = 0; i < rounds; i++) {
        double used = now(CLOCK_PROCESS_CPUTIME_ID), began = now(CLOCK_MONOTONIC);
        tape_recompute(tape, 0, tape_count(tape));
        cpu[i] = now(CLOCK_PROCESS_CPUTIME_ID) - used;
        wall[i] = now(CLOCK_MONOTONIC) - began;
    }
    qsort(cpu, rounds, sizeof *cpu, compare);
    qsort(wall, rounds, sizeof *wall, compare);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%.9f %.9f %.9f %.1f\n", first, cpu[rounds / 2], wall[rounds / 2],
           (double)usage.ru_maxrss / 1024);
    arena_destroy(arena);
    return 0;
}
