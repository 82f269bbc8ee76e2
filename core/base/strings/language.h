/* Languages, and texts that have words in several.
 *
 * Which languages there are is no matter of the program: each is a file of words. A text
 * of a lesson has words in any of them. */
#ifndef BASE_LANGUAGE_H
#define BASE_LANGUAGE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum { LANGUAGES_NAMES_SIZE = 300 };

/* ---- the interface's words ---- */

typedef struct LanguageWord {
    const char *key; /* "inspector.matches" */
    const char *words;
} LanguageWord;

/* Borrowed, with all its words, from whoever loaded it. */
typedef struct Language {
    const char *code, *name; /* "zh", "中文" */
    size_t count;
    const LanguageWord *words; /* sorted by key */
    struct Language *fallback; /* has what this one lacks; NULL: nobody */
} Language;

/* The languages in the order they are gone through. The first is the default, which the
 * others fall back on. */
typedef struct Languages {
    size_t count;
    Language **items;
} Languages;

/* The words of a key: the language's, its fallback's, else the key itself. */
const char *language_words(const Language *language, const char *key);

/* The same with {0}, {1} … replaced by `count` arguments (NULL is ""); as much as there
 * is room for, with a zero behind it. Returns the bytes that all of it takes. */
size_t language_write(char *out, size_t size, const Language *language, const char *key,
                      size_t count, const char *const *arguments);

/* The same in the arena; "" when that is exhausted. */
const char *language_sentence(const Language *language, const char *key, size_t count,
                              const char *const *arguments, Arena *arena);

/* Whether the language or its fallback has the key. */
bool language_has(const Language *language, const char *key);

/* Whether a word is written as a language's code is: "zh", "pt-BR". Source: BCP 47. */
bool language_is_code(const char *word);

/* The language with the code, or NULL. */
const Language *languages_lookup(const Languages *languages, const char *code);

/* The language of a desktop's locale, "zh_CN.UTF-8"; NULL where there is none of it. */
const Language *languages_of_locale(const Languages *languages, const char *locale);

/* "en (English), zh (中文)", cut where there are too many. Returns `names`. */
const char *languages_names(const Languages *languages, char names[LANGUAGES_NAMES_SIZE]);

/* The language after this one; behind the last comes the first. */
const Language *languages_next(const Languages *languages, const Language *language);

/* ---- texts ---- */

/* Words in one language. */
typedef struct Wording {
    const char *code; /* NULL: the same words in every language */
    const char *words;
    const char *written; /* where numbers are filled in: the words as the file has them */
    int line, column;    /* in the file, of the code or, without one, of the words */
    int words_line, words_column; /* of the words' first letter; column 0: not on one line
                                     as they read */
    int comment_line, comment_column; /* where a comment cuts the words off; 0: none */
} Wording;

/* Borrowed, with all its words, from whoever made it. */
typedef struct Text {
    /* of the interface's words, for a text of the program's own; or NULL */
    const char *key;
    size_t count;
    Wording *wordings;
} Text;

/* The words in the language, else in its fallback, else in any, else "". Never NULL. */
const char *text_in(const Text *text, const Language *language);

/* Whether numbers are filled in there. */
bool text_is_filled_in(const Text *text, const Language *language);

/* Whether the text has no words at all. */
bool text_is_empty(const Text *text);

/* A copy that lives in the arena; empty when that is exhausted. */
Text text_copy(const Text *text, Arena *arena);

#endif
