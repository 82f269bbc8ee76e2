/* Panels: heatmaps side by side with signs between them, as in `A + B = C`.
 *
 * All panels have cells of one size, as large as the area allows, and are centred on one
 * line; if numbers would be too small for that, the line is broken at its arrows. For
 * tables that share an axis or stand below each other see picture/stage/figure.h. */
#pragma once

#include "picture/stage/panel.h"

enum { PANELS_MAX = 16, PANELS_LINES_MAX = 4 };

/* Places the panels in the stage's area, above the legends, in one line or in at most
 * PANELS_LINES_MAX; draws nothing. In a narrow area gaps and labels shrink before cells
 * do. Then row notes are dropped, tabs, and the formulas above all arrows at once; the
 * numbers of tables that aren't large are dropped last. */
void panels_layout(const Stage *stage, Panel *panels, size_t count);

/* Places panels and draws them, with signs, captions, notes and legends. */
void panels_show(const Stage *stage, Panel *panels, size_t count);
