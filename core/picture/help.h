/* The help overlay: every key with what it does, laid over a page. */
#ifndef PICTURE_HELP_H
#define PICTURE_HELP_H

#include "picture/canvas.h"

typedef struct HelpEntry {
    const char *keys;  /* "→  Space" */
    const char *words; /* a key of the interface strings */
} HelpEntry;

/* Draws the overlay over a finished page's scene, in the canvas's language. */
void help_draw(const Canvas *canvas, const HelpEntry *entries, size_t count);

/* Draws a field with the text typed so far, and what to do with it, over a finished
 * page's scene. Of a text too long for the field its end is seen. */
void help_draw_field(const Canvas *canvas, const char *typed);

#endif
