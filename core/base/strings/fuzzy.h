/* Fuzzy matching: how well a few typed letters stand for a text.
 *
 * Every word of the pattern must be there. A Latin one matches with its letters in order,
 * better where they begin words or follow one another; one with Chinese in it only as it
 * stands. The case of Latin letters doesn't matter. */
#ifndef BASE_FUZZY_H
#define BASE_FUZZY_H

enum { FUZZY_NONE = -1 };

/* FUZZY_NONE where the pattern doesn't match; else the better, the more. The empty
 * pattern matches everything alike, with 0. Both are UTF-8. */
int fuzzy_score(const char *pattern, const char *text);

/* The same for a long text, of which letters in order say nothing: every word of the
 * pattern must stand in it, a Latin one where a word begins. The more often, the better.
 */
int fuzzy_score_words(const char *pattern, const char *text);

#endif
