/* Texts about a lesson as a whole: its goal, its prerequisites, and a summary to
 * remember; every lesson of the course has them, and they are shown. */
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "session_stand.h"

#include <string.h>

enum { LINE_MOST = 240 };

static void assert_in_every_language(const Stand *stand, const Text *text, const char *id,
                                     const char *what) {
    for (size_t i = 0; i < stand->course.languages.count; i++) {
        const Language *language = stand->course.languages.items[i];
        bool said = false;
        for (size_t j = 0; j < text->count; j++)
            said |= text->wordings[j].code &&
                    strcmp(text->wordings[j].code, language->code) == 0 &&
                    text->wordings[j].words[0] &&
                    strlen(text->wordings[j].words) <= LINE_MOST;
        if (!said)
            fail_msg("%s: '%s' is not said in %s, or too long", id, what, language->code);
    }
}

static void test_every_lesson_says_its_goal_and_what_to_remember(void **state) {
    Stand *stand = *state;
    for (size_t i = 0; i < stand->course.count; i++) {
        ErrorList errors = {0};
        const char *id = stand->course.lessons[i].id;
        Lesson *lesson = lesson_load(stand->course.lessons[i].path,
                                     &(LessonOptions){.untrained = true}, &errors);
        if (!lesson)
            fail_msg("%s: %s", id, errors.items[0].message);
        assert_in_every_language(stand, &lesson->goal, id, "goal");
        assert_int_equal(lesson->remember_count, 3);
        for (size_t j = 0; j < lesson->remember_count; j++)
            assert_in_every_language(stand, &lesson->remember[j], id, "remember");
        bool begins = course_head(&stand->course, i)->begins;
        if (!lesson->need_count && i > 1 && !begins)
            fail_msg("%s builds on no lesson", id);
        for (size_t j = 0; j < lesson->need_count; j++) {
            if (course_find(&stand->course, lesson->needs[j]) >= i)
                fail_msg("%s builds on %s, which doesn't come before it", id,
                         lesson->needs[j]);
        }
        lesson_destroy(lesson);
    }
}

static size_t some_lesson(const Stand *stand) {
    return course_find(&stand->course, "08-one-head");
}

/* On the first page, and on no other. */
static void test_the_first_page_has_the_goal_and_what_it_builds_on(void **state) {
    Stand *stand = *state;
    session_open_number(stand->session, some_lesson(stand));
    session_key(stand->session, "Home");
    look(stand);
    assert_true(shows(stand, "Goal: Compute one attention head"));
    assert_true(shows(stand, "6 The input: word plus position"));
    session_key(stand->session, "Right");
    look(stand);
    assert_false(shows(stand, "Goal: "));
}

/* Its lines, at whatever depth the words are, and for the back row; with the hero's
 * picture, which here is a head's circuit. */
static void test_the_last_page_has_what_to_remember(void **state) {
    static const char *const keys[] = {"End", "Tab", "Tab", "F5", "End"};
    Stand *stand = *state;
    session_ask(stand->session, false);
    session_open_number(stand->session, some_lesson(stand));
    for (size_t i = 0; i < 5; i++) {
        session_key(stand->session, keys[i]);
        if (strcmp(keys[i], "F5") == 0) /* another class sees it from its first page */
            continue;
        look(stand);
        assert_true(shows(stand, "Each query is compared"));
        assert_true(shows(stand, "Softmax turns the scores"));
        assert_true(shows(stand, "The output is the weighted sum"));
        assert_true(shows(stand, "learning"));
    }
    assert_true(
        player_words(&stand->session->player, stand->session->player.step)->closes);
}

/* The finder says the goal of the lesson that is chosen in it. */
static void test_the_finder_says_a_lessons_goal(void **state) {
    Stand *stand = *state;
    session_open_number(stand->session, some_lesson(stand));
    session_key(stand->session, "Ctrl+F");
    session_type(stand->session, "one attention head");
    look(stand);
    assert_true(shows(stand, "Compute one attention head"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_every_lesson_says_its_goal_and_what_to_remember),
        SESSION_TEST(test_the_first_page_has_the_goal_and_what_it_builds_on),
        SESSION_TEST(test_the_last_page_has_what_to_remember),
        SESSION_TEST(test_the_finder_says_a_lessons_goal),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
