#include "model/transformer.h"

#include "model/build.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* A model being appended. Parameters lie on the tape in the order in which the towers'
 * table asks for them, so they are taken one by one. */
typedef struct Appender {
    Tape *tape;
    Arena *arena;
    const TransformerShape *shape;
    Transformer *model;
    TransformerPart *parts;
    size_t taken; /* parameters used so far */
    Error *error;
} Appender;

static bool no_memory(Error *error) {
    return error_set(error, ERROR_MEMORY, 0, 0,
                     "the model needs more than the 1 GiB of memory that a lesson may "
                     "use; take a smaller d_model or d_ff, or fewer layers");
}

/* ---- parameters ---- */

static bool append_parameter(Appender *this, TransformerParameter *parameter,
                             TransformerWeights weights) {
    Tensor tensor = {.rows = parameter->rows, .cols = parameter->cols};
    tensor.values =
        arena_alloc(this->arena, tensor.rows, tensor.cols * sizeof *tensor.values);
    if (!tensor.values)
        return no_memory(this->error);
    return weights.fill(weights.context, parameter, tensor.values, this->error) &&
           tape_given(this->tape, parameter->name, tensor, &parameter->node, this->error);
}

static bool append_parameters(Appender *this, TransformerWeights weights) {
    size_t count = 0;
    TransformerParameter *parameters =
        transformer_parameters(this->arena, this->shape, &count);
    if (!parameters)
        return no_memory(this->error);
    this->model->parameters = parameters;
    this->model->parameter_count = count;
    for (size_t i = 0; i < count; i++) {
        if (!append_parameter(this, &parameters[i], weights))
            return false;
    }
    return true;
}

/* The node of the next parameter, whose name ends in `name`. */
static size_t take(Appender *this, const char *name) {
    assert(this->taken < this->model->parameter_count);
    const TransformerParameter *parameter = &this->model->parameters[this->taken++];
    assert(strcmp(strrchr(parameter->name, '.') + 1, name) == 0);
    (void)name;
    return parameter->node;
}

static size_t take_bias(Appender *this, const char *name) {
    return this->shape->biases ? take(this, name) : TAPE_NONE;
}

static AttentionWeights take_attention(Appender *this, AttentionBiases *biases) {
    AttentionWeights weights = {.biases = this->shape->biases ? biases : NULL};
    weights.w_q = take(this, "W_Q");
    biases->b_q = take_bias(this, "b_Q");
    weights.w_k = take(this, "W_K");
    biases->b_k = take_bias(this, "b_K");
    weights.w_v = take(this, "W_V");
    biases->b_v = take_bias(this, "b_V");
    weights.w_o = take(this, "W_O");
    biases->b_o = take_bias(this, "b_O");
    return weights;
}

static FeedForwardWeights take_feed_forward(Appender *this) {
    FeedForwardWeights weights;
    weights.w_1 = take(this, "W_1");
    weights.b_1 = take_bias(this, "b_1");
    weights.w_2 = take(this, "W_2");
    weights.b_2 = take_bias(this, "b_2");
    return weights;
}

static NormWeights take_norm(Appender *this) {
    NormWeights weights;
    weights.gamma = take(this, "gamma");
    weights.beta = take(this, "beta");
    return weights;
}

/* ---- parts ---- */

/* How many parts a model has at most: a layer has itself and three for each sublayer. */
static size_t parts_most(const TransformerShape *shape) {
    const TransformerTower *tower;
    size_t count = 6;
    for (size_t i = 0; (tower = transformer_tower(shape->kind, i)); i++)
        count += 8 + transformer_layers(shape, tower) * (1 + 3 * tower->sublayer_count);
    return count;
}

/* Adds a part whose nodes end with the tape's last; `first` is the first of them. */
static TransformerPart *add_part(Appender *this, TransformerPart part) {
    part.count = tape_count(this->tape) - part.first;
    if (!part.torch_name)
        part.torch_name = "";
    if (!part.name)
        no_memory(this->error);
    this->parts[this->model->part_count] = part;
    return part.name ? &this->parts[this->model->part_count++] : NULL;
}

/* A part outside the layers; memory and what follows belong to no tower. */
static bool add_outer_part(Appender *this, const TransformerTower *tower,
                           TransformerPartKind kind, const char *torch_name, size_t first,
                           size_t node) {
    return add_part(this, (TransformerPart){.kind = kind,
                                            .tower = tower,
                                            .layer = TRANSFORMER_NONE,
                                            .parent = TRANSFORMER_NONE,
                                            .name = tape_node(this->tape, node)->name,
                                            .torch_name = torch_name,
                                            .first = first,
                                            .node = node,
                                            .group = TAPE_NONE}) != NULL;
}

/* A part within a layer that is one node, "PATH.norm_1". */
static bool add_inner_node(Appender *this, TransformerPart part, const char *what,
                           size_t number) {
    part.name = arena_format(this->arena, "%s.%s_%zu", part.name, what, number);
    part.torch_name =
        part.kind == TRANSFORMER_NORM
            ? arena_format(this->arena, "%s.norm%zu", part.torch_name, number)
            : "";
    part.node = part.name ? tape_find(this->tape, part.name) : TAPE_NONE;
    part.first = part.node;
    TransformerPart *added = part.torch_name ? add_part(this, part) : NULL;
    if (!added)
        return no_memory(this->error);
    added->count = 1;
    return true;
}

static size_t find_group(const Tape *tape, const char *name) {
    for (size_t i = tape_group_count(tape); i > 0; i--) {
        if (strcmp(tape_group(tape, i - 1)->name, name) == 0)
            return i - 1;
    }
    return TAPE_NONE;
}

static bool add_sublayer(Appender *this, TransformerPart part) {
    const char *torch = sublayer_torch_name(part.sublayer);
    part.name =
        arena_format(this->arena, "%s.%s", part.name, sublayer_name(part.sublayer));
    part.torch_name =
        torch[0] ? arena_format(this->arena, "%s.%s", part.torch_name, torch) : "";
    part.group = part.name ? find_group(this->tape, part.name) : TAPE_NONE;
    TransformerPart *added = part.torch_name ? add_part(this, part) : NULL;
    if (!added)
        return no_memory(this->error);
    const TapeGroup *group = tape_group(this->tape, part.group);
    added->first = group->first;
    added->count = group->count;
    added->node = group->first + group->count - 1;
    return true;
}

/* A layer's part, and one for each sublayer, sum and norm, in the order of computation.
 */
static bool add_layer_parts(Appender *this, TransformerPart layer) {
    layer.group = layer.name ? find_group(this->tape, layer.name) : TAPE_NONE;
    layer.kind = TRANSFORMER_LAYER;
    layer.parent = TRANSFORMER_NONE;
    if (!layer.torch_name || !add_part(this, layer))
        return no_memory(this->error);
    TransformerPart part = layer;
    part.parent = this->model->part_count - 1;
    part.group = TAPE_NONE;
    for (size_t i = 0; i < layer.tower->sublayer_count; i++) {
        part.sublayer = layer.tower->sublayers[i];
        TransformerPart sublayer = part, sum = part, norm = part;
        sublayer.kind = TRANSFORMER_SUBLAYER;
        sum.kind = TRANSFORMER_RESIDUAL;
        norm.kind = TRANSFORMER_NORM;
        bool pre = this->shape->pre_norm;
        if ((pre && !add_inner_node(this, norm, "norm", i + 1)) ||
            !add_sublayer(this, sublayer) ||
            !add_inner_node(this, sum, "residual", i + 1) ||
            (!pre && !add_inner_node(this, norm, "norm", i + 1)))
            return false;
    }
    return true;
}

/* ---- towers ---- */

/* What a tower's layers read beside their input. */
typedef struct Masks {
    size_t own;    /* of the self-attentions, or TAPE_NONE */
    size_t memory; /* of the cross-attentions, or TAPE_NONE */
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
    if (!path || !part.torch_name)
        return no_memory(this->error);
    if (!layers_append(this->tape, NULL, path, *x, this->model->memory, &layer, x,
                       this->error))
        return false;
    part.node = *x;
    return add_layer_parts(this, part);
}

static bool append_final_norm(Appender *this, const TransformerTower *tower, size_t *x) {
    Build build = {this->tape, NULL, tower->name, this->error};
    NormWeights weights = take_norm(this);
    size_t first = tape_count(this->tape);
    return build_layer_norm(build, *x, weights.gamma, weights.beta, this->shape->epsilon,
                            "norm", x) &&
           add_outer_part(this, tower, TRANSFORMER_NORM, tape_node(this->tape, *x)->name,
                          first, *x);
}

static bool append_layers(Appender *this, const TransformerTower *tower, Masks masks,
                          size_t *x) {
    bool appended = true;
    if (!tape_group_begin(this->tape, tower->name, this->error))
        return false;
    for (size_t i = 0; appended && i < transformer_layers(this->shape, tower); i++)
        appended = append_layer(this, tower, i, masks, x);
    appended =
        appended && (!this->shape->final_norm || append_final_norm(this, tower, x));
    tape_group_end(this->tape);
    return appended;
}

/* Rows of the table, scaled where asked for, plus positions. */
static bool append_input(Appender *this, const TransformerTower *tower, size_t ids,
                         size_t *x) {
    Build build = {this->tape, NULL, tower->name, this->error};
    size_t table = take(this, "table"), first = tape_count(this->tape), rows, root, at;
    if (!build_binary(build, OPERATION_EMBED, table, ids, "embedding", &rows) ||
        !add_outer_part(this, tower, TRANSFORMER_EMBEDDING, "", first, rows))
        return false;
    first = tape_count(this->tape);
    if (this->shape->scale_embedding &&
        (!build_sqrt_constant(build, this->shape->d_model, &root) ||
         !build_binary(build, OPERATION_MULTIPLY, rows, root, "scaled", &rows) ||
         !add_outer_part(this, tower, TRANSFORMER_SCALED, "", first, rows)))
        return false;
    first = tape_count(this->tape);
    char name[BUILD_NAME_SIZE];
    snprintf(name, sizeof name, "%s.position", tower->name);
    OperationOptions options = {.rows = build_tensor(build, rows)->rows,
                                .cols = this->shape->d_model};
    if (!tape_append(this->tape, OPERATION_POSITIONAL_ENCODING, NULL, 0, options, name,
                     &at, this->error) ||
        !add_outer_part(this, tower, TRANSFORMER_POSITION, "", first, at))
        return false;
    tape_set_labels(this->tape, at, build_tensor(build, rows)->row_labels, NULL);
    first = tape_count(this->tape);
    return build_binary(build, OPERATION_ADD, rows, at, "input", x) &&
           add_outer_part(this, tower, TRANSFORMER_INPUT, "", first, *x);
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
                       (OperationOptions){.rows = n, .cols = n}, name, node, build.error);
}

/* The tower's own mask, "encoder.mask": padding, the future, or both added up. */
static bool append_mask(Appender *this, const TransformerTower *tower, size_t ids,
                        size_t *padding, size_t *mask) {
    Build build = {this->tape, NULL, tower->name, this->error};
    bool padded = has_padding(build_tensor(build, ids));
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
    return add_outer_part(this, tower, TRANSFORMER_MASK, "", first, *mask);
}

static bool append_ids(Appender *this, const TransformerTower *tower, Tensor ids,
                       size_t *node) {
    bool source = tower->side == TRANSFORMER_SOURCE;
    return tape_given(this->tape, source ? "source" : "target", ids, node, this->error) &&
           add_outer_part(this, tower, TRANSFORMER_IDS, "", tape_count(this->tape),
                          *node);
}

/* `memory_mask` is what hides the source's padding; the source's tower sets it. */
static bool append_tower(Appender *this, const TransformerTower *tower, Tensor given,
                         size_t *memory_mask, size_t *x) {
    size_t ids, padding;
    Masks masks = {.memory = *memory_mask};
    if (!append_ids(this, tower, given, &ids) || !append_input(this, tower, ids, x) ||
        !append_mask(this, tower, ids, &padding, &masks.own))
        return false;
    if (tower->side == TRANSFORMER_SOURCE)
        *memory_mask = padding;
    return append_layers(this, tower, masks, x);
}

/* ---- the ends ---- */

/* Scores divided by the temperature, where there is one. */
static bool append_temperature(Appender *this, size_t *scores) {
    Build build = {this->tape, NULL, "", this->error};
    double temperature = this->shape->temperature;
    size_t constant;
    char name[BUILD_NAME_SIZE];
    if (!(temperature > 0))
        return true;
    snprintf(name, sizeof name, "%g", temperature);
    if (!tape_constant(this->tape, name, temperature, &constant, this->error))
        return false;
    tape_set_quiet(this->tape, constant);
    return build_binary(build, OPERATION_DIVIDE, *scores, constant, "logits_scaled",
                        scores);
}

static bool append_output(Appender *this, size_t x) {
    Build build = {this->tape, NULL, "", this->error};
    Transformer *model = this->model;
    size_t w = take(this, "W"), b = take_bias(this, "b");
    size_t first = tape_count(this->tape);
    if (!build_linear(build, x, w, b, "logits", "logits", &model->logits) ||
        !add_outer_part(this, NULL, TRANSFORMER_LOGITS, "generator", first,
                        model->logits))
        return false;
    first = tape_count(this->tape);
    size_t scores = model->logits;
    return append_temperature(this, &scores) &&
           build_unary(build, OPERATION_SOFTMAX, scores, "probabilities",
                       &model->probabilities) &&
           add_outer_part(this, NULL, TRANSFORMER_PROBABILITIES, "", first,
                          model->probabilities);
}

static bool append_expected(Appender *this, Tensor expected) {
    Transformer *model = this->model;
    return tape_given(this->tape, "expected", expected, &model->expected, this->error) &&
           add_outer_part(this, NULL, TRANSFORMER_EXPECTED, "", tape_count(this->tape),
                          model->expected);
}

/* The columns of the logits that the expected IDs have, as no step of its own; negative
 * for padding. */
static bool append_columns(Appender *this, size_t *columns) {
    Build build = {this->tape, NULL, "expected", this->error};
    size_t first = this->shape->first_output;
    const Tensor *expected = build_tensor(build, this->model->expected);
    if (first) {
        size_t constant;
        if (!tape_constant(this->tape, "", (double)first, &constant, this->error))
            return false;
        tape_set_quiet(this->tape, constant);
        if (!build_binary(build, OPERATION_SUBTRACT, this->model->expected, constant,
                          "columns", columns))
            return false;
    } else {
        Tensor copy = {.rows = expected->rows, .cols = expected->cols};
        copy.values = arena_alloc(this->arena, tensor_cells(&copy), sizeof(double));
        if (!copy.values)
            return no_memory(this->error);
        for (size_t i = 0; i < tensor_cells(&copy); i++)
            copy.values[i] = expected->values[i] != 0 ? expected->values[i] : -1;
        if (!tape_given(this->tape, "expected.columns", copy, columns, this->error))
            return false;
    }
    tape_set_quiet(this->tape, *columns);
    return true;
}

/* The mean of the losses of `counted` words; the others' are 0. */
static bool append_mean_loss(Appender *this, size_t counted) {
    Build build = {this->tape, NULL, "", this->error};
    Transformer *model = this->model;
    size_t first = tape_count(this->tape), row, sum, count;
    if (!build_transpose(build, model->losses, &row))
        return false;
    if (counted == build_tensor(build, model->losses)->rows)
        return build_unary(build, OPERATION_MEAN, row, "loss", &model->loss) &&
               add_outer_part(this, NULL, TRANSFORMER_LOSS, "", first, model->loss);
    if (!build_unary(build, OPERATION_SUM, row, "loss.sum", &sum) ||
        !tape_constant(this->tape, "", (double)counted, &count, this->error))
        return false;
    tape_set_quiet(this->tape, count);
    return build_binary(build, OPERATION_DIVIDE, sum, count, "loss", &model->loss) &&
           add_outer_part(this, NULL, TRANSFORMER_LOSS, "", first, model->loss);
}

static bool check_expected(const Appender *this, const TransformerInput *input,
                           size_t *counted) {
    const Tensor *expected = &input->expected;
    size_t words = this->shape->target_vocabulary, first = this->shape->first_output;
    if (this->shape->kind == TRANSFORMER_ENCODER)
        return error_set(this->error, ERROR_VALUE, 0, 0,
                         "kind encoder says no words, so that none can be expected");
    if (tensor_cells(expected) != tensor_cells(&input->target))
        return error_set(this->error, ERROR_SHAPE, 0, 0,
                         "the decoder reads %zu words and is expected to say %zu; there "
                         "must be one to say for each that is read",
                         tensor_cells(&input->target), tensor_cells(expected));
    for (size_t i = 0; i < tensor_cells(expected); i++) {
        double id = expected->values[i];
        if (id != 0 && !(id >= (double)first && id < (double)words))
            return error_set(this->error, ERROR_VALUE, 0, 0,
                             "ID %g is expected, but the model says IDs from %zu to %zu",
                             id, first, words - 1);
        *counted += id != 0;
    }
    return *counted || error_set(this->error, ERROR_VALUE, 0, 0,
                                 "nothing is expected but padding; there must be a word "
                                 "that counts");
}

static bool append_loss(Appender *this, const TransformerInput *input) {
    Build build = {this->tape, NULL, "", this->error};
    Transformer *model = this->model;
    size_t counted = 0, columns;
    if (!tensor_cells(&input->expected))
        return true;
    if (!check_expected(this, input, &counted) || !append_expected(this, input->expected))
        return false;
    size_t first = tape_count(this->tape);
    return append_columns(this, &columns) &&
           build_binary(build, OPERATION_CROSS_ENTROPY, model->logits, columns, "losses",
                        &model->losses) &&
           add_outer_part(this, NULL, TRANSFORMER_LOSSES, "", first, model->losses) &&
           append_mean_loss(this, counted);
}

/* The encoder's result, under the name by which the decoder reads it. */
static bool append_memory(Appender *this, size_t x) {
    this->model->memory = x;
    tape_rename(this->tape, x, "memory");
    return add_outer_part(this, NULL, TRANSFORMER_MEMORY, "", tape_count(this->tape), x);
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
    return (shape->kind == TRANSFORMER_ENCODER || append_output(this, x)) &&
           append_loss(this, input);
}

/* The words of the vocabularies, as labels of what has a row or a column for each. */
static void label_parameters(Appender *this, const TransformerInput *input) {
    const TransformerTower *tower;
    const char *const *said = input->target_words;
    if (said)
        said += this->shape->first_output;
    for (size_t i = 0; i < this->model->parameter_count; i++) {
        const TransformerParameter *parameter = &this->model->parameters[i];
        if (strncmp(parameter->name, "logits.", 7) == 0)
            tape_set_labels(this->tape, parameter->node, NULL, said);
        for (size_t j = 0;
             parameter->is_table && (tower = transformer_tower(this->shape->kind, j));
             j++) {
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
    Appender this = {tape, arena, shape, model, NULL, 0, error};
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
    Appender this = {tape, arena, &model->shape, model, NULL, 0, error};
    this.parts = arena_alloc(arena, parts_most(&model->shape), sizeof *this.parts);
    if (!this.parts)
        return no_memory(error);
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

const TransformerPart *transformer_part(const Transformer *model, const char *name) {
    for (size_t i = 0; i < model->part_count; i++) {
        if (strcmp(model->parts[i].name, name) == 0)
            return &model->parts[i];
    }
    return NULL;
}

const char *transformer_part_name(TransformerPartKind kind) {
    static const char *const names[TRANSFORMER_PART_COUNT] = {
        [TRANSFORMER_IDS] = "ids",
        [TRANSFORMER_EMBEDDING] = "embedding",
        [TRANSFORMER_SCALED] = "scaled",
        [TRANSFORMER_POSITION] = "position",
        [TRANSFORMER_INPUT] = "input",
        [TRANSFORMER_MASK] = "mask",
        [TRANSFORMER_LAYER] = "layer",
        [TRANSFORMER_SUBLAYER] = "sublayer",
        [TRANSFORMER_RESIDUAL] = "residual",
        [TRANSFORMER_NORM] = "norm",
        [TRANSFORMER_MEMORY] = "memory",
        [TRANSFORMER_LOGITS] = "logits",
        [TRANSFORMER_PROBABILITIES] = "probabilities",
        [TRANSFORMER_EXPECTED] = "expected",
        [TRANSFORMER_LOSSES] = "losses",
        [TRANSFORMER_LOSS] = "loss",
    };
    return names[kind];
}
