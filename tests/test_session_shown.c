/* Display of a step: language, theme, view and text, comparison with its source,
 * messages, and the name of its picture. */
#include "actions/actions.h"
#include "contains.h"
#include "lesson/content/content.h"
#include "picture/scene/theme.h"
#include "session/mode.h"
#include "session/state.h"
#include "session_stand.h"
#include "tensor/tape/tape.h"

/* ---- language, theme, requests, messages ---- */

static void test_language_and_theme_turn_round_in_both_views(void **state) {
    Stand *stand = *state;
    for (int view = 0; view < 2; view++) {
        uint64_t before = look(stand);
        for (size_t i = 0; i < stand->course.languages.count; i++) {
            press(stand, "L");
            if (i + 1 < stand->course.languages.count)
                assert_int_not_equal(look(stand), before);
        }
        assert_int_equal(look(stand), before);
        size_t on_screens = stand->course.themes.count - 1; /* all but that for print */
        for (size_t i = 0; i < on_screens; i++) {
            press(stand, "T");
            assert_contains(stand->session->message, stand->session->theme->name);
            assert_string_not_equal(stand->session->theme->name, "print");
            if (i + 1 < on_screens)
                assert_int_not_equal(look(stand), before);
        }
        stand->session->message[0] = 0;
        assert_int_equal(look(stand), before);
        open_lesson(stand, "08-one-head");
    }
}

/* Every way to draw attention shares is another picture, the last leads to the first. */
static void test_v_goes_round_the_views_of_a_tensor(void **state) {
    Stand *stand = *state;
    uint64_t seen[8] = {0};
    size_t count = 0;
    press(stand, "V"); /* home has none: a letter begins a search there */
    assert_true(mode_on(stand->session, &mode_finder));
    press(stand, "Escape");
    open_lesson(stand, "08-one-head");
    while (strcmp(player_step(&stand->session->player)->name, "A") != 0)
        press(stand, "Right");
    uint64_t first = look(stand), now = first;
    do {
        for (size_t i = 0; i < count; i++)
            assert_true(seen[i] != now);
        assert_true(count < sizeof seen / sizeof *seen);
        seen[count++] = now;
        press(stand, "V");
        now = look(stand);
    } while (now != first);
    assert_int_equal(count, 7); /* its own, heatmap, bars, waves, arcs, plane, changed */
}

static void test_tab_goes_round_the_depths_of_the_words(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "End");
    press(stand, "Left");
    uint64_t seen[WORDS_COUNT];
    for (size_t i = WORDS_STORY; i < WORDS_COUNT; i++) {
        assert_int_equal(stand->session->words, i);
        seen[i] = look(stand);
        for (size_t j = WORDS_STORY; j < i; j++)
            assert_true(seen[i] != seen[j]);
        press(stand, "Tab");
    }
    assert_true(look(stand) == seen[WORDS_STORY]);
    for (size_t i = WORDS_COUNT; i-- > WORDS_STORY;) {
        press(stand, "Shift+Tab");
        assert_true(look(stand) == seen[i]);
    }
}

static void
test_a_depth_is_kept_from_step_to_step_and_from_lesson_to_lesson(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    for (WordsDepth depth = WORDS_NUMBERS; depth < WORDS_COUNT; depth++) {
        press(stand, "Tab");
        uint64_t first = look(stand);
        press(stand, "Right");
        assert_true(look(stand) != first);
        press(stand, "Left");
        assert_true(look(stand) == first);
        press(stand, "Ctrl+Right");
        assert_int_equal(stand->session->words, depth);
        press(stand, "Ctrl+Left");
        assert_true(look(stand) == first);
    }
}

static void test_a_click_on_a_depth_shows_it_and_another_one_too(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    uint64_t usual = look(stand);
    for (WordsDepth depth = WORDS_STORY; depth < WORDS_COUNT; depth++) {
        for (int click = 0; click < 2; click++) {
            Box box;
            look(stand);
            assert_true(scene_find(&stand->scene, (Link){LINK_WORDS, depth, 0, 0}, &box));
            assert_true(session_pointer_press(stand->session, &stand->scene,
                                              box.x + box.w / 2, box.y + box.h / 2));
            assert_int_equal(stand->session->words, depth);
        }
    }
    assert_true(words_turn_to(stand->session, WORDS_STORY));
    assert_true(look(stand) == usual);
}

/* ---- sources ---- */

static void test_a_lesson_about_its_source_always_has_it(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "19-encoder-by-numbers");
    assert_true(session_shows_sources(stand->session));
    press(stand, "U"); /* says why not */
    assert_true(session_shows_sources(stand->session));
    assert_true(stand->session->message[0]);
    open_lesson(stand, "08-one-head");
    assert_false(session_shows_sources(stand->session));
    press(stand, "U");
    assert_true(session_shows_sources(stand->session));
    press(stand, "U");
    open_lesson(stand, "19-encoder-by-numbers");
    assert_true(session_shows_sources(stand->session));
}

static void test_a_message_is_shown_until_the_next_key_and_never_exported(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    uint64_t before = look(stand);
    session_show_message(stand->session, "page.saved", "/home/me/picture.png", NULL);
    assert_int_not_equal(look(stand), before);
    assert_true(shows(stand, "picture.png"));
    TextMetrics metrics = fixed_metrics();
    arena_reset(stand->arena);
    session_draw(stand->session, &stand->scene, stand->arena, &metrics, WIDTH, HEIGHT,
                 false);
    assert_false(shows(stand, "picture.png"));
    assert_true(session_key(stand->session, "Up")); /* stands for nothing else here */
    assert_int_equal(look(stand), before);
}

static void test_window_titles_tell_lesson_and_step(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    assert_string_equal(session_title(session, stand->arena), "Glassformer");
    assert_true(session_open_number(session, course_find(&stand->course, "08-one-head")));
    press(stand, "Right Right");
    assert_string_equal(session_title(session, stand->arena),
                        "8 · One attention head, by hand – Step 3 of 13 – Glassformer");
    assert_string_equal(
        session_notes_title(session, stand->arena),
        "Notes: 8 · One attention head, by hand – Step 3 of 13 – Glassformer");
    press(stand, "Right Right Right Down");
    assert_contains(session_title(session, stand->arena), "Step 6 of 13");
    press(stand, "L");
    assert_contains(session_title(session, stand->arena), "第 6 步");
}

/* A message too long for one line is printed in several, completely; texts that are cut
 * elsewhere are cut after a word. */
static void test_a_long_message_is_whole(void **state) {
    Stand *stand = *state;
    static const char path[] =
        "/home/somebody/a folder with a name/that is long/and another one below it/and "
        "one more/Pictures of this year/Glassformer/08-one-head-03-softmax-of-scores.png";
    for (int place = 0; place < 2; place++) {
        if (place)
            open_lesson(stand, "08-one-head");
        session_show_message(stand->session, "page.saved", path, NULL);
        look(stand);
        size_t cut = 0;
        for (size_t i = 0; i < stand->scene.count; i++) {
            const SceneItem *item = &stand->scene.items[i];
            cut += item->kind == SCENE_TEXT && strstr(item->text, "Saved") &&
                   strstr(item->text, "…");
        }
        assert_int_equal(cut, 0);
        assert_true(shows(stand, "Saved"));
        assert_true(shows(stand, "scores.png"));
    }
}

/* How many texts lie under what was drawn last with these words, or touch it. */
static size_t count_covered(const Stand *stand, const char *words) {
    const Scene *scene = &stand->scene;
    const SceneItem *said = scene_find_text(scene, words);
    size_t covered = 0;
    assert_non_null(said);
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        Box a = item->box, b = said->box;
        covered += item->kind == SCENE_TEXT && item != said && item->fill.a &&
                   a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h &&
                   b.y < a.y + a.h;
    }
    return covered;
}

/* Presented, it lies over the slide: test_a_message_moves_nothing_on_a_presented_page. */
static void test_a_message_covers_nothing(void **state) {
    Stand *stand = *state;
    static const char *const keys[] = {"", "Right Right Right"};
    static const double sizes[][2] = {{1600, 900}, {1600, 875}};
    for (size_t i = 0; i < 2; i++) {
        if (i)
            open_lesson(stand, "08-one-head");
        try_keys(stand, keys[i]);
        for (size_t j = 0; j < 4; j++) {
            const Languages *languages = &stand->course.languages;
            stand->session->language = languages->items[j / 2];
            session_show_message(stand->session, "question.off", NULL, NULL);
            draw_session(stand, sizes[j % 2][0], sizes[j % 2][1], true);
            assert_int_equal(
                count_covered(stand, session_words(stand->session, "question.off")), 0);
        }
    }
}

/* A file with errors is reported below the page, not over it. */
static void test_errors_of_a_file_cover_nothing(void **state) {
    Stand *stand = *state;
    static const char message[] = "'W_Q' has a shape that doesn't fit";
    ErrorList errors = {0};
    open_lesson(stand, "08-one-head");
    press(stand, "Right Right Right");
    error_list_add(&errors, ERROR_NAME, 3, 5, "%s", message);
    reload_report(stand->session, stand->session->lesson->file, &errors);
    look(stand);
    const Scene *scene = &stand->scene;
    const SceneItem *title =
        scene_find_text(scene, session_words(stand->session, "reload.broken"));
    assert_non_null(title);
    for (size_t i = 0; &scene->items[i] < title; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_TEXT && item->fill.a)
            assert_true(item->box.y + item->box.h <= title->box.y);
    }
    assert_true(says(stand, message));
    reload_report(stand->session, NULL, NULL);
}

static void test_a_message_may_end_by_itself(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    session_show_message(stand->session, "question.off", NULL, NULL);
    stand->session->message_left = 2000;
    assert_true(session_until_change(stand->session) <= 2000);
    session_tick(stand->session, 1000);
    assert_true(stand->session->message[0]);
    assert_true(session_tick(stand->session, 1000));
    assert_false(stand->session->message[0]);
}

static void test_picture_names_tell_lesson_step_and_cell(void **state) {
    Stand *stand = *state;
    assert_string_equal(session_picture_name(stand->session, stand->arena),
                        "glassformer.png");
    open_lesson(stand, "08-one-head");
    press(stand, "End");
    press(stand, "Left");
    press(stand, "Left");
    const char *step = session_picture_name(stand->session, stand->arena);
    assert_contains(step, "08-one-head");
    press(stand, "Down");
    const char *cell = session_picture_name(stand->session, stand->arena);
    press(stand, "Right");
    const char *next = session_picture_name(stand->session, stand->arena);
    assert_string_not_equal(step, cell);
    assert_string_not_equal(cell, next);
}

/* The strength of the ink that draws a cell; 0: it isn't drawn. */
static unsigned ink_of_cell(Stand *stand, Link cell) {
    look(stand);
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        if (item->kind == SCENE_LINE && link_equal(item->link, cell))
            return item->fill.a;
    }
    return 0;
}

/* Of both tables that the step shows whose picture it repeats. */
static void test_a_pin_shows_on_the_page_that_closes_a_lesson(void **state) {
    static const char *const tables[] = {"A_BERT", "A_GPT"};
    Stand *stand = *state;
    open_lesson(stand, "35-three-families");
    press(stand, "End");
    for (size_t i = 0; i < 2; i++) {
        Link cell = {LINK_CELL, tape_find(stand->session->lesson->tape, tables[i]), 2, 1};
        unsigned pale = ink_of_cell(stand, cell);
        assert_true(pale > 0);
        pin_put(stand->session, cell);
        assert_true(ink_of_cell(stand, cell) > pale);
        press(stand, "Escape");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_language_and_theme_turn_round_in_both_views),
        SESSION_TEST(test_v_goes_round_the_views_of_a_tensor),
        SESSION_TEST(test_tab_goes_round_the_depths_of_the_words),
        SESSION_TEST(test_a_depth_is_kept_from_step_to_step_and_from_lesson_to_lesson),
        SESSION_TEST(test_a_click_on_a_depth_shows_it_and_another_one_too),
        SESSION_TEST(test_a_lesson_about_its_source_always_has_it),
        SESSION_TEST(test_a_message_is_shown_until_the_next_key_and_never_exported),
        SESSION_TEST(test_window_titles_tell_lesson_and_step),
        SESSION_TEST(test_a_long_message_is_whole),
        SESSION_TEST(test_a_message_covers_nothing),
        SESSION_TEST(test_errors_of_a_file_cover_nothing),
        SESSION_TEST(test_a_message_may_end_by_itself),
        SESSION_TEST(test_picture_names_tell_lesson_step_and_cell),
        SESSION_TEST(test_a_pin_shows_on_the_page_that_closes_a_lesson),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
