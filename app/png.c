#include "png.h"

#include "deflate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LONGEST = 0x7FFFFFFF, /* PNG's largest length */
    CHUNK_FRAME = 12,     /* a chunk's length, type and CRC */
    PIECE = 1 << 18,      /* bytes filtered before they are compressed */
    ATTEMPTS = 100
};

/* PNG's filters of a row: as it is, or less the row above. Source: PNG specification, 9.
 */
enum { FILTER_NONE = 0, FILTER_UP = 2 };

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

/* One row as PNG stores it, and one byte more. Most rows of a picture equal the one
 * above: those become zeros, which cost next to nothing. */
static void filter_row(uint8_t *to, const uint32_t *row, const uint32_t *above,
                       size_t width) {
    if (above && memcmp(row, above, width * sizeof *row) == 0) {
        *to = FILTER_UP;
        memset(to + 1, 0, 3 * width);
        return;
    }
    *to++ = FILTER_NONE;
    for (size_t x = 0; x < width; x++, to += 3) {
        /* Four bytes at once; the next pixel overwrites the last. */
        uint32_t r = row[x] >> 16 & 0xFF, g = row[x] >> 8 & 0xFF, b = row[x] & 0xFF;
        uint8_t bytes[4] = {(uint8_t)r, (uint8_t)g, (uint8_t)b, 0};
        memcpy(to, bytes, 4);
    }
}

static bool put_pixels(Bytes *out, const uint32_t *pixels, size_t width, size_t height,
                       size_t stride) {
    size_t row_bytes = 3 * width + 1, start = 0;
    size_t rows = PIECE / row_bytes > 0 ? PIECE / row_bytes : 1;
    uint8_t *piece = malloc(rows * row_bytes + 1);
    Deflater *deflater = deflater_create();
    bool done = piece && deflater && begin_chunk(out, "IDAT", &start);
    for (size_t y = 0; done && y < height;) {
        size_t count = height - y < rows ? height - y : rows;
        for (size_t i = 0; i < count; i++, y++) {
            const uint32_t *row = pixels + y * stride;
            filter_row(piece + i * row_bytes, row, y > 0 ? row - stride : NULL, width);
        }
        done = deflater_add(deflater, piece, count * row_bytes, y == height, out);
    }
    done = done && end_chunk(out, start);
    deflater_destroy(deflater);
    free(piece);
    return done;
}

bool png_encode(const uint32_t *pixels, size_t width, size_t height, size_t stride,
                uint8_t **bytes, size_t *size, Error *error) {
    if (width == 0 || height == 0 || height > LONGEST || width > (LONGEST - 1) / 3)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "a picture of %zu × %zu pixels can't be a PNG; both sides must "
                         "be at least 1",
                         width, height);
    Bytes out = {0};
    size_t start = 0;
    /* A lesson's picture comes to a thirtieth of its pixels' bytes or less. */
    if (!bytes_reserve(&out, PIECE) || !put_header(&out, width, height) ||
        !put_pixels(&out, pixels, width, height, stride) ||
        !begin_chunk(&out, "IEND", &start) || !end_chunk(&out, start)) {
        free(out.data);
        return error_set(error, ERROR_MEMORY, 0, 0,
                         "not enough memory for a picture of %zu × %zu pixels", width,
                         height);
    }
    *bytes = out.data;
    *size = out.size;
    return true;
}

static bool write_all(int file, const uint8_t *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

/* Opens a new file beside `path` under a name nobody has; fills in the name. */
static int open_beside(const char *path, char *name, size_t name_size) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        snprintf(name, name_size, "%s.%ld-%d.tmp", path, (long)getpid(), attempt);
        int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

static bool write_file(const char *path, const uint8_t *bytes, size_t size) {
    size_t name_size = strlen(path) + 48;
    char *name = malloc(name_size);
    if (!name)
        return false;
    bool done = false;
    int file = open_beside(path, name, name_size);
    if (file >= 0) {
        done = write_all(file, bytes, size);
        int problem = errno;
        if (close(file) != 0 && done) {
            problem = errno;
            done = false;
        }
        if (done && rename(name, path) != 0) {
            problem = errno;
            done = false;
        }
        if (!done)
            unlink(name);
        errno = problem;
    }
    int problem = errno;
    free(name);
    errno = problem;
    return done;
}

bool png_write(const char *path, const uint32_t *pixels, size_t width, size_t height,
               size_t stride, Error *error) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (!png_encode(pixels, width, height, stride, &bytes, &size, error))
        return false;
    bool written = write_file(path, bytes, size);
    int problem = errno;
    free(bytes);
    if (!written)
        return error_set(error, ERROR_FILE, 0, 0, "can't write '%s': %s", path,
                         strerror(problem));
    return true;
}
