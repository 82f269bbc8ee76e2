/* Following a number back in a session, and its influence: pictures come again on the way
 * back. Equal digests are equal pictures. */
#include "lesson/content/content.h"
#include "modes/modes.h"
#include "picture/chrome/chrome.h"
#include "session/state.h"
#include "session_stand.h"
#include "tensor/tape/tape.h"

#include <math.h>

enum { WAY_MOST = 600 };

/* Backspace to the end and Shift+Backspace as often: every picture comes again. */
static size_t go_and_return(Stand *stand) {
    Session *session = stand->session;
    uint64_t seen[WAY_MOST] = {look(stand)};
    size_t legs = 0;
    for (;;) {
        press(stand, "Backspace");
        size_t reached =
            follow_path(session)->count ? follow_path(session)->count - 1 : 0;
        if (reached == legs)
            break;
        assert_int_equal(reached, ++legs);
        assert_true(legs < WAY_MOST);
        seen[legs] = look(stand);
    }
    assert_true(session->message[0]); /* it says what it ends at */
    session->message[0] = 0;
    for (size_t i = legs; i > 0; i--) {
        press(stand, "Shift+Backspace");
        if (look(stand) != seen[i - 1])
            fail_msg("%s: picture %zu of %zu is another on the way back",
                     session->lesson->id, i - 1, legs);
    }
    assert_int_equal(follow_path(session)->count, 0);
    return legs;
}

static void test_shift_backspace_shows_again_what_was_there(void **state) {
    Stand *stand = *state;
    size_t legs = 0;
    for (size_t l = 0; l < stand->course.count; l++) {
        assert_true(session_open_number(stand->session, l));
        for (size_t i = 0; i < 4; i++) {
            Player *player = &stand->session->player;
            size_t count = player->step_count;
            player_jump(player, count - 1 - i * count / 4);
            legs += go_and_return(stand);
            if (player_has_cells(player, player->step)) {
                press(stand, "Down");
                legs += go_and_return(stand);
            }
        }
    }
    assert_true(legs > 200);
}

/* From among cells, too: one has come from what came later. */
static void test_a_way_leads_to_whole_tensors(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    go_to(stand, "S");
    press(stand, "Down Right Backspace");
    const Link pin = stand->session->pin;
    const Tensor *out = &tape_node(stand->session->lesson->tape, pin.index)->output;
    assert_true(tensor_cells(out) > 1);
    assert_true(stand->session->player.cell == PLAYER_NONE);
    look(stand);
    size_t digits = 0;
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        digits += item->kind == SCENE_TEXT && item->link.kind == LINK_CELL &&
                  item->link.index == pin.index;
    }
    assert_true(digits >= tensor_cells(out));
}

static void test_a_way_leads_through_a_model_down_to_a_word(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "30-the-whole-transformer");
    press(stand, "End Left");
    size_t before = 0, deepest = 0;
    do {
        before = follow_path(stand->session)->count;
        press(stand, "Backspace");
        size_t depth = player_step(&stand->session->player)->depth;
        deepest = depth > deepest ? depth : deepest;
    } while (follow_path(stand->session)->count > before);
    arena_reset(stand->arena);
    const Trail *trail = session_trail(stand->session, stand->arena);
    assert_non_null(trail);
    assert_true(trail->end == FOLLOW_WORD || trail->end == FOLLOW_WEIGHT ||
                trail->end == FOLLOW_POSITION);
    assert_true(trail->count > 10);
    assert_true(deepest > 2);
    look(stand);
    assert_true(scene_shows(&stand->scene, "…")); /* too long for the strip */
}

static void test_a_trail_is_drawn_and_its_chips_are_ways_back(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "Right Right Right Right Right Right Right Right");
    uint64_t start = look(stand);
    Box box;
    assert_false(scene_find(&stand->scene, (Link){LINK_TRAIL, 0, 0, 0}, &box));
    press(stand, "Backspace Backspace Backspace");
    assert_int_equal(follow_path(stand->session)->count, 3);
    look(stand);
    assert_true(scene_shows(&stand->scene, "a number the lesson gives"));
    mode_leave(stand->session, &mode_pin);
    press(stand, "Right"); /* away from the way's end: back to it first */
    press(stand, "Shift+Backspace");
    assert_int_equal(follow_path(stand->session)->count, 3);
    click_link(stand, (Link){LINK_TRAIL, 1, 0, 0});
    assert_int_equal(follow_path(stand->session)->count, 2);
    click_link(stand, (Link){LINK_TRAIL, 0, 0, 0});
    assert_int_equal(follow_path(stand->session)->count, 0);
    assert_true(look(stand) == start);
    press(stand, "Shift+Backspace");
    assert_true(strlen(stand->session->message) > 0);
}

/* Returns true if the last picture has a line right below each number of the sum. */
static bool underlines_sources(const Stand *stand) {
    size_t sources = 0, lines = 0;
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *text = &stand->scene.items[i];
        if (text->kind != SCENE_TEXT || text->link.kind != LINK_SOURCE)
            continue;
        sources++;
        for (size_t k = i; k < stand->scene.count; k++) {
            const SceneItem *line = &stand->scene.items[k];
            lines += line->kind == SCENE_RECTANGLE && line->box.h <= 2 &&
                     fabs(line->box.x - text->box.x) < 0.1 &&
                     fabs(line->box.w - text->box.w) < 0.1 &&
                     fabs(line->box.y - text->box.y - text->box.h) <= 3;
        }
    }
    return sources && lines == sources;
}

static void test_numbers_of_a_sum_look_as_if_they_could_be_pressed(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "Right Right C");
    look(stand);
    assert_true(underlines_sources(stand));
    draw_session(stand, WIDTH, HEIGHT, false); /* nothing can be pressed in a picture */
    assert_false(underlines_sources(stand));
}

static void test_a_click_beside_a_number_keeps_the_pin(void **state) {
    Stand *stand = *state;
    Box sum = {0};
    open_lesson(stand, "08-one-head");
    press(stand, "Right Right C");
    look(stand);
    for (size_t i = 0; i < stand->scene.count; i++)
        sum = stand->scene.items[i].link.kind == LINK_SOURCE ? stand->scene.items[i].box
                                                             : sum;
    session_pointer_press(stand->session, &stand->scene, sum.x + sum.w / 2,
                          sum.y + sum.h + 10);
    session_pointer_release(stand->session);
    assert_true(mode_on(stand->session, &mode_pin));
}

static void test_a_click_in_the_sum_follows_that_number(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "Right Right Right Right Right");
    const TapeNode *scores = tape_node(stand->session->lesson->tape,
                                       player_step(&stand->session->player)->node);
    assert_string_equal(scores->name, "S");
    size_t query = scores->inputs[0], key = tape_find(stand->session->lesson->tape, "K");
    look(stand);
    Link picked = {LINK_NONE, 0, 0, 0}, through = picked;
    for (size_t i = 0; i < stand->scene.count; i++) {
        Link link = stand->scene.items[i].link;
        if (link.kind == LINK_SOURCE && link.index == query)
            picked = link;
        else if (link.kind == LINK_SOURCE)
            through = link;
    }
    assert_int_equal(picked.kind, LINK_SOURCE);
    click_link(stand, picked);
    assert_int_equal(player_step(&stand->session->player)->node, query);
    assert_int_equal(stand->session->pin.row, picked.row);
    press(stand, "Shift+Backspace");
    click_link(stand, through); /* K.T has no step: its cell is one of K's */
    assert_int_equal(player_step(&stand->session->player)->node, key);
    assert_int_equal(stand->session->pin.row, through.col);
    assert_int_equal(stand->session->pin.col, through.row);
}

/* A legend's name stands beside its colours. */
static void test_no_legend_is_written_on(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    go_to(stand, "head");
    press(stand, "I");
    look(stand);
    size_t names = 0;
    const SceneItem *items = stand->scene.items;
    for (size_t i = 0; i < stand->scene.count; i++) {
        bool name = items[i].kind == SCENE_TEXT && strcmp(items[i].text, "𝑊") == 0;
        names += name;
        for (size_t k = 0; name && k < stand->scene.count; k++)
            assert_false(
                items[k].kind == SCENE_IMAGE &&
                box_contains(items[k].box, items[i].origin.x, items[i].origin.y));
    }
    assert_true(names > 0);
}

static void test_influence_follows_the_present_values(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "Right Right Right Right Right Right Right Right");
    press(stand, "I");
    uint64_t before = look(stand);
    Tape *tape = stand->session->lesson->tape;
    size_t x = tape_find(tape, "X");
    assert_true(tape_edit(tape, x, 0, 0, 4));
    assert_true(look(stand) != before);
    assert_true(tape_unedit(tape, x, 0, 0));
    assert_true(look(stand) == before);
}

static void test_influence_is_drawn_at_every_step_of_every_lesson(void **state) {
    Stand *stand = *state;
    for (size_t l = 0; l < stand->course.count; l++) {
        assert_true(session_open_number(stand->session, l));
        press(stand, "End");
        press(stand, "I");
        if (!influence_state(stand->session)->arena)
            continue;
        for (size_t i = 0; i < 40 && influence_state(stand->session)->arena; i++) {
            look(stand);
            session_key(stand->session, i % 2 ? "Left" : "Down");
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_shift_backspace_shows_again_what_was_there),
        SESSION_TEST(test_a_way_leads_to_whole_tensors),
        SESSION_TEST(test_a_way_leads_through_a_model_down_to_a_word),
        SESSION_TEST(test_a_trail_is_drawn_and_its_chips_are_ways_back),
        SESSION_TEST(test_numbers_of_a_sum_look_as_if_they_could_be_pressed),
        SESSION_TEST(test_a_click_beside_a_number_keeps_the_pin),
        SESSION_TEST(test_a_click_in_the_sum_follows_that_number),
        SESSION_TEST(test_no_legend_is_written_on),
        SESSION_TEST(test_influence_follows_the_present_values),
        SESSION_TEST(test_influence_is_drawn_at_every_step_of_every_lesson),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
