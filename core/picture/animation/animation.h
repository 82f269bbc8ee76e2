/* Motion: what moves over a picture while a place comes to be (lesson/play/pace.h).
 *
 * Pictures are drawn finished and know nothing of time. Motion takes the finished
 * scene, finds in it where the output's cells are drawn and, by the tape's terms, where
 * those that they are made of are, and lets copies of these travel. At rest, and at a
 * moment's end, the scene is the still, item for item. */
#ifndef PICTURE_ANIMATION_H
#define PICTURE_ANIMATION_H

#include "lesson/play/pace.h"
#include "picture/stage/stage.h"

/* Plays a moment over what was drawn of a stage since the scene had `first` items. The
 * cell in focus comes first, and slowly. The moment's zoom is the page's matter. */
void motion_play(const Stage *stage, const PaceMoment *moment, size_t first);

#endif
