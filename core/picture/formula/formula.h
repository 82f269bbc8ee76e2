/* Formulas, typeset.
 *
 * A formula is written in a small part of TeX's mathematics:
 *   letters, digits, operators    Q = X W, 2, + - * / ( ) [ ] , . < > : | !
 *   _{…} ^{…}, _x ^x              sub- and superscripts, both at once too
 *   \frac{…}{…}  \sqrt{…}         fraction, radical
 *   \text{…}                      upright text in the sentence font, with Chinese
 *   \op{softmax}                  an upright function name, with its spacing
 *   \tensor{W_Q}                  a tensor by its name, in its tensor's colour: the part
 *                                 behind the first `_` becomes a subscript, a final `.T`
 *                                 a raised upright T, a final `'` a prime
 *   x'                            a prime
 *   \cdot \times \div \odot \le \ge \ne \approx \in \infty \to \ldots \quad
 *   \sum \max \min \sin \cos \exp \log
 *   \alpha … \omega, \Gamma …      Greek letters
 *   \left( … \right)              parentheses as tall as what they hold
 *   \{ \} \_ \%                   those characters themselves
 * A hyphen is a minus sign; letters are italic, digits and operators upright. Spaces only
 * separate. Formulas are the program's own, never a lesson's: what can't be understood is
 * set as it stands, in the theme's `bad_ink`, and tests fail on it. */
#pragma once

#include "picture/scene/scene.h"

typedef struct Language Language;
typedef struct TextMetrics TextMetrics;
typedef struct Theme Theme;

typedef struct FormulaExtent {
    double width, ascent, descent;
} FormulaExtent;

/* Returns a formula in words, in plain letters: "S scaled equals S over the square root
 * of 2". New in the arena. */
const char *formula_aloud(Arena *arena, const Language *language, const char *source);

/* Returns the extent of a formula at an em size, which is rounded to whole points, 10 or
 * more. Scratch memory comes from `arena`. */
FormulaExtent formula_measure(Arena *arena, const TextMetrics *metrics,
                              const Theme *theme, const char *source, double size);

/* Draws a formula with the left end of its baseline at `origin`, in the theme's ink;
 * returns its extent, which contains all that is drawn except up to half a point of bars
 * that were moved to whole points. Scratch memory comes from the scene's arena. */
FormulaExtent formula_draw(Scene *scene, const TextMetrics *metrics, const Theme *theme,
                           const char *source, double size, Point origin);

enum { FORMULA_SIZES_LISTS = 128 };

/* Cache of formulas' extents for one frame, because layouts that are tried measure the
 * same formulas repeatedly. {0} is an empty cache. */
typedef struct FormulaSizes {
    const struct FormulaSize *lists[FORMULA_SIZES_LISTS]; /* in the frame's arena */
} FormulaSizes;

/* Like formula_measure, computed once for each source, size and least text size; always
 * if `sizes` is NULL. Except for that least size, all calls with one cache must use the
 * same metrics. */
FormulaExtent formula_sizes_measure(FormulaSizes *sizes, Arena *arena,
                                    const TextMetrics *metrics, const Theme *theme,
                                    const char *source, double size);
