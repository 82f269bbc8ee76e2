/* A theme: every colour of the program, named by its use.
 *
 * Themes are data (assets/themes.yaml, read by picture/scene/theme_file.h). Use of the
 * roles' colours: picture/scene/role.h. */
#pragma once

#include "picture/scene/palette.h"

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
