/* The page: everything one frame shows, laid out for its size.
 *
 * page_draw is a pure function from a Page to a scene: the same Page gives the same
 * scene, so stepping back shows exactly what was there. It works from PAGE_LEAST_WIDTH ×
 * PAGE_LEAST_HEIGHT points upwards; smaller pages are drawn too, but may not hold
 * everything. */
#ifndef PICTURE_PAGE_H
#define PICTURE_PAGE_H

#include "lesson/play/pace.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"
#include "picture/explain/trail.h"
#include "picture/explain/words.h"
#include "picture/page/playing.h"
#include "picture/page/practise_panel.h"

enum { PAGE_LEAST_WIDTH = 1024, PAGE_LEAST_HEIGHT = 640 }; /* points */

typedef struct Influence Influence; /* picture/explain/influence.h */

typedef struct Page {
    const Player *player;
    const Theme *theme;
    const TextMetrics *metrics;
    const Strings *strings;
    Language language;
    double width, height; /* points */
    size_t number;        /* the lesson's number in the course; 0: none */
    bool interactive;     /* with hints for keys; false in saved and exported pictures */
    bool has_focus;       /* a cell that is pinned or under the pointer */
    Link focus;           /* LINK_CELL */
    PaceMoment moment;    /* what is there of the present place; {0}: all of it */
    LessonView view;      /* how the tensor is drawn; NONE: as the lesson asks */
    WordsDepth words;     /* how deep the words at the top go */
    const char *message;  /* said in place of the hints: "saved …"; NULL: none */
    const char *note;     /* a quiet line below the picture; NULL: none */
    bool compares;        /* differences are shown, not values: from the originals, … */
    const Tape *base;     /* … or from what another tape has; NULL: there is none */
    const Trail *trail;   /* the way followed back; NULL: none */
    const Influence *influence;    /* shown in place of values; NULL: values are */
    const PractisePanel *practise; /* an exercise in place of inspector and timeline, or
                                      NULL; the focus is its cell */
    const Playing *playing;        /* autoplay's buttons, or NULL */
    Link help;                     /* what a click on the hint for help stands for */
} Page;

/* Draws the page into a scene, which is initialised in `arena` (the frame's). */
void page_draw(Scene *scene, Arena *arena, const Page *page);

/* The cell that is explained: the page's focus where this step shows it, else the cell
 * the cursor is on, else the step's own (the one asked for, the first that differs from
 * the document, the largest). False when the step has no cells to explain. */
bool page_focus(const Page *page, size_t *node, size_t *row, size_t *col);

/* ---- the page's parts, in files of their own: each draws into its area ---- */

typedef struct PageParts {
    const Canvas *canvas;
    const Page *page;
} PageParts;

/* words.c: heading, sentences and formula; words_height says how tall they are. */
double words_height(const PageParts *parts, double width);
void words_draw(const PageParts *parts, Box area);

/* The four depths' names at the right end of a strip, the present one bold, each linked
 * to its depth; gives back where they begin. */
double words_choice_draw(const PageParts *parts, Box strip);

/* map.c: the lesson's statements, each with its tensor, the present one dark; of a lesson
 * with a model its architecture (towers.h). map_width is in points. */
double map_width(const PageParts *parts);
void map_draw(const PageParts *parts, Box area);

/* inspector.c: how the focused cell came to be, with its numbers. */
void inspector_draw(const PageParts *parts, Box area);

/* timeline.c: the lesson's statements as dots under chapter names. */
void timeline_draw(const PageParts *parts, Box area);

/* Where along the timeline (0 to 1) an x coordinate lies, as a statement's number. */
size_t timeline_statement_at(const Player *player, Box bar, double x);

#endif
