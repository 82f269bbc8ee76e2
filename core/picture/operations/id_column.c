#include "picture/operations/id_column.h"

#include "picture/tensors/tokens.h"

#include <math.h>

static const double WORD_UNITS = 20, WORD_GAP = 14, LEAST_CELL = 40; /* units */
static const double WORDS_SHARE = 0.18;                              /* of the width */

bool id_column_init(IdColumn *column, const Stage *stage, size_t node,
                    const Tensor *labelled) {
    Tensor *below = arena_alloc(stage->canvas->scene->arena, 1, sizeof *below);
    if (!below)
        return false;
    *column = (IdColumn){
        .stage = stage, .node = node, .ids = stage_tensor(stage, node), .column = below};
    *below = *column->ids;
    below->rows = tensor_cells(column->ids);
    below->cols = 1;
    below->col_labels = NULL;
    below->row_labels = labelled->row_labels;
    column->cells = (Heatmap){.tensor = below,
                              .node = TAPE_NONE,
                              .colors = HEATMAP_PLAIN,
                              .reach = 1,
                              .visible = (size_t)-1};
    return true;
}

void id_column_measure(IdColumn *column, double width, double height) {
    const Canvas *canvas = column->stage->canvas;
    const char *const *labels = column->column->row_labels;
    if (!labels)
        return;
    double line = height / (double)column->column->rows;
    double size = fmin(canvas_size(canvas, WORD_UNITS, "一"), floor(line / 2.2));
    column->size = fmax(size, label_min_size("一"));
    for (size_t i = 0; i < column->column->rows; i++)
        column->words = fmax(column->words, token_width(canvas, column->size, labels[i]));
    column->words =
        fmin(column->words, width * WORDS_SHARE) + canvas_length(canvas, WORD_GAP);
}

double id_column_cell(const IdColumn *column, double w, double h) {
    double least = canvas_length(column->stage->canvas, LEAST_CELL);
    return fmin(fmax(w, fmin(h * 1.4, least)), w * 1.5 + least);
}

/* The tape may hold the IDs in a row. */
static Link link_of(const IdColumn *column, size_t index) {
    bool in_row = column->ids->rows == 1;
    return (Link){LINK_CELL, column->node, in_row ? 0 : index, in_row ? index : 0};
}

static void draw_chip(const IdColumn *column, size_t index, Box id) {
    const Stage *stage = column->stage;
    const Canvas *canvas = stage->canvas;
    const char *label = column->column->row_labels[index];
    TokenKind kind = token_kind(label);
    Token token = {.label = label,
                   .kind = kind == TOKEN_PIECE ? TOKEN_WORD : kind,
                   .present = stage->has_focus && stage->focus_row == index,
                   .size = column->size};
    double gap = canvas_length(canvas, WORD_GAP);
    double width = fmin(token_width(canvas, column->size, label), column->words - gap);
    double height = fmin(token_height(column->size), id.h - 2);
    token_draw(
        canvas, &token,
        (Box){id.x - gap - width, round(id.y + (id.h - height) / 2), width, height});
}

void id_column_draw(const IdColumn *column) {
    const Canvas *canvas = column->stage->canvas;
    for (size_t i = 0; i < column->column->rows; i++) {
        Box id = heatmap_cells(&column->cells, i, i + 1, 0, 1);
        Link link = link_of(column, i);
        canvas_link(canvas, link);
        if (column->size > 0)
            draw_chip(column, i, id);
        canvas_target(canvas, id);
        canvas_unlink(canvas);
        if (link_equal(canvas->pointed, link))
            heatmap_outline_cell(canvas, &column->cells, i, 0, canvas->theme->focus);
    }
}
