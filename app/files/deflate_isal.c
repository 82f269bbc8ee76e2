#include "files/deflate.h"

#include <isa-l.h>
#include <stdlib.h>
#include <string.h>

/* Level 2 takes as long as level 1 here and gives slightly smaller files; level 3 takes
 * ten times as long. */
enum { LEVEL = 2, PIECE = 1 << 16 };

struct Deflater {
    struct isal_zstream stream;
    uint8_t work[ISAL_DEF_LVL2_DEFAULT];
};

Deflater *deflater_create(void) {
    return malloc(sizeof(Deflater));
}

/* What an earlier picture left in the tables would choose other matches of equal length.
 */
void deflater_begin(Deflater *deflater) {
    memset(deflater, 0, sizeof *deflater);
    isal_deflate_init(&deflater->stream);
    deflater->stream.level = LEVEL;
    deflater->stream.level_buf = deflater->work;
    deflater->stream.level_buf_size = sizeof deflater->work;
    deflater->stream.gzip_flag = IGZIP_ZLIB;
}

void deflater_destroy(Deflater *deflater) {
    free(deflater);
}

bool deflater_add(Deflater *deflater, const uint8_t *data, size_t size, bool last,
                  Bytes *out) {
    struct isal_zstream *stream = &deflater->stream;
    stream->next_in = (uint8_t *)(uintptr_t)data; /* read only, though not const */
    stream->avail_in = (uint32_t)size;
    stream->end_of_stream = last;
    do {
        if (!bytes_reserve(out, PIECE))
            return false;
        stream->next_out = out->data + out->size;
        stream->avail_out = PIECE;
        if (isal_deflate(stream) != COMP_OK)
            return false;
        out->size += PIECE - stream->avail_out;
    } while (stream->avail_out == 0);
    return true;
}

uint32_t deflate_crc32(uint32_t crc, const uint8_t *data, size_t size) {
    return crc32_gzip_refl(crc, data, size);
}
