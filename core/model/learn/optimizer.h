/* Optimizers: update parameters from their gradients.
 *
 * An optimizer works on parameters in place; each is an array of numbers with an array of
 * gradients. Its moments live in the arena it was made in; a step allocates nothing.
 * Source: Kingma and Ba 2015, algorithm 1, as torch.optim.Adam computes it; Pascanu et
 * al. 2013 for clipping, as torch.nn.utils.clip_grad_norm_ does it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Arena Arena;
typedef struct Error Error;

typedef enum OptimizerKind {
    OPTIMIZER_ADAM,
    OPTIMIZER_SGD, /* plain SGD, without momentum */
    OPTIMIZER_KIND_COUNT
} OptimizerKind;

/* Returns "adam" or "sgd". */
const char *optimizer_kind_name(OptimizerKind kind);

typedef struct OptimizerOptions {
    OptimizerKind kind;
    double learning_rate;
    double beta_1, beta_2, epsilon; /* parameters of Adam */
    size_t warmup; /* updates t ≤ warmup have the learning rate times t / warmup */
    double clip;   /* maximum norm of all gradients together; 0: no limit */
} OptimizerOptions;

/* Returns Adam with PyTorch's defaults: learning rate 1e-3, betas 0.9 and 0.999, epsilon
 * 1e-8. */
OptimizerOptions optimizer_options(void);

/* Checks the options. ERROR_VALUE names the field and the allowed values. */
bool optimizer_check(const OptimizerOptions *options, Error *error);

/* One parameter's numbers. */
typedef struct OptimizerPart {
    size_t cells;
    double *values;
    const double *gradients;
    double *first, *second; /* Adam's moments; set by optimizer_init */
} OptimizerPart;

typedef struct Optimizer {
    OptimizerOptions options;
    size_t count;
    OptimizerPart *parts;
    size_t updates; /* number of updates made */
} Optimizer;

/* Initializes an optimizer of `count` parameters with zero moments; it borrows `parts`.
 * Under the arena's guard. */
void optimizer_init(Optimizer *optimizer, Arena *arena, const OptimizerOptions *options,
                    OptimizerPart *parts, size_t count);

/* Returns the learning rate of update number `update`, counted from 1. */
double optimizer_learning_rate(const OptimizerOptions *options, size_t update);

/* Makes one update. Returns the norm of the gradients before clipping. */
double optimizer_step(Optimizer *optimizer);
