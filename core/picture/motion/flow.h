/* What moves while a step that opens into several comes to be: its parts, in the order
 * that the tape made them. */
#ifndef PICTURE_MOTION_FLOW_H
#define PICTURE_MOTION_FLOW_H

#include "lesson/play/pace.h"
#include "picture/manners/ghost.h"

/* Lets every part of the player's step come from where what it is made of is drawn; lanes
 * grow towards it, and what stands beside it comes with it. What the step was given is
 * there from the beginning. */
void flow_play(const Still *still, const Player *player, const PaceMoment *moment);

/* The first of the tape's nodes that a step makes, itself or in what it opens into. */
size_t flow_first_node(const Player *player, size_t step);

#endif
