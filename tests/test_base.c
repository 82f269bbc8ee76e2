#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/table.h"
#include "close.h"
#include "contains.h"
#include "skip.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- arena ---- */

static void test_arena_memory_is_zeroed_and_aligned(void **state) {
    Arena *arena = arena_create(1 << 20);
    for (size_t size = 1; size < 300; size++) {
        unsigned char *memory = arena_alloc(arena, size, 1);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(memory[i], 0);
        memset(memory, 0xAB, size);
    }
    arena_destroy(arena);
}

static void test_arena_allocations_do_not_overlap(void **state) {
    enum { ITEMS = 400 };
    Arena *arena = arena_create(64 << 20);
    unsigned char *items[ITEMS];
    for (size_t i = 0; i < ITEMS; i++) {
        size_t size = i % 7 == 0 ? 100000 : 1 + i * 37 % 900;
        items[i] = arena_alloc(arena, size, 1);
        assert_non_null(items[i]);
        memset(items[i], (int)(i % 251), size);
    }
    for (size_t i = 0; i < ITEMS; i++) {
        size_t size = i % 7 == 0 ? 100000 : 1 + i * 37 % 900;
        for (size_t j = 0; j < size; j++)
            assert_int_equal(items[i][j], i % 251);
    }
    arena_destroy(arena);
}

static void test_arena_gives_out_no_more_than_its_limit(void **state) {
    Arena *arena = arena_create(1024);
    assert_non_null(arena_alloc(arena, 1000, 1));
    assert_false(arena_exhausted(arena));
    assert_true(arena_used(arena) >= 1000);
    assert_null(arena_alloc(arena, 100, 1));
    assert_true(arena_exhausted(arena));
    assert_true(arena_used(arena) <= 1024);
    assert_non_null(arena_alloc(arena, 8, 1)); /* what still fits is still given */
    assert_true(arena_exhausted(arena));
    arena_destroy(arena);
}

static void test_an_arena_forgets_what_was_allocated_since_a_mark(void **state) {
    Arena *arena = arena_create(4 << 20);
    for (int round = 0; round < 2; round++) { /* from the first byte on; from within */
        char *kept = round ? arena_copy(arena, "kept", 4) : NULL;
        ArenaMark mark = arena_mark(arena);
        size_t used = arena_used(arena);
        for (int i = 0; i < 100; i++) {
            char *first = arena_alloc(arena, 1, 100);
            assert_non_null(first);
            assert_int_equal(first[99], 0);
            memset(first, 1, 100);
            char *large = arena_alloc(arena, 1, 1 << 20);
            assert_non_null(large);
            assert_int_equal(large[0] + large[(1 << 20) - 1], 0);
            memset(large, 1, 1 << 20);
            arena_rewind(arena, mark);
            assert_int_equal(arena_used(arena), used);
        }
        if (kept)
            assert_string_equal(kept, "kept");
    }
    arena_destroy(arena);
}

/* Where there is an AddressSanitizer: one byte behind what was asked for, and what was
 * forgotten. */
int __asan_address_is_poisoned(const volatile void *address) __attribute__((weak));

static void test_a_sanitizer_sees_steps_beyond_an_allocation(void **state) {
    if (!__asan_address_is_poisoned)
        return;
    Arena *arena = arena_create(1 << 20);
    ArenaMark mark = arena_mark(arena);
    for (size_t size = 1; size < 100; size++) {
        const char *memory = arena_alloc(arena, size, 1);
        assert_false(__asan_address_is_poisoned(memory + size - 1));
        assert_true(__asan_address_is_poisoned(memory + size));
    }
    const char *forgotten = arena_alloc(arena, 10, 1);
    arena_rewind(arena, mark);
    assert_true(__asan_address_is_poisoned(forgotten));
    arena_destroy(arena);
}

static void test_arena_refuses_sizes_that_overflow(void **state) {
    const size_t limits[] = {1 << 20, SIZE_MAX};
    for (size_t i = 0; i < COUNT(limits); i++) {
        Arena *arena = arena_create(limits[i]);
        assert_null(arena_alloc(arena, SIZE_MAX / 2, 3));
        assert_null(arena_alloc(arena, SIZE_MAX, 1));
        assert_null(arena_alloc(arena, SIZE_MAX - 20, 1));
        assert_null(arena_alloc(arena, SIZE_MAX - 40, 1));
        assert_null(arena_copy(arena, "x", SIZE_MAX));
        assert_true(arena_exhausted(arena));
        assert_int_equal(arena_used(arena), 0);
        arena_destroy(arena);
    }
}

static void test_arena_reset_keeps_memory_and_clears_it(void **state) {
    Arena *arena = arena_create(1 << 20);
    void *first = arena_alloc(arena, 500, 1);
    memset(first, 1, 500);
    assert_non_null(arena_alloc(arena, 200000, 1));
    assert_null(arena_alloc(arena, 1 << 20, 1));
    arena_reset(arena);
    assert_int_equal(arena_used(arena), 0);
    assert_false(arena_exhausted(arena));
    unsigned char *again = arena_alloc(arena, 500, 1);
    assert_true(again == first || __asan_address_is_poisoned);
    for (size_t i = 0; i < 500; i++)
        assert_int_equal(again[i], 0);
    arena_destroy(arena);
}

static void test_arena_copies_and_formats_text(void **state) {
    Arena *arena = arena_create(1 << 20);
    assert_string_equal(arena_copy(arena, "softmax", 4), "soft");
    assert_string_equal(arena_copy(arena, NULL, 0), "");
    assert_string_equal(arena_format(arena, "%s.%d", "head", 3), "head.3");
    char *long_text = arena_format(arena, "%0100000d", 7);
    assert_int_equal(strlen(long_text), 100000);
    arena_destroy(arena);
    arena_destroy(NULL);

    Arena *small = arena_create(8);
    assert_null(arena_format(small, "%s", "longer than eight bytes of text"));
    assert_true(arena_exhausted(small));
    arena_destroy(small);
}

/* A chain of numbers, as long as there is memory for. */
typedef struct Chain {
    Arena *arena;
    size_t length, most;
    bool ended;
} Chain;

static void make_chain(void *context) {
    Chain *chain = context;
    for (; chain->length < chain->most; chain->length++)
        memset(arena_alloc(chain->arena, 100, 8), 1, 800);
    chain->ended = true;
}

static void test_a_guard_is_left_at_the_allocation_that_fails(void **state) {
    Arena *arena = arena_create(10000);
    Chain chain = {.arena = arena, .most = 5};
    assert_true(arena_guard(arena, make_chain, &chain));
    assert_true(chain.ended);
    chain = (Chain){.arena = arena, .most = 50};
    assert_false(arena_guard(arena, make_chain, &chain));
    assert_false(chain.ended);
    assert_int_equal(chain.length, 7); /* of 12 that there is room for */
    assert_true(arena_exhausted(arena));
    assert_null(arena_alloc(arena, 100, 8)); /* the guard is gone */
    arena_destroy(arena);
}

/* Makes a chain in a nested arena, which isn't destroyed if the guarded work is
 * cancelled. */
static void make_inner_chain(void *context) {
    Chain *chain = context;
    chain->arena = arena_create_within(chain->arena, 4000);
    assert_non_null(chain->arena);
    make_chain(chain);
}

static void try_inner_chain(void *context) {
    Chain *chain = context;
    assert_false(arena_guard(chain->arena, make_inner_chain, chain));
    assert_int_equal(chain->length, 5);
}

static void test_an_arena_within_has_the_guard_and_the_end_of_the_outer(void **state) {
    Arena *arena = arena_create(1 << 20);
    Chain chain = {.arena = arena, .most = 50};
    assert_false(arena_guard(arena, make_inner_chain, &chain));
    assert_int_equal(chain.length, 5);
    assert_true(arena_exhausted(arena));
    /* the innermost guard is left, the work around it goes on */
    chain = (Chain){.arena = arena, .most = 50};
    assert_true(arena_guard(arena, try_inner_chain, &chain));
    Arena *within = arena_create_within(arena, 100);
    assert_null(arena_alloc(within, 200, 1)); /* no guard */
    arena_destroy(within);
    arena_destroy(arena);
}

/* ---- error ---- */

/* Stores the output of error_list_print in the caller's buffer. */
static void print_errors(const ErrorList *list, char *text, size_t size) {
    FILE *stream = fmemopen(text, size, "w");
    assert_non_null(stream);
    error_list_print(list, stream);
    fclose(stream);
}

static void test_error_set_fills_and_fails(void **state) {
    Error error = {0};
    assert_false(error_set(&error, ERROR_SHAPE, 3, 7, "%d columns", 4));
    assert_int_equal(error.code, ERROR_SHAPE);
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 7);
    assert_string_equal(error.message, "4 columns");
    assert_false(error_set(NULL, ERROR_SHAPE, 0, 0, "nobody listens"));
}

static void test_error_messages_of_any_length_are_cut_not_overrun(void **state) {
    char text[3 * ERROR_MESSAGE_SIZE];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    Error error;
    error_set(&error, ERROR_VALUE, 0, 0, "%s", text);
    assert_int_equal(strlen(error.message), ERROR_MESSAGE_SIZE - 1);
}

static void test_error_lists_print_in_the_order_of_places(void **state) {
    ErrorList list = {.file = "a.yaml"};
    assert_false(error_list_add(&list, ERROR_NAME, 9, 2, "third"));
    Error nowhere;
    error_set(&nowhere, ERROR_VALUE, 0, 0, "second");
    assert_false(error_list_append(&list, &nowhere, 4, 8)); /* takes the given place */
    Error somewhere;
    error_set(&somewhere, ERROR_VALUE, 4, 1, "first");
    assert_false(error_list_append(&list, &somewhere, 99, 99)); /* keeps its own */
    char text[400] = "";
    print_errors(&list, text, sizeof text);
    assert_string_equal(text,
                        "a.yaml:4:1: first\na.yaml:4:8: second\na.yaml:9:2: third\n");
}

static void test_error_without_a_place_names_just_the_file(void **state) {
    ErrorList list = {.file = "gone.yaml"};
    error_list_add(&list, ERROR_FILE, 0, 0, "can't be read");
    char text[200] = "";
    print_errors(&list, text, sizeof text);
    assert_string_equal(text, "gone.yaml: can't be read\n");
}

static void test_error_lists_count_what_they_can_not_keep(void **state) {
    ErrorList list = {.file = "a.yaml"};
    for (int i = 0; i < ERROR_LIST_MAX + 5; i++)
        error_list_add(&list, ERROR_NAME, i + 1, 1, "error %d", i);
    assert_int_equal(list.count, ERROR_LIST_MAX);
    assert_int_equal(list.dropped, 5);
    char text[4000] = "";
    print_errors(&list, text, sizeof text);
    assert_contains(text, "a.yaml: and 5 more\n");
}

static void test_error_nearest_finds_a_slip_and_nothing_far(void **state) {
    const char *const names[] = {"Q", "W_Q", "softmax", "layer_norm", "chapter"};
    const struct {
        const char *name, *nearest;
    } cases[] = {
        {"Qq", "Q"},
        {"W_q", "W_Q"},
        {"sofmax", "softmax"},
        {"softmaxx", "softmax"},
        {"chaptre", "chapter"},
        {"layernorm", "layer_norm"},
        {"Z", NULL},
        {"", NULL},
        {"transformer", NULL},
        {"xyzxyz", NULL},
        {"qk", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *found = error_nearest(cases[i].name, names, COUNT(names));
        if (!cases[i].nearest && found)
            fail_msg("'%s' is taken for '%s'", cases[i].name, found);
        if (cases[i].nearest && (!found || strcmp(found, cases[i].nearest) != 0))
            fail_msg("'%s' is taken for '%s'", cases[i].name, found ? found : "nothing");
    }
    char huge[500];
    memset(huge, 'Q', sizeof huge);
    huge[sizeof huge - 1] = 0;
    assert_null(error_nearest(huge, names, COUNT(names)));
    assert_null(error_nearest("Q", names, 0));
}

/* ---- numbers ---- */

typedef struct Written {
    double value;
    int decimals;
    const char *text;
} Written;

static void check_written(const Written *cases, size_t count,
                          const char *(*format)(char *out, double value, int decimals)) {
    for (size_t i = 0; i < count; i++) {
        char out[NUMBER_SIZE];
        assert_string_equal(format(out, cases[i].value, cases[i].decimals),
                            cases[i].text);
    }
}

static void test_number_format_is_written_for_people(void **state) {
    const Written cases[] = {
        {0, 3, "0.000"},
        {1.5, 3, "1.500"},
        {-0.25, 2, "−0.25"},
        {2.0 / 3, 3, "0.667"},
        {-0.0, 3, "0.000"},
        {-0.0004, 3, "0.000"},
        {-0.5, 0, "0"}, /* rounds to even, so to zero */
        {-0.6, 0, "−1"},
        {0.125, 2, "0.12"},
        {-1e-300, 17, "0.00000000000000000"},
        {INFINITY, 3, "∞"},
        {-INFINITY, 3, "−∞"},
        {NAN, 3, "NaN"},
        {9999999, 0, "9999999"},
        {-9999999.25, 17, "−9999999.25000000000000000"},
        {1e7, 3, "1e7"},
        {1.23e9, 3, "1.2e9"},
        {-1e300, 3, "−1e300"},
    };
    check_written(cases, COUNT(cases), number_format);
}

static void test_only_zero_is_told_as_zero(void **state) {
    const Written cases[] = {
        {0, 3, "0"},          {-0.0, 3, "0"},       {0.0004, 3, "≈0"},
        {-0.0004, 3, "≈0"},   {0.0006, 3, "0.001"}, {0.3, 0, "≈0"},
        {-INFINITY, 3, "−∞"}, {NAN, 3, "NaN"},      {1e-300, 3, "≈0"},
        {-0.25, 2, "−0.25"},
    };
    check_written(cases, COUNT(cases), number_format_shortest);
}

static void test_number_format_survives_any_number_of_decimals(void **state) {
    char out[NUMBER_SIZE];
    assert_string_equal(number_format(out, 1.5, -3), "2");
    assert_string_equal(number_format(out, 1.5, 1000000000), "1.50000000000000000");
}

static void test_number_format_short_drops_what_says_nothing(void **state) {
    const Written cases[] = {
        {2, 3, "2"},     {-2, 3, "−2"},        {0.5, 3, "0.5"},   {1.0 / 3, 3, "0.333"},
        {100, 3, "100"}, {0.0001, 3, "0"},     {-0.0001, 3, "0"}, {1e9, 3, "1e9"},
        {10, 0, "10"},   {-INFINITY, 3, "−∞"}, {1.9999, 3, "2"},  {-2.5e9, 0, "−2.5e9"},
    };
    check_written(cases, COUNT(cases), number_format_short);
}

static void test_number_parse_reads_numbers(void **state) {
    const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0", 0},
        {"-1", -1},
        {"+2.5", 2.5},
        {".5", 0.5},
        {"5.", 5},
        {"1e3", 1e3},
        {"1E-3", 1e-3},
        {"-.25e+2", -25},
        {"inf", INFINITY},
        {"-inf", -INFINITY},
        {"+inf", INFINITY},
        {".inf", INFINITY},
        {"-.inf", -INFINITY},
        {"0.1", 0.1},
        {"0e-999", 0},
        {"0.0", 0},
        {"5e-324", 5e-324},
        {"1.7976931348623157e308", 1.7976931348623157e308},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        double value = 12345;
        const char *beyond = "";
        assert_true(number_parse(cases[i].text, &value, &beyond));
        assert_close(&value, &cases[i].value, 1, 0);
        assert_null(beyond);
    }
}

/* A locale with a comma, of a folder of this test's own; false where none can be made. */
static bool set_locale_with_comma(void) {
    char folder[] = "/tmp/test_base_XXXXXX", command[200];
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "localedef -i de_DE -f UTF-8 %s/de_DE >/dev/null 2>&1", folder);
    bool set = system(command) == 0 && setenv("LOCPATH", folder, 1) == 0 &&
               setlocale(LC_ALL, "de_DE");
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    return set;
}

static void test_numbers_have_a_point_in_any_locale(void **state) {
    double value;
    char text[NUMBER_SIZE];
    if (!set_locale_with_comma())
        skip_because("localedef can't make de_DE: the package locales is not installed");
    assert_false(number_parse("0.5", &value, NULL)); /* else this test tests nothing */
    number_take_point();
    assert_true(number_parse("0.5", &value, NULL));
    assert_true(value == 0.5);
    assert_string_equal(number_write(text, 1.25), "1.25");
    assert_string_equal(number_format(text, 1.25, 2), "1.25");
    uselocale(LC_GLOBAL_LOCALE);
    setlocale(LC_ALL, "C");
}

static void test_number_parse_refuses_all_else(void **state) {
    const char *const texts[] = {"",    "-",     "+",        ".",   "e5",   "1e",  "1e+",
                                 "--1", "1 ",    " 1",       "1,5", "0x10", "nan", "NaN",
                                 "1_0", "1.2.3", "infinity", "Inf", "-",    "1-2", "١"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        double value = 7;
        const char *beyond = "";
        if (number_parse(texts[i], &value, &beyond))
            fail_msg("'%s' was read as %g", texts[i], value);
        assert_null(beyond);
    }
    double value;
    const char *beyond;
    assert_false(number_parse("1e999", &value, &beyond));
    assert_contains(beyond, "too large");
    assert_false(number_parse("-0.01e-400", &value, &beyond));
    assert_contains(beyond, "too small");
    assert_false(number_parse("-1e999", &value, NULL));
}

static void test_number_decimals_counts_digits_as_written(void **state) {
    const struct {
        const char *text;
        int decimals;
    } cases[] = {
        {"0.226", 3}, {"2", 0},      {"2.", 0},     {"-1.50", 2}, {"1e-3", 3},
        {"1.5e2", 0}, {"1.5e-1", 2}, {"1.25e1", 1}, {"inf", 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(number_decimals(cases[i].text), cases[i].decimals);
    const char *const huge[] = {"1e-2147483648", "1e-99999999999999999999",
                                "1e2147483648", "0.5e-999999999"};
    for (size_t i = 0; i < COUNT(huge); i++)
        assert_in_range(number_decimals(huge[i]), 0, 1000);
}

static void test_a_digest_is_the_published_one(void **state) {
    /* Source: Fowler, Noll and Vo's test vectors. */
    assert_true(hash_bytes(HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(hash_bytes(HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(hash_bytes(HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
}

static void test_an_array_keeps_its_items_while_it_grows(void **state) {
    Arena *arena = arena_create(1 << 14);
    size_t count = 0, capacity = 0, *numbers = NULL, *room;
    while ((room = array_reserve(arena, numbers, count, &capacity, sizeof *numbers))) {
        numbers = room;
        numbers[count] = count;
        count++;
    }
    assert_true(arena_exhausted(arena) && count > 500);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(numbers[i], i);
    arena_destroy(arena);
}

static void test_a_table_finds_the_keys_it_has_and_no_others(void **state) {
    enum { KEYS = 5000 };
    Arena *arena = arena_create(1 << 20);
    Table table = {.arena = arena};
    size_t keys[KEYS], found;
    assert_false(table_lookup(&table, "", 0, &found));
    for (size_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < KEYS; i++) {
            keys[i] = i * i;
            assert_false(table_lookup(&table, &keys[i], sizeof *keys, &found));
            assert_true(table_add(&table, &keys[i], sizeof *keys, i));
        }
        assert_true(table_add(&table, "", 0, KEYS));
        for (size_t i = 0; i < KEYS; i++) {
            assert_true(table_lookup(&table, &keys[i], sizeof *keys, &found));
            assert_int_equal(found, i);
            assert_false(table_lookup(&table, &keys[i], sizeof *keys - 1, &found));
        }
        assert_true(table_lookup(&table, "", 0, &found));
        assert_int_equal(found, KEYS);
        table_clear(&table);
    }
    arena_destroy(arena);
}

static void test_a_table_without_memory_stays_as_it_was(void **state) {
    Arena *arena = arena_create(1 << 13);
    Table table = {.arena = arena};
    size_t keys[1000], count = 0, found;
    for (; count < 1000; count++) {
        keys[count] = count;
        if (!table_add(&table, &keys[count], sizeof *keys, count))
            break;
    }
    assert_true(count > 30 && count < 1000 && table.count == count);
    for (size_t i = 0; i <= count; i++)
        assert_int_equal(table_lookup(&table, &keys[i], sizeof *keys, &found), i < count);
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena_memory_is_zeroed_and_aligned),
        cmocka_unit_test(test_arena_allocations_do_not_overlap),
        cmocka_unit_test(test_arena_gives_out_no_more_than_its_limit),
        cmocka_unit_test(test_an_arena_forgets_what_was_allocated_since_a_mark),
        cmocka_unit_test(test_a_sanitizer_sees_steps_beyond_an_allocation),
        cmocka_unit_test(test_arena_refuses_sizes_that_overflow),
        cmocka_unit_test(test_arena_reset_keeps_memory_and_clears_it),
        cmocka_unit_test(test_arena_copies_and_formats_text),
        cmocka_unit_test(test_a_guard_is_left_at_the_allocation_that_fails),
        cmocka_unit_test(test_an_arena_within_has_the_guard_and_the_end_of_the_outer),
        cmocka_unit_test(test_error_set_fills_and_fails),
        cmocka_unit_test(test_error_messages_of_any_length_are_cut_not_overrun),
        cmocka_unit_test(test_error_lists_print_in_the_order_of_places),
        cmocka_unit_test(test_error_without_a_place_names_just_the_file),
        cmocka_unit_test(test_error_lists_count_what_they_can_not_keep),
        cmocka_unit_test(test_error_nearest_finds_a_slip_and_nothing_far),
        cmocka_unit_test(test_number_format_is_written_for_people),
        cmocka_unit_test(test_only_zero_is_told_as_zero),
        cmocka_unit_test(test_number_format_survives_any_number_of_decimals),
        cmocka_unit_test(test_number_format_short_drops_what_says_nothing),
        cmocka_unit_test(test_number_parse_reads_numbers),
        cmocka_unit_test(test_numbers_have_a_point_in_any_locale),
        cmocka_unit_test(test_number_parse_refuses_all_else),
        cmocka_unit_test(test_number_decimals_counts_digits_as_written),
        cmocka_unit_test(test_a_digest_is_the_published_one),
        cmocka_unit_test(test_an_array_keeps_its_items_while_it_grows),
        cmocka_unit_test(test_a_table_finds_the_keys_it_has_and_no_others),
        cmocka_unit_test(test_a_table_without_memory_stays_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
