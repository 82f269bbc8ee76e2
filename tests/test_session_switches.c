/* The model put otherwise: its parts switched, its text another. */
#include "contains.h"
#include "session_changes.h"
#include "tensor/tape/tape.h"

static void test_the_model_is_switched_and_the_place_stays(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "30-the-whole-transformer");
    bool pre = shape(stand)->pre_norm;
    go_to(stand, "encoder.0.self_attention.head.0.weights");
    try_keys(stand, "X");
    assert_true(mode_on(stand->session, &mode_switches));
    look(stand);
    try_keys(stand, "Down");
    try_keys(stand, pre ? "Left" : "Right");
    assert_true(shape(stand)->pre_norm == !pre);
    assert_true(stand->session->lesson == stand->session->entry->own);
    assert_string_equal(player_step(&stand->session->player)->name,
                        "encoder.0.self_attention.head.0.weights");
    try_keys(stand, "Escape D");
    assert_false(mode_on(stand->session, &mode_switches));
    assert_true(mode_on(stand->session, &mode_differences));
    assert_ptr_equal(session_base(stand->session), stand->session->entry->lesson->tape);
    look(stand);
    assert_true(shows(stand, "difference"));
    try_keys(stand, "D X");
    try_keys(stand, pre ? "Right" : "Left"); /* as it was: the lesson's own again */
    assert_true(stand->session->lesson == stand->session->entry->lesson);
    assert_true(shape(stand)->pre_norm == pre);
    try_keys(stand, "X");
}

/* Pre-norm has two norms more: the last step is one that the lesson's own hasn't got. */
static void test_the_lessons_own_text_comes_back_where_it_has_fewer_steps(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "30-the-whole-transformer");
    size_t count = stand->session->lesson->step_count;
    try_keys(stand, "X Down Right Escape End Left");
    assert_true(stand->session->lesson->step_count > count);
    try_keys(stand, "Shift+E");
    assert_true(stand->session->lesson == stand->session->entry->lesson);
    assert_int_equal(player_statement(&stand->session->player), count - 2);
}

static void test_switches_are_restored_undone_and_done_again(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "30-the-whole-transformer");
    size_t heads = shape(stand)->heads;
    uint64_t before = look(stand);
    try_keys(stand, "X Up Up Up Left Escape");
    uint64_t switched = look(stand);
    size_t fewer = shape(stand)->heads;
    assert_true(fewer < heads);
    try_keys(stand, "R");
    assert_int_equal(shape(stand)->heads, heads);
    assert_contains(stand->session->message, "as the lesson has it");
    try_keys(stand, "Ctrl+Z");
    assert_int_equal(shape(stand)->heads, fewer);
    assert_true(look(stand) == switched);
    try_keys(stand, "Ctrl+Z");
    assert_int_equal(shape(stand)->heads, heads);
    assert_true(look(stand) == before);
    try_keys(stand, "Ctrl+Z");
    assert_contains(stand->session->message, "nothing to undo");
    try_keys(stand, "Ctrl+Y");
    assert_int_equal(shape(stand)->heads, fewer);
    try_keys(stand, "R");
}

/* A text is undone behind what was changed in it, and before what was changed first. */
static void test_texts_and_numbers_are_undone_in_turn(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "29-eleven-steps");
    type(stand, "7");
    try_keys(stand, "E");
    assert_true(session_type(stand->session, "you win"));
    try_keys(stand, "Return D");
    assert_true(mode_on(stand->session, &mode_differences));
    assert_string_equal(stand->session->lesson->own_text, "you win");
    try_keys(stand, "D");
    type(stand, "3");
    try_keys(stand, "Ctrl+Z");
    assert_int_equal(changes_undoable(changes(stand)), 1); /* which it came with */
    assert_non_null(stand->session->lesson->own_text);
    try_keys(stand, "Ctrl+Z");
    assert_null(stand->session->lesson->own_text);
    assert_int_equal(tape_edit_count(stand->session->lesson->tape), 1);
    try_keys(stand, "Ctrl+Z");
    assert_int_equal(tape_edit_count(stand->session->lesson->tape), 0);
    try_keys(stand, "Ctrl+Y Ctrl+Y");
    assert_string_equal(stand->session->lesson->own_text, "you win");
    try_keys(stand, "Ctrl+Z ]"); /* something else: what was undone is gone */
    try_keys(stand, "Ctrl+Y");
    assert_null(stand->session->lesson->own_text);
    try_keys(stand, "R");
}

/* Lesson 29 says of its own sentence that “the” looks at “thrones”. */
static void
test_numbers_in_words_are_called_the_lessons_where_they_changed(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "29-eleven-steps");
    try_keys(stand, "End Left Left Left");
    look(stand);
    assert_false(shows(stand, "before your change"));
    try_keys(stand, "Left Down c c c");
    type(stand, "90");
    try_keys(stand, "Escape Up End Left Left");
    look(stand);
    assert_true(shows(stand, "generated before the change"));
    assert_true(shows(stand, "now: when"));
    try_keys(stand, "Left"); /* what is filled in is the lesson's, too */
    look(stand);
    assert_true(shows(stand, "before your change"));
    try_keys(stand, "Left");
    look(stand);
    assert_true(shows(stand, "before your change"));
    try_keys(stand, "Ctrl+Z End Left Left");
    look(stand);
    assert_false(shows(stand, "now: when"));
    go_to(stand, "memory");
    type(stand, "9");
    try_keys(stand, "End Left Left");
    look(stand);
    assert_false(shows(stand, "no change affects this"));
}

static void test_words_about_a_text_that_is_gone_are_not_said(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "29-eleven-steps");
    Player *player = &stand->session->player;
    for (size_t i = 0; i < player->step_count; i++) {
        const LessonStep *words = player->steps[i].words;
        const char *said = words ? text_in(&words->say, stand->session->language) : "";
        if (strstr(said, "“thrones”") && strstr(said, "“the”"))
            player_jump(player, i);
    }
    look(stand);
    assert_true(shows(stand, "“thrones”"));
    try_keys(stand, "E Ctrl+A");
    assert_true(session_type(stand->session, "you win"));
    try_keys(stand, "Return");
    look(stand);
    assert_false(shows(stand, "“thrones”"));
    const Lesson *lesson = stand->session->lesson;
    player = &stand->session->player;
    for (size_t i = player->step_count; i-- > 0;) {
        const LessonStep *words = player->steps[i].words;
        const char *said = words ? text_in(&words->say, stand->session->language) : "";
        if (said[0] && !lesson_words_lost(lesson, said))
            player_jump(player, i);
    }
    look(stand);
    assert_true(shows(stand, "were written for the lesson's"));
    assert_true(lesson_words_lost(lesson, "Here “game of” is"));
    assert_true(lesson_words_lost(lesson, "这里 “Thrones” 是"));
    assert_true(lesson_words_lost(lesson, "here you play as well"));
    assert_true(lesson_words_lost(lesson, "a share of 0.5"));
    assert_true(lesson_words_lost(lesson, "Here “you” is a word"));
    assert_false(lesson_words_lost(lesson, "Here “zebra” is a word"));
    assert_false(lesson_words_lost(lesson, "a throne of “thron”, a game"));
    assert_true(lesson_quotes("ahead of “drink tea”", "tea"));
    assert_false(lesson_quotes("ahead of “drink tea”", "drin"));
    assert_false(lesson_quotes("ahead of tea, “drink", "tea"));
    try_keys(stand, "Shift+E");
}

static void test_every_line_of_the_panel_changes_what_it_says(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "30-the-whole-transformer");
    size_t heads = shape(stand)->heads;
    try_keys(stand, "X Up Up Up");
    try_keys(stand, "Left");
    assert_true(shape(stand)->heads < heads);
    try_keys(stand, "Down Down Right Right");
    assert_int_equal(shape(stand)->mask, TRANSFORMER_MASK_NONE);
    try_keys(stand, "Down Right");
    assert_true(shape(stand)->temperature == 2);
    assert_true(shape(stand)->heads < heads); /* all of them together */
    try_keys(stand, "Escape");
    look(stand);
    try_keys(stand, "Shift+E");
    assert_true(stand->session->lesson == stand->session->entry->lesson);
}

static void test_the_panel_answers_to_the_pointer(void **state) {
    Stand *stand = *state;
    Box box;
    open_lesson(stand, "30-the-whole-transformer");
    try_keys(stand, "X");
    look(stand);
    Link link = {LINK_NONE, 0, 0, 0};
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        if (item->link.kind == LINK_COMMAND && item->link.row == 4 && item->link.col == 2)
            link = item->link;
    }
    assert_int_equal(link.kind, LINK_COMMAND);
    assert_true(scene_find(&stand->scene, link, &box));
    session_pointer_press(stand->session, &stand->scene, box.x + box.w / 2,
                          box.y + box.h / 2);
    assert_true(shape(stand)->temperature == 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_the_model_is_switched_and_the_place_stays),
        TEST(test_the_lessons_own_text_comes_back_where_it_has_fewer_steps),
        TEST(test_switches_are_restored_undone_and_done_again),
        TEST(test_texts_and_numbers_are_undone_in_turn),
        TEST(test_numbers_in_words_are_called_the_lessons_where_they_changed),
        TEST(test_words_about_a_text_that_is_gone_are_not_said),
        TEST(test_every_line_of_the_panel_changes_what_it_says),
        TEST(test_the_panel_answers_to_the_pointer),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
