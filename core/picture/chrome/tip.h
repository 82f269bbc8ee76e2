/* The tip beside what the pointer rests on: what it is called, its key, and why it can't
 * be done where it can't. */
#ifndef PICTURE_TIP_H
#define PICTURE_TIP_H

#include "picture/draw/canvas.h"

typedef struct Tip {
    const char *name, *key; /* key: "" for none */
    const char *why;        /* NULL: it can be done */
} Tip;

/* Draws it below a box, or above where there is no room, within the page. */
void tip_draw(const Canvas *canvas, const Tip *tip, Box of);

#endif
