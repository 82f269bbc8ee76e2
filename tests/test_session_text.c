/* A text of the learner's own, in place of the lesson's. */
#include "contains.h"
#include "lesson/content/content.h"
#include "session/actions.h"
#include "session/opening.h"
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

static void test_a_word_outside_the_vocabulary_is_told_with_some_inside(void **state) {
    Stand *stand = *state;
    open_with_text(stand);
    press(stand, "E");
    assert_true(session_type(stand->session, "when zebra play"));
    press(stand, "Return");
    assert_true(session_is_writing(stand->session)); /* to be corrected */
    look(stand);
    assert_true(says(stand, "“zebra”"));
    assert_true(says(stand, "thrones"));
    assert_string_equal(stand->session->lesson->text,
                        "when you play the game of thrones");
    press(stand, "Escape");
}

static void test_an_own_text_is_kept_until_it_is_dropped(void **state) {
    Stand *stand = *state;
    open_with_text(stand);
    press(stand, "Right");
    press(stand, "E");
    assert_true(session_type(stand->session, "you win"));
    press(stand, "Return");
    assert_string_equal(stand->session->lesson->text, "you win");
    assert_int_equal(statement(stand), 1); /* it stays where it was */
    look(stand);
    assert_true(says(stand, "your own text"));
    press(stand, "Ctrl+Left");
    look(stand);
    assert_false(says(stand, "your own text"));
    press(stand, "Ctrl+Right");
    assert_string_equal(stand->session->lesson->text, "you win");
    press(stand, "Shift+E");
    assert_string_equal(stand->session->lesson->text,
                        "when you play the game of thrones");
    assert_false(session_key(stand->session, "Shift+E"));
}

static double first_value(const Stand *stand, const char *name, size_t row) {
    const Tape *tape = stand->session->lesson->tape;
    size_t node = 0;
    while (strcmp(tape_node(tape, node)->name, name) != 0)
        node++;
    return tensor_at(&tape_node(tape, node)->output, row, 0);
}

static void use(Stand *stand, const char *text) {
    press(stand, "E");
    assert_true(session_type(stand->session, text));
    press(stand, "Return");
    assert_string_equal(stand->session->lesson->text, text);
}

/* Manual changes are kept if they have a position in the new text; else a message is
 * printed. */
static void test_an_own_text_takes_changed_numbers_along(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    go_to(stand, "X");
    stand->session->player.cell = 4; /* X[learning, 0] */
    press(stand, "Return");
    assert_true(session_type(stand->session, "5"));
    press(stand, "Return");
    assert_float_equal(first_value(stand, "X", 2), 5, 0);
    use(stand, "learning am learning");
    assert_float_equal(first_value(stand, "X", 2), 5, 0);
    press(stand, "Ctrl+Z"); /* the text, which was last */
    assert_string_equal(stand->session->lesson->text, "I am learning");
    assert_float_equal(first_value(stand, "X", 2), 5, 0);
    use(stand, "am I");
    look(stand);
    assert_true(says(stand, "taken back"));
    assert_true(shows(stand, "Your text"));
    assert_false(shows(stand, "Changed"));
    click_link(stand, action_link("restore")); /* its cross */
    assert_string_equal(stand->session->lesson->text, "I am learning");
    press(stand, "Ctrl+Z");
    press(stand, "Shift+E");
    press(stand, "Ctrl+Z");
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

static void test_a_word_that_stands_twice_is_told_apart(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    use(stand, "learning am learning");
    press(stand, "Right Right Down");
    look(stand);
    assert_true(says(stand, "[learning₁, 0]"));
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

static void test_writing_a_text_closes_the_panel_of_switches(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "30-the-whole-transformer");
    press(stand, "X");
    press(stand, "E");
    assert_true(session_is_writing(stand->session));
    assert_false(mode_on(stand->session, &mode_switches));
    press(stand, "Escape");
}

/* A lesson that doesn't take a text says which one does, and leads there with it; so does
 * one whose numbers stand for no words. */
static void test_a_text_is_taken_elsewhere(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    session_open_number(session, course_find(&stand->course, "08-one-head"));
    try_keys(stand, "E");
    session_type(session, "hello");
    try_keys(stand, "Return");
    assert_contains(session->message, "38");
    click_link(stand, action_link("text_elsewhere"));
    assert_string_equal(session->message, "");
    assert_string_equal(session->lesson->id, "38-type-anything");
    assert_string_equal(session->lesson->text, "hello");
    session_open_number(session, course_find(&stand->course, "11-why-scale"));
    assert_null(session->lesson->text);
    try_keys(stand, "E");
    assert_contains(session->message, "38");
    assert_string_equal(session->lesson->id, "11-why-scale");
    try_keys(stand, "E");
    assert_string_equal(session->lesson->id, "38-type-anything");
}

static void test_an_unknown_word_is_read_as_it_was_written(void **state) {
    Stand *stand = *state;
    open_number(stand, 0);
    press(stand, "E");
    assert_true(session_type(stand->session, "I am zebra"));
    press(stand, "Return");
    look(stand);
    assert_true(shows(stand, "zebra"));
    press(stand, "Shift+E");
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
        SESSION_TEST(test_a_word_outside_the_vocabulary_is_told_with_some_inside),
        SESSION_TEST(test_an_own_text_is_kept_until_it_is_dropped),
        SESSION_TEST(test_an_own_text_takes_changed_numbers_along),
        SESSION_TEST(test_words_below_the_field_write_it),
        SESSION_TEST(test_a_word_that_stands_twice_is_told_apart),
        SESSION_TEST(test_an_unchanged_text_is_no_change),
        SESSION_TEST(test_writing_a_text_closes_the_panel_of_switches),
        SESSION_TEST(test_a_text_is_taken_elsewhere),
        SESSION_TEST(test_an_unknown_word_is_read_as_it_was_written),
        SESSION_TEST(test_a_text_too_long_for_the_model_is_refused_in_the_readers_words),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
