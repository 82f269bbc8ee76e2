#include "close.h"
#include "paint/paint.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sample_scene.h"

enum { WIDTH = 200, HEIGHT = 160, WHITE = 0xFFFFFF };

static Fonts *fonts;
static Painter *painter;
static Arena *arena;
static Scene scene;
static uint32_t pixels[WIDTH * HEIGHT];

static const Color RED = {255, 0, 0, 255}, BLACK = {0, 0, 0, 255};

static int open_painter(void **state) {
    fonts = fonts_create(NULL);
    painter = fonts ? painter_create(fonts) : NULL;
    arena = arena_create(64 << 20);
    return painter && arena ? 0 : 1;
}

static int close_painter(void **state) {
    painter_destroy(painter);
    painter_destroy(NULL);
    fonts_destroy(fonts);
    fonts_destroy(NULL);
    arena_destroy(arena);
    return 0;
}

static int begin(void **state) {
    arena_reset(arena);
    scene_init(&scene, arena, WIDTH, HEIGHT, SAMPLE_WHITE);
    return 0;
}

static void paint_at(double scale) {
    memset(pixels, 0x5A, sizeof pixels);
    painter_paint(painter, &scene, (PainterTarget){pixels, WIDTH, HEIGHT, WIDTH, scale});
}

static uint32_t at(int x, int y) {
    return pixels[y * WIDTH + x] & 0xFFFFFF;
}

/* How much black there is in the picture, in pixels. */
static double ink(void) {
    double sum = 0;
    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        sum += 255 - (pixels[i] & 0xFF);
    return sum / 255;
}

/* Every pixel inside has one colour, every pixel around is white. */
static void assert_block(int left, int top, int right, int bottom, uint32_t color) {
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            bool inside = x >= left && x < right && y >= top && y < bottom;
            if (at(x, y) != (inside ? color : WHITE)) {
                print_error("pixel %d, %d is %06x\n", x, y, at(x, y));
                fail();
            }
        }
    }
}

static void test_the_background_fills_the_page(void **state) {
    scene.background = (Color){1, 2, 3, 0};
    paint_at(1);
    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        assert_int_equal(pixels[i], 0xFF010203);
}

static void test_only_the_target_is_written(void **state) {
    enum { PART = 50 };
    scene_rectangle(&scene, (Box){-10, -10, 1000, 1000}, 20, RED, BLACK, 7);
    memset(pixels, 0x5A, sizeof pixels);
    painter_paint(painter, &scene, (PainterTarget){pixels, PART, PART, WIDTH, 1});
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            if (x >= PART || y >= PART)
                assert_int_equal(pixels[y * WIDTH + x], 0x5A5A5A5A);
        }
    }
}

static void test_rectangles_have_sharp_edges(void **state) {
    scene_rectangle(&scene, (Box){10.3, 20.4, 30, 40}, 0, RED, SAMPLE_NONE, 0);
    paint_at(1);
    assert_block(10, 20, 40, 60, 0xFF0000);
    paint_at(1.5);
    assert_block(15, 31, 60, 91, 0xFF0000);
}

static void test_neighbours_share_an_edge_at_every_scale(void **state) {
    for (int i = 0; i < 10; i++)
        scene_rectangle(&scene, (Box){10 + i * 7.3, 20, 7.3, 5}, 0, (Color){0, 0, 0, 128},
                        SAMPLE_NONE, 0);
    for (double scale = 0.5; scale < 2; scale += 0.17) {
        paint_at(scale);
        int y = (int)(22 * scale), left = (int)floor(10 * scale + 0.5),
            right = (int)floor(83 * scale + 0.5);
        for (int x = left; x < right; x++)
            assert_int_equal(at(x, y), 0x7F7F7F); /* neither a gap nor an overlap */
        assert_int_equal(at(left - 1, y), WHITE);
        assert_int_equal(at(right, y), WHITE);
    }
}

static void test_hairlines_never_vanish(void **state) {
    scene_rectangle(&scene, (Box){20, 20.1, 50, 0.2}, 0, BLACK, SAMPLE_NONE, 0);
    paint_at(1);
    assert_block(20, 20, 70, 21, 0);
    begin(state);
    scene_line(&scene, (Point){20, 40.5}, (Point){70, 40.5}, 0.3, BLACK);
    paint_at(1);
    assert_block(20, 40, 70, 41, 0);
}

static void test_colours_mix_to_the_nearest(void **state) {
    for (int alpha = 1; alpha < 255; alpha += 23) {
        begin(state);
        scene.background = (Color){200, 100, 7, 255};
        Color over = {13, 251, 99, (uint8_t)alpha};
        scene_rectangle(&scene, (Box){0, 0, 50, 50}, 0, over, SAMPLE_NONE, 0);
        paint_at(1);
        double share = alpha / 255.0;
        int r = (int)(200 + (13 - 200) * share + 0.5),
            g = (int)(100 + (251 - 100) * share + 0.5),
            b = (int)(7 + (99 - 7) * share + 0.5);
        assert_int_equal(at(5, 5), r << 16 | g << 8 | b);
        assert_int_equal(pixels[5] >> 24, 0xFF);
    }
}

static void test_an_outline_lies_inside_its_box(void **state) {
    scene_rectangle(&scene, (Box){20, 30, 60, 40}, 0, SAMPLE_NONE, BLACK, 3);
    paint_at(1);
    assert_int_equal(at(20, 30), 0);
    assert_int_equal(at(79, 69), 0);
    assert_int_equal(at(19, 30), WHITE);
    assert_int_equal(at(80, 69), WHITE);
    assert_int_equal(at(22, 50), 0);
    assert_int_equal(at(23, 50), WHITE);
    double found = ink(), expected = 60 * 40 - 54 * 34;
    assert_close(&found, &expected, 1, 1e-9);
    begin(state);
    scene_rectangle(&scene, (Box){20, 30, 60, 40}, 0, RED, BLACK, 20); /* all outline */
    paint_at(1);
    assert_block(20, 30, 80, 70, 0);
}

static void assert_symmetric(int left, int top, int right, int bottom) {
    for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) {
            assert_int_equal(at(x, y), at(left + right - 1 - x, y));
            assert_int_equal(at(x, y), at(x, top + bottom - 1 - y));
        }
    }
}

static void test_rounded_corners_are_round(void **state) {
    for (int radius = 1; radius <= 30; radius++) {
        for (int odd = 0; odd < 2; odd++) {
            begin(state);
            double side = 60 + odd;
            scene_rectangle(&scene, (Box){20, 30, side, side}, radius, BLACK, SAMPLE_NONE,
                            0);
            paint_at(1);
            assert_symmetric(20, 30, 80 + odd, 90 + odd);
            double found = ink(),
                   expected = side * side - (4 - 3.14159265358979) * radius * radius;
            assert_close(&found, &expected, 1, 0.6);
        }
    }
}

static void test_circles_of_any_size_are_round(void **state) {
    for (int side = 5; side <= 40; side++) {
        begin(state);
        scene_rectangle(&scene, (Box){20, 30, side, side}, 1000, BLACK, SAMPLE_NONE, 0);
        paint_at(1);
        double found = ink(), expected = 3.14159265358979 * side * side / 4;
        assert_close(&found, &expected, 1, 0.8);
        assert_symmetric(20, 30, 20 + side, 30 + side);
    }
}

static void test_a_ring_has_the_area_of_a_ring(void **state) {
    static const Color fills[] = {{0, 0, 0, 0}, {255, 255, 255, 255}};
    for (int i = 0; i < 2; i++) {
        begin(state);
        scene_rectangle(&scene, (Box){20, 30, 60, 60}, 30, fills[i], BLACK, 4);
        paint_at(1);
        double found = ink(), expected = 3.14159265358979 * (30 * 30 - 26 * 26);
        assert_close(&found, &expected, 1, 1.5);
        assert_symmetric(20, 30, 80, 90);
    }
}

/* Nothing of a third colour may show where a fill meets its outline. */
static void test_fill_and_outline_of_one_colour_are_one_shape(void **state) {
    static uint32_t whole[WIDTH * HEIGHT];
    scene_rectangle(&scene, (Box){20, 30, 60, 40}, 12, BLACK, SAMPLE_NONE, 0);
    paint_at(1);
    memcpy(whole, pixels, sizeof whole);
    for (int width = 1; width <= 15; width++) {
        begin(state);
        scene_rectangle(&scene, (Box){20, 30, 60, 40}, 12, BLACK, BLACK, width);
        paint_at(1);
        assert_memory_equal(pixels, whole, sizeof whole);
    }
}

static void test_polygons_cover_their_area(void **state) {
    Point triangle[] = {{20.3, 30.7}, {120.9, 50.2}, {60.1, 130.4}};
    scene_polygon(&scene, triangle, 3, BLACK);
    paint_at(1);
    double found = ink(),
           expected =
               fabs((120.9 - 20.3) * (130.4 - 30.7) - (60.1 - 20.3) * (50.2 - 30.7)) / 2;
    assert_close(&found, &expected, 1, 2);
    assert_int_equal(at(65, 70), 0);
    assert_int_equal(at(20, 120), WHITE);
}

static void test_polygons_are_even_odd(void **state) {
    Point star[5];
    for (int i = 0; i < 5; i++)
        star[i] = (Point){80 + 60 * sin(i * 4 * 3.14159265 / 5),
                          80 - 60 * cos(i * 4 * 3.14159265 / 5)};
    scene_polygon(&scene, star, 5, BLACK);
    paint_at(1);
    assert_int_equal(at(80, 80), WHITE);
    assert_int_equal(at(80, 40), 0);
}

static void test_polygon_edges_lie_where_they_should(void **state) {
    Point square[] = {{10, 20}, {40, 20}, {40, 70}, {10, 70}};
    scene_polygon(&scene, square, 4, BLACK);
    paint_at(1);
    assert_block(10, 20, 40, 70, 0);
}

static void test_slanted_lines_have_their_thickness(void **state) {
    scene_line(&scene, (Point){20, 30}, (Point){140, 110}, 5, BLACK);
    paint_at(1);
    double found = ink(), expected = 5 * sqrt(120 * 120 + 80 * 80);
    assert_close(&found, &expected, 1, 2);
    assert_int_equal(at(80, 70), 0);
    assert_int_equal(at(80, 60), WHITE);
}

static void test_paths_join_roundly_and_close(void **state) {
    Point square[] = {{30, 30}, {90, 30}, {90, 90}, {30, 90}, {30, 30}};
    scene_path(&scene, square, 5, 10, BLACK);
    paint_at(1);
    /* The outer corners are quarters of a circle. */
    double found = ink(), expected = 70 * 70 - 50 * 50 - 4 * 25 * (1 - 3.14159265 / 4);
    assert_close(&found, &expected, 1, 3);
    for (int i = 0; i < 4; i++) { /* the corners, the closing one too, are alike */
        double corner = 255 - (at(i % 2 ? 93 : 26, i / 2 ? 93 : 26) & 0xFF),
               same = 255 - (at(26, 26) & 0xFF);
        assert_close(&corner, &same, 1, 4);
        assert_true(corner > 0);
    }
    assert_int_equal(at(60, 60), WHITE);
}

static void test_very_long_paths_are_drawn_whole(void **state) {
    enum { COUNT = 50001 };
    Point *points = malloc(COUNT * sizeof *points);
    assert_non_null(points);
    for (int i = 0; i < COUNT; i++)
        points[i] = (Point){10 + 180.0 * i / (COUNT - 1), 80 + (i % 2 ? 0.01 : 0)};
    scene_path(&scene, points, COUNT, 4, BLACK);
    paint_at(1);
    for (int x = 11; x < 189; x++) {
        assert_int_equal(at(x, 79), 0);
        assert_int_equal(at(x, 90), WHITE);
    }
    begin(NULL);
    for (int i = 0; i < COUNT; i++)
        points[i] = (Point){100 + 50 * cos(i * 6.283185307 / COUNT),
                            80 + 50 * sin(i * 6.283185307 / COUNT)};
    scene_polygon(&scene, points, COUNT, BLACK);
    paint_at(1);
    double found = ink(), expected = 3.14159265 * 2500;
    assert_close(&found, &expected, 1, 8);
    free(points);
}

static void test_clips_nest_and_end(void **state) {
    Box all = {0, 0, WIDTH, HEIGHT};
    scene_clip(&scene, (Box){10, 10, 100, 100});
    scene_clip(&scene, (Box){50, 50, 100, 20});
    scene_rectangle(&scene, all, 30, BLACK, SAMPLE_NONE, 0);
    Point star[] = {{-500, -500}, {900, -400}, {100, 900}};
    scene_polygon(&scene, star, 3, BLACK);
    scene_unclip(&scene);
    scene_rectangle(&scene, (Box){5, 10, 15, 5}, 0, BLACK, SAMPLE_NONE, 0);
    scene_unclip(&scene);
    scene_rectangle(&scene, (Box){0, 150, 1, 1}, 0, BLACK, SAMPLE_NONE, 0);
    paint_at(1);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            bool black = (x >= 50 && x < 110 && y >= 50 && y < 70) ||
                         (x >= 10 && x < 20 && y >= 10 && y < 15) || (x == 0 && y == 150);
            assert_int_equal(at(x, y), black ? 0 : WHITE);
        }
    }
}

static void test_clips_nest_very_deeply(void **state) {
    for (int i = 0; i < 100; i++)
        scene_clip(&scene, (Box){i, 0, 1000, 1000});
    scene_rectangle(&scene, (Box){0, 0, WIDTH, 10}, 0, BLACK, SAMPLE_NONE, 0);
    for (int i = 0; i < 100; i++)
        scene_unclip(&scene);
    scene_rectangle(&scene, (Box){0, 0, 1, 1}, 0, BLACK, SAMPLE_NONE, 0);
    scene.items[scene.count - 1].kind = SCENE_UNCLIP; /* one too many changes nothing */
    scene_rectangle(&scene, (Box){0, 20, WIDTH, 10}, 0, BLACK, SAMPLE_NONE, 0);
    paint_at(1);
    assert_int_equal(at(98, 5), WHITE);
    assert_int_equal(at(99, 5), 0);
    assert_int_equal(at(0, 25), 0);
}

static void test_an_image_shows_every_cell_in_its_place(void **state) {
    double values[] = {-1, -0.5, 0, 0.25, 1, NAN};
    Tensor tensor = {.rows = 2, .cols = 3, .values = values};
    scene_image(&scene, (Box){10, 20, 100, 50}, &tensor, &sample_scale);
    scene_clip(&scene, (Box){150, 0, 20, 40});
    scene_image(&scene, (Box){140, 20, 60, 60}, &tensor, &sample_scale);
    scene_unclip(&scene);
    paint_at(1);
    for (int row = 0; row < 2; row++) {
        for (int col = 0; col < 3; col++) {
            Color color = color_scale_at(&sample_scale, values[row * 3 + col]);
            uint32_t expected = (uint32_t)(color.r << 16 | color.g << 8 | color.b);
            int left = 10 + (int)(col * 100 / 3.0 + 0.5), top = 20 + row * 25,
                right = 10 + (int)((col + 1) * 100 / 3.0 + 0.5);
            assert_int_equal(at(left, top), expected);
            assert_int_equal(at(right - 1, top + 24), expected);
        }
    }
    assert_int_equal(at(9, 30), WHITE);
    assert_int_equal(at(110, 30), WHITE);
    assert_int_equal(at(60, 70), WHITE);
    /* Of the clipped image, the middle of its first row. */
    Color half = color_scale_at(&sample_scale, -0.5);
    assert_int_equal(at(165, 25), half.r << 16 | half.g << 8 | half.b);
    assert_int_equal(at(149, 25), WHITE);
    assert_int_equal(at(165, 41), WHITE);
}

static void test_a_crowded_image_shows_mean_distances_from_0(void **state) {
    enum { SIDE = 400 };
    static double values[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++)
        values[i] = (i / SIDE + i) % 2 ? 0.75 : -0.25; /* any 2 × 2 is 0.5 from 0 */
    values[0] = values[1] = values[SIDE] = values[SIDE + 1] = -INFINITY;
    values[2] = NAN;
    values[3] = values[SIDE + 2] = values[SIDE + 3] = -1;
    Tensor tensor = {.rows = SIDE, .cols = SIDE, .values = values};
    scene_image(&scene, (Box){0, 0, SIDE / 2, SIDE / 2}, &tensor, &sample_scale);
    paint_at(1);
    Color mean = color_scale_at(&sample_scale, 0.5), low = sample_palette.stops[0],
          masked = sample_scale.masked;
    assert_int_equal(at(100, 100), mean.r << 16 | mean.g << 8 | mean.b);
    assert_int_equal(at(WIDTH - 1, HEIGHT - 1), mean.r << 16 | mean.g << 8 | mean.b);
    assert_int_equal(at(0, 0), masked.r << 16 | masked.g << 8 | masked.b);
    assert_int_equal(at(1, 0), low.r << 16 | low.g << 8 | low.b);
}

static void draw_text(double x, double y, double angle, const char *text) {
    scene_text(&scene, FONT_TEXT, 20, BLACK, (Point){x, y}, text, 50, 16, 4);
    scene.items[scene.count - 1].angle = angle;
}

static void test_text_keeps_its_pixels_when_it_moves(void **state) {
    static uint32_t still[WIDTH * HEIGHT];
    draw_text(40, 60, 0, "−0.123 中");
    paint_at(1);
    memcpy(still, pixels, sizeof still);
    begin(state);
    draw_text(40.4, 59.6, 0, "−0.123 中");
    paint_at(1);
    assert_memory_equal(pixels, still, sizeof still);
    begin(state);
    draw_text(43, 67, 0, "−0.123 中");
    paint_at(1);
    for (int y = 7; y < HEIGHT; y++)
        assert_memory_equal(pixels + y * WIDTH + 3, still + (y - 7) * WIDTH,
                            (WIDTH - 3) * sizeof *pixels);
    assert_true(ink() > 50);
}

static void test_text_stands_on_its_baseline(void **state) {
    draw_text(50, 80, 0, "HEH");
    paint_at(1);
    for (int x = 0; x < WIDTH; x++)
        assert_int_equal(at(x, 80), WHITE);
    assert_int_not_equal(at(52, 79), WHITE);
    for (int y = 0; y < HEIGHT; y++)
        assert_int_equal(at(50, y), WHITE); /* H's side bearing */
}

static void test_quarter_turns_move_pixels_only(void **state) {
    static uint32_t upright[WIDTH * HEIGHT];
    draw_text(80, 80, 0, "Rg4");
    paint_at(1);
    memcpy(upright, pixels, sizeof upright);
    for (int quarter = 1; quarter < 4; quarter++) {
        begin(state);
        draw_text(80, 80, 90 * quarter, "Rg4");
        paint_at(1);
        for (int v = -70; v < 70; v++) {
            for (int u = -70; u < 70; u++) {
                /* A quarter counter-clockwise takes right to up, and down to right. */
                int x = u, y = v;
                for (int i = 0; i < quarter; i++) {
                    int was = x;
                    x = y;
                    y = -was - 1;
                }
                assert_int_equal(at(80 + x, 80 + y),
                                 upright[(80 + v) * WIDTH + 80 + u] & 0xFFFFFF);
            }
        }
    }
}

static void test_turned_text_keeps_its_ink(void **state) {
    draw_text(80, 80, 0, "columns");
    paint_at(1);
    double upright = ink();
    for (int angle = -80; angle < 90; angle += 35) {
        begin(state);
        draw_text(80, 80, angle, "columns");
        paint_at(1);
        double turned = ink();
        assert_close(&turned, &upright, 1, 0.02 * upright);
    }
    begin(state);
    draw_text(80, 80, 45, "lll"); /* upwards to the right */
    paint_at(1);
    assert_int_equal(at(90, 95), WHITE);
    double above = 0;
    for (int y = 50; y < 80; y++)
        above += 255 - (at(82, y) & 0xFF);
    assert_true(above > 100);
}

static void test_what_is_not_a_number_is_left_out(void **state) {
    static const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e-300};
    double value = 1;
    Tensor tensor = {.rows = 1, .cols = 1, .values = &value};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        double d = odd[i];
        Point points[] = {{d, 1}, {2, d}, {d, d}, {4, 4}};
        scene_clip(&scene, (Box){0, 0, d, 10});
        scene_rectangle(&scene, (Box){d, 0, 10, d}, d, RED, BLACK, d);
        scene_rectangle(&scene, (Box){0, 0, 10, 10}, d, RED, BLACK, d);
        scene_line(&scene, points[0], points[1], d, BLACK);
        scene_line(&scene, points[3], points[1], 2, BLACK);
        scene_path(&scene, points, 4, d, BLACK);
        scene_polygon(&scene, points, 4, BLACK);
        scene_image(&scene, (Box){0, d, d, 5}, &tensor, &sample_scale);
        draw_text(d, 10, 0, "text");
        draw_text(10, 10, d, "text");
        scene_text(&scene, FONT_TEXT, d, BLACK, (Point){5, 5}, "text", 1, 1, 1);
        scene_unclip(&scene);
    }
    paint_at(1);
    paint_at(1e6);
    begin(state);
    Tensor empty = {0};
    scene_image(&scene, (Box){0, 0, 50, 50}, &empty, &sample_scale);
    scene_rectangle(&scene, (Box){10, 10, NAN, 5}, 0, RED, BLACK, 1);
    paint_at(1);
    assert_block(0, 0, 0, 0, 0);
}

/* The sample, and shapes whose ink reaches beyond their points or over many rows. */
static void test_a_picture_painted_in_parts_is_the_same(void **state) {
    enum { PICTURE_WIDTH = 800, PICTURE_HEIGHT = 450 };
    static double values[SAMPLE_WAVES * SAMPLE_WAVES];
    static uint32_t whole[PICTURE_WIDTH * PICTURE_HEIGHT],
        part[PICTURE_WIDTH * PICTURE_HEIGHT];
    static const size_t heights[] = {1, 7, 64, 449};
    Tensor waves;
    TextMetrics metrics = fonts_metrics(fonts);
    scene_init(&scene, arena, 1600, 900, SAMPLE_WHITE);
    sample_scene(&scene, &metrics, 0, &waves, values);
    Point zigzag[] = {{10, 20}, {900, 880}, {950, 30}, {1500, 870}};
    scene_path(&scene, zigzag, 4, 40, RED);
    scene_polygon(&scene, zigzag, 4, BLACK);
    scene_clip(&scene, (Box){300, 200, 700, 333});
    scene_rectangle(&scene, (Box){250, 150, 900, 500}, 60, RED, BLACK, 9);
    draw_text(400, 400, 30, "slanted ÅÉ√∑");
    draw_text(420, 420, 0, "∫√ÅÉ∑gy");
    scene_unclip(&scene);
    painter_paint(
        painter, &scene,
        (PainterTarget){whole, PICTURE_WIDTH, PICTURE_HEIGHT, PICTURE_WIDTH, 0.5});
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++) {
        memset(part, 0, sizeof part);
        for (size_t top = 0; top < PICTURE_HEIGHT; top += heights[i]) {
            size_t left = PICTURE_HEIGHT - top;
            PainterTarget target = {part + top * PICTURE_WIDTH, PICTURE_WIDTH,
                                    left < heights[i] ? left : heights[i], PICTURE_WIDTH,
                                    0.5};
            painter_paint_rows(painter, &scene, target, top);
        }
        assert_memory_equal(part, whole, sizeof whole);
    }
}

/* A canvas's pixels: the same ones, with red and blue in each other's place. */
static void test_a_reversed_picture_has_the_same_colours(void **state) {
    static double values[SAMPLE_WAVES * SAMPLE_WAVES];
    static uint32_t usual[WIDTH * HEIGHT];
    Tensor waves;
    TextMetrics metrics = fonts_metrics(fonts);
    sample_scene(&scene, &metrics, 0, &waves, values);
    draw_text(40, 40, 30, "slanted");
    paint_at(0.5);
    memcpy(usual, pixels, sizeof usual);
    painter_reverse(painter, true);
    paint_at(0.5);
    painter_reverse(painter, false);
    for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
        uint32_t pixel = pixels[i];
        assert_int_equal(
            (pixel & 0xFF00FF00) | (pixel >> 16 & 0xFF) | (pixel & 0xFF) << 16, usual[i]);
    }
}

static bool is_used_up(void *context) {
    int *left = context;
    return (*left)-- <= 0;
}

/* Parts that are drawn ahead, a few at a time, are all there then and are the same. */
static void test_a_prepared_picture_is_the_same(void **state) {
    static double values[SAMPLE_WAVES * SAMPLE_WAVES];
    static uint32_t before[WIDTH * HEIGHT];
    Tensor waves;
    TextMetrics metrics = fonts_metrics(fonts);
    sample_scene(&scene, &metrics, 0, &waves, values);
    paint_at(0.5);
    memcpy(before, pixels, sizeof before);
    Fonts *fresh = fonts_create(NULL);
    Painter *other = painter_create(fresh);
    int few = 3, many = 100000;
    assert_true(scene.count > 3);
    assert_false(painter_prepare(other, &scene, 0.5, is_used_up, &few));
    assert_true(painter_prepare(other, &scene, 0.5, is_used_up, &many));
    memset(pixels, 0x5A, sizeof pixels);
    assert_true(
        painter_paint(other, &scene, (PainterTarget){pixels, WIDTH, HEIGHT, WIDTH, 0.5}));
    assert_memory_equal(pixels, before, sizeof before);
    painter_destroy(other);
    fonts_destroy(fresh);
}

/* A zigzag as a polygon, as a path of a width, and once more in a clip. */
static void draw_zigzags(double far, double width, Color color) {
    Point zigzag[] = {{10, 20}, {90, 88}, {far, 30}, {150, 140}};
    scene_init(&scene, arena, WIDTH, HEIGHT, SAMPLE_WHITE);
    scene_polygon(&scene, zigzag, 4, color);
    scene_clip(&scene, (Box){40, 30, 60, 60});
    scene_path(&scene, zigzag, 4, width, SAMPLE_WHITE);
    scene_unclip(&scene);
    scene_path(&scene, zigzag, 4, width / 4, BLACK);
}

static void test_shapes_drawn_before_are_drawn_alike(void **state) {
    static uint32_t by_new[WIDTH * HEIGHT];
    static const double fars[] = {100, 9000, 100, 101, 100};
    static const double widths[] = {12, 12, 12, 12, 13};
    for (size_t i = 0; i < sizeof fars / sizeof *fars; i++) {
        Painter *new = painter_create(fonts);
        assert_non_null(new);
        draw_zigzags(fars[i], widths[i], i % 2 ? RED : BLACK);
        painter_paint(new, &scene, (PainterTarget){by_new, WIDTH, HEIGHT, WIDTH, 1});
        painter_destroy(new);
        for (int again = 0; again < 2; again++) {
            paint_at(1);
            assert_memory_equal(pixels, by_new, sizeof pixels);
        }
    }
}

/* One page of the sample, as a new process would paint it. */
static uint64_t digest_of_sample(double scale, int frame) {
    enum { PICTURE_WIDTH = 1600, PICTURE_HEIGHT = 900 };
    static _Thread_local double values[SAMPLE_WAVES * SAMPLE_WAVES];
    uint64_t digest = 14695981039346656037u;
    Tensor waves;
    Scene page;
    Fonts *own = fonts_create(NULL);
    Painter *other = own ? painter_create(own) : NULL;
    Arena *memory = arena_create(64 << 20);
    size_t width = (size_t)(PICTURE_WIDTH * scale),
           height = (size_t)(PICTURE_HEIGHT * scale);
    uint32_t *target = malloc(width * height * sizeof *target);
    if (other && memory && target) {
        TextMetrics metrics = fonts_metrics(own);
        scene_init(&page, memory, PICTURE_WIDTH, PICTURE_HEIGHT, SAMPLE_WHITE);
        sample_scene(&page, &metrics, frame, &waves, values);
        painter_paint(other, &page, (PainterTarget){target, width, height, width, scale});
        for (size_t i = 0; i < width * height; i++)
            digest = (digest ^ target[i]) * 1099511628211u;
    }
    free(target);
    painter_destroy(other);
    fonts_destroy(own);
    arena_destroy(memory);
    return digest;
}

static void test_equal_scenes_give_equal_bytes(void **state) {
    uint64_t first = digest_of_sample(1, 0);
    assert_true(first == digest_of_sample(1, 0));
    assert_true(first != digest_of_sample(1, 1));
}

typedef struct Worker {
    pthread_t thread;
    int frame;
    uint64_t digests[3];
} Worker;

static void *work(void *context) {
    Worker *worker = context;
    for (int i = 0; i < 3; i++)
        worker->digests[i] = digest_of_sample(0.5, worker->frame + i);
    return NULL;
}

static void test_threads_paint_what_one_thread_paints(void **state) {
    enum { THREADS = 3 };
    Worker workers[THREADS] = {0};
    for (int i = 0; i < THREADS; i++) {
        workers[i].frame = i;
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < THREADS; i++) {
        for (int frame = 0; frame < 3; frame++)
            assert_true(workers[i].digests[frame] == digest_of_sample(0.5, i + frame));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_background_fills_the_page, begin),
        cmocka_unit_test_setup(test_only_the_target_is_written, begin),
        cmocka_unit_test_setup(test_rectangles_have_sharp_edges, begin),
        cmocka_unit_test_setup(test_neighbours_share_an_edge_at_every_scale, begin),
        cmocka_unit_test_setup(test_hairlines_never_vanish, begin),
        cmocka_unit_test_setup(test_colours_mix_to_the_nearest, begin),
        cmocka_unit_test_setup(test_an_outline_lies_inside_its_box, begin),
        cmocka_unit_test_setup(test_rounded_corners_are_round, begin),
        cmocka_unit_test_setup(test_circles_of_any_size_are_round, begin),
        cmocka_unit_test_setup(test_a_ring_has_the_area_of_a_ring, begin),
        cmocka_unit_test_setup(test_fill_and_outline_of_one_colour_are_one_shape, begin),
        cmocka_unit_test_setup(test_polygons_cover_their_area, begin),
        cmocka_unit_test_setup(test_polygons_are_even_odd, begin),
        cmocka_unit_test_setup(test_polygon_edges_lie_where_they_should, begin),
        cmocka_unit_test_setup(test_slanted_lines_have_their_thickness, begin),
        cmocka_unit_test_setup(test_paths_join_roundly_and_close, begin),
        cmocka_unit_test_setup(test_very_long_paths_are_drawn_whole, begin),
        cmocka_unit_test_setup(test_clips_nest_and_end, begin),
        cmocka_unit_test_setup(test_clips_nest_very_deeply, begin),
        cmocka_unit_test_setup(test_an_image_shows_every_cell_in_its_place, begin),
        cmocka_unit_test_setup(test_a_crowded_image_shows_mean_distances_from_0, begin),
        cmocka_unit_test_setup(test_text_keeps_its_pixels_when_it_moves, begin),
        cmocka_unit_test_setup(test_text_stands_on_its_baseline, begin),
        cmocka_unit_test_setup(test_quarter_turns_move_pixels_only, begin),
        cmocka_unit_test_setup(test_turned_text_keeps_its_ink, begin),
        cmocka_unit_test_setup(test_what_is_not_a_number_is_left_out, begin),
        cmocka_unit_test_setup(test_a_picture_painted_in_parts_is_the_same, begin),
        cmocka_unit_test_setup(test_a_prepared_picture_is_the_same, begin),
        cmocka_unit_test_setup(test_a_reversed_picture_has_the_same_colours, begin),
        cmocka_unit_test_setup(test_shapes_drawn_before_are_drawn_alike, begin),
        cmocka_unit_test_setup(test_equal_scenes_give_equal_bytes, begin),
        cmocka_unit_test_setup(test_threads_paint_what_one_thread_paints, begin),
    };
    return cmocka_run_group_tests(tests, open_painter, close_painter);
}
