/* Views of tensors: what is drawn is in proportion to the numbers, every part leads to
 * its cell, and nothing is drawn outside the view's place. */
#include "close.h"
#include "drawn_lesson.h"
#include "golden.h"
#include "picture/charts/charts.h"
#include "picture/draw/canvas.h"
#include "picture/draw/lanes.h"
#include "picture/draw/token.h"
#include "picture/explain/explain.h"
#include "scene_dump.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const double PIXEL = 1.01; /* edges lie on whole points, two of them on a length */

static const Box AREA = {40, 30, 1200, 520};

static Drawn *begin(const char *lesson) {
    Drawn *drawn = NULL;
    drawn_set_up((void **)&drawn);
    course_load_lesson(&drawn->files, lesson);
    assert_true(player_init(&drawn->player, drawn->files.lessons[0]));
    return drawn;
}

static void finish(Drawn *drawn) {
    drawn_tear_down((void **)&drawn);
}

static int load(void **state) {
    *state = begin("tests/lessons/views.yaml");
    return 0;
}

static const LessonStep *statement(const Drawn *drawn) {
    return &drawn->player.lesson->steps[player_statement(&drawn->player)];
}

/* Draws the present step's view into `area`, its focus the one a page would choose. */
static void draw_present(Drawn *drawn, Arena *arena, Box area) {
    drawn_page(drawn, arena, area.x * 2 + area.w, area.y * 2 + area.h);
    drawn->stage = (Stage){.canvas = &drawn->canvas,
                           .player = &drawn->player,
                           .tape = drawn->player.lesson->tape,
                           .view = views_present(&drawn->player, LESSON_VIEW_NONE),
                           .visible = (size_t)-1,
                           .step = statement(drawn),
                           .area = area};
    Page page = {.player = &drawn->player};
    size_t node;
    drawn->stage.has_focus =
        page_focus(&page, &node, &drawn->stage.focus_row, &drawn->stage.focus_col);
    step_picture(&drawn->stage);
    drawn->stage.node = player_step(&drawn->player)->node;
}

/* The step whose result has this name. */
static void draw_step(Drawn *drawn, const char *name) {
    player_jump(&drawn->player, drawn_step_named(drawn, name));
    arena_reset(drawn->frame);
    draw_present(drawn, drawn->frame, AREA);
    assert_true(scene_complete(&drawn->scene));
}

static const Tensor *tensor_of(const Drawn *drawn) {
    return &tape_node(drawn->stage.tape, drawn->stage.node)->output;
}

static bool is_seen(const SceneItem *item) {
    return item->fill.a > 0 || (item->stroke.a > 0 && item->width > 0);
}

/* The only text or line that is linked to a cell, or its only bar; or NULL. */
static const SceneItem *item_at(const Drawn *drawn, SceneKind kind, size_t row,
                                size_t col) {
    Link link = {LINK_CELL, drawn->stage.node, row, col};
    const Color colors[] = {emphasis_bar(drawn->canvas.theme, true),
                            emphasis_bar(drawn->canvas.theme, false)};
    const SceneItem *found = NULL;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        bool is_bar = memcmp(&item->fill, &colors[0], sizeof item->fill) == 0 ||
                      memcmp(&item->fill, &colors[1], sizeof item->fill) == 0;
        if (item->kind != kind || !link_equal(item->link, link) ||
            (kind == SCENE_RECTANGLE && !is_bar))
            continue;
        assert_null(found);
        found = item;
    }
    return found;
}

/* ---- what the pictures look like ---- */

static void test_views_look_as_when_they_were_looked_at(void **state) {
    static const char *const steps[] = {"ids", "letters", "logits",  "p", "PE", "E",
                                        "A",   "A_seen",  "A_cross", "o", "O"};
    Drawn *drawn = *state;
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        draw_step(drawn, steps[i]);
        fprintf(stream, "%s\n", steps[i]);
        scene_dump(&drawn->scene, stream);
    }
    assert_int_equal(fclose(stream), 0);
    assert_golden("views.txt", text);
    free(text);
}

static void test_the_same_step_gives_the_same_picture_again(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "A");
    uint64_t first = scene_digest(&drawn->scene);
    draw_step(drawn, "PE");
    assert_true(scene_digest(&drawn->scene) != first);
    draw_step(drawn, "A");
    assert_true(scene_digest(&drawn->scene) == first);
}

/* ---- bars ---- */

static void assert_bars_in_proportion(const Drawn *drawn) {
    const Tensor *tensor = tensor_of(drawn);
    size_t row = drawn->stage.focus_row, tallest = 0;
    for (size_t j = 1; j < tensor->cols; j++) {
        if (fabs(tensor_at(tensor, row, j)) > fabs(tensor_at(tensor, row, tallest)))
            tallest = j;
    }
    const SceneItem *largest = item_at(drawn, SCENE_RECTANGLE, row, tallest);
    assert_non_null(largest);
    double scale = largest->box.h / fabs(tensor_at(tensor, row, tallest));
    double zero =
        largest->box.y + (tensor_at(tensor, row, tallest) > 0 ? largest->box.h : 0);
    for (size_t j = 0; j < tensor->cols; j++) {
        const SceneItem *bar = item_at(drawn, SCENE_RECTANGLE, row, j);
        double value = tensor_at(tensor, row, j);
        assert_non_null(bar);
        assert_close(&bar->box.h, (double[]){fabs(value) * scale}, 1, 2 * PIXEL);
        double foot = value >= 0 ? bar->box.y + bar->box.h : bar->box.y;
        assert_close(&foot, &zero, 1, PIXEL);
    }
}

static void test_bars_of_negative_numbers_hang_down(void **state) {
    draw_step(*state, "logits");
    assert_bars_in_proportion(*state);
}

static void test_bars_show_the_last_row_and_its_largest_number(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "p");
    const Tensor *tensor = tensor_of(drawn);
    assert_int_equal(drawn->stage.focus_row, tensor->rows - 1);
    for (size_t j = 0; j < tensor->cols; j++)
        assert_true(tensor_at(tensor, tensor->rows - 1, j) <=
                    tensor_at(tensor, tensor->rows - 1, drawn->stage.focus_col));
    const SceneItem *tallest =
        item_at(drawn, SCENE_RECTANGLE, tensor->rows - 1, drawn->stage.focus_col);
    const Color strong = emphasis_bar(drawn->canvas.theme, true);
    assert_memory_equal(&tallest->fill, &strong, sizeof strong);
}

/* Chances over more words than stand side by side: the likeliest above, each bar as wide
 * as its share; no word stands twice, and none of them upright. */
static void test_chances_of_many_words_are_a_ranked_list(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "p");
    const Tensor *tensor = tensor_of(drawn);
    size_t row = tensor->rows - 1, best = drawn->stage.focus_col, listed = 0;
    const SceneItem *first = item_at(drawn, SCENE_RECTANGLE, row, best);
    assert_non_null(first);
    double scale = first->box.w / tensor_at(tensor, row, best);
    for (size_t j = 0; j < tensor->cols; j++) {
        const SceneItem *bar = item_at(drawn, SCENE_RECTANGLE, row, j);
        listed += bar != NULL;
        for (size_t k = 0; bar && k < tensor->cols; k++) {
            const SceneItem *other = item_at(drawn, SCENE_RECTANGLE, row, k);
            if (tensor_at(tensor, row, j) > tensor_at(tensor, row, k))
                assert_true(!other || bar->box.y < other->box.y);
        }
        if (bar)
            assert_close(&bar->box.w, (double[]){tensor_at(tensor, row, j) * scale}, 1,
                         2 * PIXEL);
    }
    assert_true(listed >= 5);
    for (size_t i = 0; i < drawn->scene.count; i++)
        assert_false(drawn->scene.items[i].kind == SCENE_TEXT &&
                     drawn->scene.items[i].angle > 0);
}

/* How wide a step's bar of the likeliest word is, for a share of 1. */
static double full_bar(Drawn *drawn, const char *name, size_t col) {
    draw_step(drawn, name);
    const SceneItem *bar = item_at(drawn, SCENE_RECTANGLE, 0, col);
    assert_non_null(bar);
    return bar->box.w / tensor_at(tensor_of(drawn), 0, col);
}

/* A share of 0.2 is never drawn longer than one of 0.5 on another page. */
static void test_shares_have_one_axis_on_all_pages(void **state) {
    Drawn *drawn = begin("lessons/26-choosing.yaml");
    draw_step(drawn, "cold");
    size_t likeliest = drawn->stage.focus_col;
    double cold = full_bar(drawn, "cold", likeliest);
    double hot = full_bar(drawn, "hot", likeliest);
    double chances = full_bar(drawn, "first.turn_1.chances", likeliest);
    assert_close(&hot, &cold, 1, 5 * PIXEL);
    assert_close(&chances, &cold, 1, 5 * PIXEL);
    finish(drawn);
}

static void test_every_row_above_bars_has_its_chip(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "p");
    const Tensor *tensor = tensor_of(drawn);
    for (size_t i = 0; i + 1 < tensor->rows; i++) {
        const SceneItem *word = item_at(drawn, SCENE_TEXT, i, drawn->stage.focus_col);
        assert_non_null(word);
        assert_string_equal(word->text, tensor->row_labels[i]);
    }
}

static void test_more_bars_than_points_stand_for_their_largest(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "wide");
    size_t row = drawn->stage.focus_row, bars = 0;
    for (size_t j = 0; j < tensor_of(drawn)->cols; j++)
        bars += item_at(drawn, SCENE_RECTANGLE, row, j) != NULL;
    assert_true(bars > 100 && bars <= tensor_of(drawn)->cols);
    assert_non_null(item_at(drawn, SCENE_RECTANGLE, row, drawn->stage.focus_col));
}

/* ---- waves ---- */

/* The dot of a cell: a filled, outlined rectangle, round, at the place of its value. */
static const SceneItem *dot_at(const Drawn *drawn, size_t row, size_t col) {
    Link link = {LINK_CELL, drawn->stage.node, row, col};
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_RECTANGLE && link_equal(item->link, link) &&
            item->radius > 0 && item->box.w == item->box.h && is_seen(item))
            return item;
    }
    return NULL;
}

static Point middle_of(const SceneItem *item) {
    return (Point){item->box.x + item->box.w / 2, item->box.y + item->box.h / 2};
}

static void test_waves_have_a_dot_for_every_cell_at_its_height(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "E");
    const Tensor *tensor = tensor_of(drawn);
    for (size_t j = 0; j < tensor->cols; j++) {
        double low = INFINITY, high = -INFINITY, x = -INFINITY;
        for (size_t i = 0; i < tensor->rows; i++) {
            low = fmin(low, tensor_at(tensor, i, j));
            high = fmax(high, tensor_at(tensor, i, j));
        }
        const SceneItem *first = dot_at(drawn, 0, j), *second = dot_at(drawn, 1, j);
        assert_non_null(first);
        assert_non_null(second);
        double slope = (middle_of(second).y - middle_of(first).y) /
                       (tensor_at(tensor, 1, j) - tensor_at(tensor, 0, j));
        bool steep = fabs(tensor_at(tensor, 1, j) - tensor_at(tensor, 0, j)) > 0.5;
        for (size_t i = 0; i < tensor->rows; i++) {
            const SceneItem *dot = dot_at(drawn, i, j);
            assert_non_null(dot);
            assert_true(middle_of(dot).x > x);
            x = middle_of(dot).x;
            double expected = middle_of(first).y +
                              slope * (tensor_at(tensor, i, j) - tensor_at(tensor, 0, j));
            if (steep)
                assert_close(&(double){middle_of(dot).y}, &expected, 1,
                             3 * PIXEL * (high - low));
        }
    }
}

/* How far a curve passes from a point, measured upwards. */
static double distance_to_curve(const SceneItem *curve, Point at) {
    for (size_t i = 1; i < curve->count; i++) {
        Point a = curve->points[i - 1], b = curve->points[i];
        if (a.x <= at.x && at.x <= b.x)
            return fabs(a.y + (b.y - a.y) * (at.x - a.x) / (b.x - a.x) - at.y);
    }
    return INFINITY;
}

static void test_the_curve_of_positions_runs_through_its_dots(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "PE");
    const Tensor *tensor = tensor_of(drawn);
    size_t curves = 0;
    for (size_t k = 0; k < drawn->scene.count; k++) {
        const SceneItem *curve = &drawn->scene.items[k];
        bool behind = curve->count && curves > 0 &&
                      drawn->scene.items[k - 1].count >= 100 &&
                      curve->points[0].x > drawn->scene.items[k - 1].points[0].x;
        if (curve->kind != SCENE_LINE || curve->count < 100 || behind)
            continue;
        for (size_t i = 0; i < tensor->rows; i++) {
            const SceneItem *dot = dot_at(drawn, i, curves);
            assert_non_null(dot);
            assert_close(&(double){distance_to_curve(curve, middle_of(dot))},
                         (double[]){0}, 1, 1.5);
        }
        curves++;
    }
    assert_int_equal(curves, tensor->cols);
}

static void test_waves_of_many_columns_keep_sine_and_cosine_together(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "PE_long");
    size_t sines = 0, cosines = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        sines += item->kind == SCENE_TEXT && strstr(item->text, "(sin)") != NULL;
        cosines += item->kind == SCENE_TEXT && strstr(item->text, "(cos)") != NULL;
    }
    assert_int_equal(sines, cosines);
    assert_true(sines >= 3 && sines <= 8);
}

/* ---- arcs ---- */

/* Returns true if a word's arc to another is drawn: with more than five words, or two
 * texts of more than twelve, only those of the chosen word are; none with an attention
 * weight below a hundredth. */
static bool has_arc(const Drawn *drawn, size_t row, size_t col) {
    const Tensor *tensor = tensor_of(drawn);
    bool chosen = !drawn->stage.has_focus || row == drawn->stage.focus_row;
    size_t most = tensor->rows == tensor->cols ? 5 : 12;
    bool few = tensor->rows <= most && tensor->cols <= most;
    return tensor_at(tensor, row, col) >= 0.01 && (few || chosen);
}

static void assert_arcs_in_proportion(const Drawn *drawn) {
    const Tensor *tensor = tensor_of(drawn);
    double scale = 0;
    for (size_t i = 0; i < tensor->rows; i++) {
        for (size_t j = 0; j < tensor->cols; j++) {
            const SceneItem *arc = item_at(drawn, SCENE_LINE, i, j);
            double share = tensor_at(tensor, i, j);
            assert_true((arc != NULL) == has_arc(drawn, i, j));
            if (!arc)
                continue;
            scale = scale > 0 ? scale : arc->width / share;
            assert_close(&arc->width, (double[]){share * scale}, 1, 1e-9);
        }
    }
    assert_true(scale > 1);
}

static void test_arcs_are_as_wide_as_their_shares(void **state) {
    draw_step(*state, "A");
    assert_arcs_in_proportion(*state);
}

static void test_masked_words_have_no_arc(void **state) {
    draw_step(*state, "A_seen");
    assert_arcs_in_proportion(*state);
}

static void test_curves_lead_from_every_query_to_every_key(void **state) {
    draw_step(*state, "A_cross");
    assert_arcs_in_proportion(*state);
}

static void test_arcs_begin_and_end_at_their_words(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "A_cross");
    const Tensor *tensor = tensor_of(drawn);
    size_t row = drawn->stage.focus_row;
    const SceneItem *last = NULL;
    for (size_t j = 0; j < tensor->cols; j++) {
        const SceneItem *arc = item_at(drawn, SCENE_LINE, row, j);
        if (!has_arc(drawn, row, j))
            continue;
        assert_non_null(arc);
        double end = arc->points[arc->count - 1].x;
        double at = drawn->stage.area.w * ((double)j + 0.5) / (double)tensor->cols;
        assert_close(&end, (double[]){drawn->stage.area.x + at}, 1, 1);
        if (last)
            assert_close(&arc->points[0].x, &last->points[0].x, 1, 1e-9);
        last = arc;
    }
    assert_non_null(last);
}

static void test_an_arc_is_hit_on_its_line_and_not_beside_it(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "A_seen");
    size_t last = tensor_of(drawn)->rows - 1;
    const SceneItem *arc = item_at(drawn, SCENE_LINE, last, 0);
    Point top = arc->points[arc->count / 2];
    Link link = scene_hit(&drawn->scene, top.x, top.y);
    assert_true(link_equal(link, arc->link));
    link = scene_hit(&drawn->scene, top.x, top.y + 12);
    assert_false(link_equal(link, arc->link));
}

static void test_several_heads_have_a_panel_and_a_hue_each(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "A_seen");
    player_jump(&drawn->player, drawn->player.steps[drawn->player.step].next);
    while (statement(drawn)->shown_count != 3)
        player_jump(&drawn->player, drawn->player.steps[drawn->player.step].next);
    arena_reset(drawn->frame);
    draw_present(drawn, drawn->frame, AREA);
    Box boxes[3];
    Color hues[3];
    for (size_t k = 0; k < 3; k++) {
        drawn->stage.node = statement(drawn)->shown[k];
        size_t row = drawn->stage.focus_row;
        const SceneItem *arc = item_at(drawn, SCENE_LINE, row, 0);
        assert_non_null(arc);
        boxes[k] = arc->box;
        hues[k] = arc->fill;
    }
    for (size_t k = 1; k < 3; k++) {
        assert_true(boxes[k].x >= boxes[k - 1].x + boxes[k - 1].w ||
                    boxes[k].y >= boxes[k - 1].y + boxes[k - 1].h);
        hues[k].a = hues[k - 1].a;
        assert_memory_not_equal(&hues[k], &hues[k - 1], sizeof hues[k]);
    }
}

/* ---- chips ---- */

static void test_every_token_has_a_chip_with_its_id(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "ids");
    const Tensor *tensor = tensor_of(drawn);
    for (size_t j = 0; j < tensor->cols; j++) {
        Link link = {LINK_CELL, drawn->stage.node, 0, j};
        char id[32];
        snprintf(id, sizeof id, "%.0f", tensor->values[j]);
        bool has_label = false, has_id = false;
        for (size_t i = 0; i < drawn->scene.count; i++) {
            const SceneItem *item = &drawn->scene.items[i];
            if (item->kind != SCENE_TEXT || !link_equal(item->link, link))
                continue;
            has_label |= strcmp(item->text, tensor->col_labels[j]) == 0;
            has_id |= strcmp(item->text, id) == 0;
        }
        assert_true(has_label && has_id);
    }
}

static void test_a_piece_adjoins_the_chip_before_it(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "ids");
    Box chips[8];
    for (size_t j = 0; j < 8; j++) {
        Link link = {LINK_CELL, drawn->stage.node, 0, j};
        size_t i = 0;
        while (i < drawn->scene.count && !(drawn->scene.items[i].kind == SCENE_CLIP &&
                                           link_equal(drawn->scene.items[i].link, link)))
            i++;
        assert_true(i < drawn->scene.count);
        chips[j] = drawn->scene.items[i].box;
    }
    for (size_t j = 1; j < 8; j++) {
        double gap = chips[j].x - chips[j - 1].x - chips[j - 1].w;
        bool piece = token_kind(tensor_of(drawn)->col_labels[j]) == TOKEN_SUBWORD;
        assert_true(piece ? gap == 0 : gap > 4);
    }
}

static void test_labels_tell_what_kind_of_token_they_are(void **state) {
    assert_int_equal(token_kind("[CLS]"), TOKEN_SPECIAL);
    assert_int_equal(token_kind("<sos>"), TOKEN_SPECIAL);
    assert_int_equal(token_kind("[UNK]"), TOKEN_UNKNOWN);
    assert_int_equal(token_kind("<unk>"), TOKEN_UNKNOWN);
    assert_int_equal(token_kind("##ing"), TOKEN_SUBWORD);
    assert_int_equal(token_kind("##"), TOKEN_WORD);
    assert_int_equal(token_kind("<"), TOKEN_WORD);
    assert_int_equal(token_kind("[]"), TOKEN_WORD);
    assert_int_equal(token_kind("don't"), TOKEN_WORD);
    assert_int_equal(token_kind(""), TOKEN_WORD);
}

/* Draws the first step of a lesson of its own. */
static Drawn *draw_text(const char *text) {
    Drawn *drawn = calloc(1, sizeof *drawn);
    assert_non_null(drawn);
    drawn_begin(drawn, text);
    draw_present(drawn, drawn->frame, AREA);
    return drawn;
}

/* 600 chips on one stage: those that fit are whole, the rest is counted. */
static void test_more_chips_than_fit_are_counted(void **state) {
    char text[16384];
    size_t length = (size_t)snprintf(text, sizeof text, "title: many\ngiven:\n  ids: [[");
    for (int i = 0; i < 600; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%d",
                                   i ? ", " : "", i);
    length += (size_t)snprintf(text + length, sizeof text - length,
                               "]]\nlabels:\n  ids: {cols: [");
    for (int i = 0; i < 600; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%sword%d",
                                   i ? ", " : "", i);
    snprintf(text + length, sizeof text - length,
             "]}\nsteps:\n  - show: ids\n    as: chips\n");
    Drawn *drawn = draw_text(text);
    size_t chips = 0, counted = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        assert_true(item->box.y + item->box.h <= AREA.y + AREA.h + 1);
        chips += item->kind == SCENE_CLIP;
        if (item->kind == SCENE_TEXT)
            sscanf(item->text, "… and %zu more", &counted);
    }
    assert_true(chips > 50 && chips < 600);
    assert_int_equal(chips + counted, 600);
    finish(drawn);
}

/* ---- recipe ---- */

static void test_a_recipe_leads_to_shares_values_and_result(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "o");
    const TapeNode *node = tape_node(drawn->stage.tape, drawn->stage.node);
    size_t row = drawn->stage.focus_row;
    Box box;
    for (size_t k = 0; k < 3; k++) {
        assert_true(
            scene_find(&drawn->scene, (Link){LINK_CELL, node->inputs[0], row, k}, &box));
        for (size_t j = 0; j < node->output.cols; j++)
            assert_true(scene_find(&drawn->scene,
                                   (Link){LINK_CELL, node->inputs[1], k, j}, &box));
    }
    for (size_t j = 0; j < node->output.cols; j++)
        assert_true(scene_find(&drawn->scene,
                               (Link){LINK_CELL, drawn->stage.node, row, j}, &box));
}

/* From the word to each row of the values runs a band, the first row's first. */
static void test_bands_of_a_recipe_are_as_wide_as_their_shares(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "o");
    const TapeNode *node = tape_node(drawn->stage.tape, drawn->stage.node);
    const Tensor *shares = &tape_node(drawn->stage.tape, node->inputs[0])->output;
    const Color colors[] = {lane_color(&drawn->canvas, ROLE_PROBABILITIES, false),
                            lane_color(&drawn->canvas, ROLE_PROBABILITIES, true)};
    double whole = 0;
    size_t found = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind != SCENE_LINE ||
            (memcmp(&item->fill, &colors[0], sizeof *colors) != 0 &&
             memcmp(&item->fill, &colors[1], sizeof *colors) != 0))
            continue;
        double share = tensor_at(shares, drawn->stage.focus_row, found++);
        whole = whole > 0 ? whole : item->width / share;
        assert_close(&item->width, (double[]){share * whole}, 1, 1e-9);
    }
    assert_int_equal(found, shares->cols);
}

/* Wide rows leave no room for their parts: then the sum stands under them, in numbers. */
static void test_a_recipe_of_wide_rows_has_numbers(void **state) {
    static const char *const widths[] = {"4", "10"};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "title: t\ngiven:\n  S: [[0.5, 0.3, 0.2]]\n"
                 "  V: {random: [3, %s], seed: 1}\nsteps:\n  - do: O = S @ V\n"
                 "    as: recipe\n",
                 widths[i]);
        Drawn *drawn = draw_text(text);
        size_t numbers = 0, cols = tensor_of(drawn)->cols;
        for (size_t j = 0; j < drawn->scene.count; j++)
            numbers += drawn->scene.items[j].kind == SCENE_TEXT &&
                       strchr(drawn->scene.items[j].text, '.') != NULL;
        size_t lines = cols == 4 ? 7 : 4; /* with the three rows' parts, or without */
        assert_true(numbers >= lines * cols);
        finish(drawn);
    }
}

/* ---- curves ---- */

/* Places that double are equally far apart; heights go by the values' ratios; the given
 * column has no dots. */
static void test_curves_of_doubling_places_go_by_ratios(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "growth");
    const Tensor *tensor = tensor_of(drawn);
    const SceneItem *first = dot_at(drawn, 0, 0), *last = dot_at(drawn, 4, 0);
    assert_non_null(first);
    assert_non_null(last);
    double step = (middle_of(last).x - middle_of(first).x) / 4;
    double rise = (middle_of(last).y - middle_of(first).y) /
                  log(tensor_at(tensor, 4, 0) / tensor_at(tensor, 0, 0));
    assert_true(step > 100 && rise < -20);
    for (size_t i = 0; i < tensor->rows; i++) {
        Point at = middle_of(dot_at(drawn, i, 0));
        double expected[] = {middle_of(first).x + step * (double)i,
                             middle_of(first).y + rise * log(tensor_at(tensor, i, 0) /
                                                             tensor_at(tensor, 0, 0))};
        assert_close(((double[]){at.x, at.y}), expected, 2, 0.01);
        assert_true(i == 4 || dot_at(drawn, i, 1) == NULL);
    }
}

static void test_a_label_says_where_a_curve_s_point_lies(void **state) {
    const char *const labels[] = {"8", "d_k = 16", "n=-2.5", "some", ""};
    const double places[] = {8, 16, -2.5, 77, 77};
    const size_t begins[] = {0, 6, 2, 0, 0};
    Tensor tensor = {.rows = 5, .cols = 1, .row_labels = labels};
    for (size_t i = 0; i < 5; i++) {
        double place = 77;
        assert_int_equal(lesson_curve_position(&tensor, i, &place), begins[i]);
        assert_close(&place, &places[i], 1, 0);
    }
}

/* ---- histograms ---- */

/* From the lowest bar of a column to the highest, and how many they are. */
static double height_of_column(const Drawn *drawn, size_t col, size_t *bars) {
    double top = INFINITY, bottom = -INFINITY;
    *bars = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind != SCENE_RECTANGLE || !item->fill.a || item->radius > 0 ||
            item->link.kind != LINK_CELL || item->link.col != col)
            continue;
        top = fmin(top, item->box.y);
        bottom = fmax(bottom, item->box.y + item->box.h);
        ++*bars;
    }
    return bottom - top;
}

static void test_histograms_are_as_tall_as_their_numbers_spread(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "wider");
    const Tensor *tensor = tensor_of(drawn);
    double heights[2], spreads[2];
    for (size_t side = 0; side < 2; side++) {
        size_t col = 3 + side, bars;
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < tensor->rows; i++) {
            least = fmin(least, tensor_at(tensor, i, col));
            most = fmax(most, tensor_at(tensor, i, col));
        }
        spreads[side] = most - least;
        heights[side] = height_of_column(drawn, col, &bars);
        assert_true(bars > 3);
    }
    assert_close(&(double){heights[1] / heights[0]}, &(double){spreads[1] / spreads[0]},
                 1, 0.05);
}

/* ---- planes ---- */

/* The middle of the dot of a tensor's row. */
static Point point_at(const Drawn *drawn, const char *name, size_t row) {
    size_t node = tape_find(drawn->stage.tape, name);
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_RECTANGLE && item->link.kind == LINK_CELL &&
            item->link.index == node && item->link.row == row && item->stroke.a &&
            item->radius >= item->box.w / 2)
            return (Point){item->box.x + item->box.w / 2, item->box.y + item->box.h / 2};
    }
    fail_msg("%s has no point", name);
    return (Point){0};
}

/* As far as from "you" to "<sos>", and the same way, it is from "win" to the sum. */
static void test_a_difference_that_is_added_makes_a_parallelogram(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "guess");
    Point sos = point_at(drawn, "h", 0), you = point_at(drawn, "h", 1);
    Point win = point_at(drawn, "h", 2), guess = point_at(drawn, "guess", 0);
    assert_close(((double[]){guess.x - win.x, guess.y - win.y}),
                 ((double[]){sos.x - you.x, sos.y - you.y}), 2, 2);
}

/* A band to each other row, as wide as its share. */
static void test_a_moved_row_is_pulled_by_its_shares(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "pulled");
    const Tensor *shares =
        &tape_node(drawn->stage.tape, tape_find(drawn->stage.tape, "A"))->output;
    Point from = point_at(drawn, "E", 2);
    size_t bands = 0;
    double whole = 0;
    point_at(drawn, "Z", 2);
    for (size_t j = 0; j < shares->cols; j++) {
        Point to = point_at(drawn, "E", j);
        for (size_t i = 0; j != 2 && i < drawn->scene.count; i++) {
            const SceneItem *item = &drawn->scene.items[i];
            if (item->kind != SCENE_LINE || item->count != 2 ||
                hypot(item->points[0].x - from.x, item->points[0].y - from.y) > 1 ||
                hypot(item->points[1].x - to.x, item->points[1].y - to.y) > 1)
                continue;
            double share = tensor_at(shares, 2, j);
            whole = bands++ ? whole : item->width / share;
            assert_close(&item->width, &(double){whole * share}, 1, 1e-9);
        }
    }
    assert_true(bands >= 3);
}

/* ---- everywhere ---- */

/* Nothing reaches outside the stage, whatever its size; texts are drawn whole. */
static void test_views_stay_within_their_area(void **state) {
    static const Box areas[] = {{20, 20, 760, 340},
                                {20, 20, 1000, 420},
                                {20, 20, 1500, 640},
                                {20, 20, 3000, 1300}};
    Drawn *drawn = *state;
    size_t views = 0;
    for (size_t step = 0; step < drawn->player.step_count;
         step = drawn->player.steps[step].next) {
        player_jump(&drawn->player, step);
        if (statement(drawn)->view == LESSON_VIEW_NONE)
            continue;
        for (size_t a = 0; a < sizeof areas / sizeof *areas; a++, views++) {
            arena_reset(drawn->frame);
            draw_present(drawn, drawn->frame, areas[a]);
            assert_true(scene_complete(&drawn->scene));
            for (size_t i = 0, depth = 0; i < drawn->scene.count; i++) {
                const SceneItem *item = &drawn->scene.items[i];
                depth += item->kind == SCENE_CLIP;
                depth -= item->kind == SCENE_UNCLIP;
                if (item->kind == SCENE_UNCLIP || depth > (item->kind == SCENE_CLIP))
                    continue;
                Box box = item->box, area = areas[a];
                bool inside = box.x >= area.x - 1.5 && box.y >= area.y - 1.5 &&
                              box.x + box.w <= area.x + area.w + 1.5 &&
                              box.y + box.h <= area.y + area.h + 1.5;
                if (!inside)
                    print_error(
                        "step %s, area %zu: item %zu '%s' at %.1f %.1f %.1f %.1f\n",
                        player_step(&drawn->player)->path, a, i,
                        item->text ? item->text : "", box.x, box.y, box.w, box.h);
                assert_true(inside);
            }
        }
    }
    assert_true(views >= 4 * 12);
}

/* A cell that is not computed yet is not given away. */
static void test_views_hide_cells_that_are_not_there_yet(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "logits");
    size_t last = tensor_of(drawn)->rows - 1;
    drawn->stage.visible = last * tensor_of(drawn)->cols + 3;
    arena_reset(drawn->frame);
    scene_init(&drawn->scene, drawn->frame, 1280, 580, drawn->canvas.theme->page);
    step_picture(&drawn->stage);
    assert_non_null(item_at(drawn, SCENE_RECTANGLE, last, 2));
    assert_null(item_at(drawn, SCENE_RECTANGLE, last, 3));
    assert_null(item_at(drawn, SCENE_RECTANGLE, last, drawn->stage.focus_col));
}

/* A page, drawn under its arena's guard. */
typedef struct GuardedPage {
    Drawn *drawn;
    Arena *arena;
} GuardedPage;

static void draw_guarded(void *context) {
    const GuardedPage *this = context;
    draw_present(this->drawn, this->arena, AREA);
}

/* With too little memory the scene says that it is incomplete; nothing else happens. */
static void test_views_survive_a_shortage_of_memory(void **state) {
    Drawn *drawn = *state;
    for (size_t step = 0; step < drawn->player.step_count;
         step = drawn->player.steps[step].next) {
        player_jump(&drawn->player, step);
        if (statement(drawn)->view == LESSON_VIEW_NONE)
            continue;
        arena_reset(drawn->frame);
        draw_present(drawn, drawn->frame, AREA);
        uint64_t whole = scene_digest(&drawn->scene);
        for (size_t limit = 512; limit < 4 << 20; limit = limit * 3 / 2) {
            Arena *small = arena_create(limit);
            assert_non_null(small);
            if (arena_guard(small, draw_guarded, &(GuardedPage){drawn, small}))
                assert_true(scene_digest(&drawn->scene) == whole);
            arena_destroy(small);
        }
    }
}

/* ---- choosing a view ---- */

static void test_switching_goes_through_all_that_fit_and_back(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "A_cross");
    LessonView view = views_present(&drawn->player, LESSON_VIEW_NONE);
    assert_int_equal(view, LESSON_VIEW_ARCS);
    bool seen[LESSON_VIEW_COUNT] = {false};
    size_t count = 0;
    while (!seen[view]) {
        seen[view] = true;
        count++;
        view = views_next(&drawn->player, view);
    }
    assert_int_equal(view, LESSON_VIEW_ARCS);
    assert_int_equal(count, 7); /* picture, heatmap, bars, waves, arcs, plane, changed */
    assert_false(seen[LESSON_VIEW_CHIPS] || seen[LESSON_VIEW_RECIPE] ||
                 seen[LESSON_VIEW_NONE]);
}

static void test_switching_comes_back_to_heatmaps_that_were_asked_for(void **unused) {
    (void)unused;
    Lesson *lesson = lesson_good("title: Two\n"
                                 "given:\n"
                                 "  X: [[1, 2]]\n"
                                 "  Y: [[3, 4]]\n"
                                 "steps:\n"
                                 "  - show: [X, Y]\n"
                                 "    as: heatmap\n");
    Player player;
    assert_true(player_init(&player, lesson));
    LessonView first = views_present(&player, LESSON_VIEW_NONE), view = first;
    size_t turns = 0;
    do
        view = views_next(&player, view);
    while (view != first && ++turns < LESSON_VIEW_COUNT);
    assert_int_equal(view, first);
    lesson_destroy(lesson);
}

static void test_a_view_that_no_longer_fits_gives_way_to_the_picture(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "A_cross");
    Tape *tape = drawn->player.lesson->tape;
    size_t node = player_step(&drawn->player)->node;
    assert_true(tape_edit(tape, node, 0, 0, 7));
    assert_int_equal(views_present(&drawn->player, LESSON_VIEW_NONE),
                     LESSON_VIEW_PICTURE);
    assert_int_equal(views_present(&drawn->player, LESSON_VIEW_BARS), LESSON_VIEW_BARS);
    tape_restore(tape);
    assert_int_equal(views_present(&drawn->player, LESSON_VIEW_NONE), LESSON_VIEW_ARCS);
}

/* And in Falk's scheme when that is asked for. */
static void test_rows_blended_by_attention_are_a_recipe(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "O");
    assert_int_equal(views_present(&drawn->player, LESSON_VIEW_NONE), LESSON_VIEW_RECIPE);
    assert_int_equal(views_present(&drawn->player, LESSON_VIEW_PICTURE),
                     LESSON_VIEW_PICTURE);
    draw_step(drawn, "V_wide");
    assert_int_equal(views_present(&drawn->player, LESSON_VIEW_NONE),
                     LESSON_VIEW_PICTURE);
}

/* A lesson whose only tensor has the cells j − i and rows labelled with growing numbers.
 */
static Lesson *sized_lesson(size_t rows, size_t cols) {
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    fputs("title: t\ngiven:\n  X: [", stream);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < cols; j++)
            fprintf(stream, "%s%d", j ? ", " : i ? ", [" : "[", (int)j - (int)i);
        fputs("]", stream);
    }
    fputs("]\nlabels:\n  X: {rows: [", stream);
    for (size_t i = 0; i < rows; i++)
        fprintf(stream, "%sn = %zu", i ? ", " : "", i);
    fputs("], cols: [", stream);
    for (size_t j = 0; j < cols; j++)
        fprintf(stream, "%sc%zu", j ? ", " : "", j);
    fputs("]}\nsteps:\n  - show: X\n", stream);
    assert_int_equal(fclose(stream), 0);
    Lesson *lesson = lesson_good(text);
    free(text);
    return lesson;
}

/* The sizes are those that view.h states, each at its limit and next to it. */
static void test_a_view_fits_up_to_its_limits(void **unused) {
    (void)unused;
    static const struct {
        LessonView view;
        size_t rows, cols;
        bool fits;
    } cases[] = {
        {LESSON_VIEW_BARS, 1, 1, true},        {LESSON_VIEW_WAVES, 1, 3, false},
        {LESSON_VIEW_WAVES, 2, 1, true},       {LESSON_VIEW_CHIPS, 1, 3, true},
        {LESSON_VIEW_CHIPS, 3, 1, true},       {LESSON_VIEW_CHIPS, 2, 2, false},
        {LESSON_VIEW_DISTANCES, 1, 1, false},  {LESSON_VIEW_DISTANCES, 2, 2, true},
        {LESSON_VIEW_DISTANCES, 3, 3, true},   {LESSON_VIEW_DISTANCES, 3, 2, false},
        {LESSON_VIEW_DISTANCES, 2, 3, false},  {LESSON_VIEW_CURVE, 1, 1, false},
        {LESSON_VIEW_CURVE, 2, 1, true},       {LESSON_VIEW_CURVE, 2, 7, true},
        {LESSON_VIEW_CURVE, 2, 8, true},       {LESSON_VIEW_CURVE, 2, 9, false},
        {LESSON_VIEW_HISTOGRAM, 7, 1, false},  {LESSON_VIEW_HISTOGRAM, 8, 1, true},
        {LESSON_VIEW_HISTOGRAM, 9, 31, true},  {LESSON_VIEW_HISTOGRAM, 8, 32, true},
        {LESSON_VIEW_HISTOGRAM, 8, 33, false}, {LESSON_VIEW_PLANE, 1, 1, false},
        {LESSON_VIEW_PLANE, 1, 2, true},       {LESSON_VIEW_PLANE, 63, 3, true},
        {LESSON_VIEW_PLANE, 64, 2, true},      {LESSON_VIEW_PLANE, 65, 2, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Lesson *lesson = sized_lesson(cases[i].rows, cases[i].cols);
        size_t node = tape_find(lesson->tape, "X");
        Error error = {0};
        bool fits = lesson_view_fits(cases[i].view, lesson->tape, NULL, &node, 1, &error);
        if (fits != cases[i].fits)
            fail_msg("%zu × %zu: '%s' %s", cases[i].rows, cases[i].cols,
                     lesson_view_name(cases[i].view), fits ? "fits" : "doesn't fit");
        lesson_destroy(lesson);
    }
}

static void test_cells_are_explained_in_the_operations_own_picture(void **state) {
    Drawn *drawn = *state;
    draw_step(drawn, "p");
    assert_true(player_move(&drawn->player, PLAYER_DOWN));
    assert_int_equal(views_present(&drawn->player, LESSON_VIEW_NONE),
                     LESSON_VIEW_PICTURE);
    assert_int_equal(views_present(&drawn->player, LESSON_VIEW_BARS), LESSON_VIEW_BARS);
}

static void test_rows_of_zeros_and_rounded_shares_are_shares(void **state) {
    double values[] = {0.33, 0.33, 0.33, 0, 0, 0};
    Tensor tensor = {.rows = 2, .cols = 3, .values = values};
    assert_true(lesson_has_probabilities(&tensor));
    values[0] = 0.43;
    assert_false(lesson_has_probabilities(&tensor));
    values[0] = NAN;
    assert_false(lesson_has_probabilities(&tensor));
    assert_false(lesson_has_probabilities(&(Tensor){0}));
}

static void test_steps_of_an_axis_are_round_numbers(void **state) {
    const double least[] = {0.21, 1, 3, 0.0031, 22, 900};
    const double step[] = {0.25, 1, 5, 0.005, 25, 1000};
    for (size_t i = 0; i < sizeof least / sizeof *least; i++)
        assert_close(&(double){plot_step(least[i])}, &step[i], 1, 1e-12 * step[i]);
    assert_int_equal(plot_stride(1), 1);
    assert_int_equal(plot_stride(2.1), 5);
    assert_int_equal(plot_stride(501), 1000);
}

/* ---- path ---- */

/* The number of a cell, of several the one drawn last; NULL if there is none. */
static const SceneItem *number_at(const Drawn *drawn, size_t node, size_t row,
                                  size_t col) {
    const char *const *words = tape_node(drawn->stage.tape, node)->output.row_labels;
    const SceneItem *found = NULL;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        bool own = link_equal(item->link, (Link){LINK_CELL, node, row, col});
        if (own && item->kind == SCENE_TEXT && strcmp(item->text, words[row]) != 0)
            found = item;
    }
    return found;
}

/* Draws the first step that shows tensors in a view into an area. */
static const LessonStep *draw_view(Drawn *drawn, LessonView view, Box area) {
    size_t step = 0;
    player_jump(&drawn->player, step);
    while (statement(drawn)->view != view)
        player_jump(&drawn->player, ++step);
    arena_reset(drawn->frame);
    draw_present(drawn, drawn->frame, area);
    assert_true(scene_complete(&drawn->scene));
    return statement(drawn);
}

static void assert_path(Drawn *drawn, Box area, bool upright) {
    const LessonStep *step = draw_view(drawn, LESSON_VIEW_PATH, area);
    size_t row = drawn->stage.focus_row, cols = tensor_of(drawn)->cols;
    for (size_t j = 0; j < cols; j++) {
        const SceneItem *before = NULL;
        for (size_t i = 0; i < step->shown_count; i++) {
            const SceneItem *number = number_at(drawn, step->shown[i], row, j);
            assert_non_null(number);
            double along[2], across[2];
            for (int k = 0; before && k < 2; k++) {
                Point at = middle_of(k ? number : before);
                along[k] = upright ? at.y : at.x;
                across[k] = upright ? at.x : at.y;
            }
            if (before) {
                assert_true(along[1] > along[0]);
                assert_close(&across[1], &across[0], 1, area.w / 40);
            }
            before = number;
        }
    }
}

static void test_a_path_has_each_number_of_a_row_in_one_line(void **state) {
    assert_path(*state, AREA, false);
    assert_path(*state, (Box){20, 20, 700, 900}, true);
}

static void test_a_path_shows_what_is_added_to_the_focused_number(void **state) {
    Drawn *drawn = *state;
    const LessonStep *step = draw_view(drawn, LESSON_VIEW_PATH, AREA);
    const TapeNode *sum = tape_node(drawn->stage.tape, step->shown[1]);
    size_t row = drawn->stage.focus_row, col = drawn->stage.focus_col, numbers = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind != SCENE_TEXT || item->link.kind != LINK_CELL ||
            item->link.index != sum->inputs[1])
            continue;
        double value = strtod(item->text, NULL);
        assert_close(&value, &(double){tensor_at(sum->operands[1], row, col)}, 1, 0.0006);
        assert_true(item->link.row == row && item->link.col == col);
        numbers++;
    }
    assert_int_equal(numbers, 1);
}

/* The cells that are added, and those of other stations, can be pointed at. */
static void test_every_cell_of_a_path_is_a_link(void **state) {
    Drawn *drawn = *state;
    const LessonStep *step = draw_view(drawn, LESSON_VIEW_PATH, AREA);
    const TapeNode *sum = tape_node(drawn->stage.tape, step->shown[1]);
    for (size_t i = 0; i <= step->shown_count; i++) {
        size_t node = i < step->shown_count ? step->shown[i] : sum->inputs[1];
        for (size_t j = 0; j < tensor_of(drawn)->cols; j++) {
            Box box;
            Link cell = {LINK_CELL, node, drawn->stage.focus_row, j};
            assert_true(scene_find(&drawn->scene, cell, &box));
        }
    }
}

/* ---- projections ---- */

/* The source's row in focus and that row of each product have numbers, and each cell of a
 * matrix that makes them is linked to the node's own. */
static void assert_projections(Drawn *drawn, Box area) {
    const LessonStep *step = draw_view(drawn, LESSON_VIEW_PROJECTIONS, area);
    const Tape *tape = drawn->stage.tape;
    size_t row = drawn->stage.focus_row;
    for (size_t i = 0; i < step->shown_count; i++) {
        LessonProjection parts;
        assert_true(lesson_find_projection(tape, step->shown[i], &parts));
        const Tensor *made = &tape_node(tape, step->shown[i])->output;
        const Tensor *source = &tape_node(tape, parts.source)->output;
        for (size_t j = 0; j < made->cols; j++)
            assert_non_null(number_at(drawn, step->shown[i], row, j));
        for (size_t j = 0; j < source->cols; j++)
            assert_non_null(number_at(drawn, parts.source, row, j));
        for (size_t j = parts.first_col; j < parts.end_col; j++) {
            for (size_t k = 0; k < source->cols; k++) {
                Box box;
                Link cell = {LINK_CELL, parts.weight, k, j};
                assert_true(scene_find(&drawn->scene, cell, &box));
            }
        }
    }
}

static void test_projections_show_one_row_and_its_matrices(void **state) {
    assert_projections(*state, AREA);
    assert_projections(*state, (Box){20, 20, 1000, 1200});
}

/* (h W_2)[:, 2:6] has four columns of W_2 and no bias. */
static void test_a_projection_is_found_behind_a_slice_and_a_bias(void **state) {
    Drawn *drawn = *state;
    const Tape *tape = drawn->player.lesson->tape;
    LessonProjection parts;
    assert_true(lesson_find_projection(tape, tape_find(tape, "reflected"), &parts));
    assert_int_equal(parts.source, tape_find(tape, "h"));
    assert_int_equal(parts.weight, tape_find(tape, "W_2"));
    assert_true(parts.first_col == 2 && parts.end_col == 6 && parts.bias == TAPE_NONE);
    assert_true(lesson_find_projection(tape, tape_find(tape, "projected"), &parts));
    assert_int_equal(parts.weight, tape_find(tape, "W_1"));
    assert_true(parts.bias != TAPE_NONE);
    assert_false(lesson_find_projection(tape, tape_find(tape, "h_1"), &parts));
}

/* ---- a change ---- */

/* Reports whether a text is drawn with this link. */
static bool says(const Drawn *drawn, Link link, const char *text) {
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_TEXT && link_equal(item->link, link) &&
            strcmp(item->text, text) == 0)
            return true;
    }
    return false;
}

/* The numbers of a node's row that are linked so, from left to right; returns their
 * count. */
static size_t read_numbers(const Drawn *drawn, LinkKind kind, size_t node, size_t row,
                           double *values) {
    size_t count = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        bool own = item->link.kind == kind && item->link.index == node &&
                   item->link.row == row && item->link.col == count;
        if (own && item->kind == SCENE_TEXT)
            values[count++] = strtod(item->text, NULL);
    }
    return count;
}

static void test_a_changed_row_stands_below_the_one_before(void **state) {
    (void)state;
    Drawn *drawn = begin("tests/lessons/views.yaml");
    Tape *tape = drawn->player.lesson->tape;
    double now[7], before[7], original[7];
    const LessonStep *step = draw_view(drawn, LESSON_VIEW_CHANGED, AREA);
    size_t row = drawn->stage.focus_row, weights = step->shown[1];
    const Tensor *tensor = &tape_node(tape, weights)->output;
    assert_int_equal(read_numbers(drawn, LINK_SOURCE, weights, row, before), 0);
    assert_int_equal(read_numbers(drawn, LINK_CELL, weights, row, original), 7);
    assert_close(original, tensor->values + row * 7, 7, 0.006);
    assert_true(tape_edit(tape, step->shown[0], row, 2, -INFINITY));
    draw_view(drawn, LESSON_VIEW_CHANGED, AREA);
    assert_int_equal(read_numbers(drawn, LINK_SOURCE, weights, row, before), 7);
    assert_close(before, original, 7, 0.006);
    assert_int_equal(read_numbers(drawn, LINK_CELL, weights, row, now), 7);
    assert_close(now, tensor->values + row * 7, 7, 0.006);
    assert_close(&now[2], (double[]){0}, 1, 0);
    finish(drawn);
}

/* Without the score of "she" for "Mia" the model of lesson 40 names another woman. */
static void test_a_change_shows_what_the_model_predicts_then(void **state) {
    (void)state;
    Drawn *drawn = begin("lessons/40-the-whole-path.yaml");
    Tape *tape = drawn->player.lesson->tape;
    size_t end = tape_find(tape, "probabilities");
    const Tensor *chances = &tape_node(tape, end)->output;
    size_t mia = 0, lily = 2;
    assert_string_equal(chances->col_labels[mia], "Mia");
    assert_string_equal(chances->col_labels[lily], "Lily");
    const LessonStep *step = draw_view(drawn, LESSON_VIEW_CHANGED, AREA);
    assert_true(says(drawn, (Link){LINK_CELL, end, 0, mia}, "Mia"));
    assert_true(tape_edit(tape, step->shown[0], 4, 0, -INFINITY));
    draw_view(drawn, LESSON_VIEW_CHANGED, AREA);
    assert_true(says(drawn, (Link){LINK_SOURCE, end, 0, mia}, "Mia"));
    assert_true(says(drawn, (Link){LINK_CELL, end, 0, lily}, "Lily"));
    assert_true(says(drawn, (Link){LINK_CELL, end, 0, lily}, "0.901"));
    finish(drawn);
}

/* ---- one token in several texts ---- */

/* Asserts that a node's row is drawn in full, each number a link to its cell. */
static void assert_row_drawn(const Drawn *drawn, size_t node, size_t row) {
    const Tensor *tensor = &tape_node(drawn->stage.tape, node)->output;
    for (size_t j = 0; j < tensor->cols; j++) {
        const SceneItem *number = number_at(drawn, node, row, j);
        assert_non_null(number);
        bool negative = strncmp(number->text, "−", strlen("−")) == 0;
        double value = strtod(number->text + (negative ? strlen("−") : 0), NULL);
        assert_close(&value, &(double){fabs(tensor_at(tensor, row, j))}, 1, 0.06);
        assert_int_equal(negative, tensor_at(tensor, row, j) < 0);
    }
}

/* In lesson 40 "she" has one embedding and three vectors, and each gives its name. */
static void assert_contexts(Drawn *drawn, Box area) {
    static const char *const names[] = {"Mia", "Anna", "Lily"};
    Tape *tape = drawn->player.lesson->tape;
    const size_t memories[] = {tape_find(tape, "memory"), tape_find(tape, "anna.memory"),
                               tape_find(tape, "lily.memory")};
    const size_t ends[] = {tape_find(tape, "probabilities"),
                           tape_find(tape, "anna.probabilities"),
                           tape_find(tape, "lily.probabilities")};
    enum { SHE = 4 };
    draw_view(drawn, LESSON_VIEW_CONTEXTS, area);
    assert_row_drawn(drawn, tape_find(tape, "encoder.embedding"), SHE);
    for (size_t i = 0; i < 3; i++) {
        Box box;
        assert_row_drawn(drawn, memories[i], SHE);
        assert_true(says(drawn, (Link){LINK_CELL, memories[i], 0, 0}, names[i]));
        assert_true(scene_find(&drawn->scene, (Link){LINK_CELL, ends[i], 0, i}, &box));
        assert_true(says(drawn, (Link){LINK_CELL, ends[i], 0, i}, names[i]));
    }
}

static void test_a_token_has_a_vector_in_each_text(void **state) {
    (void)state;
    Drawn *drawn = begin("lessons/40-the-whole-path.yaml");
    assert_contexts(drawn, AREA);
    assert_contexts(drawn, (Box){20, 20, 680, 900});
    finish(drawn);
}

/* The focus in another text leads to the same token of the lesson's own; a token that a
 * text lacks has no vector there. */
static void test_a_text_without_the_token_says_so(void **state) {
    (void)state;
    Drawn *drawn = begin("lessons/40-the-whole-path.yaml");
    Tape *tape = drawn->player.lesson->tape;
    size_t own = tape_find(tape, "memory"), anna = tape_find(tape, "anna.memory");
    draw_view(drawn, LESSON_VIEW_CONTEXTS, AREA);
    drawn_page(drawn, drawn->frame, 1400, 700);
    drawn->stage.focus_node = anna;
    drawn->stage.focus_row = 2;
    contexts_picture(&drawn->stage);
    assert_row_drawn(drawn, own, 2);
    assert_row_drawn(drawn, anna, 2);
    drawn_page(drawn, drawn->frame, 1400, 700);
    drawn->stage.focus_node = own;
    drawn->stage.focus_row = 0;
    contexts_picture(&drawn->stage);
    assert_row_drawn(drawn, own, 0);
    assert_null(number_at(drawn, anna, 0, 0));
    finish(drawn);
}

/* ---- waves of more rows than points ---- */

/* Each part of a band reaches from the least to the largest of its rows' numbers. */
static void test_a_band_reaches_over_all_numbers_of_its_rows(void **state) {
    enum { ROWS = 5999 };
    (void)state;
    Drawn *drawn =
        draw_text("title: t\ngiven: {X: {random: [5999, 2], seed: 1}}\nsteps:\n"
                  "  - do: Y = X * 3\n    as: waves\n");
    const Tensor *tensor = tensor_of(drawn);
    size_t col = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind != SCENE_POLYGON || item->count < 200)
            continue;
        size_t parts = item->count / 2;
        const Point *points = item->points;
        double top = INFINITY, bottom = -INFINITY, high = -INFINITY, low = INFINITY;
        for (size_t row = 0; row < ROWS; row++) {
            high = fmax(high, tensor_at(tensor, row, col));
            low = fmin(low, tensor_at(tensor, row, col));
        }
        for (size_t k = 0; k < parts; k++) {
            top = fmin(top, points[k].y);
            bottom = fmax(bottom, points[item->count - 1 - k].y);
        }
        double unit =
            (bottom - top - 1.5) / (high - low); /* points; edges are 1.5 apart */
        for (size_t k = 0; k < parts; k++) {
            double most = -INFINITY, least = INFINITY;
            for (size_t row = k * ROWS / parts; row < (k + 1) * ROWS / parts; row++) {
                most = fmax(most, tensor_at(tensor, row, col));
                least = fmin(least, tensor_at(tensor, row, col));
            }
            Point upper = points[k], lower = points[item->count - 1 - k];
            assert_true(upper.x == lower.x && (k == 0 || upper.x > points[k - 1].x));
            assert_close(&upper.y, (double[]){top + (high - most) * unit}, 1, 0.01);
            assert_close(&lower.y, (double[]){bottom - (least - low) * unit}, 1, 0.01);
        }
        col++;
    }
    assert_int_equal(col, 2);
    finish(drawn);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_views_look_as_when_they_were_looked_at),
        cmocka_unit_test(test_the_same_step_gives_the_same_picture_again),
        cmocka_unit_test(test_bars_of_negative_numbers_hang_down),
        cmocka_unit_test(test_bars_show_the_last_row_and_its_largest_number),
        cmocka_unit_test(test_chances_of_many_words_are_a_ranked_list),
        cmocka_unit_test(test_shares_have_one_axis_on_all_pages),
        cmocka_unit_test(test_every_row_above_bars_has_its_chip),
        cmocka_unit_test(test_more_bars_than_points_stand_for_their_largest),
        cmocka_unit_test(test_a_band_reaches_over_all_numbers_of_its_rows),
        cmocka_unit_test(test_waves_have_a_dot_for_every_cell_at_its_height),
        cmocka_unit_test(test_the_curve_of_positions_runs_through_its_dots),
        cmocka_unit_test(test_waves_of_many_columns_keep_sine_and_cosine_together),
        cmocka_unit_test(test_arcs_are_as_wide_as_their_shares),
        cmocka_unit_test(test_masked_words_have_no_arc),
        cmocka_unit_test(test_curves_lead_from_every_query_to_every_key),
        cmocka_unit_test(test_arcs_begin_and_end_at_their_words),
        cmocka_unit_test(test_an_arc_is_hit_on_its_line_and_not_beside_it),
        cmocka_unit_test(test_several_heads_have_a_panel_and_a_hue_each),
        cmocka_unit_test(test_every_token_has_a_chip_with_its_id),
        cmocka_unit_test(test_a_piece_adjoins_the_chip_before_it),
        cmocka_unit_test(test_labels_tell_what_kind_of_token_they_are),
        cmocka_unit_test(test_more_chips_than_fit_are_counted),
        cmocka_unit_test(test_a_recipe_leads_to_shares_values_and_result),
        cmocka_unit_test(test_a_recipe_of_wide_rows_has_numbers),
        cmocka_unit_test(test_bands_of_a_recipe_are_as_wide_as_their_shares),
        cmocka_unit_test(test_curves_of_doubling_places_go_by_ratios),
        cmocka_unit_test(test_a_label_says_where_a_curve_s_point_lies),
        cmocka_unit_test(test_histograms_are_as_tall_as_their_numbers_spread),
        cmocka_unit_test(test_a_difference_that_is_added_makes_a_parallelogram),
        cmocka_unit_test(test_a_moved_row_is_pulled_by_its_shares),
        cmocka_unit_test(test_views_stay_within_their_area),
        cmocka_unit_test(test_views_hide_cells_that_are_not_there_yet),
        cmocka_unit_test(test_views_survive_a_shortage_of_memory),
        cmocka_unit_test(test_switching_goes_through_all_that_fit_and_back),
        cmocka_unit_test(test_switching_comes_back_to_heatmaps_that_were_asked_for),
        cmocka_unit_test(test_a_view_that_no_longer_fits_gives_way_to_the_picture),
        cmocka_unit_test(test_rows_blended_by_attention_are_a_recipe),
        cmocka_unit_test(test_a_view_fits_up_to_its_limits),
        cmocka_unit_test(test_cells_are_explained_in_the_operations_own_picture),
        cmocka_unit_test(test_rows_of_zeros_and_rounded_shares_are_shares),
        cmocka_unit_test(test_steps_of_an_axis_are_round_numbers),
        cmocka_unit_test(test_a_path_has_each_number_of_a_row_in_one_line),
        cmocka_unit_test(test_a_path_shows_what_is_added_to_the_focused_number),
        cmocka_unit_test(test_every_cell_of_a_path_is_a_link),
        cmocka_unit_test(test_projections_show_one_row_and_its_matrices),
        cmocka_unit_test(test_a_projection_is_found_behind_a_slice_and_a_bias),
        cmocka_unit_test(test_a_changed_row_stands_below_the_one_before),
        cmocka_unit_test(test_a_change_shows_what_the_model_predicts_then),
        cmocka_unit_test(test_a_token_has_a_vector_in_each_text),
        cmocka_unit_test(test_a_text_without_the_token_says_so),
    };
    return cmocka_run_group_tests(tests, load, drawn_tear_down);
}
