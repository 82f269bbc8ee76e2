/* Texts as they are heard: mathematical signs in words of a language, for screen readers
 * and for what is copied from a picture.
 *
 * The words are those under `aloud:` in the language's file. All texts are new in the
 * arena. */
#pragma once

#include "base/strings/writer.h"

typedef struct Language Language;

/* Appends a piece to a text, with a blank between them unless the text is empty, both
 * sides are Chinese, or a bracket or punctuation joins them. "" appends nothing. */
void aloud_put(Writer *writer, const char *piece);

/* Appends the words "aloud.NAME" in the same way, with {0} replaced by `part` (NULL:
 * no part). */
void aloud_put_words(Writer *writer, const Language *language, const char *name,
                     const char *part);

/* Returns the words of the sign that `text` begins with, and its length in bytes in
 * *length; NULL if it begins with no sign. `unary`: nothing stands before the sign that
 * it could join to what follows. */
const char *aloud_sign(const Language *language, const char *text, bool unary,
                       size_t *length);

/* Returns a text with its signs in words: "e^(1 − 2) ÷ √2" becomes "e to the power of (1
 * minus 2) divided by the square root of 2". Signs that are also used in other texts, + =
 * < > · →, count only with blanks on both sides; but · only without. */
const char *aloud_text(Arena *arena, const Language *language, const char *text);
