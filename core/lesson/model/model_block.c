#include "lesson/model/model_parts.h"

#include "lesson/read/lesson_files.h"
#include "model/weights/config.h"
#include "text/tokenizer.h"

#include <string.h>

/* The `model:` block being read. */
typedef struct ModelReader {
    LessonReader *reader;
    const ModelSpec *spec;
    TransformerShape shape;
    ModelWeights weights;
    ModelWords words[2]; /* vocabularies by TransformerSide; equal if there is only one */
    TransformerInput input;
} ModelReader;

/* ---- the shape ---- */

/* The file's shape, with the learner's variants. */
static TransformerShape shape_of(const ModelSpec *spec, const LessonSwitches *switches) {
    LessonNorm norm = switches->norm != LESSON_NORM_OWN ? switches->norm : spec->norm;
    bool pre = norm != LESSON_NORM_POST;
    size_t heads = switches->heads ? switches->heads : spec->heads;
    /* other numbers of heads form groups of the same size, if possible */
    bool whole = spec->kv_heads * heads % spec->heads == 0;
    size_t kv_heads = whole ? spec->kv_heads * heads / spec->heads : spec->kv_heads;
    return (TransformerShape){
        .kind = spec->kind,
        .d_model = spec->d_model,
        .heads = heads,
        .kv_heads = kv_heads,
        .d_ff = spec->d_ff ? spec->d_ff : 4 * spec->d_model,
        .encoder_layers = spec->encoder_layers ? spec->encoder_layers : spec->layers,
        .decoder_layers = spec->decoder_layers ? spec->decoder_layers : spec->layers,
        .epsilon = spec->epsilon,
        .pre_norm = pre,
        .rms = spec->norm == LESSON_NORM_RMS,
        .final_norm = schema_lookup(&spec->place, "final_norm") ? spec->final_norm : pre,
        .scale_embedding = spec->scale_embedding,
        .biases = spec->biases,
        .tied = spec->tie,
        .context = spec->context,
        .positions = spec->positions,
        .rotary_base = spec->rotary_base,
        .activation = spec->activation,
        .mask = switches->mask,
        .temperature = switches->temperature,
        .segments = spec->segments,
        .embedding_norm = spec->embedding_norm,
        .unpadded = !spec->padding,
        .first_output = spec->padding, /* padding is never generated */
    };
}

/* ---- words ---- */

static bool has_side(const ModelReader *this, TransformerSide side) {
    const TransformerTower *tower;
    for (size_t i = 0; (tower = transformer_tower(this->shape.kind, i)); i++) {
        if (tower->side == side)
            return true;
    }
    return false;
}

/* Returns the texts that define a vocabulary if nothing else does: those of the training.
 * NULL if something else does. */
static const YamlNode *trained_texts(const ModelReader *this, TrainingTexts which) {
    const ModelSpec *spec = this->spec;
    if (spec->vocabulary || spec->target_vocabulary || spec->corpus.node ||
        spec->target_corpus.node || !this->weights.train)
        return NULL;
    return training_texts(this->reader->lesson->arena, this->weights.train, which);
}

/* Reads the vocabulary under `key`, "vocabulary" or "target_vocabulary". */
static bool read_vocabulary(ModelReader *this, const char *key,
                            const YamlNode *vocabulary, const YamlNode *corpus,
                            TrainingTexts trained, ModelWords *words) {
    bool decodes = has_side(this, TRANSFORMER_TARGET);
    ModelWordsSource source = {
        .vocabulary = vocabulary,
        .texts = &this->reader->texts,
        .corpus = corpus,
        .tokenizer = tokenizer_kind(this->spec->tokenizer),
        .merges = this->spec->merges,
        .start = decodes ? this->spec->start : NULL,
        .end = decodes ? this->spec->end : NULL,
        .unpadded = !this->spec->padding,
    };
    if (!vocabulary && !corpus)
        source.corpus = trained_texts(this, trained);
    if (vocabulary && corpus)
        return yaml_error(this->reader->errors, ERROR_VALUE, corpus->key,
                          "'%s:' and '%s:' both give the tokens; keep one", key,
                          corpus->key->text);
    return model_words_read(words, this->reader->lesson->arena, &source,
                            this->reader->errors);
}

static bool read_words(ModelReader *this) {
    const ModelSpec *spec = this->spec;
    ModelWords *source = &this->words[TRANSFORMER_SOURCE];
    ModelWords *target = &this->words[TRANSFORMER_TARGET];
    bool own = spec->target_vocabulary || spec->target_corpus.node;
    bool trained = trained_texts(this, TRAINING_ALL) != NULL;
    if (!spec->vocabulary && !spec->corpus.node && !trained)
        return yaml_error(
            this->reader->errors, ERROR_NAME, spec->place.node,
            "the model has no vocabulary; write 'corpus:' with a list of texts, or "
            "'vocabulary:' with a list of tokens or how many IDs there are");
    if (spec->separate && !trained)
        return yaml_error(
            this->reader->errors, ERROR_VALUE, schema_lookup(&spec->place, "separate"),
            "'separate: true' makes two vocabularies of the texts a model is "
            "trained with; here 'target_corpus:' or 'target_vocabulary:' says "
            "the target's");
    if (!read_vocabulary(this, "vocabulary", spec->vocabulary, spec->corpus.node,
                         spec->separate ? TRAINING_SOURCES : TRAINING_ALL, source))
        return false;
    *target = *source;
    return !(own || spec->separate) ||
           read_vocabulary(this, "target_vocabulary", spec->target_vocabulary,
                           spec->target_corpus.node, TRAINING_TARGETS, target);
}

/* Labels IDs without labels with the lesson's words. */
static void label_ids(const ModelReader *this, Tensor *ids) {
    const SchemaStrings *tokens = &this->reader->spec.tokens;
    if (!ids->col_labels && tokens->count == ids->cols)
        ids->col_labels = tokens->items;
}

static bool fits_context(const ModelReader *this, const YamlNode *node,
                         const Tensor *ids) {
    const Texts *texts = &this->reader->texts;
    Error error;
    if (!this->spec->context || ids->cols <= this->spec->context)
        return true;
    const Config *config = this->reader->config;
    const ConfigValue *most = config ? config_value(config, "context") : NULL;
    if (most && most->most)
        error_set(&error, ERROR_LIMIT, 0, 0,
                  "it is cut into %zu tokens, but %s:%d:%d says '%s' %s: a longer text "
                  "would need a mask of that width, which is not computed; write a "
                  "shorter one",
                  ids->cols, this->reader->config_file, most->line, most->column,
                  most->key, most->text);
    else
        error_set(&error, ERROR_LIMIT, 0, 0,
                  "it is cut into %zu tokens, but the model reads %zu at most; write a "
                  "shorter one",
                  ids->cols, this->spec->context);
    return texts_refuse(texts, node, texts->first, &error, this->reader->errors);
}

static bool read_ids(ModelReader *this, TransformerSide side, const char *key,
                     const YamlNode *node, Tensor *ids) {
    const YamlNode *model = this->spec->place.node;
    const char *start = side == TRANSFORMER_TARGET ? this->spec->start : NULL;
    bool has = has_side(this, side);
    if (has != (node != NULL))
        return error_list_add(this->reader->errors, node ? ERROR_VALUE : ERROR_NAME,
                              node ? node->key->line : model->line,
                              node ? node->key->column : model->column,
                              node ? "kind %s reads no %s; leave '%s:' out"
                                   : "kind %s reads a %s; write '%s:' with a text or a "
                                     "list of IDs",
                              transformer_kind_name(this->shape.kind), key, key);
    if (!has)
        return true;
    const ModelWords *words = &this->words[side];
    Texts *texts = &this->reader->texts;
    ErrorList *errors = this->reader->errors;
    if (node->kind == YAML_SCALAR) {
        Error error;
        const char *text =
            texts_use(texts, this->reader->lesson->arena, node->text, &words->tokenizer);
        if (!model_words_text(words, text, key, start, ids, &error))
            return texts_refuse(texts, node, text, &error, errors);
    } else if (!model_words_ids(words, node, key, start, ids, errors))
        return false;
    label_ids(this, ids);
    return fits_context(this, node, ids);
}

/* Returns the words for reading a target. */
static TrainingWords training_words(const ModelReader *this) {
    return (TrainingWords){&this->words[TRANSFORMER_SOURCE],
                           &this->words[TRANSFORMER_TARGET], this->spec->start,
                           this->spec->end};
}

/* Reads target and `expected:`; without a `target:` the decoder reads the expected text,
 * shifted right. */
static bool read_target(ModelReader *this) {
    const YamlNode *node = this->spec->expected, *target = this->spec->target;
    TransformerInput *input = &this->input;
    TrainingWords words = training_words(this);
    Tensor shifted;
    if (!node)
        return read_ids(this, TRANSFORMER_TARGET, "target", target, &input->target);
    if (!has_side(this, TRANSFORMER_TARGET))
        return yaml_error(this->reader->errors, ERROR_VALUE, node->key,
                          "kind encoder generates no tokens; leave 'expected:' out");
    if (!training_read_target(this->reader, node, "expected", &words, &shifted,
                              &input->expected))
        return false;
    if (!target) {
        input->target = shifted;
        return true;
    }
    if (!read_ids(this, TRANSFORMER_TARGET, "target", target, &input->target))
        return false;
    return input->target.cols == input->expected.cols ||
           yaml_error(this->reader->errors, ERROR_SHAPE, node,
                      "the decoder reads %zu tokens, but %zu are expected, with "
                      "%s; leave 'target:' out, and it reads the expected tokens, "
                      "shifted by one position",
                      input->target.cols, input->expected.cols, this->spec->end);
}

static bool read_input(ModelReader *this) {
    const ModelWords *words = this->words;
    TransformerInput *input = &this->input;
    bool good =
        read_ids(this, TRANSFORMER_SOURCE, "source", this->spec->source, &input->source);
    good &= read_target(this);
    input->source_words = words[TRANSFORMER_SOURCE].tokens;
    input->target_words = model_words_labels(&words[TRANSFORMER_TARGET]);
    this->shape.source_vocabulary = words[TRANSFORMER_SOURCE].ids;
    this->shape.target_vocabulary = words[TRANSFORMER_TARGET].ids;
    return good;
}

static bool read_training(ModelReader *this) {
    const TrainingWords words = training_words(this);
    return !this->weights.train ||
           training_read(this->reader, this->weights.train, this->shape.kind, &words);
}

/* ---- the whole block ---- */

/* Returns the position in the file of a field of the shape. */
static const YamlNode *place_of(const ModelReader *this, const char *field) {
    static const struct {
        const char *field, *keys[3];
    } keys_of_field[] = {
        {"encoder_layers", {"encoder_layers", "layers"}},
        {"decoder_layers", {"decoder_layers", "layers"}},
        {"source_vocabulary", {"vocabulary", "corpus"}},
        {"target_vocabulary", {"target_vocabulary", "target_corpus", "vocabulary"}},
        {"unpadded", {"padding"}},
        {"first_output", {"target_vocabulary", "target_corpus", "vocabulary"}},
    };
    const SchemaPlace *place = &this->spec->place;
    const YamlNode *node = schema_lookup(place, field);
    for (size_t i = 0; i < sizeof keys_of_field / sizeof *keys_of_field; i++) {
        for (size_t j = 0; j < 3 && !node && strcmp(keys_of_field[i].field, field) == 0;
             j++) {
            if (keys_of_field[i].keys[j])
                node = schema_lookup(place, keys_of_field[i].keys[j]);
        }
    }
    return node ? node : place->node;
}

/* Stores the source texts of the model's input and targets. */
static void keep_sources(const ModelReader *this, const Transformer *model) {
    const ModelWords *words = this->reader->lesson->words;
    for (size_t i = 0; i < model->part_count; i++) {
        const TransformerPart *part = &model->parts[i];
        bool expected = part->kind == TRANSFORMER_EXPECTED;
        if (!expected && part->kind != TRANSFORMER_IDS)
            continue;
        const Tokenizer *tokenizer =
            &words[expected ? TRANSFORMER_TARGET : part->tower->side].tokenizer;
        if (tokenizer->vocabulary)
            reader_keep_source(
                this->reader, (LessonSource){.node = part->node, .tokenizer = tokenizer});
    }
}

static bool append_model(ModelReader *this) {
    LessonReader *reader = this->reader;
    Lesson *lesson = reader->lesson;
    Transformer *model = arena_alloc(lesson->arena, 1, sizeof *model);
    const char *field;
    Error error;
    TransformerWeights weights;
    if (!transformer_check(&this->shape, &field, &error)) {
        const YamlNode *place = place_of(this, field);
        return yaml_error_append(reader->errors, &error, place);
    }
    bool made = model_weights_open(&this->weights, reader, &this->shape, &weights);
    if (made && !transformer_append(lesson->tape, lesson->arena, &this->shape,
                                    &this->input, weights, model, &error))
        made = yaml_error_append(reader->errors, &error, this->spec->place.node);
    if (made && this->weights.train)
        made = training_run(reader, this->weights.train, model);
    model_weights_close(&this->weights);
    if (!made)
        return false;
    ModelWords *words = arena_alloc(lesson->arena, 2, sizeof *words);
    memcpy(words, this->words, sizeof this->words);
    lesson->words = words;
    lesson->start = this->spec->start;
    lesson->end = this->spec->end;
    lesson->model = model;
    keep_sources(this, model);
    const TrainingWords trained = training_words(this);
    const WeightsSpec *given = this->spec->weights;
    return other_texts_read(reader, this->spec, words, &this->input) &&
           held_out_read(reader, given ? given->train : NULL, &trained);
}

typedef const YamlNode *(*ReadList)(Arena *arena, const char *lesson,
                                    const YamlNode *name, ErrorList *errors);

/* Reads what a training learns from a file, if there is one; not if the lesson has it,
 * too. */
static bool read_listed(LessonReader *reader, const char *key, const YamlNode **list,
                        const YamlNode *file, ReadList read) {
    if (!file)
        return true;
    if (*list)
        return yaml_error(reader->errors, ERROR_VALUE, file->key,
                          "'%s:' and '%s:' both give the %s to learn from; keep one", key,
                          file->key->text, key);
    *list = read(reader->lesson->arena, reader->lesson->file, file, reader->errors);
    return *list != NULL;
}

/* Finds the training to run: NULL if its resulting weights are cached, unless untrained
 * weights or those of another seed are requested. Texts and pairs of a file are read. */
static bool find_training(LessonReader *reader, const TrainSpec *train_spec,
                          ModelWeights *weights) {
    Arena *arena = reader->lesson->arena;
    weights->train = train_spec;
    bool seeded = reader->lesson->switches.seeded;
    if (train_spec && train_spec->kept && !reader->untrained && !seeded) {
        weights->train = NULL;
        weights->file = train_spec->kept;
    }
    if (!weights->train || !(train_spec->texts_file || train_spec->pairs_file))
        return true;
    TrainSpec *read = arena_alloc(arena, 1, sizeof *read);
    *read = *train_spec;
    weights->train = read;
    return read_listed(reader, "texts", &read->texts, read->texts_file,
                       lesson_file_lines) &&
           read_listed(reader, "pairs", &read->pairs, read->pairs_file,
                       lesson_file_pairs);
}

bool model_block_read(LessonReader *reader, const ModelSpec *spec) {
    const WeightsSpec *weights = spec->weights;
    ModelReader this = {.reader = reader, .spec = spec};
    reader->model_line = spec->place.node->line;
    if (spec->place.broken)
        return false;
    this.shape = shape_of(spec, &reader->lesson->switches);
    if (weights)
        this.weights = (ModelWeights){.seed = weights->random, .file = weights->file};
    reader->lesson->is_trained = weights && weights->train;
    if (reader->lesson->is_trained)
        reader->lesson->own_seed = weights->train->seed;
    else if (reader->lesson->switches.seeded)
        return yaml_error(reader->errors, ERROR_VALUE, spec->place.node,
                          "this model is not trained here, so there is no seed to train "
                          "it with; it has no 'weights: {train: …}'");
    if (weights && !find_training(reader, weights->train, &this.weights))
        return false;
    if (this.weights.train && !spec->padding)
        return yaml_error(reader->errors, ERROR_VALUE,
                          schema_lookup(&spec->place, "padding"),
                          "a model that is trained here takes ID 0 for padding; leave "
                          "'padding: false' out");
    if (this.weights.train &&
        !training_suits(reader, this.weights.train, this.shape.kind))
        return false;
    if (!read_words(&this) || !read_input(&this) || !read_training(&this) ||
        !append_model(&this))
        return false;
    if (spec->steps == MODEL_STEPS_ALL)
        model_steps_make(reader, this.weights.file && spec->padding);
    return model_steps_name(reader);
}
