#include "base/number.h"
#include "lesson/content/content.h"
#include "lesson/content/problem.h"
#include "picture/explain/explain.h"
#include "picture/scene/theme.h"
#include "picture/words/words_parts.h"
#include "tensor/tape/tape.h"

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
static const char *input_text(const CellSum *sum, size_t input) {
    const TapeNode *at = sum->at;
    FollowCell cell = sum->cell;
    if (input >= at->input_count)
        return "";
    const Tensor *tensor = at->operands[input];
    size_t row = cell.row < tensor->rows ? cell.row : tensor->rows - 1;
    size_t col = cell.col < tensor->cols ? cell.col : tensor->cols - 1;
    bool ids = operation_reads_ids(at->operation, input) && /* each ID selects a row */
               at->output.rows == tensor_cells(tensor);
    double value = ids ? tensor->values[cell.row] : tensor_at(tensor, row, col);
    return term_number_text(sum->parts->canvas, value);
}

static const char *sentence_of(const CellSum *sum) {
    const PageParts *parts = sum->parts;
    const Canvas *canvas = parts->canvas;
    const Tape *tape = parts->page->player->lesson->tape;
    const TapeNode *at = sum->at;
    FollowCell cell = sum->cell;
    const char *trouble = problem_of(tape, cell.node, cell.row, cell.col);
    if (trouble)
        return canvas_string(canvas, trouble);
    double value = tensor_at(&at->output, cell.row, cell.col);
    size_t made_from = at->input_count ? at->operands[0]->cols : at->output.cols;
    const char *name = tape_cell_edited(tape, cell.node, cell.row, cell.col, NULL)
                           ? "edited"
                       : at->muted ? "muted"
                                   : operation_of(at->operation)->name;
    /* IDs and targets are second in their operations, but first in the sentence. */
    size_t first = operation_reads_ids(at->operation, 1) ? 1 : 0;
    char percent[NUMBER_SIZE];
    return canvas_words(
        canvas, canvas_format(canvas, "numbers.%s", name),
        place_text(parts, at->output.row_labels, at->output.rows, cell.row),
        place_text(parts, at->output.col_labels, at->output.cols, cell.col),
        sum->open ? "…" : term_number_text(canvas, value),
        canvas_count(canvas, made_from), input_text(sum, first), input_text(sum, 1),
        sum->open ? "…" : number_format_short(percent, 100 * value, 1), NULL);
}

/* ---- the sum ---- */

static double draw_sum(CellSum *sum, Box area, bool draw) {
    const Canvas *canvas = sum->parts->canvas;
    const Player *player = sum->parts->page->player;
    CellName name = {.cell = sum->cell};
    CellStyle style = {FONT_BOLD, canvas->theme->ink, canvas_size(canvas, SUM_UNITS, ""),
                       canvas_size(canvas, NAME_UNITS, "")};
    double left = cell_name_width(canvas, player, &name, &style);
    double size = cell_sum_fit_value(sum, SUM_UNITS, area.w - left);
    double small = cell_sum_fit_quantities(sum, QUANTITY_UNITS, area.w);
    if (draw) {
        Point at = {area.x, area.y + SUM_HEIGHT * 0.72};
        at.x = cell_name_draw(canvas, player, &name, &style, at);
        runs_draw(sum->value, size, at);
        runs_draw(sum->quantities, small, (Point){area.x, area.y + SUM_HEIGHT + 20});
    }
    return SUM_HEIGHT + (sum->quantities->count ? QUANTITY_HEIGHT : 0);
}

/* Finds the explained cell if its number may be shown: not in a training run, which shows
 * other numbers than the tape's, nor in an exercise that asks for it. */
static bool find_cell(const PageParts *parts, FollowCell *cell) {
    const Page *page = parts->page;
    size_t frame;
    return !player_film(page->player, &frame) &&
           page_focus(page, &cell->node, &cell->row, &cell->col) &&
           !practise_panel_hides(page->practise, cell->node);
}

double words_numbers(const PageParts *parts, Box area, bool draw) {
    FollowCell cell;
    if (!find_cell(parts, &cell))
        return words_text(parts, STYLE_SENTENCE, generated_words(parts, "say", NULL),
                          area, draw);
    CellSum sum = cell_sum_of(parts, cell);
    Box rest = area;
    rest.y += words_text(parts, STYLE_SENTENCE, sentence_of(&sum), rest, draw) + 4;
    return rest.y - area.y + draw_sum(&sum, rest, draw);
}
