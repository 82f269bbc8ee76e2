#include "picture/composites/composites.h"

#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/model/generate_step.h"
#include "picture/circuits/circuits.h"
#include "picture/draw/canvas.h"
#include "picture/layers/layers.h"
#include "picture/operations/embeddings/embedding_pictures.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/operations/pictures.h"
#include "picture/operations/rows/row_pictures.h"
#include "picture/tensors/views.h"
#include "tensor/tape/tape.h"

#include <math.h>

enum { INPUTS_MOST = 3 };
static const double MARK_UNITS = 150, MARK_SIZE = 96, MARK_FRACTION = 0.13,
                    STRIP_OF_MARK = 1.4;

/* Draws a generation as the tree of its beam, as the choice of one token, or whole. */
static void draw_generation(const Stage *stage) {
    size_t turn;
    const LessonGenerate *generate =
        lesson_generation_at(stage->player, stage->player->step, &turn);
    if (generate->generated.options.rule == GENERATE_BEAM)
        tree_view(stage, generate, turn);
    else if (turn != PLAYER_NONE)
        choice_view(stage, generate, turn);
    else if (!generated_text_picture(stage, generate))
        generation_picture(stage, generate);
}

/* Reports whether a node is an input of the step: computed before it, used in it, and
 * worth showing. A model's weights are not, because they are many and their numbers mean
 * little. */
static bool is_input(const Stage *stage, size_t node, size_t first) {
    const TapeNode *at = stage_node(stage, node);
    if (stage->player->lesson->model && player_step(stage->player)->child_count &&
        !at->input_count)
        return false;
    return node < first && !at->quiet && at->name[0] && tensor_cells(&at->output) > 1;
}

/* Finds the first nodes from before the step that its operations read; returns their
 * number. */
static size_t find_inputs(const Stage *stage, size_t nodes[INPUTS_MOST]) {
    const PlayerStep *at = player_step(stage->player);
    size_t first = at->node, count = 0;
    for (size_t i = stage->player->step; i < at->next; i++) {
        size_t made = stage->player->steps[i].node;
        first = made < first ? made : first;
    }
    for (size_t i = first; i <= at->node; i++) {
        const TapeNode *made = stage_node(stage, i);
        for (size_t j = 0; j < made->input_count && count < INPUTS_MOST; j++) {
            size_t input = made->inputs[j];
            size_t known = 0;
            while (known < count && nodes[known] != input)
                known++;
            if (is_input(stage, input, first) && known == count)
                nodes[count++] = input;
        }
    }
    return count;
}

/* Draws a large question mark in place of the result, in a strip that it cuts off the
 * area. */
static void draw_placeholder(const Stage *stage, Box *area) {
    const Canvas *canvas = stage->canvas;
    double side = fmin(MARK_UNITS, fmin(area->w * MARK_FRACTION, area->h));
    Box strip = box_take_right(area, side * STRIP_OF_MARK);
    Box box = {round(strip.x + (strip.w - side) / 2),
               round(strip.y + (strip.h - side) / 2), side, side};
    double size = round(side * MARK_SIZE / MARK_UNITS);
    canvas_outline(canvas, box, 14, canvas->theme->line, 2);
    if (size >= canvas_least(canvas, "?"))
        canvas_label_at(canvas, FONT_BOLD, size, canvas->theme->ink_faint,
                        box_middle(box), LABEL_CENTER, "?");
}

/* Draws the step's inputs side by side; returns false and draws nothing if there are
 * none. */
static bool draw_inputs(const Stage *stage) {
    size_t nodes[INPUTS_MOST], count = find_inputs(stage, nodes);
    if (!count)
        return false;
    Stage drawn = *stage;
    Panel panels[INPUTS_MOST] = {0};
    drawn.has_focus = false;
    for (size_t i = 0; i < count; i++)
        panels[i] = panel_of(&drawn, nodes[i], NULL);
    panels_show(&drawn, panels, count);
    return true;
}

/* The node that is the matrix product of the other two of three shown tables; TAPE_NONE
 * when there is none. */
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

/* Draws two shown tables and their product like the multiplication step itself; returns
 * false and draws nothing if the step shows other tables. */
static bool product_picture(const Stage *stage) {
    Stage drawn = *stage;
    drawn.node = shown_product(stage);
    if (drawn.node == TAPE_NONE)
        return false;
    drawn.has_focus &= drawn.focus_node == drawn.node;
    matmul_picture(&drawn);
    return true;
}

/* Draws the shown tables side by side, the last one without its numbers. */
static void draw_blank(const Stage *stage) {
    Stage drawn = *stage;
    drawn.visible = 0;
    drawn.has_focus = false;
    show_picture(&drawn);
}

/* Draws another step of the lesson as it looks when the player is there. */
static void draw_other(const Stage *stage, size_t step) {
    Stage drawn = *stage;
    Player player = *stage->player;
    player_jump(&player, step);
    drawn.player = &player;
    drawn.step = player_words(&player, player.step);
    drawn.view = views_present(&player, LESSON_VIEW_NONE);
    drawn.visible = (size_t)-1;
    drawn.is_question = false;
    drawn.has_focus &= stage->step->closes; /* its text explains the focused cell */
    step_picture(&drawn);
}

/* Reports whether the arrows of the picture would give the answer away: the question is
 * which operation follows, and the operation only moves numbers. */
static bool motion_reveals_answer(const Stage *stage, const PlayerStep *at) {
    OperationKind kind = stage_node(stage, at->node)->operation;
    return stage->is_choice_question && !at->child_count &&
           operation_of(kind)->work == OPERATION_WORK_BY_MOVING;
}

/* Draws a question that is asked before its step computes anything: the step's inputs,
 * or, if their arrows would reveal the answer, the picture of the previous step. If that
 * reveals it too, the step's own tables are drawn, the last one without numbers. */
static void draw_before(const Stage *stage) {
    const PlayerStep *at = player_step(stage->player);
    size_t statement = player_statement(stage->player);
    const LessonStep *steps = stage->player->lesson->steps;
    bool makes =
        !stage->step->shown_count && !stage->step->generate && at->frame == PLAYER_NONE;
    bool reveals_answer = !statement ||
                          lesson_shows(stage->step, steps[statement - 1].result) ||
                          steps[statement - 1].result >= at->node ||
                          steps[statement - 1].view == LESSON_VIEW_CHANGED; /* which has
                                                                  what is predicted */
    if (reveals_answer && stage->step->shown_count > 1) {
        draw_blank(stage);
        return;
    }
    makes &= reveals_answer || !motion_reveals_answer(stage, at);
    Stage drawn = *stage;
    bool large = stage->canvas->enlarged > 0; /* numbers need the whole area */
    if (!large)
        draw_placeholder(stage, &drawn.area);
    if (makes && draw_inputs(&drawn))
        return;
    if (reveals_answer && large)
        draw_placeholder(stage, &drawn.area);
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

static void draw_closing(const Stage *stage) {
    draw_other(stage, step_picture_cover(stage->player));
}

/* Kinds of steps; every step is of exactly one. They are bits, so that a row of the table
 * can name several. */
typedef enum StepKind {
    STEP_CLOSING = 1 << 0,           /* the last step, which shows the lesson's cover */
    STEP_EARLY_QUESTION = 1 << 1,    /* a question before anything is computed */
    STEP_TRAINING = 1 << 2,          /* a frame of a training run */
    STEP_QUESTION = 1 << 3,          /* a question about the operation's output */
    STEP_NUMBERS_OPENED = 1 << 4,    /* all numbers of an operation with sub-steps */
    STEP_NUMBERS_SHOWN = 1 << 5,     /* all numbers of the tables that the step shows */
    STEP_NUMBERS_OPERATION = 1 << 6, /* all numbers of a single operation */
    STEP_VIEW = 1 << 7,              /* a view chosen in place of the picture */
    STEP_GENERATION = 1 << 8,        /* generation of text, or one token of it */
    STEP_SHOWN = 1 << 9,             /* tables that the step shows side by side */
    STEP_OPENED = 1 << 10,           /* an operation with sub-steps */
    STEP_OPERATION = 1 << 11         /* a single operation */
} StepKind;

enum {
    STEP_COMPUTED = STEP_OPENED | STEP_OPERATION,
    STEP_ANY_PICTURE = STEP_VIEW | STEP_GENERATION | STEP_SHOWN | STEP_COMPUTED
};

/* All pictures of a step, in the order in which they are tried: the first row for the
 * step's kind whose picture draws something wins. */
typedef struct PictureRow {
    int when;                            /* StepKind bits */
    bool (*picture)(const Stage *stage); /* false: draws nothing, the next row is tried */
    void (*always)(const Stage *stage);  /* in place of `picture`: fits every such step */
} PictureRow;

static const PictureRow pictures[] = {
    {STEP_CLOSING, .always = draw_closing},
    {STEP_EARLY_QUESTION, .always = draw_before},
    {STEP_TRAINING, .always = training_view},
    {STEP_QUESTION, .always = asked_picture},
    {STEP_NUMBERS_OPERATION, .always = plain_picture},
    {STEP_ANY_PICTURE, .picture = whole_model},
    {STEP_VIEW, .picture = vector_path},
    {STEP_VIEW, .picture = projections_circuit},
    {STEP_VIEW, .picture = changed_row_picture},
    {STEP_VIEW, .picture = contexts_picture},
    {STEP_VIEW, .always = views_draw},
    {STEP_GENERATION, .always = draw_generation},
    /* relations between the shown tables; otherwise side by side */
    {STEP_SHOWN, .picture = pull_picture},
    {STEP_SHOWN, .picture = meeting_picture},
    {STEP_SHOWN, .picture = sum_lane},
    {STEP_SHOWN, .picture = inverse_lanes},
    {STEP_SHOWN, .picture = shown_lane},
    {STEP_SHOWN, .picture = compared_weights_picture},
    {STEP_SHOWN, .picture = product_picture},
    {STEP_SHOWN, .picture = row_spread_picture},
    {STEP_SHOWN, .picture = shared_dimension_picture},
    {STEP_SHOWN, .picture = parameter_sizes_picture},
    {STEP_SHOWN, .picture = shown_network},
    {STEP_SHOWN | STEP_NUMBERS_SHOWN, .always = show_picture},
    {STEP_COMPUTED, .picture = equal_tables_picture},
    {STEP_COMPUTED, .picture = areas_picture},
    {STEP_COMPUTED, .picture = recurrence_picture},
    /* sub-steps as one picture; otherwise their results in order */
    {STEP_OPENED | STEP_NUMBERS_OPENED, .picture = push_picture},
    {STEP_OPENED | STEP_NUMBERS_OPENED, .picture = attention_circuit},
    {STEP_OPENED | STEP_NUMBERS_OPENED, .picture = heads_circuit},
    {STEP_OPENED | STEP_NUMBERS_OPENED, .picture = layer_lane},
    {STEP_OPENED | STEP_NUMBERS_OPENED, .picture = feed_forward_picture},
    {STEP_OPENED | STEP_NUMBERS_OPENED, .picture = sum_lane},
    {STEP_OPENED | STEP_NUMBERS_OPENED, .picture = softmax_slope_picture},
    {STEP_OPENED | STEP_NUMBERS_OPENED, .picture = scaling_picture},
    {STEP_OPENED | STEP_NUMBERS_OPENED, .picture = positions_picture},
    {STEP_OPENED | STEP_NUMBERS_OPENED, .picture = change_picture},
    {STEP_OPENED | STEP_NUMBERS_OPENED, .picture = mask_picture},
    {STEP_OPENED | STEP_NUMBERS_OPENED, .picture = size_picture},
    {STEP_OPENED | STEP_NUMBERS_OPENED, .picture = chain_picture},
    {STEP_OPENED | STEP_NUMBERS_OPENED, .picture = chain_of_tables},
    {STEP_OPERATION, .picture = sum_lane},
    {STEP_OPERATION, .picture = mask_picture},
    {STEP_OPERATION, .always = operation_picture},
};

static StepKind kind_of(const Stage *stage) {
    const PlayerStep *at = player_step(stage->player);
    const LessonStep *step = stage->step;
    if (step->closes)
        return STEP_CLOSING;
    bool is_operation = (!at->child_count || stage->is_number_question) &&
                        !step->shown_count && at->frame == PLAYER_NONE &&
                        stage_node(stage, at->node)->input_count;
    if (stage->is_question && (!is_operation || motion_reveals_answer(stage, at)))
        return STEP_EARLY_QUESTION;
    if (at->frame != PLAYER_NONE)
        return STEP_TRAINING;
    if (stage->is_question)
        return STEP_QUESTION;
    if (stage->values)
        return at->child_count     ? STEP_NUMBERS_OPENED
               : step->shown_count ? STEP_NUMBERS_SHOWN
                                   : STEP_NUMBERS_OPERATION;
    if (stage->view > LESSON_VIEW_PICTURE && stage->view != LESSON_VIEW_CACHE)
        return STEP_VIEW;
    size_t turn;
    if (lesson_generation_at(stage->player, stage->player->step, &turn))
        return STEP_GENERATION;
    return step->shown_count ? STEP_SHOWN
           : at->child_count ? STEP_OPENED
                             : STEP_OPERATION;
}

void step_picture(const Stage *stage) {
    Stage drawn = *stage;
    drawn.node = player_step(stage->player)->node;
    StepKind kind = kind_of(&drawn);
    if (kind >= STEP_QUESTION)
        circuit_inset(&drawn, &drawn.area);
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        const PictureRow *row = &pictures[i];
        if (!(row->when & (int)kind))
            continue;
        if (row->always)
            row->always(&drawn);
        if (row->always || row->picture(&drawn))
            return;
    }
}
