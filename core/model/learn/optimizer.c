#include "model/learn/optimizer.h"

#include <math.h>

const char *optimizer_kind_name(OptimizerKind kind) {
    static const char *const names[OPTIMIZER_KIND_COUNT] = {
        [OPTIMIZER_ADAM] = "adam", [OPTIMIZER_SGD] = "sgd"};
    return names[kind];
}

OptimizerOptions optimizer_options(void) {
    return (OptimizerOptions){.kind = OPTIMIZER_ADAM,
                              .learning_rate = 1e-3,
                              .beta_1 = 0.9,
                              .beta_2 = 0.999,
                              .epsilon = 1e-8};
}

bool optimizer_check(const OptimizerOptions *options, const char **field, Error *error) {
    const struct {
        const char *name, *right;
        double value;
        bool good;
    } fields[] = {
        {"learning_rate", "a positive number like 0.01", options->learning_rate,
         options->learning_rate > 0 && options->learning_rate < INFINITY},
        {"beta_1", "from 0 to below 1, like 0.9", options->beta_1,
         options->beta_1 >= 0 && options->beta_1 < 1},
        {"beta_2", "from 0 to below 1, like 0.999", options->beta_2,
         options->beta_2 >= 0 && options->beta_2 < 1},
        {"epsilon", "a small positive number like 1e-8", options->epsilon,
         options->epsilon > 0 && options->epsilon < INFINITY},
        {"clip", "0, which is not to clip, or a positive number like 1", options->clip,
         options->clip >= 0 && options->clip < INFINITY},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (fields[i].good)
            continue;
        if (field)
            *field = fields[i].name;
        return error_set(error, ERROR_VALUE, 0, 0, "%s is %g, but must be %s",
                         fields[i].name, fields[i].value, fields[i].right);
    }
    return true;
}

bool optimizer_init(Optimizer *optimizer, Arena *arena, const OptimizerOptions *options,
                    size_t count, Error *error) {
    *optimizer = (Optimizer){.options = *options, .count = count};
    optimizer->first = arena_alloc(arena, count, sizeof *optimizer->first);
    optimizer->second = arena_alloc(arena, count, sizeof *optimizer->second);
    return (optimizer->first && optimizer->second) ||
           error_set(error, ERROR_MEMORY, 0, 0,
                     "there is no memory for the optimizer's moments; take a smaller "
                     "model");
}

double optimizer_learning_rate(const OptimizerOptions *options, size_t update) {
    return update < options->warmup
               ? options->learning_rate * ((double)update / (double)options->warmup)
               : options->learning_rate;
}

/* What the gradients are multiplied by so that their length stays within `most`. */
static double clip_factor(double length, double most) {
    double factor = most / (length + 1e-6);
    return most > 0 && factor < 1 ? factor : 1;
}

double optimizer_step(Optimizer *optimizer, const LanesKernels *kernels, double *values,
                      const double *gradients) {
    const OptimizerOptions *options = &optimizer->options;
    double update = (double)++optimizer->updates;
    double rate = optimizer_learning_rate(options, optimizer->updates);
    double length = sqrt(kernels->sum_of_squares(gradients, optimizer->count));
    double factor = clip_factor(length, options->clip);
    if (options->kind == OPTIMIZER_SGD) {
        kernels->descend(values, gradients, optimizer->count, rate * factor);
        return length;
    }
    LanesAdam adam = {.beta_1 = options->beta_1,
                      .beta_2 = options->beta_2,
                      .epsilon = options->epsilon,
                      .step = rate / (1 - pow(options->beta_1, update)),
                      .root_2 = 1 / sqrt(1 - pow(options->beta_2, update)),
                      .clip = factor};
    kernels->adam(values, optimizer->first, optimizer->second, gradients,
                  optimizer->count, &adam);
    return length;
}
