/* What is below a field for whoever has only a pointer: words to choose from, and the
 * keys of a number. */
#ifndef PICTURE_FIELD_CHIPS_H
#define PICTURE_FIELD_CHIPS_H

#include "picture/draw/canvas.h"

/* Words to choose from, linked to `chip` with their number in `col`; behind them one that
 * takes the last word away, and what takes the text, pastes into it and leaves the field.
 * {0}: none of this. */
typedef struct FieldChips {
    size_t count;
    const char *const *words;
    Link chip, use, paste, leave;
    Link elsewhere; /* takes the text to where any is taken; LINK_NONE: nowhere */
} FieldChips;

/* How tall they are in `width` points, at most `most`; 0 where there are none. */
double field_chips_height(const Canvas *canvas, const FieldChips *chips, double width,
                          double most);

/* Draws them from the top of the area on, as many as have room in it, and in its last row
 * what takes a word away, takes the text, pastes into it, leaves the field. */
void field_chips_draw(const Canvas *canvas, const FieldChips *chips, Box area);

/* How tall a row of keys is that write a number, for whoever has no others. */
#define NUMBER_KEYS_HEIGHT 32.0

/* Draws the keys over a row, linked to `key` with their number in `col`. */
void number_keys_draw(const Canvas *canvas, Link key, Box row);

/* What the key of a number writes; NULL for the one that takes the last letter away, and
 * where there is none. */
const char *number_key_text(size_t key);

#endif
