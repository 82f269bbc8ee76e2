#include "base/arena.h"
#include "close.h"
#include "contains.h"
#include "golden.h"
#include "picture/scene/scene.h"
#include "picture/scene/theme.h"
#include "scene_dump.h"

#include <stdlib.h>
#include <string.h>

static const Color RED = {255, 0, 0, 255}, BLUE = {0, 0, 255, 128},
                   WHITE = {255, 255, 255, 255}, NONE = {0};

typedef struct Page {
    Arena *arena;
    Scene scene;
} Page;

static int make_page(void **state) {
    static Page page;
    page.arena = arena_create(1 << 20);
    scene_init(&page.scene, page.arena, 200, 100, WHITE);
    *state = &page;
    return 0;
}

static int drop_page(void **state) {
    arena_destroy(((Page *)*state)->arena);
    return 0;
}

static char *dump(const Scene *scene) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    scene_dump(scene, stream);
    fclose(stream);
    return text;
}

static void assert_box(Box actual, Box expected) {
    assert_close(((double[]){actual.x, actual.y, actual.w, actual.h}),
                 ((double[]){expected.x, expected.y, expected.w, expected.h}), 4, 1e-12);
}

static void draw_one_of_each(Scene *scene, const Tensor *tensor,
                             const ColorScale *scale) {
    scene_link(scene, (Link){LINK_CELL, 7, 1, 2});
    scene_rectangle(scene, (Box){10, 20, 30, 40}, 3, RED, BLUE, 1.5);
    scene_link(scene, (Link){LINK_STEP, 4, 0, 0});
    scene_line(scene, (Point){0, 5}, (Point){10, 5}, 2, RED);
    scene_link(scene, (Link){0});
    scene_path(scene, (Point[]){{0, 0}, {4, -0.04}, {8, 0}}, 3, 1, BLUE);
    scene_polygon(scene, (Point[]){{0, 0}, {4.04, 0}, {4, 6}}, 3, RED);
    scene_clip(scene, (Box){0, 0, 50, 50});
    scene_text(scene, FONT_BOLD, 12, RED, (Point){5, 30}, "a \"b\" \\ 注\n", 33.333, 9.6,
               2.64);
    scene_link(scene, (Link){LINK_TIMELINE, 0, 0, 0});
    scene_image(scene, (Box){0, 0, 20, 20}, tensor, scale);
    scene_unclip(scene);
}

static void test_dump_tells_everything_about_each_kind_of_item(void **state) {
    Page *page = *state;
    double values[] = {-0.0, 1.5, -INFINITY, NAN};
    Tensor tensor = {.rows = 2, .cols = 2, .values = values};
    Palette palette = {2, {WHITE, RED}};
    ColorScale scale = {&palette, -1, 2, BLUE};
    draw_one_of_each(&page->scene, &tensor, &scale);
    page->scene.items[3].link = (Link){LINK_COMMAND, 9, 0, 0};
    char *text = dump(&page->scene);
    assert_golden("scene.txt", text);
    free(text);
}

static void test_dump_of_a_large_image_is_cut_short(void **state) {
    Page *page = *state;
    double values[400] = {0};
    Tensor tensor = {.rows = 20, .cols = 20, .values = values};
    Palette palette = {2, {WHITE, RED}};
    ColorScale scale = {&palette, 0, 1, BLUE};
    scene_image(&page->scene, (Box){0, 0, 20, 20}, &tensor, &scale);
    char *text = dump(&page->scene);
    assert_true(strlen(text) < 200);
    assert_contains(text, "cells 20x20");
    assert_contains(text, " ...\n");
    free(text);
}

static void test_points_and_texts_are_copied(void **state) {
    Page *page = *state;
    Point points[] = {{1, 2}, {3, 4}, {5, 6}};
    char text[] = "word";
    scene_polygon(&page->scene, points, 3, RED);
    scene_text(&page->scene, FONT_TEXT, 12, RED, (Point){0, 0}, text, 1, 1, 1);
    memset(points, 0, sizeof points);
    memset(text, 'x', 4);
    assert_close(&page->scene.items[0].points[2].y, (double[]){6}, 1, 0);
    assert_string_equal(page->scene.items[1].text, "word");
}

static void test_empty_text_draws_nothing(void **state) {
    Page *page = *state;
    scene_text(&page->scene, FONT_TEXT, 12, RED, (Point){0, 0}, "", 0, 1, 1);
    assert_int_equal(page->scene.count, 0);
    assert_true(scene_complete(&page->scene));
}

static void test_boxes_bound_what_is_drawn(void **state) {
    Page *page = *state;
    Scene *scene = &page->scene;
    scene_line(scene, (Point){10, 8}, (Point){2, 4}, 2, RED);
    scene_polygon(scene, (Point[]){{5, 5}, {-1, 7}, {3, 9}}, 3, RED);
    scene_text(scene, FONT_TEXT, 10, RED, (Point){3, 20}, "ab", 12, 8, 2);
    assert_box(scene->items[0].box, (Box){1, 3, 10, 6});
    assert_box(scene->items[1].box, (Box){-1, 5, 6, 4});
    assert_box(scene->items[2].box, (Box){3, 12, 12, 10});
}

static void test_the_last_drawn_link_is_hit(void **state) {
    Page *page = *state;
    Scene *scene = &page->scene;
    Link below = {LINK_CELL, 1, 2, 3}, above = {LINK_STEP, 5, 0, 0};
    scene_link(scene, below);
    scene_rectangle(scene, (Box){0, 0, 100, 100}, 0, RED, NONE, 0);
    scene_link(scene, above);
    scene_rectangle(scene, (Box){50, 50, 50, 50}, 0, NONE, NONE, 0);
    scene_link(scene, (Link){0});
    scene_rectangle(scene, (Box){0, 0, 100, 100}, 0, RED, NONE, 0);
    assert_true(link_equal(scene_hit(scene, 60, 60), above));
    assert_true(link_equal(scene_hit(scene, 49.9, 60), below));
    assert_int_equal(scene_hit(scene, 100, 60).kind, LINK_NONE);
    assert_int_equal(scene_hit(scene, -1, 60).kind, LINK_NONE);
}

static void test_what_a_clip_cuts_off_is_not_hit(void **state) {
    Page *page = *state;
    Scene *scene = &page->scene;
    Link inside = {LINK_STEP, 1, 0, 0}, nested = {LINK_STEP, 2, 0, 0},
         behind = {LINK_STEP, 3, 0, 0};
    scene_link(scene, inside);
    scene_clip(scene, (Box){0, 0, 50, 100});
    scene_rectangle(scene, (Box){0, 0, 100, 50}, 0, RED, NONE, 0);
    scene_clip(scene, (Box){20, 0, 80, 100});
    scene_link(scene, nested);
    scene_rectangle(scene, (Box){0, 0, 100, 20}, 0, RED, NONE, 0);
    scene_unclip(scene);
    scene_unclip(scene);
    scene_link(scene, behind);
    scene_rectangle(scene, (Box){0, 90, 100, 10}, 0, RED, NONE, 0);
    assert_true(link_equal(scene_hit(scene, 10, 40), inside));
    assert_int_equal(scene_hit(scene, 60, 40).kind, LINK_NONE);
    assert_true(link_equal(scene_hit(scene, 30, 10), nested));
    assert_true(
        link_equal(scene_hit(scene, 10, 10), inside)); /* the inner clip cuts it */
    assert_int_equal(scene_hit(scene, 60, 10).kind, LINK_NONE); /* the outer one does */
    assert_true(link_equal(scene_hit(scene, 60, 95), behind));
}

static void test_a_link_is_found_where_all_its_items_lie(void **state) {
    Page *page = *state;
    Scene *scene = &page->scene;
    Link link = {LINK_CELL, 1, 2, 3}, other = {LINK_CELL, 1, 2, 4};
    Box box = {0};
    scene_link(scene, link);
    scene_rectangle(scene, (Box){10, 10, 5, 5}, 0, RED, NONE, 0);
    scene_link(scene, other);
    scene_rectangle(scene, (Box){90, 90, 5, 5}, 0, RED, NONE, 0);
    scene_link(scene, link);
    scene_clip(scene, (Box){0, 0, 150, 80}); /* a clip is nothing to be seen */
    scene_rectangle(scene, (Box){30, 5, 10, 2}, 0, RED, NONE, 0);
    scene_unclip(scene);
    assert_true(scene_find(scene, link, &box));
    assert_box(box, (Box){10, 5, 30, 10});
    assert_false(scene_find(scene, (Link){LINK_CELL, 1, 9, 9}, &box));
}

static void test_clips_must_balance_for_a_scene_to_be_complete(void **state) {
    Page *page = *state;
    scene_clip(&page->scene, (Box){0, 0, 1, 1});
    assert_false(scene_complete(&page->scene));
    scene_unclip(&page->scene);
    assert_true(scene_complete(&page->scene));
}

static void test_many_items_keep_their_order(void **state) {
    Page *page = *state;
    for (int i = 0; i < 2000; i++)
        scene_rectangle(&page->scene, (Box){i, 0, 1, 1}, 0, RED, NONE, 0);
    assert_true(scene_complete(&page->scene));
    assert_int_equal(page->scene.count, 2000);
    for (int i = 0; i < 2000; i++)
        assert_true(page->scene.items[i].box.x == i);
}

static void draw_guarded(void *context) {
    static double values[] = {1};
    static const Tensor tensor = {.rows = 1, .cols = 1, .values = values};
    static Palette palette;
    static ColorScale scale;
    palette = (Palette){2, {WHITE, RED}};
    scale = (ColorScale){&palette, 0, 1, BLUE};
    draw_one_of_each(context, &tensor, &scale);
}

static void test_shortage_of_memory_ends_the_drawing(void **state) {
    size_t limit = 0, complete = 0;
    for (; complete == 0; limit += 16) {
        Arena *arena = arena_create(limit);
        Scene scene;
        scene_init(&scene, arena, 10, 10, WHITE);
        bool drawn = arena_guard(arena, draw_guarded, &scene);
        assert_true(scene_complete(&scene) == drawn);
        complete = drawn ? limit : 0;
        scene_hit(&scene, 5, 5);
        scene_digest(&scene);
        char *text = dump(&scene);
        free(text);
        arena_destroy(arena);
    }
    assert_true(complete > 0);
}

/* One way in which two scenes may differ. */
typedef void Change(Scene *scene, double *values, ColorScale *scale);

static void change_box(Scene *scene, double *values, ColorScale *scale) {
    (void)values, (void)scale;
    scene->items[0].box.w += 0.01;
}
static void change_fill(Scene *scene, double *values, ColorScale *scale) {
    (void)values, (void)scale;
    scene->items[0].fill.a--;
}
static void change_stroke(Scene *scene, double *values, ColorScale *scale) {
    (void)values, (void)scale;
    scene->items[0].stroke.g++;
}
static void change_width(Scene *scene, double *values, ColorScale *scale) {
    (void)values, (void)scale;
    scene->items[0].width = 2;
}
static void change_radius(Scene *scene, double *values, ColorScale *scale) {
    (void)values, (void)scale;
    scene->items[0].radius = 2;
}
static void change_point(Scene *scene, double *values, ColorScale *scale) {
    (void)values, (void)scale;
    ((Point *)scene->items[3].points)[1].y = 0.5;
}
static void change_text(Scene *scene, double *values, ColorScale *scale) {
    (void)values, (void)scale;
    scene->items[5].text = "a";
}
static void change_font(Scene *scene, double *values, ColorScale *scale) {
    (void)values, (void)scale;
    scene->items[5].font = FONT_TEXT;
}
static void change_size(Scene *scene, double *values, ColorScale *scale) {
    (void)values, (void)scale;
    scene->items[5].size = 13;
}
static void change_angle(Scene *scene, double *values, ColorScale *scale) {
    (void)values, (void)scale;
    scene->items[5].angle = 90;
}
static void change_value(Scene *scene, double *values, ColorScale *scale) {
    (void)scene, (void)scale;
    values[3] = 4;
}
static void change_scale(Scene *scene, double *values, ColorScale *scale) {
    (void)scene, (void)values;
    scale->high = 3;
}
static void change_page(Scene *scene, double *values, ColorScale *scale) {
    (void)values, (void)scale;
    scene->background.b = 0;
}
static void change_order(Scene *scene, double *values, ColorScale *scale) {
    (void)values, (void)scale;
    SceneItem first = scene->items[0];
    scene->items[0] = scene->items[1];
    scene->items[1] = first;
}
static void change_clip(Scene *scene, double *values, ColorScale *scale) {
    (void)values, (void)scale;
    scene->items[4].box.h = 49;
}
static void change_count(Scene *scene, double *values, ColorScale *scale) {
    (void)values, (void)scale;
    scene->count--;
}

static uint64_t digest_after(Change *change) {
    double values[] = {0, 1, 2, 3};
    Tensor tensor = {.rows = 2, .cols = 2, .values = values};
    Palette palette = {2, {WHITE, RED}};
    ColorScale scale = {&palette, -1, 2, BLUE};
    Arena *arena = arena_create(1 << 20);
    Scene scene;
    scene_init(&scene, arena, 10, 10, WHITE);
    draw_one_of_each(&scene, &tensor, &scale);
    if (change)
        change(&scene, values, &scale);
    uint64_t digest = scene_digest(&scene);
    arena_destroy(arena);
    return digest;
}

static void test_equal_scenes_have_equal_digests_and_others_do_not(void **state) {
    Change *const changes[] = {change_box,    change_fill,  change_stroke, change_width,
                               change_radius, change_point, change_text,   change_font,
                               change_size,   change_angle, change_value,  change_scale,
                               change_page,   change_order, change_clip,   change_count};
    uint64_t same = digest_after(NULL);
    assert_true(same == digest_after(NULL));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        if (digest_after(changes[i]) == same)
            fail_msg("change number %zu does not change the digest", i);
    }
}

static void test_links_and_signs_of_zero_do_not_change_the_digest(void **state) {
    Page *page = *state;
    scene_rectangle(&page->scene, (Box){0, 0, 1, 1}, 0, RED, NONE, 0);
    uint64_t digest = scene_digest(&page->scene);
    page->scene.items[0].link.kind = LINK_CELL;
    page->scene.items[0].box.x = -0.0;
    assert_true(scene_digest(&page->scene) == digest);
}

static void test_tensors_have_the_colours_of_their_roles(void **state) {
    Theme theme = {
        .query = {1, 0, 0, 255}, .key = {2, 0, 0, 255}, .value = {3, 0, 0, 255}};
    static const struct {
        const char *name;
        int role; /* 1 query, 2 key, 3 value, 0 none */
    } cases[] = {
        {"Q", 1},        {"K", 2},          {"V", 3},
        {"W_Q", 1},      {"W_K", 2},        {"W_V", 3},
        {"b_Q", 1},      {"Q_1", 1},        {"Q1", 1},
        {"W_Q_2", 1},    {"K.T", 2},        {"K_scaled", 2},
        {"query", 1},    {"head.1.key", 2}, {"encoder.0.self_attention.head.1.value", 3},
        {"head_2.Q", 1}, {"K_1.T", 2},      {"q", 1},
        {"V'", 3},       {"S", 0},          {"Quantity", 0},
        {"W_O", 0},      {"W", 0},          {"", 0},
        {".", 0},        {"_", 0},          {".T", 0},
        {"Q.scores", 0}, {"A_V", 0},        {"keys_of", 0},
        {"123", 0},      {"monkey", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Color color = role_name_color(&theme, cases[i].name, NONE);
        if (color.r != cases[i].role)
            fail_msg("'%s' has the colour of role %d", cases[i].name, color.r);
    }
}

int main(void) {
#define ON_A_PAGE(name) cmocka_unit_test_setup_teardown(name, make_page, drop_page)
    const struct CMUnitTest tests[] = {
        ON_A_PAGE(test_dump_tells_everything_about_each_kind_of_item),
        ON_A_PAGE(test_dump_of_a_large_image_is_cut_short),
        ON_A_PAGE(test_points_and_texts_are_copied),
        ON_A_PAGE(test_empty_text_draws_nothing),
        ON_A_PAGE(test_boxes_bound_what_is_drawn),
        ON_A_PAGE(test_the_last_drawn_link_is_hit),
        ON_A_PAGE(test_what_a_clip_cuts_off_is_not_hit),
        ON_A_PAGE(test_a_link_is_found_where_all_its_items_lie),
        ON_A_PAGE(test_clips_must_balance_for_a_scene_to_be_complete),
        ON_A_PAGE(test_many_items_keep_their_order),
        cmocka_unit_test(test_shortage_of_memory_ends_the_drawing),
        cmocka_unit_test(test_equal_scenes_have_equal_digests_and_others_do_not),
        ON_A_PAGE(test_links_and_signs_of_zero_do_not_change_the_digest),
        cmocka_unit_test(test_tensors_have_the_colours_of_their_roles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
