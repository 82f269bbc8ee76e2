/* UTF-8: validation, and iteration by code point. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the code point at text[*offset] and moves *offset behind it. A byte that is not
 * valid UTF-8 (overlong, surrogate, above U+10FFFF, truncated) gives U+FFFD and moves one
 * byte. *offset must be below `length`. Source: RFC 3629. */
uint32_t utf8_next(const char *text, size_t length, size_t *offset);

/* Returns the offset of the first invalid byte, or `length` if all of it is UTF-8. */
size_t utf8_check(const char *text, size_t length);

/* Returns the length of the byte order mark, which is no part of a text, that some
 * editors write at its beginning; 0 if there is none. */
size_t utf8_mark(const char *text, size_t length);

/* Returns the number of code points in a zero-terminated text. */
size_t utf8_count(const char *text);

/* Writes a code point as one to four bytes (no terminating zero); returns how many. */
size_t utf8_encode(uint32_t code_point, char out[4]);

enum { UTF8_SHORT_POINTS = 40, UTF8_SHORT_SIZE = 4 * UTF8_SHORT_POINTS + 4 };

/* Shortens `length` bytes of text for quoting in a message: at most UTF8_SHORT_POINTS
 * code points, "…" if more were cut, line breaks as blanks. Returns `out`. */
const char *utf8_shorten(char out[UTF8_SHORT_SIZE], const char *text, size_t length);

/* Replaces each byte of a zero-terminated text that is not UTF-8 by "?", for instance
 * where it was cut within a character. */
void utf8_mend(char *text);

/* Reports whether a code point controls the display rather than being shown: a control
 * character (C0 but for line breaks and tabs, DEL, C1), one that changes the writing
 * direction, or U+2028 and U+2029. Source: Unicode 15, UAX #9. */
bool utf8_steers(uint32_t code_point);

/* Reports whether the code point is Chinese, Japanese or Korean script or full-width
 * punctuation: text that may break between any two characters. */
bool utf8_is_cjk(uint32_t code_point);
