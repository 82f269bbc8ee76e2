/* A quiz over the course: which questions it chooses, how it goes from lesson to lesson,
 * and what its score says. */
#include "session/state.h"
#include "session_stand.h"

#include "session/mode.h"

#include <string.h>

/* ---- which questions ---- */

/* Reports whether two quizzes of QUIZ_QUESTIONS items have the same questions. */
static bool quizzes_equal(const QuizItem *a, const QuizItem *b) {
    for (size_t i = 0; i < QUIZ_QUESTIONS; i++) {
        if (a[i].lesson != b[i].lesson || a[i].question != b[i].question)
            return false;
    }
    return true;
}

static void test_a_seed_chooses_one_quiz(void **state) {
    const size_t is_question[] = {4, 0, 5, 6, 1, 4, 4, 4};
    QuizItem first[QUIZ_QUESTIONS], second[QUIZ_QUESTIONS];
    size_t different = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        assert_int_equal(quiz_choose(is_question, 8, seed, first), QUIZ_QUESTIONS);
        quiz_choose(is_question, 8, seed, second);
        assert_true(quizzes_equal(first, second));
        for (size_t i = 0; i < QUIZ_QUESTIONS; i++) {
            assert_true(first[i].question < is_question[first[i].lesson]);
            assert_true(i == 0 || first[i].lesson > first[i - 1].lesson ||
                        (first[i].lesson == first[i - 1].lesson &&
                         first[i].question > first[i - 1].question));
        }
        quiz_choose(is_question, 8, seed + 1, second);
        different += !quizzes_equal(first, second);
    }
    assert_true(different > 45);
}

static void test_where_little_is_asked_all_of_it_is(void **state) {
    const size_t is_question[] = {0, 2, 0, 1};
    QuizItem items[QUIZ_QUESTIONS];
    assert_int_equal(quiz_choose(is_question, 4, 7, items), 3);
    assert_true(items[0].lesson == 1 && items[0].question == 0);
    assert_true(items[1].lesson == 1 && items[1].question == 1);
    assert_true(items[2].lesson == 3 && items[2].question == 0);
    assert_int_equal(quiz_choose(is_question, 1, 7, items), 0);
}

/* ---- going through one ---- */

static const QuizState *quiz(const Stand *stand) {
    return quiz_state(stand->session);
}

/* Answers the present question rightly. */
static void answer(Stand *stand) {
    Practise *round = &practise_state(stand->session)->round;
    const Exercise *exercise = practise_exercise(round);
    const Question *question = exercise->question;
    for (size_t next = 0; next < exercise->count; next++) {
        size_t place = 0;
        if (exercise->kind == EXERCISE_DIRECTION)
            place = exercise->trend - 1;
        else if (exercise->kind == EXERCISE_ORDER)
            while (exercise->shown[place] != next)
                place++;
        else
            while (!question->options[exercise->shown[place]].right)
                place++;
        practise_pick(round, place);
        if (exercise->kind != EXERCISE_ORDER)
            break;
    }
    assert_int_equal(exercise->outcome, EXERCISE_AT_ONCE);
}

/* The first `right` questions are answered, the others shown. */
static void take(Stand *stand, size_t right) {
    size_t last = 0;
    for (size_t i = 0; i < QUIZ_QUESTIONS; i++) {
        assert_true(mode_on(stand->session, &mode_practise));
        assert_int_equal(quiz(stand)->at, i);
        size_t lesson = (size_t)(stand->session->entry - stand->course.lessons);
        assert_true(lesson >= last);
        last = lesson;
        look(stand);
        char number[24];
        snprintf(number, sizeof number, "%zu / %d", i + 1, QUIZ_QUESTIONS);
        assert_true(shows(stand, number));
        if (i < right)
            answer(stand);
        else
            press(stand, "Shift+Return");
        press(stand, "Right");
    }
}

static void test_ten_questions_and_a_score(void **state) {
    Stand *stand = *state;
    press(stand, "P");
    take(stand, 7);
    look(stand);
    assert_true(shows(stand, "7 of 10 right at once"));
    /* the same in the other language, and small */
    press(stand, "L");
    draw_session(stand, 1024, 600, true);
    assert_true(shows(stand, "10 题中 7 题一次答对"));
    press(stand, "Ctrl+S");
    assert_int_equal(stand->session->request, SESSION_SAVE);
}

static void test_what_was_missed_is_read_again(void **state) {
    Stand *stand = *state;
    press(stand, "P");
    take(stand, 7);
    look(stand);
    Link link = action_link("practise_lesson");
    Box box;
    link.row = 3;
    assert_false(scene_find(&stand->scene, link, &box)); /* that was right */
    link.row = 9;
    assert_true(scene_find(&stand->scene, link, &box));
    size_t lesson = quiz(stand)->items[8].lesson;
    char path[SESSION_NAME_SIZE];
    memcpy(path, quiz(stand)->paths[8], sizeof path);
    session_pointer_press(stand->session, &stand->scene, box.x + 4, box.y + 4);
    session_pointer_release(stand->session);
    assert_false(quiz(stand)->on);
    assert_ptr_equal(stand->session->entry, &stand->course.lessons[lesson]);
    assert_string_equal(player_step(&stand->session->player)->path, path);
}

static void test_arrows_choose_what_was_missed(void **state) {
    Stand *stand = *state;
    press(stand, "P");
    take(stand, 9);
    size_t lesson = quiz(stand)->items[9].lesson;
    press(stand, "Down Return");
    assert_ptr_equal(stand->session->entry, &stand->course.lessons[lesson]);
}

static void test_the_next_quiz_is_another(void **state) {
    Stand *stand = *state;
    press(stand, "P");
    QuizItem first[QUIZ_QUESTIONS];
    memcpy(first, quiz(stand)->items, sizeof first);
    take(stand, 10);
    look(stand);
    assert_true(shows(stand, "10 of 10 right at once"));
    press(stand, "P");
    bool same = true;
    for (size_t i = 0; i < QUIZ_QUESTIONS; i++)
        same &= first[i].lesson == quiz(stand)->items[i].lesson &&
                first[i].question == quiz(stand)->items[i].question;
    assert_false(same);
}

static void test_escape_leaves_for_home(void **state) {
    Stand *stand = *state;
    press(stand, "P Escape");
    assert_true(mode_on(stand->session, &mode_home));
    assert_false(quiz(stand)->on);
}

/* Every question of the course that a quiz can contain is found in its lesson. */
static void test_every_question_is_found(void **state) {
    Stand *stand = *state;
    for (size_t i = 0; i < stand->course.count; i++) {
        ErrorList errors = {0};
        size_t is_question = course_contents(&stand->course, i)->questions,
               before = PLAYER_NONE;
        assert_non_null(course_lesson(&stand->course, i, &errors));
        const Player *player = &stand->course.lessons[i].player;
        for (size_t j = 0; j < is_question; j++) {
            size_t step = quiz_step(player, j);
            if (step == PLAYER_NONE || step == before)
                fail_msg("%s: question %zu isn't found", stand->course.lessons[i].id, j);
            before = step;
        }
    }
}

/* Home goes on where the lesson was left, not where the quiz was. */
static void test_a_quiz_leaves_the_readers_place_alone(void **state) {
    Stand *stand = *state;
    size_t lesson = course_find(&stand->course, "08-one-head");
    session_open_number(stand->session, lesson);
    press(stand, "Right Right");
    action_do(stand->session, action_number("quiz"));
    assert_true(quiz_state(stand->session)->on);
    press(stand, "Escape");
    assert_true(mode_on(stand->session, &mode_home));
    HomePlace place = home_place(stand->session);
    assert_true(place.known);
    assert_int_equal(place.lesson, lesson);
    assert_int_equal(place.statement, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_seed_chooses_one_quiz),
        cmocka_unit_test(test_where_little_is_asked_all_of_it_is),
        SESSION_TEST(test_ten_questions_and_a_score),
        SESSION_TEST(test_what_was_missed_is_read_again),
        SESSION_TEST(test_arrows_choose_what_was_missed),
        SESSION_TEST(test_the_next_quiz_is_another),
        SESSION_TEST(test_escape_leaves_for_home),
        SESSION_TEST(test_a_quiz_leaves_the_readers_place_alone),
        SESSION_TEST(test_every_question_is_found),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
