/* Practice on a page: the exercise and the reply to the last answer below the picture;
 * question marks in the cells that are asked for; and the score at a round's end. */
#pragma once

#include "picture/explain/explain.h"

/* Width in points of a button with the text of a key. */
double practise_button_width(const Canvas *canvas, const char *key);

/* Draws a button with its right end at `right` and the text of a key; returns its left
 * end. The main one is dark. */
double practise_button(const Canvas *canvas, Link link, const char *key, Point right,
                       double height, bool main);

/* Draws a button with its left end at `at`; returns the left end of the next one. */
double practise_button_from(const Canvas *canvas, Link link, const char *key, Point at,
                            bool main);

/* Puts question marks into the cells that are asked for, as drawn on the page. */
void practise_panel_mark(const Canvas *canvas, const PractisePanel *panel);

/* Height of the exercise on a presented page. */
double practise_panel_height(const PageParts *parts);

/* Draws the exercise over the whole lower part of the page. */
void practise_panel_draw(const PageParts *parts, Box area);

/* Draws the score in the middle of the page, with the exercises to repeat. */
void practise_score_draw(const Canvas *canvas, const PractisePanel *panel);
