#include "base/strings/fuzzy.h"

#include "base/strings/utf8.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

enum {
    LETTER = 2,
    FOLLOWS = 5,
    BEGINS_WORD = 6,
    BEGINS_TEXT = 4,
    LONGEST_GAP = 8,
    OFTEN = 5
};

static char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static bool is_letter(char letter) {
    return (letter & 0x80) || (letter >= '0' && letter <= '9') ||
           (lower(letter) >= 'a' && lower(letter) <= 'z');
}

static bool begins_word(const char *text, size_t at) {
    return at == 0 || !is_letter(text[at - 1]);
}

/* The score of a word matched from a position of the text; FUZZY_NONE if it doesn't
 * match. */
static int score_from(const char *word, size_t length, const char *text, size_t at) {
    int score = at == 0 ? BEGINS_TEXT : 0;
    size_t last = at;
    for (size_t i = 0; i < length; i++, at++) {
        size_t from = at;
        while (text[at] && lower(text[at]) != lower(word[i]))
            at++;
        if (!text[at])
            return FUZZY_NONE;
        size_t gap = at - from;
        score += LETTER + (i && gap == 0 ? FOLLOWS : 0) +
                 (begins_word(text, at) ? BEGINS_WORD : 0) -
                 (int)(gap < LONGEST_GAP ? gap : LONGEST_GAP);
        last = at;
    }
    bool ends_word = !is_letter(text[last + 1]);
    return score + ends_word > 0 ? score + ends_word : 0;
}

static bool has_chinese(const char *word, size_t length) {
    for (size_t at = 0; at < length;) {
        if (utf8_is_cjk(utf8_next(word, length, &at)))
            return true;
    }
    return false;
}

static int score_chinese(const char *word, size_t length, const char *text) {
    for (size_t at = 0; text[at]; at++) {
        if (strncmp(text + at, word, length) == 0)
            return (int)length * (LETTER + FOLLOWS) / 2 + (at == 0 ? BEGINS_TEXT : 0);
    }
    return FUZZY_NONE;
}

static int score_word(const char *word, size_t length, const char *text) {
    int best = FUZZY_NONE;
    if (has_chinese(word, length))
        return score_chinese(word, length, text);
    for (size_t at = 0; text[at]; at++) {
        if (lower(text[at]) != lower(word[0]))
            continue;
        int score = score_from(word, length, text, at);
        best = score > best ? score : best;
    }
    return best;
}

/* The score of a literal match. */
static int score_standing(const char *word, size_t length, const char *text) {
    bool chinese = has_chinese(word, length);
    size_t found = 0;
    for (size_t at = 0; text[at]; at++)
        found += strncasecmp(text + at, word, length) == 0 &&
                 (chinese || begins_word(text, at));
    int more = (int)(found < OFTEN ? found : OFTEN);
    return found ? (int)length * (LETTER + FOLLOWS) / (chinese ? 2 : 1) + more
                 : FUZZY_NONE;
}

/* The sum of the scores of the pattern's words. */
static int score_all(const char *pattern, const char *text,
                     int (*score_one)(const char *, size_t, const char *)) {
    static const char blanks[] = " \t\n";
    int total = 0;
    for (pattern += strspn(pattern, blanks); *pattern;) {
        size_t length = strcspn(pattern, blanks);
        int score = score_one(pattern, length, text);
        if (score == FUZZY_NONE)
            return FUZZY_NONE;
        total += score;
        pattern += length;
        pattern += strspn(pattern, blanks);
    }
    return total;
}

int fuzzy_score(const char *pattern, const char *text) {
    return score_all(pattern, text, score_word);
}

int fuzzy_score_words(const char *pattern, const char *text) {
    return score_all(pattern, text, score_standing);
}
