#include "base/strings/glossary.h"

#include "base/arena.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char ENDING[] = ".say";

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

/* ---- names, by the byte they begin with ---- */

/* Maps Latin letters to lower case. */
static unsigned char folded(char c) {
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool is_lower(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (isupper((unsigned char)text[i]))
            return false;
    }
    return true;
}

static bool add_name(Glossary *glossary, Arena *arena, GlossaryName name) {
    GlossaryName *kept = arena_alloc(arena, 1, sizeof *kept);
    if (!kept)
        return false;
    const GlossaryName **first = &glossary->names[folded(name.text[0])];
    name.any_case = is_lower(name.text, name.length);
    name.next = *first;
    *kept = name;
    *first = kept;
    return true;
}

/* Inserts the terms in reverse, so that lists begin with the first. */
static bool index_names(Glossary *glossary, Arena *arena) {
    for (size_t i = glossary->count; i-- > 0;) {
        const char *list = glossary->terms[i].also, *name = glossary->terms[i].term;
        for (size_t size = strlen(name); size; size = glossary_next(&list, &name)) {
            if (!add_name(glossary, arena, (GlossaryName){name, size, i, false, NULL}))
                return false;
        }
    }
    return true;
}

/* ---- all terms ---- */

static int compare_terms(const void *left, const void *right) {
    const GlossaryTerm *a = left, *b = right;
    int order = strcasecmp(a->plain, b->plain);
    return order ? order : strcmp(a->name, b->name);
}

/* Reports whether a key is of an entry's definition; stores the length of its name. */
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
    return index_names(&glossary, arena) ? glossary : (Glossary){0};
}

/* ---- finding ---- */

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Reports whether a text has this name at a position, as a whole word. */
static bool is_named(const char *text, size_t at, const GlossaryName *name) {
    size_t length = name->length;
    bool same = name->any_case ? strncasecmp(text + at, name->text, length) == 0
                               : strncmp(text + at, name->text, length) == 0;
    if (!same)
        return false;
    bool begins = !at || !is_of_word(name->text[0]) || !is_of_word(text[at - 1]);
    bool ends = !is_of_word(name->text[length - 1]) || !is_of_word(text[at + length]);
    return begins && ends;
}

size_t glossary_at(const Glossary *glossary, const char *text, size_t at,
                   size_t *length) {
    size_t found = glossary->count;
    *length = 0;
    const GlossaryName *name = glossary->names[folded(text[at])];
    for (; name; name = name->next) {
        if (name->length > *length && is_named(text, at, name)) {
            found = name->term;
            *length = name->length;
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
