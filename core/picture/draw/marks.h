/* Marks on cells that were changed or have no proper value, wherever they are drawn.
 *
 * A page's pictures link what they draw of a cell to it; marks are laid over afterwards,
 * so that pictures don't depend on them. A cell that differs from the original has a
 * small triangle in its lower left corner; one that is set by hand a larger one and a
 * frame; one with a problem (lesson/content/problem.h) an exclamation mark in its upper
 * left corner. No mark relies on colour. */
#pragma once

#include "picture/draw/canvas.h"

typedef struct Tape Tape;

/* Marks the cells in the items from `first` on. */
void marks_draw(const Canvas *canvas, const Tape *tape, size_t first);

/* Frames a cell that is drawn in the items from `first` on, unless one of them frames it
 * already. */
void marks_draw_focus(const Canvas *canvas, size_t first, Link cell);

/* Marks a changed tensor beside the lower left corner of `box`, which represents all of
 * it; draws nothing if it isn't changed. */
void marks_draw_tensor(const Canvas *canvas, const Tape *tape, size_t node, Box box);

/* Draws "⋮" for omitted rows, around a point in a gap of the given height. */
void mark_left_out(const Canvas *canvas, Point middle, double gap);

/* Sets *box to the box of a cell as drawn last; returns false if it is not drawn by
 * itself. */
bool marks_cell_box(const Scene *scene, Link cell, Box *box);
