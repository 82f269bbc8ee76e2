#include "base/strings/literal.h"

#include "base/strings/utf8.h"

#include <stdint.h>
#include <string.h>

/* Calls `put` for each code point of a text, and for each byte that is not UTF-8. */
static void each_point(Writer *writer, const char *text,
                       void (*put)(Writer *writer, uint32_t point, const char *bytes,
                                   size_t count)) {
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        size_t begin = at;
        uint32_t point = utf8_next(text, length, &at);
        put(writer, point, text + begin, at - begin);
    }
}

static bool is_loose_byte(const char *bytes, size_t count) {
    return count == 1 && (unsigned char)*bytes >= 0x80;
}

static bool must_escape(uint32_t point) {
    return utf8_steers(point) || point == '\n' || point == '\t' || point == 0xFEFF ||
           (point & 0xFFFE) == 0xFFFE;
}

static void put_quoted(Writer *writer, uint32_t point, const char *bytes, size_t count) {
    if (is_loose_byte(bytes, count))
        writer_format(writer, "\\udc%02x", (unsigned)(unsigned char)*bytes);
    else if (point == '"' || point == '\\')
        writer_format(writer, "\\%c", (int)point);
    else if (!must_escape(point))
        writer_put(writer, bytes, count);
    else
        writer_format(writer,
                      point > 0xFFFF ? "\\U%08X"
                      : point > 0xFF ? "\\u%04X"
                                     : "\\x%02X",
                      (unsigned)point);
}

void literal_quoted(Writer *writer, const char *text) {
    writer_text(writer, "\"");
    each_point(writer, text, put_quoted);
    writer_text(writer, "\"");
}

/* ---- shell ---- */

bool literal_is_plain(const char *text) {
    static const char bare[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+,-";
    return *text && !text[strspn(text, bare)];
}

static bool needs_escapes(const char *text) {
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        size_t begin = at;
        uint32_t point = utf8_next(text, length, &at);
        if (is_loose_byte(text + begin, at - begin) || must_escape(point))
            return true;
    }
    return false;
}

/* Writes bytes, since a shell's \u depends on its locale. */
static void put_escaped(Writer *writer, uint32_t point, const char *bytes, size_t count) {
    bool loose = is_loose_byte(bytes, count);
    if (!loose && (point == '\'' || point == '\\'))
        writer_format(writer, "\\%c", (int)point);
    else if (!loose && !must_escape(point))
        writer_put(writer, bytes, count);
    else
        for (size_t i = 0; i < count; i++)
            writer_format(writer, "\\%03o", (unsigned)(unsigned char)bytes[i]);
}

static void put_single(Writer *writer, uint32_t point, const char *bytes, size_t count) {
    if (point == '\'')
        writer_text(writer, "'\\''");
    else
        writer_put(writer, bytes, count);
}

void literal_shell(Writer *writer, const char *text) {
    if (literal_is_plain(text)) {
        writer_text(writer, text);
        return;
    }
    bool escapes = needs_escapes(text);
    writer_text(writer, escapes ? "$'" : "'");
    each_point(writer, text, escapes ? put_escaped : put_single);
    writer_text(writer, "'");
}
