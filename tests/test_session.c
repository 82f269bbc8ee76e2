/* The session: keys and pointer, and what is shown for them. Pages are laid out with
 * fixed advances; equal digests are equal pictures. */
#include "session.h"

#include "fixed_metrics.h"

#include <SDL_keyboard.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { FRAME_BYTES = 64 << 20, MOVES_MAX = 30, PATH_SIZE = 1024 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const double WIDTH = 1440, HEIGHT = 900;

/* One course for all tests, a session of its own for each. */
typedef struct Stand {
    Course course;
    Arena *arena;
    Session session;
    Scene scene; /* drawn last */
} Stand;

static int set_up_course(void **state) {
    Stand *stand = calloc(1, sizeof *stand);
    ErrorList errors = {0};
    const char *source = getenv("GLASSFORMER_SOURCE");
    if (source)
        setenv("GLASSFORMER_DATA", source, 1);
    stand->arena = arena_create(FRAME_BYTES);
    if (!course_init(&stand->course, &errors)) {
        error_list_print(&errors, stderr);
        return -1;
    }
    *state = stand;
    return 0;
}

static int tear_down_course(void **state) {
    Stand *stand = *state;
    course_finish(&stand->course);
    arena_destroy(stand->arena);
    free(stand);
    return 0;
}

static int set_up(void **state) {
    Stand *stand = *state;
    session_init(&stand->session, &stand->course);
    return 0;
}

static int tear_down(void **state) {
    Stand *stand = *state;
    session_finish(&stand->session);
    return 0;
}

/* What is on the screen now. */
static uint64_t look(Stand *stand) {
    TextMetrics metrics = fixed_metrics();
    arena_reset(stand->arena);
    session_draw(&stand->session, &stand->scene, stand->arena, &metrics, WIDTH, HEIGHT,
                 true);
    assert_true(scene_complete(&stand->scene));
    return scene_digest(&stand->scene);
}

static void open_lesson(Stand *stand, size_t index) {
    if (!session_open_number(&stand->session, index) ||
        stand->session.view != SESSION_LESSON)
        fail_msg("lesson %s can't be opened", stand->course.lessons[index].id);
}

/* A lesson that has a step with cells within its first few. */
static void open_some_lesson(Stand *stand) {
    size_t index = course_find(&stand->course, "07-one-head");
    assert_true(index < stand->course.count);
    open_lesson(stand, index);
}

static void press(Stand *stand, const char *key) {
    if (!session_key(&stand->session, key))
        fail_msg("the key %s did nothing", key);
}

static size_t statement(const Stand *stand) {
    return player_statement(&stand->session.player);
}

/* The middle of the last cell of what the step on the stage makes: one that the step
 * doesn't explain by itself. */
static Point cell_on_stage(Stand *stand) {
    size_t node = player_step(&stand->session.player)->node;
    for (size_t i = stand->scene.count; i-- > 0;) {
        const SceneItem *item = &stand->scene.items[i];
        Point middle = {item->box.x + item->box.w / 2, item->box.y + item->box.h / 2};
        if (item->kind == SCENE_RECTANGLE && item->link.kind == LINK_CELL &&
            item->link.index == node &&
            link_equal(scene_hit(&stand->scene, middle.x, middle.y), item->link))
            return middle;
    }
    fail_msg("no cell of the step is drawn");
    return (Point){0, 0};
}

/* Whether a text is drawn that has these words. */
static bool shows(const Stand *stand, const char *words) {
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        if (item->kind == SCENE_TEXT && strstr(item->text, words))
            return true;
    }
    return false;
}

/* ---- stepping ---- */

static void test_every_lesson_of_the_course_opens(void **state) {
    Stand *stand = *state;
    assert_true(stand->course.count > 0);
    for (size_t i = 0; i < stand->course.count; i++) {
        open_lesson(stand, i);
        assert_int_equal(stand->session.number, i + 1);
        assert_string_equal(stand->session.lesson->id, stand->course.lessons[i].id);
    }
}

/* Right until it ends or MOVES_MAX, then Left as often: every picture comes again. */
static void walk_and_return(Stand *stand, size_t depth) {
    uint64_t seen[MOVES_MAX + 1];
    size_t count = 0;
    seen[0] = look(stand);
    while (count < MOVES_MAX && session_key(&stand->session, "Right"))
        seen[++count] = look(stand);
    for (size_t i = count; i > 0; i--) {
        press(stand, "Left");
        if (look(stand) != seen[i - 1])
            fail_msg("%s, %zu levels down: picture %zu of %zu is another on the way back",
                     stand->session.lesson->id, depth, i - 1, count);
        assert_int_not_equal(seen[i], seen[i - 1]);
    }
}

static void test_left_shows_again_what_right_has_left_at_every_depth(void **state) {
    Stand *stand = *state;
    for (size_t i = 0; i < stand->course.count; i++) {
        open_lesson(stand, i);
        /* to a step that opens as deep as any */
        while (stand->session.player.depth_max > 1 &&
               !player_step(&stand->session.player)->child_count)
            if (!session_key(&stand->session, "Right"))
                break;
        size_t depth = 0;
        do
            walk_and_return(stand, depth++);
        while (session_key(&stand->session, "Down"));
        while (session_key(&stand->session, "Up"))
            depth--;
        assert_int_equal(depth, 1);
    }
}

static void test_home_and_end_go_to_the_first_and_last_step(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    press(stand, "End");
    assert_int_equal(statement(stand), stand->session.lesson->step_count - 1);
    assert_false(session_key(&stand->session, "Right"));
    press(stand, "Home");
    assert_int_equal(statement(stand), 0);
    assert_false(session_key(&stand->session, "Left"));
}

static void
test_page_down_and_page_up_change_the_lesson_and_stop_at_the_ends(void **state) {
    Stand *stand = *state;
    open_lesson(stand, 0);
    assert_false(session_key(&stand->session, "PageUp"));
    for (size_t i = 1; i < stand->course.count; i++) {
        press(stand, "PageDown");
        assert_int_equal(stand->session.number, i + 1);
    }
    assert_false(session_key(&stand->session, "PageDown"));
    press(stand, "PageUp");
    assert_int_equal(stand->session.number, stand->course.count - 1);
}

/* ---- the overview ---- */

static void test_the_overview_chooses_and_opens_by_keys(void **state) {
    Stand *stand = *state;
    uint64_t first = look(stand);
    press(stand, "Right");
    assert_int_equal(stand->session.chosen, 1);
    assert_int_not_equal(look(stand), first);
    press(stand, "Left");
    assert_int_equal(look(stand), first);
    assert_false(session_key(&stand->session, "Left"));
    press(stand, "Down");
    assert_true(stand->session.chosen > 1); /* a row further: in the first column again */
    press(stand, "Up");
    assert_int_equal(stand->session.chosen, 0);
    assert_false(session_key(&stand->session, "Up"));
    press(stand, "End");
    assert_int_equal(stand->session.chosen, stand->course.count - 1);
    press(stand, "Home");
    press(stand, "Right");
    press(stand, "Return");
    assert_int_equal(stand->session.view, SESSION_LESSON);
    assert_int_equal(stand->session.number, 2);
    press(stand, "O");
    assert_int_equal(stand->session.view, SESSION_OVERVIEW);
    assert_int_equal(stand->session.chosen, 1);
}

static void test_the_overview_keeps_the_chosen_card_in_view(void **state) {
    Stand *stand = *state;
    look(stand);
    for (size_t i = 0; i < stand->course.count; i++) {
        Box box;
        look(stand);
        if (!scene_find(&stand->scene, (Link){LINK_LESSON, i, 0, 0}, &box) || box.y < 0 ||
            box.y + box.h > HEIGHT)
            fail_msg("card %zu is not in view when it is chosen", i);
        session_key(&stand->session, "Right");
    }
}

static void test_a_click_on_a_card_opens_its_lesson(void **state) {
    Stand *stand = *state;
    look(stand);
    Box box;
    assert_true(scene_find(&stand->scene, (Link){LINK_LESSON, 2, 0, 0}, &box));
    double x = box.x + box.w / 2, y = box.y + box.h / 2;
    assert_true(session_pointer_move(&stand->session, &stand->scene, x, y));
    assert_int_equal(stand->session.chosen, 2);
    assert_true(session_pointer_press(&stand->session, &stand->scene, x, y));
    assert_int_equal(stand->session.number, 3);
}

/* ---- the pointer in a lesson ---- */

static void
test_pointing_at_a_cell_changes_the_picture_and_leaving_restores_it(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    press(stand, "End");
    press(stand, "Left");
    uint64_t before = look(stand);
    Point cell = cell_on_stage(stand);
    assert_true(session_pointer_move(&stand->session, &stand->scene, cell.x, cell.y));
    assert_int_not_equal(look(stand), before);
    assert_false(session_pointer_move(&stand->session, &stand->scene, cell.x, cell.y));
    assert_true(session_pointer_move(&stand->session, &stand->scene, -1, -1));
    assert_int_equal(look(stand), before);
}

static void test_a_click_pins_a_cell_until_escape(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    press(stand, "End");
    press(stand, "Left");
    uint64_t before = look(stand);
    Point cell = cell_on_stage(stand);
    session_pointer_press(&stand->session, &stand->scene, cell.x, cell.y);
    assert_false(session_pointer_release(&stand->session));
    session_pointer_move(&stand->session, &stand->scene, -1, -1);
    assert_true(stand->session.has_pin);
    assert_int_not_equal(look(stand), before);
    press(stand, "Escape");
    assert_false(stand->session.has_pin);
    assert_int_equal(look(stand), before);
    press(stand, "Escape");
    assert_int_equal(stand->session.view, SESSION_OVERVIEW);
}

static void test_a_click_on_the_map_goes_there(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    look(stand);
    size_t step = player_statement_step(&stand->session.player, 3);
    Box box;
    assert_true(scene_find(&stand->scene, (Link){LINK_STEP, step, 0, 0}, &box));
    Link hit = scene_hit(&stand->scene, box.x + box.w / 2, box.y + box.h / 2);
    if (hit.kind != LINK_STEP) /* its dot on the timeline has the same link */
        box.h = 20;
    assert_true(
        session_pointer_press(&stand->session, &stand->scene, box.x + 5, box.y + 5));
    assert_int_equal(statement(stand), 3);
}

static void test_dragging_along_the_timeline_scrubs(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    look(stand);
    Box bar;
    assert_true(scene_find(&stand->scene, (Link){LINK_TIMELINE, 0, 0, 0}, &bar));
    Point start = {bar.x + bar.w * 0.31, bar.y + bar.h / 2};
    Link link = scene_hit(&stand->scene, start.x, start.y);
    assert_int_equal(link.kind, LINK_TIMELINE);
    session_pointer_press(&stand->session, &stand->scene, start.x, start.y);
    size_t pressed = statement(stand);
    assert_true(pressed > 0);
    assert_true(
        session_pointer_move(&stand->session, &stand->scene, bar.x + bar.w + 500, 0));
    assert_int_equal(statement(stand), stand->session.lesson->step_count - 1);
    session_pointer_move(&stand->session, &stand->scene, bar.x - 500, 0);
    assert_int_equal(statement(stand), 0);
    assert_true(session_pointer_release(&stand->session));
    session_pointer_move(&stand->session, &stand->scene, bar.x + bar.w, 0);
    assert_int_equal(statement(stand), 0);
}

/* ---- language, theme, requests, messages ---- */

static void test_language_and_theme_turn_round_in_both_views(void **state) {
    Stand *stand = *state;
    for (int view = 0; view < 2; view++) {
        uint64_t before = look(stand);
        for (int i = 0; i < LANGUAGE_COUNT; i++) {
            press(stand, "L");
            if (i + 1 < LANGUAGE_COUNT)
                assert_int_not_equal(look(stand), before);
        }
        assert_int_equal(look(stand), before);
        for (size_t i = 0; i < stand->course.themes.count; i++) {
            press(stand, "T");
            if (i + 1 < stand->course.themes.count)
                assert_int_not_equal(look(stand), before);
        }
        assert_int_equal(look(stand), before);
        open_some_lesson(stand);
    }
}

/* Every way to draw attention shares is another picture, the last leads to the first. */
static void test_v_goes_round_the_views_of_a_tensor(void **state) {
    Stand *stand = *state;
    uint64_t seen[8] = {0};
    size_t count = 0;
    assert_false(session_key(&stand->session, "V")); /* the overview has none */
    open_some_lesson(stand);
    while (strcmp(player_step(&stand->session.player)->name, "A") != 0)
        press(stand, "Right");
    uint64_t first = look(stand), now = first;
    do {
        for (size_t i = 0; i < count; i++)
            assert_true(seen[i] != now);
        assert_true(count < COUNT(seen));
        seen[count++] = now;
        press(stand, "V");
        now = look(stand);
    } while (now != first);
    assert_int_equal(count, 5); /* its own picture, heatmap, bars, waves, arcs */
}

static void test_a_view_belongs_to_its_step(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    press(stand, "Right");
    uint64_t next = look(stand);
    press(stand, "Left");
    uint64_t plain = look(stand);
    press(stand, "V");
    uint64_t chosen = look(stand);
    assert_true(chosen != plain);
    press(stand, "Right");
    assert_true(look(stand) == next);
    press(stand, "Left");
    assert_true(look(stand) == chosen);
    press(stand, "PageDown");
    press(stand, "PageUp");
    assert_true(look(stand) == plain);
}

static void test_keys_ask_their_driver_once(void **state) {
    Stand *stand = *state;
    const struct {
        const char *key;
        SessionRequest request;
    } cases[] = {
        {"S", SESSION_SAVE},
        {"s", SESSION_SAVE},
        {"F11", SESSION_FULLSCREEN},
        {"q", SESSION_QUIT},
    };
    for (int view = 0; view < 2; view++) {
        for (size_t i = 0; i < COUNT(cases); i++) {
            press(stand, cases[i].key);
            assert_int_equal(session_take_request(&stand->session), cases[i].request);
            assert_int_equal(session_take_request(&stand->session), SESSION_NOTHING);
        }
        open_some_lesson(stand);
    }
}

static void test_a_message_is_shown_until_the_next_key_and_never_exported(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    uint64_t before = look(stand);
    session_say(&stand->session, "page.saved", "/home/me/picture.png");
    assert_int_not_equal(look(stand), before);
    assert_true(shows(stand, "picture.png"));
    TextMetrics metrics = fixed_metrics();
    arena_reset(stand->arena);
    session_draw(&stand->session, &stand->scene, stand->arena, &metrics, WIDTH, HEIGHT,
                 false);
    assert_false(shows(stand, "picture.png"));
    assert_true(session_key(&stand->session, "Up")); /* stands for nothing else here */
    assert_int_equal(look(stand), before);
}

static void test_picture_names_tell_lesson_step_and_cell(void **state) {
    Stand *stand = *state;
    assert_string_equal(session_picture_name(&stand->session, stand->arena),
                        "glassformer.png");
    open_some_lesson(stand);
    press(stand, "End");
    press(stand, "Left");
    const char *step = session_picture_name(&stand->session, stand->arena);
    assert_non_null(strstr(step, "07-one-head"));
    press(stand, "Down");
    const char *cell = session_picture_name(&stand->session, stand->arena);
    press(stand, "Right");
    const char *next = session_picture_name(&stand->session, stand->arena);
    assert_string_not_equal(step, cell);
    assert_string_not_equal(cell, next);
}

/* ---- help ---- */

/* How the help writes a key that SDL calls otherwise; aliases stand under the other. */
static const char *shown_as(const char *key) {
    static const struct {
        const char *key, *shown;
    } others[] = {
        {"Right", "→"},
        {"Left", "←"},
        {"Down", "↓"},
        {"Up", "↑"},
        {"Return", "Enter"},
        {"Keypad Enter", "Enter"},
        {"Escape", "Esc"},
        {"F1", "?"},
        {"H", "?"},
        {"PageDown", "Page Down"},
        {"PageUp", "Page Up"},
    };
    for (size_t i = 0; i < COUNT(others); i++) {
        if (strcmp(others[i].key, key) == 0)
            return others[i].shown;
    }
    return key;
}

static void test_help_lists_every_key_that_does_something(void **state) {
    Stand *stand = *state;
    size_t bound = 0;
    press(stand, "?");
    look(stand);
    for (int code = 0; code < SDL_NUM_SCANCODES; code++) {
        const char *key = SDL_GetScancodeName((SDL_Scancode)code);
        if (!session_key_exists(key))
            continue;
        bound++;
        if (!shows(stand, shown_as(key)))
            fail_msg("the help doesn't show the key %s", key);
    }
    for (char letter = ' '; letter < 127; letter++) {
        char key[2] = {letter, 0};
        if (!session_key_exists(key) || (letter >= 'a' && letter <= 'z'))
            continue;
        bound++;
        if (!shows(stand, shown_as(key)))
            fail_msg("the help doesn't show the key %s", key);
    }
    assert_true(bound >= 17);
}

static void test_help_explains_every_key_in_both_languages(void **state) {
    Stand *stand = *state;
    const Strings *strings = &stand->course.strings;
    press(stand, "?");
    for (int language = 0; language < LANGUAGE_COUNT; language++) {
        size_t count = 0;
        look(stand);
        for (size_t i = 0; i < strings->count; i++) {
            if (strncmp(strings->entries[i].key, "key.", 4) != 0)
                continue;
            count++;
            const char *words =
                text_in(&strings->entries[i].text, stand->session.language);
            if (!shows(stand, words))
                fail_msg("the help doesn't say '%s'", words);
        }
        assert_true(count > 10);
        press(stand, "L");
    }
}

static void test_any_other_key_closes_the_help_and_does_nothing_else(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    uint64_t before = look(stand);
    const char *const keys[] = {"Right", "Escape", "?", "F1", "h", "S", "PageDown"};
    for (size_t i = 0; i < COUNT(keys); i++) {
        press(stand, "?");
        assert_int_not_equal(look(stand), before);
        press(stand, keys[i]);
        assert_int_equal(session_take_request(&stand->session), SESSION_NOTHING);
        assert_int_equal(look(stand), before);
    }
    press(stand, "?");
    session_pointer_press(&stand->session, &stand->scene, 20, HEIGHT / 2);
    assert_int_equal(look(stand), before);
}

static void test_unknown_keys_do_nothing_and_have_a_nearest(void **state) {
    Stand *stand = *state;
    uint64_t before = look(stand);
    assert_false(session_key(&stand->session, "F7"));
    assert_int_equal(look(stand), before);
    assert_false(session_key_exists("Rigth"));
    assert_string_equal(session_nearest_key("Rigth"), "Right");
    assert_null(session_nearest_key("nothing like it"));
}

/* ---- what can't be opened ---- */

static void test_an_unknown_lesson_is_refused_with_the_nearest(void **state) {
    Stand *stand = *state;
    ErrorList errors = {0};
    assert_false(session_open(&stand->session, "07-one-haed", &errors));
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.items[0].code, ERROR_USAGE);
    assert_non_null(strstr(errors.items[0].message, "'07-one-head'"));
    assert_int_equal(stand->session.view, SESSION_OVERVIEW);
    assert_string_equal(course_nearest(&stand->course, "one-head"), "07-one-head");
    assert_string_equal(course_nearest(&stand->course, "7"), "07-one-head");
    assert_null(course_nearest(&stand->course, "nothing like any of them"));
}

static void test_a_lesson_opens_from_a_path_too(void **state) {
    Stand *stand = *state;
    size_t index = course_find(&stand->course, "07-one-head");
    ErrorList errors = {0};
    for (int i = 0; i < 2; i++) { /* the second takes the place of the first */
        assert_true(
            session_open(&stand->session, stand->course.lessons[index].path, &errors));
        assert_int_equal(stand->session.number, 0);
        look(stand);
    }
    assert_false(session_key(&stand->session, "PageUp"));
    assert_false(session_open(&stand->session, "./not-there.yaml", &errors));
    assert_int_equal(errors.items[0].code, ERROR_FILE);
    assert_string_equal(stand->session.lesson->id, "07-one-head");
}

/* ---- a course of our own ---- */

typedef struct Folder {
    char path[PATH_SIZE];
} Folder;

static void write_file(const Folder *folder, const char *name, const char *text) {
    char path[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void run_shell(const char *format, const char *a, const char *b) {
    char command[3 * PATH_SIZE];
    snprintf(command, sizeof command, format, a, b);
    assert_int_equal(system(command), 0);
}

static Folder make_data_folder(const Stand *stand) {
    Folder folder;
    const char *temporary = getenv("TMPDIR");
    snprintf(folder.path, sizeof folder.path, "%s/glassformer-XXXXXX",
             temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(folder.path));
    run_shell("mkdir '%s/lessons'%s", folder.path, "");
    run_shell("cp -r '%s/assets' '%s'", stand->course.folder, folder.path);
    return folder;
}

static void test_a_lesson_with_errors_stays_closed_and_says_so(void **state) {
    Stand *stand = *state;
    Folder folder = make_data_folder(stand);
    write_file(&folder, "lessons/02-bad.yaml", "title: x\nsteps:\n  - do: Q = X @ W\n");
    write_file(&folder, "lessons/01-good.yaml",
               "title: x\ngiven: {X: [[1]]}\nsteps:\n  - do: Q = X @ X\n");
    write_file(&folder, "lessons/notes.txt", "not a lesson");
    setenv("GLASSFORMER_DATA", folder.path, 1);
    Stand own = {.arena = stand->arena};
    ErrorList errors = {0};
    assert_true(course_init(&own.course, &errors));
    assert_int_equal(own.course.count, 2);
    assert_string_equal(own.course.lessons[1].id, "02-bad");
    session_init(&own.session, &own.course);
    look(&own);
    press(&own, "Right");
    press(&own, "Return");
    assert_int_equal(own.session.view, SESSION_OVERVIEW);
    assert_true(own.session.message[0]);
    press(&own, "Left");
    press(&own, "Return");
    assert_int_equal(own.session.view, SESSION_LESSON);
    assert_false(session_open(&own.session, "02-bad", &errors));
    session_finish(&own.session);
    course_finish(&own.course);
    run_shell("rm -r '%s'%s", folder.path, "");
    setenv("GLASSFORMER_DATA", stand->course.folder, 1);
}

static void test_a_data_folder_without_its_files_is_an_error(void **state) {
    Stand *stand = *state;
    Folder folder = make_data_folder(stand);
    const struct {
        const char *break_it, *said;
    } cases[] = {
        {"rmdir '%s/lessons'%s", "lessons"},
        {"mkdir '%s/lessons'%s", "has no lesson"},
        {"rm '%s/assets/strings.yaml'%s", "GLASSFORMER_DATA"},
    };
    setenv("GLASSFORMER_DATA", folder.path, 1);
    for (size_t i = 0; i < COUNT(cases); i++) {
        Course course;
        ErrorList errors = {0};
        run_shell(cases[i].break_it, folder.path, "");
        assert_false(course_init(&course, &errors));
        assert_int_equal(errors.items[0].code, ERROR_FILE);
        if (!strstr(errors.items[0].message, cases[i].said))
            fail_msg("case %zu gave: %s", i, errors.items[0].message);
        course_finish(&course);
    }
    run_shell("rm -r '%s'%s", folder.path, "");
    setenv("GLASSFORMER_DATA", stand->course.folder, 1);
}

int main(void) {
#define SESSION_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_every_lesson_of_the_course_opens),
        SESSION_TEST(test_left_shows_again_what_right_has_left_at_every_depth),
        SESSION_TEST(test_home_and_end_go_to_the_first_and_last_step),
        SESSION_TEST(test_page_down_and_page_up_change_the_lesson_and_stop_at_the_ends),
        SESSION_TEST(test_the_overview_chooses_and_opens_by_keys),
        SESSION_TEST(test_the_overview_keeps_the_chosen_card_in_view),
        SESSION_TEST(test_a_click_on_a_card_opens_its_lesson),
        SESSION_TEST(test_pointing_at_a_cell_changes_the_picture_and_leaving_restores_it),
        SESSION_TEST(test_a_click_pins_a_cell_until_escape),
        SESSION_TEST(test_a_click_on_the_map_goes_there),
        SESSION_TEST(test_dragging_along_the_timeline_scrubs),
        SESSION_TEST(test_language_and_theme_turn_round_in_both_views),
        SESSION_TEST(test_v_goes_round_the_views_of_a_tensor),
        SESSION_TEST(test_a_view_belongs_to_its_step),
        SESSION_TEST(test_keys_ask_their_driver_once),
        SESSION_TEST(test_a_message_is_shown_until_the_next_key_and_never_exported),
        SESSION_TEST(test_picture_names_tell_lesson_step_and_cell),
        SESSION_TEST(test_help_lists_every_key_that_does_something),
        SESSION_TEST(test_help_explains_every_key_in_both_languages),
        SESSION_TEST(test_any_other_key_closes_the_help_and_does_nothing_else),
        SESSION_TEST(test_unknown_keys_do_nothing_and_have_a_nearest),
        SESSION_TEST(test_an_unknown_lesson_is_refused_with_the_nearest),
        SESSION_TEST(test_a_lesson_opens_from_a_path_too),
        SESSION_TEST(test_a_lesson_with_errors_stays_closed_and_says_so),
        SESSION_TEST(test_a_data_folder_without_its_files_is_an_error),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
