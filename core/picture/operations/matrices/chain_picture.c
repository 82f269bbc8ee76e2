#include "lesson/play/player.h"
#include "picture/draw/canvas.h"
#include "picture/operations/matrices/falk.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* A product in Falk's scheme and, behind it row beside row, what is computed from it cell
 * by cell: scaled and masked scores. */

/* Limits: tables behind the product; its rows and columns. */
enum { CHAIN_MOST = 2, SIDE_MOST = 8 };
static const double GAP = 92, SIGN_UNITS = 34, ABOVE_UNITS = 19, WORDS_UNITS = 15;

typedef struct Chain {
    const Stage *stage;
    size_t product;
    /* Computed from the product; the last is the step's. */
    size_t count, nodes[CHAIN_MOST];
} Chain;

static bool is_mask(const Stage *stage, size_t node) {
    return operation_of(stage_node(stage, node)->operation)->values ==
           OPERATION_VALUES_MASK;
}

/* Returns the table that an operation with a number or a mask is applied to; TAPE_NONE:
 * none. */
static size_t table_of(const Stage *stage, size_t node) {
    const TapeNode *at = stage_node(stage, node);
    if (at->muted)
        return TAPE_NONE;
    if (at->operation == OPERATION_DIVIDE || at->operation == OPERATION_MULTIPLY)
        return tensor_cells(at->operands[1]) == 1 ? at->inputs[0] : TAPE_NONE;
    if (at->operation != OPERATION_ADD)
        return TAPE_NONE;
    return is_mask(stage, at->inputs[1]) ? at->inputs[0] : TAPE_NONE;
}

static bool is_of_chain(const Chain *chain, size_t node) {
    bool found = node == chain->product;
    for (size_t i = 0; i < chain->count; i++)
        found |= chain->nodes[i] == node;
    return found;
}

/* Returns true if a part of the step only computes a factor or a mask. */
static bool is_aside(const Chain *chain, size_t node) {
    OperationKind kind = stage_node(chain->stage, node)->operation;
    return kind == OPERATION_SLICE || kind == OPERATION_TRANSPOSE ||
           kind == OPERATION_CONCAT || is_mask(chain->stage, node);
}

static bool find(Chain *chain) {
    const Stage *stage = chain->stage;
    const PlayerStep *steps = stage->player->steps, *at = player_step(stage->player);
    size_t node = stage->node, reversed[CHAIN_MOST];
    while (stage_node(stage, node)->operation != OPERATION_MATMUL) {
        size_t table = table_of(stage, node);
        if (table == TAPE_NONE || chain->count == CHAIN_MOST)
            return false;
        reversed[chain->count++] = node;
        node = table;
    }
    chain->product = node;
    for (size_t i = 0; i < chain->count; i++)
        chain->nodes[i] = reversed[chain->count - 1 - i];
    bool made = false;
    for (size_t i = stage->player->step + 1; i < at->next; i = steps[i].next) {
        made |= steps[i].node == node;
        if (steps[i].child_count ||
            (!is_of_chain(chain, steps[i].node) && !is_aside(chain, steps[i].node)))
            return false;
    }
    const Tensor *product = stage_tensor(stage, node);
    return made && !stage_node(stage, node)->muted &&
           (!chain->count || (product->rows <= SIDE_MOST && product->cols <= SIDE_MOST));
}

/* Returns the label of an arrow to a table, such as "÷ √2" or "+ mask". */
static const char *words_of(const Chain *chain, size_t node) {
    const Stage *stage = chain->stage;
    const TapeNode *at = stage_node(stage, node);
    return canvas_format(stage->canvas, "%s %s", operation_of(at->operation)->symbol,
                         is_mask(stage, at->inputs[1])
                             ? stage_operation_words(stage, at->inputs[1])
                             : stage_formula_name(stage, at->inputs[1]));
}

static double units_of(const char *words) {
    return strncmp(words, "+ \\text", 7) == 0 ? WORDS_UNITS : ABOVE_UNITS;
}

/* Returns the width of the widest label. */
static double gap_of(const Chain *chain) {
    const Canvas *canvas = chain->stage->canvas;
    double widest = GAP;
    for (size_t i = 0; i < chain->count; i++) {
        const char *words = words_of(chain, chain->nodes[i]);
        FormulaExtent extent = canvas_formula_extent(
            canvas, words, canvas_size(canvas, units_of(words), ""));
        widest = fmax(widest, extent.width + 16);
    }
    return ceil(widest);
}

static void draw_arrow(const Chain *chain, size_t node, Point middle) {
    const Canvas *canvas = chain->stage->canvas;
    const char *words = words_of(chain, node);
    double size = canvas_size(canvas, units_of(words), "");
    FormulaExtent extent = canvas_formula_extent(canvas, words, size);
    canvas_formula(canvas, "\\to", SIGN_UNITS, middle, LABEL_CENTER);
    middle.y -= extent.descent + 22;
    canvas_formula(canvas, words, size, middle, LABEL_CENTER);
}

/* Returns a table's name; for one on the way, its meaning. */
static const char *name_of(const Chain *chain, size_t node) {
    const Stage *stage = chain->stage;
    OperationKind kind = stage_node(stage, node)->operation;
    bool scaled = kind == OPERATION_DIVIDE && !stage_node(stage, node)->name[0];
    return scaled ? canvas_format(stage->canvas, "\\text{%s}",
                                  canvas_string(stage->canvas, "part.scaled"))
                  : stage_formula_name(stage, node);
}

/* Returns the track of the arrow to a table behind the product; the next track has the
 * table's columns. */
static size_t arrow_track(size_t i) {
    return FALK_COLUMNS + 2 * i;
}

static void add_tables(const Chain *chain, Falk *falk) {
    const Stage *stage = chain->stage;
    Figure *figure = &falk->figure;
    for (size_t i = 0; i < chain->count; i++) {
        size_t node = chain->nodes[i], arrow = arrow_track(i);
        figure->across[arrow] = track_of(gap_of(chain));
        figure->across[arrow + 1] = figure_cells(stage_tensor(stage, node)->cols, 0);
        FigureTable *table =
            figure_add(figure, node, name_of(chain, node), arrow + 1, FALK_OUTER_ROWS);
        table->below = FALK_BELOW;
        table->is_derived = true;
        table->tab = (RoleTab){0};
    }
    figure->columns = FALK_COLUMNS + 2 * chain->count;
    figure->tables[figure->count - 1].is_result = true;
    if (chain->count) /* names are where legends would be */
        box_take_bottom(&figure->area, STAGE_LEGEND_HEIGHT);
}

/* Draws the tables; the focused cell of those on the way has a term's colour. */
static void draw_tables(const Chain *chain, Falk *falk) {
    const Stage *stage = chain->stage;
    Figure *figure = &falk->figure;
    Color focus = stage->canvas->theme->focus;
    for (size_t i = 0; i < chain->count; i++) {
        Heatmap *table = &figure->tables[figure->count - chain->count + i].heatmap;
        table->col_labels = true;
        stage_focus(stage, table, false, true);
        Track arrow = figure->across[arrow_track(i)];
        draw_arrow(chain, chain->nodes[i],
                   (Point){arrow.at + arrow.size / 2, box_middle(table->cells).y});
    }
    falk_draw(falk, chain->count ? stage_color(stage, chain->product, 0) : focus);
    if (chain->count && stage->has_focus)
        heatmap_outline_cell(stage->canvas, &figure->tables[figure->count - 1].heatmap,
                             stage->focus_row, stage->focus_col, focus);
}

bool chain_picture(const Stage *stage) {
    Chain chain = {.stage = stage};
    if (stage->values || stage->is_question || !find(&chain) ||
        (chain.count && stage->area.h > stage->area.w)) /* lines of tables are larger */
        return false;
    Falk *falk = falk_of(stage, chain.product, chain.product);
    if (!falk)
        return false;
    add_tables(&chain, falk);
    if (!figure_lay_out(&falk->figure) && chain.count)
        return false;
    draw_tables(&chain, falk);
    return true;
}
