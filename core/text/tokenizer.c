#include "text/tokenizer.h"

#include "base/utf8.h"
#include "text/cutter.h"

#include <assert.h>
#include <string.h>
#include <utf8proc.h>

/* ---- pieces ---- */

void cutter_begin_word(Cutter *cutter) {
    cutter->pieces.words++;
}

static bool add_piece(Cutter *cutter, const VocabularyEntry *entry, TextPieceKind kind,
                      size_t from, size_t to, Error *error) {
    TextPieces *pieces = &cutter->pieces;
    if (cutter->collect)
        return true;
    if (pieces->count == cutter->capacity) {
        size_t capacity = cutter->capacity ? 2 * cutter->capacity : 16;
        TextPiece *items = arena_alloc(cutter->arena, capacity, sizeof *items);
        if (!items)
            return error_set(error, ERROR_MEMORY, 0, 0,
                             "no memory for the text's pieces");
        if (pieces->count)
            memcpy(items, pieces->items, pieces->count * sizeof *items);
        pieces->items = items;
        cutter->capacity = capacity;
    }
    pieces->items[pieces->count++] = (TextPiece){.text = entry->text,
                                                 .id = entry->id,
                                                 .kind = kind,
                                                 .offset = from,
                                                 .length = to - from,
                                                 .word = pieces->words - 1};
    return true;
}

/* Adds the unknown token instead of `missing`, which the vocabulary lacks. */
static bool add_unknown(Cutter *cutter, const Cut *missing, Error *error) {
    if (!cutter->collect && !cutter->unknown) {
        char shortened[UTF8_SHORT_SIZE];
        const char *unknown = cutter->tokenizer->unknown;
        return error_set(
            error, ERROR_NAME, 0, 0,
            "the vocabulary has no token for '%s' and no '%s' either; add one of the two",
            utf8_shorten(shortened, missing->text, missing->text_length),
            unknown ? unknown : "[UNK]");
    }
    return add_piece(cutter, cutter->unknown, TEXT_PIECE_UNKNOWN, missing->from,
                     missing->to, error);
}

bool cutter_add_unknown(Cutter *cutter, size_t from, size_t to, Error *error) {
    Cut missing = {cutter->source + from, to - from, from, to};
    return add_unknown(cutter, &missing, error);
}

bool cutter_add(Cutter *cutter, const Cut *cut, bool first, Error *error) {
    const VocabularyEntry *entry =
        vocabulary_lookup(cutter->vocabulary, cut->text, cut->text_length);
    if (!entry && cutter->collect)
        return vocabulary_add(cutter->collect, cut->text, cut->text_length, error);
    if (!entry)
        return add_unknown(cutter, cut, error);
    return add_piece(cutter, entry, first ? TEXT_PIECE_WORD : TEXT_PIECE_CONTINUATION,
                     cut->from, cut->to, error);
}

void cutter_drop(Cutter *cutter, size_t count) {
    if (cutter->pieces.count > count)
        cutter->pieces.count = count;
}

/* ---- words and characters ---- */

/* Adds the letters [start, end) as one token; `buffer` has four bytes for each. */
static bool add_letters(Cutter *cutter, const Letters *letters, size_t start, size_t end,
                        bool first, char *buffer, Error *error) {
    Cut cut = {.text = buffer,
               .text_length = letters_write(letters->items + start, end - start, buffer),
               .from = letters->items[start].from,
               .to = letters->items[end - 1].to};
    return cutter_add(cutter, &cut, first, error);
}

static char *letters_buffer(Cutter *cutter, const Letters *letters, Error *error) {
    char *buffer = arena_alloc(cutter->arena, letters->count + 1, 4);
    if (!buffer)
        error_set(error, ERROR_MEMORY, 0, 0, "no memory for the text's words");
    return buffer;
}

static bool split_words(Cutter *cutter, const Letters *letters, Error *error) {
    char *buffer = letters_buffer(cutter, letters, error);
    if (!buffer)
        return false;
    for (size_t start = 0, end; start < letters->count; start = end) {
        end = letters_run_end(letters, start);
        if (letter_is_space(letters->items[start].code_point))
            continue;
        cutter_begin_word(cutter);
        if (!add_letters(cutter, letters, start, end, true, buffer, error))
            return false;
    }
    return true;
}

/* The end of the extended grapheme cluster that begins at `start`. Source: Unicode
 * Standard Annex 29. */
static size_t cluster_end(const Letters *letters, size_t start) {
    utf8proc_int32_t state = 0;
    size_t end = start + 1;
    while (end < letters->count &&
           !utf8proc_grapheme_break_stateful(
               (utf8proc_int32_t)letters->items[end - 1].code_point,
               (utf8proc_int32_t)letters->items[end].code_point, &state))
        end++;
    return end;
}

/* A word is what stands between white space; a white character is a word of its own. */
static bool split_characters(Cutter *cutter, const Letters *letters, Error *error) {
    char *buffer = letters_buffer(cutter, letters, error);
    if (!buffer)
        return false;
    bool within = false;
    for (size_t start = 0, end; start < letters->count; start = end) {
        end = cluster_end(letters, start);
        bool space = letter_is_space(letters->items[start].code_point);
        bool first = space || !within;
        if (first)
            cutter_begin_word(cutter);
        if (!add_letters(cutter, letters, start, end, first, buffer, error))
            return false;
        within = !space;
    }
    return true;
}

/* ---- the table ---- */

static const TokenizerKind KINDS[] = {
    {"whitespace", false, split_words},
    {"characters", false, split_characters},
    {"bpe", false, bpe_split},
    {"wordpiece", true, wordpiece_split},
};

enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

const TokenizerKind *tokenizer_kinds(size_t *count) {
    *count = KIND_COUNT;
    return KINDS;
}

const TokenizerKind *tokenizer_kind(const char *name, Error *error) {
    const char *names[KIND_COUNT];
    char all[100] = "", shortened[UTF8_SHORT_SIZE];
    for (size_t i = 0; i < KIND_COUNT; i++) {
        if (strcmp(KINDS[i].name, name) == 0)
            return &KINDS[i];
        names[i] = KINDS[i].name;
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s",
                 i == 0               ? ""
                 : i + 1 < KIND_COUNT ? ", "
                                      : " and ",
                 names[i]);
    }
    utf8_shorten(shortened, name, strlen(name));
    const char *nearest = error_nearest(name, names, KIND_COUNT);
    if (nearest)
        error_set(error, ERROR_NAME, 0, 0, "unknown tokenizer '%s'; did you mean '%s'?",
                  shortened, nearest);
    else
        error_set(error, ERROR_NAME, 0, 0, "unknown tokenizer '%s'; there are %s",
                  shortened, all);
    return NULL;
}

/* ---- a whole text ---- */

static bool add_special(Cutter *cutter, const VocabularyEntry *entry, size_t from,
                        size_t to, Error *error) {
    cutter_begin_word(cutter);
    return add_piece(cutter, entry, TEXT_PIECE_SPECIAL, from, to, error);
}

/* Adds the token that stands before or behind every text, if there is one. */
static bool add_frame(Cutter *cutter, const char *token, size_t at, Error *error) {
    if (!token || cutter->collect)
        return true;
    const VocabularyEntry *entry =
        vocabulary_lookup(cutter->vocabulary, token, strlen(token));
    char shortened[UTF8_SHORT_SIZE];
    if (!entry)
        return error_set(error, ERROR_NAME, 0, 0,
                         "the vocabulary has no '%s' to put round a text; add it as a "
                         "special token",
                         utf8_shorten(shortened, token, strlen(token)));
    return add_special(cutter, entry, at, at, error);
}

/* Cuts bytes without special tokens in them. */
static bool cut_plain(Cutter *cutter, size_t from, size_t to, Error *error) {
    const Tokenizer *tokenizer = cutter->tokenizer;
    Letters letters;
    if (from == to)
        return true;
    bool (*read)(Letters *, Arena *, const char *, size_t, size_t, bool, Error *) =
        tokenizer->kind->clean ? letters_read_clean : letters_read;
    return read(&letters, cutter->arena, cutter->source, from, to, tokenizer->lower_case,
                error) &&
           tokenizer->kind->split(cutter, &letters, error);
}

bool cutter_run(Cutter *cutter, size_t length, Error *error) {
    const Tokenizer *tokenizer = cutter->tokenizer;
    const char *unknown = tokenizer->unknown ? tokenizer->unknown : "[UNK]";
    cutter->unknown = vocabulary_lookup(cutter->vocabulary, unknown, strlen(unknown));
    if (!letters_check("the text", cutter->source, length, TOKENIZER_TEXT_MAX, error) ||
        !add_frame(cutter, tokenizer->begin, 0, error))
        return false;
    size_t from = 0;
    for (size_t at = 0; at < length;) {
        const VocabularyEntry *special =
            vocabulary_special_at(cutter->vocabulary, cutter->source + at, length - at);
        if (!special) {
            at++;
            continue;
        }
        size_t end = at + special->length;
        if (!cut_plain(cutter, from, at, error))
            return false;
        if (!add_special(cutter, special, at, end, error))
            return false;
        at = from = end;
    }
    return cut_plain(cutter, from, length, error) &&
           add_frame(cutter, tokenizer->end, length, error);
}

bool tokenizer_cut(TextPieces *pieces, const Tokenizer *tokenizer, Arena *arena,
                   const char *text, size_t length, Error *error) {
    assert(tokenizer->kind && tokenizer->vocabulary);
    Cutter cutter = {.tokenizer = tokenizer,
                     .vocabulary = tokenizer->vocabulary,
                     .arena = arena,
                     .source = text};
    *pieces = (TextPieces){0};
    if (!cutter_run(&cutter, length, error))
        return false;
    *pieces = cutter.pieces;
    return true;
}

bool tokenizer_collect(Vocabulary *vocabulary, const Tokenizer *tokenizer, Arena *arena,
                       const char *text, size_t length, Error *error) {
    assert(tokenizer->kind && vocabulary);
    Cutter cutter = {.tokenizer = tokenizer,
                     .vocabulary = vocabulary,
                     .collect = vocabulary,
                     .arena = arena,
                     .source = text};
    return cutter_run(&cutter, length, error);
}
