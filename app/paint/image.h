/* Images: which of a tensor's cells a pixel shows, and in what colour. */
#pragma once

#include "picture/scene/scene.h"

/* Cells of an axis. */
typedef struct CellRange {
    size_t first, end;
} CellRange;

/* The cells of an axis shown in pixel `at` of `pixels`: the one under the pixel's middle,
 * or all that touch the pixel where there are more cells than pixels. */
CellRange image_cells(size_t at, size_t pixels, size_t cells);

/* The colour of cells that share a pixel: as far from 0 as they are in the mean, on their
 * sum's side, so that noise doesn't fade. */
Color image_color(const SceneItem *item, CellRange rows, CellRange cols);
