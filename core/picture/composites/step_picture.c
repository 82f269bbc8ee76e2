#include "picture/composites/step_picture.h"

#include "lesson/model/generate_step.h"
#include "picture/circuits/attention_circuit.h"
#include "picture/circuits/circuit_inset.h"
#include "picture/circuits/heads_circuit.h"
#include "picture/composites/areas_picture.h"
#include "picture/composites/chain_of_tables.h"
#include "picture/composites/choice_view.h"
#include "picture/composites/compared_weights_picture.h"
#include "picture/composites/equal_tables_picture.h"
#include "picture/composites/generated_text_picture.h"
#include "picture/composites/generation_picture.h"
#include "picture/composites/inputs_picture.h"
#include "picture/composites/mask_picture.h"
#include "picture/composites/parameter_sizes_picture.h"
#include "picture/composites/recurrence_picture.h"
#include "picture/composites/row_spread_picture.h"
#include "picture/composites/shared_dimension_picture.h"
#include "picture/composites/softmax_slope_picture.h"
#include "picture/composites/training_view.h"
#include "picture/composites/tree_view.h"
#include "picture/layers/inverse_lanes.h"
#include "picture/layers/lane_strip.h"
#include "picture/layers/layer_lane.h"
#include "picture/layers/network.h"
#include "picture/layers/shown_lane.h"
#include "picture/layers/sum_lane.h"
#include "picture/layers/whole_model.h"
#include "picture/operations/embeddings/embedding_pictures.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/operations/pictures.h"
#include "picture/operations/rows/row_pictures.h"
#include "picture/tensors/views.h"

/* The pictures of what opens into several steps. One that a step isn't made for draws
 * nothing and gives false; then the next one is asked. */
static bool (*const composites[])(const Stage *stage) = {
    push_picture,         attention_circuit, heads_circuit,         layer_lane,
    feed_forward_picture, sum_lane,          softmax_slope_picture, scaling_picture,
    positions_picture,    change_picture,    mask_picture,          size_picture,
    chain_picture,        chain_of_tables,
};

static void composite_picture(const Stage *stage) {
    size_t i = 0;
    while (!composites[i](stage))
        i++;
}

/* All turns of a generation, one of them, or a beam's tree. */
static void draw_generation(const Stage *stage, const LessonGenerate *generate,
                            size_t turn) {
    if (generate->generated.options.rule == GENERATE_BEAM)
        tree_view(stage, generate, turn);
    else if (turn != PLAYER_NONE)
        choice_view(stage, generate, turn);
    else if (!generated_text_picture(stage, generate))
        generation_picture(stage, generate);
}

/* Whether one step sets a tensor beside others that another step is about. */
static bool shows_result(const LessonStep *step, const LessonStep *other) {
    for (size_t i = 0; i < step->shown_count; i++) {
        if (step->shown[i] == other->result)
            return true;
    }
    return false;
}

/* The product among three tables that are shown, of the other two; TAPE_NONE. */
static size_t shown_product(const Stage *stage) {
    const size_t *shown = stage->step->shown;
    for (size_t i = 0; stage->step->shown_count == 3 && i < 3; i++) {
        const TapeNode *made = stage_node(stage, shown[i]);
        size_t one = shown[(i + 1) % 3], other = shown[(i + 2) % 3];
        if (made->operation == OPERATION_MATMUL && !made->muted &&
            ((made->inputs[0] == one && made->inputs[1] == other) ||
             (made->inputs[0] == other && made->inputs[1] == one)))
            return shown[i];
    }
    return TAPE_NONE;
}

/* Of two tables and their product, as where it is made. */
static bool product_picture(const Stage *stage) {
    Stage drawn = *stage;
    drawn.node = shown_product(stage);
    if (drawn.node == TAPE_NONE)
        return false;
    drawn.has_focus &= drawn.focus_node == drawn.node;
    matmul_picture(&drawn);
    return true;
}

/* The pictures of what tables that are shown have to do with each other; of what none is
 * made for they stand side by side. */
static bool (*const relations[])(const Stage *stage) = {pull_picture,
                                                        meeting_picture,
                                                        sum_lane,
                                                        inverse_lanes,
                                                        shown_lane,
                                                        compared_weights_picture,
                                                        product_picture,
                                                        row_spread_picture,
                                                        shared_dimension_picture,
                                                        parameter_sizes_picture,
                                                        shown_network};

static void draw_shown(const Stage *stage) {
    bool drawn = false;
    for (size_t i = 0; i < sizeof relations / sizeof *relations && !drawn; i++)
        drawn = relations[i](stage);
    if (!drawn)
        show_picture(stage);
}

/* Tables that are set side by side, the last one without its numbers. */
static void draw_blank(const Stage *stage) {
    Stage drawn = *stage;
    drawn.visible = 0;
    drawn.has_focus = false;
    show_picture(&drawn);
}

/* Another step of the lesson, as it is when it is there. */
static void draw_other(const Stage *stage, size_t step) {
    Stage drawn = *stage;
    Player player = *stage->player;
    player_jump(&player, step);
    drawn.player = &player;
    drawn.step = player_words(&player, player.step);
    drawn.view = views_present(&player, LESSON_VIEW_NONE);
    drawn.visible = (size_t)-1;
    drawn.is_question = false;
    drawn.has_focus &= stage->step->closes; /* what is said below it is of its focus */
    step_picture(&drawn);
}

/* Whether the question is what to do with numbers that are only moved: their way tells.
 */
static bool motion_reveals_answer(const Stage *stage, const PlayerStep *at) {
    OperationKind kind = stage_node(stage, at->node)->operation;
    return stage->is_choice_question && !at->child_count &&
           operation_of(kind)->work == OPERATION_WORK_BY_MOVING;
}

/* Of a step that asks what stands there before it does anything: what goes in, unless
 * that tells, else what the step before it has shown; where that would tell, its own
 * tables, the last one without numbers. */
static void draw_before(const Stage *stage, const PlayerStep *at) {
    size_t statement = player_statement(stage->player);
    const LessonStep *steps = stage->player->lesson->steps;
    bool makes =
        !stage->step->shown_count && !stage->step->generate && at->frame == PLAYER_NONE;
    bool reveals_answer = !statement ||
                          shows_result(stage->step, &steps[statement - 1]) ||
                          steps[statement - 1].result >= at->node;
    if (reveals_answer && stage->step->shown_count > 1) {
        draw_blank(stage);
        return;
    }
    makes &= reveals_answer || !motion_reveals_answer(stage, at);
    Stage drawn = *stage;
    bool large = stage->canvas->enlarged > 0; /* numbers need all the room */
    if (!large)
        result_placeholder(stage, &drawn.area);
    if (makes && inputs_picture(&drawn))
        return;
    if (reveals_answer && large)
        result_placeholder(stage, &drawn.area);
    if (!reveals_answer)
        draw_other(&drawn, player_statement_step(stage->player, statement - 1));
}

size_t step_picture_cover(const Player *player) {
    size_t found = player->step_count, last = 0;
    for (size_t i = 0; i < player->step_count; i++) {
        const PlayerStep *step = &player->steps[i];
        if (step->words && step->words->is_cover)
            return i;
        if (step->depth > 1 || player->lesson->steps[step->statement].closes)
            continue;
        last = i;
        if (step->frame == PLAYER_NONE &&
            stage_colors(player->lesson->tape, step->node) == HEATMAP_PROBABILITIES)
            found = i;
    }
    return found < player->step_count ? found : last;
}

void step_picture(const Stage *stage) {
    const PlayerStep *at = player_step(stage->player);
    if (stage->step->closes) {
        draw_other(stage, step_picture_cover(stage->player));
        return;
    }
    Stage drawn = *stage;
    drawn.node = at->node;
    bool operation = (!at->child_count || drawn.is_number_question) &&
                     !drawn.step->shown_count && at->frame == PLAYER_NONE &&
                     stage_node(&drawn, at->node)->input_count;
    if (drawn.is_question && (!operation || motion_reveals_answer(&drawn, at))) {
        draw_before(&drawn, at);
        return;
    }
    if (at->frame != PLAYER_NONE) {
        training_view(&drawn);
        return;
    }
    lane_strip(&drawn, &drawn.area);
    circuit_inset(&drawn, drawn.area.y - stage->area.y, &drawn.area);
    if (drawn.is_question) {
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
    if (drawn.view > LESSON_VIEW_PICTURE && drawn.view != LESSON_VIEW_CACHE)
        views_draw(&drawn);
    else if (generate)
        draw_generation(&drawn, generate, turn);
    else if (drawn.step->shown_count)
        draw_shown(&drawn);
    else if (equal_tables_picture(&drawn) || areas_picture(&drawn) ||
             recurrence_picture(&drawn))
        return;
    else if (at->child_count)
        composite_picture(&drawn);
    else if (!sum_lane(&drawn) && !mask_picture(&drawn))
        operation_picture(&drawn);
}
