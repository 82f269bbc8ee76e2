#include "base/strings/language.h"

#include "base/arena.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the interface's words ---- */

enum { TOUCH_KEY_SIZE = 128 };

static int compare_key(const void *key, const void *word) {
    return strcmp(key, ((const LanguageWord *)word)->key);
}

static const char *find_key(const Language *language, const char *key) {
    for (; language; language = language->fallback) {
        const LanguageWord *found = language->count
                                        ? bsearch(key, language->words, language->count,
                                                  sizeof *language->words, compare_key)
                                        : NULL;
        if (found)
            return found->words;
    }
    return NULL;
}

static const char *find_words(const Language *language, const char *key) {
    char touched[TOUCH_KEY_SIZE];
    const char *words = NULL;
    if (language && language->touch &&
        snprintf(touched, sizeof touched, "touch.%s", key) < (int)sizeof touched)
        words = find_key(language, touched);
    return words ? words : find_key(language, key);
}

const char *language_words(const Language *language, const char *key) {
    const char *words = find_words(language, key);
    return words ? words : key;
}

size_t language_write(char *out, size_t size, const Language *language, const char *key,
                      size_t count, const char *const *arguments) {
    size_t length = 0;
    for (const char *at = language_words(language, key); *at;) {
        size_t slot =
            at[0] == '{' && at[1] && at[2] == '}' ? (size_t)(at[1] - '0') : count;
        const char *piece = slot >= count ? at : arguments[slot] ? arguments[slot] : "";
        size_t bytes = slot < count ? strlen(piece) : 1 + strcspn(at + 1, "{");
        for (size_t i = 0; i < bytes && length + i + 1 < size; i++)
            out[length + i] = piece[i];
        length += bytes;
        at += slot < count ? 3 : bytes;
    }
    if (size)
        out[length < size ? length : size - 1] = 0;
    return length;
}

const char *language_sentence(const Language *language, const char *key, size_t count,
                              const char *const *arguments, Arena *arena) {
    size_t size = language_write(NULL, 0, language, key, count, arguments) + 1;
    char *text = arena_alloc(arena, size, 1);
    if (!text)
        return "";
    language_write(text, size, language, key, count, arguments);
    return text;
}

bool language_has(const Language *language, const char *key) {
    return find_words(language, key) != NULL;
}

bool language_is_code(const char *word) {
    size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyz");
    if (length < 2 || length > 3)
        return false;
    for (word += length; *word; word += length + 1) {
        for (length = 0; *word == '-' && isalnum((unsigned char)word[length + 1]);)
            length++;
        if (length < 1 || length > 8)
            return false;
    }
    return true;
}

const Language *languages_lookup(const Languages *languages, const char *code) {
    for (size_t i = 0; i < languages->count; i++) {
        if (strcmp(languages->items[i]->code, code) == 0)
            return languages->items[i];
    }
    return NULL;
}

const Language *languages_of_locale(const Languages *languages, const char *locale) {
    const Language *best = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < languages->count; i++) {
        const char *code = languages->items[i]->code;
        size_t same = 0;
        while (code[same] &&
               (code[same] == locale[same] || (code[same] == '-' && locale[same] == '_')))
            same++;
        if (!code[same] && !isalnum((unsigned char)locale[same]) && same > longest) {
            best = languages->items[i];
            longest = same;
        }
    }
    return best;
}

const char *languages_names(const Languages *languages,
                            char names[LANGUAGES_NAMES_SIZE]) {
    size_t length = 0;
    names[0] = 0;
    for (size_t i = 0; i < languages->count && length < LANGUAGES_NAMES_SIZE; i++)
        length += (size_t)snprintf(names + length, LANGUAGES_NAMES_SIZE - length,
                                   "%s%s (%s)", i ? ", " : "", languages->items[i]->code,
                                   languages->items[i]->name);
    return names;
}

const Language *languages_next(const Languages *languages, const Language *language) {
    size_t index = 0;
    while (index < languages->count && languages->items[index] != language)
        index++;
    return languages->items[(index + 1) % languages->count];
}

/* ---- texts ---- */

static const Wording *wording_of(const Text *text, const char *code) {
    for (size_t i = 0; i < text->count; i++) {
        const Wording *wording = &text->wordings[i];
        if (!wording->code || strcmp(wording->code, code) == 0)
            return wording;
    }
    return NULL;
}

static const Wording *wording_in(const Text *text, const Language *language) {
    for (; language; language = language->fallback) {
        const Wording *wording = wording_of(text, language->code);
        if (wording)
            return wording;
    }
    return text->count ? &text->wordings[0] : NULL;
}

const char *text_in(const Text *text, const Language *language) {
    const Wording *wording = text->key ? NULL : wording_in(text, language);
    if (text->key)
        return language_words(language, text->key);
    return wording ? wording->words : "";
}

bool text_is_filled_in(const Text *text, const Language *language) {
    const Wording *wording = text->key ? NULL : wording_in(text, language);
    return wording && wording->written;
}

bool text_is_empty(const Text *text) {
    bool empty = !text->key;
    for (size_t i = 0; i < text->count; i++)
        empty = empty && !text->wordings[i].words[0];
    return empty;
}

Text text_copy(const Text *text, Arena *arena) {
    Wording *copies = arena_alloc(arena, text->count, sizeof *copies);
    for (size_t i = 0; copies && i < text->count; i++) {
        const Wording *from = &text->wordings[i];
        copies[i].words = arena_copy(arena, from->words, strlen(from->words));
        if (from->code)
            copies[i].code = arena_copy(arena, from->code, strlen(from->code));
    }
    return arena_exhausted(arena) ? (Text){0} : (Text){text->key, text->count, copies};
}
