/* A station of the tour: one large sentence above the picture, and below it the progress,
 * with buttons to continue, go back and leave. Replaces a lesson's words, inspector and
 * timeline. */
#pragma once

#include "picture/draw/canvas.h"

typedef struct Station {
    const char *words;
    size_t at, count;
    /* Links of the buttons; `text` lets users enter their own. */
    Link back, next, leave, text;
} Station;

/* Heights of the sentence's area and of the strip below. */
#define STATION_WORDS_HEIGHT 104.0
#define STATION_STRIP_HEIGHT 96.0

void station_draw_words(const Canvas *canvas, const Station *station, Box area);
void station_draw_strip(const Canvas *canvas, const Station *station, Box area);
