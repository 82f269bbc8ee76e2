/* Letters: a text as code points that remember which bytes they came from.
 *
 * Cleaning, lower case and decomposition change a text; a token cut from what they leave
 * must still be shown where it stands in the text itself. So every code point carries its
 * bytes along. Several may come from the same bytes (one Hangul syllable gives two or
 * three), and a mark that is dropped leaves its bytes to the code point it stood on.
 * Private to core/text. */
#ifndef TEXT_LETTERS_H
#define TEXT_LETTERS_H

#include "base/arena.h"
#include "base/error.h"

#include <stdint.h>

typedef struct Letter {
    uint32_t code_point;
    uint32_t from, to; /* bytes of the source text, to is behind the last */
} Letter;

typedef struct Letters {
    size_t count;
    Letter *items; /* in the arena given */
} Letters;

/* Whether the text is UTF-8 of at most `max` bytes; `what` names it in a sentence ("the
 * text"). ERROR_LIMIT; ERROR_ENCODING, which says at which byte, counted from 1. */
bool letters_check(const char *what, const char *text, size_t length, size_t max,
                   Error *error);

/* Bytes [from, to) of `text` as code points. The bytes must be UTF-8 and below 4 GiB.
 * With `lower`, each is in lower case: Unicode's full mappings, as str.lower() of Python
 * does it (İ becomes i and a dot above; Σ that ends a word becomes ς). ERROR_MEMORY. */
bool letters_read(Letters *letters, Arena *arena, const char *text, size_t from,
                  size_t to, bool lower, Error *error);

/* As letters_read, but cleaned as BERT does before it looks for words: U+0000, U+FFFD and
 * control and format characters (Cc, Cf) are dropped, tab, line feed, carriage return and
 * Zs become blanks, every Chinese character stands between two blanks (which come from no
 * bytes). With `lower` also in lower case, in NFD and without the marks (Mn).
 * Source: google-research/bert, tokenization.py, BasicTokenizer. */
bool letters_read_clean(Letters *letters, Arena *arena, const char *text, size_t from,
                        size_t to, bool lower, Error *error);

/* Whether the code point is white space (Unicode's property White_Space). */
bool letter_is_space(uint32_t code_point);

/* Whether BERT cuts it off as a word of its own: P*, and ASCII that is neither letter,
 * digit, blank nor control, such as $ and ^. */
bool letter_is_punctuation(uint32_t code_point);

/* Whether BERT takes it for a Chinese character: a word by itself. */
bool letter_is_chinese(uint32_t code_point);

/* The end of the run of letters, white space or none, that begins at `start`. */
size_t letters_run_end(const Letters *letters, size_t start);

/* The end of the extended grapheme cluster that begins at `start`: no normal form joins
 * its letters with what follows. Source: Unicode Standard Annex 29. */
size_t letters_cluster_end(const Letters *letters, size_t start);

/* Writes the letters as UTF-8 behind each other; returns the bytes. `out` has room for
 * four bytes a letter. No terminating zero. */
size_t letters_write(const Letter *letters, size_t count, char *out);

#endif
