#include "text/byte_bpe.h"

#include "base/strings/utf8.h"

#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

/* ---- words ---- */

typedef enum Sort { SORT_SPACE, SORT_LETTER, SORT_DIGIT, SORT_CHINESE, SORT_SIGN } Sort;

static Sort sort_of(uint32_t c) {
    if (letter_is_space(c))
        return SORT_SPACE;
    if (letter_is_chinese(c))
        return SORT_CHINESE;
    utf8proc_category_t kind = utf8proc_category((utf8proc_int32_t)c);
    if (kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_ME)
        return SORT_LETTER; /* L*, M* */
    return kind >= UTF8PROC_CATEGORY_ND && kind <= UTF8PROC_CATEGORY_NO ? SORT_DIGIT
                                                                        : SORT_SIGN;
}

size_t byte_word_end(const Letters *letters, size_t start) {
    const Letter *items = letters->items;
    size_t at = start;
    if (items[at].code_point == ' ' && at + 1 < letters->count)
        at++;
    Sort sort = sort_of(items[at].code_point);
    if (sort == SORT_SPACE)
        return start + 1; /* the next word may include the blank that follows */
    size_t end = at + 1;
    while (sort != SORT_CHINESE && end < letters->count &&
           sort_of(items[end].code_point) == sort)
        end++;
    return end;
}

/* ---- bytes as letters ---- */

size_t byte_symbol(char out[4], unsigned char byte) {
    return utf8_encode(0x100u + byte, out);
}

size_t byte_letters(Letter *out, const Letter *letters, size_t count) {
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        char bytes[4];
        const Letter *letter = &letters[i];
        size_t length = utf8_encode(letter->code_point, bytes);
        bool same = letter->to - letter->from == length;
        for (uint32_t k = 0; k < length; k++)
            out[made++] = (Letter){0x100u + (unsigned char)bytes[k],
                                   same ? letter->from + k : letter->from,
                                   same ? letter->from + k + 1 : letter->to};
    }
    return made;
}

/* ---- names ---- */

static const char BLANK[] = "␣", HEX[] = "<0x";

enum { BLANK_SIZE = sizeof BLANK - 1, HEX_SIZE = 6, OPEN_BOX = 0x2423 };

/* Reports whether bytes are printable characters or blanks. */
static bool can_be_shown(const char *bytes, size_t length) {
    if (utf8_check(bytes, length) != length)
        return false;
    for (size_t at = 0; at < length;) {
        if (length - at >= sizeof HEX - 1 && memcmp(bytes + at, HEX, sizeof HEX - 1) == 0)
            return false; /* it would look like a byte's name */
        uint32_t c = utf8_next(bytes, length, &at);
        utf8proc_category_t kind = utf8proc_category((utf8proc_int32_t)c);
        bool shown = kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_SO;
        if (c != ' ' && (!shown || c == OPEN_BOX))
            return false;
    }
    return true;
}

size_t byte_name(char *out, const char *bytes, size_t length) {
    bool shown = can_be_shown(bytes, length);
    size_t made = 0;
    for (size_t i = 0; i < length; i++) {
        if (!shown)
            made += (size_t)snprintf(out + made, HEX_SIZE + 1, "%s%02X>", HEX,
                                     (unsigned)(unsigned char)bytes[i]);
        else if (bytes[i] != ' ')
            out[made++] = bytes[i];
        else {
            memcpy(out + made, BLANK, BLANK_SIZE);
            made += BLANK_SIZE;
        }
    }
    out[made] = 0;
    return made;
}

size_t byte_name_read(char *bytes, const char *name) {
    size_t made = 0;
    unsigned byte;
    while (*name) {
        if (strncmp(name, BLANK, BLANK_SIZE) == 0) {
            bytes[made++] = ' ';
            name += BLANK_SIZE;
        } else if (sscanf(name, "<0x%2X>", &byte) == 1) {
            bytes[made++] = (char)byte;
            name += HEX_SIZE;
        } else {
            bytes[made++] = *name++;
        }
    }
    return made;
}

size_t byte_symbol_name(char *out, const char *symbol, size_t length) {
    char bytes[VOCABULARY_TOKEN_SIZE_MAX];
    size_t count = 0;
    for (size_t at = 0; at < length;)
        bytes[count++] = (char)(utf8_next(symbol, length, &at) - 0x100);
    return byte_name(out, bytes, count);
}
