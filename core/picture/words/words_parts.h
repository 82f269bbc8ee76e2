/* Texts of the depths, shared by the words_ files. Each part is laid out from the top of
 * its area, drawn only if `draw`, and returns its height in points. */
#pragma once

#include "picture/stage/page_content.h"

/* A paragraph that is reduced if it doesn't fit into `lines` lines. */
typedef struct WordsText {
    FontRole font;
    double units, leading;
    size_t lines;
    Color color;
    const char *text;
} WordsText;

double words_text(const PageParts *parts, const WordsText *text, Box area, bool draw);

/* Words below the heading: words_code.c, words_formula.c, words_numbers.c,
 * words_story.c. */
double words_story(const PageParts *parts, Box area, bool draw);
double words_numbers(const PageParts *parts, Box area, bool draw);
double words_formula(const PageParts *parts, Box area, bool draw);
double words_code(const PageParts *parts, Box area, bool draw);

/* words_lesson.c: above the heading of a lesson's first step its goal and what it builds
 * on, 0 if there is no goal; below the heading of its last step the summary. */
double words_goal(const PageParts *parts, Box area, bool draw);
double words_remember(const PageParts *parts, Box area, bool draw);

/* words_presented.c: usual words on presented pages, with the heading. */
double words_presented(const PageParts *parts, Box area, bool draw);

/* The present step's heading, or sentences ("say"): its lesson's, else those of its topic
 * or operation; *own, unless NULL, reports which. */
const char *generated_words(const PageParts *parts, const char *what, bool *own);

/* words_source.c: text of the present step's source with the source's name, below other
 * words if sources are compared, with a bar along its left; 0 if there is none. */
double words_source(const PageParts *parts, Box area, bool draw);

/* Interface text under a key for the step's topic, else for its operation. */
const char *words_general(const PageParts *parts, const char *what);
