#include "text/tokenizer.h"

#include "base/strings/utf8.h"
#include "text/cutter.h"

#include <assert.h>
#include <string.h>

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
