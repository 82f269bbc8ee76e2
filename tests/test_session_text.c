/* A text of the learner's own, in place of the lesson's. */
#include "contains.h"
#include "lesson/content/content.h"
#include "session/mode.h"
#include "session/state.h"
#include "session_stand.h"
#include "tensor/tape/tape.h"

static const char *written(const Stand *stand) {
    return stand->session->field.text;
}

static void open_with_text(Stand *stand) {
    open_lesson(stand, "29-eleven-steps");
    Variant plain = {0};
    opening_variant(stand->session, &plain, VARIANT_NEW);
}

static void test_e_begins_with_the_lessons_text_to_be_edited_in_place(void **state) {
    Stand *stand = *state;
    open_with_text(stand);
    press(stand, "E");
    assert_true(session_is_writing(stand->session));
    assert_string_equal(written(stand), stand->session->lesson->text);
    press(stand, "End");
    for (int i = 0; i < 3; i++)
        press(stand, "Backspace");
    assert_true(session_type(stand->session, "é一"));
    press(stand, "Left");
    press(stand, "Left");
    press(stand, "Delete");
    assert_contains(written(stand), "thro一");
    press(stand, "Home");
    assert_true(session_type(stand->session, "a\nb "));
    assert_int_equal(strncmp(written(stand), "a b when", 8), 0);
    assert_false(session_type(stand->session, "\xC3"));
    press(stand, "Ctrl+A");
    assert_true(session_type(stand->session, "you"));
    assert_string_equal(written(stand), "you");
    session_key(stand->session, "Ctrl+V");
    assert_int_equal(session_take_request(stand->session), SESSION_PASTE);
    look(stand);
    press(stand, "Escape");
    assert_false(session_is_writing(stand->session));
    assert_null(stand->session->entry->own);
}

static void test_a_text_too_long_for_the_field_stays_out(void **state) {
    Stand *stand = *state;
    char text[FIELD_SIZE + 100];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = 0;
    open_with_text(stand);
    press(stand, "E");
    assert_false(session_type(stand->session, text));
    text[FIELD_SIZE - 1] = 0;
    assert_true(session_type(stand->session, text));
    look(stand);
    assert_false(session_type(stand->session, "b"));
    press(stand, "Escape");
}

static void test_words_below_the_field_write_it(void **state) {
    Stand *stand = *state;
    open_with_text(stand);
    press(stand, "E");
    click_link(stand, (Link){LINK_COMMAND, 0, 1, 1}); /* behind what is selected */
    assert_string_equal(written(stand), "when you play the game of thrones you ");
    press(stand, "Ctrl+A");
    press(stand, "Delete");
    click_link(stand, (Link){LINK_COMMAND, 0, 1, 1});
    assert_string_equal(written(stand), "you ");
    click_link(stand, (Link){LINK_COMMAND, 0, 1, 2});
    assert_string_equal(written(stand), "you play ");
    assert_true(session_type(stand->session, "Zebra"));
    press(stand, "Return");
    look(stand);
    assert_true(says(stand, "Zebra"));
    click_link(stand, (Link){LINK_COMMAND, 0, 1, 23}); /* behind the last of 23 words */
    assert_string_equal(written(stand), "you play ");
    assert_true(session_type(stand->session, "wi"));
    click_link(stand, (Link){LINK_COMMAND, 0, 1, 0}); /* the only one that begins so */
    assert_string_equal(written(stand), "you play win ");
    click_link(stand, action_link("use_text"));
    assert_false(session_is_writing(stand->session));
    assert_string_equal(stand->session->lesson->text, "you play win");
    press(stand, "E");
    click_link(stand, action_link("leave_field"));
    assert_false(session_is_writing(stand->session));
    press(stand, "Shift+E");
}

static void test_an_unchanged_text_is_no_change(void **state) {
    Stand *stand = *state;
    open_with_text(stand);
    press(stand, "E");
    press(stand, "Return");
    assert_false(session_is_writing(stand->session));
    assert_null(stand->session->entry->own);
    press(stand, "E");
    assert_true(session_type(stand->session, "you win"));
    press(stand, "Return");
    assert_non_null(stand->session->entry->own);
    press(stand, "E"); /* the lesson's own again, written out */
    assert_true(session_type(stand->session, stand->session->entry->lesson->text));
    press(stand, "Return");
    assert_null(stand->session->entry->own);
}

static void
test_a_text_too_long_for_the_model_is_refused_in_the_readers_words(void **state) {
    Stand *stand = *state;
    char text[301] = {0};
    for (size_t i = 0; i < 300; i++)
        text[i] = "zq "[i % 3];
    open_lesson(stand, "38-type-anything");
    stand->session->language = stand->course.languages.items[1];
    press(stand, "E");
    assert_true(session_type(stand->session, text));
    press(stand, "Return");
    assert_true(session_is_writing(stand->session)); /* to be made shorter */
    look(stand);
    assert_true(says(stand, "请写短一些"));
    assert_false(says(stand, "tokens, but"));
    press(stand, "Escape");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_e_begins_with_the_lessons_text_to_be_edited_in_place),
        SESSION_TEST(test_a_text_too_long_for_the_field_stays_out),
        SESSION_TEST(test_words_below_the_field_write_it),
        SESSION_TEST(test_an_unchanged_text_is_no_change),
        SESSION_TEST(test_a_text_too_long_for_the_model_is_refused_in_the_readers_words),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
