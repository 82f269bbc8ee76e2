/* Reads a file of tests/reference whole. */
#pragma once

#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct ReferenceBytes {
    uint8_t *bytes;
    size_t length;
} ReferenceBytes;

/* New in the arena. Ends the test program when it can't be read. */
static inline ReferenceBytes reference_bytes(Arena *arena, const char *name) {
    const char *source = getenv("GLASSFORMER_SOURCE");
    char path[1000];
    snprintf(path, sizeof path, "%s/tests/reference/%s", source ? source : ".", name);
    FILE *file = fopen(path, "rb");
    long length = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    ReferenceBytes read = {.length = length > 0 ? (size_t)length : 0};
    read.bytes = arena_alloc(arena, read.length, 1);
    if (length <= 0 || !read.bytes || fseek(file, 0, SEEK_SET) != 0 ||
        fread(read.bytes, 1, read.length, file) != read.length) {
        fprintf(stderr, "%s can't be read\n", path);
        exit(1);
    }
    fclose(file);
    return read;
}
