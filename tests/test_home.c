/* Home and the tour: every lesson is behind a door, every place is reached by keys, by
 * the pointer and by a finger, and what moves is a function of the time. */
#include "modes/modes.h"
#include "session/state.h"
#include "session_stand.h"

#include "lesson/content/content.h"
#include "picture/home/home.h"
#include "session/mode.h"

#include <math.h>
#include <string.h>

enum { PLACES_MAX = 200 };

static const double FINGER = 44;     /* points */
static const double ROW_FINGER = 35; /* as wide, where they stand side by side */

static Point middle_of(const Stand *stand, Link link) {
    Box box;
    if (!scene_find(&stand->scene, link, &box))
        fail_msg("nothing stands for link %d %zu %zu", link.kind, link.index, link.row);
    Point middle = {box.x + box.w / 2, box.y + box.h / 2};
    bool hits = link_equal(scene_hit(&stand->scene, middle.x, middle.y), link);
    return hits ? middle : (Point){middle.x, box.y + 20}; /* a frame: its upper edge */
}

static void point_at(Stand *stand, Link link) {
    Point at = middle_of(stand, link);
    session_pointer_move(stand->session, &stand->scene, at.x, at.y);
}

static void click(Stand *stand, Link link) {
    Point at = middle_of(stand, link);
    session_pointer_press(stand->session, &stand->scene, at.x, at.y);
    session_pointer_release(stand->session);
}

/* A door of the block; of several the first. */
static bool find_door(const Stand *stand, LessonBlock block, Link *door) {
    for (size_t i = 0; i < stand->scene.count; i++) {
        *door = stand->scene.items[i].link;
        if (door->kind == LINK_BLOCK && door->index == (size_t)block)
            return true;
    }
    return false;
}

static void choose(Stand *stand, Link link) {
    home_state(stand->session)->chosen = link;
    home_state(stand->session)->choosing = true;
}

/* ---- doors ---- */

static void test_every_lesson_is_behind_a_door(void **state) {
    Stand *stand = *state;
    for (size_t i = 0; i < stand->course.count; i++) {
        Link door = {0}, lesson = {LINK_LESSON, i, HOME_IN_LIST, 0};
        LessonBlock block = course_head(&stand->course, i)->block;
        Box box;
        look(stand);
        if (!find_door(stand, block ? block : LESSON_BLOCK_TRANSFORMER, &door))
            fail_msg("%s is behind no door", stand->course.lessons[i].id);
        click(stand, door);
        look(stand);
        if (!scene_find(&stand->scene, lesson, &box) || box.h < FINGER)
            fail_msg("%s is not listed behind its door", stand->course.lessons[i].id);
        try_keys(stand, "Escape");
    }
}

/* Returns how many lessons of the open list are seen, and the last of them. */
static size_t listed(const Stand *stand, size_t *last) {
    size_t count = 0;
    Box box;
    for (size_t i = 0; i < stand->course.count; i++) {
        Link link = {LINK_LESSON, i, HOME_IN_LIST, 0};
        if (scene_find(&stand->scene, link, &box)) {
            *last = i;
            count++;
        }
    }
    return count;
}

/* A list that has no room for all of its lessons says which of them are seen. */
static void test_a_long_list_says_which_part_is_seen(void **state) {
    Stand *stand = *state;
    Link door = {0};
    size_t last = 0, other = 0;
    look(stand);
    assert_true(find_door(stand, LESSON_BLOCK_TRANSFORMER, &door));
    click(stand, door);
    draw_session(stand, WIDTH, 2400, true);
    size_t all = listed(stand, &last), least = all;
    for (double height = 400; height < 1200; height += 50) {
        for (size_t at_end = 0; at_end < 2; at_end++) {
            home_state(stand->session)->chosen = (Link){0};
            if (at_end)
                choose(stand, (Link){LINK_LESSON, last, HOME_IN_LIST, 0});
            draw_session(stand, WIDTH, height, true);
            size_t seen = listed(stand, &other), first = at_end ? all - seen : 0;
            char words[40];
            snprintf(words, sizeof words, "%zu–%zu of %zu", first + 1, first + seen, all);
            assert_true(seen > 0);
            assert_int_equal(says(stand, words), seen < all);
            assert_true(!at_end || other == last);
            least = seen < least ? seen : least;
        }
    }
    assert_true(least < all);
}

static void test_its_words_can_be_read_in_a_small_window(void **state) {
    Stand *stand = *state;
    const double least = 17; /* points: 10.9 pixels at 1024 × 600 */
    for (size_t i = 0; i < stand->course.languages.count; i++) {
        stand->session->language = stand->course.languages.items[i];
        draw_session(stand, WIDTH, 937, true);
        for (size_t k = 0; k < stand->scene.count; k++)
            assert_true(stand->scene.items[k].kind != SCENE_TEXT ||
                        stand->scene.items[k].size >= least);
    }
}

/* Returns true if a circle of the row has the edge of what is chosen. */
static bool is_marked(const Stand *stand, size_t lesson) {
    Color focus = stand->session->theme->focus;
    Link link = {LINK_LESSON, lesson, HOME_IN_COURSE, 0};
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        if (link_equal(item->link, link) && item->kind == SCENE_RECTANGLE &&
            item->width > 2 && memcmp(&item->stroke, &focus, sizeof focus) == 0)
            return true;
    }
    return false;
}

static void test_only_the_chosen_lesson_is_marked(void **state) {
    Stand *stand = *state;
    size_t count = stand->course.count;
    for (size_t chosen = 0; chosen <= count; chosen += chosen + 7 < count ? 7 : 1) {
        choose(stand, (Link){LINK_LESSON, chosen, HOME_IN_COURSE, 0});
        look(stand);
        for (size_t i = 0; i < count; i++) {
            if (is_marked(stand, i) != (i == chosen))
                fail_msg("%zu is chosen, and %zu marked wrongly", chosen, i);
        }
    }
}

static void test_pointing_marks_a_door_and_lists_nothing(void **state) {
    Stand *stand = *state;
    Link door = {0};
    uint64_t before = look(stand);
    assert_true(find_door(stand, LESSON_BLOCK_FEED_FORWARD, &door));
    point_at(stand, door);
    assert_int_not_equal(look(stand), before);
    assert_false(shows(stand, "network"));
    session_pointer_move(stand->session, &stand->scene, 2, 300);
    assert_int_equal(look(stand), before);
}

/* Pointer, key and finger list the same. */
static void test_a_list_stays_until_it_is_closed(void **state) {
    Stand *stand = *state;
    Link door = {0};
    for (int way = 0; way < 3; way++) {
        look(stand);
        assert_true(find_door(stand, LESSON_BLOCK_FEED_FORWARD, &door));
        Point at = middle_of(stand, door);
        choose(stand, door);
        if (way == 0)
            click(stand, door);
        else if (way == 1)
            try_keys(stand, "Return");
        else
            session_touch_down(stand->session, &stand->scene, at.x, at.y);
        if (way == 2)
            session_touch_up(stand->session, &stand->scene, at.x, at.y);
        for (double x = 2; x < WIDTH; x += 50) {
            look(stand);
            assert_true(shows(stand, "network"));
            session_pointer_move(stand->session, &stand->scene, x, 500);
        }
        if (way == 1)
            try_keys(stand, "Escape");
        else
            session_pointer_press(stand->session, &stand->scene, 2, 300);
        look(stand);
        assert_false(shows(stand, "network"));
    }
}

static void test_a_click_lists_and_a_click_opens(void **state) {
    Stand *stand = *state;
    Link door = {0};
    look(stand);
    assert_true(find_door(stand, LESSON_BLOCK_CROSS_ATTENTION, &door));
    click(stand, door);
    look(stand);
    session_pointer_move(stand->session, &stand->scene, -1, -1);
    look(stand);
    size_t lesson = course_find(&stand->course, "23-cross-attention");
    click(stand, (Link){LINK_LESSON, lesson, HOME_IN_LIST, 0});
    assert_string_equal(stand->session->lesson->id, "23-cross-attention");
    try_keys(stand, "O");
    look(stand);
    click(stand, door);
    look(stand);
    try_keys(stand, "Escape");
    assert_int_equal(home_state(stand->session)->door.kind, LINK_NONE);
    click(stand, (Link){LINK_LESSON, 2, HOME_IN_COURSE, 0});
    assert_int_equal(stand->session->number, 3);
}

static bool is_seen(const Stand *stand, Link link) {
    Box box;
    return scene_find(&stand->scene, link, &box) && box.y >= 0 &&
           box.y + box.h <= HEIGHT && box.x >= 0 && box.x + box.w <= WIDTH;
}

/* A lesson selected by key is scrolled into view, the wheel and a finger scroll, every
 * lesson can be opened; and type of the usual size shows everything again. */
static void test_larger_type_is_gone_through(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    uint64_t usual = look(stand);
    for (int size = 0; size < 5; size++) {
        press(stand, "Ctrl++");
        look(stand);
        assert_true(size == 0 || home_state(session)->scroll_most > 0);
        for (size_t i = 0; i < stand->course.count; i += 13) {
            choose(stand, (Link){LINK_LESSON, i, HOME_IN_COURSE, 0});
            try_keys(stand, i ? "Left" : "Right");
            look(stand);
            assert_true(is_seen(stand, home_state(session)->chosen));
            assert_true(is_seen(stand, action_link("help"))); /* it stays */
        }
        double before = home_state(session)->scroll;
        click(stand, action_link("home_more"));
        assert_true(home_state(session)->scroll != before ||
                    home_state(session)->scroll_most == 0);
        session_pointer_wheel(session, &stand->scene, 800, 450, 100);
        assert_true(home_state(session)->scroll == 0);
        session_touch_down(session, &stand->scene, 800, 800);
        session_touch_move(session, &stand->scene, 800, 100);
        session_touch_up(session, &stand->scene, 800, 100);
        assert_true(home_state(session)->scroll > 0 || size == 0);
        session_pointer_wheel(session, &stand->scene, 800, 450, -100);
        look(stand);
        assert_true(home_state(session)->scroll == home_state(session)->scroll_most);
        assert_true(is_seen(stand, action_link("help")));
    }
    home_state(session)->choosing = false;
    home_state(session)->chosen = (Link){0};
    press(stand, "Ctrl+0");
    try_keys(stand, "F7");
    assert_int_equal(look(stand), usual);
}

static void test_the_help_is_scrolled_in_larger_type(void **state) {
    Stand *stand = *state;
    press(stand, "Ctrl++ Ctrl++ Ctrl++ Ctrl++ Ctrl++ ? Down End");
    look(stand);
    double most = help_state(stand->session)->scroll;
    assert_true(isfinite(most) && most > 0);
    session_pointer_wheel(stand->session, &stand->scene, 800, 450, 1);
    assert_true(help_state(stand->session)->scroll < most);
    press(stand, "Escape");
    assert_false(mode_on(stand->session, &mode_help));
}

/* Marks which of the help's texts the page shows whole; returns how many there are, and
 * the first of them. */
static size_t mark_whole(const Stand *stand, bool *seen, const char **first) {
    const Scene *scene = &stand->scene;
    size_t from = scene->count, count = 0;
    while (from > 0 && scene->items[from - 1].kind != SCENE_CLIP)
        from--;
    assert_true(from > 0);
    Box clip = scene->items[from - 1].box;
    for (; scene->items[from].kind != SCENE_UNCLIP; from++) {
        const SceneItem *item = &scene->items[from];
        if (item->kind != SCENE_TEXT)
            continue;
        *first = count ? *first : item->text;
        seen[count++] |= item->origin.y - 0.75 * item->size >= clip.y - 1 &&
                         item->origin.y + 0.25 * item->size <= clip.y + clip.h + 1;
    }
    return count;
}

static void test_pages_of_the_help_leave_no_line_out(void **state) {
    static const struct {
        const char *keys, *turn;
    } ways[] = {{"F5 ?", "PageDown"}, {"F5 ? End", "PageUp"}, {"?", "PageDown"}};
    static const double widths[] = {1600, 1536, 2000};
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    for (size_t i = 0; i < 9; i++) {
        enum { TEXTS_MAX = 400, PAGES_MAX = 40 };
        bool seen[TEXTS_MAX] = {false};
        double before = -1;
        size_t count = 0;
        const char *first = "";
        press(stand, ways[i / 3].keys);
        draw_session(stand, widths[i % 3], HEIGHT, true);
        for (size_t pages = 0; before != help_state(stand->session)->scroll; pages++) {
            before = help_state(stand->session)->scroll;
            count = mark_whole(stand, seen, &first);
            assert_true(count > 50 && count < TEXTS_MAX && pages < PAGES_MAX);
            assert_string_equal(first, i < 6 ? "Presenting" : "Five keys to begin with");
            try_keys(stand, ways[i / 3].turn);
            draw_session(stand, widths[i % 3], HEIGHT, true);
        }
        for (size_t k = 0; k < count; k++) {
            if (!seen[k])
                fail_msg("%s, %s: text %zu of %zu is on no page", ways[i / 3].keys,
                         ways[i / 3].turn, k, count);
        }
        try_keys(stand, i < 6 ? "Escape Escape" : "Escape");
        assert_false(mode_on(stand->session, &mode_help) ||
                     mode_on(stand->session, &mode_present));
    }
}

/* `play` draws once, behind the last key; a window after each. */
static void test_a_key_does_the_same_in_the_help_drawn_or_not(void **state) {
    Stand *stand = *state;
    for (int drawn = 0; drawn < 2; drawn++) {
        press(stand, "?");
        if (drawn)
            draw_session(stand, 1280, 800, true);
        press(stand, "Down");
        assert_true(mode_on(stand->session, &mode_help));
        draw_session(stand, 1280, 800, true);
        assert_true(help_state(stand->session)->scroll == 96);
        press(stand, "Escape ?");
        if (drawn)
            draw_session(stand, 1280, 3000, true);
        press(stand, "Down");
        draw_session(stand, 1280, 3000, true);
        assert_true(mode_on(stand->session, &mode_help));
        assert_true(help_state(stand->session)->scroll == 0);
        press(stand, "Escape");
    }
}

/* A name in a lesson's title is set as in a formula: in the course's row, in the finder.
 */
static void test_names_in_titles_are_typeset(void **state) {
    Stand *stand = *state;
    size_t i = 0;
    while (i < stand->course.count &&
           !strstr(course_title(&stand->course, i, stand->session->language), "d_k"))
        i++;
    assert_true(i < stand->course.count);
    choose(stand, (Link){LINK_LESSON, i, HOME_IN_COURSE, 0});
    look(stand);
    assert_true(shows(stand, "Why divide by"));
    assert_false(shows(stand, "d_k"));
    try_keys(stand, "Ctrl+K");
    session_type(stand->session, "Why divide");
    look(stand);
    assert_true(shows(stand, "Why divide by "));
    assert_false(shows(stand, "d_k"));
}

/* ---- keys ---- */

static size_t number_of(Link *places, size_t *count, Link link) {
    for (size_t i = 0; i < *count; i++) {
        if (link_equal(places[i], link))
            return i;
    }
    assert_true(*count < PLACES_MAX);
    places[*count] = link;
    return (*count)++;
}

/* Whatever can be pressed is as large as a finger, and the arrows and Tab come to it. */
static void test_keys_and_fingers_come_to_every_place(void **state) {
    Stand *stand = *state;
    static const char *const keys[] = {"Left", "Right", "Up", "Down", "Tab"};
    Link reached[PLACES_MAX];
    size_t count = 0;
    try_keys(stand, "Tab");
    number_of(reached, &count, home_state(stand->session)->chosen);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            choose(stand, reached[i]);
            try_keys(stand, keys[k]);
            number_of(reached, &count, home_state(stand->session)->chosen);
        }
    }
    session_pointer_move(stand->session, &stand->scene, -1, -1);
    home_state(stand->session)->chosen = home_state(stand->session)->door = (Link){0};
    look(stand);
    for (size_t i = 0; i < stand->scene.count; i++) {
        Link link = stand->scene.items[i].link;
        size_t known = count;
        Box box;
        if (link.kind == LINK_NONE)
            continue;
        if (number_of(reached, &count, link) == known)
            fail_msg("keys don't come to link %d %zu %zu %zu", link.kind, link.index,
                     link.row, link.col);
        assert_true(scene_find(&stand->scene, link, &box));
        bool in_row = link.kind == LINK_LESSON && link.row == HOME_IN_COURSE;
        if (box.w < (in_row ? ROW_FINGER : FINGER) || box.h < FINGER)
            fail_msg("link %d %zu %zu %zu is %.0f × %.0f", link.kind, link.index,
                     link.row, link.col, box.w, box.h);
    }
    assert_true(count > stand->course.count + 20);
}

/* A circle under the pointer has its lesson's title beside it and in the line below, and
 * is 28 pixels wide in a window of 1280. */
static void test_a_circle_tells_its_title(void **state) {
    Stand *stand = *state;
    for (size_t i = 0; i < stand->course.count; i++) {
        Box circle;
        Link link = {LINK_LESSON, i, HOME_IN_COURSE, 0};
        look(stand);
        assert_true(scene_find(&stand->scene, link, &circle));
        assert_true(circle.w * 1280 / 1600 >= 28);
        session_pointer_move(stand->session, &stand->scene, circle.x + circle.w / 2,
                             circle.y + circle.h / 2);
        look(stand);
        const char *title = course_title(&stand->course, i, stand->session->language);
        char words[200];
        snprintf(words, sizeof words, "%zu · %s", i, title);
        assert_true(strstr(title, "√") || scene_count_texts(&stand->scene, words) >= 1);
    }
    session_pointer_move(stand->session, &stand->scene, -1, -1);
}

static void test_enter_opens_a_door_and_then_a_lesson(void **state) {
    Stand *stand = *state;
    Link door = {0};
    look(stand);
    assert_true(find_door(stand, LESSON_BLOCK_SELF_ATTENTION, &door));
    choose(stand, door);
    try_keys(stand, "Return");
    assert_int_equal(home_state(stand->session)->door.kind, LINK_BLOCK);
    assert_int_equal(home_state(stand->session)->chosen.index,
                     course_find(&stand->course, "07-averages"));
    try_keys(stand, "Down");
    try_keys(stand, "Down");
    try_keys(stand, "Return");
    assert_string_equal(stand->session->lesson->id, "09-shapes");
    try_keys(stand, "O");
    assert_int_equal(home_state(stand->session)->door.kind, LINK_NONE);
}

static void test_right_begins_and_later_goes_on(void **state) {
    Stand *stand = *state;
    try_keys(stand, "Right");
    assert_string_equal(stand->session->lesson->id, "40-the-whole-path");
    session_open_number(stand->session, course_find(&stand->course, "01-tokens"));
    try_keys(stand, "Right");
    try_keys(stand, "O");
    look(stand);
    assert_true(shows(stand, "Go on: 1"));
    try_keys(stand, "Right");
    assert_int_equal(stand->session->number, 2);
    assert_int_equal(player_statement(&stand->session->player), 1);
}

/* ---- time ---- */

static uint64_t look_after(Stand *stand, double milliseconds) {
    home_enter(stand->session);
    look(stand);
    session_tick(stand->session, milliseconds);
    return look(stand);
}

static void test_home_is_a_function_of_the_time(void **state) {
    Stand *stand = *state;
    uint64_t still = look(stand);
    assert_true(isinf(session_until_change(stand->session)));
    assert_false(session_tick(stand->session, 5000));
    assert_int_equal(look(stand), still);
    session_animate(stand->session, SESSION_ENDS);
    assert_true(isinf(session_until_change(stand->session)));
    session_animate(stand->session, SESSION_MOVES);
    uint64_t early = look_after(stand, 2000), late = look_after(stand, 5800);
    assert_int_not_equal(early, late);
    assert_int_equal(look_after(stand, 2000), early);
    home_enter(stand->session);
    for (int i = 0; i < 200; i++)
        session_tick(stand->session, 10);
    assert_int_equal(look(stand), early);
}

/* A few pictures a second, for half a minute; then rest, until the pointer moves. */
static void test_the_light_rests_until_the_pointer_moves(void **state) {
    Stand *stand = *state;
    session_animate(stand->session, SESSION_MOVES);
    look(stand);
    size_t frames = 0;
    double all = 0, until;
    while (isfinite(until = session_until_change(stand->session))) {
        assert_true(until > 0 && frames < 1000);
        session_tick(stand->session, until);
        all += until;
        frames++;
    }
    assert_true(all > 10000 && all < 90000);
    assert_true((double)frames / all * 1000 <= 13);
    uint64_t rests = look(stand);
    assert_false(session_tick(stand->session, 10000));
    assert_int_equal(look(stand), rests);
    session_pointer_move(stand->session, &stand->scene, 300, 200);
    assert_true(isfinite(session_until_change(stand->session)));
}

/* The generated text shown is that of the lesson's model. */
static void test_the_words_are_the_models(void **state) {
    Stand *stand = *state;
    ErrorList errors = {0};
    size_t index = course_find(&stand->course, "29-eleven-steps");
    const Lesson *lesson = course_lesson(&stand->course, index, &errors);
    const HomeSample *sample = home_sample(lesson, stand->arena);
    static const char *const said[] = {"you", "win", "or", "you", "die", "<eos>"};
    assert_non_null(sample);
    assert_int_equal(sample->word_count, 7);
    assert_string_equal(sample->words[6], "thrones");
    assert_int_equal(sample->step_count, 6);
    for (size_t i = 0; i < sample->step_count; i++) {
        const HomeStep *turn = &sample->steps[i];
        assert_int_equal(turn->read_count, i + 1);
        assert_string_equal(turn->chances[0].word, said[i]);
        assert_true(turn->chances[0].chance > 0.5 && turn->chances[0].chance <= 1);
        for (size_t j = 1; j < turn->count; j++)
            assert_true(turn->chances[j].chance <= turn->chances[j - 1].chance);
    }
    assert_null(home_sample(course_lesson(&stand->course, 6, &errors), stand->arena));
}

/* ---- cards ---- */

/* Where a card stands; the strong one is what Enter does. */
static void test_cards_keep_their_places(void **state) {
    Stand *stand = *state;
    static const char *const names[] = {"go_on", "tour", "type_anything"};
    Box before, after;
    for (size_t i = 0; i < 3; i++) {
        home_state(stand->session)->left = (HomePlace){0};
        look(stand);
        assert_true(scene_find(&stand->scene, action_link(names[i]), &before));
        home_state(stand->session)->left = (HomePlace){2, 1, true, false};
        look(stand);
        assert_true(scene_find(&stand->scene, action_link(names[i]), &after));
        assert_true(before.x == after.x && before.y == after.y);
    }
    try_keys(stand, "Return");
    assert_int_equal(stand->session->number, 3);
}

static void test_the_card_that_goes_on_tells_the_step(void **state) {
    Stand *stand = *state;
    size_t lesson = course_find(&stand->course, "08-one-head");
    home_state(stand->session)->left = (HomePlace){lesson, 5, true, false};
    look(stand);
    assert_true(shows(stand, "at step 6"));
}

/* ---- the tour ---- */

static void test_the_tour_leads_home_again(void **state) {
    Stand *stand = *state;
    size_t stations = 1;
    assert_true(action_do(stand->session, action_number("tour")));
    look(stand);
    assert_true(shows(stand, "“thrones”"));
    for (; mode_on(stand->session, &mode_tour) && stations < 50; stations++) {
        assert_int_equal(tour_state(stand->session)->station, stations - 1);
        try_keys(stand, "Right");
        look(stand);
        assert_false(shows(stand, "𝜇") || shows(stand, "𝛾")); /* what happens, not how */
    }
    assert_true(stations > 8 && stations <= 14);
    assert_true(mode_on(stand->session, &mode_home));
    assert_true(shows(stand, "door"));
    try_keys(stand, "Return"); /* the lesson to begin with */
    assert_true(mode_on(stand->session, &mode_lesson));
    assert_string_equal(stand->session->lesson->id, "40-the-whole-path");
    session_open_number(stand->session, course_find(&stand->course, "17-add-and-norm"));
    go_to(stand, "N");
    look(stand);
    assert_true(shows(stand, "𝜇"));
}

static void test_the_tour_goes_back_keeps_to_its_way_and_ends(void **state) {
    Stand *stand = *state;
    assert_true(action_do(stand->session, action_number("tour")));
    try_keys(stand, "Right");
    uint64_t second = look(stand);
    try_keys(stand, "Down");
    try_keys(stand, "M");
    try_keys(stand, "End");
    assert_int_equal(look(stand), second);
    try_keys(stand, "Right");
    try_keys(stand, "Left");
    assert_int_equal(look(stand), second);
    session_pointer_press(stand->session, &stand->scene, 900, 500);
    assert_int_equal(tour_state(stand->session)->station, 2);
    look(stand);
    click(stand, action_link("tour_back"));
    click(stand, action_link("leave_tour"));
    assert_true(mode_on(stand->session, &mode_home));
}

static void test_the_tour_follows_a_text_of_ones_own(void **state) {
    Stand *stand = *state;
    assert_true(action_do(stand->session, action_number("tour")));
    try_keys(stand, "E");
    assert_true(session_type(stand->session, "I drink"));
    try_keys(stand, "Return");
    assert_true(mode_on(stand->session, &mode_tour));
    assert_int_equal(tour_state(stand->session)->station, 0);
    look(stand);
    assert_true(shows(stand, "“drink”"));
    try_keys(stand, "Right");
    assert_int_equal(tour_state(stand->session)->station, 1);
}

/* A text is edited in its field, and keys that lead on work there, too. Within the text
 * the arrows move the caret. */
static void test_the_tour_is_walked_by_arrows_through_its_field(void **state) {
    static const char *const keys[] = {"Right", "Down", "PageDown", "Return"};
    Stand *stand = *state;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        assert_true(action_do(stand->session, action_number("tour")));
        assert_false(session_is_writing(stand->session));
        look(stand);
        assert_true(shows(stand, "Tour: 1 of 11"));
        try_keys(stand, "E");
        assert_true(session_is_writing(stand->session));
        try_keys(stand, keys[i]);
        assert_false(session_is_writing(stand->session));
        look(stand);
        assert_true(shows(stand, "Tour: 2 of 11"));
        assert_false(shows(stand, "Step "));
        try_keys(stand, "Escape");
    }
    assert_true(action_do(stand->session, action_number("tour")));
    try_keys(stand, "E Left Right");
    assert_true(session_is_writing(stand->session));
}

/* A text is offered at the first station but isn't required. */
static void test_the_tour_goes_on_without_a_text(void **state) {
    Stand *stand = *state;
    assert_true(action_do(stand->session, action_number("tour")));
    try_keys(stand, "Right");
    assert_false(session_is_writing(stand->session));
    assert_int_equal(tour_state(stand->session)->station, 1);
    try_keys(stand, "Left");
    look(stand);
    click(stand, action_link("own_text"));
    assert_true(session_is_writing(stand->session));
}

static void test_the_tour_goes_on_by_one_press_while_something_moves(void **state) {
    Stand *stand = *state;
    session_animate(stand->session, SESSION_MOVES);
    assert_true(action_do(stand->session, action_number("tour")));
    for (size_t station = 1; station < 6; station++) {
        try_keys(stand, "Right");
        assert_int_equal(tour_state(stand->session)->station, station);
        assert_true(isfinite(session_until_change(stand->session)));
    }
    look(stand);
    session_pointer_press(stand->session, &stand->scene, 1, HEIGHT / 2);
    assert_int_equal(tour_state(stand->session)->station, 6);
}

/* Whoever has only a pointer presses Next, whatever is open. */
static void test_the_tour_is_walked_by_the_pointer_from_its_first_click(void **state) {
    Stand *stand = *state;
    assert_true(action_do(stand->session, action_number("tour")));
    look(stand);
    click(stand, action_link("own_text"));
    assert_true(session_is_writing(stand->session));
    look(stand);
    click(stand, action_link("tour_next"));
    assert_false(session_is_writing(stand->session));
    assert_int_equal(tour_state(stand->session)->station, 1);
    assert_true(action_do(stand->session, action_number("tour")));
    try_keys(stand, "E");
    look(stand);
    click(stand, action_link("leave_tour"));
    assert_true(mode_on(stand->session, &mode_home));
    assert_true(action_do(stand->session, action_number("tour")));
    try_keys(stand, "E");
    assert_true(session_type(stand->session, "Zebra"));
    look(stand);
    click(stand, action_link("tour_next"));
    assert_true(session_is_writing(stand->session)); /* a sentence says why */
    look(stand);
    assert_true(shows(stand, "Zebra"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_every_lesson_is_behind_a_door),
        SESSION_TEST(test_a_circle_tells_its_title),
        SESSION_TEST(test_the_card_that_goes_on_tells_the_step),
        SESSION_TEST(test_larger_type_is_gone_through),
        SESSION_TEST(test_the_help_is_scrolled_in_larger_type),
        SESSION_TEST(test_a_key_does_the_same_in_the_help_drawn_or_not),
        SESSION_TEST(test_pages_of_the_help_leave_no_line_out),
        SESSION_TEST(test_names_in_titles_are_typeset),
        SESSION_TEST(test_cards_keep_their_places),
        SESSION_TEST(test_a_long_list_says_which_part_is_seen),
        SESSION_TEST(test_its_words_can_be_read_in_a_small_window),
        SESSION_TEST(test_only_the_chosen_lesson_is_marked),
        SESSION_TEST(test_pointing_marks_a_door_and_lists_nothing),
        SESSION_TEST(test_a_list_stays_until_it_is_closed),
        SESSION_TEST(test_a_click_lists_and_a_click_opens),
        SESSION_TEST(test_keys_and_fingers_come_to_every_place),
        SESSION_TEST(test_enter_opens_a_door_and_then_a_lesson),
        SESSION_TEST(test_right_begins_and_later_goes_on),
        SESSION_TEST(test_home_is_a_function_of_the_time),
        SESSION_TEST(test_the_light_rests_until_the_pointer_moves),
        SESSION_TEST(test_the_words_are_the_models),
        SESSION_TEST(test_the_tour_leads_home_again),
        SESSION_TEST(test_the_tour_goes_back_keeps_to_its_way_and_ends),
        SESSION_TEST(test_the_tour_follows_a_text_of_ones_own),
        SESSION_TEST(test_the_tour_is_walked_by_arrows_through_its_field),
        SESSION_TEST(test_the_tour_goes_on_without_a_text),
        SESSION_TEST(test_the_tour_goes_on_by_one_press_while_something_moves),
        SESSION_TEST(test_the_tour_is_walked_by_the_pointer_from_its_first_click),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
