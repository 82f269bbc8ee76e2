#include "lesson/model/training.h"

#include "base/utf8.h"
#include "lesson/read/field.h"

#include <string.h>

/* ---- the texts as a corpus ---- */

/* The list being made. */
typedef struct TextList {
    Arena *arena;
    YamlNode *list, *last;
} TextList;

static void add_text(TextList *texts, const YamlNode *node) {
    YamlNode *copy = node && node->kind == YAML_SCALAR
                         ? arena_alloc(texts->arena, 1, sizeof *copy)
                         : NULL;
    if (!copy)
        return;
    *copy = *node;
    copy->next = NULL;
    if (texts->last)
        texts->last->next = copy;
    else
        texts->list->first = copy;
    texts->last = copy;
    texts->list->count++;
}

const YamlNode *training_texts(Arena *arena, const YamlNode *train, TrainingTexts which) {
    const YamlNode *pairs = yaml_lookup(train, "pairs");
    const YamlNode *alone = yaml_lookup(train, "texts");
    TextList texts = {.arena = arena, .list = arena_alloc(arena, 1, sizeof *texts.list)};
    if (!texts.list)
        return NULL;
    *texts.list = *train;
    texts.list->kind = YAML_SEQUENCE;
    texts.list->first = NULL;
    texts.list->count = 0;
    for (const YamlNode *pair = pairs ? pairs->first : NULL; pair; pair = pair->next) {
        if (which != TRAINING_TARGETS)
            add_text(&texts, pair->first);
        if (which != TRAINING_SOURCES && pair->first)
            add_text(&texts, pair->first->next);
    }
    for (const YamlNode *text = alone ? alone->first : NULL; text; text = text->next)
        add_text(&texts, text);
    return texts.list->count ? texts.list : NULL;
}

/* ---- options ---- */

static bool read_whole(LessonReader *reader, const YamlNode *train, const char *key,
                       size_t largest, size_t *value) {
    const YamlNode *node = yaml_lookup(train, key);
    return !node || field_whole(node, key, 0, largest, value, reader->errors);
}

static bool read_number(LessonReader *reader, const YamlNode *train, const char *key,
                        double *value) {
    const YamlNode *node = yaml_lookup(train, key);
    return !node || field_number(node, key, value, reader->errors);
}

static bool read_kind(LessonReader *reader, const YamlNode *train, OptimizerKind *kind) {
    const YamlNode *node = yaml_lookup(train, "optimizer");
    const char *name;
    char quoted[UTF8_SHORT_SIZE];
    if (!node)
        return true;
    if (!field_string(node, "optimizer", &name, reader->errors))
        return false;
    for (size_t i = 0; i < OPTIMIZER_KIND_COUNT; i++) {
        if (strcmp(optimizer_kind_name((OptimizerKind)i), name) == 0) {
            *kind = (OptimizerKind)i;
            return true;
        }
    }
    return error_list_add(reader->errors, ERROR_VALUE, node->line, node->column,
                          "optimizer is '%s', but must be one of: adam, sgd",
                          utf8_shorten(quoted, name, strlen(name)));
}

enum { DEFAULT_EPOCHS = 200, EXAMPLES_MOST = 100000 };

#define DEFAULT_LEARNING_RATE 0.01

/* How many examples an update takes: a number, or `all`, which is 0. */
static bool read_batch(LessonReader *reader, const YamlNode *train, size_t *batch) {
    const YamlNode *node = yaml_lookup(train, "batch");
    if (node && node->kind == YAML_SCALAR && strcmp(node->text, "all") == 0) {
        *batch = 0;
        return true;
    }
    return read_whole(reader, train, "batch", EXAMPLES_MOST, batch);
}

static bool read_options(LessonReader *reader, const YamlNode *train,
                         TrainOptions *options) {
    size_t seed = 0;
    Error error;
    const char *field;
    *options = (TrainOptions){.optimizer = optimizer_options(), .epochs = DEFAULT_EPOCHS};
    OptimizerOptions *optimizer = &options->optimizer;
    optimizer->learning_rate = DEFAULT_LEARNING_RATE;
    bool good = read_whole(reader, train, "epochs", TRAIN_MAX_EPOCHS, &options->epochs);
    good &= read_batch(reader, train, &options->batch);
    good &= read_whole(reader, train, "seed", (size_t)1 << 53, &seed);
    good &= read_whole(reader, train, "warmup", (size_t)1 << 53, &optimizer->warmup);
    good &= read_number(reader, train, "learning_rate", &optimizer->learning_rate);
    good &= read_number(reader, train, "clip", &optimizer->clip);
    good &= read_kind(reader, train, &optimizer->kind);
    options->seed = seed;
    if (!good || train_check(options, &field, &error))
        return good;
    const YamlNode *node = yaml_lookup(train, field);
    node = node ? node : train;
    return error_list_append(reader->errors, &error, node->line, node->column);
}

/* ---- examples ---- */

/* The vocabulary's entry of the start or the end; NULL with an error. */
static const VocabularyEntry *lookup_special(LessonReader *reader, const YamlNode *node,
                                             const ModelWords *words, const char *token,
                                             const char *where) {
    const VocabularyEntry *entry =
        words->tokens
            ? vocabulary_lookup(words->tokenizer.vocabulary, token, strlen(token))
            : NULL;
    if (!entry)
        error_list_add(reader->errors, ERROR_NAME, node->line, node->column,
                       "the vocabulary has no '%s', which stands at the %s of what the "
                       "decoder learns; add it to the vocabulary",
                       token, where);
    return entry;
}

/* `count` IDs of `ids` from `first` on, with one more before or behind them. */
static bool make_row(LessonReader *reader, const Tensor *ids, size_t first, size_t count,
                     const VocabularyEntry *more, bool before, Tensor *row) {
    Arena *arena = reader->lesson->arena;
    double *values = arena_alloc(arena, count + 1, sizeof *values);
    const char **labels = arena_alloc(arena, count + 1, sizeof *labels);
    for (size_t i = 0; i < count; i++) {
        values[i + before] = ids->values[first + i];
        labels[i + before] = ids->col_labels ? ids->col_labels[first + i] : NULL;
    }
    values[before ? 0 : count] = (double)more->id;
    labels[before ? 0 : count] = more->text;
    *row = (Tensor){.rows = 1,
                    .cols = count + 1,
                    .values = values,
                    .col_labels = ids->col_labels ? labels : NULL};
    return true;
}

bool training_read_target(LessonReader *reader, const YamlNode *node, const char *what,
                          const TrainingWords *words, Tensor *target, Tensor *expected) {
    const VocabularyEntry *start =
        lookup_special(reader, node, words->target, words->start, "beginning");
    const VocabularyEntry *end =
        start ? lookup_special(reader, node, words->target, words->end, "end") : NULL;
    Tensor ids;
    if (!end ||
        !model_words_ids(words->target, node, what, NULL, NULL, &ids, reader->errors))
        return false;
    /* A start or an end that the text has already is not put twice. */
    size_t first = ids.values[0] == (double)start->id, count = ids.cols - first;
    if (count && ids.values[ids.cols - 1] == (double)end->id)
        count--;
    if (!count)
        return error_list_add(reader->errors, ERROR_VALUE, node->line, node->column,
                              "%s has no words between its start and its end; there "
                              "must be one at least",
                              what);
    return make_row(reader, &ids, first, count, start, true, target) &&
           make_row(reader, &ids, first, count, end, false, expected);
}

static bool read_pair(LessonReader *reader, const YamlNode *pair,
                      const TrainingWords *words, TrainExample *example) {
    if (pair->kind != YAML_SEQUENCE || pair->count != 2)
        return error_list_add(reader->errors, ERROR_VALUE, pair->line, pair->column,
                              "a pair must be a source and its target, [\"when you "
                              "play\", \"you win\"]");
    bool good = model_words_ids(words->source, pair->first, "a source", NULL, NULL,
                                &example->source, reader->errors);
    return good & training_read_target(reader, pair->first->next, "a target", words,
                                       &example->target, &example->expected);
}

static bool read_examples(LessonReader *reader, const YamlNode *list, bool pairs,
                          const TrainingWords *words, LessonTraining *training) {
    bool good = true;
    if (list->kind != YAML_SEQUENCE || !list->count)
        return error_list_add(reader->errors, ERROR_VALUE, list->line, list->column,
                              "%s must be a list of %s, with one at least",
                              pairs ? "pairs" : "texts",
                              pairs ? "sources with their targets, [[\"when you play\", "
                                      "\"you win\"]]"
                                    : "texts, [\"you win or you die\"]");
    if (list->count > EXAMPLES_MOST)
        return error_list_add(reader->errors, ERROR_LIMIT, list->line, list->column,
                              "there are %zu examples; the limit is %d", list->count,
                              EXAMPLES_MOST);
    TrainExample *examples =
        arena_alloc(reader->lesson->arena, list->count, sizeof *examples);
    for (const YamlNode *item = list->first; item; item = item->next) {
        TrainExample *example = &examples[training->count++];
        if (reader->errors->count == ERROR_LIST_MAX)
            return false;
        good &= pairs ? read_pair(reader, item, words, example)
                      : training_read_target(reader, item, "a text", words,
                                             &example->target, &example->expected);
    }
    training->examples = examples;
    return good;
}

bool training_read(LessonReader *reader, const YamlNode *train, TransformerKind kind,
                   const TrainingWords *words) {
    static const char *const keys[] = {"pairs", "texts",  "epochs", "learning_rate",
                                       "batch", "seed",   "warmup", "optimizer",
                                       "clip",  "before", NULL};
    bool pairs = kind == TRANSFORMER_ENCODER_DECODER;
    const char *key = pairs ? "pairs" : "texts", *other = pairs ? "texts" : "pairs";
    LessonTraining *training = arena_alloc(reader->lesson->arena, 1, sizeof *training);
    if (!field_keys(train, "train", keys, reader->errors))
        return false;
    if (kind == TRANSFORMER_ENCODER)
        return error_list_add(reader->errors, ERROR_VALUE, train->line, train->column,
                              "kind encoder says no words that it could learn; train an "
                              "encoder_decoder or a decoder");
    const YamlNode *list = yaml_lookup(train, key), *wrong = yaml_lookup(train, other);
    if (!list || wrong)
        return error_list_add(
            reader->errors, ERROR_NAME, wrong ? wrong->key->line : train->line,
            wrong ? wrong->key->column : train->column,
            "kind %s learns from %s; write %s", transformer_kind_name(kind), key,
            pairs ? "'pairs: [[\"when you play\", \"you win\"]]'"
                  : "'texts: [\"you win or you die\"]'");
    bool good = read_options(reader, train, &training->options);
    good &= read_examples(reader, list, pairs, words, training);
    reader->training = training;
    reader->lesson->training = training;
    return good;
}
