/* Strings: UTF-8, the interface's languages and texts in several of them. */
#include "base/arena.h"
#include "base/strings/language.h"
#include "base/strings/literal.h"
#include "base/strings/utf8.h"
#include "close.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- UTF-8 ---- */

static void
test_utf8_encoding_and_decoding_are_inverse_for_every_code_point(void **state) {
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        if (c >= 0xD800 && c < 0xE000)
            continue;
        char bytes[4];
        size_t length = utf8_encode(c, bytes), offset = 0;
        assert_int_equal(length, c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
        assert_int_equal(utf8_check(bytes, length), length);
        assert_int_equal(utf8_next(bytes, length, &offset), c);
        assert_int_equal(offset, length);
        if (length > 1) /* cut short */
            assert_int_equal(utf8_check(bytes, length - 1), 0);
    }
}

static void test_utf8_check_finds_the_first_bad_byte(void **state) {
    const struct {
        const char *text;
        size_t offset;
    } cases[] = {
        {"\x80", 0},                     /* a continuation alone */
        {"ab\xFF", 2},                   /* never a lead */
        {"a\xC0\x80", 1},                /* overlong zero */
        {"\xE0\x80\xAF", 0},             /* overlong slash */
        {"\xF0\x8F\xBF\xBF", 0},         /* overlong U+FFFF */
        {"\xE4\xB8\xAD\xED\xA0\x80", 3}, /* a surrogate behind 中 */
        {"\xF4\x90\x80\x80", 0},         /* above U+10FFFF */
        {"\xF8\x88\x80\x80\x80", 0},     /* five bytes */
        {"x\xE4\xB8", 1},                /* cut short */
        {"x\xE4y\xAD", 1},               /* a letter within */
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(utf8_check(cases[i].text, strlen(cases[i].text)),
                         cases[i].offset);
    assert_int_equal(utf8_check("中文 ok", 9), 9);
    assert_int_equal(utf8_check("", 0), 0);
}

static void test_utf8_next_replaces_bad_bytes_one_by_one(void **state) {
    const char text[] = "a\xE4\xB8z";
    const uint32_t expected[] = {'a', 0xFFFD, 0xFFFD, 'z'};
    size_t offset = 0;
    for (size_t i = 0; i < COUNT(expected); i++)
        assert_int_equal(utf8_next(text, strlen(text), &offset), expected[i]);
    assert_int_equal(offset, strlen(text));
    assert_int_equal(utf8_count(text), 4);
    assert_int_equal(utf8_count("注意力 head"), 8);
    assert_int_equal(utf8_count(""), 0);
}

static void test_utf8_knows_cjk_from_latin(void **state) {
    const uint32_t cjk[] = {0x4E2D, 0x3002, 0xFF0C, 0x3042, 0xAC00, 0x20000, 0x9FFF};
    const uint32_t other[] = {'a', ' ', 0xE9, 0x3B1, 0x2212, 0x221E, 0x1D444, 0x2026};
    for (size_t i = 0; i < COUNT(cjk); i++)
        assert_true(utf8_is_cjk(cjk[i]));
    for (size_t i = 0; i < COUNT(other); i++)
        assert_false(utf8_is_cjk(other[i]));
}

/* ---- languages and texts ---- */

static const LanguageWord ENGLISH_WORDS[] = {
    {"inspector.matches", "agrees"}, {"op.matmul", "Multiply"}, {"op.softmax", "Share"}};
static const LanguageWord CHINESE_WORDS[] = {{"op.softmax", "归一"}};
static Language english = {"en",          "English", COUNT(ENGLISH_WORDS),
                           ENGLISH_WORDS, NULL,      false};
static Language chinese = {"zh",          "中文",   COUNT(CHINESE_WORDS),
                           CHINESE_WORDS, &english, false};
static Language brazilian = {"pt-BR", "Português", 0, NULL, &english, false};
static Language *items[] = {&english, &brazilian, &chinese};
static const Languages languages = {COUNT(items), items};

static void test_languages_are_found_by_code_and_locale(void **state) {
    char names[LANGUAGES_NAMES_SIZE];
    assert_ptr_equal(languages_lookup(&languages, "zh"), &chinese);
    assert_null(languages_lookup(&languages, "z"));
    assert_null(languages_lookup(&languages, ""));
    assert_ptr_equal(languages_of_locale(&languages, "zh_CN.UTF-8"), &chinese);
    assert_ptr_equal(languages_of_locale(&languages, "zh"), &chinese);
    assert_ptr_equal(languages_of_locale(&languages, "pt_BR@euro"), &brazilian);
    assert_null(languages_of_locale(&languages, "pt_PT"));
    assert_null(languages_of_locale(&languages, "zhx"));
    assert_null(languages_of_locale(&languages, "C.UTF-8"));
    assert_ptr_equal(languages_next(&languages, &english), &brazilian);
    assert_ptr_equal(languages_next(&languages, &chinese), &english);
    assert_string_equal(languages_names(&languages, names),
                        "en (English), pt-BR (Português), zh (中文)");
}

static void test_names_of_many_languages_are_cut(void **state) {
    Language *many[100];
    char names[LANGUAGES_NAMES_SIZE];
    for (size_t i = 0; i < COUNT(many); i++)
        many[i] = &english;
    languages_names(&(Languages){COUNT(many), many}, names);
    assert_int_equal(strlen(names), LANGUAGES_NAMES_SIZE - 1);
}

static void test_codes_are_written_as_bcp_47_has_them(void **state) {
    const char *const good[] = {"en", "yue", "pt-BR", "zh-Hant-TW", "es-419"};
    const char *const bad[] = {"", "e", "EN", "engl", "en-", "en--GB", "en_GB", "en GB"};
    for (size_t i = 0; i < COUNT(good); i++)
        assert_true(language_is_code(good[i]));
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(language_is_code(bad[i]));
}

static void test_a_text_falls_back_to_the_default_language(void **state) {
    Wording wordings[] = {{.code = "fr", .words = "notes"},
                          {.code = "en", .words = "scores"},
                          {.code = "zh", .words = "分数"}};
    Text all = {NULL, 3, wordings}, foreign = {NULL, 1, wordings}, none = {0};
    assert_string_equal(text_in(&all, &chinese), "分数");
    assert_string_equal(text_in(&all, &english), "scores");
    assert_string_equal(text_in(&all, &brazilian), "scores");
    assert_string_equal(text_in(&foreign, &brazilian), "notes");
    assert_string_equal(text_in(&none, &english), "");
    Text anywhere = {NULL, 1, &(Wording){.words = "softmax"}};
    assert_string_equal(text_in(&anywhere, &chinese), "softmax");
    Text own = {.key = "op.matmul"};
    assert_string_equal(text_in(&own, &chinese), "Multiply");
    Text blank = {NULL, 1, &(Wording){.code = "en", .words = ""}};
    assert_true(text_is_empty(&none) && text_is_empty(&blank));
    assert_false(text_is_empty(&all) || text_is_empty(&own));
}

static void test_a_copied_text_needs_the_first_no_more(void **state) {
    Arena *arena = arena_create(1000), *none = arena_create(0);
    char code[] = "zh", words[] = "分数";
    Text text = {NULL, 1, &(Wording){.code = code, .words = words}};
    Text copy = text_copy(&text, arena);
    code[0] = words[0] = 'x';
    assert_string_equal(text_in(&copy, &chinese), "分数");
    copy = text_copy(&text, none);
    assert_true(text_is_empty(&copy));
    arena_destroy(arena);
    arena_destroy(none);
}

static void test_words_are_found_by_key_and_unknown_keys_show(void **state) {
    assert_string_equal(language_words(&chinese, "op.softmax"), "归一");
    assert_string_equal(language_words(&chinese, "op.matmul"), "Multiply");
    assert_string_equal(language_words(&english, "op.none"), "op.none");
    assert_true(language_has(&chinese, "inspector.matches"));
    assert_false(language_has(&chinese, "inspector"));
    assert_false(language_has(&(Language){.code = "fr"}, "key"));
}

static void test_places_in_words_are_filled_by_number(void **state) {
    static const LanguageWord words[] = {
        {"a", "{1} of {0}, {1}"}, {"b", "{} {2} {x {"}, {"c", ""}, {"d", "{0}{9}"}};
    const Language language = {"en", "English", COUNT(words), words, NULL, false};
    const char *const arguments[] = {"ten", "{0}"};
    Arena *arena = arena_create(100), *none = arena_create(0);
    static const char *const expected[] = {"{0} of ten, {0}", "{} {2} {x {", "",
                                           "ten{9}"};
    char cut[6], nothing[1];
    for (size_t i = 0; i < COUNT(words); i++) {
        assert_string_equal(
            language_sentence(&language, words[i].key, 2, arguments, arena), expected[i]);
        assert_int_equal(
            language_write(cut, sizeof cut, &language, words[i].key, 2, arguments),
            strlen(expected[i]));
        assert_true((double)strlen(cut) == fmin(5, (double)strlen(expected[i])));
        assert_memory_equal(cut, expected[i], strlen(cut));
        language_write(nothing, 1, &language, words[i].key, 2, arguments);
        assert_int_equal(nothing[0], 0);
    }
    assert_string_equal(
        language_sentence(&language, "a", 2, (const char *const[]){NULL, "x"}, arena),
        "x of , x");
    assert_string_equal(language_sentence(&language, "a", 2, arguments, none), "");
    arena_destroy(arena);
    arena_destroy(none);
}

/* ---- quoting ---- */

/* Checked with bash 5.2 (printf %s WORD) and Python 3.11 (print(ascii(…))). */
static void test_texts_are_quoted_for_a_shell_and_for_python(void **state) {
    static const struct {
        const char *text, *shell, *quoted;
    } rows[] = {
        {"", "''", "\"\""},
        {"lesson-1.yaml", "lesson-1.yaml", "\"lesson-1.yaml\""},
        {"a/b:c@d%e+f,_", "a/b:c@d%e+f,_", "\"a/b:c@d%e+f,_\""},
        {"a b", "'a b'", "\"a b\""},
        {"it's", "'it'\\''s'", "\"it's\""},
        {"$(rm)`~\"\\", "'$(rm)`~\"\\'", "\"$(rm)`~\\\"\\\\\""},
        {"\xC3\xA9", "'\xC3\xA9'", "\"\xC3\xA9\""},
        {"a\nb", "$'a\\012b'", "\"a\\x0Ab\""},
        {"'\\\t", "$'\\'\\\\\\011'", "\"'\\\\\\x09\""},
        {"\x1B[1m", "$'\\033[1m'", "\"\\x1B[1m\""},
        {"\xE2\x80\xAE!", "$'\\342\\200\\256!'", "\"\\u202E!\""},
        {"a\xFF", "$'a\\377'", "\"a\\udcff\""},
        {"a\x80", "$'a\\200'", "\"a\\udc80\""},
        {"\xEF\xBB\xBF", "$'\\357\\273\\277'", "\"\\uFEFF\""},
        {"\xF0\x9F\xBF\xBF", "$'\\360\\237\\277\\277'", "\"\\U0001FFFF\""},
    };
    (void)state;
    Arena *arena = arena_create(1 << 16);
    for (size_t i = 0; i < COUNT(rows); i++) {
        Writer shell = {.arena = arena}, quoted = {.arena = arena};
        literal_shell(&shell, rows[i].text);
        literal_quoted(&quoted, rows[i].text);
        assert_string_equal(shell.text, rows[i].shell);
        assert_string_equal(quoted.text, rows[i].quoted);
        assert_int_equal(literal_is_plain(rows[i].text),
                         rows[i].text[0] && strcmp(rows[i].shell, rows[i].text) == 0);
    }
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_utf8_encoding_and_decoding_are_inverse_for_every_code_point),
        cmocka_unit_test(test_utf8_check_finds_the_first_bad_byte),
        cmocka_unit_test(test_utf8_next_replaces_bad_bytes_one_by_one),
        cmocka_unit_test(test_utf8_knows_cjk_from_latin),
        cmocka_unit_test(test_languages_are_found_by_code_and_locale),
        cmocka_unit_test(test_names_of_many_languages_are_cut),
        cmocka_unit_test(test_codes_are_written_as_bcp_47_has_them),
        cmocka_unit_test(test_a_text_falls_back_to_the_default_language),
        cmocka_unit_test(test_a_copied_text_needs_the_first_no_more),
        cmocka_unit_test(test_words_are_found_by_key_and_unknown_keys_show),
        cmocka_unit_test(test_places_in_words_are_filled_by_number),
        cmocka_unit_test(test_texts_are_quoted_for_a_shell_and_for_python),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
