/* The canvas: the drawing functions of every picture, so that pictures agree in sizes and
 * style.
 *
 * A canvas borrows everything; it lives for one frame. A unit is a point on every page:
 * painters scale the page to the screen, see page_fit. */
#pragma once

#include "picture/formula/formula.h"
#include "picture/scene/label.h"
#include "picture/scene/theme.h"

typedef struct Language Language;
typedef struct Layouts Layouts; /* picture/stage/layouts.h */

enum { CANVAS_WORDS_MAX = 8 };

typedef struct Canvas {
    Scene *scene;
    const Theme *theme;
    const TextMetrics *metrics;
    const Language *language;
    Link pointed;       /* cell that is pinned or under the pointer; LINK_NONE: none */
    const char *legend; /* quantity that legends show, unless it is values; or NULL */
    bool heard; /* the scene is read aloud and not seen: its sums are in words, and names
                   say what a text is */
    bool without_legends;
    bool without_verdicts; /* cells that differ from the source's numbers aren't marked */
    double enlarged; /* factor by which the picture is enlarged afterwards, with its type;
                        0: not enlarged */
    double least;    /* smallest text size in points on presented pages; 0: as usual */
    double digits; /* smallest size of digits in cells in points, as shown; 0: as usual */
    const Insets *insets; /* how names within sentences are set; NULL: as plain text */
    FormulaSizes *sizes;  /* cache of formula sizes for the whole frame; or NULL */
    Layouts *layouts;     /* layouts found so far; NULL: none are kept */
} Canvas;

/* Smallest size at which `text` is readable, in points. */
double canvas_least(const Canvas *canvas, const char *text);

/* Font size as whole points, at least canvas_least. */
double canvas_size(const Canvas *canvas, double units, const char *text);

/* Interface text of a key. */
const char *canvas_string(const Canvas *canvas, const char *key);

/* Interface text of a key with {0}, {1} … replaced by the following texts: at most
 * CANVAS_WORDS_MAX, ended by NULL. */
const char *canvas_words(const Canvas *canvas, const char *key, ...)
    __attribute__((sentinel));

/* printf into the frame's arena. */
const char *canvas_format(const Canvas *canvas, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns a new tensor of zeros, rows × cols, in the frame's arena, for images. */
Tensor *canvas_tensor(const Canvas *canvas, size_t rows, size_t cols);

/* New tensor with another one's shape and labels. */
Tensor *canvas_tensor_like(const Canvas *canvas, const Tensor *like);

/* A row of a tensor as a tensor of its own, with its labels, in the frame's arena;
 * borrows the values. */
Tensor *canvas_row(const Canvas *canvas, const Tensor *tensor, size_t row);

/* Label of an axis position, as by tensor_position_name. */
const char *canvas_place(const Canvas *canvas, const char *const *labels, size_t count,
                         size_t index);

/* A whole number as text. */
const char *canvas_count(const Canvas *canvas, size_t number);

/* A whole number as text with its thousands separated: "12,288". */
const char *canvas_thousands(const Canvas *canvas, size_t number);

/* A size as text: whole numbers without decimals, others with at most `decimals`. */
const char *canvas_amount(const Canvas *canvas, double size, int decimals);

/* A number as text, as by number_format_shortest. */
const char *canvas_number(const Canvas *canvas, double value, int decimals);

/* Link what is drawn from now on: to a link, to a tensor's cell, or to nothing. */
void canvas_link(const Canvas *canvas, Link link);
void canvas_link_cell(const Canvas *canvas, size_t node, size_t row, size_t col);
void canvas_unlink(const Canvas *canvas);

/* Draw a filled box, an outline, or an invisible area that can be pointed at. */
void canvas_fill(const Canvas *canvas, Box box, double radius, Color fill);
void canvas_outline(const Canvas *canvas, Box box, double radius, Color color,
                    double width);
void canvas_target(const Canvas *canvas, Box box);

/* Draw an arrow, or its head alone, with its tip at `to` and a head of `head` points; a
 * shorter arrow has a smaller head, and nothing is drawn below two points. */
void canvas_arrow(const Canvas *canvas, Point from, Point to, double width, double head,
                  Color color);
void canvas_arrow_head(const Canvas *canvas, Point from, Point to, double head,
                       Color color);

/* Draws a dot around `at` with an outline `edge` of the given width. */
void canvas_dot(const Canvas *canvas, Point at, double radius, Color fill, Color edge,
                double width);

/* Draws a dialog's panel somewhat above the page's middle; returns its box. */
Box canvas_dialog(const Canvas *canvas, double width, double height);

/* Draw and measure texts, sizes in points: see picture/scene/label.h. Fitted texts stay
 * readable. Names in them are set as formulas, except in code. */
Box canvas_text(const Canvas *canvas, FontRole font, double size, Color color,
                Point baseline, LabelAlign align, const char *text);
double canvas_text_width(const Canvas *canvas, FontRole font, double size,
                         const char *text);
LabelFit canvas_fit(const Canvas *canvas, FontRole font, double size, double width,
                    const char *text);
/* Draws a text fitted into `width`. */
void canvas_text_within(const Canvas *canvas, FontRole font, double size, double width,
                        Color color, Point baseline, LabelAlign align, const char *text);
/* Draws the label of a row, fitted into `width`, that ends at the middle of its line:
 * bold and darker if the row is in focus. */
void canvas_row_label(const Canvas *canvas, double size, double width, bool focus,
                      Point end, const char *text);
double canvas_paragraph(const Canvas *canvas, FontRole font, double size, Color color,
                        Box area, double leading, size_t max_lines, const char *text);

/* Draws a label in one font, `units` high. */
Box canvas_label(const Canvas *canvas, FontRole font, double units, Color color,
                 Point baseline, LabelAlign align, const char *text);

/* Draws a label in one font, `units` high, with the middle of its letters at `middle`. */
Box canvas_label_at(const Canvas *canvas, FontRole font, double units, Color color,
                    Point middle, LabelAlign align, const char *text);

/* Draws a label at the left end of a box, vertically centred and fitted into its
 * width. */
void canvas_line(const Canvas *canvas, FontRole font, double units, Color color, Box box,
                 const char *text);

/* Extent of a formula at a size in points. */
FormulaExtent canvas_formula_extent(const Canvas *canvas, const char *source,
                                    double size);

/* Extent of a formula with *size reduced, down to `smallest`, until it is no wider than
 * `width`. */
FormulaExtent canvas_formula_fit(const Canvas *canvas, const char *source,
                                 double smallest, double width, double *size);

/* Draws a formula with its middle (axis) at `centre`; returns its box. */
Box canvas_formula(const Canvas *canvas, const char *source, double units, Point centre,
                   LabelAlign align);

/* Draws a rounded box around a text, with its right end at `right`; returns the box. */
Box canvas_pill(const Canvas *canvas, double right, double middle, double max_width,
                Color fill, Color ink, const char *text);

/* Draws a message in a rounded box, in several lines if one is too short. `bottom` is its
 * lower end. */
Box canvas_message(const Canvas *canvas, double right, double bottom, double max_width,
                   Color fill, Color ink, const char *text);

/* Width of a message on one line, at most `most` points. */
double canvas_message_width(const Canvas *canvas, double most, const char *text);

/* Reports whether the words fit into a pill uncut. */
bool canvas_pill_fits(const Canvas *canvas, double max_width, const char *text);

/* Hatches a box with lines at 45°, at `first` and then every `step` points; crossed in a
 * theme of patterns. */
void canvas_hatch(const Canvas *canvas, Box box, double first, double step);

/* Draws a masked box: hatched, on its ground. */
void canvas_masked(const Canvas *canvas, Box box);

/* Box of something already drawn, in the coordinates of a part that is enlarged
 * afterwards. */
Box canvas_shrunk(const Canvas *canvas, Box box);

/* Box reduced by `margin` on all sides; never negative. */
Box box_inset(Box box, double margin);

/* Cut a strip off a side of a box and return it. */
Box box_take_top(Box *box, double height);
Box box_take_bottom(Box *box, double height);
Box box_take_left(Box *box, double width);
Box box_take_right(Box *box, double width);

/* ---- curves ---- */

enum { CURVE_POINTS = 40 };

/* Points of an S-shaped curve, level at both ends or upright at both. */
void curve_points(Point from, Point to, bool upright, Point points[CURVE_POINTS]);

/* Draws a level curve. */
void curve_draw(const Canvas *canvas, Point from, Point to, double width, Color color);

/* Draws a band: level, from the right edge of a box to the left edge of another, or
 * upright, from the lower edge to the upper edge. */
void curve_band(const Canvas *canvas, Box from, Box to, bool upright, Color color);

/* ---- signs ---- */

/* Signs of a transformer's blocks, drawn where a block's name has no room. */
typedef enum Sign {
    SIGN_NONE,
    SIGN_TEXT,         /* subwords in a row */
    SIGN_ROWS,         /* a vector for each token */
    SIGN_LOOKS,        /* attention from a token to others */
    SIGN_CROSSES,      /* attention to tokens of another text */
    SIGN_HINGE,        /* an activation that passes positive numbers */
    SIGN_NORM,         /* add and normalize */
    SIGN_PROBABILITIES /* bars, one of them the largest */
} Sign;

/* Draws a sign in the middle of a box, in one colour. */
void sign_draw(const Canvas *canvas, Sign sign, Box box, Color color);

/* ---- emphasis: marks for what is discussed, new or largest, distinct from each other
 * and from the roles' hues ---- */

/* Ground of what is discussed or new just now, where others have the theme's bar colour.
 * What is discussed has an outline in the theme's focus colour, too. */
Color emphasis_ground(const Theme *theme);

/* Fill of a bar: stronger for the largest or chosen one. */
Color emphasis_bar(const Theme *theme, bool largest);

/* Draws the wedge of what is largest, chosen or generated at the middle of its box's
 * upper edge, in an ink visible on `ground`; nothing if the box is too small. */
void emphasis_largest(const Canvas *canvas, Box box, Color ground);

/* Fades the items from `first` on, which aren't computed yet, towards the page, and draws
 * their texts in the faintest readable ink. */
void emphasis_far_back(const Canvas *canvas, size_t first);
