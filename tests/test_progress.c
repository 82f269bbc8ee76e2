/* Notes on what was practised: kept from run to run, never lost silently. */
#include "base/user_folder.h"
#include "course/notes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
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
    .id = "08-one-head", .at_once = 4, .after_hints = 2, .skipped = 1};

static Notes *open_notes(const Stand *stand) {
    Notes *progress = notes_open(stand->path, &notes_of_progress);
    assert_non_null(progress);
    return progress;
}

static void record(Notes *progress, const char *id, size_t at_once) {
    ProgressLesson round = ROUND;
    Error error;
    round.id = id;
    round.at_once = at_once;
    assert_true(progress_record(progress, &round, &error));
}

static void test_what_was_practised_is_there_again(void **state) {
    Stand *stand = *state;
    Notes *progress = open_notes(stand);
    assert_int_equal(notes_state(progress), NOTES_FINE);
    assert_null(progress_of(progress, "08-one-head").id);
    record(progress, "08-one-head", 3);
    record(progress, "08-one-head", 4);
    record(progress, "12-blend", 0);
    notes_close(progress);
    progress = open_notes(stand);
    assert_int_equal(notes_state(progress), NOTES_FINE);
    ProgressLesson lesson = progress_of(progress, "08-one-head");
    assert_non_null(lesson.id);
    assert_int_equal(lesson.rounds, 2);
    assert_int_equal(lesson.at_once, 4);
    assert_int_equal(lesson.after_hints, 2);
    assert_int_equal(lesson.skipped, 1);
    assert_non_null(progress_of(progress, "12-blend").id);
    assert_null(progress_of(progress, "13-masks").id);
    notes_close(progress);
}

/* How a question was answered; NULL where nothing is noted. */
static const char *answer_of(const Notes *progress, const char *id, const char *path) {
    const json_t *lesson = json_object_get(notes_lessons(progress), id);
    return json_string_value(json_object_get(json_object_get(lesson, "answers"), path));
}

static void test_answers_to_questions_are_there_again(void **state) {
    Stand *stand = *state;
    Notes *progress = open_notes(stand);
    Error error;
    assert_null(answer_of(progress, "08-one-head", "7"));
    assert_true(progress_answer(progress, "08-one-head", "7", "shown", &error));
    assert_true(progress_answer(progress, "08-one-head", "7", "at_once", &error));
    record(progress, "08-one-head", 3);
    assert_true(progress_answer(progress, "08-one-head", "24.1", "after_hints", &error));
    notes_close(progress);
    progress = open_notes(stand);
    assert_int_equal(notes_state(progress), NOTES_FINE);
    assert_string_equal(answer_of(progress, "08-one-head", "7"), "at_once");
    assert_string_equal(answer_of(progress, "08-one-head", "24.1"), "after_hints");
    assert_null(answer_of(progress, "12-blend", "7"));
    assert_int_equal(progress_of(progress, "08-one-head").rounds, 1);
    assert_int_equal(progress_of(progress, "08-one-head").answered, 2);
    assert_true(progress_answer(progress, "08-one-head", "7", "shown", &error));
    assert_int_equal(progress_of(progress, "08-one-head").answered, 1);
    assert_false(progress_has_answer(progress, "08-one-head", "7"));
    assert_true(progress_has_answer(progress, "08-one-head", "24.1"));
    assert_false(progress_has_answer(progress, "12-blend", "24.1"));
    notes_close(progress);
}

static void test_two_windows_do_not_undo_each_other(void **state) {
    Stand *stand = *state;
    Notes *one = open_notes(stand), *other = open_notes(stand);
    record(one, "08-one-head", 1);
    record(other, "12-blend", 2);
    record(one, "13-masks", 3);
    notes_close(one);
    notes_close(other);
    one = open_notes(stand);
    assert_non_null(progress_of(one, "08-one-head").id);
    assert_non_null(progress_of(one, "12-blend").id);
    assert_non_null(progress_of(one, "13-masks").id);
    notes_close(one);
}

/* Each reads, counts and writes: none may do so between another's reading and writing. */
static void test_windows_that_note_at_once_lose_no_round(void **state) {
    enum { WINDOWS = 4, ROUNDS = 12 };
    Stand *stand = *state;
    pid_t windows[WINDOWS];
    for (size_t i = 0; i < WINDOWS; i++) {
        windows[i] = fork();
        if (windows[i])
            continue;
        Notes *progress = notes_open(stand->path, &notes_of_progress);
        Error error;
        for (size_t round = 0; round < ROUNDS; round++) {
            if (!progress_record(progress, &ROUND, &error))
                _exit(1);
        }
        _exit(0);
    }
    for (size_t i = 0; i < WINDOWS; i++) {
        int status;
        assert_int_equal(waitpid(windows[i], &status, 0), windows[i]);
        assert_int_equal(status, 0);
    }
    Notes *progress = open_notes(stand);
    assert_int_equal(progress_of(progress, ROUND.id).rounds, WINDOWS * ROUNDS);
    notes_close(progress);
}

/* Refused from that one on; 0: none is. */
static size_t refuses_from, asked;

void *__real_malloc(size_t size);

void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size) {
    return refuses_from && ++asked >= refuses_from ? NULL : __real_malloc(size);
}

static void test_notes_are_not_damaged_for_want_of_memory(void **state) {
    Stand *stand = *state;
    char before[TEXT_SIZE], text[TEXT_SIZE];
    Notes *progress = open_notes(stand);
    record(progress, "08-one-head", 1);
    record(progress, "12-blend", 1);
    notes_close(progress);
    read_file(stand->path, before);
    bool all_there = false;
    for (size_t i = 1; !all_there; i++) {
        refuses_from = i;
        asked = 0;
        progress = notes_open(stand->path, &notes_of_progress);
        all_there = asked < i;
        refuses_from = 0;
        if (progress)
            assert_int_not_equal(notes_state(progress), NOTES_SET_ASIDE);
        notes_close(progress);
        assert_string_equal(read_file(stand->path, text), before);
    }
}

static void test_notes_are_not_damaged_where_reading_fails(void **state) {
    Stand *stand = *state;
    struct stat status;
    char folder[PATH_SIZE];
    snprintf(folder, sizeof folder, "%.900s/glassformer", stand->folder);
    mkdir(folder, 0777);
    assert_int_equal(mkdir(stand->path, 0777), 0); /* can be opened, and not be read */
    Notes *progress = open_notes(stand);
    Error error;
    assert_int_equal(notes_state(progress), NOTES_STUCK);
    assert_false(progress_record(progress, &ROUND, &error));
    assert_int_equal(error.code, ERROR_FILE);
    notes_close(progress);
    assert_int_equal(stat(stand->path, &status), 0);
    assert_true(S_ISDIR(status.st_mode));
    assert_int_equal(rmdir(stand->path), 0);
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
        Notes *progress = open_notes(stand);
        assert_int_equal(notes_state(progress), NOTES_SET_ASIDE);
        assert_string_equal(notes_file(progress), stand->path);
        snprintf(names[i], PATH_SIZE, "%s", notes_aside(progress));
        assert_string_equal(read_file(names[i], text), damaged[i]);
        record(progress, "08-one-head", 1);
        notes_close(progress);
        progress = open_notes(stand);
        assert_int_equal(notes_state(progress), NOTES_FINE);
        assert_non_null(progress_of(progress, "08-one-head").id);
        notes_close(progress);
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
    Notes *progress = open_notes(stand);
    assert_int_equal(notes_state(progress), NOTES_NEWER);
    assert_false(progress_record(progress, &ROUND, &error));
    assert_int_equal(error.code, ERROR_FILE);
    assert_non_null(progress_of(progress, ROUND.id).id); /* until the program ends */
    assert_string_equal(read_file(stand->path, text), later);
    notes_close(progress);
}

static void test_a_file_that_can_not_be_read_is_left_alone(void **state) {
    Stand *stand = *state;
    char path[PATH_SIZE];
    Error error;
    write_file(stand, "no folder");
    snprintf(path, sizeof path, "%.900s/progress.json", stand->path);
    Notes *progress = notes_open(path, &notes_of_progress);
    assert_non_null(progress);
    assert_int_equal(notes_state(progress), NOTES_STUCK);
    assert_false(progress_record(progress, &ROUND, &error));
    assert_int_equal(error.code, ERROR_FILE);
    notes_close(progress);
}

static void test_notes_damaged_meanwhile_are_set_aside_too(void **state) {
    Stand *stand = *state;
    char text[TEXT_SIZE];
    Notes *progress = open_notes(stand);
    record(progress, "08-one-head", 1);
    write_file(stand, "half a fi");
    record(progress, "12-blend", 1);
    assert_int_equal(notes_state(progress), NOTES_SET_ASIDE);
    assert_string_equal(read_file(notes_aside(progress), text), "half a fi");
    assert_non_null(progress_of(progress, "08-one-head").id);
    notes_close(progress);
}

static void test_the_file_is_where_users_data_is(void **state) {
    Arena *arena = arena_create(1 << 16);
    setenv("HOME", "/home/someone", 1);
    setenv("XDG_DATA_HOME", "/data", 1);
    assert_string_equal(folder_of_user(arena, "progress.json"),
                        "/data/glassformer/progress.json");
    setenv("XDG_DATA_HOME", "relative", 1); /* the specification has it ignored */
    assert_string_equal(folder_of_user(arena, "progress.json"),
                        "/home/someone/.local/share/glassformer/progress.json");
    unsetenv("XDG_DATA_HOME");
    assert_string_equal(folder_of_user(arena, "progress.json"),
                        "/home/someone/.local/share/glassformer/progress.json");
    unsetenv("HOME");
    assert_null(folder_of_user(arena, "progress.json"));
    assert_null(notes_open_own(&notes_of_progress));
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_answers_to_questions_are_there_again, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_what_was_practised_is_there_again, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_two_windows_do_not_undo_each_other, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_windows_that_note_at_once_lose_no_round,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_notes_are_not_damaged_for_want_of_memory,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_notes_are_not_damaged_where_reading_fails,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_damaged_file_is_set_aside, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_notes_of_a_later_version_are_left_alone,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_file_that_can_not_be_read_is_left_alone,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_notes_damaged_meanwhile_are_set_aside_too,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_file_is_where_users_data_is, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
