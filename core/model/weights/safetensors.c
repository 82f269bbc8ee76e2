#include "model/weights/safetensors.h"

#include "base/utf8.h"
#include "model/weights/safetensors_header.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t size;
} types[SAFETENSORS_TYPE_COUNT] = {
    [SAFETENSORS_F64] = {"F64", 8},
    [SAFETENSORS_F32] = {"F32", 4},
    [SAFETENSORS_F16] = {"F16", 2},
    [SAFETENSORS_BF16] = {"BF16", 2},
};

const char *safetensors_type_name(SafetensorsType type) {
    return types[type].name;
}

size_t safetensors_type_size(SafetensorsType type) {
    return types[type].size;
}

enum { LENGTH_SIZE = 8, ALIGNMENT = 8 };

/* ---- reading ---- */

static uint64_t read_little(const uint8_t *bytes, size_t size) {
    uint64_t number = 0;
    for (size_t i = size; i > 0; i--)
        number = number << 8 | bytes[i - 1];
    return number;
}

/* The header within the bytes, and what lies behind it. */
static bool find_header(SafetensorsHeader *header, const uint8_t *bytes, size_t length) {
    if (length < LENGTH_SIZE)
        return safetensors_fail(header->error, ERROR_SYNTAX, header->file,
                                "it has only %zu bytes; a safetensors file begins with 8 "
                                "that say how long its header is",
                                length);
    uint64_t header_length = read_little(bytes, LENGTH_SIZE);
    if (header_length > SAFETENSORS_MAX_HEADER)
        return safetensors_fail(header->error, ERROR_LIMIT, header->file,
                                "its header would be %llu bytes long, but a safetensors "
                                "file's has at most %d; is it another kind of file?",
                                (unsigned long long)header_length,
                                SAFETENSORS_MAX_HEADER);
    if (header_length > length - LENGTH_SIZE)
        return safetensors_fail(header->error, ERROR_SYNTAX, header->file,
                                "its header is said to be %llu bytes long, but only %zu "
                                "follow; is the file cut short?",
                                (unsigned long long)header_length, length - LENGTH_SIZE);
    header->text = bytes + LENGTH_SIZE;
    header->length = (size_t)header_length;
    header->data = header->text + header->length;
    header->data_length = length - LENGTH_SIZE - header->length;
    size_t valid = utf8_check((const char *)header->text, header->length);
    return valid == header->length ||
           safetensors_fail(header->error, ERROR_ENCODING, header->file,
                            "its header is not UTF-8 at byte %zu; save the file again",
                            valid);
}

static int compare_places(const void *left, const void *right) {
    const SafetensorsTensor *a = left, *b = right;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? -1 : 1;
    return (a->cells > b->cells) - (a->cells < b->cells);
}

static int compare_names(const void *left, const void *right) {
    const SafetensorsTensor *a = left, *b = right;
    return strcmp(a->name, b->name);
}

static int compare_keys(const void *left, const void *right) {
    const SafetensorsNote *a = left, *b = right;
    return strcmp(a->key, b->key);
}

/* qsort, which may not be given nothing. */
static void sort(void *items, size_t count, size_t size,
                 int (*compare)(const void *, const void *)) {
    if (count)
        qsort(items, count, size, compare);
}

/* Whether the numbers lie one behind the other, from the first byte to the last. */
static bool check_places(SafetensorsHeader *header) {
    char name[UTF8_SHORT_SIZE];
    const uint8_t *end = header->data;
    sort(header->tensors, header->count, sizeof *header->tensors, compare_places);
    for (size_t i = 0; i < header->count; i++) {
        const SafetensorsTensor *tensor = &header->tensors[i];
        if (tensor->bytes != end)
            return safetensors_fail(
                header->error, ERROR_SHAPE, header->file,
                "the numbers of '%s' begin at byte %zu, but those before them end at "
                "%zu; they must follow without overlap or gap",
                utf8_shorten(name, tensor->name, strlen(tensor->name)),
                (size_t)(tensor->bytes - header->data), (size_t)(end - header->data));
        end += tensor->cells * safetensors_type_size(tensor->type);
    }
    size_t used = (size_t)(end - header->data);
    return used == header->data_length ||
           safetensors_fail(header->error, ERROR_SHAPE, header->file,
                            "it has %zu bytes behind its last tensor; there must be none",
                            header->data_length - used);
}

/* Sorts by name; names that come twice are then neighbours. */
static bool check_names(SafetensorsHeader *header) {
    char name[UTF8_SHORT_SIZE];
    const char *twice = NULL;
    sort(header->tensors, header->count, sizeof *header->tensors, compare_names);
    sort(header->notes, header->note_count, sizeof *header->notes, compare_keys);
    for (size_t i = 1; i < header->count && !twice; i++) {
        if (strcmp(header->tensors[i - 1].name, header->tensors[i].name) == 0)
            twice = header->tensors[i].name;
    }
    for (size_t i = 1; i < header->note_count && !twice; i++) {
        if (strcmp(header->notes[i - 1].key, header->notes[i].key) == 0)
            twice = header->notes[i].key;
    }
    return !twice || safetensors_fail(header->error, ERROR_NAME, header->file,
                                      "it has '%s' twice; names must differ",
                                      utf8_shorten(name, twice, strlen(twice)));
}

bool safetensors_read(Safetensors *read, Arena *arena, const char *file,
                      const uint8_t *bytes, size_t length, Error *error) {
    SafetensorsHeader header = {.arena = arena, .file = file, .error = error};
    if (!find_header(&header, bytes, length) || !safetensors_header_read(&header))
        return false;
    if (!check_places(&header) || !check_names(&header))
        return false;
    *read = (Safetensors){header.count, header.tensors, header.note_count, header.notes};
    return true;
}

const SafetensorsTensor *safetensors_tensor(const Safetensors *read, const char *name) {
    SafetensorsTensor wanted = {.name = name};
    return read->count ? bsearch(&wanted, read->tensors, read->count, sizeof wanted,
                                 compare_names)
                       : NULL;
}

const char *safetensors_note(const Safetensors *read, const char *key) {
    SafetensorsNote wanted = {.key = key};
    const SafetensorsNote *note =
        read->note_count
            ? bsearch(&wanted, read->notes, read->note_count, sizeof wanted, compare_keys)
            : NULL;
    return note ? note->text : NULL;
}

/* ---- numbers ---- */

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
    case SAFETENSORS_TYPE_COUNT:
        break;
    }
}

/* "[1,0]": the place of a cell along the axes. */
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
        size_t cell = find_not_finite(tensor, &value);
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

/* Text that is first counted, then written. */
typedef struct Writer {
    char *out; /* NULL while counting */
    size_t length;
} Writer;

static void put(Writer *writer, const char *text) {
    size_t length = strlen(text);
    if (writer->out)
        memcpy(writer->out + writer->length, text, length);
    writer->length += length;
}

static void put_number(Writer *writer, size_t number) {
    char digits[32];
    snprintf(digits, sizeof digits, "%zu", number);
    put(writer, digits);
}

static void put_string(Writer *writer, const char *text) {
    put(writer, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char sign[8] = {(char)c, 0};
        if (c < 0x20)
            snprintf(sign, sizeof sign, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            snprintf(sign, sizeof sign, "\\%c", c);
        put(writer, sign);
    }
    put(writer, "\"");
}

static void put_notes(Writer *writer, const Safetensors *file) {
    put(writer, "\"__metadata__\":{");
    for (size_t i = 0; i < file->note_count; i++) {
        put(writer, i ? "," : "");
        put_string(writer, file->notes[i].key);
        put(writer, ":");
        put_string(writer, file->notes[i].text);
    }
    put(writer, "}");
}

static void put_tensor(Writer *writer, const SafetensorsTensor *tensor, size_t *place) {
    put_string(writer, tensor->name);
    put(writer, ":{\"dtype\":\"");
    put(writer, safetensors_type_name(tensor->type));
    put(writer, "\",\"shape\":[");
    for (size_t i = 0; i < tensor->axis_count; i++) {
        put(writer, i ? "," : "");
        put_number(writer, tensor->axes[i]);
    }
    put(writer, "],\"data_offsets\":[");
    put_number(writer, *place);
    *place += tensor->cells * safetensors_type_size(tensor->type);
    put(writer, ",");
    put_number(writer, *place);
    put(writer, "]}");
}

/* The header, with blanks up to the alignment; gives the bytes of all numbers. */
static size_t put_header(Writer *writer, const Safetensors *file) {
    size_t place = 0;
    put(writer, "{");
    if (file->note_count)
        put_notes(writer, file);
    for (size_t i = 0; i < file->count; i++) {
        put(writer, i || file->note_count ? "," : "");
        put_tensor(writer, &file->tensors[i], &place);
    }
    put(writer, "}");
    while (writer->length % ALIGNMENT)
        put(writer, " ");
    return place;
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

bool safetensors_write(Arena *arena, const Safetensors *file, uint8_t **bytes,
                       size_t *length, Error *error) {
    Writer writer = {0};
    size_t data = put_header(&writer, file), header = writer.length;
    if (header > SAFETENSORS_MAX_HEADER)
        return error_set(error, ERROR_LIMIT, 0, 0,
                         "the names and notes need %zu bytes, but a safetensors file has "
                         "room for %d",
                         header, SAFETENSORS_MAX_HEADER);
    *length = LENGTH_SIZE + header + data;
    uint8_t *out = *bytes = arena_alloc(arena, *length, 1);
    if (!out)
        return error_set(error, ERROR_MEMORY, 0, 0,
                         "there is no memory for a file of %zu bytes", *length);
    write_little(out, header, LENGTH_SIZE);
    writer = (Writer){.out = (char *)out + LENGTH_SIZE};
    put_header(&writer, file);
    out += LENGTH_SIZE + header;
    for (size_t i = 0; i < file->count; i++) {
        const SafetensorsTensor *tensor = &file->tensors[i];
        if (!write_values(out, tensor, error))
            return false;
        out += tensor->cells * safetensors_type_size(tensor->type);
    }
    return true;
}
