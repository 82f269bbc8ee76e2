#include "lesson/read/reader.h"

#include "base/array.h"
#include "base/strings/writer.h"
#include "lesson/content/content.h"
#include "lesson/read/lesson_files.h"
#include "lesson/schema/schema.h"
#include "text/file/tokenizer_file.h"
#include "text/vocabulary.h"

#include <string.h>

/* ---- vocabularies ---- */

/* The vocabulary being read. */
typedef struct Making {
    Arena *arena;
    const char *lesson; /* the file */
    ErrorList *errors;
    Vocabulary *vocabulary;
    TextVocabulary *made;
} Making;

static bool add_tokens(Making *making, const YamlNode *list, bool special) {
    for (const YamlNode *item = list ? list->first : NULL; item; item = item->next) {
        const char *token;
        Error error;
        if (!field_string(item, "a token", &token, making->errors))
            return false;
        size_t length = strlen(token);
        if (!(special ? vocabulary_add_special(making->vocabulary, token, length, &error)
                      : vocabulary_add(making->vocabulary, token, length, &error)))
            return yaml_error_append(making->errors, &error, item);
    }
    return true;
}

/* Adds tokens with IDs, {"[CLS]": 101, I: 1045}; those in brackets are special. */
static bool add_numbered(Making *making, const YamlNode *node) {
    for (const YamlNode *item = node->first; item; item = item->next) {
        const char *text = item->key->text;
        VocabularyEntry entry = {.text = text,
                                 .length = strlen(text),
                                 .special = text[0] == '[' || text[0] == '<'};
        Error error;
        if (!field_whole(item, "an ID", 0, VOCABULARY_ID_MAX, &entry.id, making->errors))
            return false;
        if (!vocabulary_add_entry(making->vocabulary, entry, &error))
            return yaml_error_append(making->errors, &error, item);
    }
    return true;
}

/* Learns a tokenizer's merges from all texts of the list together. */
static bool learn_merges(Tokenizer *tokenizer, Vocabulary *vocabulary,
                         const YamlNode *corpus, size_t merges, Arena *arena,
                         Error *error) {
    bool bytes = tokenizer->kind->bytes;
    BpeOptions options = {.merges = merges, .bytes = bytes};
    BpeWords words;
    Writer text = {.arena = arena};
    for (const YamlNode *item = corpus->first; item; item = item->next)
        writer_format(&text, "%s\n", item->text);
    return bpe_count_words(&words, arena, text.length ? text.text : "", text.length,
                           tokenizer->lower_case, bytes, error) &&
           (tokenizer->bpe =
                bpe_learn(arena, words.items, words.count, &options, error)) &&
           bpe_add_symbols(vocabulary, tokenizer->bpe, error);
}

bool texts_learn(Tokenizer *tokenizer, Vocabulary *vocabulary, const YamlNode *corpus,
                 size_t merges, Arena *arena, ErrorList *errors) {
    Error error;
    if (tokenizer->kind->merges)
        return learn_merges(tokenizer, vocabulary, corpus, merges, arena, &error) ||
               yaml_error_append(errors, &error, corpus);
    for (const YamlNode *item = corpus->first; item; item = item->next) {
        if (!tokenizer_collect(vocabulary, tokenizer, arena, item->text,
                               strlen(item->text), &error))
            return yaml_error_append(errors, &error, item);
    }
    return true;
}

static bool learn_corpus(Making *making, const VocabularySpec *spec) {
    const YamlNode *list = spec->corpus.node, *at = spec->place.node;
    const TokenizerKind *kind = making->made->tokenizer.kind;
    if (list && spec->corpus_file)
        return yaml_error(making->errors, ERROR_VALUE, spec->corpus_file->key,
                          "'corpus:' and 'corpus_file:' both give the texts; "
                          "keep one");
    if (spec->corpus_file &&
        !(list = lesson_file_lines(making->arena, making->lesson, spec->corpus_file,
                                   making->errors)))
        return false;
    if (kind->merges && !list)
        return yaml_error(making->errors, ERROR_VALUE, at,
                          "'tokenizer: %s' learns its merges from a 'corpus:' or "
                          "a 'corpus_file:'",
                          kind->name);
    return !list || texts_learn(&making->made->tokenizer, making->vocabulary, list,
                                spec->merges, making->arena, making->errors);
}

/* Reads a vocabulary from a file with a complete tokenizer. */
static bool read_file(Making *making, const VocabularySpec *spec) {
    const YamlNode *node = spec->place.node;
    Error error;
    for (const YamlNode *said = node->first; said; said = said->next) {
        if (said != spec->file && said != schema_lookup(&spec->place, "frame"))
            return yaml_error(making->errors, ERROR_VALUE, said->key,
                              "'file:' defines the whole vocabulary; leave out '%.60s:'",
                              said->key->text);
    }
    Arena *room =
        arena_create_within(making->arena, LESSON_MAX_MEMORY - arena_used(making->arena));
    uint8_t *bytes = NULL;
    size_t length = 0;
    bool good =
        lesson_file_read(room, "tokenizer", making->lesson, spec->file->text, SIZE_MAX,
                         &bytes, &length, &error) &&
        tokenizer_file_read(&making->made->tokenizer, making->arena, spec->file->text,
                            (const char *)bytes, length, &error);
    arena_destroy(room);
    if (good && !spec->frame)
        making->made->tokenizer.begin = making->made->tokenizer.end = NULL;
    return good || yaml_error_append(making->errors, &error, spec->file);
}

static bool make_vocabulary(Arena *arena, const char *lesson, const VocabularySpec *spec,
                            TextVocabulary *made, ErrorList *errors) {
    const YamlNode *tokens = spec->tokens;
    Making making = {.arena = arena, .lesson = lesson, .errors = errors, .made = made};
    making.vocabulary = vocabulary_create(arena, spec->first);
    made->tokenizer = (Tokenizer){.vocabulary = making.vocabulary,
                                  .kind = tokenizer_kind(spec->tokenizer),
                                  .lower_case = spec->lower_case};
    if (spec->file && !spec->place.broken)
        return read_file(&making, spec);
    return !spec->place.broken && add_tokens(&making, spec->special.node, true) &&
           (tokens && tokens->kind == YAML_MAPPING
                ? add_numbered(&making, tokens)
                : add_tokens(&making, tokens, false)) &&
           learn_corpus(&making, spec);
}

void texts_read(Texts *texts, Arena *arena, const char *lesson, const SchemaItems *specs,
                ErrorList *errors) {
    const VocabularySpec *spec = specs->items;
    texts->vocabularies = arena_alloc(arena, specs->count, sizeof *texts->vocabularies);
    for (size_t i = 0; i < specs->count; i++, spec++) {
        TextVocabulary *made = &texts->vocabularies[texts->count++];
        texts->at = spec->place.node;
        made->name = spec->place.node->key->text;
        made->broken = !make_vocabulary(arena, lesson, spec, made, errors);
    }
}

/* ---- texts ---- */

const char *texts_use(Texts *texts, Arena *arena, const char *text,
                      const Tokenizer *tokenizer) {
    if (!texts->written) {
        texts->written = text;
        texts->first = texts->override ? texts->override : text;
        Tokenizer *kept = arena_alloc(arena, 1, sizeof *kept);
        *kept = *tokenizer;
        texts->tokenizer = kept;
    }
    return strcmp(text, texts->written) == 0 ? texts->first : text;
}

bool texts_refuse(const Texts *texts, const YamlNode *node, const char *used,
                  const Error *error, ErrorList *errors) {
    bool own = texts->override && used == texts->override;
    if (own && !texts->override_at)
        return error_list_add(errors, error->code, 0, 0, "your own text: %s",
                              error->message);
    return yaml_error_append(errors, error, own ? texts->override_at : node);
}

static const TextVocabulary *find_vocabulary(const Texts *texts, const YamlNode *node,
                                             ErrorList *errors) {
    for (size_t i = 0; i < texts->count; i++) {
        if (strcmp(texts->vocabularies[i].name, node->text) == 0)
            return texts->vocabularies[i].broken ? NULL : &texts->vocabularies[i];
    }
    yaml_error(errors, ERROR_NAME, node,
               "there is no vocabulary '%.60s'; it is made under 'vocabularies:'",
               node->text);
    return NULL;
}

static void make_row(Arena *arena, const TextPieces *pieces, Tensor *ids) {
    double *values = arena_alloc(arena, pieces->count, sizeof *values);
    const char **labels = arena_alloc(arena, pieces->count, sizeof *labels);
    for (size_t i = 0; i < pieces->count; i++) {
        values[i] = (double)pieces->items[i].id;
        labels[i] = pieces->items[i].text;
    }
    *ids = (Tensor){
        .rows = 1, .cols = pieces->count, .values = values, .col_labels = labels};
}

/* A row under construction, of unknown length. */
typedef struct Row {
    Arena *arena;
    size_t count, value_room, label_room;
    double *values;
    const char **labels;
} Row;

static void row_add(Row *row, const char *label, double value) {
    row->values = array_reserve(row->arena, row->values, row->count, &row->value_room,
                                sizeof *row->values);
    row->labels = array_reserve(row->arena, row->labels, row->count, &row->label_room,
                                sizeof *row->labels);
    row->values[row->count] = value;
    row->labels[row->count++] = label;
}

enum { RANKED_PAIRS = 7 };

/* Stores the pairs from which the last of so many merges was chosen. */
static void keep_merging(const Bpe *bpe, size_t merges, Arena *arena,
                         LessonSource *source) {
    LessonMerging *merging = arena_alloc(arena, 1, sizeof *merging);
    *merging = (LessonMerging){.bpe = bpe, .merges = merges};
    source->merging = merging;
    bpe_rank(&merging->pairs, bpe, arena, merges ? merges - 1 : 0, RANKED_PAIRS);
}

/* Reads {vocabulary: B, corpus_after: 3}: the distinct words of a byte-pair encoding's
 * corpus, split as after so many merges. */
static bool read_corpus_after(const TextVocabulary *known, Arena *arena,
                              const GivenSpec *spec, Tensor *ids, LessonSource *source,
                              ErrorList *errors) {
    const YamlNode *node = spec->place.node;
    const Bpe *bpe = known->tokenizer.bpe;
    if (!bpe || bpe->bytes)
        return yaml_error(errors, ERROR_VALUE, node,
                          "corpus_after needs a vocabulary with 'tokenizer: bpe'");
    if (spec->corpus_after > bpe->merge_count) {
        const YamlNode *at = schema_lookup(&spec->place, "corpus_after");
        return yaml_error(errors, ERROR_VALUE, at,
                          "corpus_after is '%zu', but must be a whole number from 0 to "
                          "%zu: there are no more merges",
                          spec->corpus_after, bpe->merge_count);
    }
    Row row = {.arena = arena};
    for (size_t i = 0; i < bpe->word_count; i++) {
        BpeSplit split;
        bpe_word_after(&split, bpe, arena, i, spec->corpus_after);
        for (size_t j = 0; j < split.count; j++) {
            const char *symbol = split.symbols[j];
            const VocabularyEntry *entry =
                vocabulary_lookup(known->tokenizer.vocabulary, symbol, strlen(symbol));
            row_add(&row, symbol, entry ? (double)entry->id : 0);
        }
    }
    *ids = (Tensor){
        .rows = 1, .cols = row.count, .values = row.values, .col_labels = row.labels};
    keep_merging(bpe, spec->corpus_after, arena, source);
    return true;
}

/* Stores the original words of unknown tokens. */
static void keep_written(Arena *arena, const TextPieces *pieces, const char *text,
                         const char *const **written) {
    const char **words = NULL;
    for (size_t i = 0; i < pieces->count; i++) {
        const TextPiece *piece = &pieces->items[i];
        if (piece->kind != TEXT_PIECE_UNKNOWN || !piece->length)
            continue;
        if (!words)
            words = arena_alloc(arena, pieces->count, sizeof *words);
        words[i] = arena_copy(arena, text + piece->offset, piece->length);
    }
    *written = words;
}

bool texts_read_given(Texts *texts, Arena *arena, const GivenSpec *spec, Tensor *ids,
                      LessonSource *source, ErrorList *errors) {
    const YamlNode *text = spec->text;
    const TextVocabulary *known = find_vocabulary(texts, spec->vocabulary, errors);
    *source = (LessonSource){0};
    if (!known)
        return false;
    source->tokenizer = &known->tokenizer;
    if (!text)
        return read_corpus_after(known, arena, spec, ids, source, errors);
    const char *words = texts_use(texts, arena, text->text, &known->tokenizer);
    Tokenizer tokenizer = known->tokenizer;
    tokenizer.begin = spec->begin ? spec->begin : tokenizer.begin;
    tokenizer.end = spec->end ? spec->end : tokenizer.end;
    TextPieces pieces;
    Error error;
    if (!tokenizer_cut(&pieces, &tokenizer, arena, words, strlen(words), &error) ||
        (!pieces.count && !error_set(&error, ERROR_VALUE, 0, 0,
                                     "the text has no tokens; write at least one word")))
        return texts_refuse(texts, text, words, &error, errors);
    make_row(arena, &pieces, ids);
    keep_written(arena, &pieces, words, &source->written);
    return true;
}
