/* Errors in lessons: each row of bad_lessons.txt gets one sentence with its position. */
#include "course_files.h"
#include "lesson_text.h"

enum { TEXT_SIZE = 4000 };

static const char *const kinds[] = {
    [ERROR_SYNTAX] = "syntax", [ERROR_NAME] = "name",   [ERROR_SHAPE] = "shape",
    [ERROR_VALUE] = "value",   [ERROR_LIMIT] = "limit", [ERROR_FILE] = "file",
    [ERROR_WORK] = "work"};

static ErrorCode kind_called(const char *name) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i] && strcmp(kinds[i], name) == 0)
            return (ErrorCode)i;
    }
    fail_msg("there is no kind '%s'", name);
    return ERROR_NONE;
}

/* "! 5:10 value ask must be a mapping" */
static void assert_row(const char *text, char *line) {
    char kind[20] = "";
    BadText bad = {.text = text};
    int words = 0;
    assert_int_equal(
        sscanf(line, "! %d:%d %19s %n", &bad.line, &bad.column, kind, &words), 3);
    line[strcspn(line, "\n")] = 0;
    bad.code = kind_called(kind);
    bad.words = line + words;
    assert_bad_lesson(&bad);
}

static void test_what_is_wrong_gets_a_sentence_at_its_place(void **state) {
    char path[COURSE_PATH_SIZE], line[TEXT_SIZE], text[TEXT_SIZE] = "";
    size_t rows = 0, begins = 0;
    FILE *file = fopen(course_path(path, "tests/bad_lessons.txt"), "rb");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        assert_true(strlen(text) + strlen(line) < sizeof text);
        if (strncmp(line, "! ", 2) == 0) {
            assert_row(text, line);
            text[begins] = 0;
            rows++;
        } else if (strncmp(line, "== ", 3) == 0) {
            text[begins = 0] = 0;
        } else if (strcmp(line, "---\n") == 0) {
            begins = strlen(text);
        } else if (line[0] != '#') {
            strcat(text, line);
        }
    }
    fclose(file);
    assert_true(rows > 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_wrong_gets_a_sentence_at_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
