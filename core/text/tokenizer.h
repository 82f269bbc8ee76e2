/* Tokenizers: a text is split into tokens, each with its ID.
 *
 * One interface, one table row for each kind:
 *
 *   whitespace   words between white space
 *   characters   user-perceived characters (extended grapheme clusters), including white
 *                space
 *   bpe          byte-pair encoding: merges learned from a corpus (text/bpe.h)
 *   wordpiece    BERT's: repeatedly the longest token that matches
 *   byte_bpe     byte-pair encoding of UTF-8 bytes: nothing is unknown (text/byte_bpe.h)
 *
 * First the vocabulary's special tokens are matched in the text, the longest first. A
 * piece has its bytes in the text, so that a picture can cut the text itself into
 * chips. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Arena Arena;
typedef struct Error Error;
typedef struct Vocabulary Vocabulary;

enum {
    TOKENIZER_TEXT_MAX = 1 << 20, /* bytes of one text */
    /* default limit of a word's characters; longer words are unknown */
    WORDPIECE_WORD_MAX = 200
};

typedef enum TextPieceKind {
    TEXT_PIECE_WORD,         /* first piece of a word */
    TEXT_PIECE_CONTINUATION, /* continues the word of the piece before */
    TEXT_PIECE_SPECIAL,
    TEXT_PIECE_UNKNOWN /* bytes without a token in the vocabulary */
} TextPieceKind;

typedef struct TextPiece {
    const char *text; /* the token in the vocabulary ("##ing"); borrowed */
    size_t id;
    TextPieceKind kind;
    /* Bytes of the source text. Length 0: an end-of-word mark, or a token put before or
     * behind the text. Pieces overlap only if one source character became letters of
     * several pieces: each of them then has all of it. */
    size_t offset, length;
    size_t word; /* number of its word, from 0; a special token is a word of its own */
} TextPiece;

typedef struct TextPieces {
    size_t count;
    size_t words;     /* number of words */
    TextPiece *items; /* pieces in the order of the text, in the arena given */
} TextPieces;

typedef struct Bpe Bpe;         /* text/bpe.h */
typedef struct Cutter Cutter;   /* text/cutter.h */
typedef struct Letters Letters; /* text/letters.h */
struct TokenizerFile;           /* text/file/tokenizer_file.h */

typedef struct TokenizerKind {
    const char *name;
    bool clean; /* the text is cleaned as BERT does it */
    bool (*split)(Cutter *cutter, const Letters *letters, Error *error);
    bool merges; /* needs merges learned from a corpus */
    bool bytes;  /* those merges join bytes; tokens have byte_name's names */
    bool whole;  /* its split function handles special tokens itself */
} TokenizerKind;

/* A tokenizer's settings; everything is borrowed. `kind` and `vocabulary` are required,
 * `bpe` for a kind with merges. */
typedef struct Tokenizer {
    const TokenizerKind *kind;
    const Vocabulary *vocabulary;
    const Bpe *bpe;
    const struct TokenizerFile *file; /* the file it was read from, or NULL */
    bool lower_case;     /* convert to lower case; wordpiece strips accents, too */
    const char *begin;   /* a token put before every text ("[CLS]"), or NULL */
    const char *end;     /* a token put behind every text ("[SEP]"), or NULL */
    const char *unknown; /* token for unknown pieces; NULL: "[UNK]" */
    const char *prefix;  /* prefix of wordpiece's continuations; NULL: "##" */
    size_t word_max; /* wordpiece: limit of a word's characters; 0: WORDPIECE_WORD_MAX */
} Tokenizer;

/* Returns a row of the table; NULL past the last. */
const TokenizerKind *tokenizer_kind(size_t index);

/* Splits `length` bytes of UTF-8 into pieces. They and scratch memory (at most about 500
 * bytes for each of the text's) come from the arena. ERROR_LIMIT: more than
 * TOKENIZER_TEXT_MAX. ERROR_ENCODING: not UTF-8, with the byte. ERROR_NAME: the
 * vocabulary lacks a token and the unknown token, too, or `begin` or `end`.
 * ERROR_MEMORY. */
bool tokenizer_cut(TextPieces *pieces, const Tokenizer *tokenizer, Arena *arena,
                   const char *text, size_t length, Error *error);

/* Adds every token of a corpus that `vocabulary` lacks, in the order of first appearance.
 * The tokenizer's own vocabulary, begin, end and unknown are ignored. Wordpiece adds
 * whole words, as its subwords are not learned here; for bpe, call bpe_add_symbols first.
 * Scratch memory and errors as for tokenizer_cut, and those of vocabulary_add; tokens
 * added before an error stay. */
bool tokenizer_collect(Vocabulary *vocabulary, const Tokenizer *tokenizer, Arena *arena,
                       const char *text, size_t length, Error *error);
