/* What a pass is made of: what pass.c makes, and pass_run.c computes with.
 *
 * Only these two include this. Offsets are into the arrays of all parameters and of all
 * gradients (see model/learn/pass_layout.h); buffers are as long as the largest batch
 * needs. */
#ifndef MODEL_PASS_PARTS_H
#define MODEL_PASS_PARTS_H

#include "model/learn/pass.h"
#include "model/learn/pass_layout.h"

/* A linear map: where its matrix [in,out] and bias [out] lie, and where its transpose is
 * kept for the way back. Sizes are padded ones. */
typedef struct Linear {
    size_t weights, bias; /* bias PASS_NONE: it has none */
    size_t rows, out;     /* the matrix' rows and stride */
    size_t in;            /* the stride of what it maps */
    double *transposed;   /* [out,in] */
} Linear;

#define PASS_NONE ((size_t)-1)

typedef struct Norm {
    size_t gamma, beta;
    double *normal, *inverse; /* [rows,d], [rows] */
} Norm;

typedef struct Attention {
    Linear query, key, value, out;
    double *q, *k, *v, *joined; /* [rows, heads × pitch] */
    double *shares;             /* each example's and head's [n,m], one after another */
} Attention;

typedef struct FeedForward {
    Linear first, second;
    double *hidden; /* [rows,d_ff], behind ReLU */
} FeedForward;

typedef struct PassSublayer {
    SublayerKind kind;
    Attention attention;
    FeedForward feed_forward;
    Norm norm;
    const double *x; /* what the sublayer read */
    double *input;   /* pre-norm: the normed rows; else the rows themselves */
    double *output;  /* the rows behind sum and norm */
} PassSublayer;

/* The rows of one text of each example. */
typedef struct Side {
    size_t rows, rows_most, longest;
    size_t *ids, *places; /* a row each */
    size_t *first;        /* of each example, and behind the last */
} Side;

typedef struct Tower {
    const TransformerTower *tower;
    Side side;
    size_t table;
    size_t sublayer_count;
    PassSublayer *sublayers;
    bool has_norm;
    Norm norm;
    double *input, *output; /* [rows,d]; output: behind the final norm, where it is */
} Tower;

struct Pass {
    TransformerShape shape;
    PassLayout layout;
    const LanesKernels *kernels;
    PassLimits limits;
    size_t d;            /* d_model padded */
    size_t pitch, width; /* of a head's columns, of all heads' */
    size_t examples;
    size_t tower_count;
    Tower towers[TRANSFORMER_MAX_TOWERS];
    double *positions; /* [places,d] */
    Linear generator;
    size_t words_out; /* columns of the logits */
    size_t *expected; /* a row of the last tower each */
    double *logits;   /* [rows,·]; after forward, the gradient of the loss by them */
    PassResult result;
    /* Scratch, [rows,d] of the longer side each. */
    double *down, *added, *memory_down;
    /* [rows, width] each, and [rows,d_ff] */
    double *dq, *dk, *dv, *djoined, *dhidden;
    double *turned; /* a head's keys or values, turned, [pitch,longest] */
    double *dscores;
};

#endif
