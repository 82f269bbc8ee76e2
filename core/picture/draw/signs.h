/* Signs of a transformer's blocks, drawn where a block's name has no room. */
#pragma once

#include "picture/draw/canvas.h"

typedef enum Sign {
    SIGN_NONE,
    SIGN_TEXT,         /* subwords in a row */
    SIGN_ROWS,         /* a vector for each token */
    SIGN_LOOKS,        /* attention from a token to others */
    SIGN_CROSSES,      /* attention to tokens of another text */
    SIGN_HINGE,        /* an activation that passes positive numbers */
    SIGN_NORM,         /* add and normalize */
    SIGN_PROBABILITIES /* bars, one of them the largest */
} Sign;

/* Draws a sign in the middle of a box, in one colour. */
void sign_draw(const Canvas *canvas, Sign sign, Box box, Color color);
