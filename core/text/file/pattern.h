/* Regular expressions as used by tokenizers to split words, matched by PCRE2.
 *
 * tokenizer.json has them in the syntax of Oniguruma, which the `tokenizers` library
 * uses. Constructs are supported if they mean the same in PCRE2 or can be translated:
 * alternatives, groups (?:…) (…) (?i:…) (?>…), lookahead (?=…) (?!…), lookbehind (?<=…)
 * (?<!…) of a fixed length, ^ and $ (of a line), classes with ranges [^a-z\p{L}], general
 * categories \p{L} and scripts \p{Han}, \s \d \w and their complements, the quantifiers ?
 * * + {2} {1,3} {2,}, and after ? * + also ? for lazy and + for possessive matching.
 * Private to core/text/file. */
#pragma once

#include "text/letters.h"

enum {
    PATTERN_SIZE_MAX = 1 << 12, /* bytes of one */
    PATTERN_DEPTH_MAX = 20,     /* groups within groups */
    PATTERN_REPEATS_MAX = 1000  /* the largest count */
};

typedef struct Pattern Pattern;

/* Compiles a pattern in the arena, which has a guard. NULL with a message in `problem`
 * ("can't be read at byte 3: …") if it is malformed, not supported, or matches the empty
 * text. */
const Pattern *pattern_make(Arena *arena, const char *text, char problem[100]);

/* Makes a pattern that matches exactly this text, which must have at least one character.
 * NULL if it is too long. */
const Pattern *pattern_literal(Arena *arena, const char *text);

/* A search for matches, which can be used for many texts in turn. */
typedef struct PatternSearch PatternSearch;

/* Creates a search with an arena of its own within `outer`, which must have a guard and
 * limits the work. The search is freed with that arena if it isn't destroyed before. */
PatternSearch *pattern_search_create(Arena *arena);
void pattern_search_destroy(PatternSearch *search);

/* Begins to search a text, which must stay valid until the next one is begun. */
void pattern_search_begin(PatternSearch *search, const Pattern *pattern, Letters letters);

/* Finds the next match: characters [*from, *to), at least one. False if there is none. */
bool pattern_search_next(PatternSearch *search, size_t *from, size_t *to);
