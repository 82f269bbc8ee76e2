/* Labels and paragraphs: text that is measured before it is drawn.
 *
 * Lengths are points. Sizes are rounded to whole points for measuring and drawing alike.
 * A text's box reaches LABEL_ASCENT of its size above the baseline and LABEL_DESCENT
 * below it, whatever its letters, so that lines and columns keep their position when
 * their words change; TextMetrics gives the extent of the ink itself. Text is UTF-8 and
 * is copied into the scene's arena.
 *
 * Layout needs no font library, because the functions of TextMetrics are supplied by the
 * caller: by the program from its fonts, by tests from fixed advances. Its `size` is a
 * font's em size, always a whole number of points. The struct and its context are
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

#define LABEL_ASCENT 0.80
#define LABEL_DESCENT 0.22

/* Part of the label that lies at the point where it is drawn. */
typedef enum LabelAlign { LABEL_LEFT, LABEL_CENTER, LABEL_RIGHT } LabelAlign;

/* Smallest readable font size in points, also on a screen of 1280 × 720, where a point is
 * 0.8 pixels: 16 for text with Chinese in it, else 15. */
double label_min_size(const char *text);

/* Width of a text in points. */
double label_width(const TextMetrics *metrics, FontRole font, double size,
                   const char *text);

/* The baseline of a line of text whose letters have their middle at `middle`, in whole
 * points. */
double label_baseline(double middle, double size);

/* Draws one line with its baseline's left end, middle or right end at `baseline`; returns
 * its box (no width for ""). */
Box label_draw(Scene *scene, const TextMetrics *metrics, FontRole font, double size,
               Color color, Point baseline, LabelAlign align, const char *text);

/* Draws a vertical label in a column with `at` in its middle: the label's foot is at `at`
 * (LABEL_LEFT), or its middle, or its top (LABEL_RIGHT). It reads upwards, except for a
 * single letter, because a rotated "I" looks like a dash, and Chinese characters, which
 * are stacked upright. */
Box label_draw_upright(Scene *scene, const TextMetrics *metrics, FontRole font,
                       double size, Color color, Point at, LabelAlign align,
                       const char *text);

/* A text fitted into a width. */
typedef struct LabelFit {
    double size;
    const char *text; /* the text itself, or cut short with "…" in the arena */
} LabelFit;

/* Fits a text into `width` at the largest whole size from `wanted` down to `minimum`. If
 * even the smallest size is too wide, the text is cut and ends in "…"; it is "" if that
 * doesn't fit either or the arena is exhausted. */
LabelFit label_fit(Arena *arena, const TextMetrics *metrics, FontRole font, double wanted,
                   double minimum, double width, const char *text);

/* Insets: parts of a text that are set differently, such as names as formulas. */
typedef struct Insets {
    void *context;
    /* Returns the number of bytes of the inset that begins at byte `at` of the text; 0 if
     * there is none. Insets contain no blanks. */
    size_t (*find)(void *context, const char *text, size_t length, size_t at);
    double (*width)(void *context, double size, const char *inset, size_t length);
    /* Draws an inset from the left end of its baseline, in the colour of the surrounding
     * words. */
    void (*draw)(void *context, Scene *scene, double size, Color color, Point baseline,
                 const char *inset, size_t length);
} Insets;

/* label_width, label_draw and label_fit for texts with insets; `insets` may be NULL. */
double label_width_with(const TextMetrics *metrics, const Insets *insets, FontRole font,
                        double size, const char *text);
Box label_draw_with(Scene *scene, const TextMetrics *metrics, const Insets *insets,
                    FontRole font, double size, Color color, Point baseline,
                    LabelAlign align, const char *text);
LabelFit label_fit_with(Arena *arena, const TextMetrics *metrics, const Insets *insets,
                        FontRole font, double wanted, double minimum, double width,
                        const char *text);

/* Draws a text in lines as wide as `area`, from its top left corner; area.h is ignored.
 * `leading` is the distance from baseline to baseline in points. Lines break at spaces,
 * at newlines and between Chinese characters, never within an inset; closing punctuation
 * never begins a line and opening punctuation never ends one; a Latin word is broken only
 * if it is wider than a line. Text beyond `max_lines` (1 or more) is replaced by "…".
 * Returns the height used: lines × leading. */
double paragraph_draw_with(Scene *scene, const TextMetrics *metrics, const Insets *insets,
                           FontRole font, double size, Color color, Box area,
                           double leading, size_t max_lines, const char *text);

/* Heights that paragraph_draw_with would use, with and without insets. *lines, unless
 * NULL, is set to the number of lines. */
double paragraph_measure_with(const TextMetrics *metrics, const Insets *insets,
                              FontRole font, double size, double width, double leading,
                              size_t max_lines, const char *text, size_t *lines);
double paragraph_measure(const TextMetrics *metrics, FontRole font, double size,
                         double width, double leading, size_t max_lines, const char *text,
                         size_t *lines);
