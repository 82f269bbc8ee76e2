/* Zoom: a step that is opened grows out of its place in the picture that it is a part of,
 * one that is closed goes back there. */
#ifndef PICTURE_ZOOM_H
#define PICTURE_ZOOM_H

#include "lesson/play/player.h"
#include "picture/draw/canvas.h"

/* The two pictures, which are drawn into the same area, the outer one first. */
typedef struct Zoom {
    const Canvas *canvas;
    const Player *player;
    size_t inner; /* the step that is opened or closed */
    Box area;
    double progress;    /* 0: the inner picture is in its place, 1: it fills the area */
    size_t outer_first; /* the scene's items that each picture begins with … */
    size_t inner_first; /* … and where the inner one is on its way: set by zoom_fade */
    Box box;
} Zoom;

/* Between the pictures: the outer one fades, and gives room for the inner one. */
void zoom_fade(Zoom *zoom);

/* Behind them: the inner one is put where it is on its way. */
void zoom_place(const Zoom *zoom);

#endif
