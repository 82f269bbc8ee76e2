/* What panels.c and panels_layout.c have to agree on. Only they include this. */
#ifndef PICTURE_PANELS_MEASURE_H
#define PICTURE_PANELS_MEASURE_H

#include "picture/panels.h"

#define PANELS_SIGN_UNITS 34.0
#define PANELS_NAME_UNITS 22.0
#define PANELS_NOTE_UNITS (PANELS_NAME_UNITS * 0.8)
#define PANELS_SENTENCE_UNITS 14.0

/* The units that what stands above an arrow is set in: words smaller than formulas. */
double panels_above_units(const Panel *panel);

#endif
