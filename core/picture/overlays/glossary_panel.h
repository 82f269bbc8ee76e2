/* The glossary over a page: a field to search in, the terms that are found, and the one
 * that is chosen with what it means and where in the course it is at work. */
#ifndef PICTURE_GLOSSARY_PANEL_H
#define PICTURE_GLOSSARY_PANEL_H

#include "base/strings/glossary.h"
#include "picture/overlays/help.h"

/* A place of the course: what is written, and what a click on it stands for. */
typedef struct GlossaryPlace {
    const char *words;
    Link link;
} GlossaryPlace;

typedef struct GlossaryPanel {
    const Glossary *glossary;
    size_t count, chosen; /* of `found`; chosen < count, or count is 0 */
    const size_t *found;  /* terms, by their numbers */
    size_t place_count;
    const GlossaryPlace *places; /* of the chosen term */
    size_t place;                /* the one that Enter goes to */
    HelpField search;            /* text, caret and selected are looked at */
    Link close;
} GlossaryPanel;

/* Draws it, the list scrolled so that the chosen term is in view. Terms are linked as
 * LINK_TERM. */
void glossary_panel_draw(const Canvas *canvas, const GlossaryPanel *panel);

#endif
