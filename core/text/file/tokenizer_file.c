#include "text/file/tokenizer_file.h"

#include "base/json_watch.h"
#include "base/strings/utf8.h"
#include "text/byte_bpe.h"
#include "text/file/file_parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct TokenizerFile TokenizerFile;

/* The file being read. */
typedef struct FileReader {
    JsonFile file;
    json_t *json;
    size_t taken; /* bytes charged for `json` */
    Tokenizer *tokenizer;
    bool good;
} FileReader;

/* ---- added tokens ---- */

static bool read_added_token(JsonNode node, AddedToken *token) {
    bool special = false;
    token->id = SIZE_MAX;
    if (!json_node_keys(node,
                        "id content single_word lstrip rstrip normalized special") ||
        !json_node_whole(node, "id", VOCABULARY_ID_MAX, &token->id) ||
        !json_node_text(node, "content", &token->content) ||
        !json_node_switch(node, "single_word", &token->word) ||
        !json_node_switch(node, "lstrip", &token->left) ||
        !json_node_switch(node, "rstrip", &token->right) ||
        !json_node_switch(node, "special", &special))
        return false;
    token->normalized = !special;
    if (!json_node_switch(node, "normalized", &token->normalized))
        return false;
    return (token->content && token->id != SIZE_MAX) ||
           json_node_fail(node, ERROR_VALUE, "must have an id and a content");
}

/* The token's name, with ␣ for a blank in byte tokens. */
static const char *added_name(const TokenizerFile *made, Arena *arena,
                              const char *content) {
    size_t length = strlen(content);
    char *name = arena_alloc(arena, BYTE_NAME_FACTOR * length + 1, 1);
    if (!made->pre_tokenizer.bytes)
        return content;
    byte_name(name, content, length);
    return name;
}

static bool add_added_token(TokenizerFile *made, Vocabulary *vocabulary, JsonNode node) {
    Arena *arena = node.file->arena;
    AddedToken token = {0};
    Error error;
    if (!read_added_token(node, &token))
        return false;
    VocabularyEntry entry = {added_name(made, arena, token.content), 0, token.id, true};
    entry.length = strlen(entry.text);
    if (!vocabulary_add_entry(vocabulary, entry, &error))
        return json_node_fail(node, error.code, "can't be: %s", error.message);
    StepWords looked = {1, 1, arena_alloc(arena, 1, sizeof *looked.items)};
    letters_read(looked.items, arena, token.content, 0, strlen(token.content), false);
    if (token.normalized)
        steps_run(&looked, &made->normalizer, arena);
    if (!looked.count) /* the normalizer removes it, so it never matches */
        return true;
    token.letters = looked.items->items;
    token.length = looked.items->count;
    AddedTokens *list = token.normalized ? &made->normalized : &made->raw;
    list->items[list->count++] = token;
    return true;
}

static bool read_added_tokens(TokenizerFile *made, Vocabulary *vocabulary,
                              JsonNode node) {
    size_t count = json_array_size(node.value);
    if (node.value && !json_is_array(node.value))
        return json_node_fail(node, ERROR_VALUE, "must be a list");
    if (count > VOCABULARY_SPECIALS_MAX)
        return json_node_fail(node, ERROR_LIMIT, "has %zu tokens; at most %d are read",
                              count, VOCABULARY_SPECIALS_MAX);
    made->raw.items = arena_alloc(node.file->arena, count + 1, sizeof(AddedToken));
    made->normalized.items = arena_alloc(node.file->arena, count + 1, sizeof(AddedToken));
    for (size_t i = 0; i < count; i++) {
        if (!add_added_token(made, vocabulary, json_node_item(node, i)))
            return false;
    }
    return true;
}

/* ---- tokens before and behind a text ---- */

/* ["[SEP]", 102] */
static bool read_end_pair(JsonNode node, const char *key, const char **token) {
    JsonNode pair = json_node_at(node, key);
    const char *text = json_string_value(json_array_get(pair.value, 0));
    if (!text || !*text)
        return json_node_fail(pair, ERROR_VALUE, "must be a token and its ID");
    *token = arena_copy(node.file->arena, text, strlen(text));
    return true;
}

static bool read_frame_pairs(Tokenizer *tokenizer, JsonNode node) {
    return read_end_pair(node, "cls", &tokenizer->begin) &&
           read_end_pair(node, "sep", &tokenizer->end);
}

/* [{"SpecialToken": {"id": "[CLS]"}}, {"Sequence": {"id": "A"}}, …] */
static bool read_template(Tokenizer *tokenizer, JsonNode node) {
    JsonNode list = json_node_at(node, "single");
    bool behind = false;
    for (size_t i = 0; i < json_array_size(list.value); i++) {
        JsonNode item = json_node_item(list, i);
        JsonNode special = json_node_at(item, "SpecialToken");
        const char *token = NULL;
        if (!json_node_text(special, "id", &token))
            return false;
        const char **place = behind ? &tokenizer->end : &tokenizer->begin;
        bool sequence = json_node_at(item, "Sequence").value;
        if (sequence ? behind : !token || *place)
            return json_node_fail(item, ERROR_VALUE,
                                  "is not read here; a text has at most one token "
                                  "before it and one behind it");
        behind |= sequence;
        if (!sequence)
            *place = token;
    }
    return behind ||
           json_node_fail(list, ERROR_VALUE,
                          "must be a list in which the text, {\"Sequence\": …}, "
                          "stands");
}

static bool read_nothing(Tokenizer *tokenizer, JsonNode node) {
    (void)tokenizer;
    (void)node;
    return true;
}

static const struct {
    const char *type;
    bool (*read)(Tokenizer *tokenizer, JsonNode node);
} FRAMES[] = {{"TemplateProcessing", read_template},
              {"BertProcessing", read_frame_pairs},
              {"RobertaProcessing", read_frame_pairs},
              {"ByteLevel", read_nothing}};

static bool read_frame(Tokenizer *tokenizer, JsonNode node, size_t depth) {
    const char *type = "";
    char quoted[UTF8_SHORT_SIZE];
    if (!node.value)
        return true;
    if (!json_node_text(node, "type", &type))
        return false;
    JsonNode list = json_node_at(node, "processors");
    for (size_t i = 0; i < sizeof FRAMES / sizeof *FRAMES; i++) {
        if (strcmp(FRAMES[i].type, type) == 0)
            return FRAMES[i].read(tokenizer, node);
    }
    if (strcmp(type, "Sequence") != 0 || depth == STEPS_DEPTH_MAX)
        return json_node_fail(*type ? json_node_at(node, "type") : node, ERROR_NAME,
                              "is '%s', which is not read here; Sequence, "
                              "TemplateProcessing, BertProcessing, RobertaProcessing and "
                              "ByteLevel are",
                              utf8_shorten(quoted, type, strlen(type)));
    for (size_t i = 0; i < json_array_size(list.value); i++) {
        if (!read_frame(tokenizer, json_node_item(list, i), depth + 1))
            return false;
    }
    return true;
}

/* ---- the kinds ---- */

static const TokenizerKind LETTERS = {
    .name = "tokenizer.json", .whole = true, .split = file_split};
static const TokenizerKind BYTES = {
    .name = "tokenizer.json", .whole = true, .split = file_split, .bytes = true};

/* ---- the file ---- */

static bool check_frame(const Tokenizer *tokenizer, JsonNode node) {
    const char *tokens[] = {tokenizer->begin, tokenizer->end};
    char quoted[UTF8_SHORT_SIZE];
    for (size_t i = 0; i < 2; i++) {
        if (tokens[i] &&
            !vocabulary_lookup(tokenizer->vocabulary, tokens[i], strlen(tokens[i])))
            return json_node_fail(node, ERROR_NAME,
                                  "puts '%s' round a text, which is no token of the file",
                                  utf8_shorten(quoted, tokens[i], strlen(tokens[i])));
    }
    return true;
}

static bool read_all(FileReader *reader) {
    Arena *arena = reader->file.arena;
    JsonNode root = {&reader->file, reader->json, ""};
    TokenizerFile *made = arena_alloc(arena, 1, sizeof *made);
    Vocabulary *vocabulary = vocabulary_create(arena, 0);
    Tokenizer *tokenizer = reader->tokenizer;
    if (!json_node_keys(root, "version truncation padding added_tokens normalizer "
                              "pre_tokenizer post_processor decoder model") ||
        !steps_read_normalizer(&made->normalizer, json_node_at(root, "normalizer")) ||
        !steps_read_pre_tokenizer(&made->pre_tokenizer,
                                  json_node_at(root, "pre_tokenizer")))
        return false;
    *tokenizer = (Tokenizer){.kind = made->pre_tokenizer.bytes ? &BYTES : &LETTERS,
                             .vocabulary = vocabulary,
                             .file = made};
    JsonNode frame = json_node_at(root, "post_processor");
    return read_added_tokens(made, vocabulary, json_node_at(root, "added_tokens")) &&
           file_model_read(made, tokenizer, vocabulary, json_node_at(root, "model")) &&
           read_frame(tokenizer, frame, 0) && check_frame(tokenizer, frame);
}

static void read_guarded(void *context) {
    FileReader *reader = context;
    reader->good = read_all(reader);
}

/* Fails because the arena is exhausted. */
static void exhausted(JsonNode root) {
    Error error;
    arena_error(root.file->arena, "needs more memory than a lesson may use (1 GiB)",
                &error);
    json_node_fail(root, error.code, "%s%s",
                   error.code == ERROR_WORK ? "takes long; " : "", error.message);
}

/* Parses the file as JSON; NULL with an error. */
static json_t *parse(JsonNode root, const char *bytes, size_t length, size_t *taken) {
    json_error_t problem;
    char words[UTF8_SHORT_SIZE];
    size_t valid = utf8_check(bytes, length), mark = utf8_mark(bytes, length);
    json_t *json = NULL;
    if (length > TOKENIZER_FILE_MAX)
        json_node_fail(root, ERROR_LIMIT, "has %zu bytes; at most %d are read", length,
                       TOKENIZER_FILE_MAX);
    else if (valid < length)
        json_node_fail(root, ERROR_ENCODING, "is not UTF-8 at byte %zu", valid + 1);
    else if (!(json = json_parse_within(root.file->arena, bytes + mark, length - mark,
                                        taken, &problem)) &&
             json_refused())
        exhausted(root);
    else if (!json)
        json_node_fail(
            root, ERROR_SYNTAX, "can't be read at line %d, column %d: %s", problem.line,
            problem.column,
            utf8_shorten(words, problem.text, error_shown_length(problem.text)));
    return json;
}

bool tokenizer_file_read(Tokenizer *tokenizer, Arena *arena, const char *file,
                         const char *bytes, size_t length, Error *error) {
    FileReader reader = {.file = {arena, file, error}, .tokenizer = tokenizer};
    JsonNode root = {&reader.file, NULL, ""};
    reader.json = parse(root, bytes, length, &reader.taken);
    if (!reader.json)
        return false;
    if (!arena_guard(arena, read_guarded, &reader))
        exhausted(root);
    json_release(arena, reader.json, reader.taken);
    return reader.good;
}
