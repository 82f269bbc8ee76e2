#include "picture/explain/explain.h"

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

/* Largest of the first `count` cells of a row, of finite ones. */
static size_t largest_in_row(const Tensor *tensor, size_t row, size_t count) {
    size_t begin = row * tensor->cols, best = begin;
    for (size_t i = begin; i < begin + count; i++) {
        double value = tensor->values[i], so_far = tensor->values[best];
        if (isfinite(value) && (!isfinite(so_far) || value > so_far))
            best = i;
    }
    return best;
}

/* Largest cell of the last row, which predicts the next token, for pictures of one
 * row. */
static size_t largest_of_last_row(const Tensor *tensor) {
    return largest_in_row(tensor, tensor->rows - 1, tensor->cols);
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

/* Reports whether one of two texts, which may be NULL, quotes a label. */
static bool is_quoted(const char *const texts[2], const char *label) {
    return (texts[0] && lesson_quotes(texts[0], label)) ||
           (texts[1] && lesson_quotes(texts[1], label));
}

enum { LABELS_MOST = 4096 }; /* larger tables are not searched */

/* Marks the quoted labels; reports whether some are quoted, but not all. */
static bool quotes_some(const char *const texts[2], const char *const *labels,
                        size_t count, bool quoted[LABELS_MOST]) {
    size_t sum = 0;
    for (size_t i = 0; labels && count <= LABELS_MOST && i < count; i++)
        sum += quoted[i] = is_quoted(texts, labels[i]);
    return sum && sum < count;
}

/* Finds the largest cell of the rows and columns whose tokens are quoted; `usual` if it
 * is among them. Returns false if none, or all, are quoted. */
static bool quoted_cell(const char *const texts[2], const Tensor *tensor, size_t usual,
                        size_t *cell) {
    bool rows[LABELS_MOST], cols[LABELS_MOST], found = false;
    bool by_row = quotes_some(texts, tensor->row_labels, tensor->rows, rows);
    bool by_col = quotes_some(texts, tensor->col_labels, tensor->cols, cols);
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
    const Language *language = page->language;
    const char *const texts[] = {text_in(&step->say, language),
                                 text_in(&step->heading, language)};
    const char *const asked[] = {
        step->question ? text_in(&step->question->text, language) : NULL, NULL};
    return quoted_cell(asked, tensor, usual, cell) ||
           quoted_cell(texts, tensor, usual, cell);
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
    *cell = largest_in_row(last, rows - 1, cols);
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

static FollowCell cell_at(const Page *page, size_t node, size_t index) {
    size_t cols = tape_node(page->player->lesson->tape, node)->output.cols;
    return (FollowCell){node, index / cols, index % cols};
}

/* The cell that a step explains unless the user has chosen one: one that is set by hand,
 * asked for, named by the lesson, differs from the source, is that of the vector that the
 * lesson follows, is quoted, or the usual one. */
static FollowCell own_cell(const Page *page, size_t node) {
    const Tape *tape = page->player->lesson->tape;
    const LessonStep *step = player_words(page->player, page->player->step);
    const Tensor *tensor = &tape_node(tape, node)->output;
    bool own = step->result == node;
    size_t cell;
    if (set_cell(tape, node, &cell) ||
        (own && question_cell(step->question, tensor, &cell)) ||
        (own && !step->cell && differing_cell(page, step, &cell)))
        return cell_at(page, node, cell);
    size_t row, col;
    if (!(own && step->cell) && lesson_followed(page->player->lesson, tensor, &row, &col))
        return (FollowCell){node, row, col};
    const LessonCell *named = step->cell ? step->cell : step->named;
    if (own && named)
        return (FollowCell){named->node, named->row, named->col};
    size_t usual = cell = usual_cell(page, node);
    /* bars are of the row that predicts the next token, whatever the texts quote */
    bool bars = views_present(page->player, page->view) == LESSON_VIEW_BARS;
    if (own && !common_cell(page, step, &cell) &&
        (bars || !named_cell(page, step, tensor, usual, &cell)))
        cell = usual;
    return cell_at(page, node, cell);
}

/* Finds the generated token's cell; returns false if the step is no generation, or a
 * question asks for a cell. */
static bool generation_focus(const Page *page, FollowCell *cell) {
    size_t turn;
    const LessonGenerate *generate =
        lesson_generation_at(page->player, page->player->step, &turn);
    const Question *asked = player_words(page->player, page->player->step)->question;
    bool found = generate && !(asked && asked->kind == QUESTION_CELL);
    if (found)
        *cell = lesson_generation_cell(generate, turn);
    return found;
}

/* Reports whether the page's focus is a cell of the tape. */
static bool has_focus(const Page *page) {
    const Tape *tape = page->player->lesson->tape;
    Link focus = page->focus;
    if (!page->has_focus || focus.kind != LINK_CELL || focus.index >= tape_count(tape))
        return false;
    const Tensor *tensor = &tape_node(tape, focus.index)->output;
    return focus.row < tensor->rows && focus.col < tensor->cols;
}

static bool find_focus(const Page *page, FollowCell *cell);

/* Finds the focus of a closing page: that of the picture it repeats. */
static bool hero_focus(const Page *page, FollowCell *cell) {
    Player player = *page->player;
    player_jump(&player, step_picture_cover(page->player));
    Page is_cover = *page;
    is_cover.player = &player;
    is_cover.has_focus = false;
    is_cover.view = LESSON_VIEW_NONE;
    return find_focus(&is_cover, cell);
}

static bool find_focus(const Page *page, FollowCell *cell) {
    const Player *player = page->player;
    *cell = (FollowCell){page->focus.index, page->focus.row, page->focus.col};
    if (has_focus(page))
        return true;
    if (player_words(player, player->step)->closes)
        return hero_focus(page, cell);
    cell->node = player_step(player)->node;
    if (player_step(player)->frame != PLAYER_NONE)
        return false; /* the tape has the numbers after training */
    if (player_cell(player, &cell->row, &cell->col))
        return true;
    if (!tensor_cells(&tape_node(player->lesson->tape, cell->node)->output))
        return false;
    if (!generation_focus(page, cell))
        *cell = own_cell(page, cell->node);
    return true;
}

bool page_focus(const Page *page, size_t *node, size_t *row, size_t *col) {
    FollowCell cell;
    bool found = find_focus(page, &cell);
    *node = cell.node;
    *row = cell.row;
    *col = cell.col;
    return found;
}
