/* SVG: a scene as lines, shapes and outlines of letters.
 *
 * Letters are outlines of the program's own fonts, so that a picture looks the same
 * everywhere; over them lies the text itself, not to be seen, to be searched and copied.
 * Source: W3C, Scalable Vector Graphics 1.1 (second edition). */
#pragma once

#include "files/png.h"
#include "formats/vector.h"
#include "paint/sheet.h"

/* Several pictures that share their letters' outlines. */
typedef struct Svg {
    Fonts *fonts; /* borrowed */
    Png *png;     /* for images; borrowed */
    GlyphSet met;
    Writer outlines; /* of the letters met, as elements for <defs> */
    Writer body;     /* what was drawn */
    size_t clip_count;
} Svg;

/* Begins with nothing; all that is written lies in the arena. */
void svg_init(Svg *svg, Fonts *fonts, Png *png, Arena *arena);

/* Draws a scene's items behind what is there. */
void svg_draw(Svg *svg, const Scene *scene);

/* The style that what is drawn counts on, for a <style> element. */
extern const char svg_style[];

/* Writes text as XML has it. */
void svg_text(Writer *writer, const char *text);

/* Writes bytes as letters, as addresses of data have them. */
void svg_base64(Writer *writer, const uint8_t *bytes, size_t size);

/* Writes a picture, as wide as it is in pixels or on paper. ERROR_FILE, ERROR_MEMORY. */
bool svg_write(const SheetPicture *picture, const char *path, Error *error);
