#include "picture/page/page.h"

#include "picture/draw/text_block.h"

#include <math.h>

static const double scales[] = {1, 1.15, 1.3, 1.5, 1.75, 2};
enum { COUNT = sizeof scales / sizeof *scales };

static const double NEAR = 0.01;
static const double LEGIBLE = 12, TINY = 9; /* reference pixels */
static const double PRESENTED_LEAST = 0.85;
static const double BACK_ROW = 2;        /* 15 points become 24 pixels at 1280 × 720 */
static const double BACK_ROW_LEAST = 30; /* points; the same size */
static const double BACK_ROW_STEP = 0.3, LARGEST = 2.6;

double text_scale_legible(double pixels, bool held) {
    double small = TYPE_SMALL * pixels;
    bool tiny = small > 0 && small < (held ? LEGIBLE : TINY);
    return tiny ? fmin(LEGIBLE / small, scales[COUNT - 1]) : 1;
}

double text_scale_above(double scale) {
    size_t i = 0;
    while (i + 1 < COUNT && scales[i] < scale + NEAR)
        i++;
    return fmax(scales[i], scale);
}

double text_scale_below(double scale) {
    size_t i = COUNT - 1;
    while (i > 0 && scales[i] > scale - NEAR)
        i--;
    return scales[i];
}

double text_scale_smaller(double scale, bool presents) {
    return presents && scale < 1 + NEAR ? PRESENTED_LEAST : text_scale_below(scale);
}

/* Reduction of a presented page's scale; 1: none. */
static double back_row_fraction(const Page *page) {
    return page->text_scale > 0 ? fmin(fmax(page->text_scale, PRESENTED_LEAST), 1) : 1;
}

double text_scale_of(const Page *page) {
    double chosen = fmax(page->text_scale, 1);
    if (!page->presents)
        return chosen;
    return fmin(BACK_ROW * back_row_fraction(page) * (1 + BACK_ROW_STEP * (chosen - 1)),
                LARGEST);
}

bool text_scale_is_wished(const Page *page) {
    return text_scale_of(page) > BACK_ROW;
}

double text_least_of(const Page *page) {
    return page->presents && !page->station ? BACK_ROW_LEAST * back_row_fraction(page)
                                            : 0;
}
