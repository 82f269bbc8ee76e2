/* A question with its options, in place of the words above the picture; and, once it is
 * answered, the line that says what is right and why. */
#ifndef PICTURE_QUESTION_PANEL_H
#define PICTURE_QUESTION_PANEL_H

#include "picture/explain/practising.h"

/* While practise_panel_above: how tall the question is in that width, and the question.
 */
double question_panel_height(const PageParts *parts, double width);
void question_panel_draw(const PageParts *parts, Box area);

/* The answer of a question that has ended (practise_panel_answered): how tall it is in
 * that width, 0 where there is none, and the answer. */
double answer_line_height(const PageParts *parts, double width);
void answer_line_draw(const PageParts *parts, Box area);

#endif
