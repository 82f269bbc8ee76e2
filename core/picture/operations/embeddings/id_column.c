#include "picture/operations/embeddings/id_column.h"

#include "base/arena.h"
#include "picture/tensors/tokens.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const double WORD_UNITS = 20, WORD_GAP = 14, LEAST_CELL = 40; /* units */
static const double WORDS_SHARE = 0.28;                              /* of the width */
static const double CHIP_HEIGHT = 1.25; /* least height of a chip over its font size */
/* Height of a word without a chip over its font size. */
static const double WORD_HEIGHT = 1.05;

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
    column->size = fmax(size, canvas_least(canvas, "一"));
    for (size_t i = 0; i < column->column->rows; i++)
        column->words = fmax(column->words, token_width(canvas, column->size, labels[i]));
    column->words = fmin(column->words, width * WORDS_SHARE) + WORD_GAP;
}

double id_column_cell(double w, double h) {
    return fmin(fmax(w, fmin(h * 1.4, LEAST_CELL)), w * 1.5 + LEAST_CELL);
}

/* Returns the link of an ID, which the tape may hold in a row. */
static Link link_of(const IdColumn *column, size_t index) {
    bool in_row = column->ids->rows == 1;
    return (Link){LINK_CELL, column->node, in_row ? 0 : index, in_row ? index : 0};
}

static double row_height(const IdColumn *column) {
    return column->cells.cells.h / (double)column->column->rows;
}

/* Returns true if words are in chips: if these fit in all rows. */
static bool has_chips(const IdColumn *column) {
    return column->size * CHIP_HEIGHT + 4 <= row_height(column);
}

/* Returns the stride of rows with a word: 1 if all rows are tall enough. The focused row
 * always has one. */
static size_t word_stride(const IdColumn *column) {
    double word = column->size * WORD_HEIGHT;
    return word <= row_height(column) ? 1 : (size_t)ceil(word / row_height(column));
}

static bool has_word(const IdColumn *column, size_t index, size_t stride) {
    const Stage *stage = column->stage;
    size_t first = stage->has_focus ? stage->focus_row % stride : 0;
    return column->size > 0 && index % stride == first;
}

static void draw_word(const IdColumn *column, size_t index, Box id) {
    const Stage *stage = column->stage;
    const Canvas *canvas = stage->canvas;
    const char *label = column->column->row_labels[index];
    TokenKind kind = token_kind(label);
    Token token = {.label = label,
                   .kind = kind == TOKEN_SUBWORD ? TOKEN_WORD : kind,
                   .present = stage->has_focus && stage->focus_row == index,
                   .size = column->size};
    double room = column->words - WORD_GAP,
           width = fmin(token_width(canvas, column->size, label), room);
    double height = fmin(token_height(column->size), id.h - 2);
    if (has_chips(column)) {
        token_draw(canvas, &token,
                   (Box){id.x - WORD_GAP - width, round(id.y + (id.h - height) / 2),
                         width, height});
        return;
    }
    canvas_row_label(canvas, column->size, room, token.present,
                     (Point){id.x - WORD_GAP, id.y + id.h / 2},
                     token_text(canvas, label));
}

void id_column_draw(const IdColumn *column) {
    const Canvas *canvas = column->stage->canvas;
    size_t stride = word_stride(column);
    for (size_t i = 0; i < column->column->rows; i++) {
        Box id = heatmap_cells(&column->cells, i, i + 1, 0, 1);
        Link link = link_of(column, i);
        canvas_link(canvas, link);
        if (has_word(column, i, stride))
            draw_word(column, i, id);
        canvas_target(canvas, id);
        canvas_unlink(canvas);
        if (link_equal(canvas->pointed, link))
            heatmap_outline_cell(canvas, &column->cells, i, 0, canvas->theme->focus);
    }
}
