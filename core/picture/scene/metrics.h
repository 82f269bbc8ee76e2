/* Text metrics: the extents of text, and the spacing of the formula font.
 *
 * Layout needs no font library, because these functions are supplied by the caller: by
 * the program from its fonts, by tests from fixed advances. Lengths are points; `size` is
 * a font's em size, always a whole number of points. The struct and its context are
 * borrowed. */
#pragma once

#include "picture/scene/scene.h"

/* A formula font's constants, as fractions of the em. Source: OpenType MATH table. */
typedef struct MathConstants {
    double axis_height; /* height of fraction bars and minus signs above the baseline */
    double rule_thickness;    /* fraction bar */
    double numerator_shift;   /* the numerator's baseline above the baseline */
    double denominator_shift; /* the denominator's baseline below the baseline */
    double numerator_gap;     /* least space between bar and numerator */
    double denominator_gap;   /* least space between bar and denominator */
    double superscript_shift; /* the superscript's baseline above the baseline */
    double subscript_shift;   /* the subscript's baseline below the baseline */
    double script_gap;        /* least space between sub- and superscript */
    double script_scale;      /* size of a script, as a fraction of its base */
    double radical_gap;       /* space between a radical's bar and its content */
    double radical_rule_thickness;
    double radical_extra_ascender; /* space above a radical's bar */
} MathConstants;

typedef struct TextMetrics {
    void *context;
    /* Returns how far `length` bytes of text advance the pen. */
    double (*advance)(void *context, FontRole font, double size, const char *text,
                      size_t length);
    /* Sets how far the text's ink reaches above and below the baseline; a descent below
     * the baseline is positive. */
    void (*ink)(void *context, FontRole font, double size, const char *text,
                size_t length, double *ascent, double *descent);
    /* Reports whether any of the role's fonts has the code point. */
    bool (*provides)(void *context, FontRole font, uint32_t code_point);
    MathConstants math;
    double least; /* smallest size of words in formulas, in points; 0: the readable
                     minimum */
} TextMetrics;
