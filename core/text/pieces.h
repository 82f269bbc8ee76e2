/* Pieces of a text, and how it is to be cut into them. */
#ifndef TEXT_PIECES_H
#define TEXT_PIECES_H

#include "text/vocabulary.h"

enum {
    TOKENIZER_TEXT_MAX = 1 << 20, /* bytes of one text */
    WORDPIECE_WORD_MAX = 200      /* characters; a longer word is unknown, … */
};

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

typedef struct Bpe Bpe;         /* text/bpe.h */
typedef struct Cutter Cutter;   /* text/cutter.h */
typedef struct Letters Letters; /* text/letters.h */
struct TokenizerFile;           /* text/file/tokenizer_file.h */

typedef struct TokenizerKind {
    const char *name;
    bool clean; /* the text is cleaned as BERT does it */
    bool (*split)(Cutter *cutter, const Letters *letters, Error *error);
    bool merges; /* it needs merges that were learned from a corpus, … */
    bool bytes;  /* … of bytes: its tokens have byte_name's names */
    bool whole;  /* split finds the special tokens itself */
} TokenizerKind;

/* Everything is borrowed. `kind` and `vocabulary` must be there, `bpe` for a kind with
 * merges. */
typedef struct Tokenizer {
    const TokenizerKind *kind;
    const Vocabulary *vocabulary;
    const Bpe *bpe;
    const struct TokenizerFile *file; /* that it was read from, or NULL */
    bool lower_case;     /* look up lower case; wordpiece strips accents, too */
    const char *begin;   /* a token put before every text ("[CLS]"), or NULL */
    const char *end;     /* a token put behind every text ("[SEP]"), or NULL */
    const char *unknown; /* what an unknown piece becomes; NULL: "[UNK]" */
    const char *prefix;  /* of wordpiece's pieces that go on; NULL: "##" */
    size_t word_max;     /* … unless it says another length; 0: WORDPIECE_WORD_MAX */
} Tokenizer;

#endif
