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

#include "text/pieces.h"

typedef struct Arena Arena;

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
