/* Comparing text with what was looked at and found good: tests/golden/NAME. A failure
 * leaves both texts in the build folder. With GLASSFORMER_WRITE_GOLDEN=1 in the
 * environment the text is written instead; look at the difference before keeping it. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GOLDEN_PATH_SIZE = 1024 };

static inline void golden_write(const char *folder, const char *name, const char *ending,
                                const char *text, size_t length) {
    char path[2 * GOLDEN_PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    FILE *file = fopen(path, "wb");
    if (!file)
        fail_msg("can't write %s", path);
    fwrite(text, 1, length, file);
    if (fclose(file) != 0)
        fail_msg("can't write %s", path);
}

/* The whole file with a terminating zero, which the caller frees; "" when there is none.
 */
static inline char *golden_read(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t capacity = 0;
    *length = 0;
    do {
        capacity = capacity * 2 + 4096;
        text = realloc(text, capacity);
        assert_non_null(text);
        if (file)
            *length += fread(text + *length, 1, capacity - *length - 1, file);
    } while (*length == capacity - 1);
    if (file)
        fclose(file);
    text[*length] = 0;
    return text;
}

static inline void golden_report(const char *name, const char *actual,
                                 const char *expected) {
    size_t line = 1, begin = 0, at = 0;
    while (actual[at] && actual[at] == expected[at]) {
        if (actual[at++] == '\n') {
            line++;
            begin = at;
        }
    }
    print_error("%s:%zu: is       %.*s\n", name, line, (int)strcspn(actual + begin, "\n"),
                actual + begin);
    print_error("%s:%zu: expected %.*s\n", name, line,
                (int)strcspn(expected + begin, "\n"), expected + begin);
}

/* Fails unless the zero-terminated text is that of tests/golden/NAME. */
static inline void assert_golden_at(const char *name, const char *actual,
                                    const char *source_file, int source_line) {
    const char *source = getenv("GLASSFORMER_SOURCE"),
               *build = getenv("GLASSFORMER_BUILD");
    char folder[GOLDEN_PATH_SIZE], path[GOLDEN_PATH_SIZE];
    assert_non_null(source);
    assert_non_null(build);
    snprintf(folder, sizeof folder, "%s/tests/golden", source);
    snprintf(path, sizeof path, "%s/tests/golden/%s", source, name);
    if (getenv("GLASSFORMER_WRITE_GOLDEN"))
        golden_write(folder, name, "", actual, strlen(actual));
    size_t length;
    char *expected = golden_read(path, &length);
    bool same = strlen(actual) == length && memcmp(actual, expected, length) == 0;
    if (!same) {
        golden_report(name, actual, expected);
        golden_write(build, name, ".actual", actual, strlen(actual));
        golden_write(build, name, ".expected", expected, length);
    }
    free(expected);
    if (!same) {
        print_error("if it is as it should be: GLASSFORMER_WRITE_GOLDEN=1 in the "
                    "environment writes %s; look at its difference\n",
                    path);
        _fail(source_file, source_line);
    }
}

#define assert_golden(name, actual) assert_golden_at(name, actual, __FILE__, __LINE__)
