/* Deflate, as PNG wants it: a zlib stream, made in one go or in pieces.
 *
 * Two files implement this: deflate_isal.c where ISA-L is there, which is many times
 * faster, else deflate_zlib.c. */
#ifndef APP_DEFLATE_H
#define APP_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that grow; {0} is empty. The owner frees `data`. */
typedef struct Bytes {
    uint8_t *data;
    size_t size, capacity;
} Bytes;

/* Makes room for `more` bytes behind `size`. False, and nothing changed, without memory.
 */
bool bytes_reserve(Bytes *bytes, size_t more);

typedef struct Deflater Deflater;

/* For one stream after the other; NULL when there is no memory. The caller destroys it.
 */
Deflater *deflater_create(void);

/* NULL is fine. */
void deflater_destroy(Deflater *deflater);

/* Begins a new stream; what the last one lacked is forgotten. */
void deflater_begin(Deflater *deflater);

/* Compresses `size` bytes (fewer than 2^31) onto the end of `out`; `last` ends the
 * stream. False when there is no memory. */
bool deflater_add(Deflater *deflater, const uint8_t *data, size_t size, bool last,
                  Bytes *out);

/* The CRC-32 of PNG chunks, going on from `crc` (0 at first). */
uint32_t deflate_crc32(uint32_t crc, const uint8_t *data, size_t size);

#endif
