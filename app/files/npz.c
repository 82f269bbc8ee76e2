#include "files/files.h"

#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NPY_ALIGNMENT = 64,
    NPY_HEADER_MAX = 256,
    PIECE = 1024 /* cells turned into bytes at once */
};

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
        bytes_put_little(&bytes, bits, 8);
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

/* ---- all of them ---- */

static void add_tensor(Zip *zip, const NpzTensor *item) {
    char header[NPY_HEADER_MAX];
    size_t header_length = npy_header(header, item->tensor);
    size_t size = header_length + 8 * tensor_cells(item->tensor);
    size_t name_size = strlen(item->name) + sizeof ".npy";
    char *name = malloc(name_size);
    zip->has_memory = zip->has_memory && name;
    if (!zip->has_memory) {
        free(name);
        return;
    }
    snprintf(name, name_size, "%s.npy", item->name);
    uint32_t crc = libdeflate_crc32(0, header, header_length);
    zip_begin_entry(zip, name, each_cell(NULL, item->tensor, crc), size);
    zip_add(zip, header, header_length);
    each_cell(zip, item->tensor, 0);
    free(name);
}

bool npz_write(const char *path, const NpzTensor *tensors, size_t count, Error *error) {
    Zip zip;
    zip_begin(&zip, path);
    for (size_t i = 0; i < count && zip.has_memory && zip.fits; i++)
        add_tensor(&zip, &tensors[i]);
    return zip_end(&zip, error);
}
