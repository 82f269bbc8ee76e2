/* The parts of painting, for the files of this room and the web's window. */
#pragma once

#include "base/error.h"
#include "paint/paint.h"
#include "picture/scene/scene.h"

#include <stdint.h>

typedef struct Cache Cache;
typedef struct Letters Letters;
typedef struct Shapes Shapes;

/* ---- a cache ----
 *
 * A cache that forgets what was used longest ago.
 *
 * Blocks of memory by key: a number and a text. The cache owns the blocks and keeps at
 * most `limit` bytes of them; a block stays where it is until a later cache_add drops it.
 * Used by one thread at a time. */

/* An empty cache for `limit` bytes; NULL when there is no memory. */
Cache *cache_create(size_t limit);

/* NULL is fine. */
void cache_destroy(Cache *cache);

/* The block of a key, which counts as used now; NULL when there is none. `text` need not
 * end in a zero. */
void *cache_find(Cache *cache, uint32_t number, const char *text, size_t length);

/* Adds a zeroed block of `size` bytes under a key that has none, aligned for any type.
 * Drops older blocks to stay within the limit, though never the new one. NULL when there
 * is no memory. */
void *cache_add(Cache *cache, uint32_t number, const char *text, size_t length,
                size_t size);

/* ---- A font of the system's, for characters that the program's own don't have ---- */

enum { SYSTEM_FONT_PATH = 4096 };

/* The best outline font with the character, and which face of the file it is. False when
 * there is none. For one thread at a time. */
bool system_font_find(bool bold, uint32_t code_point, char path[SYSTEM_FONT_PATH],
                      int *index);

/* ---- files of fonts ----
 *
 * The files that the program's fonts are in.
 *
 * They come with the program, in assets/fonts of its data folder, so that a picture is
 * the same on every machine. Only a character that none of them has is looked for among
 * the system's fonts. Opened once a process and kept. Safe to call from several threads.
 */

typedef struct FontFiles {
    Typeface faces[FACE_COUNT]; /* {0}: none yet; what font_files_face gave is there */
    MathConstants math;
} FontFiles;

/* The process's fonts; borrowed, never freed. NULL and ERROR_FILE when one that comes
 * with the program can't be read, ERROR_MEMORY when there is no memory for it. */
const FontFiles *font_files_find(Error *error);

/* Opens the files anew when they are next needed: they are others now. Nobody may use
 * what was borrowed. */
void font_files_forget(void);

/* The face that draws a code point in a role's chain of fonts, else one of the system's;
 * FACE_NONE when none has it, or, as errno then says, there is no memory to look. */
FontFace font_files_face(FontRole role, uint32_t code_point);

/* ---- A stencil: where the mask of a text is put together from what is drawn of it.
 *
 * Its baseline begins at the origin, with room for ink outside a text's advance: an em on
 * either side, two above the baseline and one below. It is used again from text to text;
 * the owner frees its
 * coverage. */

enum { STENCIL_MAX_WIDTH = 16384 /* text further right of its origin is left out */ };

/* {0} is empty. */
typedef struct Stencil {
    uint8_t *coverage; /* height rows of width bytes */
    size_t capacity;
    int width, height, origin_x, origin_y;
    int left, top, right, bottom; /* all coverage lies within */
} Stencil;

/* Coverage of something drawn: `height` rows of `width` bytes, 0 to 255. The pixel in the
 * corner lies `left` pixels right of and `top` pixels below the origin on the baseline.
 */
typedef struct TextMask {
    int left, top, width, height;
    const uint8_t *coverage;
} TextMask;

/* Empties it for a text as wide as `advance` ems of `pixels` pixels. False when there is
 * no memory. */
bool stencil_begin(Stencil *stencil, double advance, int pixels);

/* Adds coverage moved to the right by `pen` pixels, whose rows are `stride` bytes apart
 * and whose pixels are the mean of `columns` bytes side by side, 1 or 8; where two
 * overlap the stronger stays. What has no room is left out. */
void stencil_add(Stencil *stencil, const TextMask *mask, int stride, int columns,
                 int pen);

/* Copies what the stencil holds into a cache, cut to the smallest box around its ink; of
 * no width when there is none. NULL without memory. The cache has it, under the key of
 * cache_add. */
const TextMask *stencil_keep(const Stencil *stencil, Cache *cache, uint32_t number,
                             const char *text, size_t length);

/* ---- Letters: text measured and drawn by SDL_ttf, which is used only in this module.
 *
 * Letters are placed to an eighth of a pixel. A font is opened when it is first needed,
 * and each face stays open at its last sizes. A Letters object is for one thread at a
 * time; several may be used in several threads. */

/* The files are borrowed. NULL when there is no memory. The caller destroys it, or NULL.
 */
Letters *letters_create(const FontFiles *files);
void letters_destroy(Letters *letters);

/* Lengths of a text, in ems. */
typedef struct TextExtent {
    double advance; /* how far it moves the pen */
    double ascent;  /* of its ink above the baseline; ≥ 0 */
    double descent; /* of its ink below the baseline; ≥ 0 */
} TextExtent;

/* Measures a run as it was designed, whatever the size it will be drawn at. False without
 * memory. */
bool letters_measure(Letters *letters, const TextRun *run, TextExtent *extent);

/* Draws a run into a stencil at an em of `em` / EM_PARTS pixels, with its pen at `pen`
 * pixels from the origin. False without memory. */
bool letters_draw(Letters *letters, const TextRun *run, int em, double pen,
                  Stencil *stencil);

/* ---- libraries ----
 *
 * Libraries that don't survive it when they are refused memory: fontconfig, and
 * FreeType's hinter, which go on with what they weren't given. */

/* Returns true if `bytes` of memory are available; called before one of these libraries
 * is. */
bool libraries_have(size_t bytes);

/* ---- Pixels: filling, and laying coverage over them.
 *
 * A raster borrows pixels 0xFFRRGGBB and cuts all drawing to its clip. Coordinates are
 * whole pixels, x to the right and y downwards; shapes that cover pixels in part come as
 * coverage, 0 to 255. Colours mix in integers, rounded to the nearest, so that every
 * build paints the same bytes. */

/* Pixels with left ≤ x < right and top ≤ y < bottom; empty when an end is not past its
 * beginning. */
typedef struct PixelBox {
    int left, top, right, bottom;
} PixelBox;

typedef struct Raster {
    uint32_t *pixels;
    size_t stride; /* in pixels */
    PixelBox clip; /* within the pixels */
    int top;       /* the row that `pixels` begins with */
} Raster;

/* Returns the intersection of two boxes. */
PixelBox pixel_box_cut(PixelBox a, PixelBox b);

/* Fills a box. */
void raster_fill(const Raster *raster, PixelBox box, Color color);

/* Sets `count` pixels of a row, from (left, y), which must lie within the clip. */
void raster_copy(const Raster *raster, int left, int y, const uint32_t *pixels,
                 int count);

/* Blends `color` over pixels [left, right) of a row with one coverage for all. */
void raster_span(const Raster *raster, int y, int left, int right, Color color,
                 uint8_t coverage);

/* Lays `color` over a width × height block at (left, top), thinned by coverage; rows of
 * coverage are `stride` bytes apart. */
void raster_mask(const Raster *raster, int left, int top, int width, int height,
                 const uint8_t *coverage, ptrdiff_t stride, Color color);

/* The same for coverage turned about a point: the mask's pixel (u, v), counted from its
 * origin `left`, `top` as above, lies `degrees` counter-clockwise about (x, y). Quarter
 * turns are exact, other angles interpolate. */
void raster_mask_turned(const Raster *raster, int x, int y, double degrees, int left,
                        int top, int width, int height, const uint8_t *coverage,
                        Color color);

/* ---- Shapes with smooth edges: polygons, thick paths, rounded rectangles.
 *
 * Polygons and paths go through FreeType's smooth rasteriser, into spans of coverage:
 * SDL_ttf has letters only. FreeType is called only here. Corners are computed once for
 * each radius and cached. Coordinates are pixels, with fractions. A Shapes object is for
 * one thread at a time. */

/* NULL when there is no memory. The caller destroys it, or NULL. */
Shapes *shapes_create(void);
void shapes_destroy(Shapes *shapes);

/* Returns true if memory was too short for some shape since the last call. */
bool shapes_were_short(Shapes *shapes);

/* Fills a polygon, even-odd. Points that are not finite leave the shape out. */
void shapes_polygon(Shapes *shapes, const Raster *raster, const Point *points,
                    size_t count, Color color);

/* Draws a path `width` pixels thick with round joins and straight ends; it is closed if
 * the last point is the first. A straight line along an axis is fitted to whole pixels
 * and at least one thick. */
void shapes_path(Shapes *shapes, const Raster *raster, const Point *points, size_t count,
                 double width, Color color);

/* A rectangle with corners rounded by `radius`, and an outline of `width` whole pixels
 * inside its edge. A colour with alpha 0 leaves its part out. */
void shapes_rectangle(Shapes *shapes, const Raster *raster, PixelBox box, double radius,
                      Color fill, Color stroke, int width);
