/* Two given tables side by side that have only their number of columns in common, which
 * is drawn above both with "=" between. */
#pragma once

#include "picture/stage/stage.h"

/* Draws a step that shows two such tables; returns false and draws nothing for other
 * steps and if there is no room. */
bool shared_dimension_picture(const Stage *stage);
