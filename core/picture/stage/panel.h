/* A panel: one heatmap of a line, with the sign before it and its caption; a query, a key
 * or a value has a frame and a tab instead. */
#pragma once

#include "picture/stage/caption.h"

typedef struct Panel {
    const char *sign;       /* formula drawn before it: "+", "=", "\\to"; NULL: none */
    const char *sign_above; /* small formula above an arrow: "e^x"; NULL: none */
    size_t node;            /* the tensor on the tape; TAPE_NONE: `tensor` below */
    const Tensor *tensor;   /* values; NULL: no cells, `formula` stands alone */
    const char *formula;    /* caption, or the formula drawn instead of cells */
    /* Small formula below one that stands instead of cells; or NULL. */
    const char *meaning;
    const char *note; /* sentence below the caption; or NULL */
    /* Formulas to the right of the rows, or NULL; panels_layout leaves them out if they
     * don't fit. */
    const char *const *row_notes;
    HeatmapColors colors;
    double reach;   /* 0: the common reach of all panels of these colours */
    bool is_output; /* has the stage's focus, visible cells and printed marks */
    /* The fields below are set by panels_layout. */
    double row_labels; /* width that the row labels need, in points */
    HeatmapColLabels col_labels;
    /* Colours of the legend: without negative half if no value is negative. */
    HeatmapColors scale;
    bool told; /* the reach is printed in the caption because legends have no room */
    Heatmap heatmap;
    RoleTab tab;          /* tab; its name is NULL if a caption stands instead */
    Box box;              /* cells with row labels and notes */
    double sign_x;        /* middle of the sign */
    Caption caption;      /* name and shape below the cells */
    double caption_below; /* distance from the cells down to the axis of the name */
    double caption_drop;
} Panel;

/* Returns a panel for a node of the tape, coloured according to its values. */
Panel panel_of(const Stage *stage, size_t node, const char *sign);

/* Returns the panel of the operation drawn. */
Panel panel_of_output(const Stage *stage, const char *sign);
