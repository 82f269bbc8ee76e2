/* The parts of the formats, for the files of this room only. */
#pragma once

#include "base/strings/writer.h"
#include "files/files.h"
#include "formats/format.h"

/* ---- kinds of decks ---- */

/* Functions that write a deck to a kind of file. They run under the guard of the deck's
 * arena: none of its allocations returns NULL. */
struct DeckKind {
    const char *what; /* "a deck", for errors */
    size_t size;      /* of Deck.own, which is zeroed before `begin` */
    void (*begin)(Deck *deck);
    void (*add)(Deck *deck, const DeckPage *page);
    bool (*save)(Deck *deck, const char *path, Error *error); /* ERROR_FILE */
    void (*finish)(Deck *deck); /* drops what is outside the arena */
    const char *template;       /* of assets/templates, for Deck.template; or NULL */
};

/* Abandons the work under the arena's guard where there was no memory for something else.
 */
void vector_need(Arena *arena, bool had);

/* ---- A film: pages painted one after another, and the part of each that differs from
 * the one before. */

typedef struct Film {
    Arena *arena;
    size_t width, height;   /* pixels; 0: no page yet */
    uint32_t *now, *before; /* pixels 0xFFRRGGBB, in rows */
    Painter *painter;
    size_t x, y, w, h; /* part of `now` that differs from `before`; w 0: none */
} Film;

/* Paints a page, under the arena's guard; all have the size of the first. {.arena = …}
 * has no page yet. The caller destroys the painter. */
void film_paint(Film *film, const DeckPage *page);

/* ---- Common parts of the vector formats: numbers, glyphs met so far, images ---- */

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

/* Returns the number of a glyph; *is_new becomes true if the glyph was added. */
uint32_t glyph_set_add(GlyphSet *set, FontFace face, uint32_t index, bool *is_new);

/* An image's pixels, a pixel a cell or fewer where cells are smaller than half
 * a point. In the arena; false when the image has none. */
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

/* ---- SVG: a scene as lines, shapes and outlines of letters.
 *
 * Letters are outlines of the program's own fonts, so that a picture looks the same
 * everywhere; over them lies the text itself, not to be seen, to be searched and copied.
 * Source: W3C, Scalable Vector Graphics 1.1 (second edition). */

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

/* Writes a box as attributes, each behind a blank. */
void svg_box(Writer *writer, Box box);

/* Writes text as XML has it; and returns it so, in the arena, "" for NULL. */
void svg_text(Writer *writer, const char *text);
const char *svg_xml(Arena *arena, const char *text);

/* Writes bytes as letters, as addresses of data have them. */
void svg_base64(Writer *writer, const uint8_t *bytes, size_t size);

/* Adds a picture, as wide as it is in pixels or on paper, to a file that was begun.
 * ERROR_MEMORY. */
bool svg_write(const SheetPicture *picture, WholeFile *file, Error *error);

/* ---- PDF's language of drawing ----
 *
 * A scene in PDF's language of drawing, and the font of the letters that were drawn. */

enum { PDF_FONT_GLYPHS = 256 /* of a font: its codes are bytes */ };

typedef struct PdfGlyph {
    char *outline; /* its procedure */
    long advance;  /* in 1 / VECTOR_EM ems */
    char *text;    /* what it stands for */
} PdfGlyph;

typedef struct PdfInk {
    Arena *arena;
    Fonts *fonts; /* borrowed */
    GlyphSet met;
    PdfGlyph *glyphs; /* number n is glyphs[n - 1] of met.count */
    size_t capacity;
    bool opacities[256]; /* opacities in use: /A128 is 128 of 255 */
} PdfInk;

void pdf_ink_init(PdfInk *ink, Fonts *fonts, Arena *arena);

/* Writes a text as UTF-16, its high byte first, in hexadecimal digits; and as a string of
 * PDF's. */
void pdf_utf16(Writer *writer, const char *text);
void pdf_string(Writer *writer, const char *text);

/* Draws a scene, with its upper left corner at (x, y) above the page's lower left and a
 * point `scale` of the page's units. What has words of its own when it is read, such as a
 * formula, is copied and searched as these. */
void pdf_ink_draw(PdfInk *ink, Writer *writer, const Scene *scene, double x, double y,
                  double scale);

/* ---- PDF: a deck as lines, shapes and letters, with bookmarks and notes.
 *
 * Letters are Type 3 fonts made of the glyphs used, with the text they stand for, so that
 * a reader searches and copies them in any language. No time or machine is stored: the
 * same deck has the same bytes. Source: ISO 32000-1:2008, Portable Document Format
 * 1.7. */

extern const DeckKind pdf_deck;

/* ---- PPTX: a deck for PowerPoint, LibreOffice and Keynote: on each slide the page as a
 * picture; below that its heading as a title and what is read aloud of it as text, for
 * outlines and searches; the sum of a cell as the picture's description; and the
 * lecturer's notes. Source: ECMA-376, Office Open XML File Formats, parts 1 and 2. */

extern const DeckKind pptx_deck;

/* ---- HTML: a deck in one file that a browser opens from a disk.
 *
 * Its pages are drawn as SVG and share their letters. Arrows, Home, End
 * and links to steps change the page; pointing at a cell, or a screen reader, shows how
 * it is computed; N shows the notes. Without its script the pages are below each other.
 * Nothing is loaded from the network. */

extern const DeckKind html_deck;

/* ---- GIF: a film of at most 256 colours a frame, for slides that take nothing else.
 *
 * Each frame has only the part that differs from the one before, and its own colours.
 * Source: CompuServe, Graphics Interchange Format 89a. */

extern const DeckKind gif_deck;

/* ---- APNG: a film as an animated PNG, with the pages' own pixels.
 *
 * Each frame has only the part that differs from the one before. A reader without
 * animations shows the first.
 * Source: W3C, Portable Network Graphics (third edition), 2025. */

extern const DeckKind apng_deck;
