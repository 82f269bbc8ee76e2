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

static bool says(const Drawn *drawn, const char *words) {
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_TEXT && strcmp(item->text, words) == 0)
            return true;
    }
    return false;
}

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
    (void)state;
    Drawn drawn;
    begin(&drawn, cached);
    draw(&drawn, step_named(&drawn, "o"));
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
    assert_true(says(&drawn, "3 rows kept: 96 multiplications saved"));
    assert_true(says(&drawn, "1 new: 32 multiplications"));
    finish(&drawn);
}

static void test_of_a_long_cache_the_last_rows_are_shown(void **state) {
    (void)state;
    Drawn drawn;
    begin(&drawn, cached);
    draw(&drawn, step_named(&drawn, "long"));
    for (size_t i = 0; i < drawn.scene.count; i++) {
        Box box = drawn.scene.items[i].box;
        assert_true(box.y >= AREA.y - 1 && box.y + box.h <= AREA.y + AREA.h + 1);
    }
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
        cmocka_unit_test(test_the_flow_of_a_layer_begins_at_its_input),
        cmocka_unit_test(test_distances_lead_to_the_cells_of_the_chosen_row),
        cmocka_unit_test(test_turns_say_the_word_that_the_next_turn_reads),
        cmocka_unit_test(test_a_cache_shows_kept_rows_and_what_they_save),
        cmocka_unit_test(test_of_a_long_cache_the_last_rows_are_shown),
        cmocka_unit_test(test_places_and_turns_that_are_none_are_refused),
        cmocka_unit_test(test_bars_that_are_compared_have_one_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
