/* The words at the top of a page, at the depth chosen by the user; and names within
 * sentences. */
#pragma once

#include "picture/draw/canvas.h"
#include "picture/stage/page_content.h"

typedef struct Tape Tape;

/* True for the depths with the usual words. */
bool words_are_usual(WordsDepth depth);

/* Name of a depth: "usual", "story", "numbers", "formula", "code". */
const char *words_name(WordsDepth depth);

/* Finds the depth with a name; returns false if there is none. */
bool words_from_name(const char *name, WordsDepth *depth);

/* Draw heading, sentences and formula, and measure their height. */
double words_height(const PageParts *parts, double width);
void words_draw(const PageParts *parts, Box area);

/* Formula of the present step: a statement's author's; a composite or an operation inside
 * one has its own. */
const char *words_formula_of(const PageParts *parts);

/* Whole sentences of the present step that fit two lines on presented pages, at least the
 * first. */
const char *words_in_brief(const PageParts *parts, double width);

/* Draws the names of the depths at the right end of a strip, the present one bold, each
 * linked to its depth; returns their left end. */
double words_choice_draw(const PageParts *parts, Box strip);

/* ---- names ----
 *
 * A sentence writes a tensor's name as a lesson does: W_Q, d_k, √d_k, K.T, 2^i. Words
 * with an underscore behind a single letter, names of the lesson's tensors, transposes
 * and powers are set as formulas, tensors in their own colour, others in the
 * sentence's. */

typedef struct SentenceNames {
    const Canvas *canvas;
    const Tape *tape; /* tape of the known tensors, or NULL */
    Insets insets;
} SentenceNames;

/* Makes a canvas set names in its texts, as long as both live. */
void sentence_names_use(SentenceNames *names, Canvas *canvas, const Tape *tape);
