/* The depths of the words, between the words_ files. Each part is laid out from the top
 * of its area, drawn only with `draw`, and gives back its height in points. */
#ifndef PICTURE_WORDS_PARTS_H
#define PICTURE_WORDS_PARTS_H

#include "picture/stage/page_content.h"

/* A paragraph that is made smaller where it does not fit `lines` lines. */
typedef struct WordsText {
    FontRole font;
    double units, leading;
    size_t lines;
    Color color;
    const char *text;
} WordsText;

double words_text(const PageParts *parts, const WordsText *text, Box area, bool draw);

/* What stands below the heading. words_code.c, words_formula.c, words_numbers.c,
 * words_story.c */
double words_story(const PageParts *parts, Box area, bool draw);
double words_numbers(const PageParts *parts, Box area, bool draw);
double words_formula(const PageParts *parts, Box area, bool draw);
double words_code(const PageParts *parts, Box area, bool draw);

/* Above the heading of a lesson's first step: its goal, and what it builds on; 0 where
 * nothing is to be said. Below that of its closing one: its lines. words_lesson.c */
double words_goal(const PageParts *parts, Box area, bool draw);
double words_remember(const PageParts *parts, Box area, bool draw);

/* The usual words as they are for the back row, heading and all. */
double words_presented(const PageParts *parts, Box area, bool draw);

/* The present step's heading, or sentences ("say"): its lesson's, else those of its topic
 * or operation; `own`, where given, tells which. */
const char *generated_words(const PageParts *parts, const char *what, bool *own);

/* What the present step's source says, with its name before it: drawn below other words
 * where sources are compared with, a bar along its left. 0 where there is nothing. */
double words_source(const PageParts *parts, Box area, bool draw);

/* The interface's words under a key for the step's topic, else for its operation. */
const char *words_general(const PageParts *parts, const char *what);

#endif
