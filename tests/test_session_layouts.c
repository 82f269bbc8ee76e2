/* Layouts that are kept: no frame of a motion searches for one again, and a kept one
 * gives the same picture. */
#include "session_stand.h"

#include "picture/stage/layouts.h"

enum { FRAMES = 5, STEPS_MOST = 12, CELLS = 3, DEPTH = 3 };

static void test_the_newest_are_kept(void **state) {
    (void)state;
    static Layouts layouts;
    assert_null(layouts_find(&layouts, 0));
    for (size_t i = 0; i < LAYOUTS_KEPT + 2; i++)
        layouts_keep(&layouts, 100 + i, &(LayoutChoice){.lines = i});
    assert_int_equal(layouts.searches, LAYOUTS_KEPT + 2);
    assert_null(layouts_find(&layouts, 100));
    assert_null(layouts_find(&layouts, 101));
    for (size_t i = 2; i < LAYOUTS_KEPT + 2; i++)
        assert_int_equal(layouts_find(&layouts, 100 + i)->lines, i);
    assert_null(layouts_find(NULL, 100));
    layouts_keep(NULL, 100, &(LayoutChoice){0});
}

static void test_a_first_key_of_zero_is_searched_for(void **state) {
    (void)state;
    static Layouts layouts;
    layouts_keep(&layouts, 7, &(LayoutChoice){.lines = 1});
    assert_null(layouts_find(&layouts, 0)); /* the places behind it are empty */
}

/* ---- in a session ---- */

static size_t searches(const Stand *stand) {
    return stand->session->layouts.searches;
}

static const char *place(const Stand *stand) {
    return player_step(&stand->session->player)->path;
}

/* Draws the same frame without what is kept. */
static void look_again(Stand *stand, uint64_t digest) {
    static Layouts kept;
    kept = stand->session->layouts;
    stand->session->layouts = (Layouts){0};
    if (look(stand) != digest)
        fail_msg("%s: a kept layout gives another picture", place(stand));
    stand->session->layouts = kept;
}

/* Draws the frames of a motion that a key has begun; returns their number. */
static size_t watch_motion(Stand *stand) {
    double length = session_motion_length(stand->session);
    look_again(stand, look(stand));
    size_t first = searches(stand), frames = 0;
    for (; frames < FRAMES && length > 0; frames++) {
        session_tick(stand->session, length / FRAMES);
        uint64_t digest = look(stand);
        if (searches(stand) != first)
            fail_msg("%s: frame %zu searches for a layout", place(stand), frames + 1);
        if (frames == FRAMES / 2)
            look_again(stand, digest);
    }
    return frames;
}

static size_t watch_key(Stand *stand, const char *key) {
    return session_key(stand->session, key) ? watch_motion(stand) : 0;
}

/* Goes through a lesson's first steps, and opens each down to its cells. */
static size_t watch_lesson(Stand *stand, const char *id) {
    size_t frames = 0;
    open_lesson(stand, id);
    const Lesson *lesson = stand->session->lesson;
    for (size_t i = 0; i < STEPS_MOST && stand->session->lesson == lesson; i++) {
        for (size_t depth = 0; depth < DEPTH; depth++)
            frames += watch_key(stand, "Down");
        for (size_t cell = 0; cell < CELLS; cell++)
            frames += watch_key(stand, "Right");
        for (size_t depth = 0; depth < DEPTH; depth++)
            frames += watch_key(stand, "Up");
        frames += watch_key(stand, "Right");
    }
    return frames;
}

static const char *const lessons[] = {"08-one-head", "14-heads", "21-layers",
                                      "27-one-word-at-a-time", "29-eleven-steps"};

static void test_a_motion_searches_once(void **state) {
    Stand *stand = *state;
    session_animate(stand->session, SESSION_MOVES);
    for (size_t i = 0; i < sizeof lessons / sizeof *lessons; i++)
        assert_true(watch_lesson(stand, lessons[i]) > 100);
    assert_true(searches(stand) > 20);
}

static void test_a_presented_motion_searches_once(void **state) {
    Stand *stand = *state;
    session_animate(stand->session, SESSION_MOVES);
    open_lesson(stand, "08-one-head");
    press(stand, "F5");
    size_t frames = 0;
    for (size_t i = 0; i < 2 * STEPS_MOST; i++)
        frames += watch_key(stand, "Right");
    assert_true(frames > 50);
}

static void test_the_next_cell_has_the_layout_of_the_last(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "29-eleven-steps");
    go_to(stand, "said.turn_1.source");
    press(stand, "Down");
    look(stand);
    size_t before = searches(stand);
    assert_true(before > 0);
    for (size_t i = 0; i < CELLS; i++) {
        press(stand, "Right");
        look(stand);
    }
    assert_int_equal(searches(stand), before);
}

static void test_another_size_is_another_layout(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "29-eleven-steps");
    go_to(stand, "said.turn_1.source");
    look(stand);
    size_t before = searches(stand);
    uint64_t digest = look(stand);
    assert_int_equal(searches(stand), before);
    draw_session(stand, WIDTH, HEIGHT + 200, true);
    assert_true(searches(stand) > before);
    assert_int_equal(look(stand), digest);
}

/* Draws the next page ahead; returns its digest, or 0 where there is none. */
static uint64_t look_ahead(Stand *stand) {
    Scene scene;
    TextMetrics metrics = fixed_metrics();
    Arena *arena = arena_create(FRAME_BYTES);
    bool drawn =
        session_draw_next(stand->session, &scene, arena, &metrics, WIDTH, HEIGHT);
    uint64_t digest = drawn ? scene_digest(&scene) : 0;
    arena_destroy(arena);
    return digest;
}

static void test_the_page_drawn_ahead_is_the_next(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    size_t same = 0, pages = 0;
    for (uint64_t next; (next = look_ahead(stand)) != 0; pages++) {
        uint64_t here = look(stand);
        look_ahead(stand);
        assert_true(look(stand) == here);
        size_t before = searches(stand);
        press(stand, "Right");
        same += look(stand) == next;
        assert_int_equal(searches(stand), before);
    }
    assert_true(pages > STEPS_MOST / 2);
    assert_int_equal(same, pages);
}

static void test_drawing_ahead_leaves_a_question_as_it_is(void **state) {
    Stand *stand = *state;
    size_t asked = 0;
    session_ask(stand->session, true);
    open_lesson(stand, "08-one-head");
    for (size_t i = 0; i < 2 * STEPS_MOST; i++) {
        uint64_t here = look(stand);
        const char *step = place(stand);
        bool waits = questions_wait(stand->session);
        asked += waits;
        look_ahead(stand);
        assert_string_equal(place(stand), step);
        assert_int_equal(questions_wait(stand->session), waits);
        assert_true(look(stand) == here);
        try_keys(stand, waits ? "Shift+Return" : "Right");
    }
    assert_true(asked > 2);
}

static void test_nothing_is_drawn_ahead_beside_a_lesson(void **state) {
    Stand *stand = *state;
    assert_int_equal(look_ahead(stand), 0);
    open_lesson(stand, "08-one-head");
    assert_true(look_ahead(stand) != 0);
    press(stand, "F1");
    assert_int_equal(look_ahead(stand), 0);
    press(stand, "Escape");
    press(stand, "End");
    assert_int_equal(look_ahead(stand), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_newest_are_kept),
        cmocka_unit_test(test_a_first_key_of_zero_is_searched_for),
        SESSION_TEST(test_a_motion_searches_once),
        SESSION_TEST(test_a_presented_motion_searches_once),
        SESSION_TEST(test_the_next_cell_has_the_layout_of_the_last),
        SESSION_TEST(test_another_size_is_another_layout),
        SESSION_TEST(test_the_page_drawn_ahead_is_the_next),
        SESSION_TEST(test_drawing_ahead_leaves_a_question_as_it_is),
        SESSION_TEST(test_nothing_is_drawn_ahead_beside_a_lesson),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
