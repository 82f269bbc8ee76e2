#include "base/writer.h"

#include <stdio.h>
#include <string.h>

void writer_put(Writer *writer, const char *bytes, size_t count) {
    if (writer->full)
        return;
    if (writer->length + count + 1 > writer->capacity) {
        size_t larger = 2 * (writer->length + count + 32);
        char *fresh = arena_alloc(writer->arena, larger, 1);
        writer->full = fresh == NULL;
        if (!fresh)
            return;
        if (writer->length)
            memcpy(fresh, writer->text, writer->length);
        writer->text = fresh;
        writer->capacity = larger;
    }
    memcpy(writer->text + writer->length, bytes, count);
    writer->length += count;
    writer->text[writer->length] = 0;
}

void writer_text(Writer *writer, const char *text) {
    writer_put(writer, text, strlen(text));
}

void writer_size(Writer *writer, size_t value) {
    char text[24];
    snprintf(text, sizeof text, "%zu", value);
    writer_text(writer, text);
}
