/* A question with its options in place of the words above the picture; and, after the
 * answer, the line with the right one and the reason. */
#pragma once

#include "picture/explain/explain.h"

/* Height of the question in a given width, and its drawing; while
 * practise_panel_above. */
double question_panel_height(const PageParts *parts, double width);
void question_panel_draw(const PageParts *parts, Box area);

/* Height of the answer to a question that has ended (practise_panel_answered) in a given
 * width, 0 if there is none, and its drawing. */
double answer_line_height(const PageParts *parts, double width);
void answer_line_draw(const PageParts *parts, Box area);
