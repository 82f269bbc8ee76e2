/* Notes on what was practised: kept from run to run, never lost silently. */
#include "course/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_SIZE = 1024, TEXT_SIZE = 4096 };

typedef struct Stand {
    char folder[PATH_SIZE], path[PATH_SIZE];
} Stand;

static int set_up(void **state) {
    Stand *stand = calloc(1, sizeof *stand);
    strcpy(stand->folder, "/tmp/glassformer-progress-XXXXXX");
    if (!mkdtemp(stand->folder))
        return -1;
    snprintf(stand->path, sizeof stand->path, "%.900s/glassformer/progress.json",
             stand->folder);
    *state = stand;
    return 0;
}

static int tear_down(void **state) {
    Stand *stand = *state;
    char command[PATH_SIZE + 16];
    snprintf(command, sizeof command, "rm -r '%s'", stand->folder);
    int status = system(command);
    free(stand);
    return status;
}

static void write_file(const Stand *stand, const char *text) {
    char folder[PATH_SIZE];
    snprintf(folder, sizeof folder, "%.900s/glassformer", stand->folder);
    mkdir(folder, 0777);
    FILE *file = fopen(stand->path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static const char *read_file(const char *path, char text[TEXT_SIZE]) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, TEXT_SIZE - 1, file);
    text[length] = 0;
    fclose(file);
    return text;
}

static const ProgressLesson ROUND = {
    .id = "07-one-head", .at_once = 4, .after_hints = 2, .skipped = 1};

static Progress *open_notes(const Stand *stand) {
    Progress *progress = progress_open(stand->path);
    assert_non_null(progress);
    return progress;
}

static void record(Progress *progress, const char *id, size_t at_once) {
    ProgressLesson round = ROUND;
    Error error;
    round.id = id;
    round.at_once = at_once;
    assert_true(progress_record(progress, &round, &error));
}

static void test_what_was_practised_is_there_again(void **state) {
    Stand *stand = *state;
    Progress *progress = open_notes(stand);
    assert_int_equal(progress_state(progress), PROGRESS_FINE);
    assert_null(progress_of(progress, "07-one-head"));
    record(progress, "07-one-head", 3);
    record(progress, "07-one-head", 4);
    record(progress, "10-blend", 0);
    progress_close(progress);
    progress = open_notes(stand);
    assert_int_equal(progress_state(progress), PROGRESS_FINE);
    const ProgressLesson *lesson = progress_of(progress, "07-one-head");
    assert_non_null(lesson);
    assert_int_equal(lesson->rounds, 2);
    assert_int_equal(lesson->at_once, 4);
    assert_int_equal(lesson->after_hints, 2);
    assert_int_equal(lesson->skipped, 1);
    assert_non_null(progress_of(progress, "10-blend"));
    assert_null(progress_of(progress, "11-masks"));
    progress_close(progress);
}

static void test_two_windows_do_not_undo_each_other(void **state) {
    Stand *stand = *state;
    Progress *one = open_notes(stand), *other = open_notes(stand);
    record(one, "07-one-head", 1);
    record(other, "10-blend", 2);
    record(one, "11-masks", 3);
    progress_close(one);
    progress_close(other);
    one = open_notes(stand);
    assert_non_null(progress_of(one, "07-one-head"));
    assert_non_null(progress_of(one, "10-blend"));
    assert_non_null(progress_of(one, "11-masks"));
    progress_close(one);
}

/* Whatever stands in it, a file that is no notes keeps its bytes under another name. */
static void test_a_damaged_file_is_set_aside(void **state) {
    Stand *stand = *state;
    static const char *const damaged[] = {
        "",
        "{\"version\": 1, \"lessons\": {",
        "[]",
        "not JSON",
        "{\"version\": 1}",
        "{\"version\": \"1\", \"lessons\": {}}",
        "{\"version\": 1, \"lessons\": {\"a\": 3}}",
        ("{\"version\": 1, \"lessons\": {\"a\": {\"rounds\": -1, \"at_once\": 0, "
         "\"after_hints\": 0, \"skipped\": 0}}}"),
        "{\"version\": 1, \"lessons\": {}, \"lessons\": {}}"};
    size_t count = sizeof damaged / sizeof *damaged;
    char names[16][PATH_SIZE], text[TEXT_SIZE];
    for (size_t i = 0; i < count; i++) {
        write_file(stand, damaged[i]);
        Progress *progress = open_notes(stand);
        assert_int_equal(progress_state(progress), PROGRESS_SET_ASIDE);
        assert_string_equal(progress_file(progress), stand->path);
        snprintf(names[i], PATH_SIZE, "%s", progress_aside(progress));
        assert_string_equal(read_file(names[i], text), damaged[i]);
        record(progress, "07-one-head", 1);
        progress_close(progress);
        progress = open_notes(stand);
        assert_int_equal(progress_state(progress), PROGRESS_FINE);
        assert_non_null(progress_of(progress, "07-one-head"));
        progress_close(progress);
    }
    for (size_t i = 0; i < count; i++) /* none took another's place */
        assert_string_equal(read_file(names[i], text), damaged[i]);
}

static void test_notes_of_a_later_version_are_left_alone(void **state) {
    Stand *stand = *state;
    static const char later[] = "{\"version\": 2, \"courses\": []}";
    char text[TEXT_SIZE];
    Error error;
    write_file(stand, later);
    Progress *progress = open_notes(stand);
    assert_int_equal(progress_state(progress), PROGRESS_NEWER);
    assert_false(progress_record(progress, &ROUND, &error));
    assert_int_equal(error.code, ERROR_FILE);
    assert_non_null(progress_of(progress, ROUND.id)); /* until the program ends */
    assert_string_equal(read_file(stand->path, text), later);
    progress_close(progress);
}

static void test_a_file_that_can_not_be_read_is_left_alone(void **state) {
    Stand *stand = *state;
    char path[PATH_SIZE];
    Error error;
    write_file(stand, "no folder");
    snprintf(path, sizeof path, "%.900s/progress.json", stand->path);
    Progress *progress = progress_open(path);
    assert_non_null(progress);
    assert_int_equal(progress_state(progress), PROGRESS_STUCK);
    assert_false(progress_record(progress, &ROUND, &error));
    assert_int_equal(error.code, ERROR_FILE);
    progress_close(progress);
}

static void test_notes_damaged_meanwhile_are_set_aside_too(void **state) {
    Stand *stand = *state;
    char text[TEXT_SIZE];
    Progress *progress = open_notes(stand);
    record(progress, "07-one-head", 1);
    write_file(stand, "half a fi");
    record(progress, "10-blend", 1);
    assert_int_equal(progress_state(progress), PROGRESS_SET_ASIDE);
    assert_string_equal(read_file(progress_aside(progress), text), "half a fi");
    assert_non_null(progress_of(progress, "07-one-head"));
    progress_close(progress);
}

static void test_the_file_is_where_users_data_is(void **state) {
    (void)state;
    Arena *arena = arena_create(1 << 16);
    setenv("HOME", "/home/someone", 1);
    setenv("XDG_DATA_HOME", "/data", 1);
    assert_string_equal(progress_path(arena), "/data/glassformer/progress.json");
    setenv("XDG_DATA_HOME", "relative", 1); /* the specification has it ignored */
    assert_string_equal(progress_path(arena),
                        "/home/someone/.local/share/glassformer/progress.json");
    unsetenv("XDG_DATA_HOME");
    assert_string_equal(progress_path(arena),
                        "/home/someone/.local/share/glassformer/progress.json");
    unsetenv("HOME");
    assert_null(progress_path(arena));
    assert_null(progress_open_own());
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_practised_is_there_again),
        cmocka_unit_test(test_two_windows_do_not_undo_each_other),
        cmocka_unit_test(test_a_damaged_file_is_set_aside),
        cmocka_unit_test(test_notes_of_a_later_version_are_left_alone),
        cmocka_unit_test(test_a_file_that_can_not_be_read_is_left_alone),
        cmocka_unit_test(test_notes_damaged_meanwhile_are_set_aside_too),
        cmocka_unit_test(test_the_file_is_where_users_data_is),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
