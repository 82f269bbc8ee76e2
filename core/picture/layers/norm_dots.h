/* A norm's gate on a lane: each row that passes it as dots on a line. */
#ifndef PICTURE_NORM_DOTS_H
#define PICTURE_NORM_DOTS_H

#include "picture/stage/stage.h"

/* The numbers of a row of what the norm gives, as dots across the gate at height `y`;
 * those of the chosen row are larger. Each is linked to its cell. */
void norm_dots(const Stage *stage, size_t node, size_t row, Box gate, double y,
               bool chosen);

#endif
