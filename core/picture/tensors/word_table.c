#include "lesson/content/content.h"
#include "picture/stage/caption.h"
#include "picture/tensors/views.h"

#include <math.h>
#include <string.h>

/* A single table whose rows are tokens' vectors: each token is a chip with its numbers as
 * a strip beside it, as large as the page allows. */

static const char PREDICTS[] = "→ ";
enum { ROWS_MOST = 8, COLS_MOST = 10 };

/* Lengths in units. */
static const double LARGEST_ROW = 128, LEAST_ROW = 44, WIDEST = 210, NAME = 22;
static const double LARGEST_WORD = 30, LEAST_WORD = 17, TIE = 34, CAPTION = 70;
static const double
    GAP_FRACTION = 0.16,
    WORD_FRACTION = 0.36, CHIPS_FRACTION = 0.3,
    WIDE_FRACTION =
        1.9; /* fractions of a row's height, of the area's width, of the height */

typedef struct WordTable {
    const Stage *stage;
    size_t node;
    const Tensor *tensor;
    double row, gap, cell, chips, word, head; /* points */
    Point corner;                             /* of the first strip */
    double digits;
} WordTable;

static double widest_chip(const WordTable *table) {
    double widest = 0;
    for (size_t i = 0; i < table->tensor->rows; i++)
        widest = fmax(widest, token_width(table->stage->canvas, table->word,
                                          table->tensor->row_labels[i]));
    return ceil(widest);
}

static bool place(WordTable *table) {
    const Canvas *canvas = table->stage->canvas;
    Box area = table->stage->area;
    double rows = (double)table->tensor->rows, cols = (double)table->tensor->cols;
    area.h -= fmax(STAGE_LEGEND_HEIGHT, CAPTION);
    table->head = table->tensor->col_labels ? 30 : 0;
    double pitch =
        fmin((area.h - table->head) / rows, round(LARGEST_ROW * (1 + GAP_FRACTION)));
    table->gap = round(pitch * GAP_FRACTION / (1 + GAP_FRACTION));
    table->row = floor(pitch - table->gap);
    table->word = canvas_size(
        canvas, fmax(fmin(LARGEST_WORD, table->row * WORD_FRACTION), LEAST_WORD), "一");
    while (table->word > LEAST_WORD && widest_chip(table) > area.w * CHIPS_FRACTION)
        table->word--;
    table->chips = widest_chip(table);
    double room = area.w - table->chips - TIE;
    table->cell = floor(fmin(fmin(room / cols, WIDEST), table->row * WIDE_FRACTION));
    double used = table->chips + TIE + table->cell * cols;
    double tall = table->head + pitch * rows - table->gap;
    table->corner = (Point){round(area.x + (area.w - used) / 2 + table->chips + TIE),
                            round(area.y + (area.h - tall) / 2 + table->head)};
    return table->row >= LEAST_ROW && table->row >= token_height(table->word) &&
           table->cell >= table->row * 0.8 &&
           (!table->tensor->col_labels ||
            heatmap_col_labels(canvas, table->tensor).flat <= table->cell) &&
           table->chips <= area.w * CHIPS_FRACTION;
}

static Heatmap strip_of(const WordTable *table, size_t index) {
    const Stage *stage = table->stage;
    Box cells = {table->corner.x,
                 table->corner.y + (table->row + table->gap) * (double)index,
                 table->cell * (double)table->tensor->cols, table->row};
    Heatmap strip = view_strip(stage, table->node, index, cells,
                               heatmap_scale_reach(table->tensor), NULL);
    strip.col_labels = index == 0;
    strip.number_size = table->digits;
    return strip;
}

static void draw_row(const WordTable *table, size_t index) {
    const Stage *stage = table->stage;
    const Canvas *canvas = stage->canvas;
    const char *word = table->tensor->row_labels[index];
    bool here = stage->has_focus && stage->focus_node == table->node;
    bool focus = here && stage->focus_row == index;
    Heatmap strip = strip_of(table, index);
    strip.has_focus = here;
    strip.focus_row = (size_t)-1;
    strip.focus_col = stage->focus_col;
    double middle = strip.cells.y + table->row / 2, right = strip.cells.x;
    double width = token_width(canvas, table->word, word),
           height = token_height(table->word);
    scene_line(canvas->scene, (Point){right - TIE, middle}, (Point){right, middle}, 2,
               canvas->theme->line);
    chip_draw(canvas, word, focus, table->word, (Link){0},
              (Box){right - TIE - width, round(middle - height / 2), width, height});
    heatmap_draw(canvas, &strip);
    if (focus)
        heatmap_outline_cell(canvas, &strip, 0, stage->focus_col, canvas->theme->focus);
}

static double digits_of(const WordTable *table) {
    double least = 0;
    for (size_t i = 0; i < table->tensor->rows; i++) {
        Heatmap strip = strip_of(table, i);
        double size = heatmap_number_size(table->stage->canvas, &strip);
        least = i == 0 || size < least ? size : least;
    }
    return least;
}

/* Reports whether row labels are tokens, maybe predicted ones, not names with an index or
 * remarks on a row. */
static bool are_words(const Tensor *tensor) {
    for (size_t i = 0; tensor->row_labels && i < tensor->rows; i++) {
        const char *label = tensor->row_labels[i];
        if (strpbrk(label + (strncmp(label, PREDICTS, sizeof PREDICTS - 1)
                                 ? 0
                                 : sizeof PREDICTS - 1),
                    "_ =:"))
            return false;
    }
    return tensor->row_labels != NULL;
}

/* Width of a picture in which a mask's key stands beside the table's name. */
static const double KEY_BESIDE = 640;

/* Draws a key of the two kinds of cells of a mask in the lower right corner, if it has
 * room beside the table's name. */
static void mask_key(const Stage *stage) {
    const Canvas *canvas = stage->canvas;
    const HeatmapSwatch kinds[] = {{0, canvas_string(canvas, "mask.open")},
                                   {-INFINITY, canvas_string(canvas, "mask.closed")}};
    Box area = stage->area;
    if (!canvas->without_legends && area.w > KEY_BESIDE)
        heatmap_swatches(canvas, box_take_bottom(&area, STAGE_LEGEND_HEIGHT), kinds, 2);
}

bool word_table(const Stage *stage, size_t node) {
    WordTable table = {.stage = stage, .node = node, .tensor = stage_tensor(stage, node)};
    const Tensor *tensor = table.tensor;
    HeatmapColors colors = stage_colors(stage->tape, node);
    const char *name = stage_formula_name(stage, node);
    if (stage->values || stage->is_question || !are_words(tensor) ||
        tensor->rows > ROWS_MOST || tensor->cols < 2 || tensor->cols > COLS_MOST ||
        colors != HEATMAP_SIGNED || caption_tab(stage, name, node).name ||
        heatmap_exponent(colors, heatmap_scale_reach(tensor)) || !place(&table))
        return false;
    table.digits = digits_of(&table);
    if (!(table.digits > 0))
        return false;
    for (size_t i = 0; i < tensor->rows; i++)
        draw_row(&table, i);
    Caption caption = caption_fit(stage, name, node, tensor, NAME, stage->area.w);
    double width = table.cell * (double)tensor->cols,
           end = table.corner.y + (table.row + table.gap) * (double)tensor->rows;
    caption_draw(
        stage, &caption,
        (Point){table.corner.x + width / 2, end - table.gap + 14 + caption.above},
        caption_shape_drop(stage->canvas, caption.below), LABEL_CENTER);
    if (tensor_is_mask(tensor))
        mask_key(stage);
    else
        stage_legends(stage, stage->area,
                      &(StageScale){HEATMAP_SIGNED, heatmap_scale_reach(tensor)}, 1);
    return true;
}
