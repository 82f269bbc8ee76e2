#include "lesson/read/texts.h"

#include "base/array.h"
#include <string.h>

enum { DEFAULT_MERGES = 10 };

/* An error that says no place of its own happened at a node. */
static bool fail_at(const YamlNode *node, const Error *error, ErrorList *errors) {
    Error placed = *error;
    placed.line = node->line;
    placed.column = node->column;
    return error_list_append(errors, &placed, node->line, node->column);
}

/* ---- vocabularies ---- */

/* One vocabulary being read. */
typedef struct Making {
    Arena *arena;
    ErrorList *errors;
    Vocabulary *vocabulary;
    TextVocabulary *made;
} Making;

static bool add_tokens(Making *making, const YamlNode *node, const char *what,
                       bool special) {
    const char *const *tokens;
    size_t count;
    if (!node)
        return true;
    if (!field_strings(making->arena, node, what, &tokens, &count, making->errors))
        return false;
    const YamlNode *item = node->first;
    for (size_t i = 0; i < count; i++, item = item->next) {
        Error error;
        size_t length = strlen(tokens[i]);
        bool added =
            special
                ? vocabulary_add_special(making->vocabulary, tokens[i], length, &error)
                : vocabulary_add(making->vocabulary, tokens[i], length, &error);
        if (!added)
            return fail_at(item, &error, making->errors);
    }
    return true;
}

/* {"[CLS]": 101, I: 1045}: what is written in brackets is special. */
static bool add_numbered(Making *making, const YamlNode *node) {
    for (const YamlNode *item = node->first; item; item = item->next) {
        const char *text = item->key->text;
        VocabularyEntry entry = {.text = text,
                                 .length = strlen(text),
                                 .special = text[0] == '[' || text[0] == '<'};
        Error error;
        if (!field_whole(item, "an ID", VOCABULARY_ID_MAX, &entry.id, making->errors))
            return false;
        if (!vocabulary_add_entry(making->vocabulary, entry, &error))
            return fail_at(item, &error, making->errors);
    }
    return true;
}

/* The corpus' lines as one text, a blank between them. */
static char *join(Arena *arena, const char *const *lines, size_t count, size_t *length) {
    *length = 0;
    for (size_t i = 0; i < count; i++)
        *length += strlen(lines[i]) + 1;
    char *joined = arena_alloc(arena, *length + 1, 1), *end = joined;
    for (size_t i = 0; i < count; i++) {
        size_t size = strlen(lines[i]);
        memcpy(end, lines[i], size);
        end[size] = ' ';
        end += size + 1;
    }
    return joined;
}

static bool learn_bpe(Making *making, const YamlNode *node, const YamlNode *merges,
                      const char *const *corpus, size_t count) {
    Error error;
    BpeOptions options = {.merges = DEFAULT_MERGES};
    BpeWords words;
    size_t length;
    if (merges &&
        !field_whole(merges, "merges", BPE_MERGES_MAX, &options.merges, making->errors))
        return false;
    char *text = join(making->arena, corpus, count, &length);
    bool lower_case = making->made->tokenizer.lower_case;
    if (!bpe_count_words(&words, making->arena, text, length, lower_case, &error))
        return fail_at(node, &error, making->errors);
    Bpe *bpe = bpe_learn(making->arena, words.items, words.count, &options, &error);
    if (!bpe || !bpe_add_symbols(making->vocabulary, bpe, &error))
        return fail_at(node, &error, making->errors);
    making->made->tokenizer.bpe = bpe;
    return true;
}

static bool learn_corpus(Making *making, const YamlNode *node, const YamlNode *merges) {
    const char *const *corpus;
    size_t count;
    bool is_bpe = strcmp(making->made->tokenizer.kind->name, "bpe") == 0;
    if (merges && !is_bpe)
        return error_list_add(making->errors, ERROR_VALUE, merges->key->line,
                              merges->key->column,
                              "only 'tokenizer: bpe' learns merges; leave them out");
    if (!node && is_bpe)
        return error_list_add(making->errors, ERROR_VALUE, merges ? merges->line : 0, 0,
                              "'tokenizer: bpe' learns its merges from a 'corpus:'");
    if (!node)
        return true;
    if (!field_strings(making->arena, node, "corpus", &corpus, &count, making->errors))
        return false;
    if (is_bpe)
        return learn_bpe(making, node, merges, corpus, count);
    const YamlNode *item = node->first;
    for (size_t i = 0; i < count; i++, item = item->next) {
        Error error;
        if (!tokenizer_collect(making->vocabulary, &making->made->tokenizer,
                               making->arena, corpus[i], strlen(corpus[i]), &error))
            return fail_at(item, &error, making->errors);
    }
    return true;
}

static bool read_kind(Making *making, const YamlNode *node) {
    const char *name = "whitespace";
    Error error;
    if (node && !field_string(node, "tokenizer", &name, making->errors))
        return false;
    making->made->tokenizer.kind = tokenizer_kind(name, &error);
    return making->made->tokenizer.kind || fail_at(node, &error, making->errors);
}

static bool read_lower_case(Making *making, const YamlNode *node) {
    const char *text = "false";
    if (node && !field_string(node, "lower_case", &text, making->errors))
        return false;
    making->made->tokenizer.lower_case = strcmp(text, "true") == 0;
    return strcmp(text, "true") == 0 || strcmp(text, "false") == 0 ||
           error_list_add(making->errors, ERROR_VALUE, node->line, node->column,
                          "lower_case is true or false, not '%.40s'", text);
}

static bool read_vocabulary(Arena *arena, const YamlNode *node, TextVocabulary *made,
                            ErrorList *errors) {
    static const char *const keys[] = {"tokenizer", "corpus",     "tokens", "special",
                                       "first",     "lower_case", "merges", NULL};
    Making making = {.arena = arena, .errors = errors, .made = made};
    size_t first = 0;
    if (!field_keys(node, "a vocabulary", keys, errors))
        return false;
    const YamlNode *from = yaml_lookup(node, "first");
    if (from && !field_whole(from, "first", VOCABULARY_ID_MAX, &first, errors))
        return false;
    making.vocabulary = vocabulary_create(arena, first);
    made->tokenizer.vocabulary = making.vocabulary;
    const YamlNode *tokens = yaml_lookup(node, "tokens");
    bool numbered = tokens && tokens->kind == YAML_MAPPING;
    return read_kind(&making, yaml_lookup(node, "tokenizer")) &&
           read_lower_case(&making, yaml_lookup(node, "lower_case")) &&
           add_tokens(&making, yaml_lookup(node, "special"), "special", true) &&
           (numbered ? add_numbered(&making, tokens)
                     : add_tokens(&making, tokens, "tokens", false)) &&
           learn_corpus(&making, yaml_lookup(node, "corpus"),
                        yaml_lookup(node, "merges"));
}

void texts_read(Texts *texts, Arena *arena, const YamlNode *node, ErrorList *errors) {
    if (!node)
        return;
    if (node->kind != YAML_MAPPING) {
        error_list_add(errors, ERROR_VALUE, node->line, node->column,
                       "vocabularies must be a mapping from names to vocabularies, 'V: "
                       "{corpus: [when you play]}'");
        return;
    }
    texts->vocabularies = arena_alloc(arena, node->count, sizeof *texts->vocabularies);
    for (const YamlNode *item = node->first; item; item = item->next) {
        TextVocabulary *made = &texts->vocabularies[texts->count++];
        made->name = item->key->text;
        made->broken = !read_vocabulary(arena, item, made, errors);
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

bool texts_is_text(const YamlNode *node) {
    return node->kind == YAML_MAPPING &&
           (yaml_lookup(node, "text") || yaml_lookup(node, "corpus_after"));
}

static const TextVocabulary *find_vocabulary(const Texts *texts, const YamlNode *node,
                                             ErrorList *errors) {
    const char *name;
    if (!field_string(node, "vocabulary", &name, errors))
        return NULL;
    for (size_t i = 0; i < texts->count; i++) {
        if (strcmp(texts->vocabularies[i].name, name) == 0)
            return texts->vocabularies[i].broken ? NULL : &texts->vocabularies[i];
    }
    error_list_add(errors, ERROR_NAME, node->line, node->column,
                   "there is no vocabulary '%.60s'; it is made under 'vocabularies:'",
                   name);
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

/* A row being gathered: its length is not known before the last word. */
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

/* {vocabulary: B, corpus_after: 3}: the words that byte-pair encoding learned from, once
 * each, in the pieces they were in after so many merges. */
static bool read_corpus_after(Texts *texts, Arena *arena, const YamlNode *node,
                              Tensor *ids, ErrorList *errors) {
    static const char *const keys[] = {"vocabulary", "corpus_after", NULL};
    const YamlNode *after = yaml_lookup(node, "corpus_after");
    const YamlNode *vocabulary = yaml_lookup(node, "vocabulary");
    size_t merges;
    if (!field_keys(node, "a corpus", keys, errors))
        return false;
    const TextVocabulary *known =
        vocabulary ? find_vocabulary(texts, vocabulary, errors) : NULL;
    const Bpe *bpe = known ? known->tokenizer.bpe : NULL;
    if (!bpe)
        return (known || !vocabulary) &&
               error_list_add(errors, ERROR_VALUE, node->line, node->column,
                              "corpus_after needs a vocabulary with 'tokenizer: bpe'");
    if (!field_whole(after, "corpus_after", bpe->merge_count, &merges, errors))
        return false;
    Row row = {.arena = arena};
    for (size_t i = 0; i < bpe->word_count; i++) {
        BpeSplit split;
        Error error;
        if (!bpe_word_after(&split, bpe, arena, i, merges, &error))
            return fail_at(node, &error, errors);
        for (size_t j = 0; j < split.count; j++) {
            const char *symbol = split.symbols[j];
            const VocabularyEntry *entry =
                vocabulary_lookup(known->tokenizer.vocabulary, symbol, strlen(symbol));
            row_add(&row, symbol, entry ? (double)entry->id : 0);
        }
    }
    *ids = (Tensor){
        .rows = 1, .cols = row.count, .values = row.values, .col_labels = row.labels};
    return true;
}

/* The words that unknown tokens stand for. */
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

bool texts_read_given(Texts *texts, Arena *arena, const YamlNode *node, Tensor *ids,
                      const char *const **written, ErrorList *errors) {
    static const char *const keys[] = {"text", "vocabulary", "begin", "end", NULL};
    const YamlNode *text = yaml_lookup(node, "text"), *begin = yaml_lookup(node, "begin");
    const YamlNode *end = yaml_lookup(node, "end");
    const YamlNode *vocabulary = yaml_lookup(node, "vocabulary");
    const char *words;
    *written = NULL;
    if (!text)
        return read_corpus_after(texts, arena, node, ids, errors);
    if (!field_keys(node, "a text", keys, errors) ||
        !field_string(text, "text", &words, errors))
        return false;
    if (!vocabulary)
        return error_list_add(errors, ERROR_VALUE, node->line, node->column,
                              "a text needs a vocabulary: {text: …, vocabulary: V}");
    const TextVocabulary *known = find_vocabulary(texts, vocabulary, errors);
    if (!known)
        return false;
    words = texts_use(texts, arena, words, &known->tokenizer);
    Tokenizer tokenizer = known->tokenizer;
    if ((begin && !field_string(begin, "begin", &tokenizer.begin, errors)) ||
        (end && !field_string(end, "end", &tokenizer.end, errors)))
        return false;
    TextPieces pieces;
    Error error;
    if (!tokenizer_cut(&pieces, &tokenizer, arena, words, strlen(words), &error))
        return fail_at(text, &error, errors);
    if (!pieces.count)
        return error_list_add(errors, ERROR_VALUE, text->line, text->column,
                              "the text has no tokens; write at least one word");
    make_row(arena, &pieces, ids);
    keep_written(arena, &pieces, words, written);
    return true;
}
