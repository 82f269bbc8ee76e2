/* The body of a page: the words, and below them the picture. */
#pragma once

#include "picture/stage/page_content.h"

/* Draws the body into an area. In large type a picture without room beside all the words
 * also takes the sentences' place. */
void page_body_draw(const PageParts *parts, Box area);

/* Height, in the page's units, and drawing of only the words, with the answer to a
 * question that has ended, or of the question in their place. */
double page_words_height(const PageParts *parts, double width);
void page_words_draw(const PageParts *parts, Box area);
