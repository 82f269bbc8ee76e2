#include "base/hash.h"
#include "base/maths.h"
#include "picture/formula/formula_parts.h"

#include <string.h>

/* ---- shapes ---- */

/* Draws a horizontal bar from `left` to `right` with its top near `top`; returns its
 * box. */
static Box draw_bar(Scene *scene, double left, double right, double top, double thickness,
                    Color color) {
    Box box = {left, round(top), right - left, fmax(1, round(thickness))};
    scene_rectangle(scene, box, 0, color, (Color){0}, 0);
    return box;
}

/* Draws a radical: a hook, a heavy stroke down, a light one up to the bar. The sign keeps
 * its width; tall ones get steeper. */
static void draw_radical(Scene *scene, const Mark *mark, Box box) {
    double em = mark->size;
    Box bar = draw_bar(scene, box.x + mark->sign_width, box.x + box.w, box.y, mark->rule,
                       mark->color);
    double bottom = box.y + box.h, x = box.x;
    double joint = x + mark->sign_width; /* of the light stroke and the bar */
    double hook = bottom - fmin(0.58 * box.h, 0.42 * em + 0.14 * box.h);
    double light = fmax(1, mark->rule * 1.05), heavy = 0.10 * em;
    double foot = x + 0.235 * em;
    const Point points[] = {
        {x + 0.005 * em, hook + 0.105 * em}, /* the hook's tip, above */
        {x + 0.135 * em, hook},              /* its top */
        {foot + 0.025 * em, bottom - 0.20 * em * fmin(1.3, box.h / em)},
        {joint - light * 0.95, bar.y}, /* up the light stroke */
        {joint + light * 0.3, bar.y},
        {joint + light * 0.3, bar.y + bar.h},
        {joint, bar.y + bar.h},
        {foot + light * 0.35, bottom}, /* down its other side */
        {foot - light * 0.35, bottom},
        {x + 0.155 * em - heavy, hook + 0.075 * em}, /* up the heavy stroke */
        {x + 0.025 * em, hook + 0.135 * em},         /* the tip, below */
    };
    scene_polygon(scene, points, sizeof points / sizeof *points, mark->color);
}

/* Draws a parenthesis: two arcs that meet in narrow ends; the closing one is mirrored. */
static void draw_parenthesis(Scene *scene, const Mark *mark, Box box) {
    enum { STEPS = 24, COUNT = 2 * (STEPS + 1) };
    double em = mark->size;
    double heavy = fmin(0.075 * em + 0.004 * box.h, 0.11 * em), light = 0.035 * em;
    double side = 0.06 * em; /* margin on both sides */
    double width = box.w - 2 * side;
    Point points[COUNT];
    for (int i = 0; i <= STEPS; i++) {
        double angle = PI * i / STEPS;
        double bend = 1 - pow(fmax(0, sin(angle)), 0.9);
        double y = box.y + box.h * (1 - cos(angle)) / 2;
        points[i] = (Point){side + (width - light) * bend, y};
        points[COUNT - 1 - i] = (Point){side + heavy + (width - heavy) * bend, y};
    }
    for (int i = 0; i < COUNT; i++)
        points[i].x = mark->closing ? box.x + box.w - points[i].x : box.x + points[i].x;
    scene_polygon(scene, points, COUNT, mark->color);
}

/* Draws a mark with the formula's origin at `origin`. Horizontal bars are moved to whole
 * points, so that they are sharp. */
static void draw_mark(Scene *scene, const Mark *mark, Point origin) {
    Box box = mark->box;
    box.x += origin.x;
    box.y += origin.y;
    switch (mark->kind) {
    case MARK_TEXT:
        scene_text(scene, mark->font, mark->size, mark->color,
                   (Point){box.x, box.y + mark->baseline}, mark->text, box.w,
                   mark->baseline, box.h - mark->baseline);
        break;
    case MARK_RULE:
        draw_bar(scene, box.x, box.x + box.w, box.y, box.h, mark->color);
        break;
    case MARK_RADICAL:
        draw_radical(scene, mark, box);
        break;
    case MARK_FENCE:
        draw_parenthesis(scene, mark, box);
        break;
    }
}

/* ---- formulas ---- */

static FormulaExtent lay_out(FormulaLayout *layout, const char *source) {
    bool understood;
    return formula_lay_out(layout, formula_parse(layout->arena, source, &understood));
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
    if (scene->language)
        scene_begin_aloud(scene, formula_aloud(scene->arena, scene->language, source));
    for (size_t i = 0; i < layout.count; i++)
        draw_mark(scene, &layout.marks[i], origin);
    if (scene->language)
        scene_end_aloud(scene);
    return extent;
}

typedef struct FormulaSize {
    const char *source;
    double size, least;
    FormulaExtent extent;
    const struct FormulaSize *next;
} FormulaSize;

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
    FormulaSize *kept = arena_alloc(arena, 1, sizeof *kept);
    *kept = (FormulaSize){arena_copy(arena, source, strlen(source)), size, metrics->least,
                          extent, *list};
    *list = kept;
    return extent;
}
