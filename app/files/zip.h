/* Zip files, not compressed: the same entries give the same bytes, without time or
 * machine. Written whole or not at all.
 * Source: PKWARE, APPNOTE.TXT 6.3.10. */
#pragma once

#include "files/whole_file.h"

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

/* Puts a number's lowest `size` bytes there, for which there is room. */
void bytes_put_little(Bytes *out, uint64_t number, size_t size);

/* A zip being written. */
typedef struct Zip {
    WholeFile file;
    const char *path;
    uint64_t length;
    size_t count;    /* of entries */
    Bytes directory; /* these, as they come at the end */
    bool has_memory, fits;
} Zip;

/* The path is borrowed. What goes wrong shows when it ends. */
void zip_begin(Zip *zip, const char *path);

/* Begins an entry of `size` bytes with that CRC-32; zip_add then appends them. */
void zip_begin_entry(Zip *zip, const char *name, uint32_t crc, size_t size);
void zip_add(Zip *zip, const void *bytes, size_t size);

/* An entry all at once. */
void zip_put(Zip *zip, const char *name, const void *bytes, size_t size);

/* ERROR_FILE, ERROR_MEMORY; ERROR_LIMIT past the 4 GiB that a zip of this form can hold.
 */
bool zip_end(Zip *zip, Error *error);
