/* What panels.c, panels_lines.c and panels_layout.c have to agree on. Only they include
 * this. */
#ifndef PICTURE_PANELS_MEASURE_H
#define PICTURE_PANELS_MEASURE_H

#include "picture/stage/panel.h"

#define PANELS_SIGN_UNITS 34.0
#define PANELS_NAME_UNITS 22.0
#define PANELS_NOTE_UNITS (PANELS_NAME_UNITS * 0.8)
#define PANELS_SENTENCE_UNITS 14.0

enum { PANELS_NUMBERS_MOST = 200 }; /* cells of a table that should have numbers */

/* The units that what stands above an arrow is set in: words smaller than formulas. */
double panels_above_units(const Panel *panel);

/* What stands above an arrow: how far its axis lies above the arrow's, and how far it
 * reaches up from the arrow's in all; points. */
typedef struct PanelsAbove {
    double axis, reach;
} PanelsAbove;
PanelsAbove panels_above(const Canvas *canvas, const Panel *panel);

/* How wide what stands instead of a table is, with its meaning below it. */
double panels_formula_width(const Canvas *canvas, const Panel *panel);

/* The size of all cells of a line, in points. */
typedef struct PanelsCells {
    double w, h;
    bool crowded;  /* what stands above its arrows has no room */
    bool squeezed; /* all else is set closer than usual, as numbers need the width */
} PanelsCells;

/* Places panels side by side in `area`, with cells as large as it allows but no larger
 * than `most`; gives back how large they are. Reaches are set already. */
PanelsCells panels_layout_line(const Stage *stage, Box area, Panel *panels, size_t count,
                               PanelsCells most);

/* Panels without a reach of their own take the largest among those of their colours that
 * does not bleach them: of signed ones there may come out several scales. */
void panels_share_reach(Panel *panels, size_t count);

/* What the legend of each panel's scale has: of panels that share one, the same. */
void panels_find_scales(Panel *panels, size_t count);

/* Whether there is more than one scale of signed numbers among them. */
bool panels_scales_differ(const Panel *panels, size_t count);

/* Whether placed panels' legends have room side by side, each under its panel. */
bool panels_legends_fit(const Stage *stage, const Panel *panels, size_t count);

/* The legends of placed panels. */
void panels_draw_legends(const Stage *stage, const Panel *panels, size_t count);

#endif
