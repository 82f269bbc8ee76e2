#include "model/learn/pass_parts.h"

#include "tensor/kernels.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

/* ---- making a pass ---- */

/* Walks the list of parameters, which is in the order of computation. */
typedef struct Maker {
    Pass *pass;
    Arena *arena;
    size_t taken;
    bool failed;
} Maker;

/* `count` cells, zeroed, at the beginning of a cache line. */
static double *cells(Maker *maker, size_t count) {
    enum { LINE = 64 };
    char *block = arena_alloc(maker->arena, count * sizeof(double) + LINE, 1);
    maker->failed |= !block;
    if (!block)
        return NULL;
    return (double *)(void *)(block + (LINE - (uintptr_t)block % LINE) % LINE);
}

static const PassPlace *take(Maker *maker) {
    assert(maker->taken < maker->pass->layout.count);
    return &maker->pass->layout.places[maker->taken++];
}

static Linear make_linear(Maker *maker, size_t in, bool biased) {
    const PassPlace *place = take(maker);
    Linear linear = {.weights = place->offset,
                     .rows = place->rows,
                     .out = place->stride,
                     .in = in,
                     .bias = biased ? take(maker)->offset : PASS_NONE};
    linear.transposed = cells(maker, linear.out * in);
    return linear;
}

static Norm make_norm(Maker *maker, size_t rows) {
    Norm norm = {.gamma = take(maker)->offset, .beta = take(maker)->offset};
    norm.normal = cells(maker, rows * maker->pass->d);
    norm.inverse = cells(maker, rows);
    return norm;
}

static Attention make_attention(Maker *maker, const Side *own, const Side *other) {
    const Pass *pass = maker->pass;
    bool biases = pass->shape.biases;
    Attention attention;
    attention.query = make_linear(maker, pass->d, biases);
    attention.key = make_linear(maker, pass->d, biases);
    attention.value = make_linear(maker, pass->d, biases);
    attention.out = make_linear(maker, pass->width, biases);
    attention.q = cells(maker, own->rows_most * pass->width);
    attention.k = cells(maker, other->rows_most * pass->width);
    attention.v = cells(maker, other->rows_most * pass->width);
    attention.joined = cells(maker, own->rows_most * pass->width);
    attention.shares =
        cells(maker, own->rows_most * pass->shape.heads * lanes_up(other->longest));
    return attention;
}

static void make_sublayer(Maker *maker, Tower *tower, PassSublayer *sublayer,
                          SublayerKind kind) {
    Pass *pass = maker->pass;
    size_t rows = tower->side.rows_most, d_ff = lanes_up(pass->shape.d_ff);
    const Side *other =
        kind == SUBLAYER_CROSS_ATTENTION ? &pass->towers[0].side : &tower->side;
    *sublayer = (PassSublayer){.kind = kind};
    if (kind == SUBLAYER_FEED_FORWARD) {
        FeedForward *feed_forward = &sublayer->feed_forward;
        feed_forward->first = make_linear(maker, pass->d, pass->shape.biases);
        feed_forward->second = make_linear(maker, d_ff, pass->shape.biases);
        feed_forward->hidden = cells(maker, rows * d_ff);
    } else {
        sublayer->attention = make_attention(maker, &tower->side, other);
    }
    sublayer->norm = make_norm(maker, rows);
    sublayer->output = cells(maker, rows * pass->d);
    sublayer->input = pass->shape.pre_norm ? cells(maker, rows * pass->d) : NULL;
}

static size_t *numbers(Maker *maker, size_t count) {
    size_t *made = arena_alloc(maker->arena, count, sizeof *made);
    maker->failed |= !made;
    return made;
}

static void make_tower(Maker *maker, Tower *tower) {
    Pass *pass = maker->pass;
    bool source = tower->tower->side == TRANSFORMER_SOURCE;
    Side *side = &tower->side;
    side->rows_most = source ? pass->limits.source_rows : pass->limits.target_rows;
    side->longest = source ? pass->limits.source_longest : pass->limits.target_longest;
    side->ids = numbers(maker, side->rows_most);
    side->places = numbers(maker, side->rows_most);
    side->first = numbers(maker, pass->limits.examples + 1);
    tower->table = take(maker)->offset;
    tower->input = cells(maker, side->rows_most * pass->d);
    size_t layers = transformer_layers(&pass->shape, tower->tower);
    size_t each = tower->tower->sublayer_count;
    tower->sublayer_count = layers * each;
    tower->sublayers =
        arena_alloc(maker->arena, tower->sublayer_count, sizeof *tower->sublayers);
    maker->failed |= !tower->sublayers;
    for (size_t i = 0; tower->sublayers && i < tower->sublayer_count; i++)
        make_sublayer(maker, tower, &tower->sublayers[i],
                      tower->tower->sublayers[i % each]);
    tower->has_norm = pass->shape.final_norm;
    if (tower->has_norm && !maker->failed) {
        tower->norm = make_norm(maker, side->rows_most);
        tower->output = cells(maker, side->rows_most * pass->d);
    }
}

static void make_positions(Maker *maker) {
    Pass *pass = maker->pass;
    size_t places = pass->limits.places, d = pass->shape.d_model;
    double *encoding = cells(maker, places * d);
    pass->positions = cells(maker, places * pass->d);
    if (maker->failed)
        return;
    kernel_positional_encoding(encoding, places, d);
    for (size_t i = 0; i < places; i++)
        memcpy(pass->positions + i * pass->d, encoding + i * d, d * sizeof *encoding);
}

static void make_scratch(Maker *maker) {
    Pass *pass = maker->pass;
    const PassLimits *limits = &pass->limits;
    size_t rows = limits->source_rows > limits->target_rows ? limits->source_rows
                                                            : limits->target_rows;
    size_t longest = limits->source_longest > limits->target_longest
                         ? limits->source_longest
                         : limits->target_longest;
    double **d_wide[] = {&pass->down, &pass->added, &pass->memory_down};
    double **head_wide[] = {&pass->dq, &pass->dk, &pass->dv, &pass->djoined};
    for (size_t i = 0; i < sizeof d_wide / sizeof *d_wide; i++)
        *d_wide[i] = cells(maker, rows * pass->d);
    for (size_t i = 0; i < sizeof head_wide / sizeof *head_wide; i++)
        *head_wide[i] = cells(maker, rows * pass->width);
    pass->dhidden = cells(maker, rows * lanes_up(pass->shape.d_ff));
    pass->turned = cells(maker, pass->pitch * lanes_up(longest));
    pass->dscores = cells(maker, longest * lanes_up(longest));
}

static void make_all(Maker *maker) {
    Pass *pass = maker->pass;
    const TransformerTower *tower;
    for (size_t i = 0; (tower = transformer_tower(pass->shape.kind, i)); i++) {
        pass->towers[i].tower = tower;
        make_tower(maker, &pass->towers[i]);
        pass->tower_count++;
        if (maker->failed)
            return;
    }
    size_t rows = pass->towers[pass->tower_count - 1].side.rows_most;
    pass->generator = make_linear(maker, pass->d, pass->shape.biases);
    pass->words_out = pass->shape.target_vocabulary - pass->shape.first_output;
    pass->logits = cells(maker, rows * pass->generator.out);
    pass->expected = numbers(maker, rows);
    make_positions(maker);
    make_scratch(maker);
    assert(maker->failed || maker->taken == pass->layout.count);
}

Pass *pass_create(Arena *arena, const TransformerShape *shape, PassLimits limits,
                  Error *error) {
    assert(shape->kind != TRANSFORMER_ENCODER);
    Pass *pass = arena_alloc(arena, 1, sizeof *pass);
    Maker maker = {.pass = pass, .arena = arena};
    if (pass && pass_layout_init(&pass->layout, arena, shape)) {
        pass->shape = *shape;
        pass->kernels = lanes_kernels();
        pass->limits = limits;
        pass->d = lanes_up(shape->d_model);
        pass->pitch = lanes_up(shape->d_model / shape->heads);
        pass->width = shape->heads * pass->pitch;
        make_all(&maker);
        if (!maker.failed)
            return pass;
    }
    error_set(error, ERROR_MEMORY, 0, 0,
              "there is no memory to train a model of this size; take a smaller one, or "
              "smaller batches");
    return NULL;
}

const TransformerShape *pass_shape(const Pass *pass) {
    return &pass->shape;
}

const LanesKernels *pass_kernels(const Pass *pass) {
    return pass->kernels;
}

size_t pass_parameter_count(const Pass *pass) {
    return pass->layout.count;
}

const TransformerParameter *pass_parameter(const Pass *pass, size_t index) {
    return &pass->layout.parameters[index];
}

size_t pass_size(const Pass *pass) {
    return pass->layout.size;
}

void pass_get(const Pass *pass, const double *from, size_t index, double *values) {
    const TransformerParameter *parameter = &pass->layout.parameters[index];
    const PassPlace *place = &pass->layout.places[index];
    for (size_t i = 0; i < parameter->rows; i++) {
        for (size_t j = 0; j < parameter->cols; j++)
            values[i * parameter->cols + j] = from[pass_layout_cell(place, i, j)];
    }
}

void pass_put(const Pass *pass, double *to, size_t index, const double *values) {
    const TransformerParameter *parameter = &pass->layout.parameters[index];
    const PassPlace *place = &pass->layout.places[index];
    for (size_t i = 0; i < parameter->rows; i++) {
        for (size_t j = 0; j < parameter->cols; j++)
            to[pass_layout_cell(place, i, j)] = values[i * parameter->cols + j];
    }
}

/* ---- the batch ---- */

void pass_clear(Pass *pass) {
    pass->examples = 0;
    for (size_t i = 0; i < pass->tower_count; i++)
        pass->towers[i].side.rows = 0;
}

static void add_text(const Pass *pass, Side *side, const PassText *text) {
    assert(text->count && side->rows + text->count <= side->rows_most);
    side->first[pass->examples] = side->rows;
    memcpy(side->ids + side->rows, text->ids, text->count * sizeof *text->ids);
    memcpy(side->places + side->rows, text->places, text->count * sizeof *text->places);
    side->rows += text->count;
    side->first[pass->examples + 1] = side->rows;
}

void pass_add(Pass *pass, const PassExample *example) {
    assert(pass->examples < pass->limits.examples);
    const Side *last = &pass->towers[pass->tower_count - 1].side;
    memcpy(pass->expected + last->rows, example->expected,
           example->target.count * sizeof *example->expected);
    for (size_t i = 0; i < pass->tower_count; i++) {
        bool source = pass->towers[i].tower->side == TRANSFORMER_SOURCE;
        add_text(pass, &pass->towers[i].side,
                 source ? &example->source : &example->target);
    }
    pass->examples++;
}
