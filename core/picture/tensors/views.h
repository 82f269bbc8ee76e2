/* Views: a tensor drawn otherwise than by its operation: as bars, waves, arcs, chips, a
 * recipe, a curve, histograms, a plane or distances, or as a heatmap alone.
 *
 * Which view a tensor fits is the lesson layer's to say (lesson/content/view.h); here one
 * table maps views to pictures, and a step that shows several tensors has one for each,
 * on a grid. */
#ifndef PICTURE_VIEWS_H
#define PICTURE_VIEWS_H

#include "picture/stage/panels.h"

/* How the player's present step is drawn: as `asked` where that fits its tensors, else as
 * the lesson asks, else a product of shares as a recipe, else LESSON_VIEW_PICTURE. Never
 * LESSON_VIEW_NONE. */
LessonView views_present(const Player *player, LessonView asked);

/* The next view that fits, after the present one; the present one where there is no
 * other. */
LessonView views_next(const Player *player, LessonView asked);

/* Draws stage->view, which is neither LESSON_VIEW_NONE nor LESSON_VIEW_PICTURE, of
 * stage->node or of all that the step shows. */
void views_draw(const Stage *stage);

/* Heatmaps alone: of stage->node by itself (given tensors, positions, masks), and of all
 * that the step shows, side by side. */
void given_picture(const Stage *stage);
void show_picture(const Stage *stage);

/* word_table.c: a table alone whose rows are words', each a chip with its numbers; of any
 * other, and where these have no room, nothing is drawn and false given. */
bool word_table(const Stage *stage, size_t node);

/* The panels of all that the step shows; gives back how many, PANELS_MAX at most. */
size_t shown_panels(const Stage *stage, Panel panels[PANELS_MAX]);

/* ---- for the views: each draws stage->node into stage->area ---- */

/* Which of how many tensors on the grid: it decides on a hue. */
typedef struct ViewPlace {
    size_t index, count;
} ViewPlace;

void bars_view(const Stage *stage, ViewPlace place);

/* ranked_view.c: chances over labelled columns as a ranked list; whether all that is
 * shown at these places is such, and one of them below its caption. */
bool ranked_fits(const Stage *stage, ViewPlace place);
void ranked_draw(const Stage *stage, Box area, ViewPlace place);

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

/* The row that a view of one row shows: the focused one, else the last. */
size_t view_row(const Stage *stage);

/* Whether a cell of the output is computed yet (see Stage.visible). */
bool view_cell_visible(const Stage *stage, size_t row, size_t col);

/* A value with the decimals its tensor's numbers take. Lives for the frame. */
const char *view_number(const Stage *stage, size_t node, double value);

/* The sign between a row of shares, written with so many decimals, times the values and
 * the result: "=", or "\\approx" where the written numbers come to others than its. */
const char *view_equals(const Tensor *shares, size_t row, int decimals,
                        const Tensor *values, const Tensor *result);

/* The label of an axis position, or its number counted from 0. */
const char *view_label(const Canvas *canvas, const char *const *labels, size_t index);

/* The hue of one of several tensors: its role's colour, else one of the theme's others by
 * turns; of shares that stand alone, that of shares. */
Color view_hue(const Stage *stage, ViewPlace place);

/* The tensor's name and shape at the right end of a strip; gives back what they take. */
double view_caption(const Stage *stage, Box strip, Color hue);

#endif
