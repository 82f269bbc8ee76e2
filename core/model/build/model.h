/* A transformer as data: its sizes and structure, its parameters, and the list of its
 * parts. transformer.h appends it to a tape. */
#pragma once

#include "model/build/layers.h"
#include "tensor/tensor.h"

typedef struct Random Random;

typedef enum TransformerKind {
    TRANSFORMER_ENCODER_DECODER,
    TRANSFORMER_ENCODER, /* ends with the encoder's output */
    TRANSFORMER_DECODER, /* no cross-attention: each token attends to earlier ones */
    TRANSFORMER_KIND_COUNT
} TransformerKind;

/* "encoder_decoder", "encoder", "decoder". */
const char *transformer_kind_name(TransformerKind kind);

/* Mask of the self-attentions. */
typedef enum TransformerMask {
    TRANSFORMER_MASK_OWN,    /* the tower's own: a decoder's is causal */
    TRANSFORMER_MASK_CAUSAL, /* causal in every tower */
    TRANSFORMER_MASK_NONE    /* none in any tower; padding stays masked */
} TransformerMask;

/* Kind of positional encoding. */
typedef enum TransformerPositions {
    TRANSFORMER_POSITIONS_SINES,   /* sines and cosines, added to the embedding */
    TRANSFORMER_POSITIONS_LEARNED, /* rows of a learned table, added to the embedding */
    /* queries and keys of self-attentions are rotated (RoPE) */
    TRANSFORMER_POSITIONS_ROTARY,
    TRANSFORMER_POSITIONS_NONE,
    TRANSFORMER_POSITIONS_COUNT
} TransformerPositions;

/* "sines", "learned", "rotary", "none". */
const char *transformer_positions_name(TransformerPositions positions);

enum {
    TRANSFORMER_WIDTH_MAX = 2048, /* d_model: its square is the largest tensor */
    TRANSFORMER_LAYERS_MAX = 1000 /* layers of each tower */
};

typedef struct TransformerShape {
    TransformerKind kind;
    size_t d_model, heads, d_ff;
    size_t kv_heads; /* number of heads with keys and values of their own; 0: all */
    size_t encoder_layers, decoder_layers;
    /* Rows of the embedding tables: IDs are smaller. ID 0 is padding. */
    size_t source_vocabulary, target_vocabulary;
    bool unpadded;       /* no ID is padding; first_output is then 0 */
    size_t first_output; /* ID of the logits' first column: 1 leaves padding out */
    size_t context;      /* maximum number of positions; 0: no limit */
    TransformerPositions positions; /* learned ones need a context */
    double rotary_base;             /* base of rotary positions; 0: ROTARY_BASE */
    Activation activation;
    double epsilon; /* epsilon of every norm */
    bool pre_norm;
    bool rms;             /* RMS norms, which have no β, instead of layer norms */
    bool final_norm;      /* behind the last layer of each tower, as nn.Transformer has */
    bool scale_embedding; /* embeddings are multiplied by √d_model */
    /* BERT's segments: rows of a table, the first of which is added to every token; 0:
     * none */
    size_t segments;
    bool embedding_norm; /* a norm before the first layer */
    bool biases;         /* linear maps have biases */
    bool tied;           /* the logits' matrix is the embedding table, without bias */
    TransformerMask mask;
    double temperature; /* divides the logits before the last softmax; 0: none */
} TransformerShape;

/* ---- the architecture ---- */

typedef enum TransformerSide { TRANSFORMER_SOURCE, TRANSFORMER_TARGET } TransformerSide;

enum { TRANSFORMER_MAX_TOWERS = 2, TRANSFORMER_MAX_SUBLAYERS = 3 };

/* A tower: everything between a text's IDs and its last layer. */
typedef struct TransformerTower {
    const char *name; /* "encoder", "decoder" */
    TransformerSide side;
    bool causal; /* each token attends only to itself and earlier ones */
    size_t sublayer_count;
    SublayerKind sublayers[TRANSFORMER_MAX_SUBLAYERS];
} TransformerTower;

/* Returns tower `index` of a kind, in the order of computation; NULL past the last. */
const TransformerTower *transformer_tower(TransformerKind kind, size_t index);

/* Reports whether tokens in a tower of the shape attend only to themselves and earlier
 * ones. */
bool transformer_is_causal(const TransformerShape *shape, const TransformerTower *tower);

/* Returns the number of heads with keys and values of their own. */
size_t transformer_kv_heads(const TransformerShape *shape);

/* Returns the number of layers of a tower. */
size_t transformer_layers(const TransformerShape *shape, const TransformerTower *tower);

/* Reports whether the shape is valid. ERROR_VALUE names the invalid size and the allowed
 * values; *field (may be NULL) is then the name of that field of the shape. */
bool transformer_check(const TransformerShape *shape, const char **field, Error *error);

/* ---- parameters ---- */

/* Distribution of a parameter's random initial values. */
typedef enum TransformerStart {
    TRANSFORMER_START_XAVIER, /* uniform within ±√(6 / (torch_rows + torch_cols)) */
    TRANSFORMER_START_FAN_IN, /* uniform within ±1/√(rows of the matrix before it) */
    /* normal; standard deviation 1, or 1/√d_model when scaled */
    TRANSFORMER_START_EMBEDDING,
    TRANSFORMER_START_ZERO,
    TRANSFORMER_START_ONE
} TransformerStart;

typedef struct TransformerParameter {
    const char *name; /* the node's name: "encoder.0.self_attention.W_Q" */
    size_t rows, cols;
    /* PyTorch's tensor that contains it; torch_cols is 1 for a vector. Cell (r, c) is the
     * tensor's (torch_first + c, r), or (torch_first + r, c) of a table. */
    const char *torch_name; /* "encoder.layers.0.self_attn.in_proj_weight" */
    size_t torch_rows, torch_cols, torch_first;
    bool is_table;
    TransformerStart start;
    double scale; /* bound or standard deviation of the initial values */
    size_t node;  /* set once it is on the tape */
} TransformerParameter;

/* Returns a shape's parameters, in the order of computation; new in the arena, under its
 * guard. The shape must have passed transformer_check. */
TransformerParameter *transformer_parameters(Arena *arena, const TransformerShape *shape,
                                             size_t *count);

/* A source of values: fills `values` (rows × cols) of each parameter in turn; false with
 * the error if it has none. */
typedef struct TransformerWeights {
    bool (*fill)(void *context, const TransformerParameter *parameter, double *values,
                 Error *error);
    void *context;
} TransformerWeights;

/* Returns a source that draws each parameter, row by row, as its `start` says:
 * Xavier-uniform for matrices, as torch.nn.Transformer does, zeros for the attentions'
 * biases, ones and zeros for the norms. `random` must outlive the source's use. */
TransformerWeights transformer_random_weights(Random *random);

/* ---- the model ---- */

typedef enum TransformerPartKind {
    TRANSFORMER_IDS, /* given; computes nothing */
    TRANSFORMER_EMBEDDING,
    TRANSFORMER_SCALED,
    TRANSFORMER_POSITION,
    TRANSFORMER_INPUT,
    TRANSFORMER_SEGMENT, /* a segment's row, and the sum with it */
    TRANSFORMER_WITH_SEGMENT,
    TRANSFORMER_MASK,
    TRANSFORMER_LAYER,
    TRANSFORMER_SUBLAYER, /* within a layer, as are residuals and norms */
    TRANSFORMER_RESIDUAL,
    TRANSFORMER_NORM,
    TRANSFORMER_MEMORY, /* the encoder's output under its name; computes nothing */
    TRANSFORMER_LOGITS,
    TRANSFORMER_PROBABILITIES,
    TRANSFORMER_EXPECTED, /* given targets; computes nothing */
    TRANSFORMER_LOSSES,   /* each token's cross entropy */
    TRANSFORMER_LOSS,     /* mean over the tokens that count */
    TRANSFORMER_PART_COUNT
} TransformerPartKind;

/* Returns "embedding", "layer", "memory" …; for a sublayer its own name:
 * "self_attention". */
const char *transformer_part_name(TransformerPartKind kind);

#define TRANSFORMER_NONE ((size_t)-1)

typedef struct TransformerPart {
    TransformerPartKind kind;
    SublayerKind sublayer;         /* kind of a TRANSFORMER_SUBLAYER */
    const TransformerTower *tower; /* NULL for memory, logits and the parts behind them */
    size_t layer;                  /* within its tower, or TRANSFORMER_NONE */
    size_t parent;                 /* the part that is its layer, or TRANSFORMER_NONE */
    const char *name; /* "encoder.0.self_attention"; name of a node, and of a group */
    const char *torch_name; /* "encoder.layers.0.self_attn"; "" where PyTorch has none */
    size_t first, count;    /* the tape's nodes it computes */
    size_t node;            /* its result */
    size_t group;           /* the tape's, or TAPE_NONE */
} TransformerPart;

typedef struct Transformer {
    TransformerShape shape;
    size_t parameter_count;
    const TransformerParameter *parameters;
    size_t part_count;
    const TransformerPart *parts;
    size_t memory, logits, probabilities; /* nodes; TAPE_NONE if the kind has none */
    size_t expected, losses, loss;        /* nodes; TAPE_NONE without targets */
} Transformer;

/* Several texts in one sequence, each attending only to itself, as training reads them:
 * positions and masks are given instead of following from one text's IDs. The values stay
 * the caller's, to be rewritten before a replay. */
typedef struct TransformerPack {
    /* positions by TransformerSide: sines [rows,d_model]; for learned and rotary
     * positions indices [1,rows]; no cells without positions */
    Tensor positions[2];
    Tensor masks[2];    /* masks of the self-attentions, [rows,rows] */
    Tensor memory_mask; /* mask of the cross-attentions, [target's rows, source's rows] */
    Tensor columns; /* [1, target's rows]: the logits' columns of the targets; -1: none */
} TransformerPack;

/* A model's input: a row [1,n] of IDs for each tower, labelled with their tokens if there
 * are any. */
typedef struct TransformerInput {
    Tensor source, target;
    /* Targets of each token of the decoder's input: as many IDs, 0 if it doesn't count;
     * no cells: no loss is computed. */
    Tensor expected;
    /* Set if there are several texts; NULL: one. The model then ends with `losses`. */
    const TransformerPack *pack;
    /* Labels of the embedding tables' rows, as many as the vocabulary; NULL: none. */
    const char *const *source_words, *const *target_words;
} TransformerInput;

/* Returns the part of that name, or NULL. */
const TransformerPart *transformer_part(const Transformer *model, const char *name);
