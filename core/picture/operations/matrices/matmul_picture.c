#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/stage/figure.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* Falk's scheme: the left factor stands to the left of the product, the right factor
 * above it, so that every cell of the product lies where its row and its column meet. */

static const double GAP = 44, BRACKET = 7, PART_UNITS = 19;
static const double ARROW_GAP = 92, SIGN_UNITS = 34, ABOVE_UNITS = 19, WORDS_UNITS = 15;
/* Limits of a chain: tables behind the product; its rows and columns. */
enum { CHAIN_MOST = 2, SIDE_MOST = 8 };

/* Tracks of the scheme across and down; more may follow across. */
enum {
    FALK_LABELS = 1,
    FALK_INNER, /* the summed axis */
    FALK_BETWEEN,
    FALK_OUTER,
    FALK_NAMES,
    FALK_COLUMNS
};
enum {
    FALK_HEADS = 1,
    FALK_INNER_ROWS,
    FALK_ABOVE,
    FALK_OUTER_ROWS,
    FALK_BELOW,
    FALK_LINES
};

typedef struct Falk {
    Figure figure;
    Panel *left, *right, *made;
} Falk;

/* Sets up the scheme of a product, not yet laid out; more tables may be added to its
 * figure. `instead` is drawn in the product's position: the product itself or a node of
 * its shape. */
static void falk_init(Falk *falk, const Stage *stage, size_t product, size_t instead) {
    const TapeNode *node = stage_node(stage, product);
    const Tensor *a = stage_tensor(stage, node->inputs[0]),
                 *b = stage_tensor(stage, node->inputs[1]);
    falk->figure = figure_of(stage);
    Figure *figure = &falk->figure;
    box_take_bottom(&figure->area, 4);
    figure->columns = FALK_COLUMNS;
    figure->lines = FALK_LINES;
    figure->across[FALK_INNER] = figure_cells(a->cols, 1);
    figure->across[FALK_INNER].within = 1 + FALK_OUTER;
    figure->across[FALK_BETWEEN] = figure->down[FALK_ABOVE] = track_of(GAP);
    figure->across[FALK_OUTER] = figure_cells(b->cols, 0);
    /* Rows that a one-hot factor selects are to be readable. */
    bool picks = stage_node(stage, node->inputs[0])->operation == OPERATION_ONE_HOT;
    figure->down[FALK_INNER_ROWS] = figure_cells(b->rows, picks ? 0 : 1);
    figure->down[FALK_INNER_ROWS].within = 1 + FALK_OUTER_ROWS;
    figure->down[FALK_OUTER_ROWS] = figure_cells(a->rows, 0);
    falk->left = figure_add(figure, node->inputs[0], NULL, FALK_INNER, FALK_OUTER_ROWS);
    falk->right = figure_add(figure, node->inputs[1], NULL, FALK_OUTER, FALK_INNER_ROWS);
    falk->made = figure_add(figure, instead, NULL, FALK_OUTER, FALK_OUTER_ROWS);
    falk->left->labels = FALK_LABELS;
    falk->left->below = FALK_BELOW;
    falk->right->heads = FALK_HEADS;
    falk->right->beside = falk->made->beside = FALK_NAMES;
    bool given = stage_node(stage, falk->right->node)->operation == OPERATION_GIVEN;
    if (given && !falk->right->tab.name && falk->made->tab.name) /* the role's weights */
        falk->right->tab = caption_tab_of(stage, falk->right->formula, falk->right->node,
                                          falk->made->tab.role, true);
}

/* Draws bands from the focused row and column to the cell where they meet. */
static void draw_bands(const Stage *stage, const Heatmap *a, const Heatmap *b) {
    const Canvas *canvas = stage->canvas;
    Box row =
        heatmap_cells(a, stage->focus_row, stage->focus_row + 1, 0, a->tensor->cols);
    Box col =
        heatmap_cells(b, 0, b->tensor->rows, stage->focus_col, stage->focus_col + 1);
    Color left = stage_color(stage, a->node, 0), top = stage_color(stage, b->node, 1);
    left.a = top.a = 28;
    canvas_fill(canvas, (Box){row.x + row.w, row.y, b->cells.x - row.x - row.w, row.h}, 0,
                left);
    canvas_fill(canvas, (Box){col.x, col.y + col.h, col.w, a->cells.y - col.y - col.h}, 0,
                top);
}

static void draw_focus(const Stage *stage, const Heatmap *a, const Heatmap *b,
                       const Heatmap *c, Color color) {
    const Canvas *canvas = stage->canvas;
    size_t row = stage->focus_row, col = stage->focus_col;
    size_t pairs = a->tensor->cols;
    heatmap_outline(canvas, a, row, row + 1, 0, pairs, stage_color(stage, a->node, 0));
    heatmap_outline(canvas, b, 0, pairs, col, col + 1, stage_color(stage, b->node, 1));
    bool picks = stage_node(stage, a->node)->operation == OPERATION_ONE_HOT;
    for (size_t i = 0; picks && i < pairs; i++) { /* the row of b that is selected */
        if (tensor_at(a->tensor, row, i) > 0)
            heatmap_outline(canvas, b, i, i + 1, 0, b->tensor->cols,
                            stage_color(stage, a->node, 0));
    }
    heatmap_outline_cell(canvas, c, row, col, color);
}

/* Draws a bracket between two points, above or left of it, with ticks and name on the
 * outer side. */
static void draw_bracket(const Canvas *canvas, Point from, Point to, const char *name) {
    bool above = from.y == to.y;
    double tick_x = above ? 0 : BRACKET, tick_y = above ? BRACKET : 0;
    const Point path[] = {
        {from.x + tick_x, from.y + tick_y}, from, to, {to.x + tick_x, to.y + tick_y}};
    scene_path(canvas->scene, path, 4, 2, canvas->theme->ink_soft);
    canvas_formula(canvas, name, PART_UNITS,
                   above ? (Point){(from.x + to.x) / 2, from.y - 2 * BRACKET}
                         : (Point){from.x - BRACKET, (from.y + to.y) / 2},
                   above ? LABEL_CENTER : LABEL_RIGHT);
}

/* Labels parts side by side: their columns, and the rows that are multiplied with
 * them. */
static void draw_parts(const Stage *stage, const Heatmap *a, const Heatmap *b) {
    const Canvas *canvas = stage->canvas;
    const TapeNode *joined = stage_node(stage, a->node);
    if (joined->operation != OPERATION_CONCAT || a->col_labels || b->row_labels)
        return;
    double size = canvas_size(canvas, PART_UNITS, "");
    for (size_t i = 0, begin = 0; i < joined->input_count; i++) {
        size_t end = begin + joined->operands[i]->cols;
        const char *name = stage_formula_name(stage, joined->inputs[i]);
        Box cols = heatmap_cells(a, 0, 1, begin, end),
            rows = heatmap_cells(b, begin, end, 0, 1);
        begin = end;
        if (canvas_formula_extent(canvas, name, size).width > cols.w || rows.h < size)
            continue;
        draw_bracket(canvas, (Point){cols.x + 2, cols.y - 2 * BRACKET},
                     (Point){cols.x + cols.w - 2, cols.y - 2 * BRACKET}, name);
        draw_bracket(canvas, (Point){rows.x - 2 * BRACKET, rows.y + 2},
                     (Point){rows.x - 2 * BRACKET, rows.y + rows.h - 2}, name);
    }
}

/* Labels the summed axis in the free corner, where the left factor's column labels and
 * the right factor's row labels would meet: the right factor's if its rows have room, the
 * left factor's if there is room below those. */
static void label_corner(const Canvas *canvas, Heatmap *a, Heatmap *b, double gap,
                         double room) {
    double pitch = b->cells.h / (double)b->tensor->rows;
    b->row_labels = b->tensor->row_labels && pitch >= canvas_size(canvas, 17, "一") * 1.1;
    b->label_room = room;
    double cell_w = a->cells.w / (double)a->tensor->cols;
    double most = b->row_labels ? gap - 8 : gap + b->cells.h;
    double wanted = heatmap_col_label_height(canvas, a->tensor, cell_w, INFINITY);
    a->col_labels = wanted > 0 && wanted <= most;
}

/* Draws a scheme that is laid out; the focused cell of the product has this colour. */
static void falk_draw(Falk *falk, Color focus) {
    Figure *figure = &falk->figure;
    const Stage *stage = figure->stage;
    Heatmap *a = &falk->left->heatmap, *b = &falk->right->heatmap;
    stage_focus(stage, a, true, false);
    stage_focus(stage, b, false, true);
    label_corner(stage->canvas, a, b, figure->across[FALK_BETWEEN].size,
                 b->cells.x - stage->area.x);
    if (stage->has_focus)
        draw_bands(stage, a, b);
    figure_draw(figure);
    draw_parts(stage, a, b);
    if (stage->has_focus)
        draw_focus(stage, a, b, &falk->made->heatmap, focus);
}

/* Draws a product, or a table of its shape in its position. */
static void draw_product(const Stage *stage, size_t product, size_t instead) {
    Falk falk;
    falk_init(&falk, stage, product, instead);
    falk.made->is_output = true;
    falk.figure.own_legends = product != instead;
    figure_lay_out(&falk.figure);
    falk_draw(&falk, stage->canvas->theme->focus);
}

void matmul_picture(const Stage *stage) {
    draw_product(stage, stage->node, stage->node);
}

/* Returns the product that a table of its shape is computed from, as attention weights
 * are from scores, by following first inputs; 0: there is none. */
static size_t product_behind(const Stage *stage, size_t node) {
    const TapeNode *at = stage_node(stage, node);
    const Tensor *shape = &at->output;
    while (at->operation != OPERATION_MATMUL) {
        if (!at->input_count || at->output.rows != shape->rows ||
            at->output.cols != shape->cols)
            return 0;
        node = at->inputs[0];
        at = stage_node(stage, node);
    }
    return node;
}

bool meeting_picture(const Stage *stage) {
    const size_t *shown = stage->step->shown;
    if (stage->step->shown_count != 3 || stage->is_question || stage->values)
        return false;
    size_t product = product_behind(stage, shown[2]);
    const TapeNode *node = stage_node(stage, product);
    if (!product || product == shown[2] || node->inputs[0] != shown[0])
        return false;
    const TapeNode *right = stage_node(stage, node->inputs[1]);
    if (right->operation != OPERATION_TRANSPOSE || right->inputs[0] != shown[1])
        return false;
    draw_product(stage, product, shown[2]);
    return true;
}

/* ---- a product and what is computed from it cell by cell ---- */

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
    for (size_t i = at->parts; i < at->next; i = steps[i].next) {
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
    const char *sign = operation_of(at->operation)->symbol;
    return canvas_format(stage->canvas, "%s %s", sign,
                         is_mask(stage, at->inputs[1])
                             ? stage_operation_words(stage, at->inputs[1])
                             : stage_formula_behind(stage, sign, at->inputs[1]));
}

static double units_of(const char *words) {
    return strncmp(words, "+ \\text", 7) == 0 ? WORDS_UNITS : ABOVE_UNITS;
}

/* Returns the width of the widest label. */
static double gap_of(const Chain *chain) {
    const Canvas *canvas = chain->stage->canvas;
    double widest = ARROW_GAP;
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
static const char *table_name(const Chain *chain, size_t node) {
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
        Panel *table =
            figure_add(figure, node, table_name(chain, node), arrow + 1, FALK_OUTER_ROWS);
        table->below = FALK_BELOW;
        table->is_derived = true;
        table->tab = (RoleTab){0};
    }
    figure->columns = FALK_COLUMNS + 2 * chain->count;
    figure->tables[figure->count - 1].is_output = true;
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
    if (chain->count)
        stage_outline_focus(stage, &figure->tables[figure->count - 1].heatmap);
}

bool chain_picture(const Stage *stage) {
    Chain chain = {.stage = stage};
    if (stage->values || stage->is_question || !find(&chain) ||
        (chain.count && stage->area.h > stage->area.w)) /* lines of tables are larger */
        return false;
    Falk falk;
    falk_init(&falk, stage, chain.product, chain.product);
    add_tables(&chain, &falk);
    if (!figure_lay_out(&falk.figure) && chain.count)
        return false;
    draw_tables(&chain, &falk);
    return true;
}
