/* The body of a page: the words, and below them the picture. */
#ifndef PICTURE_PAGE_BODY_H
#define PICTURE_PAGE_BODY_H

#include "picture/stage/page_content.h"

/* Fills an area with them. Where type is large and a picture has no room beside all the
 * words it has the sentences' place, too. */
void page_body_draw(const PageParts *parts, Box area);

/* The words alone, with the answer of a question that has ended, or the question that
 * stands in their place: how tall they are in a width, in the page's units; and they are
 * drawn. */
double page_words_height(const PageParts *parts, double width);
void page_words_draw(const PageParts *parts, Box area);

#endif
