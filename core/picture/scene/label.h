/* Labels and paragraphs: text that is measured before it is drawn.
 *
 * Lengths are points. Sizes are rounded to whole points, measured and drawn alike. A
 * text's box reaches LABEL_ASCENT of its size above the baseline and LABEL_DESCENT below
 * it, whatever its letters, so that lines and columns stand still while their words
 * change; who needs the ink itself asks TextMetrics. Text is UTF-8 and is copied into the
 * scene's arena. */
#ifndef PICTURE_LABEL_H
#define PICTURE_LABEL_H

#include "picture/scene/metrics.h"

#define LABEL_ASCENT 0.80
#define LABEL_DESCENT 0.22

/* What lies at the point a label is drawn at. */
typedef enum LabelAlign { LABEL_LEFT, LABEL_CENTER, LABEL_RIGHT } LabelAlign;

/* The smallest size that a text can be read at, also on a screen of 1280 × 720, where a
 * point is 0.8 pixels: 16 with Chinese in it, else 15. */
double label_min_size(const char *text);

/* How wide a text is. */
double label_width(const TextMetrics *metrics, FontRole font, double size,
                   const char *text);

/* Draws one line with its baseline's left end, middle or right end at `baseline`; gives
 * back its box (no width for ""). */
Box label_draw(Scene *scene, const TextMetrics *metrics, FontRole font, double size,
               Color color, Point baseline, LabelAlign align, const char *text);

/* Draws a label that stands in a column whose middle `at` is in: its foot at `at`
 * (LABEL_LEFT), its middle or its top (LABEL_RIGHT). It reads upwards; a single letter
 * stands as it is, as "I" turned is a dash, and so do Chinese characters, each below the
 * one before. */
Box label_draw_upright(Scene *scene, const TextMetrics *metrics, FontRole font,
                       double size, Color color, Point at, LabelAlign align,
                       const char *text);

/* A text made to fit. */
typedef struct LabelFit {
    double size;
    const char *text; /* the text itself, or cut short with "…" in the arena */
} LabelFit;

/* The largest whole size from `wanted` down to `minimum` at which the text is no wider
 * than `width`. Where even the smallest is too wide the text is cut and ends in "…"; it
 * is "" where that has no room either, or the arena is exhausted. */
LabelFit label_fit(Arena *arena, const TextMetrics *metrics, FontRole font, double wanted,
                   double minimum, double width, const char *text);

/* What stands within a text but is set in another way: names as formulas. */
typedef struct Insets {
    void *context;
    /* How many of the `length` bytes of text from `at` on are an inset; 0: none. Insets
     * hold no blanks. */
    size_t (*find)(void *context, const char *text, size_t length, size_t at);
    double (*width)(void *context, double size, const char *inset, size_t length);
    /* Draws from the left end of the baseline, in the colour of the words around. */
    void (*draw)(void *context, Scene *scene, double size, Color color, Point baseline,
                 const char *inset, size_t length);
} Insets;

/* label_width, label_draw and label_fit with insets; NULL: none. */
double label_width_with(const TextMetrics *metrics, const Insets *insets, FontRole font,
                        double size, const char *text);
Box label_draw_with(Scene *scene, const TextMetrics *metrics, const Insets *insets,
                    FontRole font, double size, Color color, Point baseline,
                    LabelAlign align, const char *text);
LabelFit label_fit_with(Arena *arena, const TextMetrics *metrics, const Insets *insets,
                        FontRole font, double wanted, double minimum, double width,
                        const char *text);

/* Draws a text in lines as wide as `area`, from its top left corner; area.h is not looked
 * at. `leading` is the distance from baseline to baseline, in points. Lines break at
 * spaces, at newlines and between Chinese characters, never within an inset; closing
 * punctuation never begins a line and opening punctuation never ends one; a Latin word is
 * broken only where it alone is wider than a line. What does not fit into `max_lines` (1
 * or more) is left out behind "…". Returns the height used: lines × leading. */
double paragraph_draw_with(Scene *scene, const TextMetrics *metrics, const Insets *insets,
                           FontRole font, double size, Color color, Box area,
                           double leading, size_t max_lines, const char *text);

/* The height that paragraph_draw_with would use; *lines, where given, is how many lines;
 * without insets the second. */
double paragraph_measure_with(const TextMetrics *metrics, const Insets *insets,
                              FontRole font, double size, double width, double leading,
                              size_t max_lines, const char *text, size_t *lines);
double paragraph_measure(const TextMetrics *metrics, FontRole font, double size,
                         double width, double leading, size_t max_lines, const char *text,
                         size_t *lines);

#endif
