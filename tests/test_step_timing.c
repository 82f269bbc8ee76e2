/* The flow of a closed step: every result that it is about is drawn, in order, legible,
 * and leads to its cells; and the views of places and of turns. */
#include "drawn_lesson.h"
#include "lesson/model/generate_step.h"
#include "picture/draw/canvas.h"
#include "scene_find.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const Box AREA = {40, 30, 1270, 540}; /* the stage of a page of 1600 × 900 */

/* ---- flows ---- */

static const char layer[] =
    "title: t\n"
    "given:\n"
    "  X: {random: [3, 4], seed: 1}\n"
    "  W: {random: [4, 4], seed: 2}\n"
    "  W_1: {random: [4, 6], seed: 3}\n"
    "  W_2: {random: [6, 4], seed: 4}\n"
    "  b_1: [0, 0, 0, 0, 0, 0]\n"
    "  b_2: [0, 0, 0, 0]\n"
    "  gamma: [1, 1, 1, 1]\n"
    "  beta: [0, 0, 0, 0]\n"
    "steps:\n"
    "  - do: L = encoder_layer(X, W, W, W, W, 2, gamma, beta, W_1, b_1, W_2, b_2, gamma, "
    "beta)\n";

static const char pre_norm[] =
    "title: t\n"
    "given:\n"
    "  X: {random: [3, 4], seed: 1}\n"
    "  W_1: {random: [4, 6], seed: 3}\n"
    "  W_2: {random: [6, 4], seed: 4}\n"
    "  b_1: [0, 0, 0, 0, 0, 0]\n"
    "  b_2: [0, 0, 0, 0]\n"
    "steps:\n"
    "  - do: R = X + feed_forward(layer_norm(X), W_1, b_1, W_2, b_2)\n";

/* Where a thing that stands for a step of the tree can be pointed at; asserts that it
 * can. */
static Box box_of_step(const Drawn *drawn, size_t step) {
    Box box = {0};
    assert_true(
        scene_find(&drawn->scene, (Link){.kind = LINK_STEP, .index = step}, &box));
    return box;
}

static double middle_of(Box box) {
    return box.x + box.w / 2;
}

/* Steps of the tree below a layer, in order: sublayers stand above the lane, and behind
 * each of them, on one height, its sum; `norms` is how many gates there are. */
static void assert_loops_return(const Drawn *drawn, size_t layer_step, size_t norms) {
    const PlayerStep *steps = drawn->player.steps;
    double line = 0, behind = -INFINITY;
    for (size_t i = layer_step + 1; i < steps[layer_step].next; i = steps[i].next) {
        OperationKind kind = tape_node(drawn->lesson->tape, steps[i].node)->operation;
        Box box = box_of_step(drawn, i);
        if (!steps[i].child_count && kind == OPERATION_LAYER_NORM) {
            norms--;
            continue;
        }
        if (steps[i].child_count) {
            assert_true(line == 0 || box.y + box.h < line);
            continue;
        }
        assert_int_equal(kind, OPERATION_ADD);
        assert_true(line == 0 || fabs(box.y + box.h / 2 - line) < 1);
        line = box.y + box.h / 2;
        assert_true(middle_of(box) > behind);
        behind = middle_of(box);
    }
    assert_int_equal(norms, 0);
    assert_true(line > 0);
}

static void assert_names_differ(const Drawn *drawn, const char *const *names,
                                size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t found = scene_count_texts(&drawn->scene, names[i]);
        if (found != 1)
            print_error("%s is said %zu times\n", names[i], found);
        assert_int_equal(found, 1);
    }
}

/* Returns true if any cell of a tensor can be pointed at. */
static bool links_to(const Drawn *drawn, const char *name) {
    size_t wanted = tape_find(drawn->lesson->tape, name);
    assert_true(wanted != TAPE_NONE);
    for (size_t i = 0; i < drawn->scene.count; i++) {
        Link link = drawn->scene.items[i].link;
        if (link.kind == LINK_CELL && link.index == wanted)
            return true;
    }
    print_error("nothing leads to %s\n", name);
    return false;
}

static void test_each_sublayer_returns_to_the_lane_at_a_sum(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, layer);
    size_t step = drawn_step_named(&drawn, "L");
    drawn_draw(&drawn, step, AREA);
    assert_loops_return(&drawn, step, 2);
    const char *const names[] = {"Self-attention", "Feed-forward", "norm 1", "norm 2",
                                 "after norm 1"};
    assert_names_differ(&drawn, names, sizeof names / sizeof *names);
    const char *const tensors[] = {"X",
                                   "L.self_attention",
                                   "L.residual_1",
                                   "L.norm_1",
                                   "L.feed_forward",
                                   "L.residual_2",
                                   "L.feed_forward.relu",
                                   "L"};
    for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++)
        assert_true(links_to(&drawn, tensors[i]));
    drawn_finish(&drawn);
}

/* Where it is low, tables give way to what happens in the sublayers. */
static void test_low_layers_show_what_happens_in_them(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, layer);
    size_t step = drawn_step_named(&drawn, "L");
    drawn_draw(&drawn, step, (Box){40, 30, 1100, 360});
    assert_loops_return(&drawn, step, 2);
    assert_true(links_to(&drawn, "L.feed_forward.relu"));
    assert_true(links_to(&drawn, "L.self_attention.head_1.weights"));
    drawn_finish(&drawn);
}

/* Box round all cells of a node; of no height if there are none. */
static Box box_of_node(const Drawn *drawn, size_t node) {
    Point from = {INFINITY, INFINITY}, to = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind != SCENE_RECTANGLE || item->link.kind != LINK_CELL ||
            item->link.index != node)
            continue;
        from = (Point){fmin(from.x, item->box.x), fmin(from.y, item->box.y)};
        to = (Point){fmax(to.x, item->box.x + item->box.w),
                     fmax(to.y, item->box.y + item->box.h)};
    }
    return from.x < to.x ? (Box){from.x, from.y, to.x - from.x, to.y - from.y} : (Box){0};
}

/* Where the sums have no tables on the lane, a row of each hangs below it: no nearer to
 * the names above than to its own name, which is within the stage. */
static void test_what_hangs_from_a_lane_is_clear_of_names(void **state) {
    static const double widths[] = {900, 1000, 1100, 1200},
                        heights[] = {400, 450, 500, 540, 600, 700};
    Drawn drawn;
    drawn_begin(&drawn, layer);
    size_t step = drawn_step_named(&drawn, "L");
    size_t on_lane = tape_find(drawn.lesson->tape, "X"),
           sum = tape_find(drawn.lesson->tape, "L.residual_1");
    for (size_t i = 0; i < 4 * 6; i++) {
        Box area = {40, 30, widths[i % 4], heights[i / 4]};
        drawn_draw(&drawn, step, area);
        Box table = box_of_node(&drawn, on_lane), row = box_of_node(&drawn, sum);
        assert_true(table.h > 0 && row.y > table.y + table.h);
        double above = INFINITY, below = INFINITY;
        for (size_t j = 0; j < drawn.scene.count; j++) {
            const SceneItem *item = &drawn.scene.items[j];
            double bottom = item->box.y + item->box.h;
            if (item->kind != SCENE_TEXT || item->box.y < table.y + table.h)
                continue;
            assert_true(bottom <= area.y + area.h);
            if (item->box.y < row.y)
                above = fmin(above, row.y - bottom);
            else if (bottom > row.y + row.h)
                below = fmin(below, item->box.y - (row.y + row.h));
        }
        assert_true(isfinite(above) && isfinite(below) && below > 0);
        if (above < below)
            fail_msg("%.0f × %.0f: names are %.1f above the row, its own %.1f below",
                     area.w, area.h, above, below);
    }
    drawn_finish(&drawn);
}

static void test_a_norm_in_front_lies_on_the_loop(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, pre_norm);
    drawn_draw(&drawn, 0, AREA);
    assert_loops_return(&drawn, 0, 1);
    const PlayerStep *steps = drawn.player.steps;
    Box gate = box_of_step(&drawn, 1), sublayer = box_of_step(&drawn, steps[1].next);
    Box sum = box_of_step(&drawn, steps[steps[1].next].next);
    assert_true(gate.y >= sublayer.y + sublayer.h);
    assert_true(gate.y + gate.h < sum.y + sum.h / 2);
    drawn_finish(&drawn);
}

/* 40 words of 32 numbers: the one in focus is there, and rows around the chosen one.
 */
static void test_a_large_layer_keeps_to_its_stage(void **state) {
    Drawn drawn;
    drawn_begin(&drawn,
                "title: t\n"
                "given:\n"
                "  X: {random: [40, 32], seed: 1}\n"
                "  W_1: {random: [32, 128], seed: 3}\n"
                "  W_2: {random: [128, 32], seed: 4}\n"
                "  b_1: {random: [1, 128], seed: 5}\n"
                "  b_2: {random: [1, 32], seed: 6}\n"
                "steps:\n"
                "  - do: R = layer_norm(X + feed_forward(X, W_1, b_1, W_2, b_2))\n");
    drawn_draw(&drawn, 0, AREA);
    size_t numbers = 0, node = tape_find(drawn.lesson->tape, "R");
    for (size_t i = 0; i < drawn.scene.count; i++) {
        const SceneItem *item = &drawn.scene.items[i];
        if (item->link.kind != LINK_CELL)
            continue;
        numbers += item->kind == SCENE_TEXT && item->link.index == node;
        assert_true(item->box.x >= AREA.x - 1 && item->box.y >= AREA.y - 1);
        assert_true(item->box.x + item->box.w <= AREA.x + AREA.w + 1);
        assert_true(item->box.y + item->box.h <= AREA.y + AREA.h + 1);
    }
    assert_int_equal(numbers, 1);
    drawn_finish(&drawn);
}

static const char network[] = "title: t\n"
                              "given:\n"
                              "  X: [[1, 2], [2, 1]]\n"
                              "  W_1: [[1, -1, 1], [0, 0, 1]]\n"
                              "  b_1: [0, 0, 0]\n"
                              "  W_2: [[1, 2], [3, 4], [-5, 6]]\n"
                              "  b_2: [0, 0]\n"
                              "steps:\n"
                              "  - do: F = feed_forward(X, W_1, b_1, W_2, b_2)\n"
                              "  - do: Z = X @ W_1 + b_1\n"
                              "  - do: A = relu(Z)\n"
                              "  - do: G = A @ W_2 + b_2\n";

/* The box of a cell's number or ground, the first that is drawn. */
static Box box_of_cell(const Drawn *drawn, size_t node, size_t row, size_t col) {
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_RECTANGLE &&
            link_equal(item->link, (Link){LINK_CELL, node, row, col}))
            return item->box;
    }
    fail();
    return (Box){0};
}

/* The last word's units are 2, −2 and 3. */
static void test_only_units_that_are_lit_send_on(void **state) {
    static const char *const steps[] = {"F", "G"};
    Drawn drawn;
    drawn_begin(&drawn, network);
    for (size_t i = 0; i < 2; i++) {
        drawn_draw(&drawn, drawn_step_named(&drawn, steps[i]), AREA);
        size_t sent = 0, out = tape_find(drawn.lesson->tape, steps[i]);
        for (size_t col = 0; col < 2; col++) {
            Box cell = box_of_cell(&drawn, out, 1, col);
            for (size_t j = 0; j < drawn.scene.count; j++) {
                const SceneItem *item = &drawn.scene.items[j];
                sent += item->kind == SCENE_LINE &&
                        fabs(item->points[1].x - cell.x) < 1 &&
                        fabs(item->points[1].y - (cell.y + cell.h / 2)) < 2;
            }
        }
        assert_int_equal(sent, 4);
    }
    drawn_finish(&drawn);
}

/* Unit by unit: a gate stands beside what was bent, and its line and the signal's meet in
 * one point before their product. */
static void test_a_gate_meets_its_signal(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\n"
                        "given:\n"
                        "  X: [[1, 2], [2, 1]]\n"
                        "  W_gate: [[1, -1, 1], [1, 0, 1]]\n"
                        "  W_up: [[1, 2, 1], [2, 1, 1]]\n"
                        "  W_down: [[1, 2], [3, 4], [-5, 6]]\n"
                        "steps:\n"
                        "  - do: F = swiglu(rms_norm(X), W_gate, W_up, W_down)\n");
    drawn_draw(&drawn, 0, AREA);
    size_t down = tape_find(drawn.lesson->tape, "F");
    size_t gated = tape_node(drawn.lesson->tape, down)->inputs[0];
    const TapeNode *product = tape_node(drawn.lesson->tape, gated);
    size_t sums = tape_node(drawn.lesson->tape, product->inputs[0])->inputs[0];
    for (size_t col = 0; col < 3; col++) {
        Box to = box_of_cell(&drawn, gated, 1, col),
            bent = box_of_cell(&drawn, sums, 1, col);
        Box terms[2] = {{0}, box_of_cell(&drawn, product->inputs[1], 1, col)};
        for (size_t i = 0; i < drawn.scene.count; i++) {
            const SceneItem *item = &drawn.scene.items[i];
            if (item->kind == SCENE_RECTANGLE && /* no dot on a curve */
                link_equal(item->link, (Link){LINK_CELL, product->inputs[0], 1, col}))
                terms[0] = item->box;
        }
        assert_true(fabs(terms[0].y - bent.y) < 0.01 && terms[0].x > bent.x + bent.w);
        for (size_t i = 0; i < 2; i++) {
            Box from = terms[i];
            size_t met = 0;
            for (size_t j = 0; j < drawn.scene.count; j++) {
                const SceneItem *item = &drawn.scene.items[j];
                if (item->kind != SCENE_LINE) /* without points */
                    continue;
                Point begin = item->points[0], end = item->points[item->count - 1];
                met += fabs(begin.x - from.x - from.w) < 4 &&
                       fabs(begin.y - from.y - from.h / 2) < 2 && end.x < to.x &&
                       end.x > terms[0].x + terms[0].w &&
                       fabs(end.y - to.y - to.h / 2) < 2;
            }
            assert_int_equal(met, 1);
        }
    }
    drawn.files.language = languages_lookup(&drawn.files.languages, "zh"); /* short */
    drawn_draw(&drawn, 0, AREA);
    const Scene *scene = &drawn.scene;
    size_t name = 0; /* with a ground of its own: lines pass there */
    while (name < scene->count && (scene->items[name].kind != SCENE_TEXT ||
                                   strcmp(scene->items[name].text, "信号") != 0))
        name++;
    assert_true(name > 0 && name < scene->count);
    const SceneItem *said = &scene->items[name], *ground = said - 1;
    assert_int_equal(ground->kind, SCENE_RECTANGLE);
    assert_true(ground->box.x <= said->box.x && ground->box.y <= said->box.y &&
                ground->box.y + ground->box.h >= said->box.y + said->box.h);
    for (size_t i = name; i < scene->count; i++) {
        const Point *ends = scene->items[i].points;
        assert_false(scene->items[i].kind == SCENE_LINE &&
                     fmin(ends[0].y, ends[1].y) < said->box.y + said->box.h &&
                     fmax(ends[0].y, ends[1].y) > said->box.y);
    }
    drawn_finish(&drawn);
}

/* A step's result that is added to the residual stream comes down on its lane. */
static void test_what_is_added_comes_down_on_the_lane(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\n"
                        "given:\n"
                        "  X: [[1, 2], [2, 1]]\n"
                        "  W: [[1, -1], [0, 3]]\n"
                        "steps:\n"
                        "  - do: Y = X + relu(X @ W)\n");
    drawn_draw(&drawn, 0, AREA);
    const Tape *tape = drawn.lesson->tape;
    size_t sum = tape_find(tape, "Y");
    Box on_lane = box_of_cell(&drawn, tape_node(tape, sum)->inputs[0], 0, 0),
        added = box_of_cell(&drawn, tape_node(tape, sum)->inputs[1], 0, 0),
        result = box_of_cell(&drawn, sum, 0, 0);
    assert_true(fabs(on_lane.y - result.y) < 1 && on_lane.x < result.x);
    assert_true(added.y + added.h < result.y && added.x > on_lane.x);
    drawn_finish(&drawn);
}

/* On the flat part where it is not lit, higher where it is. */
static void test_a_hinge_has_a_dot_for_every_unit(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, network);
    drawn_draw(&drawn, drawn_step_named(&drawn, "A"), AREA);
    size_t node = tape_find(drawn.lesson->tape, "A");
    double heights[3];
    for (size_t col = 0; col < 3; col++) {
        Box dot = box_of_cell(&drawn, node, 1, col), cell;
        cell = box_of_cell(&drawn, tape_find(drawn.lesson->tape, "Z"), 1, col);
        assert_true(dot.w == dot.h && dot.x > cell.x + cell.w);
        heights[col] = cell.y + cell.h - (dot.y + dot.h / 2);
    }
    assert_true(heights[1] < heights[0] && heights[0] < heights[2]);
    drawn_finish(&drawn);
}

/* PyTorch's values for −1 and 2 of each activation function; the dots are as high above
 * that of 0. */
static void test_every_activation_is_drawn_as_its_curve(void **state) {
    static const struct {
        const char *call;
        double below, above;
    } rows[] = {{"relu", 0, 2},
                {"gelu", -0.158655, 1.954500},
                {"gelu_tanh", -0.158808, 1.954598},
                {"silu", -0.268941, 1.761594}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "title: t\ngiven:\n  Z: [[-1, 0, 2]]\n  W: [[2, 1], [1, 1], [1, -1]]\n"
                 "steps:\n  - do: A = %s(Z)\n  - do: Y = %s(Z) @ W\n",
                 rows[i].call, rows[i].call);
        Drawn drawn;
        drawn_begin(&drawn, text);
        drawn_draw(&drawn, 0, AREA);
        size_t made = tape_find(drawn.lesson->tape, "A"),
               from = tape_find(drawn.lesson->tape, "Z");
        double heights[3];
        for (size_t col = 0; col < 3; col++) {
            Box dot = box_of_cell(&drawn, made, 0, col),
                cell = box_of_cell(&drawn, from, 0, col);
            assert_true(dot.w == dot.h && dot.x > cell.x + cell.w);
            heights[col] = cell.y + cell.h - (dot.y + dot.h / 2);
        }
        double rise = heights[2] - heights[1], dip = heights[0] - heights[1];
        assert_true(rise > 8);
        assert_true(fabs(dip / rise - rows[i].below / rows[i].above) < 0.04);
        size_t sent = drawn_step_named(&drawn, "Y");
        drawn_draw(&drawn, sent, AREA);
        box_of_cell(&drawn, drawn.player.steps[sent].node - 1, 0, 2); /* its units */
        drawn_finish(&drawn);
    }
}

/* Of a network's own, not of the model that the lesson has as well. */
static void test_a_network_s_numbers_are_called_before_what_bends_them(void **state) {
    Drawn drawn;
    drawn_begin(&drawn,
                "title: t\nmodel:\n  kind: decoder\n  d_model: 2\n  steps: false\n"
                "  activation: swiglu\n  corpus: [a b c]\n  target: a\n"
                "  weights: {random: 1}\ngiven:\n  Y: [[1, 2]]\n  W: [[1, -1], [1, 0]]\n"
                "  b: [[0, 0]]\nsteps:\n  - do: F = feed_forward(Y, W, b, W, b)\n");
    drawn_draw(&drawn, 0, AREA);
    assert_true(scene_says(&drawn.scene, "before ReLU"));
    drawn_finish(&drawn);
}

static void test_rows_at_one_place_are_named_there_together(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\ntokens: [the, was, bank]\ngiven:\n"
                        "  X: [[0, 0], [0, 0], [2, 1]]\n"
                        "  M: [[1, 0, 0], [0.5, 0, 0.5], [0, 0, 1]]\nlabels:\n"
                        "  X: {rows: tokens}\n  H: {rows: tokens}\nsteps:\n"
                        "  - do: H = M @ X\n  - show: [X, H]\n    as: plane\n");
    drawn_draw(&drawn, drawn.player.step_count - 1, AREA);
    assert_true(scene_says(&drawn.scene, "the, was"));
    assert_false(scene_says(&drawn.scene, "was"));
    drawn_finish(&drawn);
}

/* Each pair of numbers is a dot on the diagonal; where one number differs the picture is
 * another. */
static void test_tables_that_are_the_same_are_dots_on_a_line(void **state) {
    static const char same[] = "title: t\n"
                               "given:\n"
                               "  A: [[1, 2, 3], [4, 5, 6]]\n"
                               "  B: [[4, 5, 6]]\n"
                               "  C: [[1, 2, 3], [4, 5, 7]]\n"
                               "steps:\n"
                               "  - do: D = A[1] - B\n"
                               "  - do: E = A - A\n"
                               "  - do: F = A - C\n";
    static const char *const steps[] = {"D", "E"}, *const counts[] = {
                                                       "of 3 numbers differ",
                                                       "of 6 numbers differ"};
    Drawn drawn;
    drawn_begin(&drawn, same);
    for (size_t i = 0; i < 2; i++) {
        drawn_draw(&drawn, drawn_step_named(&drawn, steps[i]), AREA);
        size_t node = tape_find(drawn.lesson->tape, steps[i]);
        Box first = box_of_cell(&drawn, node, 0, 0),
            last = box_of_cell(&drawn, node, i, 2);
        assert_true(last.x > first.x + 50);
        assert_true(fabs((last.x - first.x) - (first.y - last.y)) <= 2);
        assert_true(scene_says(&drawn.scene, counts[i]));
    }
    drawn_draw(&drawn, drawn_step_named(&drawn, "F"), AREA);
    assert_false(scene_says(&drawn.scene, "of 6 numbers differ"));
    drawn_finish(&drawn);
}

/* Of 3 a b three rectangles, as wide and as tall as their factors say. */
static void test_a_product_of_sizes_is_so_many_areas(void **state) {
    Drawn drawn;
    drawn_begin(&drawn,
                "title: t\ngiven:\n  a: 2\n  b: 6\nsteps:\n  - do: n = 3 * a * b\n");
    drawn_draw(&drawn, 0, AREA);
    size_t areas = 0;
    for (size_t i = 0; i < drawn.scene.count; i++) {
        const SceneItem *item = &drawn.scene.items[i];
        if (item->kind != SCENE_RECTANGLE || item->link.kind != LINK_NONE ||
            !item->fill.a)
            continue;
        areas++;
        assert_true(fabs(item->box.w - 3 * item->box.h) < 1e-6 * item->box.w);
    }
    assert_int_equal(areas, 3);
    assert_true(scene_says(&drawn.scene, "36"));
    drawn_finish(&drawn);
}

/* A picture that has no room for its parts gives way to another: the result is on every
 * stage, in both directions from large to small. */
static void test_a_picture_without_room_gives_way(void **state) {
    static const struct {
        const char *given, *step;
    } lessons[] = {
        {"a: 2, b: 6", "n = 3 * a * b"},
        {"a: [[2, 3]], b: [[6, 5]]", "n = 3 * a * b + a"},
    };
    static const double widths[] = {120, 300, 600, 1270},
                        heights[] = {30, 60, 100, 140, 300, 540};
    for (size_t i = 0; i < sizeof lessons / sizeof *lessons; i++) {
        char text[200];
        snprintf(text, sizeof text, "title: t\ngiven: {%s}\nsteps:\n  - do: %s\n",
                 lessons[i].given, lessons[i].step);
        Drawn drawn;
        drawn_begin(&drawn, text);
        for (size_t j = 0; j < 4 * 6; j++) {
            drawn_draw(&drawn, 0, (Box){40, 30, widths[j % 4], heights[j / 4]});
            if (!links_to(&drawn, "n"))
                fail_msg("%s in %.0f × %.0f", lessons[i].step, widths[j % 4],
                         heights[j / 4]);
        }
        drawn_finish(&drawn);
    }
}

/* PyTorch, float64: the slopes of h_2 and h_3 by the first row are 33.955 % and 6.918 %
 * as long as those of h_1. */
static void test_a_state_says_what_is_left_of_the_first_row(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\ntokens: [she, drinks, tea]\n"
                        "given:\n  X: [[1, 0], [0, 1], [1, 1]]\n"
                        "  W: [[0.9, -0.4], [0.3, 0.8]]\n  U: [[0.6, 0.2], [-0.3, 0.5]]\n"
                        "labels:\n  X: {rows: tokens}\nsteps:\n"
                        "  - do: h_1 = 1 - 2 / (exp(2 * (X[0] @ W)) + 1)\n"
                        "  - do: h_2 = 1 - 2 / (exp(2 * (X[1] @ W + h_1 @ U)) + 1)\n"
                        "  - do: h_3 = 1 - 2 / (exp(2 * (X[2] @ W + h_2 @ U)) + 1)\n");
    drawn_draw(&drawn, drawn_step_named(&drawn, "h_3"), AREA);
    assert_true(scene_says(&drawn.scene, "she 100%") &&
                scene_says(&drawn.scene, "she 34%"));
    assert_true(scene_says(&drawn.scene, "she 7%"));
    drawn_finish(&drawn);
}

/* All its terms are tables, none of what lies between them. */
static void test_a_sum_shows_its_terms(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\n"
                        "given: {a: [1, 2], b: [3, 4], c: [5, 6]}\n"
                        "steps:\n"
                        "  - do: d = a - b + 2 * c\n");
    drawn_draw(&drawn, 0, AREA);
    assert_true(links_to(&drawn, "a") && links_to(&drawn, "b") && links_to(&drawn, "d"));
    const PlayerStep *steps = drawn.player.steps;
    size_t difference = steps[1].node, twice = steps[2].node;
    bool between = false, product = false;
    for (size_t i = 0; i < drawn.scene.count; i++) {
        Link link = drawn.scene.items[i].link;
        between |= link.kind == LINK_CELL && link.index == difference;
        product |= link.kind == LINK_CELL && link.index == twice;
    }
    assert_true(product && !between);
    drawn_finish(&drawn);
}

static const char placed[] = "title: t\n"
                             "given:\n"
                             "  E: {random: [3, 4], seed: 1}\n"
                             "steps:\n"
                             "  - do: X = E + positional_encoding(3, 4)\n";

/* Words on the lane, their places coming down on it. */
static void test_places_are_added_on_the_lane(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, placed);
    drawn_draw(&drawn, 0, AREA);
    size_t sum = drawn.player.steps[0].node;
    Box words = box_of_cell(&drawn, tape_find(drawn.lesson->tape, "E"), 0, 0);
    Box places = box_of_cell(&drawn, drawn.player.steps[1].node, 0, 0);
    Box result = box_of_cell(&drawn, sum, 0, 0);
    assert_true(words.y == result.y && places.y + places.h < words.y);
    assert_true(words.x < places.x && places.x < result.x);
    assert_true(scene_says(&drawn.scene, "positions"));
    drawn_finish(&drawn);
}

static const char model[] = "title: t\n"
                            "model:\n"
                            "  kind: encoder_decoder\n"
                            "  d_model: 4\n"
                            "  heads: 2\n"
                            "  d_ff: 8\n"
                            "  layers: 2\n"
                            "  corpus: [\"a b c\"]\n"
                            "  source: \"a b c\"\n"
                            "  target: \"a b\"\n"
                            "  weights: {random: 1}\n";

/* Each layer is a box on its tower's lane, and leads to its step. */
static void test_a_memory_is_shown_within_the_whole_model(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, model);
    const PlayerStep *steps = drawn.player.steps;
    size_t memory = 0;
    while (strcmp(steps[memory].topic, "memory") != 0)
        memory = steps[memory].next;
    drawn_draw(&drawn, memory, AREA);
    Box before = {0};
    size_t layers = 0;
    for (size_t i = 0; i < drawn.player.step_count; i = steps[i].next) {
        bool decodes = strcmp(steps[i].topic, "decoder_layer") == 0;
        if (!decodes && strcmp(steps[i].topic, "encoder_layer") != 0)
            continue;
        Box box = box_of_step(&drawn, i);
        assert_true(layers == 2 ? box.y > before.y + before.h
                                : box.x > before.x + before.w);
        before = box;
        layers++;
    }
    assert_int_equal(layers, 4);
    assert_true(links_to(&drawn, "memory"));
    assert_false(links_to(&drawn, "probabilities")); /* they come later */
    assert_true(links_to(&drawn, "decoder.position"));
    drawn_finish(&drawn);
}

/* ---- views ---- */

static const char places[] = "title: t\n"
                             "given:\n"
                             "  t: [0, 1, 2, 3, 4]\n"
                             "labels:\n"
                             "  t: {cols: [a, b, c, d, e]}\n"
                             "steps:\n"
                             "  - do: R = t - t.T\n"
                             "    as: distances\n";

static void test_distances_lead_to_the_cells_of_the_chosen_row(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, places);
    drawn_draw(&drawn, drawn_step_named(&drawn, "R"),
               AREA); /* without a focus the last word is chosen */
    size_t node = tape_find(drawn.lesson->tape, "R"), found = 0;
    const char *const texts[] = {"−4", "−3", "−2", "−1", "0"};
    for (size_t i = 0; i < drawn.scene.count; i++) {
        const SceneItem *item = &drawn.scene.items[i];
        Link link = item->link;
        bool steps = item->kind == SCENE_TEXT && item->font == FONT_BOLD &&
                     link.kind == LINK_CELL && link.index == node && link.row == 4 &&
                     item->box.x < AREA.x + AREA.w / 2;
        if (steps && strcmp(item->text, texts[link.col]) == 0)
            found++;
    }
    assert_int_equal(found, 5);
    drawn_finish(&drawn);
}

static const char answers[] = "title: t\nmodel:\n  d_model: 4\n  source: win it\n"
                              "  corpus: [\"you win it\"]\n  target: \"you\"\n"
                              "  steps: false\n  weights: {random: 3}\nsteps:\n"
                              "  - generate: {rule: greedy, length: 3}\n"
                              "  - generate: {name: told, rule: greedy, length: 3}\n"
                              "  - show: cost_told\n";

/* A row that is computed again takes as much room in every turn. */
static void test_turns_have_squares_of_one_size(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, answers);
    static const double widths[] = {1270, 640};
    for (size_t i = 0; i < 2; i++) {
        drawn_draw(&drawn, drawn.player.steps[0].next, (Box){40, 30, widths[i], 300});
        const Theme *theme = drawn.canvas.theme;
        const Color again = palette_mix(theme->page, theme->ink_soft, 90);
        double first = 0;
        size_t count = 0;
        for (size_t k = 0; k < drawn.scene.count; k++) {
            const SceneItem *item = &drawn.scene.items[k];
            if (item->kind != SCENE_RECTANGLE ||
                memcmp(&item->fill, &again, sizeof again) != 0)
                continue;
            first = count++ ? first : item->box.w;
            assert_true(fabs(item->box.w - first) < 1.01); /* edges on whole points */
        }
        assert_int_equal(count, 1 + 2);
    }
    drawn_finish(&drawn);
}

/* A line above the turns has what the encoder reads, and each word its probability. */
static void test_turns_lead_from_what_the_encoder_reads(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, answers);
    for (size_t i = 0, step = 0; i < 2; i++, step = drawn.player.steps[step].next) {
        drawn_draw(&drawn, step, AREA);
        const DecodingStep *turn = &drawn.lesson->steps[i].generate->generated.steps[0];
        Box read = box_of_cell(&drawn, turn->ids[0], 0, 0);
        Box source = i ? (Box){0} : box_of_cell(&drawn, turn->source, 0, 1);
        assert_true(source.y + source.h < read.y);
        assert_int_equal(scene_says(&drawn.scene, "encoder input"), !i);
        assert_int_equal(scene_says(&drawn.scene, "probability"), !i);
        assert_int_equal(scene_says(&drawn.scene, "multiplications"), i);
    }
    drawn_finish(&drawn);
}

/* Values that a cache saves aren't computed: empty outlines behind the dark bars, and a
 * key. */
static void test_what_a_cache_saves_is_empty_and_said(void **state) {
    Drawn drawn;
    drawn_begin(&drawn,
                "title: t\nmodel:\n  kind: decoder\n  d_model: 4\n"
                "  corpus: [\"you win or you die\"]\n  target: \"you\"\n"
                "  steps: false\n  weights: {random: 3}\nsteps:\n"
                "  - generate: {rule: greedy, length: 3}\n"
                "  - generate: {name: kept, rule: greedy, length: 3, cache: true}\n");
    for (size_t i = 0, step = 0; i < 2; i++, step = drawn.player.steps[step].next) {
        drawn_draw(&drawn, step, AREA);
        const Theme *theme = drawn.canvas.theme;
        const Generated *said = &drawn.lesson->steps[i].generate->generated;
        size_t saved = 0, saving = 0;
        for (size_t k = 0; k < said->step_count; k++)
            saving += said->steps[k].multiplications < said->steps[k].without_cache;
        for (size_t k = 0; k < drawn.scene.count; k++) {
            const SceneItem *item = &drawn.scene.items[k];
            saved += item->kind == SCENE_RECTANGLE && item->box.h == 12 &&
                     memcmp(&item->fill, &theme->page, sizeof theme->page) == 0;
        }
        assert_int_equal(scene_says(&drawn.scene, "saved by the cache"), i);
        assert_int_equal(saving > 0, i);
        assert_int_equal(saved, i ? saving + 1 : 0);
        size_t dashes = 0; /* around rows that are kept */
        for (size_t k = 0; k < drawn.scene.count; k++)
            dashes += drawn.scene.items[k].kind == SCENE_LINE &&
                      drawn.scene.items[k].width == 1;
        assert_int_equal(dashes > 0, i);
        drawn_draw(&drawn, step, (Box){AREA.x, AREA.y, AREA.w, 200});
        assert_int_equal(scene_says(&drawn.scene, "saved by the cache"), i);
    }
    drawn_finish(&drawn);
}

/* Many turns: below what each said hangs what it might have said, each as tall as its
 * share. */
static void test_a_long_answer_shows_its_doubts(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\nmodel:\n  kind: decoder\n  d_model: 4\n"
                        "  corpus: [\"a b c d e f g h i j k l\"]\n  target: \"a\"\n"
                        "  steps: false\n  weights: {random: 3}\nsteps:\n"
                        "  - generate: {rule: sample, seed: 4, length: 12}\n");
    drawn_draw(&drawn, 0, AREA);
    const LessonGenerate *generate = drawn.lesson->steps[0].generate;
    assert_true(generate->generated.step_count > 8);
    assert_int_equal(scene_filled(&drawn.scene, emphasis_bar(drawn.canvas.theme, true)),
                     generate->generated.step_count + 1); /* what was said, and its key */
    double whole = 0;
    for (size_t i = 0; i < generate->generated.step_count; i++) {
        FollowCell said = lesson_generation_cell(generate, i);
        const Tensor *shares = &tape_node(drawn.lesson->tape, said.node)->output;
        Box chip = box_of_cell(&drawn, said.node, said.row, said.col);
        size_t other = said.col == 0;
        for (size_t col = 0; col < shares->cols; col++)
            if (col != said.col &&
                tensor_at(shares, said.row, col) > tensor_at(shares, said.row, other))
                other = col;
        Box doubt = box_of_cell(&drawn, said.node, said.row, other);
        assert_true(doubt.y > chip.y + chip.h && doubt.x < chip.x + chip.w);
        double share = tensor_at(shares, said.row, other);
        whole = i ? whole : (doubt.h + 1) / share;
        assert_true(fabs(whole * share - doubt.h - 1) <= 4);
    }
    drawn_finish(&drawn);
}

static const char cached[] =
    "title: t\n"
    "given:\n"
    "  H: {random: [4, 4], seed: 1}\n"
    "  W_Q: {random: [4, 4], seed: 2}\n"
    "  W_K: {random: [4, 4], seed: 3}\n"
    "  W_V: {random: [4, 4], seed: 4}\n"
    "  many: {random: [900, 4], seed: 5}\n"
    "steps:\n"
    "  - do: K = stack(H[0:3] @ W_K, H[3] @ W_K)\n"
    "  - do: V = stack(H[0:3] @ W_V, H[3] @ W_V)\n"
    "  - do: o = attention(H[3] @ W_Q, K, V)\n"
    "    as: cache\n"
    "  - do: long = attention(H[3] @ W_Q, stack(many, H[3] @ W_K), stack(many, H[3] @ "
    "W_V))\n"
    "    as: cache\n";

static void test_a_cache_shows_kept_rows_and_what_they_save(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, cached);
    drawn_draw(&drawn, drawn_step_named(&drawn, "o"), AREA);
    const Tape *tape = drawn.lesson->tape;
    LessonCache cache;
    assert_true(lesson_find_cache(tape, tape_find(tape, "o"), &cache));
    assert_int_equal(cache.cached_rows, 3);
    assert_int_equal(cache.keys, tape_find(tape, "K"));
    assert_int_equal(cache.values, tape_find(tape, "V"));
    assert_int_equal(tape_node(tape, cache.query)->output.rows, 1);
    assert_int_equal(tape_node(tape, cache.scores)->output.cols, 4);
    const char *const shelves[] = {"K", "V"};
    Box box, kept, fresh;
    for (size_t i = 0; i < 2; i++) {
        size_t node = tape_find(drawn.lesson->tape, shelves[i]);
        for (size_t cell = 0; cell < 16; cell++)
            assert_true(scene_find(&drawn.scene,
                                   (Link){LINK_CELL, node, cell / 4, cell % 4}, &box));
        scene_find(&drawn.scene, (Link){LINK_CELL, node, 2, 0}, &kept);
        scene_find(&drawn.scene, (Link){LINK_CELL, node, 3, 0}, &fresh);
        assert_true(fresh.y > kept.y + 1.2 * kept.h); /* it is slid in below */
    }
    assert_true(
        scene_says(&drawn.scene, "Keys and values kept: 96 multiplications saved"));
    assert_true(scene_says(&drawn.scene, "New: 32"));
    drawn_finish(&drawn);
}

/* If there isn't room for everything, the counter is dropped, not rows: otherwise the
 * attention weights shown wouldn't sum to 1. */
static void test_a_caches_rows_come_before_its_counter(void **state) {
    Drawn drawn;
    Box low = AREA, box;
    low.h = 310;
    drawn_begin(&drawn, cached);
    drawn_draw(&drawn, drawn_step_named(&drawn, "o"), low);
    size_t node = tape_find(drawn.lesson->tape, "V");
    for (size_t cell = 0; cell < 16; cell++)
        assert_true(
            scene_find(&drawn.scene, (Link){LINK_CELL, node, cell / 4, cell % 4}, &box));
    assert_false(scene_says(&drawn.scene, "New: 32"));
    drawn_finish(&drawn);
}

static void test_of_a_long_cache_the_last_rows_are_shown(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, cached);
    drawn_draw(&drawn, drawn_step_named(&drawn, "long"), AREA);
    for (size_t i = 0; i < drawn.scene.count; i++) {
        Box box = drawn.scene.items[i].box;
        assert_true(box.y >= AREA.y - 1 && box.y + box.h <= AREA.y + AREA.h + 1);
    }
    drawn_finish(&drawn);
}

/* 0.25 · 2 + 0.75 · 4: what shares mix stands beside them, though it was given. */
static void test_values_stand_beside_the_shares_that_mix_them(void **state) {
    Drawn drawn;
    Box box;
    drawn_begin(&drawn, "title: t\n"
                        "given: {A: [[0.25, 0.75]], V: [[2, 1], [4, 0]], w: [[1], [0]]}\n"
                        "labels: {A: {rows: [it], cols: [a, b]}}\n"
                        "steps:\n"
                        "  - do: y = A @ V @ w\n");
    drawn_draw(&drawn, drawn_step_named(&drawn, "y"), AREA);
    size_t values = tape_find(drawn.lesson->tape, "V");
    size_t weight = tape_find(drawn.lesson->tape, "w");
    assert_true(scene_find(&drawn.scene, (Link){LINK_CELL, values, 1, 0}, &box));
    assert_false(scene_find(&drawn.scene, (Link){LINK_CELL, weight, 0, 0}, &box));
    drawn_finish(&drawn);
}

static void test_bars_that_are_compared_have_one_axis(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\n"
                        "given: {a: [1, 2, 100], b: [1, 2, 3]}\n"
                        "steps:\n"
                        "  - show: [a, b]\n"
                        "    as: bars\n");
    drawn_draw(&drawn, 0, AREA);
    size_t axes = 0;
    for (size_t i = 0; i < drawn.scene.count; i++) {
        const SceneItem *item = &drawn.scene.items[i];
        axes += item->kind == SCENE_TEXT && item->link.kind == LINK_NONE &&
                strcmp(item->text, "100") == 0;
    }
    assert_int_equal(axes, 2);
    drawn_finish(&drawn);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_sublayer_returns_to_the_lane_at_a_sum),
        cmocka_unit_test(test_low_layers_show_what_happens_in_them),
        cmocka_unit_test(test_what_hangs_from_a_lane_is_clear_of_names),
        cmocka_unit_test(test_a_norm_in_front_lies_on_the_loop),
        cmocka_unit_test(test_a_large_layer_keeps_to_its_stage),
        cmocka_unit_test(test_only_units_that_are_lit_send_on),
        cmocka_unit_test(test_a_gate_meets_its_signal),
        cmocka_unit_test(test_what_is_added_comes_down_on_the_lane),
        cmocka_unit_test(test_a_hinge_has_a_dot_for_every_unit),
        cmocka_unit_test(test_every_activation_is_drawn_as_its_curve),
        cmocka_unit_test(test_turns_have_squares_of_one_size),
        cmocka_unit_test(test_a_network_s_numbers_are_called_before_what_bends_them),
        cmocka_unit_test(test_rows_at_one_place_are_named_there_together),
        cmocka_unit_test(test_tables_that_are_the_same_are_dots_on_a_line),
        cmocka_unit_test(test_a_product_of_sizes_is_so_many_areas),
        cmocka_unit_test(test_a_picture_without_room_gives_way),
        cmocka_unit_test(test_a_state_says_what_is_left_of_the_first_row),
        cmocka_unit_test(test_a_sum_shows_its_terms),
        cmocka_unit_test(test_places_are_added_on_the_lane),
        cmocka_unit_test(test_a_memory_is_shown_within_the_whole_model),
        cmocka_unit_test(test_distances_lead_to_the_cells_of_the_chosen_row),
        cmocka_unit_test(test_turns_lead_from_what_the_encoder_reads),
        cmocka_unit_test(test_what_a_cache_saves_is_empty_and_said),
        cmocka_unit_test(test_a_long_answer_shows_its_doubts),
        cmocka_unit_test(test_a_cache_shows_kept_rows_and_what_they_save),
        cmocka_unit_test(test_a_caches_rows_come_before_its_counter),
        cmocka_unit_test(test_of_a_long_cache_the_last_rows_are_shown),
        cmocka_unit_test(test_values_stand_beside_the_shares_that_mix_them),
        cmocka_unit_test(test_bars_that_are_compared_have_one_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
