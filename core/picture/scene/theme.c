#include "picture/scene/theme.h"

#include <ctype.h>
#include <string.h>

typedef struct Word {
    const char *text;
    size_t length;
} Word;

static bool word_is(Word word, const char *text) {
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

/* The part behind the last dot, without a final ".T", primes and final numbers. */
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

/* Cuts the word off up to its first underscore. */
static Word take_part(Word *word) {
    size_t length = 0;
    while (length < word->length && word->text[length] != '_')
        length++;
    Word part = {word->text, length};
    size_t taken = length + (length < word->length);
    *word = (Word){word->text + taken, word->length - taken};
    return part;
}

Color theme_tensor_color(const Theme *theme, const char *name, Color fallback) {
    Word word = core_of(name);
    Word part = take_part(&word);
    if (word.length && (word_is(part, "W") || word_is(part, "b")))
        part = take_part(&word); /* weights and biases go with what they make */
    if (word_is(part, "Q") || word_is(part, "q") || word_is(part, "query"))
        return theme->query;
    if (word_is(part, "K") || word_is(part, "k") || word_is(part, "key"))
        return theme->key;
    if (word_is(part, "V") || word_is(part, "v") || word_is(part, "value"))
        return theme->value;
    return fallback;
}
