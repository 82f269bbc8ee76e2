#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/stage/caption.h"

#include <math.h>
#include <string.h>

/* A product in Falk's scheme, and behind it, row beside row, what is made of it cell by
 * cell: scores that are scaled, and masked. */

enum { CHAIN_MOST = 2, SIDE_MOST = 8 }; /* tables behind the product; its rows, columns */
static const double GAP = 92, NAME_UNITS = 22, SIGN_UNITS = 34, ABOVE_UNITS = 19,
                    WORDS_UNITS = 15;
static const double LEAST_COLUMN = 44;

typedef struct Chain {
    const Stage *stage;
    size_t product;
    size_t count, nodes[CHAIN_MOST]; /* made of it, the last one the step's */
} Chain;

static bool is_mask(const Stage *stage, size_t node) {
    return operation_of(stage_node(stage, node)->operation)->values ==
           OPERATION_VALUES_MASK;
}

/* The table that an operation by a number, or with a mask, works on; TAPE_NONE. */
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

/* Whether a part of the step is no more than a factor's, or a mask. */
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

/* "÷ √2", "+ mask": what an arrow to a table says. */
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

/* As wide as the widest words. */
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

/* Its own name; on the way, what it is. */
static const char *name_of(const Chain *chain, size_t node) {
    const Stage *stage = chain->stage;
    OperationKind kind = stage_node(stage, node)->operation;
    bool scaled = kind == OPERATION_DIVIDE && !stage_node(stage, node)->name[0];
    return scaled ? canvas_format(stage->canvas, "\\text{%s}",
                                  canvas_string(stage->canvas, "part.scaled"))
                  : stage_formula_name(stage, node);
}

static void draw_table(const Chain *chain, size_t node, Box cells, double reach) {
    const Stage *stage = chain->stage;
    const Canvas *canvas = stage->canvas;
    bool own = node == stage->node;
    Heatmap table = stage_heatmap(stage, node, cells, reach);
    table.col_labels = true;
    stage_focus(stage, &table, false, true);
    if (own)
        stage_result(stage, &table);
    heatmap_draw(canvas, &table);
    Caption caption = caption_fit(stage, name_of(chain, node), node,
                                  stage_tensor(stage, node), NAME_UNITS, cells.w + GAP);
    double drop = caption_shape_drop(canvas, caption.below);
    caption_draw(stage, &caption,
                 (Point){cells.x + cells.w / 2, cells.y + cells.h + caption.above + 8},
                 drop, LABEL_CENTER);
    if (own && stage->has_focus)
        heatmap_outline_cell(canvas, &table, stage->focus_row, stage->focus_col,
                             canvas->theme->focus);
}

/* The product, whose focused cell is on the way: it has a term's colour. */
static void draw_product(const Chain *chain, FalkTail *tail) {
    Canvas canvas = *chain->stage->canvas;
    Theme *theme = arena_alloc(canvas.scene->arena, 1, sizeof *theme); /* legends' */
    Stage stage = *chain->stage;
    stage.node = chain->product;
    if (chain->count && theme) {
        *theme = *canvas.theme;
        theme->focus = stage_color(chain->stage, chain->product, 0);
        canvas.theme = theme;
        stage.canvas = &canvas;
        stage.visible = (size_t)-1;
    }
    falk_picture(&stage, tail);
}

bool chain_picture(const Stage *stage) {
    Chain chain = {.stage = stage};
    if (stage->values || stage->is_question || !find(&chain))
        return false;
    FalkTail tail = {.tables = chain.count, .gap = gap_of(&chain)};
    double cols = (double)stage_tensor(stage, stage->node)->cols;
    if (chain.count && stage->area.w * FALK_TAIL_SHARE - tail.gap < cols * LEAST_COLUMN)
        return false;
    draw_product(&chain, &tail);
    Box cells = tail.first;
    for (size_t i = 0; i < chain.count; i++) {
        draw_arrow(&chain, chain.nodes[i],
                   (Point){cells.x - tail.gap / 2, cells.y + cells.h / 2});
        draw_table(&chain, chain.nodes[i], cells, tail.reach);
        cells.x += cells.w + tail.gap;
    }
    return true;
}
