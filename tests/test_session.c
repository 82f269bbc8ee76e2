/* The session: keys and pointer, and what is shown for them. Pages are laid out with
 * fixed advances; equal digests are equal pictures. */
#include "session_stand.h"

#include "session/actions.h"

#include <SDL_keyboard.h>
#include <string.h>
#include <unistd.h>

enum { MOVES_MAX = 30, PATH_SIZE = 1024 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void open_lesson(Stand *stand, size_t index) {
    if (!session_open_number(stand->session, index) ||
        !mode_on(stand->session, &mode_lesson))
        fail_msg("lesson %s can't be opened", stand->course.lessons[index].id);
}

/* A lesson that has a step with cells within its first few. */
static void open_some_lesson(Stand *stand) {
    size_t index = course_find(&stand->course, "08-one-head");
    assert_true(index < stand->course.count);
    open_lesson(stand, index);
}

static size_t statement(const Stand *stand) {
    return player_statement(&stand->session->player);
}

/* The middle of the last cell of what the step on the stage makes: one that the step
 * doesn't explain by itself. */
static Point cell_on_stage(Stand *stand) {
    size_t node = player_step(&stand->session->player)->node;
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

/* Whether words are drawn, in one line or several. */
static bool says(const Stand *stand, const char *words) {
    enum { ALL_SIZE = 1 << 16 };
    static char all[ALL_SIZE], wanted[1024];
    const char *from = words;
    size_t length = 0, kept = 0;
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        from = item->kind == SCENE_TEXT ? item->text : "";
        for (; *from && length + 1 < sizeof all; from++) {
            if (*from != ' ')
                all[length++] = *from;
        }
    }
    for (from = words; *from && kept + 1 < sizeof wanted; from++) {
        if (*from != ' ')
            wanted[kept++] = *from;
    }
    all[length] = wanted[kept] = 0;
    return strstr(all, wanted) != NULL;
}

/* ---- stepping ---- */

static void test_every_lesson_of_the_course_opens(void **state) {
    Stand *stand = *state;
    assert_true(stand->course.count > 0);
    for (size_t i = 0; i < stand->course.count; i++) {
        open_lesson(stand, i);
        assert_int_equal(stand->session->number, i + 1);
        assert_string_equal(stand->session->lesson->id, stand->course.lessons[i].id);
    }
}

/* Whether Right led somewhere, into the next lesson or on in this one. */
static bool goes_on(Stand *stand) {
    Player before = stand->session->player;
    session_key(stand->session, "Right");
    const Player *now = &stand->session->player;
    return now->lesson != before.lesson || now->step != before.step ||
           now->cell != before.cell;
}

/* Right until it ends or MOVES_MAX, then Left as often: every picture comes again. */
static void walk_and_return(Stand *stand, size_t depth) {
    uint64_t seen[MOVES_MAX + 1];
    size_t count = 0;
    seen[0] = look(stand);
    while (count < MOVES_MAX && goes_on(stand))
        seen[++count] = look(stand);
    stand->session->message[0] = 0; /* where the course ends it says so */
    for (size_t i = count; i > 0; i--) {
        press(stand, "Left");
        if (look(stand) != seen[i - 1])
            fail_msg("%s, %zu levels down: picture %zu of %zu is another on the way back",
                     stand->session->lesson->id, depth, i - 1, count);
        assert_int_not_equal(seen[i], seen[i - 1]);
    }
}

/* Whether a key led to another depth; where it can't the session says so. */
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
        open_lesson(stand, i);
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

static void test_home_and_end_go_to_the_first_and_last_step(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    press(stand, "End");
    assert_int_equal(statement(stand), stand->session->lesson->step_count - 1);
    assert_false(session_key(stand->session, "End"));
    press(stand, "Home");
    assert_int_equal(statement(stand), 0);
    assert_false(session_key(stand->session, "Home"));
}

static void test_lessons_change_by_a_key_and_stop_at_the_ends(void **state) {
    Stand *stand = *state;
    open_lesson(stand, 0);
    assert_false(session_key(stand->session, "Ctrl+Left"));
    for (size_t i = 1; i < stand->course.count; i++) {
        press(stand, "Ctrl+Right");
        assert_int_equal(stand->session->number, i + 1);
    }
    assert_false(session_key(stand->session, "Ctrl+Right"));
    press(stand, "Ctrl+Left");
    assert_int_equal(stand->session->number, stand->course.count - 1);
}

/* The course by Right alone, from home to its last step, and back by Left. */
static void test_right_alone_leads_through_the_whole_course(void **state) {
    Stand *stand = *state;
    size_t moves = 0;
    assert_true(mode_on(stand->session, &mode_home));
    press(stand, "Right");
    assert_true(mode_on(stand->session, &mode_lesson));
    assert_int_equal(stand->session->number, 1);
    for (size_t number = 1; goes_on(stand); moves++) {
        assert_true(stand->session->number == number ||
                    stand->session->number == number + 1);
        assert_int_equal(statement(stand) == 0, stand->session->number == number + 1);
        number = stand->session->number;
    }
    assert_int_equal(stand->session->number, stand->course.count);
    assert_true(stand->session->message[0]);
    assert_int_equal(statement(stand), stand->session->lesson->step_count - 1);
    for (size_t i = 0; i < moves; i++)
        press(stand, "Left");
    assert_int_equal(stand->session->number, 1);
    assert_int_equal(statement(stand), 0);
    assert_false(session_key(stand->session, "Left"));
}

static void test_the_last_step_names_the_next_lesson_and_no_export_does(void **state) {
    Stand *stand = *state;
    open_lesson(stand, 1);
    open_lesson(stand, 0);
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

/* Among cells, lessons without any are passed over, both ways. */
static void test_cells_lead_to_the_next_lessons_cells(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
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
    press(stand, "Left");
    assert_true(stand->session->player.lesson == before.lesson);
    assert_int_equal(stand->session->player.step, before.step);
    assert_int_equal(stand->session->player.cell, before.cell);
    assert_int_equal(stand->session->player.depth, before.depth);
}

static void test_a_lesson_opened_again_takes_no_more_memory(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    size_t used = arena_used(stand->session->lesson->arena);
    for (int i = 0; i < 10; i++) {
        press(stand, "Ctrl+Right");
        press(stand, "Ctrl+Left");
    }
    assert_int_equal(arena_used(stand->session->lesson->arena), used);
}

static void test_escape_leads_out_step_by_step(void **state) {
    Stand *stand = *state;
    open_lesson(stand, course_find(&stand->course, "30-the-whole-transformer"));
    while (!player_step(&stand->session->player)->child_count)
        press(stand, "Right");
    press(stand, "Down");
    press(stand, "Escape");
    assert_true(mode_on(stand->session, &mode_lesson));
    assert_int_equal(player_step(&stand->session->player)->depth, 1);
    press(stand, "Escape");
    assert_true(mode_on(stand->session, &mode_lesson));
    look(stand);
    assert_true(says(stand, "Escape again"));
    press(stand, "T"); /* was it meant? */
    press(stand, "Escape");
    assert_true(mode_on(stand->session, &mode_lesson));
    press(stand, "Escape");
    assert_true(mode_on(stand->session, &mode_home));
}

/* ---- muting ---- */

/* The lesson's step whose result has this name, among its operations. */
static void go_to(Stand *stand, const char *name) {
    const Player *player = &stand->session->player;
    for (size_t i = 0; i < player->step_count; i++) {
        if (!player->steps[i].child_count && strcmp(player->steps[i].name, name) == 0) {
            player_jump(&stand->session->player, i);
            return;
        }
    }
    fail_msg("no operation is called %s", name);
}

static void test_m_makes_a_step_the_identity_and_back(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    go_to(stand, "A"); /* a softmax of scores */
    const Tape *tape = stand->session->lesson->tape;
    const TapeNode *node = tape_node(tape, player_step(&stand->session->player)->node);
    const Tensor *scores = &tape_node(tape, node->inputs[0])->output;
    uint64_t before = look(stand);
    press(stand, "M");
    assert_true(node->muted);
    for (size_t i = 0; i < tensor_cells(scores); i++)
        assert_true(node->output.values[i] == scores->values[i]);
    assert_int_not_equal(look(stand), before);
    assert_true(shows(stand, "muted: A"));
    press(stand, "End"); /* what follows has changed, and the words stay */
    assert_true(tape_changed(tape, player_step(&stand->session->player)->node));
    look(stand);
    assert_true(shows(stand, "muted: A"));
    go_to(stand, "A");
    press(stand, "M");
    assert_false(node->muted);
    assert_int_equal(look(stand), before);
    press(stand, "M");
    press(stand, "R");
    assert_false(node->muted);
    press(stand, "F11"); /* takes the message away */
    session_take_request(stand->session);
    assert_int_equal(look(stand), before);
}

static void test_a_step_that_changes_the_shape_is_not_muted_but_says_why(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    go_to(stand, "S");
    press(stand, "M");
    assert_true(stand->session->message[0]);
    size_t node = player_step(&stand->session->player)->node;
    assert_false(tape_node(stand->session->lesson->tape, node)->muted);
}

static void test_a_step_that_opens_is_not_muted_but_says_why(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    while (!player_step(&stand->session->player)->child_count)
        press(stand, "Right");
    press(stand, "M");
    assert_non_null(strstr(stand->session->message, "↓"));
}

static void test_a_muted_step_is_struck_out_on_map_and_timeline(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
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
    assert_int_equal(lines[1], lines[0] + 2);
    press(stand, "R");
}

/* ---- a text of the learner's own ---- */

static void open_with_text(Stand *stand) {
    open_lesson(stand, course_find(&stand->course, "29-eleven-steps"));
    Variant plain = {0};
    opening_vary(stand->session, &plain, VARIANT_NEW);
}

static const char *written(const Stand *stand) {
    return stand->session->field.text;
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
    assert_non_null(strstr(written(stand), "thro一"));
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

/* A click on what is linked so in the field's panel, which is drawn last. */
static void click_link(Stand *stand, Link link) {
    look(stand);
    size_t last = stand->scene.count;
    while (last > 0 && !link_equal(stand->scene.items[last - 1].link, link))
        last--;
    assert_true(last > 0);
    Box box = stand->scene.items[last - 1].box;
    session_pointer_press(stand->session, &stand->scene, box.x + box.w / 2,
                          box.y + box.h / 2);
    session_pointer_release(stand->session);
}

static void test_words_below_the_field_write_it(void **state) {
    Stand *stand = *state;
    open_with_text(stand);
    press(stand, "E");
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

static void test_writing_a_text_closes_the_panel_of_switches(void **state) {
    Stand *stand = *state;
    open_lesson(stand, course_find(&stand->course, "30-the-whole-transformer"));
    press(stand, "X");
    press(stand, "E");
    assert_true(session_is_writing(stand->session));
    assert_false(mode_on(stand->session, &mode_switches));
    press(stand, "Escape");
}

static void test_a_question_mark_opens_the_help_while_practising(void **state) {
    Stand *stand = *state;
    open_lesson(stand, course_find(&stand->course, "08-one-head"));
    press(stand, "P");
    assert_true(session_is_writing(stand->session));
    press(stand, "?");
    assert_true(mode_on(stand->session, &mode_help));
    press(stand, "Escape");
    assert_true(session_type(stand->session, "?")); /* as some keyboards give it */
    assert_true(mode_on(stand->session, &mode_help));
    assert_string_equal(written(stand), "");
    press(stand, "Escape");
    assert_true(session_type(stand->session, "1"));
    assert_string_equal(written(stand), "1");
    press(stand, "Escape");
}

static void test_an_unknown_word_is_read_as_it_was_written(void **state) {
    Stand *stand = *state;
    open_lesson(stand, 0);
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
    open_lesson(stand, course_find(&stand->course, "38-type-anything"));
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

/* ---- lessons read in the background ---- */

/* A lesson being read, as if that took long. */
static void begin_opening(Stand *stand, size_t index) {
    CourseLesson *entry = &stand->course.lessons[index];
    course_lesson_finish(entry);
    entry->tried = true;
    stand->session->opening =
        (Opening){.loader = loader_start(entry->path, NULL, (LoaderWatch){0}),
                  .entry = entry,
                  .arrival = {.statement = PLAYER_NONE, .depth = 1}};
    mode_enter(stand->session, &mode_opening);
}

static void test_keys_pressed_while_a_lesson_opens_are_kept(void **state) {
    Stand *stand = *state;
    session_open_in_background(stand->session, (LoaderWatch){0});
    begin_opening(stand, 6);
    session_key(stand->session, "Right");
    session_key(stand->session, "Right");
    session_key(stand->session, "L");
    session_tell_opening(stand->session);
    look(stand);
    assert_true(says(stand, "Opening the lesson"));
    assert_true(mode_on(stand->session, &mode_home));
    assert_true(loader_wait(stand->session->opening.loader, 60000));
    ErrorList errors = {0};
    assert_true(session_poll(stand->session, &errors));
    assert_int_equal(stand->session->number, 7);
    assert_int_equal(statement(stand), 2);
    assert_ptr_equal(stand->session->language, stand->course.languages.items[1]);
    assert_false(session_poll(stand->session, &errors));
}

static void test_escape_lets_go_of_a_lesson_that_opens(void **state) {
    Stand *stand = *state;
    session_open_in_background(stand->session, (LoaderWatch){0});
    begin_opening(stand, 7);
    press(stand, "Escape");
    assert_false(session_is_opening(stand->session));
    assert_true(mode_on(stand->session, &mode_home));
    ErrorList errors = {0};
    assert_true(session_open_number(stand->session, 7));
    if (session_is_opening(stand->session)) { /* on a busy machine */
        assert_true(loader_wait(stand->session->opening.loader, 60000));
        assert_true(session_poll(stand->session, &errors));
    }
    assert_true(mode_on(stand->session, &mode_lesson));
}

static void test_a_first_lesson_with_errors_ends_the_session(void **state) {
    Stand *stand = *state;
    session_open_in_background(stand->session, (LoaderWatch){0});
    ErrorList errors = {0};
    bool open = session_open(stand->session, "./not-there.yaml", &errors);
    if (open) { /* it took long */
        assert_true(mode_on(stand->session, &mode_nothing));
        assert_true(loader_wait(stand->session->opening.loader, 60000));
        assert_true(session_poll(stand->session, &errors));
        assert_int_equal(session_take_request(stand->session), SESSION_QUIT);
    }
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.items[0].code, ERROR_FILE);
}

/* ---- the hint for help ---- */

static void test_the_hint_for_help_can_be_clicked(void **state) {
    Stand *stand = *state;
    for (int view = 0; view < 2; view++) {
        look(stand);
        Box box;
        assert_true(scene_find(&stand->scene, action_link("help"), &box));
        session_pointer_press(stand->session, &stand->scene, box.x + box.w / 2,
                              box.y + box.h / 2);
        assert_true(mode_on(stand->session, &mode_help));
        press(stand, "Escape");
        open_some_lesson(stand);
    }
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
    assert_true(session_pointer_move(stand->session, &stand->scene, cell.x, cell.y));
    assert_int_not_equal(look(stand), before);
    assert_false(session_pointer_move(stand->session, &stand->scene, cell.x, cell.y));
    assert_true(session_pointer_move(stand->session, &stand->scene, -1, -1));
    assert_int_equal(look(stand), before);
}

/* A pointer that lies still says nothing any more about what a key has brought. */
static void test_a_still_pointer_means_nothing_after_a_key(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    press(stand, "End");
    uint64_t last = look(stand);
    press(stand, "Left");
    look(stand);
    Point cell = cell_on_stage(stand);
    assert_true(session_pointer_move(stand->session, &stand->scene, cell.x, cell.y));
    press(stand, "Right");
    assert_int_equal(look(stand), last);
}

/* What a key is about is the cell that the page explains, under the pointer too. */
static void test_c_pins_the_cell_under_the_pointer(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    press(stand, "End");
    press(stand, "Left");
    look(stand);
    Point cell = cell_on_stage(stand);
    session_pointer_move(stand->session, &stand->scene, cell.x, cell.y);
    Link link = stand->session->hover;
    press(stand, "C");
    assert_true(mode_on(stand->session, &mode_pin) &&
                link_equal(stand->session->pin, link));
}

static void test_a_click_pins_a_cell_until_escape(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    press(stand, "End");
    press(stand, "Left");
    uint64_t before = look(stand);
    Point cell = cell_on_stage(stand);
    session_pointer_press(stand->session, &stand->scene, cell.x, cell.y);
    assert_false(session_pointer_release(stand->session));
    session_pointer_move(stand->session, &stand->scene, -1, -1);
    assert_true(mode_on(stand->session, &mode_pin));
    assert_int_not_equal(look(stand), before);
    press(stand, "Escape");
    assert_false(mode_on(stand->session, &mode_pin));
    assert_int_equal(look(stand), before);
    press(stand, "Escape");
    press(stand, "Escape");
    assert_true(mode_on(stand->session, &mode_home));
}

static void test_a_click_on_the_map_goes_there(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    look(stand);
    size_t step = player_statement_step(&stand->session->player, 3);
    Box box;
    assert_true(scene_find(&stand->scene, (Link){LINK_STEP, step, 0, 0}, &box));
    Link hit = scene_hit(&stand->scene, box.x + box.w / 2, box.y + box.h / 2);
    if (hit.kind != LINK_STEP) /* its dot on the timeline has the same link */
        box.h = 20;
    assert_true(
        session_pointer_press(stand->session, &stand->scene, box.x + 5, box.y + 5));
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
    session_pointer_press(stand->session, &stand->scene, start.x, start.y);
    size_t pressed = statement(stand);
    assert_true(pressed > 0);
    assert_true(
        session_pointer_move(stand->session, &stand->scene, bar.x + bar.w + 500, 0));
    assert_int_equal(statement(stand), stand->session->lesson->step_count - 1);
    session_pointer_move(stand->session, &stand->scene, bar.x - 500, 0);
    assert_int_equal(statement(stand), 0);
    assert_true(session_pointer_release(stand->session));
    session_pointer_move(stand->session, &stand->scene, bar.x + bar.w, 0);
    assert_int_equal(statement(stand), 0);
}

/* ---- language, theme, requests, messages ---- */

static void test_language_and_theme_turn_round_in_both_views(void **state) {
    Stand *stand = *state;
    for (int view = 0; view < 2; view++) {
        uint64_t before = look(stand);
        for (size_t i = 0; i < stand->course.languages.count; i++) {
            press(stand, "L");
            if (i + 1 < stand->course.languages.count)
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
    press(stand, "V"); /* home has none: a letter begins a search there */
    assert_true(mode_on(stand->session, &mode_finder));
    press(stand, "Escape");
    open_some_lesson(stand);
    while (strcmp(player_step(&stand->session->player)->name, "A") != 0)
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
    assert_int_equal(count, 6); /* its own picture, heatmap, bars, waves, arcs, plane */
}

static void test_tab_goes_round_the_depths_of_the_words(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    press(stand, "End");
    press(stand, "Left");
    uint64_t seen[WORDS_COUNT];
    for (size_t i = 0; i < WORDS_COUNT; i++) {
        assert_int_equal(stand->session->words, i);
        seen[i] = look(stand);
        for (size_t j = 0; j < i; j++)
            assert_true(seen[i] != seen[j]);
        press(stand, "Tab");
    }
    assert_true(look(stand) == seen[0]);
    for (size_t i = WORDS_COUNT; i-- > 0;) {
        press(stand, "Shift+Tab");
        assert_true(look(stand) == seen[i]);
    }
}

static void
test_a_depth_is_kept_from_step_to_step_and_from_lesson_to_lesson(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    for (WordsDepth depth = WORDS_STORY; depth < WORDS_COUNT; depth++) {
        press(stand, "Tab");
        uint64_t first = look(stand);
        press(stand, "Right");
        assert_true(look(stand) != first);
        press(stand, "Left");
        assert_true(look(stand) == first);
        press(stand, "Ctrl+Right");
        assert_int_equal(stand->session->words, depth);
        press(stand, "Ctrl+Left");
        assert_true(look(stand) == first);
    }
}

static void test_a_click_on_a_depth_shows_it_and_another_one_leaves_it(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    uint64_t usual = look(stand);
    for (WordsDepth depth = WORDS_STORY; depth < WORDS_COUNT; depth++) {
        for (int click = 0; click < 2; click++) {
            Box box;
            look(stand);
            assert_true(scene_find(&stand->scene, (Link){LINK_WORDS, depth, 0, 0}, &box));
            assert_true(session_pointer_press(stand->session, &stand->scene,
                                              box.x + box.w / 2, box.y + box.h / 2));
            assert_int_equal(stand->session->words, click ? WORDS_USUAL : depth);
        }
    }
    assert_true(look(stand) == usual);
}

/* ---- sources ---- */

/* The lesson of the course whose id ends so, whatever its number is. */
static void open_named(Stand *stand, const char *name) {
    const Course *course = &stand->course;
    size_t index = 0;
    while (index < course->count && !strstr(course->lessons[index].id, name))
        index++;
    open_lesson(stand, index);
}

static void test_a_source_is_compared_with_when_asked_for(void **state) {
    static const char slip[] = "All six results are wrong";
    Stand *stand = *state;
    open_named(stand, "one-head");
    go_to(stand, "O");
    look(stand);
    assert_false(shows(stand, slip));
    assert_false(shows(stand, "the worked example"));
    click_link(stand, action_link("sources")); /* the quiet mark */
    look(stand);
    assert_true(shows(stand, slip));
    assert_true(shows(stand, "the worked example has 2.161 here"));
    click_link(stand, action_link("sources")); /* the badge */
    look(stand);
    assert_false(shows(stand, slip));
    press(stand, "U");
    press(stand, "F5");
    look(stand);
    assert_true(shows(stand, slip));
}

/* In larger type the badge has other words, and no cut ones. */
static void test_the_badge_is_never_cut(void **state) {
    Stand *stand = *state;
    open_named(stand, "encoder-by-numbers");
    press(stand, "Right Right Right");
    look(stand);
    assert_true(shows(stand, "the worked example has −0.45 here"));
    press(stand, "Ctrl++ Ctrl++ Ctrl++ Ctrl++ Ctrl++");
    stand->session->message[0] = 0;
    look(stand);
    assert_true(shows(stand, "printed: −0.45"));
}

static void test_a_lesson_about_its_source_always_has_it(void **state) {
    Stand *stand = *state;
    open_named(stand, "encoder-by-numbers");
    assert_true(session_shows_sources(stand->session));
    press(stand, "U"); /* says why not */
    assert_true(session_shows_sources(stand->session));
    assert_true(stand->session->message[0]);
    open_named(stand, "one-head");
    assert_false(session_shows_sources(stand->session));
    press(stand, "U");
    assert_true(session_shows_sources(stand->session));
    press(stand, "U");
    open_named(stand, "encoder-by-numbers");
    assert_true(session_shows_sources(stand->session));
}

static void test_the_numbers_are_those_of_the_pinned_cell(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    for (int i = 0; i < 5; i++) /* S = Q @ K.T */
        press(stand, "Right");
    press(stand, "Tab");
    press(stand, "Tab");
    look(stand);
    assert_true(says(stand, "Row “learning”"));
    assert_true(says(stand, "and add up: 2."));
    size_t node = player_step(&stand->session->player)->node;
    pin_put(stand->session, (Link){LINK_CELL, node, 0, 1});
    look(stand);
    assert_true(says(stand, "column “am” above"));
    assert_true(says(stand, "and add up: 1."));
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
    press(stand, "Ctrl+Right");
    press(stand, "Ctrl+Left");
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
            assert_int_equal(session_take_request(stand->session), cases[i].request);
            assert_int_equal(session_take_request(stand->session), SESSION_NOTHING);
        }
        open_some_lesson(stand);
    }
}

static void test_a_message_is_shown_until_the_next_key_and_never_exported(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    uint64_t before = look(stand);
    session_say(stand->session, "page.saved", "/home/me/picture.png", NULL);
    assert_int_not_equal(look(stand), before);
    assert_true(shows(stand, "picture.png"));
    TextMetrics metrics = fixed_metrics();
    arena_reset(stand->arena);
    session_draw(stand->session, &stand->scene, stand->arena, &metrics, WIDTH, HEIGHT,
                 false);
    assert_false(shows(stand, "picture.png"));
    assert_true(session_key(stand->session, "Up")); /* stands for nothing else here */
    assert_int_equal(look(stand), before);
}

static void test_picture_names_tell_lesson_step_and_cell(void **state) {
    Stand *stand = *state;
    assert_string_equal(session_picture_name(stand->session, stand->arena),
                        "glassformer.png");
    open_some_lesson(stand);
    press(stand, "End");
    press(stand, "Left");
    press(stand, "Left");
    const char *step = session_picture_name(stand->session, stand->arena);
    assert_non_null(strstr(step, "08-one-head"));
    press(stand, "Down");
    const char *cell = session_picture_name(stand->session, stand->arena);
    press(stand, "Right");
    const char *next = session_picture_name(stand->session, stand->arena);
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
        {"=", "+"},
        {"-", "−"},
        {"Keypad +", "+"},
        {"Keypad -", "−"},
        {"Keypad 1", "1"},
        {"Keypad 2", "2"},
        {"Keypad 3", "3"},
        {"Keypad 4", "4"},
        {"Application", "Shift+F10"},
        {"Menu", "Shift+F10"},
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
        bool for_writing = strcmp(key, "Backspace") == 0 || strcmp(key, "Delete") == 0;
        if (!action_key_exists(key) || for_writing)
            continue;
        bound++;
        if (!shows(stand, shown_as(key)))
            fail_msg("the help doesn't show the key %s", key);
    }
    for (char letter = ' '; letter < 127; letter++) {
        char key[2] = {letter, 0};
        if (!action_key_exists(key) || (letter >= 'a' && letter <= 'z'))
            continue;
        bound++;
        if (!shows(stand, shown_as(key)))
            fail_msg("the help doesn't show the key %s", key);
    }
    assert_true(bound >= 17);
}

static void test_help_explains_every_key_in_every_language(void **state) {
    Stand *stand = *state;
    press(stand, "?");
    for (size_t turn = 0; turn < stand->course.languages.count; turn++) {
        const Language *language = stand->session->language;
        size_t count = 0;
        look(stand);
        for (size_t i = 0; i < language->count; i++) {
            if (strncmp(language->words[i].key, "key.", 4) != 0)
                continue;
            count++;
            if (!says(stand, language->words[i].words))
                fail_msg("the help doesn't say '%s'", language->words[i].words);
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
        assert_int_equal(session_take_request(stand->session), SESSION_NOTHING);
        assert_int_equal(look(stand), before);
    }
    press(stand, "?");
    session_pointer_press(stand->session, &stand->scene, 20, HEIGHT / 2);
    assert_int_equal(look(stand), before);
}

static void test_unknown_keys_do_nothing_and_have_a_nearest(void **state) {
    Stand *stand = *state;
    uint64_t before = look(stand);
    assert_false(session_key(stand->session, "F7"));
    assert_int_equal(look(stand), before);
    assert_false(action_key_exists("Rigth"));
    assert_string_equal(action_nearest_key("Rigth"), "Right");
    assert_null(action_nearest_key("nothing like it"));
}

/* ---- what can't be opened ---- */

static void test_an_unknown_lesson_is_refused_with_the_nearest(void **state) {
    Stand *stand = *state;
    ErrorList errors = {0};
    assert_false(session_open(stand->session, "08-one-haed", &errors));
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.items[0].code, ERROR_USAGE);
    assert_non_null(strstr(errors.items[0].message, "'08-one-head'"));
    assert_true(mode_on(stand->session, &mode_home));
    assert_string_equal(course_nearest(&stand->course, "one-head"), "08-one-head");
    assert_int_equal(course_find(&stand->course, "8"),
                     course_find(&stand->course, "08-one-head"));
    assert_int_equal(course_find(&stand->course, "7x"), stand->course.all);
    assert_null(course_nearest(&stand->course, "nothing like any of them"));
}

static void test_a_lesson_opens_from_a_path_too(void **state) {
    Stand *stand = *state;
    size_t index = course_find(&stand->course, "08-one-head");
    ErrorList errors = {0};
    for (int i = 0; i < 2; i++) { /* the second takes the place of the first */
        assert_true(
            session_open(stand->session, stand->course.lessons[index].path, &errors));
        assert_int_equal(stand->session->number, 0);
        look(stand);
    }
    assert_false(session_key(stand->session, "Ctrl+Left"));
    assert_false(session_open(stand->session, "./not-there.yaml", &errors));
    assert_int_equal(errors.items[0].code, ERROR_FILE);
    assert_string_equal(stand->session->lesson->id, "08-one-head");
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
    own.session = session_create(&own.course, NULL);
    look(&own);
    assert_true(session_open_number(own.session, 1) || own.session->message[0]);
    assert_true(mode_on(own.session, &mode_home));
    assert_true(own.session->message[0]);
    press(&own, "Return"); /* without a tour the first card begins the course */
    assert_true(mode_on(own.session, &mode_lesson));
    press(&own, "Right"); /* the next has errors: it says so and stays */
    assert_string_equal(own.session->lesson->id, "01-good");
    assert_true(own.session->message[0]);
    assert_false(session_open(own.session, "02-bad", &errors));
    session_destroy(own.session);
    course_finish(&own.course);
    run_shell("rm -r '%s'%s", folder.path, "");
    setenv("GLASSFORMER_DATA", stand->course.folder, 1);
}

/* Cells marked as printed otherwise. */
static size_t marked(Stand *stand) {
    size_t count = 0;
    look(stand);
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        count +=
            item->kind == SCENE_POLYGON && item->count == 3 &&
            memcmp(&item->fill, &stand->session->theme->bad_ink, sizeof item->fill) == 0;
    }
    return count;
}

/* Like any other it says how it ended, also to who comes back to it. */
static void test_an_answered_number_stays_answered(void **state) {
    Stand *stand = *state;
    assert_true(
        session_open_number(stand->session, course_find(&stand->course, "08-one-head")));
    session_ask(stand->session, true);
    while (!questions_take_text(stand->session)) {
        press(stand, "Right");
        if (questions_wait(stand->session) && !questions_take_text(stand->session))
            press(stand, "Right"); /* shows the answer */
    }
    look(stand);
    assert_false(shows(stand, "Answer"));
    press(stand, "Shift+Return");
    look(stand);
    assert_true(shows(stand, "Answer"));
    press(stand, "Right Left");
    look(stand);
    assert_true(shows(stand, "Answer"));
    press(stand, "Left");
    look(stand);
    assert_false(shows(stand, "Answer"));
}

/* The picture may stay open while its step asks. */
static void test_a_question_is_not_answered_by_the_source(void **state) {
    static const char lesson[] =
        "title: Slips\nsources: true\ngiven: {X: [[1, 2], [3, 4]]}\nsteps:\n"
        "  - do: Y = X + 1\n    printed: [[2, 3], [4, 6]]\n    source: The last is 5.\n"
        "    ask:\n      question: Where is the slip?\n      open: true\n"
        "      choose: [{text: here, right: true}, {text: there, because: no}]\n";
    Stand *stand = *state;
    Folder folder = make_data_folder(stand);
    write_file(&folder, "slips.yaml", lesson);
    char path[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%s/slips.yaml", folder.path);
    ErrorList errors = {0};
    assert_true(session_open(stand->session, path, &errors));
    assert_int_equal(marked(stand), 1);
    assert_true(shows(stand, "The last is 5."));
    session_ask(stand->session, true);
    assert_true(questions_wait(stand->session));
    assert_int_equal(marked(stand), 0);
    assert_false(shows(stand, "The last is 5."));
    press(stand, "Right"); /* shows the answer */
    assert_int_equal(marked(stand), 1);
    assert_true(shows(stand, "The last is 5."));
    run_shell("rm -r '%s'%s", folder.path, "");
}

static void test_a_data_folder_without_its_files_is_an_error(void **state) {
    Stand *stand = *state;
    Folder folder = make_data_folder(stand);
    const struct {
        const char *break_it, *said;
    } cases[] = {
        {"rmdir '%s/lessons'%s", "lessons"},
        {"mkdir '%s/lessons'%s", "has no lesson"},
        {"rm -r '%s/assets/strings'%s", "GLASSFORMER_DATA"},
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

/* ---- presenting ---- */

static void test_a_clicker_goes_step_by_step_and_over_a_slide_to_the_next(void **state) {
    Stand *stand = *state;
    open_lesson(stand, 0);
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
    press(stand, "Home");
    session_key(stand->session, "PageUp");
    assert_int_equal(stand->session->number, 1); /* there is none before */
    press(stand, "Escape");
    assert_false(session_presents(stand->session));
}

static void test_each_press_of_a_clicker_is_a_step(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    session_animate(stand->session, SESSION_MOVES);
    press(stand, "F5");
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(statement(stand), i);
        session_key(stand->session, "PageDown");
        session_tick(stand->session, 500); /* still on its way */
    }
    session_animate(stand->session, SESSION_STILL);
}

static void test_a_click_does_what_it_is_on_while_something_moves(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    session_animate(stand->session, SESSION_MOVES);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(statement(stand), i);
        click_link(stand, action_link("next_step"));
        session_tick(stand->session, 500); /* still on its way */
    }
    session_animate(stand->session, SESSION_STILL);
}

static void test_a_blank_screen_hides_the_page_and_a_step_brings_it_back(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    press(stand, "F5");
    uint64_t page = look(stand);
    static const char *const keys[] = {"B", ".", "W"};
    for (size_t i = 0; i < COUNT(keys); i++) {
        press(stand, keys[i]);
        assert_true(look(stand) != page);
        press(stand, "PageDown");
        assert_true(look(stand) == page);
    }
}

static void test_escape_puts_out_the_light_before_it_ends_presenting(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    static const char *const keys[] = {"F5 F", "F5 J", "F5 Z", "Z F5"};
    for (size_t i = 0; i < COUNT(keys); i++) {
        press(stand, keys[i]);
        press(stand, "Escape");
        assert_true(session_presents(stand->session));
        assert_false(mode_on(stand->session, &mode_lens));
        press(stand, "Escape");
        assert_false(session_presents(stand->session));
        assert_true(mode_on(stand->session, &mode_lesson));
    }
    press(stand, "F5 F F5");
    assert_false(session_presents(stand->session));
}

static void test_a_lens_is_of_its_step(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    press(stand, "Right");
    uint64_t page = look(stand);
    press(stand, "Z");
    assert_true(look(stand) != page);
    press(stand, "Escape");
    assert_true(look(stand) == page);
    press(stand, "Z");
    press(stand, "Right");
    assert_false(mode_on(stand->session, &mode_lens));
}

static void test_type_is_larger_until_it_is_as_usual_again(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
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

/* At the depth "story". */
static void test_no_two_steps_of_a_head_are_told_by_one_story(void **state) {
    static const char *const told[][2] = {{"Q", "Every word pins a note"},
                                          {"K", "Every word hangs a sign"},
                                          {"V", "Every word packs a parcel"},
                                          {"S", "Each note is held against"},
                                          {"O", "Every word cooks by a recipe"}};
    Stand *stand = *state;
    open_some_lesson(stand);
    assert_true(words_turn_to(stand->session, WORDS_STORY));
    Player *player = &stand->session->player;
    for (size_t i = 0; i < player->step_count; i++) {
        for (size_t k = 0; k < COUNT(told); k++) {
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

static void test_presented_type_has_a_size_below_the_usual(void **state) {
    Stand *stand = *state;
    open_some_lesson(stand);
    press(stand, "F5");
    uint64_t usual = look(stand);
    press(stand, "Ctrl+-");
    press(stand, "J");
    press(stand, "J"); /* the message goes */
    assert_true(look(stand) != usual);
    press(stand, "Ctrl+0");
    press(stand, "J");
    press(stand, "J");
    assert_true(look(stand) == usual);
}

int main(void) {
#define SESSION_TEST(name)                                                               \
    cmocka_unit_test_setup_teardown(name, begin_session, end_session)
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_every_lesson_of_the_course_opens),
        SESSION_TEST(test_left_shows_again_what_right_has_left_at_every_depth),
        SESSION_TEST(test_home_and_end_go_to_the_first_and_last_step),
        SESSION_TEST(test_lessons_change_by_a_key_and_stop_at_the_ends),
        SESSION_TEST(test_right_alone_leads_through_the_whole_course),
        SESSION_TEST(test_the_last_step_names_the_next_lesson_and_no_export_does),
        SESSION_TEST(test_cells_lead_to_the_next_lessons_cells),
        SESSION_TEST(test_a_lesson_opened_again_takes_no_more_memory),
        SESSION_TEST(test_escape_leads_out_step_by_step),
        SESSION_TEST(test_m_makes_a_step_the_identity_and_back),
        SESSION_TEST(test_a_step_that_changes_the_shape_is_not_muted_but_says_why),
        SESSION_TEST(test_a_step_that_opens_is_not_muted_but_says_why),
        SESSION_TEST(test_a_muted_step_is_struck_out_on_map_and_timeline),
        SESSION_TEST(test_e_begins_with_the_lessons_text_to_be_edited_in_place),
        SESSION_TEST(test_a_text_too_long_for_the_field_stays_out),
        SESSION_TEST(test_a_word_outside_the_vocabulary_is_told_with_some_inside),
        SESSION_TEST(test_an_own_text_is_kept_until_it_is_dropped),
        SESSION_TEST(test_words_below_the_field_write_it),
        SESSION_TEST(test_an_unchanged_text_is_no_change),
        SESSION_TEST(test_writing_a_text_closes_the_panel_of_switches),
        SESSION_TEST(test_a_question_mark_opens_the_help_while_practising),
        SESSION_TEST(test_an_unknown_word_is_read_as_it_was_written),
        SESSION_TEST(test_a_text_too_long_for_the_model_is_refused_in_the_readers_words),
        SESSION_TEST(test_keys_pressed_while_a_lesson_opens_are_kept),
        SESSION_TEST(test_escape_lets_go_of_a_lesson_that_opens),
        SESSION_TEST(test_a_first_lesson_with_errors_ends_the_session),
        SESSION_TEST(test_the_hint_for_help_can_be_clicked),
        SESSION_TEST(test_pointing_at_a_cell_changes_the_picture_and_leaving_restores_it),
        SESSION_TEST(test_a_still_pointer_means_nothing_after_a_key),
        SESSION_TEST(test_c_pins_the_cell_under_the_pointer),
        SESSION_TEST(test_a_click_pins_a_cell_until_escape),
        SESSION_TEST(test_a_click_on_the_map_goes_there),
        SESSION_TEST(test_dragging_along_the_timeline_scrubs),
        SESSION_TEST(test_language_and_theme_turn_round_in_both_views),
        SESSION_TEST(test_v_goes_round_the_views_of_a_tensor),
        SESSION_TEST(test_a_view_belongs_to_its_step),
        SESSION_TEST(test_tab_goes_round_the_depths_of_the_words),
        SESSION_TEST(test_a_depth_is_kept_from_step_to_step_and_from_lesson_to_lesson),
        SESSION_TEST(test_a_click_on_a_depth_shows_it_and_another_one_leaves_it),
        SESSION_TEST(test_a_source_is_compared_with_when_asked_for),
        SESSION_TEST(test_a_question_is_not_answered_by_the_source),
        SESSION_TEST(test_an_answered_number_stays_answered),
        SESSION_TEST(test_the_badge_is_never_cut),
        SESSION_TEST(test_a_lesson_about_its_source_always_has_it),
        SESSION_TEST(test_the_numbers_are_those_of_the_pinned_cell),
        SESSION_TEST(test_keys_ask_their_driver_once),
        SESSION_TEST(test_a_message_is_shown_until_the_next_key_and_never_exported),
        SESSION_TEST(test_picture_names_tell_lesson_step_and_cell),
        SESSION_TEST(test_help_lists_every_key_that_does_something),
        SESSION_TEST(test_a_clicker_goes_step_by_step_and_over_a_slide_to_the_next),
        SESSION_TEST(test_each_press_of_a_clicker_is_a_step),
        SESSION_TEST(test_a_click_does_what_it_is_on_while_something_moves),
        SESSION_TEST(test_a_blank_screen_hides_the_page_and_a_step_brings_it_back),
        SESSION_TEST(test_escape_puts_out_the_light_before_it_ends_presenting),
        SESSION_TEST(test_a_lens_is_of_its_step),
        SESSION_TEST(test_type_is_larger_until_it_is_as_usual_again),
        SESSION_TEST(test_no_two_steps_of_a_head_are_told_by_one_story),
        SESSION_TEST(test_presented_type_has_a_size_below_the_usual),
        SESSION_TEST(test_help_explains_every_key_in_every_language),
        SESSION_TEST(test_any_other_key_closes_the_help_and_does_nothing_else),
        SESSION_TEST(test_unknown_keys_do_nothing_and_have_a_nearest),
        SESSION_TEST(test_an_unknown_lesson_is_refused_with_the_nearest),
        SESSION_TEST(test_a_lesson_opens_from_a_path_too),
        SESSION_TEST(test_a_lesson_with_errors_stays_closed_and_says_so),
        SESSION_TEST(test_a_data_folder_without_its_files_is_an_error),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
