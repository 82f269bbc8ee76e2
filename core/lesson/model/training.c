#include "lesson/model/model_parts.h"

#include "base/strings/utf8.h"
#include "lesson/schema/schema.h"
#include "model/learn/train.h"
#include "text/vocabulary.h"

#include <string.h>

/* ---- the texts as a corpus ---- */

/* The list under construction. */
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

const YamlNode *training_texts(Arena *arena, const TrainSpec *train,
                               TrainingTexts which) {
    const YamlNode *pairs = train->pairs, *alone = train->texts;
    TextList texts = {.arena = arena, .list = arena_alloc(arena, 1, sizeof *texts.list)};
    *texts.list = *train->place.node;
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

static TrainOptions options_of(const TrainSpec *train) {
    TrainOptions options = {.optimizer = optimizer_options(),
                            .epochs = train->epochs,
                            .batch = train->batch,
                            .seed = train->seed};
    options.optimizer.kind = train->optimizer;
    options.optimizer.learning_rate = train->learning_rate;
    options.optimizer.warmup = train->warmup;
    options.optimizer.clip = train->clip;
    return options;
}

/* ---- examples ---- */

/* Finds the vocabulary's entry of the begin or end token; NULL with an error. */
static const VocabularyEntry *lookup_special(LessonReader *reader, const YamlNode *node,
                                             const ModelWords *words, const char *token,
                                             const char *where) {
    const VocabularyEntry *entry =
        words->tokens
            ? vocabulary_lookup(words->tokenizer.vocabulary, token, strlen(token))
            : NULL;
    if (!entry)
        yaml_error(reader->errors, ERROR_NAME, node,
                   "the vocabulary has no '%s', which stands at the %s of what the "
                   "decoder learns; add it to the vocabulary",
                   token, where);
    return entry;
}

/* Makes a row of `count` IDs of `ids`, from `first` on, with one more before or behind
 * them. */
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
    if (!end || !model_words_ids(words->target, node, what, NULL, &ids, reader->errors))
        return false;
    /* A begin or end token that the text already has is not added again. */
    size_t first = ids.values[0] == (double)start->id, count = ids.cols - first;
    if (count && ids.values[ids.cols - 1] == (double)end->id)
        count--;
    if (!count)
        return yaml_error(reader->errors, ERROR_VALUE, node,
                          "%s has no tokens between its start and its end; there "
                          "must be one at least",
                          what);
    return make_row(reader, &ids, first, count, start, true, target) &&
           make_row(reader, &ids, first, count, end, false, expected);
}

static bool read_pair(LessonReader *reader, const YamlNode *pair,
                      const TrainingWords *words, TrainExample *example) {
    if (pair->kind != YAML_SEQUENCE || pair->count != 2)
        return yaml_error(reader->errors, ERROR_VALUE, pair,
                          "a pair must be a source and its target, [\"when you "
                          "play\", \"you win\"]");
    bool good = model_words_ids(words->source, pair->first, "a source", NULL,
                                &example->source, reader->errors);
    return good & training_read_target(reader, pair->first->next, "a target", words,
                                       &example->target, &example->expected);
}

/* Reads a pair; if it is a line of a file, names that in its errors. */
static bool read_placed_pair(LessonReader *reader, const YamlNode *pair,
                             const TrainingWords *words, TrainExample *example) {
    ErrorList *errors = reader->errors, own = {0};
    if (!pair->text)
        return read_pair(reader, pair, words, example);
    reader->errors = &own;
    bool good = read_pair(reader, pair, words, example);
    reader->errors = errors;
    for (size_t i = 0; i < own.count; i++)
        error_list_add(errors, own.items[i].code, own.items[i].line, own.items[i].column,
                       "'%.80s', line %d: %.250s", pair->text, pair->text_column,
                       own.items[i].message);
    return good;
}

/* Reads a list of pairs or of texts; NULL with all errors. */
static const TrainExample *read_examples(LessonReader *reader, const YamlNode *list,
                                         bool pairs, const TrainingWords *words) {
    bool good = true;
    size_t count = 0;
    TrainExample *examples =
        arena_alloc(reader->lesson->arena, list->count, sizeof *examples);
    for (const YamlNode *item = list->first; item; item = item->next) {
        TrainExample *example = &examples[count++];
        if (reader->errors->count == ERROR_LIST_MAX)
            return NULL;
        good &= pairs ? read_placed_pair(reader, item, words, example)
                      : training_read_target(reader, item, "a text", words,
                                             &example->target, &example->expected);
    }
    return good ? examples : NULL;
}

const TrainExample *training_read_pairs(LessonReader *reader, const YamlNode *list,
                                        const TrainingWords *words) {
    return read_examples(reader, list, true, words);
}

bool training_suits(LessonReader *reader, const TrainSpec *train, TransformerKind kind) {
    bool pairs = kind == TRANSFORMER_ENCODER_DECODER;
    const YamlNode *list = pairs ? train->pairs : train->texts;
    const YamlNode *wrong = pairs ? train->texts : train->pairs;
    const YamlNode *place = wrong ? wrong->key : train->place.node;
    if (kind == TRANSFORMER_ENCODER)
        return yaml_error(
            reader->errors, ERROR_VALUE, train->place.node,
            "kind encoder generates no tokens, so it can't be trained; train an "
            "encoder_decoder or a decoder");
    return (list && !wrong) ||
           yaml_error(reader->errors, ERROR_NAME, place, "kind %s learns from %s",
                      transformer_kind_name(kind),
                      pairs ? "pairs; write 'pairs: [[\"when you play\", \"you "
                              "win\"]]'"
                            : "texts; write 'texts: [\"you win or you die\"]'");
}

bool training_read(LessonReader *reader, const TrainSpec *train, TransformerKind kind,
                   const TrainingWords *words) {
    bool pairs = kind == TRANSFORMER_ENCODER_DECODER;
    const YamlNode *list = pairs ? train->pairs : train->texts;
    LessonTraining *training = arena_alloc(reader->lesson->arena, 1, sizeof *training);
    training->options = options_of(train);
    if (reader->lesson->switches.seeded)
        training->options.seed = reader->lesson->switches.seed;
    reader->training = training;
    reader->lesson->training = training;
    training->count = list->count;
    training->examples = read_examples(reader, list, pairs, words);
    return training->examples != NULL;
}
