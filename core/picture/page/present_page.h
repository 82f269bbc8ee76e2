/* The page as a lecturer presents it: the picture in large type, a heading and a sentence
 * or two; a hairline instead of bar and timeline. */
#pragma once

#include "picture/stage/page_content.h"

/* Draws all of it on an empty page. */
void present_draw(const PageParts *parts);
