/* The tip beside an item under the pointer: its name, its key, and the reason if it is
 * disabled. */
#pragma once

#include "picture/draw/canvas.h"

typedef struct Tip {
    const char *name, *key; /* key: "" for none */
    const char *why;        /* NULL: enabled */
} Tip;

/* Draws the tip below a box, or above it if there is no room, within the page. */
void tip_draw(const Canvas *canvas, const Tip *tip, Box of);
