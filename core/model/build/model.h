/* A transformer as data: how large it is and how it is put together, its parameters, and
 * the list of its parts. transformer.h appends it to a tape. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "model/build/layers.h"

#include "base/random.h"

typedef enum TransformerKind {
    TRANSFORMER_ENCODER_DECODER,
    TRANSFORMER_ENCODER, /* ends with the encoder's output */
    TRANSFORMER_DECODER, /* no cross-attention: each word from those before it */
    TRANSFORMER_KIND_COUNT
} TransformerKind;

/* "encoder_decoder", "encoder", "decoder". */
const char *transformer_kind_name(TransformerKind kind);

/* Whom a word may see in its own text. */
typedef enum TransformerMask {
    TRANSFORMER_MASK_OWN,    /* as the tower has it: a decoder's are causal */
    TRANSFORMER_MASK_CAUSAL, /* itself and what came before, in every tower */
    TRANSFORMER_MASK_NONE    /* everyone, in every tower; padding stays hidden */
} TransformerMask;

/* What tells a word's place. */
typedef enum TransformerPositions {
    TRANSFORMER_POSITIONS_SINES,   /* sines and cosines, added to the embedding */
    TRANSFORMER_POSITIONS_LEARNED, /* rows of a table of weights, added likewise */
    TRANSFORMER_POSITIONS_ROTARY,  /* queries and keys of self-attentions are turned */
    TRANSFORMER_POSITIONS_NONE,
    TRANSFORMER_POSITIONS_COUNT
} TransformerPositions;

/* "sines", "learned", "rotary", "none". */
const char *transformer_positions_name(TransformerPositions positions);

enum {
    TRANSFORMER_WIDTH_MAX = 2048, /* d_model: a matrix of its square is a tensor's most */
    TRANSFORMER_LAYERS_MAX = 1000 /* of each tower */
};

typedef struct TransformerShape {
    TransformerKind kind;
    size_t d_model, heads, d_ff;
    size_t kv_heads; /* as many heads have keys and values of their own; 0: all */
    size_t encoder_layers, decoder_layers;
    /* How many rows the embedding tables have: IDs are smaller. ID 0 is padding, … */
    size_t source_vocabulary, target_vocabulary;
    bool unpadded;       /* … unless no ID is; first_output is then 0 */
    size_t first_output; /* the logits' first column is this ID's: 1 leaves padding out */
    size_t context;      /* how many places a text has at most; 0: any number */
    TransformerPositions positions; /* learned ones need a context */
    double rotary_base;             /* of rotary positions; 0: ROTARY_BASE */
    Activation activation;
    double epsilon; /* of every layer norm */
    bool pre_norm;
    bool rms;        /* norms are RMS norms, which have no β, in place of layer norms */
    bool final_norm; /* behind the last layer of each tower, as nn.Transformer has */
    bool scale_embedding; /* embeddings are multiplied by √d_model */
    size_t segments;      /* BERT's: rows of a table, the first of which is added to every
                             word; 0: there is none */
    bool embedding_norm;  /* a norm before the first layer */
    bool biases;          /* of all linear maps */
    bool tied;            /* the logits are of the embedding's table, and have no bias */
    TransformerMask mask;
    double temperature; /* logits are divided by it before the last softmax; 0: by none */
} TransformerShape;

/* ---- the architecture ---- */

typedef enum TransformerSide { TRANSFORMER_SOURCE, TRANSFORMER_TARGET } TransformerSide;

enum { TRANSFORMER_MAX_TOWERS = 2, TRANSFORMER_MAX_SUBLAYERS = 3 };

/* A tower: what stands between a text's IDs and its last layer. */
typedef struct TransformerTower {
    const char *name; /* "encoder", "decoder" */
    TransformerSide side;
    bool causal; /* a word sees itself and what came before */
    size_t sublayer_count;
    SublayerKind sublayers[TRANSFORMER_MAX_SUBLAYERS];
} TransformerTower;

/* Tower `index` of a kind, in the order of computation; NULL past the last. */
const TransformerTower *transformer_tower(TransformerKind kind, size_t index);

/* Whether a word in a tower of the shape sees only itself and what came before. */
bool transformer_is_causal(const TransformerShape *shape, const TransformerTower *tower);

/* How many heads of the shape have keys and values of their own. */
size_t transformer_kv_heads(const TransformerShape *shape);

/* How many layers a tower of the shape has. */
size_t transformer_layers(const TransformerShape *shape, const TransformerTower *tower);

/* Whether a model can be built so: ERROR_VALUE naming the size that can't be, and what
 * would do. *field (NULL is fine) is then the name of that field of the shape. */
bool transformer_check(const TransformerShape *shape, const char **field, Error *error);

/* ---- parameters ---- */

/* How a parameter begins when it is drawn at random. */
typedef enum TransformerStart {
    TRANSFORMER_START_XAVIER, /* uniform within ±√(6 / (torch_rows + torch_cols)) */
    TRANSFORMER_START_FAN_IN, /* uniform within ±1/√(rows of the matrix before it) */
    TRANSFORMER_START_EMBEDDING, /* normal; deviation 1, or 1/√d_model when scaled */
    TRANSFORMER_START_ZERO,
    TRANSFORMER_START_ONE
} TransformerStart;

typedef struct TransformerParameter {
    const char *name; /* of its node: "encoder.0.self_attention.W_Q" */
    size_t rows, cols;
    /* PyTorch's tensor that it is a part of, which has torch_cols 1 when it is a vector.
     * Cell (r, c) is its (torch_first + c, r), or (torch_first + r, c) of a table. */
    const char *torch_name; /* "encoder.layers.0.self_attn.in_proj_weight" */
    size_t torch_rows, torch_cols, torch_first;
    bool is_table;
    TransformerStart start;
    double scale; /* of the start: the bound, or the deviation */
    size_t node;  /* once it is on the tape */
} TransformerParameter;

/* A shape's parameters, in the order of computation; new in the arena, under
 * its guard. The shape must have passed transformer_check. */
TransformerParameter *transformer_parameters(Arena *arena, const TransformerShape *shape,
                                             size_t *count);

/* Where numbers come from: fills `values` (rows × cols) of each parameter in turn; false
 * with the error when it has none. */
typedef struct TransformerWeights {
    bool (*fill)(void *context, const TransformerParameter *parameter, double *values,
                 Error *error);
    void *context;
} TransformerWeights;

/* Draws each parameter, row by row, as its `start` says: Xavier-uniform for matrices, as
 * torch.nn.Transformer does, zeros for the attentions' biases, ones and zeros for the
 * norms. `random` must outlive the weights' use. */
TransformerWeights transformer_random_weights(Random *random);

/* ---- the model ---- */

typedef enum TransformerPartKind {
    TRANSFORMER_IDS, /* given; computes nothing */
    TRANSFORMER_EMBEDDING,
    TRANSFORMER_SCALED,
    TRANSFORMER_POSITION,
    TRANSFORMER_INPUT,
    TRANSFORMER_SEGMENT, /* the row of a text's segment, and the sum with it */
    TRANSFORMER_WITH_SEGMENT,
    TRANSFORMER_MASK,
    TRANSFORMER_LAYER,
    TRANSFORMER_SUBLAYER, /* within a layer, as are residuals and norms */
    TRANSFORMER_RESIDUAL,
    TRANSFORMER_NORM,
    TRANSFORMER_MEMORY, /* the encoder's result under its name; computes nothing */
    TRANSFORMER_LOGITS,
    TRANSFORMER_PROBABILITIES,
    TRANSFORMER_EXPECTED, /* given: what should be said; computes nothing */
    TRANSFORMER_LOSSES,   /* each word's cross entropy */
    TRANSFORMER_LOSS,     /* their mean over the words that count */
    TRANSFORMER_PART_COUNT
} TransformerPartKind;

/* "embedding", "layer", "memory" …; a sublayer's is its own: "self_attention". */
const char *transformer_part_name(TransformerPartKind kind);

#define TRANSFORMER_NONE ((size_t)-1)

typedef struct TransformerPart {
    TransformerPartKind kind;
    SublayerKind sublayer;         /* of a TRANSFORMER_SUBLAYER */
    const TransformerTower *tower; /* NULL for memory, logits and what follows */
    size_t layer;                  /* within its tower, or TRANSFORMER_NONE */
    size_t parent;          /* the layer it belongs to, as a part, or TRANSFORMER_NONE */
    const char *name;       /* "encoder.0.self_attention"; a node's, and a group's too */
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
    size_t memory, logits, probabilities; /* nodes; TAPE_NONE where the kind has none */
    size_t expected, losses, loss;        /* nodes; TAPE_NONE where nothing is expected */
} Transformer;

/* Several texts one behind another, each of which is to see only itself, as training
 * reads them: where they stand and whom they see is given, in place of what would follow
 * from one text's IDs. The values stay the caller's, to be written anew before a replay.
 */
typedef struct TransformerPack {
    Tensor
        positions[2];   /* by TransformerSide: sines [rows,d_model]; of learned
                           and rotary ones the places [1,rows]; none where there are none */
    Tensor masks[2];    /* of the self-attentions, [rows,rows] */
    Tensor memory_mask; /* of the cross-attentions, [target's rows, source's rows] */
    Tensor columns; /* [1, target's rows]: the logits' columns that are right; -1: none */
} TransformerPack;

/* What a model reads: a row [1,n] of IDs for each tower that it has, labelled with their
 * words where there are any. */
typedef struct TransformerInput {
    Tensor source, target;
    /* What a decoder should say behind each word of the target: as many IDs, 0 where it
     * doesn't count; no cells: there is no loss. */
    Tensor expected;
    /* Where the texts are several ones; NULL: one. The model then ends with `losses`. */
    const TransformerPack *pack;
    /* Labels of the embedding tables' rows, as many as the vocabulary; NULL: none. */
    const char *const *source_words, *const *target_words;
} TransformerInput;

/* The part of a name, or NULL. */
const TransformerPart *transformer_part(const Transformer *model, const char *name);

#endif
