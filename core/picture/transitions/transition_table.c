#include "base/arena.h"
#include "base/maths.h"
#include "picture/draw/canvas.h"
#include "picture/transitions/transitions_parts.h"
#include "tensor/tape/tape.h"

#include <string.h>

enum { GHOSTS_MOST = 700 };

/* Order of an output's cells in a transition. */
typedef enum Order {
    BY_CELLS,   /* each cell by itself */
    BY_ROWS,    /* a row's cells move together */
    FIRST_CELL, /* the same, but the first cell moves alone */
    BY_COLUMNS, /* a column's cells move together */
    BY_BLOCKS   /* cells from one input move together */
} Order;

/* Order and movements of an output's cells in a transition. */
typedef struct TransitionRow {
    Order order;
    double overlap; /* fraction of the remaining time of each other flight; 1: all
                       together */
    double lands;   /* progress of its flight from which the cell itself is visible */
    bool below;     /* flights emerge from under the still, except the first cell's */
    /* Draws a cell's flight at a progress. */
    void (*fly)(const Moving *moving, size_t row, size_t col, double progress);
    /* Shows an item of the cell at a progress; NULL: it fades in from `lands` on. */
    void (*show)(const Moving *moving, size_t item, double progress);
    /* Shows an unlinked item at the slow cell's progress; NULL: it is visible. */
    void (*show_beside)(const Moving *moving, SceneItem *item, double progress);
    /* Draws the whole output's movement at a fraction of the whole time. */
    void (*fly_all)(const Moving *moving, double time);
} TransitionRow;

static const TransitionRow *row_of(const Moving *moving);

static bool waits_for_shutter(const Moving *moving, size_t row, size_t col) {
    return moving->transition == TRANSITION_MASK && moving->cursor == PLAYER_NONE &&
           tensor_is_masking(tensor_at(&moving->at->output, row, col));
}

/* Visible fraction of a cell itself at a progress of its flight. */
static double shown_of(const Moving *moving, size_t row, size_t col, double progress) {
    if (waits_for_shutter(moving, row, col))
        return moving->moment.time < 1 ? 0 : 1;
    bool others = moving->recipe && row != moving->slow_row;
    double lands = moving->orphan || others ? 0 : row_of(moving)->lands;
    return motion_eased(progress, lands, 1);
}

static bool is_ground(const SceneItem *item) {
    return item->kind == SCENE_RECTANGLE && item->fill.a && !item->stroke.a;
}

/* Draws an empty place for a cell that has not landed. */
static void leave_place(const Moving *moving, SceneItem *item, double shown) {
    if (shown >= 1)
        return;
    item->stroke = motion_shown(moving->still->canvas->theme->line, 1 - shown);
    item->width = 1;
}

/* Reports whether an item is a token at an arc's end, which doesn't move. */
static bool is_end_of_arcs(const Moving *moving, const SceneItem *item) {
    const Tensor *output = &moving->at->output;
    const char *const *rows = output->row_labels, *const *cols = output->col_labels;
    if (!moving->arcs || item->kind != SCENE_TEXT)
        return false;
    return (rows && strcmp(rows[item->link.row], item->text) == 0) ||
           (cols && strcmp(cols[item->link.col], item->text) == 0);
}

/* Shows an item of a cell that lands, as an empty place until then. */
static void land_item(const Moving *moving, size_t index, double progress) {
    Scene *scene = moving->still->canvas->scene;
    SceneItem *item = &scene->items[index];
    if (is_end_of_arcs(moving, item))
        return;
    double shown = shown_of(moving, item->link.row, item->link.col, progress);
    bool ground = is_ground(item);
    if (moving->bars.kind != BARS_NONE) {
        bars_grow(moving->still, &moving->bars, item, shown);
        return;
    }
    if (item->kind == SCENE_LINE)
        motion_grow(scene, item, shown);
    motion_fade(item, shown);
    if (ground)
        leave_place(moving, item, shown);
}

/* Shows items of cells that are drawn twice; those drawn as text appear at once. */
static void appear_item(const Moving *moving, size_t index, double progress) {
    const SceneItem *item = &moving->still->canvas->scene->items[index];
    size_t row = item->link.row, col = item->link.col;
    if (!is_drawn_twice(moving, row, col))
        land_item(moving, index, progress);
    else if (!still_is_in(moving->still, still_cell(moving->out, row, col, false), index))
        land_item(moving, index, motion_between(progress, ACROSS_LANDS, 1));
}

/* Rotates a clock's hand; other cells land. */
static void rotate_or_land_item(const Moving *moving, size_t index, double progress) {
    if (!rotate_item(moving, index, progress))
        land_item(moving, index, progress);
}

/* ---- the table ---- */

static const TransitionRow rows[TRANSITION_COUNT] = {
    [TRANSITION_APPEAR] = {BY_CELLS, 0.5, 0, true, .fly = fly_across,
                           .show = appear_item},
    [TRANSITION_MORPH] = {BY_CELLS, 1, 0, false, .show = bars_become},
    [TRANSITION_GATHER] = {FIRST_CELL, 0.5, TRANSITION_EXPLAINED, true,
                           .fly = gather_pairs},
    [TRANSITION_LAND] = {FIRST_CELL, 0.5, LANDS, true, .fly = fly_straight},
    [TRANSITION_TRANSPOSE] = {BY_COLUMNS, 0.6, LANDS, false, .fly = fly_transposed},
    [TRANSITION_ROTATE] = {BY_CELLS, 1, LANDS, true, .fly = fly_straight,
                           .show = rotate_or_land_item},
    [TRANSITION_MASK] = {BY_ROWS, 0.6, LANDS, true, .fly = fly_scores,
                         .fly_all = fall_shutter},
    [TRANSITION_NORMALIZE] = {BY_ROWS, 0.6, LANDS, false, .fly = fly_into_bar,
                              .show = squeeze_item, .show_beside = squeeze_total},
    [TRANSITION_STRIKE] = {FIRST_CELL, 0.5, LANDS, true, .fly = fly_struck},
    [TRANSITION_LOOKUP] = {BY_ROWS, 0.5, LANDS, true, .fly = fly_picked},
    [TRANSITION_CONCAT] = {BY_BLOCKS, 0.5, LANDS, true, .fly = fly_picked},
    [TRANSITION_SLIDE] = {BY_ROWS, 0.6, LANDS, false, .fly = fly_straight,
                          .show_beside = slide_between},
    [TRANSITION_MERGE] = {BY_CELLS, 1, LANDS, false, .fly = fly_together,
                          .show = merge_item},
    [TRANSITION_SPREAD] = {FIRST_CELL, 0.5, TRANSITION_EXPLAINED, true,
                           .fly = gather_pairs},
};

static const TransitionRow *row_of(const Moving *moving) {
    return &rows[moving->transition];
}

bool transitions_has_row(TransitionKind kind) {
    return kind < TRANSITION_COUNT && rows[kind].overlap > 0;
}

/* ---- progress ---- */

static bool is_product(const Moving *moving) {
    return moving->transition == TRANSITION_GATHER &&
           moving->at->operation == OPERATION_MATMUL;
}

/* Fraction of the time in which the first cell, or row, moves alone. */
static double first_of(const Moving *moving) {
    return moving->moment.explanation.to < 1 ? moving->moment.explanation.to : 0;
}

/* Progress of flight number `index` of `count`; number `slow` is first and takes the
 * fraction `ahead` of the time; the others follow in order. */
static double flight(double overlap, double time, size_t index, size_t count, size_t slow,
                     double ahead) {
    double first = count > 1 && slow < count ? ahead : 0;
    if (index == slow && first > 0)
        return motion_between(time, 0, first);
    index -= first > 0 && index > slow;
    count -= first > 0;
    double place = (double)index / fmax((double)count - 1, 1);
    double length = (1 - first) * (count > 1 ? overlap : 1);
    double begins = first + (1 - first - length) * place;
    return motion_between(time, begins, begins + length);
}

/* Input that a cell of a concatenation comes from. */
static size_t block_of(const Moving *moving, size_t row, size_t col) {
    const TapeNode *at = moving->at;
    bool below = at->operation == OPERATION_STACK;
    size_t place = below ? row : col, block = 0;
    while (block + 1 < at->input_count) {
        const Tensor *input = at->operands[block];
        size_t length = below ? input->rows : input->cols;
        if (place < length)
            break;
        place -= length;
        block++;
    }
    return block;
}

/* Progress of a row after the first cell. */
static double row_progress(const Moving *moving, size_t row) {
    size_t count = moving->drawn_rows, cols = moving->out->cols;
    bool others = cols == 1 && count > 1; /* the first cell was a row */
    row = moving->ranks[row];
    row -= others && row > moving->ranks[moving->slow_row];
    count -= others;
    double overlap = fmin(fmax(row_of(moving)->overlap, 1.4 / (double)count), 1);
    bool alone = count * cols == 1 && !others;
    double rest = motion_between(moving->moment.time, alone ? 0 : first_of(moving), 1);
    return flight(overlap, rest, row, count, STILL_NONE, 0);
}

/* Progress of a product's cell after the first one: one after the other, ever quicker. */
static double product_progress(const Moving *moving, size_t cell) {
    size_t cols = moving->out->cols, count = moving->drawn_rows * cols;
    size_t slow = moving->ranks[moving->slow_row] * cols + moving->slow_col;
    cell = moving->ranks[cell / cols] * cols + cell % cols;
    if (count == 1)
        return moving->moment.time;
    double rest = motion_between(moving->moment.time, first_of(moving), 1);
    return pace_part(rest, count - 1, cell > slow ? cell - 1 : cell);
}

/* Progress of a cell among those that move one by one, in drawing order. */
static double place_progress(const Moving *moving, size_t cell) {
    size_t last = moving->place_count - 1, place = moving->places[cell];
    double overlap = moving->orphan ? fmax(0.35, 1.2 / (double)(last + 1)) : 0.5;
    return flight(fmin(overlap, 1), moving->moment.time, place < last ? place : last,
                  last + 1, STILL_NONE, 0);
}

/* Progress of a cell up to the cursor's. */
static double cursor_progress(const Moving *moving, size_t cell) {
    const PaceMoment *moment = &moving->moment;
    if (cell < moment->from || cell > moving->cursor)
        return 1;
    double count = (double)(moving->cursor + 1 - moment->from);
    return flight(fmax(1 / count, 0.3), moment->time, cell - moment->from, (size_t)count,
                  STILL_NONE, 0);
}

/* Progress of a cell's flight, from 0 to 1. */
static double progress_of(const Moving *moving, size_t row, size_t col) {
    const TransitionRow *transition = row_of(moving);
    size_t r = moving->out->rows, c = moving->out->cols, cell = row * c + col;
    double time = moving->moment.time, overlap = transition->overlap;
    double ahead = first_of(moving);
    /* Rows that aren't drawn take no time. */
    size_t drawn = moving->drawn_rows, rank = moving->ranks[row];
    size_t slow_rank = moving->ranks[moving->slow_row];
    Order order = moving->recipe ? BY_ROWS : transition->order;
    if (moving->cursor != PLAYER_NONE)
        return cursor_progress(moving, cell);
    if (row < still_cached_rows(moving->still, moving->node))
        return 1;
    if (moving->transition == TRANSITION_MORPH ||
        (moving->arcs && moving->transition == TRANSITION_APPEAR))
        return time;
    if (moving->bars.kind == BARS_SPREAD)
        return flight(overlap, time, col, c, STILL_NONE, 0);
    if (moving->transition == TRANSITION_MASK && moving->at->input_count)
        time = motion_between(time, 0, SHUTTER_FALLS);
    if (moving->place_count)
        return place_progress(moving, cell);
    switch (order) {
    case BY_CELLS:
        return flight(overlap, time, rank * c + col, drawn * c,
                      slow_rank * c + moving->slow_col, ahead);
    case BY_ROWS:
        return flight(overlap, time, rank, drawn, slow_rank, ahead);
    case BY_COLUMNS:
        return flight(overlap, time, col, c, moving->slow_col, ahead);
    case BY_BLOCKS:
        return flight(overlap, time, block_of(moving, row, col), moving->at->input_count,
                      STILL_NONE, 0);
    case FIRST_CELL:
        break;
    }
    if (cell == moving->slow && r * c > 1)
        return motion_between(time, 0, ahead);
    return is_product(moving) ? product_progress(moving, cell)
                              : row_progress(moving, row);
}

/* Cuts an image to its finished rows; an image of one row to its finished columns. */
static void cut_image(const Moving *moving, SceneItem *item) {
    if (moving->cursor != PLAYER_NONE || !item->tensor->rows)
        return;
    Tensor *part = arena_alloc(moving->still->canvas->scene->arena, 1, sizeof *part);
    *part = *item->tensor;
    bool across = part->rows == 1;
    size_t *count = across ? &part->cols : &part->rows, all = *count;
    *count = 1 + (size_t)round((double)(all - 1) * moving->moment.time);
    *(across ? &item->box.w : &item->box.h) *= (double)*count / (double)all;
    item->tensor = part;
}

/* Shows an unlinked item over one cell, such as a line that strikes it out, together with
 * the cell. */
static void show_over_cell(const Moving *moving, SceneItem *item) {
    const StillTable *out = moving->out;
    Box all = out->box, box = item->box;
    Point at = box_middle(box);
    if (!out->first || item->link.kind != LINK_NONE || item->kind == SCENE_CLIP ||
        item->kind == SCENE_UNCLIP || box.w >= all.w || box.h >= all.h ||
        !box_contains(all, at.x, at.y))
        return;
    size_t row = (size_t)((at.y - all.y) / all.h * (double)out->rows);
    size_t col = (size_t)((at.x - all.x) / all.w * (double)out->cols);
    size_t own = moving_item(moving, row, col);
    if (own == STILL_NONE)
        return;
    Box cell = still_box(moving->still, own);
    if (box.x >= cell.x && box.y >= cell.y && box.x + box.w <= cell.x + cell.w &&
        box.y + box.h <= cell.y + cell.h)
        motion_fade(item, shown_of(moving, row, col, progress_of(moving, row, col)));
}

/* Shows an item of the still at the moment; `slow` is the slow cell's progress. */
static void show_item(const Moving *moving, size_t index, double slow) {
    const TransitionRow *transition = row_of(moving);
    SceneItem *item = &moving->still->canvas->scene->items[index];
    Link link = item->link;
    bool own = link.kind == LINK_CELL && link.index == moving->node;
    if (own && item->kind == SCENE_IMAGE)
        cut_image(moving, item);
    else if (own && !(moving->recipe && recipe_is_question(moving, item)))
        (transition->show && !moving->orphan ? transition->show : land_item)(
            moving, index, progress_of(moving, link.row, link.col));
    else if (!own && moving->recipe)
        recipe_show(moving, item, slow);
    else if (!own && transition->show_beside && moving->cursor == PLAYER_NONE)
        transition->show_beside(moving, item, slow);
    else if (!own)
        show_over_cell(moving, item);
}

/* Reports whether a cell's sum is gathered part by part: the first one, or the
 * cursor's. */
static bool adds_up(const Moving *moving, size_t cell) {
    if (moving->cursor != PLAYER_NONE)
        return cell == moving->cursor && moving->moment.from == moving->cursor;
    return moving->transition == TRANSITION_GATHER &&
           (cell == moving->slow || !is_product(moving));
}

/* Reports whether a cell's flight lies below the still. */
static bool flies_below(const Moving *moving, size_t cell) {
    const TransitionRow *transition = row_of(moving);
    return transition->below && !adds_up(moving, cell) &&
           !(transition->order == FIRST_CELL && cell == moving->slow);
}

static void draw_flights(const Moving *moving, bool below) {
    const TransitionRow *transition = row_of(moving);
    const StillTable *out = moving->out;
    Scene *scene = moving->still->canvas->scene;
    size_t cells = out->rows * out->cols, end = scene->count + GHOSTS_MOST;
    for (size_t cell = 0; out->first && cell < cells && scene->count < end; cell++) {
        size_t row = cell / out->cols, col = cell % out->cols;
        double progress = progress_of(moving, row, col);
        if (!(progress > 0 && progress < 1) || flies_below(moving, cell) != below ||
            moving_item(moving, row, col) == STILL_NONE)
            continue;
        if (adds_up(moving, cell))
            gather_cell(moving, row, col, progress);
        else if (transition->fly && !moving->orphan)
            transition->fly(moving, row, col, progress);
    }
}

/* Draws what moves above the still, and shows its items according to their progress.
 * Flights are drawn from the still before its own cells are changed. */
static void play_above(const Moving *moving) {
    const Still *still = moving->still;
    const TransitionRow *transition = row_of(moving);
    double slow = progress_of(moving, moving->slow_row, moving->slow_col);
    if (moving->recipe)
        recipe_draw(moving, slow);
    else
        draw_flights(moving, false);
    if (transition->fly_all && moving->cursor == PLAYER_NONE)
        transition->fly_all(moving, moving->moment.time);
    for (size_t i = still->first; i < still->end; i++)
        show_item(moving, i, slow);
}

/* ---- several outputs ---- */

/* Reports whether an item is a ground that a whole table lies on. */
static bool is_ground_of(const SceneItem *item, const StillTable *table) {
    Box box = item->box, in = table->box;
    return item->kind == SCENE_RECTANGLE && item->fill.a &&
           item->link.kind != LINK_CELL && box.x <= in.x && box.y <= in.y &&
           box.x + box.w >= in.x + in.w && box.y + box.h >= in.y + in.h;
}

/* Part of a node's drawing in the animation. */
typedef enum Part {
    STAYS,
    IS_MADE, /* destination of flights */
    MOVES    /* moves itself */
} Part;

/* Moves the items drawn up to `end` below the still, but above the grounds of the
 * destination tables; returns their position. */
static size_t lay_below(const Still *still, const Part *parts, size_t end) {
    Scene *scene = still->canvas->scene;
    size_t under = still->first, depth = 0;
    for (size_t i = still->first; i < still->end && end > still->end; i++) {
        const SceneItem *item = &scene->items[i];
        bool ground = false;
        depth += item->kind == SCENE_CLIP;
        depth -= item->kind == SCENE_UNCLIP;
        for (size_t k = 0; k < still->table_count && !depth; k++)
            ground |= parts[k] != STAYS && is_ground_of(item, &still->tables[k]);
        if (ground)
            scene_lay_below(scene, under++, i, i + 1);
    }
    scene_lay_below(scene, under, still->end, end);
    return under;
}

/* Removes texts that moving items would partly cover; items up to `end` are at `under`
 * now. */
static void keep_readable(const Still *still, const Part *parts, size_t under,
                          size_t end) {
    Scene *scene = still->canvas->scene;
    bool *moves = arena_alloc(scene->arena, scene->count - under + 1, sizeof *moves);
    for (size_t i = under; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        const StillTable *table =
            item->link.kind == LINK_CELL ? still_table(still, item->link.index) : NULL;
        moves[i - under] = i < under + end - still->end || i >= end ||
                           (table && parts[table - still->tables] == MOVES);
    }
    readable_keep_whole(scene, under, moves);
}

void transitions_play(const Still *still, const Stage *stage,
                      const TransitionPhase *phases, size_t count) {
    Part parts[STILL_TABLES_MAX] = {STAYS};
    size_t below = still->end;
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            Moving moving;
            if (!moving_find(&moving, still, stage, &phases[i]))
                continue;
            moving.recipe = recipe_is(&moving);
            bool moves = moving.transition == TRANSITION_MORPH && moving.moment.time < 1;
            parts[moving.out - still->tables] = moves ? MOVES : IS_MADE;
            if (pass)
                play_above(&moving);
            else if (!moving.recipe)
                draw_flights(&moving, true);
        }
        below = pass ? below : still->canvas->scene->count;
    }
    keep_readable(still, parts, lay_below(still, parts, below), below);
}
