#include "files/deflate.h"

#include <stdlib.h>
#include <zlib.h>

/* Level 3: half as long as level 6 on a lesson's picture, and hardly larger. */
enum { LEVEL = 3, PIECE = 1 << 16 };

struct Deflater {
    z_stream stream;
};

Deflater *deflater_create(void) {
    Deflater *deflater = calloc(1, sizeof *deflater);
    if (deflater && deflateInit(&deflater->stream, LEVEL) != Z_OK) {
        free(deflater);
        return NULL;
    }
    return deflater;
}

void deflater_destroy(Deflater *deflater) {
    if (!deflater)
        return;
    deflateEnd(&deflater->stream);
    free(deflater);
}

void deflater_begin(Deflater *deflater) {
    deflateReset(&deflater->stream);
}

bool deflater_add(Deflater *deflater, const uint8_t *data, size_t size, bool last,
                  Bytes *out) {
    z_stream *stream = &deflater->stream;
    stream->next_in = (Bytef *)(uintptr_t)data; /* read only, though not const */
    stream->avail_in = (uInt)size;
    do {
        if (!bytes_reserve(out, PIECE))
            return false;
        stream->next_out = out->data + out->size;
        stream->avail_out = PIECE;
        if (deflate(stream, last ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR)
            return false;
        out->size += PIECE - stream->avail_out;
    } while (stream->avail_out == 0);
    return true;
}

uint32_t deflate_crc32(uint32_t crc, const uint8_t *data, size_t size) {
    return (uint32_t)crc32_z(crc, data, size);
}
