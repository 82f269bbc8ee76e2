/* WordPiece as BERT uses it, step by step.
 *
 * A text is cleaned and cut into words at white space, at punctuation and round Chinese
 * characters. In each word the longest beginning that is a token is taken, then the
 * longest beginning of what is left, written with "##" before it, until nothing is left.
 * When nothing fits, the whole word is unknown, and so is one of more than
 * WORDPIECE_WORD_MAX characters. The row "wordpiece" of text/tokenizer.h does it; what is
 * here shows how.
 * Source: google-research/bert, tokenization.py; Wu et al. 2016, section 4.1. */
#ifndef TEXT_WORDPIECE_H
#define TEXT_WORDPIECE_H

#include "text/tokenizer.h"

enum { WORDPIECE_WORD_MAX = 100, WORDPIECE_TRIALS_MAX = 100000 };

typedef struct WordpieceTrial {
    const char *text;      /* as looked up: "transforms", then "transform", … */
    size_t offset, length; /* bytes of the source text */
    size_t word;
    bool fits; /* it is a token */
} WordpieceTrial;

typedef struct WordpieceTrials {
    size_t count;
    WordpieceTrial *items; /* in the order they were tried, in the arena given */
} WordpieceTrials;

/* Lists every candidate that tokenizer_cut looks up with a tokenizer of kind "wordpiece";
 * none for special tokens and for words that are too long. Errors as for tokenizer_cut,
 * and ERROR_LIMIT past WORDPIECE_TRIALS_MAX. */
bool wordpiece_list_trials(WordpieceTrials *trials, const Tokenizer *tokenizer,
                           Arena *arena, const char *text, size_t length, Error *error);

#endif
