#include "base/strings/writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Reserves room for `count` bytes and the zero behind them. */
static bool reserve(Writer *writer, size_t count) {
    if (writer->full || writer->length + count + 1 <= writer->capacity)
        return !writer->full;
    size_t larger = 2 * (writer->length + count + 32);
    char *fresh = arena_alloc(writer->arena, larger, 1);
    writer->full = fresh == NULL;
    if (!fresh)
        return false;
    if (writer->length)
        memcpy(fresh, writer->text, writer->length);
    writer->text = fresh;
    writer->capacity = larger;
    return true;
}

void writer_put(Writer *writer, const char *bytes, size_t count) {
    if (!reserve(writer, count))
        return;
    memcpy(writer->text + writer->length, bytes, count);
    writer->length += count;
    writer->text[writer->length] = 0;
}

void writer_text(Writer *writer, const char *text) {
    writer_put(writer, text, strlen(text));
}

void writer_format(Writer *writer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !reserve(writer, (size_t)length))
        return;
    va_start(arguments, format);
    vsnprintf(writer->text + writer->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    writer->length += (size_t)length;
}

void writer_size(Writer *writer, size_t value) {
    writer_format(writer, "%zu", value);
}
