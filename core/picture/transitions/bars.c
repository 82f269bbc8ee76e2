#include "picture/transitions/bars.h"

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

static bool has_edge(Box box, double y) {
    return is_near(box.y, y) || is_near(box.y + box.h, y);
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
    double apart = 0;
    for (size_t i = 0; i < cells->count; i++) {
        Box box = cells->boxes[i];
        bool up = bars->kind == BARS_UPRIGHT;
        if (up ? !is_near(box.w, one.w) || !has_edge(box, bars->foot)
               : !is_near(box.h, one.h) || !is_near(box.x, bars->foot))
            continue;
        count++;
        apart = fmax(apart, up ? fabs(box.h - one.h) : fabs(box.w - one.w));
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
    Cells *cells = arena_alloc(still->canvas->scene->arena, 1, sizeof *cells);
    Bars bars = {0};
    for (int last = 0; cells && table->first && last < 2 && !bars.kind; last++) {
        take_cells(cells, still, table, last);
        bars = find_bars(cells);
    }
    if (!bars.kind && table->first && are_spread(still, table))
        bars.kind = BARS_SPREAD;
    return bars;
}

size_t bars_item(const Still *still, const StillTable *table, size_t row, size_t col,
                 const Bars *bars, double thick) {
    for (int last = 0; last < 2; last++) {
        size_t item = still_cell(table, row, col, last);
        if (item == STILL_NONE)
            continue;
        Box box = still_box(still, item);
        bool stands = bars->kind == BARS_UPRIGHT ? has_edge(box, bars->foot)
                                                 : is_near(box.x, bars->foot);
        if (thick > 0 ? is_near(bars->kind == BARS_UPRIGHT ? box.w : box.h, thick)
                      : stands)
            return item;
    }
    return STILL_NONE;
}

void bars_grow(const Still *still, const Bars *bars, SceneItem *item, double progress) {
    Box from = item->box, to = item->box;
    bool stands = bars->kind == BARS_UPRIGHT  ? has_edge(item->box, bars->foot)
                  : bars->kind == BARS_ACROSS ? is_near(item->box.x, bars->foot)
                                              : bars->kind == BARS_SPREAD;
    if (item->kind != SCENE_RECTANGLE || !item->fill.a || !stands) {
        motion_fade(item, progress);
        return;
    }
    if (bars->kind == BARS_UPRIGHT)
        to = (Box){to.x, bars->foot + (to.y - bars->foot) * progress, to.w,
                   to.h * progress};
    else if (bars->kind == BARS_ACROSS)
        to = (Box){bars->foot + (to.x - bars->foot) * progress, to.y, to.w * progress,
                   to.h};
    else
        to = (Box){to.x + to.w * (1 - progress) / 2, to.y, to.w * progress, to.h};
    if (progress < 1)
        motion_move(still->canvas->scene, item, from, to);
    if (!(progress > 0))
        motion_fade(item, 0);
}

void bars_become(const Still *still, SceneItem *item, Box own, Box before,
                 double progress) {
    Box box = item->box;
    bool goes = item->kind == SCENE_RECTANGLE && item->fill.a && is_near(box.x, own.x) &&
                is_near(box.y, own.y);
    if (goes && progress < 1)
        motion_move(still->canvas->scene, item, own,
                    motion_box_between(before, own, motion_ease(progress)));
    else
        motion_fade(item, motion_between(progress, BECOMES, 1));
}
