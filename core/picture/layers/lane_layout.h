/* Layout of a residual lane: tables, ⊕ and gates along it, the sublayers' boxes above. If
 * norms are gates on the lane and it is long enough, the tables of all sums stand on it,
 * too, between ⊕ and gate. All rows and columns are as large as the stage allows. */
#pragma once

#include "picture/charts/charts.h"
#include "picture/layers/lane_parts.h"

/* Lengths in units, shared by layout and drawing. */
#define LANE_SUM_RADIUS 21.0
#define LANE_MARGIN 6.0   /* around a table */
#define LANE_GAP 8.0      /* least gap along the lane */
#define LANE_CAPTION 28.0 /* below a table */
#define LANE_TAIL 30.0    /* behind the last table */
#define LANE_MEMORY 76.0  /* above the boxes, if there is an encoder output */

/* Positions of one loop's parts in points. */
typedef struct LanePlace {
    Point table;    /* corner of the table before the loop */
    double leg;     /* x at which the loop leaves */
    double sum;     /* centre of ⊕ */
    Box gate;       /* of the norm */
    Box box;        /* of the sublayer */
    Point sum_rows; /* corner of the sum's table between ⊕ and gate, if there is one */
} LanePlace;

/* A lane with all its parts. */
typedef struct LaneLayout {
    const Stage *stage;
    LaneParts parts;
    WordRows rows;
    double reach;
    Box area;
    double labels;   /* width of the tokens on the left, with their gap */
    double line;     /* y of the lane on the page */
    bool gated;      /* norms lie on the lane */
    bool sums;       /* the sums have tables on the lane */
    bool sums_below; /* the chosen token's row of each sum hangs from its ⊕ */
    double below;    /* y of the upper edge of those rows */
    bool crosses;
    bool bare; /* boxes may be empty to be lower; set by the caller */
    LanePlace places[LANE_LOOPS_MAX + 1]; /* the last one has only a table */
} LaneLayout;

/* Lays out the lane of a step, whose `lanes->parts` are set, in the stage's area; sets
 * all of *lanes except the stage, parts and `bare`. Returns false if its parts have no
 * room at their smallest. */
bool lane_layout(LaneLayout *lanes);

/* Node on the lane before a loop, or behind the last one. */
size_t lane_node_at(const LaneLayout *lanes, size_t index);
