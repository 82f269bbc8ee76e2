/* The words at the top of a page, at the depth chosen by the user. */
#pragma once

#include "picture/stage/page_content.h"

/* Name of a depth: "usual", "story", "numbers", "formula", "code". */
const char *words_name(WordsDepth depth);

/* Finds the depth with a name; returns false if there is none. */
bool words_from_name(const char *name, WordsDepth *depth);

/* Draw heading, sentences and formula, and measure their height. */
double words_height(const PageParts *parts, double width);
void words_draw(const PageParts *parts, Box area);

/* Formula of the present step. */
const char *words_formula_of(const PageParts *parts);

/* Whole sentences of the present step that fit two lines on presented pages, at least the
 * first. */
const char *words_in_brief(const PageParts *parts, double width);

/* Draws the names of the depths at the right end of a strip, the present one bold, each
 * linked to its depth; returns their left end. */
double words_choice_draw(const PageParts *parts, Box strip);
