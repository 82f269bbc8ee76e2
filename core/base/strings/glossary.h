/* A glossary: terms, their definitions and cross-references.
 *
 * Its words are in files like the interface's (base/strings/language.h): "NAME.term",
 * "NAME.also" (synonyms, separated by commas), "NAME.say", "NAME.see" (separated by
 * commas). The default language defines the set of terms, and supplies those that another
 * language lacks. Everything is borrowed from the words. */
#pragma once

#include "base/strings/language.h"

typedef struct GlossaryTerm {
    const char *name;  /* "causal_mask" */
    const char *term;  /* "因果掩码" */
    const char *plain; /* the term in the default language: "causal mask" */
    const char *also, *say, *see;
} GlossaryTerm;

/* A name of a term: the term itself or a synonym. */
typedef struct GlossaryName {
    const char *text;
    size_t length, term; /* index of the term */
    bool any_case;
    const struct GlossaryName *next; /* the next that begins with the same byte */
} GlossaryName;

typedef struct Glossary {
    size_t count;
    const GlossaryTerm *terms;      /* ordered by `plain` */
    const GlossaryName *names[256]; /* lists by the lower case of their first byte */
} Glossary;

/* Makes the glossary in a language, new in the arena; empty when that is exhausted. */
Glossary glossary_of(const Language *words, Arena *arena);

/* Finds the longest term that a text has at byte `at`: returns its number and stores its
 * length in bytes; glossary->count if there is none. Latin names match whole words only;
 * lower-case ones match any case. */
size_t glossary_at(const Glossary *glossary, const char *text, size_t at, size_t *length);

/* Returns the first term in a text; glossary->count for none. */
size_t glossary_first(const Glossary *glossary, const char *text);

/* Reports whether a term or one of its synonyms contains these letters, in any case. */
bool glossary_matches(const GlossaryTerm *term, const char *letters);

/* Returns the length of the next of the comma-separated texts and moves *list behind it;
 * 0 at the end. */
size_t glossary_next(const char **list, const char **text);
