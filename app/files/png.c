#include "files/png.h"

#include "files/deflate.h"
#include "files/whole_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST = 0x7FFFFFFF, /* PNG's largest length */
    CHUNK_FRAME = 12,     /* a chunk's length, type and CRC */
    PIECE = 1 << 18       /* bytes filtered before they are compressed */
};

/* PNG's filters of a row: as it is, or less the row above. Source: PNG specification, 9.
 */
enum { FILTER_NONE = 0, FILTER_UP = 2 };

struct Png {
    size_t width, height;
    size_t done; /* rows */
    Deflater *deflater;
    Bytes out;
    size_t data_start; /* of the chunk of rows, in out */
    size_t piece_rows; /* rows filtered before they are compressed */
    uint8_t *filtered; /* room for them, and a byte more */
    uint32_t *above;   /* the last row added */
};

static void put_32(uint8_t *to, size_t value) {
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Begins a chunk, whose data follows; gives back where. */
static bool begin_chunk(Bytes *out, const char *type, size_t *start) {
    if (!bytes_reserve(out, CHUNK_FRAME))
        return false;
    *start = out->size;
    memcpy(out->data + out->size + 4, type, 4);
    out->size += 8;
    return true;
}

/* Fills in the length and the CRC of a chunk that began at `start`. */
static bool end_chunk(Bytes *out, size_t start) {
    size_t length = out->size - start - 8;
    if (length > LONGEST || !bytes_reserve(out, 4))
        return false;
    put_32(out->data + start, length);
    put_32(out->data + out->size, deflate_crc32(0, out->data + start + 4, length + 4));
    out->size += 4;
    return true;
}

static bool put_header(Bytes *out, size_t width, size_t height) {
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    static const uint8_t rest[] = {8, 2, 0, 0, 0}; /* 8 bits, RGB, no interlacing */
    size_t start = 0;
    if (!bytes_reserve(out, sizeof signature + 8 + sizeof rest + CHUNK_FRAME))
        return false;
    memcpy(out->data, signature, sizeof signature);
    out->size = sizeof signature;
    if (!begin_chunk(out, "IHDR", &start))
        return false;
    put_32(out->data + out->size, width);
    put_32(out->data + out->size + 4, height);
    memcpy(out->data + out->size + 8, rest, sizeof rest);
    out->size += 8 + sizeof rest;
    return end_chunk(out, start);
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

/* Processors that shuffle bytes turn four pixels in the time of one. */
#if defined __x86_64__ && __has_builtin(__builtin_shufflevector)
typedef uint8_t SixteenBytes __attribute__((vector_size(16)));

__attribute__((target("ssse3"))) static void
put_pixels_by_four(uint8_t *to, const uint32_t *row, size_t width) {
    size_t x = 0;
    for (; x + 8 <= width; x += 4, to += 12) { /* the last four bytes are written over */
        SixteenBytes four;
        memcpy(&four, row + x, sizeof four);
        four = __builtin_shufflevector(four, four, 2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12,
                                       0, 0, 0, 0);
        memcpy(to, &four, sizeof four);
    }
    put_pixels(to, row + x, width - x);
}

static bool can_put_by_four(void) {
    return __builtin_cpu_supports("ssse3");
}
#else
static void put_pixels_by_four(uint8_t *to, const uint32_t *row, size_t width) {
    put_pixels(to, row, width);
}

static bool can_put_by_four(void) {
    return false;
}
#endif

/* One row as PNG stores it, and one byte more. Most rows of a picture equal the one
 * above: those become zeros, which cost next to nothing. */
static void filter_row(uint8_t *to, const uint32_t *row, const uint32_t *above,
                       size_t width) {
    if (above && memcmp(row, above, width * sizeof *row) == 0) {
        *to = FILTER_UP;
        memset(to + 1, 0, 3 * width);
        return;
    }
    *to = FILTER_NONE;
    (can_put_by_four() ? put_pixels_by_four : put_pixels)(to + 1, row, width);
}

Png *png_create(void) {
    Png *png = calloc(1, sizeof *png);
    if (png)
        png->deflater = deflater_create();
    if (png && png->deflater)
        return png;
    free(png);
    return NULL;
}

void png_destroy(Png *png) {
    if (!png)
        return;
    deflater_destroy(png->deflater);
    free(png->out.data);
    free(png->filtered);
    free(png->above);
    free(png);
}

static bool no_memory(const Png *png, Error *error) {
    return error_set(error, ERROR_MEMORY, 0, 0,
                     "not enough memory for a picture of %zu × %zu pixels", png->width,
                     png->height);
}

/* Makes room for filtered rows and for the row above the next. */
static bool make_room(Png *png) {
    size_t row_bytes = 3 * png->width + 1;
    png->piece_rows = PIECE / row_bytes > 0 ? PIECE / row_bytes : 1;
    uint8_t *filtered = realloc(png->filtered, png->piece_rows * row_bytes + 1);
    if (filtered)
        png->filtered = filtered;
    uint32_t *above = realloc(png->above, png->width * sizeof *above);
    if (above)
        png->above = above;
    return filtered && above;
}

bool png_begin(Png *png, size_t width, size_t height, Error *error) {
    if (width == 0 || height == 0 || height > LONGEST || width > (LONGEST - 1) / 3)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "a picture of %zu × %zu pixels can't be a PNG; both sides must "
                         "be at least 1",
                         width, height);
    bool same = png->filtered && png->above && png->width == width;
    png->width = width;
    png->height = height;
    png->done = png->out.size = 0;
    deflater_begin(png->deflater);
    /* A lesson's picture comes to a thirtieth of its pixels' bytes or less. */
    return ((same || make_room(png)) && bytes_reserve(&png->out, PIECE) &&
            put_header(&png->out, width, height) &&
            begin_chunk(&png->out, "IDAT", &png->data_start)) ||
           no_memory(png, error);
}

/* Ends the picture behind its last row. */
static bool put_end(Png *png) {
    size_t start = 0;
    return end_chunk(&png->out, png->data_start) &&
           begin_chunk(&png->out, "IEND", &start) && end_chunk(&png->out, start);
}

bool png_add(Png *png, const uint32_t *rows, size_t count, size_t stride, Error *error) {
    size_t row_bytes = 3 * png->width + 1;
    for (size_t y = 0; y < count;) {
        size_t piece = count - y < png->piece_rows ? count - y : png->piece_rows;
        for (size_t i = 0; i < piece; i++, y++) {
            const uint32_t *row = rows + y * stride;
            const uint32_t *above = y > 0 ? row - stride : png->done ? png->above : NULL;
            filter_row(png->filtered + i * row_bytes, row, above, png->width);
        }
        png->done += piece;
        if (!deflater_add(png->deflater, png->filtered, piece * row_bytes,
                          png->done == png->height, &png->out))
            return no_memory(png, error);
    }
    if (count > 0)
        memcpy(png->above, rows + (count - 1) * stride, png->width * sizeof *rows);
    return png->done < png->height || put_end(png) || no_memory(png, error);
}

bool png_encode(const uint32_t *pixels, size_t width, size_t height, size_t stride,
                uint8_t **bytes, size_t *size, Error *error) {
    Png *png = png_create();
    if (!png)
        return error_set(error, ERROR_MEMORY, 0, 0, "not enough memory for a picture");
    bool encoded = png_begin(png, width, height, error) &&
                   png_add(png, pixels, height, stride, error);
    if (encoded) {
        *bytes = png->out.data;
        *size = png->out.size;
        png->out = (Bytes){0};
    }
    png_destroy(png);
    return encoded;
}

bool png_save(const Png *png, const char *path, Error *error) {
    return whole_file_write(path, png->out.data, png->out.size, error);
}

bool png_write(const char *path, const uint32_t *pixels, size_t width, size_t height,
               size_t stride, Error *error) {
    Png *png = png_create();
    if (!png)
        return error_set(error, ERROR_MEMORY, 0, 0, "not enough memory for a picture");
    bool written = png_begin(png, width, height, error) &&
                   png_add(png, pixels, height, stride, error) &&
                   png_save(png, path, error);
    png_destroy(png);
    return written;
}
