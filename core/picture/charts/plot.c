#include "picture/charts/charts.h"

#include "base/maths.h"
#include "base/number.h"
#include "picture/scene/theme.h"
#include "tensor/tensor.h"

/* Distance of the numbers at the left, relative to their size. */
static const double LEADING = 1.1;

double plot_along(PlotAxis axis, double number) {
    return axis.ratios ? log(number) : number;
}

static double share_of(PlotAxis axis, double number) {
    /* halved, because twice the largest double is infinite */
    return (plot_along(axis, number) / 2 - axis.from / 2) / (axis.to / 2 - axis.from / 2);
}

double plot_x(const Plot *plot, double place) {
    return plot->box.x + plot->box.w * share_of(plot->across, place);
}

double plot_y(const Plot *plot, double value) {
    return plot->box.y + plot->box.h * (1 - fmin(share_of(plot->up, value), 1));
}

Point plot_point(const Plot *plot, double place, double value) {
    return (Point){plot_x(plot, place), plot_y(plot, value)};
}

/* ---- lines across ---- */

static void add_tick(Plot *plot, double number) {
    double at = plot_along(plot->up, number);
    double slack = plot->up.to * 1e-9 - plot->up.from * 1e-9;
    if (isfinite(at) && at >= plot->up.from - slack && at <= plot->up.to + slack &&
        plot->tick_count < PLOT_TICKS_MAX)
        plot->ticks[plot->tick_count++] = number;
}

void plot_find_ticks(Plot *plot, double step) {
    plot->tick_count = 0;
    if (plot->up.ratios) {
        double power = pow(10, floor(plot->up.from / log(10)));
        for (; log(power) <= plot->up.to; power *= 10) {
            add_tick(plot, power);
            add_tick(plot, 2 * power);
            add_tick(plot, 5 * power);
        }
        return;
    }
    double first = ceil(plot->up.from / step - 1e-9);
    for (int i = 0; i < PLOT_TICKS_MAX; i++)
        add_tick(plot, (first + i) * step);
}

static const char *tick_text(const Plot *plot, size_t index) {
    char text[NUMBER_SIZE];
    double number = plot->ticks[index];
    if (plot->decimals == PLOT_PERCENT)
        return canvas_format(plot->canvas, "%.0f%%", 100 * number);
    return canvas_format(plot->canvas, "%s",
                         plot->decimals == PLOT_SHORT
                             ? number_format_short(text, number, 3)
                             : number_format_shortest(text, number, plot->decimals));
}

double plot_ticks_width(const Plot *plot) {
    const Canvas *canvas = plot->canvas;
    double size = canvas_size(canvas, plot->units, ""), widest = 0;
    for (size_t i = 0; i < plot->tick_count; i++)
        widest =
            fmax(widest, canvas_text_width(canvas, FONT_TEXT, size, tick_text(plot, i)));
    return widest + round(plot->gap + 2);
}

void plot_draw_ticks(const Plot *plot) {
    const Canvas *canvas = plot->canvas;
    double size = canvas_size(canvas, plot->units, ""), below = INFINITY;
    double left = plot->box.x - round(plot->gap);
    for (size_t i = 0; i < plot->tick_count; i++) {
        double y = round(plot_y(plot, plot->ticks[i]));
        bool ground = plot->is_ground && !(fabs(plot->ticks[i]) > 0);
        scene_line(canvas->scene, (Point){plot->box.x, y + 0.5},
                   (Point){plot->box.x + plot->box.w, y + 0.5}, 1,
                   ground ? canvas->theme->ink_faint : canvas->theme->line);
        if (below - y < size * LEADING)
            continue;
        below = y;
        canvas_text(canvas, FONT_TEXT, size, plot->ink,
                    (Point){left, label_baseline(y, size)}, LABEL_RIGHT,
                    tick_text(plot, i));
    }
}

void plot_draw_ticks_across(const Plot *plot) {
    const Canvas *canvas = plot->canvas;
    double size = canvas_size(canvas, plot->units, "");
    double step = plot->ticks[1] - plot->ticks[0], bottom = plot->box.y + plot->box.h;
    for (double i = ceil(plot->across.from / step); i <= plot->across.to / step; i++) {
        double x = round(plot_x(plot, i * step)) + 0.5;
        scene_line(canvas->scene, (Point){x, plot->box.y}, (Point){x, bottom}, 1,
                   !(fabs(i) > 0) ? canvas->theme->ink_faint : canvas->theme->line);
        char text[NUMBER_SIZE];
        canvas_text(canvas, FONT_TEXT, size, plot->ink, (Point){x, bottom + size * 1.3},
                    LABEL_CENTER, number_format_short(text, i * step, 3));
    }
}

/* ---- steps ---- */

double plot_step(double least) {
    const double steps[] = {1, 2, 2.5, 5, 10};
    double power = pow(10, floor(log10(least)));
    size_t i = 0;
    while (i < 4 && steps[i] * power < least * (1 - 1e-9))
        i++;
    return steps[i] * power;
}

size_t plot_stride(double least) {
    const size_t steps[] = {1, 2, 5};
    for (size_t power = 1;; power *= 10) {
        for (size_t i = 0; i < 3; i++) {
            if ((double)(steps[i] * power) >= least || power >= TENSOR_MAX_CELLS)
                return steps[i] * power;
        }
    }
}
