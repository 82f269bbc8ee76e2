/* Lessons that open: while keys are pressed, from a path, with errors, or from a folder
 * of data that lacks something. */
#include "contains.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "picture/home/home.h"
#include "picture/scene/theme.h"
#include "session/state.h"
#include "session_stand.h"

#include <locale.h>
#include <unistd.h>

enum { PATH_SIZE = 1024 };

/* ---- lessons read in the background ---- */

/* A lesson being read, as if that took long. */
static void begin_opening(Stand *stand, size_t index) {
    CourseLesson *entry = &stand->course.lessons[index];
    course_lesson_finish(entry);
    entry->tried = true;
    stand->session->opening =
        (Opening){.loader = loader_start(entry->path, NULL, (LoaderWatch){0}),
                  .entry = entry,
                  .arrival = {.statement = PLAYER_NONE, .depth = 1}};
    mode_enter(stand->session, &mode_opening);
}

static void test_keys_pressed_while_a_lesson_opens_are_kept(void **state) {
    Stand *stand = *state;
    session_open_in_background(stand->session, (LoaderWatch){0});
    begin_opening(stand, 6);
    session_key(stand->session, "Right");
    session_key(stand->session, "Right");
    session_key(stand->session, "L");
    session_report_opening(stand->session);
    look(stand);
    assert_true(says(stand, "Opening the lesson"));
    assert_true(mode_on(stand->session, &mode_home));
    assert_true(loader_wait(stand->session->opening.loader, 60000));
    ErrorList errors = {0};
    assert_true(session_poll(stand->session, &errors));
    assert_int_equal(stand->session->number, 7);
    assert_int_equal(statement(stand), 2);
    assert_ptr_equal(stand->session->language, stand->course.languages.items[1]);
    assert_false(session_poll(stand->session, &errors));
}

static void look_at_locale(void *seen) {
    *(locale_t *)seen = uselocale((locale_t)0);
}

/* SDL sets the desktop's for a while, in which numbers may have a comma. */
static void test_a_lesson_is_read_in_no_locale_of_the_program(void **state) {
    Stand *stand = *state;
    locale_t seen = LC_GLOBAL_LOCALE;
    Loader *loader =
        loader_start(stand->course.lessons[0].path, NULL,
                     (LoaderWatch){.done = look_at_locale, .context = &seen});
    Player player;
    ErrorList errors = {0};
    Lesson *lesson = loader_take(loader, &player, &errors);
    assert_non_null(lesson);
    assert_true(seen != LC_GLOBAL_LOCALE);
    lesson_destroy(lesson);
}

static bool has_come(void *context, const char *path) {
    assert_non_null(path);
    return *(const bool *)context;
}

/* In a browser a lesson's weights are fetched when it is opened. */
static void test_a_lesson_waits_until_its_files_are_there(void **state) {
    Stand *stand = *state;
    bool come = false;
    ErrorList errors = {0};
    LoaderWatch watch = {.ready = has_come, .context = &come};
    course_lesson_finish(&stand->course.lessons[7]);
    stand->course.lessons[7].tried = false;
    session_open_in_background(stand->session, watch);
    assert_true(session_open_number(stand->session, 7));
    assert_true(session_is_opening(stand->session));
    assert_false(session_poll(stand->session, &errors));
    come = true;
    while (session_is_opening(stand->session))
        session_poll(stand->session, &errors);
    assert_int_equal(stand->session->number, 8);

    come = false;
    const char *path = stand->course.lessons[0].path;
    loader_abandon(loader_start(path, NULL, watch));
    Player player;
    Lesson *lesson = loader_take(loader_start(path, NULL, watch), &player, &errors);
    assert_non_null(lesson);
    lesson_destroy(lesson);
}

/* Home shows pictures of lessons, but not at the price of all memory. */
static void test_a_large_lesson_is_not_kept_for_its_picture(void **state) {
    Stand *stand = *state;
    Course *course = &stand->course;
    char folder[] = "/tmp/test_opening_XXXXXX", path[sizeof folder + 16];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/large.yaml", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("title: x\ngiven: {X: {random: [2048, 2048]}}\nsteps:\n", file);
    for (size_t i = 0; i < 9; i++) /* 32 MiB each */
        fputs("- do: X * 2\n", file);
    fclose(file);
    assert_true(course_add_file(course, path));
    press(stand, "O");
    assert_true(mode_on(stand->session, &mode_home));
    home_state(stand->session)->door = (Link){LINK_BLOCK, HOME_OWN_LESSONS, 0, 0};
    look(stand);
    const CourseLesson *entry = &course->lessons[course->count];
    assert_true(entry->large);
    assert_null(entry->lesson);
    ErrorList errors = {0};
    assert_true(session_open(stand->session, path, &errors));
    assert_non_null(entry->lesson);
    unlink(path);
    rmdir(folder);
}

static void test_escape_lets_go_of_a_lesson_that_opens(void **state) {
    Stand *stand = *state;
    session_open_in_background(stand->session, (LoaderWatch){0});
    begin_opening(stand, 7);
    press(stand, "Escape");
    assert_false(session_is_opening(stand->session));
    assert_true(mode_on(stand->session, &mode_home));
    ErrorList errors = {0};
    assert_true(session_open_number(stand->session, 7));
    if (session_is_opening(stand->session)) { /* on a busy machine */
        assert_true(loader_wait(stand->session->opening.loader, 60000));
        assert_true(session_poll(stand->session, &errors));
    }
    assert_true(mode_on(stand->session, &mode_lesson));
}

static void test_what_fails_beside_a_lesson_is_told_on_its_page_alone(void **state) {
    Stand *stand = *state;
    CourseLesson *entry = &stand->course.lessons[6];
    const char *path = entry->path;
    ErrorList errors = {0};
    assert_true(session_open_number(stand->session, 7));
    session_open_in_background(stand->session, (LoaderWatch){0});
    entry->path = "./not-there.yaml";
    begin_opening(stand, 6);
    assert_true(loader_wait(stand->session->opening.loader, 60000));
    assert_true(session_poll(stand->session, &errors));
    entry->path = path;
    assert_true(stand->session->message[0]);
    assert_int_equal(errors.count, 0); /* nor would it be taken for the next one's */
}

static void test_a_first_lesson_with_errors_ends_the_session(void **state) {
    Stand *stand = *state;
    session_open_in_background(stand->session, (LoaderWatch){0});
    ErrorList errors = {0};
    bool open = session_open(stand->session, "./not-there.yaml", &errors);
    if (open) { /* it took long */
        assert_true(mode_on(stand->session, &mode_nothing));
        assert_true(loader_wait(stand->session->opening.loader, 60000));
        assert_true(session_poll(stand->session, &errors));
        assert_int_equal(session_take_request(stand->session), SESSION_QUIT);
    }
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.items[0].code, ERROR_FILE);
}

/* ---- what can't be opened ---- */

static void test_an_unknown_lesson_is_refused_with_the_nearest(void **state) {
    Stand *stand = *state;
    ErrorList errors = {0};
    assert_false(session_open(stand->session, "08-one-haed", &errors));
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.items[0].code, ERROR_USAGE);
    assert_contains(errors.items[0].message, "'08-one-head'");
    assert_true(mode_on(stand->session, &mode_home));
    assert_string_equal(course_nearest(&stand->course, "one-head"), "08-one-head");
    assert_int_equal(course_find(&stand->course, "8"),
                     course_find(&stand->course, "08-one-head"));
    assert_int_equal(course_find(&stand->course, "7x"), stand->course.all);
    assert_null(course_nearest(&stand->course, "nothing like any of them"));
}

static void test_a_lesson_opens_from_a_path_too(void **state) {
    Stand *stand = *state;
    size_t index = course_find(&stand->course, "08-one-head");
    ErrorList errors = {0};
    for (int i = 0; i < 2; i++) { /* the second takes the place of the first */
        assert_true(
            session_open(stand->session, stand->course.lessons[index].path, &errors));
        assert_int_equal(stand->session->number, 0);
        look(stand);
    }
    assert_false(session_key(stand->session, "Ctrl+Left"));
    assert_false(session_open(stand->session, "./not-there.yaml", &errors));
    assert_int_equal(errors.items[0].code, ERROR_FILE);
    assert_string_equal(stand->session->lesson->id, "08-one-head");
}

/* ---- a course of our own ---- */

typedef struct Folder {
    char path[PATH_SIZE];
} Folder;

static void write_file(const Folder *folder, const char *name, const char *text) {
    char path[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void run_shell(const char *format, const char *a, const char *b) {
    char command[3 * PATH_SIZE];
    snprintf(command, sizeof command, format, a, b);
    assert_int_equal(system(command), 0);
}

static Folder make_data_folder(const Stand *stand) {
    Folder folder;
    const char *temporary = getenv("TMPDIR");
    snprintf(folder.path, sizeof folder.path, "%s/glassformer-XXXXXX",
             temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(folder.path));
    run_shell("mkdir '%s/lessons'%s", folder.path, "");
    run_shell("cp -r '%s/assets' '%s'", stand->course.folder, folder.path);
    return folder;
}

static void test_a_lesson_with_errors_stays_closed_and_says_so(void **state) {
    Stand *stand = *state;
    Folder folder = make_data_folder(stand);
    write_file(&folder, "lessons/02-bad.yaml", "title: x\nsteps:\n  - do: Q = X @ W\n");
    write_file(&folder, "lessons/01-good.yaml",
               "title: x\ngiven: {X: [[1]]}\nsteps:\n  - do: Q = X @ X\n");
    write_file(&folder, "lessons/notes.txt", "not a lesson");
    setenv("GLASSFORMER_DATA", folder.path, 1);
    Stand own = {.arena = stand->arena};
    ErrorList errors = {0};
    assert_true(course_init(&own.course, &errors));
    assert_int_equal(own.course.count, 2);
    assert_string_equal(own.course.lessons[1].id, "02-bad");
    own.session = session_create(&own.course, NULL);
    look(&own);
    assert_true(session_open_number(own.session, 1) || own.session->message[0]);
    assert_true(mode_on(own.session, &mode_home));
    assert_true(own.session->message[0]);
    press(&own, "Return"); /* without a tour the first card begins the course */
    assert_true(mode_on(own.session, &mode_lesson));
    press(&own, "Right"); /* the next has errors: it says so and stays */
    assert_string_equal(own.session->lesson->id, "01-good");
    assert_true(own.session->message[0]);
    assert_false(session_open(own.session, "02-bad", &errors));
    session_destroy(own.session);
    course_finish(&own.course);
    run_shell("rm -r '%s'%s", folder.path, "");
    setenv("GLASSFORMER_DATA", stand->course.folder, 1);
}

/* Cells marked as printed otherwise. */
static size_t marked(Stand *stand) {
    size_t count = 0;
    look(stand);
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        count +=
            item->kind == SCENE_POLYGON && item->count == 3 &&
            memcmp(&item->fill, &stand->session->theme->bad_ink, sizeof item->fill) == 0;
    }
    return count;
}

/* Like any other it says how it ended, also to who comes back to it. */
static void test_an_answered_number_stays_answered(void **state) {
    Stand *stand = *state;
    assert_true(
        session_open_number(stand->session, course_find(&stand->course, "08-one-head")));
    session_ask(stand->session, true);
    while (!questions_take_text(stand->session)) {
        press(stand, "Right");
        if (questions_wait(stand->session) && !questions_take_text(stand->session))
            press(stand, "Right"); /* shows the answer */
    }
    look(stand);
    assert_false(shows(stand, "Answer"));
    press(stand, "Shift+Return");
    look(stand);
    assert_true(shows(stand, "Answer"));
    press(stand, "Right Left");
    look(stand);
    assert_true(shows(stand, "Answer"));
    press(stand, "Left");
    look(stand);
    assert_false(shows(stand, "Answer"));
}

/* The picture may stay open while its step's question is open. */
static void test_a_question_is_not_answered_by_the_source(void **state) {
    static const char lesson[] =
        "title: Slips\nsources: true\ngiven: {X: [[1, 2], [3, 4]]}\nsteps:\n"
        "  - do: Y = X + 1\n    printed: [[2, 3], [4, 6]]\n    source: The last is 5.\n"
        "    ask:\n      question: Where is the slip?\n      open: true\n"
        "      choose: [{text: here, right: true}, {text: there, because: no}]\n";
    Stand *stand = *state;
    Folder folder = make_data_folder(stand);
    write_file(&folder, "slips.yaml", lesson);
    char path[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%s/slips.yaml", folder.path);
    ErrorList errors = {0};
    assert_true(session_open(stand->session, path, &errors));
    assert_int_equal(marked(stand), 1);
    assert_true(shows(stand, "The last is 5."));
    session_ask(stand->session, true);
    assert_true(questions_wait(stand->session));
    assert_int_equal(marked(stand), 0);
    assert_false(shows(stand, "The last is 5."));
    press(stand, "Right"); /* shows the answer */
    assert_int_equal(marked(stand), 1);
    assert_true(shows(stand, "The last is 5."));
    run_shell("rm -r '%s'%s", folder.path, "");
}

static void test_errors_say_names_as_they_are_typed(void **state) {
    Stand *stand = *state;
    Folder folder = make_data_folder(stand);
    char path[2 * PATH_SIZE];
    write_file(&folder, "bad.yaml",
               "title: x\ngiven: {X: [[1]], W_Q: [[1]]}\nsteps:\n  - do: Q = X @ W_QQ\n");
    open_lesson(stand, "08-one-head");
    snprintf(path, sizeof path, "%s/bad.yaml", folder.path);
    session_drop(stand->session, path);
    look(stand);
    assert_true(shows(stand, "W_QQ"));
    run_shell("rm -r '%s'%s", folder.path, "");
}

static void test_a_file_whose_path_found_no_memory_is_told(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    session_drop(stand->session, NULL); /* as SDL hands it on then */
    look(stand);
    assert_true(shows(stand, "Not enough memory"));
}

static void test_a_data_folder_without_its_files_is_an_error(void **state) {
    Stand *stand = *state;
    Folder folder = make_data_folder(stand);
    const struct {
        const char *break_it, *said;
    } cases[] = {
        {"rmdir '%s/lessons'%s", "lessons"},
        {"mkdir '%s/lessons'%s", "has no lesson"},
        {"rm -r '%s/assets/strings'%s", "GLASSFORMER_DATA"},
    };
    setenv("GLASSFORMER_DATA", folder.path, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Course course;
        ErrorList errors = {0};
        run_shell(cases[i].break_it, folder.path, "");
        assert_false(course_init(&course, &errors));
        assert_int_equal(errors.items[0].code, ERROR_FILE);
        if (!strstr(errors.items[0].message, cases[i].said))
            fail_msg("case %zu gave: %s", i, errors.items[0].message);
        course_finish(&course);
    }
    run_shell("rm -r '%s'%s", folder.path, "");
    setenv("GLASSFORMER_DATA", stand->course.folder, 1);
}

/* A program that is installed below ~/.local, or configured so, may have its lessons in
 * the user's folder of lessons. */
static void test_a_folder_that_is_the_courses_and_the_users_is_listed_once(void **state) {
    Stand *stand = *state;
    Folder folder = make_data_folder(stand);
    const char *before = getenv("XDG_DATA_HOME");
    char *data_home = strdup(before ? before : "");
    write_file(&folder, "lessons/01-one.yaml",
               "title: x\ngiven: {X: [[1]]}\nsteps:\n  - do: Q = X @ X\n");
    run_shell("mkdir '%s/glassformer' && ln -s ../lessons '%s/glassformer/lessons'",
              folder.path, folder.path);
    setenv("GLASSFORMER_DATA", folder.path, 1);
    setenv("XDG_DATA_HOME", folder.path, 1);
    Course course;
    ErrorList errors = {0};
    assert_true(course_init(&course, &errors));
    assert_int_equal(course.count, 1);
    assert_int_equal(course.all, 1);
    course_finish(&course);
    setenv("XDG_DATA_HOME", data_home, 1);
    setenv("GLASSFORMER_DATA", stand->course.folder, 1);
    run_shell("rm -r '%s'%s", folder.path, "");
    free(data_home);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_keys_pressed_while_a_lesson_opens_are_kept),
        SESSION_TEST(test_a_lesson_is_read_in_no_locale_of_the_program),
        SESSION_TEST(test_a_lesson_waits_until_its_files_are_there),
        SESSION_TEST(test_a_large_lesson_is_not_kept_for_its_picture),
        SESSION_TEST(test_escape_lets_go_of_a_lesson_that_opens),
        SESSION_TEST(test_what_fails_beside_a_lesson_is_told_on_its_page_alone),
        SESSION_TEST(test_a_first_lesson_with_errors_ends_the_session),
        SESSION_TEST(test_a_question_is_not_answered_by_the_source),
        SESSION_TEST(test_an_answered_number_stays_answered),
        SESSION_TEST(test_an_unknown_lesson_is_refused_with_the_nearest),
        SESSION_TEST(test_a_lesson_opens_from_a_path_too),
        SESSION_TEST(test_a_lesson_with_errors_stays_closed_and_says_so),
        SESSION_TEST(test_errors_say_names_as_they_are_typed),
        SESSION_TEST(test_a_file_whose_path_found_no_memory_is_told),
        SESSION_TEST(test_a_data_folder_without_its_files_is_an_error),
        SESSION_TEST(test_a_folder_that_is_the_courses_and_the_users_is_listed_once),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
