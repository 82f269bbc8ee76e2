/* Lessons with what was changed in them, kept among the user's own. */
#include "actions/actions.h"
#include "base/user_folder.h"
#include "contains.h"
#include "lesson/schema/yaml.h"
#include "session/mode.h"
#include "session/session.h"
#include "session_changes.h"

#include <unistd.h>

enum { PATH_SIZE = 1024 };

static void remove_folder(const char *folder) {
    char command[PATH_SIZE + 20];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

static void test_a_kept_lesson_opens_with_the_same_pictures(void **state) {
    Stand *stand = *state;
    char folder[] = "/tmp/glassformer-keep-XXXXXX";
    Error error;
    Arena *arena = arena_create(1 << 20);
    assert_non_null(mkdtemp(folder));
    open_lesson(stand, "08-one-head");
    try_keys(stand, "Ctrl+S");
    assert_int_equal(session_take_request(stand->session), SESSION_SAVE);
    go_to(stand, "S_scaled");
    try_keys(stand, "M");
    go_to(stand, "K");
    type(stand, "1/3");
    try_keys(stand, "Ctrl+S"); /* it offers a choice of the two */
    assert_int_equal(session_take_request(stand->session), SESSION_NOTHING);
    try_keys(stand, "Down Return");
    assert_int_equal(session_take_request(stand->session), SESSION_SAVE);
    try_keys(stand, "Ctrl+S Return");
    assert_int_equal(session_take_request(stand->session), SESSION_KEEP);
    const char *path = save_lesson_copy(stand->session, folder, arena, &error);
    assert_non_null(path);
    assert_contains(path, "/08-one-head-changed.yaml");
    assert_contains(stand->session->message, path);
    const char *second = save_lesson_copy(stand->session, folder, arena, &error);
    assert_contains(second, "/08-one-head-changed-2.yaml");
    size_t count = stand->session->lesson->step_count;
    uint64_t seen[64];
    assert_true(count < 64);
    try_keys(stand, "R Ctrl+Z Home"); /* all is computed at once, as in reading */
    /* its words may have other numbers filled in: as its file's are, not as before them
     */
    words_turn_to(stand->session, WORDS_FORMULA);
    for (size_t i = 0; i < count; i++, try_keys(stand, "Right"))
        seen[i] = draw_session(stand, WIDTH, HEIGHT, false);
    ErrorList errors = {0};
    assert_true(session_open(stand->session, path, &errors));
    for (size_t i = 0; i < count; i++, try_keys(stand, "Right")) {
        if (draw_session(stand, WIDTH, HEIGHT, false) != seen[i])
            fail_msg("step %zu is another when it is read back", i + 1);
    }
    try_keys(stand, "R"); /* what was kept can be restored, and that undone */
    assert_false(changes_any(changes(stand)));
    try_keys(stand, "Ctrl+Z");
    assert_true(changes_any(changes(stand)));
    const char *third = save_lesson_copy(stand->session, NULL, arena, &error);
    assert_contains(third, "/08-one-head-changed-3.yaml");
    arena_destroy(arena);
    remove_folder(folder);
}

/* Opens a file of a lesson and a `changes:` list behind it. */
static void open_kept(Stand *stand, const char *folder, const char *id,
                      const char *changes) {
    char path[PATH_SIZE];
    ErrorList errors = {0};
    size_t length, index = course_find(&stand->course, id);
    Arena *arena = arena_create(8 << 20);
    const char *text =
        yaml_read_file(arena, stand->course.lessons[index].path, &length, &errors);
    snprintf(path, sizeof path, "%s/%s-changed.yaml", folder, id);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s\nchanges:\n%s\n", text, changes);
    assert_int_equal(fclose(file), 0);
    arena_destroy(arena);
    assert_true(session_open(stand->session, path, &errors));
}

static void test_what_a_file_has_changed_itself_is_restored_too(void **state) {
    Stand *stand = *state;
    char folder[] = "/tmp/glassformer-keep-XXXXXX";
    assert_non_null(mkdtemp(folder));
    open_lesson(stand, "30-the-whole-transformer");
    size_t heads = shape(stand)->heads;
    open_kept(stand, folder, "30-the-whole-transformer", "  - {heads: 1}");
    assert_int_equal(shape(stand)->heads, 1);
    try_keys(stand, "X Down Right Escape"); /* with what the file has put otherwise */
    assert_int_equal(shape(stand)->heads, 1);
    try_keys(stand, "Ctrl+Z R");
    assert_int_equal(shape(stand)->heads, heads);
    assert_contains(stand->session->message, "kept from");
    assert_false(variant_in(stand->session->lesson));
    try_keys(stand, "R");
    assert_contains(stand->session->message, "Nothing");
    try_keys(stand, "Ctrl+Z");
    assert_int_equal(shape(stand)->heads, 1);

    open_kept(stand, folder, "29-eleven-steps", "  - {text: you win}");
    try_keys(stand, "X Up Right Escape"); /* switches one thing, and no other */
    assert_int_equal(stand->session->lesson->switches.norm, LESSON_NORM_OWN);
    assert_true(stand->session->lesson->switches.heads > 0);
    try_keys(stand, "Ctrl+Z");
    try_keys(stand, "Right");
    type(stand, "3");
    assert_string_equal(stand->session->lesson->text, "you win");
    try_keys(stand, "R");
    assert_string_equal(stand->session->lesson->text,
                        "when you play the game of thrones");
    assert_false(changes_any(changes(stand)));
    try_keys(stand, "Ctrl+Z");
    assert_string_equal(stand->session->lesson->text, "you win");
    assert_true(changes_any(changes(stand)));
    remove_folder(folder);
}

static void test_a_kept_lesson_stands_among_the_users_own(void **state) {
    Stand *stand = *state;
    char folder[] = "/tmp/glassformer-keep-XXXXXX";
    Error error;
    Arena *arena = arena_create(1 << 20);
    char *home = strdup(getenv("XDG_DATA_HOME") ? getenv("XDG_DATA_HOME") : "");
    assert_non_null(mkdtemp(folder));
    setenv("XDG_DATA_HOME", folder, 1);
    size_t before = stand->course.all;
    assert_int_equal(before, stand->course.count);
    open_lesson(stand, "08-one-head");
    go_to(stand, "K");
    type(stand, "1/3");
    assert_non_null(save_lesson_copy(stand->session, NULL, arena, &error));
    assert_int_equal(stand->course.all, before + 1);
    assert_int_equal(course_find(&stand->course, "08-one-head-changed"), before);
    home_enter(stand->session);
    look(stand);
    assert_true(shows(stand, "My lessons"));
    assert_true(action_do(stand->session, action_number("own_lessons")));
    look(stand);
    assert_true(shows(stand, "08-one-head-changed"));
    try_keys(stand, "Return");
    assert_string_equal(stand->session->lesson->id, "08-one-head-changed");
    assert_int_equal(stand->session->number, 0);
    try_keys(stand, "Ctrl+Right");
    assert_string_equal(stand->session->lesson->id, "08-one-head-changed");

    Course again; /* as the program finds them when it is started */
    ErrorList errors = {0};
    assert_true(course_init(&again, &errors));
    assert_int_equal(again.count, before);
    assert_int_equal(again.all, before + 1);
    assert_string_equal(again.lessons[before].id, "08-one-head-changed");
    course_finish(&again);
    course_lesson_finish(&stand->course.lessons[--stand->course.all]);
    stand->session->entry = NULL;
    setenv("XDG_DATA_HOME", home, 1);
    free(home);
    arena_destroy(arena);
    remove_folder(folder);
}

static void write_text(const char *folder, const char *name, const char *text) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void test_what_a_lesson_reads_is_kept_with_it(void **state) {
    static const char lesson[] =
        "title: Mine\nvocabularies: {V: {corpus_file: deep/words}}\n"
        "given: {X: [1, 2]}\nsteps:\n  - do: Y = X + X\n";
    Stand *stand = *state;
    char top[] = "/tmp/glassformer-keep-XXXXXX", folder[PATH_SIZE], path[PATH_SIZE];
    Error error;
    ErrorList errors = {0};
    size_t length;
    Arena *arena = arena_create(8 << 20);
    assert_non_null(mkdtemp(top));
    snprintf(folder, sizeof folder, "mkdir -p %s/mine/deep %s/other", top, top);
    assert_int_equal(system(folder), 0);
    write_text(top, "mine/deep/words", "you win\n");
    write_text(top, "mine/mine.yaml", lesson);
    snprintf(path, sizeof path, "%s/mine/mine.yaml", top);
    assert_true(session_open(stand->session, path, &errors));
    type(stand, "3");

    snprintf(folder, sizeof folder, "%s/other", top); /* a copy beside it */
    const char *kept = save_lesson_copy(stand->session, folder, arena, &error);
    assert_non_null(kept);
    const char *text = yaml_read_file(arena, kept, &length, &errors);
    assert_contains(text, "{corpus_file: \"words\"}");
    snprintf(path, sizeof path, "%s/other/words", top);
    assert_string_equal(yaml_read_file(arena, path, &length, &errors), "you win\n");
    assert_non_null(save_lesson_copy(stand->session, folder, arena, &error)); /* again */

    write_text(top, "other/words", "another\n"); /* which stays */
    assert_null(save_lesson_copy(stand->session, folder, arena, &error));
    assert_contains(error.message, "'words'");
    assert_string_equal(yaml_read_file(arena, path, &length, &errors), "another\n");

    kept = save_lesson_copy(stand->session, top, arena, &error); /* it lies below */
    assert_non_null(kept);
    text = yaml_read_file(arena, kept, &length, &errors);
    assert_contains(text, "{corpus_file: \"mine/deep/words\"}");
    snprintf(path, sizeof path, "%s/words", top);
    assert_int_not_equal(access(path, F_OK), 0);

    write_text(top, "mine/mine.yaml", "title: Mine\n"); /* nothing is left of it */
    snprintf(folder, sizeof folder, "%s/third", top);
    assert_null(save_lesson_copy(stand->session, folder, arena, &error));
    snprintf(path, sizeof path, "%s/third/words", top);
    assert_int_not_equal(access(path, F_OK), 0);
    arena_destroy(arena);
    remove_folder(top);
}

static void test_what_can_not_be_read_again_is_not_kept(void **state) {
    Stand *stand = *state;
    char folder[] = "/tmp/glassformer-keep-XXXXXX", path[PATH_SIZE], kept[PATH_SIZE + 20];
    Error error;
    ErrorList errors = {0};
    Arena *arena = arena_create(1 << 20);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/mine.yaml", folder);
    snprintf(kept, sizeof kept, "%s/mine-changed.yaml", folder);
    FILE *file = fopen(path, "w");
    fputs("title: Mine\ngiven: {X: [1, 2]}\nsteps:\n  - do: Y = X + X\n", file);
    assert_int_equal(fclose(file), 0);
    assert_true(session_open(stand->session, path, &errors));
    type(stand, "3");
    file = fopen(path, "w"); /* meanwhile, in an editor */
    fputs("title: Mine\ngiven: {X: [1, 2]}\nsteps:\n  - do: Z = X + X\n", file);
    assert_int_equal(fclose(file), 0);
    assert_null(save_lesson_copy(stand->session, NULL, arena, &error));
    assert_contains(stand->session->message, "there is no tensor 'Y'");
    assert_int_not_equal(access(kept, F_OK), 0);
    arena_destroy(arena);
    remove_folder(folder);
}

static void test_a_lesson_that_is_gone_can_not_be_kept(void **state) {
    Stand *stand = *state;
    char folder[] = "/tmp/glassformer-keep-XXXXXX", path[PATH_SIZE];
    Error error;
    ErrorList errors = {0};
    Arena *arena = arena_create(1 << 20);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/mine.yaml", folder);
    FILE *file = fopen(path, "w");
    fputs("title: Mine\ngiven: {X: [1, 2]}\nsteps:\n  - do: Y = X + X\n", file);
    assert_int_equal(fclose(file), 0);
    assert_true(session_open(stand->session, path, &errors));
    type(stand, "3");
    assert_int_equal(remove(path), 0);
    assert_null(save_lesson_copy(stand->session, NULL, arena, &error));
    assert_true(stand->session->message[0]);
    assert_int_equal(error.code, ERROR_FILE);
    arena_destroy(arena);
    remove_folder(folder);
}

static void test_the_users_lessons_are_where_the_desktop_keeps_data(void **state) {
    Arena *arena = arena_create(1 << 16);
    setenv("XDG_DATA_HOME", "/somewhere/data", 1);
    assert_string_equal(folder_of_user(arena, "lessons"),
                        "/somewhere/data/glassformer/lessons");
    setenv("XDG_DATA_HOME", "not/absolute", 1);
    setenv("HOME", "/home/me", 1);
    assert_string_equal(folder_of_user(arena, "lessons"),
                        "/home/me/.local/share/glassformer/lessons");
    unsetenv("XDG_DATA_HOME");
    assert_string_equal(folder_of_user(arena, "lessons"),
                        "/home/me/.local/share/glassformer/lessons");
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_kept_lesson_opens_with_the_same_pictures),
        TEST(test_what_a_file_has_changed_itself_is_restored_too),
        TEST(test_a_kept_lesson_stands_among_the_users_own),
        TEST(test_what_a_lesson_reads_is_kept_with_it),
        TEST(test_what_can_not_be_read_again_is_not_kept),
        TEST(test_a_lesson_that_is_gone_can_not_be_kept),
        TEST(test_the_users_lessons_are_where_the_desktop_keeps_data),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
