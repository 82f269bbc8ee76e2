#include "picture/draw/heatmap.h"

#include "base/maths.h"
#include "base/number.h"
#include "picture/draw/patterns.h"

#include <string.h>

static const double IMAGE_CELL = 4;       /* cells smaller than this become one image */
static const double NUMBER_SHARE = 0.9;   /* of a cell's width that a number may take */
static const double NUMBER_HEIGHT = 0.68; /* of a cell's height, its digits' size */
static const double LEAST_NUMBER = 18;    /* points: 14 pixels at 1280 × 720 */
static const double LARGEST_NUMBER = 28;  /* points */
static const double COMFORTABLE_NUMBER = 20; /* points: widen cells up to here */
static const double OUTLINE_SHARE = 0.04;    /* of a cell, outside it */

static const double MASKING = -1e8; /* scores this low only serve to mask */

bool heatmap_is_masking(double value) {
    return !isfinite(value) || value <= MASKING;
}

double heatmap_reach(const Tensor *tensor) {
    double reach = 0;
    for (size_t i = 0; i < tensor_cells(tensor); i++) {
        if (!heatmap_is_masking(tensor->values[i]))
            reach = fmax(reach, fabs(tensor->values[i]));
    }
    return reach > 0 ? reach : 1;
}

int heatmap_decimals(const Tensor *tensor) {
    int decimals = 0;
    for (size_t i = 0; i < tensor_cells(tensor) && decimals < HEATMAP_DECIMALS; i++) {
        double value = tensor->values[i];
        if (!isfinite(value) || fabs(value) >= 1e7)
            continue;
        double scaled = value * pow(10, decimals);
        while (decimals < HEATMAP_DECIMALS && fabs(scaled - round(scaled)) > 1e-9) {
            decimals++;
            scaled *= 10;
        }
    }
    return decimals;
}

Box heatmap_cells(const Heatmap *heatmap, size_t row, size_t row_end, size_t col,
                  size_t col_end) {
    Box all = heatmap->cells;
    double w = all.w / (double)heatmap->tensor->cols;
    double h = all.h / (double)heatmap->tensor->rows;
    double x = round(all.x + w * (double)col), y = round(all.y + h * (double)row);
    return (Box){x, y, round(all.x + w * (double)col_end) - x,
                 round(all.y + h * (double)row_end) - y};
}

void heatmap_outline(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                     size_t row_end, size_t col, size_t col_end, Color color) {
    Box box = heatmap_cells(heatmap, row, row_end, col, col_end);
    Box cell = heatmap_cells(heatmap, row, row + 1, col, col + 1);
    double width =
        fmax(canvas_length(canvas, 3), 2); /* clear of the neighbours' numbers */
    width = fmin(width, fmax(round(fmin(cell.w, cell.h) * OUTLINE_SHARE) + 1, 2));
    box = (Box){box.x - width + 1, box.y - width + 1, box.w + 2 * width - 2,
                box.h + 2 * width - 2};
    canvas_outline(canvas, box, canvas_length(canvas, 5), color, width);
}

void heatmap_outline_cell(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                          size_t col, Color color) {
    heatmap_outline(canvas, heatmap, row, row + 1, col, col + 1, color);
}

void heatmap_strike_cell(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                         size_t col) {
    Box box = box_inset(heatmap_cells(heatmap, row, row + 1, col, col + 1),
                        canvas_length(canvas, 8));
    if (box.w > 0 && box.h > 0)
        scene_line(canvas->scene, (Point){box.x, box.y + box.h},
                   (Point){box.x + box.w, box.y}, fmax(canvas_length(canvas, 2), 1),
                   canvas->theme->hatch);
}

static ColorScale scale_of(const Canvas *canvas, const Heatmap *heatmap) {
    const Theme *theme = canvas->theme;
    if (heatmap->colors == HEATMAP_SHARES)
        return (ColorScale){&theme->sequential, 0, heatmap->reach, theme->masked};
    return (ColorScale){&theme->diverging, -heatmap->reach, heatmap->reach,
                        theme->masked};
}

/* ---- numbers ---- */

typedef struct NumberStyle {
    double size; /* 0: no numbers */
    int decimals;
    double width; /* of the widest number */
} NumberStyle;

/* The values with the widest texts. All digits have one width, so that of the numbers
 * written in one way the largest and the smallest are enough. */
typedef struct Extremes {
    double least[2], most[2]; /* numbers below 1e7, and those written with an exponent */
    bool minus, plus, none;   /* −∞, +∞, no number */
} Extremes;

static Extremes extremes_of(const Tensor *tensor) {
    Extremes e = {.least = {0, 0}, .most = {0, 0}};
    for (size_t i = 0; i < tensor_cells(tensor); i++) {
        double value = tensor->values[i];
        if (!isfinite(value)) {
            e.none |= isnan(value) != 0;
            e.plus |= value > 0;
            e.minus |= value < 0;
            continue;
        }
        int way = fabs(value) >= 1e7;
        e.least[way] = fmin(e.least[way], value);
        e.most[way] = fmax(e.most[way], value);
    }
    return e;
}

static double number_width(const Canvas *canvas, double value, double size,
                           int decimals) {
    char text[NUMBER_SIZE];
    return canvas_text_width(canvas, FONT_TEXT, size,
                             number_format(text, value, decimals));
}

/* Of the numbers, which all end at the same place in their cells. */
static double widest_number(const Canvas *canvas, const Extremes *e, double size,
                            int decimals) {
    double widest = 0;
    for (int way = 0; way < 2; way++) {
        widest = fmax(widest, number_width(canvas, e->least[way], size, decimals));
        widest = fmax(widest, number_width(canvas, e->most[way], size, decimals));
    }
    return widest;
}

static double widest_text(const Canvas *canvas, const Extremes *e, double size,
                          int decimals) {
    double widest = widest_number(canvas, e, size, decimals);
    if (e->minus)
        widest = fmax(widest, number_width(canvas, -INFINITY, size, 0));
    if (e->plus)
        widest = fmax(widest, number_width(canvas, INFINITY, size, 0));
    if (e->none)
        widest = fmax(widest, number_width(canvas, NAN, size, 0));
    return widest;
}

static bool is_image(double cell_w, double cell_h) {
    return cell_w < IMAGE_CELL || cell_h < IMAGE_CELL;
}

/* The largest size at which every number fits its cell: with all its decimals, else with
 * fewer, else none. */
static NumberStyle number_style(const Canvas *canvas, const Heatmap *heatmap) {
    const Tensor *tensor = heatmap->tensor;
    double cell_w = heatmap->cells.w / (double)tensor->cols;
    double cell_h = heatmap->cells.h / (double)tensor->rows;
    double tallest =
        fmin(floor(cell_h * NUMBER_HEIGHT), canvas_size(canvas, LARGEST_NUMBER, ""));
    if (heatmap->number_size > 0)
        tallest = fmin(tallest, heatmap->number_size);
    if (heatmap->without_numbers || tallest < LEAST_NUMBER)
        return (NumberStyle){0};
    int wanted = heatmap_decimals(tensor);
    Extremes extremes = extremes_of(tensor);
    for (int decimals = wanted; decimals >= (wanted > 0); decimals--) { /* 0.4 is not 0 */
        double width = widest_text(canvas, &extremes, tallest, decimals);
        double room = cell_w * NUMBER_SHARE;
        double size = width > room ? floor(tallest * room / width) : tallest;
        if (size >= LEAST_NUMBER)
            return (NumberStyle){size, decimals,
                                 widest_number(canvas, &extremes, size, decimals)};
    }
    return (NumberStyle){0};
}

double heatmap_number_size(const Canvas *canvas, const Heatmap *heatmap) {
    double cell_w = heatmap->cells.w / (double)heatmap->tensor->cols;
    double cell_h = heatmap->cells.h / (double)heatmap->tensor->rows;
    return is_image(cell_w, cell_h) ? 0 : number_style(canvas, heatmap).size;
}

void heatmap_same_digits(const Canvas *canvas, Heatmap *const *heatmaps, size_t count) {
    double smallest = 0;
    for (size_t i = 0; i < count; i++) {
        double size = heatmap_number_size(canvas, heatmaps[i]);
        if (size > 0 && (smallest == 0 || size < smallest))
            smallest = size;
    }
    for (size_t i = 0; i < count; i++)
        heatmaps[i]->number_size = smallest;
}

double heatmap_aspect(const Canvas *canvas, const Tensor *tensor, double cell_height) {
    double size = fmin(floor(cell_height * NUMBER_HEIGHT),
                       canvas_size(canvas, COMFORTABLE_NUMBER, ""));
    if (size < LEAST_NUMBER)
        return 1;
    Extremes extremes = extremes_of(tensor);
    double width = widest_text(canvas, &extremes, size, heatmap_decimals(tensor));
    double most = cell_height >= canvas_length(canvas, 44) ? 1.25 : 1.8;
    return fmax(fmin(width / NUMBER_SHARE / cell_height, most), 1);
}

static void draw_number(const Canvas *canvas, const NumberStyle *style, Box box,
                        Color ink, double value) {
    char text[NUMBER_SIZE] = "?"; /* no number: the inspector says why */
    if (!isnan(value))
        number_format(text, value, style->decimals);
    double middle = box.x + box.w / 2,
           baseline = round(box.y + box.h / 2 + style->size * 0.36);
    if (!isfinite(value))
        canvas_text(canvas, FONT_TEXT, style->size, ink, (Point){middle, baseline},
                    LABEL_CENTER, text);
    else
        canvas_text(canvas, FONT_TEXT, style->size, ink,
                    (Point){middle + style->width / 2, baseline}, LABEL_RIGHT, text);
}

/* ---- cells ---- */

/* −∞ is hatched. */
static void draw_hatch(const Canvas *canvas, Box box, double step) {
    canvas_hatch(canvas, box, step / 2, step);
}

static bool is_hidden(const Heatmap *heatmap, size_t row, size_t col) {
    const Tensor *hides = heatmap->hidden ? heatmap->hidden : heatmap->tensor;
    return heatmap_is_masking(tensor_at(hides, row, col));
}

static bool differs(const Heatmap *heatmap, size_t row, size_t col) {
    double value;
    int decimals;
    bool differs_here = false;
    return heatmap->step &&
           lesson_printed_at(heatmap->lesson, heatmap->step, row, col, &value, &decimals,
                             &differs_here) &&
           differs_here;
}

void heatmap_mark_differing(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                            size_t col, Box box) {
    if (!differs(heatmap, row, col))
        return;
    double side = fmin(fmin(box.w, box.h) * 0.26, canvas_length(canvas, 18));
    Point corner[] = {{box.x + box.w - side, box.y},
                      {box.x + box.w, box.y},
                      {box.x + box.w, box.y + side}};
    scene_polygon(canvas->scene, corner, 3, canvas->theme->bad_ink);
}

static void draw_cell(const Canvas *canvas, const Heatmap *heatmap,
                      const ColorScale *scale, const NumberStyle *numbers, size_t row,
                      size_t col) {
    const Theme *theme = canvas->theme;
    Box box = heatmap_cells(heatmap, row, row + 1, col, col + 1);
    double gap = box.w >= 24 && box.h >= 24 ? 2 : box.w >= 9 && box.h >= 9 ? 1 : 0;
    double radius = gap == 2 ? canvas_length(canvas, 3) : 0;
    box.w -= gap;
    box.h -= gap;
    if (heatmap->node != TAPE_NONE)
        canvas_link_cell(canvas, heatmap->node, heatmap->first_row + row, col);
    if (row * heatmap->tensor->cols + col >= heatmap->visible) {
        scene_rectangle(canvas->scene, box, radius, theme->page, theme->line, 1);
        return;
    }
    double value = tensor_at(heatmap->tensor, row, col);
    bool masks = is_hidden(heatmap, row, col);
    Color ground = heatmap->colors == HEATMAP_PLAIN ? theme->panel
                   : masks                          ? theme->masked
                                                    : color_scale_at(scale, value);
    canvas_fill(canvas, box, radius, ground);
    if (masks && gap > 0)
        draw_hatch(canvas, box, gap == 2 ? 9 : 5);
    if (heatmap->colors == HEATMAP_SIGNED && !masks)
        pattern_negative(canvas, box, value);
    if (numbers->size > 0)
        draw_number(canvas, numbers, box,
                    palette_ink(ground, theme->cell_dark, theme->cell_light), value);
    heatmap_mark_differing(canvas, heatmap, heatmap->first_row + row, col, box);
}

/* All cells as one image; those that are not there yet are covered: what is left of their
 * first row, and all rows below it. */
static void draw_image(const Canvas *canvas, const Heatmap *heatmap, ColorScale scale) {
    const Tensor *tensor = heatmap->tensor;
    ColorScale *kept = arena_alloc(canvas->scene->arena, 1, sizeof *kept);
    if (!kept)
        return;
    *kept = scale;
    if (heatmap->node != TAPE_NONE)
        canvas_link_cell(canvas, heatmap->node, heatmap->first_row, 0);
    scene_image(canvas->scene, heatmap->cells, tensor, kept);
    if (heatmap->colors == HEATMAP_SIGNED)
        pattern_image(canvas, heatmap->cells, tensor);
    if (heatmap->visible >= tensor_cells(tensor))
        return;
    size_t row = heatmap->visible / tensor->cols, col = heatmap->visible % tensor->cols;
    Color page = canvas->theme->page;
    if (col) {
        canvas_fill(canvas, heatmap_cells(heatmap, row, row + 1, col, tensor->cols), 0,
                    page);
        row++;
    }
    if (row < tensor->rows)
        canvas_fill(canvas, heatmap_cells(heatmap, row, tensor->rows, 0, tensor->cols), 0,
                    page);
    canvas_outline(canvas, heatmap->cells, 0, canvas->theme->line, 1);
}

/* The cell that is pointed at or pinned, wherever its tensor stands. */
static void mark_pointed(const Canvas *canvas, const Heatmap *heatmap) {
    Link at = canvas->pointed;
    if (at.kind == LINK_CELL && heatmap->node != TAPE_NONE && at.index == heatmap->node &&
        at.row >= heatmap->first_row &&
        at.row - heatmap->first_row < heatmap->tensor->rows &&
        at.col < heatmap->tensor->cols)
        heatmap_outline_cell(canvas, heatmap, at.row - heatmap->first_row, at.col,
                             canvas->theme->accent);
}

void heatmap_draw(const Canvas *canvas, const Heatmap *heatmap) {
    const Tensor *tensor = heatmap->tensor;
    double cell_w = heatmap->cells.w / (double)tensor->cols;
    double cell_h = heatmap->cells.h / (double)tensor->rows;
    ColorScale scale = scale_of(canvas, heatmap);
    if (is_image(cell_w, cell_h)) {
        draw_image(canvas, heatmap, scale);
    } else {
        NumberStyle numbers = number_style(canvas, heatmap);
        for (size_t i = 0; i < tensor->rows; i++) {
            for (size_t j = 0; j < tensor->cols; j++)
                draw_cell(canvas, heatmap, &scale, &numbers, i, j);
        }
    }
    canvas_unlink(canvas);
    mark_pointed(canvas, heatmap);
    heatmap_draw_labels(canvas, heatmap);
}

/* ---- legend ---- */

enum { LEGEND_STEPS = 64 };

/* The numbers under a legend's bar: its ends, and its middle where there is room. */
static void draw_marks(const Canvas *canvas, const ColorScale *scale, Box bar,
                       double size) {
    const double marks[] = {scale->low, (scale->low + scale->high) / 2, scale->high};
    const LabelAlign aligns[] = {LABEL_LEFT, LABEL_CENTER, LABEL_RIGHT};
    int decimals = HEATMAP_DECIMALS; /* large numbers need none */
    for (double least = 10; decimals > 0 && scale->high >= least; least *= 10)
        decimals--;
    char text[3][NUMBER_SIZE];
    double widths[3];
    for (int i = 0; i < 3; i++) {
        number_format_short(text[i], marks[i], decimals);
        widths[i] = canvas_text_width(canvas, FONT_TEXT, size, text[i]);
    }
    double side = bar.w / 2 - fmax(widths[0], widths[2]) - size * 0.4;
    if (side < -size * 0.2 && scale->low < 0) { /* no room for both ends: said as one */
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                    (Point){bar.x + bar.w / 2, bar.y + bar.h + size * 1.25}, LABEL_CENTER,
                    canvas_format(canvas, "±%s", text[2]));
        return;
    }
    if (canvas->legend) { /* what the numbers are, in place of the middle one */
        LabelFit fit =
            canvas_fit(canvas, FONT_TEXT, size, fmax(2 * side, size), canvas->legend);
        if (strcmp(fit.text, canvas->legend) == 0) /* whole, or not at all */
            canvas_text(canvas, FONT_TEXT, fit.size, canvas->theme->ink_soft,
                        (Point){bar.x + bar.w / 2, bar.y + bar.h + size * 1.25},
                        LABEL_CENTER, fit.text);
        side = 0;
    }
    for (int i = 0; i < 3; i++) {
        if (i == 1 && widths[i] / 2 > side)
            continue;
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                    (Point){bar.x + bar.w * i / 2, bar.y + bar.h + size * 1.25},
                    aligns[i], text[i]);
    }
}

Box heatmap_legend(const Canvas *canvas, Box area, HeatmapColors colors, double reach) {
    double width = fmin(canvas_length(canvas, 200), area.w);
    double height = canvas_length(canvas, 12), size = canvas_size(canvas, 13, "0");
    Box bar = {area.x + area.w - width, area.y, width, height};
    if (canvas->without_legends)
        return bar;
    Heatmap like = {.colors = colors, .reach = reach};
    Arena *arena = canvas->scene->arena;
    ColorScale *scale = arena_alloc(arena, 1, sizeof *scale);
    Tensor *steps = arena_alloc(arena, 1, sizeof *steps);
    double *values = arena_alloc(arena, LEGEND_STEPS, sizeof *values);
    if (!scale || !steps || !values)
        return bar;
    *scale = scale_of(canvas, &like);
    *steps = (Tensor){.rows = 1, .cols = LEGEND_STEPS, .values = values};
    for (int i = 0; i < LEGEND_STEPS; i++)
        values[i] = scale->low + (scale->high - scale->low) * (i + 0.5) / LEGEND_STEPS;
    scene_image(canvas->scene, bar, steps, scale);
    if (colors == HEATMAP_SIGNED)
        pattern_image(canvas, bar, steps);
    draw_marks(canvas, scale, bar, size);
    return (Box){bar.x, bar.y, width, height + size * 1.5};
}
