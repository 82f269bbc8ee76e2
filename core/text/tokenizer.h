/* Tokenizers: a text is cut into pieces, and every piece gets its ID.
 *
 * One interface, one row of a table for each way to cut:
 *
 *   whitespace   words between white space
 *   characters   what a reader takes for one character (extended grapheme clusters);
 *                white space counts
 *   bpe          byte-pair encoding: merges learned from a corpus (text/bpe.h)
 *   wordpiece    BERT's: the longest piece that fits, again and again (text/wordpiece.h)
 *
 * Before anything else, the vocabulary's special tokens are taken out of the text where
 * they stand in it, the longest first. A piece knows its bytes in the text, so that a
 * picture can cut the text itself into chips. */
#ifndef TEXT_TOKENIZER_H
#define TEXT_TOKENIZER_H

#include "text/vocabulary.h"

enum { TOKENIZER_TEXT_MAX = 1 << 20 }; /* bytes of one text */

typedef enum TextPieceKind {
    TEXT_PIECE_WORD,         /* begins a word, or is one */
    TEXT_PIECE_CONTINUATION, /* goes on in the word of the piece before it */
    TEXT_PIECE_SPECIAL,
    TEXT_PIECE_UNKNOWN /* stands for bytes that the vocabulary has no token for */
} TextPieceKind;

typedef struct TextPiece {
    const char *text; /* the token as the vocabulary has it ("##ing"); borrowed from it */
    size_t id;
    TextPieceKind kind;
    size_t offset,
        length;  /* bytes of the source text. No length: an end-of-word mark,
                    or a token put before or behind the text. Pieces overlap
                    only where one source character became several letters that
                    fall into several pieces: each of them then has all of it. */
    size_t word; /* from 0. A special token is a word of its own. */
} TextPiece;

typedef struct TextPieces {
    size_t count;
    size_t words;     /* the words they are part of */
    TextPiece *items; /* in the order of the text, in the arena given */
} TextPieces;

typedef struct Bpe Bpe;
typedef struct Cutter Cutter;
typedef struct Letters Letters;

typedef struct TokenizerKind {
    const char *name;
    bool clean; /* the text is cleaned as BERT does it */
    bool (*split)(Cutter *cutter, const Letters *letters, Error *error);
} TokenizerKind;

/* Everything is borrowed. `kind` and `vocabulary` must be there, for "bpe" also `bpe`. */
typedef struct Tokenizer {
    const TokenizerKind *kind;
    const Vocabulary *vocabulary;
    const Bpe *bpe;
    bool lower_case;     /* look up lower case; wordpiece strips accents, too */
    const char *begin;   /* a token put before every text ("[CLS]"), or NULL */
    const char *end;     /* a token put behind every text ("[SEP]"), or NULL */
    const char *unknown; /* what an unknown piece becomes; NULL: "[UNK]" */
} Tokenizer;

/* The table's rows, and how many. */
const TokenizerKind *tokenizer_kinds(size_t *count);

/* The row of that name; NULL and ERROR_NAME, with the names there are, for another. */
const TokenizerKind *tokenizer_kind(const char *name, Error *error);

/* Cuts `length` bytes of UTF-8 into pieces. They and scratch memory (at most about 500
 * bytes for each of the text's) come from the arena.
 * ERROR_LIMIT: more than TOKENIZER_TEXT_MAX. ERROR_ENCODING: not UTF-8, and at which
 * byte. ERROR_NAME: the vocabulary lacks a token and the unknown token, too, or `begin`
 * or `end`. ERROR_MEMORY. */
bool tokenizer_cut(TextPieces *pieces, const Tokenizer *tokenizer, Arena *arena,
                   const char *text, size_t length, Error *error);

/* Adds every piece of a corpus that `vocabulary` lacks, in the order of their first
 * appearance. The tokenizer's own vocabulary, begin, end and unknown do not matter.
 * Wordpiece adds whole words, as its own pieces are not learned here; with bpe,
 * bpe_add_symbols comes first. Scratch memory and errors as for tokenizer_cut, and those
 * of vocabulary_add; what was added before an error stays. */
bool tokenizer_collect(Vocabulary *vocabulary, const Tokenizer *tokenizer, Arena *arena,
                       const char *text, size_t length, Error *error);

#endif
