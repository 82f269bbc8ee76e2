/* Presenting: a clicker's keys, a blank screen, lenses and larger type. */
#include "actions/actions.h"
#include "lesson/content/content.h"
#include "modes/modes.h"
#include "picture/draw/marks.h"
#include "session/mode.h"
#include "session/state.h"
#include "session_stand.h"

#include <math.h>

static void test_a_clicker_goes_step_by_step_and_over_a_slide_to_the_next(void **state) {
    Stand *stand = *state;
    open_number(stand, 0);
    press(stand, "F5");
    assert_true(session_presents(stand->session));
    size_t last = player_statement_count(&stand->session->player) - 1;
    for (size_t i = 0; i < last; i++) {
        assert_int_equal(statement(stand), i);
        press(stand, "PageDown");
    }
    press(stand, "PageDown");
    look(stand);
    assert_true(says(stand, "End of lesson"));
    assert_int_equal(stand->session->number, 1);
    press(stand, "PageUp");
    look(stand);
    assert_false(says(stand, "End of lesson"));
    press(stand, "PageDown");
    press(stand, "PageDown");
    assert_int_equal(stand->session->number, 2);
    assert_true(session_presents(stand->session));
    session_key(stand->session, "PageUp");
    assert_int_equal(stand->session->number, 1);
    assert_int_equal(statement(stand), last);
    look(stand);
    assert_true(says(stand, "End of lesson"));
    press(stand, "PageUp");
    look(stand);
    assert_false(says(stand, "End of lesson"));
    assert_int_equal(statement(stand), last);
    size_t begins = course_beginning(&stand->course) + 1;
    press(stand, "Home PageUp");
    assert_int_equal(stand->session->number, begins);
    press(stand, "Home");
    session_key(stand->session, "PageUp");
    assert_int_equal(stand->session->number, begins); /* there is none before */
    press(stand, "Escape");
    assert_false(session_presents(stand->session));
}

static void test_a_message_moves_nothing_on_a_presented_page(void **state) {
    static const char *const lessons[] = {"23-cross-attention", "08-one-head"};
    Stand *stand = *state;
    for (size_t i = 0; i < sizeof lessons / sizeof *lessons; i++) {
        open_lesson(stand, lessons[i]);
        press(stand, "F5 PageDown PageUp");
        look(stand);
        size_t count = stand->scene.count;
        SceneItem *items = malloc(count * sizeof *items);
        assert_non_null(items);
        memcpy(items, stand->scene.items, count * sizeof *items);
        for (size_t k = 0; k < count; k++)
            items[k].text = NULL; /* of another frame */
        session_show_message(stand->session, "present.begins", NULL, NULL);
        look(stand);
        assert_true(stand->scene.count > count);
        for (size_t k = 0; k < count; k++) {
            const SceneItem *now = &stand->scene.items[k];
            assert_int_equal(now->kind, items[k].kind);
            assert_memory_equal(&now->box, &items[k].box, sizeof now->box);
        }
        free(items);
        press(stand, "Escape");
    }
}

static void test_a_message_leaves_a_presented_question(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    session_ask(stand->session, true);
    press(stand, "F5");
    lesson_go_to_step(stand->session, 5);
    session_show_message(stand->session, "present.begins", NULL, NULL);
    look(stand);
    const SceneItem *said = scene_find_text(&stand->scene, stand->session->message);
    size_t asked = 0;
    assert_non_null(said);
    while (asked < stand->scene.count &&
           (stand->scene.items[asked].kind != SCENE_TEXT ||
            !strstr(stand->scene.items[asked].text, "column “learning”")))
        asked++;
    assert_true(asked < stand->scene.count);
    assert_true(said->box.y + said->box.h < stand->scene.items[asked].box.y);
}

/* But for names' indices. */
static bool is_words(const SceneItem *text) {
    return text->fill.a > 0 && text->text[0] && text->text[1];
}

static bool is_number_of_cell(const SceneItem *text) {
    return text->link.kind == LINK_CELL && strpbrk(text->text, "0123456789");
}

/* Fails where one of the texts that count has fewer points, or none is there. */
static void assert_large(const Stand *stand, bool (*counts)(const SceneItem *text),
                         double points) {
    size_t count = 0;
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        if (item->kind != SCENE_TEXT || !counts(item))
            continue;
        count++;
        if (!(item->size >= points))
            fail_msg("'%s' has %g points", item->text, item->size);
    }
    assert_true(count > 0);
}

/* 30 points are 24 pixels on a page of 1280 × 720. */
static void test_what_lies_over_a_presented_page_is_for_the_back_row_too(void **state) {
    Stand *stand = *state;
    const char *const keys[] = {"Ctrl+K", "?"};
    open_lesson(stand, "08-one-head");
    press(stand, "F5");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        press(stand, keys[i]);
        look(stand);
        assert_true(mode_overlaid(stand->session));
        assert_large(stand, is_words, 30);
        press(stand, "Escape");
    }
}

/* 25 points are 20 pixels there. */
static void test_a_question_leaves_digits_for_the_back_row(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "23-cross-attention");
    session_ask(stand->session, true);
    press(stand, "F5 PageDown PageDown");
    look(stand);
    assert_true(mode_on(stand->session, &mode_question));
    assert_large(stand, is_number_of_cell, 25);
    press(stand, "Escape");
}

/* How tall and wide the first cell of the present step's result is drawn. */
static Box first_cell(Stand *stand) {
    Box box = {0};
    const Link cell = {LINK_CELL, player_step(&stand->session->player)->node, 0, 0};
    look(stand);
    assert_true(marks_cell_box(&stand->scene, cell, &box));
    return box;
}

static void test_a_lens_shows_no_cell_smaller_than_the_page(void **state) {
    static const char *const lessons[] = {"08-one-head", "09-shapes", "13-masks"},
                             *const results[] = {"A", "S", "M"};
    Stand *stand = *state;
    for (size_t i = 0; i < 3; i++) {
        open_lesson(stand, lessons[i]);
        press(stand, "F5");
        go_to(stand, results[i]);
        look(stand);
        if (questions_wait(stand->session))
            press(stand, "Right");
        Box page = first_cell(stand);
        press(stand, "Z");
        Box lens = first_cell(stand);
        if (lens.h < page.h || lens.w * lens.h < page.w * page.h)
            fail_msg("%s: a cell of %.0f × %.0f points is %.0f × %.0f in the lens",
                     lessons[i], page.w, page.h, lens.w, lens.h);
        press(stand, "Escape Escape");
    }
}

/* How many numbers of the present step's result are written. */
static size_t numbers_shown(Stand *stand) {
    size_t node = player_step(&stand->session->player)->node, shown = 0;
    look(stand);
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        shown += item->kind == SCENE_TEXT && item->fill.a > 0 &&
                 item->link.kind == LINK_CELL && item->link.index == node;
    }
    return shown;
}

static void test_a_lens_tells_nothing_that_is_asked(void **state) {
    static const char *const lessons[] = {"10-one-update", "13-masks"},
                             *const results[] = {"losses", "M"};
    Stand *stand = *state;
    for (size_t i = 0; i < 4; i++) {
        open_lesson(stand, lessons[i / 2]);
        session_ask(stand->session, true);
        if (i % 2)
            press(stand, "F5");
        questions_ask_again(stand->session, false);
        go_to(stand, results[i / 2]);
        size_t asked = numbers_shown(stand);
        assert_true(questions_wait(stand->session));
        try_keys(stand, "Z");
        assert_false(mode_on(stand->session, &mode_lens));
        assert_string_equal(
            stand->session->message,
            language_words(stand->session->language, "action.why.question_waits"));
        press(stand, "Right Z");
        assert_true(numbers_shown(stand) > asked);
        try_keys(stand, "Shift+N");
        assert_true(questions_wait(stand->session));
        assert_int_equal(numbers_shown(stand), asked);
        press(stand, "Right Escape");
        if (i % 2)
            press(stand, "Escape");
        session_ask(stand->session, false);
    }
}

static void test_type_is_larger_until_it_is_as_usual_again(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    uint64_t usual = look(stand);
    press(stand, "Ctrl+=");
    assert_true(stand->session->text_scale > 1);
    assert_true(look(stand) != usual);
    press(stand, "Ctrl+Right");
    assert_true(stand->session->text_scale > 1);
    for (int i = 0; i < 10; i++)
        session_key(stand->session, "Ctrl++");
    assert_true(stand->session->text_scale >= 2 && stand->session->text_scale <= 2);
    press(stand, "Ctrl+0");
    assert_true(stand->session->text_scale <= 1);
}

/* The points of the smallest text of its kind on the page. */
static double least_of(const Stand *stand, bool (*counts)(const SceneItem *text)) {
    double least = 1000;
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        if (item->kind == SCENE_TEXT && counts(item) && item->size < least)
            least = item->size;
    }
    return least;
}

/* No other bold text stands so far up on these pages. */
static bool is_title(const SceneItem *text) {
    return text->font == FONT_BOLD && text->box.y < HEIGHT / 4;
}

static bool is_number_of_picture(const SceneItem *text) {
    return text->box.y > HEIGHT / 4 && strchr(text->text, '.') &&
           strspn(text->text, "0123456789.-−") == strlen(text->text);
}

/* Nor are words cut, or goes what a picture is about. */
static void test_larger_type_is_nowhere_smaller(void **state) {
    static const struct {
        const char *lesson, *keys, *shown;
    } pages[] = {{"23-cross-attention", "F5 F F F", "="},
                 {"25-next-word", "F5 Right Right Right Right F F F", "0.849"}};
    Stand *stand = *state;
    for (size_t i = 0; i < 2 * sizeof pages / sizeof *pages; i++) {
        stand->session->language = stand->course.languages.items[i % 2];
        open_lesson(stand, pages[i / 2].lesson);
        try_keys(stand, "Home");
        press(stand, pages[i / 2].keys);
        look(stand);
        double title = least_of(stand, is_title);
        double digits = least_of(stand, is_number_of_picture);
        assert_true(title < 1000 && digits < 1000);
        for (size_t k = 0; k < 5; k++) {
            press(stand, "Ctrl++ F F F");
            look(stand);
            assert_true(shows(stand, pages[i / 2].shown));
            assert_false(says(stand, "…"));
            assert_true(least_of(stand, is_title) >= title);
            assert_true(least_of(stand, is_number_of_picture) >= digits);
        }
        press(stand, "Ctrl+0 Escape");
    }
}

/* Not its colour alone, where somewhat smaller type has room for it. */
static void test_the_cell_that_is_explained_has_its_number(void **state) {
    static const struct {
        const char *lesson, *number;
        size_t statement;
    } pages[] = {{"07-averages", "0.40", 5},
                 {"15-seven-words", "5.2", 1},
                 {"27-one-word-at-a-time", "−1.9", 4},
                 {"30-the-whole-transformer", "−2.0", 1},
                 {"34-learned-or-computed", "0.161", 2}};
    Stand *stand = *state;
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        open_lesson(stand, pages[i].lesson);
        press(stand, "F5");
        Player *player = &stand->session->player;
        player_jump(player, player_statement_step(player, pages[i].statement));
        look(stand);
        assert_true(shows(stand, pages[i].number));
        press(stand, "Escape");
    }
}

/* ---- the summary ---- */

/* The ring around a numeral of the summary. */
static Box ring_around(const Stand *stand, const SceneItem *numeral) {
    Box found = {0};
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        Box box = item->box;
        bool round = item->kind == SCENE_RECTANGLE && item->fill.a == 0 &&
                     fabs(box.w - box.h) < 0.1;
        if (round && box_contains(box, numeral->origin.x, numeral->origin.y))
            found = box;
    }
    return found;
}

static void test_the_numbers_of_a_summary_stand_in_rings_of_their_own(void **state) {
    static const char *const numerals[] = {"1", "2", "3"};
    Stand *stand = *state;
    for (size_t i = 0; i < 2 * stand->course.count; i++) {
        stand->session->language = stand->course.languages.items[i % 2];
        open_number(stand, i / 2);
        press(stand, "F5");
        try_keys(stand, "End");
        look(stand);
        double free = 0;
        for (size_t k = 0; k < stand->session->lesson->remember_count && k < 3; k++) {
            const SceneItem *numeral = scene_find_text(&stand->scene, numerals[k]);
            assert_non_null(numeral);
            Box ring = ring_around(stand, numeral);
            double digit = numeral->origin.y - 0.73 * numeral->size / 2;
            if (!(ring.h > 0 && ring.y >= free &&
                  fabs(digit - box_middle(ring).y) <= 0.05 * ring.h))
                fail_msg("%s: number %zu", stand->session->lesson->id, k + 1);
            free = ring.y + ring.h;
        }
        press(stand, "Escape");
    }
}

/* ---- notes ---- */

/* Presents with notes, which are turned or not after the given keys. */
static void begin_with_notes(Stand *stand, SessionNotes notes, const char *keys,
                             bool turned) {
    open_lesson(stand, "08-one-head");
    session_set_notes(stand->session, notes);
    assert_true(action_do(stand->session, action_number("present_notes")));
    assert_true(session_presents(stand->session));
    assert_int_equal(mode_on(stand->session, &mode_menu), notes == SESSION_NOTES_SHARED);
    press(stand, keys);
    assert_int_equal(session_turns_notes(stand->session), turned);
    press(stand, "Escape");
    assert_false(session_presents(stand->session));
}

/* On a second screen they come by themselves, on the only one after a question. */
static void test_notes_come_with_presenting_where_they_are_wanted(void **state) {
    Stand *stand = *state;
    begin_with_notes(stand, SESSION_NOTES_ASKED, "PageDown", true);
    begin_with_notes(stand, SESSION_NOTES_APART, "PageDown", false);
    begin_with_notes(stand, SESSION_NOTES_SHARED, "Return", true);
    begin_with_notes(stand, SESSION_NOTES_SHARED, "PageDown", false);
    begin_with_notes(stand, SESSION_NOTES_SHARED, "PageDown S Return", true);
}

/* ---- the answer to a question ---- */

/* Texts of the picture, the smallest digits in its cells and the smallest words above it.
 */
typedef struct Sizes {
    size_t texts;
    double digits, words; /* points; INFINITY: none */
} Sizes;

static Sizes sizes_now(Stand *stand) {
    Sizes sizes = {0, INFINITY, INFINITY};
    look(stand);
    const Scene *scene = &stand->scene;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind != SCENE_TEXT || item->fill.a == 0)
            continue;
        bool in_picture = item->box.y >= scene->picture.y;
        sizes.texts += in_picture;
        if (in_picture && is_number_of_cell(item))
            sizes.digits = fmin(sizes.digits, item->size);
        if (!in_picture && item->font != FONT_MATH)
            sizes.words = fmin(sizes.words, item->size);
    }
    return sizes;
}

/* Compares a step's page with the answer to its question with the page without. */
static void look_at_answer(Stand *stand, size_t step) {
    static const double NEARLY = 0.85;
    session_ask(stand->session, false);
    player_jump(&stand->session->player, step);
    const Sizes plain = sizes_now(stand);
    session_ask(stand->session, true);
    if (!questions_wait(stand->session))
        return;
    press(stand, "PageDown");
    const Sizes answered = sizes_now(stand);
    const char *path = player_step(&stand->session->player)->path;
    assert_true(
        shows(stand, language_words(stand->session->language, "practise.ended.shown")));
    if (answered.words < 30)
        fail_msg("step %s: words of %g points", path, answered.words);
    if ((double)answered.texts < NEARLY * (double)plain.texts)
        fail_msg("step %s: %zu texts of the picture are %zu beside the answer", path,
                 plain.texts, answered.texts);
    if (isfinite(plain.digits) && answered.digits < NEARLY * plain.digits)
        fail_msg("step %s: digits of %g points are %g beside the answer", path,
                 plain.digits, answered.digits);
}

static void test_an_answer_leaves_the_presented_picture_as_it_is(void **state) {
    static const char *const lessons[] = {"40-the-whole-path", "08-one-head"};
    Stand *stand = *state;
    for (size_t i = 0; i < 4; i++) {
        stand->session->language = stand->course.languages.items[i % 2];
        open_lesson(stand, lessons[i / 2]);
        press(stand, "F5");
        const Player *player = &stand->session->player;
        for (size_t step = 0; step < player->step_count; step = player->steps[step].next)
            look_at_answer(stand, step);
        press(stand, "Escape");
    }
}

/* On a page that has room for it. */
static void test_an_answer_has_the_size_of_type_that_is_wished(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "40-the-whole-path");
    session_ask(stand->session, true);
    press(stand, "F5 PageDown PageDown PageDown PageDown PageDown F F F");
    assert_false(questions_wait(stand->session));
    uint64_t usual = look(stand);
    Sizes sizes = sizes_now(stand);
    press(stand, "Ctrl++ F F F");
    assert_true(look(stand) != usual);
    assert_true(sizes_now(stand).words > sizes.words);
    assert_true(sizes_now(stand).digits >= sizes.digits);
    press(stand, "Ctrl+- F F F");
    assert_true(look(stand) == usual);
    press(stand, "Ctrl+- F F F");
    assert_true(look(stand) != usual);
    press(stand, "Ctrl+0 Escape");
}

/* At the depth "story". */
static void test_no_two_steps_of_a_head_are_told_by_one_story(void **state) {
    static const char *const told[][2] = {{"Q", "Every word pins a note"},
                                          {"K", "Every word hangs a sign"},
                                          {"V", "Every word packs a parcel"},
                                          {"S", "A query is a note"},
                                          {"O", "Every word cooks by a recipe"}};
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    assert_true(words_turn_to(stand->session, WORDS_STORY));
    Player *player = &stand->session->player;
    for (size_t i = 0; i < player->step_count; i++) {
        for (size_t k = 0; k < sizeof told / sizeof *told; k++) {
            const LessonStep *step = player->steps[i].words;
            if (!step || step->shown_count ||
                strcmp(player->steps[i].name, told[k][0]) != 0)
                continue;
            player_jump(player, i);
            look(stand);
            assert_true(shows(stand, told[k][1]));
        }
    }
}

/* ---- the lecturer's page ---- */

static void draw_notes(Stand *stand, double width, double height) {
    TextMetrics metrics = fixed_metrics();
    arena_reset(stand->arena);
    session_draw_notes(stand->session, &stand->scene, stand->arena, &metrics,
                       (SessionClock){9, 5}, width, height);
    assert_true(scene_complete(&stand->scene));
}

/* The time, what the class sees, what comes next, and the step's notes, all of it within
 * the page, and nothing to be clicked. */
static void test_the_lecturers_page_has_notes_the_time_and_the_next_step(void **state) {
    static const struct {
        const char *keys, *shown[4], *hidden;
    } rows[] = {
        {"F5", {"09:05", "Step 1 of 13", "The class sees", "Ask: does any"}, "next:"},
        {"F5 Right", {"1:15", "Step 2 of 13", "Next", "three roles"}, "sees black"},
        {"F5 b", {"09:05", "Step 1 of 13", "Next", "The class sees black"}, "next:"},
        {"F5 End", {"09:05", "Step 13 of 13", "The class sees", "next:"}, "black"},
    };
    static const double sizes[][2] = {{1600, 900}, {1024, 768}, {900, 1400}};
    Stand *stand = *state;
    for (size_t i = 0; i < 4 * 3; i++) {
        end_session(state);
        assert_int_equal(begin_session(state), 0);
        open_lesson(stand, "08-one-head");
        press(stand, rows[i / 3].keys);
        session_tick(stand->session, 75000);
        draw_notes(stand, sizes[i % 3][0], sizes[i % 3][1]);
        for (size_t j = 0; j < 4; j++) {
            if (!says(stand, rows[i / 3].shown[j]))
                fail_msg("%s: there is no '%s'", rows[i / 3].keys, rows[i / 3].shown[j]);
        }
        assert_false(says(stand, rows[i / 3].hidden));
        for (size_t j = 0; j < stand->scene.count; j++) {
            const SceneItem *item = &stand->scene.items[j];
            assert_int_equal(item->link.kind, LINK_NONE);
            assert_true(item->kind == SCENE_UNCLIP || item->box.x + item->box.w > 0);
            assert_true(item->kind == SCENE_UNCLIP || item->box.x < sizes[i % 3][0]);
        }
    }
}

/* Long notes stand beside the two pages, short ones above them. */
static void test_notes_have_the_room_that_they_need(void **state) {
    static const struct {
        double width, height;
        bool beside;
    } rows[] = {{1600, 900, false}, {1600, 600, true}, {900, 1400, false}};
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "F5");
    for (size_t i = 0; i < 3; i++) {
        draw_notes(stand, rows[i].width, rows[i].height);
        const SceneItem *now = scene_find_text(&stand->scene, "The class sees");
        const SceneItem *next = scene_find_text(&stand->scene, "Next");
        assert_non_null(now);
        assert_non_null(next);
        assert_true(rows[i].beside
                        ? next->box.x == now->box.x && next->box.y > now->box.y
                        : next->box.y == now->box.y && next->box.x > now->box.x);
    }
}

/* ---- a change ---- */

static void assert_both_answers(Stand *stand, double width, double height) {
    static const char *const texts[] = {"before", "now", "0.999", "0.901", "−∞", "−0.60"};
    draw_session(stand, width, height, true);
    draw_session(stand, width, height, true); /* for the type of a page of this size */
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!scene_find_text(&stand->scene, texts[i]))
            fail_msg("%g × %g: there is no '%s'", width, height, texts[i]);
    }
    const SceneItem *moved = scene_find_text(&stand->scene, "◣ What moved:");
    const SceneItem *message = scene_find_text(&stand->scene, stand->session->message);
    assert_non_null(moved);
    if (stand->session->message[0]) {
        assert_non_null(message);
        assert_true(message->box.y + message->box.h <= moved->box.y);
    }
}

/* On wide and narrow pages, in all sizes of type, with a pinned cell and without one. */
static void test_a_changed_row_has_both_answers_in_all_type(void **state) {
    static const double sizes[][2] = {{1600, 900}, {1600, 1000}, {1600, 1200}};
    static const char *const keys[] = {"Delete", "Ctrl+-",   "Ctrl++",       "Ctrl++",
                                       "Ctrl++", "C Ctrl+0", "Delete Delete"};
    for (size_t i = 0; i < 3; i++) {
        Stand *stand = *state;
        open_lesson(stand, "40-the-whole-path");
        press(stand, "End Left Left Shift+F5");
        for (size_t j = 0; j < sizeof keys / sizeof *keys; j++) {
            try_keys(stand, keys[j]);
            assert_both_answers(stand, sizes[i][0], sizes[i][1]);
        }
        press(stand, "Ctrl+Z");
        try_keys(stand, "R Escape Escape Escape");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_a_clicker_goes_step_by_step_and_over_a_slide_to_the_next),
        SESSION_TEST(test_a_message_moves_nothing_on_a_presented_page),
        SESSION_TEST(test_a_message_leaves_a_presented_question),
        SESSION_TEST(test_what_lies_over_a_presented_page_is_for_the_back_row_too),
        SESSION_TEST(test_a_question_leaves_digits_for_the_back_row),
        SESSION_TEST(test_a_lens_shows_no_cell_smaller_than_the_page),
        SESSION_TEST(test_a_lens_tells_nothing_that_is_asked),
        SESSION_TEST(test_type_is_larger_until_it_is_as_usual_again),
        SESSION_TEST(test_larger_type_is_nowhere_smaller),
        SESSION_TEST(test_the_cell_that_is_explained_has_its_number),
        SESSION_TEST(test_the_numbers_of_a_summary_stand_in_rings_of_their_own),
        SESSION_TEST(test_notes_come_with_presenting_where_they_are_wanted),
        SESSION_TEST(test_an_answer_leaves_the_presented_picture_as_it_is),
        SESSION_TEST(test_an_answer_has_the_size_of_type_that_is_wished),
        SESSION_TEST(test_no_two_steps_of_a_head_are_told_by_one_story),
        SESSION_TEST(test_the_lecturers_page_has_notes_the_time_and_the_next_step),
        SESSION_TEST(test_notes_have_the_room_that_they_need),
        SESSION_TEST(test_a_changed_row_has_both_answers_in_all_type),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
