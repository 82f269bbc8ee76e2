/* Byte-level byte-pair encoding, to which no text is unknown.
 *
 * A text is split into words, each word is its UTF-8 bytes, and the merges of text/bpe.h
 * join bytes instead of characters; there is no end-of-word mark. A word includes the
 * blank before it, if there is one, and is a run of letters, of digits, or of other
 * signs; a Chinese character is a word by itself, and so is white space that no word
 * includes. Within core/text byte b is the letter U+0100 + b, so that the same code
 * merges both. Source: Radford et al. 2019, section 2.2; the word split is simpler than
 * theirs. */
#pragma once

#include "text/letters.h"
#include "text/vocabulary.h"

enum {
    BYTE_BPE_BYTES = 256,
    BYTE_NAME_FACTOR = 6, /* length of a byte's name, "<0x0A>" */
    BYTE_NAME_SIZE = BYTE_NAME_FACTOR * VOCABULARY_TOKEN_SIZE_MAX
};

/* Writes the name of a byte token in a vocabulary: as text, with ␣ for a blank, if the
 * bytes are whole printable characters; else byte by byte, "<0xF0>". Names are unique.
 * `out` has room for BYTE_NAME_FACTOR bytes for each and a zero; returns the length. */
size_t byte_name(char *out, const char *bytes, size_t length);

/* Converts a name to the token's bytes, at most as many as the name has; returns their
 * number. */
size_t byte_name_read(char *bytes, const char *name);

/* Returns the end of the word that begins at `start`. Private to core/text, as is all
 * below. */
size_t byte_word_end(const Letters *letters, size_t start);

/* Converts a word's letters to those of its bytes: at most four for each in `out`;
 * returns their number. Each refers to its byte of the text, or to all of a letter's if
 * that was changed. */
size_t byte_letters(Letter *out, const Letter *letters, size_t count);

/* Writes the name of a symbol of a byte-level Bpe; `out` as for byte_name. */
size_t byte_symbol_name(char *out, const char *symbol, size_t length);

/* Writes a byte as such a symbol, two bytes without a zero. */
size_t byte_symbol(char out[4], unsigned char byte);
