/* Letters: a text as code points with their source bytes.
 *
 * Cleaning, lower case and decomposition change a text, but tokens must still be located
 * in the original. So every code point carries its range of bytes. Several may have the
 * same bytes (one Hangul syllable decomposes into two or three), and the bytes of a
 * dropped mark go to its base character. Private to core/text. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stdint.h>

typedef struct Letter {
    uint32_t code_point;
    uint32_t from, to; /* bytes [from, to) of the source text */
} Letter;

typedef struct Letters {
    size_t count;
    Letter *items; /* letters, in the arena given */
} Letters;

/* Reports whether the text is UTF-8 of at most `max` bytes; `what` names it in messages
 * ("the text"). ERROR_LIMIT; ERROR_ENCODING with the byte's number, counted from 1. */
bool letters_check(const char *what, const char *text, size_t length, size_t max,
                   Error *error);

/* Reads bytes [from, to) of `text` as code points. The bytes must be UTF-8 and below 4
 * GiB. With `lower`, converts to lower case with Unicode's full mappings, as Python's
 * str.lower() does (İ becomes i and a dot above; Σ at the end of a word becomes ς). */
void letters_read(Letters *letters, Arena *arena, const char *text, size_t from,
                  size_t to, bool lower);

/* The same with BERT's cleaning: U+0000, U+FFFD and control and format characters (Cc,
 * Cf) are dropped, tab, line feed, carriage return and Zs become blanks, every Chinese
 * character is put between two blanks (which have no bytes). With `lower` also in lower
 * case, in NFD and without marks (Mn). Source: google-research/bert, tokenization.py,
 * BasicTokenizer. */
void letters_read_clean(Letters *letters, Arena *arena, const char *text, size_t from,
                        size_t to, bool lower);

/* Reports whether the code point is white space (Unicode's property White_Space). */
bool letter_is_space(uint32_t code_point);

/* Reports whether BERT splits it off as a word of its own: P*, and ASCII that is neither
 * letter, digit, blank nor control, such as $ and ^. */
bool letter_is_punctuation(uint32_t code_point);

/* Reports whether BERT treats it as a Chinese character: a word by itself. */
bool letter_is_chinese(uint32_t code_point);

/* Returns the end of the run, of white space or of letters without any, that begins at
 * `start`. */
size_t letters_run_end(const Letters *letters, size_t start);

/* Returns the end of the extended grapheme cluster that begins at `start`: no normal form
 * joins its letters with later ones. Source: Unicode Standard Annex 29. */
size_t letters_cluster_end(const Letters *letters, size_t start);

/* Writes the letters as UTF-8; returns the number of bytes. `out` has room for four bytes
 * a letter. No terminating zero. */
size_t letters_write(const Letter *letters, size_t count, char *out);
