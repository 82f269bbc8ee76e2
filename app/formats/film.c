#include "formats/formats_parts.h"

#include "picture/page/page.h"

#include <string.h>

static void begin(Film *film, const SheetPicture *picture) {
    film->width = picture->width;
    film->height = picture->height;
    size_t pixels = film->width * film->height;
    film->now = arena_alloc(film->arena, pixels, sizeof *film->now);
    film->before = arena_alloc(film->arena, pixels, sizeof *film->before);
    film->painter = painter_create(picture->fonts);
    vector_need(film->arena, film->painter);
}

static bool row_differs(const Film *film, size_t y) {
    size_t at = y * film->width;
    return memcmp(film->now + at, film->before + at, film->width * sizeof *film->now) !=
           0;
}

static bool column_differs(const Film *film, size_t x) {
    for (size_t y = film->y; y < film->y + film->h; y++) {
        if (film->now[y * film->width + x] != film->before[y * film->width + x])
            return true;
    }
    return false;
}

static void find_changed(Film *film) {
    size_t top = 0, bottom = film->height, left = 0, right = film->width;
    while (top < bottom && !row_differs(film, top))
        top++;
    while (bottom > top && !row_differs(film, bottom - 1))
        bottom--;
    film->y = top;
    film->h = bottom - top;
    while (left < right && !column_differs(film, left))
        left++;
    while (right > left && !column_differs(film, right - 1))
        right--;
    film->x = left;
    film->w = right - left;
}

void film_paint(Film *film, const DeckPage *page) {
    const SheetPicture *picture = &page->picture;
    if (!film->width)
        begin(film, picture);
    vector_need(film->arena,
                picture->width == film->width && picture->height == film->height);
    uint32_t *before = film->before;
    film->before = film->now;
    film->now = before;
    double scale = page_fit((double)film->width, (double)film->height).scale;
    PainterTarget target = {film->now, film->width, film->height, film->width, scale};
    vector_need(film->arena, painter_paint(film->painter, picture->scene, target));
    find_changed(film);
}
