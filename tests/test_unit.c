/* Playlists: what they may say, the units that they make of the course, and going through
 * one: at home, from lesson to lesson, in a quiz. */
#include "session/state.h"
#include "session_stand.h"

#include "course/course.h"
#include "session/mode.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char FILE_NAME[] = "test-unit.playlist.yaml";

static Course *open_text(Stand *stand, const char *text, ErrorList *errors) {
    FILE *file = fopen(FILE_NAME, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    Course *unit = unit_open(&stand->course, FILE_NAME, errors);
    unlink(FILE_NAME);
    return unit;
}

static void test_a_unit_has_the_playlists_lessons_in_its_order(void **state) {
    Stand *stand = *state;
    ErrorList errors = {0};
    Course *unit = open_text(stand,
                             "title: {en: Two, zh: 两课}\n"
                             "parts:\n"
                             "  - title: First\n"
                             "    lessons: [13-masks, 04-embedding]\n"
                             "  - title: Second\n"
                             "    lessons: [13-masks]\n",
                             &errors);
    assert_non_null(unit);
    assert_int_equal(unit->count, 3);
    assert_string_equal(unit->lessons[0].id, "13-masks");
    assert_string_equal(unit->lessons[1].id, "04-embedding");
    const Language *language = unit->language;
    assert_string_equal(text_in(&course_head(unit, 0)->part, language), "First");
    assert_string_equal(text_in(&course_head(unit, 2)->part, language), "Second");
    assert_non_null(course_lesson(unit, 1, &errors));
    assert_null(stand->course.lessons[0].lesson);
    assert_ptr_equal(unit->next, &stand->course);
}

static void test_what_is_wrong_with_a_playlist_is_told_at_its_place(void **state) {
    Stand *stand = *state;
    static const struct {
        const char *text;
        int line, column;
        const char *words;
    } wrong[] = {
        {"title: A\nparts:\n  - title: B\n    lessons: [08-one-had]\n", 4, 15,
         "there is no lesson '08-one-had'; did you mean '08-one-head'?"},
        {"title: A\nparts:\n  - title: B\n    lessons: [13-masks]\n    lesson: x\n", 5, 5,
         "did you mean 'lessons'?"},
        {"title: A\nparts: []\n", 1, 1, "the playlist has no lesson"},
        {"title: A\nparts:\n  - title: B\n    lessons: [gone.yaml]\n", 4, 15,
         "no such file beside the playlist"},
        {"parts:\n  - title: B\n    lessons: [13-masks]\n", 1, 1, "has no title"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ErrorList errors = {0};
        assert_null(open_text(stand, wrong[i].text, &errors));
        assert_true(errors.count > 0);
        if (!strstr(errors.items[0].message, wrong[i].words))
            fail_msg("'%s' is no '%s'", errors.items[0].message, wrong[i].words);
        assert_int_equal(errors.items[0].line, wrong[i].line);
        assert_int_equal(errors.items[0].column, wrong[i].column);
    }
    assert_null(stand->course.next);
}

static void test_the_course_has_a_unit_for_a_university(void **state) {
    Stand *stand = *state;
    unit_open_all(&stand->course);
    Course *unit = unit_open(&stand->course, "university", &(ErrorList){0});
    assert_non_null(unit);
    assert_int_equal(course_after(unit, 0), 1);
    assert_int_equal(course_before(unit, 0), unit->count);
    assert_int_equal(course_after(unit, unit->count - 1), unit->count);
    assert_true(unit->count > 10);
    for (size_t i = 0; i < stand->course.languages.count; i++) {
        const Language *language = stand->course.languages.items[i];
        assert_true(text_in(&unit->title, language)[0] != 0);
        assert_true(text_in(&unit->about, language)[0] != 0);
    }
    size_t lab = course_find(unit, "39-lab");
    assert_true(lab < unit->count);
    assert_true(course_contents(unit, lab)->questions >= 5);
}

static void test_a_playlist_is_one_unit_by_its_path_and_by_its_id(void **state) {
    Stand *stand = *state;
    ErrorList errors = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s/lessons/playlists/university.playlist.yaml",
             stand->course.folder);
    unit_open_all(&stand->course);
    Course *unit = unit_open(&stand->course, path, &errors);
    assert_non_null(unit);
    assert_string_equal(stand->course.next->id, "30-minutes"); /* sorted by their IDs */
    assert_ptr_equal(unit->next, &stand->course);
    assert_string_equal(unit->id, "university");
    assert_ptr_equal(unit_open(&stand->course, "university", &errors), unit);
    assert_ptr_equal(course_first_unit(unit), stand->course.next);
    assert_ptr_equal(course_first_unit(&stand->course), stand->course.next);
}

/* Chooses a row of the list that home's button opens. */
static void choose_unit(Stand *stand, size_t row) {
    assert_true(action_do(stand->session, action_number("unit")));
    assert_true(mode_on(stand->session, &mode_setting));
    try_keys(stand, "Home");
    for (; row; row--)
        press(stand, "Down");
    press(stand, "Return");
    assert_false(mode_on(stand->session, &mode_setting));
}

static void test_the_list_of_units_marks_the_present_one(void **state) {
    Stand *stand = *state;
    unit_open_all(&stand->course);
    assert_true(action_do(stand->session, action_number("unit")));
    look(stand);
    assert_true(shows(stand, "The whole course"));
    size_t units = 0;
    for (Course *unit = stand->course.next; unit != &stand->course; unit = unit->next) {
        assert_true(shows(stand, text_in(&unit->title, stand->session->language)));
        units++;
    }
    assert_int_equal(scene_count_texts(&stand->scene, "✓"), 1);
    press(stand, "Escape");
    assert_ptr_equal(stand->session->course, &stand->course);
    choose_unit(stand, units);
    assert_ptr_equal(stand->session->course->next, &stand->course);
    choose_unit(stand, 0);
    assert_ptr_equal(stand->session->course, &stand->course);
}

static void test_the_finder_leads_into_a_unit_and_out_again(void **state) {
    Stand *stand = *state;
    unit_open_all(&stand->course);
    Course *unit = stand->course.next;
    try_keys(stand, "Ctrl+K");
    assert_true(session_type(stand->session, "playlist"));
    try_keys(stand, "Return Down Return");
    assert_ptr_equal(stand->session->course, unit);
    choose_unit(stand, 2);
    unit = unit->next;
    assert_ptr_equal(stand->session->course, unit);
    look(stand);
    assert_true(shows(stand, text_in(&unit->title, stand->session->language)));
    /* its first lesson, and the next one behind it */
    press(stand, "Right");
    assert_ptr_equal(stand->session->entry, &unit->lessons[0]);
    press(stand, "End");
    session_ask(stand->session, false);
    press(stand, "Right");
    assert_ptr_equal(stand->session->entry, &unit->lessons[1]);
    home_enter(stand->session);
    choose_unit(stand, 0);
    assert_ptr_equal(stand->session->course, &stand->course);
    look(stand);
    assert_true(shows(stand, "One sentence goes in."));
}

static void test_a_lesson_without_a_number_has_its_titles_letter_at_home(void **state) {
    Stand *stand = *state;
    ErrorList errors = {0};
    FILE *file = fopen("test-unit-bank.yaml", "w");
    assert_non_null(file);
    fputs("title: Xylem\nblock: self_attention\ngiven: {X: 1}\nsteps: [do: Y = X + 1]\n",
          file);
    fclose(file);
    Course *unit = open_text(stand,
                             "title: Own\n"
                             "parts:\n"
                             "  - title: First\n"
                             "    lessons: [test-unit-bank.yaml, 13-masks]\n",
                             &errors);
    assert_non_null(unit);
    look(stand);
    choose_unit(stand, 1);
    assert_ptr_equal(stand->session->course, unit);
    look(stand);
    unlink("test-unit-bank.yaml");
    assert_int_equal(scene_count_texts(&stand->scene, "X"), 1);
    assert_int_equal(scene_count_texts(&stand->scene, "13"),
                     2); /* in its circle and on its door */
    assert_int_equal(scene_count_texts(&stand->scene, "0"), 0);
}

static void test_a_units_quiz_is_about_its_lessons(void **state) {
    Stand *stand = *state;
    unit_open_all(&stand->course);
    Course *unit = stand->course.next;
    choose_unit(stand, 1);
    press(stand, "P");
    CourseLesson *entry = stand->session->entry;
    assert_true(entry >= unit->lessons && entry < unit->lessons + unit->count);
    assert_int_equal(quiz_state(stand->session)->count, QUIZ_QUESTIONS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        COURSE_TEST(test_a_unit_has_the_playlists_lessons_in_its_order),
        COURSE_TEST(test_what_is_wrong_with_a_playlist_is_told_at_its_place),
        COURSE_TEST(test_the_course_has_a_unit_for_a_university),
        COURSE_TEST(test_a_playlist_is_one_unit_by_its_path_and_by_its_id),
        COURSE_TEST(test_the_list_of_units_marks_the_present_one),
        COURSE_TEST(test_the_finder_leads_into_a_unit_and_out_again),
        COURSE_TEST(test_a_lesson_without_a_number_has_its_titles_letter_at_home),
        COURSE_TEST(test_a_units_quiz_is_about_its_lessons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
