/* Pages on a touch screen: legible type, targets large enough for a finger, a bar with
 * the basic actions, and no names of keys. */
#include "base/strings/language.h"
#include "lesson/content/lesson.h"
#include "picture/page/page.h"
#include "session_stand.h"

#include <ctype.h>

/* Screens in CSS pixels: phones upright and on their side, and a tablet. */
static const struct {
    double width, height;
} screens[] = {{390, 844}, {844, 390}, {667, 375}, {1024, 768}};
enum { SCREENS = sizeof screens / sizeof *screens };

/* Crowded parts of an upright page are smaller than its type is meant to be. */
static const double LEGIBLE = 12, ROUNDING = 0.5, LEAST_UPRIGHT = 8, TARGET = 44;

/* Draws the session on such a screen; returns CSS pixels per point. */
static double look_on(Stand *stand, size_t screen) {
    PageFit fit = page_fit(screens[screen].width, screens[screen].height);
    TextMetrics metrics = fixed_metrics();
    session_set_screen(stand->session, (SessionScreen){fit.scale, true});
    arena_reset(stand->arena);
    session_draw(stand->session, &stand->scene, stand->arena, &metrics, fit.width,
                 fit.height, true);
    return fit.scale;
}

static int forget_screen(void **state) {
    Stand *stand = *state;
    session_set_screen(stand->session, (SessionScreen){0});
    return end_session(state);
}

static Box target_of(const Stand *stand, const char *action) {
    Box box = {0};
    assert_true(scene_find(&stand->scene, action_link(action), &box));
    return box;
}

static void test_a_bar_of_four_can_be_hit(void **state) {
    static const char *const basics[] = {"home", "step_back", "next_step", "more"};
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "Right");
    for (size_t screen = 0; screen < SCREENS; screen++) {
        double point = look_on(stand, screen);
        for (size_t i = 0; i < 4; i++) {
            Box box = target_of(stand, basics[i]);
            assert_true(box.w * point >= TARGET && box.h * point >= TARGET);
            assert_true(box.x >= 0 && box.x + box.w <= stand->scene.width + 0.01 &&
                        box.y + box.h <= stand->scene.height + 0.01);
        }
    }
}

/* Reports whether a text is a word, as a matrix may have numbers smaller than words. */
static bool is_word(const SceneItem *item) {
    return item->kind == SCENE_TEXT && item->font != FONT_MATH &&
           strlen(item->text) > 4 && isalpha((unsigned char)item->text[0]) &&
           !strpbrk(item->text, "0123456789");
}

static void test_words_can_be_read(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    for (size_t step = 0; step < 13; step++) {
        for (size_t screen = 0; screen < SCREENS; screen++) {
            double point = look_on(stand, screen);
            for (size_t i = 0; i < stand->scene.count; i++) {
                const SceneItem *item = &stand->scene.items[i];
                bool upright = screens[screen].height > screens[screen].width;
                double least = upright ? LEAST_UPRIGHT : LEGIBLE - ROUNDING;
                if (is_word(item) && item->size * point < least)
                    fail_msg("step %zu, %g wide: '%s' has %g pixels", step + 1,
                             screens[screen].width, item->text, item->size * point);
            }
        }
        press(stand, "Right");
    }
}

static void test_help_tells_of_fingers(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "?");
    look_on(stand, 0);
    assert_true(shows(stand, "swipe left or right"));
    assert_false(shows(stand, "double click"));
    assert_false(shows(stand, "Ctrl"));
}

/* Keys that only a keyboard has. */
static bool names_keys(const char *words) {
    static const char *const keys[] = {"Ctrl+", "Enter", "Escape", "Esc", "Shift+"};
    bool names = false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        names |= strstr(words, keys[i]) != NULL;
    return names;
}

/* Sections that no screen with fingers shows: descriptions of keys and of the command
 * line, and the help of a keyboard. */
static bool is_elsewhere(const char *key) {
    static const char *const sections[] = {"key.", "command.", "option.", "help.",
                                           "sought."};
    bool is = false;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        is |= strncmp(key, sections[i], strlen(sections[i])) == 0;
    return is;
}

static void test_no_words_name_keys(void **state) {
    Stand *stand = *state;
    const Languages *languages = &stand->course.languages;
    session_set_screen(stand->session, (SessionScreen){1, true});
    for (size_t i = 0; i < languages->count; i++) {
        const Language *language = languages->items[i];
        for (size_t word = 0; word < language->count; word++) {
            const char *key = language->words[word].key;
            const char *words = language_words(language, key);
            if (!is_elsewhere(key) && names_keys(words))
                fail_msg("%s: %s: %s", language->code, key, words);
        }
    }
}

static void test_tools_of_the_bar_are_in_the_menu(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "Right");
    press(stand, "Right");
    look_on(stand, 0);
    assert_true(session_pointer_press(stand->session, &stand->scene,
                                      box_middle(target_of(stand, "more")).x,
                                      box_middle(target_of(stand, "more")).y));
    look_on(stand, 0);
    assert_true(shows(stand, session_words(stand->session, "action.open_step")));
    assert_true(shows(stand, session_words(stand->session, "action.practise_lesson")));
}

static void test_a_mouse_has_the_bar_on_top(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    look_on(stand, 0);
    session_set_screen(stand->session, (SessionScreen){0.8, false});
    look(stand);
    Box box = target_of(stand, "next_step");
    assert_true(box.y < HEIGHT / 10);
    assert_true(session_text_scale(stand->session) == 1);
    session_set_screen(stand->session, (SessionScreen){0.4, false}); /* zoomed */
    assert_true(session_text_scale(stand->session) == 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_bar_of_four_can_be_hit, begin_session,
                                        forget_screen),
        cmocka_unit_test_setup_teardown(test_words_can_be_read, begin_session,
                                        forget_screen),
        cmocka_unit_test_setup_teardown(test_help_tells_of_fingers, begin_session,
                                        forget_screen),
        cmocka_unit_test_setup_teardown(test_no_words_name_keys, begin_session,
                                        forget_screen),
        cmocka_unit_test_setup_teardown(test_tools_of_the_bar_are_in_the_menu,
                                        begin_session, forget_screen),
        cmocka_unit_test_setup_teardown(test_a_mouse_has_the_bar_on_top, begin_session,
                                        forget_screen),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
