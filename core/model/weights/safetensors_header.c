#include "model/weights/safetensors_header.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

typedef SafetensorsHeader Header;

static bool no_memory(Header *header) {
    return safetensors_fail(header->error, ERROR_MEMORY, header->file,
                            "its header needs more memory than it may use");
}

/* ---- JSON ---- */

static bool expected(Header *header, const char *what) {
    return safetensors_fail(header->error, ERROR_SYNTAX, header->file,
                            "the header can't be read: at its byte %zu there should be "
                            "%s; save the file again",
                            header->at, what);
}

/* The next byte that is not blank; 0 at the end, and for a zero, which JSON has not. */
static uint8_t peek(Header *header) {
    while (header->at < header->length && header->text[header->at] &&
           strchr(" \t\r\n", header->text[header->at]))
        header->at++;
    return header->at < header->length ? header->text[header->at] : 0;
}

static bool take(Header *header, char sign, const char *what) {
    if (peek(header) != (uint8_t)sign)
        return expected(header, what);
    header->at++;
    return true;
}

/* Behind an item of an object or a list: whether another one follows. */
static bool take_next(Header *header, char end, bool *more) {
    uint8_t sign = peek(header);
    *more = sign == ',';
    if (sign != ',' && sign != (uint8_t)end)
        return expected(header, end == '}' ? "',' or '}'" : "',' or ']'");
    header->at++;
    return true;
}

/* Begins an object or a list: whether there is anything in it. */
static bool take_begin(Header *header, const char signs[2], const char *what,
                       bool *more) {
    if (!take(header, signs[0], what))
        return false;
    *more = peek(header) != (uint8_t)signs[1];
    header->at += !*more;
    return true;
}

static bool read_hex(Header *header, uint32_t *code) {
    *code = 0;
    for (int i = 0; i < 4; i++, header->at++) {
        uint8_t c = header->at < header->length ? header->text[header->at] : 0;
        uint8_t low = c | 0x20;
        bool is_digit = c >= '0' && c <= '9';
        if (!is_digit && !(low >= 'a' && low <= 'f'))
            return expected(header, "four hexadecimal digits");
        *code = *code << 4 | (uint32_t)(is_digit ? c - '0' : low - 'a' + 10);
    }
    return true;
}

/* What follows \u: a code point, of which two halves may stand behind one another. */
static bool read_code_point(Header *header, char out[4], size_t *length) {
    uint32_t code, low = 0;
    if (!read_hex(header, &code))
        return false;
    if (code >= 0xD800 && code < 0xDC00) {
        if (header->length - header->at < 6 || header->text[header->at] != '\\' ||
            header->text[header->at + 1] != 'u')
            return expected(header, "the second half of a code point");
        header->at += 2;
        if (!read_hex(header, &low))
            return false;
        if (low < 0xDC00 || low > 0xDFFF)
            return expected(header, "the second half of a code point");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code == 0 || (code >= 0xDC00 && code <= 0xDFFF)) {
        return expected(header, "a code point that a text can have");
    }
    *length = utf8_encode(code, out);
    return true;
}

static bool read_escape(Header *header, char out[4], size_t *length) {
    static const char signs[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    uint8_t sign = header->at < header->length ? header->text[header->at] : 0;
    const char *known = sign ? strchr(signs, sign) : NULL;
    if (sign == 'u') {
        header->at++;
        return read_code_point(header, out, length);
    }
    if (!known)
        return expected(header, "one of \" \\ / b f n r t u");
    header->at++;
    out[0] = meanings[known - signs];
    *length = 1;
    return true;
}

/* Where a string that begins at `at` ends at the latest. */
static size_t string_end(const Header *header) {
    size_t end = header->at;
    while (end < header->length && header->text[end] != '"')
        end += header->text[end] == '\\' ? 2 : 1;
    return end < header->length ? end : header->length;
}

/* An escape is never shorter than what it stands for. */
static bool read_string(Header *header, const char *what, const char **string) {
    if (!take(header, '"', what))
        return false;
    char *copy = arena_alloc(header->arena, string_end(header) - header->at + 1, 1);
    size_t length = 0;
    if (!copy)
        return no_memory(header);
    for (;;) {
        uint8_t c = header->at < header->length ? header->text[header->at] : 0;
        if (c == '"')
            break;
        if (c < 0x20)
            return expected(header, "a character, or the quote that ends a text");
        header->at++;
        if (c != '\\') {
            copy[length++] = (char)c;
            continue;
        }
        char escaped[4];
        size_t count = 0;
        if (!read_escape(header, escaped, &count))
            return false;
        memcpy(copy + length, escaped, count);
        length += count;
    }
    header->at++;
    *string = copy;
    return true;
}

static bool read_whole(Header *header, size_t *number) {
    uint8_t c = peek(header);
    size_t begin = header->at;
    *number = 0;
    if (c < '0' || c > '9')
        return expected(header, "a whole number");
    for (; header->at < header->length; header->at++) {
        c = header->text[header->at];
        if (c < '0' || c > '9')
            break;
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (size_t)(c - '0'), number)) {
            header->at = begin;
            return expected(header, "a smaller number");
        }
    }
    bool has_zeros = header->text[begin] == '0' && header->at - begin > 1;
    if (has_zeros || c == '.' || c == 'e' || c == 'E') {
        header->at = begin;
        return expected(header, "a whole number");
    }
    return true;
}

/* A list of at most `most` whole numbers. */
static bool read_numbers(Header *header, size_t most, size_t *numbers, size_t *count) {
    bool more;
    *count = 0;
    if (!take_begin(header, "[]", "a list of numbers", &more))
        return false;
    while (more) {
        if (*count == most)
            return safetensors_fail(header->error, ERROR_LIMIT, header->file,
                                    "the header has a list of more than %zu numbers at "
                                    "its byte %zu",
                                    most, header->at);
        if (!read_whole(header, &numbers[(*count)++]) || !take_next(header, ']', &more))
            return false;
    }
    return true;
}

/* ---- what it says ---- */

/* Room for one more item behind `count`. */
static bool grow(Header *header, void **items, size_t count, size_t *capacity,
                 size_t size) {
    if (count < *capacity)
        return true;
    size_t wanted = *capacity ? 2 * *capacity : 16;
    void *larger = arena_alloc(header->arena, wanted, size);
    if (!larger)
        return no_memory(header);
    if (count)
        memcpy(larger, *items, count * size);
    *items = larger;
    *capacity = wanted;
    return true;
}

static bool read_notes(Header *header) {
    bool more;
    if (!take_begin(header, "{}", "'{'", &more))
        return false;
    while (more) {
        SafetensorsNote note;
        if (!read_string(header, "a key in quotes", &note.key) ||
            !take(header, ':', "':'") ||
            !read_string(header, "a text in quotes", &note.text) ||
            !take_next(header, '}', &more) ||
            !grow(header, (void **)&header->notes, header->note_count,
                  &header->note_capacity, sizeof note))
            return false;
        header->notes[header->note_count++] = note;
    }
    return true;
}

static bool read_type(Header *header, SafetensorsTensor *tensor) {
    char name[UTF8_SHORT_SIZE], type[UTF8_SHORT_SIZE];
    const char *word;
    if (!read_string(header, "a type in quotes", &word))
        return false;
    for (size_t i = 0; i < SAFETENSORS_TYPE_COUNT; i++) {
        if (strcmp(safetensors_type_name((SafetensorsType)i), word) == 0) {
            tensor->type = (SafetensorsType)i;
            return true;
        }
    }
    return safetensors_fail(header->error, ERROR_VALUE, header->file,
                            "'%s' has the type '%s', which can't be read; it must be "
                            "F64, F32, F16 or BF16",
                            utf8_shorten(name, tensor->name, strlen(tensor->name)),
                            utf8_shorten(type, word, strlen(word)));
}

/* Where a tensor's numbers lie, held against its axes and the file. */
static bool place_tensor(Header *header, SafetensorsTensor *tensor,
                         const size_t offsets[2]) {
    char name[UTF8_SHORT_SIZE];
    size_t size = safetensors_type_size(tensor->type), bytes;
    bool fits = true;
    utf8_shorten(name, tensor->name, strlen(tensor->name));
    tensor->cells = 1;
    for (size_t i = 0; i < tensor->axis_count; i++)
        fits &= !__builtin_mul_overflow(tensor->cells, tensor->axes[i], &tensor->cells);
    if (!fits || __builtin_mul_overflow(tensor->cells, size, &bytes))
        return safetensors_fail(header->error, ERROR_LIMIT, header->file,
                                "'%s' has more numbers than any file can hold", name);
    if (offsets[0] > offsets[1] || offsets[1] > header->data_length)
        return safetensors_fail(header->error, ERROR_SHAPE, header->file,
                                "the numbers of '%s' lie at bytes %zu to %zu, but the "
                                "file has %zu bytes of numbers; is it cut short?",
                                name, offsets[0], offsets[1], header->data_length);
    if (offsets[1] - offsets[0] != bytes)
        return safetensors_fail(header->error, ERROR_SHAPE, header->file,
                                "'%s' has %zu numbers of %zu bytes by its axes, but "
                                "bytes %zu to %zu are %zu",
                                name, tensor->cells, size, offsets[0], offsets[1],
                                offsets[1] - offsets[0]);
    tensor->bytes = header->data + offsets[0];
    return true;
}

enum { KEY_TYPE, KEY_AXES, KEY_OFFSETS, KEY_COUNT };

static const char *const keys[KEY_COUNT] = {"dtype", "shape", "data_offsets"};

/* Which key comes next, each at most once. */
static bool read_key(Header *header, const SafetensorsTensor *tensor, bool has[KEY_COUNT],
                     size_t *key) {
    char name[UTF8_SHORT_SIZE], quoted[UTF8_SHORT_SIZE];
    const char *word;
    if (!read_string(header, "a key in quotes", &word) || !take(header, ':', "':'"))
        return false;
    for (*key = 0; *key < KEY_COUNT && strcmp(keys[*key], word) != 0;)
        ++*key;
    bool twice = *key < KEY_COUNT && has[*key];
    if (*key == KEY_COUNT || twice)
        return safetensors_fail(header->error, ERROR_NAME, header->file,
                                "'%s' has the key '%s'%s; a tensor has dtype, shape and "
                                "data_offsets, once each",
                                utf8_shorten(name, tensor->name, strlen(tensor->name)),
                                utf8_shorten(quoted, word, strlen(word)),
                                twice ? " twice" : "");
    return has[*key] = true;
}

static bool read_tensor(Header *header, SafetensorsTensor *tensor) {
    bool more, has[KEY_COUNT] = {false};
    size_t key, offset_count = 0, offsets[2] = {0};
    char name[UTF8_SHORT_SIZE];
    if (!take_begin(header, "{}", "'{'", &more))
        return false;
    while (more) {
        if (!read_key(header, tensor, has, &key))
            return false;
        bool good = key == KEY_TYPE   ? read_type(header, tensor)
                    : key == KEY_AXES ? read_numbers(header, SAFETENSORS_MAX_AXES,
                                                     tensor->axes, &tensor->axis_count)
                                      : read_numbers(header, 2, offsets, &offset_count);
        if (!good || !take_next(header, '}', &more))
            return false;
    }
    for (key = 0; key < KEY_COUNT; key++) {
        if (!has[key])
            return safetensors_fail(
                header->error, ERROR_SYNTAX, header->file,
                "'%s' has no %s; a tensor has dtype, shape and data_offsets",
                utf8_shorten(name, tensor->name, strlen(tensor->name)), keys[key]);
    }
    if (offset_count != 2)
        return expected(header, "two data_offsets, where the numbers begin and end");
    return place_tensor(header, tensor, offsets);
}

bool safetensors_header_read(SafetensorsHeader *header) {
    bool more, has_notes = false;
    if (!take_begin(header, "{}", "'{'", &more))
        return false;
    while (more) {
        SafetensorsTensor tensor = {0};
        if (!read_string(header, "a tensor's name in quotes", &tensor.name) ||
            !take(header, ':', "':'"))
            return false;
        bool is_notes = strcmp(tensor.name, "__metadata__") == 0;
        if (is_notes && has_notes)
            return safetensors_fail(header->error, ERROR_NAME, header->file,
                                    "it has __metadata__ twice; it must come once");
        has_notes |= is_notes;
        if (!(is_notes ? read_notes(header) : read_tensor(header, &tensor)) ||
            !take_next(header, '}', &more))
            return false;
        if (is_notes)
            continue;
        if (!grow(header, (void **)&header->tensors, header->count, &header->capacity,
                  sizeof tensor))
            return false;
        header->tensors[header->count++] = tensor;
    }
    return (peek(header) == 0 && header->at == header->length) ||
           expected(header, "nothing more");
}
