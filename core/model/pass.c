#include "model/pass.h"

#include "model/pass_layout.h"
#include "tensor/kernels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A linear map: where its matrix [in,out] and bias [out] lie, and where its transpose is
 * kept for the way back. Sizes are padded ones. */
typedef struct Linear {
    size_t weights, bias;     /* bias PASS_NONE: it has none */
    size_t rows, out;         /* the matrix' rows and stride */
    size_t in;                /* the stride of what it maps */
    const double *transposed; /* [out,in] */
    double *transpose;
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
    linear.transpose = cells(maker, linear.out * in);
    linear.transposed = linear.transpose;
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

/* ---- linear maps ---- */

static void linear_forward(const Pass *pass, const Linear *linear, const double *values,
                           const double *x, size_t rows, double *out) {
    pass->kernels->product(
        &(LanesProduct){.out = out,
                        .out_stride = linear->out,
                        .from = linear->bias == PASS_NONE ? NULL : values + linear->bias,
                        .x = x,
                        .x_row = linear->in,
                        .x_depth = 1,
                        .w = values + linear->weights,
                        .w_stride = linear->out,
                        .rows = rows,
                        .depth = linear->rows,
                        .cols = linear->out});
}

static void transpose(const Linear *linear, const double *weights) {
    for (size_t i = 0; i < linear->rows; i++) {
        for (size_t j = 0; j < linear->out; j++)
            linear->transpose[j * linear->in + i] = weights[i * linear->out + j];
    }
}

/* The gradients of matrix and bias, and what comes back to x: dx = from + dy Wᵀ. `from`
 * NULL: nothing else has come back; dx NULL: nobody asks. */
static void linear_backward(const Pass *pass, const Linear *linear, const double *values,
                            double *gradients, const double *x, const double *dy,
                            size_t rows, const double *from, double *dx) {
    pass->kernels->product(&(LanesProduct){.out = gradients + linear->weights,
                                           .out_stride = linear->out,
                                           .x = x,
                                           .x_row = 1,
                                           .x_depth = linear->in,
                                           .w = dy,
                                           .w_stride = linear->out,
                                           .rows = linear->rows,
                                           .depth = rows,
                                           .cols = linear->out});
    if (linear->bias != PASS_NONE)
        pass->kernels->column_sums(gradients + linear->bias, dy, rows, linear->out);
    if (!dx)
        return;
    transpose(linear, values + linear->weights);
    pass->kernels->product(&(LanesProduct){.out = dx,
                                           .out_stride = linear->in,
                                           .from = from,
                                           .from_stride = linear->in,
                                           .x = dy,
                                           .x_row = linear->out,
                                           .x_depth = 1,
                                           .w = linear->transposed,
                                           .w_stride = linear->in,
                                           .rows = rows,
                                           .depth = linear->out,
                                           .cols = linear->in});
}

/* ---- norms ---- */

static LanesNorm norm_of(const Pass *pass, const Norm *norm, const double *values,
                         size_t rows) {
    return (LanesNorm){.normal = norm->normal,
                       .inverse = norm->inverse,
                       .gamma = values + norm->gamma,
                       .n = rows,
                       .d = pass->shape.d_model,
                       .stride = pass->d};
}

static void norm_forward(const Pass *pass, const Norm *norm, const double *values,
                         const double *x, const double *added, size_t rows, double *out) {
    LanesNorm lanes = norm_of(pass, norm, values, rows);
    pass->kernels->norm(out, x, added, values + norm->beta, pass->shape.epsilon, &lanes);
}

static void norm_backward(const Pass *pass, const Norm *norm, const double *values,
                          double *gradients, const double *dy, size_t rows, double *dx) {
    LanesNorm lanes = norm_of(pass, norm, values, rows);
    pass->kernels->norm_backward(dx, gradients + norm->gamma, gradients + norm->beta, dy,
                                 &lanes);
}

/* ---- attention ---- */

/* One head of one example: its queries' and its keys' rows, and its columns. */
typedef struct Head {
    size_t n, m, m_stride;
    size_t q_cell, k_cell; /* of its first row and column in q, and in k and v */
    double *shares;
} Head;

/* Turns a head's keys or values: [m,pitch] to pass->turned [pitch,m]. */
static void turn_head(const Pass *pass, const Head *head, const double *x) {
    x += head->k_cell;
    for (size_t j = 0; j < head->m; j++) {
        for (size_t c = 0; c < pass->pitch; c++)
            pass->turned[c * head->m_stride + j] = x[j * pass->width + c];
    }
}

/* out [n,m] = the head's rows of x times its turned keys or values. */
static void head_times_turned(const Pass *pass, const Head *head, const double *x,
                              double *out) {
    pass->kernels->product(&(LanesProduct){.out = out,
                                           .out_stride = head->m_stride,
                                           .x = x + head->q_cell,
                                           .x_row = pass->width,
                                           .x_depth = 1,
                                           .w = pass->turned,
                                           .w_stride = head->m_stride,
                                           .rows = head->n,
                                           .depth = pass->pitch,
                                           .cols = head->m_stride});
}

/* out's rows of the head = shares [n,m] times x's. */
static void head_blend(const Pass *pass, const Head *head, const double *shares,
                       const double *x, double *out) {
    pass->kernels->product(&(LanesProduct){.out = out + head->q_cell,
                                           .out_stride = pass->width,
                                           .x = shares,
                                           .x_row = head->m_stride,
                                           .x_depth = 1,
                                           .w = x + head->k_cell,
                                           .w_stride = pass->width,
                                           .rows = head->n,
                                           .depth = head->m,
                                           .cols = pass->pitch});
}

/* out's rows of the head [m,·] = shares [n,m] turned times x's [n,·]. */
static void head_gather(const Pass *pass, const Head *head, const double *shares,
                        const double *x, double *out) {
    pass->kernels->product(&(LanesProduct){.out = out + head->k_cell,
                                           .out_stride = pass->width,
                                           .x = shares,
                                           .x_row = 1,
                                           .x_depth = head->m_stride,
                                           .w = x + head->q_cell,
                                           .w_stride = pass->width,
                                           .rows = head->m,
                                           .depth = head->n,
                                           .cols = pass->pitch});
}

static Head head_of(const Pass *pass, const Side *own, const Side *other, size_t example,
                    size_t head, double **shares) {
    Head made = {.n = own->first[example + 1] - own->first[example],
                 .m = other->first[example + 1] - other->first[example]};
    made.m_stride = lanes_up(made.m);
    made.q_cell = own->first[example] * pass->width + head * pass->pitch;
    made.k_cell = other->first[example] * pass->width + head * pass->pitch;
    made.shares = *shares;
    *shares += made.n * made.m_stride;
    return made;
}

static double score_scale(const Pass *pass) {
    return 1 / sqrt((double)(pass->shape.d_model / pass->shape.heads));
}

static void attention_forward(const Pass *pass, const Attention *attention,
                              const double *values, const Side *own, const Side *other,
                              const double *x, const double *memory, bool causal,
                              double *out) {
    linear_forward(pass, &attention->query, values, x, own->rows, attention->q);
    linear_forward(pass, &attention->key, values, memory, other->rows, attention->k);
    linear_forward(pass, &attention->value, values, memory, other->rows, attention->v);
    double *shares = attention->shares, scale = score_scale(pass);
    for (size_t i = 0; i < pass->examples; i++) {
        for (size_t h = 0; h < pass->shape.heads; h++) {
            Head head = head_of(pass, own, other, i, h, &shares);
            turn_head(pass, &head, attention->k);
            head_times_turned(pass, &head, attention->q, head.shares);
            pass->kernels->softmax(head.shares, head.n, head.m, head.m_stride, scale,
                                   causal);
            head_blend(pass, &head, head.shares, attention->v, attention->joined);
        }
    }
    linear_forward(pass, &attention->out, values, attention->joined, own->rows, out);
}

/* From dy to dx, which may be dy, both [rows,d]; what comes back to the memory is added
 * to dmemory, where that is another than x's (`added` is then scratch), else to dx. */
static void attention_backward(Pass *pass, const Attention *attention,
                               const double *values, double *gradients, const Side *own,
                               const Side *other, const double *x, const double *memory,
                               const double *dy, double *dx, double *dmemory) {
    linear_backward(pass, &attention->out, values, gradients, attention->joined, dy,
                    own->rows, NULL, pass->djoined);
    double *shares = attention->shares, scale = score_scale(pass);
    for (size_t i = 0; i < pass->examples; i++) {
        for (size_t h = 0; h < pass->shape.heads; h++) {
            Head head = head_of(pass, own, other, i, h, &shares);
            head_gather(pass, &head, head.shares, pass->djoined, pass->dv);
            turn_head(pass, &head, attention->v);
            head_times_turned(pass, &head, pass->djoined, pass->dscores);
            pass->kernels->softmax_backward(pass->dscores, head.shares, head.n,
                                            head.m_stride, scale);
            head_blend(pass, &head, pass->dscores, attention->k, pass->dq);
            head_gather(pass, &head, pass->dscores, attention->q, pass->dk);
        }
    }
    linear_backward(pass, &attention->query, values, gradients, x, pass->dq, own->rows,
                    NULL, dx);
    if (!dmemory)
        dmemory = dx;
    linear_backward(pass, &attention->key, values, gradients, memory, pass->dk,
                    other->rows, dmemory, dmemory);
    linear_backward(pass, &attention->value, values, gradients, memory, pass->dv,
                    other->rows, dmemory, dmemory);
}

/* ---- feed-forward ---- */

static void feed_forward_forward(const Pass *pass, const FeedForward *feed_forward,
                                 const double *values, const double *x, size_t rows,
                                 double *out) {
    linear_forward(pass, &feed_forward->first, values, x, rows, feed_forward->hidden);
    pass->kernels->relu(feed_forward->hidden, rows * feed_forward->first.out);
    linear_forward(pass, &feed_forward->second, values, feed_forward->hidden, rows, out);
}

static void feed_forward_backward(const Pass *pass, const FeedForward *feed_forward,
                                  const double *values, double *gradients,
                                  const double *x, size_t rows, const double *dy,
                                  double *dx) {
    linear_backward(pass, &feed_forward->second, values, gradients, feed_forward->hidden,
                    dy, rows, NULL, pass->dhidden);
    pass->kernels->relu_backward(pass->dhidden, feed_forward->hidden,
                                 rows * feed_forward->first.out);
    linear_backward(pass, &feed_forward->first, values, gradients, x, pass->dhidden, rows,
                    NULL, dx);
}

/* ---- sublayers: x + f(x), normed behind the sum or in front of f ---- */

/* The tower whose rows a sublayer asks. */
static const Tower *asked(const Pass *pass, const Tower *tower,
                          const PassSublayer *sublayer) {
    return sublayer->kind == SUBLAYER_CROSS_ATTENTION ? &pass->towers[0] : tower;
}

static void sublayer_forward(Pass *pass, const Tower *tower, PassSublayer *sublayer,
                             const double *values, const double *x) {
    size_t rows = tower->side.rows;
    const Tower *other = asked(pass, tower, sublayer);
    bool pre = pass->shape.pre_norm;
    sublayer->x = pre ? sublayer->input : x;
    if (pre)
        norm_forward(pass, &sublayer->norm, values, x, NULL, rows, sublayer->input);
    if (sublayer->kind == SUBLAYER_FEED_FORWARD)
        feed_forward_forward(pass, &sublayer->feed_forward, values, sublayer->x, rows,
                             pass->added);
    else
        attention_forward(pass, &sublayer->attention, values, &tower->side, &other->side,
                          sublayer->x, other == tower ? sublayer->x : other->output,
                          transformer_is_causal(&pass->shape, tower->tower) && other == tower,
                          pass->added);
    if (pre)
        pass->kernels->add(sublayer->output, x, pass->added, rows * pass->d);
    else
        norm_forward(pass, &sublayer->norm, values, x, pass->added, rows,
                     sublayer->output);
}

/* From d of the sublayer's output in pass->down to d of its input, in the same place. */
static void sublayer_backward(Pass *pass, const Tower *tower,
                              const PassSublayer *sublayer, const double *values,
                              double *gradients) {
    size_t rows = tower->side.rows;
    const Tower *other = asked(pass, tower, sublayer);
    double *down = pass->down, *back = pass->added;
    bool pre = pass->shape.pre_norm;
    if (!pre)
        norm_backward(pass, &sublayer->norm, values, gradients, down, rows, down);
    if (sublayer->kind == SUBLAYER_FEED_FORWARD)
        feed_forward_backward(pass, &sublayer->feed_forward, values, gradients,
                              sublayer->x, rows, down, back);
    else
        attention_backward(pass, &sublayer->attention, values, gradients, &tower->side,
                           &other->side, sublayer->x,
                           other == tower ? sublayer->x : other->output, down, back,
                           other == tower ? NULL : pass->memory_down);
    if (pre)
        norm_backward(pass, &sublayer->norm, values, gradients, back, rows, back);
    pass->kernels->add(down, down, back, rows * pass->d);
}

/* ---- towers ---- */

static double embedding_scale(const Pass *pass) {
    return pass->shape.scale_embedding ? sqrt((double)pass->shape.d_model) : 1;
}

static void embed(const Pass *pass, const Tower *tower, const double *values) {
    double scale = embedding_scale(pass);
    for (size_t i = 0; i < tower->side.rows; i++) {
        const double *row = values + tower->table + tower->side.ids[i] * pass->d;
        const double *place = pass->positions + tower->side.places[i] * pass->d;
        double *out = tower->input + i * pass->d;
        for (size_t j = 0; j < pass->d; j++)
            out[j] = row[j] * scale + place[j];
    }
}

static void embed_backward(const Pass *pass, const Tower *tower, double *gradients) {
    double scale = embedding_scale(pass);
    size_t words = transformer_vocabulary(&pass->shape, tower->tower);
    memset(gradients + tower->table, 0, words * pass->d * sizeof *gradients);
    for (size_t i = 0; i < tower->side.rows; i++) {
        double *row = gradients + tower->table + tower->side.ids[i] * pass->d;
        for (size_t j = 0; j < pass->d; j++)
            row[j] += pass->down[i * pass->d + j] * scale;
    }
}

static void tower_forward(Pass *pass, Tower *tower, const double *values) {
    double *x = tower->input;
    embed(pass, tower, values);
    for (size_t i = 0; i < tower->sublayer_count; i++) {
        sublayer_forward(pass, tower, &tower->sublayers[i], values, x);
        x = tower->sublayers[i].output;
    }
    if (tower->has_norm)
        norm_forward(pass, &tower->norm, values, x, NULL, tower->side.rows,
                     tower->output);
    else
        tower->output = x;
}

static void tower_backward(Pass *pass, const Tower *tower, const double *values,
                           double *gradients) {
    if (tower->has_norm)
        norm_backward(pass, &tower->norm, values, gradients, pass->down, tower->side.rows,
                      pass->down);
    for (size_t i = tower->sublayer_count; i > 0; i--)
        sublayer_backward(pass, tower, &tower->sublayers[i - 1], values, gradients);
    embed_backward(pass, tower, gradients);
}

/* ---- all of it ---- */

/* The loss; the logits become its gradient. */
static PassResult cross_entropy(Pass *pass, const Side *side) {
    PassResult result = {0};
    size_t stride = pass->generator.out, first = pass->shape.first_output;
    for (size_t i = 0; i < side->rows; i++)
        result.words += pass->expected[i] != 0;
    double weight = 1 / (double)result.words;
    for (size_t i = 0; i < side->rows; i++) {
        double *row = pass->logits + i * stride;
        bool right = false;
        if (pass->expected[i])
            result.loss += pass->kernels->cross_entropy(
                row, pass->words_out, stride, pass->expected[i] - first, weight, &right);
        else
            memset(row, 0, stride * sizeof *row);
        result.right += right;
    }
    result.loss *= weight;
    return result;
}

PassResult pass_forward(Pass *pass, const double *values) {
    for (size_t i = 0; i < pass->tower_count; i++)
        tower_forward(pass, &pass->towers[i], values);
    const Tower *last = &pass->towers[pass->tower_count - 1];
    linear_forward(pass, &pass->generator, values, last->output, last->side.rows,
                   pass->logits);
    return cross_entropy(pass, &last->side);
}

void pass_backward(Pass *pass, const double *values, double *gradients) {
    const Tower *last = &pass->towers[pass->tower_count - 1];
    const Tower *source = &pass->towers[0];
    size_t memory = source->side.rows * pass->d;
    if (source != last)
        memset(pass->memory_down, 0, memory * sizeof *pass->memory_down);
    linear_backward(pass, &pass->generator, values, gradients, last->output, pass->logits,
                    last->side.rows, NULL, pass->down);
    tower_backward(pass, last, values, gradients);
    if (source == last)
        return;
    memcpy(pass->down, pass->memory_down, memory * sizeof *pass->down);
    tower_backward(pass, source, values, gradients);
}
