#include "base/strings/utf8.h"

#include <string.h>

static const uint32_t REPLACEMENT = 0xFFFD;

/* Decodes one sequence; returns its length, or 0 if it is invalid. */
static size_t decode(const unsigned char *bytes, size_t length, uint32_t *code_point) {
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = bytes[0];
    size_t size = lead < 0x80   ? 1
                  : lead < 0xC0 ? 0
                  : lead < 0xE0 ? 2
                  : lead < 0xF0 ? 3
                  : lead < 0xF8 ? 4
                                : 0;
    if (size == 0 || size > length)
        return 0;
    uint32_t value = size == 1 ? lead : lead & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (bytes[i] & 0x3Fu);
    }
    if (value < smallest[size] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
        return 0;
    *code_point = value;
    return size;
}

uint32_t utf8_next(const char *text, size_t length, size_t *offset) {
    uint32_t code_point = REPLACEMENT;
    size_t size =
        decode((const unsigned char *)text + *offset, length - *offset, &code_point);
    *offset += size ? size : 1;
    return code_point;
}

/* Returns true if eight bytes are ASCII. */
static bool is_ascii(const char *text) {
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    return !(bytes & UINT64_C(0x8080808080808080));
}

size_t utf8_check(const char *text, size_t length) {
    size_t offset = 0;
    while (offset < length) {
        uint32_t ignored;
        if (length - offset >= 8 && is_ascii(text + offset)) {
            offset += 8;
            continue;
        }
        size_t size =
            decode((const unsigned char *)text + offset, length - offset, &ignored);
        if (!size)
            return offset;
        offset += size;
    }
    return length;
}

size_t utf8_count(const char *text) {
    size_t count = 0, length = strlen(text);
    for (size_t offset = 0; offset < length; count++)
        utf8_next(text, length, &offset);
    return count;
}

size_t utf8_encode(uint32_t code_point, char out[4]) {
    if (code_point < 0x80) {
        out[0] = (char)code_point;
        return 1;
    }
    size_t size = code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = size - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code_point & 0x3F));
        code_point >>= 6;
    }
    out[0] = (char)(lead[size] | code_point);
    return size;
}

const char *utf8_shorten(char out[UTF8_SHORT_SIZE], const char *text, size_t length) {
    size_t from = 0, to = 0;
    for (size_t points = 0; from < length; points++) {
        if (points == UTF8_SHORT_POINTS) {
            memcpy(out + to, "\xE2\x80\xA6", 3);
            to += 3;
            break;
        }
        uint32_t code_point = utf8_next(text, length, &from);
        to += utf8_encode(code_point == '\n' ? ' ' : code_point, out + to);
    }
    out[to] = 0;
    return out;
}

size_t utf8_mark(const char *text, size_t length) {
    static const char mark[] = "\xEF\xBB\xBF";
    size_t size = sizeof mark - 1;
    return length >= size && memcmp(text, mark, size) == 0 ? size : 0;
}

void utf8_mend(char *text) {
    size_t length = strlen(text), good = 0;
    while ((good += utf8_check(text + good, length - good)) < length)
        text[good] = '?';
}

bool utf8_steers(uint32_t c) {
    return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0) ||
           c == 0x061C || (c >= 0x200E && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069);
}

bool utf8_is_cjk(uint32_t c) {
    return (c >= 0x2E80 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7AF) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE4F) ||
           (c >= 0xFF00 && c <= 0xFFEF) || (c >= 0x1AFF0 && c <= 0x1B16F) ||
           (c >= 0x20000 && c <= 0x3FFFF);
}
