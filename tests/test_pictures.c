/* Operations' own pictures and their cells: what is drawn of large tables, whose scale
 * colours have, which cells are marked, how names in sentences are set. */
#include "close.h"
#include "course_files.h"
#include "fixed_metrics.h"
#include "lesson/play/player.h"
#include "lesson_text.h"
#include "picture/composites/step_picture.h"
#include "picture/operations/pictures.h"
#include "picture/stage/stage.h"
#include "picture/words/insets.h"
#include "scene_find.h"

#include <math.h>

enum { FRAME_BYTES = 64 << 20 };

/* A lesson from text, and its first step's picture. */
typedef struct Drawn {
    CourseFiles files;
    Lesson *lesson;
    Player player;
    TextMetrics metrics;
    Arena *frame;
    Scene scene;
    Canvas canvas;
    Stage stage;
} Drawn;

static int load(void **state) {
    Drawn *drawn = calloc(1, sizeof *drawn);
    assert_non_null(drawn);
    course_begin(&drawn->files);
    drawn->metrics = fixed_metrics();
    drawn->frame = arena_create(FRAME_BYTES);
    assert_non_null(drawn->frame);
    *state = drawn;
    return 0;
}

static int unload(void **state) {
    Drawn *drawn = *state;
    if (!drawn) /* loading failed */
        return 0;
    arena_destroy(drawn->frame);
    course_finish(&drawn->files);
    free(drawn);
    return 0;
}

static void begin(Drawn *drawn) {
    arena_reset(drawn->frame);
    const Theme *theme = &drawn->files.themes.items[0];
    scene_init(&drawn->scene, drawn->frame, 1320, 620, theme->page);
    drawn->canvas = (Canvas){.scene = &drawn->scene,
                             .theme = theme,
                             .metrics = &drawn->metrics,
                             .language = drawn->files.language};
}

/* Draws a lesson's first step, with the output's first `visible` cells. */
static void draw(Drawn *drawn, const char *text, size_t visible, Link pointed) {
    lesson_destroy(drawn->lesson);
    drawn->lesson = lesson_good(text);
    assert_true(player_init(&drawn->player, drawn->lesson));
    begin(drawn);
    drawn->canvas.pointed = pointed;
    drawn->stage = (Stage){.canvas = &drawn->canvas,
                           .player = &drawn->player,
                           .tape = drawn->lesson->tape,
                           .visible = visible,
                           .step = &drawn->lesson->steps[0],
                           .area = {20, 20, 1280, 560}};
    drawn->stage.node = player_step(&drawn->player)->node;
    step_picture(&drawn->stage);
    assert_true(scene_complete(&drawn->scene));
}

static void finish(Drawn *drawn) {
    lesson_destroy(drawn->lesson);
    drawn->lesson = NULL;
}

static void jump(Drawn *drawn, size_t step) {
    player_jump(&drawn->player, step);
    begin(drawn);
    drawn->stage.step = player_words(&drawn->player, step);
    drawn->stage.node = player_step(&drawn->player)->node;
    step_picture(&drawn->stage);
    assert_true(scene_complete(&drawn->scene));
}

static void step_into(Drawn *drawn, const char *name) {
    size_t step = 0;
    while (step < drawn->player.step_count &&
           strcmp(drawn->player.steps[step].name, name) != 0)
        step++;
    assert_true(step < drawn->player.step_count);
    jump(drawn, step);
}

/* A cell's ground: the first coloured rectangle that is linked to it, or NULL. */
static const SceneItem *cell_at(const Drawn *drawn, const char *name, size_t row,
                                size_t col) {
    Link link = {LINK_CELL, tape_find(drawn->lesson->tape, name), row, col};
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_RECTANGLE && link_equal(item->link, link))
            return item;
    }
    return NULL;
}

static const SceneItem *text_of(const Drawn *drawn, const char *text) {
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_TEXT && strcmp(item->text, text) == 0)
            return item;
    }
    return NULL;
}

static size_t count_texts(const Drawn *drawn, const char *text) {
    size_t count = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        count += item->kind == SCENE_TEXT && strcmp(item->text, text) == 0;
    }
    return count;
}

/* ---- lookup ---- */

static void test_every_operation_has_a_picture(void **state) {
    (void)state;
    for (OperationKind kind = 0; kind < OPERATION_COUNT; kind++) {
        if (!operation_has_picture(kind))
            fail_msg("%s has no picture: add it to "
                     "core/picture/operations/operation_picture.c",
                     operation_of(kind)->name);
    }
}

static void test_a_large_table_shows_only_the_rows_that_are_looked_up(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  E: {random: [40, 4], seed: 3}\n  ids: [31, 5, 6, 31]\n"
         "steps:\n  - do: X = embed(E, ids)\n",
         (size_t)-1, (Link){0});
    for (size_t row = 0; row < 40; row++) {
        bool used = row == 5 || row == 6 || row == 31;
        assert_true((cell_at(drawn, "E", row, 0) != NULL) == used);
    }
    assert_true(cell_at(drawn, "E", 6, 0)->box.y > cell_at(drawn, "E", 5, 0)->box.y);
    assert_true(cell_at(drawn, "E", 31, 0)->box.y > cell_at(drawn, "E", 6, 0)->box.y);
    double ids = cell_at(drawn, "ids", 0, 0)->box.h;
    assert_true(ids >= 24); /* none of it is a speck */
    assert_close(&(double){cell_at(drawn, "ids", 0, 3)->box.y},
                 &(double){cell_at(drawn, "X", 3, 0)->box.y}, 1, 1.01);
    finish(drawn);
}

static void test_a_small_table_is_shown_whole(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  E: {random: [6, 4], seed: 3}\n  ids: [5, 1]\n"
         "steps:\n  - do: X = embed(E, ids)\n",
         (size_t)-1, (Link){0});
    for (size_t row = 0; row < 6; row++)
        assert_non_null(cell_at(drawn, "E", row, 3));
    assert_non_null(text_of(drawn, "4")); /* an ID is a row's number */
    finish(drawn);
}

/* Each row stands beside its ID, and its 1 below the column's number. */
static void test_one_hot_rows_stand_beside_their_ids(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  ids: [3, 0, 2]\nsteps:\n  - do: H = one_hot(ids, 5)\n",
         (size_t)-1, (Link){0});
    const size_t ids[] = {3, 0, 2};
    for (size_t i = 0; i < 3; i++) {
        Box id = cell_at(drawn, "ids", 0, i)->box;
        Box one = cell_at(drawn, "H", i, ids[i])->box;
        assert_close(&one.y, &id.y, 1, 1.01);
        bool named = false;
        for (size_t j = 0; j < drawn->scene.count; j++) {
            const SceneItem *item = &drawn->scene.items[j];
            char number[4] = {(char)('0' + ids[i])};
            named |= item->kind == SCENE_TEXT && strcmp(item->text, number) == 0 &&
                     item->origin.y < one.y && item->box.x > one.x &&
                     item->box.x < one.x + one.w;
        }
        assert_true(named);
    }
    finish(drawn);
}

/* ---- scales ---- */

static const char PRODUCT[] = "title: t\ngiven:\n  A: [[1, 2], [2, 1]]\n"
                              "  B: [[30, 10], [20, 40]]\nsteps:\n  - do: C = A @ B\n";

/* 2 is the largest number of A and 40 that of B: both have the palette's last colour. */
static void test_factors_of_different_size_have_scales_of_their_own(void **state) {
    Drawn *drawn = *state;
    draw(drawn, PRODUCT, (size_t)-1, (Link){0});
    const Palette *palette = &drawn->canvas.theme->diverging;
    Color last = palette->stops[palette->count - 1];
    Color a = cell_at(drawn, "A", 0, 1)->fill, b = cell_at(drawn, "B", 1, 1)->fill;
    assert_memory_equal(&a, &last, sizeof last);
    assert_memory_equal(&b, &last, sizeof last);
    assert_non_null(text_of(drawn, "2")); /* the ends of two legends */
    assert_non_null(text_of(drawn, "40"));
    finish(drawn);
}

static double middle_of(const SceneItem *item) {
    assert_non_null(item);
    return item->box.x + item->box.w / 2;
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
    assert_non_null(text_of(drawn, "+6"));
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
    assert_non_null(text_of(drawn, "−1.5"));
    assert_non_null(text_of(drawn, "+1.0"));
    jump(drawn, drawn->player.step_count - 1); /* shows both */
    assert_non_null(text_of(drawn, "−6"));
    assert_non_null(text_of(drawn, "+4"));
    finish(drawn);
}

/* What a sublayer found comes in from above to the rows that are on the lane. */
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
    double size = text_of(drawn, "0.125")->size; /* all digits are as large as these */
    assert_close(&text_of(drawn, "8")->size, &size, 1, 0.01);
    finish(drawn);
}

/* The root of the mean square of 3 and 4 is 3.536: a band as far to both sides of 0, also
 * where the mean square itself is what is worked out. */
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
        text_of(drawn, "±");                              /* and it has a name */
        finish(drawn);
    }
}

/* 1 and 1.02 lie side by side: a number over the other dot would be taken for its. */
static void test_no_number_stands_over_another_s_dot(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  x: [[1, 1.02, 8, -9]]\n"
         "steps:\n  - do: r = sqrt(mean(x * x))\n",
         (size_t)-1, (Link){0});
    assert_int_equal(count_texts(drawn, "1.00") + count_texts(drawn, "1.02"), 1);
    assert_non_null(text_of(drawn, "8.00"));
    finish(drawn);
}

/* What is cut from a text stands in it; the rest is struck out, and the text's own. */
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

/* The bars are the chances, there from the beginning; arrows alone are the gradient. */
static void test_bars_of_a_gradient_are_the_chances(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  x: [[3, 1, 2]]\n  aims: [2]\nsteps:\n"
         "  - do: y = cross_entropy(x, aims)\n  - do: L = sum(y)\n"
         "  - do: g = gradient(L, x)\n",
         (size_t)-1, (Link){0});
    step_into(drawn, "g");
    const SceneItem *bar = cell_at(drawn, "x", 0, 0);
    assert_non_null(bar);
    assert_true(bar->fill.a == 255 && bar->box.h > 50);
    finish(drawn);
}

static void test_a_stack_s_parts_don_t_repeat_its_name(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\nmodel:\n  kind: decoder\n  d_model: 2\n  steps: false\n"
         "  corpus: [a b c]\n  target: a\n  weights: {random: 1}\nsteps:\n"
         "  - generate: {rule: beam, beam: 2, length: 2}\n",
         (size_t)-1, (Link){0});
    step_into(drawn, "said.turn_2.next_logits");
    assert_int_equal(count_texts(drawn, "next word's logits"), 1);
    finish(drawn);
}

static void test_a_step_can_show_the_whole_model(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\nmodel:\n  d_model: 2\n  heads: 1\n  layers: 1\n  corpus: [a b]\n"
         "  source: a b\n  target: a\n  weights: {random: 1}\nsteps:\n"
         "  - at: probabilities\n    as: model\n",
         (size_t)-1, (Link){0});
    drawn->stage.view = LESSON_VIEW_MODEL;
    jump(drawn, drawn->player.step_count - 1);
    assert_non_null(cell_at(drawn, "memory", 1, 0));
    assert_non_null(cell_at(drawn, "probabilities", 1, 0));
    assert_non_null(text_of(drawn, "ENCODER"));
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
    assert_non_null(text_of(drawn, "row mean")); /* what the mark under them is */
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

/* What only picks a row before a product needs no picture: Falk's scheme shows the row.
 */
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
    assert_non_null(text_of(drawn, "39"));   /* the product's … */
    assert_non_null(text_of(drawn, "19.5")); /* … halved, and seen twice */
    assert_int_equal(count_texts(drawn, "19.5"), 2);
    finish(drawn);
}

/* Where not all columns of a word's row have room for numbers the others are slivers. */
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
    assert_true(least < most / 2 && least >= 3);
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

static void test_tables_that_begin_alike_begin_at_one_height(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  A: [[1, 2]]\n  B: [[1, 2], [3, 4], [5, 6]]\n"
         "labels: {A: {rows: [a]}, B: {rows: [a, b, c]}}\n"
         "steps:\n  - show: [A, B]\n",
         (size_t)-1, (Link){0});
    assert_close(&cell_at(drawn, "A", 0, 0)->box.y, &cell_at(drawn, "B", 0, 0)->box.y, 1,
                 0.01);
    finish(drawn);
}

/* A share too small for its digits has its pale colour and no zeros; a true 0 is told. */
static void test_shares_that_round_to_zero_have_no_number(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  x: [[9, 0, -inf], [1, 1, 1]]\nsteps:\n"
         "  - do: p = softmax(x)\n    as: heatmap\n",
         (size_t)-1, (Link){0});
    drawn->stage.view = LESSON_VIEW_HEATMAP;
    begin(drawn);
    step_picture(&drawn->stage);
    assert_int_equal(count_texts(drawn, "0.000"), 0);
    assert_int_equal(count_texts(drawn, "0.333"), 3);
    finish(drawn);
}

static void test_digits_of_a_picture_have_one_size(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  A: [[1, 2], [2, 1]]\n  B: [[0.125, -271.384], [1, 2]]\n"
         "steps:\n  - do: C = A @ B\n",
         (size_t)-1, (Link){0});
    double size = 0;
    size_t numbers = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind != SCENE_TEXT || item->link.kind != LINK_CELL)
            continue;
        size = numbers++ ? size : item->size;
        assert_close(&item->size, &size, 1, 0);
    }
    assert_int_equal(numbers, 12);
    finish(drawn);
}

static void test_cells_of_short_numbers_are_square(void **state) {
    Drawn *drawn = *state;
    draw(drawn, PRODUCT, (size_t)-1, (Link){0});
    const SceneItem *cell = cell_at(drawn, "C", 0, 0);
    assert_close(&cell->box.w, &cell->box.h, 1, 1.01);
    finish(drawn);
}

/* ---- marks ---- */

static size_t outlined(const Drawn *drawn, Color color) {
    size_t count = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        count += item->kind == SCENE_RECTANGLE && item->width > 0 &&
                 memcmp(&item->stroke, &color, sizeof color) == 0;
    }
    return count;
}

static void test_the_cell_pointed_at_is_marked_in_its_tensor(void **state) {
    Drawn *drawn = *state;
    draw(drawn, PRODUCT, (size_t)-1, (Link){0});
    const Theme *theme = drawn->canvas.theme;
    size_t before = outlined(drawn, theme->focus);
    size_t node = tape_find(drawn->lesson->tape, "B");
    draw(drawn, PRODUCT, (size_t)-1, (Link){LINK_CELL, node, 1, 0});
    assert_int_equal(outlined(drawn, theme->focus), before + 1);
    finish(drawn);
}

static void test_an_image_leaves_out_what_is_not_computed(void **state) {
    Drawn *drawn = *state;
    const char *text = "title: t\ngiven:\n  A: {random: [300, 300], seed: 1}\n"
                       "steps:\n  - do: C = A + A\n";
    for (size_t visible = 0; visible <= 90000; visible += 45150) {
        draw(drawn, text, visible, (Link){0});
        Color page = drawn->canvas.theme->page;
        double covered = 0, whole = 0;
        for (size_t i = 0; i < drawn->scene.count; i++) {
            const SceneItem *item = &drawn->scene.items[i];
            if (item->kind == SCENE_IMAGE && item->tensor->rows == 300)
                whole = item->box.w * item->box.h;
            if (item->kind == SCENE_RECTANGLE &&
                memcmp(&item->fill, &page, sizeof page) == 0)
                covered += item->box.w * item->box.h;
        }
        double expected = 1 - fmin((double)visible / 90000, 1);
        assert_close(&(double){covered / whole}, &expected, 1, 0.01);
    }
    finish(drawn);
}

static void test_labels_of_one_letter_are_not_turned(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  A: {random: [3, 30], seed: 1}\nlabels:\n  A: {cols: [I, "
         "understanding, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, "
         "x, y, z, aa, bb, cc, dd]}\nsteps:\n  - show: A\n",
         (size_t)-1, (Link){0});
    assert_close(&text_of(drawn, "I")->angle, (double[]){0}, 1, 0);
    assert_close(&text_of(drawn, "understanding")->angle, (double[]){90}, 1, 0);
    finish(drawn);
}

/* Arrows stand for differences that can be seen; of others tables say how small. */
static void test_differences_too_small_to_be_seen_are_a_table(void **state) {
    static const char *const moved[] = {"[[1, 2.5]]", "[[1, 2.00001]]"};
    Drawn *drawn = *state;
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "title: t\ngiven:\n  A: [[1, 2]]\n  B: %s\nsteps:\n"
                 "  - do: D = A - B\n",
                 moved[i]);
        draw(drawn, text, (size_t)-1, (Link){0});
        assert_int_equal(text_of(drawn, "1 × 2") != NULL, i > 0);
    }
    finish(drawn);
}

/* ---- roles ---- */

/* What is cut from a weight is one, and so is what a role is made with, whatever it is
 * called: only what they make wears a full tab. */
static void test_a_weight_wears_a_hollow_tab(void **state) {
    static const char *const made[] = {"Q = E @ W_Q[:, 0:2]", "Q = E @ W_Q", "Q = E @ T"};
    Drawn *drawn = *state;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "title: t\ngiven:\n  E: {random: [3, 4], seed: 1}\n"
                 "  W_Q: {random: [4, 4], seed: 2}\n  T: {random: [4, 4], seed: 3}\n"
                 "steps:\n  - do: %s\n",
                 made[i]);
        draw(drawn, text, (size_t)-1, (Link){0});
        Color query = drawn->canvas.theme->query;
        assert_int_equal(scene_filled(&drawn->scene, query), 1);
        assert_true(outlined(drawn, query) >= 4); /* two frames, and two tabs */
    }
    finish(drawn);
}

/* √d_k says how wide a key is, any other number how large it is. */
static void test_what_a_number_means_stands_below_it(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  Q: {random: [2, 8], seed: 1}\n"
         "  K: {random: [3, 8], seed: 2}\nsteps:\n  - do: A = Q @ K.T\n"
         "  - do: B = A / sqrt(8)\n  - do: C = A * sqrt(6)\n  - do: D = A * 4\n",
         (size_t)-1, (Link){0});
    static const char *const meant[] = {NULL, "8", "2.449", NULL};
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++) {
        while (drawn->player.step < i)
            assert_true(player_move(&drawn->player, PLAYER_RIGHT));
        begin(drawn);
        drawn->stage.step = &drawn->lesson->steps[i];
        drawn->stage.node = player_step(&drawn->player)->node;
        step_picture(&drawn->stage);
        bool found = false;
        for (size_t j = 0; j < drawn->scene.count; j++) {
            const SceneItem *item = &drawn->scene.items[j];
            found |= meant[i] && item->kind == SCENE_TEXT &&
                     item->link.kind == LINK_NONE && strcmp(item->text, meant[i]) == 0;
        }
        assert_int_equal(found, meant[i] != NULL);
    }
    finish(drawn);
}

/* Two roles or more have a key, one explains itself. */
static void test_the_roles_of_a_picture_have_a_key(void **state) {
    static const char *const shown[] = {"W_Q", "W_Q, W_K", "W_Q, W_K, W_V"};
    static const char *const keys[] = {"role.query", "role.key", "role.value"};
    Drawn *drawn = *state;
    for (size_t i = 0; i < 3; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "title: t\ngiven:\n  W_Q: [[1, 2]]\n  W_K: [[1, 2]]\n"
                 "  W_V: [[1, 2]]\nsteps:\n  - show: [%s]\n",
                 shown[i]);
        draw(drawn, text, (size_t)-1, (Link){0});
        for (size_t k = 0; k < 3; k++) {
            const char *words = canvas_string(&drawn->canvas, keys[k]);
            assert_int_equal(text_of(drawn, words) != NULL, i > 0 && k <= i);
        }
    }
    finish(drawn);
}

/* ---- what is too dense ---- */

static size_t numbers(const Drawn *drawn) {
    size_t count = 0;
    for (size_t i = 0; i < drawn->scene.count; i++)
        count += drawn->scene.items[i].kind == SCENE_TEXT &&
                 strchr(drawn->scene.items[i].text, '.') != NULL;
    return count;
}

/* Of tables without digits the row in focus stands below in numbers, with the factors';
 * its cells can be pointed at. */
static void test_a_loupe_enlarges_the_row_in_focus_of_a_dense_table(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  A: {random: [90, 80], seed: 1}\n"
         "  B: {random: [90, 80], seed: 2}\nsteps:\n  - do: C = A * B\n",
         (size_t)-1, (Link){0});
    size_t before = numbers(drawn);
    begin(drawn);
    drawn->stage.has_focus = true;
    drawn->stage.focus_node = drawn->stage.node;
    drawn->stage.focus_row = 70;
    drawn->stage.focus_col = 79;
    step_picture(&drawn->stage);
    assert_true(numbers(drawn) >= before + 3 * 8);
    static const char *const names[] = {"A", "B", "C"};
    for (size_t i = 0; i < 3; i++) {
        Link cell = {LINK_CELL, tape_find(drawn->lesson->tape, names[i]), 70, 79};
        Box box;
        assert_true(scene_find(&drawn->scene, cell, &box));
        assert_true(box.w > 40);
    }
    size_t all = numbers(drawn);
    begin(drawn);
    drawn->stage.visible = 10; /* the row is still to come */
    step_picture(&drawn->stage);
    assert_true(numbers(drawn) < all);
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
    assert_non_null(text_of(drawn, "0.665"));
    assert_non_null(text_of(drawn, "0.910"));
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
    assert_non_null(text_of(drawn, "0.245"));
    assert_non_null(text_of(drawn, "1.408"));
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
    assert_int_equal(count_texts(drawn, "1.5"), 2); /* a slope, a result */
    assert_int_equal(count_texts(drawn, "4.0"), 2);
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
    assert_non_null(text_of(drawn, "−0.755"));
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

/* What is taken off a row comes to lie at 0, and every dot is moved as far. */
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

/* ---- muted steps ---- */

/* A muted softmax shows its scores on both sides, crossed out, and no exponentials. */
static void test_a_muted_step_shows_that_its_input_passes_through(void **state) {
    Drawn *drawn = *state;
    draw(drawn, "title: t\ngiven:\n  x: [[3, 1, 2]]\nsteps:\n  - do: y = softmax(x)\n",
         (size_t)-1, (Link){0});
    assert_non_null(text_of(drawn, "0.368")); /* e^(2 − 3) */
    tape_mute(drawn->lesson->tape, tape_find(drawn->lesson->tape, "y"), true);
    begin(drawn);
    step_picture(&drawn->stage);
    assert_null(text_of(drawn, "0.368"));
    Color x = cell_at(drawn, "x", 0, 1)->fill, y = cell_at(drawn, "y", 0, 1)->fill;
    assert_memory_equal(&x, &y, sizeof x);
    size_t crossed = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        crossed += item->kind == SCENE_LINE &&
                   memcmp(&item->fill, &drawn->canvas.theme->bad_ink, sizeof(Color)) == 0;
    }
    assert_int_equal(crossed, 1);
    finish(drawn);
}

/* ---- IDs and labels ---- */

static void test_a_row_that_numbers_words_has_no_colours(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  ids: [1, 2, 9]\n  x: [1, 2, 9.5]\nlabels:\n"
         "  ids: {cols: [I, am, here]}\n  x: {cols: [I, am, here]}\n"
         "steps:\n  - show: [ids, x]\n",
         (size_t)-1, (Link){0});
    Color a = cell_at(drawn, "ids", 0, 0)->fill, b = cell_at(drawn, "ids", 0, 2)->fill;
    assert_memory_equal(&a, &b, sizeof a);
    a = cell_at(drawn, "x", 0, 0)->fill, b = cell_at(drawn, "x", 0, 2)->fill;
    assert_true(memcmp(&a, &b, sizeof a) != 0);
    finish(drawn);
}

/* "d_k = 8" holds a name; "so_so" may be a token. */
static void test_names_within_labels_are_set_as_formulas(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  x: [[0.5], [0.25]]\nlabels:\n"
         "  x: {rows: [\"d_k = 8\", \"so_so\"]}\nsteps:\n  - show: x\n",
         (size_t)-1, (Link){0});
    SentenceNames names = {&drawn->canvas, drawn->lesson->tape};
    Insets insets = insets_of_names(&names);
    begin(drawn);
    drawn->canvas.insets = &insets;
    step_picture(&drawn->stage);
    assert_null(text_of(drawn, "d_k = 8"));
    assert_non_null(text_of(drawn, " = 8"));
    assert_non_null(text_of(drawn, "so_so"));
    finish(drawn);
}

/* What all columns' labels begin with stands once where they have no room for it. */
static void test_labels_that_begin_alike_say_so_once(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  x: {random: [2, 30], seed: 1}\nlabels:\n  x: {cols: ["
         "n = 0, n = 1, n = 2, n = 3, n = 4, n = 5, n = 6, n = 7, n = 8, n = 9, "
         "n = 0, n = 1, n = 2, n = 3, n = 4, n = 5, n = 6, n = 7, n = 8, n = 9, "
         "n = 0, n = 1, n = 2, n = 3, n = 4, n = 5, n = 6, n = 7, n = 8, n = 9]}\n"
         "steps:\n  - show: x\n",
         (size_t)-1, (Link){0});
    assert_int_equal(count_texts(drawn, "n = "), 1);
    assert_int_equal(count_texts(drawn, "7"), 3);
    finish(drawn);
}

/* ---- layer norm ---- */

/* Dots lie as their numbers do, and those of the result at the same places for a row a
 * hundred times as large. */
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
            places[i][j] = dot_of(drawn, "N", j);
        assert_true(cell_at(drawn, "x", 0, 0)->box.y < cell_at(drawn, "N", 0, 0)->box.y);
    }
    assert_close(places[1], places[0], 4, 1);
    assert_non_null(cell_at(drawn, "g", 0, 1));
    assert_non_null(cell_at(drawn, "b", 0, 2));
    finish(drawn);
}

/* What is squeezed lies nearer together than before, as its lines have one scale; only
 * what would be a heap has a scale of its own. Of the row (−6, 6, 0) the norm makes
 * (−√1.5, √1.5, 0), and of one a hundred times as wide the same. */
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

/* ---- names in sentences ---- */

static void say(Drawn *drawn, const char *sentence, double width) {
    begin(drawn);
    SentenceNames names = {&drawn->canvas, drawn->lesson->tape};
    Insets insets = insets_of_names(&names);
    paragraph_draw_with(&drawn->scene, &drawn->metrics, &insets, FONT_TEXT, 20,
                        (Color){9, 9, 9, 255}, (Box){0, 0, width, 0}, 30, 9, sentence);
}

static bool is_said(const Drawn *drawn, const char *text) {
    const SceneItem *item = text_of(drawn, text);
    return item && item->font == FONT_TEXT;
}

/* The `index`-th letter that is set in the formula font, which has letters of its own
 * for variables; or NULL. */
static const SceneItem *formula_letter(const Drawn *drawn, size_t index) {
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_TEXT && item->font == FONT_MATH && index-- == 0)
            return item;
    }
    return NULL;
}

static void test_names_in_sentences_are_set_as_formulas(void **state) {
    Drawn *drawn = *state;
    drawn->lesson = lesson_good("title: t\ngiven: {K: [[1]], S_scaled: [[1]]}\n"
                                "steps:\n  - show: K\n");
    say(drawn, "divide by d_k", 900);
    assert_true(is_said(drawn, "divide by "));
    const SceneItem *base = formula_letter(drawn, 0), *low = formula_letter(drawn, 1);
    assert_non_null(base);
    assert_non_null(low);
    assert_true(low->size < base->size && low->origin.y > base->origin.y);
    assert_true(base->origin.x > text_of(drawn, "divide by ")->box.w - 1);
    say(drawn, "再除以√d_k。", 900);
    assert_true(is_said(drawn, "再除以") && is_said(drawn, "。"));
    assert_non_null(formula_letter(drawn, 1));
    say(drawn, "so S_scaled is K.T over 2^i", 900);
    assert_true(is_said(drawn, "so ") && is_said(drawn, " is ") &&
                is_said(drawn, " over "));
    finish(drawn);
}

static void test_other_words_stay_words(void **state) {
    Drawn *drawn = *state;
    drawn->lesson = lesson_good("title: t\ngiven: {K: [[1]]}\nsteps:\n  - show: K\n");
    const char *const sentences[] = {"snake_case and file_name.Txt", "K, V and A",
                                     "e.T.A. says _ or x_", "2 ^ 3"};
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        say(drawn, sentences[i], 900);
        assert_int_equal(drawn->scene.count, 1);
        assert_true(is_said(drawn, sentences[i]));
    }
    finish(drawn);
}

/* Lines with names in them keep within their width, and a name is never broken. */
static void test_lines_with_names_keep_within_their_width(void **state) {
    Drawn *drawn = *state;
    drawn->lesson = lesson_good("title: t\ngiven: {W_Q: [[1]]}\nsteps:\n  - show: W_Q\n");
    for (double width = 120; width < 600; width += 7) {
        say(drawn, "A word asks with W_Q, answers with W_Q, divides by √d_k and W_Q.T",
            width);
        size_t names = 0;
        for (size_t i = 0; i < drawn->scene.count; i++) {
            const SceneItem *item = &drawn->scene.items[i];
            assert_true(item->box.x + item->box.w <= width + 0.5);
            names += item->kind == SCENE_TEXT && item->font == FONT_MATH;
        }
        assert_true(names >= 8); /* W Q, W Q, d k, W Q */
    }
    finish(drawn);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_operation_has_a_picture),
        cmocka_unit_test(test_a_large_table_shows_only_the_rows_that_are_looked_up),
        cmocka_unit_test(test_a_small_table_is_shown_whole),
        cmocka_unit_test(test_one_hot_rows_stand_beside_their_ids),
        cmocka_unit_test(test_a_weight_wears_a_hollow_tab),
        cmocka_unit_test(test_the_roles_of_a_picture_have_a_key),
        cmocka_unit_test(test_a_loupe_enlarges_the_row_in_focus_of_a_dense_table),
        cmocka_unit_test(test_differences_too_small_to_be_seen_are_a_table),
        cmocka_unit_test(test_what_a_number_means_stands_below_it),
        cmocka_unit_test(test_factors_of_different_size_have_scales_of_their_own),
        cmocka_unit_test(test_a_difference_is_an_arrow_from_number_to_number),
        cmocka_unit_test(test_an_update_leads_against_the_gradient),
        cmocka_unit_test(test_a_sum_lies_on_a_lane),
        cmocka_unit_test(test_a_row_s_size_is_a_band_behind_its_dots),
        cmocka_unit_test(test_no_number_stands_over_another_s_dot),
        cmocka_unit_test(test_a_step_can_show_the_whole_model),
        cmocka_unit_test(test_chips_cut_from_a_text_show_what_was_cut_away),
        cmocka_unit_test(test_bars_of_a_gradient_are_the_chances),
        cmocka_unit_test(test_a_stack_s_parts_don_t_repeat_its_name),
        cmocka_unit_test(test_queries_and_keys_meet_in_the_shares_shown_with_them),
        cmocka_unit_test(test_rows_shown_beside_a_norm_s_are_dots_of_one_scale),
        cmocka_unit_test(test_cut_rows_stand_beside_where_they_were),
        cmocka_unit_test(test_a_picked_row_s_product_is_falk_s_scheme),
        cmocka_unit_test(test_scores_are_scaled_beside_their_product),
        cmocka_unit_test(test_a_layer_s_row_shows_all_of_its_columns),
        cmocka_unit_test(test_words_without_a_chance_have_no_row),
        cmocka_unit_test(test_tables_that_begin_alike_begin_at_one_height),
        cmocka_unit_test(test_shares_that_round_to_zero_have_no_number),
        cmocka_unit_test(test_digits_of_a_picture_have_one_size),
        cmocka_unit_test(test_cells_of_short_numbers_are_square),
        cmocka_unit_test(test_the_cell_pointed_at_is_marked_in_its_tensor),
        cmocka_unit_test(test_an_image_leaves_out_what_is_not_computed),
        cmocka_unit_test(test_labels_of_one_letter_are_not_turned),
        cmocka_unit_test(test_top_k_frames_what_stays_and_hatches_what_goes),
        cmocka_unit_test(test_top_p_adds_up_the_shares_that_stay),
        cmocka_unit_test(test_cross_entropy_frames_the_target_s_chance),
        cmocka_unit_test(test_stacked_rows_lie_in_the_order_of_their_parts),
        cmocka_unit_test(test_a_gradient_is_multiplied_by_the_slope_in_each_cell),
        cmocka_unit_test(test_what_cross_entropy_gives_back_is_drawn_at_the_chances),
        cmocka_unit_test(test_the_mark_of_a_mean_lies_where_dots_balance),
        cmocka_unit_test(test_a_row_less_its_number_is_moved_as_a_whole),
        cmocka_unit_test(test_shares_lie_end_to_end_in_one_bar),
        cmocka_unit_test(test_a_muted_step_shows_that_its_input_passes_through),
        cmocka_unit_test(test_a_row_that_numbers_words_has_no_colours),
        cmocka_unit_test(test_names_within_labels_are_set_as_formulas),
        cmocka_unit_test(test_labels_that_begin_alike_say_so_once),
        cmocka_unit_test(test_a_squeezed_row_is_seen_to_be_squeezed),
        cmocka_unit_test(test_lines_of_cells_side_by_side_keep_apart),
        cmocka_unit_test(test_the_dots_of_a_layer_norm_lie_at_their_numbers),
        cmocka_unit_test(test_names_in_sentences_are_set_as_formulas),
        cmocka_unit_test(test_other_words_stay_words),
        cmocka_unit_test(test_lines_with_names_keep_within_their_width),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
