/* How long a picture takes: layout's measuring, painting, and the PNG, in milliseconds.
 *   picture FILE.png     writes each picture there */
#include "files/files.h"
#include "paint/paint.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../sample_scene.h"
#include "base/arena.h"

enum { WIDTH = 1920, HEIGHT = 1080, PICTURES = 40 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *times, size_t count) {
    qsort(times, count, sizeof *times, compare);
    return times[count / 2];
}

int main(int argc, char **argv) {
    double began = now();
    Error error = {0};
    if (argc != 2) {
        fputs("picture FILE.png\n", stderr);
        return 2;
    }
    Png *writer = png_create();
    Fonts *fonts = fonts_create(&error);
    Painter *painter = fonts ? painter_create(fonts) : NULL;
    Arena *arena = arena_create(64 << 20);
    uint32_t *pixels = malloc(sizeof *pixels * WIDTH * HEIGHT);
    if (!writer || !painter || !arena || !pixels) {
        fprintf(stderr, "%s\n", error.message);
        return 3;
    }
    double created = now();
    TextMetrics metrics = fonts_metrics(fonts);
    PainterTarget target = {pixels, WIDTH, HEIGHT, WIDTH, 1.2};
    Tensor waves;
    static double values[SAMPLE_WAVES * SAMPLE_WAVES];
    double layout[PICTURES], fresh[PICTURES], warm[PICTURES], png[PICTURES];
    size_t items = 0;
    for (int i = 0; i < PICTURES; i++) {
        Scene scene;
        arena_reset(arena);
        double start = now();
        scene_init(&scene, arena, 1600, 900, SAMPLE_WHITE);
        sample_scene(&scene, &metrics, i, &waves, values);
        double laid_out = now();
        painter_paint(painter, &scene, target);
        double painted = now();
        painter_paint(painter, &scene, target);
        double again = now();
        bool written = png_begin(writer, WIDTH, HEIGHT, &error);
        if (written) {
            png_add(writer, pixels, HEIGHT, WIDTH);
            written = png_save(writer, argv[1], &error);
        }
        if (!written) {
            fprintf(stderr, "%s\n", error.message);
            return 3;
        }
        layout[i] = laid_out - start;
        fresh[i] = painted - laid_out;
        warm[i] = again - painted;
        png[i] = now() - again;
        items = scene.count;
        if (i == 0)
            printf("cold: fonts %.2f, layout %.2f, paint %.2f, png %.2f\n",
                   created - began, layout[0], fresh[0], png[0]);
    }
    printf("%zu items: layout %.2f, paint with new numbers %.2f, paint again %.2f, png "
           "%.2f\n",
           items, median(layout, PICTURES), median(fresh, PICTURES),
           median(warm, PICTURES), median(png, PICTURES));
    png_destroy(writer);
    painter_destroy(painter);
    fonts_destroy(fonts);
    arena_destroy(arena);
    free(pixels);
    return 0;
}
