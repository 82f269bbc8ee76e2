/* Glyphs: FreeType's drawings of single letters, kept.
 *
 * A glyph stands between two pixels to a quarter of one. A face is opened when the first
 * glyph is drawn with it. A Glyphs object is for one thread at a time; several may be
 * used in several threads. */
#ifndef APP_GLYPHS_H
#define APP_GLYPHS_H

#include "paint/font_files.h"
#include "paint/stencil.h"
#include "picture/scene/scene.h"

enum {
    GLYPH_PHASES = 4,   /* places between two pixels that a glyph may stand at */
    GLYPH_EM_PARTS = 24 /* of a pixel: ems are counted in these */
};

typedef struct Glyphs Glyphs;

/* The files are borrowed. NULL and ERROR_MEMORY when there is no memory. The caller
 * destroys it. */
Glyphs *glyphs_create(const FontFiles *files, Error *error);

/* NULL is fine. */
void glyphs_destroy(Glyphs *glyphs);

/* The mask of a glyph, or of the letters that make one: `length` bytes of text at an em
 * of `em` / GLYPH_EM_PARTS pixels, moved to the right by `phase` / GLYPH_PHASES pixels.
 * Borrowed until the next call. NULL without memory, of no width when there is no ink. */
const TextMask *glyphs_mask(Glyphs *glyphs, FontFace face, int em, int phase,
                            const char *text, size_t length);

/* Draws `length` bytes of text of one face into a stencil, with its pen at `pen` pixels
 * from the origin. False without memory. */
bool glyphs_draw(Glyphs *glyphs, FontFace face, int em, const char *text, size_t length,
                 double pen, Stencil *stencil);

/* A part of an outline: a path begins at a point ('M'), goes on straight ('L'), along a
 * curve with one control point ('Q') or with two ('C'); its end is its last point. */
typedef struct OutlinePart {
    char kind;
    Point points[3];
} OutlinePart;

/* Walks a glyph's outline as it was designed, in ems, y upwards; each path is closed
 * where the next begins. Nothing for a glyph without ink. False without memory. */
bool glyphs_outline(Glyphs *glyphs, FontFace face, uint32_t index,
                    void (*add)(void *context, const OutlinePart *part), void *context);

/* How many glyphs a face has. */
size_t glyphs_count(const Glyphs *glyphs, FontFace face);

#endif
