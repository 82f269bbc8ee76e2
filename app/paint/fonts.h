/* Fonts: measuring text and turning it into coverage.
 *
 * A text is split into runs of one script and direction, each in the first font of its
 * role's chain that has the glyphs; SDL_ttf measures and draws them, from left to right.
 * Ideographs stand on whole pixels. Masks of strings are kept, up to FONTS_CACHE_BYTES,
 * the longest unused forgotten first. A Fonts object is for one thread at a time; several
 * may be used in several threads. Opening a font waits until it is needed. */
#ifndef APP_FONTS_H
#define APP_FONTS_H

#include "base/error.h"
#include "paint/letters.h"
#include "picture/scene/metrics.h"

#include <stddef.h>
#include <stdint.h>

enum {
    FONTS_CACHE_BYTES = 32 << 20,
    FONTS_MAX_EM = 512 * EM_PARTS /* larger text is drawn at this em size */
};

typedef struct Fonts Fonts;

/* NULL and ERROR_FILE when a file of the program's fonts can't be read, ERROR_MEMORY when
 * memory is short. The caller destroys it. */
Fonts *fonts_create(Error *error);

/* NULL is fine. */
void fonts_destroy(Fonts *fonts);

/* Whether there was no memory to measure or to draw some text since this was asked last.
 */
bool fonts_were_short(Fonts *fonts);

/* How long text is in points, whatever the scale it will be drawn at. Valid as long as
 * the fonts are. */
TextMetrics fonts_metrics(Fonts *fonts);

/* The em, in 1 / EM_PARTS pixels, at which text of `size` points is drawn where a
 * point has `scale` pixels. */
int fonts_em(double size, double scale);

/* The coverage of a zero-terminated text at such an em. Borrowed until the next
 * call. NULL when nothing is to be drawn (blanks only) or memory is short. */
const TextMask *fonts_mask(Fonts *fonts, FontRole role, int em, const char *text);

/* Places the glyphs of a zero-terminated text, one call each. The glyph is valid during
 * the call. False where memory is short, so that some are left out. */
bool fonts_place(Fonts *fonts, FontRole role, const char *text,
                 void (*place)(void *context, const PlacedGlyph *glyph), void *context);

/* A face of the fonts, for its outlines. Borrowed, as long as the fonts are. */
const Typeface *fonts_typeface(const Fonts *fonts, FontFace face);

#endif
