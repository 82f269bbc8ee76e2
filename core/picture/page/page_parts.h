/* Parts of a page, for the room's own files. */
#pragma once

#include "picture/chrome/chrome.h"
#include "picture/formula/formula.h"
#include "picture/scene/label.h"
#include "picture/stage/layouts.h"
#include "picture/words/words.h"

/* Canvas of a page, with what it borrows; it must not move. */
typedef struct PageDrawing {
    Canvas canvas;
    FormulaSizes sizes;
    Layouts layouts; /* layouts found while this page is fitted, if the page keeps none */
    SentenceNames names;
} PageDrawing;

/* Initializes a canvas for a page's theme, metrics, language and names. */
void page_drawing_init(PageDrawing *drawing, Scene *scene, const Page *page);

/* Draws a reduced page into a box of another page's scene; it has no links. */
void page_draw_small(Scene *scene, const Page *page, Box box);

/* Title of the lesson with its number in the course, if it has one: "8 · Attention". */
const char *page_title(const Canvas *canvas, const Page *page);

/* ---- parts in larger type: page_part.c ----
 *
 * Pictures are laid out in points and have one size of type. A larger part is laid out in
 * a smaller area and enlarged afterwards: type, digits, gaps and lines alike. If there is
 * no room for it, it takes the largest size that fits. */

typedef void (*PagePart)(const PageParts *parts, Box area);

/* Drawing context of a page enlarged `scale` times. */
typedef struct PageScaled {
    Canvas canvas;
    Page page;
    TextMetrics metrics;
    SentenceNames names;
    PageParts parts; /* refers to canvas and page, so the struct must not move */
} PageScaled;

void page_scaled_init(PageScaled *scaled, const PageParts *parts, double scale);

/* Draws a part enlarged `scale` times; returns its number of problems: scene_troubles. */
size_t page_part_draw_at(const PageParts *parts, Box area, PagePart draw, double scale);

/* Fit of a part into an area. */
typedef struct PartFit {
    double scale;
    double room;     /* scale that it has room for, without the number in focus */
    double least;    /* least size of words in points; 0: the readable minimum */
    double digits;   /* least size of digits in cells in points, if a question would make
                        them unreadable */
    size_t troubles; /* scene_troubles, and pictures that a simpler one replaces */
    bool has_number; /* presented: the explained cell has its number */
    bool loses_number; /* presented: the explained cell is drawn without its number */
    double cells;      /* size of the smallest number in a cell in points; 0: none */
    size_t texts;      /* number of texts */
    double read;       /* beside a question: number of readable texts; else 0 */
} PartFit;

/* Finds the largest scale, up to the page's, at which a part has room in an area, or has
 * the fewest problems; numbers in cells smaller than `cells` points are a problem. If a
 * question or larger type takes of its area, the scale may be smaller rather than lose
 * numbers and structure. Words are no smaller than the canvas's minimum, except in
 * composites without room. Draws nothing. */
PartFit page_part_fit(const PageParts *parts, Box area, PagePart draw, double cells);

/* Reports whether a fit is so much better than another that something may be given up for
 * it. */
bool page_part_fits_better(const PartFit *fit, const PartFit *other);

/* Draws a part into an area at the page's text scale, or as large as has room. Animated
 * parts are fitted in their final state. */
void page_part_draw(const PageParts *parts, Box area, PagePart draw);

/* ---- the body, words and picture: page_body.c, page_stage.c ---- */

/* Draws the body into an area. In large type a picture without room beside all the words
 * also takes the sentences' place. */
void page_body_draw(const PageParts *parts, Box area);

/* Height, in the page's units, and drawing of only the words, with the answer to a
 * question that has ended, or of the question in their place. */
double page_words_height(const PageParts *parts, double width);
void page_words_draw(const PageParts *parts, Box area);

/* Draws the step's picture with its animation, the path followed back, and the page's
 * notes; an area far too small stays empty. */
void page_stage_draw(const PageParts *parts, Box area);
