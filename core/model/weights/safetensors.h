/* safetensors files: named tensors, and notes, in bytes.
 *
 * A file is the header's length (8 bytes, little-endian), a header of JSON that says of
 * every tensor its type, its axes and where its numbers lie, and the numbers, without
 * gaps. Reading trusts nothing: lengths, places, types and names are all checked before
 * the first number is looked at, and memory is only taken from the arena given. Numbers
 * stay where they are in the bytes, which must outlive what was read, and become doubles
 * one by one when asked for; whole numbers don't. Source: huggingface/safetensors,
 * README, "Format". */
#ifndef MODEL_SAFETENSORS_H
#define MODEL_SAFETENSORS_H

#include "base/arena.h"
#include "base/error.h"

#include <stdint.h>

enum {
    /* Bytes of a header: a hundred thousand tensors'. The format has room for six times
     * as many, but a header is read whole, and takes up to thirty times its length. */
    SAFETENSORS_MAX_HEADER = 1 << 24,
    SAFETENSORS_MAX_AXES = 8
};

typedef enum SafetensorsType {
    SAFETENSORS_F64,
    SAFETENSORS_F32,
    SAFETENSORS_F16,  /* IEEE 754 half precision */
    SAFETENSORS_BF16, /* the upper half of an F32 */
    SAFETENSORS_I64,  /* whole numbers, which files have beside weights */
    SAFETENSORS_I32,
    SAFETENSORS_U8,
    SAFETENSORS_BOOL,
    SAFETENSORS_TYPE_COUNT
} SafetensorsType;

/* "F64", "F32", "F16", "BF16", …; whether it is one of these four; the bytes of one
 * number. */
const char *safetensors_type_name(SafetensorsType type);
bool safetensors_type_is_real(SafetensorsType type);
size_t safetensors_type_size(SafetensorsType type);

/* Row-major; no axis at all is one number, an axis of 0 none. */
typedef struct SafetensorsTensor {
    const char *name;
    SafetensorsType type;
    size_t axis_count;
    size_t axes[SAFETENSORS_MAX_AXES];
    size_t cells;
    const uint8_t *bytes; /* of one that was read; borrowed from the file's */
    const double *values; /* of one to be written; borrowed */
} SafetensorsTensor;

/* A pair of the header's `__metadata__`. */
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
 * the numbers is new in the arena. `file` names the file in sentences. ERROR_SYNTAX for a
 * header that is damaged or not JSON, ERROR_ENCODING, ERROR_NAME for a name that comes
 * twice, ERROR_VALUE for a type that can't be read, ERROR_SHAPE for numbers that lie
 * elsewhere than their axes say, overlap or leave a gap, ERROR_LIMIT, ERROR_MEMORY. */
bool safetensors_read(Safetensors *read, Arena *arena, const char *file,
                      const uint8_t *bytes, size_t length, Error *error);

/* The tensor of that name, or the text of that key, in what was read; NULL when there is
 * none. */
const SafetensorsTensor *safetensors_tensor(const Safetensors *read, const char *name);
const char *safetensors_note(const Safetensors *read, const char *key);

/* Fails with "FILE: " before the sentence. */
bool safetensors_fail(Error *error, ErrorCode code, const char *file, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));

/* Cells [first, first + count) of a tensor that was read, exactly, as doubles. */
void safetensors_values(double *out, const SafetensorsTensor *tensor, size_t first,
                        size_t count);

/* Whether all numbers of all tensors are finite. ERROR_VALUE naming the tensor and the
 * cell of the first that isn't. */
bool safetensors_check_finite(const Safetensors *read, const char *file, Error *error);

/* Makes a file of tensors, in the order given, and notes: *length bytes, new in the
 * arena, the same for the same input. The header's length is a multiple of 8. F64 and F32
 * are written; an F32 is rounded to the nearest, of two as near to the even one. Names
 * and keys must differ and be UTF-8. ERROR_VALUE for a number that F32 is too small for,
 * ERROR_LIMIT, ERROR_MEMORY. */
bool safetensors_write(Arena *arena, const Safetensors *file, uint8_t **bytes,
                       size_t *length, Error *error);

#endif
