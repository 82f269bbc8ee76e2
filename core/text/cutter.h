/* A text while it is being cut: what every split function works on, and the pieces it has
 * made. Private to core/text. */
#ifndef TEXT_CUTTER_H
#define TEXT_CUTTER_H

#include "text/letters.h"
#include "text/pieces.h"

struct Cutter {
    const Tokenizer *tokenizer;
    const Vocabulary *vocabulary;
    const VocabularyEntry *unknown; /* NULL: the vocabulary has none */
    Vocabulary *collect; /* pieces it lacks go here, and none are kept; NULL: cut */
    Arena *arena;
    const char *source;
    TextPieces pieces;
    size_t capacity; /* of pieces.items */
};

/* A token as a split function found it; the bytes are the source text's. */
typedef struct Cut {
    const char *text;
    size_t text_length;
    size_t from, to;
} Cut;

/* Cuts the whole text with cutter->tokenizer, which is set, as are vocabulary, arena and
 * source. Errors as for tokenizer_cut. */
bool cutter_run(Cutter *cutter, size_t length, Error *error);

/* What follows is a new word's. */
void cutter_begin_word(Cutter *cutter);

/* Adds the token as a piece of the present word: its first piece, or one that goes on.
 * One that is not in the vocabulary becomes the unknown token or, where tokens are
 * collected, a new one. */
bool cutter_add(Cutter *cutter, const Cut *cut, bool first, Error *error);

/* Adds the unknown token for the bytes [from, to) as a piece of the present word. */
bool cutter_add_unknown(Cutter *cutter, size_t from, size_t to, Error *error);

/* Adds a token of the vocabulary for the bytes [from, to), likewise; and a special one,
 * which is a word of its own. */
bool cutter_add_entry(Cutter *cutter, const VocabularyEntry *entry, bool first,
                      size_t from, size_t to, Error *error);
bool cutter_add_special(Cutter *cutter, const VocabularyEntry *entry, size_t from,
                        size_t to, Error *error);

/* Drops the last pieces until `count` are left. */
void cutter_drop(Cutter *cutter, size_t count);

/* The table's split functions that have a file of their own. */
bool bpe_split(Cutter *cutter, const Letters *letters, Error *error);
bool byte_bpe_split(Cutter *cutter, const Letters *letters, Error *error);
bool wordpiece_split(Cutter *cutter, const Letters *letters, Error *error);

/* Cuts one word into the longest pieces that fit, or makes it unknown. */
bool wordpiece_cut_word(Cutter *cutter, const Letter *word, size_t count, Error *error);

#endif
