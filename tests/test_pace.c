/* Pace: what is there of a place after so long, and where autoplay goes next. */
#include "course_files.h"
#include "fixed_metrics.h"
#include "lesson/play/pace.h"
#include "lesson_text.h"
#include "picture/page/page.h"

#include <math.h>

enum { FRAME_BYTES = 64 << 20, PLAYED_MAX = 20000 };

typedef struct Fixture {
    CourseFiles files;
    Arena *frame;
    TextMetrics metrics;
    Scene scene;
} Fixture;

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
static PaceMotion move(Fixture *fixture, Player *player, PlayerMove how) {
    Player before = *player;
    assert_true(player_move(player, how));
    arena_reset(fixture->frame);
    return pace_motion(player, &before, fixture->frame);
}

/* ---- motion ---- */

static void test_the_first_cell_is_added_up_part_by_part(void **state) {
    Fixture *fixture = *state;
    Lesson *lesson = lesson_good(PRODUCT);
    Player player = player_of(lesson);
    PaceMotion motion = move(fixture, &player, PLAYER_DOWN);
    assert_int_equal(motion.kind, PACE_SUM);
    assert_int_equal(motion.parts, 3);
    double length = pace_length(&motion), now = 0;
    size_t lit = 0, terms = 0, changes = 0;
    while (now < length) {
        PaceMoment moment = pace_moment(&player, &motion, now);
        assert_true(moment.moves);
        assert_true(moment.lit >= lit || !moment.adds);
        assert_true(moment.terms >= terms || !moment.adds);
        if (moment.adds) {
            assert_int_equal(moment.visible, 0); /* the sum isn't known yet */
            assert_true(moment.lit - moment.terms <= 1);
            lit = moment.lit;
            terms = moment.terms;
        } else {
            assert_int_equal(moment.visible, 1);
        }
        double until = pace_until_change(&motion, now);
        assert_true(until > 0 && until <= length - now + 1);
        now += until;
        changes++;
    }
    assert_int_equal(lit, 3);
    assert_int_equal(terms, 3);
    assert_true(changes >= 6); /* each part is lit, then joins the sum */
    assert_false(pace_moment(&player, &motion, length).moves);
    assert_true(isinf(pace_until_change(&motion, length)));
    lesson_destroy(lesson);
}

static void test_other_motions_are_short(void **state) {
    Fixture *fixture = *state;
    Lesson *lesson = lesson_good(PRODUCT);
    Player player = player_of(lesson);
    PaceMotion step = move(fixture, &player, PLAYER_RIGHT);
    assert_int_equal(step.kind, PACE_STEP);
    assert_true(pace_length(&step) <= 250);
    move(fixture, &player, PLAYER_LEFT);
    move(fixture, &player, PLAYER_DOWN);
    PaceMotion cell = move(fixture, &player, PLAYER_RIGHT);
    assert_int_equal(cell.kind, PACE_CELLS);
    assert_int_equal(cell.from, 1);
    assert_true(pace_length(&cell) <= 250);
    PaceMoment begun = pace_moment(&player, &cell, 0);
    assert_true(begun.adds && begun.lit == 1 && begun.visible == 1);
    lesson_destroy(lesson);
}

static void test_who_goes_back_sees_what_was_there_at_once(void **state) {
    Fixture *fixture = *state;
    Lesson *lesson = lesson_good(PRODUCT);
    Player player = player_of(lesson);
    move(fixture, &player, PLAYER_RIGHT);
    assert_int_equal(move(fixture, &player, PLAYER_LEFT).kind, PACE_REST);
    move(fixture, &player, PLAYER_DOWN);
    move(fixture, &player, PLAYER_RIGHT);
    assert_int_equal(move(fixture, &player, PLAYER_LEFT).kind, PACE_REST);
    assert_int_equal(move(fixture, &player, PLAYER_UP).kind, PACE_REST);
    PaceMotion rest = {0};
    assert_false(pace_moment(&player, &rest, 0).moves);
    assert_true(isinf(pace_until_change(&rest, 0)));
    lesson_destroy(lesson);
}

static void test_a_softmax_is_gathered_from_its_row(void **state) {
    Fixture *fixture = *state;
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

/* A sum of very many parts doesn't take all day. */
static void test_a_long_sum_takes_seconds(void **state) {
    (void)state;
    PaceMotion motion = {.kind = PACE_SUM, .parts = 4000};
    assert_true(pace_length(&motion) < 7000);
    assert_true(pace_length(&motion) > 3000);
}

/* ---- the page is a function of the moment ---- */

static uint64_t look(Fixture *fixture, const Player *player, PaceMoment moment) {
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

static bool shows(const Fixture *fixture, const char *words) {
    for (size_t i = 0; i < fixture->scene.count; i++) {
        const SceneItem *item = &fixture->scene.items[i];
        if (item->kind == SCENE_TEXT && strstr(item->text, words))
            return true;
    }
    return false;
}

static void test_the_page_is_a_function_of_the_moment(void **state) {
    Fixture *fixture = *state;
    Lesson *lesson = lesson_good(PRODUCT);
    Player player = player_of(lesson);
    uint64_t closed = look(fixture, &player, (PaceMoment){0});
    PaceMotion motion = move(fixture, &player, PLAYER_DOWN);
    double length = pace_length(&motion);
    uint64_t seen[8];
    PaceMoment last = {0};
    for (int pass = 0; pass < 2; pass++) { /* forwards, then backwards */
        for (int i = 0; i < 8; i++) {
            int at = pass ? 7 - i : i;
            PaceMoment moment = pace_moment(&player, &motion, length * at / 7);
            uint64_t digest = look(fixture, &player, moment);
            if (pass)
                assert_int_equal(digest, seen[at]);
            else if (at && (moment.lit != last.lit || moment.terms != last.terms))
                assert_int_not_equal(digest, seen[at - 1]);
            else if (at && at < 6 && last.adds && moment.adds)
                assert_int_equal(digest, seen[at - 1]);
            seen[at] = digest;
            last = moment;
        }
    }
    assert_int_equal(seen[7], look(fixture, &player, (PaceMoment){0}));
    move(fixture, &player, PLAYER_UP);
    assert_int_equal(closed, look(fixture, &player, (PaceMoment){0}));
    lesson_destroy(lesson);
}

/* 1 × 1 + 2 × 2 + 3 × 3 = 14, of which after two parts 5 are known. */
static void test_the_sum_grows_in_the_inspector(void **state) {
    Fixture *fixture = *state;
    Lesson *lesson = lesson_good(PRODUCT);
    Player player = player_of(lesson);
    move(fixture, &player, PLAYER_DOWN);
    PaceMoment moment = {.moves = true, .adds = true, .shown = 1, .lit = 3, .terms = 2};
    look(fixture, &player, moment);
    assert_true(shows(fixture, "so far"));
    assert_true(shows(fixture, "5"));
    assert_false(shows(fixture, "14"));
    look(fixture, &player, (PaceMoment){0});
    assert_false(shows(fixture, "so far"));
    assert_true(shows(fixture, "14"));
    lesson_destroy(lesson);
}

/* The pair that is multiplied is framed in both factors; those to come are not outlined.
 */
static size_t frames_of(const Fixture *fixture, Box *boxes, size_t most) {
    Color focus = fixture->files.themes.items[0].focus;
    size_t count = 0;
    for (size_t i = 0; i < fixture->scene.count; i++) {
        const SceneItem *item = &fixture->scene.items[i];
        if (item->kind == SCENE_RECTANGLE && !item->fill.a && item->stroke.a &&
            item->stroke.r == focus.r && item->stroke.g == focus.g &&
            item->stroke.b == focus.b && count < most)
            boxes[count++] = item->box;
    }
    return count;
}

static void test_a_pair_lights_up_in_both_factors(void **state) {
    Fixture *fixture = *state;
    Lesson *lesson = lesson_good(PRODUCT);
    Player player = player_of(lesson);
    move(fixture, &player, PLAYER_DOWN);
    Box boxes[8], cell;
    look(fixture, &player, (PaceMoment){0});
    assert_int_equal(frames_of(fixture, boxes, 8), 1); /* the cell itself */
    PaceMoment moment = {.moves = true, .adds = true, .shown = 1, .lit = 2, .terms = 1};
    look(fixture, &player, moment);
    assert_int_equal(frames_of(fixture, boxes, 8), 3);
    const char *const names[] = {"A", "B"};
    for (size_t i = 0; i < 2; i++) {
        Link link = {LINK_CELL, tape_find(lesson->tape, names[i]), i ? 1 : 0, i ? 0 : 1};
        assert_true(scene_find(&fixture->scene, link, &cell));
        Box frame = boxes[i + 1];
        assert_true(box_contains(frame, cell.x + cell.w / 2, cell.y + cell.h / 2));
        assert_true(frame.w < 1.5 * cell.w);
    }
    lesson_destroy(lesson);
}

/* ---- autoplay ---- */

static void test_autoplay_takes_cells_then_rows_then_the_rest(void **state) {
    (void)state;
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

static void test_autoplay_stops_before_chapters_and_at_questions(void **state) {
    (void)state;
    Lesson *lesson = lesson_good(PRODUCT);
    Player player = player_of(lesson);
    assert_int_equal(pace_stop(&player), PACE_AT_CHAPTER);
    assert_true(pace_go_on(&player));
    assert_int_equal(pace_stop(&player), PACE_GOES_ON);
    assert_false(pace_asks(&player));
    assert_true(pace_go_on(&player));
    assert_true(pace_asks(&player));
    assert_true(player_move(&player, PLAYER_DOWN));
    assert_true(pace_asks(&player)); /* before its first cell has gone by */
    assert_true(pace_go_on(&player));
    assert_false(pace_asks(&player));
    assert_int_equal(pace_stop(&player), PACE_GOES_ON); /* within the operation */
    lesson_destroy(lesson);
}

/* At every depth of every lesson autoplay gets to the end, and shows something new each
 * time. */
static void test_autoplay_reaches_the_end_of_every_lesson(void **state) {
    Fixture *fixture = *state;
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

static void test_words_are_given_time_to_be_read(void **state) {
    (void)state;
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
    Fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    course_begin(&fixture->files);
    course_load_folder(&fixture->files, "lessons");
    course_load_lesson(&fixture->files, "tests/fuzz/everything.yaml");
    fixture->frame = arena_create(FRAME_BYTES);
    fixture->metrics = fixed_metrics();
    *state = fixture;
    return 0;
}

static int tear_down(void **state) {
    Fixture *fixture = *state;
    course_finish(&fixture->files);
    arena_destroy(fixture->frame);
    free(fixture);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_cell_is_added_up_part_by_part),
        cmocka_unit_test(test_other_motions_are_short),
        cmocka_unit_test(test_who_goes_back_sees_what_was_there_at_once),
        cmocka_unit_test(test_a_softmax_is_gathered_from_its_row),
        cmocka_unit_test(test_a_long_sum_takes_seconds),
        cmocka_unit_test(test_the_page_is_a_function_of_the_moment),
        cmocka_unit_test(test_the_sum_grows_in_the_inspector),
        cmocka_unit_test(test_a_pair_lights_up_in_both_factors),
        cmocka_unit_test(test_autoplay_takes_cells_then_rows_then_the_rest),
        cmocka_unit_test(test_autoplay_stops_before_chapters_and_at_questions),
        cmocka_unit_test(test_autoplay_reaches_the_end_of_every_lesson),
        cmocka_unit_test(test_words_are_given_time_to_be_read),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
