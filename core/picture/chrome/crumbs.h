/* Crumbs: where one is, from the program to the cell that is explained, each a link to
 * there. Of a way too long for its room the lesson's title is cut first, then the middle
 * is left out. */
#ifndef PICTURE_CRUMBS_H
#define PICTURE_CRUMBS_H

#include "picture/stage/page_content.h"

/* What the program's name and the cell stand for. */
typedef struct CrumbLinks {
    Link home, explain;
} CrumbLinks;

void crumbs_draw(const PageParts *parts, const CrumbLinks *links, Box area);

#endif
