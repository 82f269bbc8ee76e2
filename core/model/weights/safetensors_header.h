/* The header of a safetensors file: JSON of one fixed form, read strictly.
 *
 *   {"__metadata__": {KEY: TEXT, …},
 *    NAME: {"dtype": "F64", "shape": [2, 3], "data_offsets": [0, 48]}, …}
 *
 * A general reader of JSON would first build whatever a hostile file describes; this one
 * stops at the first thing that can't stand there. Only safetensors.c includes this. */
#ifndef MODEL_SAFETENSORS_HEADER_H
#define MODEL_SAFETENSORS_HEADER_H

#include "model/weights/safetensors.h"

typedef struct SafetensorsHeader {
    Arena *arena;
    const char *file;    /* for sentences */
    const uint8_t *text; /* `length` bytes */
    size_t length, at;
    const uint8_t *data; /* what the offsets count from: `data_length` bytes */
    size_t data_length;
    Error *error;
    /* What was read; arrays that grow in the arena. */
    size_t count, capacity, note_count, note_capacity;
    SafetensorsTensor *tensors;
    SafetensorsNote *notes;
} SafetensorsHeader;

/* Reads all of the text. Tensors are checked one by one, not against each other; so are
 * notes. ERROR_SYNTAX, ERROR_VALUE, ERROR_SHAPE, ERROR_NAME, ERROR_LIMIT, ERROR_MEMORY.
 */
bool safetensors_header_read(SafetensorsHeader *header);

/* Fails with "FILE: " before the sentence. */
bool safetensors_fail(Error *error, ErrorCode code, const char *file, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));

#endif
