#include "files/npz.h"

#include "files/whole_file.h"

#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NPY_ALIGNMENT = 64,
    NPY_HEADER_MAX = 256,
    PIECE = 1024, /* cells turned into bytes at once */
    ZIP_ENTRIES_MAX = 0xFFFF,
    ZIP_UTF8 = 0x0800, /* a flag: names are UTF-8 */
    ZIP_DATE = 0x0021  /* 1 January 1980, the first that there is */
};

#define ZIP_BYTES_MAX 0xFFFFFFFFu

/* Bytes that grow; {0} is empty. The owner frees `data`. */
typedef struct Bytes {
    uint8_t *data;
    size_t size, capacity;
} Bytes;

/* A zip being written. */
typedef struct Zip {
    WholeFile file;
    uint64_t length;
    Bytes directory; /* the entries, as they come at the end */
    bool has_memory;
} Zip;

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

static void put_little(Bytes *out, uint64_t number, size_t size) {
    for (size_t i = 0; i < size; i++)
        out->data[out->size++] = i < sizeof number ? (uint8_t)(number >> 8 * i) : 0;
}

static void zip_add(Zip *zip, const void *bytes, size_t size) {
    whole_file_add(&zip->file, bytes, size);
    zip->length += size;
}

/* ---- one .npy ---- */

/* The header of a float64 matrix; blanks bring its length to the alignment. */
static size_t npy_header(char out[NPY_HEADER_MAX], const Tensor *tensor) {
    enum { MAGIC = 10 };
    int text = snprintf(out + MAGIC, NPY_HEADER_MAX - MAGIC,
                        "{'descr': '<f8', 'fortran_order': False, 'shape': (%zu, %zu), }",
                        tensor->rows, tensor->cols);
    size_t end = MAGIC + (size_t)text + 1;
    size_t length = (end + NPY_ALIGNMENT - 1) / NPY_ALIGNMENT * NPY_ALIGNMENT;
    memset(out + end - 1, ' ', length - end);
    out[length - 1] = '\n';
    memcpy(out, "\x93NUMPY\x01", 8); /* version 1.0, its zero included */
    out[8] = (char)((length - MAGIC) & 0xFF);
    out[9] = (char)((length - MAGIC) >> 8);
    return length;
}

/* Cells [first, first + count) as little-endian bytes; how many. */
static size_t cell_bytes(uint8_t out[8 * PIECE], const Tensor *tensor, size_t first,
                         size_t count) {
    Bytes bytes = {.data = out};
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &tensor->values[first + i], sizeof bits);
        put_little(&bytes, bits, 8);
    }
    return bytes.size;
}

/* Goes through a tensor's numbers: into the zip, or only their CRC-32 onto `crc`. */
static uint32_t each_cell(Zip *zip, const Tensor *tensor, uint32_t crc) {
    uint8_t piece[8 * PIECE];
    size_t cells = tensor_cells(tensor);
    for (size_t i = 0; i < cells; i += PIECE) {
        size_t size = cell_bytes(piece, tensor, i, cells - i < PIECE ? cells - i : PIECE);
        if (zip)
            zip_add(zip, piece, size);
        else
            crc = libdeflate_crc32(crc, piece, size);
    }
    return crc;
}

/* ---- the zip ---- */

/* What an entry's two headers share: version, flags, method 0, date, sums, lengths. */
static void put_entry(Bytes *out, uint32_t crc, size_t size, size_t name_length) {
    put_little(out, 20, 2);
    put_little(out, ZIP_UTF8, 2);
    put_little(out, 0, 2);
    put_little(out, 0, 2);
    put_little(out, ZIP_DATE, 2);
    put_little(out, crc, 4);
    put_little(out, size, 4);
    put_little(out, size, 4);
    put_little(out, name_length, 2);
    put_little(out, 0, 2);
}

static void put_name(Bytes *out, const char *name) {
    memcpy(out->data + out->size, name, strlen(name));
    memcpy(out->data + out->size + strlen(name), ".npy", 4);
    out->size += strlen(name) + 4;
}

static void add_tensor(Zip *zip, const NpzTensor *item) {
    char header[NPY_HEADER_MAX];
    size_t header_length = npy_header(header, item->tensor);
    size_t name_length = strlen(item->name) + 4;
    size_t size = header_length + 8 * tensor_cells(item->tensor);
    uint32_t crc = libdeflate_crc32(0, header, header_length);
    uint64_t place = zip->length;
    Bytes local = {0};
    zip->has_memory = zip->has_memory && bytes_reserve(&local, 30 + name_length) &&
                      bytes_reserve(&zip->directory, 46 + name_length);
    if (zip->has_memory) {
        crc = each_cell(NULL, item->tensor, crc);
        put_little(&local, 0x04034B50, 4);
        put_entry(&local, crc, size, name_length);
        put_name(&local, item->name);
        zip_add(zip, local.data, local.size);
        zip_add(zip, header, header_length);
        each_cell(zip, item->tensor, 0);
        put_little(&zip->directory, 0x02014B50, 4);
        put_little(&zip->directory, 20, 2);
        put_entry(&zip->directory, crc, size, name_length);
        put_little(&zip->directory, 0, 10); /* comment, disk, attributes */
        put_little(&zip->directory, place, 4);
        put_name(&zip->directory, item->name);
    }
    free(local.data);
}

/* More entries than two bytes can count are counted in a record of their own. */
static void put_large_end(Bytes *out, size_t count, uint64_t place, size_t size) {
    uint64_t here = place + size;
    put_little(out, 0x06064B50, 4);
    put_little(out, 44, 8);
    put_little(out, 45, 2);
    put_little(out, 45, 2);
    put_little(out, 0, 8); /* disks */
    put_little(out, count, 8);
    put_little(out, count, 8);
    put_little(out, size, 8);
    put_little(out, place, 8);
    put_little(out, 0x07064B50, 4);
    put_little(out, 0, 4);
    put_little(out, here, 8);
    put_little(out, 1, 4);
}

static void add_end(Zip *zip, size_t count) {
    uint8_t room[128];
    Bytes out = {.data = room, .capacity = sizeof room};
    uint64_t place = zip->length;
    size_t size = zip->directory.size;
    bool large = count >= ZIP_ENTRIES_MAX;
    zip_add(zip, zip->directory.data, size);
    if (large)
        put_large_end(&out, count, place, size);
    put_little(&out, 0x06054B50, 4);
    put_little(&out, 0, 4);
    put_little(&out, large ? ZIP_ENTRIES_MAX : count, 2);
    put_little(&out, large ? ZIP_ENTRIES_MAX : count, 2);
    put_little(&out, size, 4);
    put_little(&out, place, 4);
    put_little(&out, 0, 2);
    zip_add(zip, out.data, out.size);
}

bool npz_write(const char *path, const NpzTensor *tensors, size_t count, Error *error) {
    Zip zip = {.has_memory = true};
    bool fits = true;
    whole_file_begin(&zip.file, path);
    for (size_t i = 0; i < count && zip.has_memory && fits; i++) {
        add_tensor(&zip, &tensors[i]);
        fits = zip.length + zip.directory.size < ZIP_BYTES_MAX - 256;
    }
    if (zip.has_memory && fits)
        add_end(&zip, count);
    else
        whole_file_drop(&zip.file);
    free(zip.directory.data);
    if (!zip.has_memory)
        return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for '%s'", path);
    return fits ? whole_file_end(&zip.file, error)
                : error_set(error, ERROR_LIMIT, 0, 0,
                            "'%s' would be larger than 4 GiB; take a smaller lesson",
                            path);
}
