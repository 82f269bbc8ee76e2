/* What the bar on top shows of autoplay: a button that starts and stops it, its speed,
 * and buttons that change that. */
#ifndef PICTURE_PLAYING_H
#define PICTURE_PLAYING_H

#include "picture/stage/page_content.h"

struct Playing {
    bool runs;
    int speed, speeds;           /* speed of 1 … speeds */
    Link toggle, slower, faster; /* what the buttons stand for */
};

/* Draws it about `middle` with its right end at `right`; gives back its left end. */
double playing_draw(const Canvas *canvas, const Playing *playing, double right,
                    double middle);

#endif
