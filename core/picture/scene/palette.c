#include "picture/scene/palette.h"

#include "base/maths.h"

enum { MIX_STEPS = 256 };

static uint8_t mix_channel(uint8_t a, uint8_t b, int fraction) {
    return (uint8_t)((a * (MIX_STEPS - fraction) + b * fraction + MIX_STEPS / 2) /
                     MIX_STEPS);
}

Color palette_mix(Color a, Color b, int fraction) {
    return (Color){mix_channel(a.r, b.r, fraction), mix_channel(a.g, b.g, fraction),
                   mix_channel(a.b, b.b, fraction), mix_channel(a.a, b.a, fraction)};
}

Color color_scale_at(const ColorScale *scale, double value) {
    if (!isfinite(value))
        return scale->masked;
    const Palette *palette = scale->palette;
    /* halved, because twice the largest double is infinite */
    double fraction = (value / 2 - scale->low / 2) / (scale->high / 2 - scale->low / 2);
    fraction = fraction > 0 ? fraction < 1 ? fraction : 1 : 0;
    int segments = (int)palette->count - 1;
    int position = (int)(fraction * (segments * MIX_STEPS) + 0.5);
    int segment = position / MIX_STEPS;
    if (segment >= segments)
        return palette->stops[segments];
    return palette_mix(palette->stops[segment], palette->stops[segment + 1],
                       position % MIX_STEPS);
}

static double linear(uint8_t channel) {
    double c = channel / 255.0;
    return c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(Color color) {
    return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

double palette_contrast(Color a, Color b) {
    double la = luminance(a), lb = luminance(b);
    return la > lb ? (la + 0.05) / (lb + 0.05) : (lb + 0.05) / (la + 0.05);
}

Color palette_ink(Color ground, Color dark, Color light) {
    return palette_contrast(ground, dark) >= palette_contrast(ground, light) ? dark
                                                                             : light;
}
