/* The player: moving through the tree of steps, there and back again. What a page shows
 * is compared by the digest of its scene. */
#include "drawn_lesson.h"
#include "picture/page/page.h"
#include "picture/stage/page_content.h"
#include "sample.h"

enum { MOVES_MAX = 1500 };

typedef struct Place {
    size_t step, depth, cell;
    uint64_t digest;
} Place;

static Place places[MOVES_MAX + 1];

static uint64_t digest_of(Drawn *fixture, const Player *player) {
    Page page = {.player = player,
                 .theme = &fixture->files.themes.items[0],
                 .metrics = &fixture->metrics,
                 .language = fixture->files.language,
                 .width = 1366,
                 .height = 768};
    Scene scene;
    arena_reset(fixture->frame);
    page_draw(&scene, fixture->frame, &page);
    assert_true(scene_complete(&scene));
    return scene_digest(&scene);
}

/* `looks`: with the page's digest; else 0. */
static Place place_of(Drawn *fixture, const Player *player, bool looks) {
    return (Place){player->step, player->depth, player->cell,
                   looks ? digest_of(fixture, player) : 0};
}

/* Where to look at the page after so many moves: everywhere at first, then now and then;
 * and where an operation begins. */
static bool worth_a_look(const Player *player, size_t moves) {
    size_t one_in = sample_one_in();
    return moves < 40 / one_in || moves % (37 * one_in) == 0 ||
           (one_in == 1 && player->cell == 0);
}

static void assert_place(Place actual, Place expected, const Player *player) {
    bool same = actual.step == expected.step && actual.depth == expected.depth &&
                actual.cell == expected.cell && actual.digest == expected.digest;
    if (!same)
        print_error("%s: at step %s depth %zu cell %zu, expected step %s depth %zu cell "
                    "%zu; pictures %s\n",
                    player->lesson->id, player->steps[actual.step].path, actual.depth,
                    actual.cell, player->steps[expected.step].path, expected.depth,
                    expected.cell,
                    actual.digest == expected.digest ? "are equal" : "differ");
    assert_true(same);
}

static bool same_cursor(const Player *a, const Player *b) {
    return a->step == b->step && a->depth == b->depth && a->cell == b->cell;
}

/* Right until the end (or MOVES_MAX), then Left all the way: every place comes again, and
 * the pages that were looked at. */
static size_t go_and_come_back(Drawn *fixture, Player *player) {
    size_t count = 0;
    places[0] = place_of(fixture, player, true);
    while (count < MOVES_MAX && player_move(player, PLAYER_RIGHT)) {
        count++;
        places[count] = place_of(fixture, player, worth_a_look(player, count));
    }
    for (size_t i = count; i-- > 0;) {
        assert_true(player_move(player, PLAYER_LEFT));
        assert_place(place_of(fixture, player, worth_a_look(player, i)), places[i],
                     player);
    }
    return count;
}

/* Puts the cursor on the first of all steps at a depth. */
static void go_to_depth(Player *player, size_t depth) {
    size_t step = 0;
    while (player->steps[step].depth != depth)
        step++;
    player_jump(player, step);
    player_move(player, PLAYER_FIRST);
}

static void test_left_shows_what_was_there_at_every_depth(void **state) {
    Drawn *fixture = *state;
    size_t moves = 0;
    for (size_t i = 0; i < fixture->files.count; i++) {
        Player player;
        assert_true(player_init(&player, fixture->files.lessons[i]));
        for (size_t depth = 1; depth <= player.depth_max; depth++) {
            go_to_depth(&player, depth);
            moves += go_and_come_back(fixture, &player);
            Player before = player;
            assert_false(player_move(&player, PLAYER_LEFT));
            assert_true(same_cursor(&player, &before));
        }
    }
    assert_true(moves > 100);
}

static size_t first_with_cells(const Player *player) {
    for (size_t i = 0; i < player->step_count; i++) {
        if (player_has_cells(player, i))
            return i;
    }
    return PLAYER_NONE;
}

static void test_left_shows_what_was_there_cell_by_cell(void **state) {
    Drawn *fixture = *state;
    size_t moves = 0;
    for (size_t i = 0; i < fixture->files.count; i++) {
        Player player;
        assert_true(player_init(&player, fixture->files.lessons[i]));
        size_t first = first_with_cells(&player);
        if (first == PLAYER_NONE)
            continue;
        player_jump(&player, first);
        assert_true(player_move(&player, PLAYER_DOWN));
        moves += go_and_come_back(fixture, &player);
        assert_int_equal(player.cell, 0);
    }
    assert_true(moves > 1000);
}

static void test_two_cells_in_a_row_never_look_the_same(void **state) {
    Drawn *fixture = *state;
    for (size_t i = 0; i < fixture->files.count; i++) {
        Player player;
        assert_true(player_init(&player, fixture->files.lessons[i]));
        size_t first = first_with_cells(&player);
        if (first == PLAYER_NONE)
            continue;
        player_jump(&player, first);
        assert_true(player_move(&player, PLAYER_DOWN));
        Place before = place_of(fixture, &player, true);
        for (int moves = 0; moves < 50 && player_move(&player, PLAYER_RIGHT); moves++) {
            Place now = place_of(fixture, &player, true);
            assert_true(now.digest != before.digest);
            before = now;
        }
    }
}

static void test_first_and_last_are_where_right_and_left_end(void **state) {
    Drawn *fixture = *state;
    for (size_t i = 0; i < fixture->files.count; i++) {
        Player player;
        assert_true(player_init(&player, fixture->files.lessons[i]));
        for (size_t depth = 1; depth <= player.depth_max; depth++) {
            go_to_depth(&player, depth);
            Player by_steps = player;
            while (player_move(&by_steps, PLAYER_RIGHT)) {
            }
            player_move(&player, PLAYER_LAST);
            assert_true(same_cursor(&player, &by_steps));
            assert_false(player_move(&player, PLAYER_LAST));
            assert_false(player_move(&player, PLAYER_RIGHT));
            while (player_move(&by_steps, PLAYER_LEFT)) {
            }
            player_move(&player, PLAYER_FIRST);
            assert_true(same_cursor(&player, &by_steps));
            assert_false(player_move(&player, PLAYER_FIRST));
        }
    }
}

static void test_first_and_last_among_cells_are_the_first_and_last_cell(void **state) {
    Lesson *lesson = lesson_good("title: t\ngiven:\n  X: [[1, 2], [3, 4]]\nsteps:\n"
                                 "  - do: Y = X + X\n  - do: Z = Y[0]\n  - show: Z\n");
    Player player;
    assert_true(player_init(&player, lesson));
    assert_true(player_move(&player, PLAYER_DOWN));
    assert_true(player_move(&player, PLAYER_LAST));
    assert_int_equal(player.step, 1);
    assert_int_equal(player.cell, 1);
    assert_false(player_move(&player, PLAYER_RIGHT));
    assert_true(player_move(&player, PLAYER_FIRST));
    assert_int_equal(player.step, 0);
    assert_int_equal(player.cell, 0);
    lesson_destroy(lesson);
}

static void test_up_undoes_down_wherever_it_is_pressed(void **state) {
    Drawn *fixture = *state;
    for (size_t i = 0; i < fixture->files.count; i++) {
        Player player;
        assert_true(player_init(&player, fixture->files.lessons[i]));
        for (size_t step = 0; step < player.step_count; step++) {
            player_jump(&player, step);
            Player before = player;
            bool opens =
                player.steps[step].child_count > 0 || player_has_cells(&player, step);
            assert_int_equal(player_move(&player, PLAYER_DOWN), opens);
            if (!opens) {
                assert_true(same_cursor(&player, &before));
                continue;
            }
            assert_false(same_cursor(&player, &before));
            assert_true(player_move(&player, PLAYER_UP));
            assert_true(same_cursor(&player, &before));
        }
    }
}

static void test_a_cell_does_not_open(void **state) {
    Lesson *lesson = lesson_good("title: t\ngiven:\n  X: [[1, 2], [3, 4]]\nsteps:\n"
                                 "  - do: Y = X + X\n");
    Player player;
    assert_true(player_init(&player, lesson));
    size_t row, col;
    assert_false(player_cell(&player, &row, &col));
    assert_true(player_move(&player, PLAYER_DOWN));
    assert_true(player_move(&player, PLAYER_RIGHT));
    assert_true(player_move(&player, PLAYER_RIGHT));
    assert_true(player_cell(&player, &row, &col));
    assert_int_equal(row, 1);
    assert_int_equal(col, 0);
    Player before = player;
    assert_false(player_move(&player, PLAYER_DOWN));
    assert_true(same_cursor(&player, &before));
    lesson_destroy(lesson);
}

static void test_a_shown_tensor_does_not_open(void **state) {
    Lesson *lesson =
        lesson_good("title: t\ngiven:\n  X: [[1, 2], [3, 4]]\nsteps:\n  - show: X\n");
    Player player;
    assert_true(player_init(&player, lesson));
    assert_false(player_has_cells(&player, 0));
    assert_false(player_move(&player, PLAYER_DOWN));
    assert_false(player_move(&player, PLAYER_UP));
    assert_false(player_move(&player, PLAYER_RIGHT));
    assert_int_equal(player_step(&player)->child_count, 0);
    lesson_destroy(lesson);
}

static void test_a_jump_shows_the_same_wherever_it_comes_from(void **state) {
    Drawn *fixture = *state;
    for (size_t i = 0; i < fixture->files.count; i++) {
        Player fresh, wandering;
        assert_true(player_init(&fresh, fixture->files.lessons[i]));
        assert_true(player_init(&wandering, fixture->files.lessons[i]));
        size_t count = fresh.step_count < 60 ? fresh.step_count : 60;
        for (size_t n = 0; n < count; n += sample_one_in()) {
            size_t step = n * 37 % fresh.step_count;
            player_move(&wandering, PLAYER_DOWN);
            player_move(&wandering, PLAYER_RIGHT);
            player_jump(&wandering, step);
            player_jump(&fresh, 0);
            player_jump(&fresh, step);
            assert_place(place_of(fixture, &wandering, true),
                         place_of(fixture, &fresh, true), &wandering);
        }
    }
}

static void test_full_depth_visits_every_leaf_once_in_order(void **state) {
    Drawn *fixture = *state;
    for (size_t i = 0; i < fixture->files.count; i++) {
        Player player;
        assert_true(player_init(&player, fixture->files.lessons[i]));
        go_to_depth(&player, player.depth_max);
        bool more = true;
        for (size_t step = 0; step < player.step_count; step++) {
            if (player_opens(&player, step))
                continue;
            assert_true(more);
            assert_int_equal(player.step, step);
            more = player_move(&player, PLAYER_RIGHT);
        }
        assert_false(more);
    }
}

/* Every step lies inside its parent, and paths count children from 1; those of a training
 * from 0, the moment before it. */
static void test_the_tree_is_one(void **state) {
    Drawn *fixture = *state;
    for (size_t i = 0; i < fixture->files.count; i++) {
        Player player;
        assert_true(player_init(&player, fixture->files.lessons[i]));
        size_t statements = 0;
        for (size_t step = 0; step < player.step_count; step++) {
            const PlayerStep *at = &player.steps[step];
            assert_true(at->next > step && at->next <= player.step_count);
            size_t children = 0, folded = 0, first = at->frame == PLAYER_NONE ? 1 : 0;
            for (size_t child = step + 1; child < at->next;
                 child = player.steps[child].next) {
                char path[256];
                snprintf(path, sizeof path, "%s.%zu", at->path, first + children++);
                assert_string_equal(player.steps[child].path, path);
                assert_int_equal(player.steps[child].parent, step);
                assert_int_equal(player.steps[child].depth, at->depth + 1);
                assert_int_equal(player.steps[child].statement, at->statement);
                assert_true(player.steps[child].next <= at->next);
                folded += child < at->parts;
            }
            assert_int_equal(children - folded, at->child_count);
            assert_true(children != 1); /* a step around a single child is that child */
            statements += at->parent == PLAYER_NONE;
        }
        assert_int_equal(statements, player_statement_count(&player));
    }
}

static void test_a_statement_of_one_operation_is_that_operation(void **state) {
    Lesson *lesson = lesson_good("title: t\ngiven:\n  X: [[1, 2], [3, 4]]\nsteps:\n"
                                 "  - do: Y = X @ X.T / sqrt(2)\n  - do: Z = X @ X\n");
    Player player;
    assert_true(player_init(&player, lesson));
    assert_int_equal(player.step_count, 4); /* Y, its product and quotient, Z */
    assert_int_equal(player.steps[0].child_count, 2);
    assert_int_equal(player.steps[3].child_count, 0);
    assert_string_equal(player.steps[3].path, "2");
    assert_string_equal(player.steps[3].name, "Z");
    assert_int_equal(player_statement_step(&player, 1), 3);
    lesson_destroy(lesson);
}

/* Whatever memory a lesson has left, the player is there or refused. */
static void test_a_player_without_memory_is_refused(void **state) {
    static const char text[] = "title: t\ngiven:\n  X: [[1, 2], [3, 4]]\nsteps:\n"
                               "  - do: Y = softmax(X @ X.T / sqrt(2)) @ X + X * X\n";
    size_t refused = 0, given = 0;
    for (size_t limit = 1000; limit < 200000; limit += 16) {
        ErrorList errors = {0};
        Lesson *lesson = lesson_parse("test.yaml", text, sizeof text - 1,
                                      &(LessonOptions){.memory = limit}, &errors);
        if (!lesson)
            continue;
        Player player;
        bool made = player_init(&player, lesson);
        refused += !made;
        given += made;
        lesson_destroy(lesson);
        if (given > 10)
            break;
    }
    assert_true(refused > 0);
    assert_true(given > 0);
}

static int load(void **state) {
    drawn_set_up(state);
    Drawn *fixture = *state;
    course_load_folder(&fixture->files, "lessons");
    course_load_folder(&fixture->files, "tests/lessons");
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_left_shows_what_was_there_at_every_depth),
        cmocka_unit_test(test_left_shows_what_was_there_cell_by_cell),
        cmocka_unit_test(test_two_cells_in_a_row_never_look_the_same),
        cmocka_unit_test(test_first_and_last_are_where_right_and_left_end),
        cmocka_unit_test(test_first_and_last_among_cells_are_the_first_and_last_cell),
        cmocka_unit_test(test_up_undoes_down_wherever_it_is_pressed),
        cmocka_unit_test(test_a_cell_does_not_open),
        cmocka_unit_test(test_a_shown_tensor_does_not_open),
        cmocka_unit_test(test_a_jump_shows_the_same_wherever_it_comes_from),
        cmocka_unit_test(test_full_depth_visits_every_leaf_once_in_order),
        cmocka_unit_test(test_the_tree_is_one),
        cmocka_unit_test(test_a_statement_of_one_operation_is_that_operation),
        cmocka_unit_test(test_a_player_without_memory_is_refused),
    };
    return cmocka_run_group_tests(tests, load, drawn_tear_down);
}
