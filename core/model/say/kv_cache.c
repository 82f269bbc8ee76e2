#include "model/say/kv_cache.h"

#include "tensor/kernels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Parameters' values; a bias is NULL where there is none. */
typedef struct Linear {
    const double *w, *b;
} Linear;

typedef struct Attention {
    Linear query, key, value, output;
} Attention;

typedef struct Norm {
    const double *gamma, *beta;
} Norm;

/* A decoder layer's parameters, and the memory's keys and values [m,d]. */
typedef struct CacheLayer {
    Attention self, cross;
    Linear hidden, back; /* of feed-forward */
    Norm norms[TRANSFORMER_MAX_SUBLAYERS];
    double *memory_keys, *memory_values;
} CacheLayer;

/* The part that all caches of a model and source share. */
typedef struct Shared {
    TransformerShape shape;
    const TransformerTower *tower;
    size_t layer_count, capacity;
    CacheLayer *layers;
    const double *table;     /* [vocabulary,d] */
    const double *positions; /* [capacity,d] */
    Norm final_norm;
    Linear logits;
    size_t memory_length;  /* m; 0 where there is no encoder */
    const double *source;  /* [m] IDs */
    bool source_is_padded; /* has an ID 0 */
} Shared;

struct KvCache {
    const Shared *shared;
    size_t length;
    double *keys, *values; /* [layers,capacity,d] */
    bool *padding;         /* [capacity] whether the word read is padding */
    bool is_padded;
    double *x; /* [d] the last word's row behind all layers */
    double *row, *normal, *query, *blend, *hidden, *scores, *weights; /* scratch */
    size_t multiplications;
};

/* ---- parameters ---- */

/* Takes the decoder's parameters one by one, in the order in which they are listed. */
typedef struct Taker {
    PredictModel from;
    size_t next;
} Taker;

static const double *take(Taker *taker, const char *name) {
    assert(taker->next < taker->from.model->parameter_count);
    const TransformerParameter *parameter = &taker->from.model->parameters[taker->next++];
    assert(strcmp(strrchr(parameter->name, '.') + 1, name) == 0);
    (void)name;
    return tape_node(taker->from.tape, parameter->node)->output.values;
}

static Linear take_linear(Taker *taker, const char *w, const char *b) {
    Linear linear = {.w = take(taker, w)};
    if (taker->from.model->shape.biases)
        linear.b = take(taker, b);
    return linear;
}

static Attention take_attention(Taker *taker) {
    Attention attention;
    attention.query = take_linear(taker, "W_Q", "b_Q");
    attention.key = take_linear(taker, "W_K", "b_K");
    attention.value = take_linear(taker, "W_V", "b_V");
    attention.output = take_linear(taker, "W_O", "b_O");
    return attention;
}

static Norm take_norm(Taker *taker) {
    Norm norm;
    norm.gamma = take(taker, "gamma");
    norm.beta = take(taker, "beta");
    return norm;
}

static void take_layer(Taker *taker, const TransformerTower *tower, CacheLayer *layer) {
    for (size_t i = 0; i < tower->sublayer_count; i++) {
        switch (tower->sublayers[i]) {
        case SUBLAYER_SELF_ATTENTION:
            layer->self = take_attention(taker);
            break;
        case SUBLAYER_CROSS_ATTENTION:
            layer->cross = take_attention(taker);
            break;
        default:
            layer->hidden = take_linear(taker, "W_1", "b_1");
            layer->back = take_linear(taker, "W_2", "b_2");
        }
        layer->norms[i] = take_norm(taker);
    }
}

static void take_all(Shared *shared, PredictModel model) {
    Taker taker = {.from = model};
    size_t prefix = strlen(shared->tower->name);
    while (strncmp(model.model->parameters[taker.next].name, shared->tower->name,
                   prefix) != 0)
        taker.next++;
    shared->table = take(&taker, "table");
    for (size_t i = 0; i < shared->layer_count; i++)
        take_layer(&taker, shared->tower, &shared->layers[i]);
    if (shared->shape.final_norm)
        shared->final_norm = take_norm(&taker);
    shared->logits = take_linear(&taker, "W", "b");
}

/* ---- arithmetic that counts ---- */

/* out [n,m] = x [n,k] w [k,m] + b */
static void apply(KvCache *cache, double *out, const double *x, Linear linear, size_t n,
                  size_t k, size_t m) {
    kernel_matmul(out, x, linear.w, n, k, m);
    cache->multiplications += n * k * m;
    for (size_t i = 0; linear.b && i < n; i++) {
        for (size_t j = 0; j < m; j++)
            out[i * m + j] += linear.b[j];
    }
}

/* What one query looks at: keys and values [n,d], and which of them are masked. */
typedef struct Looked {
    const double *keys, *values;
    size_t n;
    const bool *padding;  /* [n], or NULL */
    const double *source; /* [n] IDs, of which 0 is masked, or NULL */
} Looked;

static bool is_masked(const Looked *at, size_t j) {
    return (at->padding && at->padding[j]) || (at->source && at->source[j] == 0);
}

/* One head's blend: columns [first, first + d_k) of all rows. */
static void attend_head(KvCache *cache, const Looked *at, size_t first, size_t d_k) {
    size_t d = cache->shared->shape.d_model;
    const double *query = cache->query + first;
    double *scores = cache->scores, *weights = cache->weights;
    double *out = cache->blend + first;
    double root = sqrt((double)d_k);
    for (size_t j = 0; j < at->n; j++) {
        const double *key = at->keys + j * d + first;
        double sum = 0;
        for (size_t c = 0; c < d_k; c++)
            sum += query[c] * key[c];
        scores[j] = is_masked(at, j) ? sum / root - INFINITY : sum / root;
    }
    kernel_softmax(weights, scores, 1, at->n);
    memset(out, 0, d_k * sizeof *out);
    for (size_t j = 0; j < at->n; j++) {
        for (size_t c = 0; c < d_k; c++)
            out[c] += weights[j] * at->values[j * d + first + c];
    }
    cache->multiplications += 2 * at->n * d_k;
}

/* out [d]: attention of one row x [d] to all that is there to look at. */
static void attend(KvCache *cache, double *out, const double *x,
                   const Attention *attention, const Looked *at) {
    size_t d = cache->shared->shape.d_model, heads = cache->shared->shape.heads;
    apply(cache, cache->query, x, attention->query, 1, d, d);
    for (size_t head = 0; head < heads; head++)
        attend_head(cache, at, head * (d / heads), d / heads);
    apply(cache, out, cache->blend, attention->output, 1, d, d);
}

/* ---- reading a word ---- */

/* Appends the row's key and value to the layer's, then lets it look at all of them. */
static void self_attend(KvCache *cache, double *out, const double *x, size_t number) {
    const Shared *shared = cache->shared;
    const Attention *attention = &shared->layers[number].self;
    size_t d = shared->shape.d_model, first = number * shared->capacity * d;
    size_t own = first + cache->length * d;
    apply(cache, cache->keys + own, x, attention->key, 1, d, d);
    apply(cache, cache->values + own, x, attention->value, 1, d, d);
    const Looked at = {cache->keys + first, cache->values + first, cache->length + 1,
                       cache->is_padded ? cache->padding : NULL, NULL};
    attend(cache, out, x, attention, &at);
}

static void cross_attend(KvCache *cache, double *out, const double *x, size_t number) {
    const Shared *shared = cache->shared;
    const CacheLayer *layer = &shared->layers[number];
    const Looked at = {layer->memory_keys, layer->memory_values, shared->memory_length,
                       NULL, shared->source_is_padded ? shared->source : NULL};
    attend(cache, out, x, &layer->cross, &at);
}

static void feed_forward(KvCache *cache, double *out, const double *x, size_t number) {
    const CacheLayer *layer = &cache->shared->layers[number];
    size_t d = cache->shared->shape.d_model, d_ff = cache->shared->shape.d_ff;
    apply(cache, cache->hidden, x, layer->hidden, 1, d, d_ff);
    for (size_t j = 0; j < d_ff; j++)
        cache->hidden[j] = cache->hidden[j] < 0 ? 0 : cache->hidden[j];
    apply(cache, out, cache->hidden, layer->back, 1, d_ff, d);
}

static void normalize(const KvCache *cache, double *out, const double *x, Norm norm) {
    kernel_layer_norm(out, x, norm.gamma, norm.beta, cache->shared->shape.epsilon, 1,
                      cache->shared->shape.d_model);
}

/* Sublayer `index` of a layer, with its sum and norm, on the row x. */
static void read_sublayer(KvCache *cache, size_t number, size_t index) {
    static void (*const sublayers[SUBLAYER_COUNT])(KvCache * cache, double *out,
                                                   const double *x, size_t number) = {
        [SUBLAYER_SELF_ATTENTION] = self_attend,
        [SUBLAYER_CROSS_ATTENTION] = cross_attend,
        [SUBLAYER_FEED_FORWARD] = feed_forward,
    };
    const Shared *shared = cache->shared;
    Norm norm = shared->layers[number].norms[index];
    const double *in = cache->x;
    if (shared->shape.pre_norm) {
        normalize(cache, cache->normal, cache->x, norm);
        in = cache->normal;
    }
    sublayers[shared->tower->sublayers[index]](cache, cache->row, in, number);
    for (size_t j = 0; j < shared->shape.d_model; j++)
        cache->row[j] = cache->x[j] + cache->row[j];
    if (shared->shape.pre_norm)
        memcpy(cache->x, cache->row, shared->shape.d_model * sizeof *cache->x);
    else
        normalize(cache, cache->x, cache->row, norm);
}

void kv_cache_read(KvCache *cache, size_t id) {
    const Shared *shared = cache->shared;
    size_t d = shared->shape.d_model;
    assert(cache->length < shared->capacity && id < shared->shape.target_vocabulary);
    const double *word = shared->table + id * d;
    const double *position = shared->positions + cache->length * d;
    double scale = shared->shape.scale_embedding ? sqrt((double)d) : 1;
    for (size_t j = 0; j < d; j++)
        cache->x[j] = word[j] * scale + position[j];
    cache->padding[cache->length] = id == 0;
    cache->is_padded |= id == 0;
    for (size_t i = 0; i < shared->layer_count; i++) {
        for (size_t j = 0; j < shared->tower->sublayer_count; j++)
            read_sublayer(cache, i, j);
    }
    cache->length++;
}

void kv_cache_logits(KvCache *cache, double *logits) {
    const Shared *shared = cache->shared;
    const double *x = cache->x;
    assert(cache->length > 0);
    if (shared->shape.final_norm) {
        normalize(cache, cache->normal, x, shared->final_norm);
        x = cache->normal;
    }
    apply(cache, logits, x, shared->logits, 1, shared->shape.d_model,
          predict_words(&shared->shape));
}

/* ---- making a cache ---- */

static double *numbers(Arena *arena, size_t rows, size_t cols) {
    return arena_alloc(arena, rows, cols * sizeof(double));
}

static KvCache *cache_new(Arena *arena, const Shared *shared) {
    size_t d = shared->shape.d_model, rows = shared->layer_count * shared->capacity;
    size_t looked = shared->memory_length > shared->capacity ? shared->memory_length
                                                             : shared->capacity;
    KvCache *cache = arena_alloc(arena, 1, sizeof *cache);
    if (!cache)
        return NULL;
    *cache = (KvCache){
        .shared = shared,
        .keys = numbers(arena, rows, d),
        .values = numbers(arena, rows, d),
        .padding = arena_alloc(arena, shared->capacity, sizeof *cache->padding),
        .x = numbers(arena, 1, d),
        .row = numbers(arena, 1, d),
        .normal = numbers(arena, 1, d),
        .query = numbers(arena, 1, d),
        .blend = numbers(arena, 1, d),
        .hidden = numbers(arena, 1, shared->shape.d_ff),
        .scores = numbers(arena, 1, looked),
        .weights = numbers(arena, 1, looked),
    };
    return arena_exhausted(arena) ? NULL : cache;
}

KvCache *kv_cache_create_like(Arena *arena, const KvCache *cache) {
    return cache_new(arena, cache->shared);
}

/* Runs the encoder on a tape of its own; gives the memory, which lives there. */
static const Tensor *run_encoder(KvCache *cache, Arena *arena, PredictModel model,
                                 const Tensor *source, Error *error) {
    TransformerShape shape = cache->shared->shape;
    TransformerInput input = {.source = *source};
    PredictCopy copy = {.from = model};
    Transformer *encoder = arena_alloc(arena, 1, sizeof *encoder);
    Tape *tape = tape_create(arena);
    shape.kind = TRANSFORMER_ENCODER;
    if (!tape || !encoder) {
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory to run the encoder");
        return NULL;
    }
    if (!transformer_append(tape, arena, &shape, &input, predict_weights(&copy), encoder,
                            error))
        return NULL;
    cache->multiplications += predict_count(tape);
    return &tape_node(tape, encoder->parts[encoder->part_count - 1].node)->output;
}

/* Each layer's keys and values of the memory, which no word of the target changes. */
static bool read_memory(KvCache *cache, Arena *arena, Shared *shared,
                        const Tensor *memory) {
    size_t d = shared->shape.d_model, m = memory->rows;
    for (size_t i = 0; i < shared->layer_count; i++) {
        CacheLayer *layer = &shared->layers[i];
        layer->memory_keys = numbers(arena, m, d);
        layer->memory_values = numbers(arena, m, d);
        if (!layer->memory_keys || !layer->memory_values)
            return false;
        apply(cache, layer->memory_keys, memory->values, layer->cross.key, m, d, d);
        apply(cache, layer->memory_values, memory->values, layer->cross.value, m, d, d);
    }
    return true;
}

/* The tower that reads what has been said: the last one. */
static const TransformerTower *decoder_of(const TransformerShape *shape) {
    return transformer_tower(shape->kind, shape->kind == TRANSFORMER_ENCODER_DECODER);
}

static Shared *shared_new(Arena *arena, PredictModel model, const Tensor *source,
                          size_t capacity) {
    const TransformerShape *shape = &model.model->shape;
    Shared *shared = arena_alloc(arena, 1, sizeof *shared);
    double *positions = numbers(arena, capacity, shape->d_model);
    if (!shared || !positions)
        return NULL;
    kernel_positional_encoding(positions, capacity, shape->d_model);
    *shared = (Shared){.shape = *shape,
                       .tower = decoder_of(shape),
                       .layer_count = shape->decoder_layers,
                       .capacity = capacity,
                       .positions = positions};
    shared->layers = arena_alloc(arena, shared->layer_count, sizeof *shared->layers);
    if (!shared->layers)
        return NULL;
    take_all(shared, model);
    if (shape->kind != TRANSFORMER_ENCODER_DECODER)
        return shared;
    shared->memory_length = source->cols;
    double *ids = numbers(arena, 1, source->cols);
    for (size_t i = 0; ids && i < source->cols; i++) {
        ids[i] = source->values[i];
        shared->source_is_padded |= ids[i] == 0;
    }
    shared->source = ids;
    return ids ? shared : NULL;
}

KvCache *kv_cache_create(Arena *arena, PredictModel model, const Tensor *source,
                         size_t capacity, Error *error) {
    Shared *shared = shared_new(arena, model, source, capacity);
    KvCache *cache = shared ? cache_new(arena, shared) : NULL;
    const Tensor *memory = NULL;
    if (!cache)
        goto fail;
    if (!shared->memory_length)
        return cache;
    if (!(memory = run_encoder(cache, arena, model, source, error)))
        return NULL;
    if (read_memory(cache, arena, shared, memory))
        return cache;
fail:
    error_set(error, ERROR_MEMORY, 0, 0,
              "there is no memory to keep the keys and values of %zu words", capacity);
    return NULL;
}

void kv_cache_copy(KvCache *to, const KvCache *from) {
    const Shared *shared = from->shared;
    size_t d = shared->shape.d_model, bytes = from->length * d * sizeof *to->keys;
    assert(to->shared == shared && to != from);
    for (size_t i = 0; i < shared->layer_count; i++) {
        size_t first = i * shared->capacity * d;
        memcpy(to->keys + first, from->keys + first, bytes);
        memcpy(to->values + first, from->values + first, bytes);
    }
    memcpy(to->padding, from->padding, from->length * sizeof *to->padding);
    memcpy(to->x, from->x, d * sizeof *to->x);
    to->is_padded = from->is_padded;
    to->length = from->length;
}

/* ---- what it holds and took ---- */

size_t kv_cache_length(const KvCache *cache) {
    return cache->length;
}

static Tensor rows_of(const KvCache *cache, double *all, size_t layer) {
    size_t d = cache->shared->shape.d_model;
    assert(layer < cache->shared->layer_count);
    return (Tensor){.rows = cache->length,
                    .cols = d,
                    .values = all + layer * cache->shared->capacity * d};
}

Tensor kv_cache_keys(const KvCache *cache, size_t layer) {
    return rows_of(cache, cache->keys, layer);
}

Tensor kv_cache_values(const KvCache *cache, size_t layer) {
    return rows_of(cache, cache->values, layer);
}

size_t kv_cache_take_multiplications(KvCache *cache) {
    size_t count = cache->multiplications;
    cache->multiplications = 0;
    return count;
}

size_t kv_cache_create_multiplications(const TransformerShape *shape, size_t source) {
    if (shape->kind != TRANSFORMER_ENCODER_DECODER)
        return 0;
    return predict_encoder_multiplications(shape, source) +
           shape->decoder_layers * 2 * source * shape->d_model * shape->d_model;
}

size_t kv_cache_read_multiplications(const TransformerShape *shape, size_t source,
                                     size_t target) {
    size_t d = shape->d_model, own = 4 * d * d + 2 * target * d;
    size_t cross =
        shape->kind == TRANSFORMER_ENCODER_DECODER ? 2 * d * d + 2 * source * d : 0;
    return shape->decoder_layers * (own + cross + 2 * d * shape->d_ff);
}

size_t kv_cache_logits_multiplications(const TransformerShape *shape) {
    return shape->d_model * predict_words(shape);
}
