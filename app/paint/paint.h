/* Painting: fonts, scenes to pixels, and sheets that become pictures. */
#pragma once

#include "base/error.h"
#include "picture/page/page.h"
#include "picture/scene/label.h"
#include "session/session.h"

#include <stdint.h>

typedef struct Fonts Fonts;
typedef struct Painter Painter;
typedef struct Sheet Sheet;
typedef struct TextMask TextMask;
typedef struct Worksheet Worksheet;

/* ---- A typeface: one face of a font file, opened.
 *
 * HarfBuzz is called here and nowhere else, for what SDL_ttf doesn't offer: glyphs by
 * index and their outlines, which PDF and SVG keep, a formula font's MATH table, and the
 * script of a character. Several threads may use a typeface at a time. */

typedef enum FontFace {
    FACE_TEXT,
    FACE_BOLD,
    FACE_MATH,
    FACE_CJK,
    FACE_CJK_BOLD,
    FACE_MONO,
    FACE_SYSTEM, /* the first of those that the system lent */
    FACE_COUNT = FACE_SYSTEM + 8,
    FACE_NONE = FACE_COUNT
} FontFace;

typedef struct Typeface {
    struct hb_blob_t *contents; /* of its file; the system maps it, so that only what is
                                   used is read */
    struct hb_font_t *shaper;   /* in font units */
    const char *bytes;          /* the contents' */
    int size;                   /* of the contents */
    int index;                  /* of the face in the file */
    int units;                  /* an em */
} Typeface;

/* Opens face `index` of a file. False when there is no such face, or, as errno then says,
 * no memory for it; it is to be closed all the same. */
bool typeface_open(Typeface *typeface, const char *path, int index);

void typeface_close(Typeface *typeface);

/* Returns true if the face has a glyph for the code point. */
bool typeface_has(const Typeface *typeface, uint32_t code_point);

/* The number of its glyphs; 0 where none is open. */
size_t typeface_glyph_count(const Typeface *typeface);

/* The constants of its MATH table. */
MathConstants typeface_math(const Typeface *typeface);

/* The script of a code point, a tag of ISO 15924: four letters in a number. 0 for what
 * goes with any script, as blanks, digits, punctuation and marks do. */
uint32_t typeface_script(uint32_t code_point);

/* Which way letters follow one another; NONE: as those beside them do. */
typedef enum Direction { DIRECTION_NONE, DIRECTION_RIGHT, DIRECTION_LEFT } Direction;

enum { RUN_MAX = 256 /* code points; longer runs are cut */ };

/* A piece of text in one face, one script and one direction. */
typedef struct TextRun {
    FontFace face;
    uint32_t script;            /* never 0 */
    Direction direction;        /* never DIRECTION_NONE */
    bool is_ideographs;         /* all of it, in a face where each is an em wide */
    size_t bytes;               /* of the text that it was taken from */
    size_t count;               /* of code points */
    size_t length;              /* of text */
    char text[4 * RUN_MAX + 1]; /* zero-terminated UTF-8 without control characters */
} TextRun;

/* A glyph of a text that is to be drawn as outlines. */
typedef struct PlacedGlyph {
    FontFace face;
    uint32_t index;
    double x, y;      /* of its origin, in ems right of and above the text's */
    double advance;   /* in ems */
    const char *text; /* the characters that it stands for, `length` bytes, where it is
                         the first of its cluster; else "" */
    size_t length;
} PlacedGlyph;

/* Places a run's glyphs from left to right, the first at `pen` ems, with one call each.
 * The glyph is valid during the call. False where memory is short, so that some are left
 * out. */
bool typeface_place(const Typeface *typeface, const TextRun *run, double pen,
                    void (*place)(void *context, const PlacedGlyph *glyph),
                    void *context);

/* A part of an outline: a path begins at a point ('M'), goes on straight ('L'), along a
 * curve with one control point ('Q') or with two ('C'); its end is its last point. */
typedef struct OutlinePart {
    char kind;
    Point points[3];
} OutlinePart;

/* Walks a glyph's outline as it was designed, in ems, y upwards; each path is closed
 * where the next begins. Nothing for a glyph without ink. False without memory. */
bool typeface_outline(const Typeface *typeface, uint32_t index,
                      void (*add)(void *context, const OutlinePart *part), void *context);

/* ---- Fonts: measuring text and turning it into coverage.
 *
 * A text is split into runs of one script and direction, each in the first font of its
 * role's chain that has the glyphs; SDL_ttf measures and draws them, from left to right.
 * Ideographs stand on whole pixels. Masks of strings are kept, up to FONTS_CACHE_BYTES,
 * the longest unused forgotten first. A Fonts object is for one thread at a time; several
 * may be used in several threads. Opening a font waits until it is needed. */

enum { EM_PARTS = 24 /* of a pixel: sizes are counted in these */ };

enum {
    FONTS_CACHE_BYTES = 32 << 20,
    FONTS_MAX_EM = 512 * EM_PARTS /* larger text is drawn at this em size */
};

/* Returns NULL with ERROR_FILE if a file of the program's fonts can't be read, or with
 * ERROR_MEMORY. The caller destroys the fonts, or NULL. */
Fonts *fonts_create(Error *error);
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

/* ---- The painter: a scene replayed into pixels.
 *
 * The one way from scene to pixels: the window's surface and exported pictures are
 * painted by the same function. Edges of rectangles, images, clips and of lines along an
 * axis are fitted to whole pixels, as are the places where texts begin; all other shapes
 * have smooth edges. A line is a pixel wide at least. A painter keeps shapes it may need
 * again and borrows its fonts; it is for one thread at a time. Equal scenes give equal
 * bytes. */

/* Destination of a painting: pixels are 0xFFRRGGBB, rows `stride` pixels apart. `scale`
 * is pixels a point. A part of a picture has the rows from `top` on; painted part by
 * part, a picture has the same pixels as painted whole. */
typedef struct PainterTarget {
    uint32_t *pixels;
    size_t width, height, stride;
    double scale;
} PainterTarget;

/* The fonts are borrowed. NULL when there is no memory. The caller destroys it, or NULL.
 */
Painter *painter_create(Fonts *fonts);
void painter_destroy(Painter *painter);

/* Sets whether pixels are 0xFFBBGGRR, in the order of a web page's canvas; they aren't at
 * first. */
void painter_reverse(Painter *painter, bool reversed);

/* Paints all of the target: the scene's background, then its items in order. An image
 * with more cells than pixels shows in each pixel the mean of the finite values there.
 * What is not a number is left out. False when there was no memory to paint all of it, or
 * to measure a text that was laid out since this was asked last. */
bool painter_paint(Painter *painter, const Scene *scene, PainterTarget target);

/* The same for a part of a picture: the rows from `top` on that the target has. Painted
 * part by part, a picture has the same pixels as painted whole. */
bool painter_paint_rows(Painter *painter, const Scene *scene, PainterTarget target,
                        size_t top);

/* Draws the letters and shapes of a scene that may be painted next at that scale, and
 * keeps them, until `enough` returns true. Returns true if all are there, or there is no
 * memory for the others. */
bool painter_prepare(Painter *painter, const Scene *scene, double scale,
                     bool (*enough)(void *context), void *context);

/* ---- The next page, drawn ahead while nothing happens: ahead.c ---- */

/* Finds the layout of the page that Next leads to, and draws its letters and shapes until
 * `enough` returns true, for an owner of a session that shows its pages in that fit.
 * Returns true if nothing is left to do; else another call goes on with what is kept. */
bool ahead_draw(Session *session, Fonts *fonts, Painter *painter, PageFit fit,
                bool (*enough)(void *context), void *context);

/* ---- Images: which of a tensor's cells a pixel shows, and in what colour ---- */

/* Cells of an axis. */
typedef struct CellRange {
    size_t first, end;
} CellRange;

/* The cells of an axis shown in pixel `at` of `pixels`: the one under the pixel's middle,
 * or all that touch the pixel where there are more cells than pixels. */
CellRange image_cells(size_t at, size_t pixels, size_t cells);

/* The value that cells which share a pixel are coloured by: as far from 0 as they are in
 * the mean, on their sum's side, so that noise doesn't fade. NaN when none is finite. */
double image_value(const SceneItem *item, CellRange rows, CellRange cols);

/* Colour of the value that cells sharing a pixel are drawn by. */
Color image_color(const SceneItem *item, CellRange rows, CellRange cols);

/* An opaque pixel of a colour, whatever its alpha. */
static inline uint32_t raster_pixel(Color color) {
    return 0xFF000000u | (uint32_t)color.r << 16 | (uint32_t)color.g << 8 | color.b;
}

/* ---- A sheet: lays out, paints and writes one picture.
 *
 * `export`, `play --png` and the window's S use it, so equal steps give equal files. A
 * sheet is reused from picture to picture by one thread; several threads have a sheet
 * each. It needs no display. Pictures are painted strip by strip, and each strip is
 * compressed at once, so that the pixels of a whole picture are never in memory. */

/* Creates a sheet of that many pixels. Returns NULL with ERROR_FILE if there are no
 * fonts, or with ERROR_MEMORY. The caller destroys it. */
Sheet *sheet_create(size_t width, size_t height, Error *error);

/* Sets the width of its pictures on paper. */
void sheet_set_millimetres(Sheet *sheet, double millimetres);

/* NULL is fine. */
void sheet_destroy(Sheet *sheet);

/* Lays out what a session shows, with the differences from the lesson and the help if it
 * is open, but without requests for keys and without what follows the pointer.
 * ERROR_MEMORY. */
bool sheet_lay_out(Sheet *sheet, Session *session, Error *error);

/* Lays out a page; the sheet's own metrics and size are used. */
bool sheet_lay_out_page(Sheet *sheet, const Page *page, Error *error);

/* Return the text of a page as it is heard, and that of the computation of its explained
 * cell alone, as it is heard and as it is seen, in the arena; NULL if there is no
 * memory. */
const char *sheet_read_page(const Sheet *sheet, const Page *page, Arena *arena);
const char *sheet_read_sum(const Sheet *sheet, const Page *page, Arena *arena);
const char *sheet_write_sum(const Sheet *sheet, const Page *page, Arena *arena);

/* Lays out a page of a worksheet that begins with question *next, and sets *next to the
 * next page's first question, or to the number of questions. The first call measures the
 * questions and counts the pages. */
bool sheet_lay_out_worksheet(Sheet *sheet, Worksheet *worksheet, size_t *next,
                             Error *error);

/* Last layout, for callers that don't paint it. */
typedef struct SheetPicture {
    const Scene *scene;
    Fonts *fonts;
    size_t width, height; /* pixels */
    double millimetres;   /* width on paper; 0: not set */
} SheetPicture;

/* Returns the last layout, borrowed until something else is laid out. */
SheetPicture sheet_picture(const Sheet *sheet);

/* Paints the last layout, which must not have changed; returns the bytes of a PNG file,
 * borrowed until the next painting, or NULL with ERROR_MEMORY. */
const uint8_t *sheet_pack(Sheet *sheet, size_t *size, Error *error);

/* Writes the PNG file, whole or not at all. ERROR_FILE, ERROR_MEMORY. */
bool sheet_write(Sheet *sheet, const char *path, Error *error);

/* ---- Saving the present picture, as the key S does it ---- */

/* Writes what the session shows as a PNG of width × height pixels into `folder`, made
 * where it isn't there (NULL: where the user keeps pictures), under a name that no file
 * has yet, and has the session say where, or why not. Gives the path, in the arena; NULL
 * with ERROR_FILE or ERROR_MEMORY. */
const char *save_picture(Session *session, const char *folder, size_t width,
                         size_t height, Arena *arena, Error *error);

/* Does that for SESSION_SAVE, and for SESSION_KEEP save_lesson_copy. */
const char *save_requested(Session *session, SessionRequest request, const char *folder,
                           size_t width, size_t height, Arena *arena, Error *error);
