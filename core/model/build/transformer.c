#include "model/build/transformer.h"

#include "base/error.h"
#include "model/build/appender.h"

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

static size_t append_layer(Appender *this, const TransformerTower *tower, size_t number,
                           Masks masks, size_t x) {
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
    if (!layers_append(this->tape, NULL, path, x, this->model->memory, &layer, &part.node,
                       this->error))
        return TAPE_NONE;
    appender_add_layer(this, part);
    return part.node;
}

/* A norm outside the layers, "encoder.norm". */
static size_t append_tower_norm(Appender *this, const TransformerTower *tower,
                                const char *part, size_t x) {
    NormWeights weights = take_norm(this);
    size_t first = tape_count(this->tape);
    size_t node = build_norm(appender_build(this, tower->name), x, weights.gamma,
                             weights.beta, this->shape->epsilon, part);
    const char *name = node == TAPE_NONE ? "" : tape_node(this->tape, node)->name;
    return appender_add_part(this, tower, TRANSFORMER_NORM, name, first, node);
}

static size_t append_layers(Appender *this, const TransformerTower *tower, Masks masks,
                            size_t x) {
    tape_group_begin(this->tape, tower->name);
    for (size_t i = 0; x != TAPE_NONE && i < transformer_layers(this->shape, tower); i++)
        x = append_layer(this, tower, i, masks, x);
    if (x != TAPE_NONE && this->shape->final_norm)
        x = append_tower_norm(this, tower, "norm", x);
    tape_group_end(this->tape);
    return x;
}

/* Positions of `rows` tokens; learned ones are the first rows of a table, or for several
 * texts the row of each token's position. */
static size_t append_position(Appender *this, const TransformerTower *tower,
                              size_t rows) {
    Build build = appender_build(this, tower->name);
    const TransformerPack *pack = this->pack;
    if (this->shape->positions == TRANSFORMER_POSITIONS_LEARNED) {
        size_t table = appender_take(this, "table");
        return pack ? build_binary(build, OPERATION_EMBED, table,
                                   build_given(build, "", pack->positions[tower->side]),
                                   "position")
                    : build_rows(build, table, 0, rows, "position");
    }
    const char *name = arena_format(this->arena, "%s.position", tower->name);
    return pack ? build_given(build, name, pack->positions[tower->side])
                : build_append(
                      build, OPERATION_POSITIONAL_ENCODING, NULL, 0,
                      (OperationOptions){.rows = rows, .cols = this->shape->d_model},
                      "position");
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

/* Appends positions and their sum with the rows x. */
static size_t append_positions(Appender *this, const TransformerTower *tower, size_t x) {
    Build build = appender_build(this, tower->name);
    const Tensor *words = build_tensor(build, x);
    size_t first = tape_count(this->tape);
    if (!check_positions(this, tower, words->rows))
        return TAPE_NONE;
    size_t at = appender_add_part(this, tower, TRANSFORMER_POSITION, "", first,
                                  append_position(this, tower, words->rows));
    if (at == TAPE_NONE)
        return at;
    tape_set_labels(this->tape, at, words->row_labels, NULL);
    first = tape_count(this->tape);
    return appender_add_part(this, tower, TRANSFORMER_INPUT, "", first,
                             build_binary(build, OPERATION_ADD, x, at, "input"));
}

/* Adds the first segment's row to every token, since a text is one segment. */
static size_t append_segment(Appender *this, const TransformerTower *tower, size_t x) {
    Build build = appender_build(this, tower->name);
    size_t table = appender_take(this, "table"), first = tape_count(this->tape);
    size_t row = appender_add_part(this, tower, TRANSFORMER_SEGMENT, "", first,
                                   build_rows(build, table, 0, 1, "segment"));
    first = tape_count(this->tape);
    return appender_add_part(this, tower, TRANSFORMER_WITH_SEGMENT, "", first,
                             build_binary(build, OPERATION_ADD, x, row, "with_segment"));
}

/* Appends the embedding's rows, scaled if the shape says so, and their positions. */
static size_t append_input(Appender *this, const TransformerTower *tower, size_t ids) {
    Build build = appender_build(this, tower->name);
    size_t table = appender_take(this, "table"), first = tape_count(this->tape);
    size_t x =
        appender_add_part(this, tower, TRANSFORMER_EMBEDDING, "", first,
                          build_binary(build, OPERATION_EMBED, table, ids, "embedding"));
    if (this->shape->scale_embedding) {
        first = tape_count(this->tape);
        size_t root = build_sqrt_constant(build, this->shape->d_model);
        x = appender_add_part(this, tower, TRANSFORMER_SCALED, "", first,
                              build_binary(build, OPERATION_MULTIPLY, x, root, "scaled"));
    }
    if (x != TAPE_NONE && this->shape->positions != TRANSFORMER_POSITIONS_NONE &&
        this->shape->positions != TRANSFORMER_POSITIONS_ROTARY)
        x = append_positions(this, tower, x);
    if (this->shape->segments)
        x = append_segment(this, tower, x);
    return this->shape->embedding_norm
               ? append_tower_norm(this, tower, "embedding_norm", x)
               : x;
}

static bool is_padding(double id) {
    return id == 0;
}

/* Appends the tower's mask, "encoder.mask", to *mask: padding, causal, or their sum;
 * TAPE_NONE if there is neither. */
static bool append_mask(Appender *this, const TransformerTower *tower, size_t ids,
                        size_t *padding, size_t *mask) {
    Build build = appender_build(this, tower->name);
    const Tensor *words = build_tensor(build, ids);
    bool padded = !this->shape->unpadded && tensor_has(words, is_padding);
    bool causal = transformer_is_causal(this->shape, tower);
    size_t n = tensor_cells(words), first = tape_count(this->tape);
    *padding = *mask = TAPE_NONE;
    if (!padded && !causal)
        return true;
    if (padded)
        *mask = *padding =
            build_unary(build, OPERATION_PADDING_MASK, ids, causal ? "padding" : "mask");
    if (causal)
        *mask = build_append(build, OPERATION_CAUSAL_MASK, NULL, 0,
                             (OperationOptions){.rows = n}, padded ? "causal" : "mask");
    if (causal && padded)
        *mask = build_binary(build, OPERATION_ADD, *mask, *padding, "mask");
    if (appender_add_part(this, tower, TRANSFORMER_MASK, "", first, *mask) == TAPE_NONE)
        return false;
    tape_set_labels(this->tape, *mask,
                    build_tensor(build, *mask)->rows == n ? words->col_labels : NULL,
                    words->col_labels);
    return true;
}

/* The masks of several texts, "encoder.mask"; the cross-attentions' is "memory.mask". */
static bool append_given_masks(Appender *this, const TransformerTower *tower,
                               size_t *memory_mask, Masks *masks) {
    const TransformerPack *pack = this->pack;
    Build build = appender_build(this, tower->name);
    if (this->shape->positions == TRANSFORMER_POSITIONS_ROTARY)
        masks->positions = build_given(build, "", pack->positions[tower->side]);
    masks->own = build_given(build, arena_format(this->arena, "%s.mask", tower->name),
                             pack->masks[tower->side]);
    if (tower->side == TRANSFORMER_SOURCE)
        *memory_mask = build_given(build, "memory.mask", pack->memory_mask);
    return masks->own != TAPE_NONE;
}

/* `memory_mask` hides the source's padding; the encoder sets it. */
static size_t append_tower(Appender *this, const TransformerTower *tower, Tensor given,
                           size_t *memory_mask) {
    Build build = appender_build(this, tower->name);
    bool source = tower->side == TRANSFORMER_SOURCE;
    size_t padding = TAPE_NONE;
    Masks masks = {.memory = *memory_mask, .positions = TAPE_NONE};
    size_t ids = build_given(build, source ? "source" : "target", given);
    appender_add_part(this, tower, TRANSFORMER_IDS, "", tape_count(this->tape), ids);
    size_t x = append_input(this, tower, ids);
    if (x == TAPE_NONE ||
        !(this->pack ? append_given_masks(this, tower, memory_mask, &masks)
                     : append_mask(this, tower, ids, &padding, &masks.own)))
        return TAPE_NONE;
    if (source && !this->pack)
        *memory_mask = padding;
    return append_layers(this, tower, masks, x);
}

/* ---- behind the towers: logits, probabilities and loss ---- */

/* The decoder's embedding table. */
static size_t table_of_target(const Transformer *model) {
    for (size_t i = 0; i < model->parameter_count; i++) {
        if (strcmp(model->parameters[i].name, "decoder.embedding.table") == 0)
            return model->parameters[i].node;
    }
    return TAPE_NONE;
}

/* The table's rows of tokens that can be generated, as columns; neither node has a
 * step. */
static size_t append_tied(Appender *this) {
    Build build = appender_build(this, "logits");
    size_t table = table_of_target(this->model), first = this->shape->first_output;
    if (first)
        table =
            build_quiet(build, build_rows(build, table, first,
                                          build_tensor(build, table)->rows - first, "E"));
    return build_transpose(build, table);
}

static bool append_output(Appender *this, size_t x) {
    Build build = appender_build(this, "");
    Transformer *model = this->model;
    double temperature = this->shape->temperature;
    size_t first = tape_count(this->tape), b = TAPE_NONE, w;
    if (this->shape->tied) {
        w = append_tied(this);
    } else {
        w = appender_take(this, "W");
        b = appender_take_bias(this, "b");
    }
    model->logits = appender_add_part(this, NULL, TRANSFORMER_LOGITS, "generator", first,
                                      build_linear(build, x, w, b, "logits", "logits"));
    first = tape_count(this->tape);
    size_t scores = model->logits;
    if (temperature > 0) {
        char name[BUILD_NAME_SIZE];
        snprintf(name, sizeof name, "%g", temperature);
        scores = build_binary(build, OPERATION_DIVIDE, scores,
                              build_constant(build, name, temperature), "logits_scaled");
    }
    model->probabilities =
        appender_add_part(this, NULL, TRANSFORMER_PROBABILITIES, "", first,
                          build_unary(build, OPERATION_SOFTMAX, scores, "probabilities"));
    return model->probabilities != TAPE_NONE;
}

/* Reports whether a target is a token rather than padding. */
static bool counts(const Appender *this, double id) {
    return id != 0 || this->shape->unpadded;
}

/* Appends the logits' columns of the targets, without a step; negative for padding. */
static size_t append_columns(Appender *this) {
    Build build = appender_build(this, "expected");
    size_t first = this->shape->first_output, expected = this->model->expected;
    if (first)
        return build_quiet(build, build_binary(build, OPERATION_SUBTRACT, expected,
                                               build_constant(build, "", (double)first),
                                               "columns"));
    Tensor columns = *build_tensor(build, expected);
    const double *ids = columns.values;
    columns.row_labels = columns.col_labels = NULL;
    columns.values = arena_alloc(this->arena, tensor_cells(&columns), sizeof(double));
    for (size_t i = 0; i < tensor_cells(&columns); i++)
        columns.values[i] = counts(this, ids[i]) ? ids[i] : -1;
    return build_quiet(build, build_given(build, "expected.columns", columns));
}

/* Appends the mean of the losses of `counted` tokens; the others' are 0. */
static size_t append_mean_loss(Appender *this, size_t counted) {
    Build build = appender_build(this, "");
    size_t losses = this->model->losses, row = build_transpose(build, losses);
    if (counted == build_tensor(build, losses)->rows)
        return build_unary(build, OPERATION_MEAN, row, "loss");
    size_t sum = build_unary(build, OPERATION_SUM, row, "loss.sum");
    return build_binary(build, OPERATION_DIVIDE, sum,
                        build_constant(build, "", (double)counted), "loss");
}

static bool check_expected(const Appender *this, const TransformerInput *input,
                           size_t *counted) {
    const Tensor *expected = &input->expected;
    size_t words = this->shape->target_vocabulary, first = this->shape->first_output;
    if (this->shape->kind == TRANSFORMER_ENCODER)
        return error_set(this->error, ERROR_VALUE, 0, 0,
                         "kind encoder generates no tokens, so none can be expected");
    if (tensor_cells(expected) != tensor_cells(&input->target))
        return error_set(this->error, ERROR_SHAPE, 0, 0,
                         "the decoder reads %zu tokens, but %zu are expected; one must "
                         "be expected for each that is read",
                         tensor_cells(&input->target), tensor_cells(expected));
    for (size_t i = 0; i < tensor_cells(expected); i++) {
        double id = expected->values[i];
        if (counts(this, id) && !(id >= (double)first && id < (double)words))
            return error_set(
                this->error, ERROR_VALUE, 0, 0,
                "ID %g is expected, but the model generates IDs from %zu to %zu", id,
                first, words - 1);
        *counted += counts(this, id);
    }
    return *counted || error_set(this->error, ERROR_VALUE, 0, 0,
                                 "nothing is expected but padding; there must be a word "
                                 "that counts");
}

static bool append_loss(Appender *this, const TransformerInput *input) {
    Build build = appender_build(this, "");
    Transformer *model = this->model;
    size_t counted = 0, first = 0, columns;
    if (!this->pack && !tensor_cells(&input->expected))
        return true;
    if (this->pack) {
        columns = build_given(build, "expected.columns", this->pack->columns);
    } else {
        if (!check_expected(this, input, &counted))
            return false;
        model->expected = build_given(build, "expected", input->expected);
        first = tape_count(this->tape);
        if (appender_add_part(this, NULL, TRANSFORMER_EXPECTED, "", first,
                              model->expected) == TAPE_NONE)
            return false;
        columns = append_columns(this);
    }
    model->losses =
        build_binary(build, OPERATION_CROSS_ENTROPY, model->logits, columns, "losses");
    if (this->pack || model->losses == TAPE_NONE)
        return model->losses != TAPE_NONE;
    appender_add_part(this, NULL, TRANSFORMER_LOSSES, "", first, model->losses);
    first = tape_count(this->tape);
    model->loss = appender_add_part(this, NULL, TRANSFORMER_LOSS, "", first,
                                    append_mean_loss(this, counted));
    return model->loss != TAPE_NONE;
}

/* ---- the model ---- */

static bool append_towers(Appender *this, const TransformerInput *input) {
    const TransformerShape *shape = this->shape;
    const TransformerTower *tower;
    size_t memory_mask = TAPE_NONE, x = TAPE_NONE;
    for (size_t i = 0; (tower = transformer_tower(shape->kind, i)); i++) {
        Tensor ids = tower->side == TRANSFORMER_SOURCE ? input->source : input->target;
        x = append_tower(this, tower, ids, &memory_mask);
        if (x == TAPE_NONE)
            return false;
        if (transformer_tower(shape->kind, i + 1)) {
            this->model->memory = x;
            tape_rename(this->tape, x, "memory"); /* the decoder's name for it */
            appender_add_part(this, NULL, TRANSFORMER_MEMORY, "", tape_count(this->tape),
                              x);
        }
    }
    return (shape->kind == TRANSFORMER_ENCODER || append_output(this, x)) &&
           append_loss(this, input);
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

bool transformer_share_parameters(const Tape *from, Tape *to, Arena *arena,
                                  Transformer *model, Error *error) {
    TransformerParameter *own = arena_alloc(arena, model->parameter_count, sizeof *own);
    for (size_t i = 0; i < model->parameter_count; i++) {
        own[i] = model->parameters[i];
        if (!tape_given(to, own[i].name, tape_node(from, own[i].node)->output,
                        &own[i].node, error))
            return false;
    }
    model->parameters = own;
    return true;
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
