#include "text/vocabulary.h"

#include "close.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool add(Vocabulary *vocabulary, const char *text, Error *error) {
    return vocabulary_add(vocabulary, text, strlen(text), error);
}

static bool add_special(Vocabulary *vocabulary, const char *text, Error *error) {
    return vocabulary_add_special(vocabulary, text, strlen(text), error);
}

static const VocabularyEntry *lookup(const Vocabulary *vocabulary, const char *text) {
    return vocabulary_lookup(vocabulary, text, strlen(text));
}

static void assert_entry(const VocabularyEntry *entry, const char *text, size_t id,
                         bool special) {
    assert_non_null(entry);
    assert_string_equal(entry->text, text);
    assert_int_equal(entry->length, strlen(text));
    assert_int_equal(entry->id, id);
    assert_int_equal(entry->special, special);
}

static void test_ids_count_up_from_where_the_vocabulary_begins(void **state) {
    Arena *arena = arena_create(1 << 20);
    Vocabulary *vocabulary = vocabulary_create(arena, 1);
    static const char *const words[] = {"when", "you", "play", "the", "game"};
    for (size_t i = 0; i < COUNT(words); i++)
        assert_true(add(vocabulary, words[i], NULL));
    assert_int_equal(vocabulary_count(vocabulary), COUNT(words));
    for (size_t i = 0; i < COUNT(words); i++) {
        assert_entry(vocabulary_at(vocabulary, i), words[i], i + 1, false);
        assert_entry(lookup(vocabulary, words[i]), words[i], i + 1, false);
        assert_entry(vocabulary_lookup_id(vocabulary, i + 1), words[i], i + 1, false);
    }
    assert_null(vocabulary_lookup_id(vocabulary, 0));
    assert_null(vocabulary_lookup_id(vocabulary, COUNT(words) + 1));
    arena_destroy(arena);
}

static void test_lookup_takes_all_bytes_and_no_others(void **state) {
    Arena *arena = arena_create(1 << 20);
    Vocabulary *vocabulary = vocabulary_create(arena, 0);
    assert_null(lookup(vocabulary, "you"));
    assert_null(vocabulary_lookup(vocabulary, NULL, 0));
    assert_true(add(vocabulary, "you", NULL));
    assert_null(lookup(vocabulary, "yo"));
    assert_null(lookup(vocabulary, "your"));
    assert_null(lookup(vocabulary, "You"));
    assert_null(vocabulary_lookup(vocabulary, "you", 4)); /* with its zero byte */
    assert_non_null(vocabulary_lookup(vocabulary, "yours", 3));
    arena_destroy(arena);
}

static void test_given_ids_stand_and_counted_ones_pass_them_over(void **state) {
    Arena *arena = arena_create(1 << 20);
    Vocabulary *vocabulary = vocabulary_create(arena, 100);
    static const VocabularyEntry given[] = {
        {"[CLS]", 5, 101, true}, {"[SEP]", 5, 102, true}, {"I", 1, 1045, false},
        {"am", 2, 2572, false},  {"[PAD]", 5, 0, true},   {"last", 4, 1000000000, false}};
    for (size_t i = 0; i < COUNT(given); i++)
        assert_true(vocabulary_add_entry(vocabulary, given[i], NULL));
    assert_true(add(vocabulary, "first", NULL));
    assert_true(add(vocabulary, "second", NULL));
    assert_true(add_special(vocabulary, "[MASK]", NULL));
    for (size_t i = 0; i < COUNT(given); i++) {
        assert_entry(vocabulary_at(vocabulary, i), given[i].text, given[i].id,
                     given[i].special);
        assert_entry(vocabulary_lookup_id(vocabulary, given[i].id), given[i].text,
                     given[i].id, given[i].special);
    }
    assert_entry(lookup(vocabulary, "first"), "first", 100, false);
    assert_entry(lookup(vocabulary, "second"), "second", 103, false);
    assert_entry(lookup(vocabulary, "[MASK]"), "[MASK]", 104, true);
    arena_destroy(arena);
}

static void test_the_longest_special_token_is_found(void **state) {
    Arena *arena = arena_create(1 << 20);
    Vocabulary *vocabulary = vocabulary_create(arena, 0);
    assert_true(add_special(vocabulary, "<s>", NULL));
    assert_true(add_special(vocabulary, "<s><s>", NULL));
    assert_true(add_special(vocabulary, "<s>x", NULL));
    assert_true(add(vocabulary, "<s>xyz", NULL)); /* not special */
    assert_entry(vocabulary_special_at(vocabulary, "<s>xyz", 6), "<s>x", 2, true);
    assert_entry(vocabulary_special_at(vocabulary, "<s><s>", 6), "<s><s>", 1, true);
    assert_entry(vocabulary_special_at(vocabulary, "<s><s>", 5), "<s>", 0, true);
    assert_null(vocabulary_special_at(vocabulary, "<s", 2));
    assert_null(vocabulary_special_at(vocabulary, "a<s>", 4));
    assert_null(vocabulary_special_at(vocabulary, "", 0));
    arena_destroy(arena);
}

/* Adds a token that must be refused with this code and words; nothing may have changed.
 */
static void assert_refused(Vocabulary *vocabulary, VocabularyEntry entry, ErrorCode code,
                           const char *words) {
    Error error = {0};
    size_t count = vocabulary_count(vocabulary);
    assert_false(vocabulary_add_entry(vocabulary, entry, &error));
    assert_int_equal(error.code, code);
    if (!strstr(error.message, words))
        fail_msg("'%s' is not in '%s'", words, error.message);
    assert_int_equal(vocabulary_count(vocabulary), count);
    assert_false(vocabulary_add_entry(vocabulary, entry, NULL));
}

static void test_what_cannot_be_a_token_is_refused(void **state) {
    Arena *arena = arena_create(1 << 20);
    Vocabulary *vocabulary = vocabulary_create(arena, 0);
    char longest[VOCABULARY_TOKEN_SIZE_MAX + 1];
    memset(longest, 'a', sizeof longest);
    assert_true(add(vocabulary, "you", NULL));
    assert_refused(vocabulary, (VocabularyEntry){"", 0, 5, false}, ERROR_VALUE, "empty");
    assert_refused(vocabulary, (VocabularyEntry){"a\0b", 3, 5, false}, ERROR_VALUE,
                   "zero byte");
    assert_refused(vocabulary, (VocabularyEntry){"ab\xFFz", 4, 5, false}, ERROR_ENCODING,
                   "byte 3 of the token");
    assert_refused(vocabulary, (VocabularyEntry){"you", 3, 5, false}, ERROR_NAME,
                   "'you' is in the vocabulary already, with ID 0");
    assert_refused(vocabulary, (VocabularyEntry){"win", 3, 0, false}, ERROR_NAME,
                   "ID 0 is 'you' already");
    assert_refused(vocabulary, (VocabularyEntry){"win", 3, 1000000001, false},
                   ERROR_LIMIT, "1000000001");
    assert_refused(vocabulary, (VocabularyEntry){longest, sizeof longest, 5, false},
                   ERROR_LIMIT, "1025 bytes");
    assert_true(vocabulary_add(vocabulary, longest, VOCABULARY_TOKEN_SIZE_MAX, NULL));
    assert_int_equal(vocabulary_count(vocabulary), 2);
    Vocabulary *high = vocabulary_create(arena, VOCABULARY_ID_MAX);
    assert_true(add(high, "last", NULL));
    Error error;
    assert_false(add(high, "one more", &error));
    assert_int_equal(error.code, ERROR_LIMIT);
    arena_destroy(arena);
}

static void test_there_are_at_most_ten_thousand_special_tokens(void **state) {
    Arena *arena = arena_create(1 << 24);
    Vocabulary *vocabulary = vocabulary_create(arena, 0);
    char text[20];
    for (size_t i = 0; i < VOCABULARY_SPECIALS_MAX; i++) {
        snprintf(text, sizeof text, "[%zu]", i);
        assert_true(add_special(vocabulary, text, NULL));
    }
    assert_refused(vocabulary, (VocabularyEntry){"[one]", 5, 50000, true}, ERROR_LIMIT,
                   "at most 10000");
    assert_true(add(vocabulary, "one", NULL));
    arena_destroy(arena);
}

static void test_a_million_tokens_are_found_again_and_no_more_are_taken(void **state) {
    Arena *arena = arena_create(1u << 30);
    Vocabulary *vocabulary = vocabulary_create(arena, 7);
    char text[20];
    for (size_t i = 0; i < VOCABULARY_TOKENS_MAX; i++) {
        snprintf(text, sizeof text, "w%zx", i * 7919);
        if (!add(vocabulary, text, NULL))
            fail_msg("token %zu is refused", i);
    }
    for (size_t i = 0; i < VOCABULARY_TOKENS_MAX; i += 97) {
        snprintf(text, sizeof text, "w%zx", i * 7919);
        assert_entry(lookup(vocabulary, text), text, i + 7, false);
        assert_entry(vocabulary_lookup_id(vocabulary, i + 7), text, i + 7, false);
    }
    assert_null(lookup(vocabulary, "w1"));
    assert_refused(vocabulary, (VocabularyEntry){"more", 4, 5, false}, ERROR_LIMIT,
                   "at most 1000000");
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_count_up_from_where_the_vocabulary_begins),
        cmocka_unit_test(test_lookup_takes_all_bytes_and_no_others),
        cmocka_unit_test(test_given_ids_stand_and_counted_ones_pass_them_over),
        cmocka_unit_test(test_the_longest_special_token_is_found),
        cmocka_unit_test(test_what_cannot_be_a_token_is_refused),
        cmocka_unit_test(test_there_are_at_most_ten_thousand_special_tokens),
        cmocka_unit_test(test_a_million_tokens_are_found_again_and_no_more_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
