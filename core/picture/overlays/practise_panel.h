/* What the page shows while a learner practises: the exercise and what is said to the
 * last answer, below the picture; question marks in the cells that are asked for; and the
 * score at a round's end. */
#ifndef PICTURE_PRACTISE_PANEL_H
#define PICTURE_PRACTISE_PANEL_H

#include "picture/explain/practising.h"

/* How wide a button with the words of a key is, in points. */
double practise_button_width(const Canvas *canvas, const char *key);

/* A button whose right end is at `right`, with the words of a key; gives back its left
 * end. The main one is dark. */
double practise_button(const Canvas *canvas, Link link, const char *key, Point right,
                       double height, bool main);

/* From its left end on; gives back where the next one begins. */
double practise_button_from(const Canvas *canvas, Link link, const char *key, Point at,
                            bool main);

/* Puts question marks into the asked cells, as the page has drawn them. */
void practise_panel_mark(const Canvas *canvas, const PractisePanel *panel);

/* How tall the exercise is to be on a presented page. */
double practise_panel_height(const PageParts *parts);

/* The exercise, over the whole lower part of the page. */
void practise_panel_draw(const PageParts *parts, Box area);

/* The score in the middle of the page, with what to look at again. */
void practise_score_draw(const Canvas *canvas, const PractisePanel *panel);

#endif
