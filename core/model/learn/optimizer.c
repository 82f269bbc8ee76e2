#include "model/learn/train.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/maths.h"

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

bool optimizer_check(const OptimizerOptions *options, Error *error) {
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
        {"clip", "0, which turns clipping off, or a positive number like 1",
         options->clip, options->clip >= 0 && options->clip < INFINITY},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (fields[i].good)
            continue;
        return error_set(error, ERROR_VALUE, 0, 0, "%s is %g, but must be %s",
                         fields[i].name, fields[i].value, fields[i].right);
    }
    return true;
}

void optimizer_init(Optimizer *optimizer, Arena *arena, const OptimizerOptions *options,
                    OptimizerPart *parts, size_t count) {
    *optimizer = (Optimizer){.options = *options, .count = count, .parts = parts};
    for (size_t i = 0; i < count; i++) {
        parts[i].first = arena_alloc(arena, parts[i].cells, sizeof(double));
        parts[i].second = arena_alloc(arena, parts[i].cells, sizeof(double));
    }
}

double optimizer_learning_rate(const OptimizerOptions *options, size_t update) {
    return update < options->warmup
               ? options->learning_rate * ((double)update / (double)options->warmup)
               : options->learning_rate;
}

/* Factor that scales gradients of norm `length` down to norm `most`. */
static double clip_factor(double length, double most) {
    double factor = most / (length + 1e-6);
    return most > 0 && factor < 1 ? factor : 1;
}

/* Uses eight partial sums, which are added up at the end. */
static double sum_of_squares(const double *x, size_t count) {
    enum { SUMS = 8 };
    double sums[SUMS] = {0}, total = 0;
    size_t i = 0;
    for (; i + SUMS <= count; i += SUMS) {
        for (size_t j = 0; j < SUMS; j++)
            sums[j] += x[i + j] * x[i + j];
    }
    for (; i < count; i++)
        total += x[i] * x[i];
    for (size_t j = 0; j < SUMS; j++)
        total += sums[j];
    return total;
}

static double gradients_length(const Optimizer *optimizer) {
    double sum = 0;
    for (size_t i = 0; i < optimizer->count; i++)
        sum += sum_of_squares(optimizer->parts[i].gradients, optimizer->parts[i].cells);
    return sqrt(sum);
}

static void descend(const OptimizerPart *part, double scale) {
    double *restrict values = part->values;
    for (size_t i = 0; i < part->cells; i++)
        values[i] -= scale * part->gradients[i];
}

/* Values that are the same for all cells of an update. */
typedef struct Adam {
    double beta_1, beta_2, epsilon;
    double rate;   /* the learning rate over the first moment's correction */
    double root_2; /* one over the root of the second moment's correction */
    double clip;   /* factor of the gradients */
} Adam;

static void adam(const OptimizerPart *part, Adam a) {
    double *restrict values = part->values, *restrict first = part->first;
    double *restrict second = part->second;
    const double *restrict gradients = part->gradients;
    for (size_t i = 0; i < part->cells; i++) {
        double g = gradients[i] * a.clip;
        double m = first[i] * a.beta_1 + g * (1 - a.beta_1);
        double v = second[i] * a.beta_2 + g * g * (1 - a.beta_2);
        first[i] = m;
        second[i] = v;
        values[i] -= a.rate * m / (sqrt(v) * a.root_2 + a.epsilon);
    }
}

double optimizer_step(Optimizer *optimizer) {
    const OptimizerOptions *options = &optimizer->options;
    double update = (double)++optimizer->updates;
    double rate = optimizer_learning_rate(options, optimizer->updates);
    double length = gradients_length(optimizer);
    double clip = clip_factor(length, options->clip);
    const Adam constants = {.beta_1 = options->beta_1,
                            .beta_2 = options->beta_2,
                            .epsilon = options->epsilon,
                            .rate = rate / (1 - pow(options->beta_1, update)),
                            .root_2 = 1 / sqrt(1 - pow(options->beta_2, update)),
                            .clip = clip};
    for (size_t i = 0; i < optimizer->count; i++) {
        if (options->kind == OPTIMIZER_SGD)
            descend(&optimizer->parts[i], rate * clip);
        else
            adam(&optimizer->parts[i], constants);
    }
    return length;
}
