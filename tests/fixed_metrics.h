/* Text metrics with fixed advances, so that layouts are the same on every machine: a
 * Latin or formula letter is 0.6 em wide, a Chinese one 1 em; a combining mark has no
 * width; ink reaches 0.75 em up and 0.25 em down. */
#pragma once

#include "base/strings/utf8.h"
#include "picture/scene/label.h"

static inline double fixed_advance(void *context, FontRole font, double size,
                                   const char *text, size_t length) {
    (void)context;
    (void)font;
    double width = 0;
    for (size_t offset = 0; offset < length;) {
        uint32_t code_point = utf8_next(text, length, &offset);
        if (code_point < 0x300 || code_point > 0x36F)
            width += utf8_is_cjk(code_point) ? 1 : 0.6;
    }
    return width * size;
}

static inline void fixed_ink(void *context, FontRole font, double size, const char *text,
                             size_t length, double *ascent, double *descent) {
    (void)context;
    (void)font;
    (void)text;
    *ascent = length ? 0.75 * size : 0;
    *descent = length ? 0.25 * size : 0;
}

static inline bool fixed_provides(void *context, FontRole font, uint32_t code_point) {
    (void)context;
    (void)font;
    return code_point != 0xFFFD;
}

/* Constants near those of TeX Gyre Termes Math. */
static inline TextMetrics fixed_metrics(void) {
    return (TextMetrics){
        .advance = fixed_advance,
        .ink = fixed_ink,
        .provides = fixed_provides,
        .math = {.axis_height = 0.25,
                 .rule_thickness = 0.05,
                 .numerator_shift = 0.68,
                 .denominator_shift = 0.69,
                 .numerator_gap = 0.1,
                 .denominator_gap = 0.1,
                 .superscript_shift = 0.36,
                 .subscript_shift = 0.2,
                 .script_gap = 0.2,
                 .script_scale = 0.7,
                 .radical_gap = 0.1,
                 .radical_rule_thickness = 0.05,
                 .radical_extra_ascender = 0.05},
    };
}
