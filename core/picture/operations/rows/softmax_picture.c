#include "base/maths.h"
#include "picture/charts/charts.h"
#include "picture/draw/canvas.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/operations/rows/row_pictures.h"
#include "picture/stage/caption.h"
#include "picture/stage/ruler.h"
#include "picture/tensors/views.h"
#include "tensor/operations/kernels.h"
#include "tensor/tape/tape.h"

/* Softmax of one row, from top to bottom: its scores, their exponentials as bars, and
 * below those the same bars squeezed into one of length 1, whose parts are the
 * probabilities. Beside it are all rows as such bars. If there are too many columns for
 * bars, tables are side by side; in presentation mode the largest probabilities are
 * listed below each other then. */

static const double NAME_UNITS = 22, LABEL_UNITS = 17, NUMBER_UNITS = 18,
                    ROW_NUMBER_UNITS = 17.5, TICK_UNITS = 15;
static const double SILL = 9; /* units: stands for a missing bar */
/* Points: distance of columns. */
static const double LARGEST_PITCH = 150, LEAST_PITCH = 5;
static const double BAR_SHARE = 0.62, WIDEST_BAR = 92; /* fraction of a column's width */
static const double LEAST_BARS = 40, TALLEST_BARS = 190, LEAST_CELLS = 24,
                    LEAST_RIBBONS = 30, GAP = 8;
static const double GUTTER = 132, LARGEST_LABEL = 224, ROWS_SHARE = 0.28,
                    LARGEST_ROWS_SHARE = 0.42, ROWS_GAP = 56;
static const double LARGEST_ROW = 58, LEAST_ROW = 7; /* the latter in points */
static const double ROW_BAR_SHARE = 0.72;            /* fraction of a row's height */
static const int RIBBON_ALPHA = 70;
/* Columns whose numbers fit side by side in presentation mode. */
enum { COLUMNS_MOST = 12 };

/* Bands from top to bottom, of equal width. */
typedef enum Band { LABELS, CELLS, NUMBERS, BARS, RIBBONS, WHOLE, TICKS, BANDS } Band;

typedef struct Squeeze {
    const Stage *stage;
    size_t input, row;
    const Tensor *scores, *shares;
    double largest, total; /* largest score of the row; sum of its exponentials */
    /* Distance of columns; width of the row label with its gap. */
    double pitch, row_label;
    Box bands[BANDS];
    double gutter;
    Heatmap table;      /* the probabilities, if all rows are bars */
    ProbabilityBar bar; /* bar of the row */
} Squeeze;

/* ---- numbers ---- */

static bool is_masked(const Squeeze *s, size_t col) {
    return tensor_is_masking(tensor_at(s->scores, s->row, col));
}

static double raised(const Squeeze *s, size_t col) {
    double score = tensor_at(s->scores, s->row, col);
    return s->largest == -INFINITY ? 0 : exp(score - s->largest);
}

static void work_out(Squeeze *s) {
    const double *row = s->scores->values + s->row * s->scores->cols;
    s->largest = row[kernel_argmax(row, s->scores->cols)];
    for (size_t j = 0; j < s->scores->cols; j++)
        s->total += raised(s, j);
}

static bool is_there(const Squeeze *s, size_t col) {
    return s->row * s->shares->cols + col < s->stage->visible;
}

/* ---- where things lie ---- */

static double between(double least, double value, double most) {
    return fmax(least, fmin(value, most));
}

/* Returns true if each bar has room for its number above it. */
static bool is_numbered(const Squeeze *s) {
    const Canvas *canvas = s->stage->canvas;
    double size = canvas_size(canvas, NUMBER_UNITS, "");
    return canvas_text_width(canvas, FONT_BOLD, size, "0.000") + 6 <= s->pitch;
}

/* Places the bands from top to bottom, in presentation mode lower ones if bars have no
 * room otherwise; returns false if they have none even then. */
static bool place_bands(Squeeze *s, Box area) {
    const Canvas *canvas = s->stage->canvas;
    double h = area.h;
    double labels = heatmap_col_label_height(canvas, s->scores, s->pitch, h * 0.25);
    for (int low = 0; low <= (canvas->least > 0); low++) {
        Track tracks[BANDS] = {
            [LABELS] = track_of(fmax(labels, 12)),
            [CELLS] = track_of(low ? LEAST_CELLS : between(30, round(h * 0.12), 54)),
            [NUMBERS] = track_of(low && !is_numbered(s) ? GAP : 36),
            [BARS] = {.least = LEAST_BARS, .most = TALLEST_BARS},
            [RIBBONS] = track_of(low ? LEAST_RIBBONS
                                     : between(LEAST_RIBBONS, round(h * 0.2), 110)),
            [WHOLE] = track_of(between(32, round(h * 0.14), 62)),
            [TICKS] = track_of(30)};
        if (!ruler_share(tracks, BANDS, 0, h))
            continue;
        tracks[BARS].size = round(tracks[BARS].size);
        box_take_top(&area, round((h - ruler_used(tracks, BANDS)) * 0.4));
        for (Band i = 0; i < BANDS; i++)
            s->bands[i] = box_take_top(&area, tracks[i].size);
        return true;
    }
    return false;
}

static const char *row_label(const Squeeze *s) {
    return s->shares->row_labels ? s->shares->row_labels[s->row] : "";
}

static double row_label_width(const Squeeze *s) {
    const Canvas *canvas = s->stage->canvas;
    double width = canvas_text_width(
        canvas, FONT_BOLD, canvas_size(canvas, LABEL_UNITS, row_label(s)), row_label(s));
    width += width > 0 ? 14 : 0;
    return fmin(width, LARGEST_LABEL);
}

static bool place(Squeeze *s, Box area, Box *rows) {
    double cols = (double)s->scores->cols, all = area.w;
    s->row_label = row_label_width(s);
    s->gutter = fmin(GUTTER, all * 0.2) + s->row_label;
    bool many = s->shares->rows > 1;
    if (many)
        area.w -= round(all * ROWS_SHARE) + ROWS_GAP;
    box_take_left(&area, s->gutter);
    s->pitch = fmin(area.w / cols, LARGEST_PITCH);
    double word = s->scores->col_labels ? 1.2 * s->stage->canvas->least : 0;
    if (s->pitch < fmax(LEAST_PITCH, word)) /* in presentation mode each has its word */
        return false;
    double spare = area.w - round(s->pitch * cols), more = 0;
    if (many) /* other rows get what the bars leave, within limits */
        more = fmin(spare, round(all * (LARGEST_ROWS_SHARE - ROWS_SHARE)));
    area.w -= spare;
    area.x += round((spare - more) / 2);
    *rows =
        (Box){area.x + area.w + ROWS_GAP, area.y, round(all * ROWS_SHARE) + more, area.h};
    return place_bands(s, area);
}

static Box column(const Squeeze *s, Box band, size_t col) {
    double left = round(band.x + s->pitch * (double)col);
    double right = round(band.x + s->pitch * (double)(col + 1));
    return (Box){left, band.y, right - left, band.h};
}

/* Returns the room of a column's bar: as tall as an exponential of 1. */
static Box bar_room(const Squeeze *s, size_t col) {
    Box box = column(s, s->bands[BARS], col);
    double width = s->pitch < 12 ? s->pitch - 1 : fmin(s->pitch * BAR_SHARE, WIDEST_BAR);
    width = round(fmax(width, 1));
    return (Box){round(box.x + (box.w - width) / 2), box.y, width, box.h};
}

/* ---- drawing ---- */

/* Draws a name beside a band, or that of its operation if the formula is too tall or
 * wide. */
static void draw_name(const Squeeze *s, Box band, const char *formula, size_t node) {
    double gap = 18 + s->row_label, room = s->gutter - gap;
    const Tensor *tensor = s->shares;
    Caption name =
        caption_low(s->stage, formula, node, tensor, NAME_UNITS, room, fmax(band.h, 40));
    caption_draw_name(s->stage, &name, (Point){band.x - gap, band.y + round(band.h / 2)},
                      LABEL_RIGHT);
}

/* Draws the row's label left of its cells, as beside any table. */
static void draw_row_label(const Squeeze *s, Box band) {
    const Canvas *canvas = s->stage->canvas;
    double gap = 12, size = canvas_size(canvas, LABEL_UNITS, row_label(s));
    canvas_row_label(canvas, size, s->row_label, true,
                     (Point){band.x - gap, band.y + band.h / 2}, row_label(s));
}

/* Draws a ribbon from the bar's foot to its part of the whole. */
static void draw_ribbon(const Squeeze *s, size_t col) {
    Box bar = bar_room(s, col), part = probability_bar_part(&s->bar, col);
    Box ribbons = s->bands[RIBBONS];
    Color color = s->stage->canvas->theme->sequential.stops[3];
    color.a = (uint8_t)RIBBON_ALPHA;
    if (part.w > 0)
        curve_band(s->stage->canvas, (Box){bar.x, ribbons.y + 3, bar.w, 0},
                   (Box){part.x, ribbons.y + ribbons.h - 3, part.w, 0}, true, color);
}

/* Draws a number above a bar. */
static void draw_bar_number(const Squeeze *s, size_t col, Box bar, const char *number) {
    const Canvas *canvas = s->stage->canvas;
    bool focus = s->stage->has_focus && s->stage->focus_col == col;
    canvas_label(canvas, focus ? FONT_BOLD : FONT_TEXT, NUMBER_UNITS, canvas->theme->ink,
                 (Point){bar.x + bar.w / 2, bar.y - 7}, LABEL_CENTER, number);
}

/* Draws a column's bar; a hatched sill in place of the bar of a masked score, which has
 * no height. */
static void draw_bar(const Squeeze *s, size_t col, bool numbered) {
    const Canvas *canvas = s->stage->canvas;
    Box box = bar_room(s, col);
    double value = raised(s, col);
    canvas_link_cell(canvas, s->stage->node, s->row, col);
    canvas_target(canvas, column(s, s->bands[BARS], col));
    if (is_masked(s, col)) {
        Box sill = box_take_bottom(&box, SILL);
        canvas_masked(canvas, sill);
        if (numbered)
            draw_bar_number(s, col, sill, "0");
    } else if (is_there(s, col) && isfinite(value)) {
        double height = round(box.h * fmin(value, 1));
        Box filled = {box.x, box.y + box.h - height, box.w, height};
        draw_ribbon(s, col);
        if (height >= 1)
            canvas_fill(canvas, filled, fmin(3, fmin(filled.w, height) / 2),
                        canvas->theme->sequential.stops[3]);
        if (numbered)
            draw_bar_number(s, col, filled,
                            canvas_number(canvas, value, HEATMAP_DECIMALS));
    }
    canvas_unlink(canvas);
}

static void draw_bars(const Squeeze *s) {
    const Canvas *canvas = s->stage->canvas;
    Box bars = s->bands[BARS];
    bool numbered = is_numbered(s);
    for (size_t j = 0; j < s->scores->cols; j++)
        draw_bar(s, j, numbered);
    canvas_fill(canvas, (Box){bars.x, bars.y + bars.h, bars.w, 1}, 0,
                canvas->theme->ink_faint);
}

/* Draws the row's input scores above their bars. */
static void draw_scores(const Squeeze *s) {
    const Stage *stage = s->stage;
    Heatmap cells =
        stage_heatmap(stage, s->input, s->bands[CELLS], heatmap_reach(s->scores));
    cells.tensor = canvas_row(stage->canvas, s->scores, s->row);
    cells.first_row = s->row;
    cells.col_labels = true;
    cells.col_label_room = s->bands[LABELS].h;
    stage_focus(stage, &cells, false, true);
    heatmap_draw(stage->canvas, &cells);
    if (stage->has_focus)
        heatmap_outline_cell(stage->canvas, &cells, 0, stage->focus_col,
                             stage_color(stage, s->input, 0));
}

/* Draws the column labels of the parts of the whole that have room for them. */
static void draw_part_label(const Squeeze *s, size_t col, double least, double most,
                            double baseline) {
    const Canvas *canvas = s->stage->canvas;
    Box part = probability_bar_part(&s->bar, col);
    const char *label = s->shares->col_labels[col];
    double size = canvas_size(canvas, TICK_UNITS, label), middle = part.x + part.w / 2;
    double half = canvas_text_width(canvas, FONT_BOLD, size, label) / 2;
    if (2 * half > part.w || middle - half < least || middle + half > most ||
        !is_there(s, col))
        return;
    bool focus = s->stage->has_focus && s->stage->focus_col == col;
    canvas_text(canvas, focus ? FONT_BOLD : FONT_TEXT, size,
                focus ? canvas->theme->ink : canvas->theme->ink_soft,
                (Point){middle, baseline}, LABEL_CENTER, label);
}

static void draw_whole(const Squeeze *s) {
    const Canvas *canvas = s->stage->canvas;
    probability_bar_draw(canvas, &s->bar);
    Box whole = s->bands[WHOLE];
    double baseline = s->bands[TICKS].y + 22, left = whole.x, right = whole.x + whole.w;
    double tick = canvas_size(canvas, TICK_UNITS, "");
    canvas_text(canvas, FONT_TEXT, tick, canvas->theme->ink_soft, (Point){left, baseline},
                LABEL_LEFT, "0");
    canvas_text(canvas, FONT_TEXT, tick, canvas->theme->ink_soft,
                (Point){right, baseline}, LABEL_RIGHT, "1");
    for (size_t j = 0; s->shares->col_labels && j < s->shares->cols; j++)
        draw_part_label(s, j, left + 1.4 * tick, right - 1.4 * tick, baseline);
}

static void draw_names(const Squeeze *s) {
    const Stage *stage = s->stage;
    const Canvas *canvas = stage->canvas;
    draw_name(s, s->bands[CELLS], stage_formula_name(stage, s->input), s->input);
    draw_name(s, s->bands[BARS], "e^{x - \\max}", TAPE_NONE);
    bool whole = s->row * s->shares->cols + s->shares->cols <= stage->visible;
    if (whole && s->total > 0)
        draw_name(s, s->bands[RIBBONS],
                  canvas_format(canvas, "\\div %s",
                                canvas_number(canvas, s->total, HEATMAP_DECIMALS)),
                  TAPE_NONE);
    draw_row_label(s, s->bands[CELLS]);
    draw_row_label(s, s->bands[WHOLE]);
    if (s->shares->rows == 1 || !row_label(s)[0]) /* else it is above all rows */
        draw_name(s, s->bands[WHOLE], stage_formula_name(stage, stage->node),
                  stage->node);
}

/* ---- all rows ---- */

static void draw_row(const Squeeze *s, size_t row, Box slot) {
    const Canvas *canvas = s->stage->canvas;
    double height = round(slot.h * ROW_BAR_SHARE);
    ProbabilityBar bar = {.heatmap = &s->table, .row = row, .units = ROW_NUMBER_UNITS};
    bar.box = (Box){slot.x, round(slot.y + (slot.h - height) / 2), slot.w, height};
    probability_bar_draw(canvas, &bar);
    if (row == s->row && s->stage->has_focus)
        canvas_outline(canvas, box_inset(bar.box, -4), 5, canvas->theme->focus, 3);
}

/* Draws all rows as bars, or as a table if there are too many. */
static void draw_rows(Squeeze *s, Box area) {
    const Stage *stage = s->stage;
    const Canvas *canvas = stage->canvas;
    size_t rows = s->shares->rows;
    Box head = box_take_top(&area, 44);
    double labels = fmin(heatmap_row_label_width(canvas, s->shares), area.w * 0.74);
    box_take_left(&area, labels);
    box_take_right(&area, 6);
    box_take_bottom(&area, 6);
    double pitch = fmin(area.h / (double)rows, LARGEST_ROW);
    double height = pitch * (double)rows;
    double spare = fmax(area.h - height, 0);
    head.y += round(spare * 0.4);
    area = (Box){area.x, round(area.y + spare * 0.4), area.w, height};
    view_name(stage, stage->node, area.w, head.h,
              (Point){area.x + area.w / 2, head.y + round(head.h * 0.4)}, LABEL_CENTER);
    s->table.cells = area;
    s->table.label_room = labels;
    s->table.row_labels = true;
    s->table.has_focus = stage->has_focus;
    s->table.focus_row = s->row;
    if (pitch < LEAST_ROW) {
        heatmap_draw(canvas, &s->table);
        if (stage->has_focus)
            heatmap_outline(canvas, &s->table, s->row, s->row + 1, 0, s->shares->cols,
                            canvas->theme->focus);
        return;
    }
    for (size_t i = 0; i < rows; i++)
        draw_row(s, i,
                 (Box){area.x, round(area.y + pitch * (double)i), area.w, round(pitch)});
    heatmap_draw_labels(canvas, &s->table);
}

void softmax_picture(const Stage *stage) {
    Squeeze s = {.stage = stage, .input = stage_node(stage, stage->node)->inputs[0]};
    s.scores = stage_tensor(stage, s.input);
    s.shares = stage_tensor(stage, stage->node);
    s.row = stage->has_focus && stage->focus_row < s.shares->rows ? stage->focus_row : 0;
    s.table = stage_heatmap(stage, stage->node, (Box){0}, 1);
    stage_result(stage, &s.table);
    Box area = stage->area, rows;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    if (!place(&s, area, &rows)) {
        bool many = s.shares->col_labels && s.shares->cols > COLUMNS_MOST;
        Stage plain = *stage;
        /* A single row: only its largest is emphasised. */
        plain.has_focus &= s.shares->rows > 1;
        if (stage->canvas->least > 0 && many && !stage->values)
            bars_view(&plain, (ViewPlace){0, 1});
        else
            plain_picture(stage);
        return;
    }
    work_out(&s);
    s.bar = (ProbabilityBar){.heatmap = &s.table,
                             .row = s.row,
                             .box = s.bands[WHOLE],
                             .units = NUMBER_UNITS,
                             .has_focus = stage->has_focus,
                             .focus_col = stage->focus_col};
    draw_bars(&s);
    draw_scores(&s);
    draw_whole(&s);
    draw_names(&s);
    if (s.shares->rows > 1)
        draw_rows(&s, rows);
    StageScale legends[] = {{HEATMAP_PROBABILITIES, 1},
                            {HEATMAP_SIGNED, heatmap_reach(s.scores)}};
    stage_legends(stage, stage->area, legends, 2);
}
