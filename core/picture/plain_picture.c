#include "picture/pictures.h"

void given_picture(const Stage *stage) {
    Panel panel = panel_of(stage, stage->node, NULL);
    panel.is_output = true;
    panels_show(stage, &panel, 1);
}

void plain_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    if (node->input_count == 0 || node->input_count >= PANELS_MAX) {
        given_picture(stage);
        return;
    }
    Panel panels[PANELS_MAX];
    size_t count = node->input_count;
    for (size_t i = 0; i < count; i++)
        panels[i] = panel_of(stage, node->inputs[i], i ? "," : NULL);
    panels[count] = panel_of(stage, stage->node, "\\to");
    panels[count].is_output = true;
    panels_show(stage, panels, count + 1);
}

void show_picture(const Stage *stage) {
    Panel panels[PANELS_MAX];
    size_t count = stage->step->shown_count;
    count = count < PANELS_MAX ? count : PANELS_MAX;
    for (size_t i = 0; i < count; i++) {
        panels[i] = panel_of(stage, stage->step->shown[i], NULL);
        panels[i].is_output = stage->step->shown[i] == stage->step->result;
    }
    panels_show(stage, panels, count);
}

/* The results of the steps directly below, in order, as one line from first to last; of
 * many, the first and the last few. */
void flow_picture(const Stage *stage) {
    const Player *player = stage->player;
    const PlayerStep *at = player_step(player);
    size_t children = at->child_count, shown = children < 5 ? children : 5;
    Panel panels[PANELS_MAX];
    size_t count = 0, index = 0;
    const TapeNode *first = stage_node(stage, player->steps[player->step + 1].node);
    if (first->input_count && children < 5)
        panels[count++] = panel_of(stage, first->inputs[0], NULL);
    for (size_t i = player->step + 1; i < at->next; i = player->steps[i].next, index++) {
        bool skipped = index >= shown / 2 + shown % 2 && index < children - shown / 2;
        if (skipped)
            continue;
        bool behind_gap = shown < children && index == children - shown / 2;
        panels[count] = panel_of(stage, player->steps[i].node,
                                 behind_gap ? "\\ldots"
                                 : count    ? "\\to"
                                            : NULL);
        panels[count].sign_above =
            behind_gap || !count ? NULL
                                 : stage_operation_words(stage, player->steps[i].node);
        panels[count].is_output = i == at->next - 1 || player->steps[i].node == at->node;
        count++;
    }
    panels_show(stage, panels, count);
}
