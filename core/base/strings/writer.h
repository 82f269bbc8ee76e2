/* A growing text in an arena.
 *
 * It is contiguous, zero-terminated, and moves when it grows: smaller pieces stay in the
 * arena. When that is exhausted, nothing more is written and `full` is set, which the
 * caller checks once at the end. {.arena = …} is an empty text. */
#pragma once

#include "base/arena.h"

typedef struct Writer {
    Arena *arena;
    char *text; /* NULL until anything is written */
    size_t length, capacity;
    bool full; /* the arena has no room for all of it */
} Writer;

/* Appends `count` bytes, or all of a text. */
void writer_put(Writer *writer, const char *bytes, size_t count);
void writer_text(Writer *writer, const char *text);

/* Appends formatted text as printf does. */
void writer_format(Writer *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends a whole number in decimal digits. */
void writer_size(Writer *writer, size_t value);
