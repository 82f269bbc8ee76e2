/* Animation, autoplay and the pin that arrows move. session_tick sets the time; equal
 * digests are equal pictures. */
#include "contains.h"
#include "session_stand.h"

#include "lesson/content/content.h"
#include "session/mode.h"
#include "session/state.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

enum { HOUR = 3600 * 1000, LESSONS_MAX = 200 };

/* Goes on until nothing is to change, in as many ticks as that takes. */
static size_t settle(Stand *stand) {
    size_t ticks = 0;
    double until;
    while (ticks < 1000 && isfinite(until = session_until_change(stand->session))) {
        session_tick(stand->session, until);
        ticks++;
    }
    assert_true(ticks < 1000);
    return ticks;
}

/* ---- motion ---- */

static void test_without_motion_everything_is_there_at_once(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    const char *const moves[] = {"Right", "Right", "Right", "Right", "Right",
                                 "Down",  "Right", "Up",    "Left"};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        try_keys(stand, moves[i]);
        assert_false(session_moves(stand->session));
        assert_true(isinf(session_until_change(stand->session)));
        uint64_t before = look(stand);
        assert_false(session_tick(stand->session, 100));
        assert_int_equal(look(stand), before);
    }
}

static void test_motion_ends_in_the_picture_without_it(void **state) {
    Stand *stand = *state;
    const char *const moves[] = {"Right", "Right", "Right", "Down", "Right", "Right"};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        uint64_t seen[2];
        for (int animates = 0; animates < 2; animates++) {
            session_destroy(stand->session);
            stand->session = session_create(&stand->course, NULL);
            open_lesson(stand, "08-one-head");
            for (size_t j = 0; j < i; j++)
                try_keys(stand, moves[j]);
            session_animate(stand->session, animates ? SESSION_MOVES : SESSION_STILL);
            try_keys(stand, moves[i]);
            assert_int_equal(session_moves(stand->session), animates);
            uint64_t begun = look(stand);
            assert_int_equal(settle(stand) > 0, animates);
            seen[animates] = look(stand);
            assert_int_equal(begun != seen[animates], animates);
        }
        assert_int_equal(seen[0], seen[1]);
    }
}

static void test_a_jump_leaves_the_motion_behind(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    try_keys(stand, "Right Right Right Right Right");
    session_animate(stand->session, true);
    try_keys(stand, "Down");
    player_jump(&stand->session->player, 0);
    assert_false(session_moves(stand->session));
    try_keys(stand, "Ctrl+Right");
    assert_false(session_tick(stand->session, 100));
    assert_true(isinf(session_until_change(stand->session)));
}

/* A tick between changes changes nothing: an idle window has nothing to draw. */
static void test_ticks_tell_when_the_picture_changes(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    try_keys(stand, "Right Right Right Right Right");
    session_animate(stand->session, SESSION_ENDS);
    try_keys(stand, "Down");
    double until = session_until_change(stand->session);
    uint64_t before = look(stand);
    assert_false(session_tick(stand->session, until / 2));
    assert_int_equal(look(stand), before);
    assert_true(session_tick(stand->session, until / 2 + 0.01));
    assert_int_not_equal(look(stand), before);
    assert_true(isinf(session_until_change(stand->session)));
    session_animate(stand->session, SESSION_MOVES);
    try_keys(stand, "Up Right");
    assert_true(session_tick(stand->session, HOUR));
    assert_false(session_tick(stand->session, HOUR));
}

/* ---- autoplay ---- */

static void test_autoplay_goes_on_until_a_chapter_ends(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    const LessonStep *steps = stand->session->lesson->steps;
    size_t chapter = 1;
    while (text_is_empty(&steps[chapter].chapter))
        chapter++;
    try_keys(stand, "A");
    session_tick(stand->session, HOUR);
    assert_int_equal(statement(stand), chapter - 1);
    assert_false(stand->session->play.runs);
    assert_true(stand->session->message[0]);
    try_keys(stand, "A"); /* and on into the next one */
    assert_true(session_tick(stand->session, 1));
    assert_int_equal(statement(stand), chapter);
    assert_true(stand->session->play.runs);
}

/* How far autoplay comes within a time. */
static size_t played(Stand *stand, int speed, double milliseconds) {
    open_number(stand, course_find(&stand->course, "08-one-head"));
    try_keys(stand, "Right Right Right Right Right Down");
    stand->session->play.speed = speed;
    try_keys(stand, "A");
    session_tick(stand->session, milliseconds);
    return stand->session->player.cell;
}

static void test_plus_and_minus_change_the_speed(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    try_keys(stand, "+");
    assert_int_equal(stand->session->play.speed, PACE_NORMAL + 1);
    assert_contains(stand->session->message, "4");
    try_keys(stand, "+ + + +");
    assert_int_equal(stand->session->play.speed, PACE_SPEEDS);
    try_keys(stand, "- - - - - - - -");
    assert_int_equal(stand->session->play.speed, 1);
    assert_true(played(stand, PACE_SPEEDS, 300) > played(stand, PACE_NORMAL, 300));
    assert_true(played(stand, PACE_NORMAL, 700) > played(stand, 1, 700));
}

/* The clock is all that counts: many short ticks lead where a long one does. */
static void test_autoplay_depends_on_the_time_alone(void **state) {
    Stand *stand = *state;
    uint64_t seen[2];
    for (int i = 0; i < 2; i++) {
        open_lesson(stand, "08-one-head");
        try_keys(stand, "Right Right Right Right Right");
        session_animate(stand->session, true);
        try_keys(stand, "Down A");
        for (int j = 0; j < (i ? 500 : 1); j++)
            session_tick(stand->session, i ? 10 : 5000);
        seen[i] = look(stand);
        try_keys(stand, "Up");
        session_animate(stand->session, false);
    }
    assert_int_equal(seen[0], seen[1]);
}

static void test_autoplay_plays_every_lesson_to_its_end(void **state) {
    Stand *stand = *state;
    assert_true(stand->course.count < LESSONS_MAX);
    for (size_t i = 0; i < stand->course.count; i++) {
        open_number(stand, i);
        session_animate(stand->session, i % 2);
        size_t starts = 0, last = player_statement_count(&stand->session->player) - 1;
        while (statement(stand) < last) {
            try_keys(stand, "A");
            session_tick(stand->session, HOUR);
            assert_false(stand->session->play.runs);
            assert_true(++starts < 500);
            assert_ptr_equal(stand->session->entry, &stand->course.lessons[i]);
        }
    }
}

/* Who starts it at a lesson's end comes into the next. */
static void test_autoplay_crosses_a_lessons_end_when_asked(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    const CourseLesson *entry = stand->session->entry;
    try_keys(stand, "End A");
    session_tick(stand->session, 1);
    assert_ptr_equal(stand->session->entry, entry + 1);
    assert_true(stand->session->play.runs);
    open_number(stand, stand->course.count - 1);
    try_keys(stand, "End A");
    session_tick(stand->session, HOUR);
    assert_false(stand->session->play.runs);
}

/* ---- clicks while something moves ---- */

/* The middles of the items of the page drawn last that are linked to a cell. */
static size_t middles_of(const Scene *scene, Link cell, Point *points, size_t most) {
    size_t count = 0;
    for (size_t i = 0; i < scene->count && count < most; i++) {
        const SceneItem *item = &scene->items[i];
        Box box = item->box;
        if (link_equal(item->link, cell) && item->kind == SCENE_RECTANGLE)
            points[count++] = (Point){box.x + box.w / 2, box.y + box.h / 2};
    }
    return count;
}

/* A click on a cell that an animation hasn't brought yet ends that and pins the cell. */
static void test_a_click_on_what_still_moves_pins_it(void **state) {
    enum { POINTS_MAX = 16 };
    Stand *stand = *state;
    Session *session = stand->session;
    Point points[POINTS_MAX];
    open_lesson(stand, "40-the-whole-path");
    go_to(stand, "encoder.0.self_attention.head.0.weights");
    look(stand);
    Link cell = {LINK_CELL, player_step(&session->player)->node, 4, 0};
    size_t count = middles_of(&stand->scene, cell, points, POINTS_MAX), at = 0;
    press(stand, "Left");
    session_animate(session, SESSION_MOVES);
    press(stand, "Right");
    session_tick(session, 50);
    look(stand);
    assert_true(session_moves(session));
    while (at < count && scene_hit(&stand->scene, points[at].x, points[at].y).kind)
        at++;
    assert_true(at < count);
    assert_true(
        session_pointer_press(session, &stand->scene, points[at].x, points[at].y));
    look(stand);
    assert_false(session_moves(session));
    assert_true(mode_on(session, &mode_pin));
    assert_true(link_equal(session->pin, cell));
    press(stand, "5");
    assert_true(session_is_writing(session));
    press(stand, "Escape Escape Left Right");
    session_tick(session, 50);
    look(stand);
    session_pointer_press(session, &stand->scene, points[at].x, points[at].y);
    press(stand, "Right"); /* before the next frame */
    look(stand);
    assert_false(mode_on(session, &mode_pin));
    session_animate(session, SESSION_STILL);
}

/* ---- the pin ---- */

/* C goes round the tensors of every step and lets go; the page shows each of them. */
static void test_pinning_goes_round_at_every_step(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    Player *player = &stand->session->player;
    for (size_t i = 0; i < player->step_count; i++) {
        player_jump(player, i);
        size_t presses = 0;
        for (; try_keys(stand, "C"), mode_on(stand->session, &mode_pin); presses++) {
            try_keys(stand, "Shift+Right Shift+Down Shift+Left Shift+Up");
            look(stand);
            assert_true(presses < 20);
        }
        assert_int_equal(player->step, i);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_without_motion_everything_is_there_at_once),
        SESSION_TEST(test_motion_ends_in_the_picture_without_it),
        SESSION_TEST(test_a_jump_leaves_the_motion_behind),
        SESSION_TEST(test_ticks_tell_when_the_picture_changes),
        SESSION_TEST(test_autoplay_goes_on_until_a_chapter_ends),
        SESSION_TEST(test_plus_and_minus_change_the_speed),
        SESSION_TEST(test_autoplay_depends_on_the_time_alone),
        SESSION_TEST(test_autoplay_plays_every_lesson_to_its_end),
        SESSION_TEST(test_autoplay_crosses_a_lessons_end_when_asked),
        SESSION_TEST(test_a_click_on_what_still_moves_pins_it),
        SESSION_TEST(test_pinning_goes_round_at_every_step),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
