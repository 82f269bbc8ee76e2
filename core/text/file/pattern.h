/* Regular expressions as used by tokenizers to split words.
 *
 * Supported are alternatives, groups (?:…) (…) (?i:…), lookahead (?=…) (?!…), classes
 * [^\r\n\p{L}] with ranges, \p{L} and other general categories, \s \d \w and their
 * complements, the quantifiers ? * + {2} {1,3} {2,}, and the possessive ones with +
 * behind ? * +. Matching is leftmost with backtracking, as in Oniguruma, which the
 * `tokenizers` library uses. Private to core/text/file. */
#ifndef TEXT_PATTERN_H
#define TEXT_PATTERN_H

#include "text/letters.h"

enum {
    PATTERN_SIZE_MAX = 1 << 12, /* bytes of one */
    PATTERN_DEPTH_MAX = 20,     /* groups within groups */
    PATTERN_CODE_MAX = 1 << 14  /* instructions */
};

typedef struct Pattern Pattern;

/* Compiles a pattern in the arena, which has a guard. NULL with a message in `problem`
 * ("can't be read at byte 3: …") if it is malformed, not supported, or matches the empty
 * text only. */
const Pattern *pattern_make(Arena *arena, const char *text, char problem[100]);

/* Makes a pattern that matches exactly that text, which has at least one letter. */
const Pattern *pattern_literal(Arena *arena, const char *text);

/* A search for matches in a text. */
typedef struct PatternSearch {
    const Pattern *pattern;
    Arena *arena; /* arena for alternatives to try; has a guard, and limits the work */
    Letters letters;
    double work; /* operations not yet spent on the arena */
    struct PatternPlace *places;
    size_t capacity;
} PatternSearch;

PatternSearch pattern_search(const Pattern *pattern, Arena *arena, Letters letters);

/* Finds the first match from `at` on: letters [*from, *to), at least one. False if there
 * is none. */
bool pattern_next(PatternSearch *search, size_t at, size_t *from, size_t *to);

#endif
