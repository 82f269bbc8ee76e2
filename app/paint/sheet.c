#include "paint/paint.h"

#include "drive/drive.h"
#include "files/files.h"
#include "picture/page/page.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum {
    SHEET_MAX_MEMORY = 256 << 20, /* of a scene */
    STRIP_BYTES = 1 << 19         /* of pixels: what a processor's own cache holds */
};

struct Sheet {
    size_t width, height; /* in pixels */
    double millimetres;   /* of paper; or 0 */
    PageFit fit;
    size_t strip_rows;
    uint32_t *strip; /* its pixels */
    Png *png;
    Scene scene;
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
    sheet->fit = page_fit((double)width, (double)height);
    sheet->fonts = fonts_create(error);
    if (!sheet->fonts)
        goto fail;
    sheet->painter = painter_create(sheet->fonts);
    sheet->arena = arena_create(SHEET_MAX_MEMORY);
    sheet->png = png_create();
    size_t row_bytes = width * sizeof *sheet->strip;
    sheet->strip_rows = row_bytes < STRIP_BYTES ? STRIP_BYTES / row_bytes : 1;
    sheet->strip = malloc(sheet->strip_rows * row_bytes);
    if (sheet->painter && sheet->arena && sheet->png && sheet->strip)
        return sheet;
    error_set(error, ERROR_MEMORY, 0, 0,
              "there is no memory for a picture of %zu by %zu pixels", width, height);
fail:
    sheet_destroy(sheet);
    return NULL;
}

void sheet_set_millimetres(Sheet *sheet, double millimetres) {
    sheet->millimetres = millimetres;
}

void sheet_destroy(Sheet *sheet) {
    if (!sheet)
        return;
    free(sheet->strip);
    png_destroy(sheet->png);
    painter_destroy(sheet->painter);
    fonts_destroy(sheet->fonts);
    arena_destroy(sheet->arena);
    free(sheet);
}

static bool no_memory(Error *error) {
    return error_set(error, ERROR_MEMORY, 0, 0,
                     "there is no memory to draw this picture whole");
}

static bool is_whole(const Sheet *sheet, Error *error) {
    bool measured = !fonts_were_short(sheet->fonts);
    return (measured && scene_complete(&sheet->scene)) || no_memory(error);
}

bool sheet_lay_out(Sheet *sheet, Session *session, Error *error) {
    TextMetrics metrics = fonts_metrics(sheet->fonts);
    arena_reset(sheet->arena);
    session_draw_sheet(session, &sheet->scene, sheet->arena, &metrics, sheet->fit.width,
                       sheet->fit.height);
    return is_whole(sheet, error);
}

/* The page as large as the sheet. */
static Page sized(const Sheet *sheet, const Page *page, const TextMetrics *metrics) {
    Page sized = *page;
    sized.metrics = metrics;
    sized.width = sheet->fit.width;
    sized.height = sheet->fit.height;
    if (!page->presents)
        sized.text_scale =
            fmax(page->text_scale, page_least_type(sized.width, sized.height));
    return sized;
}

/* A page, drawn or read under the guard of its arena. */
typedef struct Drawing {
    Scene *scene;
    Arena *arena;
    Page page;
    const char *(*read)(Arena *arena, const Page *page);
    const char *text; /* NULL until it is complete */
} Drawing;

static void draw_guarded(void *context) {
    const Drawing *this = context;
    page_draw(this->scene, this->arena, &this->page);
}

bool sheet_lay_out_page(Sheet *sheet, const Page *page, Error *error) {
    TextMetrics metrics = fonts_metrics(sheet->fonts);
    Drawing drawing = {&sheet->scene, sheet->arena, sized(sheet, page, &metrics), NULL,
                       NULL};
    arena_reset(sheet->arena);
    arena_guard(sheet->arena, draw_guarded, &drawing);
    return is_whole(sheet, error);
}

static void read_guarded(void *context) {
    Drawing *this = context;
    this->text = this->read(this->arena, &this->page);
}

static const char *text_of(const Sheet *sheet, const Page *page, Arena *arena,
                           const char *(*read)(Arena *arena, const Page *page)) {
    TextMetrics metrics = fonts_metrics(sheet->fonts);
    Drawing drawing = {NULL, arena, sized(sheet, page, &metrics), read, NULL};
    arena_guard(arena, read_guarded, &drawing);
    return fonts_were_short(sheet->fonts) ? NULL : drawing.text;
}

const char *sheet_read_page(const Sheet *sheet, const Page *page, Arena *arena) {
    return text_of(sheet, page, arena, page_read);
}

const char *sheet_read_sum(const Sheet *sheet, const Page *page, Arena *arena) {
    return text_of(sheet, page, arena, page_read_sum);
}

const char *sheet_write_sum(const Sheet *sheet, const Page *page, Arena *arena) {
    return text_of(sheet, page, arena, page_write_sum);
}

bool sheet_lay_out_worksheet(Sheet *sheet, Worksheet *worksheet, size_t *next,
                             Error *error) {
    TextMetrics metrics = fonts_metrics(sheet->fonts);
    worksheet->page.metrics = &metrics;
    if (*next == 0 && !worksheet_begin(worksheet, sheet->arena))
        return no_memory(error);
    arena_reset(sheet->arena);
    worksheet->at++;
    *next = worksheet_draw(&sheet->scene, sheet->arena, worksheet, *next);
    return is_whole(sheet, error);
}

SheetPicture sheet_picture(const Sheet *sheet) {
    return (SheetPicture){&sheet->scene, sheet->fonts, sheet->width, sheet->height,
                          sheet->millimetres};
}

static bool paint(Sheet *sheet, Error *error) {
    if (!png_begin(sheet->png, sheet->width, sheet->height, error))
        return false;
    for (size_t top = 0; top < sheet->height; top += sheet->strip_rows) {
        size_t left = sheet->height - top;
        size_t rows = left < sheet->strip_rows ? left : sheet->strip_rows;
        PainterTarget target = {sheet->strip, sheet->width, rows, sheet->width,
                                sheet->fit.scale};
        if (!painter_paint_rows(sheet->painter, &sheet->scene, target, top))
            return no_memory(error);
        png_add(sheet->png, sheet->strip, rows, sheet->width);
    }
    return true;
}

const uint8_t *sheet_pack(Sheet *sheet, size_t *size, Error *error) {
    return paint(sheet, error) ? png_pack(sheet->png, size, error) : NULL;
}

bool sheet_write(Sheet *sheet, const char *path, Error *error) {
    return paint(sheet, error) && png_save(sheet->png, path, error);
}

/* ---- saving ---- */

/* The path of the file if nothing has it yet, or NULL. */
static const char *choose_path(const Session *session, const char *folder, Arena *arena,
                               Error *error) {
    const char *into = folder ? folder : folder_of_pictures(arena);
    const char *name = session_picture_name(session, arena);
    const char *path = into && name ? arena_format(arena, "%s/%s", into, name) : NULL;
    if (!path) {
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for the file's name");
        return NULL;
    }
    return folder_make(into, error) ? path : NULL;
}

const char *save_picture(Session *session, const char *folder, size_t width,
                         size_t height, Arena *arena, Error *error) {
    size_t size;
    const char *path = choose_path(session, folder, arena, error);
    Sheet *sheet = path ? sheet_create(width, height, error) : NULL;
    const uint8_t *bytes = sheet && sheet_lay_out(sheet, session, error)
                               ? sheet_pack(sheet, &size, error)
                               : NULL;
    path = bytes ? whole_file_write_new(arena, path, SIZE_MAX, bytes, size, error) : NULL;
    sheet_destroy(sheet);
    if (path)
        session_show_message(session, "page.saved", path, NULL);
    else
        session_show_message(session, "page.not_saved", error->message, NULL);
    return path;
}

const char *save_requested(Session *session, SessionRequest request, const char *folder,
                           size_t width, size_t height, Arena *arena, Error *error) {
    return request == SESSION_KEEP
               ? save_lesson_copy(session, folder, arena, error)
               : save_picture(session, folder, width, height, arena, error);
}
