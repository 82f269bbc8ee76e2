#include "lesson/model/model_parts.h"

#include "base/number.h"
#include "base/strings/utf8.h"
#include "lesson/formula/formula.h"
#include "lesson/schema/schema.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

#include <math.h>
#include <string.h>

static const char PADDING[] = "<pad>";

/* ---- vocabularies ---- */

/* Reports whether a token is special: <start>, [MASK]. */
static bool is_special(const char *token) {
    size_t length = strlen(token);
    return length > 2 && ((token[0] == '<' && token[length - 1] == '>') ||
                          (token[0] == '[' && token[length - 1] == ']'));
}

static bool add_token(ModelWords *words, const char *token, Error *error) {
    return is_special(token)
               ? vocabulary_add_special(words->made, token, strlen(token), error)
               : vocabulary_add(words->made, token, strlen(token), error);
}

static void add_padding(ModelWords *words) {
    const VocabularyEntry padding = {PADDING, sizeof PADDING - 1, 0, true};
    vocabulary_add_entry(words->made, padding, NULL);
}

/* Reads a list of tokens; <pad> always has ID 0, wherever it is in the list. */
static bool read_tokens(ModelWords *words, const YamlNode *list, ErrorList *errors) {
    bool good = true;
    for (const YamlNode *item = list->first; item; item = item->next) {
        const char *token;
        Error error;
        if (!field_string(item, "a token of the vocabulary", &token, errors))
            good = false;
        else if ((words->unpadded || strcmp(token, PADDING) != 0) &&
                 !add_token(words, token, &error))
            good = yaml_error_append(errors, &error, item);
        if (errors->count == ERROR_LIST_MAX)
            return false;
    }
    return good;
}

/* Collects the corpus's tokens in the order of first appearance, then the special
 * ones. */
static bool collect_tokens(ModelWords *words, const ModelWordsSource *source,
                           ErrorList *errors) {
    const char *extra[] = {source->start, source->end};
    Error error;
    if (!texts_learn(&words->tokenizer, words->made, source->corpus, source->merges,
                     words->arena, errors))
        return false;
    for (size_t i = 0; i < 2; i++) {
        if (extra[i] && !vocabulary_lookup(words->made, extra[i], strlen(extra[i])) &&
            !add_token(words, extra[i], &error))
            return yaml_error_append(errors, &error, source->corpus);
    }
    return true;
}

/* Lists the tokens by ID; a named vocabulary may begin with any. */
static void list_tokens(ModelWords *words) {
    const Vocabulary *vocabulary = words->tokenizer.vocabulary;
    size_t count = vocabulary_count(vocabulary), ids = 1;
    for (size_t i = 0; i < count; i++) {
        size_t id = vocabulary_at(vocabulary, i)->id;
        ids = id >= ids ? id + 1 : ids;
    }
    const char **tokens = arena_alloc(words->arena, ids, sizeof *tokens);
    for (size_t i = 0; i < ids; i++)
        tokens[i] = i || words->unpadded ? "" : PADDING;
    for (size_t i = 0; i < count; i++)
        tokens[vocabulary_at(vocabulary, i)->id] = vocabulary_at(vocabulary, i)->text;
    words->ids = ids;
    words->tokens = tokens;
}

static bool check_padding(const ModelWords *words, const YamlNode *node,
                          ErrorList *errors) {
    char quoted[UTF8_SHORT_SIZE];
    const VocabularyEntry *zero = vocabulary_lookup_id(words->tokenizer.vocabulary, 0);
    return words->unpadded || !zero || zero->special ||
           yaml_error(errors, ERROR_VALUE, node,
                      "ID 0 is '%s', but a model takes 0 for padding; write 'first: "
                      "1' in the vocabulary, or 'padding: false' in the model",
                      utf8_shorten(quoted, zero->text, zero->length));
}

/* Reads a number of IDs, or a vocabulary's name. */
static bool read_scalar(ModelWords *words, const ModelWordsSource *source,
                        ErrorList *errors) {
    const YamlNode *node = source->vocabulary;
    const char *name = node->text;
    char quoted[UTF8_SHORT_SIZE];
    double number;
    if (number_parse(name, &number, NULL)) {
        if (!field_whole(node, "vocabulary", 0, TENSOR_MAX_CELLS, &words->ids, errors))
            return false;
        words->ids += !words->unpadded; /* counts padding */
        return true;
    }
    for (size_t i = 0; i < source->texts->count; i++) {
        const TextVocabulary *known = &source->texts->vocabularies[i];
        if (strcmp(known->name, name) != 0)
            continue;
        words->tokenizer = known->tokenizer;
        words->made = NULL;
        if (known->broken || !check_padding(words, node, errors))
            return false;
        list_tokens(words);
        return true;
    }
    return yaml_error(errors, ERROR_NAME, node,
                      "there is no vocabulary '%s' in 'vocabularies:'; write its "
                      "tokens here, [you, win, die], or how many there are",
                      utf8_shorten(quoted, name, strlen(name)));
}

bool model_words_read(ModelWords *words, Arena *arena, const ModelWordsSource *source,
                      ErrorList *errors) {
    const YamlNode *list = source->vocabulary;
    *words = (ModelWords){.arena = arena,
                          .made = vocabulary_create(arena, !source->unpadded),
                          .unpadded = source->unpadded};
    if (!source->unpadded)
        add_padding(words);
    words->tokenizer = (Tokenizer){.kind = source->tokenizer, .vocabulary = words->made};
    if (list && list->kind == YAML_SCALAR)
        return read_scalar(words, source, errors);
    if (list ? !read_tokens(words, list, errors) : !collect_tokens(words, source, errors))
        return false;
    list_tokens(words);
    return true;
}

const char *const *model_words_labels(const ModelWords *words) {
    if (words->tokens)
        return words->tokens;
    const char **labels = arena_alloc(words->arena, words->ids, sizeof *labels);
    for (size_t i = 0; i < words->ids; i++)
        labels[i] = arena_format(words->arena, "%zu", i);
    return labels;
}

/* ---- texts ---- */

static void ids_new(const ModelWords *words, size_t count, Tensor *ids,
                    const char ***labels) {
    *ids = (Tensor){.rows = 1, .cols = count};
    ids->values = arena_alloc(words->arena, count, sizeof *ids->values);
    *labels = arena_alloc(words->arena, count, sizeof **labels);
}

bool model_words_text(const ModelWords *words, const char *text, const char *what,
                      const char *start, Tensor *ids, Error *error) {
    Tokenizer tokenizer = words->tokenizer;
    TextPieces pieces;
    const char **labels;
    bool starts = start &&
                  vocabulary_lookup(tokenizer.vocabulary, start, strlen(start)) &&
                  strncmp(text, start, strlen(start)) != 0;
    tokenizer.begin = starts ? start : tokenizer.begin;
    if (!words->tokens)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "%s is a text, but the vocabulary is only a number; list its "
                         "tokens, or write %s as IDs, [1, 2, 3]",
                         what, what);
    if (!tokenizer_cut(&pieces, &tokenizer, words->arena, text, strlen(text), error))
        return false;
    if (!pieces.count)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "%s has no tokens; it must have at least one", what);
    ids_new(words, pieces.count, ids, &labels);
    for (size_t i = 0; i < pieces.count; i++) {
        ids->values[i] = (double)pieces.items[i].id;
        labels[i] = pieces.items[i].text;
    }
    ids->col_labels = labels;
    return true;
}

/* Reads a token given by its text or by its ID. */
static bool read_item(const ModelWords *words, const YamlNode *item, const char *what,
                      double *id, const char **label, ErrorList *errors) {
    char name[UTF8_SHORT_SIZE];
    const char *token;
    if (!field_string(item, what, &token, errors))
        return false;
    const VocabularyEntry *entry =
        vocabulary_lookup(words->tokenizer.vocabulary, token, strlen(token));
    if (entry) {
        *id = (double)entry->id;
        *label = entry->text;
        return true;
    }
    utf8_shorten(name, token, strlen(token));
    if (!number_parse(token, id, NULL)) {
        const char *nearest = words->tokens && words->ids <= NAMES_NEAREST_MAX
                                  ? error_nearest(token, words->tokens, words->ids)
                                  : NULL;
        return yaml_error(errors, ERROR_NAME, item, "the vocabulary has no '%s'%s%s%s",
                          name, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                          nearest ? "'?" : "");
    }
    if (*id != floor(*id) || !(*id >= 0 && *id < (double)words->ids))
        return yaml_error(errors, ERROR_VALUE, item,
                          "there is no ID %s; IDs are whole numbers from 0%s to %zu",
                          name, words->unpadded ? "" : ", which is padding,",
                          words->ids - 1);
    *label = words->tokens ? words->tokens[(size_t)*id] : NULL;
    return true;
}

bool model_words_ids(const ModelWords *words, const YamlNode *node, const char *what,
                     const char *start, Tensor *ids, ErrorList *errors) {
    const char **labels;
    size_t i = 0;
    Error error;
    if (node->kind == YAML_SCALAR)
        return model_words_text(words, node->text, what, start, ids, &error) ||
               yaml_error_append(errors, &error, node);
    if (node->kind != YAML_SEQUENCE || !node->count)
        return yaml_error(errors, ERROR_VALUE, node,
                          "%s must be a text, 'you win or you die', a list of tokens "
                          "or a list of IDs, [2, 5, 3]",
                          what);
    const VocabularyEntry *before =
        start ? vocabulary_lookup(words->tokenizer.vocabulary, start, strlen(start))
              : NULL;
    ids_new(words, node->count + (before != NULL), ids, &labels);
    bool good = true, labelled = true;
    if (before) {
        ids->values[i] = (double)before->id;
        labels[i++] = before->text;
    }
    for (const YamlNode *item = node->first; item; item = item->next, i++) {
        if (errors->count == ERROR_LIST_MAX ||
            !read_item(words, item, what, &ids->values[i], &labels[i], errors))
            good = false;
        labelled &= labels[i] != NULL;
    }
    if (before &&
        ids->values[1] == ids->values[0]) { /* it already begins with the start token */
        ids->values++;
        ids->cols--;
        labels++;
    }
    ids->col_labels = labelled ? labels : NULL;
    return good;
}
