/* Attention as a circuit: its parts are found however it is written, every part is drawn
 * and leads to its cells, one row is in numbers, masks are hatched, heads keep their
 * colours. */
#include "drawn_lesson.h"
#include "picture/circuits/circuits.h"
#include "picture/draw/lanes.h"
#include "scene_find.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const Box AREA = {424, 230, 1136, 500}; /* beside a model's map, below its words */

static const char text[] =
    "title: t\n"
    "given:\n"
    "  H: {random: [4, 4], seed: 1}\n"
    "  M: {random: [6, 4], seed: 9}\n"
    "  T: [[0, 0], [0, 0], [0, 0], [3, 1], [0, 0], [0, 0]]\n"
    "  N: [[0], [0]]\n"
    "  N3: [[1, 1], [1, 3], [1, 5]]\n"
    "  W_Q: {random: [4, 4], seed: 2}\n"
    "  W_K: {random: [4, 4], seed: 3}\n"
    "  W_V: {random: [4, 4], seed: 4}\n"
    "  W_O: {random: [4, 4], seed: 5}\n"
    "labels:\n"
    "  H: {rows: [so, it, goes, on]}\n"
    "  M: {rows: [a, b, c, d, e, f]}\n"
    "steps:\n"
    "  - do: K = H @ W_K\n"
    "  - do: V = H @ W_V\n"
    "  - do: A = softmax((H @ W_Q) @ (H @ W_K).T / sqrt(4) + causal_mask(4))\n"
    "  - do: O = attention(H @ W_Q, K, V, causal_mask(4))\n"
    "  - do: B = A @ (H @ W_V)\n"
    "  - do: X = attention(H @ W_Q, M @ W_K, M @ W_V)\n"
    "  - do: S = softmax(H @ H.T / sqrt(4))\n"
    "  - do: P = multi_head_attention(H, M, W_Q, W_K, W_V, W_O, 2)\n"
    "  - do: R = softmax(H @ W_Q) + H\n"
    "  - do: U = H @ W_Q + H\n"
    "  - do: G = softmax(W_O) @ (H @ W_V)\n"
    "  - do: C = (H @ W_Q) @ (H @ W_K).T / sqrt(4)\n"
    "  - do: D = H @ M.T / sqrt(4)\n"
    "  - do: halves = attention(N, N3[0:2, 0:1], N3[0:2, 1:2])\n"
    "  - do: thirds = attention(N, N3[:, 0:1], N3[:, 1:2])\n"
    "  - do: Y = softmax(T @ H[0:2, 0:2].T)\n"
    "  - do: E = softmax((M @ W_Q) @ (H @ W_K).T / sqrt(4))\n"
    "  - do: I = M[:, 0:2] @ H[:, 0:2].T\n"
    "  - do: J = M[1:4] @ H[0:2].T\n"
    "  - do: L = (M @ W_Q) @ (H @ W_K).T\n";

static int load(void **state) {
    Drawn *drawn = calloc(1, sizeof *drawn);
    assert_non_null(drawn);
    drawn_begin(drawn, text);
    *state = drawn;
    return 0;
}

static int unload(void **state) {
    Drawn *drawn = *state;
    if (!drawn) /* loading failed */
        return 0;
    drawn_finish(drawn);
    free(drawn);
    return 0;
}

static size_t node_named(const Drawn *drawn, const char *name) {
    size_t node = tape_find(drawn->lesson->tape, name);
    assert_true(node != TAPE_NONE);
    return node;
}

/* How many items of a kind stand for a cell. */
static size_t count_cell(const Drawn *drawn, SceneKind kind, size_t node, size_t row,
                         size_t col) {
    Link link = {LINK_CELL, node, row, col};
    size_t count = 0;
    for (size_t i = 0; i < drawn->scene.count; i++)
        count += drawn->scene.items[i].kind == kind &&
                 link_equal(drawn->scene.items[i].link, link);
    return count;
}

static bool row_is_drawn(const Drawn *drawn, size_t node, size_t row) {
    const Tensor *tensor = &tape_node(drawn->lesson->tape, node)->output;
    size_t cells = 0;
    for (size_t col = 0; col < tensor->cols; col++)
        cells += count_cell(drawn, SCENE_RECTANGLE, node, row, col) > 0;
    return cells == tensor->cols;
}

/* Asserts that every cell of a tensor is drawn within the area. */
static void assert_cells_drawn(const Drawn *drawn, const char *name) {
    size_t node = node_named(drawn, name);
    const Tensor *tensor = &tape_node(drawn->lesson->tape, node)->output;
    for (size_t i = 0; i < tensor_cells(tensor); i++) {
        size_t row = i / tensor->cols, col = i % tensor->cols;
        if (!count_cell(drawn, SCENE_RECTANGLE, node, row, col))
            print_error("%s[%zu, %zu] is not drawn\n", name, row, col);
        assert_true(count_cell(drawn, SCENE_RECTANGLE, node, row, col));
        Box box;
        assert_true(scene_find(&drawn->scene, (Link){LINK_CELL, node, row, col}, &box));
        assert_true(box.x >= AREA.x - 1 && box.x + box.w <= AREA.x + AREA.w + 1);
        assert_true(box.y >= AREA.y - 1 && box.y + box.h <= AREA.y + AREA.h + 1);
    }
}

static size_t count_lanes(const Drawn *drawn, Color color) {
    size_t count = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        count += item->kind == SCENE_LINE && item->width >= 4 &&
                 memcmp(&item->fill, &color, sizeof color) == 0;
    }
    return count;
}

/* ---- what is an attention ---- */

static void test_attention_is_found_however_it_is_written(void **state) {
    Drawn *drawn = *state;
    const struct {
        const char *name;
        bool one, several, makes_queries, mixes;
    } rows[] = {{"A", true, false, true, false},   {"O", true, false, true, true},
                {"B", false, false, false, false}, {"X", true, false, true, true},
                {"S", true, false, false, false},  {"P", false, true, true, true},
                {"R", false, false, false, false}, {"U", false, false, false, false},
                {"G", false, false, false, false}, {"C", true, false, true, false},
                {"D", false, false, false, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        drawn_draw(drawn, drawn_step_named(drawn, rows[i].name), AREA);
        AttentionParts parts;
        AttentionHeads heads;
        print_message("%s\n", rows[i].name);
        assert_int_equal(attention_find(&drawn->stage, &parts), rows[i].one);
        assert_int_equal(attention_find_heads(&drawn->stage, &heads), rows[i].several);
        if (rows[i].one) {
            assert_int_equal(parts.query.weight != TAPE_NONE, rows[i].makes_queries);
            assert_int_equal(parts.output != TAPE_NONE, rows[i].mixes);
        }
        if (rows[i].several)
            assert_int_equal(heads.count, 2);
    }
}

/* Keys and values that earlier steps have made come from the words, too, which this step
 * makes queries of; where it makes nothing of them, there are none. */
static void test_what_was_made_before_has_its_lane(void **state) {
    Drawn *drawn = *state;
    static const Role roles[] = {ROLE_KEY, ROLE_VALUE};
    const struct {
        const char *name;
        size_t lanes;
    } steps[] = {{"O", 1}, {"S", 0}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        drawn_draw(drawn, drawn_step_named(drawn, steps[i].name), AREA);
        for (size_t j = 0; j < sizeof roles / sizeof *roles; j++)
            assert_int_equal(
                count_lanes(drawn, lane_color(&drawn->canvas, roles[j], false)),
                steps[i].lanes);
    }
}

static void test_a_head_knows_which_one_it_is(void **state) {
    Drawn *drawn = *state;
    size_t step = drawn_step_named(drawn, "P"), head = 9, count = 0, seen = 0;
    drawn_draw(drawn, step, AREA);
    assert_false(attention_head_of(&drawn->stage, &head, &count));
    for (size_t i = step + 1; i < drawn->player.steps[step].next; i++) {
        if (!drawn->player.steps[i].child_count)
            continue;
        drawn_draw(drawn, i, AREA);
        assert_true(attention_head_of(&drawn->stage, &head, &count));
        assert_int_equal(head, seen++);
        assert_int_equal(count, 2);
    }
    assert_int_equal(seen, 2);
}

/* ---- one attention ---- */

static void test_every_cell_of_the_circuit_is_drawn(void **state) {
    Drawn *drawn = *state;
    drawn_draw(drawn, drawn_step_named(drawn, "E"), AREA);
    const char *const names[] = {"M", "H", "W_Q", "W_K", "E"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_cells_drawn(drawn, names[i]);
}

/* Queries and keys meet in scores without a softmax: everything has the colours of signed
 * numbers, and no values are read yet. */
static void test_a_circuit_may_end_with_scores(void **state) {
    Drawn *drawn = *state;
    drawn_draw(drawn, drawn_step_named(drawn, "C"), AREA);
    const char *const names[] = {"H", "W_Q", "W_K", "C"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_cells_drawn(drawn, names[i]);
    const Role roles[] = {ROLE_QUERY, ROLE_KEY};
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(count_lanes(drawn, lane_color(&drawn->canvas, roles[i], false)),
                         1);
    assert_int_equal(
        count_lanes(drawn, lane_color(&drawn->canvas, ROLE_PROBABILITIES, true)), 0);
}

static void test_three_lanes_lead_from_what_goes_in(void **state) {
    Drawn *drawn = *state;
    drawn_draw(drawn, drawn_step_named(drawn, "X"), AREA);
    const Role roles[] = {ROLE_QUERY, ROLE_KEY, ROLE_VALUE};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(count_lanes(drawn, lane_color(&drawn->canvas, roles[i], false)),
                         1);
    assert_cells_drawn(drawn, "M"); /* two sources: the words, and the memory */
    assert_cells_drawn(drawn, "H");
}

/* Returns true if all scores of a row of attention weights are drawn. */
static bool scores_are_drawn(const Drawn *drawn, const char *weights, size_t row) {
    size_t shares = node_named(drawn, weights);
    return row_is_drawn(drawn, tape_node(drawn->lesson->tape, shares)->inputs[0], row);
}

/* However short room is: where all rows have none, one has. */
static void test_queries_and_keys_always_meet(void **state) {
    Drawn *drawn = *state;
    size_t all = 0, one = 0;
    for (double width = AREA.w; width >= 560; width -= 24) {
        Box area = AREA;
        area.w = width;
        drawn_draw(drawn, drawn_step_named(drawn, "A"), area);
        size_t rows = 0;
        for (size_t row = 0; row < 4; row++)
            rows += scores_are_drawn(drawn, "A", row);
        assert_true(rows == 4 || rows == 1);
        all += rows == 4;
        one += rows == 1;
    }
    assert_true(all > 0 && one > 0);
}

/* Type for the back row: one row's way, with a score and a share for each key. */
static void test_large_type_shows_one_rows_way(void **state) {
    Drawn *drawn = *state;
    drawn->enlarged = 2;
    drawn_draw(drawn, drawn_step_named(drawn, "X"), AREA);
    drawn->enlarged = 0;
    size_t shares = node_named(drawn, "X.weights"), rows = 0, numbers = 0;
    for (size_t row = 0; row < 4; row++) {
        rows += scores_are_drawn(drawn, "X.weights", row);
        for (size_t col = 0; col < 6; col++)
            numbers += count_cell(drawn, SCENE_TEXT, shares, row, col);
    }
    assert_int_equal(rows, 1);
    assert_int_equal(numbers, 6);
}

/* How many of the row that is in numbers have a share and a score. */
static size_t keys_shown(const Drawn *drawn, const char *weights) {
    size_t shares = node_named(drawn, weights), shown = 0;
    size_t scores = tape_node(drawn->lesson->tape, shares)->inputs[0];
    for (size_t cell = 0; cell < 24; cell++)
        shown += count_cell(drawn, SCENE_TEXT, shares, cell / 6, cell % 6) &&
                 count_cell(drawn, SCENE_RECTANGLE, scores, cell / 6, cell % 6);
    return shown;
}

/* How many texts stand for keys that have no line. */
static size_t others_told(const Drawn *drawn) {
    size_t told = 0;
    for (size_t i = 0; i < drawn->scene.count; i++)
        told += drawn->scene.items[i].kind == SCENE_TEXT &&
                strstr(drawn->scene.items[i].text, " others");
    return told;
}

/* The lesson's attention in large type, where room is low. */
static void draw_low(Drawn *drawn, double height) {
    Box low = AREA;
    low.h = height;
    drawn->enlarged = 2;
    drawn_draw(drawn, drawn_step_named(drawn, "X"), low);
    drawn->enlarged = 0;
}

/* Where room is low lines are, too, before any is left out: what is drawn of an attention
 * adds up to what it makes. */
static void test_lines_are_low_before_keys_are_left_out(void **state) {
    Drawn *drawn = *state;
    draw_low(drawn, 300);
    assert_int_equal(keys_shown(drawn, "X.weights"), 6);
    assert_int_equal(others_told(drawn), 0);
}

/* Of more keys than have room those with the largest shares have lines, the others one
 * together, in all columns: keys, scores and values. */
static void test_keys_without_room_share_a_line(void **state) {
    Drawn *drawn = *state;
    draw_low(drawn, 230);
    size_t node = node_named(drawn, "X.weights"), shown = 0, row = 0;
    const Tensor *shares = &tape_node(drawn->lesson->tape, node)->output;
    double least = 1, most_left_out = 0;
    for (size_t cell = 0; cell < 24; cell++) {
        if (count_cell(drawn, SCENE_TEXT, node, cell / 6, cell % 6))
            row = cell / 6;
    }
    for (size_t col = 0; col < 6; col++) {
        bool has = count_cell(drawn, SCENE_TEXT, node, row, col) > 0;
        shown += has;
        if (has)
            least = fmin(least, tensor_at(shares, row, col));
        else
            most_left_out = fmax(most_left_out, tensor_at(shares, row, col));
    }
    assert_in_range(shown, 1, 5);
    assert_true(least >= most_left_out);
    assert_int_equal(others_told(drawn), 3);
}

static void test_masked_shares_are_hatched(void **state) {
    Drawn *drawn = *state;
    drawn_draw(drawn, drawn_step_named(drawn, "A"), AREA);
    size_t node = node_named(drawn, "A");
    for (size_t row = 0; row < 4; row++) {
        for (size_t col = 0; col < 4; col++) {
            size_t lines = count_cell(drawn, SCENE_LINE, node, row, col);
            assert_true(col > row ? lines > 2 : lines <= 1); /* at most an arc */
        }
    }
    drawn_draw(drawn, drawn_step_named(drawn, "O"), AREA); /* and where they are bars */
    drawn->stage.has_focus = true;
    drawn->stage.focus_node = drawn->stage.node = node_named(drawn, "O");
    drawn->stage.focus_row = 1;
    step_picture(&drawn->stage);
    node = node_named(drawn, "O.weights");
    for (size_t col = 0; col < 4; col++)
        assert_int_equal(count_cell(drawn, SCENE_LINE, node, 1, col) > 2, col > 1);
}

/* The chosen row's shares stand in the table and as arcs. */
static void test_the_chosen_row_is_in_numbers(void **state) {
    Drawn *drawn = *state;
    drawn_draw(drawn, drawn_step_named(drawn, "E"), AREA);
    size_t node = node_named(drawn, "E"), chosen = 0;
    for (size_t row = 0; row < 6; row++) {
        size_t texts = 0, arcs = 0;
        for (size_t col = 0; col < 4; col++) {
            texts += count_cell(drawn, SCENE_TEXT, node, row, col);
            arcs += count_cell(drawn, SCENE_LINE, node, row, col);
        }
        assert_true(texts == 0 || texts >= 4);
        assert_true((texts > 0) == (arcs > 0));
        chosen += texts > 0;
    }
    assert_int_equal(chosen, 1);
}

/* 0.5 × 1 + 0.5 × 3 is 2, but what is written of a third adds up to 2.01. */
static void test_rounded_shares_are_only_nearly_equal(void **state) {
    Drawn *drawn = *state;
    drawn_draw(drawn, drawn_step_named(drawn, "halves"), AREA);
    assert_true(scene_shows(&drawn->scene, "=") && !scene_shows(&drawn->scene, "≈"));
    drawn_draw(drawn, drawn_step_named(drawn, "thirds"), AREA);
    assert_true(scene_shows(&drawn->scene, "≈") && !scene_shows(&drawn->scene, "="));
}

/* Holds also for more queries than fit, with the focused one beyond them all. */
static void test_each_share_has_one_arc(void **state) {
    Drawn *drawn = *state;
    static const char *const names[] = {"E", "Y"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        drawn_draw(drawn, drawn_step_named(drawn, names[i]), AREA);
        size_t node = node_named(drawn, names[i]), arcs = 0;
        const Tensor *shares = &tape_node(drawn->lesson->tape, node)->output;
        for (size_t cell = 0; cell < shares->rows * 10; cell++) {
            size_t row = cell / 10, col = cell % 10;
            size_t lines = count_cell(drawn, SCENE_LINE, node, row, col);
            assert_true(lines <= (col < shares->cols));
            arcs += lines;
        }
        assert_true(arcs >= 2 && arcs <= shares->cols);
    }
}

/* Its operations show where they stand in it, and lead back to it. */
static void test_an_operation_inside_leads_back_to_the_whole(void **state) {
    Drawn *drawn = *state;
    size_t whole = drawn_step_named(drawn, "A"), inside = 0;
    for (size_t i = whole + 1; i < drawn->player.steps[whole].next; i++) {
        drawn_draw(drawn, i, AREA);
        Box box;
        Link link = {.kind = LINK_STEP, .index = whole};
        assert_true(scene_find(&drawn->scene, link, &box));
        assert_true(box.x > AREA.x + AREA.w / 2 && box.y < AREA.y + 20);
        inside++;
    }
    assert_int_equal(inside, 7); /* Q, K, the scores, scaled, the mask, masked, shares */
    size_t other = drawn_step_named(drawn, "U");
    drawn_draw(drawn, other + 1, AREA);
    Box box;
    assert_false(
        scene_find(&drawn->scene, (Link){.kind = LINK_STEP, .index = other}, &box));
}

/* Scores that are not divided are the last table: nothing else is there to lead to. */
static void test_lanes_stay_in_the_picture(void **state) {
    Drawn *drawn = *state;
    const char *const steps[] = {"I", "J", "L", "C", "E"};
    for (size_t i = 0; i < 2 * sizeof steps / sizeof *steps; i++) {
        size_t lines = 0;
        drawn->enlarged = i % 2 ? 30 : 0;
        drawn_draw(drawn, drawn_step_named(drawn, steps[i / 2]), AREA);
        drawn->enlarged = 0;
        for (size_t k = 0; k < drawn->scene.count; k++) {
            const SceneItem *item = &drawn->scene.items[k];
            Box box = item->box;
            if (item->kind != SCENE_LINE)
                continue;
            lines++;
            if (box.x < AREA.x || box.y < AREA.y || box.x + box.w > AREA.x + AREA.w ||
                box.y + box.h > AREA.y + AREA.h)
                fail_msg("%s has a line from (%g, %g)", steps[i / 2], box.x, box.y);
        }
        assert_true(lines > 0 || i / 2 == 1);
    }
}

/* ---- several heads ---- */

static void test_heads_keep_their_colours(void **state) {
    Drawn *drawn = *state;
    drawn_draw(drawn, drawn_step_named(drawn, "P"), AREA);
    const char *const names[] = {"H",
                                 "M",
                                 "P.query",
                                 "P.key",
                                 "P.value",
                                 "P.head_1.weights",
                                 "P.head_2.weights",
                                 "P.concat",
                                 "W_O",
                                 "P"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_cells_drawn(drawn, names[i]);
    const Theme *theme = drawn->canvas.theme; /* on Q, K, V, concat and W_O */
    assert_int_equal(scene_filled(&drawn->scene, theme->other[0]), 5);
    assert_int_equal(scene_filled(&drawn->scene, theme->other[1]), 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attention_is_found_however_it_is_written),
        cmocka_unit_test(test_what_was_made_before_has_its_lane),
        cmocka_unit_test(test_a_head_knows_which_one_it_is),
        cmocka_unit_test(test_every_cell_of_the_circuit_is_drawn),
        cmocka_unit_test(test_a_circuit_may_end_with_scores),
        cmocka_unit_test(test_three_lanes_lead_from_what_goes_in),
        cmocka_unit_test(test_queries_and_keys_always_meet),
        cmocka_unit_test(test_large_type_shows_one_rows_way),
        cmocka_unit_test(test_lines_are_low_before_keys_are_left_out),
        cmocka_unit_test(test_keys_without_room_share_a_line),
        cmocka_unit_test(test_masked_shares_are_hatched),
        cmocka_unit_test(test_the_chosen_row_is_in_numbers),
        cmocka_unit_test(test_rounded_shares_are_only_nearly_equal),
        cmocka_unit_test(test_each_share_has_one_arc),
        cmocka_unit_test(test_an_operation_inside_leads_back_to_the_whole),
        cmocka_unit_test(test_lanes_stay_in_the_picture),
        cmocka_unit_test(test_heads_keep_their_colours),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
