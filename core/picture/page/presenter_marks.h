/* What a lecturer lays over a page: a spotlight, a pointer, a blank screen, and the slide
 * behind a lesson's last step. */
#ifndef PICTURE_PRESENTER_MARKS_H
#define PICTURE_PRESENTER_MARKS_H

#include "picture/draw/canvas.h"

/* Darkens all of the page but a circle around a point, which has a soft edge. */
void presenter_spotlight(const Canvas *canvas, Point at);

/* A dot that is seen on any ground. */
void presenter_pointer(const Canvas *canvas, Point at);

/* Nothing but black or white. */
void presenter_blank(const Canvas *canvas, bool white);

/* In place of the page: what has ended, and in a line below it what comes. */
void presenter_end(const Canvas *canvas, const char *ended, const char *next);

#endif
