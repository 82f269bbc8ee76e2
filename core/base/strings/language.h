/* Languages, and texts in several languages.
 *
 * The program has no built-in list of languages: each is a file of words. A lesson's text
 * can have words in any of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Arena Arena;

enum { LANGUAGES_NAMES_SIZE = 300 };

/* ---- the interface's words ---- */

typedef struct LanguageWord {
    const char *key; /* "inspector.matches" */
    const char *words;
} LanguageWord;

/* A language and its words, borrowed from the code that loaded it. */
typedef struct Language {
    const char *code, *name; /* "zh", "中文" */
    size_t count;
    const LanguageWord *words; /* sorted by key */
    struct Language *fallback; /* supplies the words this one lacks, or NULL */
    bool touch; /* the words of "touch.KEY" take the place of KEY's: there are no keys */
} Language;

/* The languages in the order of selection. The first is the default, and the fallback of
 * the others. */
typedef struct Languages {
    size_t count;
    Language **items;
} Languages;

/* Returns the words of a key: the language's, its fallback's, else the key itself. */
const char *language_words(const Language *language, const char *key);

/* The same with {0}, {1} … replaced by `count` arguments (NULL is ""). Truncates to
 * `size`, with a zero at the end. Returns the untruncated length in bytes. */
size_t language_write(char *out, size_t size, const Language *language, const char *key,
                      size_t count, const char *const *arguments);

/* The same in the arena; "" when that is exhausted. */
const char *language_sentence(const Language *language, const char *key, size_t count,
                              const char *const *arguments, Arena *arena);

/* Reports whether the language or its fallback has the key. */
bool language_has(const Language *language, const char *key);

/* Reports whether a word has the form of a language code: "zh", "pt-BR". Source: BCP
 * 47. */
bool language_is_code(const char *word);

/* Returns the language with the code, or NULL. */
const Language *languages_lookup(const Languages *languages, const char *code);

/* Returns the language of a desktop's locale, "zh_CN.UTF-8"; NULL if there is none. */
const Language *languages_of_locale(const Languages *languages, const char *locale);

/* Writes "en (English), zh (中文)", truncated if there are too many. Returns `names`. */
const char *languages_names(const Languages *languages, char names[LANGUAGES_NAMES_SIZE]);

/* Returns the next language; behind the last comes the first. */
const Language *languages_next(const Languages *languages, const Language *language);

/* ---- texts ---- */

/* Words in one language. */
typedef struct Wording {
    const char *code; /* NULL: the same words in every language */
    const char *words;
    const char *written; /* the words in the file, with placeholders */
    /* position in the file, of the code or, without one, of the words */
    int line, column;
    /* position of the first letter; column 0: the words span several lines of the file */
    int words_line, words_column;
    /* position of a comment that cuts off the words; 0: none */
    int comment_line, comment_column;
} Wording;

/* A text in several languages; everything is borrowed. */
typedef struct Text {
    /* a key of the interface's words, for the program's own texts; or NULL */
    const char *key;
    size_t count;
    Wording *wordings;
} Text;

/* Returns the words in the language, else in its fallback, else in any, else "". Never
 * NULL. */
const char *text_in(const Text *text, const Language *language);

/* Reports whether those words have placeholders. */
bool text_is_filled_in(const Text *text, const Language *language);

/* Reports whether the text has no words at all. */
bool text_is_empty(const Text *text);

/* Copies a text into the arena; empty when that is exhausted. */
Text text_copy(const Text *text, Arena *arena);
