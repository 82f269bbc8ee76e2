#include "text/file/pattern.h"

#include "base/array.h"
#include "base/strings/utf8.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* ---- instructions ---- */

typedef enum SetKind { SET_RANGE, SET_CATEGORIES, SET_SPACE, SET_WORD } SetKind;

/* A part of a set: a range or categories of letters. */
typedef struct SetPart {
    SetKind kind;
    bool not ;
    uint32_t first, last; /* a range's */
    uint32_t categories;  /* a bit for each of utf8proc's */
} SetPart;

typedef enum Code {
    CODE_SET,   /* matches a letter of a set */
    CODE_SPLIT, /* continues at `to`; if that fails, at `other` */
    CODE_JUMP,
    /* lookahead: the code up to `to` must match, or must not with `not`; consumes
     * nothing */
    CODE_AHEAD,
    /* atomic group: the code up to `to` matches without backtracking into it */
    CODE_ATOMIC,
    CODE_END /* end of the pattern, or of such a group */
} Code;

/* Targets are relative to the instruction. */
typedef struct Instruction {
    Code code;
    bool not, fold;
    int to, other;
    size_t part, parts; /* range of parts of a set */
} Instruction;

struct Pattern {
    size_t count;
    Instruction *code;
    SetPart *parts;
};

/* ---- parsing ---- */

typedef struct PatternReader {
    Arena *arena;
    const char *text;
    size_t length, at, depth;
    bool fold;
    char *problem;
    Pattern *pattern;
    size_t part_count, part_room, code_room;
} PatternReader;

static bool wrong(PatternReader *reader, const char *what) {
    if (!*reader->problem)
        snprintf(reader->problem, 100, "can't be read at byte %zu: %s", reader->at + 1,
                 what);
    return false;
}

static bool has(const PatternReader *reader, const char *next) {
    return strncmp(reader->text + reader->at, next, strlen(next)) == 0;
}

static bool take(PatternReader *reader, const char *next) {
    bool there = has(reader, next);
    reader->at += there ? strlen(next) : 0;
    return there;
}

/* Inserts an instruction at `place`; later ones move. */
static bool emit(PatternReader *reader, size_t place, Instruction instruction) {
    Pattern *pattern = reader->pattern;
    if (pattern->count == PATTERN_CODE_MAX)
        return wrong(reader, "it is too long");
    pattern->code = array_reserve(reader->arena, pattern->code, pattern->count,
                                  &reader->code_room, sizeof *pattern->code);
    memmove(pattern->code + place + 1, pattern->code + place,
            (pattern->count++ - place) * sizeof *pattern->code);
    pattern->code[place] = instruction;
    return true;
}

static void add_part(PatternReader *reader, SetPart part) {
    Pattern *pattern = reader->pattern;
    pattern->parts = array_reserve(reader->arena, pattern->parts, reader->part_count,
                                   &reader->part_room, sizeof *pattern->parts);
    pattern->parts[reader->part_count++] = part;
}

/* ---- sets ---- */

/* Unicode's general categories by their names' two letters, in utf8proc's order. */
static const char CATEGORIES[] =
    "CnLuLlLtLmLoMnMcMeNdNlNoPcPdPsPePiPfPoSmScSkSoZsZlZpCcCfCsCo";

/* Parses a category behind the p: \p{L}, \p{Lu}, \p{^L}, \pL. */
static bool read_category(PatternReader *reader, SetPart *part) {
    bool braces = take(reader, "{");
    part->not ^= braces && take(reader, "^");
    const char *name = reader->text + reader->at;
    size_t length = braces ? strcspn(name, "}") : *name != 0;
    part->kind = SET_CATEGORIES;
    for (size_t i = 0; length >= 1 && length <= 2 && CATEGORIES[2 * i]; i++) {
        if (memcmp(CATEGORIES + 2 * i, name, length) == 0)
            part->categories |= 1u << i;
    }
    if (!part->categories || (braces && name[length] != '}'))
        return wrong(reader, "of \\p only general categories such as {L} are known");
    reader->at += length + braces;
    return true;
}

static bool read_hex(PatternReader *reader, size_t digits, uint32_t *point) {
    char word[9] = "";
    const char *at = reader->text + reader->at;
    bool braces = *at == '{';
    size_t length = braces ? strcspn(at + 1, "}") : digits;
    size_t given = strspn(at + braces, "0123456789abcdefABCDEF");
    if (!length || length > 8 || given < length || (braces && at[1 + length] != '}'))
        return wrong(reader, "a letter's number is hexadecimal");
    memcpy(word, at + braces, length);
    *point = (uint32_t)strtoul(word, NULL, 16);
    reader->at += length + 2 * (size_t)braces;
    return true;
}

/* Parses an escape behind its backslash. */
static bool read_escape(PatternReader *reader, SetPart *part) {
    static const struct {
        char sign;
        SetPart part;
    } rows[] = {
        {'s', {.kind = SET_SPACE}},
        {'w', {.kind = SET_WORD}},
        {'d', {.kind = SET_CATEGORIES, .categories = 1u << UTF8PROC_CATEGORY_ND}},
        {'r', {.first = '\r', .last = '\r'}},
        {'n', {.first = '\n', .last = '\n'}},
        {'t', {.first = '\t', .last = '\t'}},
        {'f', {.first = '\f', .last = '\f'}},
        {'v', {.first = '\v', .last = '\v'}},
    };
    char sign = reader->text[reader->at];
    if (sign == 'p' || sign == 'P') {
        reader->at++;
        part->not = sign == 'P';
        return read_category(reader, part);
    }
    if (sign == 'x' || sign == 'u') {
        reader->at++;
        if (!read_hex(reader, sign == 'x' ? 2 : 4, &part->first))
            return false;
        part->last = part->first;
        return true;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool other = sign == rows[i].sign - 'a' + 'A' && i < 3;
        if (sign != rows[i].sign && !other)
            continue;
        *part = rows[i].part;
        part->not = other;
        reader->at++;
        return true;
    }
    if (sign < '!' || sign > '~' || (sign >= 'a' && sign <= 'z') ||
        (sign >= 'A' && sign <= 'Z') || (sign >= '0' && sign <= '9'))
        return wrong(reader, "this escape is not known");
    part->first = part->last = (uint32_t)(unsigned char)sign;
    reader->at++;
    return true;
}

/* Parses a letter or an escape. */
static bool read_letter(PatternReader *reader, SetPart *part) {
    *part = (SetPart){0};
    if (reader->at == reader->length)
        return wrong(reader, "it ends too early");
    if (take(reader, "\\"))
        return read_escape(reader, part);
    part->first = part->last = utf8_next(reader->text, reader->length, &reader->at);
    return true;
}

/* Parses a class behind its [. */
static bool read_class(PatternReader *reader, Instruction *set) {
    set->not = take(reader, "^");
    do {
        SetPart part, end;
        if (has(reader, "[") || has(reader, "&&"))
            return wrong(reader, "classes within classes are not known");
        if (!read_letter(reader, &part))
            return false;
        bool range = has(reader, "-") && reader->text[reader->at + 1] != ']';
        if (range) {
            reader->at++;
            if (!read_letter(reader, &end))
                return false;
            if (part.kind != SET_RANGE || end.kind != SET_RANGE || end.first < part.first)
                return wrong(reader, "a range goes from one letter to a later one");
            part.last = end.first;
        }
        add_part(reader, part);
    } while (!take(reader, "]"));
    return true;
}

static bool read_set(PatternReader *reader) {
    Instruction set = {
        .code = CODE_SET, .fold = reader->fold, .part = reader->part_count};
    SetPart part;
    if (take(reader, "[")) {
        if (!read_class(reader, &set))
            return false;
    } else if (take(reader, ".")) {
        add_part(reader, (SetPart){.not = true, .first = '\n', .last = '\n'});
    } else {
        if (strchr("*+?{^$", reader->text[reader->at]) && reader->at < reader->length)
            return wrong(reader, "this sign can't stand there");
        if (!read_letter(reader, &part))
            return false;
        add_part(reader, part);
    }
    set.parts = reader->part_count - set.part;
    return emit(reader, reader->pattern->count, set);
}

/* ---- groups ---- */

static bool read_alternatives(PatternReader *reader, size_t *least);

/* Parses a group behind its (. */
static bool read_group(PatternReader *reader, size_t *least) {
    Pattern *pattern = reader->pattern;
    bool fold = reader->fold, ahead = false;
    Instruction look = {.code = CODE_AHEAD};
    size_t begin = pattern->count;
    if (take(reader, "?i:"))
        reader->fold = true;
    else if (take(reader, "?=") || (look.not = take(reader, "?!")))
        ahead = true;
    else if (!take(reader, "?:") && has(reader, "?"))
        return wrong(reader, "of such groups (?:, (?i:, (?= and (?! are known");
    if (++reader->depth > PATTERN_DEPTH_MAX)
        return wrong(reader, "there are too many groups within groups");
    if (!read_alternatives(reader, least))
        return false;
    if (!take(reader, ")"))
        return wrong(reader, "a ) is missing");
    reader->depth--;
    reader->fold = fold;
    if (!ahead)
        return true;
    *least = 0;
    look.to = (int)(pattern->count - begin) + 2;
    return emit(reader, pattern->count, (Instruction){.code = CODE_END}) &&
           emit(reader, begin, look);
}

enum { REPEATS_MAX = 1000 };

/* Parses {2}, {2,} or {1,3}; *most is 0 if there is no maximum. */
static bool read_counts(PatternReader *reader, size_t *fewest, size_t *most) {
    const char *at = reader->text + reader->at;
    char *end;
    *fewest = *most = strtoul(at, &end, 10);
    bool good = end > at;
    if (good && *end == ',') {
        at = end + 1;
        *most = strtoul(at, &end, 10);
        good = *most >= *fewest || end == at;
        *most = end == at ? 0 : *most;
    }
    if (!good || *end != '}' || *fewest > REPEATS_MAX || *most > REPEATS_MAX)
        return wrong(reader, "counts are {2}, {2,} or {1,3}, and at most 1000");
    reader->at = (size_t)(end + 1 - reader->text);
    return true;
}

/* Appends a copy of instructions [begin, end). */
static bool copy_code(PatternReader *reader, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        if (!emit(reader, reader->pattern->count, reader->pattern->code[i]))
            return false;
    }
    return true;
}

/* Repeats the code from `begin` on; `least` is the length of its shortest match. */
static bool repeat(PatternReader *reader, size_t begin, size_t least, size_t fewest,
                   size_t most) {
    Pattern *pattern = reader->pattern;
    size_t end = pattern->count;
    int size = (int)(end - begin);
    if (!most && !least)
        return wrong(reader, "what repeats without end must be a letter at least");
    for (size_t i = 1; i < fewest; i++) {
        if (!copy_code(reader, begin, end))
            return false;
    }
    if (!most && fewest) /* once more, or continue */
        return emit(reader, pattern->count,
                    (Instruction){.code = CODE_SPLIT, .to = -size, .other = 1});
    if (!most)
        return emit(reader, pattern->count,
                    (Instruction){.code = CODE_JUMP, .to = -size - 1}) &&
               emit(reader, begin,
                    (Instruction){.code = CODE_SPLIT, .to = 1, .other = size + 2});
    for (size_t i = fewest ? fewest : 1; i < most; i++) {
        size_t place = pattern->count;
        if (!copy_code(reader, begin, end) ||
            !emit(reader, place,
                  (Instruction){.code = CODE_SPLIT, .to = 1, .other = size + 1}))
            return false;
    }
    return fewest || emit(reader, begin,
                          (Instruction){.code = CODE_SPLIT, .to = 1, .other = size + 1});
}

/* Parses a quantifier, if there is one. */
static bool read_quantifier(PatternReader *reader, size_t begin, size_t *least) {
    size_t fewest = 0, most = 0;
    bool counts = false;
    if (take(reader, "+"))
        fewest = 1;
    else if (take(reader, "?"))
        most = 1;
    else if (!take(reader, "*") && !(counts = take(reader, "{")))
        return true;
    if (counts && !read_counts(reader, &fewest, &most))
        return false;
    if (counts && !most && !fewest && reader->text[reader->at - 2] != ',')
        return wrong(reader, "what stands there not once can be left out");
    if (!repeat(reader, begin, *least, fewest, most))
        return false;
    *least *= fewest;
    if (has(reader, "?") || has(reader, "*") || has(reader, "{") ||
        (counts && has(reader, "+")))
        return wrong(reader, "such a quantifier is not known");
    if (!take(reader, "+"))
        return true;
    Instruction atomic = {.code = CODE_ATOMIC,
                          .to = (int)(reader->pattern->count - begin) + 2};
    return emit(reader, reader->pattern->count, (Instruction){.code = CODE_END}) &&
           emit(reader, begin, atomic);
}

static bool read_sequence(PatternReader *reader, size_t *least) {
    *least = 0;
    while (reader->at < reader->length && !has(reader, "|") && !has(reader, ")")) {
        size_t begin = reader->pattern->count, own = 1;
        if (!(take(reader, "(") ? read_group(reader, &own) : read_set(reader)) ||
            !read_quantifier(reader, begin, &own))
            return false;
        *least += own;
    }
    return true;
}

/* Each alternative except the last ends in a jump behind all of them; until its target is
 * known, it holds the index of the previous such jump. */
static bool read_alternatives(PatternReader *reader, size_t *least) {
    Pattern *pattern = reader->pattern;
    int jump = -1;
    for (*least = SIZE_MAX;;) {
        size_t begin = pattern->count, own;
        if (!read_sequence(reader, &own))
            return false;
        *least = own < *least ? own : *least;
        if (!take(reader, "|"))
            break;
        int size = (int)(pattern->count - begin);
        if (!emit(reader, begin,
                  (Instruction){.code = CODE_SPLIT, .to = 1, .other = size + 2}) ||
            !emit(reader, pattern->count, (Instruction){.code = CODE_JUMP, .to = jump}))
            return false;
        jump = (int)pattern->count - 1;
    }
    for (int before; jump >= 0; jump = before) {
        before = pattern->code[jump].to;
        pattern->code[jump].to = (int)pattern->count - jump;
    }
    return true;
}

static bool read_pattern(PatternReader *reader) {
    size_t least = 0;
    if (reader->length > PATTERN_SIZE_MAX)
        return wrong(reader, "it is too long");
    if (!read_alternatives(reader, &least) ||
        !emit(reader, reader->pattern->count, (Instruction){.code = CODE_END}))
        return false;
    if (reader->at < reader->length)
        return wrong(reader, "a ( is missing");
    return least || wrong(reader, "it must fit one letter at least");
}

const Pattern *pattern_make(Arena *arena, const char *text, char problem[100]) {
    Pattern *pattern = arena_alloc(arena, 1, sizeof *pattern);
    PatternReader reader = {.arena = arena,
                            .text = text,
                            .length = strlen(text),
                            .problem = problem,
                            .pattern = pattern};
    *problem = 0;
    return read_pattern(&reader) ? pattern : NULL;
}

const Pattern *pattern_literal(Arena *arena, const char *text) {
    PatternReader reader = {.arena = arena,
                            .pattern = arena_alloc(arena, 1, sizeof *reader.pattern)};
    char problem[100] = "";
    reader.problem = problem;
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        uint32_t point = utf8_next(text, length, &at);
        Instruction set = {.code = CODE_SET, .part = reader.part_count, .parts = 1};
        add_part(&reader, (SetPart){.first = point, .last = point});
        if (!emit(&reader, reader.pattern->count, set))
            return NULL;
    }
    return emit(&reader, reader.pattern->count, (Instruction){.code = CODE_END})
               ? reader.pattern
               : NULL;
}

/* ---- matching ---- */

/* Unicode's word characters: Alphabetic, M, Nd, Pc and what joins. */
static bool is_word(uint32_t c, uint32_t category) {
    static const char words[] = "LuLlLtLmLoMnMcMeNdNlPc";
    for (const char *at = words; *at; at += 2) {
        if (memcmp(CATEGORIES + 2 * category, at, 2) == 0)
            return true;
    }
    return c == 0x200C || c == 0x200D || (c >= 0x24B6 && c <= 0x24E9) ||
           (c >= 0x1F130 && c <= 0x1F149) || (c >= 0x1F150 && c <= 0x1F169) ||
           (c >= 0x1F170 && c <= 0x1F189);
}

static bool part_has(const SetPart *part, uint32_t c) {
    uint32_t category = (uint32_t)utf8proc_category((utf8proc_int32_t)c);
    bool within = false;
    switch (part->kind) {
    case SET_RANGE:
        within = c >= part->first && c <= part->last;
        break;
    case SET_CATEGORIES:
        within = part->categories >> category & 1;
        break;
    case SET_SPACE:
        within = letter_is_space(c);
        break;
    case SET_WORD:
        within = is_word(c, category);
        break;
    }
    return within != part->not ;
}

static bool set_has(const Pattern *pattern, const Instruction *set, uint32_t c) {
    const uint32_t forms[] = {c, (uint32_t)utf8proc_tolower((utf8proc_int32_t)c),
                              (uint32_t)utf8proc_toupper((utf8proc_int32_t)c)};
    bool within = false;
    for (size_t form = 0; form < (set->fold ? 3 : 1); form++) {
        for (size_t i = 0; !within && i < set->parts; i++) {
            const SetPart *part = &pattern->parts[set->part + i];
            within = part_has(part, forms[form]);
            /* ſ is another small s, K another k */
            if (set->fold && part->kind == SET_RANGE && part->first == part->last)
                within |= utf8proc_toupper((utf8proc_int32_t)part->first) ==
                          (utf8proc_int32_t)forms[2];
        }
    }
    return within != set->not ;
}

/* An alternative to try when matching fails. */
typedef struct PatternPlace {
    size_t code, at;
} PatternPlace;

static void push(PatternSearch *search, size_t *count, PatternPlace place) {
    search->places = array_reserve(search->arena, search->places, *count,
                                   &search->capacity, sizeof *search->places);
    search->places[(*count)++] = place;
}

/* Operations per step, and per part of a set. */
enum { STEP_COST = 20, PART_COST = 20 };

enum { SPEND_AT = 10000 }; /* operations that are spent at once */

static void spend(PatternSearch *search) {
    arena_spend(search->arena, ARENA_WORK_PATTERNS, search->work);
    search->work = 0;
}

/* Reports whether the code from `code` on matches at letter *at, which then moves behind
 * the match. The caller's alternatives are the `count` entries before its own. */
static bool fits(PatternSearch *search, size_t code, size_t *at, size_t count) {
    const Pattern *pattern = search->pattern;
    size_t own = count, place = *at, end;
    for (;;) {
        const Instruction *step = &pattern->code[code];
        bool good = true;
        search->work += STEP_COST + PART_COST * (double)step->parts;
        if (search->work > SPEND_AT)
            spend(search);
        switch (step->code) {
        case CODE_SET:
            good = place < search->letters.count &&
                   set_has(pattern, step, search->letters.items[place].code_point);
            place++;
            code++;
            break;
        case CODE_SPLIT:
            push(search, &own, (PatternPlace){(size_t)((int)code + step->other), place});
            code = (size_t)((int)code + step->to);
            break;
        case CODE_JUMP:
            code = (size_t)((int)code + step->to);
            break;
        case CODE_AHEAD:
        case CODE_ATOMIC:
            end = place;
            good = fits(search, code + 1, &end, own) != step->not ;
            place = step->code == CODE_ATOMIC ? end : place;
            code += (size_t)step->to;
            break;
        case CODE_END:
            *at = place;
            return true;
        }
        if (good)
            continue;
        if (own == count)
            return false;
        own--;
        code = search->places[own].code;
        place = search->places[own].at;
    }
}

PatternSearch pattern_search(const Pattern *pattern, Arena *arena, Letters letters) {
    return (PatternSearch){.pattern = pattern, .arena = arena, .letters = letters};
}

bool pattern_next(PatternSearch *search, size_t at, size_t *from, size_t *to) {
    for (; at < search->letters.count; at++) {
        *from = *to = at;
        if (fits(search, 0, to, 0) && *to > at)
            return true;
    }
    spend(search);
    return false;
}
