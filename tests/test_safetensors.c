/* safetensors: written files are read back, and damaged ones are reported. */
#include "contains.h"
#include "model/weights/safetensors.h"

#include "close.h"
#include "reference_bytes.h"

#include <stdio.h>
#include <string.h>

enum { PLENTY = 16 << 20 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A file being made or read, with all it needs. */
typedef struct Bench {
    Arena *arena;
    uint8_t *bytes;
    size_t length;
    Safetensors read;
    Error error;
} Bench;

static Bench bench_new(void) {
    Bench bench = {.arena = arena_create(PLENTY)};
    assert_non_null(bench.arena);
    return bench;
}

/* A file of that header and so many bytes of numbers: 0, 1, 2 … */
static Bench bench_of(const char *header, size_t header_length, size_t data_length) {
    Bench bench = bench_new();
    bench.length = 8 + header_length + data_length;
    bench.bytes = arena_alloc(bench.arena, bench.length, 1);
    assert_non_null(bench.bytes);
    for (size_t i = 0; i < 8; i++)
        bench.bytes[i] = (uint8_t)(header_length >> 8 * i);
    memcpy(bench.bytes + 8, header, header_length);
    for (size_t i = 0; i < data_length; i++)
        bench.bytes[8 + header_length + i] = (uint8_t)i;
    return bench;
}

static bool bench_read(Bench *bench) {
    return safetensors_read(&bench->read, bench->arena, "a.safetensors", bench->bytes,
                            bench->length, &bench->error);
}

static void bench_must_read(Bench *bench) {
    if (bench_read(bench))
        return;
    print_error("%s\n", bench->error.message);
    fail();
}

static void bench_write(Bench *bench, const Safetensors *file) {
    if (safetensors_write(bench->arena, file, &bench->bytes, &bench->length,
                          &bench->error))
        return;
    print_error("%s\n", bench->error.message);
    fail();
}

/* Equal to the bit: -0 is not 0. */
static void assert_same_numbers(const double *actual, const double *expected,
                                size_t count) {
    assert_close(actual, expected, count, 0);
    assert_memory_equal(actual, expected, count * sizeof *actual);
}

static const double *numbers_of(Bench *bench, const char *name, size_t *cells) {
    const SafetensorsTensor *tensor = safetensors_tensor(&bench->read, name);
    if (!tensor)
        print_error("there is no '%s'\n", name);
    assert_non_null(tensor);
    double *values = arena_alloc(bench->arena, tensor->cells, sizeof *values);
    assert_non_null(values);
    safetensors_values(values, tensor, 0, tensor->cells);
    *cells = tensor->cells;
    return values;
}

/* ---- numbers ---- */

static void test_every_type_becomes_the_double_that_pytorch_makes_of_it(void **state) {
    Bench bench = bench_new();
    ReferenceBytes file = reference_bytes(bench.arena, "types.safetensors");
    bench.bytes = file.bytes;
    bench.length = file.length;
    bench_must_read(&bench);
    assert_int_equal(bench.read.count, 2 * (SAFETENSORS_BF16 + 1));
    for (size_t i = 0; safetensors_type_is_real((SafetensorsType)i); i++) {
        const char *type = safetensors_type_name((SafetensorsType)i);
        char name[32];
        size_t cells, expected_cells;
        snprintf(name, sizeof name, "%s.as_F64", type);
        const double *expected = numbers_of(&bench, name, &expected_cells);
        const double *actual = numbers_of(&bench, type, &cells);
        assert_int_equal(safetensors_tensor(&bench.read, type)->type, i);
        assert_int_equal(cells, expected_cells);
        assert_true(cells > 200);
        assert_same_numbers(actual, expected, cells);
    }
    arena_destroy(bench.arena);
}

static void test_what_is_written_is_read_again_to_the_bit(void **state) {
    static const double matrix[] = {1.0 / 3, -0.0, 4.9e-324, -1.7e308, 0, 7}, one[] = {2};
    const SafetensorsTensor tensors[] = {
        {"z", SAFETENSORS_F64, 2, {2, 3}, 6, NULL, matrix},
        {"a.number", SAFETENSORS_F64, 0, {0}, 1, NULL, one},
        {"none", SAFETENSORS_F64, 2, {0, 5}, 0, NULL, matrix},
        {"deep", SAFETENSORS_F64, 3, {1, 3, 2}, 6, NULL, matrix},
    };
    const SafetensorsNote notes[] = {{"step", "100"}, {"format", "pt"}};
    Bench bench = bench_new();
    bench_write(&bench, &(Safetensors){4, tensors, 2, notes});
    bench_must_read(&bench);
    assert_int_equal(bench.read.count, 4);
    assert_string_equal(bench.read.tensors[0].name, "a.number");
    assert_string_equal(safetensors_note(&bench.read, "step"), "100");
    assert_string_equal(safetensors_note(&bench.read, "format"), "pt");
    assert_null(safetensors_note(&bench.read, "z"));
    assert_null(safetensors_tensor(&bench.read, "step"));
    for (size_t i = 0; i < 4; i++) {
        size_t cells;
        const double *values = numbers_of(&bench, tensors[i].name, &cells);
        const SafetensorsTensor *read = safetensors_tensor(&bench.read, tensors[i].name);
        assert_int_equal(cells, tensors[i].cells);
        assert_int_equal(read->axis_count, tensors[i].axis_count);
        for (size_t j = 0; j < read->axis_count; j++)
            assert_int_equal(read->axes[j], tensors[i].axes[j]);
        assert_same_numbers(values, tensors[i].values, cells);
    }
    arena_destroy(bench.arena);
}

static void test_part_of_a_tensor_is_read_alone(void **state) {
    static const double values[] = {0, 1, 2, 3, 4, 5};
    const SafetensorsTensor tensor = {"a", SAFETENSORS_F32, 1, {6}, 6, NULL, values};
    Bench bench = bench_new();
    bench_write(&bench, &(Safetensors){.count = 1, .tensors = &tensor});
    bench_must_read(&bench);
    double part[3] = {0};
    safetensors_values(part, &bench.read.tensors[0], 2, 3);
    assert_same_numbers(part, values + 2, 3);
    arena_destroy(bench.arena);
}

/* The numbers lie halfway between two floats, just beside that, or are far away. */
static void test_an_f32_is_rounded_to_the_nearest_and_the_even_one(void **state) {
    static const double written[] = {1 + 0x1p-24,
                                     1 + 3 * 0x1p-24,
                                     1 + 0x1p-24 + 0x1p-50,
                                     -1 - 0x1p-24,
                                     0x1p-150,
                                     0x1.8p-149,
                                     1e-60,
                                     0.1};
    static const double expected[] = {1, 1 + 0x1p-22, 1 + 0x1p-23, -1,
                                      0, 0x1p-148,    0,           0x1.99999ap-4};
    const SafetensorsTensor tensor = {"a", SAFETENSORS_F32, 1, {8}, 8, NULL, written};
    Bench bench = bench_new();
    size_t cells;
    bench_write(&bench, &(Safetensors){.count = 1, .tensors = &tensor});
    bench_must_read(&bench);
    assert_same_numbers(numbers_of(&bench, "a", &cells), expected, 8);
    arena_destroy(bench.arena);
}

static void test_a_number_too_large_for_f32_is_refused(void **state) {
    static const double large = 1e39;
    const SafetensorsTensor tensor = {"big", SAFETENSORS_F32, 0, {0}, 1, NULL, &large};
    Bench bench = bench_new();
    assert_false(safetensors_write(bench.arena,
                                   &(Safetensors){.count = 1, .tensors = &tensor},
                                   &bench.bytes, &bench.length, &bench.error));
    assert_int_equal(bench.error.code, ERROR_VALUE);
    assert_contains(bench.error.message, "'big' has the number 1e+39");
    arena_destroy(bench.arena);
}

static void test_numbers_that_are_not_finite_are_found(void **state) {
    const struct {
        double value;
        const char *words;
    } cases[] = {{NAN, "'b' is not a number at [1,2]"},
                 {INFINITY, "'b' is infinite at [1,2]"},
                 {-INFINITY, "'b' is minus infinity at [1,2]"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        double values[] = {0, 1, 2, 3, 4, cases[i].value};
        const SafetensorsTensor tensors[] = {
            {"a", SAFETENSORS_F64, 1, {5}, 5, NULL, values},
            {"b", SAFETENSORS_F32, 2, {2, 3}, 6, NULL, values}};
        Bench bench = bench_new();
        bench_write(&bench, &(Safetensors){.count = 1, .tensors = tensors});
        bench_must_read(&bench);
        assert_true(safetensors_check_finite(&bench.read, "a.safetensors", NULL));
        bench_write(&bench, &(Safetensors){.count = 2, .tensors = tensors});
        bench_must_read(&bench);
        assert_false(
            safetensors_check_finite(&bench.read, "a.safetensors", &bench.error));
        assert_int_equal(bench.error.code, ERROR_VALUE);
        assert_contains(bench.error.message, cases[i].words);
        arena_destroy(bench.arena);
    }
}

/* ---- the header ---- */

static void test_a_file_is_the_same_bytes_each_time(void **state) {
    static const double values[] = {1, 2, 3};
    static const char *const names[] = {"a", "ab", "abc", "abcd", "abcdefghijk"};
    for (size_t i = 0; i < COUNT(names); i++) {
        const SafetensorsTensor tensor = {names[i], SAFETENSORS_F32, 1, {3}, 3,
                                          NULL,     values};
        const Safetensors file = {.count = 1, .tensors = &tensor};
        Bench first = bench_new(), second = bench_new();
        bench_write(&first, &file);
        bench_write(&second, &file);
        assert_int_equal(first.length, second.length);
        assert_memory_equal(first.bytes, second.bytes, first.length);
        assert_int_equal(first.bytes[0] % 8, 0); /* the header's length */
        assert_int_equal(first.length, 8u + first.bytes[0] + 12);
        arena_destroy(first.arena);
        arena_destroy(second.arena);
    }
}

static void test_a_header_is_written_as_the_format_has_it(void **state) {
    static const double values[] = {1, 2, 3, 4, 5, 6};
    static const char expected[] =
        "{\"__metadata__\":{\"k\":\"v\"},"
        "\"W\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},"
        "\"b\":{\"dtype\":\"F64\",\"shape\":[],\"data_offsets\":[24,32]}}";
    const SafetensorsTensor tensors[] = {
        {"W", SAFETENSORS_F32, 2, {2, 3}, 6, NULL, values},
        {"b", SAFETENSORS_F64, 0, {0}, 1, NULL, values}};
    const SafetensorsNote note = {"k", "v"};
    Bench bench = bench_new();
    bench_write(&bench, &(Safetensors){2, tensors, 1, &note});
    assert_memory_equal(bench.bytes + 8, expected, sizeof expected - 1);
    for (size_t i = sizeof expected - 1; i < bench.bytes[0]; i++)
        assert_int_equal(bench.bytes[8 + i], ' ');
    arena_destroy(bench.arena);
}

static void test_names_and_notes_keep_every_sign(void **state) {
    static const char odd[] = "a\"b\\c\n\t\x01/\xE6\xB3\xA8\xF0\x9F\x98\x80 {}[],:";
    static const double value = 5;
    const SafetensorsTensor tensor = {odd, SAFETENSORS_F64, 0, {0}, 1, NULL, &value};
    const SafetensorsNote note = {odd, odd};
    Bench bench = bench_new();
    bench_write(&bench, &(Safetensors){1, &tensor, 1, &note});
    bench_must_read(&bench);
    assert_non_null(safetensors_tensor(&bench.read, odd));
    assert_string_equal(safetensors_note(&bench.read, odd), odd);
    arena_destroy(bench.arena);
}

static void test_blanks_and_escapes_of_other_writers_are_read(void **state) {
    static const char header[] =
        " { \"\\u0061\\u6ce8\\uD83D\\ude00\\/\\b\\f\\r\" :\n{\"data_offsets\" : [ 0 , 8 "
        "],\t\"shape\":[ 1,2 ] ,\"dtype\":\"F32\"} , \"__metadata__\" : { } }   ";
    Bench bench = bench_of(header, sizeof header - 1, 8);
    bench_must_read(&bench);
    assert_non_null(
        safetensors_tensor(&bench.read, "a\xE6\xB3\xA8\xF0\x9F\x98\x80/\b\f\r"));
    arena_destroy(bench.arena);
}

static void test_a_file_without_tensors_is_one(void **state) {
    Bench bench = bench_of("{}", 2, 0);
    bench_must_read(&bench);
    assert_int_equal(bench.read.count, 0);
    assert_null(safetensors_tensor(&bench.read, "a"));
    assert_null(safetensors_note(&bench.read, "a"));
    arena_destroy(bench.arena);
}

/* ---- what is wrong ---- */

#define T(type, shape, offsets)                                                          \
    "{\"dtype\":\"" type "\",\"shape\":" shape ",\"data_offsets\":" offsets "}"

static void test_each_damage_of_a_header_has_its_sentence(void **state) {
    static const struct {
        const char *header;
        size_t data;
        ErrorCode code;
        const char *words;
    } cases[] = {
        /* not JSON */
        {"", 0, ERROR_SYNTAX, "can't be read at byte 0"},
        {"{", 0, ERROR_SYNTAX, "can't be read at byte 1"},
        {"{}}", 0, ERROR_SYNTAX, "can't be read at byte 3 (end of file expected"},
        {"{\"a\"}", 0, ERROR_SYNTAX, "can't be read at byte 5 (':' expected"},
        {"{\"a", 0, ERROR_SYNTAX, "can't be read at byte 3"},
        {"{\"a\n\":{}}", 0, ERROR_SYNTAX, "can't be read at byte 3"},
        {"{\"\\x\":{}}", 0, ERROR_SYNTAX, "invalid escape"},
        {"{\"\\u12g4\":{}}", 0, ERROR_SYNTAX, "invalid escape"},
        {"{\"\\u0000\":{}}", 0, ERROR_SYNTAX, "NUL byte"},
        {"{\"\\udc00\":{}}", 0, ERROR_SYNTAX, "invalid Unicode"},
        {"{\"\\ud800\\u0041\":{}}", 0, ERROR_SYNTAX, "invalid Unicode"},
        {"{\"\xFF\":{}}", 0, ERROR_ENCODING, "not UTF-8 at byte 2"},
        {"{\"a\":" T("F32", "[1]", "[0,4]") ",}", 4, ERROR_SYNTAX, "can't be read"},
        {"{\"a\":" T("F32", "[1 2]", "[0,4]") "}", 4, ERROR_SYNTAX, "can't be read"},
        {"{\"a\":" T("F32", "[1,]", "[0,4]") "}", 4, ERROR_SYNTAX, "can't be read"},
        {"{\"a\":" T("F32", "[01]", "[0,4]") "}", 4, ERROR_SYNTAX, "can't be read"},
        {"{\"a\":" T("F32", "[1]", "[0,18446744073709551616]") "}", 4, ERROR_SYNTAX,
         "too big integer"},
        {"{\"a\":" T("F32", "[1e999]", "[0,4]") "}", 4, ERROR_SYNTAX, "overflow"},
        /* not of this form */
        {"[]", 0, ERROR_SYNTAX, "its header must be an object"},
        {"{\"a\":1}", 0, ERROR_SYNTAX, "'a' must have just dtype"},
        {"{\"a\":{}}", 0, ERROR_SYNTAX, "'a' must have just dtype"},
        {"{\"a\":" T("F32", "[-1]", "[0,4]") "}", 4, ERROR_SYNTAX, "'a' must have"},
        {"{\"a\":" T("F32", "[1.0]", "[0,4]") "}", 4, ERROR_SYNTAX, "'a' must have"},
        {"{\"a\":" T("F32", "[1e0]", "[0,4]") "}", 4, ERROR_SYNTAX, "'a' must have"},
        {"{\"a\":" T("F32", "1", "[0,4]") "}", 4, ERROR_SYNTAX, "'a' must have"},
        {"{\"a\":" T("F32", "{}", "[0,4]") "}", 4, ERROR_SYNTAX, "'a' must have"},
        {"{\"a\":" T("F32", "[\"1\"]", "[0,4]") "}", 4, ERROR_SYNTAX, "'a' must have"},
        {"{\"a\":" T("F32", "[1]", "[0]") "}", 4, ERROR_SYNTAX, "'a' must have"},
        {"{\"a\":" T("F32", "[1]", "[0,4,8]") "}", 4, ERROR_SYNTAX, "'a' must have"},
        {"{\"a\":" T("F32", "[1]", "[-4,0]") "}", 4, ERROR_SYNTAX, "'a' must have"},
        {"{\"a\":{\"dtype\":32,\"shape\":[1],\"data_offsets\":[0,4]}}", 4, ERROR_SYNTAX,
         "'a' must have"},
        {"{\"a\":" T("F32", "[1,1,1,1,1,1,1,1,1]", "[0,4]") "}", 4, ERROR_LIMIT,
         "'a' has more than 8 axes"},
        {"{\"__metadata__\":{\"a\":1}}", 0, ERROR_SYNTAX, "must be keys with texts"},
        {"{\"__metadata__\":[]}", 0, ERROR_SYNTAX, "must be keys with texts"},
        /* keys and types */
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 0, ERROR_SYNTAX, "'a' must have"},
        {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", 0, ERROR_NAME,
         "a name comes twice at byte"},
        {"{\"a\":{\"type\":\"F32\"}}", 0, ERROR_SYNTAX, "'a' must have"},
        {"{\"a\":" T("F8_E4M3", "[8]", "[0,8]") "}", 8, ERROR_VALUE,
         "'a' has the type 'F8_E4M3', which can't be read; it must be F64, F32, F16 or "
         "BF16"},
        {"{\"a\":" T("f32", "[1]", "[0,4]") "}", 4, ERROR_VALUE, "the type 'f32'"},
        /* names */
        {"{\"a\":" T("F32", "[1]", "[0,4]") ",\"a\":" T("F32", "[1]", "[4,8]") "}", 8,
         ERROR_NAME, "a name comes twice at byte"},
        {"{\"a\":" T("F32", "[1]", "[0,4]") ",\"\\u0061\":" T("F32", "[1]", "[4,8]") "}",
         8, ERROR_NAME, "a name comes twice at byte"},
        {"{\"__metadata__\":{\"k\":\"\",\"k\":\"\"}}", 0, ERROR_NAME, "'\"k\"'"},
        {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, ERROR_NAME,
         "a name comes twice"},
        /* places */
        {"{\"a\":" T("F32", "[2]", "[0,4]") "}", 4, ERROR_SHAPE,
         "'a' has 2 numbers of 4 bytes by its axes, but bytes 0 to 4 are 4"},
        {"{\"a\":" T("F32", "[1]", "[4,0]") "}", 4, ERROR_SHAPE,
         "'a' lie at bytes 4 to 0"},
        {"{\"a\":" T("F32", "[2]", "[0,8]") "}", 4, ERROR_SHAPE,
         "'a' lie at bytes 0 to 8, but the file has 4"},
        {"{\"a\":" T("F32", "[1]", "[9223372036854775803,9223372036854775807]") "}", 4,
         ERROR_SHAPE, "but the file has 4"},
        {"{\"a\":" T("F32", "[4294967296,4294967296]", "[0,4]") "}", 4, ERROR_LIMIT,
         "'a' has more numbers than any file can hold"},
        {"{\"a\":" T("F64", "[2305843009213693952]", "[0,0]") "}", 0, ERROR_LIMIT,
         "'a' has more numbers than any file can hold"},
        {"{\"a\":" T("F32", "[2]", "[0,8]") ",\"b\":" T("F32", "[1]", "[4,8]") "}", 8,
         ERROR_SHAPE, "'b' begin at byte 4, but those before them end at 8"},
        {"{\"a\":" T("F32", "[1]", "[0,4]") ",\"b\":" T("F32", "[1]", "[8,12]") "}", 12,
         ERROR_SHAPE, "'b' begin at byte 8, but those before them end at 4"},
        {"{\"a\":" T("F32", "[1]", "[4,8]") "}", 8, ERROR_SHAPE, "'a' begin at byte 4"},
        {"{\"a\":" T("F32", "[1]", "[0,4]") ",\"b\":" T("F32", "[1]", "[0,4]") "}", 4,
         ERROR_SHAPE, "begin at byte 0, but those before them end at 4"},
        {"{\"a\":" T("F32", "[1]", "[0,4]") "}", 7, ERROR_SHAPE,
         "3 bytes behind its last tensor"},
        {"{}", 1, ERROR_SHAPE, "1 bytes behind its last tensor"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        Bench bench = bench_of(cases[i].header, strlen(cases[i].header), cases[i].data);
        bool good = bench_read(&bench);
        if (good || bench.error.code != cases[i].code ||
            !strstr(bench.error.message, cases[i].words) ||
            strncmp(bench.error.message, "a.safetensors: ", 15) != 0)
            fail_msg("%s gave %d: %s", cases[i].header, bench.error.code,
                     good ? "no error" : bench.error.message);
        arena_destroy(bench.arena);
    }
}

static void test_a_zero_byte_does_not_end_a_header(void **state) {
    static const char header[] = "{}\0\"a\"";
    Bench bench = bench_of(header, sizeof header - 1, 0);
    assert_false(bench_read(&bench));
    assert_int_equal(bench.error.code, ERROR_SYNTAX);
    arena_destroy(bench.arena);
}

static void test_a_headers_length_is_held_against_the_file(void **state) {
    static const struct {
        uint8_t bytes[12];
        size_t length;
        ErrorCode code;
        const char *words;
    } cases[] = {
        {{0}, 0, ERROR_SYNTAX, "only 0 bytes"},
        {{2}, 7, ERROR_SYNTAX, "only 7 bytes"},
        {{3, 0, 0, 0, 0, 0, 0, 0, '{', '}'},
         10,
         ERROR_SYNTAX,
         "longer than the 2 bytes that follow"},
        {{0, 0, 0, 1, 0, 0, 0, 0},
         8,
         ERROR_SYNTAX,
         "longer than the 0 bytes that follow"},
        {{1, 0, 0, 1, 0, 0, 0, 0},
         8,
         ERROR_LIMIT,
         "longer than the 16777216 bytes that are read"},
        {{255, 255, 255, 255, 255, 255, 255, 255, '{', '}'},
         10,
         ERROR_LIMIT,
         "longer than the 16777216 bytes"},
        {{0, 0, 0, 0, 0, 0, 0, 0x80, '{', '}'},
         10,
         ERROR_LIMIT,
         "longer than the 16777216"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        Bench bench = bench_new();
        bench.length = cases[i].length;
        bench.bytes = arena_alloc(bench.arena, bench.length, 1);
        memcpy(bench.bytes, cases[i].bytes, bench.length);
        if (bench_read(&bench) || bench.error.code != cases[i].code ||
            !strstr(bench.error.message, cases[i].words))
            fail_msg("case %zu gave %d: %s", i, bench.error.code, bench.error.message);
        arena_destroy(bench.arena);
    }
}

static void test_a_deep_header_is_no_burden(void **state) {
    enum { DEEP = 1 << 20 };
    static const char signs[] = "{[";
    for (size_t i = 0; i < 2; i++) {
        Bench bench = bench_new();
        char *header = arena_alloc(bench.arena, DEEP, 1);
        memcpy(header, "{\"a\":", 5);
        memset(header + 5, signs[i], DEEP - 5);
        Bench deep = bench_of(header, DEEP, 0);
        assert_false(bench_read(&deep));
        assert_int_equal(deep.error.code, ERROR_SYNTAX);
        arena_destroy(deep.arena);
        arena_destroy(bench.arena);
    }
}

/* The same copies each time: signs changed, put in and left out. */
static void test_a_damaged_header_is_read_or_refused_with_a_sentence(void **state) {
    static const char header[] = "{\"__metadata__\":{\"k\":\"v\"},\"a\":" T(
        "F32", "[1,2]", "[0,8]") ",\"b\":" T("F64", "[]", "[8,16]") "}";
    static const char signs[] = "{}[],:\"\\0123456789-e.xF\x01\xFF ";
    enum { COPIES = 20000, LENGTH = sizeof header - 1 };
    uint32_t seed = 1;
    size_t read = 0;
    for (size_t i = 0; i < COPIES; i++) {
        char copy[LENGTH];
        memcpy(copy, header, LENGTH);
        for (size_t damages = 1 + i % 3; damages > 0; damages--) {
            seed = seed * 1664525u + 1013904223u;
            copy[(seed >> 8) % LENGTH] = signs[(seed >> 20) % (sizeof signs - 1)];
        }
        Bench bench = bench_of(copy, LENGTH - i % 2, 16);
        bool good = bench_read(&bench);
        read += good;
        if (!good && (bench.error.code == ERROR_NONE || !*bench.error.message))
            fail_msg("copy %zu gave no sentence", i);
        arena_destroy(bench.arena);
    }
    assert_in_range(read, 1, COPIES / 2);
}

static void test_short_memory_is_an_error_wherever_it_comes(void **state) {
    Bench file = bench_new();
    ReferenceBytes stored = reference_bytes(file.arena, "weights.safetensors");
    size_t failures = 0;
    bool good = false;
    for (size_t limit = 0; !good && limit < PLENTY; limit += 16) {
        Arena *arena = arena_create(limit);
        Safetensors read;
        Error error;
        good = safetensors_read(&read, arena, "a", stored.bytes, stored.length, &error);
        failures += !good;
        if (!good)
            assert_int_equal(error.code, ERROR_MEMORY);
        arena_destroy(arena);
    }
    assert_true(good);
    assert_true(failures > 20);
    arena_destroy(file.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type_becomes_the_double_that_pytorch_makes_of_it),
        cmocka_unit_test(test_what_is_written_is_read_again_to_the_bit),
        cmocka_unit_test(test_part_of_a_tensor_is_read_alone),
        cmocka_unit_test(test_an_f32_is_rounded_to_the_nearest_and_the_even_one),
        cmocka_unit_test(test_a_number_too_large_for_f32_is_refused),
        cmocka_unit_test(test_numbers_that_are_not_finite_are_found),
        cmocka_unit_test(test_a_file_is_the_same_bytes_each_time),
        cmocka_unit_test(test_a_header_is_written_as_the_format_has_it),
        cmocka_unit_test(test_names_and_notes_keep_every_sign),
        cmocka_unit_test(test_blanks_and_escapes_of_other_writers_are_read),
        cmocka_unit_test(test_a_file_without_tensors_is_one),
        cmocka_unit_test(test_each_damage_of_a_header_has_its_sentence),
        cmocka_unit_test(test_a_zero_byte_does_not_end_a_header),
        cmocka_unit_test(test_a_headers_length_is_held_against_the_file),
        cmocka_unit_test(test_a_deep_header_is_no_burden),
        cmocka_unit_test(test_a_damaged_header_is_read_or_refused_with_a_sentence),
        cmocka_unit_test(test_short_memory_is_an_error_wherever_it_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
