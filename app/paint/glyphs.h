/* Glyphs: SDL_ttf's drawings of single letters, kept.
 *
 * SDL_ttf begins every drawing on a whole pixel; a glyph that stands between two is drawn
 * behind blanks that move it there, to a quarter of a pixel. Of each face one font is
 * open, from the first glyph drawn with it on. A Glyphs object is for one thread at a
 * time; several may be used in several threads. */
#ifndef APP_GLYPHS_H
#define APP_GLYPHS_H

#include "paint/font_files.h"
#include "paint/stencil.h"

enum {
    GLYPH_PHASES = 4,   /* places between two pixels that a glyph may stand at */
    GLYPH_EM_PARTS = 24 /* of a pixel: ems are counted in these */
};

typedef struct Glyphs Glyphs;

/* The files are borrowed. NULL and ERROR_MEMORY when there is no memory or SDL_ttf can't
 * start. The caller destroys it. */
Glyphs *glyphs_create(const FontFiles *files, Error *error);

/* NULL is fine. */
void glyphs_destroy(Glyphs *glyphs);

/* The mask of a glyph, or of the letters that make one: `length` bytes of text at an em
 * of `em` / GLYPH_EM_PARTS pixels, moved to the right by `phase` / GLYPH_PHASES pixels.
 * Borrowed until the next call. NULL without memory, of no width when there is no ink. */
const TextMask *glyphs_mask(Glyphs *glyphs, FontFace face, int em, int phase,
                            const char *text, size_t length);

/* Draws a zero-terminated text of one face whole into a stencil, with its pen at `pen`
 * pixels from the origin. */
void glyphs_draw(Glyphs *glyphs, FontFace face, int em, const char *text, int pen,
                 Stencil *stencil);

#endif
