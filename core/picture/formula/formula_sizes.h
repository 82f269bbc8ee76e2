/* How much room formulas take, kept for as long as a page is drawn: layouts that are
 * tried ask for the same ones again and again. {0} keeps none yet. */
#ifndef PICTURE_FORMULA_SIZES_H
#define PICTURE_FORMULA_SIZES_H

#include "picture/formula/formula.h"

enum { FORMULA_SIZES_LISTS = 128 };

typedef struct FormulaSizes {
    const struct FormulaSize *lists[FORMULA_SIZES_LISTS]; /* in the frame's arena */
} FormulaSizes;

/* What formula_measure gives, which is asked once for each source, size and least size of
 * words; always when `sizes` is NULL. But for that least size all that one keeps is
 * measured with the same metrics. */
FormulaExtent formula_sizes_measure(FormulaSizes *sizes, Arena *arena,
                                    const TextMetrics *metrics, const Theme *theme,
                                    const char *source, double size);

#endif
