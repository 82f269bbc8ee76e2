/* Palettes: map values to colours, and colours to ink that is readable on them.
 *
 * Signed values use a diverging palette, white (or the theme's dark) at 0 and symmetric
 * about it; probabilities use a sequential one from 0 to 1. All arithmetic on colours is
 * in integers, so that every build paints the same bytes. Palettes are data:
 * assets/themes.yaml. Contrast: WCAG 2.1, relative luminance. */
#pragma once

#include "picture/scene/scene.h"

enum { PALETTE_MAX_STOPS = 17 };

/* Colours at equal distances from the low end to the high end. */
typedef struct Palette {
    size_t count;
    Color stops[PALETTE_MAX_STOPS];
} Palette;

/* A palette over the values from low to high (low < high); values outside are clamped. */
struct ColorScale {
    const Palette *palette; /* borrowed */
    double low, high;
    Color masked; /* colour of −∞, +∞ and NaN */
};

/* Colour of a value on a scale. */
Color color_scale_at(const ColorScale *scale, double value);

/* The one of `dark` and `light` that contrasts more with the ground. */
Color palette_ink(Color ground, Color dark, Color light);

/* Contrast ratio of two opaque colours, 1 to 21. */
double palette_contrast(Color a, Color b);

/* Mixes two colours: `fraction` 0 gives `a`, 256 gives `b`. */
Color palette_mix(Color a, Color b, int fraction);
