#include "picture/transitions/transitions.h"

#include "base/arena.h"
#include "base/maths.h"
#include "picture/draw/canvas.h"
#include "picture/draw/heatmap.h"
#include "picture/scene/theme.h"
#include "picture/transitions/sources.h"
#include "tensor/tape/tape.h"

#include <string.h>

enum { GHOSTS_MOST = 700 };

/* Order and movements of an output's cells in a transition. */
typedef struct TransitionRow {
    double overlap;  /* fraction of the remaining time of each other flight; 1: all
                        together */
    bool by_rows;    /* a row's cells move together */
    bool cell_first; /* but the first cell moves alone */
    bool by_columns; /* a column's cells move together */
    bool by_blocks;  /* cells from one input move together */
    bool below;      /* flights emerge from under the still, except the first cell's */
    double lands;    /* progress of its flight from which the cell itself is visible */
    /* Draws a cell's flight at a progress. */
    void (*fly)(const Moving *moving, size_t row, size_t col, double progress);
    /* Shows an item of the cell at a progress; NULL: it fades in from `lands` on. */
    void (*show)(const Moving *moving, size_t item, double progress);
    /* Shows an unlinked item at the slow cell's progress; NULL: it is visible. */
    void (*show_beside)(const Moving *moving, SceneItem *item, double progress);
    /* Draws the whole output's movement at a fraction of the whole time. */
    void (*fly_all)(const Moving *moving, double time);
} TransitionRow;

static double lands_at(const Moving *moving);

static bool waits_for_shutter(const Moving *moving, size_t row, size_t col) {
    return moving->transition == TRANSITION_MASK && moving->cursor == PLAYER_NONE &&
           tensor_is_masking(tensor_at(&moving->at->output, row, col));
}

/* Visible fraction of a cell itself at a progress of its flight. */
static double shown_of(const Moving *moving, size_t row, size_t col, double progress) {
    if (waits_for_shutter(moving, row, col))
        return moving->moment.time < 1 ? 0 : 1;
    bool others = moving->recipe && row != moving->slow / moving->out->cols;
    double lands = moving->orphan || others ? 0 : lands_at(moving);
    return motion_ease(motion_between(progress, lands, 1));
}

static bool is_ground(const SceneItem *item) {
    return item->kind == SCENE_RECTANGLE && item->fill.a && !item->stroke.a;
}

/* Draws an empty place for a cell that has not landed. */
static void leave_place(const Moving *moving, SceneItem *item, double shown) {
    const Theme *theme = moving->still->canvas->theme;
    if (shown >= 1)
        return;
    item->stroke = theme->line;
    item->stroke.a = (uint8_t)lround(theme->line.a * (1 - shown));
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
    size_t first = still_cell(moving->out, row, col, false);
    if (!is_drawn_twice(moving, row, col))
        land_item(moving, index, progress);
    else if (index < first || index >= still_run_end(moving->still, first))
        land_item(moving, index, motion_between(progress, ACROSS_LANDS, 1));
}

/* Rotates a clock's hand; other cells land. */
static void rotate_or_land_item(const Moving *moving, size_t index, double progress) {
    if (!rotate_item(moving, index, progress))
        land_item(moving, index, progress);
}

/* Shows a bar, or an item beside it, that another table's bar becomes. */
static void become_item(const Moving *moving, size_t index, double progress) {
    const Still *still = moving->still;
    SceneItem *item = &still->canvas->scene->items[index];
    size_t row = item->link.row, col = item->link.col;
    Bars bars = moving->before ? bars_of(still, moving->before) : (Bars){0};
    size_t before = bars_item(still, moving->before, row, col, &bars, 0);
    Box from = before == STILL_NONE ? (Box){0} : still_box(still, before);
    double thick = bars.kind == BARS_UPRIGHT ? from.w : from.h;
    size_t own = bars_item(still, moving->out, row, col, &bars, thick);
    if (before != STILL_NONE && own != STILL_NONE && bars.kind != BARS_NONE)
        bars_become(still, item, still_box(still, own), from, progress);
    else
        bars_grow(still, &moving->bars, item, progress);
}

/* ---- the table ---- */

static const TransitionRow rows[TRANSITION_COUNT] = {
    [TRANSITION_APPEAR] = {.overlap = 0.5,
                           .below = true,
                           .lands = 0,
                           .fly = fly_across,
                           .show = appear_item},
    [TRANSITION_MORPH] = {.overlap = 1, .lands = 0, .show = become_item},
    [TRANSITION_GATHER] = {.overlap = 0.5,
                           .by_rows = true,
                           .cell_first = true,
                           .below = true,
                           .lands = TRANSITION_EXPLAINED,
                           .fly = gather_pairs},
    [TRANSITION_LAND] = {.overlap = 0.5,
                         .by_rows = true,
                         .cell_first = true,
                         .below = true,
                         .lands = 0.85,
                         .fly = fly_straight},
    [TRANSITION_TRANSPOSE] = {.overlap = 0.6,
                              .by_columns = true,
                              .lands = 0.85,
                              .fly = fly_transposed},
    [TRANSITION_ROTATE] = {.overlap = 1,
                           .below = true,
                           .lands = 0.85,
                           .fly = fly_straight,
                           .show = rotate_or_land_item},
    [TRANSITION_MASK] = {.overlap = 0.6,
                         .by_rows = true,
                         .below = true,
                         .lands = 0.85,
                         .fly = fly_scores,
                         .fly_all = fall_shutter},
    [TRANSITION_NORMALIZE] = {.overlap = 0.6,
                              .by_rows = true,
                              .lands = 0.85,
                              .fly = fly_into_bar,
                              .show = squeeze_item,
                              .show_beside = squeeze_total},
    [TRANSITION_STRIKE] = {.overlap = 0.5,
                           .by_rows = true,
                           .cell_first = true,
                           .below = true,
                           .lands = 0.85,
                           .fly = fly_struck},
    [TRANSITION_LOOKUP] = {.overlap = 0.5,
                           .by_rows = true,
                           .below = true,
                           .lands = 0.85,
                           .fly = fly_picked},
    [TRANSITION_CONCAT] = {.overlap = 0.5,
                           .by_blocks = true,
                           .below = true,
                           .lands = 0.85,
                           .fly = fly_picked},
    [TRANSITION_SLIDE] = {.overlap = 0.6,
                          .by_rows = true,
                          .lands = 0.85,
                          .fly = fly_along,
                          .show_beside = slide_between},
    [TRANSITION_MERGE] = {.overlap = 1,
                          .lands = 0.85,
                          .fly = fly_together,
                          .show = merge_item},
    [TRANSITION_SPREAD] = {.overlap = 0.5,
                           .by_rows = true,
                           .cell_first = true,
                           .below = true,
                           .lands = TRANSITION_EXPLAINED,
                           .fly = gather_pairs},
};

static double lands_at(const Moving *moving) {
    return rows[moving->transition].lands;
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
static double flight(const TransitionRow *row, double time, size_t index, size_t count,
                     size_t slow, double ahead) {
    double first = count > 1 && slow < count ? ahead : 0;
    if (index == slow && first > 0)
        return motion_between(time, 0, first);
    index -= first > 0 && index > slow;
    count -= first > 0;
    double place = (double)index / fmax((double)count - 1, 1);
    double length = (1 - first) * (count > 1 ? row->overlap : 1);
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
    const TransitionRow *transition = &rows[moving->transition];
    size_t count = moving->out->rows, cols = moving->out->cols;
    bool others = cols == 1 && count > 1; /* the first cell was a row */
    row -= others && row > moving->slow;
    count -= others;
    TransitionRow even = {.overlap =
                              fmin(fmax(transition->overlap, 1.4 / (double)count), 1)};
    bool alone = count * cols == 1 && !others;
    double rest = motion_between(moving->moment.time, alone ? 0 : first_of(moving), 1);
    return flight(&even, rest, row, count, STILL_NONE, 0);
}

/* Progress of a product's cell after the first one: one after the other, ever quicker. */
static double product_progress(const Moving *moving, size_t cell) {
    size_t count = moving->out->rows * moving->out->cols;
    if (count == 1)
        return moving->moment.time;
    double rest = motion_between(moving->moment.time, first_of(moving), 1);
    return pace_part(rest, count - 1, cell > moving->slow ? cell - 1 : cell);
}

/* Progress of a cell among those that move one by one, in drawing order. */
static double place_progress(const Moving *moving, size_t cell) {
    size_t last = moving->place_count - 1, place = moving->places[cell];
    double overlap = moving->orphan ? fmax(0.35, 1.2 / (double)(last + 1)) : 0.5;
    const TransitionRow even = {.overlap = fmin(overlap, 1)};
    return flight(&even, moving->moment.time, place < last ? place : last, last + 1,
                  STILL_NONE, 0);
}

/* Progress of a cell's flight, from 0 to 1. */
static double progress_of(const Moving *moving, size_t row, size_t col) {
    const TransitionRow *transition = &rows[moving->transition];
    const PaceMoment *moment = &moving->moment;
    size_t r = moving->out->rows, c = moving->out->cols, cell = row * c + col;
    if (moving->cursor != PLAYER_NONE) {
        if (cell < moment->from || cell > moving->cursor)
            return 1;
        double count = (double)(moving->cursor + 1 - moment->from);
        double at = (double)(cell - moment->from), length = fmax(1 / count, 0.3);
        double begins = count > 1 ? (1 - length) * at / (count - 1) : 0;
        return motion_between(moment->time, begins, begins + length);
    }
    double time = moment->time;
    if (row < still_cached_rows(moving->still, moving->node))
        return 1;
    if (moving->recipe)
        return flight(transition, time, row, r, moving->slow / c, first_of(moving));
    if (moving->transition == TRANSITION_MORPH) {
        double each = 1 / fmax((double)moving->count - 1, 1);
        double begins = each * ((double)moving->index - 1);
        return motion_between(time, begins, begins + each);
    }
    if (moving->arcs && moving->transition == TRANSITION_APPEAR)
        return time;
    if (moving->bars.kind == BARS_SPREAD)
        return flight(transition, time, col, c, STILL_NONE, 0);
    if (moving->transition == TRANSITION_MASK && moving->at->input_count)
        time = motion_between(time, 0, SHUTTER_FALLS);
    if (moving->place_count)
        return place_progress(moving, cell);
    if (transition->cell_first && cell == moving->slow && r * c > 1)
        return motion_between(time, 0, first_of(moving));
    if (is_product(moving))
        return product_progress(moving, cell);
    if (transition->cell_first)
        return row_progress(moving, row);
    if (transition->by_rows)
        return flight(transition, time, row, r, moving->slow / c, first_of(moving));
    if (transition->by_columns)
        return flight(transition, time, col, c, moving->slow % c, first_of(moving));
    if (transition->by_blocks)
        return flight(transition, time, block_of(moving, row, col),
                      moving->at->input_count, STILL_NONE, 0);
    return flight(transition, time, cell, r * c, moving->slow, first_of(moving));
}

/* Cuts an image to its finished rows; an image of one row to its finished columns. */
static void cut_image(const Moving *moving, SceneItem *item) {
    Scene *scene = moving->still->canvas->scene;
    const PaceMoment *moment = &moving->moment;
    if (moving->cursor != PLAYER_NONE || !item->tensor->rows)
        return;
    Tensor *part = arena_alloc(scene->arena, 1, sizeof *part);
    *part = *item->tensor;
    bool across = part->rows == 1;
    size_t *count = across ? &part->cols : &part->rows, all = *count;
    *count = 1 + (size_t)round((double)(all - 1) * moment->time);
    *(across ? &item->box.w : &item->box.h) *= (double)*count / (double)all;
    item->tensor = part;
}

/* Shows an unlinked item over one cell, such as a line that strikes it out, together with
 * the cell. */
static void show_over_cell(const Moving *moving, SceneItem *item) {
    const StillTable *out = moving->out;
    Box all = out->box, box = item->box;
    if (!out->first || item->link.kind != LINK_NONE || item->kind == SCENE_CLIP ||
        item->kind == SCENE_UNCLIP || !(box.w < all.w && box.h < all.h))
        return;
    double x = box.x + box.w / 2, y = box.y + box.h / 2;
    if (!box_contains(all, x, y))
        return;
    size_t row = (size_t)((y - all.y) / all.h * (double)out->rows);
    size_t col = (size_t)((x - all.x) / all.w * (double)out->cols);
    size_t own = moving_item(moving, row, col);
    if (own == STILL_NONE)
        return;
    Box cell = still_box(moving->still, own);
    if (box.x >= cell.x && box.y >= cell.y && box.x + box.w <= cell.x + cell.w &&
        box.y + box.h <= cell.y + cell.h)
        motion_fade(item, shown_of(moving, row, col, progress_of(moving, row, col)));
}

static void show_cells(const Moving *moving) {
    const Still *still = moving->still;
    const TransitionRow *transition = &rows[moving->transition];
    size_t cols = moving->out->cols;
    double slow = progress_of(moving, moving->slow / cols, moving->slow % cols);
    for (size_t i = still->first; i < still->end; i++) {
        SceneItem *item = &still->canvas->scene->items[i];
        if (item->link.kind != LINK_CELL || item->link.index != moving->node) {
            if (moving->recipe)
                recipe_show(moving, item, slow);
            else if (transition->show_beside && moving->cursor == PLAYER_NONE)
                transition->show_beside(moving, item, slow);
            else
                show_over_cell(moving, item);
            continue;
        }
        if (item->kind == SCENE_IMAGE) {
            cut_image(moving, item);
            continue;
        }
        if (moving->recipe && recipe_is_question(moving, item))
            continue;
        double progress = progress_of(moving, item->link.row, item->link.col);
        (transition->show && !moving->orphan ? transition->show : land_item)(moving, i,
                                                                             progress);
    }
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
    const TransitionRow *transition = &rows[moving->transition];
    return transition->below && !adds_up(moving, cell) &&
           !(transition->cell_first && cell == moving->slow);
}

static void draw_flights(const Moving *moving, bool below) {
    const TransitionRow *transition = &rows[moving->transition];
    const StillTable *out = moving->out;
    Scene *scene = moving->still->canvas->scene;
    size_t cells = out->rows * out->cols, end = scene->count + GHOSTS_MOST;
    for (size_t cell = 0; out->first && cell < cells && scene->count < end; cell++) {
        size_t row = cell / out->cols, col = cell % out->cols;
        double progress = progress_of(moving, row, col);
        if (!(progress > 0 && progress < 1) || flies_below(moving, cell) != below)
            continue;
        if (adds_up(moving, cell))
            gather_cell(moving, row, col, progress);
        else if (transition->fly && !moving->orphan)
            transition->fly(moving, row, col, progress);
    }
}

void transitions_draw_below(const Moving *moving) {
    if (!moving->recipe)
        draw_flights(moving, true);
}

/* Flights are drawn from the still before its own cells are changed. */
void transitions_play(const Moving *moving) {
    const TransitionRow *transition = &rows[moving->transition];
    const StillTable *out = moving->out;
    if (moving->recipe)
        recipe_draw(moving, progress_of(moving, moving->slow / out->cols, 0));
    else
        draw_flights(moving, false);
    if (transition->fly_all && moving->cursor == PLAYER_NONE)
        transition->fly_all(moving, moving->moment.time);
    show_cells(moving);
}
