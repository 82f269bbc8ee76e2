/* Tokenizers' settings, and the pieces they make of a text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

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
