/* Panels: heatmaps side by side with signs between them, as in `A + B = C`.
 *
 * All panels have cells of one size, as large as the area allows, and are centred on one
 * line; where numbers would be too small for that, the line is broken at its arrows. This
 * is the layout of every picture but the matrix product's. */
#ifndef PICTURE_PANELS_H
#define PICTURE_PANELS_H

#include "picture/draw/caption.h"

enum { PANELS_MAX = 16, PANELS_LINES_MAX = 4 };

typedef struct Panel {
    const char *sign;       /* formula drawn before it: "+", "=", "\\to"; NULL: none */
    const char *sign_above; /* small formula above an arrow: "e^x"; NULL: none */
    size_t node;            /* the tensor on the tape; TAPE_NONE: `tensor` below */
    const Tensor *tensor;   /* NULL: no cells, `formula` alone stands here */
    const char *formula;    /* caption, or what stands here instead of cells */
    const char *note;       /* a sentence under the caption, or NULL */
    const char *const *row_notes; /* formulas to the right of the rows, or NULL;
                                     panels_layout leaves them out where they have
                                     no room */
    HeatmapColors colors;
    double reach;   /* 0: the shared reach of all panels of these colours */
    bool is_output; /* takes the stage's focus, visible cells and printed marks */
    /* set by panels_layout */
    Heatmap heatmap;
    Box box;              /* with row labels and notes */
    double sign_x;        /* the middle of its sign */
    Caption caption;      /* … its name's axis … */
    double caption_below; /* … so far below the cells */
    double caption_drop;
} Panel;

/* A panel for a node of the tape, coloured as its values ask. */
Panel panel_of(const Stage *stage, size_t node, const char *sign);

/* Places the panels in the stage's area (above the legends), in one line or, at most, in
 * PANELS_LINES_MAX; draws nothing. Where the area is narrow, gaps and labels shrink
 * before cells do, then row notes go. */
void panels_layout(const Stage *stage, Panel *panels, size_t count);

/* Draws panels that have been placed, with signs, captions, notes and legends. */
void panels_draw(const Stage *stage, const Panel *panels, size_t count);

/* Both. */
void panels_show(const Stage *stage, Panel *panels, size_t count);

#endif
