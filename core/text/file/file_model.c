#include "text/file/file_parts.h"

#include "base/strings/utf8.h"
#include "text/byte_bpe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct TokenizerFile TokenizerFile;

/* ---- names ---- */

const char *file_model_name(const TokenizerFile *made, Arena *arena, const char *token) {
    size_t length = strlen(token), count = 0;
    if (!made->pre_tokenizer.bytes)
        return token;
    char *bytes = arena_alloc(arena, length + 1, 1);
    for (size_t at = 0; at < length;) {
        int byte = step_byte_of(utf8_next(token, length, &at));
        if (byte < 0)
            return token; /* consists of other letters, so no text produces it */
        bytes[count++] = (char)byte;
    }
    char *name = arena_alloc(arena, BYTE_NAME_FACTOR * count + 1, 1);
    byte_name(name, bytes, count);
    return name;
}

/* ---- the vocabulary ---- */

typedef struct FileToken {
    const char *text;
    size_t id;
} FileToken;

static int compare_ids(const void *left, const void *right) {
    const FileToken *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

/* Lists the tokens by ID. */
static bool list_tokens(JsonNode node, FileToken *tokens) {
    const char *text;
    json_t *value;
    size_t count = 0;
    json_object_foreach((json_t *)node.value, text, value) {
        FileToken *token = &tokens[count++];
        token->text = arena_copy(node.file->arena, text, strlen(text));
        if (!json_is_integer(value) || json_integer_value(value) < 0)
            return json_node_fail(json_node_at(node, text), ERROR_VALUE,
                                  "must be an ID, a whole number from 0");
        token->id = (size_t)json_integer_value(value);
    }
    if (count)
        qsort(tokens, count, sizeof *tokens, compare_ids);
    return true;
}

/* Adds an added token, which may also be among the model's. */
static bool add_token(const TokenizerFile *made, Vocabulary *vocabulary, JsonNode node,
                      const FileToken *token) {
    const char *name = file_model_name(made, node.file->arena, token->text);
    VocabularyEntry entry = {token->text, strlen(token->text), token->id, false};
    Error error;
    if (!vocabulary_add_entry(made->tokens, entry, &error))
        return json_node_fail(node, error.code, "can't be: %s", error.message);
    entry.text = name;
    entry.length = strlen(name);
    const VocabularyEntry *same = vocabulary_lookup(vocabulary, name, entry.length);
    return (same && same->special && same->id == token->id) ||
           vocabulary_add_entry(vocabulary, entry, &error) ||
           json_node_fail(node, error.code, "can't be: %s", error.message);
}

static bool read_vocabulary(TokenizerFile *made, Vocabulary *vocabulary, JsonNode model) {
    JsonNode node = json_node_at(model, "vocab");
    size_t count = json_object_size(node.value);
    FileToken *tokens = arena_alloc(node.file->arena, count + 1, sizeof *tokens);
    if (!json_is_object(node.value))
        return json_node_fail(node, ERROR_VALUE,
                              "must be an object of tokens with their IDs");
    if (count > VOCABULARY_TOKENS_MAX)
        return json_node_fail(node, ERROR_LIMIT, "has %zu tokens; it can have at most %d",
                              count, VOCABULARY_TOKENS_MAX);
    if (!list_tokens(node, tokens))
        return false;
    made->tokens = vocabulary_create(node.file->arena, 0);
    for (size_t i = 0; i < count; i++) {
        if (!add_token(made, vocabulary, node, &tokens[i]))
            return false;
    }
    return true;
}

/* ---- byte-pair encoding ---- */

static bool find(const TokenizerFile *made, const char *text, size_t length,
                 uint32_t *symbol) {
    const VocabularyEntry *entry = vocabulary_lookup(made->tokens, text, length);
    if (entry)
        *symbol = (uint32_t)entry->id;
    return entry;
}

/* Splits a merge, ["a", "b"] or "a b", into its halves in `text`, which is modified. */
static bool halves(const json_t *merge, char *text, const char **left,
                   const char **right) {
    *left = json_string_value(json_array_get(merge, 0));
    *right = json_string_value(json_array_get(merge, 1));
    if (json_is_array(merge))
        return json_array_size(merge) == 2 && *left && *right;
    char *blank = text ? strchr(text, ' ') : NULL;
    if (!blank || strchr(blank + 1, ' '))
        return false;
    *blank = 0;
    *left = text;
    *right = blank + 1;
    return true;
}

static bool read_merge(TokenizerFile *made, JsonNode list, size_t index) {
    Arena *arena = list.file->arena;
    const json_t *merge = json_array_get(list.value, index);
    const char *text = json_string_value(merge), *left = NULL, *right = NULL;
    uint32_t pair[2], result;
    size_t prefix = strlen(made->prefix);
    if (!halves(merge, text ? arena_copy(arena, text, strlen(text)) : NULL, &left,
                &right))
        return json_node_fail(json_node_item(list, index), ERROR_VALUE,
                              "must be two tokens, [\"a\", \"b\"] or \"a b\"");
    const char *rest = strlen(right) >= prefix ? right + prefix : right;
    const char *joined = arena_format(arena, "%s%s", left, rest);
    const char *missing = !find(made, left, strlen(left), &pair[0])      ? left
                          : !find(made, right, strlen(right), &pair[1])  ? right
                          : !find(made, joined, strlen(joined), &result) ? joined
                                                                         : NULL;
    char quoted[UTF8_SHORT_SIZE];
    if (missing)
        return json_node_fail(json_node_item(list, index), ERROR_NAME,
                              "needs '%s', which model.vocab has not",
                              utf8_shorten(quoted, missing, strlen(missing)));
    merger_add(&made->merger, pair[0], pair[1], result);
    return true;
}

static bool read_merges(TokenizerFile *made, JsonNode model) {
    JsonNode list = json_node_at(model, "merges");
    size_t count = json_array_size(list.value);
    if (!json_is_array(list.value))
        return json_node_fail(list, ERROR_VALUE, "must be a list of merges");
    merger_init(&made->merger, list.file->arena, count);
    for (size_t i = 0; i < count; i++) {
        if (!read_merge(made, list, i))
            return false;
    }
    return true;
}

/* The word being split: its letters as symbols. */
typedef struct Spelling {
    Cutter *cutter;
    const TokenizerFile *made;
    char *text; /* room for one letter, prefix and suffix */
    size_t count;
    MergerPart *parts; /* room for four of each letter */
    /* an unknown token that is added before the next letter with a token of its own; the
     * library, too, adds it behind bytes */
    MergerPart waiting;
} Spelling;

static void spell(Spelling *spelling, MergerPart part) {
    spelling->parts[spelling->count++] = part;
}

static void spell_waiting(Spelling *spelling) {
    if (spelling->waiting.unknown)
        spell(spelling, spelling->waiting);
    spelling->waiting.unknown = false;
}

/* Adds the letter as its bytes, if the vocabulary has all of them. */
static bool spell_bytes(Spelling *spelling, const Letter *letter, size_t length) {
    char name[8];
    uint32_t symbols[4];
    bool own = letter->to - letter->from == length;
    for (size_t i = 0; i < length; i++) {
        snprintf(name, sizeof name, "<0x%02X>",
                 (unsigned)(unsigned char)spelling->text[i]);
        if (!find(spelling->made, name, strlen(name), &symbols[i]))
            return false;
    }
    for (uint32_t i = 0; i < length; i++)
        spell(spelling, (MergerPart){symbols[i], own ? letter->from + i : letter->from,
                                     own ? letter->from + i + 1 : letter->to, false});
    return true;
}

static void spell_letter(Spelling *spelling, const Letters *word, size_t index) {
    const TokenizerFile *made = spelling->made;
    const Letter *letter = &word->items[index];
    bool last = index + 1 == word->count;
    char point[4];
    size_t length = letters_write(letter, 1, point);
    int written = sprintf(spelling->text, "%s%.*s%s", index ? made->prefix : "",
                          (int)length, point, last ? made->suffix : "");
    MergerPart part = {0, letter->from, letter->to, false};
    if (find(made, spelling->text, (size_t)written, &part.symbol)) {
        spell_waiting(spelling);
        spell(spelling, part);
        return;
    }
    if (made->byte_fallback && (size_t)written == length &&
        spell_bytes(spelling, letter, length))
        return;
    if (spelling->waiting.unknown && made->fuse_unknown)
        part.from = spelling->waiting.from;
    else
        spell_waiting(spelling);
    part.unknown = true;
    spelling->waiting = part;
}

static bool add_part(Cutter *cutter, const MergerPart *part, bool first, Error *error) {
    const VocabularyEntry *entry = vocabulary_lookup_id(cutter->vocabulary, part->symbol);
    if (part->unknown)
        return cutter_add_unknown(cutter, part->from, part->to, error);
    cutter_add_entry(cutter, entry, first, part->from, part->to);
    return true;
}

static bool cut_whole(Cutter *cutter, const Letters *word, bool *whole, Error *error) {
    const TokenizerFile *made = cutter->tokenizer->file;
    char *text = arena_alloc(cutter->arena, word->count + 1, 4);
    MergerPart part = {0, word->items[0].from, word->items[word->count - 1].to, false};
    *whole =
        find(made, text, letters_write(word->items, word->count, text), &part.symbol);
    return !*whole || add_part(cutter, &part, true, error);
}

static bool cut_bpe(Cutter *cutter, const Letters *word, Error *error) {
    const TokenizerFile *made = cutter->tokenizer->file;
    bool whole = false;
    if (made->whole_words && (!cut_whole(cutter, word, &whole, error) || whole))
        return whole;
    Spelling spelling = {
        .cutter = cutter,
        .made = made,
        .text = arena_alloc(cutter->arena,
                            strlen(made->prefix) + strlen(made->suffix) + 8, 1),
        .parts = arena_alloc(cutter->arena, 4 * word->count + 1, sizeof(MergerPart))};
    for (size_t i = 0; i < word->count; i++)
        spell_letter(&spelling, word, i);
    spell_waiting(&spelling);
    MergerRoom room;
    merger_room(&room, cutter->arena, spelling.count);
    size_t count = merger_run(&made->merger, made->merger.count, spelling.parts,
                              spelling.count, &room, NULL);
    for (size_t i = 0; i < count; i++) {
        if (!add_part(cutter, &spelling.parts[i], i == 0, error))
            return false;
    }
    return true;
}

static bool read_bpe(TokenizerFile *made, Tokenizer *tokenizer, Vocabulary *vocabulary,
                     JsonNode node) {
    JsonNode dropout = json_node_at(node, "dropout");
    made->cut = cut_bpe;
    if (dropout.value && json_number_value(dropout.value) != 0)
        return json_node_fail(dropout, ERROR_VALUE,
                              "is not read here; leave it out, or write null");
    return json_node_text(node, "unk_token", &tokenizer->unknown) &&
           json_node_text(node, "continuing_subword_prefix", &made->prefix) &&
           json_node_text(node, "end_of_word_suffix", &made->suffix) &&
           json_node_switch(node, "fuse_unk", &made->fuse_unknown) &&
           json_node_switch(node, "byte_fallback", &made->byte_fallback) &&
           json_node_switch(node, "ignore_merges", &made->whole_words) &&
           read_vocabulary(made, vocabulary, node) && read_merges(made, node);
}

/* ---- WordPiece, whole words ---- */

static bool cut_piece(Cutter *cutter, const Letters *word, Error *error) {
    return wordpiece_cut_word(cutter, word->items, word->count, error);
}

static bool cut_known(Cutter *cutter, const Letters *word, Error *error) {
    size_t from = word->items[0].from, to = word->items[word->count - 1].to;
    Cut cut = {arena_alloc(cutter->arena, word->count + 1, 4), 0, from, to};
    cut.text_length = letters_write(word->items, word->count, (char *)cut.text);
    return cutter_add(cutter, &cut, true, error);
}

static bool no_bytes(const TokenizerFile *made, JsonNode node) {
    return !made->pre_tokenizer.bytes ||
           json_node_fail(json_node_at(node, "type"), ERROR_VALUE,
                          "is not read here behind ByteLevel; BPE is");
}

static bool read_pieces(TokenizerFile *made, Tokenizer *tokenizer, Vocabulary *vocabulary,
                        JsonNode node) {
    made->cut = cut_piece;
    tokenizer->word_max = 100;
    tokenizer->unknown = "[UNK]";
    tokenizer->prefix = "##";
    return no_bytes(made, node) &&
           json_node_text(node, "unk_token", &tokenizer->unknown) &&
           json_node_text(node, "continuing_subword_prefix", &tokenizer->prefix) &&
           json_node_whole(node, "max_input_chars_per_word", FILE_WORD_MAX,
                           &tokenizer->word_max) &&
           read_vocabulary(made, vocabulary, node);
}

static bool read_words(TokenizerFile *made, Tokenizer *tokenizer, Vocabulary *vocabulary,
                       JsonNode node) {
    made->cut = cut_known;
    tokenizer->unknown = "<unk>";
    return no_bytes(made, node) &&
           json_node_text(node, "unk_token", &tokenizer->unknown) &&
           read_vocabulary(made, vocabulary, node);
}

/* ---- the table ---- */

static const struct {
    const char *type, *keys;
    bool (*read)(TokenizerFile *, Tokenizer *, Vocabulary *, JsonNode);
} MODELS[] = {
    {"BPE",
     "type dropout unk_token continuing_subword_prefix end_of_word_suffix fuse_unk "
     "byte_fallback ignore_merges vocab merges",
     read_bpe},
    {"WordPiece",
     "type unk_token continuing_subword_prefix max_input_chars_per_word vocab",
     read_pieces},
    {"WordLevel", "type unk_token vocab", read_words},
};

bool file_model_read(TokenizerFile *made, Tokenizer *tokenizer, Vocabulary *vocabulary,
                     JsonNode node) {
    char quoted[UTF8_SHORT_SIZE];
    /* Older files have no type; WordPiece's have a maximum length of words. */
    const char *type = json_object_get(node.value, "merges") ? "BPE"
                       : json_object_get(node.value, "max_input_chars_per_word")
                           ? "WordPiece"
                           : "";
    made->prefix = made->suffix = "";
    if (!json_node_text(node, "type", &type))
        return false;
    for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++) {
        if (strcmp(MODELS[i].type, type) == 0)
            return json_node_keys(node, MODELS[i].keys) &&
                   MODELS[i].read(made, tokenizer, vocabulary, node);
    }
    return json_node_fail(json_node_at(node, "type"), ERROR_NAME,
                          "is '%s', which is not read here; BPE, WordPiece and WordLevel "
                          "are",
                          utf8_shorten(quoted, type, strlen(type)));
}
