/* A scene in PDF's language of drawing, and the font of the letters that were drawn. */
#pragma once

#include "formats/vector.h"

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
    bool full;
} PdfInk;

void pdf_ink_init(PdfInk *ink, Fonts *fonts, Arena *arena);

/* Draws a scene, with its upper left corner at (x, y) above the page's lower left and a
 * point `scale` of the page's units. */
void pdf_ink_draw(PdfInk *ink, Writer *writer, const Scene *scene, double x, double y,
                  double scale);
