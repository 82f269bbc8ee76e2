#include "base/arena.h"
#include "lesson/play/player.h"
#include "picture/circuits/circuits_parts.h"
#include "picture/draw/canvas.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* Smaller cells are drawn as one image with rows of one height. */
static const double IMAGE_CELL = 4;
static const double LABEL_GAP = 1;

ChosenTable chosen_table_of(const Stage *stage, size_t node, size_t row) {
    if (node == TAPE_NONE)
        return (ChosenTable){.node = node};
    ChosenTable table = {.node = node,
                         .tensor = stage_tensor(stage, node),
                         .colors = stage_colors(stage->tape, node),
                         .visible = (size_t)-1};
    table.row = row < table.tensor->rows ? row : PLAYER_NONE;
    table.reach = heatmap_reach(table.tensor);
    if (stage->values)
        table.colors = HEATMAP_SIGNED;
    else if (table.colors == HEATMAP_PROBABILITIES)
        table.reach = 1;
    return table;
}

double chosen_cols(const ChosenTable *table) {
    return table->tensor ? (double)table->tensor->cols : 0;
}

double chosen_rows(const ChosenTable *table) {
    return table->tensor ? (double)table->tensor->rows : 0;
}

static bool is_image(const ChosenTable *table, double column) {
    return column < IMAGE_CELL || table->row_height < IMAGE_CELL;
}

void chosen_table_fit(ChosenTable *table, double height, double most, double chosen) {
    double rows = chosen_rows(table);
    table->row_height = table->chosen_height = fmin(height / rows, most);
    if (table->row == PLAYER_NONE || table->chosen_height >= chosen || rows < 2)
        return;
    double rest = (height - chosen) / (rows - 1);
    if (rest < IMAGE_CELL)
        return;
    table->chosen_height = chosen;
    table->row_height = floor(fmin(rest, most));
}

double chosen_table_height(const ChosenTable *table) {
    double rows = chosen_rows(table);
    return table->row == PLAYER_NONE
               ? rows * table->row_height
               : (rows - 1) * table->row_height + table->chosen_height;
}

void chosen_table_place(ChosenTable *table, Point at, double column) {
    if (is_image(table, column)) {
        double height = chosen_table_height(table);
        table->row_height = height / chosen_rows(table);
        table->chosen_height = table->row_height;
    }
    table->cells = (Box){round(at.x), round(at.y), round(column * chosen_cols(table)),
                         round(chosen_table_height(table))};
}

Box chosen_table_row(const ChosenTable *table, size_t row) {
    bool after = table->row != PLAYER_NONE && row > table->row;
    double top = table->cells.y + (double)row * table->row_height +
                 (after ? table->chosen_height - table->row_height : 0);
    double height = row == table->row ? table->chosen_height : table->row_height;
    return (Box){table->cells.x, round(top), table->cells.w,
                 round(top + height) - round(top)};
}

Box chosen_table_cell(const ChosenTable *table, size_t row, size_t col) {
    Box box = chosen_table_row(table, row);
    double width = table->cells.w / chosen_cols(table);
    double left = round(box.x + width * (double)col);
    return (Box){left, box.y, round(box.x + width * (double)(col + 1)) - left, box.h};
}

static Point middle_at(const ChosenTable *table, double x) {
    Box box =
        table->row == PLAYER_NONE ? table->cells : chosen_table_row(table, table->row);
    return (Point){x, round(box.y + box.h / 2)};
}

Point chosen_table_left(const ChosenTable *table) {
    return middle_at(table, table->cells.x);
}

Point chosen_table_right(const ChosenTable *table) {
    return middle_at(table, table->cells.x + table->cells.w);
}

/* ---- drawing ---- */

const Tensor *chosen_table_part(const Canvas *canvas, const Tensor *all, size_t begin,
                                size_t end) {
    if (!all || (begin == 0 && end == all->rows))
        return all;
    Tensor *rows = arena_alloc(canvas->scene->arena, 1, sizeof *rows);
    *rows = *all;
    rows->rows = end - begin;
    rows->values = all->values + begin * all->cols;
    if (all->row_labels)
        rows->row_labels = all->row_labels + begin;
    return rows;
}

static Heatmap rows_heatmap(const Stage *stage, const ChosenTable *table, size_t begin,
                            size_t end) {
    const Canvas *canvas = stage->canvas;
    size_t before = begin * table->tensor->cols;
    bool chosen = begin == table->row;
    Box box = chosen_table_row(table, begin), last = chosen_table_row(table, end - 1);
    box.h = last.y + last.h - box.y;
    return (Heatmap){.tensor = chosen_table_part(canvas, table->tensor, begin, end),
                     .node = table->node,
                     .first_row = begin,
                     .cells = box,
                     .colors = table->colors,
                     .reach = table->reach,
                     .number_size = chosen ? table->digits : 0,
                     .hidden = chosen_table_part(canvas, table->hidden, begin, end),
                     .visible = table->visible > before ? table->visible - before : 0,
                     .without_numbers =
                         table->in_colours || (!chosen && !table->in_numbers),
                     .row_labels = table->label_room > 0,
                     .label_room = table->label_room - LABEL_GAP,
                     .has_focus = chosen,
                     .focus_col = (size_t)-1};
}

static void draw_rows(const Stage *stage, const ChosenTable *table, size_t begin,
                      size_t end) {
    if (begin >= end)
        return;
    Heatmap heatmap = rows_heatmap(stage, table, begin, end);
    heatmap_draw(stage->canvas, &heatmap);
}

double chosen_table_digits(const Stage *stage, const ChosenTable *table) {
    Heatmap heatmap = rows_heatmap(stage, table, table->row, table->row + 1);
    return heatmap_number_size(stage->canvas, &heatmap);
}

static void frame_chosen(const Stage *stage, const ChosenTable *table) {
    size_t row = table->row;
    Heatmap heatmap = rows_heatmap(stage, table, row, row + 1);
    Color focus = stage->canvas->theme->focus;
    if (stage->has_focus && stage->focus_node == table->node && stage->focus_row == row)
        heatmap_outline_cell(stage->canvas, &heatmap, 0, stage->focus_col, focus);
    else
        heatmap_outline(stage->canvas, &heatmap, 0, 1, 0, table->tensor->cols, focus);
}

void chosen_table_draw(const Stage *stage, const ChosenTable *table) {
    size_t rows = table->tensor->rows;
    double column = table->cells.w / chosen_cols(table);
    if (table->row == PLAYER_NONE || is_image(table, column)) {
        draw_rows(stage, table, 0, rows);
    } else {
        draw_rows(stage, table, 0, table->row);
        draw_rows(stage, table, table->row + 1, rows);
        draw_rows(stage, table, table->row, table->row + 1);
    }
    if (table->row != PLAYER_NONE)
        frame_chosen(stage, table);
}
