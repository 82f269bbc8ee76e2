/* A text that grows in an arena.
 *
 * It is one piece, ended by a zero, and moves when it grows: smaller pieces stay in the
 * arena. Once that is exhausted nothing is written any more and `full` says so; that is
 * to be looked at once, in the end. {.arena = …} is an empty text. */
#ifndef BASE_WRITER_H
#define BASE_WRITER_H

#include "base/arena.h"

typedef struct Writer {
    Arena *arena;
    char *text; /* NULL until something is written */
    size_t length, capacity;
    bool full; /* the arena has no room for all of it */
} Writer;

/* Writes `count` bytes, or all of a text, behind what is there. */
void writer_put(Writer *writer, const char *bytes, size_t count);
void writer_text(Writer *writer, const char *text);

/* printf behind what is there. */
void writer_format(Writer *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes a whole number in decimal digits. */
void writer_size(Writer *writer, size_t value);

#endif
