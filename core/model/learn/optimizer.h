/* Updates: what gradients make of parameters.
 *
 * An optimizer works on parameters where they are, each an array of numbers with one of
 * gradients. Its moments live in the arena it was made in; a step allocates nothing.
 * Source: Kingma and Ba 2015, algorithm 1, as torch.optim.Adam computes it; Pascanu et
 * al. 2013 for clipping, as torch.nn.utils.clip_grad_norm_ does it. */
#ifndef MODEL_OPTIMIZER_H
#define MODEL_OPTIMIZER_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum OptimizerKind {
    OPTIMIZER_ADAM,
    OPTIMIZER_SGD, /* plain: no momentum */
    OPTIMIZER_KIND_COUNT
} OptimizerKind;

/* "adam", "sgd". */
const char *optimizer_kind_name(OptimizerKind kind);

typedef struct OptimizerOptions {
    OptimizerKind kind;
    double learning_rate;
    double beta_1, beta_2, epsilon; /* Adam's */
    size_t warmup; /* update t ≤ warmup has the learning rate times t / warmup */
    double clip;   /* the longest that all gradients together may be; 0: any length */
} OptimizerOptions;

/* Adam with PyTorch's defaults: learning rate 1e-3, betas 0.9 and 0.999, epsilon 1e-8. */
OptimizerOptions optimizer_options(void);

/* ERROR_VALUE naming the field and what would do. */
bool optimizer_check(const OptimizerOptions *options, Error *error);

/* One parameter's numbers. */
typedef struct OptimizerPart {
    size_t cells;
    double *values;
    const double *gradients;
    double *first, *second; /* Adam's moments; optimizer_init makes them */
} OptimizerPart;

typedef struct Optimizer {
    OptimizerOptions options;
    size_t count;
    OptimizerPart *parts;
    size_t updates; /* made so far */
} Optimizer;

/* An optimizer of `count` parameters, without a past; it borrows `parts` and fills in
 * their moments. Under the arena's guard. */
void optimizer_init(Optimizer *optimizer, Arena *arena, const OptimizerOptions *options,
                    OptimizerPart *parts, size_t count);

/* The learning rate of update number `update`, counted from 1. */
double optimizer_learning_rate(const OptimizerOptions *options, size_t update);

/* One update. Gives the gradients' length before it was clipped. */
double optimizer_step(Optimizer *optimizer);

#endif
