#include "base/strings/fuzzy.h"

#include "base/strings/utf8.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* Scores of a match by its kind; LONGEST is the most that a text's length takes off. */
enum {
    WHOLE = 1000,
    BEGINNING = 900,
    PHRASE = 800,
    WORD_STARTS = 700,
    WITHIN = 500,
    STANDING = 400,
    SCATTERED = 200,
    LONGEST = 50,
    OFTEN = 50
};

static const char blanks[] = " \t\n";

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

static bool has_chinese(const char *word, size_t length) {
    for (size_t at = 0; at < length;) {
        if (utf8_is_cjk(utf8_next(word, length, &at)))
            return true;
    }
    return false;
}

/* First position of a word in a text; `starts`: at the beginning of a word, unless it
 * contains Chinese. Returns NULL if there is none. */
static const char *find(const char *word, size_t length, const char *text, bool starts) {
    bool anywhere = !starts || has_chinese(word, length);
    for (size_t at = 0; text[at]; at++) {
        if ((anywhere || begins_word(text, at)) &&
            strncasecmp(text + at, word, length) == 0)
            return text + at;
    }
    return NULL;
}

/* True if a word's letters stand in order within one word of the text, beginning with its
 * first. */
static bool is_scattered_in(const char *word, size_t length, const char *text) {
    for (size_t at = 0; text[at]; at++) {
        size_t found = 0;
        if (!begins_word(text, at) || lower(text[at]) != lower(word[0]))
            continue;
        for (size_t i = at; text[i] && is_letter(text[i]) && found < length; i++)
            found += lower(text[i]) == lower(word[found]);
        if (found == length)
            return !has_chinese(word, length);
    }
    return false;
}

/* Kind of a single word's match. */
static int kind_of(const char *word, size_t length, const char *text) {
    return find(word, length, text, true)        ? WORD_STARTS
           : find(word, length, text, false)     ? WITHIN
           : is_scattered_in(word, length, text) ? SCATTERED
                                                 : FUZZY_NONE;
}

/* The worst kind of match of the pattern's words. */
static int worst_kind(const char *pattern, const char *text) {
    int worst = WORD_STARTS;
    for (pattern += strspn(pattern, blanks); *pattern && worst != FUZZY_NONE;) {
        size_t length = strcspn(pattern, blanks);
        int kind = kind_of(pattern, length, text);
        worst = kind < worst ? kind : worst;
        pattern += length;
        pattern += strspn(pattern, blanks);
    }
    return worst;
}

int fuzzy_score(const char *pattern, const char *text) {
    pattern += strspn(pattern, blanks);
    size_t length = strlen(pattern), all = strlen(text);
    while (length > 0 && strchr(blanks, pattern[length - 1]))
        length--;
    if (!length)
        return 0;
    const char *phrase = find(pattern, length, text, true);
    int kind = !phrase ? worst_kind(pattern, text) : phrase == text ? BEGINNING : PHRASE;
    if (kind == FUZZY_NONE)
        return FUZZY_NONE;
    if (kind == BEGINNING && length == all)
        kind = WHOLE;
    bool ends = phrase && !is_letter(phrase[length]); /* with a whole word */
    return kind + (ends ? LONGEST : 0) - (int)(all < LONGEST ? all : LONGEST);
}

int fuzzy_score_words(const char *pattern, const char *text) {
    size_t found = 0;
    bool any = false;
    for (pattern += strspn(pattern, blanks); *pattern;) {
        size_t length = strcspn(pattern, blanks), times = 0;
        for (const char *at = text; (at = find(pattern, length, at, false)); at++)
            times +=
                has_chinese(pattern, length) || begins_word(text, (size_t)(at - text));
        if (!times)
            return FUZZY_NONE;
        any = true;
        found += times;
        pattern += length;
        pattern += strspn(pattern, blanks);
    }
    return any ? STANDING + (int)(found < OFTEN ? found : OFTEN) : 0;
}
