/* A theme: every colour the program draws with, under a name for its use.
 *
 * Themes are data (assets/themes.yaml, read by picture/scene/theme_file.h). Who wears the
 * colours of roles: picture/scene/role.h. */
#ifndef PICTURE_THEME_H
#define PICTURE_THEME_H

#include "picture/scene/palette.h"

typedef struct Theme {
    const char *name; /* "light", "dark" … */
    Color page;       /* behind the stage */
    Color panel;      /* behind the map */
    Color bar;        /* behind title, inspector and timeline */
    Color line;       /* hairlines between them */
    Color ink;        /* headings and numbers */
    Color ink_soft;   /* sentences, labels */
    Color ink_faint;  /* hints, what is still to come */
    Color current;    /* behind the present step on the map */
    Color current_ink;
    Color accent;            /* what one is asked for, and may press; in no picture */
    Color focus;             /* around the cell being explained */
    Color query, key, value; /* Q, K, V and all made for them */
    Color residual, shares;  /* what is added to; what sums to 1 */
    Color norm, feed_forward;
    Color other[4];       /* other tensors' numbers, by turns */
    Color good, good_ink; /* agrees with the source */
    Color bad, bad_ink;   /* differs from it */
    Color masked;         /* under the hatching of −∞ */
    Color hatch;
    Color cell_dark, cell_light; /* number ink on cells: the one that contrasts more */
    Palette diverging;
    Palette sequential;
    double lines;  /* how thick thin lines are; 1: as usual */
    bool patterns; /* no colour is needed: what is below 0 is hatched, and roles have
                      lines of their own */
} Theme;

#endif
