/* Pictures of what takes tables as wholes: products, sums and differences, rows that are
 * stacked and cut. */
#include "close.h"
#include "picture_stand.h"

#include <math.h>

/* ---- products, sums and differences ---- */

/* 2 is the largest number of A and 40 that of B: if A is so large that colours replace
 * its numbers, both have the palette's last colour. */
static void test_large_factors_of_different_size_have_scales_of_their_own(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  A: [[1, 2, 1, 1, 1], [1, 1, 1, 1, 1], [1, 1, 1, 1, 1],\n"
         "      [1, 1, 1, 1, 1], [1, 1, 1, 1, 1]]\n"
         "  B: [[10, 20], [30, 40], [1, 1], [1, 1], [1, 1]]\n"
         "steps:\n  - do: C = A @ B\n",
         (size_t)-1, (Link){0});
    const Palette *palette = &drawn->canvas.theme->diverging;
    Color last = palette->stops[palette->count - 1];
    Color a = cell_at(drawn, "A", 0, 1)->fill, b = cell_at(drawn, "B", 1, 1)->fill;
    assert_memory_equal(&a, &last, sizeof last);
    assert_memory_equal(&b, &last, sizeof last);
    assert_non_null(scene_find_text(&drawn->scene, "40")); /* a legend's end */
    finish(drawn);
}

/* A single number has no legend. */
static void test_a_number_stands_beside_tables_of_other_scales(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n"
         "  z: [[1], [1], [2], [3], [8], [20], [50], [99], [200], [404], [1], [7], [9]]\n"
         "steps:\n  - do: R = 2 / z\n",
         (size_t)-1, (Link){0});
    for (double height = 560; height >= 300; height -= 20) {
        begin(drawn);
        drawn->stage.area = (Box){20, 20, 1000, height};
        step_picture(&drawn->stage);
        assert_non_null(scene_find_text(&drawn->scene, "404"));
    }
    finish(drawn);
}

/* If A is small, all tables have one scale. */
static void test_small_factors_have_the_scale_of_the_product(void **state) {
    Drawn *drawn = *state;
    draw(drawn, PRODUCT, (size_t)-1, (Link){0});
    const Tensor *product = &tape_node(drawn->lesson->tape, drawn->stage.node)->output;
    const Palette *palette = &drawn->canvas.theme->diverging;
    double reach = heatmap_reach(product);
    ColorScale scale = {palette, -reach, reach, drawn->canvas.theme->masked};
    Color a = cell_at(drawn, "A", 0, 1)->fill, expected = color_scale_at(&scale, 2);
    assert_memory_equal(&a, &expected, sizeof a);
    finish(drawn);
}

/* From 2 to 8 it is a long way to the right; 1 stays where it is, a dot within its ring.
 */
static void test_a_difference_is_an_arrow_from_number_to_number(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  A: [[1, 8]]\n  B: [[1, 2]]\nsteps:\n  - do: C = A - B\n",
         (size_t)-1, (Link){0});
    const SceneItem *dot = cell_at(drawn, "A", 0, 0), *ring = cell_at(drawn, "B", 0, 0);
    assert_true(fabs(middle_of(dot) - middle_of(ring)) <= 1);
    assert_true(dot->box.w < ring->box.w);
    double far =
        middle_of(cell_at(drawn, "A", 0, 1)) - middle_of(cell_at(drawn, "B", 0, 1));
    assert_true(far > 100);
    assert_non_null(scene_find_text(&drawn->scene, "+6"));
    finish(drawn);
}

/* The gradient of Σ w² is 2 w: each weight goes towards 0, and what its arrow is called
 * has the way's sign, not the gradient's. */
static void test_an_update_leads_against_the_gradient(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  W: [[3, -2]]\nsteps:\n"
         "  - do: S = sum(W * W)\n  - do: G = gradient(S, W)\n"
         "  - do: W_1 = W - 0.25 * G\n  - show: [W, G]\n",
         (size_t)-1, (Link){0});
    step_into(drawn, "W_1");
    assert_true(middle_of(cell_at(drawn, "W_1", 0, 0)) <
                middle_of(cell_at(drawn, "W", 0, 0)) - 20);
    assert_non_null(scene_find_text(&drawn->scene, "−1.5"));
    assert_non_null(scene_find_text(&drawn->scene, "+1.0"));
    jump(drawn, drawn->player.step_count - 1); /* shows both */
    assert_non_null(scene_find_text(&drawn->scene, "−6"));
    assert_non_null(scene_find_text(&drawn->scene, "+4"));
    finish(drawn);
}

/* The output of a sublayer comes in from above to the rows on the residual lane. */
static void test_a_sum_lies_on_a_lane(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  X: [[1, 8], [2, 3]]\n  Z: [[0.125, 2], [4, 5]]\n"
         "steps:\n  - do: R = X + Z\n",
         (size_t)-1, (Link){0});
    Box x = cell_at(drawn, "X", 0, 0)->box, z = cell_at(drawn, "Z", 0, 0)->box,
        r = cell_at(drawn, "R", 0, 0)->box;
    assert_true(z.y < x.y && x.x < z.x && z.x < r.x);
    assert_close(&x.y, &r.y, 1, 0.01);
    /* all digits are as large as these */
    double size = scene_find_text(&drawn->scene, "0.125")->size;
    assert_close(&scene_find_text(&drawn->scene, "8")->size, &size, 1, 0.01);
    finish(drawn);
}

/* The root of the mean square of 3 and 4 is 3.536: a band of that width on both sides of
 * 0, also if the mean square itself is computed. */
static void test_a_row_s_size_is_a_band_behind_its_dots(void **state) {
    Drawn *drawn = *state;
    static const char *const sizes[] = {"sqrt(mean(x * x))", "mean(x * x)"};
    for (int i = 0; i < 2; i++) {
        char text[128];
        snprintf(text, sizeof text,
                 "title: t\ngiven:\n  x: [[3, 4], [1, 1]]\nsteps:\n  - do: r = %s\n",
                 sizes[i]);
        draw(drawn, text, (size_t)-1, (Link){0});
        const SceneItem *large = cell_at(drawn, "r", 0, 0),
                        *small = cell_at(drawn, "r", 1, 0);
        assert_close(&(double){large->box.w / small->box.w}, &(double){sqrt(12.5)}, 1,
                     0.05);
        const SceneItem *three = cell_at(drawn, "x", 0, 0),
                        *four = cell_at(drawn, "x", 0, 1);
        double end = large->box.x + large->box.w;
        assert_true(middle_of(three) < end && end < middle_of(four));
        assert_true(large->box.h <= three->box.h + 0.01); /* clear of the numbers */
        assert_true(scene_shows(&drawn->scene, "±"));     /* and it has a name */
        finish(drawn);
    }
}

static void test_a_stack_s_parts_don_t_repeat_its_name(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\nmodel:\n  kind: decoder\n  d_model: 2\n  steps: false\n"
         "  corpus: [a b c]\n  target: a\n  weights: {random: 1}\nsteps:\n"
         "  - generate: {rule: beam, beam: 2, length: 2}\n",
         (size_t)-1, (Link){0});
    step_into(drawn, "said.turn_2.next_logits");
    assert_int_equal(scene_count_texts(&drawn->scene, "next token's logits"), 1);
    finish(drawn);
}

/* Rows shown beside a norm's are dots on lines of one scale: equal numbers stand equally
 * far from their 0. */
static void test_rows_shown_beside_a_norm_s_are_dots_of_one_scale(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  X: [[1, 2, 6], [4, 0, -1]]\n  Y: [[1, 0, -1], [3, 1, 0]]\n"
         "steps:\n  - do: N = layer_norm(X)\n  - show: [Y, X, N]\n",
         (size_t)-1, (Link){0});
    jump(drawn, drawn->player.step_count - 1);
    double one = cell_at(drawn, "Y", 0, 0)->box.x - cell_at(drawn, "Y", 0, 1)->box.x;
    double two = cell_at(drawn, "X", 1, 0)->box.x - cell_at(drawn, "X", 1, 1)->box.x;
    assert_close(&(double){4 * one}, &two, 1, 4.01); /* dots lie on whole points */
    assert_true(cell_at(drawn, "N", 1, 0)->box.y > cell_at(drawn, "N", 0, 0)->box.y);
    assert_close(&cell_at(drawn, "N", 1, 0)->box.y, &cell_at(drawn, "Y", 1, 2)->box.y, 1,
                 0.01);
    assert_true(scene_says(&drawn->scene, "row mean")); /* what the mark under them is */
    finish(drawn);
}

/* A norm of numbers a hundred times as large has its dots at the same places, but where
 * the scale changes the page is torn, and says so. */
static void test_a_norm_of_large_numbers_is_torn_where_its_scale_changes(void **state) {
    Drawn *drawn = *state;
    const char *const rows[] = {"[-1.5, 0.5, 1]", "[-150, 50, 100]"};
    double places[2][6];
    for (size_t i = 0; i < 2; i++) {
        char text[128];
        snprintf(text, sizeof text,
                 "title: t\ngiven:\n  X: [%s]\nsteps:\n  - do: N = layer_norm(X)\n",
                 rows[i]);
        draw(drawn, text, (size_t)-1, (Link){0});
        assert_int_equal(scene_says(&drawn->scene, "scale ÷ 100"), i);
        for (size_t col = 0; col < 3; col++) {
            places[i][col] = cell_at(drawn, "X", 0, col)->box.x;
            places[i][3 + col] = cell_at(drawn, "N", 0, col)->box.x;
        }
        finish(drawn);
    }
    assert_close(places[1], places[0], 6, 0.01);
}

/* Of rows with a single 1 the focused one's frames the row that it picks. */
static void test_a_single_one_frames_the_row_that_it_picks(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  E: [[1, 2, 3], [4, 5, 6], [7, 8, 9]]\n  ids: [2, 1]\n"
         "steps:\n  - do: H = one_hot(ids, 3)\n  - do: X = H @ E\n",
         (size_t)-1, (Link){0});
    drawn->stage.has_focus = true; /* at the first cell */
    jump(drawn, drawn->player.step_count - 1);
    size_t frames[3] = {0};
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        for (size_t row = 0; row < 3; row++) {
            const SceneItem *first = cell_at(drawn, "E", row, 0),
                            *last = cell_at(drawn, "E", row, 2);
            double width = last->box.x + last->box.w - first->box.x;
            frames[row] += item->kind == SCENE_RECTANGLE && item->stroke.a &&
                           !item->fill.a && fabs(item->box.w - width) < 10 &&
                           fabs(item->box.y - first->box.y) < 5 &&
                           fabs(item->box.h - first->box.h) < 10;
        }
    }
    assert_true(frames[0] == 0 && frames[1] == 0 && frames[2] == 1);
    finish(drawn);
}

/* One pair a word: the hand's two numbers stand below it. */
static void test_a_single_turned_pair_has_its_numbers_below(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  X: [[1, 0], [1, 0]]\nsteps:\n  - do: R = rotary(X)\n",
         (size_t)-1, (Link){0});
    assert_true(scene_says(&drawn->scene, "position 1: rotated 1 rad"));
    assert_true(scene_says(&drawn->scene, "1.000")); /* unturned, and as long */
    assert_true(scene_says(&drawn->scene, "0.540")); /* cos 1 */
    assert_true(scene_says(&drawn->scene, "0.841")); /* sin 1 */
    finish(drawn);
}

/* A row selected before a product needs no picture of its own: Falk's scheme shows the
 * row. */
static void test_a_picked_row_s_product_is_falk_s_scheme(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  H: [[1, 2], [3, 4]]\n  W: [[5, 6], [7, 8]]\n"
         "steps:\n  - do: k = H[1] @ W\n",
         (size_t)-1, (Link){0});
    Box w = cell_at(drawn, "W", 1, 0)->box, k = cell_at(drawn, "k", 0, 0)->box;
    assert_close(&w.x, &k.x, 1, 0.01); /* above the product, column by column */
    assert_true(w.y < k.y);
    assert_null(cell_at(drawn, "H", 0, 0));
    finish(drawn);
}

/* Scores are a product: Falk's scheme, and behind it in the same rows what is made of
 * them, on their scale. */
static void test_scores_are_scaled_beside_their_product(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  Q: [[1, 2], [3, 4]]\n  K: [[5, 6], [7, 8]]\n"
         "steps:\n  - do: S = Q @ K.T / 2 + causal_mask(2)\n",
         (size_t)-1, (Link){0});
    Box q = cell_at(drawn, "Q", 1, 0)->box, s = cell_at(drawn, "S", 1, 0)->box;
    assert_close(&q.y, &s.y, 1, 0.01);
    assert_true(s.x > q.x + 300);
    assert_true(scene_says(&drawn->scene, "39")); /* the product's number */
    /* the halved number is drawn twice */
    assert_int_equal(scene_count_texts(&drawn->scene, "19.5"), 2);
    finish(drawn);
}

/* Where not all columns of a word's row have room for numbers, all are of one width. */
static void test_a_layer_s_row_shows_all_of_its_columns(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\nmodel:\n  d_model: 8\n  heads: 1\n  layers: 1\n  corpus: [a b]\n"
         "  source: a b\n  target: a\n  weights: {random: 1}\nsteps:\n  - at: memory\n   "
         " as: heatmap\n",
         (size_t)-1, (Link){0});
    drawn->stage.area.w = 900;
    step_into(drawn, "decoder.0.norm_3");
    double least = 1000, most = 0;
    for (size_t col = 0; col < 8; col++) {
        const SceneItem *cell = cell_at(drawn, "decoder.0.norm_3", 1, col);
        assert_non_null(cell);
        least = fmin(least, cell->box.w);
        most = fmax(most, cell->box.w);
    }
    assert_true(most - least <= 1 && least >= 8);
    finish(drawn);
}

/* A low temperature leaves one word: the others' zeros are summed up in one line. */
static void test_words_without_a_chance_have_no_row(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\nmodel:\n  kind: decoder\n  d_model: 4\n  steps: false\n"
         "  corpus: [a b c d e f g h i j k l]\n  target: a\n  weights: {random: 1}\n"
         "steps:\n  - generate: {rule: sample, temperature: 0.01, length: 1}\n",
         (size_t)-1, (Link){0});
    size_t rows = 0, node = tape_find(drawn->lesson->tape, "said.turn_1.chances");
    for (size_t col = 0; col < tape_node(drawn->lesson->tape, node)->output.cols; col++)
        rows += cell_at(drawn, "said.turn_1.chances", 0, col) != NULL;
    assert_int_equal(rows, 5);
    finish(drawn);
}

static void test_stacked_rows_lie_in_the_order_of_their_parts(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  a: [[1, 2]]\n  b: [[3, 4], [5, 6]]\n"
         "steps:\n  - do: c = stack(a, b)\n",
         (size_t)-1, (Link){0});
    const Theme *theme = drawn->canvas.theme;
    for (size_t i = 0; i < 2; i++) { /* a frame around the part, and one in the whole */
        size_t frames = 0;
        for (size_t j = 0; j < drawn->scene.count; j++) {
            const SceneItem *item = &drawn->scene.items[j];
            frames += item->kind == SCENE_RECTANGLE && item->width > 0 &&
                      memcmp(&item->stroke, &theme->other[i], sizeof(Color)) == 0;
        }
        assert_int_equal(frames, 2);
    }
    finish(drawn);
}

/* A share stands where its query's row and its key's column meet. */
static void test_queries_and_keys_meet_in_the_shares_shown_with_them(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  Q: {random: [2, 3], seed: 1}\n  K: {random: [4, 3], seed: "
         "2}\nsteps:\n  - do: A = softmax(Q @ K.T / sqrt(3))\n  - show: [Q, K, A]\n",
         (size_t)-1, (Link){0});
    jump(drawn, drawn->player.step_count - 1);
    for (size_t row = 0; row < 2; row++) {
        Box query = cell_at(drawn, "Q", row, 0)->box,
            share = cell_at(drawn, "A", row, 3)->box;
        assert_close(&query.y, &share.y, 1, 0.01);
        assert_true(query.x + query.w < share.x);
    }
    finish(drawn);
}

/* Names too long for the key's line are set smaller. */
static void test_the_key_of_a_change_stays_in_its_picture(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n"
         "  weightsbeforetheupdate: [[1, 2, 3], [4, 5, 6]]\n"
         "  gradientofallthesewords: [[0.5, 1, 2], [1, 2, 0.5]]\nsteps:\n"
         "  - do: weightsaftertheupdate = weightsbeforetheupdate - 0.5 * "
         "gradientofallthesewords\n",
         (size_t)-1, (Link){0});
    begin(drawn);
    drawn->stage.area = (Box){20, 20, 960, 400};
    step_picture(&drawn->stage);
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_TEXT &&
            (item->box.x < 19 || item->box.x + item->box.w > 981))
            fail_msg("'%s' lies at %g to %g", item->text, item->box.x,
                     item->box.x + item->box.w);
    }
    finish(drawn);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large_factors_of_different_size_have_scales_of_their_own),
        cmocka_unit_test(test_a_number_stands_beside_tables_of_other_scales),
        cmocka_unit_test(test_small_factors_have_the_scale_of_the_product),
        cmocka_unit_test(test_a_difference_is_an_arrow_from_number_to_number),
        cmocka_unit_test(test_an_update_leads_against_the_gradient),
        cmocka_unit_test(test_a_sum_lies_on_a_lane),
        cmocka_unit_test(test_a_row_s_size_is_a_band_behind_its_dots),
        cmocka_unit_test(test_a_stack_s_parts_don_t_repeat_its_name),
        cmocka_unit_test(test_a_norm_of_large_numbers_is_torn_where_its_scale_changes),
        cmocka_unit_test(test_a_single_one_frames_the_row_that_it_picks),
        cmocka_unit_test(test_a_single_turned_pair_has_its_numbers_below),
        cmocka_unit_test(test_rows_shown_beside_a_norm_s_are_dots_of_one_scale),
        cmocka_unit_test(test_a_picked_row_s_product_is_falk_s_scheme),
        cmocka_unit_test(test_scores_are_scaled_beside_their_product),
        cmocka_unit_test(test_a_layer_s_row_shows_all_of_its_columns),
        cmocka_unit_test(test_words_without_a_chance_have_no_row),
        cmocka_unit_test(test_stacked_rows_lie_in_the_order_of_their_parts),
        cmocka_unit_test(test_queries_and_keys_meet_in_the_shares_shown_with_them),
        cmocka_unit_test(test_the_key_of_a_change_stays_in_its_picture),
    };
    return cmocka_run_group_tests(tests, drawn_set_up, drawn_tear_down);
}
