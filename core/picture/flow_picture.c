#include "picture/pictures.h"

#include <string.h>

/* A closed step: what its operations make, one after the other. An arrow leads from a
 * result to the next that is made from it and says what was done, with the other tensor
 * that took part ("+ M"); results that stand on others are set apart by a comma. Of many
 * operations only the first and the last ones are drawn. */

enum { FLOW_MOST = 5 };

/* A transpose without a step of its own stands for what it transposes. */
static size_t resolve(const Stage *stage, size_t node) {
    const TapeNode *at = stage_node(stage, node);
    bool passes = at->quiet && at->operation == OPERATION_TRANSPOSE;
    return passes ? at->inputs[0] : node;
}

/* Whether the last two results stand side by side and `other` is the first of them. */
static bool stands_beside(const Stage *stage, const Panel *panels, size_t count,
                          size_t other) {
    return count > 1 && panels[count - 1].sign &&
           strcmp(panels[count - 1].sign, ",") == 0 &&
           panels[count - 2].node == resolve(stage, other);
}

/* The sign that stands between two operands. */
static const char *sign_between(OperationKind operation) {
    switch (operation) {
    case OPERATION_MATMUL:
        return "\\cdot";
    case OPERATION_ADD:
        return "+";
    case OPERATION_SUBTRACT:
        return "-";
    case OPERATION_MULTIPLY:
        return "\\odot";
    case OPERATION_DIVIDE:
        return "\\div";
    default:
        return NULL;
    }
}

static bool uses(const Stage *stage, size_t node, size_t before) {
    const TapeNode *at = stage_node(stage, node);
    for (size_t i = 0; i < at->input_count; i++) {
        if (resolve(stage, at->inputs[i]) == before)
            return true;
    }
    return false;
}

/* Whether a result is made from `before`, by its own operation or, where it ends a group,
 * by any of the group's. */
static bool depends(const Stage *stage, size_t node, size_t before) {
    size_t group = stage_node(stage, node)->group;
    if (uses(stage, node, before))
        return true;
    if (group == TAPE_NONE)
        return false;
    const TapeGroup *around = tape_group(stage->tape, group);
    bool ends_group = around->first + around->count == node + 1 && around->first > before;
    for (size_t i = around->first; ends_group && i < node; i++) {
        if (uses(stage, i, before))
            return true;
    }
    return false;
}

/* What leads from the result `before` to `node`: "÷ √2", "· V", or the operation's name.
 */
static const char *label_of(const Stage *stage, const Panel *panels, size_t count,
                            size_t node, size_t before) {
    const TapeNode *at = stage_node(stage, node);
    const char *sign = sign_between(at->operation);
    if (!uses(stage, node, before))
        return NULL; /* many operations: an arrow says enough */
    if (!sign)
        return stage_operation_words(stage, node);
    size_t chain = resolve(stage, at->inputs[0]) == before ? 0 : 1;
    size_t other = at->inputs[1 - chain];
    if (stands_beside(stage, panels, count, other))
        return stage_operation_words(stage, node);
    const char *name = stage_formula_name(stage, other);
    return chain == 0 ? canvas_format(stage->canvas, "%s %s", sign, name)
                      : canvas_format(stage->canvas, "%s %s", name, sign);
}

/* Appends a result; `gap`: some were left out before it. */
static void add_panel(const Stage *stage, Panel *panels, size_t *count, size_t node,
                      bool gap) {
    Panel panel = panel_of(stage, node, NULL);
    if (gap) {
        panel.sign = "\\ldots";
    } else if (*count) {
        size_t before = panels[*count - 1].node;
        bool leads = depends(stage, node, before);
        panel.sign = leads ? "\\to" : ",";
        panel.sign_above = leads ? label_of(stage, panels, *count, node, before) : NULL;
    }
    panels[(*count)++] = panel;
}

/* What the first operation starts from: its first input that is more than a constant. */
static size_t beginning(const Stage *stage, size_t node) {
    const TapeNode *at = stage_node(stage, node);
    for (size_t i = 0; i < at->input_count; i++) {
        size_t input = resolve(stage, at->inputs[i]);
        if (!stage_node(stage, input)->quiet)
            return input;
    }
    return TAPE_NONE;
}

void flow_picture(const Stage *stage) {
    const Player *player = stage->player;
    const PlayerStep *at = player_step(player);
    size_t children = at->child_count, kept = children < FLOW_MOST ? children : FLOW_MOST;
    Panel panels[PANELS_MAX];
    size_t count = 0, index = 0;
    size_t first = beginning(stage, player->steps[player->step + 1].node);
    if (first != TAPE_NONE && children < FLOW_MOST)
        add_panel(stage, panels, &count, first, false);
    for (size_t i = player->step + 1; i < at->next; i = player->steps[i].next, index++) {
        size_t last_ones = children - kept / 2;
        if (index >= kept - kept / 2 && index < last_ones)
            continue;
        add_panel(stage, panels, &count, player->steps[i].node,
                  kept < children && index == last_ones);
    }
    panels[count - 1].is_output = true;
    panels_show(stage, panels, count);
}
