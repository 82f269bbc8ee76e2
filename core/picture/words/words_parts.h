/* Texts of the depths, shared by the words_ files. Each part is laid out from the top of
 * its area, drawn only if `draw`, and returns its height in points. */
#pragma once

#include "picture/formula/formula.h"
#include "picture/stage/page_content.h"

/* Kinds of paragraphs. */
typedef enum WordsStyle {
    STYLE_HEADING,
    STYLE_SAY,
    STYLE_SENTENCE, /* sentences above a depth's own words */
    STYLE_STORY,
    STYLE_GOAL,
    STYLE_CONCEPT,
    STYLE_REMEMBER,
    STYLE_SOURCE,
    STYLE_PRESENTED_CONCEPT,
    STYLE_PRESENTED_HEADING,
    STYLE_PRESENTED_SAY,
    STYLE_PRESENTED_REMEMBER,
    STYLE_COUNT
} WordsStyle;

/* A paragraph, reduced if it doesn't fit its style's lines, with the terms of the
 * glossary underlined. words_sized begins at a size in points instead of the style's. */
double words_text(const PageParts *parts, WordsStyle style, const char *text, Box area,
                  bool draw);
double words_sized(const PageParts *parts, WordsStyle style, double size,
                   const char *text, Box area, bool draw);

/* Size at which such a paragraph begins, in points. */
double words_size(const PageParts *parts, WordsStyle style, const char *text);

/* Number of its lines at the style's size. */
size_t words_lines(const PageParts *parts, WordsStyle style, double width,
                   const char *text);

/* A formula fitted into a width. */
typedef struct WordsFormula {
    const char *source;
    double size; /* points */
    FormulaExtent extent;
} WordsFormula;

/* Makes a formula as large as `width` allows, between two sizes in points; returns false
 * if even the smallest is too wide. */
bool words_fit(const PageParts *parts, WordsFormula *formula, double largest,
               double smallest, double width);

/* Draws a fitted formula with its top left corner at (left, top). */
void words_formula_draw(const PageParts *parts, const WordsFormula *formula, double left,
                        double top);

/* Name of the present step's result as a formula, for formulas too long to show. */
const char *words_result_name(const PageParts *parts);

/* The story, an analogy, below other words; 0 if the step has none. */
double words_story(const PageParts *parts, Box area, bool draw);

/* Words below the heading: the numbers, the formula, the code. */
double words_numbers(const PageParts *parts, Box area, bool draw);
double words_formula(const PageParts *parts, Box area, bool draw);
double words_code(const PageParts *parts, Box area, bool draw);

/* Usual words with their heading, and the same on presented pages. */
double words_usual(const PageParts *parts, Box area, bool draw);
double words_presented(const PageParts *parts, Box area, bool draw);

/* Above the heading of a lesson's first step its goal and what it builds on, 0 if there
 * is no goal; below the heading of its last step the summary. */
double words_goal(const PageParts *parts, Box area, bool draw);
double words_remember(const PageParts *parts, Box area, bool draw);

/* Name of the present step's concept, above its heading; 0 if it has none. */
double words_concept(const PageParts *parts, Box area, bool draw);

/* Text of the present step's source with the source's name, below other words if sources
 * are compared, with a bar along its left; 0 if there is none. */
double words_source(const PageParts *parts, Box area, bool draw);

/* The present step's heading, or sentences ("say"): its lesson's, else those of its topic
 * or operation; *own, unless NULL, reports which. */
const char *generated_words(const PageParts *parts, const char *what, bool *own);

/* Interface text under a key for the step's topic, else for its operation. */
const char *words_general(const PageParts *parts, const char *what);
