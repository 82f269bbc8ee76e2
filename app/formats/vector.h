/* Common parts of the vector formats: numbers, glyphs met so far, images. */
#pragma once

#include "base/strings/writer.h"
#include "formats/deck.h"
#include "paint/fonts.h"
#include "picture/scene/scene.h"

enum {
    VECTOR_EM = 1000,      /* units that outlines are written in, whole ones */
    VECTOR_FEW_CELLS = 144 /* so many of an image are rectangles: viewers smooth images,
                              whatever is asked of them */
};

/* Writes a number to a hundredth, without what it can do without: 3, -0.5, 12.25. What
 * is not a number is 0. */
void vector_number(Writer *writer, double value);

/* Writes numbers with blanks between. */
void vector_numbers(Writer *writer, const double *values, size_t count);

/* Glyphs met so far, numbered from 1 in the order they were met. In an arena. {.arena =
 * …, .fonts = …} has none. */
typedef struct GlyphSet {
    Arena *arena;
    const Fonts *fonts; /* borrowed */
    uint32_t *numbers[FACE_COUNT];
    uint32_t count;
} GlyphSet;

/* Returns the number of a glyph; *is_new becomes true if the glyph was added. 0 without
 * memory. */
uint32_t glyph_set_add(GlyphSet *set, FontFace face, uint32_t index, bool *is_new);

/* An image's pixels, a pixel a cell or fewer where cells are smaller than half
 * a point. In the arena; false without memory, or when the image has none. */
typedef struct VectorImage {
    size_t width, height;
    uint32_t *pixels; /* 0xFFRRGGBB */
} VectorImage;

bool vector_image(VectorImage *image, Arena *arena, const SceneItem *item);

/* Cell `index` of an image, in the order of its pixels: its place and colour. */
Box vector_cell(const VectorImage *image, const SceneItem *item, size_t index,
                Color *color);

/* True if an item is visible and has finite lengths, and for clips. */
bool vector_visible(const SceneItem *item);

/* Finds the next items of a page, from number *at on, that link to one other page of its
 * lesson: stores that page's number in *target and the items' common box, and moves *at
 * behind them. False if there are none. */
bool vector_next_link(const DeckPage *page, size_t *at, size_t *target, Box *box);

/* Returns the thickness of a rectangle's outline; 0 for none. */
double vector_outline(const SceneItem *item);

/* A rectangle's edge, on whose middle an outline of that width lies within its box. */
Box vector_inset(const SceneItem *item, double outline, double *radius);
