#include "lesson_text.h"

#include "lesson/read/strings_file.h"

#include <stdlib.h>
#include <unistd.h>

static const char WORDS[] = "play: {en: Play, zh: \"\xE6\x92\xAD\xE6\x94\xBE\"}\n"
                            "inspector:\n"
                            "  matches:\n"
                            "    zh: \"\xE5\x90\xBB\xE5\x90\x88\"\n"
                            "    en: agrees\n"
                            "  name: Glassformer\n"
                            "a.b: {en: one, zh: two}\n";

static void test_nested_keys_are_joined_with_dots_and_sorted(void **state) {
    (void)state;
    Arena *arena = arena_create(1 << 20);
    ErrorList errors = {0};
    Strings strings;
    assert_true(
        strings_parse(&strings, arena, "words.yaml", WORDS, strlen(WORDS), &errors));
    assert_int_equal(errors.count, 0);
    assert_int_equal(strings.count, 4);
    assert_string_equal(strings_get(&strings, LANGUAGE_EN, "play"), "Play");
    assert_string_equal(strings_get(&strings, LANGUAGE_ZH, "play"),
                        "\xE6\x92\xAD\xE6\x94\xBE");
    assert_string_equal(strings_get(&strings, LANGUAGE_EN, "inspector.matches"),
                        "agrees");
    assert_string_equal(strings_get(&strings, LANGUAGE_ZH, "inspector.name"),
                        "Glassformer");
    assert_string_equal(strings_get(&strings, LANGUAGE_ZH, "a.b"), "two");
    assert_string_equal(strings_get(&strings, LANGUAGE_EN, "nowhere"), "nowhere");
    for (size_t i = 1; i < strings.count; i++)
        assert_true(strcmp(strings.entries[i - 1].key, strings.entries[i].key) < 0);
    arena_destroy(arena);
}

static void test_bad_words_get_a_sentence_at_their_place(void **state) {
    (void)state;
    static const BadText cases[] = {
        {"words\n", ERROR_VALUE, 1, 1, "the words must be a mapping"},
        {"a: {en: one}\n", ERROR_VALUE, 1, 4, "'a' has no words for 'zh'"},
        {"a: {b: {zh: one}}\n", ERROR_VALUE, 1, 8, "'a.b' has no words for 'en'"},
        {"a: {en: one, zh: two, fr: x}\n", ERROR_NAME, 1, 23,
         "unknown language 'fr' in a"},
        {"a: [x]\n", ERROR_VALUE, 1, 4, "a must be a text or"},
        {"a:\n", ERROR_VALUE, 1, 3, "not empty"},
        {"a.b: x\na: {b: y}\n", ERROR_NAME, 2, 5,
         "'a.b' stands here a second time, first at line 1"},
        {"a: x\na: y\n", ERROR_NAME, 2, 1, "'a' stands here a second time"},
        {"a: [\n", ERROR_SYNTAX, 2, 1, "a value is missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena *arena = arena_create(1 << 20);
        ErrorList errors = {0};
        Strings strings;
        bool parsed = strings_parse(&strings, arena, "words.yaml", cases[i].text,
                                    strlen(cases[i].text), &errors);
        assert_string_equal(errors.file, "words.yaml");
        assert_only_error(&errors, &cases[i]);
        assert_false(parsed);
        arena_destroy(arena);
    }
}

static void test_memory_that_runs_out_is_an_error(void **state) {
    (void)state;
    bool complete = false;
    for (size_t limit = 0; !complete; limit += 16) {
        Arena *arena = arena_create(limit);
        ErrorList errors = {0};
        Strings strings;
        complete =
            strings_parse(&strings, arena, "words.yaml", WORDS, strlen(WORDS), &errors);
        assert_int_equal(errors.count > 0, !complete);
        if (!complete)
            assert_int_equal(errors.items[errors.count - 1].code, ERROR_MEMORY);
        arena_destroy(arena);
        assert_true(limit < 100000);
    }
}

static void test_the_programs_own_words_are_good(void **state) {
    (void)state;
    const char *source = getenv("GLASSFORMER_SOURCE");
    char path[1000];
    snprintf(path, sizeof path, "%s/assets/strings.yaml", source ? source : ".");
    Arena *arena = arena_create(1 << 22);
    ErrorList errors = {0};
    Strings strings;
    bool loaded = strings_load(&strings, arena, path, &errors);
    error_list_print(&errors, stderr);
    assert_true(loaded);
    assert_in_range(strings.count, 10, 10000);
    arena_destroy(arena);
}

static void test_a_missing_file_is_an_error(void **state) {
    (void)state;
    Arena *arena = arena_create(1 << 20);
    ErrorList errors = {0};
    Strings strings;
    assert_false(strings_load(&strings, arena, "/nowhere/words.yaml", &errors));
    assert_int_equal(errors.items[0].code, ERROR_FILE);
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nested_keys_are_joined_with_dots_and_sorted),
        cmocka_unit_test(test_bad_words_get_a_sentence_at_their_place),
        cmocka_unit_test(test_memory_that_runs_out_is_an_error),
        cmocka_unit_test(test_the_programs_own_words_are_good),
        cmocka_unit_test(test_a_missing_file_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
