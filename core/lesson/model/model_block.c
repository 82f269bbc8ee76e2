#include "lesson/read/reader.h"

#include "base/utf8.h"
#include "lesson/model/model_steps.h"
#include "lesson/model/model_weights.h"
#include "lesson/model/model_words.h"
#include "lesson/model/training.h"
#include "lesson/model/training_run.h"
#include "lesson/read/field.h"

#include <string.h>

/* A `model:` block being read. */
typedef struct ModelReader {
    LessonReader *reader;
    const YamlNode *node;
    TransformerShape shape;
    ModelWeights weights;
    const char *start;   /* put before a decoder's text */
    const char *end;     /* that it would end with */
    ModelWords words[2]; /* by TransformerSide; the same where there is one vocabulary */
    TransformerInput input;
    bool has_steps; /* of its own, and not only those that the lesson makes of it */
} ModelReader;

static bool refuse(const ModelReader *this, const YamlNode *node, ErrorCode code,
                   const char *sentence) {
    return error_list_add(this->reader->errors, code, node->line, node->column, "%s",
                          sentence);
}

/* ---- the shape ---- */

enum { SIZE_MOST = TENSOR_MAX_CELLS };

/* A size that is at least 1; `otherwise` where the key is not there. */
static bool read_size(ModelReader *this, const char *key, size_t otherwise,
                      size_t *size) {
    const YamlNode *node = yaml_lookup(this->node, key);
    *size = otherwise;
    if (!node)
        return true;
    if (!field_whole(node, key, SIZE_MOST, size, this->reader->errors))
        return false;
    return *size > 0 ||
           error_list_add(this->reader->errors, ERROR_VALUE, node->line, node->column,
                          "%s is 0, but must be 1 or more", key);
}

/* One of a few words; *index is which. */
static bool read_choice(ModelReader *this, const char *key, const char *const *choices,
                        size_t count, size_t *index) {
    const YamlNode *node = yaml_lookup(this->node, key);
    const char *word;
    char shortened[UTF8_SHORT_SIZE], all[100] = "";
    if (!node)
        return true;
    if (!field_string(node, key, &word, this->reader->errors))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(choices[i], word) == 0) {
            *index = i;
            return true;
        }
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "",
                 choices[i]);
    }
    return error_list_add(this->reader->errors, ERROR_VALUE, node->line, node->column,
                          "%s is '%s', but must be one of: %s", key,
                          utf8_shorten(shortened, word, strlen(word)), all);
}

static bool read_switch(ModelReader *this, const char *key, bool *on) {
    static const char *const choices[] = {"false", "true"};
    size_t index = *on;
    bool good = read_choice(this, key, choices, 2, &index);
    *on = index == 1;
    return good;
}

static bool read_kind(ModelReader *this) {
    const char *names[TRANSFORMER_KIND_COUNT];
    size_t kind = TRANSFORMER_ENCODER_DECODER;
    for (size_t i = 0; i < TRANSFORMER_KIND_COUNT; i++)
        names[i] = transformer_kind_name((TransformerKind)i);
    bool good = read_choice(this, "kind", names, TRANSFORMER_KIND_COUNT, &kind);
    this->shape.kind = (TransformerKind)kind;
    return good;
}

static bool read_layers(ModelReader *this) {
    size_t layers;
    return read_size(this, "layers", 1, &layers) &&
           read_size(this, "encoder_layers", layers, &this->shape.encoder_layers) &&
           read_size(this, "decoder_layers", layers, &this->shape.decoder_layers);
}

static bool read_shape(ModelReader *this) {
    static const char *const norms[] = {"post", "pre"};
    TransformerShape *shape = &this->shape;
    const YamlNode *epsilon = yaml_lookup(this->node, "epsilon");
    size_t norm = 0;
    shape->epsilon = LAYER_NORM_EPSILON;
    shape->biases = true;
    bool good = read_kind(this);
    if (!yaml_lookup(this->node, "d_model"))
        good = refuse(this, this->node, ERROR_NAME,
                      "the model has no d_model; write 'd_model: 8' or another size");
    good &= read_size(this, "d_model", 1, &shape->d_model);
    good &= read_size(this, "heads", 1, &shape->heads);
    good &= read_size(this, "d_ff", 4 * shape->d_model, &shape->d_ff);
    good &= read_layers(this);
    good &= read_choice(this, "norm", norms, 2, &norm);
    const LessonSwitches *switches = &this->reader->lesson->switches;
    if (switches->heads)
        shape->heads = switches->heads;
    if (switches->norm != LESSON_NORM_OWN)
        norm = switches->norm == LESSON_NORM_PRE;
    shape->mask = switches->mask;
    shape->temperature = switches->temperature;
    shape->pre_norm = shape->final_norm = norm == 1;
    good &= read_switch(this, "final_norm", &shape->final_norm);
    good &= read_switch(this, "scale_embedding", &shape->scale_embedding);
    good &= read_switch(this, "biases", &shape->biases);
    return good & (!epsilon || field_number(epsilon, "epsilon", &shape->epsilon,
                                            this->reader->errors));
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

/* A special token's key; the default where there is none. */
static bool read_special(ModelReader *this, const char *key, const char **token) {
    const YamlNode *node = yaml_lookup(this->node, key);
    return !node || field_string(node, key, token, this->reader->errors);
}

/* The texts that a vocabulary is made of where nothing else says which words there are:
 * those that the model is trained with. NULL when something does. */
static const YamlNode *trained_texts(const ModelReader *this, TrainingTexts which) {
    static const char *const keys[] = {"vocabulary", "corpus", "target_vocabulary",
                                       "target_corpus"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (yaml_lookup(this->node, keys[i]))
            return NULL;
    }
    return this->weights.train
               ? training_texts(this->reader->lesson->arena, this->weights.train, which)
               : NULL;
}

static bool read_vocabulary(ModelReader *this, const char *vocabulary, const char *corpus,
                            TrainingTexts trained, ModelWords *words) {
    bool decodes = has_side(this, TRANSFORMER_TARGET);
    ModelWordsSource source = {
        .vocabulary = yaml_lookup(this->node, vocabulary),
        .texts = &this->reader->texts,
        .corpus = yaml_lookup(this->node, corpus),
        .tokenizer = yaml_lookup(this->node, "tokenizer"),
        .merges = yaml_lookup(this->node, "merges"),
        .start = decodes ? this->start : NULL,
        .end = decodes ? this->end : NULL,
    };
    if (!source.vocabulary && !source.corpus)
        source.corpus = trained_texts(this, trained);
    if (source.vocabulary && source.corpus)
        return error_list_add(this->reader->errors, ERROR_VALUE, source.corpus->key->line,
                              source.corpus->key->column,
                              "'%s:' and '%s:' both say which tokens there are; keep one",
                              vocabulary, corpus);
    return model_words_read(words, this->reader->lesson->arena, &source,
                            this->reader->errors);
}

static bool read_words(ModelReader *this) {
    ModelWords *source = &this->words[TRANSFORMER_SOURCE];
    ModelWords *target = &this->words[TRANSFORMER_TARGET];
    bool own = yaml_lookup(this->node, "target_vocabulary") ||
               yaml_lookup(this->node, "target_corpus");
    bool separate = false, trained = trained_texts(this, TRAINING_ALL) != NULL;
    this->start = "<sos>";
    this->end = "<eos>";
    if (!yaml_lookup(this->node, "vocabulary") && !yaml_lookup(this->node, "corpus") &&
        !trained)
        return refuse(this, this->node, ERROR_NAME,
                      "the model has no words; write 'corpus:' with a list of texts, or "
                      "'vocabulary:' with a list of tokens or how many IDs there are");
    if (!read_special(this, "start", &this->start) ||
        !read_special(this, "end", &this->end) ||
        !read_switch(this, "separate", &separate))
        return false;
    const YamlNode *separated = yaml_lookup(this->node, "separate");
    if (separate && !trained)
        return refuse(this, separated, ERROR_VALUE,
                      "'separate: true' makes two vocabularies of the texts a model is "
                      "trained with; here 'target_corpus:' or 'target_vocabulary:' says "
                      "the target's");
    if (!read_vocabulary(this, "vocabulary", "corpus",
                         separate ? TRAINING_SOURCES : TRAINING_ALL, source))
        return false;
    *target = *source;
    return !(own || separate) ||
           read_vocabulary(this, "target_vocabulary", "target_corpus", TRAINING_TARGETS,
                           target);
}

/* Words of the lesson's own label IDs that have none. */
static void label_ids(const ModelReader *this, Tensor *ids) {
    if (!ids->col_labels && this->reader->token_count == ids->cols)
        ids->col_labels = this->reader->tokens;
}

static bool read_ids(ModelReader *this, TransformerSide side, const char *key,
                     const char *start, Tensor *ids) {
    const YamlNode *node = yaml_lookup(this->node, key);
    bool has = has_side(this, side);
    if (has != (node != NULL))
        return error_list_add(this->reader->errors, node ? ERROR_VALUE : ERROR_NAME,
                              node ? node->key->line : this->node->line,
                              node ? node->key->column : this->node->column,
                              node ? "kind %s reads no %s; leave '%s:' out"
                                   : "kind %s reads a %s; write '%s:' with a text or a "
                                     "list of IDs",
                              transformer_kind_name(this->shape.kind), key, key);
    if (!has)
        return true;
    Texts *texts = &this->reader->texts;
    const char *text = NULL;
    if (node->kind == YAML_SCALAR)
        text = texts_use(texts, this->reader->lesson->arena, node->text,
                         &this->words[side].tokenizer);
    if (!model_words_ids(&this->words[side], node, key, start, text, ids,
                         this->reader->errors))
        return false;
    label_ids(this, ids);
    return true;
}

/* What to read a target with. */
static TrainingWords training_words(const ModelReader *this) {
    return (TrainingWords){&this->words[TRANSFORMER_SOURCE],
                           &this->words[TRANSFORMER_TARGET], this->start, this->end};
}

/* `expected:` is what should be said; without a `target:` the decoder reads the same, one
 * place late. */
static bool read_target(ModelReader *this) {
    const YamlNode *node = yaml_lookup(this->node, "expected");
    const YamlNode *target = yaml_lookup(this->node, "target");
    TransformerInput *input = &this->input;
    TrainingWords words = training_words(this);
    Tensor shifted;
    if (!node)
        return read_ids(this, TRANSFORMER_TARGET, "target", this->start, &input->target);
    if (!has_side(this, TRANSFORMER_TARGET))
        return refuse(this, node->key, ERROR_VALUE,
                      "kind encoder says no words; leave 'expected:' out");
    if (!training_read_target(this->reader, node, "expected", &words, &shifted,
                              &input->expected))
        return false;
    if (!target) {
        input->target = shifted;
        return true;
    }
    if (!read_ids(this, TRANSFORMER_TARGET, "target", this->start, &input->target))
        return false;
    return input->target.cols == input->expected.cols ||
           error_list_add(this->reader->errors, ERROR_SHAPE, node->line, node->column,
                          "the decoder reads %zu words and is expected to say %zu, with "
                          "%s; leave 'target:' out, and it reads what is expected, one "
                          "place late",
                          input->target.cols, input->expected.cols, this->end);
}

static bool read_input(ModelReader *this) {
    const ModelWords *words = this->words;
    TransformerInput *input = &this->input;
    bool good = read_ids(this, TRANSFORMER_SOURCE, "source", NULL, &input->source);
    good &= read_target(this);
    input->source_words = words[TRANSFORMER_SOURCE].tokens;
    input->target_words = words[TRANSFORMER_TARGET].tokens;
    this->shape.source_vocabulary = words[TRANSFORMER_SOURCE].ids;
    this->shape.target_vocabulary = words[TRANSFORMER_TARGET].ids;
    this->shape.first_output = 1; /* nobody says padding */
    return good;
}

static bool read_training(ModelReader *this) {
    const TrainingWords words = training_words(this);
    return !this->weights.train ||
           training_read(this->reader, this->weights.train, this->shape.kind, &words);
}

/* ---- all of it ---- */

/* Where the file says what a field of the shape is. */
static const YamlNode *place_of(const ModelReader *this, const char *field) {
    static const struct {
        const char *field, *keys[3];
    } places[] = {
        {"encoder_layers", {"encoder_layers", "layers"}},
        {"decoder_layers", {"decoder_layers", "layers"}},
        {"source_vocabulary", {"vocabulary", "corpus"}},
        {"target_vocabulary", {"target_vocabulary", "target_corpus", "vocabulary"}},
        {"first_output", {"target_vocabulary", "target_corpus", "vocabulary"}},
    };
    const YamlNode *node = yaml_lookup(this->node, field);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        for (size_t j = 0; j < 3 && !node && strcmp(places[i].field, field) == 0; j++) {
            if (places[i].keys[j])
                node = yaml_lookup(this->node, places[i].keys[j]);
        }
    }
    return node ? node : this->node;
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
        return error_list_append(reader->errors, &error, place->line, place->column);
    }
    bool made = model_weights_open(&this->weights, reader, &this->shape, &weights);
    if (made && !transformer_append(lesson->tape, lesson->arena, &this->shape,
                                    &this->input, weights, model, &error))
        made = error_list_append(reader->errors, &error, this->node->line,
                                 this->node->column);
    if (made && this->weights.train)
        made = training_run(reader, this->weights.train, model);
    model_weights_close(&this->weights);
    if (!made)
        return false;
    ModelWords *words = arena_alloc(lesson->arena, 2, sizeof *words);
    memcpy(words, this->words, sizeof this->words);
    lesson->words = words;
    lesson->start = this->start;
    lesson->end = this->end;
    lesson->model = model;
    return true;
}

bool reader_read_model(LessonReader *reader, const YamlNode *node) {
    static const char *const keys[] = {"kind",
                                       "d_model",
                                       "heads",
                                       "d_ff",
                                       "layers",
                                       "encoder_layers",
                                       "decoder_layers",
                                       "norm",
                                       "epsilon",
                                       "final_norm",
                                       "scale_embedding",
                                       "biases",
                                       "source",
                                       "target",
                                       "expected",
                                       "tokenizer",
                                       "merges",
                                       "vocabulary",
                                       "corpus",
                                       "target_vocabulary",
                                       "target_corpus",
                                       "separate",
                                       "start",
                                       "end",
                                       "steps",
                                       "weights",
                                       NULL};
    ModelReader this = {.reader = reader, .node = node, .has_steps = true};
    bool good = field_keys(node, "the model", keys, reader->errors);
    if (node->kind != YAML_MAPPING)
        return false;
    reader->model_line = node->line;
    good &= read_shape(&this);
    good &= model_weights_read(&this.weights, reader, yaml_lookup(node, "weights"));
    good &= read_switch(&this, "steps", &this.has_steps);
    good &= read_words(&this) && read_input(&this) && read_training(&this);
    if (!good || !append_model(&this))
        return false;
    if (this.has_steps)
        model_steps_make(reader, this.weights.file != NULL);
    return model_steps_name(reader);
}
