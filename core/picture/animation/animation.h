/* Animation of a picture while a step appears (lesson/play/pace.h), and of its zoom.
 *
 * Pictures are drawn finished and don't depend on time. The animation takes the finished
 * scene, finds in it the output's cells and, by the tape's terms, the cells that they are
 * computed from, and moves copies of these. At rest, and at a moment's end, the scene is
 * the still, item for item. */
#pragma once

#include "lesson/play/pace.h"
#include "picture/stage/stage.h"

/* Plays a moment over a stage's items from `first` on. The cell in focus moves first, and
 * slowly. The moment's zoom is drawn by the page. */
void motion_play(const Stage *stage, const PaceMoment *moment, size_t first);

/* Zoom: an opened step grows out of its place in the picture of the step that contains
 * it, and shrinks back there when it is closed. The two pictures are drawn into the same
 * area, the outer one first. */
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
