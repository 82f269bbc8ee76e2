/* A scene on a window's surface. */
#pragma once

#include "paint/painter.h"

#include <SDL.h>

/* Paints straight into the surface; one whose pixels are of another kind gets a copy.
 * False when there is no memory for that. */
bool surface_paint(SDL_Surface *surface, Painter *painter, const Scene *scene,
                   double scale);
