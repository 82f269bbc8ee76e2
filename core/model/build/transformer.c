#include "model/build/transformer.h"

#include "base/arena.h"
#include "base/error.h"
#include "model/build/appender.h"
#include "model/build/build.h"

#include <stdio.h>
#include <string.h>

/* ---- parameters ---- */

static bool append_parameter(Appender *this, TransformerParameter *parameter,
                             TransformerWeights weights) {
    Tensor tensor = {.rows = parameter->rows, .cols = parameter->cols};
    tensor.values =
        arena_alloc(this->arena, tensor.rows, tensor.cols * sizeof *tensor.values);
    return weights.fill(weights.context, parameter, tensor.values, this->error) &&
           tape_given(this->tape, parameter->name, tensor, &parameter->node, this->error);
}

static bool append_parameters(Appender *this, TransformerWeights weights) {
    size_t count;
    TransformerParameter *parameters =
        transformer_parameters(this->arena, this->shape, &count);
    this->model->parameters = parameters;
    this->model->parameter_count = count;
    for (size_t i = 0; i < count; i++) {
        if (!append_parameter(this, &parameters[i], weights))
            return false;
    }
    return true;
}

static AttentionWeights take_attention(Appender *this, AttentionBiases *biases) {
    AttentionWeights weights = {.biases = this->shape->biases ? biases : NULL};
    weights.w_q = appender_take(this, "W_Q");
    biases->b_q = appender_take_bias(this, "b_Q");
    weights.w_k = appender_take(this, "W_K");
    biases->b_k = appender_take_bias(this, "b_K");
    weights.w_v = appender_take(this, "W_V");
    biases->b_v = appender_take_bias(this, "b_V");
    weights.w_o = appender_take(this, "W_O");
    biases->b_o = appender_take_bias(this, "b_O");
    return weights;
}

static FeedForwardWeights take_feed_forward(Appender *this) {
    FeedForwardWeights weights = {.activation = this->shape->activation};
    if (weights.activation == ACTIVATION_SWIGLU) {
        weights.w_1 = appender_take(this, "W_gate");
        weights.b_1 = appender_take_bias(this, "b_gate");
        weights.w_up = appender_take(this, "W_up");
        weights.b_up = appender_take_bias(this, "b_up");
        weights.w_2 = appender_take(this, "W_down");
        weights.b_2 = appender_take_bias(this, "b_down");
        return weights;
    }
    weights.w_1 = appender_take(this, "W_1");
    weights.b_1 = appender_take_bias(this, "b_1");
    weights.w_2 = appender_take(this, "W_2");
    weights.b_2 = appender_take_bias(this, "b_2");
    return weights;
}

static NormWeights take_norm(Appender *this) {
    NormWeights weights;
    weights.gamma = appender_take(this, "gamma");
    weights.beta = this->shape->rms ? TAPE_NONE : appender_take(this, "beta");
    return weights;
}

/* ---- towers ---- */

/* Inputs of a tower's layers beside x. */
typedef struct Masks {
    size_t own;       /* mask of the self-attentions, or TAPE_NONE */
    size_t memory;    /* mask of the cross-attentions, or TAPE_NONE */
    size_t positions; /* rotary positions of the self-attentions, or TAPE_NONE */
} Masks;

static bool append_layer(Appender *this, const TransformerTower *tower, size_t number,
                         Masks masks, size_t *x) {
    AttentionBiases biases[TRANSFORMER_MAX_SUBLAYERS];
    Sublayer sublayers[TRANSFORMER_MAX_SUBLAYERS];
    for (size_t i = 0; i < tower->sublayer_count; i++) {
        Sublayer *sublayer = &sublayers[i];
        *sublayer = (Sublayer){.kind = tower->sublayers[i]};
        if (sublayer->kind == SUBLAYER_FEED_FORWARD)
            sublayer->feed_forward = take_feed_forward(this);
        else
            sublayer->attention = take_attention(this, &biases[i]);
        if (sublayer->kind == SUBLAYER_SELF_ATTENTION)
            sublayer->attention.rotation = (AttentionRotation){
                this->shape->positions == TRANSFORMER_POSITIONS_ROTARY, masks.positions,
                this->shape->rotary_base};
        sublayer->mask =
            sublayer->kind == SUBLAYER_CROSS_ATTENTION ? masks.memory : masks.own;
        sublayer->norm = take_norm(this);
    }
    const Layer layer = {this->shape->heads, this->shape->pre_norm, this->shape->epsilon,
                         tower->sublayer_count, sublayers};
    const char *path = arena_format(this->arena, "%s.%zu", tower->name, number);
    TransformerPart part = {
        .tower = tower, .layer = number, .name = path, .first = tape_count(this->tape)};
    part.torch_name = arena_format(this->arena, "%s.layers.%zu", tower->name, number);
    if (!layers_append(this->tape, NULL, path, *x, this->model->memory, &layer, x,
                       this->error))
        return false;
    part.node = *x;
    appender_add_layer(this, part);
    return true;
}

/* A norm outside the layers, "encoder.norm". */
static bool append_tower_norm(Appender *this, const TransformerTower *tower,
                              const char *part, size_t *x) {
    Build build = {this->tape, NULL, tower->name, this->error};
    NormWeights weights = take_norm(this);
    size_t first = tape_count(this->tape);
    return build_norm(build, *x, weights.gamma, weights.beta, this->shape->epsilon, part,
                      x) &&
           appender_add_part(this, tower, TRANSFORMER_NORM,
                             tape_node(this->tape, *x)->name, first, *x);
}

static bool append_layers(Appender *this, const TransformerTower *tower, Masks masks,
                          size_t *x) {
    bool appended = true;
    tape_group_begin(this->tape, tower->name);
    for (size_t i = 0; appended && i < transformer_layers(this->shape, tower); i++)
        appended = append_layer(this, tower, i, masks, x);
    appended = appended &&
               (!this->shape->final_norm || append_tower_norm(this, tower, "norm", x));
    tape_group_end(this->tape);
    return appended;
}

/* The first rows of a learned table; for several texts the row of each token's
 * position. */
static bool append_learned(Appender *this, const TransformerTower *tower, size_t rows,
                           const char *name, size_t *at) {
    const OperationOptions cut = {.row_end = rows, .col_end = this->shape->d_model};
    size_t inputs[] = {appender_take(this, "table"), TAPE_NONE};
    if (!this->pack)
        return tape_append(this->tape, OPERATION_SLICE, inputs, 1, cut, name, at,
                           this->error);
    return tape_given(this->tape, "", this->pack->positions[tower->side], &inputs[1],
                      this->error) &&
           tape_append(this->tape, OPERATION_EMBED, inputs, 2, (OperationOptions){0},
                       name, at, this->error);
}

static bool append_position(Appender *this, const TransformerTower *tower, size_t rows,
                            size_t *at) {
    OperationOptions options = {.rows = rows, .cols = this->shape->d_model};
    char name[BUILD_NAME_SIZE];
    snprintf(name, sizeof name, "%s.position", tower->name);
    if (this->shape->positions == TRANSFORMER_POSITIONS_LEARNED)
        return append_learned(this, tower, rows, name, at);
    return this->pack ? tape_given(this->tape, name, this->pack->positions[tower->side],
                                   at, this->error)
                      : tape_append(this->tape, OPERATION_POSITIONAL_ENCODING, NULL, 0,
                                    options, name, at, this->error);
}

static bool check_positions(const Appender *this, const TransformerTower *tower,
                            size_t rows) {
    size_t positions = this->shape->context;
    if (this->pack || this->shape->positions != TRANSFORMER_POSITIONS_LEARNED ||
        rows <= positions)
        return true;
    return error_set(this->error, ERROR_VALUE, 0, 0,
                     "the %s reads %zu words, but has positions for %zu; 'context: %zu' "
                     "would do",
                     tower->name, rows, positions, rows);
}

/* Appends positions and their sum with the rows. */
static bool append_positions(Appender *this, const TransformerTower *tower, size_t rows,
                             size_t *x) {
    Build build = {this->tape, NULL, tower->name, this->error};
    size_t first = tape_count(this->tape), at;
    const Tensor *words = build_tensor(build, rows);
    if (!check_positions(this, tower, words->rows) ||
        !append_position(this, tower, words->rows, &at) ||
        !appender_add_part(this, tower, TRANSFORMER_POSITION, "", first, at))
        return false;
    tape_set_labels(this->tape, at, build_tensor(build, rows)->row_labels, NULL);
    first = tape_count(this->tape);
    return build_binary(build, OPERATION_ADD, rows, at, "input", x) &&
           appender_add_part(this, tower, TRANSFORMER_INPUT, "", first, *x);
}

/* Adds the first segment's row to every token, since a text is one segment. */
static bool append_segment(Appender *this, const TransformerTower *tower, size_t *x) {
    Build build = {this->tape, NULL, tower->name, this->error};
    const OperationOptions cut = {.row_end = 1, .col_end = this->shape->d_model};
    size_t table = appender_take(this, "table"), first = tape_count(this->tape), row;
    char name[BUILD_NAME_SIZE];
    snprintf(name, sizeof name, "%s.segment", tower->name);
    if (!tape_append(this->tape, OPERATION_SLICE, &table, 1, cut, name, &row,
                     this->error) ||
        !appender_add_part(this, tower, TRANSFORMER_SEGMENT, "", first, row))
        return false;
    first = tape_count(this->tape);
    return build_binary(build, OPERATION_ADD, *x, row, "with_segment", x) &&
           appender_add_part(this, tower, TRANSFORMER_WITH_SEGMENT, "", first, *x);
}

/* Appends the embedding's rows, scaled if the shape says so, and their positions. */
static bool append_input(Appender *this, const TransformerTower *tower, size_t ids,
                         size_t *x) {
    Build build = {this->tape, NULL, tower->name, this->error};
    size_t table = appender_take(this, "table"), first = tape_count(this->tape), rows,
           root;
    if (!build_binary(build, OPERATION_EMBED, table, ids, "embedding", &rows) ||
        !appender_add_part(this, tower, TRANSFORMER_EMBEDDING, "", first, rows))
        return false;
    first = tape_count(this->tape);
    if (this->shape->scale_embedding &&
        (!build_sqrt_constant(build, this->shape->d_model, &root) ||
         !build_binary(build, OPERATION_MULTIPLY, rows, root, "scaled", &rows) ||
         !appender_add_part(this, tower, TRANSFORMER_SCALED, "", first, rows)))
        return false;
    *x = rows;
    return (this->shape->positions == TRANSFORMER_POSITIONS_NONE ||
            this->shape->positions == TRANSFORMER_POSITIONS_ROTARY ||
            append_positions(this, tower, rows, x)) &&
           (!this->shape->segments || append_segment(this, tower, x)) &&
           (!this->shape->embedding_norm ||
            append_tower_norm(this, tower, "embedding_norm", x));
}

static bool has_padding(const Tensor *ids) {
    for (size_t i = 0; i < tensor_cells(ids); i++) {
        if (ids->values[i] == 0)
            return true;
    }
    return false;
}

static bool append_causal(Build build, size_t n, const char *part, size_t *node) {
    char name[BUILD_NAME_SIZE];
    snprintf(name, sizeof name, "%s.%s", build.path, part);
    return tape_append(build.tape, OPERATION_CAUSAL_MASK, NULL, 0,
                       (OperationOptions){.rows = n}, name, node, build.error);
}

/* Appends the tower's mask, "encoder.mask": padding, causal, or their sum. */
static bool append_mask(Appender *this, const TransformerTower *tower, size_t ids,
                        size_t *padding, size_t *mask) {
    Build build = {this->tape, NULL, tower->name, this->error};
    bool padded = !this->shape->unpadded && has_padding(build_tensor(build, ids));
    size_t n = tensor_cells(build_tensor(build, ids)), first = tape_count(this->tape);
    *padding = *mask = TAPE_NONE;
    bool causal = transformer_is_causal(this->shape, tower);
    if (!padded && !causal)
        return true;
    if (padded && !build_unary(build, OPERATION_PADDING_MASK, ids,
                               causal ? "padding" : "mask", padding))
        return false;
    *mask = *padding;
    if (causal && !append_causal(build, n, padded ? "causal" : "mask", mask))
        return false;
    if (causal && padded &&
        !build_binary(build, OPERATION_ADD, *mask, *padding, "mask", mask))
        return false;
    const Tensor *made = build_tensor(build, *mask);
    const char *const *words = build_tensor(build, ids)->col_labels;
    tape_set_labels(this->tape, *mask, made->rows == n ? words : NULL, words);
    return appender_add_part(this, tower, TRANSFORMER_MASK, "", first, *mask);
}

static bool append_ids(Appender *this, const TransformerTower *tower, Tensor ids,
                       size_t *node) {
    bool source = tower->side == TRANSFORMER_SOURCE;
    return tape_given(this->tape, source ? "source" : "target", ids, node, this->error) &&
           appender_add_part(this, tower, TRANSFORMER_IDS, "", tape_count(this->tape),
                             *node);
}

/* The masks of several texts, "encoder.mask"; the cross-attentions' is "memory.mask". */
static bool append_given_masks(Appender *this, const TransformerTower *tower,
                               size_t *memory_mask, size_t *mask) {
    char name[BUILD_NAME_SIZE];
    snprintf(name, sizeof name, "%s.mask", tower->name);
    return tape_given(this->tape, name, this->pack->masks[tower->side], mask,
                      this->error) &&
           (tower->side != TRANSFORMER_SOURCE ||
            tape_given(this->tape, "memory.mask", this->pack->memory_mask, memory_mask,
                       this->error));
}

/* `memory_mask` hides the source's padding; the encoder sets it. */
static bool append_tower(Appender *this, const TransformerTower *tower, Tensor given,
                         size_t *memory_mask, size_t *x) {
    size_t ids, padding;
    Masks masks = {.memory = *memory_mask, .positions = TAPE_NONE};
    if (!append_ids(this, tower, given, &ids) || !append_input(this, tower, ids, x))
        return false;
    if (this->pack && this->shape->positions == TRANSFORMER_POSITIONS_ROTARY &&
        !tape_given(this->tape, "", this->pack->positions[tower->side], &masks.positions,
                    this->error))
        return false;
    if (this->pack)
        return append_given_masks(this, tower, memory_mask, &masks.own) &&
               append_layers(this, tower, masks, x);
    if (!append_mask(this, tower, ids, &padding, &masks.own))
        return false;
    if (tower->side == TRANSFORMER_SOURCE)
        *memory_mask = padding;
    return append_layers(this, tower, masks, x);
}

/* Appends the encoder's output under the name that the decoder uses. */
static bool append_memory(Appender *this, size_t x) {
    this->model->memory = x;
    tape_rename(this->tape, x, "memory");
    return appender_add_part(this, NULL, TRANSFORMER_MEMORY, "", tape_count(this->tape),
                             x);
}

static bool append_towers(Appender *this, const TransformerInput *input) {
    const TransformerShape *shape = this->shape;
    const TransformerTower *tower;
    size_t memory_mask = TAPE_NONE, x = TAPE_NONE;
    for (size_t i = 0; (tower = transformer_tower(shape->kind, i)); i++) {
        Tensor ids = tower->side == TRANSFORMER_SOURCE ? input->source : input->target;
        if (!append_tower(this, tower, ids, &memory_mask, &x))
            return false;
        if (transformer_tower(shape->kind, i + 1) && !append_memory(this, x))
            return false;
    }
    return (shape->kind == TRANSFORMER_ENCODER || appender_append_output(this, x)) &&
           appender_append_loss(this, input);
}

/* Labels parameters that have a row or a column for each token of a vocabulary. */
static void label_parameters(Appender *this, const TransformerInput *input) {
    const TransformerTower *tower;
    const char *const *labels = input->target_words;
    if (labels)
        labels += this->shape->first_output;
    for (size_t i = 0; i < this->model->parameter_count; i++) {
        const TransformerParameter *parameter = &this->model->parameters[i];
        bool is_vocabulary =
            parameter->is_table && strstr(parameter->name, ".embedding.");
        if (strncmp(parameter->name, "logits.", 7) == 0)
            tape_set_labels(this->tape, parameter->node, NULL, labels);
        for (size_t j = 0;
             is_vocabulary && (tower = transformer_tower(this->shape->kind, j)); j++) {
            if (strncmp(parameter->name, tower->name, strlen(tower->name)) == 0)
                tape_set_labels(this->tape, parameter->node,
                                tower->side == TRANSFORMER_SOURCE ? input->source_words
                                                                  : input->target_words,
                                NULL);
        }
    }
}

bool transformer_append_parameters(Tape *tape, Arena *arena,
                                   const TransformerShape *shape,
                                   TransformerWeights weights, Transformer *model,
                                   Error *error) {
    Appender this = {
        .tape = tape, .arena = arena, .shape = shape, .model = model, .error = error};
    *model = (Transformer){.shape = *shape,
                           .memory = TAPE_NONE,
                           .logits = TAPE_NONE,
                           .probabilities = TAPE_NONE,
                           .expected = TAPE_NONE,
                           .losses = TAPE_NONE,
                           .loss = TAPE_NONE};
    return transformer_check(shape, NULL, error) && append_parameters(&this, weights);
}

bool transformer_append_input(Tape *tape, Arena *arena, const TransformerInput *input,
                              Transformer *model, Error *error) {
    Appender this = {.tape = tape,
                     .arena = arena,
                     .shape = &model->shape,
                     .model = model,
                     .pack = input->pack,
                     .error = error};
    this.parts =
        arena_alloc(arena, appender_parts_most(&model->shape), sizeof *this.parts);
    model->parts = this.parts;
    model->part_count = 0;
    label_parameters(&this, input);
    return append_towers(&this, input);
}

bool transformer_append(Tape *tape, Arena *arena, const TransformerShape *shape,
                        const TransformerInput *input, TransformerWeights weights,
                        Transformer *model, Error *error) {
    return transformer_append_parameters(tape, arena, shape, weights, model, error) &&
           transformer_append_input(tape, arena, input, model, error);
}
