/* Two given tables side by side that agree in their width alone: over both, on one line,
 * how wide they are, and "=" between. */
#ifndef PICTURE_SHARED_DIMENSION_PICTURE_H
#define PICTURE_SHARED_DIMENSION_PICTURE_H

#include "picture/stage/stage.h"

/* Of a step that shows just two such tables; of any other, and where there is no room,
 * nothing is drawn and false given. */
bool shared_dimension_picture(const Stage *stage);

#endif
