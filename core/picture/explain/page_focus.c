#include "picture/explain/page_focus.h"

#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/content/question.h"
#include "lesson/model/generate_step.h"
#include "picture/composites/composites.h"
#include "picture/tensors/views.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* Finds the first cell that differs from the source, if they are compared. */
static bool differing_cell(const Page *page, const LessonStep *step, size_t *cell) {
    const Lesson *lesson = page->player->lesson;
    const Tensor *result = &tape_node(lesson->tape, step->result)->output;
    size_t cells = page->sources && step->printed ? tensor_cells(result) : 0;
    bool differs = false;
    for (size_t i = 0; !differs && i < cells; i++) {
        double value;
        int decimals;
        *cell = i;
        lesson_printed_at(lesson, step, i / result->cols, i % result->cols, &value,
                          &decimals, &differs);
    }
    return differs;
}

static size_t largest_cell(const Tensor *tensor) {
    size_t best = 0, cells = tensor_cells(tensor);
    double most = 0;
    for (size_t i = 0; i < cells; i++) {
        double size = fabs(tensor->values[i]);
        if (size >= most && isfinite(size)) {
            best = i;
            most = size;
        }
    }
    return best;
}

/* Largest cell of the last row, which predicts the next token, for pictures of one
 * row. */
static size_t largest_of_last_row(const Tensor *tensor) {
    size_t best = tensor_cells(tensor) - tensor->cols;
    for (size_t i = best; i < tensor_cells(tensor); i++) {
        double value = tensor->values[i], so_far = tensor->values[best];
        if (isfinite(value) && (!isfinite(so_far) || value > so_far))
            best = i;
    }
    return best;
}

enum { CROSSED_MOST = 256 }; /* cells of a table in which crossings are counted */

/* Sum of the weights of other rows whose arcs a weight's arc crosses, times the
 * weight. */
static double crossed_by(const Tensor *weights, size_t row, size_t col) {
    double crossed = 0;
    for (size_t i = 0; i < weights->rows; i++) {
        for (size_t j = 0; j < weights->cols; j++) {
            if ((i < row && j > col) || (i > row && j < col))
                crossed += tensor_at(weights, i, j);
        }
    }
    return crossed * tensor_at(weights, row, col);
}

/* Reports whether no token attends to a later one. */
static bool only_looks_back(const Tensor *weights) {
    for (size_t i = 0; i < weights->rows; i++) {
        for (size_t j = i + 1; j < weights->cols; j++) {
            if (tensor_at(weights, i, j) > 0)
                return false;
        }
    }
    return weights->rows == weights->cols;
}

/* The cell whose arc crosses most, if that is a weight of 1 or more, because there the
 * order changes; otherwise, and if tokens only attend backwards, the last token's largest
 * weight. */
static size_t most_crossing(const Tensor *weights) {
    size_t best = largest_of_last_row(weights);
    double most = 1;
    if (only_looks_back(weights))
        return best;
    for (size_t i = 0; tensor_cells(weights) <= CROSSED_MOST && i < tensor_cells(weights);
         i++) {
        double crossed = crossed_by(weights, i / weights->cols, i % weights->cols);
        if (crossed > most) {
            most = crossed;
            best = i;
        }
    }
    return best;
}

/* Finds the cell of a node that was set by hand last. */
static bool set_cell(const Tape *tape, size_t node, size_t *cell) {
    for (size_t i = tape_edit_count(tape); i > 0; i--) {
        const TapeEdit *edit = tape_edit_at(tape, i - 1);
        if (edit->node != node)
            continue;
        *cell = edit->row * tape_node(tape, node)->output.cols + edit->col;
        return true;
    }
    return false;
}

/* ---- quoted tokens ---- */

/* Texts of a step that may quote tokens. */
typedef struct Quotes {
    const char *texts[2];
} Quotes;

static bool is_named(const Quotes *quotes, const char *label) {
    for (size_t i = 0; i < 2; i++) {
        if (quotes->texts[i] && lesson_quotes(quotes->texts[i], label))
            return true;
    }
    return false;
}

enum { LABELS_MOST = 4096 }; /* larger tables are not searched */

/* Marks the quoted labels; reports whether some are quoted, but not all. */
static bool names_some(const Quotes *quotes, const char *const *labels, size_t count,
                       bool named[LABELS_MOST]) {
    size_t sum = 0;
    for (size_t i = 0; labels && count <= LABELS_MOST && i < count; i++)
        sum += named[i] = is_named(quotes, labels[i]);
    return sum && sum < count;
}

/* Finds the largest cell of the rows and columns whose tokens are quoted; `usual` if it
 * is among them. Returns false if none, or all, are quoted. */
static bool quoted_cell(const Quotes *quotes, const Tensor *tensor, size_t usual,
                        size_t *cell) {
    bool rows[LABELS_MOST], cols[LABELS_MOST], found = false;
    bool by_row = names_some(quotes, tensor->row_labels, tensor->rows, rows);
    bool by_col = names_some(quotes, tensor->col_labels, tensor->cols, cols);
    for (size_t row = 0; (by_row || by_col) && row < tensor->rows; row++) {
        for (size_t col = 0; (!by_row || rows[row]) && col < tensor->cols; col++) {
            size_t at = row * tensor->cols + col;
            bool larger = fabs(tensor->values[at]) > fabs(tensor->values[*cell]);
            if ((by_col && !cols[col]) ||
                (found && ((!larger && at != usual) || *cell == usual)))
                continue;
            found = true;
            *cell = at;
        }
    }
    return found;
}

/* Finds the cell that a step's question asks for. A cell that is only watched is not the
 * step's subject: while the question is open, it has the page's focus. */
static bool question_cell(const Question *question, const Tensor *tensor, size_t *cell) {
    if (!question || question->kind != QUESTION_CELL)
        return false;
    *cell = question->row * tensor->cols + question->col;
    return true;
}

/* Finds a cell named by the step's question, or else by its other texts. */
static bool named_cell(const Page *page, const LessonStep *step, const Tensor *tensor,
                       size_t usual, size_t *cell) {
    Quotes quotes = {
        {text_in(&step->say, page->language), text_in(&step->heading, page->language)}};
    Quotes asked = {{NULL, NULL}};
    if (step->question)
        asked.texts[0] = text_in(&step->question->text, page->language);
    return quoted_cell(&asked, tensor, usual, cell) ||
           quoted_cell(&quotes, tensor, usual, cell);
}

/* Finds the largest cell of the last row that two tables have in common, one of which
 * continues the other in both directions; returns false if the step shows no such
 * tables. */
static bool common_cell(const Page *page, const LessonStep *step, size_t *cell) {
    const Tape *tape = page->player->lesson->tape;
    const Tensor *last = &tape_node(tape, step->result)->output;
    size_t rows = last->rows, cols = last->cols;
    for (size_t i = 0; i < step->shown_count; i++) {
        const Tensor *other = &tape_node(tape, step->shown[i])->output;
        rows = other->rows < rows ? other->rows : rows;
        cols = other->cols < cols ? other->cols : cols;
    }
    if (!rows || !cols || rows == last->rows || cols == last->cols)
        return false;
    *cell = (rows - 1) * last->cols;
    for (size_t i = *cell; i < (rows - 1) * last->cols + cols; i++)
        *cell = last->values[i] > last->values[*cell] ? i : *cell;
    return true;
}

/* The cell by which a view or a composite is best explained. */
static size_t usual_cell(const Page *page, size_t node) {
    const Tensor *tensor = &tape_node(page->player->lesson->tape, node)->output;
    LessonView view = views_present(page->player, page->view);
    if (view == LESSON_VIEW_ARCS)
        return most_crossing(tensor);
    if ((view == LESSON_VIEW_BARS || view == LESSON_VIEW_MODEL) && tensor->cols > 1)
        return largest_of_last_row(tensor);
    const PlayerStep *at = player_step(page->player);
    OperationKind kind = tape_node(page->player->lesson->tape, node)->operation;
    if (at->child_count && strcmp(at->topic, operation_of(kind)->name) != 0)
        return largest_of_last_row(tensor); /* a layer, an attention: of one token */
    if (view == LESSON_VIEW_DISTANCES)      /* from the middle token to the last */
        return tensor->rows / 2 * tensor->cols + tensor->cols - 1;
    if (view == LESSON_VIEW_WAVES || kind == OPERATION_POSITIONAL_ENCODING)
        /* waves tell little at their ends */
        return tensor->rows / 2 * tensor->cols;
    if (view == LESSON_VIEW_CURVE) /* end of the first curve */
        return (tensor->rows - 1) * tensor->cols;
    bool reads = view == LESSON_VIEW_CHIPS || view == LESSON_VIEW_VOCABULARY;
    return reads ? 0 : largest_cell(tensor);
}

/* The cell that a step explains unless the user has chosen one. */
static size_t own_cell(const Page *page, size_t node) {
    const LessonStep *step = player_words(page->player, page->player->step);
    const Tensor *tensor = &tape_node(page->player->lesson->tape, node)->output;
    size_t own;
    if (set_cell(page->player->lesson->tape, node, &own))
        return own;
    if (step->result == node) {
        if (question_cell(step->question, tensor, &own))
            return own;
        if (differing_cell(page, step, &own))
            return own;
    }
    size_t usual = usual_cell(page, node), cell = usual;
    if (step->result != node || common_cell(page, step, &cell))
        return cell;
    /* bars are of the row that predicts the next token, whatever the texts quote */
    bool bars = views_present(page->player, page->view) == LESSON_VIEW_BARS;
    return !bars && named_cell(page, step, tensor, usual, &cell) ? cell : usual;
}

/* Finds the generated token's cell; returns false if the step is no generation, or a
 * question asks for a cell. */
static bool generation_focus(const Page *page, size_t *node, size_t *row, size_t *col) {
    size_t turn;
    const LessonGenerate *generate =
        lesson_generation_at(page->player, page->player->step, &turn);
    const Question *asked = player_words(page->player, page->player->step)->question;
    if (!generate || (asked && asked->kind == QUESTION_CELL))
        return false;
    FollowCell cell = lesson_generation_cell(generate, turn);
    *node = cell.node;
    *row = cell.row;
    *col = cell.col;
    return true;
}

/* Finds the cell that the lesson names, unless one is set by hand or asked for.
 * Differences from the source take precedence over quoted tokens. */
static bool explained_cell(const Page *page, size_t *node, size_t *row, size_t *col) {
    const LessonStep *step = player_words(page->player, page->player->step);
    const Tape *tape = page->player->lesson->tape;
    const Tensor *result = &tape_node(tape, step->result)->output;
    size_t other;
    const LessonCell *cell = step->cell                           ? step->cell
                             : differing_cell(page, step, &other) ? NULL
                                                                  : step->named;
    if (!cell || *node != step->result || set_cell(tape, *node, &other) ||
        question_cell(step->question, result, &other))
        return false;
    *node = cell->node;
    *row = cell->row;
    *col = cell->col;
    return true;
}

/* Finds the focus of a closing page: that of the picture it repeats. */
static bool hero_focus(const Page *page, size_t *node, size_t *row, size_t *col) {
    Player player = *page->player;
    player_jump(&player, step_picture_cover(page->player));
    Page is_cover = *page;
    is_cover.player = &player;
    is_cover.has_focus = false;
    is_cover.view = LESSON_VIEW_NONE;
    return page_focus(&is_cover, node, row, col);
}

bool page_focus(const Page *page, size_t *node, size_t *row, size_t *col) {
    const Tape *tape = page->player->lesson->tape;
    if (page->has_focus && page->focus.kind == LINK_CELL &&
        page->focus.index < tape_count(tape)) {
        const Tensor *tensor = &tape_node(tape, page->focus.index)->output;
        if (page->focus.row < tensor->rows && page->focus.col < tensor->cols) {
            *node = page->focus.index;
            *row = page->focus.row;
            *col = page->focus.col;
            return true;
        }
    }
    if (player_words(page->player, page->player->step)->closes)
        return hero_focus(page, node, row, col);
    *node = player_step(page->player)->node;
    if (player_step(page->player)->frame != PLAYER_NONE)
        return false; /* the tape has the numbers after training */
    if (player_cell(page->player, row, col))
        return true;
    const Tensor *tensor = &tape_node(tape, *node)->output;
    if (!tensor_cells(tensor))
        return false;
    if (generation_focus(page, node, row, col) || explained_cell(page, node, row, col))
        return true;
    size_t cell = own_cell(page, *node);
    *row = cell / tensor->cols;
    *col = cell % tensor->cols;
    return true;
}
