#include "picture/formula/formula_sizes.h"

#include "base/hash.h"

#include <string.h>

typedef struct FormulaSize {
    const char *source;
    double size, least;
    FormulaExtent extent;
    const struct FormulaSize *next;
} FormulaSize;

static void keep(const FormulaSize **list, Arena *arena, FormulaSize known) {
    FormulaSize *kept = arena_alloc(arena, 1, sizeof *kept);
    known.source = arena_copy(arena, known.source, strlen(known.source));
    known.next = *list;
    *kept = known;
    *list = kept;
}

FormulaExtent formula_sizes_measure(FormulaSizes *sizes, Arena *arena,
                                    const TextMetrics *metrics, const Theme *theme,
                                    const char *source, double size) {
    if (!sizes)
        return formula_measure(arena, metrics, theme, source, size);
    uint64_t hash = hash_bytes(HASH_START, source, strlen(source));
    const FormulaSize **list = &sizes->lists[hash % FORMULA_SIZES_LISTS];
    for (const FormulaSize *known = *list; known; known = known->next) {
        if (known->size == size && known->least == metrics->least &&
            strcmp(known->source, source) == 0)
            return known->extent;
    }
    FormulaExtent extent = formula_measure(arena, metrics, theme, source, size);
    keep(list, arena, (FormulaSize){source, size, metrics->least, extent, NULL});
    return extent;
}
