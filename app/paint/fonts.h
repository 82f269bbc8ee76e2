/* Fonts: measuring text and turning it into coverage.
 *
 * A text is split into runs of one script and direction, each in the first font of its
 * role's chain that has the glyphs; SDL_ttf measures and draws them, from left to right.
 * Ideographs stand on whole pixels. Masks of strings are kept, up to FONTS_CACHE_BYTES,
 * the longest unused forgotten first. A Fonts object is for one thread at a time; several
 * may be used in several threads. Opening a font waits until it is needed. */
#pragma once

#include "base/error.h"
#include "paint/letters.h"
#include "picture/scene/metrics.h"

#include <stddef.h>
#include <stdint.h>

typedef struct TextMask TextMask;

enum {
    FONTS_CACHE_BYTES = 32 << 20,
    FONTS_MAX_EM = 512 * EM_PARTS /* larger text is drawn at this em size */
};

typedef struct Fonts Fonts;

/* Returns NULL with ERROR_FILE if a file of the program's fonts can't be read, or with
 * ERROR_MEMORY. The caller destroys the fonts. */
Fonts *fonts_create(Error *error);

/* NULL is fine. */
void fonts_destroy(Fonts *fonts);

/* Returns true if memory was too short to measure or draw some text since the last
 * call. */
bool fonts_were_short(Fonts *fonts);

/* Returns functions that measure text in points, independent of the scale of drawing.
 * Valid as long as the fonts are. */
TextMetrics fonts_metrics(Fonts *fonts);

/* Returns the em, in 1 / EM_PARTS pixels, at which text of `size` points is drawn if a
 * point has `scale` pixels. */
int fonts_em(double size, double scale);

/* Returns the coverage of a zero-terminated text at such an em, borrowed until the next
 * call; NULL if there is nothing to draw (only blanks) or memory is short. */
const TextMask *fonts_mask(Fonts *fonts, FontRole role, int em, const char *text);

/* Places the glyphs of a zero-terminated text, one call each. The glyph is valid during
 * the call. Returns false if memory is short and some are left out. */
bool fonts_place(Fonts *fonts, FontRole role, const char *text,
                 void (*place)(void *context, const PlacedGlyph *glyph), void *context);

/* Returns a face of the fonts for its outlines; borrowed, valid as long as the fonts
 * are. */
const Typeface *fonts_typeface(const Fonts *fonts, FontFace face);
