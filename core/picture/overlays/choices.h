/* Choices: a small panel over a page with settings of several values each. One line is
 * chosen; arrows beside its value show that there are more. */
#pragma once

#include "picture/draw/canvas.h"

typedef struct Choice {
    const char *name, *value, *note; /* note: "" for none */
    bool has_less, has_more;
} Choice;

/* Draws the panel. Line i is linked to `link` with row i + 1, the arrows of each line to
 * the same with col 1 and 2; the cross in its corner to `close`. */
void choices_draw(const Canvas *canvas, const char *title, const char *keys,
                  const Choice *choices, size_t count, size_t chosen, Link link,
                  Link close);
