/* Parts of lines of panels and of figures. Only this room includes this. */
#pragma once

#include "picture/stage/panels.h"

#define PANELS_SIGN_UNITS 34.0
#define PANELS_NAME_UNITS 22.0
#define PANELS_NOTE_UNITS (PANELS_NAME_UNITS * 0.8)
#define PANELS_SENTENCE_UNITS 14.0

/* Smallest width of a legend below its panel, and gap to the next one, in points. */
#define PANELS_LEAST_LEGEND 110.0
#define PANELS_LEGEND_GAP 24.0

/* Measures labels, chooses the scales and their legends, and the panels' tabs. Panels
 * without a reach get the largest one among those of their colours that doesn't bleach
 * them, so signed panels may have several scales. */
void panels_prepare(const Stage *stage, Panel *panels, size_t count);

/* Returns true if there is more than one scale of signed numbers. */
bool panels_scales_differ(const Panel *panels, size_t count);

/* Collects the scales whose legends are in the corner; returns their number. Scales that
 * differ are one there, without numbers: captions tell their reach. */
size_t panels_corner_scales(const Panel *panels, size_t count, StageScale *scales);

/* Draws a panel's own legend with its upper left corner at `corner`; nothing if its
 * colours need none. */
bool panel_has_legend(const Panel *panel);
void panel_draw_legend(const Canvas *canvas, const Panel *panel, Point corner,
                       double width);

/* Returns the heatmap of a panel with its cells, without labels. */
Heatmap panel_heatmap(const Stage *stage, const Panel *panel, Box cells);

/* Returns the width of columns in which the numbers are readable; 0 if the table is too
 * large for numbers, or rows of this height are too low. */
double panel_least_column(const Canvas *canvas, const Panel *panel, double row);

/* Returns width over height of a table's cells too low for numbers that keeps a tall
 * table from becoming a mere line; 1 if it isn't tall. */
double panel_dot_aspect(size_t rows, size_t cols, double height);

/* Returns a panel's caption, no wider than `width`, which tells its scale. */
Caption panel_caption(const Stage *stage, const Panel *panel, double width);

/* Draws the tab of a placed panel and its frame, around cells and column labels; returns
 * the tab's box. `lift`: how far a tab beside the frame is moved up. */
Box panel_draw_tab(const Canvas *canvas, const Panel *panel, double lift);

/* Returns true if the legends of placed panels fit side by side, each below its panel,
 * and are needed there. */
bool panels_legends_fit(const Stage *stage, const Panel *panels, size_t count);

/* Draws each legend below its panel's caption if scales differ and there is room, else in
 * the corner, with the key of the roles that are shown as tabs. */
void panels_draw_legends(const Stage *stage, const Panel *panels, size_t count);

/* ---- the loupe: repeats the focused row of tables too dense for digits below them, with
 * as many cells around the focused one as are readable, and the same cells of the tensors
 * it is computed from cell by cell ---- */

enum { LOUPE_ROWS_MOST = 4 };

typedef struct Loupe {
    size_t count;                   /* number of enlarged rows; 0: no loupe is needed */
    size_t panels[LOUPE_ROWS_MOST]; /* panels of the rows; the focused table's is last */
    size_t row, col, end;           /* the row, and its columns [col, end) */
    double cell;                    /* width of a cell in points */
    bool labelled;                  /* the columns have labels that fit */
} Loupe;

/* Chooses what to enlarge of placed panels; nothing if they need all of the stage. */
Loupe loupe_of(const Stage *stage, const Panel *panels, size_t count);

/* Returns the height of the loupe in points; 0 if nothing is enlarged. */
double loupe_height(const Loupe *loupe);

/* Draws the loupe into a strip of that height, and marks its cells in the tables. */
void loupe_draw(const Stage *stage, const Panel *panels, const Loupe *loupe, Box strip);
