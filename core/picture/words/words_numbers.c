#include "base/number.h"
#include "lesson/content/content.h"
#include "lesson/content/problem.h"
#include "picture/explain/cell_name.h"
#include "picture/explain/cell_sum.h"
#include "picture/explain/page_focus.h"
#include "picture/explain/practising.h"
#include "picture/scene/theme.h"
#include "picture/words/words_parts.h"

static const double SENTENCE_UNITS = 17.5, SENTENCE_LEADING = 1.5;
static const double SUM_UNITS = 23, NAME_UNITS = 26, SUM_HEIGHT = 38;
static const double QUANTITY_UNITS = 16, QUANTITY_HEIGHT = 30;

/* ---- the sentence ---- */

/* Label of a position, “am”, or its number, 2. */
static const char *place_text(const PageParts *parts, const char *const *labels,
                              size_t count, size_t index) {
    return canvas_format(parts->canvas, labels ? "“%s”" : "%s",
                         canvas_place(parts->canvas, labels, count, index));
}

/* Number of an input at the cell's position, also if the input is broadcast. */
static const char *input_text(const PageParts *parts, const CellSum *cell, size_t input) {
    if (input >= cell->at->input_count)
        return "";
    const Tape *tape = parts->page->player->lesson->tape;
    const Tensor *tensor = &tape_node(tape, cell->at->inputs[input])->output;
    size_t row = cell->row < tensor->rows ? cell->row : tensor->rows - 1;
    size_t col = cell->col < tensor->cols ? cell->col : tensor->cols - 1;
    bool ids =
        operation_reads_ids(cell->at->operation, input) && /* each ID selects a row */
        cell->at->output.rows == tensor_cells(tensor);
    double value = ids ? tensor->values[cell->row] : tensor_at(tensor, row, col);
    return term_number_text(parts->canvas, value);
}

/* IDs and targets are second in their operations, but first in the sentence. */
static const char *first_text(const PageParts *parts, const CellSum *cell) {
    bool second = operation_reads_ids(cell->at->operation, 1);
    return input_text(parts, cell, second ? 1 : 0);
}

static const char *sentence_of(const PageParts *parts, const CellSum *cell) {
    const Canvas *canvas = parts->canvas;
    const Tape *tape = parts->page->player->lesson->tape;
    const char *trouble = problem_of(tape, cell->node, cell->row, cell->col);
    if (trouble)
        return canvas_string(canvas, trouble);
    const Tensor *output = &cell->at->output;
    double value = tensor_at(output, cell->row, cell->col);
    size_t made_from = cell->at->input_count
                           ? tape_node(tape, cell->at->inputs[0])->output.cols
                           : output->cols;
    bool set = tape_cell_edited(tape, cell->node, cell->row, cell->col, NULL);
    const char *name = set               ? "edited"
                       : cell->at->muted ? "muted"
                                         : operation_of(cell->at->operation)->name;
    char percent[NUMBER_SIZE];
    return canvas_words(
        canvas, canvas_format(canvas, "numbers.%s", name),
        place_text(parts, output->row_labels, output->rows, cell->row),
        place_text(parts, output->col_labels, output->cols, cell->col),
        cell->open ? "…" : term_number_text(canvas, value),
        canvas_count(canvas, made_from), first_text(parts, cell),
        input_text(parts, cell, 1),
        cell->open
            ? "…"
            : canvas_format(canvas, "%s", number_format_short(percent, 100 * value, 1)),
        NULL);
}

/* ---- the sum ---- */

static double draw_sum(const PageParts *parts, CellSum *cell, Box area, bool draw) {
    const Canvas *canvas = parts->canvas;
    SumLines lines;
    sum_lines_init(&lines, parts);
    double baseline = area.y + SUM_HEIGHT * 0.72;
    CellName name = {{cell->node, cell->row, cell->col}, false};
    CellStyle style = {FONT_BOLD, canvas->theme->ink, canvas_size(canvas, SUM_UNITS, ""),
                       canvas_size(canvas, NAME_UNITS, "")};
    double left = cell_name_width(canvas, parts->page->player, &name, &style);
    double size = sum_lines_fit_value(&lines, cell, SUM_UNITS, area.w - left);
    double small = sum_lines_fit_quantities(&lines, cell, QUANTITY_UNITS, area.w);
    if (draw) {
        Point at = {area.x, baseline};
        at.x = cell_name_draw(canvas, parts->page->player, &name, &style, at);
        runs_draw(lines.value, size, at);
        at = (Point){area.x, area.y + SUM_HEIGHT + 20};
        runs_draw(lines.quantities, small, at);
    }
    return SUM_HEIGHT + (lines.quantities->count ? QUANTITY_HEIGHT : 0);
}

/* Finds the explained cell if its number may be shown: not in a training run, which shows
 * other numbers than the tape's, nor in an exercise that asks for it. */
static bool find_cell(const PageParts *parts, CellSum *cell) {
    const Page *page = parts->page;
    size_t frame;
    if (player_film(page->player, &frame) ||
        !page_focus(page, &cell->node, &cell->row, &cell->col) ||
        practise_panel_hides(page->practise, cell->node))
        return false;
    cell_sum_init(cell, parts);
    return true;
}

double words_numbers(const PageParts *parts, Box area, bool draw) {
    CellSum cell = {0};
    bool found = find_cell(parts, &cell);
    WordsText text = {.font = FONT_TEXT,
                      .units = SENTENCE_UNITS,
                      .leading = SENTENCE_LEADING,
                      .lines = 2,
                      .color = parts->canvas->theme->ink_soft,
                      .text = found ? sentence_of(parts, &cell)
                                    : generated_words(parts, "say", NULL)};
    Box rest = area;
    box_take_top(&rest, words_text(parts, &text, rest, draw));
    if (!found)
        return rest.y - area.y;
    box_take_top(&rest, 4);
    return rest.y - area.y + draw_sum(parts, &cell, rest, draw);
}
