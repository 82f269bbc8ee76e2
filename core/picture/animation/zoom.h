/* Zoom: an opened step grows out of its place in the picture of the step that contains
 * it, and shrinks back there when it is closed. */
#pragma once

#include "lesson/play/player.h"
#include "picture/draw/canvas.h"

/* The two pictures, which are drawn into the same area, the outer one first. */
typedef struct Zoom {
    const Canvas *canvas;
    const Player *player;
    size_t inner; /* step that is opened or closed */
    Box area;
    double progress;    /* 0: the inner picture is in its place, 1: it fills the area */
    size_t outer_first; /* first item of the outer picture in the scene */
    size_t inner_first; /* first item of the inner picture; set by zoom_fade */
    Box box;
} Zoom;

/* Call between the pictures: fades the outer one to make room for the inner one. */
void zoom_fade(Zoom *zoom);

/* Call after both: moves the inner one to its place at the present progress. */
void zoom_place(const Zoom *zoom);
