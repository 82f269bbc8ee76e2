/* safetensors files: named tensors and metadata.
 *
 * A file is the header's length (8 bytes, little-endian), a JSON header with each
 * tensor's type, axes and offsets, and the numbers, without gaps. Reading trusts nothing:
 * lengths, offsets, types and names are all checked before the first number is read, and
 * memory comes only from the arena given. Numbers stay in the file's bytes, which must
 * outlive the result, and are converted to doubles one by one on request; integers are
 * not converted. Source: huggingface/safetensors, README, "Format". */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stdint.h>

enum {
    /* Limit of the header in bytes: about a hundred thousand tensors. The format allows
     * six times as many, but a header is parsed whole and takes up to thirty times its
     * length in memory. */
    SAFETENSORS_MAX_HEADER = 1 << 24,
    SAFETENSORS_MAX_AXES = 8
};

typedef enum SafetensorsType {
    SAFETENSORS_F64,
    SAFETENSORS_F32,
    SAFETENSORS_F16,  /* IEEE 754 half precision */
    SAFETENSORS_BF16, /* the upper half of an F32 */
    SAFETENSORS_I64,  /* integers, which files have beside weights */
    SAFETENSORS_I32,
    SAFETENSORS_U8,
    SAFETENSORS_BOOL,
    SAFETENSORS_TYPE_COUNT
} SafetensorsType;

/* Name of a type: "F64", "F32", "F16", "BF16", …; whether it is one of these four; bytes
 * of one number. */
const char *safetensors_type_name(SafetensorsType type);
bool safetensors_type_is_real(SafetensorsType type);
size_t safetensors_type_size(SafetensorsType type);

/* Row-major. Without axes it is one number; an axis of 0 means no numbers. */
typedef struct SafetensorsTensor {
    const char *name;
    SafetensorsType type;
    size_t axis_count;
    size_t axes[SAFETENSORS_MAX_AXES];
    size_t cells;
    const uint8_t *bytes; /* bytes of a tensor that was read; borrowed from the file */
    const double *values; /* numbers of a tensor to be written; borrowed */
} SafetensorsTensor;

/* A key and value of the header's `__metadata__`. */
typedef struct SafetensorsNote {
    const char *key, *text;
} SafetensorsNote;

typedef struct Safetensors {
    size_t count;
    const SafetensorsTensor *tensors;
    size_t note_count;
    const SafetensorsNote *notes;
} Safetensors;

/* Reads a file's `length` bytes; tensors and notes are then sorted by name, and all but
 * the numbers is new in the arena. `file` names the file in messages. ERROR_SYNTAX for a
 * header that is damaged or not JSON, ERROR_ENCODING, ERROR_NAME for a repeated name,
 * ERROR_VALUE for an unknown type, ERROR_SHAPE for offsets that contradict the axes,
 * overlap or leave a gap, ERROR_LIMIT, ERROR_MEMORY. */
bool safetensors_read(Safetensors *read, Arena *arena, const char *file,
                      const uint8_t *bytes, size_t length, Error *error);

/* Returns the tensor of that name, or the text of that key, in a file that was read; NULL
 * if there is none. */
const SafetensorsTensor *safetensors_tensor(const Safetensors *read, const char *name);
const char *safetensors_note(const Safetensors *read, const char *key);

/* Reports whether two files have the same header: names, types, axes and notes. `own`
 * must have been written by safetensors_write; the other may be any file. */
bool safetensors_same_header(const uint8_t *own, const uint8_t *other,
                             size_t other_length);

/* Fails with "FILE: " before the message. */
bool safetensors_fail(Error *error, ErrorCode code, const char *file, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));

/* Converts cells [first, first + count) of a tensor that was read to doubles, exactly. */
void safetensors_values(double *out, const SafetensorsTensor *tensor, size_t first,
                        size_t count);

/* Reports whether all numbers of all tensors are finite. ERROR_VALUE names the tensor and
 * the cell of the first that isn't. */
bool safetensors_check_finite(const Safetensors *read, const char *file, Error *error);

/* Writes tensors, in the order given, and notes to *length bytes, new in the arena; equal
 * input gives equal bytes. The header's length is a multiple of 8. Types are F64 and F32;
 * an F32 is rounded to nearest, ties to even. Names and keys must differ and be UTF-8.
 * ERROR_VALUE for a number outside F32's range, ERROR_LIMIT, ERROR_MEMORY. */
bool safetensors_write(Arena *arena, const Safetensors *file, uint8_t **bytes,
                       size_t *length, Error *error);
