/* The glossary over a page: a search field, the terms found, and the chosen one with its
 * meaning and its places in the course. */
#pragma once

#include "base/strings/glossary.h"
#include "picture/overlays/help.h"

/* A place in the course: its text, and the link of a click on it. */
typedef struct GlossaryPlace {
    const char *words;
    Link link;
} GlossaryPlace;

typedef struct GlossaryPanel {
    const Glossary *glossary;
    size_t count, chosen; /* of `found`; chosen < count, or count is 0 */
    const size_t *found;  /* numbers of the terms */
    size_t place_count;
    const GlossaryPlace *places; /* of the chosen term */
    size_t place;                /* the one that Enter leads to */
    HelpField search;            /* only text, caret and selected are used */
    Link close;
} GlossaryPanel;

/* Draws the glossary with the list scrolled so that the chosen term is visible. Terms are
 * linked as LINK_TERM. */
void glossary_panel_draw(const Canvas *canvas, const GlossaryPanel *panel);
