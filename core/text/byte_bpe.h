/* Byte-pair encoding of bytes: no text is unknown to it.
 *
 * A text is cut into words, each word is its UTF-8 bytes, and the merges of text/bpe.h
 * join bytes where those join characters; there is no end-of-word mark. A word begins
 * with the blank before it, if there is one, and is a run of letters, of digits, or of
 * other signs; a Chinese character is a word by itself, and so is white space that no
 * word takes along. Within core/text byte b is the letter U+0100 + b, so that one code
 * merges both.
 * Source: Radford et al. 2019, section 2.2; the words are a simpler cut than theirs. */
#ifndef TEXT_BYTE_BPE_H
#define TEXT_BYTE_BPE_H

#include "text/letters.h"
#include "text/vocabulary.h"

enum {
    BYTE_BPE_BYTES = 256,
    BYTE_NAME_FACTOR = 6, /* a byte's name has at most so many, "<0x0A>" */
    BYTE_NAME_SIZE = BYTE_NAME_FACTOR * VOCABULARY_TOKEN_SIZE_MAX
};

/* What a token of bytes is called in a vocabulary: as it is read, with ␣ for a blank,
 * where the bytes are whole characters that can be shown; else byte by byte, "<0xF0>".
 * No two tokens have one name. `out` has room for BYTE_NAME_FACTOR bytes for each and a
 * zero; returns the length. */
size_t byte_name(char *out, const char *bytes, size_t length);

/* The bytes of a token of that name, at most as many as the name has; returns how many.
 */
size_t byte_name_read(char *bytes, const char *name);

/* The end of the word that begins at `start`. Private to core/text, as is all below. */
size_t byte_word_end(const Letters *letters, size_t start);

/* A word's letters as those of its bytes: at most four for each in `out`; returns how
 * many. Each knows its byte of the text, or all of a letter's where that is another in
 * the text. */
size_t byte_letters(Letter *out, const Letter *letters, size_t count);

/* The name of a symbol of a Bpe of bytes; `out` as for byte_name, of its letters. */
size_t byte_symbol_name(char *out, const char *symbol, size_t length);

/* A byte as such a symbol's text, two bytes without a zero. */
size_t byte_symbol(char out[4], unsigned char byte);

#endif
