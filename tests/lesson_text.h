/* Lessons as text, for tests: loads one from memory, and checks the error of an invalid
 * one. */
#pragma once

#include "base/error.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/load/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Languages without words of their own, to read texts in. */
static const Language ENGLISH = {.code = "en"}, CHINESE = {.code = "zh"};

/* A lesson that must be good. The caller destroys it. */
static inline Lesson *lesson_good(const char *text) {
    ErrorList errors = {0};
    Lesson *lesson = lesson_parse("test.yaml", text, strlen(text), NULL, &errors);
    if (!lesson)
        error_list_print(&errors, stderr);
    assert_non_null(lesson);
    assert_int_equal(errors.count, 0);
    return lesson;
}

/* One thing that is wrong with a text, where, and words of the sentence. */
typedef struct BadText {
    const char *text;
    ErrorCode code;
    int line, column;
    const char *words;
} BadText;

/* Fails unless the only error of the list is the expected one. */
static inline void assert_only_error(const ErrorList *errors, const BadText *bad) {
    const Error *error = &errors->items[0];
    if (errors->count == 1 && error->code == bad->code && error->line == bad->line &&
        error->column == bad->column && strstr(error->message, bad->words))
        return;
    print_error("%s\nshould give %d at %d:%d with '%s', but gave:\n", bad->text,
                bad->code, bad->line, bad->column, bad->words);
    error_list_print(errors, stderr);
    print_error("code %d\n", errors->count ? error->code : ERROR_NONE);
    fail();
}

/* Fails unless the text has exactly that error and yields no lesson. */
static inline void assert_bad_lesson(const BadText *bad) {
    ErrorList errors = {0};
    Lesson *lesson =
        lesson_parse("test.yaml", bad->text, strlen(bad->text), NULL, &errors);
    if (lesson) {
        print_error("%s\nwas read without an error\n", bad->text);
        lesson_destroy(lesson);
        fail();
    }
    assert_only_error(&errors, bad);
}
