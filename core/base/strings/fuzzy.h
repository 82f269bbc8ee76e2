/* Fuzzy matching of a few typed letters with a text.
 *
 * Every word of the pattern must match. A Latin word matches with its letters in order;
 * letters at word beginnings and adjacent ones score higher. A word that contains Chinese
 * matches only literally. The case of Latin letters is ignored. */
#pragma once

enum { FUZZY_NONE = -1 };

/* Returns a score, higher for better matches; FUZZY_NONE if the pattern doesn't match.
 * The empty pattern matches every text with score 0. Both are UTF-8. */
int fuzzy_score(const char *pattern, const char *text);

/* The same for a long text, in which letters in order mean nothing: every word of the
 * pattern must occur literally, a Latin one at a word's beginning. More occurrences score
 * higher. */
int fuzzy_score_words(const char *pattern, const char *text);
