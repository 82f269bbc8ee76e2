/* Marks: which cells are changed, and which have no proper value, wherever they are
 * drawn.
 *
 * A page's pictures link what they draw of a cell to it; marks are laid over afterwards,
 * so that no picture needs to know of them. A cell that differs from the original has a
 * small triangle in its lower left corner; one that is set by hand a larger one and a
 * frame; one with trouble (lesson/content/problem.h) an exclamation mark in its upper
 * left corner. None of them rests on a colour. */
#ifndef PICTURE_MARKS_H
#define PICTURE_MARKS_H

#include "picture/draw/canvas.h"
#include "tensor/tape/tape.h"

/* Marks what was drawn since the scene had `first` items. */
void marks_draw(const Canvas *canvas, const Tape *tape, size_t first);

/* The mark of a tensor that is changed, beside the lower left corner of what stands for
 * all of it; nothing where it isn't. */
void marks_draw_tensor(const Canvas *canvas, const Tape *tape, size_t node, Box box);

/* "⋮" for what is left out, around a point, in a gap so tall. */
void mark_left_out(const Canvas *canvas, Point middle, double gap);

/* The box of a cell as drawn last; false when it is not drawn by itself. */
bool marks_cell_box(const Scene *scene, Link cell, Box *box);

#endif
