#include "course_files.h"
#include "lesson_text.h"

#include "lesson/load/load.h"
#include "lesson/read/spec.h"
#include "lesson/schema/schema.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- the rows ---- */

typedef void (*RowTest)(const Schema *schema, const SchemaRow *row);

static void each_row(const Schema *schema, RowTest test) {
    for (size_t i = 0; i < schema->count; i++) {
        test(schema, &schema->rows[i]);
        if (schema->rows[i].schema)
            each_row(schema->rows[i].schema, test);
    }
}

static const SchemaRow *row_of(const Schema *schema, const char *key, size_t length) {
    for (size_t i = 0; i < schema->count; i++) {
        if (strlen(schema->rows[i].key) == length &&
            strncmp(schema->rows[i].key, key, length) == 0)
            return &schema->rows[i];
    }
    return NULL;
}

static void has_all_that_its_kind_needs(const Schema *schema, const SchemaRow *row) {
    bool mappings = row->kind == SCHEMA_MAPPING || row->kind == SCHEMA_LIST ||
                    row->kind == SCHEMA_NAMED;
    if (!row->sentence || !row->sentence[0] || islower((unsigned char)row->key[0]) == 0)
        fail_msg("%s: %s", schema->title, row->key);
    assert_int_equal(row->schema != NULL, mappings);
    assert_true(row->kind != SCHEMA_CHOICE || row->word);
    assert_true(row->offset >= sizeof(SchemaPlace) && row->offset < schema->size);
    assert_true(row->most == 0 || row->least <= row->most);
    assert_true(!row->needed || row->example || row->kind == SCHEMA_MAPPING);
}

/* A description is a whole sentence in the language of a reference. */
static void is_described_plainly(const Schema *schema, const SchemaRow *row) {
    static const char *const private_words[] = {"where nothing is",
                                                "What ",
                                                "How ",
                                                "tower",
                                                " place",
                                                " wide",
                                                "bend",
                                                " word ",
                                                " said",
                                                "somebody",
                                                "nobody",
                                                "behind",
                                                "beside",
                                                "otherwise than",
                                                NULL};
    const char *const *word = private_words;
    size_t length = strlen(row->sentence), ellipsis = strlen("…");
    while (*word && !strstr(row->sentence, *word))
        word++;
    bool whole =
        !islower((unsigned char)row->sentence[0]) &&
        (row->sentence[length - 1] == '.' ||
         (length > ellipsis && strcmp(row->sentence + length - ellipsis, "…") == 0));
    if (*word || !whole)
        fail_msg("%s, %s: '%s' %s%s", schema->title, row->key, row->sentence,
                 *word ? "has " : "is no sentence", *word ? *word : "");
}

static void names_keys_that_there_are(const Schema *schema, const SchemaRow *row) {
    for (const char *with = row->with; with && *with;) {
        size_t length = strcspn(with, " ");
        const SchemaRow *mark = row_of(schema, with, length);
        if (!mark || !mark->marks)
            fail_msg("%s: %s goes with no key", schema->title, row->key);
        with += length + (with[length] == ' ');
    }
    if (row->when && !row_of(schema, row->when, strcspn(row->when, ":")))
        fail_msg("%s: %s goes with no key", schema->title, row->key);
}

/* Of two keys that a mapping can have at once no place is the same. */
static void has_a_place_of_its_own(const Schema *schema, const SchemaRow *row) {
    for (size_t i = 0; i < schema->count; i++) {
        if (&schema->rows[i] != row && schema->rows[i].offset == row->offset)
            fail_msg("%s: %s and %s", schema->title, row->key, schema->rows[i].key);
    }
}

static void test_every_row_is_whole(void **state) {
    each_row(&SPEC_LESSON, has_all_that_its_kind_needs);
    each_row(&SPEC_LESSON, names_keys_that_there_are);
    each_row(&SPEC_LESSON, has_a_place_of_its_own);
    each_row(&SPEC_LESSON, is_described_plainly);
    each_row(&SPEC_PLAYLIST, is_described_plainly);
}

/* ---- the generic reader ---- */

typedef struct Sample {
    SchemaPlace place;
    size_t whole;
    double number;
    bool on;
    const char *text;
} Sample;

static const SchemaRow rows[] = {
    {"whole", SCHEMA_WHOLE, offsetof(Sample, whole), .least = 2, .most = 5,
     .otherwise = "3"},
    {"number", SCHEMA_NUMBER, offsetof(Sample, number), .most = 1, .above = true,
     .otherwise = "0.5"},
    {"on", SCHEMA_SWITCH, offsetof(Sample, on), .otherwise = "true"},
    {"text", SCHEMA_STRING, offsetof(Sample, text), .needed = true, .example = "you win"},
};

static const Schema sample = {.what = "a sample",
                              .size = sizeof(Sample),
                              .rows = rows,
                              .count = sizeof rows / sizeof *rows};

/* The caller guards the arena; here it is large enough. */
static bool read_sample(Sample *out, const char *text, Arena *arena, ErrorList *errors) {
    *errors = (ErrorList){0};
    const YamlNode *node = yaml_read(arena, text, strlen(text), errors);
    return schema_read(&sample, node, NULL, out, arena, errors);
}

static void test_what_is_not_said_is_as_the_row_says(void **state) {
    Arena *arena = arena_create(1 << 20);
    ErrorList errors;
    Sample out;
    assert_true(read_sample(&out, "text: a\n", arena, &errors));
    assert_int_equal(out.whole, 3);
    assert_true(out.number == 0.5);
    assert_true(out.on);
    assert_true(
        read_sample(&out, "{text: a, whole: 5, number: 1, on: false}\n", arena, &errors));
    assert_int_equal(out.whole, 5);
    assert_false(out.on);
    assert_string_equal(schema_lookup(&out.place, "whole")->text, "5");
    assert_null(schema_lookup(&out.place, "nothing"));
    arena_destroy(arena);
}

static void test_limits_hold_at_their_very_ends(void **state) {
    static const BadText bad[] = {
        {"{text: a, whole: 1}\n", ERROR_VALUE, 1, 18, "a whole number from 2 to 5"},
        {"{text: a, whole: 6}\n", ERROR_VALUE, 1, 18, "a whole number from 2 to 5"},
        {"{text: a, whole: 2.5}\n", ERROR_VALUE, 1, 18, "a whole number"},
        {"{text: a, number: 0}\n", ERROR_VALUE, 1, 19, "a number above 0 and at most 1"},
        {"{text: a, number: 1.01}\n", ERROR_VALUE, 1, 19, "above 0 and at most 1"},
        {"{text: a, number: inf}\n", ERROR_VALUE, 1, 19, "above 0 and at most 1"},
        {"{text: a, on: yes}\n", ERROR_VALUE, 1, 15, "on is 'yes', but must be true or"},
        {"{whole: 2}\n", ERROR_NAME, 1, 1, "a sample has no text; write 'text: you win'"},
        {"{tex: a}\n", ERROR_NAME, 1, 2, "unknown key 'tex' in a sample; did you mean"},
        {"[a]\n", ERROR_VALUE, 1, 1, "a sample must be a mapping"},
    };
    Arena *arena = arena_create(1 << 20);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ErrorList errors;
        Sample out;
        assert_false(read_sample(&out, bad[i].text, arena, &errors));
        assert_true(out.place.broken);
        assert_only_error(&errors, &bad[i]);
    }
    arena_destroy(arena);
}

/* ---- what is printed of them ---- */

static void test_every_view_is_described(void **state) {
    for (LessonView view = LESSON_VIEW_HEATMAP; view < LESSON_VIEW_COUNT; view++) {
        if (!lesson_view_name(view) || !lesson_view_name(view)[0] ||
            !lesson_view_draws(view) || !lesson_view_needs(view))
            fail_msg("view %d lacks its name, or what it draws or needs, in "
                     "core/lesson/content/view.c",
                     (int)view);
    }
}

static void test_the_reference_is_the_page(void **state) {
    static const char mark[] = "<!-- reference -->\n";
    Arena *arena = arena_create(16 << 20);
    Writer writer = {.arena = arena};
    char path[COURSE_PATH_SIZE];
    ErrorList errors = {0};
    size_t length;
    const char *page =
        yaml_read_file(arena, course_path(path, "lessons/README.md"), &length, &errors);
    assert_non_null(page);
    schema_print_reference(&SPEC_LESSON, &writer);
    spec_print_views(&writer);
    schema_print_reference(&SPEC_PLAYLIST, &writer);
    const char *from = strstr(page, mark);
    assert_non_null(from);
    if (strcmp(from + strlen(mark), writer.text) != 0)
        fail_msg("lessons/README.md below '%.18s' is not what 'glassformer schema "
                 "--reference' prints: put that there, without its functions",
                 mark);
    arena_destroy(arena);
}

/* Objects and arrays are closed in the order they were opened, and a value or a name is
 * behind each comma. */
static void assert_json_closes(const char *json) {
    char open[64], before = 0;
    size_t depth = 0;
    for (const char *at = json; *at; at++) {
        if (*at == '"') {
            for (at++; *at && *at != '"'; at++)
                at += *at == '\\';
            before = '"';
            continue;
        }
        if (strchr("{[", *at)) {
            assert_true(depth < sizeof open);
            open[depth++] = *at;
        } else if (strchr("}]", *at)) {
            assert_true(depth > 0 && before != ',' && before != ':');
            assert_true(open[--depth] == (*at == '}' ? '{' : '['));
            if (depth == 0)
                assert_true(at[1] == '\n' && at[2] == 0);
        } else if (*at == ',') {
            assert_true(strchr("{[,:", before) == NULL);
        }
        if (!strchr(" \n", *at))
            before = *at;
    }
    assert_int_equal(depth, 0);
}

static void test_the_schemas_close_what_they_open(void **state) {
    static const Schema *const schemas[] = {&SPEC_LESSON, &SPEC_PLAYLIST};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        Arena *arena = arena_create(16 << 20);
        Writer json = {.arena = arena};
        schema_print_json(schemas[i], &json);
        assert_json_closes(json.text);
        arena_destroy(arena);
    }
}

static void test_printing_without_memory_is_told(void **state) {
    Arena *arena = arena_create(1000);
    Writer json = {.arena = arena}, reference = {.arena = arena};
    schema_print_json(&SPEC_LESSON, &json);
    schema_print_reference(&SPEC_LESSON, &reference);
    assert_true(json.full && reference.full);
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_is_whole),
        cmocka_unit_test(test_what_is_not_said_is_as_the_row_says),
        cmocka_unit_test(test_limits_hold_at_their_very_ends),
        cmocka_unit_test(test_every_view_is_described),
        cmocka_unit_test(test_the_reference_is_the_page),
        cmocka_unit_test(test_the_schemas_close_what_they_open),
        cmocka_unit_test(test_printing_without_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
