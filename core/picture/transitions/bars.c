#include "picture/transitions/transitions_parts.h"

#include "base/arena.h"
#include "base/maths.h"
#include "picture/draw/canvas.h"

/* Points: distances that count as equal, and as different. */
static const double NEAR = 1.6, APART = 3;
static const double BECOMES = 0.8; /* progress at which its number appears */
enum { LOOKED_AT_MOST = 400 };

/* Cells of a row or of a column with their drawn items. */
typedef struct Cells {
    size_t count;
    Box boxes[LOOKED_AT_MOST];
} Cells;

static bool is_near(double a, double b) {
    return fabs(a - b) <= NEAR;
}

/* Box as if its bar were upright; the same again gives the box itself. */
static Box turned(const Bars *bars, Box box) {
    return bars->kind == BARS_ACROSS ? (Box){box.y, box.x, box.h, box.w} : box;
}

/* Reports whether a turned box stands on the base line, or hangs from it. */
static bool stands_on(const Bars *bars, Box box) {
    return is_near(box.y, bars->foot) || is_near(box.y + box.h, bars->foot);
}

static size_t drawn_in(const StillTable *table, size_t row) {
    size_t drawn = 0;
    for (size_t i = 0; i < table->cols; i++)
        drawn += table->first[row * table->cols + i] != STILL_NONE;
    return drawn;
}

/* Row with most drawn cells; others may be only a label. */
static size_t fullest_row(const StillTable *table) {
    size_t best = 0;
    for (size_t i = 1; i < table->rows; i++)
        best = drawn_in(table, i) > drawn_in(table, best) ? i : best;
    return best;
}

static void take_cells(Cells *cells, const Still *still, const StillTable *table,
                       bool last) {
    bool column = table->cols == 1;
    size_t row = column ? 0 : fullest_row(table);
    size_t begin = row * table->cols, end = column ? table->rows : begin + table->cols;
    cells->count = 0;
    for (size_t i = begin; i < end && cells->count < LOOKED_AT_MOST; i++) {
        size_t item = (last ? table->last : table->first)[i];
        if (item != STILL_NONE)
            cells->boxes[cells->count++] = still_box(still, item);
    }
}

/* Number of cells with bars like `one` on its base line; 0 if all bars have its
 * length. */
static size_t alike(const Cells *cells, const Bars *bars, Box one) {
    size_t count = 0;
    double apart = 0, width = turned(bars, one).w, height = turned(bars, one).h;
    for (size_t i = 0; i < cells->count; i++) {
        Box box = turned(bars, cells->boxes[i]);
        if (!is_near(box.w, width) || !stands_on(bars, box))
            continue;
        count++;
        apart = fmax(apart, fabs(box.h - height));
    }
    return apart > APART ? count : 0;
}

/* Finds the bars; labels among the cells are ignored. */
static Bars find_bars(const Cells *cells) {
    for (size_t i = 0; i < 2 && i < cells->count; i++) {
        Box one = cells->boxes[i];
        const Bars kinds[] = {
            {BARS_UPRIGHT, one.y + one.h}, {BARS_UPRIGHT, one.y}, {BARS_ACROSS, one.x}};
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            if (alike(cells, &kinds[k], one) + (cells->count > 2) >= cells->count)
                return kinds[k];
        }
    }
    return (Bars){0};
}

/* Reports whether a table is drawn as a histogram, whose bars stand for many cells. */
static bool are_spread(const Still *still, const StillTable *table) {
    size_t drawn = 0, first = STILL_NONE;
    double apart = 0;
    for (size_t i = 0; i < table->rows * table->cols; i++) {
        if (table->first[i] == STILL_NONE)
            continue;
        first = drawn++ ? first : table->first[i];
        apart = fmax(
            apart, fabs(still_box(still, table->first[i]).w - still_box(still, first).w));
    }
    return drawn > table->cols && 2 * drawn < table->rows * table->cols &&
           apart > APART && still->canvas->scene->items[first].kind == SCENE_RECTANGLE;
}

Bars bars_of(const Still *still, const StillTable *table) {
    Bars bars = {0};
    if (!table->first)
        return bars;
    Cells *cells = arena_alloc(still->canvas->scene->arena, 1, sizeof *cells);
    for (int last = 0; last < 2 && !bars.kind; last++) {
        take_cells(cells, still, table, last);
        bars = find_bars(cells);
    }
    if (!bars.kind && are_spread(still, table))
        bars.kind = BARS_SPREAD;
    return bars;
}

/* Item of a cell's bar: one that stands on the base line or, with `thick` above 0, has
 * that thickness; STILL_NONE if there is none. */
static size_t bar_of(const Still *still, const StillTable *table, Link cell,
                     const Bars *bars, double thick) {
    for (int last = 0; last < 2; last++) {
        size_t item = still_cell(table, cell.row, cell.col, last);
        if (item == STILL_NONE)
            continue;
        Box box = turned(bars, still_box(still, item));
        if (thick > 0 ? is_near(box.w, thick) : stands_on(bars, box))
            return item;
    }
    return STILL_NONE;
}

void bars_grow(const Still *still, const Bars *bars, SceneItem *item, double progress) {
    Box box = turned(bars, item->box);
    bool grows =
        item->kind == SCENE_RECTANGLE && item->fill.a &&
        (bars->kind == BARS_SPREAD || (bars->kind != BARS_NONE && stands_on(bars, box)));
    if (!grows || !(progress > 0))
        motion_fade(item, progress);
    if (!grows || progress >= 1)
        return;
    if (bars->kind == BARS_SPREAD)
        box = (Box){box.x + box.w * (1 - progress) / 2, box.y, box.w * progress, box.h};
    else
        box = (Box){box.x, bars->foot + (box.y - bars->foot) * progress, box.w,
                    box.h * progress};
    motion_move(still->canvas->scene, item, item->box, turned(bars, box));
}

void bars_become(const Moving *moving, size_t index, double progress) {
    const Still *still = moving->still;
    SceneItem *item = &still->canvas->scene->items[index];
    Bars bars = moving->before ? bars_of(still, moving->before) : (Bars){0};
    size_t before = bar_of(still, moving->before, item->link, &bars, 0);
    Box from = before == STILL_NONE ? (Box){0} : still_box(still, before);
    size_t own = bar_of(still, moving->out, item->link, &bars, turned(&bars, from).w);
    if (before == STILL_NONE || own == STILL_NONE || bars.kind == BARS_NONE) {
        bars_grow(still, &moving->bars, item, progress);
        return;
    }
    Box to = still_box(still, own);
    if (item->kind == SCENE_RECTANGLE && item->fill.a && is_near(item->box.x, to.x) &&
        is_near(item->box.y, to.y) && progress < 1)
        motion_move(still->canvas->scene, item, to,
                    motion_box_between(from, to, motion_ease(progress)));
    else
        motion_fade(item, motion_between(progress, BECOMES, 1));
}
