#include "window/window_parts.h"

#include <stdlib.h>

bool surface_paint(SDL_Surface *surface, Painter *painter, const Scene *scene,
                   double scale) {
    size_t width = (size_t)surface->w, height = (size_t)surface->h;
    bool direct = (surface->format->format == SDL_PIXELFORMAT_RGB888 ||
                   surface->format->format == SDL_PIXELFORMAT_ARGB8888) &&
                  surface->pitch % 4 == 0 && !SDL_MUSTLOCK(surface);
    if (direct)
        return painter_paint(painter, scene,
                             (PainterTarget){surface->pixels, width, height,
                                             (size_t)surface->pitch / 4, scale});
    uint32_t *pixels = malloc(width * height * sizeof *pixels);
    if (!pixels)
        return false;
    bool painted = painter_paint(painter, scene,
                                 (PainterTarget){pixels, width, height, width, scale});
    SDL_Surface *copy = SDL_CreateRGBSurfaceWithFormatFrom(
        pixels, surface->w, surface->h, 32, surface->w * 4, SDL_PIXELFORMAT_ARGB8888);
    bool copied = copy && SDL_SetSurfaceBlendMode(copy, SDL_BLENDMODE_NONE) == 0 &&
                  SDL_BlitSurface(copy, NULL, surface, NULL) == 0;
    SDL_FreeSurface(copy);
    free(pixels);
    return painted && copied;
}
