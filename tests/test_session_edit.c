/* Changing numbers in a session: by keys, by the pointer, undone, compared, kept, and the
 * model put otherwise. Equal digests are equal pictures. */
#include "session_stand.h"

#include "files/folder.h"
#include "lesson/content/changes.h"
#include "lesson/schema/yaml.h"
#include "picture/draw/marks.h"
#include "session/actions.h"
#include "session/keep.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 1024 };

/* What a test has changed is taken back, as lessons stay loaded. */
static int tear_down(void **state) {
    Stand *stand = *state;
    for (size_t i = 0; i < stand->course.count; i++) {
        CourseLesson *entry = &stand->course.lessons[i];
        while (entry->lesson && changes_undo(entry->lesson->changes)) {
        }
        lesson_destroy(entry->own);
        entry->own = NULL;
    }
    return end_session(state);
}

static void open_lesson(Stand *stand, const char *id) {
    size_t index = course_find(&stand->course, id);
    assert_true(index < stand->course.count);
    assert_true(session_open_number(stand->session, index));
    assert_true(mode_on(stand->session, &mode_lesson));
}

/* Goes to the step that makes a tensor. */
static void go_to(Stand *stand, const char *name) {
    Player *player = &stand->session->player;
    for (size_t i = 0; i < player->step_count; i++) {
        if (strcmp(player->steps[i].name, name) == 0) {
            player_jump(player, i);
            return;
        }
    }
    fail_msg("no step makes %s", name);
}

static void type(Stand *stand, const char *text) {
    try_keys(stand, "Return");
    assert_true(session_is_writing(stand->session));
    assert_true(session_type(stand->session, text));
    try_keys(stand, "Return");
}

static double value(const Stand *stand, const char *name, size_t row, size_t col) {
    const Tape *tape = stand->session->lesson->tape;
    size_t node = tape_find(tape, name);
    assert_true(node != TAPE_NONE);
    return tensor_at(&tape_node(tape, node)->output, row, col);
}

static const Changes *changes(const Stand *stand) {
    return stand->session->lesson->changes;
}

static const TransformerShape *shape(const Stand *stand) {
    return &stand->session->lesson->model->shape;
}

/* ---- what is seen of it ---- */

static void test_a_changed_id_is_called_the_word_that_it_chooses(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "29-eleven-steps");
    try_keys(stand, "c");
    type(stand, "5"); /* "game", in place of "when" */
    look(stand);
    assert_true(shows(stand, "game"));
    assert_false(shows(stand, "when"));
    try_keys(stand, "Ctrl+Z");
    look(stand);
    assert_true(shows(stand, "when"));
    try_keys(stand, "Ctrl+Y R");
    look(stand);
    assert_true(shows(stand, "when"));
}

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

/* Asked for there it says so in place of a page of zeros; where it was on, below it. */
static void test_nothing_moves_what_is_set_by_hand(void **state) {
    Stand *stand = *state;
    const char *why = session_words(stand->session, "influence.by_hand");
    open_lesson(stand, "08-one-head");
    go_to(stand, "S_scaled");
    type(stand, "2");
    try_keys(stand, "I");
    assert_false(mode_on(stand->session, &mode_influence));
    assert_string_equal(stand->session->message, why);
    try_keys(stand, "Ctrl+Z I");
    assert_true(mode_on(stand->session, &mode_influence));
    try_keys(stand, "I");
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
    assert_true(shows(stand, "cells changed"));
}

/* ---- typing ---- */

/* What training was like at an epoch is past: its numbers can't be changed. */
static void edit_what_is_past(Stand *stand) {
    stand->session->message[0] = 0;
    try_keys(stand, "Return");
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
    type_what_fits(stand, "-0.8125");
    assert_int_equal(changes_undoable(changes(stand)), 1);
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

static void test_a_number_can_be_typed_as_an_expression(void **state) {
    Stand *stand = *state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"1/3", 1.0 / 3},    {"sqrt(2)", 1.4142135623730951},
                 {"-inf", -INFINITY}, {"−2 × 3", -6},
                 {"-∞", -INFINITY},   {" 1e-3 ", 0.001}};
    open_lesson(stand, "08-one-head");
    go_to(stand, "K");
    try_keys(stand, "Down");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        type(stand, cases[i].text);
        assert_false(session_is_writing(stand->session));
        assert_true(value(stand, "K", 0, 0) == cases[i].value);
    }
}

static void test_what_is_no_number_stays_in_the_field_and_is_told(void **state) {
    Stand *stand = *state;
    static const char *const texts[] = {"0,5", "x", "1 +",   "sqrt(-1)", "0/0",
                                        "",    "Q", "a = 3", "inf - inf"};
    open_lesson(stand, "08-one-head");
    go_to(stand, "K");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        try_keys(stand, "Return Ctrl+A Delete");
        session_type(stand->session, texts[i]);
        try_keys(stand, "Return");
        assert_true(session_is_writing(stand->session));
        assert_true(stand->session->message[0]);
        look(stand);
        try_keys(stand, "Escape");
        assert_false(session_is_writing(stand->session));
    }
    assert_int_equal(changes_undoable(changes(stand)), 0);
}

static void test_a_number_past_the_doubles_is_told_as_such(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    go_to(stand, "K");
    try_keys(stand, "Return Ctrl+A Delete");
    session_type(stand->session, "1e999");
    try_keys(stand, "Return");
    assert_non_null(strstr(stand->session->message, "out of range"));
    try_keys(stand, "Escape");
}

static void test_a_cell_nudged_back_is_not_changed(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    try_keys(stand, "c");
    stand->session->message[0] = 0;
    uint64_t before = look(stand);
    try_keys(stand, "] [");
    assert_false(changes_any(changes(stand)));
    stand->session->message[0] = 0;
    assert_true(look(stand) == before);
    try_keys(stand, "R");
    assert_non_null(strstr(stand->session->message, "Nothing"));
}

static void test_a_pinned_cell_at_the_edge_says_how_to_go_on(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    try_keys(stand, "Right Right c End");
    stand->session->message[0] = 0;
    try_keys(stand, "Right");
    assert_non_null(strstr(stand->session->message, "Escape"));
    try_keys(stand, "Left");
    assert_false(stand->session->message[0]);
}

static void test_the_field_stands_at_the_cell_with_its_name(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    go_to(stand, "K");
    try_keys(stand, "Down Right Return");
    look(stand);
    assert_true(shows(stand, "K[I, 1] ="));
    try_keys(stand, "Escape");
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
    assert_null(strstr(stand->session->message, "open it"));
}

static void test_the_symbols_of_the_rule_that_trains_are_explained(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "31-training");
    try_keys(stand, "Right Right Right Right Tab Tab Tab");
    look(stand);
    assert_true(shows(stand, "all weights of the model"));
    assert_true(shows(stand, "the learning rate"));
    assert_true(shows(stand, "the loss: how wrong"));
    try_keys(stand, "Tab Tab");
}

/* Beside a long name there is not room for all digits: the first ones say how large it
 * is. */
static void test_a_number_that_is_filled_in_is_read_from_its_beginning(void **state) {
    Stand *stand = *state;
    char head[9];
    open_lesson(stand, "26-choosing");
    try_keys(stand, "Return");
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

static void test_brackets_nudge_the_cell_that_is_explained(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    go_to(stand, "K");
    try_keys(stand, "Down ] ] ] [");
    assert_true(value(stand, "K", 0, 0) == 0.2);
    assert_non_null(strstr(stand->session->message, "0.1"));
    assert_int_equal(changes_undoable(changes(stand)), 4);
    try_keys(stand, "Ctrl+Z Ctrl+Z Ctrl+Z Ctrl+Z");
    assert_true(value(stand, "K", 0, 0) == 0);
    try_keys(stand, "Ctrl+Shift+Z");
    assert_true(value(stand, "K", 0, 0) == 0.1);
}

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

static void test_what_is_muted_is_called_as_pictures_call_it(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "29-eleven-steps");
    go_to(stand, "encoder.0.feed_forward.relu");
    try_keys(stand, "M");
    look(stand);
    assert_true(shows(stand, "muted: after ReLU ("));
    try_keys(stand, "Ctrl+Z");
}

static void test_changes_stay_while_other_lessons_are_open(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    go_to(stand, "K");
    type(stand, "5");
    open_lesson(stand, "09-shapes");
    assert_int_equal(changes_undoable(changes(stand)), 0);
    open_lesson(stand, "08-one-head");
    assert_int_equal(changes_undoable(changes(stand)), 1);
    try_keys(stand, "Ctrl+Z");
    assert_false(changes_any(changes(stand)));
}

/* ---- the pointer ---- */

static Point middle_of(Stand *stand, const char *name, size_t row, size_t col) {
    Box box;
    size_t node = tape_find(stand->session->lesson->tape, name);
    look(stand);
    assert_true(marks_cell_box(&stand->scene, (Link){LINK_CELL, node, row, col}, &box));
    return (Point){box.x + box.w / 2, box.y + box.h / 2};
}

static void test_a_double_click_edits_and_a_wheel_nudges(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    open_lesson(stand, "08-one-head");
    go_to(stand, "K");
    Point at = middle_of(stand, "W_K", 0, 0);
    session_pointer_press(session, &stand->scene, at.x, at.y);
    assert_true(session_pointer_double(session, &stand->scene, at.x, at.y));
    assert_true(session_is_writing(session));
    session_type(session, "4");
    try_keys(stand, "Return");
    assert_true(value(stand, "W_K", 0, 0) == 4);
    look(stand);
    for (int i = 0; i < 5; i++)
        assert_true(session_pointer_wheel(session, &stand->scene, at.x, at.y, 1));
    assert_true(value(stand, "W_K", 0, 0) == 4.5);
    assert_int_equal(changes_undoable(changes(stand)), 1); /* one with the typing */
    session_pointer_move(session, &stand->scene, 5, 5);
    assert_false(session_pointer_wheel(session, &stand->scene, 5, 5, 1));
}

/* Another number may lay the page out anew below a pointer that lies still. */
static void test_a_wheel_holds_to_its_cell_until_the_pointer_moves(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    open_lesson(stand, "08-one-head");
    go_to(stand, "K");
    Point other = middle_of(stand, "W_K", 1, 1), at = middle_of(stand, "W_K", 0, 0);
    double first = value(stand, "W_K", 0, 0), second = value(stand, "W_K", 1, 1);
    session_pointer_wheel(session, &stand->scene, at.x, at.y, 1);
    double nudged = value(stand, "W_K", 0, 0);
    assert_true(nudged > first);
    look(stand);
    session_pointer_wheel(session, &stand->scene, other.x, other.y, 1);
    assert_true(value(stand, "W_K", 0, 0) > nudged);
    assert_true(value(stand, "W_K", 1, 1) == second);
    look(stand);
    session_pointer_move(session, &stand->scene, other.x, other.y);
    session_pointer_wheel(session, &stand->scene, other.x, other.y, 1);
    assert_true(value(stand, "W_K", 1, 1) > second);
}

static void test_a_cell_of_a_transpose_is_the_one_it_came_from(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    go_to(stand, "S");
    Point at = middle_of(stand, "K.T", 0, 2);
    session_pointer_press(stand->session, &stand->scene, at.x, at.y);
    session_pointer_release(stand->session);
    assert_true(mode_on(stand->session, &mode_pin));
    assert_true(session_pointer_double(stand->session, &stand->scene, at.x, at.y));
    assert_string_equal(stand->session->message, "");
    session_type(stand->session, "9");
    try_keys(stand, "Return");
    assert_true(value(stand, "K", 2, 0) == 9);
    assert_true(value(stand, "K.T", 0, 2) == 9);
}

/* ---- comparing ---- */

static void test_differences_take_the_place_of_values(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    go_to(stand, "K");
    try_keys(stand, "D");
    assert_false(mode_on(stand->session, &mode_differences)); /* nothing to compare */
    assert_true(stand->session->message[0]);
    try_keys(stand, "Down");
    type(stand, "0.75");
    try_keys(stand, "Up D");
    look(stand);
    assert_true(mode_on(stand->session, &mode_differences));
    assert_true(shows(stand, "difference"));
    assert_true(shows(stand, "0.75"));
    for (size_t i = 0; i < stand->session->lesson->step_count; i++) {
        look(stand);
        try_keys(stand, "Right");
    }
    try_keys(stand, "D");
    assert_false(mode_on(stand->session, &mode_differences));
}

static void test_values_are_shown_again_once_all_is_taken_back(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    go_to(stand, "K");
    try_keys(stand, "Down");
    type(stand, "0.75");
    try_keys(stand, "D");
    assert_true(mode_on(stand->session, &mode_differences));
    try_keys(stand, "R");
    assert_false(mode_on(stand->session, &mode_differences));
    assert_non_null(strstr(stand->session->message, "lesson"));
}

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

/* ---- keeping ---- */

static void remove_folder(const char *folder) {
    char command[PATH_SIZE + 20];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

static void test_a_kept_lesson_opens_with_the_same_pictures(void **state) {
    Stand *stand = *state;
    char folder[] = "/tmp/glassformer-keep-XXXXXX";
    Error error;
    Arena *arena = arena_create(1 << 20);
    assert_non_null(mkdtemp(folder));
    open_lesson(stand, "08-one-head");
    try_keys(stand, "Ctrl+S");
    assert_int_equal(session_take_request(stand->session), SESSION_NOTHING);
    go_to(stand, "S_scaled");
    try_keys(stand, "M");
    go_to(stand, "K");
    type(stand, "1/3");
    try_keys(stand, "Ctrl+S");
    assert_int_equal(session_take_request(stand->session), SESSION_KEEP);
    const char *path = keep_lesson(stand->session, folder, arena, &error);
    assert_non_null(path);
    assert_non_null(strstr(path, "/08-one-head-changed.yaml"));
    assert_non_null(strstr(stand->session->message, path));
    const char *second = keep_lesson(stand->session, folder, arena, &error);
    assert_non_null(strstr(second, "/08-one-head-changed-2.yaml"));
    size_t count = stand->session->lesson->step_count;
    uint64_t seen[64];
    assert_true(count < 64);
    try_keys(stand, "R Ctrl+Z Home"); /* all is computed at once, as in reading */
    for (size_t i = 0; i < count; i++, try_keys(stand, "Right"))
        seen[i] = draw_session(stand, WIDTH, HEIGHT, false);
    ErrorList errors = {0};
    assert_true(session_open(stand->session, path, &errors));
    for (size_t i = 0; i < count; i++, try_keys(stand, "Right")) {
        if (draw_session(stand, WIDTH, HEIGHT, false) != seen[i])
            fail_msg("step %zu is another when it is read back", i + 1);
    }
    try_keys(stand, "R"); /* what was kept can be restored, and that undone */
    assert_false(changes_any(changes(stand)));
    try_keys(stand, "Ctrl+Z");
    assert_true(changes_any(changes(stand)));
    const char *third = keep_lesson(stand->session, NULL, arena, &error);
    assert_non_null(strstr(third, "/08-one-head-changed-3.yaml"));
    arena_destroy(arena);
    remove_folder(folder);
}

/* Opens a file of a lesson and a `changes:` list behind it. */
static void open_kept(Stand *stand, const char *folder, const char *id,
                      const char *changes) {
    char path[PATH_SIZE];
    ErrorList errors = {0};
    size_t length, index = course_find(&stand->course, id);
    Arena *arena = arena_create(8 << 20);
    const char *text =
        yaml_read_file(arena, stand->course.lessons[index].path, &length, &errors);
    snprintf(path, sizeof path, "%s/%s-changed.yaml", folder, id);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s\nchanges:\n%s\n", text, changes);
    assert_int_equal(fclose(file), 0);
    arena_destroy(arena);
    assert_true(session_open(stand->session, path, &errors));
}

static void test_what_a_file_has_changed_itself_is_restored_too(void **state) {
    Stand *stand = *state;
    char folder[] = "/tmp/glassformer-keep-XXXXXX";
    assert_non_null(mkdtemp(folder));
    open_lesson(stand, "30-the-whole-transformer");
    size_t heads = shape(stand)->heads;
    open_kept(stand, folder, "30-the-whole-transformer", "  - {heads: 1}");
    assert_int_equal(shape(stand)->heads, 1);
    try_keys(stand, "X Down Right Escape"); /* with what the file has put otherwise */
    assert_int_equal(shape(stand)->heads, 1);
    try_keys(stand, "Ctrl+Z R");
    assert_int_equal(shape(stand)->heads, heads);
    assert_non_null(strstr(stand->session->message, "kept from"));
    assert_false(variant_in(stand->session->lesson));
    try_keys(stand, "R");
    assert_non_null(strstr(stand->session->message, "Nothing"));
    try_keys(stand, "Ctrl+Z");
    assert_int_equal(shape(stand)->heads, 1);

    open_kept(stand, folder, "29-eleven-steps", "  - {text: you win}");
    try_keys(stand, "X Up Right Escape"); /* switches one thing, and no other */
    assert_int_equal(stand->session->lesson->switches.norm, LESSON_NORM_OWN);
    assert_true(stand->session->lesson->switches.heads > 0);
    try_keys(stand, "Ctrl+Z");
    try_keys(stand, "Right");
    type(stand, "3");
    assert_string_equal(stand->session->lesson->text, "you win");
    try_keys(stand, "R");
    assert_string_equal(stand->session->lesson->text,
                        "when you play the game of thrones");
    assert_false(changes_any(changes(stand)));
    try_keys(stand, "Ctrl+Z");
    assert_string_equal(stand->session->lesson->text, "you win");
    assert_true(changes_any(changes(stand)));
    remove_folder(folder);
}

static void test_a_kept_lesson_stands_among_the_users_own(void **state) {
    Stand *stand = *state;
    char folder[] = "/tmp/glassformer-keep-XXXXXX";
    Error error;
    Arena *arena = arena_create(1 << 20);
    char *home = strdup(getenv("XDG_DATA_HOME") ? getenv("XDG_DATA_HOME") : "");
    assert_non_null(mkdtemp(folder));
    setenv("XDG_DATA_HOME", folder, 1);
    size_t before = stand->course.all;
    assert_int_equal(before, stand->course.count);
    open_lesson(stand, "08-one-head");
    go_to(stand, "K");
    type(stand, "1/3");
    assert_non_null(keep_lesson(stand->session, NULL, arena, &error));
    assert_int_equal(stand->course.all, before + 1);
    assert_int_equal(course_find(&stand->course, "08-one-head-changed"), before);
    home_enter(stand->session);
    look(stand);
    assert_true(shows(stand, "My lessons"));
    assert_true(action_do(stand->session, action_number("own_lessons")));
    look(stand);
    assert_true(shows(stand, "08-one-head-changed"));
    try_keys(stand, "Return");
    assert_string_equal(stand->session->lesson->id, "08-one-head-changed");
    assert_int_equal(stand->session->number, 0);
    try_keys(stand, "Ctrl+Right");
    assert_string_equal(stand->session->lesson->id, "08-one-head-changed");

    Course again; /* as the program finds them when it is started */
    ErrorList errors = {0};
    assert_true(course_init(&again, &errors));
    assert_int_equal(again.count, before);
    assert_int_equal(again.all, before + 1);
    assert_string_equal(again.lessons[before].id, "08-one-head-changed");
    course_finish(&again);
    course_lesson_finish(&stand->course.lessons[--stand->course.all]);
    stand->session->entry = NULL;
    setenv("XDG_DATA_HOME", home, 1);
    free(home);
    arena_destroy(arena);
    remove_folder(folder);
}

static void test_what_can_not_be_read_again_is_not_kept(void **state) {
    Stand *stand = *state;
    char folder[] = "/tmp/glassformer-keep-XXXXXX", path[PATH_SIZE], kept[PATH_SIZE + 20];
    Error error;
    ErrorList errors = {0};
    Arena *arena = arena_create(1 << 20);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/mine.yaml", folder);
    snprintf(kept, sizeof kept, "%s/mine-changed.yaml", folder);
    FILE *file = fopen(path, "w");
    fputs("title: Mine\ngiven: {X: [1, 2]}\nsteps:\n  - do: Y = X + X\n", file);
    assert_int_equal(fclose(file), 0);
    assert_true(session_open(stand->session, path, &errors));
    type(stand, "3");
    file = fopen(path, "w"); /* meanwhile, in an editor */
    fputs("title: Mine\ngiven: {X: [1, 2]}\nsteps:\n  - do: Z = X + X\n", file);
    assert_int_equal(fclose(file), 0);
    assert_null(keep_lesson(stand->session, NULL, arena, &error));
    assert_non_null(strstr(stand->session->message, "there is no tensor 'Y'"));
    assert_int_not_equal(access(kept, F_OK), 0);
    arena_destroy(arena);
    remove_folder(folder);
}

static void test_a_lesson_that_is_gone_can_not_be_kept(void **state) {
    Stand *stand = *state;
    char folder[] = "/tmp/glassformer-keep-XXXXXX", path[PATH_SIZE];
    Error error;
    ErrorList errors = {0};
    Arena *arena = arena_create(1 << 20);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/mine.yaml", folder);
    FILE *file = fopen(path, "w");
    fputs("title: Mine\ngiven: {X: [1, 2]}\nsteps:\n  - do: Y = X + X\n", file);
    assert_int_equal(fclose(file), 0);
    assert_true(session_open(stand->session, path, &errors));
    type(stand, "3");
    assert_int_equal(remove(path), 0);
    assert_null(keep_lesson(stand->session, NULL, arena, &error));
    assert_true(stand->session->message[0]);
    assert_int_equal(error.code, ERROR_FILE);
    arena_destroy(arena);
    remove_folder(folder);
}

static void test_the_users_lessons_are_where_the_desktop_keeps_data(void **state) {
    (void)state;
    Arena *arena = arena_create(1 << 16);
    setenv("XDG_DATA_HOME", "/somewhere/data", 1);
    assert_string_equal(folder_of_user(arena, "lessons"),
                        "/somewhere/data/glassformer/lessons");
    setenv("XDG_DATA_HOME", "not/absolute", 1);
    setenv("HOME", "/home/me", 1);
    assert_string_equal(folder_of_user(arena, "lessons"),
                        "/home/me/.local/share/glassformer/lessons");
    unsetenv("XDG_DATA_HOME");
    assert_string_equal(folder_of_user(arena, "lessons"),
                        "/home/me/.local/share/glassformer/lessons");
    arena_destroy(arena);
}

/* ---- switches ---- */

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
    assert_true(strstr(stand->session->message, "as the lesson has it"));
    try_keys(stand, "Ctrl+Z");
    assert_int_equal(shape(stand)->heads, fewer);
    assert_true(look(stand) == switched);
    try_keys(stand, "Ctrl+Z");
    assert_int_equal(shape(stand)->heads, heads);
    assert_true(look(stand) == before);
    try_keys(stand, "Ctrl+Z");
    assert_true(strstr(stand->session->message, "nothing to undo"));
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
    assert_int_equal(changes_undoable(changes(stand)), 0);
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
    assert_false(shows(stand, "numbers in the words above are the lesson's"));
    try_keys(stand, "Left Down c c c");
    type(stand, "90");
    try_keys(stand, "Escape Up End Left Left");
    look(stand);
    assert_true(shows(stand, "said before the change"));
    assert_true(shows(stand, "now: when"));
    try_keys(stand, "Left");
    look(stand);
    assert_true(shows(stand, "numbers in the words above are the lesson's"));
    try_keys(stand, "Ctrl+Z End Left Left");
    look(stand);
    assert_false(shows(stand, "now: when"));
    go_to(stand, "memory");
    type(stand, "9");
    try_keys(stand, "End Left Left");
    look(stand);
    assert_true(shows(stand, "no change reaches this"));
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

static void test_a_lesson_without_a_model_says_so(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    try_keys(stand, "X");
    assert_false(mode_on(stand->session, &mode_switches));
    assert_true(stand->session->message[0]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_session, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_changed_id_is_called_the_word_that_it_chooses),
        TEST(test_a_chip_that_is_changed_is_marked_as_cells_are),
        TEST(test_many_tensors_have_one_legend_for_an_influence),
        TEST(test_nothing_moves_what_is_set_by_hand),
        TEST(test_a_picture_of_the_screen_says_what_is_changed),
        TEST(test_undoing_shows_the_very_picture_before_in_every_lesson),
        TEST(test_a_number_can_be_typed_as_an_expression),
        TEST(test_what_is_no_number_stays_in_the_field_and_is_told),
        TEST(test_a_number_past_the_doubles_is_told_as_such),
        TEST(test_a_cell_nudged_back_is_not_changed),
        TEST(test_a_pinned_cell_at_the_edge_says_how_to_go_on),
        TEST(test_the_field_stands_at_the_cell_with_its_name),
        TEST(test_a_long_message_is_said_whole),
        TEST(test_a_mute_says_truly_why_it_can_not_be),
        TEST(test_the_symbols_of_the_rule_that_trains_are_explained),
        TEST(test_a_number_that_is_filled_in_is_read_from_its_beginning),
        TEST(test_brackets_nudge_the_cell_that_is_explained),
        TEST(test_mutes_and_restoring_are_undone_in_turn),
        TEST(test_what_is_muted_is_called_as_pictures_call_it),
        TEST(test_changes_stay_while_other_lessons_are_open),
        TEST(test_a_double_click_edits_and_a_wheel_nudges),
        TEST(test_a_wheel_holds_to_its_cell_until_the_pointer_moves),
        TEST(test_a_cell_of_a_transpose_is_the_one_it_came_from),
        TEST(test_differences_take_the_place_of_values),
        TEST(test_values_are_shown_again_once_all_is_taken_back),
        TEST(test_every_step_of_every_lesson_shows_its_differences),
        TEST(test_a_kept_lesson_opens_with_the_same_pictures),
        TEST(test_what_a_file_has_changed_itself_is_restored_too),
        TEST(test_a_kept_lesson_stands_among_the_users_own),
        TEST(test_what_can_not_be_read_again_is_not_kept),
        TEST(test_a_lesson_that_is_gone_can_not_be_kept),
        TEST(test_the_users_lessons_are_where_the_desktop_keeps_data),
        TEST(test_the_model_is_switched_and_the_place_stays),
        TEST(test_the_lessons_own_text_comes_back_where_it_has_fewer_steps),
        TEST(test_switches_are_restored_undone_and_done_again),
        TEST(test_texts_and_numbers_are_undone_in_turn),
        TEST(test_numbers_in_words_are_called_the_lessons_where_they_changed),
        TEST(test_words_about_a_text_that_is_gone_are_not_said),
        TEST(test_every_line_of_the_panel_changes_what_it_says),
        TEST(test_the_panel_answers_to_the_pointer),
        TEST(test_a_lesson_without_a_model_says_so),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
