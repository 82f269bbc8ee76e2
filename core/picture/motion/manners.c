#include "picture/motion/manners.h"

#include "base/maths.h"
#include "picture/draw/heatmap.h"

enum { SOURCES_MOST = 24, GHOSTS_MOST = 700 };

/* How a manner passes over the output's cells. */
typedef struct MannerRow {
    double first;    /* the share of the time that the first cell has, or row, alone */
    double overlap;  /* of the rest, how much of it each other's flight lasts: 1: all
                        together */
    bool by_rows;    /* a row's cells go together, … */
    bool cell_first; /* … but the first cell alone */
    bool by_columns; /* columns come one after the other, not rows */
    double lands;    /* from this share of its flight on the cell itself is there */
    /* What is on its way to a cell, or to a row, at a share of its flight. */
    void (*fly)(const Moving *moving, size_t row, size_t col, double share);
    void (*fly_row)(const Moving *moving, size_t row, double share);
    /* What is drawn of all of it, at a share of the whole time. */
    void (*fly_all)(const Moving *moving, double time);
} MannerRow;

/* ---- sources ---- */

typedef struct Sources {
    const Moving *moving;
    size_t count, most;
    size_t items[SOURCES_MOST]; /* in the still */
    bool once[8];               /* of each input one cell: those that have theirs */
    bool one_each;
} Sources;

static void take_source(void *context, const Term *cell) {
    Sources *sources = context;
    const Moving *moving = sources->moving;
    if (sources->count == sources->most || cell->input >= moving->at->input_count)
        return;
    if (sources->one_each && (cell->input >= 8 || sources->once[cell->input]))
        return;
    const StillTable *table = still_table(moving->still, moving->at->inputs[cell->input]);
    size_t item = still_cell(table, cell->row, cell->col, cell->input > 0);
    if (item == STILL_NONE)
        return;
    for (size_t i = 0; i < sources->count; i++) {
        if (sources->items[i] == item)
            return;
    }
    if (cell->input < 8)
        sources->once[cell->input] = true;
    sources->items[sources->count++] = item;
}

/* The cell that an output's is a copy of, or stands for: at its own place, where the
 * input has the output's shape. */
static const Term *copied_cell(const Term *term) {
    while (term && term->kind != TERM_CELL) {
        if (term->kind == TERM_ROW_OF || term->kind == TERM_COLUMN_OF)
            term = term->parts[1];
        else
            term = term->count == 1 ? term->parts[0] : NULL;
    }
    return term;
}

/* Where a cell comes from: of each input one cell, or one copied, or all. */
static Sources sources_of(const Moving *moving, size_t row, size_t col, bool one_each,
                          size_t most) {
    Sources sources = {.moving = moving, .most = most, .one_each = one_each};
    Arena *arena = moving->still->canvas->scene->arena;
    const Term *term = tape_explain(moving->still->tape, moving->node, row, col, arena);
    const Term *copied = copied_cell(term);
    if (!term)
        return sources;
    const Tensor *input = moving->at->input_count ? moving->at->operands[0] : NULL;
    if (copied)
        take_source(&sources, copied);
    else if (one_each && input && moving->at->input_count == 1 &&
             input->rows == moving->out->rows && input->cols == moving->out->cols)
        take_source(&sources, &(Term){.kind = TERM_CELL, .row = row, .col = col});
    else
        term_visit_cells(term, take_source, &sources);
    return sources;
}

static size_t own_item(const Moving *moving, size_t row, size_t col) {
    return still_cell(moving->out, row, col, true);
}

/* ---- flights ---- */

static void fly_bent(const Moving *moving, size_t row, size_t col, double share,
                     double bend, double lift) {
    size_t own = own_item(moving, row, col);
    if (own == STILL_NONE)
        return;
    Sources sources = sources_of(moving, row, col, true, SOURCES_MOST);
    Box to = still_box(moving->still, own);
    double way = motion_ease(motion_between(share, lift > 0 ? 0.15 : 0, 0.9));
    for (size_t i = 0; i < sources.count; i++) {
        Box from = still_box(moving->still, sources.items[i]);
        double raised = lift * from.h * motion_ease(motion_between(share, 0, 0.2)) *
                        (1 - motion_between(share, 0.7, 0.9));
        Box box = motion_box_along(from, to, way, bend);
        box.y -= raised;
        ghost_draw(moving->still, sources.items[i], box,
                   1 - motion_between(share, 0.9, 1));
    }
}

static void fly_straight(const Moving *moving, size_t row, size_t col, double share) {
    fly_bent(moving, row, col, share, 0, 0);
}

static void fly_turned(const Moving *moving, size_t row, size_t col, double share) {
    fly_bent(moving, row, col, share, 0.3, 0);
}

static void fly_lifted(const Moving *moving, size_t row, size_t col, double share) {
    fly_bent(moving, row, col, share, 0, 0.25);
}

/* Every cell that went into it comes. */
static void fly_from_all(const Moving *moving, size_t row, size_t col, double share) {
    size_t own = own_item(moving, row, col);
    if (own == STILL_NONE)
        return;
    Sources sources = sources_of(moving, row, col, false, SOURCES_MOST);
    Box to = still_box(moving->still, own);
    for (size_t i = 0; i < sources.count; i++) {
        double late =
            sources.count > 1 ? 0.3 * (double)i / (double)(sources.count - 1) : 0;
        double way = motion_ease(motion_between(share, late, late + 0.6));
        Box box = motion_box_between(still_box(moving->still, sources.items[i]), to, way);
        ghost_draw(moving->still, sources.items[i], box,
                   1 - motion_between(way, 0.85, 1));
    }
}

/* What goes through zero is struck out as it lands. */
static void fly_struck(const Moving *moving, size_t row, size_t col, double share) {
    const Canvas *canvas = moving->still->canvas;
    size_t own = own_item(moving, row, col);
    fly_bent(moving, row, col, share, 0, 0);
    double value = tensor_at(&moving->at->output, row, col);
    double before = tensor_at(moving->at->operands[0], row, col);
    if (own == STILL_NONE || value > 0 || before >= 0)
        return;
    Box box = still_box(moving->still, own);
    double inset = fmin(box.w, box.h) * 0.15;
    double drawn = motion_ease(motion_between(share, 0.5, 0.75));
    Color color = canvas->theme->ink;
    color.a = (uint8_t)lround(255 * (1 - motion_between(share, 0.85, 1)));
    if (drawn > 0)
        scene_line(canvas->scene, (Point){box.x + inset, box.y + box.h - inset},
                   (Point){box.x + inset + (box.w - 2 * inset) * drawn,
                           box.y + box.h - inset - (box.h - 2 * inset) * drawn},
                   fmax(canvas_length(canvas, 3), 1), color);
}

static const double SHUTTER_FALLS = 0.45;

/* What is masked: the cell of the first input that is no mask. */
static Sources scores_of(const Moving *moving, size_t row, size_t col) {
    Sources sources = {.moving = moving, .most = 1};
    for (size_t i = 0; i < moving->at->input_count; i++) {
        size_t input = moving->at->inputs[i];
        OperationKind kind = tape_node(moving->still->tape, input)->operation;
        Term cell = {.kind = TERM_CELL, .input = i, .row = row, .col = col};
        if (operation_of(kind)->values != OPERATION_VALUES_MASK)
            take_source(&sources, &cell);
    }
    return sources;
}

/* The shutter falls over what has landed: each masked cell as far as it is down. */
static void fall_shutter(const Moving *moving, double time) {
    const Still *still = moving->still;
    const StillTable *out = moving->out;
    const Canvas *canvas = still->canvas;
    double down = motion_ease(motion_between(time, SHUTTER_FALLS, 1));
    if (!out->first || !(time < 1))
        return;
    Box open = {out->box.x, out->box.y, out->box.w, out->box.h * down};
    for (size_t layer = 0; layer < 2; layer++) {
        if (layer)
            scene_clip(canvas->scene, open);
        for (size_t i = 0; i < out->rows * out->cols; i++) {
            size_t row = i / out->cols, col = i % out->cols;
            size_t own = own_item(moving, row, col);
            if (own == STILL_NONE ||
                !heatmap_is_masking(tensor_at(&moving->at->output, row, col)))
                continue;
            if (layer) {
                ghost_draw(still, own, still_box(still, own), 1);
                continue;
            }
            Sources sources = scores_of(moving, row, col);
            if (sources.count)
                ghost_draw(still, sources.items[0], still_box(still, own),
                           motion_between(time, SHUTTER_FALLS - 0.1, SHUTTER_FALLS));
        }
        if (layer)
            scene_unclip(canvas->scene);
    }
    Color edge = canvas->theme->hatch;
    if (down > 0)
        canvas_fill(canvas, (Box){open.x, open.y + open.h - 3, open.w, 3}, 0, edge);
}

/* The scores land; the mask comes from above. */
static void fly_scores(const Moving *moving, size_t row, size_t col, double share) {
    size_t own = own_item(moving, row, col);
    Sources sources = scores_of(moving, row, col);
    if (own == STILL_NONE || !sources.count)
        return;
    Box from = still_box(moving->still, sources.items[0]);
    double way = motion_ease(motion_between(share, 0, 0.9));
    ghost_draw(moving->still, sources.items[0],
               motion_box_between(from, still_box(moving->still, own), way),
               1 - motion_between(share, 0.9, 1));
}

/* A row's bars grow as its exponentials, and are squeezed until they are one long
 * together. */
static void squeeze_row(const Moving *moving, size_t row, double share) {
    const Still *still = moving->still;
    const Canvas *canvas = still->canvas;
    const Tensor *in = moving->at->operands[0];
    double largest = -INFINITY;
    for (size_t j = 0; j < in->cols; j++)
        largest = fmax(largest, tensor_at(in, row, j));
    double grown = motion_ease(motion_between(share, 0.4, 0.65));
    double squeezed = motion_ease(motion_between(share, 0.7, 0.95));
    for (size_t j = 0; j < moving->out->cols; j++) {
        fly_bent(moving, row, j, motion_between(share, 0, 0.45), 0, 0);
        size_t own = own_item(moving, row, j);
        if (own == STILL_NONE || !(grown > 0))
            continue;
        double tall = exp(tensor_at(in, row, j) - largest);
        double part = tensor_at(&moving->at->output, row, j);
        double height = isfinite(largest) ? tall + (part - tall) * squeezed : 0;
        Box box = still_box(still, own);
        Color color = canvas->theme->accent;
        color.a = (uint8_t)lround(220 * (1 - motion_between(share, 0.92, 1)));
        double h = box.h * fmin(fmax(height, 0), 1) * grown;
        canvas_fill(canvas, (Box){box.x + box.w * 0.2, box.y + box.h - h, box.w * 0.6, h},
                    canvas_length(canvas, 2), color);
    }
}

/* ---- the table ---- */

static const MannerRow rows[MANNER_COUNT] = {
    [MANNER_APPEAR] = {.overlap = 0.5, .lands = 0},
    [MANNER_GATHER] = {.first = 0.42,
                       .overlap = 0.5,
                       .by_rows = true,
                       .cell_first = true,
                       .lands = 0.85},
    [MANNER_LAND] = {.first = 0.35,
                     .overlap = 0.5,
                     .by_rows = true,
                     .cell_first = true,
                     .lands = 0.85,
                     .fly = fly_straight},
    [MANNER_TURN] = {.first = 0.35,
                     .overlap = 0.7,
                     .by_rows = true,
                     .cell_first = true,
                     .lands = 0.85,
                     .fly = fly_turned},
    [MANNER_SHUTTER] = {.overlap = 0.6,
                        .by_rows = true,
                        .lands = 0.85,
                        .fly = fly_scores,
                        .fly_all = fall_shutter},
    [MANNER_SQUEEZE] = {.first = 0.45,
                        .overlap = 0.6,
                        .by_rows = true,
                        .lands = 0.85,
                        .fly_row = squeeze_row},
    [MANNER_STRIKE] = {.first = 0.35,
                       .overlap = 0.5,
                       .by_rows = true,
                       .cell_first = true,
                       .lands = 0.85,
                       .fly = fly_struck},
    [MANNER_PICK] =
        {.first = 0.4, .overlap = 0.5, .by_rows = true, .lands = 0.85, .fly = fly_lifted},
    [MANNER_JOIN] = {.overlap = 0.5,
                     .by_columns = true,
                     .lands = 0.85,
                     .fly = fly_lifted},
    [MANNER_SLIDE] = {.first = 0.4,
                      .overlap = 0.5,
                      .by_rows = true,
                      .lands = 0.85,
                      .fly = fly_straight},
    [MANNER_SPREAD] = {.first = 0.4,
                       .overlap = 0.5,
                       .by_rows = true,
                       .cell_first = true,
                       .lands = 0.85,
                       .fly = fly_from_all},
};

bool manners_has_row(MannerKind kind) {
    return kind < MANNER_COUNT && rows[kind].overlap > 0;
}

/* ---- in time ---- */

static bool is_product(const Moving *moving) {
    return moving->at->operation == OPERATION_MATMUL && !moving->at->muted;
}

/* The share of a flight that is number `index` of `count`, number `slow` being the first,
 * and slow. */
static double flight(const MannerRow *row, double time, size_t index, size_t count,
                     size_t slow) {
    double first = count > 1 ? row->first : 0;
    if (index == slow && first > 0)
        return motion_between(time, 0, first);
    double place = (double)index / fmax((double)count - 1, 1);
    double length = (1 - first) * (count > 1 ? row->overlap : 1);
    double begins = first + (1 - first - length) * place;
    return motion_between(time, begins, begins + length);
}

/* How far a row is, behind the first cell. */
static double row_share(const Moving *moving, size_t row) {
    const MannerRow *manner = &rows[moving->manner];
    size_t count = moving->out->rows;
    bool alone = count * moving->out->cols == 1;
    MannerRow even = {.overlap = fmin(fmax(manner->overlap, 1.4 / (double)count), 1)};
    double rest = motion_between(moving->moment->time, alone ? 0 : manner->first, 1);
    return flight(&even, rest, row, count, STILL_NONE);
}

/* How far a cell's flight is, from 0 to 1. */
static double share_of(const Moving *moving, size_t row, size_t col) {
    const MannerRow *manner = &rows[moving->manner];
    const PaceMoment *moment = moving->moment;
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
    if (moving->manner == MANNER_SHUTTER && moving->at->input_count)
        time = motion_between(time, 0, SHUTTER_FALLS);
    if (manner->cell_first && cell == moving->slow && r * c > 1)
        return motion_between(time, 0, manner->first);
    if (is_product(moving))
        return gather_share(moving, col, row_share(moving, row));
    if (manner->cell_first)
        return row_share(moving, row);
    if (manner->by_rows)
        return flight(manner, time, row, r, moving->slow / c);
    if (manner->by_columns)
        return flight(manner, time, col, c, 0);
    return flight(manner, time, cell, r * c, moving->slow);
}

static bool waits_for_shutter(const Moving *moving, size_t row, size_t col) {
    return moving->manner == MANNER_SHUTTER && moving->cursor == PLAYER_NONE &&
           heatmap_is_masking(tensor_at(&moving->at->output, row, col));
}

/* How much of a cell itself is there. */
static double shown_of(const Moving *moving, size_t row, size_t col) {
    if (waits_for_shutter(moving, row, col))
        return moving->moment->time < 1 ? 0 : 1;
    return motion_ease(
        motion_between(share_of(moving, row, col), rows[moving->manner].lands, 1));
}

static bool is_ground(const SceneItem *item) {
    return item->kind == SCENE_RECTANGLE && item->fill.a && !item->stroke.a;
}

/* Where a cell is to be, an empty place is drawn. */
static void leave_place(const Moving *moving, SceneItem *item, double shown) {
    const Theme *theme = moving->still->canvas->theme;
    if (shown >= 1)
        return;
    item->stroke = theme->line;
    item->stroke.a = (uint8_t)lround(theme->line.a * (1 - shown));
    item->width = 1;
}

/* Of an image whole rows are there. */
static void cut_image(const Moving *moving, SceneItem *item) {
    Scene *scene = moving->still->canvas->scene;
    const PaceMoment *moment = moving->moment;
    if (moving->cursor != PLAYER_NONE || !item->tensor->rows)
        return;
    Tensor *part = arena_alloc(scene->arena, 1, sizeof *part);
    if (!part) {
        scene->incomplete = true;
        return;
    }
    *part = *item->tensor;
    part->rows = (size_t)fmax(round((double)part->rows * motion_ease(moment->time)), 1);
    item->box.h *= (double)part->rows / (double)item->tensor->rows;
    item->tensor = part;
}

static void show_cells(const Moving *moving) {
    const Still *still = moving->still;
    for (size_t i = still->first; i < still->end; i++) {
        SceneItem *item = &still->canvas->scene->items[i];
        if (item->link.kind != LINK_CELL || item->link.index != moving->node)
            continue;
        if (item->kind == SCENE_IMAGE) {
            cut_image(moving, item);
            continue;
        }
        double shown = shown_of(moving, item->link.row, item->link.col);
        if (item->kind == SCENE_LINE)
            motion_grow(still->canvas->scene, item, shown);
        bool ground = is_ground(item);
        motion_fade(item, shown);
        if (ground)
            leave_place(moving, item, shown);
    }
}

/* A cell that is added up by itself: the first one, or the cursor's. */
static bool adds_up(const Moving *moving, size_t cell) {
    if (moving->cursor != PLAYER_NONE)
        return cell == moving->cursor && moving->moment->from == moving->cursor;
    return moving->manner == MANNER_GATHER &&
           (cell == moving->slow || !is_product(moving));
}

static void draw_flights(const Moving *moving) {
    const MannerRow *manner = &rows[moving->manner];
    const StillTable *out = moving->out;
    Scene *scene = moving->still->canvas->scene;
    size_t begun = scene->count;
    for (size_t i = 0; i < out->rows; i++) {
        for (size_t j = 0; j < out->cols && scene->count < begun + GHOSTS_MOST; j++) {
            size_t cell = i * out->cols + j;
            double share = share_of(moving, i, j);
            if (!(share > 0 && share < 1))
                continue;
            bool flies = !manner->fly_row || moving->cursor != PLAYER_NONE;
            if (adds_up(moving, cell))
                gather_cell(moving, i, j, fmin(share / rows[MANNER_GATHER].lands, 1));
            else if (manner->fly && flies)
                manner->fly(moving, i, j, share);
            else if (manner->fly_row && flies)
                fly_straight(moving, i, j, share);
        }
        if (moving->cursor != PLAYER_NONE || scene->count >= begun + GHOSTS_MOST)
            continue;
        double share = share_of(moving, i, 0);
        if (manner->fly_row && share > 0 && share < 1)
            manner->fly_row(moving, i, share);
        if (is_product(moving))
            gather_row(moving, i, row_share(moving, i));
    }
    if (manner->fly_all && moving->cursor == PLAYER_NONE)
        manner->fly_all(moving, moving->moment->time);
}

/* Flights are drawn from the still before its own cells are let go. */
void manners_play(const Moving *moving) {
    if (moving->out->first)
        draw_flights(moving);
    show_cells(moving);
}
