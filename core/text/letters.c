#include "text/letters.h"

#include "base/strings/utf8.h"

#include <utf8proc.h>

enum {
    DECOMPOSED_MAX = 4, /* code points of the longest canonical decomposition */
    CAPITAL_SIGMA = 0x3A3,
    SMALL_SIGMA = 0x3C3,
    FINAL_SIGMA = 0x3C2,
    CAPITAL_I_WITH_DOT = 0x130,
    DOT_ABOVE = 0x307
};

static utf8proc_category_t category(uint32_t code_point) {
    return utf8proc_category((utf8proc_int32_t)code_point);
}

bool letter_is_space(uint32_t c) {
    return (c >= 0x09 && c <= 0x0D) || c == ' ' || c == 0x85 || c == 0xA0 ||
           c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

bool letter_is_punctuation(uint32_t c) {
    if (c < 0x80)
        return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') ||
               (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
    switch (category(c)) {
    case UTF8PROC_CATEGORY_PC:
    case UTF8PROC_CATEGORY_PD:
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO:
        return true;
    default:
        return false;
    }
}

size_t letters_run_end(const Letters *letters, size_t start) {
    bool space = letter_is_space(letters->items[start].code_point);
    size_t end = start + 1;
    while (end < letters->count &&
           letter_is_space(letters->items[end].code_point) == space)
        end++;
    return end;
}

size_t letters_cluster_end(const Letters *letters, size_t start) {
    utf8proc_int32_t state = 0;
    size_t end = start + 1;
    while (end < letters->count &&
           !utf8proc_grapheme_break_stateful(
               (utf8proc_int32_t)letters->items[end - 1].code_point,
               (utf8proc_int32_t)letters->items[end].code_point, &state))
        end++;
    return end;
}

size_t letters_write(const Letter *letters, size_t count, char *out) {
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += utf8_encode(letters[i].code_point, out + length);
    return length;
}

/* ---- lower case ---- */

/* Cased, for the final-sigma rule: letters with a case, and the numbers and symbols that
 * Unicode counts as such (Other_Lowercase, Other_Uppercase). */
static bool is_cased(uint32_t c) {
    utf8proc_category_t kind = category(c);
    return kind == UTF8PROC_CATEGORY_LU || kind == UTF8PROC_CATEGORY_LL ||
           kind == UTF8PROC_CATEGORY_LT || c == 0xAA || c == 0xBA ||
           (c >= 0x2160 && c <= 0x217F) || (c >= 0x24B6 && c <= 0x24E9) ||
           (c >= 0x1F130 && c <= 0x1F149) || (c >= 0x1F150 && c <= 0x1F169) ||
           (c >= 0x1F170 && c <= 0x1F189);
}

/* Case_Ignorable: characters that the final-sigma rule skips, such as accents and
 * apostrophes. */
static bool is_case_ignorable(uint32_t c) {
    switch (category(c)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
        return true;
    default:
        break;
    }
    static const uint32_t within_words[] = {
        '\'',   '.',    ':',    0xB7,   0x387,  0x55F,  0x5F4,  0x2018, 0x2019,
        0x2024, 0x2027, 0xFE13, 0xFE52, 0xFE55, 0xFF07, 0xFF0E, 0xFF1A};
    for (size_t i = 0; i < sizeof within_words / sizeof *within_words; i++) {
        if (c == within_words[i])
            return true;
    }
    return false;
}

/* Reports whether a sigma ends a word: the last cased letter before it is part of the
 * word, and none follows. Source: Unicode, table 3-17, Final_Sigma. */
static bool is_final(const Letters *letters, size_t sigma) {
    size_t before = sigma, after = sigma + 1;
    while (before > 0 && is_case_ignorable(letters->items[before - 1].code_point))
        before--;
    while (after < letters->count && is_case_ignorable(letters->items[after].code_point))
        after++;
    return before > 0 && is_cased(letters->items[before - 1].code_point) &&
           !(after < letters->count && is_cased(letters->items[after].code_point));
}

/* Appends all letters in lower case; `lowered` has room for one more for each İ. */
static void lower_all(Letters *letters, Letters *lowered) {
    for (size_t i = 0; i < letters->count; i++) {
        Letter letter = letters->items[i];
        if (letter.code_point == CAPITAL_SIGMA)
            letter.code_point = is_final(letters, i) ? FINAL_SIGMA : SMALL_SIGMA;
        else
            letter.code_point =
                (uint32_t)utf8proc_tolower((utf8proc_int32_t)letter.code_point);
        lowered->items[lowered->count++] = letter;
        if (letters->items[i].code_point == CAPITAL_I_WITH_DOT) {
            letter.code_point = DOT_ABOVE;
            lowered->items[lowered->count++] = letter;
        }
    }
}

/* Converts the letters to lower case. */
static void make_lower(Letters *letters, Arena *arena) {
    size_t dotted = 0;
    for (size_t i = 0; i < letters->count; i++)
        dotted += letters->items[i].code_point == CAPITAL_I_WITH_DOT;
    Letters lowered = {0};
    lowered.items =
        arena_alloc(arena, letters->count + dotted + 1, sizeof *lowered.items);
    lower_all(letters, &lowered);
    *letters = lowered;
}

/* ---- canonical decomposition without marks ---- */

static unsigned combining_class(uint32_t c) {
    return (unsigned)utf8proc_get_property((utf8proc_int32_t)c)->combining_class;
}

static size_t decompose(uint32_t c, utf8proc_int32_t out[DECOMPOSED_MAX]) {
    int boundary = 0;
    utf8proc_ssize_t count = utf8proc_decompose_char(
        (utf8proc_int32_t)c, out, DECOMPOSED_MAX, UTF8PROC_DECOMPOSE, &boundary);
    if (count < 1 || count > DECOMPOSED_MAX) {
        out[0] = (utf8proc_int32_t)c;
        return 1;
    }
    return (size_t)count;
}

/* Gives the bytes of letters that will be dropped to the letter before, unless a blank is
 * between. */
static void hand_over_bytes(Letters *letters) {
    Letter *last = NULL;
    for (size_t i = 0; i < letters->count; i++) {
        Letter *letter = &letters->items[i];
        if (category(letter->code_point) != UTF8PROC_CATEGORY_MN)
            last = letter_is_space(letter->code_point) ? NULL : letter;
        else if (last)
            last->to = letter->to;
    }
}

/* Appends to `out` a run of combining code points in canonical order (stable by class),
 * without marks (Mn). It makes one pass for each class in the run, so that long runs
 * don't take quadratic time. */
static void append_ordered(Letters *out, const Letter *run, size_t count) {
    for (unsigned previous = 0, class = 0;; previous = class) {
        class = UINT32_MAX;
        for (size_t i = 0; i < count; i++) {
            unsigned other = combining_class(run[i].code_point);
            if (other > previous && other < class)
                class = other;
        }
        if (class == UINT32_MAX)
            return;
        for (size_t i = 0; i < count; i++) {
            if (combining_class(run[i].code_point) == class &&
                category(run[i].code_point) != UTF8PROC_CATEGORY_MN)
                out->items[out->count++] = run[i];
        }
    }
}

/* All letters in canonical order and without marks. */
static void append_without_marks(Letters *out, const Letters *letters) {
    for (size_t i = 0, run = 0; i < letters->count; i += run) {
        const Letter *letter = &letters->items[i];
        for (run = 0; i + run < letters->count; run++) {
            if (!combining_class(letter[run].code_point))
                break;
        }
        append_ordered(out, letter, run);
        if (!run) {
            run = 1;
            if (category(letter->code_point) != UTF8PROC_CATEGORY_MN)
                out->items[out->count++] = *letter;
        }
    }
}

/* Replaces the letters by their canonical decomposition (NFD) without marks (Mn). */
static void strip_marks(Letters *letters, Arena *arena) {
    utf8proc_int32_t parts[DECOMPOSED_MAX];
    size_t count = 0;
    hand_over_bytes(letters);
    for (size_t i = 0; i < letters->count; i++)
        count += decompose(letters->items[i].code_point, parts);
    Letters decomposed = {.items = arena_alloc(arena, count + 1, sizeof(Letter))};
    Letters stripped = {.items = arena_alloc(arena, count + 1, sizeof(Letter))};
    for (size_t i = 0; i < letters->count; i++) {
        Letter letter = letters->items[i];
        size_t part_count = decompose(letter.code_point, parts);
        for (size_t k = 0; k < part_count; k++) {
            letter.code_point = (uint32_t)parts[k];
            decomposed.items[decomposed.count++] = letter;
        }
    }
    append_without_marks(&stripped, &decomposed);
    *letters = stripped;
}

/* ---- reading ---- */

bool letters_check(const char *what, const char *text, size_t length, size_t max,
                   Error *error) {
    if (length > max)
        return error_set(error, ERROR_LIMIT, 0, 0,
                         "%s has %zu bytes; it can have at most %zu", what, length, max);
    size_t valid = utf8_check(text, length);
    if (valid < length)
        return error_set(
            error, ERROR_ENCODING, 0, 0,
            "byte %zu of %s is 0x%02X, which is not UTF-8 there; write it as "
            "UTF-8",
            valid + 1, what, (unsigned)(unsigned char)text[valid]);
    return true;
}

static void read_plain(Letters *letters, Arena *arena, const char *text, size_t from,
                       size_t to) {
    *letters = (Letters){.items = arena_alloc(arena, to - from + 1, sizeof(Letter))};
    for (size_t at = from; at < to;) {
        Letter letter = {.from = (uint32_t)at};
        letter.code_point = utf8_next(text, to, &at);
        letter.to = (uint32_t)at;
        letters->items[letters->count++] = letter;
    }
}

/* The blocks of Chinese characters; not Hiragana, Katakana or Hangul, which are written
 * with blanks or split by the vocabulary. */
bool letter_is_chinese(uint32_t c) {
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
           (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B73F) ||
           (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B820 && c <= 0x2CEAF) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

static void clean_letters(const Letters *letters, Letters *cleaned) {
    for (size_t i = 0; i < letters->count; i++) {
        Letter letter = letters->items[i];
        uint32_t c = letter.code_point;
        utf8proc_category_t kind = category(c);
        const Letter before = {' ', letter.from, letter.from};
        const Letter after = {' ', letter.to, letter.to};
        if (c == '\t' || c == '\n' || c == '\r' || kind == UTF8PROC_CATEGORY_ZS)
            letter.code_point = ' ';
        else if (c == 0xFFFD || kind == UTF8PROC_CATEGORY_CC ||
                 kind == UTF8PROC_CATEGORY_CF)
            continue;
        if (letter_is_chinese(c))
            cleaned->items[cleaned->count++] = before;
        cleaned->items[cleaned->count++] = letter;
        if (letter_is_chinese(c))
            cleaned->items[cleaned->count++] = after;
    }
}

static void make_clean(Letters *letters, Arena *arena) {
    size_t chinese = 0;
    for (size_t i = 0; i < letters->count; i++)
        chinese += letter_is_chinese(letters->items[i].code_point);
    Letters cleaned = {0};
    cleaned.items =
        arena_alloc(arena, letters->count + 2 * chinese + 1, sizeof *cleaned.items);
    clean_letters(letters, &cleaned);
    *letters = cleaned;
}

void letters_read(Letters *letters, Arena *arena, const char *text, size_t from,
                  size_t to, bool lower) {
    read_plain(letters, arena, text, from, to);
    if (lower)
        make_lower(letters, arena);
}

void letters_read_clean(Letters *letters, Arena *arena, const char *text, size_t from,
                        size_t to, bool lower) {
    read_plain(letters, arena, text, from, to);
    make_clean(letters, arena);
    if (!lower)
        return;
    make_lower(letters, arena);
    strip_marks(letters, arena);
}
