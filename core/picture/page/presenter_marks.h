/* A lecturer's marks over a page: a spotlight, a pointer, a blank screen, and the slide
 * behind a lesson's last step. */
#pragma once

#include "picture/draw/canvas.h"

/* Darkens the page except for a circle with a soft edge around a point. */
void presenter_spotlight(const Canvas *canvas, Point at);

/* Draws a dot that is visible on any ground. */
void presenter_pointer(const Canvas *canvas, Point at);

/* Fills the page with black or white. */
void presenter_blank(const Canvas *canvas, bool white);

/* Draws, in place of the page, what has ended, and in a line below it what follows. */
void presenter_end(const Canvas *canvas, const char *ended, const char *next);
