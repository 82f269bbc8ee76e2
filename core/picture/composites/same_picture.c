#include "picture/composites/same_picture.h"

#include "picture/draw/part_name.h"
#include "picture/tensors/tokens.h"
#include "picture/tensors/views.h"

#include <math.h>

/* How tall a row's parts are in units: where rows are left out rather than less, and
 * where there is room for all. A strip can shrink to its colours; a sign and a 0 can't.
 */
typedef struct Part {
    double least, most;
} Part;
static const Part STRIP = {8, 62}, TIE = {14, 28}, ZEROS = {27, 38}, APART = {4, 32};
static const double WIDEST_CELL = 124, NAME = 20, WORD = 16, GAP = 14,
                    FOLD = 24;                     /* what says that rows are left out */
static const double NARROWEST = 5, LEAST_SIGN = 8; /* points */
static const double HEAD_SHARE = 0.22, NAMES_SHARE = 0.24, WORDS_SHARE = 0.16;
static const double ROUNDING = 1e-9, ZERO_SHARE = 0.75; /* of its cell's height */

typedef struct Same {
    const Stage *stage;
    size_t upper, lower; /* nodes */
    const Tensor *tensor;
    double reach;
    size_t first, end, chosen; /* rows that are drawn; the one that has names */
    double share;              /* of the way from the least to the most height */
    double cell, digits;
    Point corner; /* of the first row's cells */
    double head;  /* of the columns' labels, above it */
} Same;

/* ---- whether it is so ---- */

static bool find(Same *same) {
    const Stage *stage = same->stage;
    const TapeNode *node = stage_node(stage, stage->node);
    if (stage->values || stage->asks || stage->step->shown_count || node->muted ||
        node->operation != OPERATION_SUBTRACT || !stage_only_picks(stage))
        return false;
    same->upper = node->inputs[0];
    same->lower = node->inputs[1];
    same->tensor = stage_tensor(stage, same->upper);
    const Tensor *other = stage_tensor(stage, same->lower);
    same->reach = heatmap_reach(same->tensor);
    bool alike = other->rows == same->tensor->rows && other->cols == same->tensor->cols;
    for (size_t i = 0; alike && i < tensor_cells(other); i++)
        alike =
            fabs(same->tensor->values[i] - other->values[i]) <= same->reach * ROUNDING;
    return alike && tensor_cells(other) > 0;
}

/* ---- where it lies ---- */

static double units(const Same *same, double length) {
    return canvas_length(same->stage->canvas, length);
}

static double part(const Same *same, Part part) {
    return floor(units(same, part.least + (part.most - part.least) * same->share));
}

static double row_height(const Same *same) {
    return 2 * part(same, STRIP) + part(same, TIE) + part(same, ZEROS) +
           part(same, APART);
}

static bool is_folded(const Same *same) {
    return same->end - same->first < same->tensor->rows;
}

/* How tall the marks of what is left out are together, above and below the rows. */
static double folds(const Same *same) {
    double sides = (same->first > 0) + (same->end < same->tensor->rows);
    return is_folded(same) ? sides * units(same, FOLD) : 0;
}

/* As many rows as have room, around the chosen one. */
static void choose_rows(Same *same, double room) {
    double least = row_height(same); /* with a share of 0 */
    same->share = 1;
    double most = row_height(same);
    size_t rows = same->tensor->rows;
    bool at_end = same->chosen == 0 || same->chosen + 1 == rows;
    if (room < least * (double)rows)
        room -= (at_end ? 1 : 2) * units(same, FOLD);
    double fit = fmax(floor(room / least), 1);
    size_t shown = fit < (double)rows ? (size_t)fit : rows;
    double height = room / (double)shown;
    same->share = fmax(fmin((height - least) / (most - least), 1), 0);
    while (row_height(same) > height && same->share > 0) /* parts are whole points */
        same->share = fmax(same->share - 0.01, 0);
    same->first = same->chosen > shown / 2 ? same->chosen - shown / 2 : 0;
    if (same->first + shown > rows)
        same->first = rows - shown;
    same->end = same->first + shown;
}

static const char *name_of(const Same *same, size_t node) {
    const Stage *stage = same->stage;
    size_t table = node;
    while (stage_node(stage, table)->operation == OPERATION_SLICE)
        table = stage_node(stage, table)->inputs[0];
    const char *turn =
        part_turn(stage->canvas, stage->player->lesson, stage_node(stage, table)->name);
    const char *name = stage_formula_name(stage, node);
    return turn ? canvas_format(stage->canvas, "%s\\text{ · %s}", name, turn) : name;
}

static double width_of_names(const Same *same) {
    const size_t nodes[] = {same->upper, same->lower, same->stage->node};
    const Canvas *canvas = same->stage->canvas;
    double widest = 0;
    for (size_t i = 0; i < 3; i++)
        widest = fmax(widest, canvas_formula_extent(canvas, name_of(same, nodes[i]),
                                                    canvas_size(canvas, NAME, ""))
                                  .width);
    return ceil(widest) + units(same, GAP);
}

static Heatmap strip_of(const Same *same, size_t node, Tensor *row, size_t index,
                        Box cells) {
    const Tensor *tensor = stage_tensor(same->stage, node);
    *row = *tensor;
    row->rows = 1;
    row->values += index * tensor->cols;
    row->row_labels = NULL;
    Heatmap heatmap = stage_heatmap(same->stage, node, cells, same->reach);
    heatmap.tensor = row;
    heatmap.first_row = index;
    heatmap.row_labels = heatmap.col_labels = false;
    heatmap.number_size = same->digits;
    heatmap.without_numbers = !(same->digits > 0);
    return heatmap;
}

static void choose_digits(Same *same) {
    Box cells = {0, 0, same->cell * (double)same->tensor->cols,
                 part(same, STRIP) * (double)same->tensor->rows};
    Heatmap upper = stage_heatmap(same->stage, same->upper, cells, same->reach);
    Heatmap lower = stage_heatmap(same->stage, same->lower, cells, same->reach);
    same->digits = fmin(heatmap_number_size(same->stage->canvas, &upper),
                        heatmap_number_size(same->stage->canvas, &lower));
}

static bool place(Same *same) {
    const Stage *stage = same->stage;
    const Canvas *canvas = stage->canvas;
    Box area = stage->area;
    box_take_bottom(&area, stage_legend_height(canvas));
    bool focus = stage->has_focus && stage->focus_row < same->tensor->rows;
    same->chosen = focus ? stage->focus_row : same->tensor->rows - 1;
    double words =
        fmin(heatmap_row_label_width(canvas, same->tensor), area.w * WORDS_SHARE);
    double names = fmin(width_of_names(same), area.w * NAMES_SHARE);
    double cols = (double)same->tensor->cols, room = area.w - words - names;
    same->cell = floor(fmin(room / cols, units(same, WIDEST_CELL)));
    if (same->cell < NARROWEST)
        return false;
    same->head =
        heatmap_col_label_height(canvas, same->tensor, same->cell, area.h * HEAD_SHARE);
    choose_rows(same, area.h - same->head);
    double used = words + same->cell * cols + names;
    double tall =
        same->head + row_height(same) * (double)(same->end - same->first) + folds(same);
    double above = same->head + (same->first > 0 ? units(same, FOLD) : 0);
    same->corner = (Point){round(area.x + words + (area.w - used) / 2),
                           round(area.y + above + fmax(area.h - tall, 0) * 0.45)};
    choose_digits(same);
    return tall <= area.h + 1;
}

/* ---- drawing ---- */

static void draw_names(const Same *same, double x, const double middles[3]) {
    const size_t nodes[] = {same->upper, same->lower, same->stage->node};
    size_t count = part(same, ZEROS) < canvas_size(same->stage->canvas, NAME, "") ? 2 : 3;
    for (size_t i = 0; i < count; i++)
        canvas_formula(same->stage->canvas, name_of(same, nodes[i]),
                       fmin(NAME, NAME * fmax(same->share * 1.4, 0.8)),
                       (Point){x + units(same, GAP), middles[i]}, LABEL_LEFT);
}

/* "=" between each two numbers; where they are too near, one line. */
static void draw_ties(const Same *same, Box band) {
    const Canvas *canvas = same->stage->canvas;
    double size = fmin(band.h, same->cell);
    for (size_t col = 0; size >= LEAST_SIGN && col < same->tensor->cols; col++) {
        double x = round(band.x + same->cell * ((double)col + 0.5)),
               y = round(band.y + band.h / 2), half = round(size * 0.28),
               apart = fmax(round(size * 0.14), 1.5);
        for (double side = -1; side <= 1; side += 2)
            scene_line(canvas->scene, (Point){x - half, y + side * apart},
                       (Point){x + half, y + side * apart}, fmax(size * 0.1, 1),
                       canvas->theme->ink_soft);
    }
}

static void draw_word(const Same *same, size_t row, double middle) {
    const Canvas *canvas = same->stage->canvas;
    if (!same->tensor->row_labels)
        return;
    const char *word = token_text(canvas, same->tensor->row_labels[row]);
    bool chosen = row == same->chosen;
    double size = canvas_size(canvas, WORD, word);
    LabelFit fit =
        canvas_fit(canvas, chosen ? FONT_BOLD : FONT_TEXT, size,
                   same->corner.x - same->stage->area.x - units(same, GAP), word);
    canvas_text(
        canvas, chosen ? FONT_BOLD : FONT_TEXT, fit.size,
        chosen ? canvas->theme->ink : canvas->theme->ink_soft,
        (Point){same->corner.x - units(same, GAP), round(middle + fit.size * 0.36)},
        LABEL_RIGHT, fit.text);
}

/* In cells too low for a table's numbers; but a 0 is as wide as a digit. */
static void draw_zeros(const Same *same, size_t row, const Heatmap *result) {
    const Canvas *canvas = same->stage->canvas;
    double size = floor(result->cells.h * ZERO_SHARE);
    for (size_t col = 0; col < same->tensor->cols && col < result->visible; col++) {
        Box cell = heatmap_cells(result, 0, 1, col, col + 1);
        if (tensor_at(result->tensor, 0, col) != 0 || size > cell.w ||
            size < canvas_least(canvas, "0"))
            continue;
        canvas_link_cell(canvas, same->stage->node, row, col);
        canvas_text(
            canvas, FONT_TEXT, size, canvas->theme->ink_soft,
            (Point){cell.x + cell.w / 2, round(cell.y + cell.h / 2 + size * 0.36)},
            LABEL_CENTER, "0");
        canvas_unlink(canvas);
    }
}

static size_t visible_of(const Same *same, size_t row) {
    size_t before = row * same->tensor->cols, visible = same->stage->visible;
    return visible > before ? visible - before : 0;
}

static void draw_row(const Same *same, size_t row, double top) {
    const Stage *stage = same->stage;
    const Canvas *canvas = stage->canvas;
    double width = same->cell * (double)same->tensor->cols, strip = part(same, STRIP);
    Tensor upper, lower, zeros;
    Box at = {same->corner.x, top, width, strip};
    Heatmap above = strip_of(same, same->upper, &upper, row, at);
    double middles[3] = {at.y + at.h / 2};
    at.y += strip + part(same, TIE);
    Heatmap below = strip_of(same, same->lower, &lower, row, at);
    draw_ties(same, (Box){at.x, top + strip, width, part(same, TIE)});
    middles[1] = at.y + at.h / 2;
    at.y += strip + 3;
    at.h = part(same, ZEROS) - 3;
    middles[2] = at.y + at.h / 2;
    Heatmap result = strip_of(same, stage->node, &zeros, row, at);
    result.visible = visible_of(same, row);
    result.without_numbers = false;
    result.lesson = stage->player->lesson;
    result.step = stage->step && stage->step->result == stage->node ? stage->step : NULL;
    if (row == same->first && same->head > 0) {
        above.col_labels = true;
        above.col_label_room = same->head;
        above.has_focus = stage->has_focus;
        above.focus_row = (size_t)-1;
        above.focus_col = stage->focus_col;
    }
    heatmap_draw(canvas, &above);
    heatmap_draw(canvas, &below);
    heatmap_draw(canvas, &result);
    if (!(heatmap_number_size(canvas, &result) > 0))
        draw_zeros(same, row, &result);
    draw_word(same, row, (middles[0] + middles[1]) / 2);
    if (row == same->chosen)
        draw_names(same, at.x + width, middles);
    if (row == same->chosen && stage->has_focus && stage->focus_node == stage->node)
        heatmap_outline_cell(canvas, &result, 0, stage->focus_col, canvas->theme->focus);
}

/* "⋮ … and 3 more" where rows are left out, in the middle there. */
static void draw_fold(const Same *same, double middle, size_t count) {
    const Canvas *canvas = same->stage->canvas;
    const Theme *theme = canvas->theme;
    const char *words =
        canvas_words(canvas, "view.more_tokens", canvas_count(canvas, count), NULL);
    double size = canvas_size(canvas, WORD, words), x = same->corner.x;
    double baseline = round(middle + size * 0.36);
    if (!count)
        return;
    canvas_text(canvas, FONT_BOLD, size, theme->ink_soft,
                (Point){x - units(same, GAP), baseline}, LABEL_RIGHT, "⋮");
    canvas_text(canvas, FONT_TEXT, size, theme->ink_soft, (Point){x, baseline},
                LABEL_LEFT, words);
}

bool same_picture(const Stage *stage) {
    Same same = {.stage = stage};
    if (!find(&same) || !place(&same))
        return false;
    double top = same.corner.y, fold = units(&same, FOLD);
    draw_fold(&same, top - same.head - fold / 2, same.first);
    for (size_t row = same.first; row < same.end; row++, top += row_height(&same))
        draw_row(&same, row, top);
    draw_fold(&same, top - part(&same, APART) + fold / 2, same.tensor->rows - same.end);
    const StageScale scale = {stage_colors(stage->tape, same.upper), same.reach};
    stage_legends(stage, stage->area, &scale, 1);
    return true;
}
