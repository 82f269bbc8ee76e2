/* State of a tokenization: input of all split functions, and the pieces so far. Private
 * to core/text. */
#pragma once

#include "text/letters.h"
#include "text/tokenizer.h"

typedef struct VocabularyEntry VocabularyEntry;

struct Cutter {
    const Tokenizer *tokenizer;
    const Vocabulary *vocabulary;
    const VocabularyEntry *unknown; /* NULL: the vocabulary has none */
    /* missing tokens are added here, and no pieces stored; NULL: tokenize */
    Vocabulary *collect;
    Arena *arena;
    const char *source;
    TextPieces pieces;
    size_t capacity; /* capacity of pieces.items */
};

/* A token found by a split function; the bytes refer to the source text. */
typedef struct Cut {
    const char *text;
    size_t text_length;
    size_t from, to;
} Cut;

/* Tokenizes the whole text with cutter->tokenizer; that, vocabulary, arena and source
 * must be set. Errors as for tokenizer_cut. */
bool cutter_run(Cutter *cutter, size_t length, Error *error);

/* Begins a new word. */
void cutter_begin_word(Cutter *cutter);

/* Adds the token as a piece of the present word: its first piece, or a continuation. If
 * it is not in the vocabulary, it becomes the unknown token or, when collecting, a new
 * one. */
bool cutter_add(Cutter *cutter, const Cut *cut, bool first, Error *error);

/* Adds the unknown token for the bytes [from, to) as a piece of the present word. */
bool cutter_add_unknown(Cutter *cutter, size_t from, size_t to, Error *error);

/* The same for a token of the vocabulary; and for a special one, which is a word of its
 * own. */
void cutter_add_entry(Cutter *cutter, const VocabularyEntry *entry, bool first,
                      size_t from, size_t to);
void cutter_add_special(Cutter *cutter, const VocabularyEntry *entry, size_t from,
                        size_t to);

/* Drops the last pieces until `count` are left. */
void cutter_drop(Cutter *cutter, size_t count);

/* Split functions of the table that have a file of their own. */
bool bpe_split(Cutter *cutter, const Letters *letters, Error *error);
bool byte_bpe_split(Cutter *cutter, const Letters *letters, Error *error);
bool wordpiece_split(Cutter *cutter, const Letters *letters, Error *error);

/* Splits one word into the longest tokens that match, or makes it unknown. */
bool wordpiece_cut_word(Cutter *cutter, const Letter *word, size_t count, Error *error);
