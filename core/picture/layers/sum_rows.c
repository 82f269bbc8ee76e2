#include "picture/layers/sum_rows.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/draw/lanes.h"
#include "picture/stage/caption.h"

#include <math.h>

/* Lengths in units; of rows as fractions of a row's height. */
static const double WIDEST_CELL = 112, TALLEST_ROW = 44, CHOSEN_ROW = 34,
                    CHOSEN_LARGE_ROW = 26;
static const double LEAST_ROW = 3, LEAST_CELL = 4; /* points */
static const double PAIR = 2.5; /* height of both layers and the gap below */
static const double MERGE = 120, NAME_UNITS = 22, NAME_GAP = 14, LABEL_UNITS = 17,
                    SHAPE_UNITS = 14, SHAPE = 90, LEAST_BELOW = 30, EDGE = 5,
                    SUM_RADIUS = 17, LANE = 9, THIN_LANE = 4;

typedef struct SumRows {
    const Stage *stage;
    const SumTables *tables;
    const Tensor *shape;
    size_t row;                 /* chosen row */
    double labels, cell, merge; /* widths */
    Caption captions[SUM_TABLES];
    double below; /* height of the names */
    double height, chosen;
    bool all_numbers; /* all rows have numbers */
    double digits;
    Point corner; /* of the first pair's cells */
} SumRows;

/* ---- rows ---- */

static double height_of(const SumRows *s, size_t row) {
    return row == s->row ? s->chosen : s->height;
}

/* Box of a row: the terms lie above each other, their sum beside them in the middle. */
static Box row_box(const SumRows *s, size_t table, size_t row) {
    double height = height_of(s, row), width = s->cell * (double)s->shape->cols;
    double top = s->corner.y + PAIR * s->height * (double)row +
                 (row > s->row ? PAIR * (s->chosen - s->height) : 0);
    Box box = {s->corner.x, round(top), width, round(height)};
    if (table < SUM_TERMS) {
        box.y += (double)table * box.h;
    } else {
        box.x += width + s->merge;
        box.y = round(top + height / 2);
    }
    return box;
}

static Point middle_of(Box box, double fraction) {
    return (Point){box.x + box.w * fraction, box.y + box.h / 2};
}

/* ---- a row as a table of its own ---- */

static Heatmap row_heatmap(const SumRows *s, size_t table, size_t row) {
    const Stage *stage = s->stage;
    size_t node = s->tables->nodes[table], before = row * s->shape->cols;
    const Tensor *whole = stage_tensor(stage, node);
    Heatmap heatmap =
        stage_heatmap(stage, node, row_box(s, table, row), s->tables->reach);
    Tensor *alone = arena_alloc(stage->canvas->scene->arena, 1, sizeof *alone);
    heatmap.tensor = alone;
    heatmap.written_as = whole;
    heatmap.hidden = NULL;
    heatmap.colors = HEATMAP_SIGNED;
    heatmap.first_row = row;
    heatmap.number_size = s->digits;
    heatmap.without_numbers = !s->all_numbers && row != s->row;
    if (!alone)
        return heatmap;
    *alone = *whole;
    alone->rows = 1;
    alone->values = whole->values + before;
    if (table == SUM_TERMS) {
        heatmap.visible = stage->visible > before ? stage->visible - before : 0;
        heatmap.lesson = stage->player->lesson;
        heatmap.step = stage->step->result == node ? stage->step : NULL;
    }
    return heatmap;
}

/* Size of the digits of a row in all three tables; 0 if one has no room for them. */
static double digits_of(const SumRows *s, size_t row) {
    double least = INFINITY;
    for (size_t i = 0; i < SUM_TABLES; i++) {
        Heatmap heatmap = row_heatmap(s, i, row);
        if (!heatmap.tensor)
            return 0;
        least = fmin(least, heatmap_number_size(s->stage->canvas, &heatmap));
    }
    return least;
}

/* ---- measuring ---- */

/* Fits the names, each into its part of the cells' width. */
static void fit_names(SumRows *s) {
    const Stage *stage = s->stage;
    double width = s->cell * (double)s->shape->cols, tall = 0;
    for (size_t i = 0; i < SUM_TABLES; i++) {
        double room = i < SUM_TERMS ? width / 2 - 3 * NAME_GAP : width - SHAPE;
        size_t node = s->tables->nodes[i];
        s->captions[i] = caption_fit(stage, s->tables->names[i], node,
                                     stage_tensor(stage, node), NAME_UNITS, room);
        tall = fmax(tall, s->captions[i].above + s->captions[i].below);
    }
    s->below = fmax(tall + NAME_GAP, LEAST_BELOW);
}

/* Chooses one height for all rows if all have numbers at it, else a taller chosen row. */
static bool choose_heights(SumRows *s, double height) {
    double rows = (double)s->shape->rows;
    double even = fmin(floor(height / rows / PAIR), TALLEST_ROW);
    s->height = s->chosen = even;
    s->all_numbers = true;
    s->digits = INFINITY;
    for (size_t i = 0; i < s->shape->rows && s->digits > 0; i++)
        s->digits = fmin(s->digits, digits_of(s, i));
    if (s->digits > 0)
        return true;
    bool large = s->stage->canvas->enlarged > 1;
    s->all_numbers = false;
    s->chosen = fmax(even, large ? CHOSEN_LARGE_ROW : CHOSEN_ROW);
    s->height = floor((height / PAIR - s->chosen) / fmax(rows - 1, 1));
    s->height = fmin(s->height, s->chosen);
    s->digits = 0;
    s->digits = digits_of(s, s->row);
    return s->digits > 0 && s->height >= LEAST_ROW;
}

static bool place(SumRows *s) {
    Box area = s->stage->area;
    const Tensor *shape = s->shape;
    double cols = (double)shape->cols, rows = (double)shape->rows;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    s->labels = fmin(heatmap_row_label_width(s->stage->canvas, shape), area.w * 0.2);
    s->merge = fmin(MERGE, area.w * 0.14);
    double beside = s->labels + s->merge + EDGE;
    s->cell = floor(fmin((area.w - beside) / cols / 2, WIDEST_CELL));
    if (s->cell < LEAST_CELL)
        return false;
    fit_names(s);
    if (!choose_heights(s, area.h - s->below))
        return false;
    double used = beside + 2 * s->cell * cols;
    double tall = PAIR * (s->height * (rows - 1) + s->chosen) + s->below;
    s->corner = (Point){round(area.x + (area.w - used) / 2 + s->labels + EDGE),
                        round(area.y + fmax(area.h - tall, 0) * 0.45)};
    return true;
}

/* ---- drawing ---- */

/* Draws the lanes of both terms, which merge and lead to the sum. */
static void draw_merge(const SumRows *s, size_t row) {
    const Canvas *canvas = s->stage->canvas;
    bool chosen = row == s->row;
    Box sum = row_box(s, SUM_TERMS, row);
    Point to = middle_of(sum, 0), meet = {to.x - s->merge * 0.45, to.y};
    double thick = fmin(chosen ? LANE : THIN_LANE, height_of(s, row) / 1.0 * 0.4);
    to.x -= 3;
    for (size_t i = 0; i < SUM_TERMS; i++) {
        Point points[] = {middle_of(row_box(s, i, row), 1), meet, to};
        lane_draw(
            canvas,
            &(Lane){.points = points, .count = 2, .thickness = thick, .strong = chosen});
    }
    Point on[] = {meet, to};
    lane_draw(canvas, &(Lane){.points = on,
                              .count = 2,
                              .thickness = thick,
                              .arrow = chosen,
                              .strong = chosen});
    if (chosen && s->tables->open) {
        double size = canvas_size(canvas, SUM_RADIUS * 1.3, "?");
        canvas_dot(canvas, meet, SUM_RADIUS, canvas->theme->page, canvas->theme->ink, 2);
        canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink,
                    (Point){meet.x, label_baseline(meet.y, size)}, LABEL_CENTER, "?");
    } else if (chosen) {
        lane_sum(canvas, meet, fmin(SUM_RADIUS, s->chosen / 1.0));
    }
}

/* Draws the edge of a term in the colour of the focused cell's term. */
static void draw_edge(const SumRows *s, size_t table, size_t row) {
    Box box = row_box(s, table, row);
    box.x -= EDGE + 2;
    box.w = EDGE;
    Color color = stage_color(s->stage, s->tables->nodes[table], table);
    canvas_fill(s->stage->canvas, box, 0, color);
}

static void draw_row(const SumRows *s, size_t row) {
    const Stage *stage = s->stage;
    const Canvas *canvas = stage->canvas;
    for (size_t i = 0; i < SUM_TABLES; i++) {
        Heatmap heatmap = row_heatmap(s, i, row);
        if (i == SUM_TERMS && s->tables->open) {
            canvas_outline(canvas, heatmap.cells, 3, canvas->theme->line, 1.5);
            continue;
        }
        if (heatmap.tensor)
            heatmap_draw(canvas, &heatmap);
        if (i < SUM_TERMS)
            draw_edge(s, i, row);
        bool own = stage->focus_node == s->tables->nodes[i];
        if (heatmap.tensor && stage->has_focus && stage->focus_row == row &&
            (own || !s->tables->open))
            heatmap_outline_cell(canvas, &heatmap, 0, stage->focus_col,
                                 own ? canvas->theme->focus
                                     : stage_color(stage, s->tables->nodes[i], i));
    }
}

static void draw_label(const SumRows *s, size_t row) {
    const Canvas *canvas = s->stage->canvas;
    if (!s->shape->row_labels)
        return;
    const char *label = s->shape->row_labels[row];
    bool chosen = row == s->row;
    FontRole font = chosen ? FONT_BOLD : FONT_TEXT;
    LabelFit fit = canvas_fit(canvas, font, canvas_size(canvas, LABEL_UNITS, label),
                              s->labels - NAME_GAP + 2, label);
    if (!chosen && fit.size > PAIR * s->height)
        return;
    Box sum = row_box(s, SUM_TERMS, row);
    canvas_text(canvas, font, fit.size,
                chosen ? canvas->theme->ink : canvas->theme->ink_soft,
                (Point){s->corner.x - (EDGE + NAME_GAP) + 2,
                        label_baseline(sum.y + sum.h / 2, fit.size)},
                LABEL_RIGHT, fit.text);
}

/* Draws the names below the cells in one line: each term's behind its colour, and the
 * sum's with the common shape. */
static void draw_name(const SumRows *s, size_t table, double left, double y) {
    const Canvas *canvas = s->stage->canvas;
    double size = canvas_size(canvas, SHAPE_UNITS, "");
    double half = NAME_UNITS / 2;
    if (table < SUM_TERMS) {
        canvas_fill(canvas, (Box){left, y - half, EDGE, 2 * half}, 0,
                    stage_color(s->stage, s->tables->nodes[table], table));
        left += EDGE + NAME_GAP / 2;
    }
    Caption caption = s->captions[table];
    scene_begin_caption(canvas->scene, caption.node);
    Box name =
        canvas_formula(canvas, caption.name, caption.units, (Point){left, y}, LABEL_LEFT);
    if (table == SUM_TERMS)
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_faint,
                    (Point){name.x + name.w + NAME_GAP, label_baseline(y, size)},
                    LABEL_LEFT, caption.shape);
    scene_end_caption(canvas->scene);
}

static void draw_names(const SumRows *s) {
    Box last = row_box(s, SUM_TERMS - 1, s->shape->rows - 1),
        sum = row_box(s, SUM_TERMS, 0);
    double y = round(last.y + last.h + s->below / 2);
    draw_name(s, 0, last.x - EDGE - 2, y);
    draw_name(s, 1, last.x + last.w / 2, y);
    draw_name(s, SUM_TERMS, sum.x, y);
}

bool sum_rows(const Stage *stage, const SumTables *tables) {
    SumRows s = {.stage = stage, .tables = tables};
    s.shape = stage_tensor(stage, tables->nodes[0]);
    s.row = stage->has_focus && stage->focus_row < s.shape->rows ? stage->focus_row
                                                                 : s.shape->rows - 1;
    if (!place(&s))
        return false;
    for (size_t i = 0; i < s.shape->rows; i++)
        draw_merge(&s, i);
    for (size_t i = 0; i < s.shape->rows; i++) {
        draw_row(&s, i);
        draw_label(&s, i);
    }
    draw_names(&s);
    stage_legends(stage, stage->area, &(StageScale){HEATMAP_SIGNED, tables->reach}, 1);
    return true;
}
