#include "picture/composites/step_picture.h"

#include "lesson/model/generate_step.h"
#include "picture/circuits/attention_circuit.h"
#include "picture/circuits/circuit_inset.h"
#include "picture/circuits/heads_circuit.h"
#include "picture/composites/before_picture.h"
#include "picture/composites/choice_view.h"
#include "picture/composites/flow_picture.h"
#include "picture/composites/training_view.h"
#include "picture/composites/tree_view.h"
#include "picture/layers/lane_strip.h"
#include "picture/layers/layer_lane.h"
#include "picture/layers/network.h"
#include "picture/layers/sum_lane.h"
#include "picture/layers/whole_model.h"
#include "picture/operations/pictures.h"
#include "picture/tensors/views.h"

/* The pictures of what opens into several steps. One that a step isn't made for draws
 * nothing and gives false; then the next one is asked. */
static bool (*const composites[])(const Stage *stage) = {
    push_picture, attention_circuit, heads_circuit, layer_lane,    feed_forward_picture,
    sum_lane,     change_picture,    size_picture,  chain_picture, flow_picture,
};

static void composite_picture(const Stage *stage) {
    size_t i = 0;
    while (!composites[i](stage))
        i++;
}

/* All turns of a generation, one of them, or a beam's tree. */
static void draw_generation(const Stage *stage, const LessonGenerate *generate,
                            size_t turn) {
    if (generate->said.options.rule == SAY_BEAM)
        tree_view(stage, generate, turn);
    else if (turn == PLAYER_NONE)
        turns_of_generation(stage, generate);
    else
        choice_view(stage, generate, turn);
}

void step_picture(const Stage *stage) {
    const PlayerStep *at = player_step(stage->player);
    Stage drawn = *stage;
    drawn.node = at->node;
    bool operation = !at->child_count && !drawn.step->shown_count &&
                     at->frame == PLAYER_NONE &&
                     stage_node(&drawn, at->node)->input_count;
    if (drawn.asks && !operation) {
        before_picture(&drawn);
        return;
    }
    if (at->frame != PLAYER_NONE) {
        training_view(&drawn);
        return;
    }
    lane_strip(&drawn, &drawn.area);
    circuit_inset(&drawn, drawn.area.y - stage->area.y, &drawn.area);
    if (drawn.asks) {
        asked_picture(&drawn);
        return;
    }
    if (drawn.values) {
        if (at->child_count)
            composite_picture(&drawn);
        else if (drawn.step->shown_count)
            show_picture(&drawn);
        else
            plain_picture(&drawn);
        return;
    }
    size_t turn;
    const LessonGenerate *generate =
        lesson_generation_at(stage->player, stage->player->step, &turn);
    if (whole_model(&drawn))
        return;
    if (drawn.view > LESSON_VIEW_PICTURE)
        views_draw(&drawn);
    else if (generate)
        draw_generation(&drawn, generate, turn);
    else if (drawn.step->shown_count && pull_picture(&drawn))
        return;
    else if (drawn.step->shown_count)
        show_picture(&drawn);
    else if (at->child_count)
        composite_picture(&drawn);
    else if (!sum_lane(&drawn))
        operation_picture(&drawn);
}
