#include "picture/formula/formula.h"

#include "picture/formula/formula_layout.h"
#include "picture/formula/formula_parse.h"
#include "picture/formula/formula_shapes.h"
#include "picture/scene/label.h"

#include <math.h>
#include <string.h>

enum { SHOWN_BYTES = 80 }; /* of a source that is too long to be read */

/* What is too long for a formula, as one atom that shows how it begins. */
static const FormulaNode *unread(Arena *arena, const char *source) {
    FormulaNode *atom = arena_alloc(arena, 1, sizeof *atom);
    size_t length = strnlen(source, SHOWN_BYTES);
    while (length > 0 && ((unsigned char)source[length] & 0xC0) == 0x80)
        length--; /* no half character */
    const char *text = arena_format(arena, "%.*s…", (int)length, source);
    if (!atom || !text)
        return NULL;
    *atom = (FormulaNode){.kind = FORMULA_ATOM, .face = FACE_BAD, .text = text};
    return atom;
}

static FormulaExtent lay_out(FormulaLayout *layout, const char *source) {
    Error error;
    const FormulaNode *tree = formula_parse(layout->arena, source, &error);
    if (!tree && error.code == ERROR_LIMIT)
        tree = unread(layout->arena, source);
    if (!tree) {
        layout->exhausted = true;
        return (FormulaExtent){0};
    }
    return formula_lay_out(layout, tree);
}

FormulaExtent formula_measure(Arena *arena, const TextMetrics *metrics,
                              const Theme *theme, const char *source, double size) {
    FormulaLayout layout = {
        .arena = arena, .metrics = metrics, .theme = theme, .size = size};
    ArenaMark before = arena_mark(arena); /* a layout is found by measuring often */
    FormulaExtent extent = lay_out(&layout, source);
    arena_rewind(arena, before);
    return extent;
}

FormulaExtent formula_draw(Scene *scene, const TextMetrics *metrics, const Theme *theme,
                           const char *source, double size, Point origin) {
    FormulaLayout layout = {
        .arena = scene->arena, .metrics = metrics, .theme = theme, .size = size};
    FormulaExtent extent = lay_out(&layout, source);
    scene->incomplete |= layout.exhausted;
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
