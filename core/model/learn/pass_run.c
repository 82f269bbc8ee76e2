#include "model/learn/pass_parts.h"

#include <math.h>
#include <string.h>

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
            linear->transposed[j * linear->in + i] = weights[i * linear->out + j];
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
                          transformer_is_causal(&pass->shape, tower->tower) &&
                              other == tower,
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
