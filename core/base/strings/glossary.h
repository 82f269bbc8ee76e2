/* A glossary: terms, what they mean and where they are at work.
 *
 * Its words are files like the interface's (base/strings/language.h): "NAME.term",
 * "NAME.also" (what else it is called, with commas between), "NAME.say", "NAME.see" (with
 * commas between). Which terms there are, the default language says; what another lacks
 * is taken from there. Everything is borrowed from the words. */
#ifndef BASE_GLOSSARY_H
#define BASE_GLOSSARY_H

#include "base/strings/language.h"

typedef struct GlossaryTerm {
    const char *name;  /* "causal_mask" */
    const char *term;  /* "因果掩码" */
    const char *plain; /* the default language's: "causal mask" */
    const char *also, *say, *see;
} GlossaryTerm;

/* What a term is called, or is called too. */
typedef struct GlossaryName {
    const char *text;
    size_t length, term; /* the term's number */
    bool any_case;
    const struct GlossaryName *next; /* that begins with the same byte */
} GlossaryName;

typedef struct Glossary {
    size_t count;
    const GlossaryTerm *terms; /* by their plain term, in the order of the alphabet */
    const GlossaryName *names[256]; /* by the lower case of the byte they begin with */
} Glossary;

/* The terms in a language of words, new in the arena; none when that is exhausted. */
Glossary glossary_of(const Language *words, Arena *arena);

/* The number of the term that a text names at byte `at`, the longest there is, with how
 * many bytes that takes; glossary->count where there is none. Words of letters count only
 * as a whole; those of a term in lower case in any case of letters. */
size_t glossary_at(const Glossary *glossary, const char *text, size_t at, size_t *length);

/* The first term that a text names; glossary->count for none. */
size_t glossary_first(const Glossary *glossary, const char *text);

/* Whether a term, or what else it is called, has these letters in it, in any case. */
bool glossary_matches(const GlossaryTerm *term, const char *letters);

/* The next of the texts with commas between, which moves *list behind it; 0 at the end.
 * Gives its length. */
size_t glossary_next(const char **list, const char **text);

#endif
