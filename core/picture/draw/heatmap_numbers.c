#include "picture/draw/heatmap.h"

#include "base/maths.h"
#include "base/number.h"
#include "picture/draw/canvas.h"
#include "tensor/tensor.h"

#include <stdio.h>

/* Largest fraction of a cell's width for a number. */
static const double NUMBER_FRACTION = 0.9;
/* Largest fraction of a cell's width for a number that could be smaller. */
static const double AIRY_FRACTION = 0.76;
/* Gap to the next cell's number, as a fraction of the digits' size. */
static const double NUMBER_GAP = 0.4;
/* Size of the digits, as a fraction of the cell's height. */
static const double NUMBER_HEIGHT = 0.75;
static const double LEAST_NUMBER = 18; /* points: 14 pixels at 1280 × 720 */
/* The same for enlarged pages, as shown: 20 pixels. */
static const double LEAST_SHOWN = 26;
static const double LARGEST_NUMBER = 32; /* points */
/* Points: cells are widened up to this size. */
static const double COMFORTABLE_NUMBER = 20;
/* Fraction of the scale from which a cell is visibly coloured. */
static const double COLOURED = 0.2;
static const double TINY = 0.05; /* scales of a smaller reach have a common factor */
static const double HALO = 0.16, DIGITS_ASCENT = 0.73; /* fractions of the digits' size */

/* With fewer decimals a row of probabilities would not seem to sum to 1. */
enum { PROBABILITY_DECIMALS = 2 };

/* Width of a cell in which a number of width `width`, in digits of the given size, is
 * clear of its neighbours. */
static double apart(double width, double size) {
    return fmax(width / NUMBER_FRACTION, width + NUMBER_GAP * size);
}

double heatmap_least_digits(const Canvas *canvas) {
    double shown = canvas->digits > 0 ? canvas->digits : LEAST_SHOWN;
    double least = ceil(shown / fmax(canvas->enlarged, 1));
    return canvas->least > 0 ? least : fmin(least, LEAST_NUMBER);
}

/* Number of decimals that the numbers need, at most HEATMAP_DECIMALS. */
static int decimals_of(const Tensor *tensor, double factor) {
    int decimals = 0;
    double power = 1; /* 10 ^ decimals */
    for (size_t i = 0; i < tensor_cells(tensor) && decimals < HEATMAP_DECIMALS; i++) {
        double value = tensor->values[i] * factor;
        if (!isfinite(value) || fabs(value) >= 1e7)
            continue;
        double scaled = value * power;
        while (decimals < HEATMAP_DECIMALS && fabs(scaled - round(scaled)) > 1e-9) {
            decimals++;
            power *= 10;
            scaled *= 10;
        }
    }
    return decimals;
}

int heatmap_decimals(const Tensor *tensor) {
    return decimals_of(tensor, 1);
}

int heatmap_exponent(HeatmapColors colors, double reach) {
    int exponent = 0;
    if (colors != HEATMAP_PLAIN && reach > 0 && reach < TINY)
        for (; reach < 1; reach *= 10)
            exponent++;
    return exponent;
}

const char *heatmap_power(const Canvas *canvas, int exponent) {
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴",
                                         "⁵", "⁶", "⁷", "⁸", "⁹"};
    const char *text = "";
    for (int rest = exponent; rest > 0; rest /= 10)
        text = canvas_format(canvas, "%s%s", raised[rest % 10], text);
    return canvas_format(canvas, "10⁻%s", text);
}

/* Values with the widest texts. Because all digits have one width, the smallest and the
 * largest number of each format are enough: below 1e7, and written with an exponent.
 * Behind these are −∞, +∞ and NaN if the table has them, else 0. */
enum { FINITE = 4 };

static void find_extremes(const Tensor *tensor, double factor, double *extremes) {
    for (size_t i = 0; i < HEATMAP_EXTREMES; i++)
        extremes[i] = 0;
    for (size_t i = 0; i < tensor_cells(tensor); i++) {
        double value = tensor->values[i] * factor;
        double *pair = &extremes[fabs(value) >= 1e7 ? 2 : 0];
        if (isfinite(value)) {
            pair[0] = fmin(pair[0], value);
            pair[1] = fmax(pair[1], value);
        } else {
            extremes[isnan(value) ? 6 : value > 0 ? 5 : 4] = value;
        }
    }
}

/* Width of the widest of some values' texts. */
static double widest_text(const Canvas *canvas, const double *values, size_t count,
                          double size, int decimals) {
    char text[NUMBER_SIZE];
    double widest = 0;
    for (size_t i = 0; i < count; i++)
        widest =
            fmax(widest, canvas_text_width(canvas, FONT_TEXT, size,
                                           number_format(text, values[i], decimals)));
    return widest;
}

/* The table whose number format a heatmap uses. */
static const Tensor *written_of(const Heatmap *heatmap) {
    return heatmap->written_as ? heatmap->written_as : heatmap->tensor;
}

/* Least number of decimals with which no coloured cell reads as zero. */
static int least_decimals(const Heatmap *heatmap, double factor) {
    const Tensor *tensor = written_of(heatmap);
    double least = INFINITY;
    for (size_t i = 0; i < tensor_cells(tensor); i++) {
        double value = fabs(tensor->values[i]);
        if (value > heatmap->reach * COLOURED)
            least = fmin(least, value * factor);
    }
    int decimals = 0;
    while (decimals < HEATMAP_DECIMALS && least * pow(10, decimals) < 0.5)
        decimals++;
    return heatmap->colors == HEATMAP_PLAIN ? 0 : decimals;
}

/* Range of decimals for the numbers of a table. */
typedef struct Decimals {
    int wanted, least;
} Decimals;

static Decimals decimals_for(const Heatmap *heatmap, double factor) {
    int wanted = decimals_of(written_of(heatmap), factor),
        least = least_decimals(heatmap, factor);
    least = least > 1 || wanted == 0 ? least : 1; /* 0.4 is not 0 */
    if (heatmap->colors == HEATMAP_PROBABILITIES && least < PROBABILITY_DECIMALS)
        least = wanted < PROBABILITY_DECIMALS ? wanted : PROBABILITY_DECIMALS;
    return (Decimals){wanted, least};
}

NumberStyle heatmap_numbers(const Canvas *canvas, const Heatmap *heatmap) {
    const Tensor *tensor = heatmap->tensor;
    double cell_w = heatmap->cells.w / (double)tensor->cols;
    double cell_h = heatmap->cells.h / (double)tensor->rows;
    double tallest = fmin(floor(cell_h * NUMBER_HEIGHT), LARGEST_NUMBER);
    if (heatmap->number_size > 0)
        tallest = fmin(tallest, heatmap->number_size);
    double smallest = heatmap_least_digits(canvas);
    double comfortable = fmax(COMFORTABLE_NUMBER, smallest);
    if (heatmap->without_numbers || tallest < smallest)
        return (NumberStyle){0};
    double factor = pow(10, heatmap->exponent);
    Decimals may = decimals_for(heatmap, factor);
    double extremes[HEATMAP_EXTREMES];
    find_extremes(written_of(heatmap), factor, extremes);
    for (int decimals = may.wanted; decimals >= may.least; decimals--) {
        double width = widest_text(canvas, extremes, HEATMAP_EXTREMES, tallest, decimals);
        double size = fmin(tallest, floor(tallest * cell_w / apart(width, tallest)));
        double airy = floor(tallest * cell_w * AIRY_FRACTION / width);
        if (size > comfortable && airy < size)
            size = fmax(airy, comfortable);
        if (size >= smallest)
            return (NumberStyle){size, decimals, factor,
                                 /* numbers are aligned in their cells */
                                 widest_text(canvas, extremes, FINITE, size, decimals)};
    }
    return (NumberStyle){0};
}

double heatmap_least_column(const Canvas *canvas, const Heatmap *heatmap) {
    double factor = pow(10, heatmap->exponent), size = heatmap_least_digits(canvas);
    double extremes[HEATMAP_EXTREMES];
    find_extremes(written_of(heatmap), factor, extremes);
    int decimals = decimals_for(heatmap, factor).least;
    return ceil(
        apart(widest_text(canvas, extremes, HEATMAP_EXTREMES, size, decimals), size));
}

double heatmap_least_row(const Canvas *canvas) {
    return ceil(heatmap_least_digits(canvas) / NUMBER_HEIGHT);
}

double heatmap_number_size(const Canvas *canvas, const Heatmap *heatmap) {
    return heatmap_is_image(heatmap) ? 0 : heatmap_numbers(canvas, heatmap).size;
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

HeatmapWidest heatmap_widest(const Tensor *tensor) {
    HeatmapWidest widest = {.decimals = (size_t)heatmap_decimals(tensor)};
    find_extremes(tensor, 1, widest.values);
    return widest;
}

double heatmap_widest_aspect(const Canvas *canvas, HeatmapWidest *widest,
                             double cell_height) {
    double least = heatmap_least_digits(canvas);
    bool large = least > COMFORTABLE_NUMBER;
    double size =
        fmin(floor(cell_height * NUMBER_HEIGHT), fmax(COMFORTABLE_NUMBER, least));
    if (size < least)
        return 1;
    if (widest->size != size) {
        widest->size = size;
        widest->width = widest_text(canvas, widest->values, HEATMAP_EXTREMES, size,
                                    (int)widest->decimals);
    }
    double most = cell_height >= 44 && !large ? 1.25 : 1.8;
    return fmax(fmin(apart(widest->width, size) / cell_height, most), 1);
}

double heatmap_aspect(const Canvas *canvas, const Tensor *tensor, double cell_height) {
    HeatmapWidest widest = heatmap_widest(tensor);
    return heatmap_widest_aspect(canvas, &widest, cell_height);
}

/* Size of the digits in a box, reduced if "≈0", which can be wider than whole numbers,
 * doesn't fit. */
static double rounded_size(const Canvas *canvas, const NumberStyle *style, Box box) {
    double width = canvas_text_width(canvas, FONT_TEXT, style->size, "≈0");
    double room = box.w * NUMBER_FRACTION;
    return width > room ? floor(style->size * room / width) : style->size;
}

/* The digits' ground is a polygon, because rectangles are taken for cells. */
void heatmap_draw_digits(const Canvas *canvas, double size, Box box, Color ground,
                         bool hatched, Point right, const char *text) {
    double width = canvas_text_width(canvas, FONT_TEXT, size, text);
    double pad = ceil(size * HALO);
    double x = fmax(right.x - width - pad, box.x),
           end = fmin(right.x + pad, box.x + box.w);
    double y = fmax(round(right.y - size * DIGITS_ASCENT) - pad, box.y);
    double foot = fmin(right.y + pad, box.y + box.h);
    const Point corners[] = {{x, y}, {end, y}, {end, foot}, {x, foot}};
    if (hatched)
        scene_polygon(canvas->scene, corners, 4, ground);
    canvas_text(canvas, FONT_TEXT, size,
                palette_ink(ground, canvas->theme->cell_dark, canvas->theme->cell_light),
                right, LABEL_RIGHT, text);
}

void heatmap_draw_number(const Canvas *canvas, const NumberStyle *style, Box box,
                         Color ground, bool hatched, double value) {
    char text[NUMBER_SIZE] = "?"; /* NaN; the inspector gives the reason */
    double shown = value * style->factor, size = style->size;
    bool rounds = value != 0 && fabs(shown) * pow(10, style->decimals) < 0.5;
    if (rounds) /* distinguishes 0 from numbers rounded to it, if there is room */
        size = rounded_size(canvas, style, box);
    if (rounds && size >= heatmap_least_digits(canvas))
        snprintf(text, sizeof text, "≈0");
    else if (!isnan(value))
        number_format(text, shown, value == 0 || rounds ? 0 : style->decimals);
    size = fmax(size, heatmap_least_digits(canvas));
    bool alone = !isfinite(value) || value == 0 || rounds;
    double width = canvas_text_width(canvas, FONT_TEXT, size, text);
    Point right = {box.x + (box.w + (alone ? width : style->width)) / 2,
                   label_baseline(box.y + box.h / 2, size)};
    heatmap_draw_digits(canvas, size, box, ground, hatched, right, text);
}
