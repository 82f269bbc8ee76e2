#include "contains.h"
#include "lesson_text.h"

#include "lesson/schema/yaml.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct Document {
    Arena *arena;
    ErrorList errors;
    const YamlNode *root;
} Document;

static Document document_read(const char *text, size_t length) {
    Document document = {.arena = arena_create((size_t)256 << 20)};
    document.root = yaml_read(document.arena, text, length, &document.errors);
    return document;
}

static void test_nodes_remember_line_and_column(void **state) {
    static const char text[] = "# a comment\n"
                               "title: One\n"
                               "given:\n"
                               "  X: [[1, 0],\n"
                               "      [2, 3]]\n"
                               "\xE4\xB8\xAD: 'Q = X'\n";
    Document document = document_read(text, strlen(text));
    const YamlNode *root = document.root;
    assert_int_equal(document.errors.count, 0);
    assert_int_equal(root->kind, YAML_MAPPING);
    assert_int_equal(root->count, 3);
    const YamlNode *title = yaml_lookup(root, "title");
    assert_string_equal(title->text, "One");
    assert_int_equal(title->line, 2);
    assert_int_equal(title->column, 8);
    assert_int_equal(title->text_column, 8);
    assert_int_equal(title->key->column, 1);
    const YamlNode *x = yaml_lookup(yaml_lookup(root, "given"), "X");
    assert_int_equal(x->kind, YAML_SEQUENCE);
    assert_int_equal(x->count, 2);
    assert_int_equal(x->first->next->line, 5);
    assert_int_equal(x->first->next->column, 7);
    assert_string_equal(x->first->next->first->next->text, "3");
    assert_int_equal(x->first->next->first->next->column, 11);
    /* Columns are counted in code points, and quotes stand before the text. */
    const YamlNode *quoted = yaml_lookup(root, "\xE4\xB8\xAD");
    assert_int_equal(quoted->column, 4);
    assert_int_equal(quoted->text_column, 5);
    assert_null(yaml_lookup(root, "steps"));
    assert_null(yaml_lookup(title, "steps"));
    arena_destroy(document.arena);
}

static void test_a_byte_order_mark_is_no_part_of_the_text(void **state) {
    static const char text[] = "\xEF\xBB\xBFtitle: One\nabout: two\n";
    Document document = document_read(text, strlen(text));
    assert_int_equal(document.errors.count, 0);
    const YamlNode *title = yaml_lookup(document.root, "title");
    assert_non_null(title);
    assert_int_equal(title->column, 8);
    assert_non_null(yaml_lookup(document.root, "about"));
    arena_destroy(document.arena);
}

static void test_texts_that_do_not_read_as_they_stand_have_no_column(void **state) {
    static const char text[] = "a: 'it''s'\n"
                               "b: \"x\\ty\"\n"
                               "c: >\n  one\n  two\n"
                               "d: one\n  two\n"
                               "e:\n";
    Document document = document_read(text, strlen(text));
    static const char *const texts[] = {"it's", "x\ty", "one two\n", "one two", ""};
    static const int columns[] = {0, 0, 0, 0, 3};
    size_t i = 0;
    for (const YamlNode *item = document.root->first; item; item = item->next, i++) {
        assert_string_equal(item->text, texts[i]);
        assert_int_equal(item->text_column, columns[i]);
    }
    assert_int_equal(i, 5);
    arena_destroy(document.arena);
}

static void test_bad_files_get_a_sentence_at_their_place(void **state) {
    static const BadText cases[] = {
        {"", ERROR_SYNTAX, 1, 1, "the file is empty"},
        {"# only a comment\n", ERROR_SYNTAX, 1, 1, "the file is empty"},
        {"a: [1, 2\nb: 3\n", ERROR_SYNTAX, 2, 2, "the closing ']' is missing"},
        {"a: {b: 1\n", ERROR_SYNTAX, 2, 1, "that began at 1:4"},
        {"a: \"open\n", ERROR_SYNTAX, 1, 4, "a quotation mark is missing"},
        {"a: [b]?\n", ERROR_SYNTAX, 1, 4, "needs quotes around all of it"},
        {"a: b\nc\xEF\xBC\x9A d\ne: f\n", ERROR_SYNTAX, 2, 2,
         "'：' is a full-width colon; write 'c: '"},
        {"title:My lesson\nb: 1\n", ERROR_SYNTAX, 1, 6, "write 'title: '"},
        {"a: 1\nb:2\n# c\n\nd: 1\n", ERROR_SYNTAX, 2, 2, "write 'b: '"},
        {"a:\n- do:Q = X\n  say: x\n- do: x\n", ERROR_SYNTAX, 2, 5, "write 'do: '"},
        {"a: [1，2\n", ERROR_SYNTAX, 2, 1, "the closing ']' is missing"},
        {"a: {b: \"x\"，c: 1}\n", ERROR_SYNTAX, 1, 11,
         "'，' is a full-width sign; write ','"},
        {"a: 'it's b'\n", ERROR_SYNTAX, 1, 7, "within '…' it is written twice, ''"},
        {"a: \"the \"b\" c\"\n", ERROR_SYNTAX, 1, 9, "written \\\""},
        {"a:\n  b: \"A row\" is\n", ERROR_SYNTAX, 2, 14, "needs quotes around all of it"},
        {"a:\n  -do: b\n  - do: c\n", ERROR_SYNTAX, 2, 3, "write '- do:'"},
        {"a:\n  b: c\n\xC2\xA0 d: e\n  f: g\n", ERROR_SYNTAX, 3, 1, "plain blanks"},
        {"a: b: c\n", ERROR_SYNTAX, 1, 5, "needs quotes around it"},
        {"a: {What}?\n", ERROR_SYNTAX, 1, 4, "around all of it; write \"{What}?\""},
        {"a: [b] c\n", ERROR_SYNTAX, 1, 4, "write \"[b] c\""},
        {"a: **bold** b\n", ERROR_SYNTAX, 1, 4, "write \"**bold** b\""},
        {"a: *bold* b\n", ERROR_SYNTAX, 1, 4, "write \"*bold* b\""},
        {"a: > quoted\n", ERROR_SYNTAX, 1, 4, "write \"> quoted\""},
        {"a: | \"b\"\n", ERROR_SYNTAX, 1, 4, "write '| \"b\"'"},
        {"a: - it's \"b\"\n", ERROR_SYNTAX, 1, 4, "begins with '-' needs quotes"},
        {"a: {en: *b* c, zh: d}\n", ERROR_SYNTAX, 1, 9, "begins with '*' needs quotes"},
        {"a: @ b\n", ERROR_SYNTAX, 1, 4, "write \"@ b\""},
        {"- - [1 2\n", ERROR_SYNTAX, 2, 1, "the closing ']' is missing"},
        {"a:\n\t- b\n", ERROR_SYNTAX, 2, 1, "not tabs"},
        {"a: 1\n  b: 2\n", ERROR_SYNTAX, 2, 4, "needs quotes around it"},
        {"- a\nb: 1\n", ERROR_SYNTAX, 2, 1, "in the same column"},
        {"a: \"\\q\"\n", ERROR_SYNTAX, 1, 5, "a backslash is written twice"},
        {"a: 1\n--- \nb: 2\n", ERROR_SYNTAX, 2, 1, "a second document begins here"},
        {"a: 1\nb: 2\na: 3\n", ERROR_NAME, 3, 1, "first at line 1"},
        {"a: {x: 1, x: 2}\n", ERROR_NAME, 1, 11, "'x' stands here a second time"},
        {"a: &anchor 1\n", ERROR_SYNTAX, 1, 4, "anchors"},
        {"a: &anchor [1]\n", ERROR_SYNTAX, 1, 4, "anchors"},
        {"a: *alias\n", ERROR_SYNTAX, 1, 4, "aliases"},
        {"a: !!str 1\n", ERROR_SYNTAX, 1, 4, "tags"},
        {"a: !x {b: 1}\n", ERROR_SYNTAX, 1, 4, "tags"},
        {"[1, 2]: 3\n", ERROR_SYNTAX, 1, 1, "a key is one word"},
        {"a: \"\\x07\"\n", ERROR_VALUE, 1, 4, "control character"},
        {"a: 1\nb: \x01\n", ERROR_ENCODING, 2, 4, "control characters are not allowed"},
        {"a: 1\nb\xE4\xB8\xAD: \xFF\n", ERROR_ENCODING, 2, 5, "byte 0xFF is not UTF-8"},
        {"\xFF\xFE", ERROR_ENCODING, 1, 1, "is not UTF-8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Document document = document_read(cases[i].text, strlen(cases[i].text));
        assert_only_error(&document.errors, &cases[i]);
        arena_destroy(document.arena);
    }
}

static void test_a_nul_byte_is_refused(void **state) {
    static const char text[] = "a: 1\nb: \0 2\n";
    static const BadText bad = {"a NUL", ERROR_ENCODING, 2, 4, "a NUL byte stands here"};
    Document document = document_read(text, sizeof text - 1);
    assert_only_error(&document.errors, &bad);
    assert_null(document.root);
    arena_destroy(document.arena);
}

static void test_all_repeated_keys_are_reported(void **state) {
    static const char text[] = "a: 1\nb: {x: 1, x: 2, x: 3}\na: *c\n";
    Document document = document_read(text, strlen(text));
    assert_int_equal(document.errors.count, 4);
    arena_destroy(document.arena);
}

/* `count` times `open`, as a file. */
static Document read_repeated(const char *prefix, const char *open, size_t count) {
    size_t size = strlen(prefix) + count * strlen(open) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    char *end = text + sprintf(text, "%s", prefix);
    for (size_t i = 0; i < count; i++)
        end += sprintf(end, "%s", open);
    Document document = document_read(text, size - 1);
    free(text);
    return document;
}

static void test_deep_nesting_is_refused_at_once(void **state) {
    static const char *const opens[] = {"[", "{", "{a: ", "- ", "[\n", "? ", "[[\n{"};
    for (size_t i = 0; i < sizeof opens / sizeof *opens; i++) {
        Document document = read_repeated("", opens[i], 1000000 / strlen(opens[i]));
        assert_null(document.root);
        assert_int_equal(document.errors.count, 1);
        assert_true(document.errors.items[0].code == ERROR_LIMIT ||
                    document.errors.items[0].code == ERROR_SYNTAX);
        arena_destroy(document.arena);
    }
    Document document = read_repeated("a: ", "[", 64);
    assert_int_equal(document.errors.items[0].code, ERROR_LIMIT);
    assert_contains(document.errors.items[0].message, "more than 64 deep");
    arena_destroy(document.arena);
}

static void test_nesting_up_to_the_limit_is_read(void **state) {
    char text[2 * 64 + 1] = "";
    memset(text, '[', 64);
    memset(text + 64, ']', 64);
    Document document = document_read(text, 128);
    assert_int_equal(document.errors.count, 0);
    assert_non_null(document.root);
    arena_destroy(document.arena);
}

static void test_a_file_past_the_limit_is_refused(void **state) {
    Document document = read_repeated("", "# comment\n", 420000);
    static const BadText bad = {"4.2 MB", ERROR_LIMIT, 0, 0, "at most 4194304"};
    assert_only_error(&document.errors, &bad);
    arena_destroy(document.arena);
}

static void test_very_many_keys_are_read_in_good_time(void **state) {
    enum { KEYS = 200000 };
    char *text = malloc(KEYS * 12), *end = text;
    assert_non_null(text);
    for (int i = 0; i < KEYS; i++)
        end += sprintf(end, "k%d: 1\n", i);
    Document document = document_read(text, (size_t)(end - text));
    assert_int_equal(document.errors.count, 0);
    assert_int_equal(document.root->count, KEYS);
    arena_destroy(document.arena);
    free(text);
}

static void test_memory_that_runs_out_is_an_error_wherever_it_happens(void **state) {
    static const char text[] = "a: {en: [1, 2], zh: {x: 1, y: 2}}\nb: [[1], [2]]\n";
    bool complete = false;
    for (size_t limit = 0; !complete; limit += 16) {
        ErrorList errors = {0};
        Arena *arena = arena_create(limit);
        assert_non_null(arena);
        const YamlNode *root = yaml_read(arena, text, strlen(text), &errors);
        complete = root != NULL;
        if (!complete)
            assert_int_equal(errors.items[0].code, ERROR_MEMORY);
        assert_int_equal(errors.count, !complete);
        arena_destroy(arena);
        assert_true(limit < 100000);
    }
}

static void test_files_that_cannot_be_read_say_why(void **state) {
    static const char *const paths[] = {"/nowhere/at/all.yaml", "/", "/dev/zero"};
    for (size_t i = 0; i < 3; i++) {
        ErrorList errors = {0};
        Arena *arena = arena_create(1 << 20);
        size_t length;
        assert_null(yaml_read_file(arena, paths[i], &length, &errors));
        assert_int_equal(errors.items[0].code, ERROR_FILE);
        arena_destroy(arena);
    }
}

static void test_a_file_that_is_too_large_is_not_read(void **state) {
    ErrorList errors = {0};
    char path[] = "/tmp/test_yaml_XXXXXX";
    int file = mkstemp(path);
    assert_int_equal(ftruncate(file, YAML_MAX_BYTES + 1), 0);
    Arena *arena = arena_create(8 << 20);
    size_t length;
    assert_null(yaml_read_file(arena, path, &length, &errors));
    assert_int_equal(errors.items[0].code, ERROR_LIMIT);
    assert_int_equal(ftruncate(file, YAML_MAX_BYTES), 0);
    assert_non_null(yaml_read_file(arena, path, &length, &errors));
    assert_int_equal(length, YAML_MAX_BYTES);
    arena_destroy(arena);
    close(file);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes_remember_line_and_column),
        cmocka_unit_test(test_a_byte_order_mark_is_no_part_of_the_text),
        cmocka_unit_test(test_texts_that_do_not_read_as_they_stand_have_no_column),
        cmocka_unit_test(test_bad_files_get_a_sentence_at_their_place),
        cmocka_unit_test(test_a_nul_byte_is_refused),
        cmocka_unit_test(test_all_repeated_keys_are_reported),
        cmocka_unit_test(test_deep_nesting_is_refused_at_once),
        cmocka_unit_test(test_nesting_up_to_the_limit_is_read),
        cmocka_unit_test(test_a_file_past_the_limit_is_refused),
        cmocka_unit_test(test_very_many_keys_are_read_in_good_time),
        cmocka_unit_test(test_memory_that_runs_out_is_an_error_wherever_it_happens),
        cmocka_unit_test(test_files_that_cannot_be_read_say_why),
        cmocka_unit_test(test_a_file_that_is_too_large_is_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
