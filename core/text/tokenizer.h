/* Tokenizers: a text is cut into pieces, and every piece gets its ID.
 *
 * One interface, one row of a table for each way to cut:
 *
 *   whitespace   words between white space
 *   characters   what a reader takes for one character (extended grapheme clusters);
 *                white space counts
 *   bpe          byte-pair encoding: merges learned from a corpus (text/bpe.h)
 *   wordpiece    BERT's: the longest piece that fits, again and again
 *   byte_bpe     byte-pair encoding of UTF-8 bytes: nothing is unknown (text/byte_bpe.h)
 *
 * Before anything else, the vocabulary's special tokens are taken out of the text where
 * they stand in it, the longest first. A piece knows its bytes in the text, so that a
 * picture can cut the text itself into chips. */
#ifndef TEXT_TOKENIZER_H
#define TEXT_TOKENIZER_H

#include "text/pieces.h"

/* A row of the table; NULL past the last. */
const TokenizerKind *tokenizer_kind(size_t index);

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
