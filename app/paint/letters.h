/* Letters: text measured and drawn by SDL_ttf, which is used only in this module.
 *
 * Letters are placed to an eighth of a pixel. A font is opened when it is first needed,
 * and each face stays open at its last sizes. A Letters object is for one thread at a
 * time; several may be used in several threads. */
#pragma once

#include "paint/font_files.h"

typedef struct Stencil Stencil;

enum { EM_PARTS = 24 /* of a pixel: sizes are counted in these */ };

typedef struct Letters Letters;

/* The files are borrowed. NULL when there is no memory. The caller destroys it. */
Letters *letters_create(const FontFiles *files);

/* NULL is fine. */
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
