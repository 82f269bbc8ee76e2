#include "picture/explain/page_focus.h"

#include "lesson/model/generate_step.h"
#include "picture/composites/step_picture.h"
#include "picture/tensors/views.h"

#include <math.h>
#include <string.h>

/* The first cell that differs from the document, where that is compared with. */
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

/* What shows one row shows the last, which speaks of the next word. */
static size_t largest_of_last_row(const Tensor *tensor) {
    size_t best = tensor_cells(tensor) - tensor->cols;
    for (size_t i = best; i < tensor_cells(tensor); i++) {
        double value = tensor->values[i], so_far = tensor->values[best];
        if (isfinite(value) && (!isfinite(so_far) || value > so_far))
            best = i;
    }
    return best;
}

enum { CROSSED_MOST = 256 }; /* cells of a table whose crossings are counted */

/* The shares of other rows that a share's arc crosses, times the share. */
static double crossed_by(const Tensor *shares, size_t row, size_t col) {
    double crossed = 0;
    for (size_t i = 0; i < shares->rows; i++) {
        for (size_t j = 0; j < shares->cols; j++) {
            if ((i < row && j > col) || (i > row && j < col))
                crossed += tensor_at(shares, i, j);
        }
    }
    return crossed * tensor_at(shares, row, col);
}

/* Whether no word reads one behind it. */
static bool only_looks_back(const Tensor *shares) {
    for (size_t i = 0; i < shares->rows; i++) {
        for (size_t j = i + 1; j < shares->cols; j++) {
            if (tensor_at(shares, i, j) > 0)
                return false;
        }
    }
    return shares->rows == shares->cols;
}

/* Where a word's arc crosses a whole word's or more, the one that crosses most: there the
 * order changes. Else, and where words only look back, the last word's largest share. */
static size_t most_crossing(const Tensor *shares) {
    size_t best = largest_of_last_row(shares);
    double most = 1;
    if (only_looks_back(shares))
        return best;
    for (size_t i = 0; tensor_cells(shares) <= CROSSED_MOST && i < tensor_cells(shares);
         i++) {
        double crossed = crossed_by(shares, i / shares->cols, i % shares->cols);
        if (crossed > most) {
            most = crossed;
            best = i;
        }
    }
    return best;
}

/* The cell of a node that was set by hand last, where one is. */
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

/* ---- what a step's words point at ---- */

/* A step's texts in which words may be quoted. */
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

enum { LABELS_MOST = 4096 }; /* of more rows, or columns, none is looked for */

/* Whether some of the labels are quoted, and which; and others are not: all of them tell
 * nothing. */
static bool names_some(const Quotes *quotes, const char *const *labels, size_t count,
                       bool named[LABELS_MOST]) {
    size_t sum = 0;
    for (size_t i = 0; labels && count <= LABELS_MOST && i < count; i++)
        sum += named[i] = is_named(quotes, labels[i]);
    return sum && sum < count;
}

/* The largest cell of the rows and columns whose words are quoted; `usual` where it is
 * among them. False where none, or all, are quoted. */
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

/* The cell that a step's question asks for. One that is only watched is not what the step
 * is about: while it is asked, the question has the page's focus. */
static bool question_cell(const Question *question, const Tensor *tensor, size_t *cell) {
    if (!question || question->kind != QUESTION_CELL)
        return false;
    *cell = question->row * tensor->cols + question->col;
    return true;
}

/* What its question names comes before what else it says. */
static bool named_cell(const Page *page, const LessonStep *step, const Tensor *tensor,
                       size_t usual, size_t *cell) {
    Quotes said = {
        {text_in(&step->say, page->language), text_in(&step->heading, page->language)}};
    Quotes asked = {{NULL, NULL}};
    if (step->question)
        asked.texts[0] = text_in(&step->question->text, page->language);
    return quoted_cell(&asked, tensor, usual, cell) ||
           quoted_cell(&said, tensor, usual, cell);
}

/* The largest cell of the last row that two tables have in common where one continues the
 * other in both directions; false where the step shows no such tables. */
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

/* The cell that a view, or a composite, is best explained by. */
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
        return largest_of_last_row(tensor); /* a layer, an attention: of one word */
    if (view == LESSON_VIEW_DISTANCES)      /* from the middle word to the last */
        return tensor->rows / 2 * tensor->cols + tensor->cols - 1;
    if (view == LESSON_VIEW_WAVES || kind == OPERATION_POSITIONAL_ENCODING)
        /* at their ends waves have little to tell */
        return tensor->rows / 2 * tensor->cols;
    if (view == LESSON_VIEW_CURVE) /* the first curve's end */
        return (tensor->rows - 1) * tensor->cols;
    bool reads = view == LESSON_VIEW_CHIPS || view == LESSON_VIEW_VOCABULARY;
    return reads ? 0 : largest_cell(tensor);
}

/* The cell a step explains when nobody has chosen one. */
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
    /* bars are of the row that speaks of the next word, whatever is said of others */
    bool bars = views_present(page->player, page->view) == LESSON_VIEW_BARS;
    return !bars && named_cell(page, step, tensor, usual, &cell) ? cell : usual;
}

/* Of a generation the word said; false where the step is none, or asks for a cell. */
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

/* The cell that the step says it is about, where none is set by hand and none asked for.
 * What it is compared with comes before what its words name. */
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

/* Of a closing page that of the picture it repeats. */
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
        return false; /* the tape has the end's numbers */
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
