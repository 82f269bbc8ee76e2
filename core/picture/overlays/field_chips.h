/* Chips below a text field for use without a keyboard: words to choose from, and the keys
 * of a number. */
#pragma once

#include "picture/draw/canvas.h"

/* Words to choose from, linked to `chip` with their number in `col`, followed by chips
 * that delete the last word, accept the text, paste, and leave the field. {0}: none of
 * them. */
typedef struct FieldChips {
    size_t count;
    const char *const *words;
    Link chip, use, paste, leave;
    Link elsewhere; /* accepts the text in another place; LINK_NONE: none */
} FieldChips;

/* Height of the chips in `width` points, at most `most`; 0 if there are none. */
double field_chips_height(const Canvas *canvas, const FieldChips *chips, double width,
                          double most);

/* Draws as many chips as have room from the top of the area, and in the last row those
 * that delete a word, accept the text, paste, and leave the field. */
void field_chips_draw(const Canvas *canvas, const FieldChips *chips, Box area);

/* Height of a row of number keys, for use without a keyboard. */
#define NUMBER_KEYS_HEIGHT 32.0

/* Draws the keys over a row, linked to `key` with their number in `col`. */
void number_keys_draw(const Canvas *canvas, Link key, Box row);

/* Text that a number key types; NULL for the backspace key, and if there is no such
 * key. */
const char *number_key_text(size_t key);
