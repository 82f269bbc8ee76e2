#include "close.h"
#include "contains.h"
#include "lesson_text.h"

#include "lesson/content/question.h"
#include "lesson/load/load.h"
#include "tensor/tape/tape.h"

#include <stdlib.h>
#include <unistd.h>

static const char LESSON[] =
    "title: {en: One head, zh: \"\xE4\xB8\x80\xE4\xB8\xAA\xE5\xA4\xB4\"}\n"
    "about: Three words look at each other.\n"
    "document: i_am_learning\n"
    "section: Self-Attention\n"
    "sources: true\n"
    "tokens: [I, am, learning]\n"
    "labels:\n"
    "  W_Q: {rows: [x, y], cols: [first, second]}\n"
    "  ids: {cols: tokens}\n"
    "  K: {cols: [k0, k1]}\n"
    "given:\n"
    "  X:   [[1, 0], [0, 1], [1, 1]]\n"
    "  W_Q: [[1, 0], [0, 1]]\n"
    "  W_K: [[0, 1], [1, 0]]\n"
    "  M: [[0, -inf, -.inf], [0, 0, -inf], [0, 0, 0]]\n"
    "  row: [1.5, -2]\n"
    "  one: 3\n"
    "  ids: [1, 2, 3]\n"
    "steps:\n"
    "  - show: [W_Q, W_K]\n"
    "    chapter: {en: Scores, zh: \"\xE5\x88\x86\xE6\x95\xB0\"}\n"
    "  - do: Q = X @ W_Q\n"
    "    heading: What is each word asking?\n"
    "    say: {en: Its query.}\n"
    "    printed: [[1, 0.0], [_, 1], [1.04, ~]]\n"
    "    source: {en: It has 1.04 there.}\n"
    "    document: another\n"
    "    ask: {cell: [2, 0]}\n"
    "  - do: K = X @ W_K\n"
    "  - do: softmax(Q @ K.T / sqrt(2) + M)\n"
    "  - do: Q\n"
    "    printed: [[1, 0], [0, 1], [1, 1]]\n";

static void test_a_lesson_has_all_that_its_file_says(void **state) {
    Lesson *lesson = lesson_good(LESSON);
    assert_string_equal(lesson->id, "test");
    assert_string_equal(lesson->file, "test.yaml");
    assert_string_equal(text_in(&lesson->title, &ENGLISH), "One head");
    assert_string_equal(text_in(&lesson->title, &CHINESE),
                        "\xE4\xB8\x80\xE4\xB8\xAA\xE5\xA4\xB4");
    assert_string_equal(text_in(&lesson->about, &CHINESE),
                        "Three words look at each other.");
    assert_string_equal(lesson->document, "i_am_learning");
    assert_string_equal(lesson->section, "Self-Attention");
    assert_true(lesson->shows_sources);
    assert_int_equal(lesson->step_count, 5);

    const LessonStep *show = &lesson->steps[0], *query = &lesson->steps[1];
    assert_string_equal(text_in(&query->compared, &ENGLISH), "It has 1.04 there.");
    assert_string_equal(query->document, "another");
    assert_true(lesson_has_source(lesson, query));
    assert_true(text_is_empty(&show->compared));
    assert_null(show->document);
    assert_false(lesson_has_source(lesson, show));
    assert_int_equal(show->shown_count, 2);
    assert_int_equal(show->count, 0);
    assert_int_equal(show->shown[0], tape_find(lesson->tape, "W_Q"));
    assert_int_equal(show->shown[1], tape_find(lesson->tape, "W_K"));
    assert_int_equal(show->result, show->shown[1]);
    assert_string_equal(show->source, "W_Q, W_K");
    assert_string_equal(show->formula, "\\tensor{W_Q}, \\quad \\tensor{W_K}");
    assert_string_equal(text_in(&show->chapter, &ENGLISH), "Scores");
    assert_true(text_is_empty(&show->heading));

    assert_string_equal(query->source, "Q = X @ W_Q");
    assert_string_equal(query->formula, "\\tensor{Q} = \\tensor{X} \\tensor{W_Q}");
    assert_string_equal(text_in(&query->say, &CHINESE), "Its query.");
    assert_int_equal(query->line, 22);
    assert_int_equal(query->count, 1);
    assert_int_equal(query->result, tape_find(lesson->tape, "Q"));
    assert_int_equal(query->question->kind, QUESTION_CELL);
    assert_int_equal(query->question->row, 2);
    assert_int_equal(query->question->col, 0);
    assert_null(lesson->steps[2].question);

    const LessonStep *softmax = &lesson->steps[3], *bare = &lesson->steps[4];
    assert_int_equal(softmax->count, 6);
    assert_int_equal(softmax->result, softmax->first + 5);
    assert_string_equal(tape_node(lesson->tape, softmax->result)->name, "");
    assert_int_equal(bare->shown_count, 1);
    assert_int_equal(bare->count, 0);
    assert_int_equal(bare->result, query->result);
    lesson_destroy(lesson);
}

static void test_given_numbers_are_numbers_rows_or_matrices(void **state) {
    Lesson *lesson = lesson_good(LESSON);
    const Tensor *row = &tape_node(lesson->tape, tape_find(lesson->tape, "row"))->output;
    const Tensor *one = &tape_node(lesson->tape, tape_find(lesson->tape, "one"))->output;
    const Tensor *mask = &tape_node(lesson->tape, tape_find(lesson->tape, "M"))->output;
    const double row_values[] = {1.5, -2}, one_value = 3;
    const double mask_values[] = {0, -INFINITY, -INFINITY, 0, 0, -INFINITY, 0, 0, 0};
    assert_int_equal(row->rows, 1);
    assert_int_equal(row->cols, 2);
    assert_close(row->values, row_values, 2, 0);
    assert_int_equal(tensor_cells(one), 1);
    assert_close(one->values, &one_value, 1, 0);
    assert_int_equal(mask->rows, 3);
    assert_close(mask->values, mask_values, 9, 0);
    lesson_destroy(lesson);
}

static const Tensor *tensor_named(const Lesson *lesson, const char *name) {
    return &tape_node(lesson->tape, tape_find(lesson->tape, name))->output;
}

static void test_tokens_and_labels_go_where_they_belong(void **state) {
    Lesson *lesson = lesson_good(LESSON);
    assert_string_equal(tensor_named(lesson, "X")->row_labels[2], "learning");
    assert_null(tensor_named(lesson, "X")->col_labels);
    assert_string_equal(tensor_named(lesson, "W_Q")->row_labels[0], "x");
    assert_string_equal(tensor_named(lesson, "W_Q")->col_labels[1], "second");
    assert_null(tensor_named(lesson, "W_K")->row_labels);
    assert_string_equal(tensor_named(lesson, "ids")->col_labels[0], "I");
    assert_null(tensor_named(lesson, "ids")->row_labels);
    /* results take their factors' labels, unless the lesson says otherwise */
    assert_string_equal(tensor_named(lesson, "Q")->row_labels[1], "am");
    assert_string_equal(tensor_named(lesson, "Q")->col_labels[0], "first");
    assert_string_equal(tensor_named(lesson, "K")->col_labels[1], "k1");
    assert_string_equal(tensor_named(lesson, "K")->row_labels[0], "I");
    lesson_destroy(lesson);
}

static void test_rows_of_a_weight_are_no_words_by_chance(void **state) {
    Lesson *lesson = lesson_good("title: t\n"
                                 "tokens: [I, am]\n"
                                 "given:\n"
                                 "  X: [[1, 0], [0, 1]]\n"
                                 "  W_K: [[0, 1], [1, 0]]\n"
                                 "  V: [[1, 2], [3, 4]]\n"
                                 "  named: [[1, 2], [3, 4]]\n"
                                 "labels: {named: {rows: tokens}}\n"
                                 "steps:\n"
                                 "  - do: K = X @ W_K\n"
                                 "  - do: N = X @ named\n"
                                 "  - do: O = softmax(X @ K.T) @ V\n");
    assert_null(tensor_named(lesson, "W_K")->row_labels);
    assert_string_equal(tensor_named(lesson, "X")->row_labels[0], "I");
    assert_string_equal(tensor_named(lesson, "K")->row_labels[1], "am");
    assert_string_equal(tensor_named(lesson, "V")->row_labels[1], "am");
    assert_string_equal(tensor_named(lesson, "named")->row_labels[1], "am");
    lesson_destroy(lesson);
}

static void
test_printed_numbers_differ_past_half_a_unit_of_their_last_digit(void **state) {
    Lesson *lesson =
        lesson_good("title: t\n"
                    "given:\n"
                    "  X: [0.25, 0.25, 0.25, 0.2501, 2.4, 2.6, inf, inf, 1000]\n"
                    "steps:\n"
                    "  - show: X\n"
                    "    printed: [0.3, 0.2, 0.25, 0.25, 2, 2, inf, 5, _]\n");
    static const bool differs[] = {false, false, false, false, false, true, false, true};
    static const int decimals[] = {1, 1, 2, 2, 0, 0, 0, 0};
    const LessonStep *step = &lesson->steps[0];
    double value;
    int digits;
    bool differ;
    for (size_t i = 0; i < 8; i++) {
        assert_true(lesson_printed_at(lesson, step, 0, i, &value, &digits, &differ));
        assert_int_equal(differ, differs[i]);
        assert_int_equal(digits, decimals[i]);
    }
    assert_false(lesson_printed_at(lesson, step, 0, 8, &value, &digits, &differ));
    assert_false(lesson_printed_at(lesson, step, 1, 0, &value, &digits, &differ));
    size_t printed, differing;
    lesson_count_printed(lesson, step, &printed, &differing);
    assert_int_equal(printed, 8);
    assert_int_equal(differing, 2);
    lesson_destroy(lesson);
}

static void test_printed_numbers_are_held_against_the_original(void **state) {
    Lesson *lesson =
        lesson_good("title: t\ngiven: {X: [1, 2]}\nsteps:\n"
                    "  - do: Y = X + 1\n    printed: [2, 3]\n  - do: Z = Y * 2\n");
    size_t printed, differing;
    assert_true(lesson_is_original(lesson, &lesson->steps[0]));
    assert_true(tape_edit(lesson->tape, 0, 0, 0, 50));
    lesson_count_printed(lesson, &lesson->steps[0], &printed, &differing);
    assert_int_equal(printed, 2);
    assert_int_equal(differing, 0);
    assert_false(lesson_is_original(lesson, &lesson->steps[0])); /* 51 is shown, not 2 */
    lesson_count_printed(lesson, &lesson->steps[1], &printed, &differing);
    assert_int_equal(printed, 0);
    lesson_destroy(lesson);
}

static void test_random_tensors_depend_on_their_seed_only(void **state) {
    Lesson *lesson = lesson_good("title: t\ngiven:\n"
                                 "  A: {random: [40, 50], seed: 7}\n"
                                 "  B: {random: [40, 50], seed: 7, scale: 0.5}\n"
                                 "  C: {random: [40, 50]}\n"
                                 "steps: [show: A]\n");
    const Tensor *a = tensor_named(lesson, "A"), *b = tensor_named(lesson, "B");
    double sum = 0, squares = 0;
    for (size_t i = 0; i < 2000; i++) {
        assert_true(b->values[i] == 0.5 * a->values[i]);
        sum += a->values[i];
        squares += a->values[i] * a->values[i];
    }
    const double mean = sum / 2000, variance = squares / 2000;
    assert_true(fabs(mean) < 0.1);
    assert_true(fabs(variance - 1) < 0.15);
    assert_true(a->values[0] != tensor_named(lesson, "C")->values[0]);
    lesson_destroy(lesson);
}

static void test_all_errors_are_reported_and_nothing_twice(void **state) {
    static const char text[] =
        "title: {French: x}\n"
        "given:\n"
        "  X: [[1, 2], [3]]\n"
        "  Y: [1, 2]\n"
        "steps:\n"
        "  - do: Z = X + Y\n" /* X is broken: no error of its own */
        "    printed: [1, x]\n"
        "  - do: A = Y @ Y\n"
        "  - do: B = A * Z\n" /* both are broken */
        "    ask: {cell: [7, 7]}\n"
        "  - show: [A, B, Y]\n"
        "  - do: C = (A\n"
        "  - do: D = C + unknown\n" /* stops at C */
        "  - do: E = unknown + C\n"
        "  - do: C = Y + 1\n";
    static const int lines[] = {1, 3, 7, 8, 12, 14, 15};
    ErrorList errors = {0};
    assert_null(lesson_parse("many.yaml", text, strlen(text), NULL, &errors));
    assert_string_equal(errors.file, "many.yaml");
    if (errors.count != sizeof lines / sizeof *lines)
        error_list_print(&errors, stderr);
    assert_int_equal(errors.count, sizeof lines / sizeof *lines);
    for (size_t i = 0; i < errors.count; i++)
        assert_int_equal(errors.items[i].line, lines[i]);
}

/* A lesson of many steps; the caller frees it. */
static char *many_steps(const char *format, int count) {
    char *text = malloc((size_t)count * 40 + 100);
    assert_non_null(text);
    char *end = text + sprintf(text, "title: t\ngiven: {X: [1, 2]}\nsteps:\n");
    for (int i = 0; i < count; i++)
        end += sprintf(end, format, i);
    return text;
}

static void test_more_errors_than_are_kept_end_the_reading(void **state) {
    char *text = many_steps("- do: a%d = Unknown\n", 50000);
    ErrorList errors = {0};
    assert_null(lesson_parse("t.yaml", text, strlen(text), NULL, &errors));
    assert_int_equal(errors.count, ERROR_LIST_MAX);
    free(text);
}

static void test_more_operations_than_the_limit_are_refused(void **state) {
    char *text = many_steps("- do: a%d = -X\n", TAPE_MAX_NODES + 10);
    static const BadText bad = {"100,010 steps", ERROR_LIMIT, 100003, 16,
                                "at most 100000 operations"};
    ErrorList errors = {0};
    assert_null(lesson_parse("t.yaml", text, strlen(text), NULL, &errors));
    assert_only_error(&errors, &bad);
    free(text);
}

static void test_memory_that_runs_out_is_an_error_wherever_it_happens(void **state) {
    bool complete = false;
    for (size_t limit = 0; !complete; limit += 48) {
        ErrorList errors = {0};
        Lesson *lesson = lesson_parse("t.yaml", LESSON, strlen(LESSON),
                                      &(LessonOptions){.memory = limit}, &errors);
        complete = lesson != NULL;
        bool told = false;
        for (size_t i = 0; i < errors.count; i++)
            told |= errors.items[i].code == ERROR_MEMORY;
        assert_int_equal(told, !complete);
        lesson_destroy(lesson);
        assert_true(limit < 1000000);
    }
}

static void test_a_lesson_past_its_memory_says_so(void **state) {
    static const char text[] =
        "title: t\ngiven: {X: {random: [1000, 1000]}}\nsteps:\n"
        "  - do: Y = X + 1\n  - do: Z = Y + 1\n  - do: V = Z * 2\n";
    ErrorList errors = {0};
    assert_null(lesson_parse("t.yaml", text, strlen(text),
                             &(LessonOptions){.memory = (size_t)20 << 20}, &errors));
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.items[0].code, ERROR_MEMORY);
    assert_int_equal(errors.items[0].line, 5);
}

static void test_a_file_is_loaded_and_named_after(void **state) {
    char folder[] = "/tmp/glassformer-XXXXXX", path[100];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/08-one-head.yaml", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    size_t written = fwrite(LESSON, 1, sizeof LESSON - 1, file);
    fclose(file);
    ErrorList errors = {0};
    Lesson *lesson = lesson_load(path, NULL, &errors);
    unlink(path);
    rmdir(folder);
    assert_int_equal(written, sizeof LESSON - 1);
    assert_non_null(lesson);
    assert_string_equal(lesson->file, path);
    assert_string_equal(lesson->id, "08-one-head");
    lesson_destroy(lesson);
}

/* Writes a lesson and reads it with a text of the learner's own. */
static Lesson *load_own_text(const char *text, const char *own, ErrorList *errors) {
    char path[] = "/tmp/glassformer-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_true(write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    Lesson *lesson = lesson_load(path, &(LessonOptions){.text = own}, errors);
    unlink(path);
    return lesson;
}

static void test_a_view_that_an_own_text_does_not_fit_is_left_out(void **state) {
    static const char text[] =
        "title: t\nvocabularies: {V: {corpus: [you win]}}\n"
        "given: {ids: {text: you win, vocabulary: V}, E: [[1, 2], [3, 4]]}\n"
        "steps: [{do: \"X = embed(E, ids)\", as: waves}]\n";
    static const char *const own[] = {NULL, "win you", "you"};
    static const LessonView views[] = {LESSON_VIEW_WAVES, LESSON_VIEW_WAVES,
                                       LESSON_VIEW_NONE};
    for (size_t i = 0; i < 3; i++) {
        ErrorList errors = {0};
        Lesson *lesson = load_own_text(text, own[i], &errors);
        assert_non_null(lesson);
        assert_int_equal(lesson->steps[0].view, views[i]);
        lesson_destroy(lesson);
    }
}

/* One error is wanted. */
/* A text about a row of the file's own text says nothing of another. */
static void test_numbers_that_an_own_text_lacks_are_left_out(void **state) {
    ErrorList errors = {0};
    Lesson *lesson =
        load_own_text("title: t\nmodel: {d_model: 2, heads: 1, corpus: [you win or die], "
                      "source: you win, target: die}\n"
                      "follow: {row: win}\n"
                      "steps:\n"
                      "  - at: encoder.input\n"
                      "    say: \"It is {encoder.input[win, 0]}.\"\n",
                      "you or", &errors);
    if (!lesson)
        error_list_print(&errors, stderr);
    assert_non_null(lesson);
    lesson_destroy(lesson);
}

static void assert_own_text(const char *lesson, const char *own, int line) {
    ErrorList errors = {0};
    assert_null(load_own_text(lesson, own, &errors));
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.items[0].line, line);
    assert_int_equal(strncmp(errors.items[0].message, "your own text: ", 15) == 0,
                     line == 0);
    assert_contains(errors.items[0].message, "zebra");
}

static void test_no_line_is_blamed_for_a_text_that_is_not_in_the_file(void **state) {
    assert_own_text("title: t\nvocabularies: {V: {corpus: [you win]}}\n"
                    "given: {ids: {text: you win, vocabulary: V}}\nsteps: [show: ids]\n",
                    "zebra", 0);
    assert_own_text("title: t\nmodel: {d_model: 2, corpus: [you win], source: you win,\n"
                    "  target: you}\n",
                    "you zebra", 0);
    assert_own_text("title: t\nmodel: {d_model: 2, corpus: [you win], source: you win,\n"
                    "  target: you}\nchanges:\n  - {text: zebra}\n",
                    NULL, 5);
}

static void test_a_file_that_cannot_be_read_gives_an_error(void **state) {
    ErrorList errors = {0};
    assert_null(lesson_load("/nowhere/lesson.yaml", NULL, &errors));
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.items[0].code, ERROR_FILE);
    assert_string_equal(errors.file, "/nowhere/lesson.yaml");
    lesson_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_lesson_has_all_that_its_file_says),
        cmocka_unit_test(test_given_numbers_are_numbers_rows_or_matrices),
        cmocka_unit_test(test_tokens_and_labels_go_where_they_belong),
        cmocka_unit_test(test_rows_of_a_weight_are_no_words_by_chance),
        cmocka_unit_test(
            test_printed_numbers_differ_past_half_a_unit_of_their_last_digit),
        cmocka_unit_test(test_printed_numbers_are_held_against_the_original),
        cmocka_unit_test(test_random_tensors_depend_on_their_seed_only),
        cmocka_unit_test(test_all_errors_are_reported_and_nothing_twice),
        cmocka_unit_test(test_more_errors_than_are_kept_end_the_reading),
        cmocka_unit_test(test_more_operations_than_the_limit_are_refused),
        cmocka_unit_test(test_memory_that_runs_out_is_an_error_wherever_it_happens),
        cmocka_unit_test(test_a_lesson_past_its_memory_says_so),
        cmocka_unit_test(test_a_file_is_loaded_and_named_after),
        cmocka_unit_test(test_a_view_that_an_own_text_does_not_fit_is_left_out),
        cmocka_unit_test(test_numbers_that_an_own_text_lacks_are_left_out),
        cmocka_unit_test(test_no_line_is_blamed_for_a_text_that_is_not_in_the_file),
        cmocka_unit_test(test_a_file_that_cannot_be_read_gives_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
