/* Declarations shared by panels.c, panels_legends.c and panels_layout.c alone. */
#pragma once

#include "picture/stage/panel.h"

#define PANELS_SIGN_UNITS 34.0
#define PANELS_NAME_UNITS 22.0
#define PANELS_NOTE_UNITS (PANELS_NAME_UNITS * 0.8)
#define PANELS_SENTENCE_UNITS 14.0

/* Largest number of cells for which numbers are required. */
enum { PANELS_NUMBERS_MOST = 200 };

/* Returns the font size of the formula above an arrow, in units: words are set smaller
 * than formulas. */
double panels_above_units(const Panel *panel);

/* Position of the formula above an arrow, in points from the arrow's axis: `axis` is the
 * height of the formula's axis, `reach` that of its upper end. */
typedef struct PanelsAbove {
    double axis, reach;
} PanelsAbove;
PanelsAbove panels_above(const Canvas *canvas, const Panel *panel);

/* Gives panels without a reach the largest one among those of their colours that doesn't
 * bleach them; signed panels may end up with several scales. */
void panels_share_reach(Panel *panels, size_t count);

/* Sets the colours of each panel's legend: equal for panels that share a scale. */
void panels_find_scales(Panel *panels, size_t count);

/* Returns true if there is more than one scale of signed numbers. */
bool panels_scales_differ(const Panel *panels, size_t count);

/* Returns true if the legends of placed panels fit side by side, each below its panel. */
bool panels_legends_fit(const Stage *stage, const Panel *panels, size_t count);

/* Draws the legends of placed panels. */
void panels_draw_legends(const Stage *stage, const Panel *panels, size_t count);
