/* Patterns: the regular expressions by which tokenizers cut words.
 *
 * Of those: alternatives, groups (?:…) (…) (?i:…), what follows (?=…) (?!…), classes
 * [^\r\n\p{L}] with ranges, \p{L} and other general categories, \s \d \w and their
 * opposites, the quantifiers ? * + {2} {1,3} {2,}, and with + behind ? * + those that
 * give nothing back. They are tried from left to right, as Oniguruma does it, which the
 * tokenizers' own library uses. Private to core/text/file. */
#ifndef TEXT_PATTERN_H
#define TEXT_PATTERN_H

#include "text/letters.h"

enum {
    PATTERN_SIZE_MAX = 1 << 12, /* bytes of one */
    PATTERN_DEPTH_MAX = 20,     /* groups within groups */
    PATTERN_CODE_MAX = 1 << 14  /* instructions */
};

typedef struct Pattern Pattern;

/* Makes a pattern, in the arena, which has a guard. NULL with a sentence in `problem`
 * ("can't be read at byte 3: …") when it is wrong, not of the above, or fits nothing. */
const Pattern *pattern_make(Arena *arena, const char *text, char problem[100]);

/* A pattern that fits exactly that text, which has one letter at least. */
const Pattern *pattern_literal(Arena *arena, const char *text);

/* Looking for a pattern from letter to letter of a text. */
typedef struct PatternSearch {
    const Pattern *pattern;
    Arena *arena; /* for what is to be tried yet; has a guard and spends the work */
    Letters letters;
    double work; /* operations that are not spent on the arena yet */
    struct PatternPlace *places;
    size_t capacity;
} PatternSearch;

PatternSearch pattern_search(const Pattern *pattern, Arena *arena, Letters letters);

/* The first place from `at` on that fits: letters [*from, *to), at least one. False when
 * there is none. */
bool pattern_next(PatternSearch *search, size_t at, size_t *from, size_t *to);

#endif
