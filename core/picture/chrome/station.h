/* A station of the tour: one large sentence above the picture, and below it how far one
 * has come, with buttons to go on, back and away. In place of a lesson's words, inspector
 * and timeline. */
#ifndef PICTURE_STATION_H
#define PICTURE_STATION_H

#include "picture/draw/canvas.h"

typedef struct Station {
    const char *words;
    size_t at, count;
    Link back, next, leave, text; /* what the buttons stand for; a text of one's own */
} Station;

/* How high the sentence's place is, and the strip below. */
#define STATION_WORDS_HEIGHT 104.0
#define STATION_STRIP_HEIGHT 96.0

void station_draw_words(const Canvas *canvas, const Station *station, Box area);
void station_draw_strip(const Canvas *canvas, const Station *station, Box area);

#endif
