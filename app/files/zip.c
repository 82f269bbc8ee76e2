#include "files/files.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENTRIES_MAX = 0xFFFF,
    UTF8 = 0x0800, /* a flag: names are UTF-8 */
    DATE = 0x0021, /* 1 January 1980, the first that there is */
    END = 256      /* bytes behind the directory, at most */
};

#define BYTES_MAX 0xFFFFFFFFu

/* Makes room for `more` bytes behind `size`. False, and nothing changed, without memory.
 */
static bool bytes_reserve(Bytes *bytes, size_t more) {
    size_t needed = bytes->size + more;
    if (needed <= bytes->capacity)
        return true;
    uint8_t *data = realloc(bytes->data, 2 * needed);
    if (!data)
        return false;
    bytes->data = data;
    bytes->capacity = 2 * needed;
    return true;
}

void bytes_put_little(Bytes *out, uint64_t number, size_t size) {
    for (size_t i = 0; i < size; i++)
        out->data[out->size++] = i < sizeof number ? (uint8_t)(number >> 8 * i) : 0;
}

void zip_begin(Zip *zip, const char *path) {
    *zip = (Zip){.path = path, .has_memory = true, .fits = true};
    whole_file_begin(&zip->file, path);
}

void zip_add(Zip *zip, const void *bytes, size_t size) {
    if (!zip->has_memory || !zip->fits)
        return;
    whole_file_add(&zip->file, bytes, size);
    zip->length += size;
}

/* Writes the part that an entry's two headers share: version, flags, method 0, date,
 * sums, lengths. */
static void put_entry(Bytes *out, uint32_t crc, size_t size, size_t name_length) {
    bytes_put_little(out, 20, 2);
    bytes_put_little(out, UTF8, 2);
    bytes_put_little(out, 0, 2);
    bytes_put_little(out, 0, 2);
    bytes_put_little(out, DATE, 2);
    bytes_put_little(out, crc, 4);
    bytes_put_little(out, size, 4);
    bytes_put_little(out, size, 4);
    bytes_put_little(out, name_length, 2);
    bytes_put_little(out, 0, 2);
}

static void put_name(Bytes *out, const char *name, size_t length) {
    memcpy(out->data + out->size, name, length);
    out->size += length;
}

void zip_begin_entry(Zip *zip, const char *name, uint32_t crc, size_t size) {
    Bytes local = {0};
    size_t length = strlen(name);
    uint64_t place = zip->length, most = BYTES_MAX - END;
    zip->has_memory = zip->has_memory && bytes_reserve(&local, 30 + length) &&
                      bytes_reserve(&zip->directory, 46 + length);
    zip->fits = zip->fits && size < most &&
                place + zip->directory.size + size + 2 * length + 76 < most;
    if (zip->has_memory && zip->fits) {
        bytes_put_little(&local, 0x04034B50, 4);
        put_entry(&local, crc, size, length);
        put_name(&local, name, length);
        zip_add(zip, local.data, local.size);
        bytes_put_little(&zip->directory, 0x02014B50, 4);
        bytes_put_little(&zip->directory, 20, 2);
        put_entry(&zip->directory, crc, size, length);
        bytes_put_little(&zip->directory, 0, 10); /* comment, disk, attributes */
        bytes_put_little(&zip->directory, place, 4);
        put_name(&zip->directory, name, length);
        zip->count++;
    }
    free(local.data);
}

void zip_put(Zip *zip, const char *name, const void *bytes, size_t size) {
    zip_begin_entry(zip, name, libdeflate_crc32(0, bytes, size), size);
    zip_add(zip, bytes, size);
}

/* More entries than two bytes can count are counted in a record of their own. */
static void put_large_end(Bytes *out, size_t count, uint64_t place, size_t size) {
    uint64_t here = place + size;
    bytes_put_little(out, 0x06064B50, 4);
    bytes_put_little(out, 44, 8);
    bytes_put_little(out, 45, 2);
    bytes_put_little(out, 45, 2);
    bytes_put_little(out, 0, 8); /* disks */
    bytes_put_little(out, count, 8);
    bytes_put_little(out, count, 8);
    bytes_put_little(out, size, 8);
    bytes_put_little(out, place, 8);
    bytes_put_little(out, 0x07064B50, 4);
    bytes_put_little(out, 0, 4);
    bytes_put_little(out, here, 8);
    bytes_put_little(out, 1, 4);
}

static void add_end(Zip *zip) {
    size_t count = zip->count;
    uint8_t room[128];
    Bytes out = {.data = room, .capacity = sizeof room};
    uint64_t place = zip->length;
    size_t size = zip->directory.size;
    bool large = count >= ENTRIES_MAX;
    zip_add(zip, zip->directory.data, size);
    if (large)
        put_large_end(&out, count, place, size);
    bytes_put_little(&out, 0x06054B50, 4);
    bytes_put_little(&out, 0, 4);
    bytes_put_little(&out, large ? ENTRIES_MAX : count, 2);
    bytes_put_little(&out, large ? ENTRIES_MAX : count, 2);
    bytes_put_little(&out, size, 4);
    bytes_put_little(&out, place, 4);
    bytes_put_little(&out, 0, 2);
    zip_add(zip, out.data, out.size);
}

bool zip_end(Zip *zip, Error *error) {
    bool whole = zip->has_memory && zip->fits;
    if (whole)
        add_end(zip);
    else
        whole_file_drop(&zip->file);
    free(zip->directory.data);
    zip->directory = (Bytes){0};
    if (whole)
        return whole_file_end(&zip->file, error);
    if (!zip->has_memory)
        return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for '%s'",
                         zip->path);
    return error_set(error, ERROR_LIMIT, 0, 0,
                     "'%s' would be larger than 4 GiB; take a smaller lesson", zip->path);
}
