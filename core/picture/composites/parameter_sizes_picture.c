#include "picture/composites/composites.h"

#include "lesson/content/content.h"
#include "picture/draw/canvas.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

enum { COLUMNS_MOST = 4, TABLES_LEAST = 3 };

/* Lengths in units, except the last. */
static const double NAME = 24, WORDS = 18, NUMBER = 21, GAP = 16, LONGEST = 760;
static const double LEAST_BAR = 24, TALLEST_BAR = 40, BETWEEN = 26;
/* Points; fraction of its place's height. */
static const double THINNEST = 2, BAR_FRACTION = 0.7;

typedef struct Sizes {
    const Stage *stage;
    const size_t *shown;
    size_t count, cols;
    double names, words, numbers; /* widths of the columns beside the bars */
    double bar;                   /* height of a bar's place */
    Box area;
} Sizes;

static const Tensor *table_of(const Sizes *sizes, size_t index) {
    return stage_tensor(sizes->stage, sizes->shown[index]);
}

static const char *number_of(const Sizes *sizes, size_t index, size_t col) {
    return canvas_amount(sizes->stage->canvas, table_of(sizes, index)->values[col],
                         HEATMAP_DECIMALS);
}

/* Reports whether a table has sizes of the same things as the first. */
static bool fits(const Sizes *sizes, size_t index) {
    const Tensor *table = table_of(sizes, index), *first = table_of(sizes, 0);
    bool same =
        table->rows == 1 && table->cols == sizes->cols && table->col_labels &&
        stage_node(sizes->stage, sizes->shown[index])->operation == OPERATION_GIVEN;
    for (size_t i = 0; same && i < sizes->cols; i++)
        same = strcmp(table->col_labels[i], first->col_labels[i]) == 0 &&
               table->values[i] > 0 && isfinite(table->values[i]);
    return same;
}

static bool find(Sizes *sizes) {
    const Stage *stage = sizes->stage;
    sizes->shown = stage->step->shown;
    sizes->count = stage->step->shown_count;
    if (stage->is_question || stage->values || sizes->count < TABLES_LEAST)
        return false;
    sizes->cols = table_of(sizes, 0)->cols;
    bool all = sizes->cols > 1 && sizes->cols <= COLUMNS_MOST, sized = false;
    for (size_t i = 0; all && i < sizes->count; i++) {
        all = fits(sizes, i);
        sized |= !tape_node(stage->tape, sizes->shown[i])->holds_ids;
    }
    return all && sized;
}

static bool place(Sizes *sizes) {
    const Canvas *canvas = sizes->stage->canvas;
    double name = canvas_size(canvas, NAME, ""), number = canvas_size(canvas, NUMBER, "");
    for (size_t i = 0; i < sizes->count; i++) {
        const char *text = stage_formula_name(sizes->stage, sizes->shown[i]);
        sizes->names =
            fmax(sizes->names, canvas_formula_extent(canvas, text, name).width);
        for (size_t j = 0; j < sizes->cols; j++) {
            const char *label = table_of(sizes, i)->col_labels[j];
            sizes->words =
                fmax(sizes->words,
                     canvas_text_width(canvas, FONT_BOLD,
                                       canvas_size(canvas, WORDS, label), label));
            sizes->numbers =
                fmax(sizes->numbers, canvas_text_width(canvas, FONT_BOLD, number,
                                                       number_of(sizes, i, j)));
        }
    }
    Box area = sizes->stage->area;
    double bars = (double)(sizes->count * sizes->cols);
    double gaps = BETWEEN * (double)(sizes->count - 1);
    sizes->bar = floor(fmin((area.h - gaps) / bars, round(TALLEST_BAR / BAR_FRACTION)));
    double beside = sizes->names + sizes->words + sizes->numbers + 6 * GAP;
    double w = fmin(area.w, beside + LONGEST), h = sizes->bar * bars + gaps;
    sizes->area = (Box){round(area.x + (area.w - w) / 2),
                        round(area.y + fmax(area.h - h, 0) / 2), w, h};
    return sizes->bar >= LEAST_BAR && w > beside + 120;
}

static void draw_bar(const Sizes *sizes, size_t index, size_t col, Box row, double most) {
    const Stage *stage = sizes->stage;
    const Canvas *canvas = stage->canvas;
    const Tensor *table = table_of(sizes, index);
    size_t node = sizes->shown[index];
    bool focus = stage_focuses(stage, node, 0, col);
    double middle = row.y + row.h / 2;
    double length = row.w - sizes->words - sizes->numbers - 3 * GAP;
    Box bar = {row.x + sizes->words + GAP, round(middle - row.h * BAR_FRACTION / 2),
               fmax(round(length * table->values[col] / most), THINNEST),
               round(row.h * BAR_FRACTION)};
    canvas_label_at(canvas, focus ? FONT_BOLD : FONT_TEXT, WORDS,
                    focus ? canvas->theme->ink : canvas->theme->ink_soft,
                    (Point){row.x + sizes->words, middle}, LABEL_RIGHT,
                    table->col_labels[col]);
    canvas_link_cell(canvas, node, 0, col);
    canvas_fill(canvas, bar, 0, emphasis_bar(canvas->theme, false));
    canvas_label_at(canvas, focus ? FONT_BOLD : FONT_TEXT, NUMBER, canvas->theme->ink,
                    (Point){bar.x + bar.w + GAP, middle}, LABEL_LEFT,
                    number_of(sizes, index, col));
    canvas_unlink(canvas);
    if (focus)
        canvas_outline(canvas, box_inset(bar, -2), 2, canvas->theme->focus, 2);
}

bool parameter_sizes_picture(const Stage *stage) {
    Sizes sizes = {.stage = stage};
    if (!find(&sizes) || !place(&sizes))
        return false;
    double y = sizes.area.y, left = sizes.area.x + sizes.names + 2 * GAP;
    for (size_t i = 0; i < sizes.count; i++, y += BETWEEN) {
        double most = 0, tall = sizes.bar * (double)sizes.cols;
        for (size_t j = 0; j < sizes.cols; j++)
            most = fmax(most, table_of(&sizes, i)->values[j]);
        scene_begin_caption(stage->canvas->scene, sizes.shown[i]);
        canvas_formula(stage->canvas, stage_formula_name(stage, sizes.shown[i]), NAME,
                       (Point){sizes.area.x + sizes.names, y + tall / 2}, LABEL_RIGHT);
        scene_end_caption(stage->canvas->scene);
        for (size_t j = 0; j < sizes.cols; j++, y += sizes.bar)
            draw_bar(&sizes, i, j,
                     (Box){left, y, sizes.area.x + sizes.area.w - left, sizes.bar}, most);
    }
    return true;
}
