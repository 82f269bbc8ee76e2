/* Points and arrows of a plane (plane_view.c): the rows that it shows, and the relations
 * between them.
 *
 * A step that shows tensors gives their rows; a sum or a difference gives the rows that
 * it is computed from, as far back as sums and differences go. */
#pragma once

#include "picture/stage/stage.h"

enum { PLANE_POINTS_MAX = 64, PLANE_ARROWS_MAX = 128 };

typedef struct PlanePoint {
    size_t node, row;
    bool context; /* background: only pulls lead to it */
    size_t state; /* index of the tensor among those that show the same rows in several
                     states; 0: none */
} PlanePoint;

typedef enum PlaneArrowKind {
    PLANE_DIFFERENCE, /* difference: from the row that is subtracted to the other */
    PLANE_SIDE,       /* side of a parallelogram, equal to the opposite one */
    PLANE_PULL,       /* row that contributes to the first one with an attention weight */
    PLANE_MOVE /* from a row in the step's first tensor to the same row in another */
} PlaneArrowKind;

typedef struct PlaneArrow {
    PlaneArrowKind kind;
    size_t from, to; /* indices of points */
    double weight;   /* attention weight of a pull */
} PlaneArrow;

typedef struct PlanePaths {
    const Stage *stage;
    size_t cols; /* columns of all rows */
    size_t count, arrow_count;
    size_t states; /* number of tensors that show the same rows; 0: their rows differ */
    PlanePoint points[PLANE_POINTS_MAX];
    PlaneArrow arrows[PLANE_ARROWS_MAX];
} PlanePaths;

/* Points and arrows of the stage's step; those beyond the limits are left out. */
PlanePaths plane_paths_of(const Stage *stage);
