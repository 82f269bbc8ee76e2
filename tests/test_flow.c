/* The flow of a closed step: every result that it is about is drawn, in order, legible,
 * and leads to its cells; and the views of places and of turns. */
#include "course_files.h"
#include "fixed_metrics.h"
#include "lesson/play/player.h"
#include "lesson_text.h"
#include "picture/composites/step_picture.h"
#include "picture/stage/stage.h"
#include "picture/tensors/views.h"

#include <math.h>

enum { FRAME_BYTES = 64 << 20, PANELS_SEEN_MAX = 16 };

static const Box AREA = {40, 30, 1270, 540}; /* the stage of a page of 1600 × 900 */

typedef struct Drawn {
    CourseFiles files;
    Lesson *lesson;
    Player player;
    TextMetrics metrics;
    Arena *frame;
    Canvas canvas;
    Scene scene;
} Drawn;

static void begin(Drawn *drawn, const char *text) {
    *drawn = (Drawn){.lesson = lesson_good(text), .metrics = fixed_metrics()};
    course_begin(&drawn->files);
    assert_true(player_init(&drawn->player, drawn->lesson));
    drawn->frame = arena_create(FRAME_BYTES);
    assert_non_null(drawn->frame);
}

static void finish(Drawn *drawn) {
    arena_destroy(drawn->frame);
    course_finish(&drawn->files);
    lesson_destroy(drawn->lesson);
}

static void draw(Drawn *drawn, size_t step) {
    const Theme *theme = &drawn->files.themes.items[0];
    player_jump(&drawn->player, step);
    arena_reset(drawn->frame);
    scene_init(&drawn->scene, drawn->frame, 1600, 900, theme->page);
    drawn->canvas = (Canvas){.scene = &drawn->scene,
                             .theme = theme,
                             .metrics = &drawn->metrics,
                             .language = drawn->files.language};
    Stage stage = {.canvas = &drawn->canvas,
                   .player = &drawn->player,
                   .tape = drawn->lesson->tape,
                   .view = views_present(&drawn->player, LESSON_VIEW_NONE),
                   .visible = (size_t)-1,
                   .step = player_words(&drawn->player, step),
                   .area = AREA};
    step_picture(&stage);
    assert_true(scene_complete(&drawn->scene));
}

static size_t step_named(const Drawn *drawn, const char *name) {
    size_t step = 0;
    while (step < drawn->player.step_count &&
           strcmp(drawn->player.steps[step].name, name) != 0)
        step = drawn->player.steps[step].next;
    assert_true(step < drawn->player.step_count);
    return step;
}

/* The nodes whose first cell is drawn, in drawing order, each once. */
static size_t nodes_drawn(const Drawn *drawn, size_t *nodes) {
    size_t count = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        Link link = drawn->scene.items[i].link;
        bool known = link.kind != LINK_CELL || link.row || link.col;
        for (size_t j = 0; j < count; j++)
            known |= nodes[j] == link.index;
        if (!known && count < PANELS_SEEN_MAX)
            nodes[count++] = link.index;
    }
    return count;
}

static bool shows(const Drawn *drawn, const char *name) {
    size_t nodes[PANELS_SEEN_MAX], count = nodes_drawn(drawn, nodes);
    size_t wanted = tape_find(drawn->lesson->tape, name);
    assert_true(wanted != TAPE_NONE);
    for (size_t i = 0; i < count; i++) {
        if (nodes[i] == wanted)
            return true;
    }
    return false;
}

static bool says(const Drawn *drawn, const char *words) {
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_TEXT && strcmp(item->text, words) == 0)
            return true;
    }
    return false;
}

/* ---- flows ---- */

static const char attention[] =
    "title: t\n"
    "given:\n"
    "  H: {random: [4, 4], seed: 1}\n"
    "  W_Q: {random: [4, 4], seed: 2}\n"
    "  W_K: {random: [4, 4], seed: 3}\n"
    "  W_V: {random: [4, 4], seed: 4}\n"
    "steps:\n"
    "  - do: K = H @ W_K\n"
    "  - do: V = H @ W_V\n"
    "  - do: O = attention(H @ W_Q, K, V, causal_mask(4))\n"
    "  - do: A = softmax((H @ W_Q) @ (H @ W_K).T / sqrt(4) + causal_mask(4))\n";

static void test_the_flow_of_an_attention_shows_its_weights_and_values(void **state) {
    (void)state;
    Drawn drawn;
    begin(&drawn, attention);
    draw(&drawn, step_named(&drawn, "O"));
    const char *const names[] = {"H",        "K.T",       "O.scores", "O.scaled",
                                 "O.masked", "O.weights", "V",        "O"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!shows(&drawn, names[i]))
            print_error("%s is not shown\n", names[i]);
        assert_true(shows(&drawn, names[i]));
    }
    finish(&drawn);
}

/* Numbers of 10 points or more, each within the stage, in two lines or more. */
static void test_a_long_flow_is_broken_into_lines_that_can_be_read(void **state) {
    (void)state;
    Drawn drawn;
    begin(&drawn, attention);
    draw(&drawn, step_named(&drawn, "O"));
    size_t numbers = 0;
    double top = INFINITY, bottom = -INFINITY;
    for (size_t i = 0; i < drawn.scene.count; i++) {
        const SceneItem *item = &drawn.scene.items[i];
        if (item->link.kind != LINK_CELL ||
            (item->kind != SCENE_TEXT && item->kind != SCENE_RECTANGLE))
            continue;
        bool inside =
            item->box.x >= AREA.x - 1 && item->box.x + item->box.w <= AREA.x + AREA.w + 1;
        if (!inside)
            print_error("node %zu reaches from %g to %g\n", item->link.index, item->box.x,
                        item->box.x + item->box.w);
        assert_true(inside);
        if (item->link.row == 0 && item->link.col == 0) {
            top = fmin(top, item->box.y);
            bottom = fmax(bottom, item->box.y);
        }
        if (item->kind != SCENE_TEXT)
            continue;
        numbers++;
        assert_true(item->size >= 10);
    }
    assert_true(numbers >= 9 * 16); /* nine tensors of 4 × 4 */
    assert_true(bottom - top > 100);
    finish(&drawn);
}

static void test_results_without_a_name_are_called_by_what_they_are(void **state) {
    (void)state;
    Drawn drawn;
    begin(&drawn, attention);
    draw(&drawn, step_named(&drawn, "A"));
    assert_true(says(&drawn, "scores"));
    assert_true(says(&drawn, "scaled"));
    assert_true(says(&drawn, "masked"));
    assert_false(says(&drawn, "add"));
    finish(&drawn);
}

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

/* It begins at what goes in, and says its sublayers' names. */
static void test_the_flow_of_a_layer_begins_at_its_input(void **state) {
    (void)state;
    Drawn drawn;
    begin(&drawn, layer);
    draw(&drawn, step_named(&drawn, "L"));
    size_t nodes[PANELS_SEEN_MAX];
    assert_int_equal(nodes_drawn(&drawn, nodes), 7);
    assert_int_equal(nodes[0], tape_find(drawn.lesson->tape, "X"));
    assert_int_equal(nodes[6], tape_find(drawn.lesson->tape, "L"));
    assert_true(says(&drawn, "Self-attention"));
    assert_true(says(&drawn, "Feed-forward"));
    for (size_t i = 0; i < drawn.scene.count; i++) {
        const char *text = drawn.scene.items[i].text;
        assert_false(text && (strstr(text, "linear") || strstr(text, "projected")));
    }
    finish(&drawn);
}

/* The attention inside it shows every head's weights. */
static void test_the_flow_of_heads_shows_their_weights(void **state) {
    (void)state;
    Drawn drawn;
    begin(&drawn, layer);
    draw(&drawn, step_named(&drawn, "L") + 1);
    assert_true(shows(&drawn, "X"));
    assert_true(shows(&drawn, "L.self_attention.query"));
    assert_true(shows(&drawn, "L.self_attention.key"));
    assert_true(shows(&drawn, "L.self_attention.value"));
    assert_true(shows(&drawn, "L.self_attention.head_1.weights"));
    assert_true(shows(&drawn, "L.self_attention.head_2.weights"));
    assert_true(shows(&drawn, "L.self_attention"));
    finish(&drawn);
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
    (void)state;
    Drawn drawn;
    begin(&drawn, places);
    draw(&drawn, step_named(&drawn, "R")); /* without a focus the last word is chosen */
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
    finish(&drawn);
}

static const char talk[] = "title: t\n"
                           "given: {a: [1], b: [1, 2], c: [1, 2, 3]}\n"
                           "labels:\n"
                           "  a: {cols: [so]}\n"
                           "  b: {cols: [so, it]}\n"
                           "  c: {cols: [so, it, goes]}\n"
                           "steps:\n"
                           "  - show: [a, b, c]\n"
                           "    as: turns\n";

static void test_turns_say_the_word_that_the_next_turn_reads(void **state) {
    (void)state;
    Drawn drawn;
    begin(&drawn, talk);
    draw(&drawn, 0);
    size_t last = tape_find(drawn.lesson->tape, "c"), said = 0, read = 0;
    for (size_t i = 0; i < drawn.scene.count; i++) {
        const SceneItem *item = &drawn.scene.items[i];
        bool goes = item->kind == SCENE_TEXT && strcmp(item->text, "goes") == 0;
        if (goes)
            assert_true(item->link.index == last && item->link.col == 2);
        said += goes && item->box.x > AREA.x + AREA.w * 0.6;
        read += goes && item->box.x < AREA.x + AREA.w * 0.6;
    }
    assert_int_equal(said, 1);
    assert_int_equal(read, 1);
    assert_true(says(&drawn, "2 again, 1 new"));
    finish(&drawn);
}

static void test_places_and_turns_that_are_none_are_refused(void **state) {
    (void)state;
    const BadText bad[] = {
        {"title: t\n"
         "given: {t: [0, 2, 4]}\n"
         "labels: {t: {cols: [a, b, c]}}\n"
         "steps:\n"
         "  - do: R = t - t.T\n"
         "    as: distances\n",
         ERROR_VALUE, 6, 9, "row i, column j is j − i"},
        {"title: t\n"
         "given: {a: [1], b: [2, 2]}\n"
         "labels: {a: {cols: [x]}, b: {cols: [x, y]}}\n"
         "steps:\n"
         "  - show: [a, b]\n"
         "    as: turns\n",
         ERROR_VALUE, 6, 9, "the one before and a token more"},
        {"title: t\n"
         "given: {a: [1, 2]}\n"
         "labels: {a: {cols: [x, y]}}\n"
         "steps:\n"
         "  - show: a\n"
         "    as: turns\n",
         ERROR_VALUE, 6, 9, "two texts or more"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_bad_lesson(&bad[i]);
}

static void test_bars_that_are_compared_have_one_axis(void **state) {
    (void)state;
    Drawn drawn;
    begin(&drawn, "title: t\n"
                  "given: {a: [1, 2, 100], b: [1, 2, 3]}\n"
                  "steps:\n"
                  "  - show: [a, b]\n"
                  "    as: bars\n");
    draw(&drawn, 0);
    size_t axes = 0;
    for (size_t i = 0; i < drawn.scene.count; i++) {
        const SceneItem *item = &drawn.scene.items[i];
        axes += item->kind == SCENE_TEXT && item->link.kind == LINK_NONE &&
                strcmp(item->text, "100") == 0;
    }
    assert_int_equal(axes, 2);
    finish(&drawn);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_flow_of_an_attention_shows_its_weights_and_values),
        cmocka_unit_test(test_a_long_flow_is_broken_into_lines_that_can_be_read),
        cmocka_unit_test(test_results_without_a_name_are_called_by_what_they_are),
        cmocka_unit_test(test_the_flow_of_a_layer_begins_at_its_input),
        cmocka_unit_test(test_the_flow_of_heads_shows_their_weights),
        cmocka_unit_test(test_distances_lead_to_the_cells_of_the_chosen_row),
        cmocka_unit_test(test_turns_say_the_word_that_the_next_turn_reads),
        cmocka_unit_test(test_places_and_turns_that_are_none_are_refused),
        cmocka_unit_test(test_bars_that_are_compared_have_one_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
