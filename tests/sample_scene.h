/* A picture with everything a scene can hold, laid out like a lesson's page of 1600 × 900
 * points: panels, pills, dots, a heatmap of 20 × 25 numbered cells, hatching under a
 * clip, curves, turned text, Chinese, letters of formulas and a tensor as an image. */
#pragma once

#include "base/number.h"
#include "picture/scene/label.h"
#include "picture/scene/scene.h"
#include "picture/scene/theme.h"
#include "tensor/tensor.h"

#include <math.h>
#include <string.h>

enum { SAMPLE_ROWS = 20, SAMPLE_COLS = 25, SAMPLE_WAVES = 64 };

static const Color SAMPLE_INK = {17, 24, 39, 255}, SAMPLE_FAINT = {148, 156, 170, 255},
                   SAMPLE_LINE = {221, 225, 233, 255}, SAMPLE_NONE = {0, 0, 0, 0},
                   SAMPLE_WHITE = {255, 255, 255, 255}, SAMPLE_BLUE = {46, 107, 209, 255},
                   SAMPLE_ORANGE = {197, 83, 26, 255};

static const Palette sample_palette = {
    3, {{33, 102, 172, 255}, {247, 247, 247, 255}, {213, 94, 20, 255}}};
static const ColorScale sample_scale = {&sample_palette, -1, 1, {224, 224, 224, 255}};

static inline void sample_text(Scene *scene, const TextMetrics *metrics, FontRole font,
                               double size, Color color, double x, double y,
                               const char *text) {
    double advance = metrics->advance(metrics->context, font, size, text, strlen(text));
    scene_text(scene, font, size, color, (Point){x, y}, text, advance, 0.8 * size,
               0.22 * size);
}

static inline void sample_cells(Scene *scene, const TextMetrics *metrics, int frame) {
    for (int row = 0; row < SAMPLE_ROWS; row++) {
        for (int col = 0; col < SAMPLE_COLS; col++) {
            double value = sin(row * 7.3 + col * 1.7 + frame * 0.917);
            Box box = {290 + col * 40, 150 + row * 24, 39, 23};
            Color ground = color_scale_at(&sample_scale, value);
            char number[NUMBER_SIZE];
            number_format(number, value, 3);
            double width =
                metrics->advance(metrics->context, FONT_TEXT, 10, number, strlen(number));
            scene_rectangle(scene, box, 2, ground, SAMPLE_NONE, 0);
            sample_text(scene, metrics, FONT_TEXT, 10,
                        palette_ink(ground, SAMPLE_INK, SAMPLE_WHITE),
                        box.x + (box.w - width) / 2, box.y + 16, number);
        }
    }
}

static inline void sample_panels(Scene *scene, const TextMetrics *metrics) {
    scene_rectangle(scene, (Box){0, 0, 1600, 56}, 0, SAMPLE_WHITE, SAMPLE_NONE, 0);
    scene_line(scene, (Point){0, 56}, (Point){1600, 56}, 1, SAMPLE_LINE);
    sample_text(scene, metrics, FONT_BOLD, 19, SAMPLE_INK, 28, 36, "Glassformer");
    sample_text(scene, metrics, FONT_TEXT, 18, SAMPLE_INK, 196, 36,
                "3 · One attention head, by hand");
    scene_rectangle(scene, (Box){520, 15, 236, 27}, 13.5, (Color){238, 242, 250, 255},
                    SAMPLE_NONE, 0);
    sample_text(scene, metrics, FONT_TEXT, 13, SAMPLE_FAINT, 549, 34,
                "document 1 · Self-Attention");
    scene_rectangle(scene, (Box){0, 57, 250, 693}, 0, (Color){246, 247, 251, 255},
                    SAMPLE_NONE, 0);
    static const char *const names[] = {"Tokens → IDs",   "Embed + position", "Q, K, V",
                                        "Scores QKᵀ",     "Scale ÷√dₖ",       "Mask",
                                        "Softmax 归一化", "加权求和"};
    for (int i = 0; i < 8; i++) {
        Box box = {24, 112 + 46 * i, 202, 38};
        bool now = i == 3;
        scene_rectangle(scene, box, 7, now ? SAMPLE_INK : SAMPLE_WHITE, SAMPLE_LINE, 1);
        scene_rectangle(scene, (Box){37, box.y + 12, 14, 14}, 7,
                        now ? (Color){240, 165, 96, 255} : SAMPLE_NONE, SAMPLE_FAINT,
                        now ? 0 : 2);
        sample_text(scene, metrics, FONT_TEXT, 15, now ? SAMPLE_WHITE : SAMPLE_INK, 64,
                    box.y + 25, names[i]);
    }
}

static inline void sample_words(Scene *scene, const TextMetrics *metrics) {
    sample_text(scene, metrics, FONT_BOLD, 28, SAMPLE_INK, 290, 100,
                "How much should each word look at each other word?");
    sample_text(
        scene, metrics, FONT_TEXT, 17, SAMPLE_FAINT, 290, 132,
        "Take the dot product of every query with every key. 每个词都在问：“我该关注"
        "谁？”");
    sample_text(scene, metrics, FONT_MATH, 34, SAMPLE_INK, 1420, 100, "𝑆 = 𝑄 𝐾ᵀ ∑√∈");
    SceneItem *item;
    for (int i = 0; i < 3; i++) {
        static const double angles[] = {90, 45, -30};
        sample_text(scene, metrics, FONT_TEXT, 14, SAMPLE_ORANGE, 1340 + 60 * i, 600,
                    "columns of K");
        item = &scene->items[scene->count - 1];
        item->angle = angles[i];
    }
}

static inline void sample_shapes(Scene *scene, const Tensor *waves) {
    scene_rectangle(scene, (Box){1310, 140, 126, 76}, 4, SAMPLE_NONE, SAMPLE_BLUE, 3);
    scene_rectangle(scene, (Box){1450, 140, 126, 76}, 4, (Color){46, 107, 209, 40},
                    (Color){197, 83, 26, 128}, 8);
    Box hatched = {1310, 230, 120, 80};
    scene_rectangle(scene, hatched, 0, (Color){236, 236, 238, 255}, SAMPLE_NONE, 0);
    scene_clip(scene, hatched);
    for (double x = -80; x < 120; x += 8)
        scene_line(scene, (Point){hatched.x + x, hatched.y + 80},
                   (Point){hatched.x + x + 80, hatched.y}, 1.2, SAMPLE_FAINT);
    scene_unclip(scene);
    Point star[5], curve[60];
    for (int i = 0; i < 5; i++)
        star[i] = (Point){1510 + 42 * sin(i * 4 * 3.14159265 / 5),
                          270 - 42 * cos(i * 4 * 3.14159265 / 5)};
    scene_polygon(scene, star, 5, SAMPLE_ORANGE);
    for (int i = 0; i < 60; i++)
        curve[i] = (Point){1310 + i * 4.4, 360 + 30 * sin(i * 0.3)};
    scene_path(scene, curve, 60, 3, SAMPLE_BLUE);
    scene_image(scene, (Box){1310, 410, 128, 96}, waves, &sample_scale);
    scene_image(scene, (Box){1450, 410, 40, 24}, waves, &sample_scale);
    scene_line(scene, (Point){28, 848}, (Point){1572, 848}, 4, SAMPLE_LINE);
    scene_line(scene, (Point){28, 848}, (Point){736, 848}, 5, SAMPLE_INK);
    for (int i = 0; i < 13; i++)
        scene_rectangle(scene, (Box){20 + 128.66 * i, 840, 16, 16}, 8,
                        i < 6 ? SAMPLE_INK : SAMPLE_FAINT, SAMPLE_NONE, 0);
}

/* Draws the page; another `frame` has other numbers. `values` holds SAMPLE_WAVES²
 * numbers, `waves` a tensor of them; both are filled. */
static inline void sample_scene(Scene *scene, const TextMetrics *metrics, int frame,
                                Tensor *waves, double *values) {
    *waves = (Tensor){.rows = SAMPLE_WAVES, .cols = SAMPLE_WAVES, .values = values};
    for (int i = 0; i < SAMPLE_WAVES * SAMPLE_WAVES; i++) {
        double rate = pow(100, -(i % SAMPLE_WAVES) / (double)SAMPLE_WAVES);
        values[i] = sin((i / SAMPLE_WAVES) * rate);
    }
    sample_panels(scene, metrics);
    sample_words(scene, metrics);
    sample_cells(scene, metrics, frame);
    sample_shapes(scene, waves);
}
