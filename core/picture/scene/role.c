#include "picture/scene/role.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* Roles with their colours and the names of their tensors in lessons and models. */
typedef struct RoleRow {
    size_t color;  /* offset of the role's colour in a Theme */
    bool in_words; /* names in formulas and sentences have the role's colour */
    const char *names[3];
} RoleRow;

static const RoleRow rows[ROLE_COUNT] = {
    [ROLE_QUERY] = {offsetof(Theme, query), true, {"Q", "q", "query"}},
    [ROLE_KEY] = {offsetof(Theme, key), true, {"K", "k", "key"}},
    [ROLE_VALUE] = {offsetof(Theme, value), true, {"V", "v", "value"}},
    [ROLE_RESIDUAL] = {offsetof(Theme, residual), false, {"residual"}},
    [ROLE_PROBABILITIES] = {offsetof(Theme, probabilities), false, {"shares"}},
    [ROLE_NORM] = {offsetof(Theme, norm), false, {"norm"}},
    [ROLE_FEED_FORWARD] = {offsetof(Theme, feed_forward), false, {"feed_forward"}},
};

typedef struct Word {
    const char *text;
    size_t length;
} Word;

static bool word_is(Word word, const char *text) {
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

/* Part of a name behind the last dot, without a final ".T", primes and final numbers. */
static Word core_of(const char *name) {
    Word word = {name, strlen(name)};
    if (word.length > 2 && memcmp(name + word.length - 2, ".T", 2) == 0)
        word.length -= 2;
    for (size_t i = 0; i < word.length; i++) {
        if (name[i] == '.')
            word.text = name + i + 1;
    }
    word.length -= (size_t)(word.text - name);
    while (word.length > 1 && (isdigit((unsigned char)word.text[word.length - 1]) ||
                               strchr("'_", word.text[word.length - 1])))
        word.length--;
    return word;
}

/* Removes and returns the word up to its first underscore. */
static Word take_part(Word *word) {
    size_t length = 0;
    while (length < word->length && word->text[length] != '_')
        length++;
    Word part = {word->text, length};
    size_t taken = length + (length < word->length);
    *word = (Word){word->text + taken, word->length - taken};
    return part;
}

bool role_names_weight(const char *name) {
    Word word = core_of(name);
    Word part = take_part(&word);
    return word.length && (word_is(part, "W") || word_is(part, "b"));
}

static Role role_of_word(Word word) {
    for (int role = ROLE_NONE + 1; role < ROLE_COUNT; role++) {
        for (size_t i = 0; i < sizeof rows[role].names / sizeof *rows[role].names; i++) {
            if (rows[role].names[i] && word_is(word, rows[role].names[i]))
                return (Role)role;
        }
    }
    return ROLE_NONE;
}

Role role_of_name(const char *name) {
    Word word = core_of(name);
    Role whole = role_of_word(word);
    if (whole != ROLE_NONE)
        return whole;
    Word part = take_part(&word);
    if (word.length && (word_is(part, "W") || word_is(part, "b")))
        part =
            take_part(&word); /* weights and biases have the role of what they compute */
    return role_of_word(part);
}

Color role_color(const Theme *theme, Role role, Color none) {
    return role == ROLE_NONE
               ? none
               : *(const Color *)(const void *)((const char *)theme + rows[role].color);
}

Color role_name_color(const Theme *theme, const char *name, Color none) {
    Role role = role_of_name(name);
    return role_color(theme, rows[role].in_words ? role : ROLE_NONE, none);
}

Theme role_one_ink(const Theme *theme, Color ink) {
    Theme plain = *theme;
    plain.ink = plain.ink_soft = plain.ink_faint = ink;
    for (int role = ROLE_NONE + 1; role < ROLE_COUNT; role++)
        *(Color *)(void *)((char *)&plain + rows[role].color) = ink;
    return plain;
}
