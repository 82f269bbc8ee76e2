#include "picture/formula/formula.h"

#include "picture/formula/formula_layout.h"
#include "picture/formula/formula_parse.h"
#include "picture/formula/formula_shapes.h"

#include <math.h>
#include <string.h>

static FormulaExtent lay_out(FormulaLayout *layout, const char *source) {
    bool understood;
    const FormulaNode *tree = formula_parse(layout->arena, source, &understood);
    return formula_lay_out(layout, tree);
}

FormulaExtent formula_measure(Arena *arena, const TextMetrics *metrics,
                              const Theme *theme, const char *source, double size) {
    FormulaLayout layout = {
        .arena = arena, .metrics = metrics, .theme = theme, .size = size};
    /* Reset afterwards, because layouts measure many formulas. */
    ArenaMark before = arena_mark(arena);
    FormulaExtent extent = lay_out(&layout, source);
    arena_rewind(arena, before);
    return extent;
}

FormulaExtent formula_draw(Scene *scene, const TextMetrics *metrics, const Theme *theme,
                           const char *source, double size, Point origin) {
    FormulaLayout layout = {
        .arena = scene->arena, .metrics = metrics, .theme = theme, .size = size};
    FormulaExtent extent = lay_out(&layout, source);
    for (size_t i = 0; i < layout.count; i++) {
        const Mark *mark = &layout.marks[i];
        if (mark->kind != MARK_TEXT) {
            formula_shape_draw(scene, mark, origin);
            continue;
        }
        Point baseline = {origin.x + mark->box.x,
                          origin.y + mark->box.y + mark->baseline};
        scene_text(scene, mark->font, mark->size, mark->color, baseline, mark->text,
                   mark->box.w, mark->baseline, mark->box.h - mark->baseline);
    }
    return extent;
}
