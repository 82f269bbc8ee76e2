#include "base/language.h"

#include <string.h>

static const char *const codes[LANGUAGE_COUNT] = {"en", "zh"};

const char *language_code(Language language) {
    return codes[language];
}

bool language_from_code(const char *code, Language *language) {
    for (size_t i = 0; i < LANGUAGE_COUNT; i++) {
        if (strcmp(code, codes[i]) == 0) {
            *language = (Language)i;
            return true;
        }
    }
    return false;
}

const char *text_in(const Text *text, Language language) {
    if (text->in[language])
        return text->in[language];
    for (size_t i = 0; i < LANGUAGE_COUNT; i++) {
        if (text->in[i])
            return text->in[i];
    }
    return "";
}

bool text_is_empty(const Text *text) {
    for (size_t i = 0; i < LANGUAGE_COUNT; i++) {
        if (text->in[i] && text->in[i][0])
            return false;
    }
    return true;
}
