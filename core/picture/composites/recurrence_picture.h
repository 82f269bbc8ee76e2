/* Recurrent steps: a state that is made of a row of a table and of the state before it,
 * by the same two weights each time, as a chain. From state to state run ribbons, one for
 * each row that was read, as thick as what it still moves there. */
#ifndef PICTURE_RECURRENCE_PICTURE_H
#define PICTURE_RECURRENCE_PICTURE_H

#include "picture/stage/stage.h"

/* Of a step that makes such a state, also what a state is bent from, where the lesson has
 * two states or more that follow each other; of any other, and where they have no room,
 * nothing is drawn and false given. */
bool recurrence_picture(const Stage *stage);

#endif
