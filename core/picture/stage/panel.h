/* A panel: one heatmap of a line, with the sign before it and its caption, or, of a
 * query, a key or a value, its frame and tab. */
#ifndef PICTURE_PANEL_H
#define PICTURE_PANEL_H

#include "picture/stage/caption.h"

typedef struct Panel {
    const char *sign;       /* formula drawn before it: "+", "=", "\\to"; NULL: none */
    const char *sign_above; /* small formula above an arrow: "e^x"; NULL: none */
    size_t node;            /* the tensor on the tape; TAPE_NONE: `tensor` below */
    const Tensor *tensor;   /* NULL: no cells, `formula` alone stands here */
    const char *formula;    /* caption, or what stands here instead of cells, … */
    const char *meaning; /* … and below that, small, what it is: a formula, or NULL */
    const char *note;    /* a sentence under the caption, or NULL */
    const char *const *row_notes; /* formulas to the right of the rows, or NULL;
                                     panels_layout leaves them out where they have
                                     no room */
    HeatmapColors colors;
    double reach;   /* 0: the shared reach of all panels of these colours */
    bool is_output; /* takes the stage's focus, visible cells and printed marks */
    /* set by panels_layout */
    double row_labels; /* how wide its labels want to be */
    HeatmapColLabels col_labels;
    HeatmapColors scale; /* its legend's: signed ones may have nothing below 0 */
    bool told;           /* its reach stands in its caption, as legends have no room */
    Heatmap heatmap;
    RoleTab tab;          /* its name is NULL where a caption stands */
    Box box;              /* with row labels and notes */
    double sign_x;        /* the middle of its sign */
    Caption caption;      /* … its name's axis … */
    double caption_below; /* … so far below the cells */
    double caption_drop;
} Panel;

/* A panel for a node of the tape, coloured as its values ask. */
Panel panel_of(const Stage *stage, size_t node, const char *sign);

/* That of the operation drawn. */
Panel panel_of_output(const Stage *stage, const char *sign);

#endif
