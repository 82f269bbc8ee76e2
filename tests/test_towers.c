/* The map of a model, and the lane with the same boxes: they lead to the steps they stand
 * for, one of them is the present one, and the memory runs to whatever reads it. */
#include "course_files.h"
#include "fixed_metrics.h"
#include "lesson/play/player.h"
#include "lesson_text.h"
#include "model_lesson.h"
#include "picture/draw/canvas.h"
#include "picture/map/map.h"
#include "picture/map/map_parts.h"
#include "picture/scene/theme.h"
#include "scene_find.h"

#include <math.h>

enum { FRAME_BYTES = 16 << 20 };

typedef struct Map {
    CourseFiles files;
    Lesson *lesson;
    Player player;
    TextMetrics metrics;
    Arena *frame;
    Scene scene;
    Box area;
} Map;

static TransformerShape shape_of(TransformerKind kind, size_t layers) {
    return (TransformerShape){.kind = kind,
                              .d_model = 4,
                              .heads = 2,
                              .d_ff = 8,
                              .encoder_layers = layers,
                              .decoder_layers = layers,
                              .source_vocabulary = 12,
                              .target_vocabulary = 12,
                              .first_output = 1,
                              .epsilon = 1e-5};
}

static Map begin(TransformerShape shape) {
    Map map = {.lesson = model_lesson(&shape),
               .metrics = fixed_metrics(),
               .frame = arena_create(FRAME_BYTES),
               .area = {0, 56, 384, 670}};
    assert_non_null(map.frame);
    course_begin(&map.files);
    assert_true(player_init(&map.player, map.lesson));
    return map;
}

static void finish(Map *map) {
    course_finish(&map->files);
    arena_destroy(map->frame);
    lesson_destroy(map->lesson);
}

/* Begins a page on a step. Returns a canvas for its scene. */
static Canvas begin_page(Map *map, size_t step, const Language *language) {
    const Theme *theme = &map->files.themes.items[0];
    player_jump(&map->player, step);
    arena_reset(map->frame);
    scene_init(&map->scene, map->frame, 1600, 900, theme->page);
    return (Canvas){.scene = &map->scene,
                    .theme = theme,
                    .metrics = &map->metrics,
                    .language = language};
}

static void draw(Map *map, size_t step, const Language *language) {
    Page page = {.player = &map->player};
    Canvas canvas = begin_page(map, step, language);
    map_draw(&(PageParts){&canvas, &page}, map->area);
    assert_true(scene_complete(&map->scene));
}

static bool is_color(Color a, Color b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Boxes and frames that have the present step's colour, as ground or as outline. */
static size_t count_present(const Map *map, Link *link) {
    Color current = map->files.themes.items[0].current;
    size_t count = 0;
    for (size_t i = 0; i < map->scene.count; i++) {
        const SceneItem *item = &map->scene.items[i];
        if (item->kind != SCENE_RECTANGLE ||
            !(is_color(item->fill, current) || is_color(item->stroke, current)))
            continue;
        *link = item->link;
        count++;
    }
    return count;
}

static size_t count_arrows(const Map *map) {
    Color ink = map->files.themes.items[0].ink_soft;
    size_t count = 0;
    for (size_t i = 0; i < map->scene.count; i++)
        count += map->scene.items[i].kind == SCENE_POLYGON &&
                 is_color(map->scene.items[i].fill, ink);
    return count;
}

/* ---- tests ---- */

/* Wherever the cursor is, one box is the present one, and it leads to the step itself or
 * to one around it, or to the first of those it stands for. */
static void test_one_box_is_present_at_every_step(void **state) {
    Map map = begin(shape_of(TRANSFORMER_ENCODER_DECODER, 3));
    for (size_t step = 0; step < map.player.step_count; step++) {
        Link link = {0};
        draw(&map, step, map.files.language);
        assert_int_equal(count_present(&map, &link), 1);
        assert_int_equal(link.kind, LINK_STEP);
        assert_true(link.index <= step);
    }
    finish(&map);
}

static void test_every_sublayer_of_the_present_layer_has_its_box(void **state) {
    Map map = begin(shape_of(TRANSFORMER_ENCODER_DECODER, 3));
    const Transformer *model = map.lesson->model;
    for (size_t step = 0; step < map.player.step_count; step++) {
        const PlayerStep *at = &map.player.steps[step];
        const TransformerPart *layer = NULL;
        for (size_t i = 0; i < model->part_count; i++) {
            if (model->parts[i].kind == TRANSFORMER_LAYER &&
                model->parts[i].node == at->node)
                layer = &model->parts[i];
        }
        if (at->depth != 1 || !layer)
            continue;
        draw(&map, step, map.files.language);
        for (size_t child = step + 1; child < at->next;
             child = map.player.steps[child].next) {
            Box box;
            const TapeNode *node =
                tape_node(map.lesson->tape, map.player.steps[child].node);
            bool behind_a_sum = node->operation == OPERATION_LAYER_NORM;
            assert_true(behind_a_sum ||
                        scene_find(&map.scene, (Link){LINK_STEP, child, 0, 0}, &box));
        }
    }
    finish(&map);
}

static void test_other_layers_are_folded_by_number(void **state) {
    Map map = begin(shape_of(TRANSFORMER_ENCODER_DECODER, 6));
    size_t step = 0, layers = 0;
    while (layers < 4) { /* the encoder's fourth layer */
        for (size_t i = 0; i < map.lesson->model->part_count; i++)
            layers += map.lesson->model->parts[i].kind == TRANSFORMER_LAYER &&
                      map.lesson->model->parts[i].node == map.player.steps[step].node;
        if (layers < 4)
            step = map.player.steps[step].next;
    }
    draw(&map, step + 1, map.files.language);
    assert_true(scene_says(&map.scene, "layer 4 of 6"));
    assert_true(scene_says(&map.scene, "3 × layer"));
    assert_true(scene_says(&map.scene, "2 × layer"));
    assert_true(
        scene_says(&map.scene, "layer 1 of 6")); /* the decoder's, still to come */
    assert_true(scene_says(&map.scene, "5 × layer"));
    finish(&map);
}

static void test_the_memory_runs_to_every_decoder_layer(void **state) {
    const size_t layers[] = {1, 2, 6}, arrows[] = {1, 2, 2};
    for (size_t i = 0; i < 3; i++) {
        Map map = begin(shape_of(TRANSFORMER_ENCODER_DECODER, layers[i]));
        draw(&map, 0, map.files.language);
        assert_int_equal(count_arrows(&map), arrows[i]);
        finish(&map);
    }
}

static void test_a_single_tower_has_no_memory(void **state) {
    for (TransformerKind kind = TRANSFORMER_ENCODER; kind <= TRANSFORMER_DECODER;
         kind++) {
        Map map = begin(shape_of(kind, 2));
        draw(&map, map.player.step_count - 1, map.files.language);
        assert_int_equal(count_arrows(&map), 0);
        assert_false(scene_says(&map.scene, "Cross-attention"));
        assert_true(scene_says(&map.scene, kind == TRANSFORMER_DECODER
                                               ? "Masked attention"
                                               : "Self-attention"));
        finish(&map);
    }
}

static void test_norms_stand_before_or_behind_as_in_the_model(void **state) {
    TransformerShape shape = shape_of(TRANSFORMER_ENCODER_DECODER, 2);
    Map post = begin(shape);
    draw(&post, 0, post.files.language);
    assert_true(scene_says(&post.scene, "Add & Norm"));
    assert_false(scene_says(&post.scene, "Norm") || scene_says(&post.scene, "Add"));
    finish(&post);
    shape.pre_norm = shape.final_norm = true;
    Map pre = begin(shape);
    draw(&pre, 0, pre.files.language);
    assert_false(scene_says(&pre.scene, "Add & Norm"));
    assert_true(scene_says(&pre.scene, "Norm") && scene_says(&pre.scene, "Add"));
    finish(&pre);
}

static bool lie_on_each_other(Box a, Box b) {
    return a.x + 1 < b.x + b.w && b.x + 1 < a.x + a.w && a.y + 1 < b.y + b.h &&
           b.y + 1 < a.y + a.h;
}

/* At the smallest page, in both languages and at every depth. */
static void assert_map_is_tidy(const Map *map) {
    for (size_t i = 0; i < map->scene.count; i++) {
        const SceneItem *a = &map->scene.items[i];
        assert_true(a->box.x >= map->area.x - 1 && a->box.y >= map->area.y - 1 &&
                    a->box.x + a->box.w <= map->area.x + map->area.w + 1 &&
                    a->box.y + a->box.h <= map->area.y + map->area.h + 1);
        for (size_t j = i + 1; a->kind == SCENE_TEXT && j < map->scene.count; j++) {
            const SceneItem *b = &map->scene.items[j];
            if (b->kind == SCENE_TEXT && lie_on_each_other(a->box, b->box))
                print_error("'%s' lies over '%s'\n", a->text, b->text);
            assert_false(b->kind == SCENE_TEXT && lie_on_each_other(a->box, b->box));
        }
    }
}

static void test_maps_of_all_kinds_fit_the_smallest_page(void **state) {
    for (int variant = 0; variant < 4 * TRANSFORMER_KIND_COUNT; variant++) {
        TransformerShape shape =
            shape_of((TransformerKind)(variant / 4), variant & 1 ? 6 : 1);
        shape.pre_norm = shape.final_norm = variant & 2;
        Map map = begin(shape);
        for (size_t step = 0; step < map.player.step_count; step++) {
            if (map.player.steps[step].depth > 2)
                continue;
            for (size_t i = 0; i < map.files.languages.count; i++) {
                draw(&map, step, map.files.languages.items[i]);
                assert_map_is_tidy(&map);
            }
        }
        finish(&map);
    }
}

/* ---- small ones ---- */

/* Every lesson of the course says where on the map it is: a block is lit, or the tower
 * around it; only of the whole model nothing is. */
static void test_every_lesson_of_the_course_is_somewhere_on_the_map(void **state) {
    Map map = {.metrics = fixed_metrics(), .frame = arena_create(FRAME_BYTES)};
    assert_non_null(map.frame);
    course_begin(&map.files);
    course_load_folder(&map.files, "lessons");
    for (size_t i = 0; i < map.files.count; i++) {
        Link link;
        map.lesson = map.files.lessons[i];
        map.area = (Box){0, 56, 250, 690};
        assert_true(player_init(&map.player, map.lesson));
        for (size_t step = 0; step < map.player.step_count; step++) {
            if (map.lesson->model_step_count || map.lesson->lists_model_steps)
                break; /* its own towers are its map */
            draw(&map, step, map.files.language);
            if (!count_present(&map, &link) && !scene_says(&map.scene, "Transformer"))
                fail_msg("%s, step %zu", map.lesson->id, step);
        }
    }
    course_finish(&map.files);
    arena_destroy(map.frame);
}

/* Draws the lane into an area of a width; returns its right end. */
static double draw_lane(Map *map, size_t step, double width, const Language *language) {
    Page page = {.player = &map->player, .map = {LINK_COMMAND, 7, 0, 0}};
    Canvas canvas = begin_page(map, step, language);
    map->area = (Box){40, 56, width, 34};
    return map_lane_draw(&(PageParts){&canvas, &page}, map->area);
}

static void test_the_lane_shows_where_every_step_is(void **state) {
    (void)state;
    Map map = {.metrics = fixed_metrics(), .frame = arena_create(FRAME_BYTES)};
    assert_non_null(map.frame);
    course_begin(&map.files);
    course_load_folder(&map.files, "lessons");
    for (size_t i = 0; i < map.files.count; i++) {
        map.lesson = map.files.lessons[i];
        if (map.lesson->model_step_count || map.lesson->lists_model_steps)
            continue; /* its last steps can be about none of its parts */
        assert_true(player_init(&map.player, map.lesson));
        for (size_t at = 0; at < player_statement_count(&map.player); at++) {
            size_t step = player_statement_step(&map.player, at);
            Link link;
            Box name;
            draw_lane(&map, step, 1000, map.files.languages.items[at % 2]);
            /* a box or a layer's frame, or the name of the whole */
            if (!scene_find(&map.scene, (Link){LINK_COMMAND, 7, 0, 0}, &name) &&
                !count_present(&map, &link))
                fail_msg("%s, step %zu", map.lesson->id, step);
            map.area = box_inset(map.area, -4); /* targets around the boxes */
            assert_map_is_tidy(&map);
        }
    }
    course_finish(&map.files);
    arena_destroy(map.frame);
}

/* The boxes of the lane lead to steps of their blocks, within an opened layer to its
 * own. */
static void test_boxes_of_the_lane_lead_to_their_steps(void **state) {
    (void)state;
    Map map = begin(shape_of(TRANSFORMER_ENCODER_DECODER, 3));
    for (size_t step = 0; step < map.player.step_count; step++) {
        Box box;
        if (map.player.steps[step].depth > 2)
            continue;
        draw_lane(&map, step, 1500, map.files.language);
        Link link = {0};
        size_t present = count_present(&map, &link);
        assert_true(present <= 1);
        assert_true(present == 0 || link.kind != LINK_STEP || link.index <= step);
        assert_true(scene_find(&map.scene, (Link){LINK_STEP, 0, 0, 0}, &box));
    }
    finish(&map);
}

static void test_a_lane_without_room_is_left_out(void **state) {
    (void)state;
    Map map = begin(shape_of(TRANSFORMER_ENCODER_DECODER, 1));
    assert_true(draw_lane(&map, 0, 1500, map.files.language) > 40);
    assert_true(draw_lane(&map, 0, 200, map.files.language) == 40);
    assert_int_equal(map.scene.count, 0);
    finish(&map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_box_is_present_at_every_step),
        cmocka_unit_test(test_every_sublayer_of_the_present_layer_has_its_box),
        cmocka_unit_test(test_other_layers_are_folded_by_number),
        cmocka_unit_test(test_the_memory_runs_to_every_decoder_layer),
        cmocka_unit_test(test_a_single_tower_has_no_memory),
        cmocka_unit_test(test_norms_stand_before_or_behind_as_in_the_model),
        cmocka_unit_test(test_maps_of_all_kinds_fit_the_smallest_page),
        cmocka_unit_test(test_every_lesson_of_the_course_is_somewhere_on_the_map),
        cmocka_unit_test(test_the_lane_shows_where_every_step_is),
        cmocka_unit_test(test_boxes_of_the_lane_lead_to_their_steps),
        cmocka_unit_test(test_a_lane_without_room_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
