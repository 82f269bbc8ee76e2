/* Where the parts of a residual lane lie: tables, ⊕ and gates along it, the sublayers'
 * boxes above. Where norms are gates on the lane and it is so long that tables of all
 * sums have their numbers, too, these stand on it between ⊕ and gate. All rows and
 * columns are as large as the stage allows. */
#ifndef PICTURE_LANE_LAYOUT_H
#define PICTURE_LANE_LAYOUT_H

#include "picture/charts/word_rows.h"
#include "picture/layers/lane_parts.h"

/* Lengths that layout and drawing share, in units. */
#define LANE_SUM_RADIUS 21.0
#define LANE_MARGIN 6.0   /* around a table */
#define LANE_GAP 8.0      /* along the lane, at least */
#define LANE_CAPTION 28.0 /* below a table */
#define LANE_TAIL 30.0    /* behind the last table */
#define LANE_MEMORY 76.0  /* above the boxes, where there is a memory */

/* Where one loop's parts lie; points. */
typedef struct LanePlace {
    Point table; /* the corner of the table before the loop */
    double leg;  /* where the loop leaves */
    double sum;  /* the middle of ⊕ */
    Box gate;    /* of the norm */
    Box box;     /* of the sublayer */
    Point
        sum_rows; /* the corner of the sum's table between ⊕ and gate, if there is one */
} LanePlace;

/* A lane with all that lies on it. */
typedef struct LaneLayout {
    const Stage *stage;
    LaneParts parts;
    WordRows rows;
    double reach;
    Box area;
    double labels;   /* how wide the words are at the left, with their gap */
    double line;     /* the lane's height on the page */
    bool gated;      /* norms lie on the lane */
    bool sums;       /* and the sums have tables of their own on it, or … */
    bool sums_below; /* … the chosen word's row of each hangs from its ⊕ … */
    double below;    /* … with its upper edge there */
    bool crosses;
    bool bare; /* boxes may be so low that nothing is inside; set by who lays out */
    LanePlace places[LANE_LOOPS_MAX + 1]; /* of the last one only the table */
} LaneLayout;

/* Measures and places the lane of a step that was taken apart, `lanes->parts`, in the
 * stage's area; all else of *lanes but the stage and `bare` is set here. False where its
 * parts have no room at their smallest. */
bool lane_layout(LaneLayout *lanes);

/* The node on the lane before a loop, or behind the last one. */
size_t lane_node_at(const LaneLayout *lanes, size_t index);

#endif
