#include "model/weights/safetensors.h"

#include "base/strings/utf8.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t size;
} types[SAFETENSORS_TYPE_COUNT] = {
    [SAFETENSORS_F64] = {"F64", 8}, [SAFETENSORS_F32] = {"F32", 4},
    [SAFETENSORS_F16] = {"F16", 2}, [SAFETENSORS_BF16] = {"BF16", 2},
    [SAFETENSORS_I64] = {"I64", 8}, [SAFETENSORS_I32] = {"I32", 4},
    [SAFETENSORS_U8] = {"U8", 1},   [SAFETENSORS_BOOL] = {"BOOL", 1},
};

const char *safetensors_type_name(SafetensorsType type) {
    return types[type].name;
}

bool safetensors_type_is_real(SafetensorsType type) {
    return type <= SAFETENSORS_BF16;
}

size_t safetensors_type_size(SafetensorsType type) {
    return types[type].size;
}

bool safetensors_fail(Error *error, ErrorCode code, const char *file, const char *format,
                      ...) {
    char name[UTF8_SHORT_SIZE], sentence[ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    utf8_shorten(name, file, strlen(file));
    return error_set(error, code, 0, 0, "%s: %.*s", name,
                     (int)(ERROR_MESSAGE_SIZE - sizeof name - 3), sentence);
}

/* ---- numbers ---- */

static uint64_t read_little(const uint8_t *bytes, size_t size) {
    uint64_t number = 0;
    for (size_t i = size; i > 0; i--)
        number = number << 8 | bytes[i - 1];
    return number;
}

static double of_f64(const uint8_t *bytes) {
    uint64_t bits = read_little(bytes, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double of_f32_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* A sign, five bits of exponent, ten of fraction. Source: IEEE 754-2008, section 3.4. */
static double of_f16(const uint8_t *bytes) {
    unsigned bits = (unsigned)read_little(bytes, 2);
    int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    double value = exponent == 31 ? (fraction ? NAN : INFINITY)
                   : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                  : ldexp(fraction, -24);
    return bits >> 15 ? -value : value;
}

void safetensors_values(double *out, const SafetensorsTensor *tensor, size_t first,
                        size_t count) {
    const uint8_t *bytes = tensor->bytes + first * safetensors_type_size(tensor->type);
    switch (tensor->type) {
    case SAFETENSORS_F64:
        for (size_t i = 0; i < count; i++)
            out[i] = of_f64(bytes + 8 * i);
        break;
    case SAFETENSORS_F32:
        for (size_t i = 0; i < count; i++)
            out[i] = of_f32_bits((uint32_t)read_little(bytes + 4 * i, 4));
        break;
    case SAFETENSORS_F16:
        for (size_t i = 0; i < count; i++)
            out[i] = of_f16(bytes + 2 * i);
        break;
    case SAFETENSORS_BF16:
        for (size_t i = 0; i < count; i++)
            out[i] = of_f32_bits((uint32_t)read_little(bytes + 2 * i, 2) << 16);
        break;
    case SAFETENSORS_I64:
    case SAFETENSORS_I32:
    case SAFETENSORS_U8:
    case SAFETENSORS_BOOL:
    case SAFETENSORS_TYPE_COUNT:
        break;
    }
}

/* "[1,0]": the index of a cell along the axes. */
static void write_place(char *out, size_t size, const SafetensorsTensor *tensor,
                        size_t cell) {
    size_t place[SAFETENSORS_MAX_AXES], used = 0;
    for (size_t i = tensor->axis_count; i > 0; i--) {
        place[i - 1] = cell % tensor->axes[i - 1];
        cell /= tensor->axes[i - 1];
    }
    out[0] = 0;
    for (size_t i = 0; i < tensor->axis_count && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%zu%s", i ? "," : " at [",
                                 place[i], i + 1 == tensor->axis_count ? "]" : "");
}

enum { PIECE = 256 };

/* The first cell whose number is not finite; `cells` when all are. */
static size_t find_not_finite(const SafetensorsTensor *tensor, double *value) {
    double piece[PIECE];
    for (size_t first = 0; first < tensor->cells; first += PIECE) {
        size_t count = tensor->cells - first < PIECE ? tensor->cells - first : PIECE;
        safetensors_values(piece, tensor, first, count);
        for (size_t i = 0; i < count; i++) {
            *value = piece[i];
            if (!isfinite(*value))
                return first + i;
        }
    }
    return tensor->cells;
}

bool safetensors_check_finite(const Safetensors *read, const char *file, Error *error) {
    char name[UTF8_SHORT_SIZE], place[100];
    for (size_t i = 0; i < read->count; i++) {
        const SafetensorsTensor *tensor = &read->tensors[i];
        double value = 0;
        size_t cell = safetensors_type_is_real(tensor->type)
                          ? find_not_finite(tensor, &value)
                          : tensor->cells;
        if (cell == tensor->cells)
            continue;
        write_place(place, sizeof place, tensor, cell);
        return safetensors_fail(error, ERROR_VALUE, file,
                                "'%s' is %s%s; all numbers must be finite",
                                utf8_shorten(name, tensor->name, strlen(tensor->name)),
                                isnan(value) ? "not a number"
                                : value > 0  ? "infinite"
                                             : "minus infinity",
                                place);
    }
    return true;
}

/* ---- writing ---- */

enum { LENGTH_SIZE = 8, ALIGNMENT = 8 };

/* Makes the header of a file to be written; *place is the size of all numbers in bytes.
 * NULL without memory. */
static json_t *make_header(const Safetensors *file, size_t *place) {
    json_t *header = json_object(), *notes = file->note_count ? json_object() : NULL;
    bool good = header;
    for (size_t i = 0; i < file->note_count; i++)
        good &= !json_object_set_new(notes, file->notes[i].key,
                                     json_string(file->notes[i].text));
    if (notes)
        good &= !json_object_set_new(header, "__metadata__", notes);
    *place = 0;
    for (size_t i = 0; i < file->count; i++) {
        const SafetensorsTensor *tensor = &file->tensors[i];
        size_t begin = *place;
        json_t *axes = json_array();
        for (size_t j = 0; j < tensor->axis_count; j++)
            good &=
                !json_array_append_new(axes, json_integer((json_int_t)tensor->axes[j]));
        *place += tensor->cells * safetensors_type_size(tensor->type);
        good &= !json_object_set_new(header, tensor->name,
                                     json_pack("{s:s, s:o, s:[I, I]}", "dtype",
                                               safetensors_type_name(tensor->type),
                                               "shape", axes, "data_offsets",
                                               (json_int_t)begin, (json_int_t)*place));
    }
    if (good)
        return header;
    json_decref(header);
    return NULL;
}

static void write_little(uint8_t *out, uint64_t number, size_t size) {
    for (size_t i = 0; i < size; i++)
        out[i] = (uint8_t)(number >> 8 * i);
}

static bool write_values(uint8_t *out, const SafetensorsTensor *tensor, Error *error) {
    size_t size = safetensors_type_size(tensor->type);
    for (size_t i = 0; i < tensor->cells; i++, out += size) {
        double value = tensor->values[i];
        float rounded = (float)value;
        uint64_t bits = 0;
        uint32_t short_bits;
        memcpy(&bits, &value, sizeof value);
        memcpy(&short_bits, &rounded, sizeof rounded);
        write_little(out, tensor->type == SAFETENSORS_F64 ? bits : short_bits, size);
        if (tensor->type == SAFETENSORS_F32 && isfinite(value) && !isfinite(rounded))
            return error_set(error, ERROR_VALUE, 0, 0,
                             "'%s' has the number %g, which F32 is too small for; write "
                             "F64",
                             tensor->name, value);
    }
    return true;
}

/* Bytes to be allocated. */
typedef struct Room {
    Arena *arena;
    size_t length;
    uint8_t *bytes; /* NULL: there is no memory */
} Room;

static void allocate(void *context) {
    Room *room = context;
    room->bytes = arena_alloc(room->arena, room->length, 1);
}

bool safetensors_write(Arena *arena, const Safetensors *file, uint8_t **bytes,
                       size_t *length, Error *error) {
    size_t data = 0;
    json_t *header = make_header(file, &data);
    errno = 0; /* jansson skips values it can't allocate; malloc sets errno */
    char *text = header ? json_dumps(header, JSON_COMPACT) : NULL;
    if (errno == ENOMEM) {
        free(text);
        text = NULL;
    }
    json_decref(header);
    size_t used = text ? strlen(text) : 0;
    size_t size = (used + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    *length = LENGTH_SIZE + size + data;
    Room room = {arena, *length, NULL};
    if (text)
        /* guarded by itself, so that the text is freed after a failure */
        arena_guard(arena, allocate, &room);
    uint8_t *out = *bytes = room.bytes;
    if (out) {
        write_little(out, size, LENGTH_SIZE);
        memset(out + LENGTH_SIZE, ' ', size);
        memcpy(out + LENGTH_SIZE, text, used);
    }
    free(text);
    if (!out)
        return error_set(error, ERROR_MEMORY, 0, 0,
                         "there is no memory for a file of %zu bytes", *length);
    if (size > SAFETENSORS_MAX_HEADER)
        return error_set(error, ERROR_LIMIT, 0, 0,
                         "the names and notes need %zu bytes, but there is room for %d",
                         size, SAFETENSORS_MAX_HEADER);
    out += LENGTH_SIZE + size;
    for (size_t i = 0; i < file->count; i++) {
        const SafetensorsTensor *tensor = &file->tensors[i];
        if (!write_values(out, tensor, error))
            return false;
        out += tensor->cells * safetensors_type_size(tensor->type);
    }
    return true;
}
