/* Cache of formulas' extents for one frame, because layouts that are tried measure the
 * same formulas repeatedly. {0} is an empty cache. */
#pragma once

#include "picture/formula/formula.h"

enum { FORMULA_SIZES_LISTS = 128 };

typedef struct FormulaSizes {
    const struct FormulaSize *lists[FORMULA_SIZES_LISTS]; /* in the frame's arena */
} FormulaSizes;

/* Like formula_measure, computed once for each source, size and least text size; always
 * if `sizes` is NULL. Except for that least size, all calls with one cache must use the
 * same metrics. */
FormulaExtent formula_sizes_measure(FormulaSizes *sizes, Arena *arena,
                                    const TextMetrics *metrics, const Theme *theme,
                                    const char *source, double size);
