#include "contains.h"
#include "course_files.h"
#include "lesson_text.h"
#include "operation_rows.h"
#include "reference.h"
#include "tensor/terms/term.h"

#include <math.h>
#include <unistd.h>

static const char WORDS[] = "language: {code: en, name: English}\n"
                            "play: Play\n"
                            "inspector:\n"
                            "  name: Glassformer\n"
                            "  matches: {well: agrees}\n"
                            "a: \"one: two\"\n";

static Language *parse(Arena *arena, const char *text, ErrorList *errors) {
    return language_parse(arena, "words.yaml", text, strlen(text), errors);
}

static void test_nested_keys_are_joined_with_dots_and_sorted(void **state) {
    Arena *arena = arena_create(1 << 20);
    ErrorList errors = {0};
    const Language *language = parse(arena, WORDS, &errors);
    assert_non_null(language);
    assert_int_equal(errors.count, 0);
    assert_string_equal(language->code, "en");
    assert_string_equal(language->name, "English");
    assert_int_equal(language->count, 6);
    assert_string_equal(language_words(language, "play"), "Play");
    assert_string_equal(language_words(language, "inspector.matches.well"), "agrees");
    assert_string_equal(language_words(language, "inspector.name"), "Glassformer");
    assert_string_equal(language_words(language, "a"), "one: two");
    assert_string_equal(language_words(language, "nowhere"), "nowhere");
    for (size_t i = 1; i < language->count; i++)
        assert_true(strcmp(language->words[i - 1].key, language->words[i].key) < 0);
    arena_destroy(arena);
}

#define HEAD "language: {code: en, name: English}\n"

static void test_bad_words_get_a_sentence_at_their_place(void **state) {
    static const BadText cases[] = {
        {"words\n", ERROR_VALUE, 1, 1, "the words must be a mapping"},
        {"a: b\n", ERROR_NAME, 1, 1, "must name its language"},
        {"language: en\n", ERROR_NAME, 1, 1, "must name its language"},
        {"language: {code: en}\n", ERROR_NAME, 1, 1, "must name its language"},
        {"language: {code: English, name: e}\n", ERROR_VALUE, 1, 18,
         "'English' is not a language's code"},
        {HEAD "a: [x]\n", ERROR_VALUE, 2, 4, "a must be a text, not a list"},
        {HEAD "a:\n", ERROR_VALUE, 2, 3, "not empty"},
        {HEAD "a: {b: [x]}\n", ERROR_VALUE, 2, 8, "a.b must be a text"},
        {HEAD "a.b: x\n", ERROR_NAME, 2, 1, "the key 'a.b' has a dot"},
        {HEAD "a: x\na: y\n", ERROR_NAME, 3, 1, "'a' stands here a second time"},
        {HEAD "a: [\n", ERROR_SYNTAX, 3, 1, "a value is missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena *arena = arena_create(1 << 20);
        ErrorList errors = {0};
        const Language *language = parse(arena, cases[i].text, &errors);
        assert_string_equal(errors.file, "words.yaml");
        assert_only_error(&errors, &cases[i]);
        assert_null(language);
        arena_destroy(arena);
    }
}

/* Fails unless a text is read as it is when its last line keeps it from being read line
 * by line. */
static void assert_read_as_yaml(const char *text) {
    static const char last[] = "\nzzz: |\n  words of several\n  lines\n";
    size_t length = strlen(text);
    Arena *arena = arena_create(64 << 20);
    ErrorList errors = {0}, errors_of_other = {0};
    char *longer = arena_format(arena, "%s%s", text, last);
    const Language *language = language_parse(arena, "a.yaml", text, length, &errors);
    const Language *other =
        language_parse(arena, "a.yaml", longer, strlen(longer), &errors_of_other);
    if (!language != !other)
        fail_msg("%s is %s", text, language ? "read" : "refused");
    if (language)
        assert_int_equal(language->count + 1, other->count);
    for (size_t i = 0; language && i < language->count; i++) {
        const char *key = language->words[i].key;
        assert_true(language_has(other, key));
        assert_string_equal(language->words[i].words, language_words(other, key));
    }
    arena_destroy(arena);
}

static void test_files_of_plain_lines_are_read_as_yaml_is(void **state) {
    static const char *const files[] = {"strings/en", "strings/zh", "glossary/en",
                                        "glossary/zh"};
    static const char *const texts[] = {
        "a: b",
        "a: b ",
        "a:  b",
        "a: b  c",
        "a: \"b\"",
        "a: \"b\" ",
        "a: \"b\" # c",
        "a: \"b\"# c",
        "a: b # c",
        "a: b# c",
        "a: b #",
        "a: # c",
        "a: #c",
        "a:#c",
        "a:b",
        "a:",
        "a: ",
        "a: \"\"",
        "a: ''",
        "a: 'b'",
        "a: 'b''c'",
        "a: '",
        "a: \"",
        "a: \"b",
        "a: \"b\nc\"",
        "a: \"b\n  c\"",
        "a: 'b\n  c'",
        "a: b\n  c",
        "a: b\n c: d",
        "a: b\n  c: d",
        "a:\n  b: c",
        "a:\n  b: c\n  d: e",
        "a:\n  b: c\n d: e",
        "a:\n  b: c\n   d: e",
        "a:\n  b:\n    c: d\n  e: f",
        "a:\n  b:\n    c: d\n e: f",
        "a:\nb: c",
        "a:\n  b:\nc: d",
        "  a: b",
        "a: b\na: c",
        "a:\n  b: c\na: d",
        "a:\n  b: c\na:\n  d: e",
        "a: \"b\\n\"",
        "a: \"\\u00e9\"",
        "a: \"\\q\"",
        "a: \"\\\"\"",
        "a: |",
        "a: |-\n  # b",
        "a: |-\n  b: c",
        "a: >-\n  b",
        "a: >-",
        "a: [b]",
        "a: {b: c}",
        "a: {b: [c]}",
        "a: {b: c}\n  d: e",
        "a: {b: c",
        "a: {b: c,\n  d: e}",
        "a: {b.c: d}",
        "a: {}",
        "a: {b: c, b: d}",
        "a: b: c",
        "a: \"b\": c",
        "a: \"b\" c",
        "a: - b",
        "a: ? b",
        "a: &b c",
        "a: *b",
        "a: !b c",
        "a: %b",
        "a: @b",
        "a: `b`",
        "a: b{c}",
        "a: b, c",
        "a: -b",
        "a: - ",
        "a: --- b",
        "a: ...",
        "a: null",
        "a: ~",
        "a: 1",
        "a: yes",
        "a: \tb",
        "a:\tb",
        "a: b\t",
        "\ta: b",
        "a: b\r",
        "a: b\r\nc: d",
        "a: b\x01",
        "a: b\x7f",
        "a: b\xC2\x85 c",
        "a: \"b\xC2\x85 c\"",
        "a: b\xC2\xA0",
        "a: \xC2\xA0",
        "a: b\xE2\x80\xA8 c",
        "a: \"b\xE2\x80\xA9 c\"",
        "a: \xEF\xBB\xBF",
        "a: \xEF\xBF\xBE",
        "a: \xFF",
        "a: b\xE4\xBD",
        "a: 你好",
        "a: 你好：“世界”",
        "你: b",
        "a_b-2: c",
        "2a: b",
        "-a: b",
        "a b: c",
        "\"a\": b",
        "a.b: c",
        "---\na: b",
        "a: b\n---\nc: d",

        "a: b\n...\nc: d",
        "%YAML 1.1\n---\na: b",
        "# c\na: b",
        "a: b\n# c\nd: e",
        "a:\n# c\n  d: e",
        "a:\n  # c\n  d: e",
        "a: b\n  # c",
        "a: b\n  # c\n  d",
        "\n\na: b\n\n",
        "- a",
        "a: b\n- c",
        "a: b\nc",
        "a: b\n  : c",
        "a: (b",
        "a: b)",
        "a: b:",
        "a: b :c",
        "a: \"b\"\n  \"c\"",
        "a: {b: \"c\" # d}",
        "language: {code: zh, name: 中文}",
        "? a\n: b",
        "a: b\n\n\n  c",
        "a: \"b\n\"",
        "key: b\nkey : c",
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char within[100], path[COURSE_PATH_SIZE];
        size_t length;
        ErrorList errors = {0};
        Arena *arena = arena_create(1 << 20);
        snprintf(within, sizeof within, "assets/%s.yaml", files[i]);
        const char *text =
            yaml_read_file(arena, course_path(path, within), &length, &errors);
        assert_non_null(text);
        assert_read_as_yaml(text);
        arena_destroy(arena);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[200];
        snprintf(text, sizeof text, HEAD "%s", texts[i]);
        assert_read_as_yaml(text);
        snprintf(text, sizeof text, HEAD "%s\ny: z\n", texts[i]);
        assert_read_as_yaml(text);
        snprintf(text, sizeof text, HEAD "x:\n  %s\n", texts[i]);
        assert_read_as_yaml(text);
        snprintf(text, sizeof text, "%s\n" HEAD, texts[i]);
        assert_read_as_yaml(text);
    }
}

/* Words beside mappings whose keys are languages, as lessons write them. */
static void test_any_mixture_of_words_and_mappings_has_room(void **state) {
    Arena *arena = arena_create(1 << 20);
    ErrorList errors = {0};
    const Language *language =
        parse(arena, HEAD "en: a\nzh: b\nc: {en: x, zh: y}\nd: z\n", &errors);
    assert_non_null(language);
    assert_int_equal(language->count, 7);
    assert_string_equal(language_words(language, "c.zh"), "y");
    arena_destroy(arena);
}

static void test_memory_that_runs_out_is_an_error(void **state) {
    bool complete = false;
    for (size_t limit = 0; !complete; limit += 16) {
        Arena *arena = arena_create(limit);
        ErrorList errors = {0};
        complete = parse(arena, WORDS, &errors);
        assert_int_equal(errors.count > 0, !complete);
        if (!complete)
            assert_int_equal(errors.items[errors.count - 1].code, ERROR_MEMORY);
        arena_destroy(arena);
        assert_true(limit < 100000);
    }
}

/* ---- folders ---- */

typedef struct Folders {
    char program[COURSE_PATH_SIZE], own[COURSE_PATH_SIZE + 8];
    Arena *arena;
} Folders;

static void write_words(const char *folder, const char *name, const char *text) {
    char path[2 * COURSE_PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static Folders make_folders(void) {
    Folders folders = {.arena = arena_create(1 << 20)};
    const char *temporary = getenv("TMPDIR");
    char command[2 * COURSE_PATH_SIZE];
    snprintf(folders.program, sizeof folders.program, "%s/glassformer-XXXXXX",
             temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(folders.program));
    snprintf(folders.own, sizeof folders.own, "%s/own", folders.program);
    snprintf(command, sizeof command, "mkdir '%s'", folders.own);
    assert_int_equal(system(command), 0);
    return folders;
}

static void remove_folders(Folders *folders) {
    char command[2 * COURSE_PATH_SIZE];
    snprintf(command, sizeof command, "rm -r '%s'", folders->program);
    assert_int_equal(system(command), 0);
    arena_destroy(folders->arena);
}

static void test_the_default_comes_first_and_has_what_others_lack(void **state) {
    Folders at = make_folders();
    write_words(at.program, "1.yaml", "language: {code: zh, name: 中文}\na: 甲\n");
    write_words(at.program, "2.yaml",
                "language: {code: en, name: English, default: true}\na: A\nb: B\n");
    write_words(at.program, "3.yaml", "language: {code: de, name: Deutsch}\n");
    write_words(at.program, "notes.txt", "language: fr\n");
    Languages languages;
    ErrorList errors = {0};
    assert_true(languages_load(&languages, at.arena, at.program, at.own, &errors));
    char names[LANGUAGES_NAMES_SIZE];
    assert_string_equal(languages_names(&languages, names),
                        "en (English), de (Deutsch), zh (中文)");
    const Language *chinese = languages_lookup(&languages, "zh");
    assert_string_equal(language_words(chinese, "a"), "甲");
    assert_string_equal(language_words(chinese, "b"), "B");
    remove_folders(&at);
}

static void test_a_users_file_adds_a_language_or_goes_over_one(void **state) {
    Folders at = make_folders();
    write_words(at.program, "en.yaml",
                "language: {code: en, name: English, default: true}\na: A\nb: B\n");
    write_words(at.own, "mine.yaml", "language: {code: en, name: Mine}\na: my A\n");
    write_words(at.own, "de.yaml", "language: {code: de, name: Deutsch}\n");
    Languages languages;
    ErrorList errors = {0};
    assert_true(languages_load(&languages, at.arena, at.program, at.own, &errors));
    char names[LANGUAGES_NAMES_SIZE];
    assert_string_equal(languages_names(&languages, names), "en (Mine), de (Deutsch)");
    for (size_t i = 0; i < languages.count; i++) {
        assert_string_equal(language_words(languages.items[i], "a"), "my A");
        assert_string_equal(language_words(languages.items[i], "b"), "B");
    }
    remove_folders(&at);
}

static void test_folders_without_good_words_are_errors(void **state) {
    Folders at = make_folders();
    Languages languages;
    ErrorList errors = {0};
    assert_false(languages_load(&languages, at.arena, "/nowhere", NULL, &errors));
    assert_int_equal(errors.items[0].code, ERROR_FILE);
    errors = (ErrorList){0};
    assert_false(languages_load(&languages, at.arena, at.program, NULL, &errors));
    assert_contains(errors.items[0].message, "has no language");
    write_words(at.program, "en.yaml", HEAD "a: [\n");
    errors = (ErrorList){0};
    assert_false(languages_load(&languages, at.arena, at.program, NULL, &errors));
    assert_int_equal(errors.items[0].code, ERROR_SYNTAX);
    assert_contains(errors.file, "/en.yaml");
    remove_folders(&at);
}

/* ---- the program's own ---- */

/* Which of {0} … {9} the words have. */
static unsigned slots_of(const char *words) {
    unsigned slots = 0;
    for (const char *at = words; (at = strchr(at, '{')); at++) {
        if (at[1] >= '0' && at[1] <= '9' && at[2] == '}')
            slots |= 1U << (at[1] - '0');
    }
    return slots;
}

/* The names of what is wrong, behind one another. */
typedef struct Names {
    char text[4000];
    size_t count;
} Names;

static void add_name(Names *names, const Language *language, const char *key,
                     const char *trouble) {
    size_t length = strlen(names->text);
    snprintf(names->text + length, sizeof names->text - length, "\n  %s: '%s' %s",
             language->code, key, trouble);
    names->count++;
}

/* The slots that one word has and another hasn't, in a sentence each. */
static void add_slots(Names *names, const Language *language, const char *key,
                      unsigned wanted, unsigned present) {
    char trouble[64];
    for (unsigned i = 0; i < 10; i++) {
        unsigned slot = 1U << i;
        if (!((wanted ^ present) & slot))
            continue;
        snprintf(trouble, sizeof trouble, "%s {%u}, which the first language %s",
                 wanted & slot ? "lacks" : "has", i, wanted & slot ? "has" : "lacks");
        add_name(names, language, key, trouble);
    }
}

/* Words of `first` that another language lacks, or whose slots {0} are others there. */
static void add_missing(Names *names, const Language *first, const Language *other) {
    for (size_t i = 0; i < first->count; i++) {
        const char *key = first->words[i].key;
        if (strcmp(key, "language.default") == 0)
            continue;
        if (!language_has(other, key))
            add_name(names, other, key, "is missing");
        else
            add_slots(names, other, key, slots_of(first->words[i].words),
                      slots_of(language_words(other, key)));
    }
}

static void test_every_language_has_every_word(void **state) {
    CourseFiles files;
    course_begin(&files);
    const Language *first = files.language;
    Names names = {0};
    for (size_t i = 1; i < files.languages.count; i++) {
        Language alone = *files.languages.items[i];
        alone.fallback = NULL;
        add_missing(&names, first, &alone);
        for (size_t j = 0; j < alone.count; j++) {
            if (!language_has(first, alone.words[j].key))
                add_name(&names, &alone, alone.words[j].key, "is no word of the first");
        }
    }
    if (names.count)
        fail_msg("%zu words are wrong:%s", names.count, names.text);
    assert_in_range(first->count, 10, 10000);
    course_finish(&files);
}

/* ---- words that operations need ---- */

/* Fails where a language has no words for a key, which then stands on the page itself. */
static void demand_words(const CourseFiles *files, const Operation *operation,
                         const char *key) {
    for (size_t i = 0; i < files->languages.count; i++) {
        if (!language_has(files->languages.items[i], key))
            fail_msg("%s asks for the words '%s', which assets/strings/%s.yaml lacks",
                     operation->name, key, files->languages.items[i]->code);
    }
}

static void demand_quantities(const CourseFiles *files, const Operation *operation,
                              const Term *term) {
    char key[100];
    if (term->kind == TERM_QUANTITY && term->name) {
        snprintf(key, sizeof key, "quantity.%s", term->name);
        demand_words(files, operation, key);
    }
    for (size_t i = 0; i < term->count; i++)
        demand_quantities(files, operation, term->parts[i]);
}

/* Asks for the words of a call's cells: of their terms and of what is wrong with them. */
static size_t demand_words_of_call(const CourseFiles *files, OperationKind kind,
                                   const OperationCall *call, Tensor out, Arena *arena) {
    enum { CELLS_MOST = 60 }; /* of a tensor: the rest is like them */
    const Operation *operation = operation_of(kind);
    size_t troubles = 0;
    arena_reset(arena);
    out.values = arena_alloc(arena, tensor_cells(&out), sizeof *out.values);
    assert_non_null(out.values);
    operation->forward(call, &out);
    for (size_t i = 0; i < tensor_cells(&out) && i < CELLS_MOST; i++) {
        size_t row = i / out.cols, col = i % out.cols;
        const Term *term = operation->explain(call, &out, row, col, arena);
        assert_non_null(term);
        demand_quantities(files, operation, term);
        const char *trouble =
            operation->problem ? operation->problem(call, &out, row, col) : NULL;
        if (trouble) {
            demand_words(files, operation, trouble);
            troubles++;
        }
    }
    return troubles;
}

/* The reference's cases, and each with one of its inputs full of numbers that bring
 * trouble. */
static void test_what_operations_say_of_their_cells_has_words(void **state) {
    static const double odd[] = {0, -1, INFINITY, -INFINITY};
    CourseFiles files;
    course_begin(&files);
    assert_full_rows();
    Reference reference = reference_load();
    Arena *arena = arena_create((size_t)64 << 20);
    size_t troubles = 0;
    for (size_t i = 0; i < reference.count; i++) {
        ReferenceCase *item = &reference.cases[i];
        OperationCall call = reference_call(item);
        demand_words_of_call(&files, item->kind, &call, item->output, arena);
        for (size_t j = 0; j < item->input_count; j++) {
            Tensor *input = &item->inputs[j];
            for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
                for (size_t cell = 0; cell < tensor_cells(input); cell++)
                    input->values[cell] = odd[k];
                troubles +=
                    demand_words_of_call(&files, item->kind, &call, item->output, arena);
            }
        }
    }
    assert_true(troubles > 100);
    arena_destroy(arena);
    reference_free(&reference);
    course_finish(&files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nested_keys_are_joined_with_dots_and_sorted),
        cmocka_unit_test(test_bad_words_get_a_sentence_at_their_place),
        cmocka_unit_test(test_files_of_plain_lines_are_read_as_yaml_is),
        cmocka_unit_test(test_any_mixture_of_words_and_mappings_has_room),
        cmocka_unit_test(test_memory_that_runs_out_is_an_error),
        cmocka_unit_test(test_the_default_comes_first_and_has_what_others_lack),
        cmocka_unit_test(test_a_users_file_adds_a_language_or_goes_over_one),
        cmocka_unit_test(test_folders_without_good_words_are_errors),
        cmocka_unit_test(test_every_language_has_every_word),
        cmocka_unit_test(test_what_operations_say_of_their_cells_has_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
