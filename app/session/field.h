/* A field: one line of text being written, with a caret.
 *
 * Keys have SDL's names, as everywhere; letters come as text. {0} is an empty field. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { FIELD_SIZE = 400 };

typedef struct Field {
    char text[FIELD_SIZE]; /* UTF-8, zero-terminated */
    size_t caret;          /* in bytes, between two characters */
    bool selected;         /* all of it; what is typed takes its place */
} Field;

/* Puts a text into the field, selected, its caret behind it; of one that is too long the
 * beginning. */
void field_begin(Field *field, const char *text);

/* True if a key edits the field. */
bool field_key_exists(const char *key);

/* Moves the caret or takes something away; false when nothing changed. */
bool field_key(Field *field, const char *key);

/* Does what a key of a number does (picture/overlays/field_chips.h). */
bool field_number_key(Field *field, size_t key);

/* Puts UTF-8 text where the caret is; line ends and other control characters become
 * blanks. False, and no change, when it isn't UTF-8 or there is no room for it. */
bool field_insert(Field *field, const char *text);
