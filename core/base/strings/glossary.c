#include "base/strings/glossary.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char ENDING[] = ".say";

/* ---- all terms ---- */

static int compare_terms(const void *left, const void *right) {
    const GlossaryTerm *a = left, *b = right;
    int order = strcasecmp(a->plain, b->plain);
    return order ? order : strcmp(a->name, b->name);
}

/* Whether a key is of an entry's meaning; its name's length then. */
static bool is_meaning(const char *key, size_t *length) {
    size_t tail = sizeof ENDING - 1;
    *length = strlen(key) > tail ? strlen(key) - tail : 0;
    return *length && strcmp(key + *length, ENDING) == 0;
}

static const char *words_of(const Language *words, const char *name, const char *what,
                            Arena *arena) {
    const char *key = arena_format(arena, "%s.%s", name, what);
    return key && language_has(words, key) ? language_words(words, key) : "";
}

Glossary glossary_of(const Language *words, Arena *arena) {
    const Language *first = words;
    while (first->fallback)
        first = first->fallback;
    Glossary glossary = {0};
    GlossaryTerm *terms = arena_alloc(arena, first->count + 1, sizeof *terms);
    size_t length;
    for (size_t i = 0; terms && i < first->count; i++) {
        if (!is_meaning(first->words[i].key, &length))
            continue;
        const char *name = arena_copy(arena, first->words[i].key, length);
        if (!name)
            return (Glossary){0};
        terms[glossary.count++] =
            (GlossaryTerm){.name = name,
                           .term = words_of(words, name, "term", arena),
                           .plain = words_of(first, name, "term", arena),
                           .also = words_of(words, name, "also", arena),
                           .say = words_of(words, name, "say", arena),
                           .see = words_of(words, name, "see", arena)};
    }
    if (glossary.count)
        qsort(terms, glossary.count, sizeof *terms, compare_terms);
    glossary.terms = terms;
    return glossary;
}

/* ---- lists ---- */

size_t glossary_next(const char **list, const char **text) {
    *list += strspn(*list, " ,");
    *text = *list;
    size_t length = strcspn(*list, ",");
    *list += length;
    while (length && (*text)[length - 1] == ' ')
        length--;
    return length;
}

/* ---- finding ---- */

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_lower(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (isupper((unsigned char)text[i]))
            return false;
    }
    return true;
}

/* Whether a text names what is `length` bytes long at a place, as a whole word. */
static bool names(const char *text, size_t at, const char *what, size_t length) {
    bool same = is_lower(what, length) ? strncasecmp(text + at, what, length) == 0
                                       : strncmp(text + at, what, length) == 0;
    if (!same || !length)
        return false;
    bool begins = !at || !is_of_word(what[0]) || !is_of_word(text[at - 1]);
    bool ends = !is_of_word(what[length - 1]) || !is_of_word(text[at + length]);
    return begins && ends;
}

size_t glossary_at(const Glossary *glossary, const char *text, size_t at,
                   size_t *length) {
    size_t found = glossary->count;
    *length = 0;
    for (size_t i = 0; i < glossary->count; i++) {
        const GlossaryTerm *term = &glossary->terms[i];
        const char *list = term->also, *other = term->term;
        for (size_t size = strlen(other); size; size = glossary_next(&list, &other)) {
            if (size <= *length || !names(text, at, other, size))
                continue;
            found = i;
            *length = size;
        }
    }
    return found;
}

size_t glossary_first(const Glossary *glossary, const char *text) {
    size_t length, found = glossary->count;
    for (size_t at = 0; text[at] && found == glossary->count; at++)
        found = glossary_at(glossary, text, at, &length);
    return found;
}

static bool has_letters(const char *text, const char *letters) {
    size_t length = strlen(letters);
    for (; *text; text++) {
        if (strncasecmp(text, letters, length) == 0)
            return true;
    }
    return !length;
}

bool glossary_matches(const GlossaryTerm *term, const char *letters) {
    return has_letters(term->term, letters) || has_letters(term->plain, letters) ||
           has_letters(term->also, letters);
}
