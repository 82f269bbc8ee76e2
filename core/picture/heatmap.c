#include "picture/heatmap.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

static const double LABEL_UNITS = 17;    /* row and column labels */
static const double IMAGE_CELL = 4;      /* cells smaller than this become one image */
static const double NUMBER_SHARE = 0.84; /* of a cell's width that a number may take */
static const double LARGEST_NUMBER = 28; /* units */

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
    double width = fmax(canvas_length(canvas, 3), 2);
    Box box = heatmap_cells(heatmap, row, row_end, col, col_end);
    box = (Box){box.x - width + 1, box.y - width + 1, box.w + 2 * width - 2,
                box.h + 2 * width - 2};
    scene_rectangle(canvas->scene, box, canvas_length(canvas, 5), (Color){0}, color,
                    width);
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
    double width; /* of the widest number: all end at the same place in their cells */
} NumberStyle;

static double widest_number(const Canvas *canvas, const Tensor *tensor, double size,
                            int decimals) {
    double widest = 0;
    char text[NUMBER_SIZE];
    for (size_t i = 0; i < tensor_cells(tensor); i++) {
        if (!isfinite(tensor->values[i]))
            continue;
        number_format(text, tensor->values[i], decimals);
        widest = fmax(widest, label_width(canvas->metrics, FONT_TEXT, size, text));
    }
    return widest;
}

/* The largest size at which every number fits its cell: with all its decimals, else with
 * fewer, else none. */
static NumberStyle number_style(const Canvas *canvas, const Heatmap *heatmap) {
    const Tensor *tensor = heatmap->tensor;
    double cell_w = heatmap->cells.w / (double)tensor->cols;
    double cell_h = heatmap->cells.h / (double)tensor->rows;
    double smallest = label_min_size("0");
    double tallest = fmin(floor(cell_h * 0.62), canvas_size(canvas, LARGEST_NUMBER, ""));
    if (heatmap->without_numbers || tallest < smallest || cell_w < smallest)
        return (NumberStyle){0};
    int wanted = heatmap_decimals(tensor);
    for (int decimals = wanted; decimals >= (wanted > 0); decimals--) { /* 0.4 is not 0 */
        double width = widest_number(canvas, tensor, tallest, decimals);
        double room = cell_w * NUMBER_SHARE;
        double size = width > room ? floor(tallest * room / width) : tallest;
        if (size >= smallest)
            return (NumberStyle){size, decimals,
                                 widest_number(canvas, tensor, size, decimals)};
    }
    return (NumberStyle){0};
}

static void draw_number(const Canvas *canvas, const NumberStyle *style, Box box,
                        Color ink, double value) {
    char text[NUMBER_SIZE];
    number_format(text, value, style->decimals);
    double middle = box.x + box.w / 2,
           baseline = round(box.y + box.h / 2 + style->size * 0.36);
    if (!isfinite(value))
        label_draw(canvas->scene, canvas->metrics, FONT_TEXT, style->size, ink,
                   (Point){middle, baseline}, LABEL_CENTER, text);
    else
        label_draw(canvas->scene, canvas->metrics, FONT_TEXT, style->size, ink,
                   (Point){middle + style->width / 2, baseline}, LABEL_RIGHT, text);
}

/* ---- cells ---- */

/* −∞ is hatched: parallel lines at 45°, cut to the cell. */
static void draw_hatch(const Canvas *canvas, Box box) {
    double step = fmax(canvas_length(canvas, 9), 5);
    scene_clip(canvas->scene, box);
    for (double offset = step / 2; offset < box.w + box.h; offset += step)
        scene_line(canvas->scene, (Point){box.x + offset, box.y},
                   (Point){box.x + offset - box.h, box.y + box.h}, 1,
                   canvas->theme->hatch);
    scene_unclip(canvas->scene);
}

/* A triangle in the upper right corner: the document prints another number here. */
static void draw_differs(const Canvas *canvas, Box box) {
    double side = fmin(fmin(box.w, box.h) * 0.26, canvas_length(canvas, 18));
    Point corner[] = {{box.x + box.w - side, box.y},
                      {box.x + box.w, box.y},
                      {box.x + box.w, box.y + side}};
    scene_polygon(canvas->scene, corner, 3, canvas->theme->bad_ink);
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
        scene_link(canvas->scene, (Link){LINK_CELL, heatmap->node, row, col});
    if (row * heatmap->tensor->cols + col >= heatmap->visible) {
        scene_rectangle(canvas->scene, box, radius, theme->page, theme->line, 1);
        return;
    }
    double value = tensor_at(heatmap->tensor, row, col);
    Color ground = heatmap->colors == HEATMAP_PLAIN ? theme->panel
                   : heatmap_is_masking(value)              ? theme->masked
                                                    : color_scale_at(scale, value);
    scene_rectangle(canvas->scene, box, radius, ground, (Color){0}, 0);
    if (heatmap_is_masking(value) && gap == 2)
        draw_hatch(canvas, box);
    if (numbers->size > 0)
        draw_number(canvas, numbers, box,
                    palette_ink(ground, theme->cell_dark, theme->cell_light), value);
    if (differs(heatmap, row, col))
        draw_differs(canvas, box);
}

/* ---- labels ---- */

double heatmap_row_label_width(const Canvas *canvas, const Tensor *tensor) {
    double widest = 0;
    for (size_t i = 0; tensor->row_labels && i < tensor->rows; i++) {
        const char *label = tensor->row_labels[i];
        widest =
            fmax(widest, label_width(canvas->metrics, FONT_BOLD,
                                     canvas_size(canvas, LABEL_UNITS, label), label));
    }
    return widest > 0 ? widest + canvas_length(canvas, 14) : 0;
}

static double widest_col_label(const Canvas *canvas, const Tensor *tensor) {
    double widest = 0;
    for (size_t j = 0; tensor->col_labels && j < tensor->cols; j++) {
        const char *label = tensor->col_labels[j];
        widest =
            fmax(widest, label_width(canvas->metrics, FONT_BOLD,
                                     canvas_size(canvas, LABEL_UNITS, label), label));
    }
    return widest;
}

double heatmap_col_label_height(const Canvas *canvas, const Tensor *tensor,
                                double cell_width) {
    double widest = widest_col_label(canvas, tensor);
    if (widest == 0)
        return 0;
    return widest <= cell_width ? canvas_length(canvas, 30)
                                : widest + canvas_length(canvas, 10);
}

/* Labels closer together than they are tall would overlap: then only the focus's. */
static bool label_has_room(const Canvas *canvas, double pitch, const char *label) {
    return pitch >= canvas_size(canvas, LABEL_UNITS, label) * 1.1;
}

static void draw_row_labels(const Canvas *canvas, const Heatmap *heatmap) {
    const Tensor *tensor = heatmap->tensor;
    double pitch = heatmap->cells.h / (double)tensor->rows;
    for (size_t i = 0; i < tensor->rows; i++) {
        const char *label = tensor->row_labels[i];
        bool focus = heatmap->has_focus && heatmap->focus_row == i;
        double size = canvas_size(canvas, LABEL_UNITS, label);
        if (!focus && !label_has_room(canvas, pitch, label))
            continue;
        Box row = heatmap_cells(heatmap, i, i + 1, 0, 1);
        double gap = canvas_length(canvas, 12);
        LabelFit fit = label_fit(canvas->scene->arena, canvas->metrics,
                                 focus ? FONT_BOLD : FONT_TEXT, size,
                                 label_min_size(label), heatmap->label_room - gap, label);
        label_draw(canvas->scene, canvas->metrics, focus ? FONT_BOLD : FONT_TEXT,
                   fit.size, focus ? canvas->theme->ink : canvas->theme->ink_soft,
                   (Point){heatmap->cells.x - gap, row.y + row.h / 2 + fit.size * 0.35},
                   LABEL_RIGHT, fit.text);
    }
}

static void draw_col_labels(const Canvas *canvas, const Heatmap *heatmap) {
    const Tensor *tensor = heatmap->tensor;
    double pitch = heatmap->cells.w / (double)tensor->cols;
    double gap = canvas_length(canvas, 8);
    for (size_t j = 0; j < tensor->cols; j++) {
        const char *label = tensor->col_labels[j];
        bool focus = heatmap->has_focus && heatmap->focus_col == j;
        FontRole font = focus ? FONT_BOLD : FONT_TEXT;
        Color color = focus ? canvas->theme->ink : canvas->theme->ink_soft;
        double size = canvas_size(canvas, LABEL_UNITS, label);
        bool upright = label_width(canvas->metrics, FONT_BOLD, size, label) > pitch;
        if (!focus && !label_has_room(canvas, pitch, label))
            continue;
        Box col = heatmap_cells(heatmap, 0, 1, j, j + 1);
        Point at = {col.x + col.w / 2, heatmap->cells.y - gap};
        if (!upright) {
            label_draw(canvas->scene, canvas->metrics, font, size, color, at,
                       LABEL_CENTER, label);
            continue;
        }
        at.x += size * 0.35;
        label_draw_upright(canvas->scene, canvas->metrics, font, size, color, at, label);
    }
}

void heatmap_draw(const Canvas *canvas, const Heatmap *heatmap) {
    const Tensor *tensor = heatmap->tensor;
    double cell_w = heatmap->cells.w / (double)tensor->cols;
    double cell_h = heatmap->cells.h / (double)tensor->rows;
    ColorScale scale = scale_of(canvas, heatmap);
    if (cell_w < IMAGE_CELL || cell_h < IMAGE_CELL) {
        ColorScale *kept = arena_alloc(canvas->scene->arena, 1, sizeof *kept);
        if (kept) {
            *kept = scale;
            if (heatmap->node != TAPE_NONE)
                scene_link(canvas->scene, (Link){LINK_CELL, heatmap->node, 0, 0});
            scene_image(canvas->scene, heatmap->cells, tensor, kept);
        }
    } else {
        NumberStyle numbers = number_style(canvas, heatmap);
        for (size_t i = 0; i < tensor->rows; i++) {
            for (size_t j = 0; j < tensor->cols; j++)
                draw_cell(canvas, heatmap, &scale, &numbers, i, j);
        }
    }
    scene_link(canvas->scene, (Link){0});
    if (heatmap->row_labels && tensor->row_labels)
        draw_row_labels(canvas, heatmap);
    if (heatmap->col_labels && tensor->col_labels)
        draw_col_labels(canvas, heatmap);
}

double heatmap_widest(const Canvas *canvas, double cell_height) {
    return cell_height >= canvas_length(canvas, 44) ? 1.25 : 1.8;
}

/* ---- legend ---- */

enum { LEGEND_STEPS = 64 };

Box heatmap_legend(const Canvas *canvas, Box area, HeatmapColors colors, double reach) {
    double width = fmin(canvas_length(canvas, 200), area.w);
    double height = canvas_length(canvas, 12), size = canvas_size(canvas, 13, "0");
    Box bar = {area.x + area.w - width, area.y, width, height};
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
    const double marks[] = {scale->low, (scale->low + scale->high) / 2, scale->high};
    const LabelAlign aligns[] = {LABEL_LEFT, LABEL_CENTER, LABEL_RIGHT};
    for (int i = 0; i < 3; i++) {
        char text[NUMBER_SIZE];
        label_draw(canvas->scene, canvas->metrics, FONT_TEXT, size,
                   canvas->theme->ink_soft,
                   (Point){bar.x + width * i / 2, bar.y + height + size * 1.25},
                   aligns[i], number_format_short(text, marks[i], HEATMAP_DECIMALS));
    }
    return (Box){bar.x, bar.y, width, height + size * 1.5};
}
