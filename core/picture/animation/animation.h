/* Animation of a picture while a step appears (lesson/play/pace.h).
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
