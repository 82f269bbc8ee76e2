/* Tests patterns of tokenizers: published patterns and every supported construct split
 * texts as Python's `regex` does (tests/reference/patterns.py). */
#include "base/arena.h"
#include "base/error.h"
#include "close.h"
#include "text/file/tokenizer_file.h"
#include "text/tokenizer.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 1 << 13, PLENTY = 64 << 20 };

/* A tokenizer whose tokens are the pieces that its pre-tokenizer makes. */
#define FILE_HEAD "{\"pre_tokenizer\":"
#define FILE_END                                                                         \
    ",\"model\":{\"type\":\"WordLevel\",\"unk_token\":\"u\",\"vocab\":{\"u\":0}}}"

typedef struct Bench {
    Arena *arena, *scratch;
    Tokenizer tokenizer;
    TextPieces pieces;
    Error error;
} Bench;

static Bench bench_new(void) {
    return (Bench){.arena = arena_create(PLENTY), .scratch = arena_create(PLENTY)};
}

static void bench_close(Bench *bench) {
    arena_destroy(bench->arena);
    arena_destroy(bench->scratch);
}

static bool read_split(Bench *bench, const char *pre_tokenizer) {
    static char json[2 * LINE_SIZE + sizeof FILE_HEAD + sizeof FILE_END];
    int length =
        snprintf(json, sizeof json, "%s%s%s", FILE_HEAD, pre_tokenizer, FILE_END);
    assert_true((size_t)length < sizeof json);
    arena_reset(bench->arena);
    bench->error = (Error){0};
    return tokenizer_file_read(&bench->tokenizer, bench->arena, "t.json", json,
                               (size_t)length, &bench->error);
}

static bool cut(Bench *bench, const char *text, size_t length) {
    arena_reset(bench->scratch);
    bench->error = (Error){0};
    return tokenizer_cut(&bench->pieces, &bench->tokenizer, bench->scratch, text, length,
                         &bench->error);
}

/* ---- the reference ---- */

/* GLASSFORMER_PATTERNS can name another file written by patterns.py. */
static FILE *open_reference(void) {
    char path[4096];
    const char *source = getenv("GLASSFORMER_SOURCE");
    const char *other = getenv("GLASSFORMER_PATTERNS");
    assert_true(source || other);
    snprintf(path, sizeof path, "%s/tests/reference/patterns.txt", source ? source : "");
    FILE *file = fopen(other ? other : path, "r");
    assert_non_null(file);
    return file;
}

static size_t from_hex(char *text) {
    size_t length = strcmp(text, "-") == 0 ? 0 : strlen(text) / 2;
    for (size_t i = 0; i < length; i++) {
        char byte[3] = {text[2 * i], text[2 * i + 1], 0};
        text[i] = (char)strtoul(byte, NULL, 16);
    }
    return length;
}

/* Reports whether the pieces have these lengths, in this order. */
static bool check_text(Bench *bench, char *rest, size_t line) {
    char *text = strtok_r(NULL, " \n", &rest), *word;
    size_t length = from_hex(text), at = 0, i = 0;
    bool good = cut(bench, text, length);
    if (!good)
        fail_msg("line %zu: %s", line, bench->error.message);
    for (; (word = strtok_r(NULL, " \n", &rest)); i++) {
        size_t wanted = strtoul(word, NULL, 10);
        good = good && i < bench->pieces.count && bench->pieces.items[i].offset == at &&
               bench->pieces.items[i].length == wanted;
        at += wanted;
    }
    if (!good || i != bench->pieces.count)
        print_error("patterns.txt:%zu: the text is split differently\n", line);
    return good && i == bench->pieces.count;
}

static void test_texts_are_split_as_by_regex(void **state) {
    static char text[LINE_SIZE];
    Bench bench = bench_new();
    FILE *file = open_reference();
    size_t texts = 0, splits = 0, line = 0, wrong = 0;
    bool read = false;
    while (fgets(text, sizeof text, file)) {
        char *rest, *word = strtok_r(text, " \n", &rest);
        line++;
        if (strcmp(word, "split") == 0) {
            const char *name = strtok_r(NULL, " \n", &rest);
            read = read_split(&bench, rest);
            if (!read)
                print_error("%s: %s\n", name, bench.error.message);
            splits++;
            wrong += !read;
        } else if (strcmp(word, "text") == 0 && read) {
            texts++;
            wrong += !check_text(&bench, rest, line);
        }
    }
    fclose(file);
    print_message("# %zu splits, %zu texts\n", splits, texts);
    assert_int_equal(wrong, 0);
    assert_true(splits >= 20 && texts >= 800);
    bench_close(&bench);
}

/* ---- what is refused ---- */

static bool read_pattern(Bench *bench, const char *pattern) {
    static char split[2 * LINE_SIZE];
    char *out = split + sprintf(split, "{\"type\":\"Split\",\"pattern\":{\"Regex\":\"");
    assert_true(strlen(pattern) < LINE_SIZE - 100);
    for (; *pattern; pattern++) {
        if (*pattern == '\\')
            *out++ = '\\';
        *out++ = *pattern;
    }
    strcpy(out, "\"}}");
    return read_split(bench, split);
}

/* `wanted` is the end of the error message. It includes the byte's number if that doesn't
 * depend on PCRE2's version. */
static void must_be_refused(Bench *bench, const char *pattern, const char *wanted) {
    static const char begin[] = "t.json: 'pre_tokenizer.pattern' can't be read at byte ";
    bool read = read_pattern(bench, pattern);
    const char *sentence = read ? "it is read" : bench->error.message;
    size_t length = strlen(sentence);
    if (read || bench->error.code != ERROR_VALUE || length < strlen(wanted) ||
        strncmp(sentence, begin, sizeof begin - 1) != 0 ||
        strcmp(sentence + length - strlen(wanted), wanted) != 0)
        fail_msg("%s: %s, not %s", pattern, sentence, wanted);
}

#define GROUPS "only the groups ( (?: (?i: (?= (?! (?<= (?<! (?> are supported"
#define CLASSES "a class within a class isn't supported"
#define COUNTS "a quantifier is {2}, {2,} or {1,3}, with counts up to 1000"
#define ESCAPES "this escape isn't supported"
#define PROPERTIES "\\p takes a general category such as {L} or a script such as {Han}"
#define NUMBERS "no character has this number"
#define RANGES "a range goes from one character to a later one"

static void test_a_bad_pattern_is_refused_at_its_byte(void **state) {
    static const struct {
        const char *pattern, *sentence;
    } rows[] = {
        {"a*", "1: it must not match the empty text"},
        {"b|(?=a)", "1: it must not match the empty text"},
        {"(a|b", "5: a ) is missing"},
        {"a)b", "2: a ( is missing"},
        {"é[a", "5: a ] is missing"},
        {"\\p{L", "5: a } is missing"},
        {"*a", "there is nothing before this quantifier to repeat"},
        {"a++*", "there is nothing before this quantifier to repeat"},
        {"a{2000}", "2: " COUNTS},
        {"a{,3}", "2: " COUNTS},
        {"a{", "2: " COUNTS},
        {"a{3,2}", COUNTS},
        {"a{99999999999999999999}", "2: " COUNTS},
        {"a{1,3}+", "7: a quantifier like {1,3} can't be followed by + or ?"},
        {"[b-a]", RANGES},
        {"\\s[\\w-z]", RANGES},
        {"a[b[c]]", "4: " CLASSES},
        {"[[:alpha:]]", "2: " CLASSES},
        {"[a-z&&c]", "5: " CLASSES},
        {"[\\W]", "2: \\W can't be used in a class"},
        {"\\p{Hann}", PROPERTIES},
        {"\\pX", PROPERTIES},
        {"\\q", "1: " ESCAPES},
        {"(a)\\1", "4: " ESCAPES},
        {"a\\", "2: it ends after a backslash"},
        {"\\xZ1", "1: the number of a character must be hexadecimal"},
        {"\\x{110000}", NUMBERS},
        {"\\x{D800}a", NUMBERS},
        {"(?<=a+)b", "a lookbehind must have a fixed length"},
        {"a\\C", "2: " ESCAPES},
        {"\\Qa\\E", "1: " ESCAPES},
        {"a\\Kb", "2: " ESCAPES},
        {"a(?R)?", "2: " GROUPS},
        {"(a)(?1)", "4: " GROUPS},
        {"(?C1)a", "1: " GROUPS},
        {"(?{a})", "1: " GROUPS},
        {"(?<n>a)", "1: " GROUPS},
        {"(?i)a", "1: " GROUPS},
        {"(?(?=a)b|c)", "1: " GROUPS},
        {"(*FAIL)", "1: " GROUPS},
        {"(*LIMIT_MATCH=9)a", "1: " GROUPS},
        {"((((((((((((((((((((((a))))))))))))))))))))))",
         "21: groups are nested too deeply"},
        {"(?:(?:(?:a{99}){99}){99}){99}", "it is too long"},
    };
    Bench bench = bench_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        must_be_refused(&bench, rows[i].pattern, rows[i].sentence);
    char lots[4200];
    memset(lots, 'a', sizeof lots);
    lots[sizeof lots - 1] = 0;
    must_be_refused(&bench, lots, "1: it is too long");
    bench_close(&bench);
}

/* A "String" is matched literally. */
static void test_a_text_is_no_pattern(void **state) {
    Bench bench = bench_new();
    assert_true(read_split(
        &bench, "{\"type\":\"Split\",\"pattern\":{\"String\":\"a.(\\\\E[\"}}"));
    assert_true(cut(&bench, "xa.(\\E[ya.(Ez", 14));
    assert_int_equal(bench.pieces.count, 3);
    assert_int_equal(bench.pieces.items[1].offset, 1);
    assert_int_equal(bench.pieces.items[1].length, 6);
    bench_close(&bench);
}

/* ---- work and memory ---- */

/* Patterns whose matching takes exponential time, or quadratic time in the length of the
 * text. */
static void test_slow_patterns_end(void **state) {
    static const char *const slow[] = {"(?:a+a+)+(?:b|c)",
                                       "(a+)+b",
                                       "(?:a|a)+(?:b|c)",
                                       "a+(?:b|c)",
                                       "(?:.{9}|.{8}|.{7})+(?:c|e)",
                                       "(?<!b)(?>a+)(?=b|c).",
                                       "(?:(?:a?){20}a){3}b"};
    static char text[40000];
    Bench bench = bench_new();
    memset(text, 'a', sizeof text);
    memcpy(text + sizeof text - 2, "db", 2);
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        if (!read_pattern(&bench, slow[i]))
            fail_msg("%s", bench.error.message);
        arena_allow(bench.scratch, 1e8);
        if (cut(&bench, text, sizeof text) || bench.error.code != ERROR_WORK ||
            !strstr(bench.error.message, "for a tokenizer's patterns"))
            fail_msg("%s: %s", slow[i], bench.error.message);
        arena_allow(bench.scratch, 1e8);
        assert_true(cut(&bench, "ab", 2)); /* the bench can still be used */
    }
    bench_close(&bench);
}

/* A match that needs too much memory ends at the arena's limit. */
static void test_matches_stay_within_memory(void **state) {
    static char text[400000];
    Bench bench = {.arena = arena_create(PLENTY), .scratch = arena_create(PLENTY / 2)};
    memset(text, 'a', sizeof text);
    assert_true(read_pattern(&bench, "(?:a|b)+"));
    assert_false(cut(&bench, text, sizeof text));
    assert_int_equal(bench.error.code, ERROR_MEMORY);
    assert_true(cut(&bench, text, 1000));
    assert_int_equal(bench.pieces.count, 1);
    bench_close(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_are_split_as_by_regex),
        cmocka_unit_test(test_a_bad_pattern_is_refused_at_its_byte),
        cmocka_unit_test(test_a_text_is_no_pattern),
        cmocka_unit_test(test_slow_patterns_end),
        cmocka_unit_test(test_matches_stay_within_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
