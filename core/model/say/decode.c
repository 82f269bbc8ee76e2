#include "model/say/decode.h"

#include "model/say/kv_cache.h"

/* A text being said. */
typedef struct Saying {
    PredictModel model;
    const TransformerInput *input;
    const DecodeOptions *options;
    Decode *decode;
    DecodeTurn *turns;
    size_t *ids;    /* begin + length of them */
    double *target; /* the same as the model reads them */
    double *logits;
    Arena *arena;
    Arena *kept;    /* while words are being said: the cache */
    KvCache *cache; /* NULL: none */
    Random random;
    Error *error;
} Saying;

static bool no_memory(Error *error) {
    return error_set(error, ERROR_MEMORY, 0, 0,
                     "there is no memory to say so many words; ask for fewer");
}

bool decode_check_length(size_t length, Error *error) {
    return (length >= 1 && length <= DECODE_LENGTH_MAX) ||
           error_set(error, ERROR_VALUE, 0, 0,
                     "the length is %zu words, but must be from 1 to %d", length,
                     DECODE_LENGTH_MAX);
}

/* The logits behind all IDs so far. */
static bool predict(Saying *this, DecodeTurn *turn) {
    turn->read = this->decode->count;
    if (this->cache) {
        size_t known = kv_cache_length(this->cache);
        turn->rows = turn->read - known;
        for (size_t i = known; i < turn->read; i++)
            kv_cache_read(this->cache, this->ids[i]);
        kv_cache_logits(this->cache, this->logits);
        turn->multiplications = kv_cache_take_multiplications(this->cache);
        return true;
    }
    TransformerInput input = {.source = this->input->source};
    input.target = (Tensor){.rows = 1, .cols = turn->read, .values = this->target};
    turn->rows = turn->read;
    return predict_logits(this->logits, &turn->multiplications, this->model, &input,
                          this->error);
}

static void append_id(Saying *this, size_t id) {
    this->ids[this->decode->count] = id;
    this->target[this->decode->count++] = (double)id;
}

static bool take_turn(Saying *this, DecodeTurn *turn) {
    Decode *decode = this->decode;
    ChooseWord *words = arena_alloc(this->arena, decode->word_count, sizeof *words);
    size_t *order = arena_alloc(this->arena, decode->word_count, sizeof *order);
    if (!words || !order)
        return no_memory(this->error);
    if (!predict(this, turn) ||
        !choose_words(words, order, this->logits, decode->word_count,
                      &this->options->choose, this->error))
        return false;
    turn->words = words;
    turn->order = order;
    turn->chosen = decode->first_output +
                   choose_draw(words, order, decode->word_count, &this->random);
    decode->turn_count++;
    decode->multiplications += turn->multiplications;
    decode->ended = turn->chosen == this->options->end;
    append_id(this, turn->chosen);
    return true;
}

/* Room for all that is kept, and the text's beginning. */
static bool prepare(Saying *this) {
    const Tensor *begin = &this->input->target;
    size_t most = begin->cols + this->options->length;
    this->ids = arena_alloc(this->arena, most, sizeof *this->ids);
    this->turns = arena_alloc(this->arena, this->options->length, sizeof *this->turns);
    this->target = arena_alloc(this->arena, most, sizeof *this->target);
    this->logits =
        arena_alloc(this->arena, this->decode->word_count, sizeof *this->logits);
    if (!this->ids || !this->turns || !this->target || !this->logits)
        return no_memory(this->error);
    this->decode->ids = this->ids;
    this->decode->turns = this->turns;
    for (size_t i = 0; i < begin->cols; i++)
        append_id(this, (size_t)begin->values[i]);
    random_init(&this->random, this->options->seed);
    if (this->options->cache)
        this->cache = kv_cache_create(this->kept, this->model, &this->input->source, most,
                                      this->error);
    return this->cache || !this->options->cache;
}

bool decode_run(Decode *decode, Arena *arena, PredictModel model,
                const TransformerInput *input, const DecodeOptions *options,
                Error *error) {
    const TransformerShape *shape = &model.model->shape;
    Saying this = {.model = model,
                   .input = input,
                   .options = options,
                   .decode = decode,
                   .arena = arena,
                   .error = error};
    if (!predict_check(shape, input, error) || !choose_check(&options->choose, error) ||
        !decode_check_length(options->length, error))
        return false;
    *decode = (Decode){.begin = input->target.cols,
                       .word_count = predict_words(shape),
                       .first_output = shape->first_output};
    if (!(this.kept = arena_create_within(arena, PREDICT_MEMORY)))
        return no_memory(error);
    bool good = prepare(&this);
    while (good && !decode->ended && decode->turn_count < options->length)
        good = take_turn(&this, &this.turns[decode->turn_count]);
    arena_destroy(this.kept);
    return good;
}
