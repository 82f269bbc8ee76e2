/* The canvas: what every picture draws with, so that pictures agree in size and manner.
 *
 * A canvas borrows everything; it lives for one frame. A unit is a point, on every page:
 * who paints makes the page as large as the screen, see page_fit. */
#ifndef PICTURE_CANVAS_H
#define PICTURE_CANVAS_H

#include "base/strings/language.h"
#include "picture/formula/formula_sizes.h"
#include "picture/scene/label.h"

enum { CANVAS_WORDS_MAX = 8 };

typedef struct Canvas {
    Scene *scene;
    const Theme *theme;
    const TextMetrics *metrics;
    const Language *language;
    Link pointed; /* the cell that is pinned or under the pointer; LINK_NONE: none */
    const char *legend; /* what legends are of, where not of values; NULL */
    bool without_legends;
    bool without_verdicts; /* nothing marks what the source prints otherwise */
    double enlarged; /* how much larger it will be shown, type and all; 0: as drawn */
    double least;    /* points: no text is smaller, who is to read it sits far away; 0 */
    double digits;   /* … of those in cells, as they are shown; 0: as usual */
    const Insets *insets; /* how names within sentences are set; NULL: as they stand */
    FormulaSizes *sizes;  /* of formulas, for all that is drawn with it; or NULL */
} Canvas;

/* The smallest size that `text` can be read at. */
double canvas_least(const Canvas *canvas, const char *text);

/* A font size as whole points, no smaller than that. */
double canvas_size(const Canvas *canvas, double units, const char *text);

/* The interface's words for a key. */
const char *canvas_string(const Canvas *canvas, const char *key);

/* The same with {0}, {1} … replaced by texts, behind the last of which stands NULL; no
 * more than CANVAS_WORDS_MAX of them. */
const char *canvas_words(const Canvas *canvas, const char *key, ...)
    __attribute__((sentinel));

/* printf into the frame's arena; "" when it is exhausted. */
const char *canvas_format(const Canvas *canvas, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A tensor that no tape holds, rows × cols of zeros, in the frame's arena: an image
 * borrows it. NULL when that is exhausted. */
Tensor *canvas_tensor(const Canvas *canvas, size_t rows, size_t cols);

/* One of another's shape, with its labels. */
Tensor *canvas_tensor_like(const Canvas *canvas, const Tensor *like);

/* What a place of an axis is called, as by tensor_position_name. */
const char *canvas_place(const Canvas *canvas, const char *const *labels, size_t count,
                         size_t index);

/* A whole number as text. */
const char *canvas_count(const Canvas *canvas, size_t number);

/* The same with its thousands apart: "12,288". */
const char *canvas_thousands(const Canvas *canvas, size_t number);

/* A size as text: the same where it is whole, else in so many decimals at most. */
const char *canvas_amount(const Canvas *canvas, double size, int decimals);

/* What is drawn from now on stands for this, or for a tensor's cell; or for nothing. */
void canvas_link(const Canvas *canvas, Link link);
void canvas_link_cell(const Canvas *canvas, size_t node, size_t row, size_t col);
void canvas_unlink(const Canvas *canvas);

/* A box filled, or its outline alone; or nothing but a place that can be pointed at. */
void canvas_fill(const Canvas *canvas, Box box, double radius, Color fill);
void canvas_outline(const Canvas *canvas, Box box, double radius, Color color,
                    double width);
void canvas_target(const Canvas *canvas, Box box);

/* A straight arrow and its head alone, whose tip is at `to`, `head` points long; an arrow
 * that is shorter is a smaller head, one of less than two points is nothing. */
void canvas_arrow(const Canvas *canvas, Point from, Point to, double width, double head,
                  Color color);
void canvas_arrow_head(const Canvas *canvas, Point from, Point to, double head,
                       Color color);

/* A dot around `at`; `edge` is its outline, as wide as said. */
void canvas_dot(const Canvas *canvas, Point at, double radius, Color fill, Color edge,
                double width);

/* A panel over the page, somewhat above its middle; gives back its box. */
Box canvas_dialog(const Canvas *canvas, double width, double height);

/* Texts, with their size in points: see picture/scene/label.h. A text that is made to
 * fit becomes no smaller than it can be read at. Names in them are set as formulas, but
 * in code. */
Box canvas_text(const Canvas *canvas, FontRole font, double size, Color color,
                Point baseline, LabelAlign align, const char *text);
double canvas_text_width(const Canvas *canvas, FontRole font, double size,
                         const char *text);
LabelFit canvas_fit(const Canvas *canvas, FontRole font, double size, double width,
                    const char *text);
/* A text that is made to fit `width`, on its baseline or, `beside`, with its middle at
 * the point. */
void canvas_text_within(const Canvas *canvas, FontRole font, double size, double width,
                        Color color, Point baseline, LabelAlign align, const char *text);
void canvas_text_beside(const Canvas *canvas, FontRole font, double size, double width,
                        Color color, Point middle, LabelAlign align, const char *text);
double canvas_paragraph(const Canvas *canvas, FontRole font, double size, Color color,
                        Box area, double leading, size_t max_lines, const char *text);

/* A label in one font, `units` high. */
Box canvas_label(const Canvas *canvas, FontRole font, double units, Color color,
                 Point baseline, LabelAlign align, const char *text);

/* The same at the left end of a box, in its middle, made to fit its width. */
void canvas_line(const Canvas *canvas, FontRole font, double units, Color color, Box box,
                 const char *text);

/* How large a formula is at a size in points. */
FormulaExtent canvas_formula_extent(const Canvas *canvas, const char *source,
                                    double size);

/* The same with *size made smaller, down to `smallest`, until it is no wider than
 * `width`.
 */
FormulaExtent canvas_formula_fit(const Canvas *canvas, const char *source,
                                 double smallest, double width, double *size);

/* A formula whose middle (axis) lies at `centre`; gives back its box. */
Box canvas_formula(const Canvas *canvas, const char *source, double units, Point centre,
                   LabelAlign align);

/* A rounded box with words in its middle; gives back the box. `right` is its right end.
 */
Box canvas_pill(const Canvas *canvas, double right, double middle, double max_width,
                Color fill, Color ink, const char *text);

/* The same for a message, all of it: where one line has no room it has several. `bottom`
 * is its lower end. */
Box canvas_message(const Canvas *canvas, double right, double bottom, double max_width,
                   Color fill, Color ink, const char *text);

/* How wide a message is on one line, but no wider than `most` points. */
double canvas_message_width(const Canvas *canvas, double most, const char *text);

/* Whether the words need not be cut there. */
bool canvas_pill_fits(const Canvas *canvas, double max_width, const char *text);

/* Lines at 45° across a box and cut to it, `first` and then every `step` points; in a
 * theme of patterns others cross them. */
void canvas_hatch(const Canvas *canvas, Box box, double first, double step);

/* A box of what is masked: hatched, on its ground. */
void canvas_masked(const Canvas *canvas, Box box);

/* Where something that was drawn lies for what is to be enlarged. */
Box canvas_shrunk(const Canvas *canvas, Box box);

/* A box made smaller by `margin` on all sides; never negative. */
Box box_inset(Box box, double margin);

/* Takes a strip off a side of a box and gives it back. */
Box box_take_top(Box *box, double height);
Box box_take_bottom(Box *box, double height);
Box box_take_left(Box *box, double width);
Box box_take_right(Box *box, double width);

#endif
