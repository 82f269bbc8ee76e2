/* Stepping through lessons and through the course, and steps that are muted. Pages are
 * laid out with fixed advances; equal digests are equal pictures. */
#include "close.h"
#include "contains.h"
#include "sample.h"
#include "session_stand.h"

#include "base/random.h"
#include "lesson/content/changes.h"
#include "lesson/content/content.h"
#include "picture/scene/theme.h"
#include "session/state.h"
#include "tensor/tape/tape.h"

enum { MOVES_MAX = 30 };

/* ---- stepping ---- */

static void test_every_lesson_of_the_course_opens(void **state) {
    Stand *stand = *state;
    assert_true(stand->course.count > 0);
    for (size_t i = 0; i < stand->course.count; i++) {
        open_number(stand, i);
        assert_int_equal(stand->session->number, i + 1);
        assert_string_equal(stand->session->lesson->id, stand->course.lessons[i].id);
    }
}

/* Returns true if Right leads on in this lesson. */
static bool goes_on_within(Stand *stand) {
    return !lesson_ends(&stand->session->player) && session_key(stand->session, "Right");
}

/* Returns true if Right leads on in this lesson or into the next. */
static bool goes_on(Stand *stand) {
    Player before = stand->session->player;
    session_key(stand->session, "Right");
    const Player *now = &stand->session->player;
    return now->lesson != before.lesson || now->step != before.step ||
           now->cell != before.cell;
}

/* Right until the lesson ends or MOVES_MAX, then Left as often: every picture comes
 * again.
 */
static void walk_and_return(Stand *stand, size_t depth) {
    uint64_t seen[MOVES_MAX + 1];
    size_t count = 0;
    seen[0] = look(stand);
    while (count < MOVES_MAX && goes_on_within(stand))
        seen[++count] = look(stand);
    for (size_t i = count; i > 0; i--) {
        press(stand, "Left");
        if (look(stand) != seen[i - 1])
            fail_msg("%s, %zu levels down: picture %zu of %zu is another on the way back",
                     stand->session->lesson->id, depth, i - 1, count);
        assert_int_not_equal(seen[i], seen[i - 1]);
    }
}

/* Returns true if a key leads to another depth; if it can't, the session prints a
 * message. */
static bool changes_depth(Stand *stand, const char *key) {
    Player before = stand->session->player;
    session_key(stand->session, key);
    stand->session->message[0] = 0;
    const Player *now = &stand->session->player;
    return now->step != before.step || now->cell != before.cell ||
           now->depth != before.depth;
}

static void test_left_shows_again_what_right_has_left_at_every_depth(void **state) {
    Stand *stand = *state;
    for (size_t i = 0; i < stand->course.count; i++) {
        open_number(stand, i);
        /* to a step that opens as deep as any */
        while (stand->session->player.depth_max > 1 &&
               !player_step(&stand->session->player)->child_count)
            press(stand, "Right");
        size_t depth = 0;
        do
            walk_and_return(stand, depth++);
        while (changes_depth(stand, "Down"));
        while (changes_depth(stand, "Up"))
            depth--;
        assert_int_equal(depth, 1);
    }
}

/* Returns the number of the lesson after one in the course's order, which starts with the
 * lesson to begin with; 0 for none. */
static size_t number_after(Stand *stand, size_t number) {
    size_t begins = course_beginning(&stand->course) + 1;
    size_t after = number == begins ? 1 : number + 1;
    after += after == begins;
    return after <= stand->course.count ? after : 0;
}

static void test_lessons_change_by_a_key_and_stop_at_the_ends(void **state) {
    Stand *stand = *state;
    size_t count = 1, number = course_beginning(&stand->course) + 1, after;
    open_number(stand, number - 1);
    assert_false(session_key(stand->session, "Ctrl+Left"));
    for (; (after = number_after(stand, number)); number = after, count++) {
        press(stand, "Ctrl+Right");
        assert_int_equal(stand->session->number, after);
        press(stand, "Ctrl+Left Ctrl+Right");
        assert_int_equal(stand->session->number, after);
    }
    assert_int_equal(count, stand->course.count);
    assert_false(session_key(stand->session, "Ctrl+Right"));
}

/* The course by Right alone, from home to its last step; Left goes to the last lesson's
 * first. */
static void test_right_alone_leads_through_the_whole_course(void **state) {
    Stand *stand = *state;
    size_t number = course_beginning(&stand->course) + 1, lessons = 1;
    open_number(stand, number - 1);
    while (goes_on(stand)) {
        size_t now = stand->session->number;
        assert_true(now == number || now == number_after(stand, number));
        assert_int_equal(statement(stand) == 0, now != number);
        lessons += now != number;
        number = now;
    }
    assert_int_equal(lessons, stand->course.count);
    assert_int_equal(number_after(stand, number), 0);
    assert_true(stand->session->message[0]);
    assert_int_equal(statement(stand), stand->session->lesson->step_count - 1);
    while (statement(stand))
        press(stand, "Left");
    press(stand, "Left");
    assert_true(stand->session->message[0]);
    assert_int_equal(stand->session->number, number);
    assert_int_equal(statement(stand), 0);
}

static void test_the_last_step_names_the_next_lesson_and_no_export_does(void **state) {
    Stand *stand = *state;
    open_number(stand, 1);
    open_number(stand, 0);
    const char *next =
        text_in(&stand->course.lessons[1].lesson->title, stand->course.language);
    look(stand);
    assert_false(shows(stand, next));
    press(stand, "End");
    look(stand);
    assert_true(shows(stand, next));
    TextMetrics metrics = fixed_metrics();
    arena_reset(stand->arena);
    session_draw(stand->session, &stand->scene, stand->arena, &metrics, WIDTH, HEIGHT,
                 false);
    assert_false(shows(stand, next));
}

/* Among cells, lessons without any are passed over. */
static void test_cells_lead_to_the_next_lessons_cells(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "End");
    while (!player_has_cells(&stand->session->player, stand->session->player.step))
        press(stand, "Left");
    press(stand, "Down");
    while (stand->session->player.cell == PLAYER_NONE)
        press(stand, "Down");
    press(stand, "End");
    Player before = stand->session->player;
    press(stand, "Right");
    assert_true(stand->session->player.lesson != before.lesson);
    assert_int_equal(stand->session->player.cell, 0);
}

static void test_a_lesson_opened_again_takes_no_more_memory(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    size_t used = arena_used(stand->session->lesson->arena);
    for (int i = 0; i < 10; i++) {
        press(stand, "Ctrl+Right");
        press(stand, "Ctrl+Left");
    }
    assert_int_equal(arena_used(stand->session->lesson->arena), used);
}

/* ---- muting ---- */

static void test_a_muted_step_is_struck_out_on_the_timeline(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    go_to(stand, "A");
    look(stand);
    size_t lines[2] = {0};
    for (int muted = 0; muted < 2; muted++) {
        look(stand);
        for (size_t i = 0; i < stand->scene.count; i++) {
            const SceneItem *item = &stand->scene.items[i];
            lines[muted] += item->kind == SCENE_LINE && item->link.kind == LINK_STEP;
        }
        press(stand, "M");
    }
    assert_int_equal(lines[1], lines[0] + 1);
    press(stand, "R");
}

static void test_a_link_leads_to_its_place_and_back(void **state) {
    static const char link[] = "?lesson=08-one-head&step=6&cell=4&lang=zh&theme=dark";
    Stand *stand = *state;
    Session *session = stand->session;
    ErrorList errors = {0};
    assert_true(session_open(session, link, &errors));
    assert_string_equal(session->lesson->id, "08-one-head");
    assert_int_equal(statement(stand), 5);
    assert_string_equal(session->language->code, "zh");
    assert_string_equal(session->theme->name, "dark");
    const char *written = link_write(session, stand->arena);
    assert_non_null(written);
    assert_string_equal(written, link);
    assert_true(
        session_open(session, "http://127.0.0.1/?lang=en&lesson=08%2Done-head", &errors));
    assert_string_equal(session->language->code, "en");
    assert_string_equal(session->lesson->id, "08-one-head");
}

static void test_an_address_is_of_the_step_or_of_home(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    ErrorList errors = {0};
    assert_true(session_open(session,
                             "?lesson=08-one-head&step=6&cell=4&lang=zh&theme=dark"
                             "&changes={mute:+S_scaled}",
                             &errors));
    assert_string_equal(session_address(session, stand->arena),
                        "?lesson=08-one-head&step=6&lang=zh&theme=dark");
    assert_true(session_open(session, "?lang=en", &errors));
    assert_true(mode_on(session, &mode_home));
    assert_string_equal(session_address(session, stand->arena), "?lang=en&theme=dark");
    changes_restore(session->lesson->changes);
}

static void test_a_link_brings_changes_along(void **state) {
    static const char changed[] =
        "?lesson=08-one-head&step=6&lang=en&theme=light"
        "&changes={cell:+[X,+0,+1],+value:+3},+{mute:+S_scaled}";
    Stand *stand = *state;
    Session *session = stand->session;
    ErrorList errors = {0};
    assert_true(session_open(session, changed, &errors));
    const Tape *tape = session->lesson->tape;
    const Tensor *x = &tape_node(tape, tape_find(tape, "X"))->output;
    double three = 3;
    assert_close(&x->values[1], &three, 1, 0);
    assert_true(tape_node(tape, tape_find(tape, "S_scaled"))->muted);
    assert_string_equal(link_write(session, stand->arena), changed);
    assert_true(session_open(session, "?lesson=08-one-head&changes={cell:+[Y,", &errors));
    assert_close(&x->values[1], &three, 1, 0);
    changes_restore(session->lesson->changes);
}

static void test_a_link_has_what_is_special_in_addresses_encoded(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    open_lesson(stand, "08-one-head");
    const char *id = session->entry->id;
    Theme theme = *session->theme;
    session->entry->id = "8&lang=zh#?% \xC3\xB6\"<";
    theme.name = "a&b";
    session->theme = &theme;
    assert_string_equal(
        link_write(session, stand->arena),
        "?lesson=8%26lang%3Dzh%23%3F%25+%C3%B6\"%3C&step=1&lang=en&theme=a%26b");
    session->entry->id = id;
}

static void test_a_link_to_nowhere_leads_home_and_says_so(void **state) {
    Stand *stand = *state;
    ErrorList errors = {0};
    assert_true(session_open(stand->session, "?lesson=99-none&step=%", &errors));
    assert_true(mode_on(stand->session, &mode_home));
    assert_contains(stand->session->message, "99-none");
}

/* Returns the text read aloud, without blanks. */
static const char *read_aloud(Stand *stand) {
    TextMetrics metrics = fixed_metrics();
    look(stand);
    const char *said = session_read(stand->session, &metrics, stand->arena);
    char *kept = said ? arena_alloc(stand->arena, strlen(said) + 1, 1) : NULL;
    size_t count = 0;
    assert_non_null(kept);
    for (; *said; said++) {
        if (*said != ' ')
            kept[count++] = *said;
    }
    kept[count] = 0;
    return kept;
}

static void test_what_is_read_aloud_has_the_words_and_the_sum(void **state) {
    Stand *stand = *state;
    ErrorList errors = {0};
    assert_true(session_open(stand->session, "?lesson=08-one-head&step=6", &errors));
    const char *said = read_aloud(stand);
    assert_contains(said, "Howwelldoeseachquerymatcheachkey?\n");
    assert_contains(said, "S,rowlearning,columnlearningequals1times1plus1times1equals2");
    assert_true(session_open(stand->session, "?lesson=08-one-head&step=8", &errors));
    assert_contains(read_aloud(stand),
                    "equalsetothepowerof(1.414minus1.414)dividedby1.986,about0.503");
    press(stand, "?");
    said = read_aloud(stand);
    assert_contains(said, "F5");
    assert_lacks(said, "Howwelldoes");
}

/* ---- chance sessions ---- */

/* `play` draws once, behind the last key, a window after each: what keys do must not
 * depend on that. Gives what is said in the end, on the heap. */
static char *say_after_chance_keys(Stand *stand, uint64_t seed, bool drawn) {
    static const char *const keys[] = {
        "Right", "Left", "Down", "Up", "Return", "Escape", "Backspace", "Tab",
        "End",   "Home", "P",    "G",  "T",      "L",      "O",         "M",
        "U",     "C",    "?",    "W",  "3",      "."};
    enum { KEYS = 24 };
    TextMetrics metrics = fixed_metrics();
    Random source;
    random_init(&source, seed);
    session_destroy(stand->session);
    stand->session = session_create(&stand->course, NULL);
    assert_non_null(stand->session);
    session_ask(stand->session, true);
    session_open_number(stand->session, random_below(&source, stand->course.count));
    for (size_t i = 0; i < KEYS; i++) {
        session_key(stand->session,
                    keys[random_below(&source, sizeof keys / sizeof *keys)]);
        session_take_request(stand->session);
        if (drawn)
            draw_session(stand, 1280, 800, true);
    }
    arena_reset(stand->arena);
    return strdup(session_read(stand->session, &metrics, stand->arena));
}

static void test_what_keys_do_is_the_same_drawn_or_not(void **state) {
    enum { SESSIONS = 60 };
    for (uint64_t seed = 1; seed <= SESSIONS; seed += sample_one_in()) {
        char *drawn = say_after_chance_keys(*state, seed, true);
        char *undrawn = say_after_chance_keys(*state, seed, false);
        if (strcmp(drawn, undrawn) != 0)
            fail_msg("session %d says, where it is drawn:\n%s\nand else:\n%s", (int)seed,
                     drawn, undrawn);
        free(drawn);
        free(undrawn);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_every_lesson_of_the_course_opens),
        SESSION_TEST(test_a_link_leads_to_its_place_and_back),
        SESSION_TEST(test_an_address_is_of_the_step_or_of_home),
        SESSION_TEST(test_a_link_brings_changes_along),
        SESSION_TEST(test_a_link_has_what_is_special_in_addresses_encoded),
        SESSION_TEST(test_a_link_to_nowhere_leads_home_and_says_so),
        SESSION_TEST(test_what_is_read_aloud_has_the_words_and_the_sum),
        SESSION_TEST(test_left_shows_again_what_right_has_left_at_every_depth),
        SESSION_TEST(test_lessons_change_by_a_key_and_stop_at_the_ends),
        SESSION_TEST(test_right_alone_leads_through_the_whole_course),
        SESSION_TEST(test_the_last_step_names_the_next_lesson_and_no_export_does),
        SESSION_TEST(test_cells_lead_to_the_next_lessons_cells),
        SESSION_TEST(test_a_lesson_opened_again_takes_no_more_memory),
        SESSION_TEST(test_a_muted_step_is_struck_out_on_the_timeline),
        SESSION_TEST(test_what_keys_do_is_the_same_drawn_or_not),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
