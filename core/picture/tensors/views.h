/* Views: alternative pictures of a tensor: bars, waves, arcs, chips, a weighted sum,
 * curves, histograms, a plane or distances, or just a heatmap.
 *
 * The lesson layer decides which views fit a tensor (lesson/content/view.h); here one
 * table maps views to pictures, and a step that shows several tensors has one for each,
 * on a grid. */
#pragma once

#include "picture/charts/charts.h"
#include "picture/draw/canvas.h"
#include "picture/draw/token.h"
#include "picture/stage/panels.h"

/* View of the player's present step: `asked` if it fits the step's tensors, else the
 * lesson's choice, else LESSON_VIEW_RECIPE for a product with attention weights, else
 * LESSON_VIEW_PICTURE. Never LESSON_VIEW_NONE. */
LessonView views_present(const Player *player, LessonView asked);

/* Next view that fits, after the present one; the present one if there is no other. */
LessonView views_next(const Player *player, LessonView asked);

/* Draws stage->view, which is neither LESSON_VIEW_NONE nor LESSON_VIEW_PICTURE, of
 * stage->node or of all shown tensors. */
void views_draw(const Stage *stage);

/* Draw plain heatmaps: of stage->node (given tensors, positions, masks), or of all shown
 * tensors side by side. */
void given_picture(const Stage *stage);
void show_picture(const Stage *stage);

/* Draws a single table of tokens' vectors: each token as a chip with its numbers
 * (word_table.c); returns false and draws nothing if the table is another kind or has no
 * room. */
bool word_table(const Stage *stage, size_t node);

/* Fills in the tables of all shown tensors; returns their number, PANELS_MAX at most. */
size_t shown_panels(const Stage *stage, Panel panels[PANELS_MAX]);

/* ---- for the views: each draws stage->node into stage->area ---- */

enum { VIEW_GRID_MOST = 6 }; /* largest number of legible tensors side by side */

/* Position of a tensor on the grid, which determines its hue. */
typedef struct ViewPlace {
    size_t index, count;
} ViewPlace;

void bars_view(const Stage *stage, ViewPlace place);

void waves_view(const Stage *stage, ViewPlace place);
void arcs_view(const Stage *stage, ViewPlace place);
void arcs_legend(const Stage *stage, Box strip);
void chips_view(const Stage *stage, ViewPlace place);
void chips_legend(const Stage *stage, Box strip);
void recipe_view(const Stage *stage, ViewPlace place);
void distances_view(const Stage *stage, ViewPlace place);
void curve_view(const Stage *stage, ViewPlace place);
void plane_view(const Stage *stage, ViewPlace place);
void histogram_view(const Stage *stage, ViewPlace place);
void merges_view(const Stage *stage, ViewPlace place);
void vocabulary_view(const Stage *stage, ViewPlace place);
void shift_view(const Stage *stage, ViewPlace place);

/* Row shown by a view of one row: the focused one, else the last. */
size_t view_row(const Stage *stage);

/* That row of the stage's tensor; all its numbers, if it has one row or column. */
Series view_series(const Stage *stage);
Series view_series_of_all(const Stage *stage);

/* A row of a node's table as a heatmap of its own, which writes numbers as the table
 * does; *tensor is set to its numbers unless it is NULL. */
Heatmap view_strip(const Stage *stage, size_t node, size_t row, Box cells, double reach,
                   Tensor **tensor);

/* A number line in the middle of a box with dots for a row of a node's table, whose
 * visible cells, marks and focus are the stage's. */
NumberLine view_line(const Stage *stage, size_t node, size_t row, Box box, double least,
                     double most, double radius);

/* Draws a node's name in a room, its operation's if the name is too tall or wide. */
void view_name(const Stage *stage, size_t node, double width, double height, Point axis,
               LabelAlign align);

/* Draws all rows of the stage's tensor as a table in a box, with its name above. A frame
 * is around `row`, or, if it is SIZE_MAX, around the cell in focus. */
void view_result(const Stage *stage, Box area, double reach, size_t row);

/* Points of half an ellipse over a line at `foot`, `height` points high; below the line
 * if `height` is negative. */
void view_arc(double from, double to, double foot, double height,
              Point points[CURVE_POINTS]);

/* Reports whether a cell of the output is computed yet (see Stage.visible). */
bool view_cell_visible(const Stage *stage, size_t row, size_t col);

/* A value with the decimals of its tensor's numbers. Lives for the frame. */
const char *view_number(const Stage *stage, size_t node, double value);

/* Sign between a row of weights with a number of decimals, times the values, and the
 * result: "=", or "\\approx" if the product of the written numbers differs from the
 * result's. */
const char *view_equals(const Tensor *weights, size_t row, int decimals,
                        const Tensor *values, const Tensor *result);

/* Label of an axis position, or its number from 0. */
const char *view_label(const Canvas *canvas, const char *const *labels, size_t index);

/* Hue of a tensor: its role's colour, else one of the theme's others in turn; for
 * probabilities that stand alone, theirs. */
Color view_hue(const Stage *stage, ViewPlace place);

/* Draws the tensor's name and shape at the right end of a strip; returns their width. */
double view_caption(const Stage *stage, Box strip, Color hue);

/* ---- tokens in a line: a tensor's rows, or a sentence and its next token ---- */

/* Draws a token that stands by itself as a chip with a link; a subword, too, has both
 * ends. */
void chip_draw(const Canvas *canvas, const char *label, bool present, double size,
               Link link, Box box);

/* Height of a row of chips. */
double token_row_height(const Canvas *canvas);

/* Draws the rows of the stage's tensor as chips in one line, `row` marked, with as
 * many around it as fit and "…" for others. Each is linked to its row's cell in column
 * `col`. */
void token_row_draw(const Stage *stage, Box strip, size_t row, size_t col);

/* ---- a sentence: the tokens of a row or a column of IDs as chips, and the next token
 * ---- */

/* Tokens of IDs. */
const char *const *sentence_words(const Tensor *ids);

/* Width of the chips of the tokens from `first` on, in letters of `size` points. */
double sentence_width(const Canvas *canvas, const Tensor *ids, size_t first, double size);

/* Draws the tokens of a node of IDs from the left end of a strip, each linked to its
 * cell, the last one marked if `marks`, in letters of at most `size` points; the first
 * ones are replaced by "…" if there are too many. Returns the width used. */
double sentence_draw(const Stage *stage, size_t ids, Box strip, double size, bool marks);

/* Draws an arrow of about 26 units from the left end of a strip, then a token as a chip,
 * marked if `marks`, with the given link. If edited numbers would predict another token,
 * `now` (else NULL), the token is struck out and `now` is written beside or below it. */
void sentence_draw_next(const Stage *stage, Box strip, double size, const char *word,
                        const char *now, Link link, bool marks);

/* Width of a strip for the arrow and the whole token. */
double sentence_next_width(const Canvas *canvas, double size, const char *word);

/* "now: when"; "" if `now` is NULL. */
const char *sentence_now(const Canvas *canvas, const char *now);
