/* Pace: what is there of a place after so long, and where autoplay goes next. */
#include "close.h"
#include "drawn_lesson.h"
#include "lesson/play/pace.h"
#include "lesson/play/transition.h"
#include "picture/page/page.h"
#include "picture/stage/page_content.h"
#include "scene_find.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

#include <math.h>
#include <string.h>

enum { PLAYED_MAX = 20000 };

/* A product of 2 × 3 and 3 × 2, and its shares. */
static const char PRODUCT[] = "title: x\n"
                              "given:\n"
                              "  A: [[1, 2, 3], [4, 5, 6]]\n"
                              "  B: [[1, 0], [2, 1], [3, -1]]\n"
                              "steps:\n"
                              "  - do: C = A @ B\n"
                              "  - do: S = softmax(C)\n"
                              "    chapter: Shares\n"
                              "  - do: T = S + 1\n"
                              "    ask: {cell: [1, 1]}\n"
                              "  - do: U = relu(T)\n";

static Player player_of(const Lesson *lesson) {
    Player player;
    assert_true(player_init(&player, lesson));
    return player;
}

/* Moves, and how the new place comes to be. */
static PaceMotion move(Drawn *fixture, Player *player, PlayerMove how) {
    Player before = *player;
    assert_true(player_move(player, how));
    arena_reset(fixture->frame);
    return pace_motion(player, &before, fixture->frame);
}

/* ---- motion ---- */

static void test_every_operation_has_a_manner(void **state) {
    for (OperationKind kind = 0; kind < OPERATION_COUNT; kind++) {
        if (!transition_has_row(kind))
            fail_msg(
                "%s doesn't say how it moves: add it to core/lesson/play/transition.c",
                operation_of(kind)->name);
    }
}

static void test_the_first_cell_is_added_up_part_by_part(void **state) {
    Drawn *fixture = *state;
    Lesson *lesson = lesson_good(PRODUCT);
    Player player = player_of(lesson);
    PaceMotion motion = move(fixture, &player, PLAYER_DOWN);
    assert_int_equal(motion.kind, PACE_SUM);
    double length = pace_length(&motion), now = 0, sum = 0;
    size_t terms = 0, seen = 0;
    while (now < length) {
        PaceMoment moment = pace_moment(&motion, now);
        assert_int_equal(moment.kind, PACE_SUM);
        assert_true(moment.sum >= sum && moment.time < 1);
        size_t there = pace_parts_complete(moment.sum, 3);
        assert_true(there >= terms);
        seen += moment.adds && there > terms;
        terms = there;
        sum = moment.sum;
        double until = pace_until_change(&motion, now);
        assert_true(until > 0 && until <= length - now);
        now += until;
    }
    assert_true(seen >= 2); /* the third is there when the sum is */
    assert_int_equal(pace_moment(&motion, length).kind, PACE_REST);
    assert_true(isinf(pace_until_change(&motion, length)));
    lesson_destroy(lesson);
}

static void test_parts_come_one_after_the_other(void **state) {
    const size_t counts[] = {1, 2, 3, 17, 4000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (double sum = 0; sum <= 1; sum += 0.125) {
            double before = 1;
            for (size_t j = 0; j < counts[i]; j++) {
                double part = pace_part(sum, counts[i], j);
                assert_true(part >= 0 && part <= before);
                before = part;
            }
        }
        assert_true(pace_part(0, counts[i], 0) <= 0);
        assert_true(pace_part(1, counts[i], counts[i] - 1) >= 1 - 1e-9);
    }
}

/* On to the next step, into its cells, and on among these. */
static void test_no_motion_is_long(void **state) {
    Drawn *fixture = *state;
    Lesson *lesson = lesson_good(PRODUCT);
    Player player = player_of(lesson);
    PaceMotion step = move(fixture, &player, PLAYER_RIGHT);
    assert_int_equal(step.kind, PACE_STEP);
    assert_true(pace_length(&step) > 1000 && pace_length(&step) <= PACE_LONGEST);
    move(fixture, &player, PLAYER_LEFT);
    move(fixture, &player, PLAYER_DOWN);
    PaceMotion cell = move(fixture, &player, PLAYER_RIGHT);
    assert_int_equal(cell.kind, PACE_CELLS);
    assert_int_equal(cell.from, 1);
    assert_true(pace_length(&cell) <= 400);
    assert_true(pace_moment(&cell, 0).adds);
    lesson_destroy(lesson);
}

static void test_who_wants_no_motion_sees_its_ends(void **state) {
    Drawn *fixture = *state;
    Lesson *lesson = lesson_good(PRODUCT);
    Player player = player_of(lesson);
    PaceMotion ends = pace_ends(move(fixture, &player, PLAYER_RIGHT));
    double length = pace_length(&ends);
    assert_true(length > 0 && length < 1000);
    PaceMoment first = pace_moment(&ends, 0), later = pace_moment(&ends, length * 0.9);
    assert_int_equal(first.kind, PACE_STEP);
    assert_true(first.time <= 0 && later.time <= 0);
    assert_close(&(double){pace_until_change(&ends, 0)}, &length, 1, 0);
    assert_int_equal(pace_moment(&ends, length).kind, PACE_REST);
    assert_int_equal(pace_ends((PaceMotion){0}).kind, PACE_REST);
    lesson_destroy(lesson);
}

/* An opened step grows out of its position and shrinks back to it. */
static void test_opening_zooms(void **state) {
    Drawn *fixture = *state;
    Lesson *lesson = lesson_good("title: x\ngiven:\n  A: [[1, 2], [3, 4]]\nsteps:\n"
                                 "  - do: S = softmax(A @ A)\n");
    Player player = player_of(lesson);
    PaceMotion opens = move(fixture, &player, PLAYER_DOWN);
    assert_int_equal(opens.kind, PACE_STEP);
    assert_true(opens.zoom > 0 && pace_length(&opens) <= PACE_LONGEST);
    assert_true(pace_moment(&opens, 0).zoom <= 0);
    assert_true(pace_moment(&opens, opens.zoom).zoom >= 1);
    PaceMotion closes = move(fixture, &player, PLAYER_UP);
    assert_int_equal(closes.kind, PACE_CLOSE);
    assert_true(pace_length(&closes) > 0);
    lesson_destroy(lesson);
}

static void test_who_goes_back_sees_what_was_there_at_once(void **state) {
    Drawn *fixture = *state;
    Lesson *lesson = lesson_good(PRODUCT);
    Player player = player_of(lesson);
    move(fixture, &player, PLAYER_RIGHT);
    assert_int_equal(move(fixture, &player, PLAYER_LEFT).kind, PACE_REST);
    move(fixture, &player, PLAYER_DOWN);
    move(fixture, &player, PLAYER_RIGHT);
    assert_int_equal(move(fixture, &player, PLAYER_LEFT).kind, PACE_REST);
    assert_int_equal(move(fixture, &player, PLAYER_UP).kind, PACE_REST);
    PaceMotion rest = {0};
    assert_int_equal(pace_moment(&rest, 0).kind, PACE_REST);
    assert_true(isinf(pace_until_change(&rest, 0)));
    lesson_destroy(lesson);
}

static void test_a_softmax_is_gathered_from_its_row(void **state) {
    Drawn *fixture = *state;
    Lesson *lesson = lesson_good(PRODUCT);
    const Tape *tape = lesson->tape;
    arena_reset(fixture->frame);
    const Term *term = tape_explain(tape, tape_find(tape, "S"), 0, 0, fixture->frame);
    const Term *sum = pace_sum(term);
    assert_non_null(sum);
    assert_int_equal(sum->kind, TERM_SUM);
    assert_int_equal(sum->count, 2);
    assert_int_equal(sum->parts[0]->kind, TERM_FUNCTION); /* not the row's largest */
    term = tape_explain(tape, tape_find(tape, "U"), 0, 0, fixture->frame);
    assert_true(!pace_sum(term) || pace_sum(term)->kind != TERM_SUM);
    lesson_destroy(lesson);
}

/* ---- the page is a function of the moment ---- */

static uint64_t look(Drawn *fixture, const Player *player, PaceMoment moment) {
    Page page = {.player = player,
                 .theme = &fixture->files.themes.items[0],
                 .metrics = &fixture->metrics,
                 .language = fixture->files.language,
                 .width = 1366,
                 .height = 768,
                 .moment = moment};
    arena_reset(fixture->frame);
    page_draw(&fixture->scene, fixture->frame, &page);
    assert_true(scene_complete(&fixture->scene));
    return scene_digest(&fixture->scene);
}

static void test_the_page_is_a_function_of_the_moment(void **state) {
    Drawn *fixture = *state;
    Lesson *lesson = lesson_good(PRODUCT);
    Player player = player_of(lesson);
    uint64_t closed = look(fixture, &player, (PaceMoment){0});
    PaceMotion motion = move(fixture, &player, PLAYER_DOWN);
    double length = pace_length(&motion);
    uint64_t seen[8];
    for (int pass = 0; pass < 2; pass++) { /* forwards, then backwards */
        for (int i = 0; i < 8; i++) {
            int at = pass ? 7 - i : i;
            uint64_t digest =
                look(fixture, &player, pace_moment(&motion, length * at / 7));
            if (pass)
                assert_int_equal(digest, seen[at]);
            else if (at)
                assert_int_not_equal(digest, seen[at - 1]);
            seen[at] = digest;
        }
    }
    assert_int_equal(seen[7], look(fixture, &player, (PaceMoment){0}));
    move(fixture, &player, PLAYER_UP);
    assert_int_equal(closed, look(fixture, &player, (PaceMoment){0}));
    lesson_destroy(lesson);
}

/* 1 × 1 + 2 × 2 + 3 × 3 = 14, of which after two parts 5 are known. */
static void test_the_sum_grows_in_the_inspector(void **state) {
    Drawn *fixture = *state;
    Lesson *lesson = lesson_good(PRODUCT);
    Player player = player_of(lesson);
    move(fixture, &player, PLAYER_DOWN);
    PaceMoment moment = {
        .kind = PACE_SUM, .time = 0.5, .zoom = 1, .adds = true, .sum = 0.9};
    look(fixture, &player, moment);
    assert_true(scene_shows(&fixture->scene, "so far"));
    assert_true(scene_shows(&fixture->scene, "5"));
    assert_false(scene_shows(&fixture->scene, "14"));
    look(fixture, &player, (PaceMoment){0});
    assert_false(scene_shows(&fixture->scene, "so far"));
    assert_true(scene_shows(&fixture->scene, "14"));
    lesson_destroy(lesson);
}

/* A deviation stands on the variance, that on the mean: only the mean is being added up.
 */
static void test_so_far_is_said_of_the_sum_that_grows(void **state) {
    Drawn *fixture = *state;
    Lesson *lesson = lesson_good("title: x\ngiven:\n  X: [[1, 2, 6]]\n"
                                 "steps:\n  - do: Y = layer_norm(X)\n");
    Player player = player_of(lesson);
    move(fixture, &player, PLAYER_DOWN);
    PaceMoment moment = {
        .kind = PACE_SUM, .time = 0.5, .zoom = 1, .adds = true, .sum = 0.9};
    look(fixture, &player, moment);
    size_t said = 0;
    for (size_t i = 0; i < fixture->scene.count; i++) {
        const SceneItem *item = &fixture->scene.items[i];
        said += item->kind == SCENE_TEXT && strstr(item->text, "so far");
    }
    assert_int_equal(said, 1);
    lesson_destroy(lesson);
}

/* ---- autoplay ---- */

static void test_autoplay_takes_cells_then_rows_then_the_rest(void **state) {
    Lesson *lesson =
        lesson_good("title: x\nsteps:\n  - do: P = positional_encoding(64, 32)\n");
    Player player = player_of(lesson);
    assert_true(player_move(&player, PLAYER_DOWN));
    size_t moves = 0, before = player.cell, cols = 32, first_row = 0;
    while (before + 1 < 64 * cols) {
        assert_true(pace_go_on(&player));
        assert_true(player.cell > before);
        if (before < 4)
            assert_int_equal(player.cell, before + 1);
        if (before >= cols - 1) /* from the first row's end on to rows' ends */
            assert_int_equal(player.cell % cols, cols - 1);
        first_row += player.cell < cols;
        before = player.cell;
        moves++;
    }
    assert_true(first_row >= 8 && first_row <= 16);
    assert_true(moves > 14 && moves < 32);
    assert_false(pace_go_on(&player));
    assert_int_equal(pace_stop(&player), PACE_AT_END);
    lesson_destroy(lesson);
}

static void test_autoplay_stops_before_chapters(void **state) {
    Lesson *lesson = lesson_good(PRODUCT);
    Player player = player_of(lesson);
    assert_int_equal(pace_stop(&player), PACE_AT_CHAPTER);
    assert_true(pace_go_on(&player));
    assert_int_equal(pace_stop(&player), PACE_CONTINUES);
    assert_true(pace_go_on(&player));
    assert_true(player_move(&player, PLAYER_DOWN));
    assert_true(pace_go_on(&player));
    assert_int_equal(pace_stop(&player), PACE_CONTINUES); /* within the operation */
    lesson_destroy(lesson);
}

/* At every depth of every lesson autoplay gets to the end, and shows something new each
 * time. */
static void test_autoplay_reaches_the_end_of_every_lesson(void **state) {
    Drawn *fixture = *state;
    for (size_t i = 0; i < fixture->files.count; i++) {
        Player player = player_of(fixture->files.lessons[i]);
        for (size_t down = 0; down <= player.depth_max; down++) {
            Player played = player;
            for (size_t j = 0; j < down; j++)
                player_move(&played, PLAYER_DOWN);
            size_t moves = 0;
            Player before = played;
            while (moves < PLAYED_MAX && pace_go_on(&played)) {
                assert_true(played.step != before.step || played.cell != before.cell);
                assert_true(pace_stay(&played, fixture->files.language) > 0);
                before = played;
                moves++;
            }
            assert_true(moves < PLAYED_MAX);
            assert_int_equal(pace_stop(&played), PACE_AT_END);
        }
    }
}

/* From before the first update up to the last one; then it is there as a whole. */
static void test_a_training_runs_through_its_epochs(void **state) {
    Drawn *fixture = *state;
    size_t found = 0;
    for (size_t i = 0; i < fixture->files.count; i++) {
        Player player = player_of(fixture->files.lessons[i]), before = player;
        for (; player_move(&player, PLAYER_RIGHT); before = player) {
            const PlayerStep *at = player_step(&player);
            if (at->frame == PLAYER_NONE || at->child_count < 5)
                continue;
            arena_reset(fixture->frame);
            PaceMotion motion = pace_motion(&player, &before, fixture->frame);
            double length = pace_length(&motion);
            assert_true(length >= 3000 && length <= 5000);
            size_t last = PLAYER_NONE;
            for (double time = 0; time < length; time += 80) {
                PaceMoment moment = pace_moment(&motion, time);
                size_t shown = pace_shown(&player, &moment);
                assert_int_equal(player.steps[shown].parent, player.step);
                assert_true(last == PLAYER_NONE ? player.steps[shown].frame == 0
                                                : shown >= last);
                last = shown;
            }
            assert_true(10 * player.steps[last].frame >= 9 * at->frame);
            PaceMoment end = pace_moment(&motion, length);
            assert_int_equal(pace_shown(&player, &end), player.step);
            found++;
        }
    }
    assert_true(found > 0);
}

static void test_a_step_takes_the_time_that_it_is_given(void **state) {
    Lesson *lesson = lesson_good("title: x\ngiven:\n  X: [[1, 2]]\nsteps:\n"
                                 "  - do: A = -X\n"
                                 "    seconds: 70\n"
                                 "  - do: B = -A\n"
                                 "    say: Short.\n");
    Player player = player_of(lesson);
    assert_true(pace_stay(&player, &ENGLISH) == 70000);
    assert_true(player_move(&player, PLAYER_DOWN)); /* among its cells it goes on */
    assert_true(pace_stay(&player, &ENGLISH) < 10000);
    player_jump(&player, 1);
    assert_true(pace_stay(&player, &ENGLISH) < 10000);
    lesson_destroy(lesson);
}

static void test_words_are_given_time_to_be_read(void **state) {
    Lesson *lesson = lesson_good("title: x\ngiven:\n  X: [[1, 2]]\nsteps:\n"
                                 "  - do: A = -X\n"
                                 "    say: Short.\n"
                                 "  - do: B = -A\n"
                                 "    say: This takes a good deal longer to be read, as "
                                 "it has many more words than that.\n");
    Player player = player_of(lesson);
    double little = pace_stay(&player, &ENGLISH);
    assert_true(player_move(&player, PLAYER_RIGHT));
    assert_true(pace_stay(&player, &ENGLISH) > little + 1000);
    for (int speed = 1; speed < PACE_SPEEDS; speed++)
        assert_true(pace_rate(speed) < pace_rate(speed + 1));
    lesson_destroy(lesson);
}

static int set_up(void **state) {
    drawn_set_up(state);
    Drawn *fixture = *state;
    course_load_folder(&fixture->files, "lessons");
    course_load_lesson(&fixture->files, "tests/fuzz/everything.yaml");
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_operation_has_a_manner),
        cmocka_unit_test(test_the_first_cell_is_added_up_part_by_part),
        cmocka_unit_test(test_parts_come_one_after_the_other),
        cmocka_unit_test(test_no_motion_is_long),
        cmocka_unit_test(test_who_wants_no_motion_sees_its_ends),
        cmocka_unit_test(test_opening_zooms),
        cmocka_unit_test(test_who_goes_back_sees_what_was_there_at_once),
        cmocka_unit_test(test_a_softmax_is_gathered_from_its_row),
        cmocka_unit_test(test_the_page_is_a_function_of_the_moment),
        cmocka_unit_test(test_the_sum_grows_in_the_inspector),
        cmocka_unit_test(test_so_far_is_said_of_the_sum_that_grows),
        cmocka_unit_test(test_autoplay_takes_cells_then_rows_then_the_rest),
        cmocka_unit_test(test_autoplay_stops_before_chapters),
        cmocka_unit_test(test_autoplay_reaches_the_end_of_every_lesson),
        cmocka_unit_test(test_a_training_runs_through_its_epochs),
        cmocka_unit_test(test_a_step_takes_the_time_that_it_is_given),
        cmocka_unit_test(test_words_are_given_time_to_be_read),
    };
    return cmocka_run_group_tests(tests, set_up, drawn_tear_down);
}
