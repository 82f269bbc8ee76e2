/* Matching of a few typed letters with a text.
 *
 * From the best to the worst match: the text itself, its beginning, a phrase in it from a
 * word's beginning on, all typed words as beginnings of its words in any order, typed
 * words anywhere in it, letters in order within a word each. A word that contains Chinese
 * matches only literally. The case of Latin letters is ignored. */
#pragma once

enum { FUZZY_NONE = -1 };

/* Returns a score, higher for better matches; FUZZY_NONE if the pattern doesn't match.
 * The empty pattern matches every text with score 0. Both are UTF-8. */
int fuzzy_score(const char *pattern, const char *text);

/* The same for a long text: every word of the pattern must occur literally, a Latin one
 * at a word's beginning. More occurrences score higher, and all less than a phrase in a
 * short text. */
int fuzzy_score_words(const char *pattern, const char *text);
