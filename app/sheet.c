#include "sheet.h"

#include "painter.h"
#include "png.h"

#include <stdint.h>
#include <stdlib.h>

enum { SHEET_MAX_MEMORY = 256 << 20 }; /* of a scene */

struct Sheet {
    size_t width, height;
    uint32_t *pixels;
    Fonts *fonts;
    Painter *painter;
    Arena *arena;
};

Sheet *sheet_create(size_t width, size_t height, Error *error) {
    Sheet *sheet = calloc(1, sizeof *sheet);
    if (!sheet) {
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for a picture");
        return NULL;
    }
    sheet->width = width;
    sheet->height = height;
    sheet->fonts = fonts_create(1, error);
    if (!sheet->fonts)
        goto fail;
    sheet->painter = painter_create(sheet->fonts);
    sheet->arena = arena_create(SHEET_MAX_MEMORY);
    sheet->pixels = malloc(width * height * sizeof *sheet->pixels);
    if (sheet->painter && sheet->arena && sheet->pixels)
        return sheet;
    error_set(error, ERROR_MEMORY, 0, 0,
              "there is no memory for a picture of %zu by %zu pixels", width, height);
fail:
    sheet_destroy(sheet);
    return NULL;
}

void sheet_destroy(Sheet *sheet) {
    if (!sheet)
        return;
    free(sheet->pixels);
    painter_destroy(sheet->painter);
    fonts_destroy(sheet->fonts);
    arena_destroy(sheet->arena);
    free(sheet);
}

bool sheet_paint(Sheet *sheet, Session *session, Error *error) {
    TextMetrics metrics = fonts_metrics(sheet->fonts);
    Scene scene;
    arena_reset(sheet->arena);
    session_draw(session, &scene, sheet->arena, &metrics, (double)sheet->width,
                 (double)sheet->height, session->help);
    if (!scene_complete(&scene))
        return error_set(error, ERROR_MEMORY, 0, 0,
                         "there is no memory to draw this picture whole");
    painter_paint(
        sheet->painter, &scene,
        (PainterTarget){sheet->pixels, sheet->width, sheet->height, sheet->width, 1});
    return true;
}

bool sheet_write(const Sheet *sheet, const char *path, Error *error) {
    return png_write(path, sheet->pixels, sheet->width, sheet->height, sheet->width,
                     error);
}
