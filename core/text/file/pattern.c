#include "text/file/file_parts.h"

#include "base/array.h"
#include "base/strings/utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Pattern {
    pcre2_code *code;
    /* Operations per step of a match, and per character that a repeated item passes. */
    double step_cost, letter_cost;
};

/* ---- memory ---- */

static void *allocate(size_t size, void *arena) {
    return arena_alloc(arena, size, 1);
}

/* Does nothing: the arena frees its memory as a whole. */
static void release(void *memory, void *arena) {
    (void)memory;
    (void)arena;
}

/* ---- translating ---- */

/* Translation of a pattern from Oniguruma's syntax to PCRE2's. It examines only
 * constructs that the two read differently; PCRE2 reports all other errors. */
typedef struct PatternReader {
    Arena *arena;
    const char *text;
    size_t length, at;
    char *problem;
    char *out; /* PCRE2's pattern */
    size_t count, capacity;
    size_t *origins; /* the byte of `text` that each byte of `out` is from */
    size_t origin_capacity;
    size_t depth;                         /* groups that are open */
    bool any_case[PATTERN_DEPTH_MAX + 1]; /* at each depth: within (?i:…) */
    size_t most;                          /* the largest count of a quantifier */
    size_t class;                         /* bytes of the longest class in `out` */
} PatternReader;

static bool wrong_at(PatternReader *reader, size_t at, const char *what) {
    snprintf(reader->problem, 100, "can't be read at byte %zu: %s", at + 1, what);
    return false;
}

static bool wrong(PatternReader *reader, const char *what) {
    return wrong_at(reader, reader->at, what);
}

static bool has(const PatternReader *reader, const char *next) {
    return strncmp(reader->text + reader->at, next, strlen(next)) == 0;
}

static void put_byte(PatternReader *reader, char byte) {
    reader->out = array_reserve(reader->arena, reader->out, reader->count,
                                &reader->capacity, sizeof *reader->out);
    reader->origins = array_reserve(reader->arena, reader->origins, reader->count,
                                    &reader->origin_capacity, sizeof *reader->origins);
    reader->origins[reader->count] = reader->at;
    reader->out[reader->count++] = byte;
}

static void put(PatternReader *reader, const char *text) {
    for (; *text; text++)
        put_byte(reader, *text);
}

/* Copies bytes of the pattern as they are. */
static void copy(PatternReader *reader, size_t count) {
    for (size_t end = reader->at + count; reader->at < end; reader->at++)
        put_byte(reader, reader->text[reader->at]);
}

/* Copies the text, if it is next. */
static bool take(PatternReader *reader, const char *next) {
    bool there = has(reader, next);
    copy(reader, there ? strlen(next) : 0);
    return there;
}

/* Error messages that are used twice. */
#define COUNTS "a quantifier is {2}, {2,} or {1,3}, with counts up to 1000"
#define RANGES "a range goes from one character to a later one"
#define PROPERTIES "\\p takes a general category such as {L} or a script such as {Han}"
#define NUMBERS "no character has this number"

/* Translates a property at its \p: {L}, {Lu}, {^L}, L, and scripts, {Han}. */
static bool read_property(PatternReader *reader) {
    copy(reader, 2);
    if (!take(reader, "{")) {
        copy(reader, reader->at < reader->length);
        return true;
    }
    take(reader, "^");
    const char *name = reader->text + reader->at;
    size_t length = strcspn(name, "}");
    if (length > 2) /* a script without its Script_Extensions */
        put(reader, "sc:");
    if (length == 2 && *name == 'L' && strchr("ult", name[1]) &&
        reader->any_case[reader->depth]) {
        put(reader, "L&"); /* Lu, Ll or Lt */
        reader->at += 2;
    } else
        copy(reader, length);
    return take(reader, "}") || wrong(reader, "a } is missing");
}

/* Translates the number of a character: \x41, \x{41}, \u0041. */
static bool read_hex(PatternReader *reader, size_t digits) {
    const char *at = reader->text + reader->at + 2;
    bool braces = *at == '{';
    size_t length = braces ? strcspn(at + 1, "}") : digits;
    size_t given = strspn(at + braces, "0123456789abcdefABCDEF");
    if (!length || length > 8 || given < length || (braces && at[1 + length] != '}'))
        return wrong(reader, "the number of a character must be hexadecimal");
    put(reader, "\\x{");
    reader->at += 2 + (size_t)braces;
    copy(reader, length);
    put(reader, "}");
    reader->at += braces;
    return true;
}

/* Characters of words (Unicode Technical Standard 18), which differ from PCRE2's \w. */
#define WORD_LETTERS "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}"

/* Escapes of one character; `in_class` is NULL if the escape isn't supported in a
 * class. */
static const struct {
    char sign;
    const char *alone, *in_class;
} ESCAPES[] = {
    /* PCRE2's \s includes U+180E */
    {'s', "\\p{White_Space}", "\\p{White_Space}"},
    {'S', "\\P{White_Space}", "\\P{White_Space}"},
    {'w', "[" WORD_LETTERS "]", WORD_LETTERS},
    {'W', "[^" WORD_LETTERS "]", NULL},
    {'d', "\\p{Nd}", "\\p{Nd}"},
    {'D', "\\P{Nd}", "\\P{Nd}"},
    {'r', "\\r", "\\r"},
    {'n', "\\n", "\\n"},
    {'t', "\\t", "\\t"},
    {'f', "\\f", "\\f"},
    {'v', "\\x{0B}", "\\x{0B}"},
};

/* Translates an escape at its backslash. */
static bool read_escape(PatternReader *reader, bool in_class) {
    char sign = reader->text[reader->at + 1];
    if (sign == 'p' || sign == 'P')
        return read_property(reader);
    if (sign == 'x' || sign == 'u')
        return read_hex(reader, sign == 'x' ? 2 : 4);
    for (size_t i = 0; i < sizeof ESCAPES / sizeof *ESCAPES; i++) {
        const char *put_there = in_class ? ESCAPES[i].in_class : ESCAPES[i].alone;
        if (sign != ESCAPES[i].sign || !put_there)
            continue;
        put(reader, put_there);
        reader->at += 2;
        return true;
    }
    if (!sign)
        return wrong(reader, "it ends after a backslash");
    if (!strchr("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", sign))
        return wrong(reader, in_class && sign == 'W' ? "\\W can't be used in a class"
                                                     : "this escape isn't supported");
    copy(reader, 2);
    return true;
}

/* Translates a class at its [. A ] at the beginning of a class doesn't end it. */
static bool read_class(PatternReader *reader) {
    size_t begin = reader->count;
    copy(reader, 1);
    take(reader, "^");
    for (bool first = true; first || !has(reader, "]"); first = false) {
        if (reader->at == reader->length)
            return wrong(reader, "a ] is missing");
        if (has(reader, "[") || has(reader, "&&"))
            return wrong(reader, "a class within a class isn't supported");
        if (!has(reader, "\\"))
            copy(reader, 1);
        else if (!read_escape(reader, true))
            return false;
    }
    copy(reader, 1);
    if (reader->count - begin > reader->class)
        reader->class = reader->count - begin;
    return true;
}

/* Copies the beginning of a group, at its (. */
static bool read_group(PatternReader *reader) {
    static const char *const kinds[] = {"(?i:", "(?:",  "(?=", "(?!",
                                        "(?<=", "(?<!", "(?>"};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    size_t kind = 0;
    if (reader->depth == PATTERN_DEPTH_MAX)
        return wrong(reader, "groups are nested too deeply");
    while (kind < KINDS && !take(reader, kinds[kind]))
        kind++;
    if (kind == KINDS && (has(reader, "(?") || has(reader, "(*")))
        return wrong(reader,
                     "only the groups ( (?: (?i: (?= (?! (?<= (?<! (?> are supported");
    copy(reader, kind == KINDS);
    bool any_case = kind == 0 || reader->any_case[reader->depth];
    reader->any_case[++reader->depth] = any_case;
    return true;
}

/* Copies the end of a group. */
static bool end_group(PatternReader *reader) {
    if (!reader->depth)
        return wrong(reader, "a ( is missing");
    reader->depth--;
    copy(reader, 1);
    return true;
}

/* Copies {2}, {2,} or {1,3}, and refuses other braces, which PCRE2 would match
 * literally. */
static bool read_counts(PatternReader *reader) {
    static const char digits[] = "0123456789";
    const char *at = reader->text + reader->at + 1;
    size_t fewest = strspn(at, digits), comma = at[fewest] == ',';
    size_t most = comma ? strspn(at + fewest + 1, digits) : 0;
    size_t count = strtoul(at + (most ? fewest + 1 : 0), NULL, 10);
    if (!fewest || at[fewest + comma + most] != '}' || count > PATTERN_REPEATS_MAX)
        return wrong(reader, COUNTS);
    reader->most = count > reader->most ? count : reader->most;
    copy(reader, fewest + comma + most + 2);
    /* Oniguruma reads the second sign as another quantifier, PCRE2 as possessive or
     * lazy. */
    if (has(reader, "+") || has(reader, "?"))
        return wrong(reader, "a quantifier like {1,3} can't be followed by + or ?");
    return true;
}

static bool translate(PatternReader *reader) {
    if (reader->length > PATTERN_SIZE_MAX)
        return wrong(reader, "it is too long");
    while (reader->at < reader->length) {
        bool good = true;
        switch (reader->text[reader->at]) {
        case '\\':
            good = read_escape(reader, false);
            break;
        case '[':
            good = read_class(reader);
            break;
        case '(':
            good = read_group(reader);
            break;
        case ')':
            good = end_group(reader);
            break;
        case '{':
            good = read_counts(reader);
            break;
        default:
            copy(reader, 1);
        }
        if (!good)
            return false;
    }
    return !reader->depth || wrong(reader, "a ) is missing");
}

/* ---- compiling ---- */

static const struct {
    int code;
    const char *what;
} ERRORS[] = {
    {PCRE2_ERROR_QUANTIFIER_INVALID, "there is nothing before this quantifier to repeat"},
    {PCRE2_ERROR_QUANTIFIER_OUT_OF_ORDER, COUNTS},
    {PCRE2_ERROR_CLASS_RANGE_ORDER, RANGES},
    {PCRE2_ERROR_CLASS_INVALID_RANGE, RANGES},
    {PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH, "a lookbehind must have a fixed length"},
    {PCRE2_ERROR_UNKNOWN_UNICODE_PROPERTY, PROPERTIES},
    {PCRE2_ERROR_MALFORMED_UNICODE_PROPERTY, PROPERTIES},
    {PCRE2_ERROR_PATTERN_TOO_LARGE, "it is too long"},
    {PCRE2_ERROR_CODE_POINT_TOO_BIG, NUMBERS},
    {PCRE2_ERROR_UNICODE_DISALLOWED_CODE_POINT, NUMBERS},
};

static bool wrong_by_pcre2(PatternReader *reader, int code, size_t place) {
    char own[80] = "";
    size_t at = place < reader->count ? reader->origins[place] : reader->length;
    for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++) {
        if (ERRORS[i].code == code)
            return wrong_at(reader, at, ERRORS[i].what);
    }
    pcre2_get_error_message(code, (PCRE2_UCHAR *)own, sizeof own);
    return wrong_at(reader, at, own);
}

/* ^ and $ match at the ends of lines, as in Oniguruma. An automatic callout before each
 * item counts the work. Possessive optimization is off because PCRE2 10.42 wrongly makes
 * \P{L}+ possessive before \P{N}. */
enum {
    LITERAL_OPTIONS = PCRE2_UTF | PCRE2_AUTO_CALLOUT,
    OPTIONS = LITERAL_OPTIONS | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NO_AUTO_CAPTURE |
              PCRE2_NO_AUTO_POSSESS
};

/* Operations per step, per character that is compared, and per byte of a class that a
 * character is compared with. */
enum { STEP_COST = 60, LETTER_COST = 5, CLASS_COST = 1 };

static Pattern *compile(PatternReader *reader, uint32_t options) {
    int code = 0;
    size_t place = 0;
    Pattern *pattern = arena_alloc(reader->arena, 1, sizeof *pattern);
    pcre2_general_context *memory =
        pcre2_general_context_create(allocate, release, reader->arena);
    pcre2_compile_context *context = pcre2_compile_context_create(memory);
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    pattern->letter_cost = LETTER_COST + CLASS_COST * (double)reader->class;
    pattern->step_cost = STEP_COST + pattern->letter_cost * (double)(reader->most + 1);
    pattern->code = pcre2_compile((PCRE2_SPTR)reader->out, reader->count, options, &code,
                                  &place, context);
    if (!pattern->code)
        wrong_by_pcre2(reader, code, place);
    return pattern->code ? pattern : NULL;
}

const Pattern *pattern_make(Arena *arena, const char *text, char problem[100]) {
    uint32_t empty = 0;
    PatternReader reader = {
        .arena = arena, .text = text, .length = strlen(text), .problem = problem};
    Pattern *pattern = translate(&reader) ? compile(&reader, OPTIONS) : NULL;
    if (!pattern)
        return NULL;
    pcre2_pattern_info(pattern->code, PCRE2_INFO_MATCHEMPTY, &empty);
    if (!empty)
        return pattern;
    wrong_at(&reader, 0, "it must not match the empty text");
    return NULL;
}

const Pattern *pattern_literal(Arena *arena, const char *text) {
    char problem[100];
    PatternReader reader = {.arena = arena, .problem = problem};
    put(&reader, text);
    return compile(&reader, LITERAL_OPTIONS | PCRE2_LITERAL);
}

/* ---- matching ---- */

struct PatternSearch {
    Arena *arena; /* memory of the search, and of PCRE2 for it */
    pcre2_match_context *context;
    pcre2_match_data *match;
    const Pattern *pattern;
    Letters letters;
    char *bytes; /* `letters` in UTF-8 */
    size_t length, capacity;
    size_t byte, letter; /* end of the last match */
    size_t stepped;      /* byte that the last step was at */
    double work;         /* operations not yet spent on the arena */
};

enum { SPEND_AT = 10000 }; /* operations that are spent at once */

static void spend(PatternSearch *search) {
    arena_spend(search->arena, ARENA_WORK_PATTERNS, search->work);
    search->work = 0;
}

/* Counts the work before each item of the pattern that is tried. Past the limit, spending
 * jumps to the arena's guard, so every match ends. */
static int count_step(pcre2_callout_block *step, void *context) {
    PatternSearch *search = context;
    size_t at = step->current_position;
    size_t passed = at > search->stepped ? at - search->stepped : 0;
    search->work +=
        search->pattern->step_cost + search->pattern->letter_cost * (double)passed;
    search->stepped = at;
    if (search->work > SPEND_AT)
        spend(search);
    return 0;
}

PatternSearch *pattern_search_create(Arena *outer) {
    Arena *arena = arena_create_within(outer, arena_room(outer));
    PatternSearch *search = arena_alloc(arena, 1, sizeof *search);
    pcre2_general_context *memory =
        pcre2_general_context_create(allocate, release, arena);
    search->arena = arena;
    search->context = pcre2_match_context_create(memory);
    search->match = pcre2_match_data_create(1, memory);
    pcre2_set_callout(search->context, count_step, search);
    /* The arena's limit applies instead. */
    pcre2_set_match_limit(search->context, UINT32_MAX);
    pcre2_set_depth_limit(search->context, UINT32_MAX);
    pcre2_set_heap_limit(search->context, UINT32_MAX);
    return search;
}

void pattern_search_destroy(PatternSearch *search) {
    spend(search);
    arena_destroy(search->arena);
}

void pattern_search_begin(PatternSearch *search, const Pattern *pattern,
                          Letters letters) {
    size_t most = 4 * letters.count + 1;
    if (most > search->capacity) {
        search->capacity = 2 * most;
        search->bytes = arena_alloc(search->arena, search->capacity, 1);
    }
    search->pattern = pattern;
    search->letters = letters;
    search->length = letters_write(letters.items, letters.count, search->bytes);
    search->byte = search->letter = 0;
}

/* Moves forward to a byte; returns the index of its character. */
static size_t move_to(PatternSearch *search, size_t byte) {
    for (; search->byte < byte; search->letter++)
        utf8_next(search->bytes, search->length, &search->byte);
    return search->letter;
}

enum { CALL_COST = 500 }; /* operations per match, apart from its steps */

bool pattern_search_next(PatternSearch *search, size_t *from, size_t *to) {
    search->stepped = search->byte;
    search->work += CALL_COST;
    int found = pcre2_match(
        search->pattern->code, (PCRE2_SPTR)search->bytes, search->length, search->byte,
        PCRE2_NO_UTF_CHECK | PCRE2_NOTEMPTY, search->match, search->context);
    if (found == PCRE2_ERROR_NOMATCH)
        return false;
    if (found < 0) /* PCRE2 reached a limit of its own */
        arena_alloc(search->arena, SIZE_MAX, 1);
    const size_t *place = pcre2_get_ovector_pointer(search->match);
    *from = move_to(search, place[0]);
    *to = move_to(search, place[1]);
    return true;
}
