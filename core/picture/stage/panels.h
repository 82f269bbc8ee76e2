/* Panels: the tables of a picture, each with its name, scale, sign and labels.
 *
 * In a line they are side by side with signs between them, as in `A + B = C`: all have
 * cells of one size, as large as the area allows, and are centred on one line; if numbers
 * would be too small for that, the line is broken at its arrows. Tables that share an
 * axis or stand below each other are the panels of a figure (picture/stage/figure.h). */
#pragma once

#include "picture/stage/caption.h"
#include "picture/stage/layouts.h"

enum { PANELS_MAX = 16 };

/* A table. A query, a key or a value has a frame and a tab instead of a caption. */
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
    double reach;    /* 0: the common reach of all panels of these colours */
    bool is_output;  /* has the stage's focus, visible cells and printed marks */
    bool is_derived; /* uses the scale of the panel before it and has no legend */
    /* In a figure: the tracks of its columns and rows, of its row labels, of its column
     * labels above the rows, and of its name below the rows or right of the columns; 0:
     * it has none. */
    size_t across, down, labels, heads, below, beside;
    /* The fields below are set by the layout. */
    bool is_mask;      /* its numbers are those of a mask */
    double row_labels; /* width that the row labels need, in points */
    HeatmapColLabels col_labels;
    /* Colours of the legend: without negative half if no value is negative. */
    HeatmapColors scale;
    bool told; /* the reach is printed in the caption because legends have no room */
    Heatmap heatmap;
    RoleTab tab;   /* tab; its name is NULL if a caption stands instead */
    Box box;       /* cells with row labels and notes */
    double sign_x; /* middle of the sign */
    /* Size of the formula above the sign in units, and height of its axis over the
     * sign's. */
    double above_units, above_axis;
    Caption caption;      /* name and shape below the cells */
    double caption_room;  /* width for the caption about the middle of the cells */
    double caption_below; /* distance from the cells down to the axis of the name */
    double caption_drop;
} Panel;

/* Returns a panel for a node of the tape, coloured according to its values. */
Panel panel_of(const Stage *stage, size_t node, const char *sign);

/* Returns the panel of the operation drawn. */
Panel panel_of_output(const Stage *stage, const char *sign);

/* Places the panels in the stage's area, above the legends, in one line or in at most
 * PANELS_LINES_MAX; draws nothing. In a narrow area gaps and labels shrink before cells
 * do. Then row notes are dropped, tabs, and the formulas above all arrows at once; the
 * numbers of tables that aren't large are dropped last. */
void panels_layout(const Stage *stage, Panel *panels, size_t count);

/* Places panels and draws them, with signs, captions, notes and legends. */
void panels_show(const Stage *stage, Panel *panels, size_t count);
