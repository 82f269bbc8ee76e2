/* Pictures of what tables have to do with each other: what is left of shares, two layers
 * that become one, what changed from table to table, what a veil leaves. */
#include "close.h"
#include "drawn_lesson.h"
#include "scene_find.h"
#include "tensor/tape/tape.h"

static const Box AREA = {20, 20, 1200, 560};

static void draw_step(Drawn *drawn, const char *name) {
    drawn_draw(drawn, drawn_step_named(drawn, name), AREA);
}

/* The ground of a cell: the first coloured rectangle that is linked to it. */
static const SceneItem *cell_of(const Drawn *drawn, const char *name, size_t row,
                                size_t col) {
    Link link = {LINK_CELL, tape_find(drawn->lesson->tape, name), row, col};
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_RECTANGLE && item->fill.a && link_equal(item->link, link))
            return item;
    }
    fail_msg("%s[%zu, %zu] isn't drawn", name, row, col);
    return NULL;
}

static void assert_share(const Drawn *drawn, const char *name, size_t col, double share) {
    const Theme *theme = drawn->canvas.theme;
    ColorScale scale = {&theme->sequential, 0, 1, theme->masked};
    Color color = color_scale_at(&scale, share);
    assert_memory_equal(&cell_of(drawn, name, 0, col)->fill, &color, sizeof color);
}

/* Softmax of (0, ln 3) is (0.25, 0.75); all three tables have one scale of one hue. */
static void test_what_is_made_of_shares_has_their_colours(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\ngiven:\n  X: [[0, 1.0986122886681098]]\nsteps:\n"
                        "  - do: A = softmax(X)\n  - do: rest = 1 - A\n"
                        "  - do: slope = A * rest\n  - do: less = 2 - A\n");
    draw_step(&drawn, "rest");
    assert_share(&drawn, "rest", 0, 0.75);
    draw_step(&drawn, "slope");
    assert_share(&drawn, "A", 1, 0.75);
    assert_share(&drawn, "slope", 1, 0.1875);
    draw_step(&drawn, "less"); /* no share: 1.25 */
    const SceneItem *cell = cell_of(&drawn, "less", 0, 1);
    assert_true(cell->fill.r > cell->fill.b);
    drawn_finish(&drawn);
}

/* Rows at one place have one label, and both dots can be seen. */
static void test_rows_at_one_place_have_one_label(void **state) {
    Drawn drawn;
    drawn_begin(&drawn,
                "title: t\ngiven:\n  a: [1, 2, 0]\n  b: [1, 2, 0]\n  c: [1, 2, 5]\n"
                "  d: [0, 9, 5]\n"
                "labels:\n  a: {rows: [one]}\n  b: {rows: [same]}\n"
                "  c: {rows: [other]}\n  d: {rows: [far]}\nsteps:\n"
                "  - show: [a, b, d]\n    as: plane\n"
                "  - show: [a, c, d]\n    as: plane\n");
    drawn_draw(&drawn, 0, AREA);
    assert_true(scene_shows(&drawn.scene, "one = same"));
    size_t node = tape_find(drawn.lesson->tape, "b");
    Link link = {LINK_CELL, node, 0, 1};
    for (size_t i = 0; i < drawn.scene.count; i++) {
        const SceneItem *item = &drawn.scene.items[i];
        if (item->kind == SCENE_RECTANGLE && item->radius >= item->box.w / 2 &&
            link_equal(item->link, link))
            assert_true(item->box.w < 2 * 9);
    }
    drawn_draw(&drawn, drawn.player.steps[0].next, AREA);
    assert_false(scene_shows(&drawn.scene, "one = other")); /* the third column */
    drawn_finish(&drawn);
}

/* The dot of a cell: the first small disc that is linked to it. */
static Point dot_of(const Drawn *drawn, size_t node, size_t col) {
    Link link = {LINK_CELL, node, 0, col};
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_RECTANGLE && item->radius > 0 && item->box.w < 20 &&
            link_equal(item->link, link))
            return (Point){item->box.x + item->box.w / 2, item->box.y + item->box.h / 2};
    }
    fail_msg("no dot of column %zu", col);
    return (Point){0, 0};
}

/* 1/4, 1/4 and 1/2 have the slopes 3/16, 3/16 and 1/4: dots on the hump, in proportion.
 */
static void test_what_shares_leave_is_a_hump_over_them(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\ngiven:\n  X: [[0, 0, 0.6931471805599453]]\nsteps:\n"
                        "  - do: A = softmax(X)\n  - do: slope = A * (1 - A)\n"
                        "  - do: other = A * (2 - A)\n");
    draw_step(&drawn, "slope");
    size_t node = tape_find(drawn.lesson->tape, "slope");
    Point quarter = dot_of(&drawn, node, 0), half = dot_of(&drawn, node, 2);
    Point ends[2] = {{0, 0}, {0, 0}}; /* of the hump: where nothing is left */
    for (size_t i = 0; i < drawn.scene.count; i++) {
        const SceneItem *item = &drawn.scene.items[i];
        if (item->kind == SCENE_LINE && item->count > 60) {
            ends[0] = item->points[0];
            ends[1] = item->points[item->count - 1];
        }
    }
    double quarters[] = {(quarter.x - ends[0].x) / (ends[1].x - ends[0].x),
                         (half.x - ends[0].x) / (ends[1].x - ends[0].x),
                         (ends[0].y - quarter.y) / (ends[0].y - half.y)};
    static const double expected[] = {0.25, 0.5, 0.75};
    assert_close(quarters, expected, 3, 0.01);
    assert_share(&drawn, "A", 2, 0.5);
    assert_share(&drawn, "slope", 2, 0.25);
    draw_step(&drawn, "other"); /* no share's rest */
    assert_true(scene_shows(&drawn.scene, "1.75"));
    drawn_finish(&drawn);
}

/* Of each word the layers lie on each other, column by column, and their sum beside them
 * between both. Where rows are many the one in focus is taller, and alone in numbers. */
static void test_two_layers_become_one_row_by_row(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\ngiven:\n"
                        "  X: [[1, 2], [3, 4], [5, 6], [7, 8]]\n"
                        "  Z: [[10, 20], [30, 40], [50, 60], [70, 80]]\n"
                        "  many: {random: [40, 4], seed: 1}\n"
                        "  more: {random: [40, 4], seed: 2}\n"
                        "steps:\n  - do: R = X + Z\n  - do: all = many + more\n");
    draw_step(&drawn, "R");
    for (size_t row = 0; row < 4; row++) {
        Box x = cell_of(&drawn, "X", row, 1)->box, z = cell_of(&drawn, "Z", row, 1)->box,
            r = cell_of(&drawn, "R", row, 1)->box;
        assert_close(&x.x, &z.x, 1, 0.01);
        double both = x.y + x.h, height = r.y + r.h / 2;
        assert_close(&both, &z.y, 1, 2.01);
        assert_close(&both, &height, 1, 2.01);
        assert_true(r.x > x.x + 2 * x.w);
    }
    assert_true(scene_shows(&drawn.scene, "80") && scene_shows(&drawn.scene, "88"));
    draw_step(&drawn, "all");
    double row = cell_of(&drawn, "all", 3, 0)->box.h,
           last = cell_of(&drawn, "all", 39, 0)->box.h;
    assert_true(last > 2 * row);
    drawn_finish(&drawn);
}

/* Deviations from a document's printed numbers are marked on the waves' numbers, too. */
static void test_a_place_s_numbers_are_held_against_those_printed(void **state) {
    static const char *const printed[] = {"0.841, 0.540", "0.01, 0.540"};
    size_t marks[2] = {0};
    for (int i = 0; i < 2; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "title: t\ndocument: 000_1f885c86702b35cf\nsteps:\n"
                 "  - do: P = positional_encoding(2, 2)\n    as: waves\n"
                 "    printed: [[0, 1], [%s]]\n",
                 printed[i]);
        Drawn drawn;
        drawn_begin(&drawn, text);
        draw_step(&drawn, "P");
        for (size_t j = 0; j < drawn.scene.count; j++)
            marks[i] += drawn.scene.items[j].kind == SCENE_POLYGON;
        drawn_finish(&drawn);
    }
    assert_int_equal(marks[1], marks[0] + 1);
}

/* All that a place's hand can do is turn: the arrow from tip to tip is the difference. */
static void test_two_places_are_hands_on_the_dials_of_their_waves(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\nsteps:\n  - do: P = positional_encoding(7, 4)\n"
                        "  - do: apart = P[0] - P[6]\n  - do: other = P[0:2] - P[1:3]\n");
    draw_step(&drawn, "apart");
    assert_true(scene_shows(&drawn.scene, "0.279")); /* −sin 6 */
    assert_true(scene_shows(&drawn.scene, "0.040")); /* 1 − cos 6 */
    Point tips[2] = {{0, 0}, {0, 0}};
    size_t hands = 0; /* of the first dial: that of place 6 lies below */
    for (size_t i = 0; i < drawn.scene.count && hands < 2; i++) {
        const SceneItem *item = &drawn.scene.items[i];
        if (item->kind == SCENE_LINE)
            tips[hands++] = item->points[1];
    }
    double radius = 0.279415498 / (1 - 0.960170287); /* the way right over the way up */
    double slope = (tips[1].x - tips[0].x) / (tips[0].y - tips[1].y);
    assert_close(&slope, &radius, 1, 0.1);
    draw_step(&drawn, "other"); /* two rows at once are no dials */
    assert_false(scene_shows(&drawn.scene, "sin"));
    drawn_finish(&drawn);
}

static const char *const masked_lesson =
    "title: t\ntokens: [a, b]\ngiven:\n  S: [[0, 5], [0, 1.0986122886681098]]\n"
    "  M: [[1, -inf], [0, 0]]\n  N: [[-inf, -inf], [0, 0]]\n"
    "labels: {S: {rows: [a, b], cols: [a, b]}}\nsteps:\n"
    "  - do: A = softmax(S + M)\n  - do: B = softmax(S + N)\n  - show: [A, B]\n"
    "  - do: C = softmax(S)\n  - show: [A, C]\n";

static double length_of(const Drawn *drawn, const char *name, size_t row, size_t col) {
    return cell_of(drawn, name, row, col)->box.w;
}

/* The score can still be read behind the veil, and its row's bar is the other word's. */
static void test_a_mask_is_a_veil_over_the_scores(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, masked_lesson);
    draw_step(&drawn, "A");
    assert_true(scene_shows(&drawn.scene, "5"));
    size_t infinite = 0;
    for (size_t i = 0; i < drawn.scene.count; i++)
        infinite += drawn.scene.items[i].kind == SCENE_TEXT &&
                    strstr(drawn.scene.items[i].text, "∞") != NULL;
    assert_int_equal(infinite, 1);                   /* in the key alone */
    assert_true(scene_shows(&drawn.scene, "0 + 1")); /* what a mask only adds is said */
    double whole = length_of(&drawn, "A", 0, 0),
           parts[] = {length_of(&drawn, "A", 1, 0), length_of(&drawn, "A", 1, 1)};
    double quarters[] = {whole / 4, whole * 3 / 4};
    assert_close(parts, quarters, 2, 4);
    size_t veils = 0; /* whose lines are cut to their cells */
    for (size_t i = 0; i < drawn.scene.count; i++)
        veils += drawn.scene.items[i].kind == SCENE_CLIP;
    assert_int_equal(veils, 2); /* the cell's, and the key's */
    drawn_finish(&drawn);
}

/* Of a mask's sum alone the veiled scores stand beside what is left of them. */
static void test_a_veiled_score_stands_beside_what_is_left_of_it(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\ngiven:\n  S: [[3, 5], [4, 6]]\nsteps:\n"
                        "  - do: M = causal_mask(2)\n  - do: masked = S + M\n");
    draw_step(&drawn, "masked");
    Box score = cell_of(&drawn, "S", 0, 1)->box,
        left = cell_of(&drawn, "masked", 0, 1)->box;
    assert_close(&score.y, &left.y, 1, 1.01);
    assert_true(left.x > score.x + 2 * score.w);
    assert_true(scene_shows(&drawn.scene, "5") && scene_shows(&drawn.scene, "−∞"));
    drawn_finish(&drawn);
}

/* Both bars of a row have one length, and what became of a part lies between them. */
static void test_shares_are_compared_row_by_row(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, masked_lesson);
    drawn_draw(&drawn, drawn_step_named(&drawn, "C"), AREA);
    drawn_draw(&drawn, drawn.player.steps[drawn_step_named(&drawn, "C")].next, AREA);
    Box before = cell_of(&drawn, "A", 1, 1)->box, after = cell_of(&drawn, "C", 1, 1)->box;
    assert_close(&before.x, &after.x, 1, 0.01); /* nothing was masked there */
    assert_close(&before.w, &after.w, 1, 0.01);
    assert_true(after.y > before.y + before.h);
    double all = length_of(&drawn, "A", 0, 0), less = length_of(&drawn, "C", 0, 0);
    assert_true(less < all / 20);
    size_t ribbons = 0;
    for (size_t i = 0; i < drawn.scene.count; i++)
        ribbons += drawn.scene.items[i].kind == SCENE_POLYGON;
    assert_int_equal(ribbons, 4);
    drawn_finish(&drawn);
}

/* A row that is masked whole shares nothing out. */
static void test_nothing_is_shared_out_behind_a_whole_veil(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, masked_lesson);
    draw_step(&drawn, "B");
    Link share = {LINK_CELL, tape_find(drawn.lesson->tape, "B"), 0, 0};
    for (size_t i = 0; i < drawn.scene.count; i++)
        assert_false(drawn.scene.items[i].kind == SCENE_RECTANGLE &&
                     link_equal(drawn.scene.items[i].link, share));
    assert_true(length_of(&drawn, "B", 1, 1) > 100);
    drawn_finish(&drawn);
}

/* Each place of a padding mask lies below its ID; below that is nothing. */
static void test_a_padding_mask_hangs_below_its_ids(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\ngiven:\n  ids: [7, 3, 0]\nsteps:\n"
                        "  - do: P = padding_mask(ids)\n");
    draw_step(&drawn, "P");
    for (size_t j = 0; j < 3; j++) {
        Box id = cell_of(&drawn, "ids", 0, j)->box,
            mask = cell_of(&drawn, "P", 0, j)->box;
        assert_close(&id.x, &mask.x, 1, 0.01);
        assert_true(mask.y > id.y + id.h);
        for (size_t i = 0; i < drawn.scene.count; i++) {
            const SceneItem *item = &drawn.scene.items[i];
            bool below = item->box.y >= mask.y + mask.h - 2 && item->box.x >= mask.x &&
                         item->box.x < mask.x + mask.w;
            assert_false(item->kind == SCENE_CLIP && below);
        }
    }
    drawn_finish(&drawn);
}

/* Two tables that are shown with their product stand as where it is made. */
static void test_a_product_that_is_shown_stands_below_one_factor(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\ngiven:\n  A: [[1, 2], [3, 4]]\n"
                        "  V: [[5, 6, 7], [8, 9, 1]]\nsteps:\n  - do: O = A @ V\n"
                        "  - show: [O, A, V]\n");
    drawn_draw(&drawn, drawn.player.steps[drawn_step_named(&drawn, "O")].next, AREA);
    Box a = cell_of(&drawn, "A", 1, 0)->box, v = cell_of(&drawn, "V", 0, 2)->box,
        o = cell_of(&drawn, "O", 1, 2)->box;
    assert_close(&a.y, &o.y, 1, 0.01);
    assert_close(&v.x, &o.x, 1, 0.01);
    drawn_finish(&drawn);
}

/* Two of one name are called by whose they are. */
static void test_shares_of_one_name_are_told_apart(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\ngiven:\n  X: {random: [3, 4], seed: 1}\n"
                        "  W: {random: [4, 4], seed: 2}\nsteps:\n"
                        "  - do: one = attention(X, X, X)\n"
                        "  - do: two = attention(X @ W, X, X)\n"
                        "  - show: [one.weights, two.weights]\n");
    drawn_draw(&drawn, drawn.player.step_count - 1, AREA);
    assert_false(scene_shows(&drawn.scene, "weights"));
    assert_true(scene_shows(&drawn.scene, "one") && scene_shows(&drawn.scene, "two"));
    drawn_finish(&drawn);
}

/* The tensors between two tables are named as a whole: a network, its position in a
 * layer, or nothing specific. */
static void test_a_gate_over_several_steps_names_what_they_are(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\ngiven:\n  X: {random: [3, 4], seed: 1}\n"
                        "  W: {random: [4, 4], seed: 2}\n  b: {random: [1, 4], seed: 3}\n"
                        "steps:\n  - do: Z = X @ W + b\n  - do: A = relu(Z)\n"
                        "  - do: F = A @ W + b\n  - do: G = F + b\n"
                        "  - show: [X, F]\n  - show: [Z, G]\n");
    size_t last = drawn.player.step_count - 1;
    drawn_draw(&drawn, last - 1, AREA);
    assert_true(scene_shows(&drawn.scene, "Feed-forward"));
    assert_true(scene_shows(&drawn.scene, "Self-attention"));
    assert_int_equal(scene_filled(&drawn.scene, drawn.canvas.theme->current), 1);
    drawn_draw(&drawn, last, AREA);
    assert_true(scene_shows(&drawn.scene, "…"));
    assert_false(scene_shows(&drawn.scene, "… "));
    drawn_finish(&drawn);
}

/* Behind a mask, a large number's too, stand the scores, of which a row that is veiled
 * whole is shared out; the key says what the mask adds. */
static void test_behind_a_veil_stand_the_scores(void **state) {
    Drawn drawn;
    drawn_begin(
        &drawn,
        "title: t\ngiven:\n  S: [[3, 5], [4, 6]]\n  M: [[-1e9, -1e9], [0, -1e9]]\n"
        "  P: [[0, -inf], [0, 0]]\nsteps:\n  - do: A = softmax(S + M)\n"
        "  - do: B = softmax(S + P + M)\n");
    draw_step(&drawn, "A");
    assert_true(scene_shows(&drawn.scene, "3"));
    assert_true(scene_shows(&drawn.scene, "5"));
    for (size_t i = 0; i < drawn.scene.count; i++) {
        const SceneItem *item = &drawn.scene.items[i];
        assert_false(item->kind == SCENE_TEXT && item->link.kind == LINK_CELL &&
                     strstr(item->text, "e9"));
    }
    assert_true(scene_shows(&drawn.scene, "1e9"));
    assert_true(scene_shows(&drawn.scene, "6")); /* still a score */
    draw_step(&drawn, "B");
    size_t level = 0, rising = 0; /* the two masks' lines differ in kind */
    for (size_t i = 0; i < drawn.scene.count; i++) {
        const SceneItem *item = &drawn.scene.items[i];
        if (item->kind != SCENE_LINE || item->count != 2 || item->width > 1)
            continue;
        level += item->points[0].y == item->points[1].y;
        rising += item->points[0].y < item->points[1].y &&
                  item->points[0].x > item->points[1].x;
    }
    assert_true(level > 4 && rising > 4);
    drawn_finish(&drawn);
}

/* Rows that the table before had are grey, as those that a cache keeps. */
static void test_of_tables_that_grow_the_new_rows_are_seen(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\ngiven:\n  one: [[4, 2]]\n"
                        "  two: [[4, 2], [4, 2]]\nsteps:\n  - show: [one, two]\n");
    drawn_draw(&drawn, 0, AREA);
    Color kept = heatmap_cached_ground(drawn.canvas.theme);
    assert_memory_equal(&cell_of(&drawn, "two", 0, 0)->fill, &kept, sizeof kept);
    assert_memory_equal(&cell_of(&drawn, "two", 1, 0)->fill,
                        &cell_of(&drawn, "one", 0, 0)->fill, sizeof kept);
    drawn_finish(&drawn);
}

/* Of a table that was normed after the sum what came in is no difference: the way back is
 * crossed out, and only there. */
static void test_a_norm_behind_a_sum_closes_the_way_back(void **state) {
    Drawn drawn;
    drawn_begin(&drawn,
                "title: t\ngiven:\n  X: {random: [2, 3], seed: 1}\n"
                "  W: {random: [3, 3], seed: 2}\n  b: {random: [1, 3], seed: 3}\n"
                "steps:\n  - do: pre = X + feed_forward(layer_norm(X), W, b, W, b)\n"
                "  - do: post = layer_norm(X + feed_forward(X, W, b, W, b))\n"
                "  - show: [X, pre, post]\n");
    drawn_draw(&drawn, drawn.player.step_count - 1, AREA);
    size_t rising[2] = {0}, falling[2] = {0};
    for (size_t i = 0; i < drawn.scene.count; i++) {
        const SceneItem *item = &drawn.scene.items[i];
        if (item->kind != SCENE_LINE || item->count != 2 || item->width < 3)
            continue;
        double x = item->points[1].x - item->points[0].x,
               y = item->points[1].y - item->points[0].y;
        size_t half = item->points[0].x > AREA.x + AREA.w / 2;
        falling[half] += x > 0 && x == y;
        rising[half] += x > 0 && x == -y;
    }
    assert_true(!falling[0] && !rising[0] && falling[1] == 1 && rising[1] == 1);
    drawn_finish(&drawn);
}

/* Where a product mixes parts, each is named above its columns and beside the rows that
 * they meet. */
static void test_a_product_names_the_parts_that_it_mixes(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\ngiven:\n  one: [[4, 2]]\n  two: [[1, -3]]\n"
                        "  W: {random: [4, 2], seed: 1}\nsteps:\n"
                        "  - do: C = concat(one, two)\n  - do: O = C @ W\n");
    draw_step(&drawn, "O");
    assert_int_equal(scene_count_texts(&drawn.scene, "𝑜𝑛𝑒"), 2);
    assert_int_equal(scene_count_texts(&drawn.scene, "𝑡𝑤𝑜"), 2);
    drawn_finish(&drawn);
}

/* A part's number has the colour in the whole that it has in the part. */
static void test_joined_parts_keep_their_colours(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\ngiven:\n  X: [[4, 2]]\n  Y: [[0.9, -0.3]]\n"
                        "steps:\n  - do: C = concat(X, Y)\n");
    draw_step(&drawn, "C");
    for (size_t j = 0; j < 2; j++)
        assert_memory_equal(&cell_of(&drawn, "Y", 0, j)->fill,
                            &cell_of(&drawn, "C", 0, 2 + j)->fill, sizeof(Color));
    drawn_finish(&drawn);
}

/* The tallest filled rectangle that is linked to a cell. */
static Box bar_of(const Drawn *drawn, const char *name, size_t row, size_t col) {
    Link link = {LINK_CELL, tape_find(drawn->lesson->tape, name), row, col};
    Box tallest = {0};
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_RECTANGLE && item->fill.a == 255 &&
            link_equal(item->link, link) && item->box.h > tallest.h)
            tallest = item->box;
    }
    return tallest;
}

static void test_rows_of_a_small_table_are_charts_side_by_side(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\ngiven:\n  A: [[1, 2], [3, 1]]\nsteps:\n"
                        "  - do: B = A * 2\n    as: bars\n");
    draw_step(&drawn, "B");
    Box low = bar_of(&drawn, "B", 0, 1), high = bar_of(&drawn, "B", 1, 0);
    assert_true(high.x > low.x + low.w);                    /* the next chart's */
    assert_close(&high.h, (double[]){low.h * 6 / 4}, 1, 2); /* on one axis */
    drawn_finish(&drawn);
}

/* An image's patch and its vector have one colour; other rows have no such mark. */
static void test_patches_are_found_in_their_image(void **state) {
    static const char *const tables[][2] = {
        {"[1, 2, 3, 4], [5, 6, 7, 8]", "[1, 2, 5, 6], [3, 4, 7, 8]"},
        {"[1, 2, 3, 4], [5, 6, 7, 8]", "[1, 2, 3, 4], [5, 6, 7, 8]"},
        {"[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 0, 0]", /* ends within a tile */
         "[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 0, 0]"}};
    for (size_t i = 0; i < 3; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "title: t\ngiven:\n  A: [%s]\n  B: [%s]\nsteps:\n"
                 "  - show: [A, B]\n    as: heatmap\n",
                 tables[i][0], tables[i][1]);
        Drawn drawn;
        drawn_begin(&drawn, text);
        drawn_draw(&drawn, 0, AREA);
        Color hue = drawn.canvas.theme->other[1];
        size_t wear = 0;
        for (size_t j = 0; j < drawn.scene.count; j++)
            wear += drawn.scene.items[j].kind == SCENE_RECTANGLE &&
                    drawn.scene.items[j].width > 0 &&
                    memcmp(&drawn.scene.items[j].stroke, &hue, sizeof hue) == 0;
        assert_int_equal(wear, i == 0 ? 2 : 0);
        drawn_finish(&drawn);
    }
}

/* A sublayer of the step before, its sum and the norm are one lane with a gate. */
static void test_a_sublayer_of_the_step_before_lies_on_the_lane(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\ngiven:\n  X: [[1, 2], [2, 1]]\n"
                        "  W: [[1, -1], [1, 1]]\n  b: [0, 0]\nsteps:\n"
                        "  - do: F = feed_forward(X, W, b, W, b)\n"
                        "  - do: L = layer_norm(X + F)\n");
    draw_step(&drawn, "L");
    assert_non_null(scene_find_text(&drawn.scene, "Feed-forward"));
    drawn_finish(&drawn);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares_of_one_name_are_told_apart),
        cmocka_unit_test(test_a_gate_over_several_steps_names_what_they_are),
        cmocka_unit_test(test_behind_a_veil_stand_the_scores),
        cmocka_unit_test(test_of_tables_that_grow_the_new_rows_are_seen),
        cmocka_unit_test(test_a_norm_behind_a_sum_closes_the_way_back),
        cmocka_unit_test(test_a_product_names_the_parts_that_it_mixes),
        cmocka_unit_test(test_joined_parts_keep_their_colours),
        cmocka_unit_test(test_two_places_are_hands_on_the_dials_of_their_waves),
        cmocka_unit_test(test_a_mask_is_a_veil_over_the_scores),
        cmocka_unit_test(test_a_veiled_score_stands_beside_what_is_left_of_it),
        cmocka_unit_test(test_shares_are_compared_row_by_row),
        cmocka_unit_test(test_nothing_is_shared_out_behind_a_whole_veil),
        cmocka_unit_test(test_a_padding_mask_hangs_below_its_ids),
        cmocka_unit_test(test_a_product_that_is_shown_stands_below_one_factor),
        cmocka_unit_test(test_what_shares_leave_is_a_hump_over_them),
        cmocka_unit_test(test_rows_at_one_place_have_one_label),
        cmocka_unit_test(test_two_layers_become_one_row_by_row),
        cmocka_unit_test(test_a_place_s_numbers_are_held_against_those_printed),
        cmocka_unit_test(test_what_is_made_of_shares_has_their_colours),
        cmocka_unit_test(test_rows_of_a_small_table_are_charts_side_by_side),
        cmocka_unit_test(test_patches_are_found_in_their_image),
        cmocka_unit_test(test_a_sublayer_of_the_step_before_lies_on_the_lane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
