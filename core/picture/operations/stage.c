#include "picture/operations/stage.h"

#include "lesson/model/generate_step.h"
#include "picture/composites/choice_view.h"
#include "picture/composites/training_view.h"
#include "picture/composites/tree_view.h"
#include "picture/draw/part_name.h"
#include "picture/operations/pictures.h"
#include "picture/tensors/views.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void (*const pictures[OPERATION_COUNT])(const Stage *) = {
    [OPERATION_GIVEN] = given_picture,
    [OPERATION_ADD] = binary_picture,
    [OPERATION_SUBTRACT] = binary_picture,
    [OPERATION_MULTIPLY] = binary_picture,
    [OPERATION_DIVIDE] = binary_picture,
    [OPERATION_NEGATE] = unary_picture,
    [OPERATION_MATMUL] = matmul_picture,
    [OPERATION_TRANSPOSE] = transpose_picture,
    [OPERATION_SLICE] = slice_picture,
    [OPERATION_CONCAT] = concat_picture,
    [OPERATION_SOFTMAX] = softmax_picture,
    [OPERATION_RELU] = unary_picture,
    [OPERATION_EXP] = unary_picture,
    [OPERATION_SQRT] = unary_picture,
    [OPERATION_SUM] = reduction_picture,
    [OPERATION_MEAN] = reduction_picture,
    [OPERATION_MAX] = reduction_picture,
    [OPERATION_ARGMAX] = reduction_picture,
    [OPERATION_ONE_HOT] = plain_picture,
    [OPERATION_LAYER_NORM] = layer_norm_picture,
    [OPERATION_EMBED] = embed_picture,
    [OPERATION_POSITIONAL_ENCODING] = given_picture,
    [OPERATION_CAUSAL_MASK] = given_picture,
    [OPERATION_PADDING_MASK] = plain_picture,
    [OPERATION_LOG] = unary_picture,
    [OPERATION_CROSS_ENTROPY] = cross_entropy_picture,
    [OPERATION_STACK] = stack_picture,
    [OPERATION_TOP_K] = top_k_picture,
    [OPERATION_TOP_P] = top_p_picture,
    [OPERATION_BACKWARD] = backward_picture,
};

/* All turns of a generation, one of them, or a beam's tree. */
static void draw_generation(const Stage *stage, const LessonGenerate *generate,
                            size_t turn) {
    if (generate->rule == LESSON_BEAM)
        tree_view(stage, generate, turn);
    else if (turn == PLAYER_NONE)
        turns_of_generation(stage, generate);
    else
        choice_view(stage, generate, turn);
}

/* Pictures that show more than what comes in on the way to the output. */
static bool shows_the_way(OperationKind operation) {
    return operation == OPERATION_SOFTMAX || operation == OPERATION_LAYER_NORM ||
           operation == OPERATION_MAX || operation == OPERATION_ARGMAX ||
           operation == OPERATION_CROSS_ENTROPY || operation == OPERATION_TOP_P;
}

/* Pictures whose focus marks the very cell that the output's is a copy of. */
static bool shows_the_source(OperationKind operation) {
    return operation == OPERATION_TRANSPOSE || operation == OPERATION_EMBED ||
           operation == OPERATION_CONCAT || operation == OPERATION_STACK;
}

/* An operation whose output is to be found out. */
static void draw_asked(Stage *stage) {
    OperationKind operation = stage_node(stage, stage->node)->operation;
    stage->visible = 0;
    stage->has_focus &= !shows_the_source(operation);
    if (shows_the_way(operation) || !pictures[operation])
        plain_picture(stage);
    else
        pictures[operation](stage);
}

void stage_draw(const Stage *stage) {
    const PlayerStep *at = player_step(stage->player);
    Stage drawn = *stage;
    drawn.node = at->node;
    if (at->frame != PLAYER_NONE) {
        training_view(&drawn);
        return;
    }
    if (drawn.asks) {
        draw_asked(&drawn);
        return;
    }
    if (drawn.values) {
        if (at->child_count)
            flow_picture(&drawn);
        else if (drawn.step->shown_count)
            show_picture(&drawn);
        else
            plain_picture(&drawn);
        return;
    }
    size_t turn;
    const LessonGenerate *generate =
        lesson_generation_at(stage->player, stage->player->step, &turn);
    if (drawn.view > LESSON_VIEW_PICTURE)
        views_draw(&drawn);
    else if (generate)
        draw_generation(&drawn, generate, turn);
    else if (drawn.step->shown_count)
        show_picture(&drawn);
    else if (at->child_count)
        flow_picture(&drawn);
    else if (stage_node(stage, at->node)->muted)
        muted_picture(&drawn);
    else if (pictures[stage_node(stage, at->node)->operation])
        pictures[stage_node(stage, at->node)->operation](&drawn);
    else
        plain_picture(&drawn);
}

size_t stage_lit(const Stage *stage, size_t count) {
    return stage->adds && stage->lit < count ? stage->lit : count;
}

const TapeNode *stage_node(const Stage *stage, size_t node) {
    return tape_node(stage->tape, node);
}

const Tensor *stage_tensor(const Stage *stage, size_t node) {
    const Tensor *instead =
        stage->values ? stage->values->tensor(stage->values->context, node) : NULL;
    if (instead)
        return instead;
    return &stage_node(stage, node)->output;
}

/* Whether others use a tensor, or a slice of it, as IDs. */
static bool serves_as_ids(const Tape *tape, size_t node) {
    for (size_t i = node + 1; i < tape_count(tape); i++) {
        const TapeNode *user = tape_node(tape, i);
        bool embeds = user->operation == OPERATION_EMBED && user->inputs[1] == node;
        bool marks = (user->operation == OPERATION_ONE_HOT ||
                      user->operation == OPERATION_PADDING_MASK) &&
                     user->inputs[0] == node;
        bool aims = user->operation == OPERATION_CROSS_ENTROPY && user->inputs[1] == node;
        bool cuts = user->operation == OPERATION_SLICE && user->inputs[0] == node;
        if (embeds || marks || aims || (cuts && serves_as_ids(tape, i)))
            return true;
    }
    return false;
}

/* Whether a given row names its columns by whole numbers, as the IDs of a text do. */
static bool is_numbering(const Tensor *tensor) {
    bool names = tensor->rows == 1 && tensor->col_labels;
    double most = 0;
    for (size_t i = 0; names && i < tensor->cols; i++) {
        names = tensor->values[i] >= 0 && tensor->values[i] == floor(tensor->values[i]);
        most = fmax(most, tensor->values[i]);
    }
    return names && most > 1;
}

HeatmapColors stage_colors(const Tape *tape, size_t node) {
    const TapeNode *at = tape_node(tape, node);
    switch (at->operation) {
    case OPERATION_SOFTMAX:
    case OPERATION_ONE_HOT:
        return HEATMAP_SHARES;
    case OPERATION_ARGMAX:
        return HEATMAP_PLAIN;
    case OPERATION_TRANSPOSE:
    case OPERATION_SLICE:
    case OPERATION_CONCAT:
    case OPERATION_STACK:
    case OPERATION_MAX:
        return stage_colors(tape, at->inputs[0]);
    case OPERATION_GIVEN:
        return is_numbering(&at->output) || serves_as_ids(tape, node) ? HEATMAP_PLAIN
                                                                      : HEATMAP_SIGNED;
    default:
        return HEATMAP_SIGNED;
    }
}

/* ---- names ---- */

/* Whether an operation's formula says what it does in a sentence of its own, so that it
 * can't stand as a part of another's. */
static bool is_sentence(OperationKind operation) {
    return operation == OPERATION_CAUSAL_MASK || operation == OPERATION_PADDING_MASK ||
           operation == OPERATION_POSITIONAL_ENCODING;
}

static const char *backward_formula(const Stage *stage, const TapeNode *node, bool tall);

/* The formula with #1, #2 … replaced by the inputs' names. */
static const char *fill_formula(const Stage *stage, const TapeNode *node, int depth) {
    if (node->operation == OPERATION_BACKWARD)
        return backward_formula(stage, node, true);
    const char *formula = operation_of(node->operation)->formula;
    char text[512];
    size_t length = 0;
    for (const char *c = formula; *c && length + 1 < sizeof text; c++) {
        size_t input = (size_t)(c[1] - '1');
        if (*c != '#' || c[1] < '1' || input >= node->input_count) {
            text[length++] = *c;
            continue;
        }
        const TapeNode *source = stage_node(stage, node->inputs[input]);
        bool opens = depth > 0 && !source->name[0] && !is_sentence(source->operation);
        const char *name = opens ? fill_formula(stage, source, depth - 1)
                                 : stage_formula_name(stage, node->inputs[input]);
        int written = snprintf(text + length, sizeof text - length, "%s", name);
        length = (size_t)fmin((double)(length + (size_t)written), sizeof text - 1.0);
        c++;
    }
    text[length] = 0;
    return canvas_format(stage->canvas, "%s", text);
}

/* What a gradient is of or with respect to: in parentheses where it has no name and more
 * than one part. */
static const char *gradient_part(const Stage *stage, size_t number) {
    const TapeNode *node = stage_node(stage, number);
    const char *name = stage_formula_name(stage, number);
    bool loose =
        !node->name[0] &&
        ((node->operation >= OPERATION_ADD && node->operation <= OPERATION_MATMUL));
    return loose ? canvas_format(stage->canvas, "\\left(%s\\right)", name) : name;
}

/* "∂L/∂W": the gradient of one tensor with respect to another, each by its name; one
 * above the other in a formula, side by side in a name. */
static const char *gradient_name(const Stage *stage, size_t root, size_t of, bool tall) {
    return canvas_format(stage->canvas,
                         tall ? "\\frac{\\partial %s}{\\partial %s}"
                              : "\\partial %s / \\partial %s",
                         gradient_part(stage, root), gradient_part(stage, of));
}

/* What an operation gives back: the gradient of its output times its own slope. */
static const char *backward_formula(const Stage *stage, const TapeNode *node, bool tall) {
    size_t output = node->inputs[node->input_count - 2];
    size_t gradient = node->inputs[node->input_count - 1];
    size_t root = stage_node(stage, gradient)->gradient_root;
    if (root == TAPE_NONE)
        return operation_of(node->operation)->formula;
    return canvas_format(
        stage->canvas, "%s \\cdot %s", gradient_name(stage, root, output, tall),
        gradient_name(stage, output, node->inputs[node->options.input], tall));
}

/* A constant's name is how the lesson wrote it: sqrt(2), 1e-9, 4 * 8. */
static const char *constant_formula(const Stage *stage, const char *source) {
    double number = 0;
    int end = 0;
    if (sscanf(source, "sqrt(%lf)%n", &number, &end) == 1 && !source[end])
        return canvas_format(stage->canvas, "\\sqrt{%g}", number);
    return canvas_format(stage->canvas, "%s", source);
}

/* One axis of a slice as a lesson writes it: ":", "0:2" or, of a single place, "1". */
static const char *slice_axis(const Stage *stage, size_t begin, size_t end, size_t size) {
    if (begin == 0 && end == size)
        return ":";
    if (end == begin + 1)
        return canvas_format(stage->canvas, "%zu", begin);
    return canvas_format(stage->canvas, "%zu:%zu", begin, end);
}

/* "K[0:3]", "Q[:, 2:4]" */
static const char *slice_name(const Stage *stage, const TapeNode *node) {
    const OperationOptions *o = &node->options;
    const Tensor *whole = stage_tensor(stage, node->inputs[0]);
    const char *name = stage_formula_name(stage, node->inputs[0]);
    const char *rows = slice_axis(stage, o->row_begin, o->row_end, whole->rows);
    if (o->col_begin == 0 && o->col_end == whole->cols)
        return canvas_format(stage->canvas, "%s[%s]", name, rows);
    return canvas_format(stage->canvas, "%s[%s, %s]", name, rows,
                         slice_axis(stage, o->col_begin, o->col_end, whole->cols));
}

const char *stage_formula_name(const Stage *stage, size_t number) {
    const TapeNode *node = stage_node(stage, number);
    if (node->quiet && node->operation == OPERATION_GIVEN)
        return constant_formula(stage, node->name);
    if (node->quiet && node->operation == OPERATION_TRANSPOSE &&
        !stage_node(stage, node->inputs[0])->name[0])
        return canvas_format(stage->canvas, "\\left(%s\\right)^{\\text{T}}",
                             stage_formula_name(stage, node->inputs[0]));
    bool own = node->name[0] && strncmp(node->name, "gradient", 8) != 0;
    if (node->gradient_of != TAPE_NONE && !own)
        return gradient_name(stage, node->gradient_root, node->gradient_of, false);
    if (node->operation == OPERATION_BACKWARD && !own)
        return backward_formula(stage, node, false);
    const Lesson *lesson = stage->player->lesson;
    const char *part = part_name(stage->canvas, node->name, lesson->model != NULL);
    if (part)
        return part;
    if (node->name[0])
        return canvas_format(stage->canvas, "\\tensor{%s}", node->name);
    if (node->operation == OPERATION_SLICE)
        return slice_name(stage, node);
    if (strchr(operation_of(node->operation)->formula, '='))
        return stage_operation_words(stage, number); /* a rule, too long for a name */
    return fill_formula(stage, node, 2);
}

const char *stage_operation_formula(const Stage *stage, size_t number) {
    const TapeNode *node = stage_node(stage, number);
    const char *formula = fill_formula(stage, node, 2);
    if (!node->name[0] || strchr(formula, '=')) /* a rule says itself what it makes */
        return formula;
    if (!formula[0])
        return stage_formula_name(stage, number);
    return canvas_format(stage->canvas, "%s = %s", stage_formula_name(stage, number),
                         formula);
}

const char *stage_operation_words(const Stage *stage, size_t node) {
    const char *name = operation_of(stage_node(stage, node)->operation)->name;
    const char *key = canvas_format(stage->canvas, "operation.%s", name);
    return canvas_format(stage->canvas, "\\text{%s}", canvas_string(stage->canvas, key));
}

/* ---- legends ---- */

double stage_legend_height(const Canvas *canvas) {
    return canvas_length(canvas, 46);
}

void stage_legends(const Stage *stage, Box area, const StageScale *scales, size_t count) {
    Box strip = box_take_bottom(&area, stage_legend_height(stage->canvas));
    strip.y += canvas_length(stage->canvas, 8);
    for (size_t i = 0; i < count; i++) {
        Box legend =
            heatmap_legend(stage->canvas, strip, scales[i].colors, scales[i].reach);
        strip.w -= legend.w + canvas_length(stage->canvas, 44);
    }
}

Heatmap stage_heatmap(const Stage *stage, size_t node, Box cells, double reach) {
    return (Heatmap){.tensor = stage_tensor(stage, node),
                     .node = node,
                     .cells = cells,
                     .colors = stage_colors(stage->tape, node),
                     .reach = reach,
                     .visible = (size_t)-1,
                     .label_room = canvas_length(stage->canvas, 400)};
}
