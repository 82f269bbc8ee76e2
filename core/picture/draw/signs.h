/* Signs: what a block of a transformer does, in a few lines, where its name has no room.
 */
#ifndef PICTURE_SIGNS_H
#define PICTURE_SIGNS_H

#include "picture/draw/canvas.h"

typedef enum Sign {
    SIGN_NONE,
    SIGN_TEXT,         /* pieces in a row */
    SIGN_ROWS,         /* a row of numbers for each */
    SIGN_LOOKS,        /* a word looks at others … */
    SIGN_CROSSES,      /* … at those of another text */
    SIGN_HINGE,        /* what is above 0 is let through */
    SIGN_NORM,         /* added, and brought to one scale */
    SIGN_PROBABILITIES /* bars, one of them the largest */
} Sign;

/* In the middle of a box, in one colour. */
void sign_draw(const Canvas *canvas, Sign sign, Box box, Color color);

#endif
