#include "picture/transitions/transitions.h"

#include "base/arena.h"
#include "picture/draw/canvas.h"
#include "picture/stage/stage.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

static const double UNDER_FRACTION = 0.75;
enum { TARGETS_MOST = 400 };
enum { CELLS_MOST = 1 << 16 }; /* largest table that moves cell by cell */

const StillTable *still_table(const Still *still, size_t node) {
    for (size_t i = still->table_count; i > 0; i--) {
        if (still->tables[i - 1].node == node)
            return &still->tables[i - 1];
    }
    return NULL;
}

static StillTable *table_for(Still *still, const SceneItem *item) {
    size_t node = item->link.index;
    const StillTable *found = still_table(still, node);
    if (found)
        return &still->tables[found - still->tables];
    if (still->table_count == STILL_TABLES_MAX || node >= tape_count(still->tape))
        return NULL;
    const Tensor *tensor = &tape_node(still->tape, node)->output;
    StillTable *table = &still->tables[still->table_count++];
    *table = (StillTable){
        .node = node, .rows = tensor->rows, .cols = tensor->cols, .box = item->box};
    return table;
}

/* Allocates a table's cells; returns false if they are too many, or memory is short. */
static bool open_cells(const Still *still, StillTable *table) {
    size_t count = table->rows * table->cols;
    Arena *arena = still->canvas->scene->arena;
    if (table->first)
        return true;
    if (count > CELLS_MOST)
        return false;
    size_t *cells = arena_alloc(arena, 3 * count, sizeof *cells);
    memset(cells, 0xff, 3 * count * sizeof *cells); /* STILL_NONE */
    table->first = cells;
    table->last = cells + count;
    table->under = cells + 2 * count;
    return true;
}

/* Reports whether an item can be a cell's ground. */
static bool is_ground(const SceneItem *item) {
    bool drawn = item->fill.a || (item->stroke.a && item->width > 0);
    return (item->kind == SCENE_RECTANGLE && drawn) || item->kind == SCENE_POLYGON ||
           item->kind == SCENE_TEXT;
}

/* Reports whether a run continues with an item; an item that can't be a ground, such as
 * an invisible link area, begins no run. */
static bool goes_on(const Still *still, size_t index) {
    const SceneItem *items = still->canvas->scene->items;
    for (size_t i = index; i > still->first; i--) {
        if (!link_equal(items[i - 1].link, items[index].link))
            return false;
        if (is_ground(&items[i - 1]))
            return true;
    }
    return false;
}

/* Item under an invisible rectangle: the last filled one of similar size, without a link;
 * STILL_NONE. */
static size_t ground_under(const Still *still, size_t index) {
    const SceneItem *items = still->canvas->scene->items;
    Box over = items[index].box;
    for (size_t i = index; i-- > still->first;) {
        Box box = items[i].box;
        if (items[i].kind == SCENE_RECTANGLE && items[i].fill.a &&
            items[i].link.kind == LINK_NONE && box.x >= over.x - 1 &&
            box.y >= over.y - 1 && box.x + box.w <= over.x + over.w + 1 &&
            box.y + box.h <= over.y + over.h + 1 &&
            box.w * box.h >= UNDER_FRACTION * over.w * over.h)
            return i;
    }
    return STILL_NONE;
}

static bool is_target(const SceneItem *item) {
    return item->kind == SCENE_RECTANGLE && !item->fill.a && !item->stroke.a;
}

static void take_item(Still *still, size_t index, bool clipped) {
    const SceneItem *item = &still->canvas->scene->items[index];
    StillTable *table = table_for(still, item);
    if (!table)
        return;
    if (!clipped)
        table->box = box_join(table->box, item->box);
    if (item->kind == SCENE_IMAGE)
        return;
    bool over = is_target(item) && still->targets < TARGETS_MOST;
    if ((!is_ground(item) && !over) || goes_on(still, index) ||
        item->link.row >= table->rows || item->link.col >= table->cols ||
        !open_cells(still, table))
        return;
    still->targets += over;
    if (over)
        index = ground_under(still, index);
    if (index == STILL_NONE)
        return;
    size_t cell = item->link.row * table->cols + item->link.col;
    if (table->first[cell] == STILL_NONE)
        table->first[cell] = index;
    table->last[cell] = index;
    if (over)
        table->under[cell] = index;
}

void still_init(Still *still, const Stage *stage, size_t first) {
    const Canvas *canvas = stage->canvas;
    *still = (Still){.canvas = canvas,
                     .tape = stage->tape,
                     .area = stage->area,
                     .first = first,
                     .end = canvas->scene->count};
    size_t clips = 0;
    for (size_t i = first; i < still->end; i++) {
        const SceneItem *item = &canvas->scene->items[i];
        clips += item->kind == SCENE_CLIP;
        clips -= item->kind == SCENE_UNCLIP;
        if (item->link.kind == LINK_CELL && item->kind != SCENE_CLIP &&
            item->kind != SCENE_UNCLIP)
            take_item(still, i, clips > 0);
    }
}

size_t still_cached_rows(const Still *still, size_t node) {
    const TapeNode *at = tape_node(still->tape, node);
    size_t rows = 0;
    for (size_t i = 0; at->operation == OPERATION_STACK && i + 1 < at->input_count; i++) {
        OperationKind from = tape_node(still->tape, at->inputs[i])->operation;
        if (from != OPERATION_SLICE || still_table(still, at->inputs[i]))
            return rows;
        rows += at->operands[i]->rows;
    }
    return rows;
}

size_t still_cell(const StillTable *table, size_t row, size_t col, bool last) {
    if (!table || !table->first || row >= table->rows || col >= table->cols)
        return STILL_NONE;
    return (last ? table->last : table->first)[row * table->cols + col];
}

static bool is_within(Box box, Box outer) {
    return box_contains(outer, box.x + box.w / 2, box.y + box.h / 2) &&
           box.w <= outer.w && box.h <= outer.h;
}

/* Without a link, the following items belong to the cell as long as they lie in it. */
size_t still_run_end(const Still *still, size_t item) {
    const SceneItem *items = still->canvas->scene->items;
    bool linked = items[item].link.kind != LINK_NONE;
    size_t end = item + 1;
    while (end < still->end && link_equal(items[end].link, items[item].link) &&
           (linked || is_within(items[end].box, items[item].box)))
        end++;
    return end;
}

bool still_is_in(const Still *still, size_t run, size_t item) {
    return run != STILL_NONE && item >= run && item < still_run_end(still, run);
}

size_t still_text(const Still *still, size_t item) {
    size_t end = item == STILL_NONE ? item : still_run_end(still, item);
    for (; item < end; item++) {
        if (still->canvas->scene->items[item].kind == SCENE_TEXT)
            return item;
    }
    return STILL_NONE;
}

/* Box of the run's first rectangle, if it has one. */
Box still_box(const Still *still, size_t item) {
    const SceneItem *items = still->canvas->scene->items;
    size_t end = still_run_end(still, item);
    for (size_t i = item; i < end; i++) {
        if (items[i].kind == SCENE_RECTANGLE && is_ground(&items[i]))
            return items[i].box;
    }
    return items[item].box;
}
