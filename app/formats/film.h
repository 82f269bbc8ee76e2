/* A film: pages painted one after another, and the part of each that differs from the
 * one before. */
#pragma once

#include "formats/deck.h"
#include "paint/painter.h"

typedef struct Film {
    size_t width, height;   /* pixels; 0: no page yet */
    uint32_t *now, *before; /* pixels 0xFFRRGGBB, in rows */
    Painter *painter;
    size_t x, y, w, h; /* part of `now` that differs from `before`; w 0: none */
} Film;

/* Paints a page. False without memory, or where it is larger or smaller than the last. */
bool film_paint(Film *film, const DeckPage *page);

/* {0} is fine. */
void film_finish(Film *film);
