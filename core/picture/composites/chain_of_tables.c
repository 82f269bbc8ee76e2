#include "picture/composites/composites.h"

#include "base/arena.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"
#include "picture/layers/layers.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/stage/panels.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* A step as the results of its operations in order. An arrow leads from a result to the
 * next one computed from it, labelled with the operation and its parameter ("· W_1"); of
 * a product of two results both factors are shown. Results computed from others are
 * separated by a comma. Of many operations only the first and the last ones are drawn. */

static const double LEAST_TABLE = 12; /* points: a table's longer side */
enum { FLOW_MOST = 9, TABLE_ROWS_MOST = 12, SMALL_TABLE = 36, LAST_ITEMS = 2 };

typedef struct Flow {
    const Stage *stage;
    size_t item_count, *items; /* steps that are shown, as numbers of the player's tree */
    size_t count;
    Panel panels[PANELS_MAX];
} Flow;

static const PlayerStep *step_of(const Stage *stage, size_t step) {
    return &stage->player->steps[step];
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* ---- choice of results ---- */

static bool is_mask(const TapeNode *node) {
    return operation_of(node->operation)->values == OPERATION_VALUES_MASK;
}

/* Reports whether a node is a term of a sum: a table of the sum's shape. */
static bool is_term(const Stage *stage, size_t node, size_t sum) {
    const Tensor *term = stage_tensor(stage, node), *whole = stage_tensor(stage, sum);
    return term->rows == whole->rows && term->cols == whole->cols &&
           !stage_node(stage, node)->quiet && !is_mask(stage_node(stage, node)) &&
           !tensor_is_mask(&stage_node(stage, node)->output);
}

/* Reports whether a node is a + b or a − b of two tables. */
static bool is_sum(const Stage *stage, size_t node) {
    const TapeNode *at = stage_node(stage, node);
    return (at->operation == OPERATION_ADD || at->operation == OPERATION_SUBTRACT) &&
           is_term(stage, at->inputs[0], node) && is_term(stage, at->inputs[1], node);
}

/* Reports whether an unnamed result belongs to the next sum: a sum as its first term, or
 * a multiple of a table. */
static bool is_within_sum(const Stage *stage, size_t node, size_t next) {
    const TapeNode *at = stage_node(stage, node), *sum = stage_node(stage, next);
    bool times =
        (at->operation == OPERATION_MULTIPLY || at->operation == OPERATION_DIVIDE) &&
        (stage_node(stage, at->inputs[0])->quiet ||
         stage_node(stage, at->inputs[1])->quiet);
    return !at->name[0] && is_sum(stage, next) &&
           ((is_sum(stage, node) && sum->inputs[0] == node) ||
            (times && (sum->inputs[0] == node || sum->inputs[1] == node)));
}

/* Step of an item. */
static const PlayerStep *item_of(const Flow *flow, size_t index) {
    return step_of(flow->stage, flow->items[index]);
}

/* First item that reads the result of another one; that item itself if there is none. */
static size_t reader_of(const Flow *flow, size_t index) {
    size_t node = item_of(flow, index)->node;
    for (size_t i = index + 1; i < flow->item_count; i++) {
        const TapeNode *at = stage_node(flow->stage, item_of(flow, i)->node);
        for (size_t j = 0; j < at->input_count; j++) {
            if (at->inputs[j] == node)
                return item_of(flow, i)->node;
        }
    }
    return node;
}

/* Reports whether a result is not worth showing: a mask, a product before its bias is
 * added, a transpose before the next operation. */
static bool is_passing(const Flow *flow, size_t index) {
    const PlayerStep *item = item_of(flow, index);
    if (index + 1 == flow->item_count || item->child_count)
        return false;
    const TapeNode *node = stage_node(flow->stage, item->node);
    size_t last = item_of(flow, flow->item_count - 1)->node;
    if (is_mask(node) || node->operation == OPERATION_TRANSPOSE ||
        is_within_sum(flow->stage, item->node, reader_of(flow, index)))
        return true;
    if (node->operation == OPERATION_CONCAT) /* of columns that become rows again */
        return stage_node(flow->stage, last)->operation == OPERATION_TRANSPOSE;
    return ends_with(node->name, "_product") && flow->item_count > 3;
}

static void choose_items(Flow *flow) {
    const Stage *stage = flow->stage;
    const PlayerStep *at = player_step(stage->player);
    flow->items =
        arena_alloc(stage->canvas->scene->arena, at->child_count, sizeof *flow->items);
    for (size_t i = at->parts; i < at->next; i = step_of(stage, i)->next)
        flow->items[flow->item_count++] = i;
    size_t kept = 0;
    for (size_t i = 0; i < flow->item_count; i++) {
        if (!is_passing(flow, i))
            flow->items[kept++] = flow->items[i];
    }
    flow->item_count = kept;
}

/* ---- inputs of a result ---- */

/* Node itself, or the input of an unshown transpose. */
static size_t resolve_node(const Stage *stage, size_t node) {
    while (stage_node(stage, node)->operation == OPERATION_TRANSPOSE)
        node = stage_node(stage, node)->inputs[0];
    return node;
}

/* Reports whether an operand is a parameter, a constant or a mask, which is named but not
 * shown. */
static bool is_aside(const Stage *stage, size_t node) {
    const TapeNode *at = stage_node(stage, node);
    return at->operation == OPERATION_GIVEN || is_mask(at) || at->quiet ||
           ends_with(at->name, ".mask");
}

static size_t find_panel(const Flow *flow, size_t node) {
    for (size_t i = flow->count; i > 0; i--) {
        if (resolve_node(flow->stage, flow->panels[i - 1].node) ==
            resolve_node(flow->stage, node))
            return i - 1;
    }
    return PLAYER_NONE;
}

static bool is_last(const Flow *flow, size_t node) {
    return flow->count && find_panel(flow, node) == flow->count - 1;
}

static bool is_shown(const Flow *flow, size_t node) {
    return find_panel(flow, node) != PLAYER_NONE;
}

/* Reports whether `left` and `right` are the last two tables with nothing between
 * them. */
static bool are_last(const Flow *flow, size_t left, size_t right) {
    if (flow->count < 2 || !is_last(flow, right))
        return false;
    const Panel *last = &flow->panels[flow->count - 1];
    return resolve_node(flow->stage, last[-1].node) == resolve_node(flow->stage, left) &&
           last->sign && strcmp(last->sign, ",") == 0;
}

/* Role of an unnamed result in an attention: "scores"; NULL: its formula describes it
 * better. */
static const char *role_of(const Stage *stage, size_t node) {
    const TapeNode *at = stage_node(stage, node);
    if (at->name[0])
        return NULL;
    OperationKind kind = at->operation;
    if (kind == OPERATION_MATMUL)
        return stage_node(stage, at->inputs[1])->quiet ? "part.scores" : NULL;
    if (kind == OPERATION_DIVIDE) /* scores divided by a number */
        return stage_node(stage, at->inputs[0])->operation == OPERATION_MATMUL &&
                       stage_node(stage, at->inputs[1])->quiet
                   ? "part.scaled"
                   : NULL;
    if (kind == OPERATION_ADD)
        return is_mask(stage_node(stage, at->inputs[1])) ? "part.masked" : NULL;
    return kind == OPERATION_SOFTMAX               ? "part.weights"
           : operation_of(kind)->normalizes        ? "part.norm"
           : kind == OPERATION_POSITIONAL_ENCODING ? "part.position"
                                                   : NULL;
}

/* Appends a table if there is room for it and for the step's result. */
static void append_panel(Flow *flow, size_t node, const char *sign, const char *above) {
    if (flow->count + 1 >= PANELS_MAX)
        return;
    const Canvas *canvas = flow->stage->canvas;
    const char *role = role_of(flow->stage, node);
    Panel panel = panel_of(flow->stage, node, flow->count ? sign : NULL);
    for (size_t i = 0; role && i < flow->count; i++) {
        const char *before = role_of(flow->stage, flow->panels[i].node);
        if (before && strcmp(before, role) == 0)
            role = NULL; /* a second one of the role is named by its formula */
    }
    if (role)
        panel.formula = canvas_format(canvas, "\\text{%s}", canvas_string(canvas, role));
    panel.sign_above = flow->count ? above : NULL;
    flow->panels[flow->count++] = panel;
}

static void show_operand(Flow *flow, size_t node) {
    if (!is_shown(flow, node))
        append_panel(flow, resolve_node(flow->stage, node), ",", NULL);
}

/* Appends a result after the table it is computed from, which is shown before it. */
static void append_led(Flow *flow, size_t from, size_t node, const char *above) {
    show_operand(flow, from);
    append_panel(flow, node, is_last(flow, from) ? "\\to" : ",", above);
}

static const char *factor_of(const Flow *flow, size_t node) {
    return stage_formula_behind(flow->stage, "\\cdot", node);
}

/* ---- one result ---- */

/* Adds the product of two results, with both before it. */
static void add_product(Flow *flow, size_t node) {
    const TapeNode *at = stage_node(flow->stage, node);
    size_t left = at->inputs[0], right = at->inputs[1];
    bool both = are_last(flow, left, right);
    if (both)
        flow->panels[flow->count - 1] = panel_of(flow->stage, right, "\\cdot");
    else if (!is_shown(flow, left) && !is_last(flow, right))
        show_operand(flow, left);
    if (!both && is_last(flow, left)) {
        append_panel(flow, right, "\\cdot", NULL);
        both = true;
    }
    if (both) {
        append_panel(flow, node, "\\to", NULL);
        return;
    }
    show_operand(flow, left);
    show_operand(flow, right);
    append_panel(flow, node, "\\to",
                 canvas_format(flow->stage->canvas, "%s \\cdot %s", factor_of(flow, left),
                               factor_of(flow, right)));
}

/* Adds a product: of a given parameter, x W, the arrow has the name. The values of an
 * attention are shown like results even if they are given. */
static void add_matmul(Flow *flow, size_t node) {
    const Stage *stage = flow->stage;
    const TapeNode *at = stage_node(stage, node);
    if (stage_node(stage, at->inputs[1])->operation == OPERATION_GIVEN &&
        stage_colors(stage->tape, at->inputs[0]) != HEATMAP_PROBABILITIES)
        append_led(
            flow, at->inputs[0], node,
            canvas_format(stage->canvas, "\\cdot %s", factor_of(flow, at->inputs[1])));
    else
        add_product(flow, node);
}

/* Adds the terms of a sum behind each other, beginning with the last table shown. */
static void add_terms(Flow *flow, size_t sum) {
    const TapeNode *at = stage_node(flow->stage, sum);
    size_t first = at->inputs[0];
    bool known = is_last(flow, first);
    if (!known && !stage_node(flow->stage, first)->name[0] && is_sum(flow->stage, first))
        add_terms(flow, first);
    else if (!known)
        append_panel(flow, first, ",", NULL);
    append_panel(flow, at->inputs[1], operation_of(at->operation)->symbol, NULL);
}

/* Adds a + b, of which one leads to the result and the other is named or shown before
 * it. */
static void add_pairwise(Flow *flow, size_t node) {
    const Stage *stage = flow->stage;
    const TapeNode *at = stage_node(stage, node);
    const char *sign = operation_of(at->operation)->symbol;
    size_t a = at->inputs[0], b = at->inputs[1];
    bool either = at->operation == OPERATION_ADD || at->operation == OPERATION_MULTIPLY;
    if (are_last(flow, a, b)) {
        flow->panels[flow->count - 1].sign = sign;
        flow->panels[flow->count - 1].sign_above = NULL;
        append_panel(flow, node, "=", NULL);
        return;
    }
    if (!is_last(flow, a) && !is_last(flow, b)) {
        bool constant = stage_node(stage, a)->quiet;
        bool second = is_aside(stage, a) && (!is_aside(stage, b) || constant);
        show_operand(flow, second ? b : a);
        if (!is_aside(stage, a) && !is_aside(stage, b) && !is_shown(flow, b)) {
            append_panel(flow, b, sign, NULL);
            append_panel(flow, node, "=", NULL);
            return;
        }
    }
    if (is_last(flow, a))
        append_panel(flow, node, "\\to",
                     canvas_format(stage->canvas, "%s %s", sign,
                                   stage_formula_behind(stage, sign, b)));
    else if (is_last(flow, b))
        append_panel(flow, node, "\\to",
                     either ? canvas_format(stage->canvas, "%s %s", sign,
                                            stage_formula_behind(stage, sign, a))
                            : canvas_format(stage->canvas, "%s %s",
                                            stage_formula_part(stage, a), sign));
    else
        append_panel(flow, node, "\\to", stage_operation_words(stage, node));
}

/* Adds concatenated rows, possibly as the transpose of concatenated transposes. */
static void add_stacked(Flow *flow, size_t node, const TapeNode *joined) {
    const Canvas *canvas = flow->stage->canvas;
    for (size_t i = 0; i < joined->input_count; i++)
        show_operand(flow, joined->inputs[i]);
    append_panel(
        flow, node, "\\to",
        canvas_format(canvas, "\\text{%s}", canvas_string(canvas, "flow.stacked")));
}

/* Adds any other operation, led to by its first input if that is the last table;
 * otherwise that input is shown first. A large lookup table is replaced by its IDs. */
static void add_other(Flow *flow, size_t node) {
    const Stage *stage = flow->stage;
    const TapeNode *at = stage_node(stage, node);
    const char *words = stage_operation_words(stage, node);
    if (at->input_count == 0) {
        append_panel(flow, node, ",", NULL);
        return;
    }
    size_t from = at->inputs[0];
    if (at->operation == OPERATION_EMBED &&
        stage_tensor(stage, from)->rows > TABLE_ROWS_MOST)
        from = at->inputs[1];
    bool leads = false;
    for (size_t i = 0; i < at->input_count; i++)
        leads |= is_last(flow, at->inputs[i]);
    if (!leads)
        show_operand(flow, from);
    leads |= is_last(flow, from);
    append_panel(flow, node, leads ? "\\to" : ",", words);
}

static void add_operation(Flow *flow, size_t node) {
    const TapeNode *at = stage_node(flow->stage, node);
    const TapeNode *before =
        at->input_count ? stage_node(flow->stage, at->inputs[0]) : NULL;
    const Operation *operation = operation_of(at->operation);
    bool product = at->operation == OPERATION_ADD && /* a bias is added to it */
                   ends_with(before->name, "_product") && !is_shown(flow, at->inputs[0]);
    bool turned =
        at->operation == OPERATION_TRANSPOSE && before->operation == OPERATION_CONCAT;
    if (at->operation == OPERATION_MATMUL) {
        add_matmul(flow, node);
    } else if (product) {
        append_led(flow, before->inputs[0], node,
                   canvas_format(flow->stage->canvas, "\\cdot %s + %s",
                                 factor_of(flow, before->inputs[1]),
                                 factor_of(flow, at->inputs[1])));
    } else if (is_sum(flow->stage, node) && !is_last(flow, at->inputs[1])) {
        add_terms(flow, node);
        append_panel(flow, node, "=", NULL);
    } else if (operation->work == OPERATION_WORK_BY_CELL && operation->inputs.most == 2) {
        add_pairwise(flow, node);
    } else if (at->operation == OPERATION_STACK || turned) {
        add_stacked(flow, node, turned ? before : at);
    } else {
        add_other(flow, node);
    }
}

/* ---- groups ---- */

/* Input of a group: the first input of its operations that was computed before it; if all
 * are given, the first input of its first operation. */
static size_t group_source(const Stage *stage, size_t step) {
    size_t first = lane_first_node(stage, step), last = step_of(stage, step)->node;
    for (size_t i = first; i <= last; i++) {
        const TapeNode *at = stage_node(stage, i);
        for (size_t j = 0; j < at->input_count; j++) {
            size_t input = resolve_node(stage, at->inputs[j]);
            if (input < first && !is_aside(stage, input))
                return input;
        }
    }
    const TapeNode *at = stage_node(stage, first);
    return at->input_count ? at->inputs[0] : TAPE_NONE;
}

static void add_group(Flow *flow, size_t step) {
    const Stage *stage = flow->stage;
    size_t source = group_source(stage, step), node = step_of(stage, step)->node;
    const char *name = lane_sublayer_name(stage, step);
    if (name)
        name = canvas_format(stage->canvas, "\\text{%s}", name);
    if (source == TAPE_NONE)
        append_panel(flow, node, "\\to", name);
    else
        append_led(flow, source, node, name);
}

/* Adds `kept` items, the first and the last ones, and the result. */
static void add_items(Flow *flow, size_t kept) {
    const Stage *stage = flow->stage;
    size_t all = flow->item_count;
    size_t first_ones = kept - kept / 2, last_ones = all - kept / 2;
    flow->count = 0;
    for (size_t i = 0; i < all; i++) {
        const PlayerStep *item = item_of(flow, i);
        if (i >= first_ones && i < last_ones)
            continue;
        if (kept < all && i == last_ones)
            append_panel(flow, item->node, "\\ldots", NULL);
        else if (flow->count + 1 < PANELS_MAX && item->child_count)
            add_group(flow, flow->items[i]);
        else if (flow->count + 1 < PANELS_MAX)
            add_operation(flow, item->node);
    }
    size_t result = player_step(stage->player)->node;
    if (flow->panels[flow->count - 1].node != result)
        flow->panels[flow->count++] = panel_of(stage, result, "\\ldots");
    flow->panels[flow->count - 1].is_output = true;
}

/* Contents that a chain has room for: its tables, the numbers of all small ones, one
 * line. */
typedef struct FlowRoom {
    bool tables, numbers, one_line;
} FlowRoom;

static FlowRoom room_of(const Flow *flow) {
    Flow placed = *flow;
    const Box *area = &flow->stage->area;
    FlowRoom room = {true, true, true};
    panels_layout(flow->stage, placed.panels, placed.count);
    for (size_t i = 0; i < placed.count; i++) {
        const Panel *panel = &placed.panels[i];
        Box cells = panel->heatmap.cells;
        room.tables &= fmax(cells.w, cells.h) >= LEAST_TABLE &&
                       panel->box.x + panel->box.w <= area->x + area->w + 1;
        room.numbers &= tensor_cells(panel->tensor) > SMALL_TABLE ||
                        heatmap_number_size(flow->stage->canvas, &panel->heatmap) > 0;
        room.one_line &= i == 0 || panel->sign_x > placed.panels[i - 1].box.x;
    }
    return room;
}

/* Leaves out the first results on enlarged pages, if the last ones have numbers then, or
 * one line. */
static void keep_numbers(Flow *flow) {
    Flow shorter = *flow;
    bool numbers = false, one_line = false;
    while (flow->stage->canvas->least > 0 && shorter.item_count && !one_line) {
        FlowRoom room = room_of(&shorter);
        if (room.numbers && (room.one_line || !numbers)) {
            *flow = shorter;
            numbers = true;
        }
        one_line = room.one_line && numbers;
        if (shorter.item_count <= LAST_ITEMS)
            return;
        shorter.items++;
        add_items(&shorter, --shorter.item_count);
    }
}

bool chain_of_tables(const Stage *stage) {
    Flow flow = {.stage = stage};
    choose_items(&flow);
    size_t kept = flow.item_count < FLOW_MOST ? flow.item_count : FLOW_MOST;
    do
        add_items(&flow, kept);
    while (!room_of(&flow).tables && --kept > 1);
    keep_numbers(&flow);
    panels_show(stage, flow.panels, flow.count);
    for (size_t i = 1; i < flow.count; i++) {
        if (flow.panels[i].sign && stage_node(stage, flow.panels[i].node)->muted)
            muted_strike(stage->canvas, &flow.panels[i]);
    }
    return true;
}
