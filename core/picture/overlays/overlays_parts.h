/* Functions that the room's own files share. */
#pragma once

#include "picture/chrome/chrome.h"
#include "picture/overlays/overlays.h"

/* Height of a row of number keys, for use without a keyboard. */
#define NUMBER_KEYS_HEIGHT 32.0

/* Draws a number's keys over a row, linked to `key` with their number in `col`. */
void number_keys_draw(const Canvas *canvas, Link key, Box row);

/* Draws a field's text with its caret in the middle of a box, all of which leads to the
 * field; only `text`, `caret` and `selected` are used. An empty field has the
 * placeholder, a strings key; NULL: none. */
void field_draw_text(const Canvas *canvas, const HelpField *field, double units, Box box,
                     const char *placeholder);

/* Draws which exercise of how many it is, "1 / 10", at a baseline; returns its box. */
Box exercise_number_draw(const Canvas *canvas, const PractisePanel *panel, Point baseline,
                         LabelAlign align);

/* Returns the numbers that the asked one is computed from, as they are heard: "X, row am:
 * 0, 1. W V, column 1: 2, 3."; without long rows. */
const char *exercise_inputs_aloud(const Canvas *canvas, const Practise *practise);
