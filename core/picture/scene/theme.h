/* Colours: palettes, which map values to colours, themes, and the roles of tensors.
 *
 * A theme has every colour of the program, named by its use. Signed values use a
 * diverging palette, white (or the theme's dark) at 0 and symmetric about it;
 * probabilities use a sequential one from 0 to 1. All arithmetic on colours is in
 * integers, so that every build paints the same bytes. Themes and palettes are data:
 * assets/themes.yaml. Contrast: WCAG 2.1, relative luminance. */
#pragma once

#include "picture/scene/scene.h"

typedef struct ErrorList ErrorList;

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

/* Position of a value's colour on a scale, from 0 to COLOR_POSITIONS - 1; COLOR_MASKED
 * for −∞, +∞ and NaN. */
enum {
    MIX_STEPS = 256, /* from one stop of a palette to the next */
    COLOR_POSITIONS = (PALETTE_MAX_STOPS - 1) * MIX_STEPS + 1,
    COLOR_MASKED = -1
};
int color_scale_position(const ColorScale *scale, double value);

/* Colour at a position. For those who colour many values and keep the colours. */
Color color_scale_color(const ColorScale *scale, int position);

/* The one of `dark` and `light` that contrasts more with the ground. */
Color palette_ink(Color ground, Color dark, Color light);

/* Contrast ratio of two opaque colours, 1 to 21. */
double palette_contrast(Color a, Color b);

/* Mixes two colours: `fraction` 0 gives `a`, 256 gives `b`. */
Color palette_mix(Color a, Color b, int fraction);

typedef struct Theme {
    const char *name; /* "light", "dark" … */
    Color page;       /* behind the stage */
    Color panel;      /* behind the map */
    Color bar;        /* behind title, inspector and timeline */
    Color line;       /* hairlines between them */
    Color ink;        /* headings and numbers */
    Color ink_soft;   /* sentences, labels */
    Color ink_faint;  /* hints and future steps */
    Color current;    /* behind the present step on the map */
    Color current_ink;
    Color accent;            /* requests to the user and buttons; not used in pictures */
    Color focus;             /* around the cell being explained */
    Color query, key, value; /* Q, K, V and everything computed for them */
    Color residual, probabilities; /* the residual stream; probabilities */
    Color norm, feed_forward;
    Color other[4];       /* hues of other tensors, used in turn */
    Color good, good_ink; /* agreement with the source */
    Color bad, bad_ink;   /* difference from the source */
    Color masked;         /* under the hatching of −∞ */
    Color hatch;
    Color cell_dark, cell_light; /* number ink on cells: the one that contrasts more */
    Palette diverging;
    Palette sequential;
    double lines;  /* factor for the thickness of thin lines; 1: as usual */
    bool patterns; /* meaning doesn't depend on colour: negative numbers are hatched and
                      roles have dashes of their own */
} Theme;

typedef struct Themes {
    size_t count; /* at least 1 */
    const Theme *items;
} Themes;

/* Loads all themes of a file, in its order, into the arena. Returns false with every
 * error found: a colour that is missing, unknown, or not "#rrggbb". */
bool themes_load(Arena *arena, const char *path, Themes *themes, ErrorList *errors);

/* The theme with a name, borrowed; NULL if there is none. */
const Theme *themes_lookup(const Themes *themes, const char *name);

/* Roles of tensors in a transformer, found by name, and their colours. A role's colour is
 * used for names, frames, tabs and lanes; cells are coloured by number alone. How roles
 * are drawn: picture/draw/roles.h. */
typedef enum Role {
    ROLE_NONE,
    ROLE_QUERY,
    ROLE_KEY,
    ROLE_VALUE,
    ROLE_RESIDUAL,      /* the residual stream, to which each sublayer adds */
    ROLE_PROBABILITIES, /* attention weights and other probabilities, which sum to 1 */
    ROLE_NORM,          /* normalized rows */
    ROLE_FEED_FORWARD,  /* hidden units */
    ROLE_COUNT
} Role;

/* Role of a tensor by its name: Q, W_Q, Q_1, K.T and `….query` are queries, keys and
 * values, `….residual_1` and `….norm_1` parts of a layer; any other name is ROLE_NONE. */
Role role_of_name(const char *name);

/* Reports whether a name is that of a weight or bias, such as "W_Q", which computes a
 * tensor of the role. */
bool role_names_weight(const char *name);

/* Colour of a role; `none` if it has no colour. */
Color role_color(const Theme *theme, Role role, Color none);

/* Colour of a tensor's name in words and formulas: the role's for queries, keys and
 * values, otherwise `none`. */
Color role_name_color(const Theme *theme, const char *name, Color none);

/* Copy of a theme that writes names and words in one ink, for grounds on which hues are
 * unreadable. */
Theme role_one_ink(const Theme *theme, Color ink);
