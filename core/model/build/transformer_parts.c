#include "model/build/appender.h"

#include <assert.h>
#include <string.h>

Build appender_build(const Appender *this, const char *path) {
    return (Build){this->tape, NULL, path, this->error};
}

size_t appender_take(Appender *this, const char *name) {
    assert(this->taken < this->model->parameter_count);
    const TransformerParameter *parameter = &this->model->parameters[this->taken++];
    assert(strcmp(strrchr(parameter->name, '.') + 1, name) == 0);
    (void)name;
    return parameter->node;
}

size_t appender_take_bias(Appender *this, const char *name) {
    return this->shape->biases ? appender_take(this, name) : TAPE_NONE;
}

/* A layer is one part and has three for each sublayer. */
size_t appender_parts_most(const TransformerShape *shape) {
    const TransformerTower *tower;
    size_t count = 6;
    for (size_t i = 0; (tower = transformer_tower(shape->kind, i)); i++)
        count += 11 + transformer_layers(shape, tower) * (1 + 3 * tower->sublayer_count);
    return count;
}

/* Adds a part whose nodes end with the tape's last; `first` is the first of them. */
static TransformerPart *add_part(Appender *this, TransformerPart part) {
    part.count = tape_count(this->tape) - part.first;
    if (!part.torch_name)
        part.torch_name = "";
    this->parts[this->model->part_count] = part;
    return &this->parts[this->model->part_count++];
}

size_t appender_add_part(Appender *this, const TransformerTower *tower,
                         TransformerPartKind kind, const char *torch_name, size_t first,
                         size_t node) {
    if (node != TAPE_NONE)
        add_part(this, (TransformerPart){.kind = kind,
                                         .tower = tower,
                                         .layer = TRANSFORMER_NONE,
                                         .parent = TRANSFORMER_NONE,
                                         .name = tape_node(this->tape, node)->name,
                                         .torch_name = torch_name,
                                         .first = first,
                                         .node = node,
                                         .group = TAPE_NONE});
    return node;
}

/* Adds a part of a single node within a layer, "PATH.norm_1". */
static void add_inner_node(Appender *this, TransformerPart part, const char *what,
                           size_t number) {
    part.name = arena_format(this->arena, "%s.%s_%zu", part.name, what, number);
    part.torch_name =
        part.kind == TRANSFORMER_NORM
            ? arena_format(this->arena, "%s.norm%zu", part.torch_name, number)
            : "";
    part.first = part.node = tape_find(this->tape, part.name);
    add_part(this, part)->count = 1;
}

static size_t find_group(const Tape *tape, const char *name) {
    for (size_t i = tape_group_count(tape); i > 0; i--) {
        if (strcmp(tape_group(tape, i - 1)->name, name) == 0)
            return i - 1;
    }
    return TAPE_NONE;
}

static void add_sublayer(Appender *this, TransformerPart part) {
    const char *torch = sublayer_torch_name(part.sublayer);
    part.name =
        arena_format(this->arena, "%s.%s", part.name, sublayer_name(part.sublayer));
    part.torch_name =
        torch[0] ? arena_format(this->arena, "%s.%s", part.torch_name, torch) : "";
    part.group = find_group(this->tape, part.name);
    TransformerPart *added = add_part(this, part);
    const TapeGroup *group = tape_group(this->tape, part.group);
    added->first = group->first;
    added->count = group->count;
    added->node = group->first + group->count - 1;
}

void appender_add_layer(Appender *this, TransformerPart layer) {
    layer.group = find_group(this->tape, layer.name);
    layer.kind = TRANSFORMER_LAYER;
    layer.parent = TRANSFORMER_NONE;
    add_part(this, layer);
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
        if (pre)
            add_inner_node(this, norm, "norm", i + 1);
        add_sublayer(this, sublayer);
        add_inner_node(this, sum, "residual", i + 1);
        if (!pre)
            add_inner_node(this, norm, "norm", i + 1);
    }
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
        [TRANSFORMER_SEGMENT] = "segment",
        [TRANSFORMER_WITH_SEGMENT] = "with_segment",
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
