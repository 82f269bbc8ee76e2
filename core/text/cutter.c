#include "text/cutter.h"

#include "base/array.h"
#include "base/strings/utf8.h"
#include "text/vocabulary.h"

#include <assert.h>
#include <string.h>

/* ---- pieces ---- */

void cutter_begin_word(Cutter *cutter) {
    cutter->pieces.words++;
}

static void add_piece(Cutter *cutter, const VocabularyEntry *entry, TextPieceKind kind,
                      size_t from, size_t to) {
    TextPieces *pieces = &cutter->pieces;
    if (cutter->collect)
        return;
    pieces->items = array_reserve(cutter->arena, pieces->items, pieces->count,
                                  &cutter->capacity, sizeof *pieces->items);
    pieces->items[pieces->count++] = (TextPiece){.text = entry->text,
                                                 .id = entry->id,
                                                 .kind = kind,
                                                 .offset = from,
                                                 .length = to - from,
                                                 .word = pieces->words - 1};
}

/* Adds the unknown token instead of `missing`, which is not in the vocabulary. */
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
    add_piece(cutter, cutter->unknown, TEXT_PIECE_UNKNOWN, missing->from, missing->to);
    return true;
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
    cutter_add_entry(cutter, entry, first, cut->from, cut->to);
    return true;
}

void cutter_add_entry(Cutter *cutter, const VocabularyEntry *entry, bool first,
                      size_t from, size_t to) {
    add_piece(cutter, entry, first ? TEXT_PIECE_WORD : TEXT_PIECE_CONTINUATION, from, to);
}

void cutter_drop(Cutter *cutter, size_t count) {
    if (cutter->pieces.count > count)
        cutter->pieces.count = count;
}

/* ---- a whole text ---- */

void cutter_add_special(Cutter *cutter, const VocabularyEntry *entry, size_t from,
                        size_t to) {
    cutter_begin_word(cutter);
    add_piece(cutter, entry, TEXT_PIECE_SPECIAL, from, to);
}

/* Adds the token that is put before or behind every text, if there is one. */
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
    cutter_add_special(cutter, entry, at, at);
    return true;
}

/* Splits bytes without special tokens in them. */
static bool cut_plain(Cutter *cutter, size_t from, size_t to, Error *error) {
    const Tokenizer *tokenizer = cutter->tokenizer;
    Letters letters;
    if (from == to)
        return true;
    void (*read)(Letters *, Arena *, const char *, size_t, size_t, bool) =
        tokenizer->kind->clean ? letters_read_clean : letters_read;
    read(&letters, cutter->arena, cutter->source, from, to, tokenizer->lower_case);
    return tokenizer->kind->split(cutter, &letters, error);
}

/* Operations per byte that becomes a token of its own. */
enum { CUT_COST = 1000 };

bool cutter_run(Cutter *cutter, size_t length, Error *error) {
    const Tokenizer *tokenizer = cutter->tokenizer;
    const char *unknown = tokenizer->unknown ? tokenizer->unknown : "[UNK]";
    cutter->unknown = vocabulary_lookup(cutter->vocabulary, unknown, strlen(unknown));
    if (!letters_check("the text", cutter->source, length, TOKENIZER_TEXT_MAX, error))
        return false;
    arena_spend(cutter->arena, ARENA_WORK_TEXTS, CUT_COST * (double)length);
    if (!add_frame(cutter, tokenizer->begin, 0, error))
        return false;
    size_t from = 0;
    for (size_t at = tokenizer->kind->whole ? length : 0; at < length;) {
        const VocabularyEntry *special =
            vocabulary_special_at(cutter->vocabulary, cutter->source + at, length - at);
        if (!special) {
            at++;
            continue;
        }
        size_t end = at + special->length;
        if (!cut_plain(cutter, from, at, error))
            return false;
        cutter_add_special(cutter, special, at, end);
        at = from = end;
    }
    return cut_plain(cutter, from, length, error) &&
           add_frame(cutter, tokenizer->end, length, error);
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

static bool split_words(Cutter *cutter, const Letters *letters, Error *error) {
    char *buffer = arena_alloc(cutter->arena, letters->count + 1, 4);
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

/* Words are separated by white space; a white-space character is a word of its own. */
static bool split_characters(Cutter *cutter, const Letters *letters, Error *error) {
    char *buffer = arena_alloc(cutter->arena, letters->count + 1, 4);
    bool within = false;
    for (size_t start = 0, end; start < letters->count; start = end) {
        end = letters_cluster_end(letters, start);
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
    {.name = "whitespace", .split = split_words},
    {.name = "characters", .split = split_characters},
    {.name = "bpe", .split = bpe_split, .merges = true},
    {.name = "wordpiece", .clean = true, .split = wordpiece_split},
    {.name = "byte_bpe", .split = byte_bpe_split, .merges = true, .bytes = true},
};

const TokenizerKind *tokenizer_kind(size_t index) {
    return index < sizeof KINDS / sizeof *KINDS ? &KINDS[index] : NULL;
}

/* ---- a whole text ---- */

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
