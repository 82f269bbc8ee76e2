/* Changing numbers in a session: by keys, by the pointer, undone and compared. Equal
 * digests are equal pictures. */
#include "contains.h"
#include "lesson/content/content.h"
#include "picture/draw/marks.h"
#include "picture/scene/theme.h"
#include "session/mode.h"
#include "session_changes.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* ---- what is seen of it ---- */

/* How many marks stand within a cell's box as drawn last. */
static size_t count_marks(const Stand *stand, Link cell) {
    Box box;
    size_t marks = 0;
    assert_true(marks_cell_box(&stand->scene, cell, &box));
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        if (item->kind != SCENE_POLYGON || !link_equal(item->link, cell))
            continue;
        const Point corner = item->points[0];
        marks += corner.x >= box.x && corner.x <= box.x + box.w && corner.y >= box.y &&
                 corner.y <= box.y + box.h;
    }
    return marks;
}

static void test_a_chip_that_is_changed_is_marked_as_cells_are(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "29-eleven-steps");
    size_t ids = player_step(&stand->session->player)->node;
    const Link first = {LINK_CELL, ids, 0, 0}, second = {LINK_CELL, ids, 0, 1};
    try_keys(stand, "c");
    look(stand);
    assert_int_equal(count_marks(stand, first), 0);
    type(stand, "5");
    look(stand);
    assert_int_equal(count_marks(stand, first), 1);
    assert_int_equal(count_marks(stand, second), 0);
}

static void test_many_tensors_have_one_legend_for_an_influence(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "30-the-whole-transformer");
    try_keys(stand, "Right Right Right Right Down I");
    look(stand);
    size_t legends = 0;
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        bool text = item->kind == SCENE_TEXT;
        legends += text && strcmp(item->text, "influence") == 0;
        assert_false(text && strncmp(item->text, "in", 2) == 0 &&
                     strstr(item->text, "…"));
    }
    assert_int_equal(legends, 1);
    try_keys(stand, "I");
}

static void test_an_influence_takes_no_more_work_than_the_lesson_may(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    go_to(stand, "S_scaled");
    const Lesson *lesson = stand->session->lesson;
    arena_allow(lesson->arena, 2 * tape_cost(lesson->tape));
    try_keys(stand, "I");
    arena_allow(lesson->arena, LESSON_WORK);
    assert_false(mode_on(stand->session, &mode_influence));
    assert_contains(stand->session->message, "--work");
    try_keys(stand, "I");
    assert_true(mode_on(stand->session, &mode_influence));
    try_keys(stand, "I");
}

static void test_changes_take_no_more_work_than_the_lesson_may(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    go_to(stand, "S_scaled");
    const Lesson *lesson = stand->session->lesson;
    size_t before = changes_undoable(lesson->changes);
    arena_allow(lesson->arena, 2 * tape_cost(lesson->tape));
    size_t done = before;
    for (int i = 0; i < 1000; i++) {
        try_keys(stand, "]");
        if (changes_undoable(lesson->changes) == done)
            break;
        done = changes_undoable(lesson->changes);
    }
    assert_true(done > before + 1);
    assert_true(done < before + 1000);
    assert_non_null(strstr(stand->session->message, "--work"));
    try_keys(stand, "M"); /* so is a mute */
    assert_int_equal(changes_undoable(lesson->changes), done);
    try_keys(stand, "Ctrl+Z Ctrl+Y Ctrl+Z");
    assert_int_equal(changes_undoable(lesson->changes), done - 1);
    arena_allow(lesson->arena, LESSON_WORK);
    try_keys(stand, "]");
    assert_int_equal(changes_undoable(lesson->changes), done);
    try_keys(stand, "R");
}

static void test_a_picture_of_the_screen_says_what_is_changed(void **state) {
    Stand *stand = *state;
    TextMetrics metrics = fixed_metrics();
    open_lesson(stand, "08-one-head");
    try_keys(stand, "c");
    type(stand, "5");
    arena_reset(stand->arena);
    session_draw_sheet(stand->session, &stand->scene, stand->arena, &metrics, WIDTH,
                       HEIGHT);
    assert_true(shows(stand, "What moved"));
}

/* The strip's frames in the colour of the present place: where each leads. */
static size_t present_chips(const Stand *stand, Link *link) {
    static const double CHIP = 28;
    Color accent = stand->session->theme->accent;
    size_t count = 0;
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        bool is = item->kind == SCENE_RECTANGLE && item->link.kind == LINK_STEP &&
                  fabs(item->box.h - CHIP) < 1e-9 &&
                  memcmp(&item->stroke, &accent, sizeof accent) == 0;
        *link = is ? item->link : *link;
        count += is;
    }
    return count;
}

/* From the number that was changed along the steps that moved, by clicks and by key, and
 * round again. */
static void test_what_a_change_has_moved_is_named_and_gone_to(void **state) {
    static const char *const moved[] = {"X", "Q", "K", "V", "S", "S_scaled", "A", "O"};
    static const double TARGET = 44;
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    try_keys(stand, "F");
    assert_contains(stand->session->message, "Nothing has been changed");
    try_keys(stand, "c");
    type(stand, "3");
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        const Player *player = &stand->session->player;
        size_t node = tape_find(stand->session->lesson->tape, moved[i]);
        Link chip = {LINK_STEP, follow_step(player, node), 0, 0};
        Box box = {0};
        look(stand);
        for (size_t k = 0; k < stand->scene.count; k++) { /* the last is the strip's */
            const SceneItem *item = &stand->scene.items[k];
            bool is = link_equal(item->link, chip) && item->kind == SCENE_RECTANGLE;
            box = is && item->box.h >= TARGET ? item->box : box;
        }
        assert_true(box.w >= TARGET && box.h >= TARGET);
        session_pointer_press(stand->session, &stand->scene, box.x + box.w / 2,
                              box.y + box.h / 2);
        assert_string_equal(player_step(player)->name, moved[i]);
        look(stand);
        Link present = {0};
        assert_int_equal(present_chips(stand, &present), 1);
        assert_true(link_equal(present, chip));
        assert_true(tape_changed(player->lesson->tape, player_step(player)->node));
    }
    try_keys(stand, "F");
    assert_string_equal(player_step(&stand->session->player)->name, "head");
    try_keys(stand, "End F");
    assert_string_equal(player_step(&stand->session->player)->name, "X");
}

/* ---- typing ---- */

/* Numbers of a past training epoch can't be changed. */
static void edit_what_is_past(Stand *stand) {
    stand->session->message[0] = 0;
    begin_change(stand);
    assert_false(session_is_writing(stand->session));
    assert_true(stand->session->message[0]);
}

/* A number; where the cell is an ID, which must count rows, another ID. */
static void type_what_fits(Stand *stand, const char *text) {
    type(stand, text);
    if (!session_is_writing(stand->session))
        return;
    assert_true(stand->session->message[0]);
    try_keys(stand, "Escape");
    type(stand, "1");
    if (!changes_undoable(changes(stand)))
        type(stand, "0");
}

static void edit_and_undo(Stand *stand) {
    uint64_t before = look(stand);
    if (player_step(&stand->session->player)->frame != PLAYER_NONE) {
        edit_what_is_past(stand);
        return;
    }
    if (action_why_not(stand->session, action_number("change_cell")))
        return; /* no cell is drawn */
    type_what_fits(stand, "-0.8125");
    mode_leave(stand->session, &mode_pin); /* of a cell that isn't the step's own */
    assert_int_equal(changes_undoable(changes(stand)), 1);
    stand->session->message[0] = 0; /* that nothing is computed from it */
    uint64_t after = look(stand);
    if (before == after)
        fail_msg("%s step %s: a change shows nowhere", stand->session->lesson->id,
                 player_step(&stand->session->player)->path);
    try_keys(stand, "Ctrl+Z");
    if (look(stand) != before)
        fail_msg("%s step %s: undoing shows something else", stand->session->lesson->id,
                 player_step(&stand->session->player)->path);
    try_keys(stand, "Ctrl+Y");
    assert_true(look(stand) == after);
    try_keys(stand, "Ctrl+Z");
}

/* Without a pinned cell a change is about one that the page draws, framed. */
static void test_a_change_is_about_a_cell_that_is_seen(void **state) {
    Stand *stand = *state;
    size_t changed = 0;
    for (size_t i = 0; i < stand->course.count; i++) {
        assert_true(session_open_number(stand->session, i));
        size_t count = stand->session->lesson->step_count;
        for (size_t step = 0; step < count; step++, try_keys(stand, "Right")) {
            Box box;
            look(stand);
            if (action_why_not(stand->session, action_number("change_cell")))
                continue;
            action_do(stand->session, action_number("change_cell"));
            look(stand);
            assert_true(mode_on(stand->session, &mode_prompt));
            Link cell = prompt_state(stand->session)->edited.shown;
            if (!marks_cell_box(&stand->scene, cell, &box))
                fail_msg("%s step %s: a cell is changed that isn't drawn",
                         stand->session->lesson->id,
                         player_step(&stand->session->player)->path);
            try_keys(stand, "Escape");
            mode_leave(stand->session, &mode_pin);
            changed++;
        }
    }
    assert_true(changed > 200);
}

static void test_undoing_shows_the_very_picture_before_in_every_lesson(void **state) {
    Stand *stand = *state;
    for (size_t i = 0; i < stand->course.count; i++) {
        assert_true(session_open_number(stand->session, i));
        size_t count = stand->session->lesson->step_count;
        for (size_t step = 0; step < count; step++, try_keys(stand, "Right")) {
            if (step % 2 == i % 2)
                edit_and_undo(stand);
        }
        session_open_number(stand->session, i);
        try_keys(stand, "Down Down Down Down Right");
        edit_and_undo(stand);
    }
}

static void test_a_long_message_is_said_whole(void **state) {
    Stand *stand = *state;
    const Languages *languages = &stand->course.languages;
    for (size_t i = 0; i < languages->count; i++) {
        open_lesson(stand, "08-one-head");
        stand->session->language = languages->items[i];
        go_to(stand, "K");
        try_keys(stand, "M"); /* no product can be muted */
        assert_true(strlen(stand->session->message) > 60);
        look(stand);
        assert_true(shows(stand, stand->session->message));
    }
    stand->session->language = stand->course.language;
}

static void test_a_mute_says_truly_why_it_can_not_be(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    go_to(stand, "Q"); /* [3,2] of [3,2]: its shape is no reason */
    try_keys(stand, "M");
    assert_string_equal(stand->session->message,
                        session_words(stand->session, "mute.cannot"));
    open_lesson(stand, "30-the-whole-transformer");
    Player *player = &stand->session->player;
    for (size_t i = 0; i < player->step_count; i++) {
        if (strcmp(player->steps[i].topic, "decoder_layer") == 0)
            player_jump(player, i);
    }
    assert_string_equal(player_step(player)->topic, "decoder_layer");
    try_keys(stand, "M"); /* a layer opens into parts, not into operations */
    assert_string_equal(stand->session->message,
                        session_words(stand->session, "mute.opens"));
    assert_lacks(stand->session->message, "open it");
}

/* Beside a long name there is not room for all digits: the first ones say how large it
 * is. */
static void test_a_number_that_is_filled_in_is_read_from_its_beginning(void **state) {
    Stand *stand = *state;
    char head[9];
    open_lesson(stand, "26-choosing");
    begin_change(stand);
    look(stand);
    assert_true(strlen(stand->session->field.text) > 12);
    snprintf(head, sizeof head, "%.8s", stand->session->field.text);
    assert_true(shows(stand, head));
    assert_false(shows(stand, stand->session->field.text));
    try_keys(stand, "End");
    look(stand);
    assert_false(shows(stand, head));
    try_keys(stand, "Escape");
}

/* ---- nudging, muting, restoring ---- */

static void test_mutes_and_restoring_are_undone_in_turn(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    go_to(stand, "S_scaled");
    uint64_t seen[4];
    seen[0] = draw_session(stand, WIDTH, HEIGHT, false);
    try_keys(stand, "M");
    seen[1] = draw_session(stand, WIDTH, HEIGHT, false);
    type(stand, "3");
    seen[2] = draw_session(stand, WIDTH, HEIGHT, false);
    try_keys(stand, "R");
    assert_true(draw_session(stand, WIDTH, HEIGHT, false) == seen[0]);
    for (int i = 2; i >= 0; i--) {
        try_keys(stand, "Ctrl+Z");
        assert_true(draw_session(stand, WIDTH, HEIGHT, false) == seen[i]);
    }
    assert_true(seen[0] != seen[1] && seen[1] != seen[2]);
    try_keys(stand, "Ctrl+Z");
    assert_true(stand->session->message[0]);
}

/* ---- comparing ---- */

static void test_every_step_of_every_lesson_shows_its_differences(void **state) {
    Stand *stand = *state;
    for (size_t i = 0; i < stand->course.count; i++) {
        assert_true(session_open_number(stand->session, i));
        type_what_fits(stand, "0.4375");
        mode_enter(stand->session, &mode_differences);
        for (size_t step = 0; step < stand->session->lesson->step_count; step++) {
            look(stand);
            try_keys(stand, "Down");
            look(stand);
            try_keys(stand, "Up Right");
        }
        session_open_number(stand->session, i);
        try_keys(stand, "D Ctrl+Z");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_chip_that_is_changed_is_marked_as_cells_are),
        TEST(test_many_tensors_have_one_legend_for_an_influence),
        TEST(test_an_influence_takes_no_more_work_than_the_lesson_may),
        TEST(test_changes_take_no_more_work_than_the_lesson_may),
        TEST(test_a_picture_of_the_screen_says_what_is_changed),
        TEST(test_what_a_change_has_moved_is_named_and_gone_to),
        TEST(test_a_change_is_about_a_cell_that_is_seen),
        TEST(test_undoing_shows_the_very_picture_before_in_every_lesson),
        TEST(test_a_long_message_is_said_whole),
        TEST(test_a_mute_says_truly_why_it_can_not_be),
        TEST(test_a_number_that_is_filled_in_is_read_from_its_beginning),
        TEST(test_mutes_and_restoring_are_undone_in_turn),
        TEST(test_every_step_of_every_lesson_shows_its_differences),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
