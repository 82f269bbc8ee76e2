#include "base/strings/aloud.h"

#include "base/strings/language.h"
#include "base/strings/utf8.h"

#include <string.h>

enum { WIDE = 3 /* blanks that separate two things */ };

static const char PAUSES[] = ".;:,!?";

/* ---- joining ---- */

/* Reports whether a character is Chinese or Chinese punctuation. */
static bool is_chinese(uint32_t c) {
    return (c >= 0x2E80 && c <= 0x9FFF) || (c >= 0xFF00 && c <= 0xFFEF);
}

/* Reports whether a character is Chinese punctuation, which has its own room. */
static bool is_mark(uint32_t c) {
    return (c >= 0x3001 && c <= 0x3002) || (c >= 0xFF01 && c <= 0xFF1F);
}

static bool is_one_of(uint32_t c, const char *ascii) {
    return c && c < 0x80 && strchr(ascii, (int)c);
}

/* Last character of a text; 0 for an empty one. */
static uint32_t last_of(const Writer *writer) {
    size_t at = writer->length;
    if (!at)
        return 0;
    do
        at--;
    while (at && ((unsigned char)writer->text[at] & 0xC0) == 0x80);
    return utf8_next(writer->text, writer->length, &at);
}

static void trim(Writer *writer) {
    while (writer->length && writer->text[writer->length - 1] == ' ')
        writer->text[--writer->length] = 0;
}

void aloud_put(Writer *writer, const char *piece) {
    size_t at = 0;
    while (*piece == ' ')
        piece++;
    if (!*piece)
        return;
    trim(writer);
    uint32_t before = last_of(writer), first = utf8_next(piece, strlen(piece), &at);
    bool joined = !before || is_one_of(before, "([\n") ||
                  is_one_of(first, ",.;:)]!?'\n") || is_mark(before) || is_mark(first) ||
                  (is_chinese(before) && is_chinese(first));
    writer_text(writer, joined ? "" : " ");
    for (size_t size = strlen(piece), next = 0; next < size;) {
        size_t from = next;
        uint32_t c = utf8_next(piece, size, &next);
        if (is_chinese(c) && is_chinese(before))
            trim(writer); /* of a pattern around its part */
        writer_put(writer, piece + from, next - from);
        before = c == ' ' ? before : c;
    }
}

void aloud_put_words(Writer *writer, const Language *language, const char *name,
                     const char *part) {
    Writer key = {.arena = writer->arena};
    writer_format(&key, "aloud.%s", name);
    const char *parts[] = {part};
    if (key.text)
        aloud_put(writer, language_sentence(language, key.text, part ? 1 : 0, parts,
                                            writer->arena));
}

/* ---- signs ---- */

typedef struct AloudSign {
    const char *sign, *key;
    bool spaced; /* in a text only with blanks on both sides */
} AloudSign;

static const AloudSign signs[] = {
    {"+", "aloud.plus", true},         {"−", "aloud.minus", false},
    {"×", "aloud.times", false},       {"⋅", "aloud.times", false},
    {"∗", "aloud.times", false},       {"÷", "aloud.divided", false},
    {"⊙", "aloud.elementwise", false}, {"=", "aloud.equals", true},
    {"≈", "aloud.about", false},       {"≤", "aloud.at_most", false},
    {"≥", "aloud.at_least", false},    {"≠", "aloud.differs", false},
    {"<", "aloud.less", true},         {">", "aloud.greater", true},
    {"∈", "aloud.in", false},          {"→", "aloud.gives", true},
    {"±", "aloud.plus_minus", false},  {"∞", "aloud.infinity", false},
    {"∂", "aloud.partial", false},     {"∑", "aloud.sum", false},
    {"√", "aloud.root", false},        {"ᵀ", "aloud.transposed", false},
    {"□", "aloud.gap", false},
};

static const AloudSign *find_sign(const char *text) {
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (strncmp(text, signs[i].sign, strlen(signs[i].sign)) == 0)
            return &signs[i];
    }
    return NULL;
}

/* Words of a sign; a minus sign without a left operand is read as a number's sign. */
static const char *words_of(const Language *language, const AloudSign *sign, bool unary) {
    bool negative = unary && strcmp(sign->key, "aloud.minus") == 0;
    return language_words(language, negative ? "aloud.negative" : sign->key);
}

const char *aloud_sign(const Language *language, const char *text, bool unary,
                       size_t *length) {
    const AloudSign *sign = find_sign(text);
    if (!sign)
        return NULL;
    *length = strlen(sign->sign);
    return words_of(language, sign, unary);
}

/* ---- exponents ---- */

/* Digits above the line, in the order of the characters below. */
static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵",
                                     "⁶", "⁷", "⁸", "⁹", "⁻"};
static const char *const lowered[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
static const char plain[] = "0123456789-";

/* Copies the digits of a kind that a text begins with, "⁻⁵" as "-5", to `digits`; returns
 * their length in bytes. */
static size_t read_digits(const char *text, const char *const *kind, size_t kinds,
                          char digits[16]) {
    size_t length = 0, count = 0;
    for (size_t i = 0; i < kinds && count < 15; i++) {
        size_t size = strlen(kind[i]);
        if (strncmp(text + length, kind[i], size) != 0)
            continue;
        digits[count++] = plain[i];
        length += size;
        i = (size_t)-1;
    }
    digits[count] = 0;
    return length;
}

/* Puts a power; small ones have words of their own. */
static void put_power(Writer *writer, const Language *language, const char *exponent) {
    bool squared = strcmp(exponent, "2") == 0, cubed = strcmp(exponent, "3") == 0;
    if (squared || cubed)
        aloud_put_words(writer, language, squared ? "squared" : "cubed", NULL);
    else
        aloud_put_words(writer, language, "power", exponent);
}

/* ---- texts ---- */

enum {
    PART_MOST = 400 /* bytes of a part behind a ^ or √, so that any text is soon read */
};

/* Number of bytes of the part behind a ^ or √: what brackets enclose, with them, or
 * letters and digits; 0 if there is none, or a longer one. */
static size_t part_length(const char *text) {
    static const char word[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                               "0123456789_";
    size_t length = strspn(text, word), depth = 0;
    if (*text != '(')
        return length <= PART_MOST ? length : 0;
    for (; text[length] && length < PART_MOST; length++) {
        depth += text[length] == '(';
        depth -= text[length] == ')';
        if (!depth)
            return length + 1;
    }
    return 0;
}

/* Words of an exponent or of a root's content; brackets around a single number or name
 * are left out. */
static const char *part_aloud(Arena *arena, const Language *language, const char *text,
                              size_t length) {
    bool single = *text == '(' && !memchr(text, ' ', length);
    const char *part = arena_copy(arena, text + single, length - 2 * (size_t)single);
    return part ? aloud_text(arena, language, part) : "";
}

/* Reports whether the sign of `length` bytes at `at` is used as one of mathematics. */
static bool counts(const AloudSign *sign, const char *text, size_t at, size_t length) {
    bool before = !at || text[at - 1] == ' ';
    bool behind = !text[at + length] || text[at + length] == ' ';
    bool alone = !at || !text[at + length];
    return !sign->spaced ||
           (before && behind && !(alone && strcmp(sign->sign, "→") == 0));
}

/* Reports whether a text is only a table's size, "3 × 2". */
static bool is_size(const char *text) {
    static const char digits[] = "0123456789", by[] = " × ";
    size_t rows = strspn(text, digits);
    const char *rest = text + rows;
    bool sized = rows && strncmp(rest, by, strlen(by)) == 0;
    size_t cols = sized ? strspn(rest + strlen(by), digits) : 0;
    return cols && !rest[strlen(by) + cols];
}

/* Puts a pause before a character, unless there is one. */
static void put_pause(Writer *writer, const Language *language, char next) {
    trim(writer);
    uint32_t last = last_of(writer);
    if (!is_mark(last) && !is_one_of(last, PAUSES) &&
        !is_one_of((unsigned char)next, PAUSES))
        aloud_put_words(writer, language, "pause", NULL);
}

/* Puts what stands at text[at] in words; returns its length in bytes, 0 if it is read as
 * it stands. */
static size_t put_sign(Writer *writer, const Language *language, const char *text,
                       size_t at) {
    static const char dot[] = "·";
    const char *from = text + at;
    char digits[16];
    size_t length = strlen(dot);
    if (strncmp(from, dot, length) == 0) {
        bool spaced = !at || text[at - 1] == ' ' || from[length] == ' ';
        if (spaced)
            put_pause(writer, language, ' ');
        else
            aloud_put_words(writer, language, "times", NULL);
        return length;
    }
    if ((length = read_digits(from, raised, 11, digits)) > 0) {
        const char *minus = language_words(language, "aloud.negative");
        Writer exponent = {.arena = writer->arena};
        aloud_put(&exponent, digits[0] == '-' ? minus : "");
        aloud_put(&exponent, digits + (digits[0] == '-'));
        if (exponent.text)
            put_power(writer, language, exponent.text);
        return length;
    }
    if ((length = read_digits(from, lowered, 10, digits)) > 0) {
        aloud_put(writer, digits);
        return length;
    }
    if (*from == '^' && (length = part_length(from + 1)) > 0) {
        put_power(writer, language,
                  part_aloud(writer->arena, language, from + 1, length));
        return 1 + length;
    }
    const AloudSign *sign = find_sign(from);
    if (!sign || !counts(sign, text, at, strlen(sign->sign)))
        return 0;
    length = strlen(sign->sign);
    bool unary = from[length] && from[length] != ' ';
    aloud_put(writer, is_size(text) ? language_words(language, "aloud.by")
                                    : words_of(language, sign, unary));
    size_t part = strcmp(sign->sign, "√") == 0 ? part_length(from + length) : 0;
    if (part)
        aloud_put(writer, part_aloud(writer->arena, language, from + length, part));
    return length + part;
}

const char *aloud_text(Arena *arena, const Language *language, const char *text) {
    Writer writer = {.arena = arena};
    bool after_sign = false;
    size_t size = strlen(text);
    writer_text(&writer, "");
    for (size_t at = 0; at < size && !writer.full;) {
        size_t blanks = strspn(text + at, " ");
        if (blanks >= WIDE && writer.length && text[at + blanks]) {
            put_pause(&writer, language, text[at + blanks]);
            after_sign = true;
            at += blanks;
        }
        size_t length = put_sign(&writer, language, text, at);
        if (length) {
            at += length;
            after_sign = true;
            continue;
        }
        size_t next = at;
        utf8_next(text, size, &next);
        char one[8] = "";
        memcpy(one, text + at, next - at);
        if (!after_sign)
            writer_text(&writer, one);
        else if (*one != ' ')
            aloud_put(&writer, one);
        after_sign &= *one == ' ';
        at = next;
    }
    return writer.text ? writer.text : "";
}
