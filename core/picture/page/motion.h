/* Motion: what is laid over a picture, or taken off it, while a place comes to be (see
 * lesson/play/pace.h). Pictures link what they draw of a cell to it, so that none needs
 * to know of this. At rest nothing here draws anything. */
#ifndef PICTURE_MOTION_H
#define PICTURE_MOTION_H

#include "lesson/play/pace.h"
#include "picture/draw/canvas.h"

/* Frames the cells that part `lit` (from 1) of the sum at the player's cell is made of,
 * where they are drawn by themselves; 0: none. */
void motion_light(const Canvas *canvas, const Player *player, size_t lit);

/* Lets what was drawn of the cells of the player's step, since the scene had `first`
 * items, be there only by the moment's share. */
void motion_fade(const Canvas *canvas, const Player *player, const PaceMoment *moment,
                 size_t first);

#endif
