/* Pictures of operations on rows: softmax, normalization, means, top-k and top-p, and the
 * loss of a target. */
#include "close.h"
#include "picture_stand.h"

#include <math.h>

/* ---- rows as dots ---- */

/* 1 and 1.02 lie side by side: a number over the other dot would be taken for its. Where
 * not all have room, only the ends have theirs. */
static void test_numbers_stand_at_all_dots_or_at_the_ends(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  x: [[1, 1.02, 8, -9]]\n"
         "steps:\n  - do: r = sqrt(mean(x * x))\n",
         (size_t)-1, (Link){0});
    assert_int_equal(scene_count_texts(&drawn->scene, "1.00") +
                         scene_count_texts(&drawn->scene, "1.02"),
                     0);
    assert_non_null(scene_find_text(&drawn->scene, "8.00"));
    assert_non_null(scene_find_text(&drawn->scene, "−9.00"));
    finish(drawn);
    draw(drawn,
         "title: t\ngiven:\n  x: [[1, 4.02, 8, -9]]\n"
         "steps:\n  - do: r = sqrt(mean(x * x))\n",
         (size_t)-1, (Link){0});
    assert_int_equal(scene_count_texts(&drawn->scene, "1.00") +
                         scene_count_texts(&drawn->scene, "4.02"),
                     2);
    finish(drawn);
}

/* Two dots without room between them stand in each row, so that only the ends have
 * numbers: wherever the least and the largest stand, once where two are equal, and
 * beside one that is infinite and has no dot. */
static void test_the_ends_have_numbers_in_any_column(void **state) {
    static const struct {
        const char *row, *least, *largest;
    } cases[] = {
        {"-9, 1, 1.02, 8", "−9.00", "8.00"},
        {"1, -9, 1.02, 8", "−9.00", "8.00"},
        {"1, 1.02, 8, -9", "−9.00", "8.00"},
        {"8, 1, 1.02, -9", "−9.00", "8.00"},
        {"1, 8, 1.02, -9", "−9.00", "8.00"},
        {"-9, -9, 1, 1.02, 8", "−9.00", "8.00"},
        {"8, 8, 1, 1.02, -9", "−9.00", "8.00"},
        {"1, 1.02, -9, -9, 8", "−9.00", "8.00"},
        {"1, 1.02, -9, 8, 8", "−9.00", "8.00"},
        {"6, 1, 1.02, 8", "1.00", "8.00"},
        {"-1.02, -6, -1, -8", "−8.00", "−1.00"},
        {"-inf, 1, 1.02, 8, -9", "−9.00", "8.00"},
        {"inf, 1, 1.02, 8, -9", "−9.00", "8.00"},
        {"1, 1.02, inf, -9, -inf, 8", "−9.00", "8.00"},
    };
    Drawn *drawn = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "title: t\ngiven:\n  x: [[%s]]\nsteps:\n"
                 "  - do: r = sqrt(mean(x * x))\n",
                 cases[i].row);
        draw(drawn, text, (size_t)-1, (Link){0});
        size_t least = scene_count_texts(&drawn->scene, cases[i].least),
               largest = scene_count_texts(&drawn->scene, cases[i].largest);
        if (least != 1 || largest != 1 ||
            scene_says(&drawn->scene, "1.02") + scene_says(&drawn->scene, "−1.02") > 0)
            fail_msg("%s: the least %zu times, the largest %zu times", cases[i].row,
                     least, largest);
        finish(drawn);
    }
}

/* 0/0 has no dot; the numbers behind it have theirs, and the ends their numbers. */
static void test_what_is_no_number_takes_no_other_s_place(void **state) {
    static const struct {
        const char *row;
        bool all; /* all of them have room */
    } cases[] = {{"0, 1, 1.02, 8, -9", false}, {"0, 4.02, 1, 8, -9", true}};
    Drawn *drawn = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "title: t\ngiven:\n  y: [[%s]]\n  z: [[0, 1, 1, 1, 1]]\nsteps:\n"
                 "  - do: x = y / z\n  - do: r = sqrt(mean(x * x))\n",
                 cases[i].row);
        draw(drawn, text, (size_t)-1, (Link){0});
        step_into(drawn, "r");
        assert_int_equal(scene_count_texts(&drawn->scene, "8.00"), 1);
        assert_int_equal(scene_count_texts(&drawn->scene, "−9.00"), 1);
        assert_int_equal(scene_count_texts(&drawn->scene, "1.00"), cases[i].all);
        assert_int_equal(scene_count_texts(&drawn->scene, "4.02"), cases[i].all);
        finish(drawn);
    }
}

/* A slice of a text is drawn in the whole text; the rest is struck out and linked to the
 * text. */
static void test_chips_cut_from_a_text_show_what_was_cut_away(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  said: [1, 3, 2]\nlabels: {said: {cols: [\"<sos>\", I, "
         "go]}}\n"
         "steps:\n  - do: reads = said[:, 1:3]\n    as: chips\n",
         (size_t)-1, (Link){0});
    drawn->stage.view = LESSON_VIEW_CHIPS;
    jump(drawn, 0);
    assert_non_null(cell_at(drawn, "reads", 0, 0));
    assert_non_null(cell_at(drawn, "reads", 0, 1));
    assert_non_null(cell_at(drawn, "said", 0, 0));
    assert_null(cell_at(drawn, "said", 0, 1));
    assert_true(cell_at(drawn, "said", 0, 0)->box.x <
                cell_at(drawn, "reads", 0, 0)->box.x);
    finish(drawn);
}

/* Rows slide out of their table at their height. */
static void test_cut_rows_stand_beside_where_they_were(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  A: {random: [5, 3], seed: 1}\n"
         "steps:\n  - do: B = A[2:4]\n",
         (size_t)-1, (Link){0});
    for (size_t row = 0; row < 2; row++) {
        Box from = cell_at(drawn, "A", row + 2, 0)->box,
            to = cell_at(drawn, "B", row, 0)->box;
        assert_close(&from.y, &to.y, 1, 0.01);
        assert_close(&from.h, &to.h, 1, 0.01);
        assert_true(to.x > cell_at(drawn, "A", row + 2, 2)->box.x + from.w);
    }
    finish(drawn);
}

/* ---- what is left to choose from, and what a target costs ---- */

static size_t count_kind(const Drawn *drawn, SceneKind kind) {
    size_t count = 0;
    for (size_t i = 0; i < drawn->scene.count; i++)
        count += drawn->scene.items[i].kind == kind;
    return count;
}

/* Two of each row's three stay: they are framed, and what is cut is hatched. */
static void test_top_k_frames_what_stays_and_hatches_what_goes(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  x: [[3, 1, 2], [5, 6, 4]]\nsteps:\n  - do: y = top_k(x, "
         "2)\n",
         (size_t)-1, (Link){0});
    assert_int_equal(outlined(drawn, drawn->canvas.theme->ink_soft), 4);
    assert_int_equal(count_kind(drawn, SCENE_CLIP), 2); /* around each hatching */
    Color masked = drawn->canvas.theme->masked;
    assert_memory_equal(&cell_at(drawn, "y", 0, 1)->fill, &masked, sizeof masked);
    assert_memory_equal(&cell_at(drawn, "y", 1, 2)->fill, &masked, sizeof masked);
    finish(drawn);
}

/* Shares 0.665, 0.245 and 0.090: the first two reach 0.7 and have 0.910. */
static void test_top_p_adds_up_the_shares_that_stay(void **state) {
    Drawn *drawn = *state;
    draw(drawn, "title: t\ngiven:\n  x: [[3, 1, 2]]\nsteps:\n  - do: y = top_p(x, 0.7)\n",
         (size_t)-1, (Link){0});
    assert_int_equal(outlined(drawn, drawn->canvas.theme->ink_soft), 2);
    assert_non_null(scene_find_text(&drawn->scene, "0.665"));
    assert_non_null(scene_find_text(&drawn->scene, "0.910"));
    finish(drawn);
}

/* The second row has no target: no frame. −log 0.245 = 1.408. */
static void test_cross_entropy_frames_the_target_s_chance(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  x: [[3, 1, 2], [1, 1, 1]]\n  aims: [2, -1]\n"
         "steps:\n  - do: y = cross_entropy(x, aims)\n",
         (size_t)-1, (Link){0});
    Color frame = drawn->canvas.theme->good_ink;
    size_t framed = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind != SCENE_RECTANGLE ||
            memcmp(&item->stroke, &frame, sizeof frame) != 0)
            continue;
        framed++;
        assert_true(item->link.row == 0 && item->link.col == 2);
    }
    assert_int_equal(framed, 1);
    assert_non_null(scene_find_text(&drawn->scene, "0.245"));
    assert_non_null(scene_find_text(&drawn->scene, "1.408"));
    finish(drawn);
}

/* ---- gradients ---- */

/* L = Σ e^x: the slope of e^x at log 1.5 and log 4 is 1.5 and 4, and so is the gradient.
 */
static void test_a_gradient_is_multiplied_by_the_slope_in_each_cell(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  x: [[0.4054651081081644, 1.3862943611198906]]\nsteps:\n  - "
         "do: y = exp(x)\n"
         "  - do: L = sum(y)\n  - do: G = gradient(L, x)\n",
         (size_t)-1, (Link){0});
    step_into(drawn, "G");
    if (drawn->player.steps[drawn->player.step].child_count) {
        assert_true(player_move(&drawn->player, PLAYER_DOWN));
        assert_true(player_move(&drawn->player, PLAYER_LAST));
        begin(drawn);
        step_picture(&drawn->stage);
    }
    assert_int_equal(scene_count_texts(&drawn->scene, "1.5"), 2); /* a slope, a result */
    assert_int_equal(scene_count_texts(&drawn->scene, "4.0"), 2);
    finish(drawn);
}

/* Chances 0.665, 0.245 and 0.090, of which the second is the target's; its frame is as
 * tall as a chance of 1, and the gradient stands below. */
static void test_what_cross_entropy_gives_back_is_drawn_at_the_chances(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  x: [[3, 2, 1]]\n  t: [1]\nsteps:\n"
         "  - do: c = cross_entropy(x, t)\n  - do: L = mean(c)\n"
         "  - do: g = gradient(L, x)\n",
         (size_t)-1, (Link){0});
    step_into(drawn, "g");
    const Theme *theme = drawn->canvas.theme;
    double heights[3] = {0}, frame = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind != SCENE_RECTANGLE || item->link.kind != LINK_CELL)
            continue;
        if (memcmp(&item->fill, &theme->sequential.stops[2], sizeof(Color)) == 0)
            heights[item->link.col] = item->box.h;
        if (memcmp(&item->stroke, &theme->good_ink, sizeof(Color)) == 0) {
            assert_int_equal(item->link.col, 1);
            frame = item->box.h - 6; /* it stands off by 3 points */
        }
    }
    assert_true(frame > 50);
    const double chances[] = {0.665, 0.245, 0.090};
    for (size_t j = 0; j < 3; j++)
        assert_close(&(double){heights[j] / frame}, &chances[j], 1, 0.01);
    assert_non_null(scene_find_text(&drawn->scene, "−0.755"));
    finish(drawn);
}

/* ---- means ---- */

/* The middle of a cell's dot; none where the cell has no dot. */
static double dot_of(const Drawn *drawn, const char *name, size_t col) {
    const SceneItem *dot = cell_at(drawn, name, 0, col);
    return dot ? dot->box.x + dot->box.w / 2 : NAN;
}

/* Under the dots 1, 2 and 6 a mark at 3, three fifths of the way back from 6 to 1. */
static void test_the_mark_of_a_mean_lies_where_dots_balance(void **state) {
    Drawn *drawn = *state;
    draw(drawn, "title: t\ngiven:\n  x: [[1, 2, 6]]\nsteps:\n  - do: m = mean(x)\n",
         (size_t)-1, (Link){0});
    double one = dot_of(drawn, "x", 0), six = dot_of(drawn, "x", 2), mark = NAN;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_POLYGON &&
            item->link.index == tape_find(drawn->lesson->tape, "m"))
            mark = item->points[0].x;
    }
    assert_close(&mark, &(double){one + (six - one) * 2 / 5}, 1, 1);
    finish(drawn);
}

/* The number subtracted from a row comes to lie at 0, and every dot is moved by the same
 * distance. */
static void test_a_row_less_its_number_is_moved_as_a_whole(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  x: [[1, 2, 6], [0, 1, 2]]\n  m: [[3], [1]]\n"
         "steps:\n  - do: y = x - m\n",
         (size_t)-1, (Link){0});
    double moved[3];
    for (size_t j = 0; j < 3; j++)
        moved[j] = dot_of(drawn, "x", j) - dot_of(drawn, "y", j);
    double unit = dot_of(drawn, "x", 1) - dot_of(drawn, "x", 0);
    assert_close(moved, ((double[]){3 * unit, 3 * unit, 3 * unit}), 3, 3);
    finish(drawn);
}

/* ---- softmax ---- */

/* The last rectangle that is filled and linked to a cell of y. */
static Box last_part(const Drawn *drawn, size_t row, size_t col) {
    Link link = {LINK_CELL, tape_find(drawn->lesson->tape, "y"), row, col};
    Box box = {0};
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_RECTANGLE && item->fill.a && link_equal(item->link, link))
            box = item->box;
    }
    return box;
}

/* Shares 0.665, 0.245 and 0.090 lie end to end, and so does each row; a masked column
 * has no part, and a row that is masked whole none at all. */
static void test_shares_lie_end_to_end_in_one_bar(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  x: [[3, 2, 1], [0, -inf, 0], [-inf, -inf, -inf]]\n"
         "steps:\n  - do: y = softmax(x)\n",
         (size_t)-1, (Link){0});
    Box parts[3];
    for (size_t j = 0; j < 3; j++)
        parts[j] = last_part(drawn, 0, j);
    double whole = parts[2].x + parts[2].w - parts[0].x;
    assert_close(&parts[1].x, &(double){parts[0].x + whole * 0.665}, 1, 2);
    assert_close(&parts[2].x, &(double){parts[0].x + whole * 0.910}, 1, 2);
    assert_close(&(double){last_part(drawn, 1, 2).w}, &(double){whole / 2}, 1, 3);
    assert_true(last_part(drawn, 1, 1).w == 0);
    assert_true(last_part(drawn, 2, 0).w == 0);
    finish(drawn);
}

/* ---- layer norm ---- */

/* −0.7223 − 0.5823 is −1.3046, but with three decimals −0.722 − 0.582 isn't −1.305: two
 * decimals are shown, with which each line is computed from the one above. */
static void test_the_lines_of_a_layer_norm_can_be_computed_on_paper(void **state) {
    static const char *const numbers[] = {"−0.72", "−1.30", "−1.53", "−1.62"};
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  x: [[-0.7223, 0.5686, 0.4070, 0.0788, 2.0210, 1.1409]]\n"
         "  g: [[1.1197, 1, 1, 1, 1, 1]]\n  b: [[0.0904, 0, 0, 0, 0, 0]]\n"
         "steps:\n  - do: N = layer_norm(x, g, b)\n",
         (size_t)-1, (Link){0});
    begin(drawn);
    drawn->stage.has_focus = true;
    drawn->stage.focus_node = drawn->stage.node;
    step_picture(&drawn->stage);
    for (size_t i = 0; i < 4; i++)
        assert_non_null(scene_find_text(&drawn->scene, numbers[i]));
    finish(drawn);
}

/* Dots lie as their numbers do, and those of the result as far from one another for a row
 * a hundred times as large, but for the scale. */
static void test_the_dots_of_a_layer_norm_lie_at_their_numbers(void **state) {
    Drawn *drawn = *state;
    double places[2][4];
    const char *const rows[] = {"[0.25, 0.5, 0.75, 1.5]", "[100, 200, 300, 600]"};
    for (size_t i = 0; i < 2; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "title: t\ngiven:\n  x: [%s]\n  g: [1, 2, 1, 1]\n  b: [0, 0, 1, 0]\n"
                 "steps:\n  - do: N = layer_norm(x, g, b)\n",
                 rows[i]);
        draw(drawn, text, (size_t)-1, (Link){0});
        double unit = dot_of(drawn, "x", 1) - dot_of(drawn, "x", 0);
        assert_close(&(double){dot_of(drawn, "x", 3) - dot_of(drawn, "x", 0)},
                     &(double){5 * unit}, 1, 5);
        for (size_t j = 0; j < 4; j++)
            places[i][j] = (dot_of(drawn, "N", j) - dot_of(drawn, "N", 0)) /
                           (dot_of(drawn, "N", 3) - dot_of(drawn, "N", 0));
        assert_true(cell_at(drawn, "x", 0, 0)->box.y < cell_at(drawn, "N", 0, 0)->box.y);
    }
    assert_close(places[1], places[0], 4, 0.01);
    assert_non_null(cell_at(drawn, "g", 0, 1));
    assert_non_null(cell_at(drawn, "b", 0, 2));
    finish(drawn);
}

/* A scaled-down row is drawn narrower, because its lines have one scale; only a row that
 * would become a heap has a scale of its own. The norm of the row (−6, 6, 0) is (−√1.5,
 * √1.5, 0), and that of a row a hundred times as wide is the same. */
static void test_a_squeezed_row_is_seen_to_be_squeezed(void **state) {
    Drawn *drawn = *state;
    const char *const rows[] = {"[-6, 6, 0]", "[-600, 600, 0]"};
    double ways[2][2];
    for (size_t i = 0; i < 2; i++) {
        char text[128];
        snprintf(text, sizeof text,
                 "title: t\ngiven:\n  x: [%s]\nsteps:\n  - do: N = layer_norm(x)\n",
                 rows[i]);
        draw(drawn, text, (size_t)-1, (Link){0});
        ways[i][0] = dot_of(drawn, "x", 1) - dot_of(drawn, "x", 0);
        ways[i][1] = dot_of(drawn, "N", 1) - dot_of(drawn, "N", 0);
    }
    assert_close(&ways[0][1], &(double){ways[0][0] * 1.224744871 / 6}, 1, 2);
    assert_true(ways[1][1] > ways[1][0] / 2);
    finish(drawn);
}

/* Lines side by side are one each, not a long one; a dot leaves of its arrow what is to
 * be seen. */
static void test_lines_of_cells_side_by_side_keep_apart(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  A: [[1, 8]]\n  B: [[1, 2]]\nsteps:\n  - do: C = A - B\n",
         (size_t)-1, (Link){0});
    double ends[2][2] = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    double middle =
        (middle_of(cell_at(drawn, "C", 0, 0)) + middle_of(cell_at(drawn, "C", 0, 1))) / 2;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind != SCENE_LINE || item->points[0].y != item->points[1].y)
            continue;
        int side = item->points[0].x > middle;
        ends[0][side] = fmin(ends[0][side], item->points[0].x);
        ends[1][side] = fmax(ends[1][side], item->points[1].x);
    }
    assert_true(ends[0][1] - ends[1][0] >= 40);
    finish(drawn);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_stand_at_all_dots_or_at_the_ends),
        cmocka_unit_test(test_the_ends_have_numbers_in_any_column),
        cmocka_unit_test(test_what_is_no_number_takes_no_other_s_place),
        cmocka_unit_test(test_chips_cut_from_a_text_show_what_was_cut_away),
        cmocka_unit_test(test_cut_rows_stand_beside_where_they_were),
        cmocka_unit_test(test_top_k_frames_what_stays_and_hatches_what_goes),
        cmocka_unit_test(test_top_p_adds_up_the_shares_that_stay),
        cmocka_unit_test(test_cross_entropy_frames_the_target_s_chance),
        cmocka_unit_test(test_a_gradient_is_multiplied_by_the_slope_in_each_cell),
        cmocka_unit_test(test_what_cross_entropy_gives_back_is_drawn_at_the_chances),
        cmocka_unit_test(test_the_mark_of_a_mean_lies_where_dots_balance),
        cmocka_unit_test(test_a_row_less_its_number_is_moved_as_a_whole),
        cmocka_unit_test(test_shares_lie_end_to_end_in_one_bar),
        cmocka_unit_test(test_a_squeezed_row_is_seen_to_be_squeezed),
        cmocka_unit_test(test_lines_of_cells_side_by_side_keep_apart),
        cmocka_unit_test(test_the_dots_of_a_layer_norm_lie_at_their_numbers),
        cmocka_unit_test(test_the_lines_of_a_layer_norm_can_be_computed_on_paper),
    };
    return cmocka_run_group_tests(tests, drawn_set_up, drawn_tear_down);
}
