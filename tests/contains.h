/* Assertions about words in a text. A failure prints the words and the text. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static inline void assert_contains_at(const char *text, const char *words, bool wanted,
                                      const char *file, int line) {
    if (text && (strstr(text, words) != NULL) == wanted)
        return;
    print_error("'%s' %s in: %.800s\n", words, wanted ? "is missing" : "should not be",
                text ? text : "no text");
    _fail(file, line);
}

#define assert_contains(text, words)                                                     \
    assert_contains_at(text, words, true, __FILE__, __LINE__)

#define assert_lacks(text, words)                                                        \
    assert_contains_at(text, words, false, __FILE__, __LINE__)
