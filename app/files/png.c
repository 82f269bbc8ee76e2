#include "files/files.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST = 0x7FFFFFFF, /* PNG's largest length */
    AROUND = 64,          /* bytes of a file that are not its compressed rows */
    LEVEL = 6,      /* no slower than the first; higher ones are, for a twelfth at most */
    FILTER_NONE = 0 /* a row that equals the one above is a match all the same */
};

struct Png {
    size_t width, height;
    size_t done;            /* rows */
    size_t row_bytes;       /* as PNG stores a row: its filter, then red, green, blue */
    uint8_t *rows, *packed; /* all of them; the file, with room for them compressed, */
    size_t room;            /* so many bytes */
    struct libdeflate_compressor *compressor;
};

Png *png_create(void) {
    Png *png = calloc(1, sizeof *png);
    if (png)
        png->compressor = libdeflate_alloc_compressor(LEVEL);
    if (png && png->compressor)
        return png;
    free(png);
    return NULL;
}

void png_destroy(Png *png) {
    if (!png)
        return;
    libdeflate_free_compressor(png->compressor);
    free(png->rows);
    free(png->packed);
    free(png);
}

static bool no_memory(const Png *png, Error *error) {
    return error_set(error, ERROR_MEMORY, 0, 0,
                     "not enough memory for a picture of %zu × %zu pixels", png->width,
                     png->height);
}

/* Makes room for the rows, and for one byte more, as they are and compressed. */
static bool make_room(Png *png) {
    size_t size;
    free(png->rows);
    free(png->packed);
    png->rows = png->packed = NULL;
    if (__builtin_mul_overflow(png->row_bytes, png->height, &size) || size > LONGEST / 2)
        return false;
    png->room = libdeflate_zlib_compress_bound(png->compressor, size);
    png->rows = malloc(size + 1);
    png->packed = malloc(png->room + AROUND);
    return png->rows && png->packed;
}

bool png_begin(Png *png, size_t width, size_t height, Error *error) {
    if (width == 0 || height == 0 || height > LONGEST || width > (LONGEST - 1) / 3)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "a picture of %zu × %zu pixels can't be a PNG; both sides must "
                         "be at least 1",
                         width, height);
    bool same = png->packed && png->width == width && png->height == height;
    png->width = width;
    png->height = height;
    png->row_bytes = 3 * width + 1;
    png->done = 0;
    return same || make_room(png) || no_memory(png, error);
}

/* Red, green and blue of pixels, and one byte more. */
static void put_pixels(uint8_t *to, const uint32_t *row, size_t width) {
    for (size_t x = 0; x < width; x++, to += 3) {
        /* Four bytes at once; the next pixel overwrites the last. */
        uint32_t r = row[x] >> 16 & 0xFF, g = row[x] >> 8 & 0xFF, b = row[x] & 0xFF;
        uint8_t bytes[4] = {(uint8_t)r, (uint8_t)g, (uint8_t)b, 0};
        memcpy(to, bytes, 4);
    }
}

void png_add(Png *png, const uint32_t *rows, size_t count, size_t stride) {
    for (size_t y = 0; y < count; y++, png->done++) {
        uint8_t *to = png->rows + png->done * png->row_bytes;
        *to = FILTER_NONE;
        put_pixels(to + 1, rows + y * stride, png->width);
    }
}

static void put_32(uint8_t *to, size_t value) {
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Ends a chunk whose type and data are there behind its first four bytes: its length in
 * front, the CRC-32 of type and data behind. Gives where the next begins. */
static uint8_t *end_chunk(uint8_t *chunk, size_t size) {
    put_32(chunk, size);
    put_32(chunk + 8 + size, libdeflate_crc32(0, chunk + 4, size + 4));
    return chunk + 12 + size;
}

const uint8_t *png_pack(Png *png, size_t *size, Error *error) {
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    static const uint8_t kind[] = {8, 2, 0, 0, 0}; /* 8 bits, RGB, no interlacing */
    uint8_t *next = png->packed;
    memcpy(next, signature, sizeof signature);
    next += sizeof signature;
    memcpy(next + 4, "IHDR", 4);
    put_32(next + 8, png->width);
    put_32(next + 12, png->height);
    memcpy(next + 16, kind, sizeof kind);
    next = end_chunk(next, 8 + sizeof kind);
    memcpy(next + 4, "IDAT", 4);
    size_t length = libdeflate_zlib_compress(
        png->compressor, png->rows, png->row_bytes * png->height, next + 8, png->room);
    if (length == 0) {
        no_memory(png, error);
        return NULL;
    }
    next = end_chunk(next, length);
    memcpy(next + 4, "IEND", 4);
    *size = (size_t)(end_chunk(next, 0) - png->packed);
    return png->packed;
}

bool png_save(Png *png, const char *path, Error *error) {
    size_t size;
    const uint8_t *bytes = png_pack(png, &size, error);
    return bytes && whole_file_write(path, bytes, size, error);
}
