/* The words at the top of a page, as deep as the viewer asks. */
#ifndef PICTURE_WORDS_H
#define PICTURE_WORDS_H

#include "picture/stage/page_content.h"

/* "usual", "story", "numbers", "formula", "code". */
const char *words_name(WordsDepth depth);

/* Finds the depth of a name; false when there is none. */
bool words_from_name(const char *name, WordsDepth *depth);

/* Heading, sentences and formula; words_height says how tall they are. */
double words_height(const PageParts *parts, double width);
void words_draw(const PageParts *parts, Box area);

/* The present step's formula. */
const char *words_formula_of(const PageParts *parts);

/* As many whole sentences of the present step's as stand in two lines for the back row,
 * its first at least. */
const char *words_in_brief(const PageParts *parts, double width);

/* The four depths' names at the right end of a strip, the present one bold, each linked
 * to its depth; gives back where they begin. */
double words_choice_draw(const PageParts *parts, Box strip);

#endif
