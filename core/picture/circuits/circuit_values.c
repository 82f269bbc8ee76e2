#include "picture/circuits/circuit.h"

#include "base/number.h"
#include "picture/draw/lanes.h"
#include "picture/stage/caption.h"
#include "picture/tensors/tokens.h"
#include "picture/tensors/views.h"

#include <math.h>

/* Under V's rows the row that they are mixed into, in the same columns, and below it the
 * whole result, small, with that row framed. */

enum { FACTOR_DECIMALS = 2 };
static const double TALLEST_ROW = 44, MIXED = 34, RULE_GAP = 20;
static const double RESULT_GAP = 34, RESULT_ROW = 13, RESULT_TALL = 90, CAPTION = 30;
static const double FACTOR_UNITS = 18, LABEL_UNITS = 17, FACTOR_GAP = 10, LEAST_ROW = 15,
                    NUMBER_ROW = 29.5, LEAST_NUMBERED = 44;
static const double LABEL_GAP = 10, LONGEST_LABEL = 130,
                    LEAST_PITCH = 1.12; /* of letters' size */

static const ChosenTable *values_of(const Circuit *circuit) {
    return &circuit->lanes[CIRCUIT_VALUE].table;
}

/* "0.31 ×" */
static const char *factor_text(const Circuit *circuit, double share) {
    char number[NUMBER_SIZE];
    number_format_told(number, share, FACTOR_DECIMALS);
    return canvas_format(circuit->stage->canvas, "%s ×", number);
}

void circuit_measure_values(Circuit *circuit) {
    const Canvas *canvas = circuit->stage->canvas;
    const Tensor *values = values_of(circuit)->tensor;
    circuit->factors = circuit->value_labels = 0;
    if (!values)
        return;
    double size = canvas_size(canvas, FACTOR_UNITS, "0");
    for (size_t j = 0; j < values->rows; j++) {
        const char *text = factor_text(circuit, circuit_share(circuit, j));
        circuit->factors =
            fmax(circuit->factors, canvas_text_width(canvas, FONT_BOLD, size, text));
    }
    circuit->factors += FACTOR_GAP;
    circuit->value_labels = fmax(
        heatmap_row_label_width(canvas, values),
        heatmap_row_label_width(canvas, circuit->result.tensor)); /* its chosen row's */
    if (circuit->value_labels > LONGEST_LABEL)
        circuit->value_labels = 0;
}

static double tab_height(const Circuit *circuit) {
    RoleTab tab = {.role = ROLE_VALUE, .name = "V"};
    return role_tab_height(circuit->stage->canvas, &tab);
}

/* The whole result where it has room below: a row in numbers says little of the rest. */
static double result_height(const Circuit *circuit) {
    double rows = (double)stage_tensor(circuit->stage, circuit->parts->output)->rows;
    return RESULT_GAP + fmin(rows * RESULT_ROW, RESULT_TALL) + CAPTION;
}

void circuit_place_values(Circuit *circuit, double left, double column) {
    const Stage *stage = circuit->stage;
    ChosenTable *value = &circuit->lanes[CIRCUIT_VALUE].table;
    double result = result_height(circuit);
    double fixed = tab_height(circuit) + 2 * ROLE_FRAME_MARGIN + RULE_GAP + MIXED;
    double room = circuit->area.h - fixed, rows = (double)value->tensor->rows;
    bool numbers = column >= LEAST_NUMBERED && room >= rows * NUMBER_ROW;
    if (room - result < rows * (numbers ? NUMBER_ROW : LEAST_ROW))
        result = 0; /* the values' numbers say more */
    chosen_table_fit(value, (room - result) * rows / (rows + 0.3), TALLEST_ROW, 0);
    double row = fmax(value->row_height, MIXED);
    double tall = fixed + row - MIXED + chosen_table_height(value) + result;
    double top = circuit->area.y + fmax(circuit->area.h - tall, 0) / 2;
    chosen_table_place(
        value,
        (Point){left + ROLE_FRAME_MARGIN, top + tab_height(circuit) + ROLE_FRAME_MARGIN},
        column);
    Box cells = value->cells;
    size_t before = circuit->row * value->tensor->cols;
    circuit->mixed.cells =
        (Box){cells.x, cells.y + cells.h + ROLE_FRAME_MARGIN + RULE_GAP, cells.w, row};
    circuit->mixed.visible = stage->visible > before ? stage->visible - before : 0;
    if (result == 0) {
        circuit->result.tensor = NULL;
        return;
    }
    Box mixed = circuit->mixed.cells;
    chosen_table_fit(&circuit->result, RESULT_TALL, RESULT_ROW, 0);
    double small = fmin(column, 18), width = small * (double)value->tensor->cols;
    chosen_table_place(
        &circuit->result,
        (Point){mixed.x + (mixed.w - width) / 2, mixed.y + mixed.h + RESULT_GAP}, small);
}

/* ---- drawing ---- */

/* A word at the right end of a row; left out where rows are too low for words. */
static void draw_word(const Circuit *circuit, const char *label, Box row, bool chosen) {
    const Canvas *canvas = circuit->stage->canvas;
    const char *text = token_text(canvas, label);
    FontRole font = chosen ? FONT_BOLD : FONT_TEXT;
    double size =
        fmin(canvas_size(canvas, LABEL_UNITS, text), floor(row.h / LEAST_PITCH));
    double room = circuit->value_labels - LABEL_GAP;
    if (size < label_min_size(text) || room <= 0)
        return;
    LabelFit fit = canvas_fit(canvas, font, size, room, text);
    canvas_text(canvas, font, fit.size,
                chosen ? canvas->theme->ink : canvas->theme->ink_soft,
                (Point){row.x + row.w + LABEL_GAP + ROLE_FRAME_MARGIN * !chosen,
                        round(row.y + row.h / 2 + fit.size * 0.35)},
                LABEL_LEFT, fit.text);
}

/* The share before its row: as a number, or where rows are too low as a bar. */
static void draw_factor(const Circuit *circuit, size_t col, Box row) {
    const Canvas *canvas = circuit->stage->canvas;
    const Theme *theme = canvas->theme;
    double share = circuit_share(circuit, col);
    const char *text = factor_text(circuit, share);
    double size =
        fmin(canvas_size(canvas, FACTOR_UNITS, text), floor(row.h / LEAST_PITCH));
    double right = row.x - ROLE_FRAME_MARGIN - FACTOR_GAP;
    Color color = role_color(theme, ROLE_SHARES, theme->ink);
    canvas_link_cell(canvas, circuit->parts->shares, circuit->row, col);
    if (size >= label_min_size(text)) {
        canvas_text(canvas, share >= 0.005 ? FONT_BOLD : FONT_TEXT, size,
                    share >= 0.005 ? color : theme->ink_soft,
                    (Point){right, round(row.y + row.h / 2 + size * 0.35)}, LABEL_RIGHT,
                    text);
    } else {
        double width = fmax(fmin(share, 1) * (circuit->factors - FACTOR_GAP), 1);
        canvas_fill(canvas, (Box){right - width, row.y + 1, width, fmax(row.h - 2, 1)}, 0,
                    color);
    }
    canvas_unlink(canvas);
}

void circuit_draw_sum(const Circuit *circuit) {
    const Stage *stage = circuit->stage;
    const Canvas *canvas = stage->canvas;
    const Heatmap *mixed = &circuit->mixed;
    Box cells = mixed->cells;
    double rule = cells.y - (RULE_GAP - 2) / 2 + 2;
    canvas_fill(canvas, (Box){cells.x - 8, round(rule), cells.w + 16, 2}, 0,
                canvas->theme->ink);
    heatmap_draw(canvas, mixed);
    const Tensor *output = stage_tensor(stage, circuit->parts->output);
    const char *equals =
        view_equals(stage_tensor(stage, circuit->parts->shares), circuit->row,
                    FACTOR_DECIMALS, values_of(circuit)->tensor, output);
    canvas_formula(canvas, equals, 24, (Point){cells.x - 22, cells.y + cells.h / 2},
                   LABEL_CENTER);
    if (output->row_labels)
        draw_word(circuit, output->row_labels[circuit->row], cells, true);
    Color focus = canvas->theme->focus;
    bool cell = stage->has_focus && stage->focus_node == mixed->node &&
                stage->focus_row == circuit->row;
    if (cell)
        heatmap_outline_cell(canvas, mixed, 0, stage->focus_col, focus);
    else
        heatmap_outline(canvas, mixed, 0, 1, 0, output->cols, focus);
}

/* The row takes its place in the result. */
static void draw_result(const Circuit *circuit) {
    const Stage *stage = circuit->stage;
    const ChosenTable *result = &circuit->result;
    Box from = circuit->mixed.cells, to = result->cells;
    double middle = from.x + from.w / 2;
    Point points[] = {{middle, from.y + from.h + 5}, {middle, to.y - 6}};
    lane_draw(stage->canvas, &(Lane){.role = ROLE_SHARES,
                                     .points = points,
                                     .count = 2,
                                     .thickness = 8,
                                     .leaves_upright = true,
                                     .ends_upright = true,
                                     .arrow = true});
    Heatmap all = {.tensor = result->tensor, .cells = to};
    ChosenTable plain = *result;
    plain.row = PLAYER_NONE;
    chosen_table_draw(stage, &plain);
    heatmap_outline(stage->canvas, &all, circuit->row, circuit->row + 1, 0,
                    result->tensor->cols, stage->canvas->theme->focus);
    Caption caption =
        caption_fit(stage, stage_formula_name(stage, result->node), result->node,
                    result->tensor, 20, circuit->value_labels * 2 + from.w);
    if (caption.name[0])
        canvas_formula(stage->canvas, caption.name, caption.units,
                       (Point){middle, to.y + to.h + 8 + caption.above}, LABEL_CENTER);
}

void circuit_draw_values(const Circuit *circuit) {
    const Stage *stage = circuit->stage;
    const ChosenTable *value = values_of(circuit);
    for (size_t j = 0; j < value->tensor->rows; j++) {
        Box row = chosen_table_row(value, j);
        if (!stage->values)
            draw_factor(circuit, j, row);
        if (value->tensor->row_labels)
            draw_word(circuit, value->tensor->row_labels[j], row, false);
    }
    circuit_draw_sum(circuit);
    if (circuit->result.tensor)
        draw_result(circuit);
}
