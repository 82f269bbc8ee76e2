/* The two languages, and a text that has words in both. */
#ifndef BASE_LANGUAGE_H
#define BASE_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum Language { LANGUAGE_EN, LANGUAGE_ZH, LANGUAGE_COUNT } Language;

/* Strings are borrowed from whoever made the text; NULL where a language has no words.
 * A text written as one string has the same words in every language. */
typedef struct Text {
    const char *in[LANGUAGE_COUNT];
} Text;

/* "en", "zh". */
const char *language_code(Language language);

/* Finds the language of a code; false when there is none. */
bool language_from_code(const char *code, Language *language);

/* The words in the language, else in any other, else "". Never NULL. */
const char *text_in(const Text *text, Language language);

/* Whether the text has no words at all. */
bool text_is_empty(const Text *text);

#endif
