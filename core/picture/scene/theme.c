#include "picture/scene/theme.h"

#include "base/maths.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* ---- colours ---- */

static uint8_t mix_channel(uint8_t a, uint8_t b, int fraction) {
    return (uint8_t)((a * (MIX_STEPS - fraction) + b * fraction + MIX_STEPS / 2) /
                     MIX_STEPS);
}

Color palette_mix(Color a, Color b, int fraction) {
    return (Color){mix_channel(a.r, b.r, fraction), mix_channel(a.g, b.g, fraction),
                   mix_channel(a.b, b.b, fraction), mix_channel(a.a, b.a, fraction)};
}

int color_scale_position(const ColorScale *scale, double value) {
    if (!isfinite(value))
        return COLOR_MASKED;
    /* halved, because twice the largest double is infinite */
    double fraction = (value / 2 - scale->low / 2) / (scale->high / 2 - scale->low / 2);
    fraction = fraction > 0 ? fraction < 1 ? fraction : 1 : 0;
    int segments = (int)scale->palette->count - 1;
    return (int)(fraction * (segments * MIX_STEPS) + 0.5);
}

Color color_scale_color(const ColorScale *scale, int position) {
    const Palette *palette = scale->palette;
    if (position == COLOR_MASKED)
        return scale->masked;
    size_t segment = (size_t)(position / MIX_STEPS);
    if (segment + 1 >= palette->count)
        return palette->stops[palette->count - 1];
    return palette_mix(palette->stops[segment], palette->stops[segment + 1],
                       position % MIX_STEPS);
}

Color color_scale_at(const ColorScale *scale, double value) {
    return color_scale_color(scale, color_scale_position(scale, value));
}

static double linear(uint8_t channel) {
    double c = channel / 255.0;
    return c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(Color color) {
    return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

double palette_contrast(Color a, Color b) {
    double la = luminance(a), lb = luminance(b);
    return la > lb ? (la + 0.05) / (lb + 0.05) : (lb + 0.05) / (la + 0.05);
}

Color palette_ink(Color ground, Color dark, Color light) {
    return palette_contrast(ground, dark) >= palette_contrast(ground, light) ? dark
                                                                             : light;
}

/* ---- roles ---- */

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
    return word.length && word.text[0] == text[0] &&
           strncmp(text, word.text, word.length) == 0 && !text[word.length];
}

/* Part of a name behind the last dot, without a final ".T", primes and final numbers. */
static Word core_of(const char *name) {
    Word word = {name, strlen(name)};
    if (word.length > 2 && memcmp(name + word.length - 2, ".T", 2) == 0)
        word.length -= 2;
    size_t begin = word.length;
    while (begin > 0 && name[begin - 1] != '.')
        begin--;
    word = (Word){name + begin, word.length - begin};
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
