/* Common properties of all operations' pictures: cells that are marked or left out,
 * roles, loupes, muted steps, labels; and embedding lookups. */
#include "close.h"
#include "picture/operations/pictures.h"
#include "picture_stand.h"

#include <math.h>

/* ---- lookup ---- */

static void test_every_operation_has_a_picture(void **state) {
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
    assert_non_null(scene_find_text(&drawn->scene, "4")); /* an ID is a row's number */
    finish(drawn);
}

/* The largest embedding tables have more rows than the stage has pixels, and more columns
 * than their numbers have room for. */
static void test_a_very_large_table_stays_on_the_stage(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  E: {random: [30000, 128], seed: 3}\n  ids: [1, 5, 7]\n"
         "steps:\n  - show: E\n  - do: X = embed(E, ids)\n",
         (size_t)-1, (Link){0});
    for (size_t step = 0; step < 2; step++) {
        jump(drawn, step);
        Box area = drawn->stage.area;
        assert_true(drawn->scene.count > 0);
        for (size_t i = 0; i < drawn->scene.count; i++) {
            Box box = drawn->scene.items[i].box;
            assert_true(box.y + box.h <= area.y + area.h + 1);
            assert_true(box.x + box.w <= area.x + area.w + 1);
        }
    }
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

/* ---- numbers and labels ---- */

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
    assert_non_null(scene_find_text(&drawn->scene, "ENCODER"));
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

/* A probability too small for its digits has its pale colour and no zeros; a true 0 is
 * printed. */
static void test_shares_that_round_to_zero_have_no_number(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  x: [[9, 0, -inf], [1, 1, 1]]\nsteps:\n"
         "  - do: p = softmax(x)\n    as: heatmap\n",
         (size_t)-1, (Link){0});
    drawn->stage.view = LESSON_VIEW_HEATMAP;
    begin(drawn);
    step_picture(&drawn->stage);
    assert_int_equal(scene_count_texts(&drawn->scene, "0.000"), 0);
    assert_int_equal(scene_count_texts(&drawn->scene, "0.333"), 3);
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

/* So many of a picture's cells have a number, in type as large as on a slide. */
static void assert_numbers_on_a_slide(Drawn *drawn, const char *text, size_t expected) {
    draw(drawn, text, (size_t)-1, (Link){0});
    begin(drawn);
    drawn->canvas.enlarged = 2;
    drawn->stage.area = (Box){12, 70, 756, 318};
    step_picture(&drawn->stage);
    size_t count = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        count += item->kind == SCENE_TEXT && item->link.kind == LINK_CELL;
    }
    assert_int_equal(count, expected);
    finish(drawn);
}

/* Words beside tables give way to digits, and lines are broken for them. */
static void test_numbers_go_last_where_type_is_large(void **state) {
    assert_numbers_on_a_slide(*state,
                              "title: t\ngiven:\n  A: {random: [3, 6], seed: 3}\n"
                              "  B: {random: [3, 6], seed: 4}\n"
                              "labels: {A: {rows: [when, you, play]}}\n"
                              "steps:\n  - do: C = A - B\n",
                              54);
    assert_numbers_on_a_slide(
        *state,
        "title: t\ngiven:\n  E: {random: [12, 6], seed: 3}\n  ids: [8, 2, 7, 9]\n"
        "labels: {E: {rows: [a, b, when, d, e, f, g, thrones, of, the, game, play]}}\n"
        "steps:\n  - do: X = embed(E, ids)\n",
        4 + 48);
}

static void test_cells_of_short_numbers_are_square(void **state) {
    Drawn *drawn = *state;
    draw(drawn, PRODUCT, (size_t)-1, (Link){0});
    const SceneItem *cell = cell_at(drawn, "C", 0, 0);
    assert_close(&cell->box.w, &cell->box.h, 1, 1.01);
    finish(drawn);
}

/* ---- marks ---- */

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
    assert_close(&scene_find_text(&drawn->scene, "I")->angle, (double[]){0}, 1, 0);
    assert_close(&scene_find_text(&drawn->scene, "understanding")->angle, (double[]){90},
                 1, 0);
    finish(drawn);
}

/* Arrows show visible differences; of invisible ones the largest is printed, because no
 * colour could show it. */
static void test_differences_too_small_to_be_seen_are_told(void **state) {
    static const char *const moved[] = {"[[1, 2.5]]", "[[1, 2.00001]]"};
    Drawn *drawn = *state;
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "title: t\ngiven:\n  A: [[1, 2]]\n  B: %s\nsteps:\n"
                 "  - do: D = A - B\n",
                 moved[i]);
        draw(drawn, text, (size_t)-1, (Link){0});
        assert_int_equal(scene_find_text(&drawn->scene, "0.00001") != NULL, i > 0);
    }
    finish(drawn);
}

/* ---- roles ---- */

/* A slice of a weight is a weight, and so is the matrix that computes a role, whatever
 * its name: only the results have a full tab. */
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
            assert_int_equal(scene_find_text(&drawn->scene, words) != NULL,
                             i > 0 && k <= i);
        }
    }
    finish(drawn);
}

/* ---- what is too dense ---- */

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

/* Returns how many cells of C's row 70 are enlarged; they are next to one another, within
 * the stage, and have the focus in the middle, or as near to it as the table's ends
 * allow. */
static size_t enlarged_cells(Drawn *drawn, double width, size_t focus) {
    begin(drawn);
    Stage *stage = &drawn->stage;
    stage->area.w = width;
    stage->has_focus = true;
    stage->focus_node = stage->node;
    stage->focus_row = 70;
    stage->focus_col = focus;
    step_picture(stage);
    size_t count = 0, first = 0;
    double right = 0;
    for (size_t j = 0; j < 80; j++) {
        Box box;
        if (!scene_find(&drawn->scene, (Link){LINK_CELL, stage->node, 70, j}, &box) ||
            box.w < 40)
            continue;
        if (count == 0)
            first = j;
        assert_int_equal(j, first + count++);
        assert_true(box.x > stage->area.x + width / 5); /* right of the name */
        right = box.x + box.w;
    }
    assert_true(right <= stage->area.x + width);
    size_t before = focus > count / 2 ? focus - count / 2 : 0;
    if (count)
        assert_int_equal(first, before + count > 80 ? 80 - count : before);
    return count;
}

/* As many cells as there is room for, and none rather than one or two. */
static void test_a_loupe_fills_the_width_around_the_focus(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  A: {random: [90, 80], seed: 1}\n"
         "  B: {random: [90, 80], seed: 2}\nsteps:\n  - do: C = A * B\n",
         (size_t)-1, (Link){0});
    static const size_t columns[] = {0, 1, 6, 40, 73, 78, 79};
    size_t before = 0;
    for (double width = 300; width < 1544; width += 31) {
        size_t count = enlarged_cells(drawn, width, 40);
        for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
            assert_int_equal(enlarged_cells(drawn, width, columns[i]), count);
        assert_true(count == 0 || (count >= 3 && count >= before && count <= before + 3));
        if (width < 340 || width > 520)
            assert_int_equal(count > 0, width > 520);
        before = count;
    }
    assert_true(before >= 12);
    finish(drawn);
}

/* ---- muted steps ---- */

/* A muted softmax shows its scores on both sides, crossed out, and no exponentials. */
static void test_a_muted_step_shows_that_its_input_passes_through(void **state) {
    Drawn *drawn = *state;
    draw(drawn, "title: t\ngiven:\n  x: [[3, 1, 2]]\nsteps:\n  - do: y = softmax(x)\n",
         (size_t)-1, (Link){0});
    assert_non_null(scene_find_text(&drawn->scene, "0.368")); /* e^(2 − 3) */
    tape_mute(drawn->lesson->tape, tape_find(drawn->lesson->tape, "y"), true);
    begin(drawn);
    step_picture(&drawn->stage);
    assert_null(scene_find_text(&drawn->scene, "0.368"));
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
    SentenceNames names;
    begin(drawn);
    sentence_names_use(&names, &drawn->canvas, drawn->lesson->tape);
    step_picture(&drawn->stage);
    assert_null(scene_find_text(&drawn->scene, "d_k = 8"));
    assert_non_null(scene_find_text(&drawn->scene, " = 8"));
    assert_non_null(scene_find_text(&drawn->scene, "so_so"));
    finish(drawn);
}

/* A common beginning of all columns' labels is drawn once if they have no room for it. */
static void test_labels_that_begin_alike_say_so_once(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  x: {random: [2, 30], seed: 1}\nlabels:\n  x: {cols: ["
         "n = 0, n = 1, n = 2, n = 3, n = 4, n = 5, n = 6, n = 7, n = 8, n = 9, "
         "n = 0, n = 1, n = 2, n = 3, n = 4, n = 5, n = 6, n = 7, n = 8, n = 9, "
         "n = 0, n = 1, n = 2, n = 3, n = 4, n = 5, n = 6, n = 7, n = 8, n = 9]}\n"
         "steps:\n  - show: x\n",
         (size_t)-1, (Link){0});
    assert_int_equal(scene_count_texts(&drawn->scene, "n = "), 1);
    assert_int_equal(scene_count_texts(&drawn->scene, "7"), 3);
    finish(drawn);
}

/* It has a place of its own behind the words above the sign before its table. */
static void test_what_labels_begin_with_leaves_the_sign(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  a: {random: [6, 1], seed: 1}\n"
         "  b: {random: [6, 1], seed: 2}\nlabels:\n"
         "  y: {cols: [\"update = 0\", \"update = 120\"]}\nsteps:\n"
         "  - do: y = exp(concat(mean(a.T), mean(b.T)))\n",
         (size_t)-1, (Link){0});
    const SceneItem *begins = scene_find_text(&drawn->scene, "update = ");
    const SceneItem *sign = scene_find_text(&drawn->scene, "exponential");
    assert_non_null(begins);
    assert_non_null(sign);
    assert_true(sign->box.x + sign->box.w <= begins->box.x);
    finish(drawn);
}

/* The captions of equal operations get a number; with it they are no wider than their
 * place. */
static void test_numbered_captions_leave_each_other_room(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven:\n  p: [[0.6, 0.3, 0.1]]\n  r: [[0, 0, 0], [0, 1, -1]]\n"
         "labels:\n  p: {cols: [Rome, Mia is in Rome, no idea]}\n"
         "  y: {rows: [old, new], cols: [Rome, Mia is in Rome, no idea]}\nsteps:\n"
         "  - do: y = stack(p, p * exp(r[1]) / sum(p * exp(r[1])))\n",
         (size_t)-1, (Link){0});
    begin(drawn);
    drawn->stage.area = (Box){20, 20, 860, 380};
    step_picture(&drawn->stage);
    size_t numbered = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind != SCENE_TEXT ||
            (strcmp(item->text, " 1") != 0 && strcmp(item->text, " 2") != 0))
            continue;
        numbered++;
        for (size_t k = 0; k < drawn->scene.count; k++) {
            const SceneItem *other = &drawn->scene.items[k];
            if (k == i || other->kind != SCENE_TEXT)
                continue;
            bool beside = other->box.x + other->box.w <= item->box.x + 0.5 ||
                          other->box.x >= item->box.x + item->box.w - 0.5;
            bool apart = other->box.y >= item->box.y + item->box.h ||
                         other->box.y + other->box.h <= item->box.y;
            if (!beside && !apart)
                fail_msg("'%s' lies over '%s'", item->text, other->text);
        }
    }
    assert_true(numbered > 0);
    finish(drawn);
}

/* ---- names ---- */

#define SUM "\\left(\\tensor{A} + \\tensor{B}\\right)"

/* A tensor without a name is written as its formula, with the parentheses that it needs
 * within another one. */
static void test_formulas_within_formulas_keep_their_parentheses(void **state) {
    static const char *const cases[][2] = {
        {"(A - B)[0:1] @ C", "\\left(\\tensor{A} - \\tensor{B}\\right)[0] \\tensor{C}"},
        {"(A @ B)[:, 1] * C",
         "\\left(\\tensor{A} \\tensor{B}\\right)[:, 1] \\odot \\tensor{C}"},
        {"A[0] @ C", "\\tensor{A}[0] \\tensor{C}"},
        {"(A + B) @ C", SUM " \\tensor{C}"},
        {"C @ (A + B)", "\\tensor{C} " SUM},
        {"A - B + C", "\\tensor{A} - \\tensor{B} + \\tensor{C}"},
        {"C - (A + B)", "\\tensor{C} - " SUM},
        {"-(A + B)", "-" SUM},
        {"A + (-B)", "\\tensor{A} + \\left(-\\tensor{B}\\right)"},
        {"A @ B @ C", "\\tensor{A} \\tensor{B} \\tensor{C}"},
        {"(A @ B) * C", "\\left(\\tensor{A} \\tensor{B}\\right) \\odot \\tensor{C}"},
        {"C + A @ B", "\\tensor{C} + \\tensor{A} \\tensor{B}"},
        {"(A + B) / C", "\\frac{\\tensor{A} + \\tensor{B}}{\\tensor{C}}"},
        {"softmax(A + B) @ C",
         "\\op{softmax}\\left(\\tensor{A} + \\tensor{B}\\right) \\tensor{C}"},
        {"sum(A + B) - C", "\\sum_{j} " SUM " - \\tensor{C}"},
        {"sum(A) * C", "\\left(\\sum_{j} \\tensor{A}\\right) \\odot \\tensor{C}"},
        {"exp(A + B) * C", "e^{\\tensor{A} + \\tensor{B}} \\odot \\tensor{C}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Drawn *drawn = *state;
        char lesson[300];
        snprintf(
            lesson, sizeof lesson,
            "title: t\ngiven: {A: [[1, 2], [3, 4]], B: [[5, 6], [7, 8]], C: [[1, 0], "
            "[2, 1]]}\nsteps:\n  - do: \"%s\"\n",
            cases[i][0]);
        draw(drawn, lesson, (size_t)-1, (Link){0});
        size_t last = tape_count(drawn->stage.tape) - 1;
        assert_string_equal(stage_formula_name(&drawn->stage, last), cases[i][1]);
        finish(drawn);
    }
}

/* A cell of what has no name: "(A B)[0, 1]". */
static void test_a_cell_of_a_formula_has_it_in_parentheses(void **state) {
    Drawn *drawn = *state;
    draw(drawn,
         "title: t\ngiven: {A: [[1, 2], [3, 4]], B: [[5, 6], [7, 8]]}\n"
         "steps:\n  - do: C = stack(A @ B, relu(A))\n",
         (size_t)-1, (Link){0});
    const Tape *tape = drawn->stage.tape;
    size_t first = tape_find(tape, "B") + 1;
    assert_string_equal(stage_formula_part(&drawn->stage, first),
                        "\\left(\\tensor{A} \\tensor{B}\\right)");
    assert_string_equal(stage_formula_part(&drawn->stage, first + 1),
                        "\\max\\left(0, \\tensor{A}\\right)");
    assert_string_equal(stage_formula_part(&drawn->stage, tape_find(tape, "C")),
                        "\\tensor{C}");
    assert_string_equal(stage_formula_behind(&drawn->stage, "+", first),
                        "\\tensor{A} \\tensor{B}");
    assert_string_equal(stage_formula_behind(&drawn->stage, "\\div", first),
                        "\\left(\\tensor{A} \\tensor{B}\\right)");
    finish(drawn);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_operation_has_a_picture),
        cmocka_unit_test(test_a_large_table_shows_only_the_rows_that_are_looked_up),
        cmocka_unit_test(test_a_very_large_table_stays_on_the_stage),
        cmocka_unit_test(test_a_small_table_is_shown_whole),
        cmocka_unit_test(test_one_hot_rows_stand_beside_their_ids),
        cmocka_unit_test(test_a_weight_wears_a_hollow_tab),
        cmocka_unit_test(test_the_roles_of_a_picture_have_a_key),
        cmocka_unit_test(test_a_loupe_enlarges_the_row_in_focus_of_a_dense_table),
        cmocka_unit_test(test_a_loupe_fills_the_width_around_the_focus),
        cmocka_unit_test(test_differences_too_small_to_be_seen_are_told),
        cmocka_unit_test(test_what_a_number_means_stands_below_it),
        cmocka_unit_test(test_a_step_can_show_the_whole_model),
        cmocka_unit_test(test_bars_of_a_gradient_are_the_chances),
        cmocka_unit_test(test_tables_that_begin_alike_begin_at_one_height),
        cmocka_unit_test(test_shares_that_round_to_zero_have_no_number),
        cmocka_unit_test(test_digits_of_a_picture_have_one_size),
        cmocka_unit_test(test_numbers_go_last_where_type_is_large),
        cmocka_unit_test(test_cells_of_short_numbers_are_square),
        cmocka_unit_test(test_the_cell_pointed_at_is_marked_in_its_tensor),
        cmocka_unit_test(test_an_image_leaves_out_what_is_not_computed),
        cmocka_unit_test(test_labels_of_one_letter_are_not_turned),
        cmocka_unit_test(test_a_muted_step_shows_that_its_input_passes_through),
        cmocka_unit_test(test_a_row_that_numbers_words_has_no_colours),
        cmocka_unit_test(test_names_within_labels_are_set_as_formulas),
        cmocka_unit_test(test_labels_that_begin_alike_say_so_once),
        cmocka_unit_test(test_numbered_captions_leave_each_other_room),
        cmocka_unit_test(test_what_labels_begin_with_leaves_the_sign),
        cmocka_unit_test(test_formulas_within_formulas_keep_their_parentheses),
        cmocka_unit_test(test_a_cell_of_a_formula_has_it_in_parentheses),
    };
    return cmocka_run_group_tests(tests, drawn_set_up, drawn_tear_down);
}
