/* Which rows a plane shows as points, and which ways lead between them: see plane_view.c.
 *
 * Of a step that shows tensors their rows; of a sum or a difference the rows it is made
 * of, as far back as sums and differences go. */
#ifndef PICTURE_PLANE_PATHS_H
#define PICTURE_PLANE_PATHS_H

#include "picture/stage/stage.h"

enum { PLANE_POINTS_MAX = 64, PLANE_ARROWS_MAX = 128 };

typedef struct PlanePoint {
    size_t node, row;
    bool context; /* stands by: nothing leads to it but a pull */
    size_t state; /* 0, or which of the tensors that show the same rows, moved */
} PlanePoint;

typedef enum PlaneArrowKind {
    PLANE_DIFFERENCE, /* from a row to another: what one less the other is */
    PLANE_SIDE,       /* a side of a parallelogram, as long as the one across */
    PLANE_PULL,       /* a row that has a share in what becomes of the first */
    PLANE_MOVE        /* from a row in the first of a step's tensors to it in another */
} PlaneArrowKind;

typedef struct PlaneArrow {
    PlaneArrowKind kind;
    size_t from, to; /* points */
    double weight;   /* of a pull */
} PlaneArrow;

typedef struct PlanePaths {
    const Stage *stage;
    size_t cols; /* of all rows */
    size_t count, arrow_count;
    size_t states; /* how many tensors show the same rows; 0: they are not the same */
    PlanePoint points[PLANE_POINTS_MAX];
    PlaneArrow arrows[PLANE_ARROWS_MAX];
} PlanePaths;

/* Those of the stage's step; what is beyond the limits is left out. */
PlanePaths plane_paths_of(const Stage *stage);

#endif
