#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/charts/charts.h"
#include "picture/draw/canvas.h"
#include "picture/formula/formula.h"
#include "picture/operations/rows/row_pictures.h"
#include "picture/stage/caption.h"
#include "picture/tensors/views.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* A table that is moved and scaled by one number for each row or column, several times:
 * one row as dots on number lines below each other, with the operation beside each, and
 * all rows of the output as a table. */

enum { LINES_MAX = 5, LEAST_LINES = 3, COLUMNS_MOST = 16 };

static const double NAME_UNITS = 22, NUMBER_UNITS = 17.5, TICK_UNITS = 15, ROW_UNITS = 17;
static const double GUTTER = 230, SIDE_SHARE = 0.36, SIDE_GAP = 48, MARGIN = 30;
static const double LARGEST_LINE = 130, LEAST_LINE = 64;
static const double LINE_AT = 0.66; /* fraction of the pitch */
static const double DOT = 9, MARGIN_OF_REACH = 1.2;
static const int THREAD_ALPHA = 150;

typedef struct Scaling {
    const Stage *stage;
    size_t count, row;
    size_t nodes[LINES_MAX];     /* tables of the row, last first */
    size_t with[LINES_MAX];      /* operands that made each table from the next one */
    NumberLine lines[LINES_MAX]; /* from top to bottom */
} Scaling;

/* ---- what it is made of ---- */

static bool is_made_here(const Stage *stage, size_t node) {
    const PlayerStep *steps = stage->player->steps, *at = player_step(stage->player);
    for (size_t i = at->parts; i < at->next; i++) {
        if (steps[i].node == node)
            return steps[i].child_count == 0;
    }
    return false;
}

static const char *sign_of(OperationKind kind) {
    return kind == OPERATION_ADD        ? "+"
           : kind == OPERATION_SUBTRACT ? "-"
           : kind == OPERATION_MULTIPLY ? "\\odot"
           : kind == OPERATION_DIVIDE   ? "\\div"
                                        : NULL;
}

/* Follows the result back to the input that is moved and scaled. */
static void find_lines(Scaling *this) {
    const Stage *stage = this->stage;
    const Tensor *out = stage_tensor(stage, stage->node);
    size_t node = stage->node;
    this->nodes[this->count++] = node;
    while (this->count < LINES_MAX && is_made_here(stage, node)) {
        const TapeNode *at = stage_node(stage, node);
        if (!sign_of(at->operation) || at->muted ||
            !tensor_same_shape(stage_tensor(stage, at->inputs[0]), out) ||
            tensor_same_shape(stage_tensor(stage, at->inputs[1]), out))
            return;
        this->with[this->count - 1] = at->inputs[1];
        node = at->inputs[0];
        this->nodes[this->count++] = node;
    }
}

/* ---- the lines ---- */

static void place_lines(Scaling *this, Box area) {
    double reach = 0, pitch = area.h / (double)this->count;
    for (size_t i = 0; i < this->count; i++)
        reach = fmax(reach, heatmap_reach(stage_tensor(this->stage, this->nodes[i])));
    reach *= MARGIN_OF_REACH;
    for (size_t i = 0; i < this->count; i++) {
        Box slot = {area.x, area.y + pitch * ((double)i + LINE_AT - 0.5), area.w, pitch};
        this->lines[i] = view_line(this->stage, this->nodes[this->count - 1 - i],
                                   this->row, slot, -reach, reach, DOT);
    }
}

/* Returns the name of the input, or the operation that leads to a line. */
static const char *name_of(const Scaling *this, size_t index) {
    const Stage *stage = this->stage;
    const Canvas *canvas = stage->canvas;
    size_t back = this->count - 1 - index;
    if (index == 0)
        return stage_formula_name(stage, this->nodes[back]);
    const char *sign = sign_of(stage_node(stage, this->nodes[back])->operation);
    return canvas_format(canvas, "%s %s", sign,
                         stage_formula_behind(stage, sign, this->with[back]));
}

static void draw_names(const Scaling *this, const char *word) {
    const Canvas *canvas = this->stage->canvas;
    double room = GUTTER - 28;
    for (size_t i = 0; i < this->count; i++) {
        const NumberLine *line = &this->lines[i];
        Point right = {line->left - 28, line->y};
        double size = canvas_size(canvas, NAME_UNITS, "");
        const char *name = name_of(this, i);
        FormulaExtent extent = canvas_formula_fit(
            canvas, name, canvas_size(canvas, TICK_UNITS, ""), room, &size);
        if (extent.width <= room)
            formula_draw(canvas->scene, canvas->metrics, canvas->theme, name, size,
                         (Point){right.x - extent.width,
                                 right.y + (extent.ascent - extent.descent) / 2});
        if (i == 0 && word)
            canvas_label(canvas, FONT_BOLD, ROW_UNITS, canvas->theme->ink,
                         (Point){right.x, right.y - 26}, LABEL_RIGHT, word);
    }
}

bool scaling_picture(const Stage *stage) {
    Scaling this = {.stage = stage};
    const Tensor *out = stage_tensor(stage, stage->node);
    if (stage->values || out->cols < 2 || out->cols > COLUMNS_MOST)
        return false;
    find_lines(&this);
    Box area = stage->area;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    double most = LARGEST_LINE * (double)this.count;
    if (this.count < LEAST_LINES || area.h < LEAST_LINE * (double)this.count ||
        area.w < 4 * GUTTER)
        return false;
    this.row = stage->has_focus && stage->focus_row < out->rows ? stage->focus_row : 0;
    double spare = fmax(area.h - most, 0);
    area = (Box){area.x, area.y + round(spare * 0.3), area.w, area.h - spare};
    Box side = box_take_right(&area, round(area.w * SIDE_SHARE));
    box_take_right(&area, SIDE_GAP);
    box_take_left(&area, GUTTER);
    box_take_right(&area, MARGIN);
    place_lines(&this, area);
    number_lines_draw_axes(this.lines, this.count, THREAD_ALPHA);
    number_lines_draw(this.lines, this.count, NUMBER_UNITS, TICK_UNITS);
    draw_names(&this, out->row_labels ? out->row_labels[this.row] : NULL);
    double reach = heatmap_reach(out);
    view_result(stage, side, reach, SIZE_MAX);
    stage_legends(stage, stage->area, &(StageScale){HEATMAP_SIGNED, reach}, 1);
    return true;
}
