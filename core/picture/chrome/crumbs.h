/* Crumbs: the present position from the program to the explained cell, each level a link.
 * If they are too long, first the lesson's title is cut, then the middle is left out. */
#pragma once

#include "picture/stage/page_content.h"

/* Links of the program's name and of the cell. */
typedef struct CrumbLinks {
    Link home, explain;
} CrumbLinks;

void crumbs_draw(const PageParts *parts, const CrumbLinks *links, Box area);
