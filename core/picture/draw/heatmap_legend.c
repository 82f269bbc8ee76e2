#include "picture/draw/heatmap.h"

#include "base/arena.h"
#include "base/maths.h"
#include "base/number.h"
#include "picture/draw/patterns.h"
#include "tensor/tensor.h"

#include <string.h>

enum { LEGEND_STEPS = 64 };

/* Largest width of a bar in points: alone, and with a name. */
static const double BARE = 200, NAMED = 240;
static const double BAR = 12, MARKS = 15; /* height of the bar, and of its numbers */

const char *heatmap_mark(const Canvas *canvas, double value, double reach) {
    char digits[NUMBER_SIZE];
    int decimals = HEATMAP_DECIMALS; /* large numbers have no decimals */
    for (double least = 10; decimals > 0 && reach >= least; least *= 10)
        decimals--;
    int exponent = value == 0 ? 0 : heatmap_exponent(HEATMAP_SIGNED, reach);
    number_format_short(digits, value * pow(10, exponent), exponent ? 1 : decimals);
    return exponent == 0
               ? canvas_format(canvas, "%s", digits)
               : canvas_format(canvas, "%s·%s", digits, heatmap_power(canvas, exponent));
}

/* Draws the numbers under a legend's bar: at its ends, and in its middle if there is
 * room. */
static void draw_marks(const Canvas *canvas, double low, double high, bool exact, Box bar,
                       double size) {
    const char *const signs[] = {low < 0 ? "−" : "0", low < 0 ? "0" : "", "+"};
    const double marks[] = {low, (low + high) / 2, high};
    const LabelAlign aligns[] = {LABEL_LEFT, LABEL_CENTER, LABEL_RIGHT};
    const char *text[3];
    double widths[3];
    for (int i = 0; i < 3; i++) {
        text[i] = exact ? heatmap_mark(canvas, marks[i], high) : signs[i];
        widths[i] = canvas_text_width(canvas, FONT_TEXT, size, text[i]);
    }
    double side = bar.w / 2 - fmax(widths[0], widths[2]) - size * 0.4;
    if (side < -size * 0.2 && low < 0) { /* no room for both ends: written as one */
        const char *both = canvas_format(canvas, "±%s", text[2]);
        double left = bar.w - canvas_text_width(canvas, FONT_TEXT, size, both) - size;
        double y = bar.y + bar.h + size * 1.25;
        bool named = canvas->legend &&
                     canvas_text_width(canvas, FONT_TEXT, size, canvas->legend) <= left;
        if (named)
            canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                        (Point){bar.x, y}, LABEL_LEFT, canvas->legend);
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                    (Point){named ? bar.x + bar.w : bar.x + bar.w / 2, y},
                    named ? LABEL_RIGHT : LABEL_CENTER, both);
        return;
    }
    if (canvas->legend) { /* the quantity replaces the number in the middle */
        LabelFit fit =
            canvas_fit(canvas, FONT_TEXT, size, fmax(2 * side, size), canvas->legend);
        if (strcmp(fit.text, canvas->legend) == 0) /* only if it fits uncut */
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

double heatmap_legend_height(const Canvas *canvas) {
    return BAR + 1.5 * canvas_size(canvas, MARKS, "0");
}

Box heatmap_swatches(const Canvas *canvas, Box area, const HeatmapSwatch *swatches,
                     size_t count) {
    ColorScale scale = heatmap_scale(canvas, HEATMAP_SIGNED, 1);
    double size = canvas_size(canvas, MARKS, "一"), swatch = round(size * 1.6), gap = 1.5;
    Box rest = area;
    for (size_t i = count; i > 0; i--) {
        const HeatmapSwatch *at = &swatches[i - 1];
        double width = canvas_text_width(canvas, FONT_TEXT, size, at->text);
        Box box = {rest.x + rest.w - width - swatch - size * 0.5,
                   round(rest.y + (rest.h - size) / 2), swatch, round(size)};
        if (tensor_is_masking(at->value))
            canvas_masked(canvas, box);
        else
            scene_rectangle(canvas->scene, box, 2, color_scale_at(&scale, at->value),
                            canvas->theme->line, 1);
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                    (Point){rest.x + rest.w, box.y + size * LABEL_ASCENT}, LABEL_RIGHT,
                    at->text);
        rest.w = box.x - rest.x - size * gap;
    }
    double width = area.w - rest.w - size * gap;
    return (Box){area.x + area.w - width, area.y, width, area.h};
}

Box heatmap_legend(const Canvas *canvas, Box area, HeatmapColors colors, double reach) {
    double width = fmin(canvas->legend ? NAMED : BARE, area.w);
    Box bar = {area.x + area.w - width, area.y, width, BAR};
    if (canvas->without_legends)
        return bar;
    if (colors == HEATMAP_BITS) {
        const HeatmapSwatch bits[] = {{0, "0"}, {1, "1"}};
        area.h = heatmap_legend_height(canvas);
        return heatmap_swatches(canvas, area, bits, 2);
    }
    Arena *arena = canvas->scene->arena;
    ColorScale *scale = arena_alloc(arena, 1, sizeof *scale);
    Tensor *steps = arena_alloc(arena, 1, sizeof *steps);
    double *values = arena_alloc(arena, LEGEND_STEPS, sizeof *values);
    *scale = heatmap_scale(canvas, colors, reach > 0 ? reach : 1);
    double low = colors == HEATMAP_UPPER ? 0 : scale->low;
    *steps = (Tensor){.rows = 1, .cols = LEGEND_STEPS, .values = values};
    for (int i = 0; i < LEGEND_STEPS; i++)
        values[i] = low + (scale->high - low) * (i + 0.5) / LEGEND_STEPS;
    scene_image(canvas->scene, bar, steps, scale);
    if (colors == HEATMAP_SIGNED || colors == HEATMAP_UPPER)
        pattern_image(canvas, bar, steps);
    draw_marks(canvas, low, scale->high, reach > 0, bar, canvas_size(canvas, MARKS, "0"));
    return (Box){bar.x, bar.y, width, heatmap_legend_height(canvas)};
}
