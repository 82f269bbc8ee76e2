/* The interface's words: a table from keys to texts in both languages. */
#ifndef BASE_STRINGS_H
#define BASE_STRINGS_H

#include "base/language.h"

typedef struct StringsEntry {
    const char *key; /* "inspector.matches" */
    Text text;
} StringsEntry;

/* Entries are sorted by key and borrowed from whoever loaded them. */
typedef struct Strings {
    size_t count;
    const StringsEntry *entries;
} Strings;

/* The text of a key in a language; the key itself when the table hasn't got it. */
const char *strings_get(const Strings *strings, Language language, const char *key);

/* Whether the table has the key. */
bool strings_has(const Strings *strings, const char *key);

#endif
