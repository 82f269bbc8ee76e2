#include "close.h"
#include "lesson_text.h"

#include "lesson/load/load.h"

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

#define GOOD "title: t\ngiven: {X: [[1, 2], [3, 4]]}\nsteps:\n  - do: Y = X + 1\n"

static void test_bad_lessons_get_a_sentence_at_their_place(void **state) {
    static const BadText cases[] = {
        {"just words\n", ERROR_VALUE, 1, 1, "a lesson is a mapping"},
        {"given: {X: 1}\nsteps: [show: X]\n", ERROR_NAME, 1, 1, "has no title"},
        {"title: t\ngiven: {X: 1}\n", ERROR_NAME, 1, 1, "has no steps"},
        {"title: t\nsteps: []\n", ERROR_VALUE, 2, 8,
         "steps must be a list, as in '- do: Y = X + 1', not an empty list"},
        {"title: t\nsteps: show\n", ERROR_VALUE, 2, 8, "steps must be a list"},
        {"title: t\nstep: 1\ngiven: {X: 1}\nsteps: [show: X]\n", ERROR_NAME, 2, 1,
         "unknown key 'step' in the lesson; did you mean 'steps'?"},
        {"title: t\nmodel: []\n", ERROR_VALUE, 2, 8, "the model must be a mapping"},
        {"title: t\ngievn: {X: 1}\nsteps: [do: Y = X + 1, do: Z = X * 2]\n", ERROR_NAME,
         2, 1, "unknown key 'gievn' in the lesson; did you mean 'given'?"},
        {"title: t\nxyzzy: 1\ngiven: {X: 1}\nsteps: [show: X]\n", ERROR_NAME, 2, 1,
         "known are title, about, goal"},
        {"title:\ngiven: {X: 1}\nsteps: [show: X]\n", ERROR_VALUE, 1, 7,
         "title must be a text or {en: \xE2\x80\xA6, zh: \xE2\x80\xA6}, not empty"},
        {"title: [t]\ngiven: {X: 1}\nsteps: [show: X]\n", ERROR_VALUE, 1, 8,
         "not a list"},
        {"title: {}\ngiven: {X: 1}\nsteps: [show: X]\n", ERROR_VALUE, 1, 8,
         "not a mapping"},
        {"title: {en: a, FR: b}\ngiven: {X: 1}\nsteps: [show: X]\n", ERROR_NAME, 1, 16,
         "'FR' in title is no language's code"},
        {"title: {en: [a]}\ngiven: {X: 1}\nsteps: [show: X]\n", ERROR_VALUE, 1, 13,
         "title must be a text, not a list"},
        {"title: {en: One, two}\ngiven: {X: 1}\nsteps: [show: X]\n", ERROR_NAME, 1, 18,
         "a text with a comma or a colon needs quotes"},
        {"document: [1]\n" GOOD, ERROR_VALUE, 1, 11, "document must be a text"},
        {"section:\n" GOOD, ERROR_VALUE, 1, 9, "section must be a text, not empty"},
        {"tokens: word\n" GOOD, ERROR_VALUE, 1, 9, "tokens must be a list of texts"},
        {"tokens: []\n" GOOD, ERROR_VALUE, 1, 9, "tokens must be a list of texts"},
        {"tokens: [[a]]\n" GOOD, ERROR_VALUE, 1, 10, "tokens must be a list of texts"},
        {"labels: 1\n" GOOD, ERROR_VALUE, 1, 9, "labels must be a mapping"},
        {"labels: {X: 1}\n" GOOD, ERROR_VALUE, 1, 13, "labels must be a mapping"},
        {"labels: {X: {row: [a]}}\n" GOOD, ERROR_NAME, 1, 14, "did you mean 'rows'?"},
        {"labels: {X: {rows: [a]}}\n" GOOD, ERROR_SHAPE, 1, 10,
         "X has 2 rows, but there are 1 labels"},
        {"labels: {Y: {cols: [a, b, c]}}\n" GOOD, ERROR_SHAPE, 1, 10,
         "Y has 2 columns, but there are 3"},
        {"labels: {YY: {cols: [a, b]}}\n" GOOD, ERROR_NAME, 1, 10,
         "labels for 'YY', which the lesson doesn't make; did you mean 'Y'?"},
        {"labels: {X: {rows: tokens}}\n" GOOD, ERROR_NAME, 1, 20, "has no 'tokens:'"},
        {"title: t\ngiven: 3\nsteps: [do: 1]\n", ERROR_VALUE, 2, 8,
         "given must be a mapping"},
        {"title: t\ngiven: {2X: 1}\nsteps: [do: 1]\n", ERROR_NAME, 2, 9,
         "'2X' can't be a tensor's name"},
        {"title: t\ngiven: {inf: 1}\nsteps: [do: 1]\n", ERROR_NAME, 2, 9, "and not inf"},
        {"title: t\ngiven: {X: []}\nsteps: [do: 1]\n", ERROR_VALUE, 2, 12,
         "X needs numbers"},
        {"title: t\ngiven: {X: [[]]}\nsteps: [do: 1]\n", ERROR_VALUE, 2, 13,
         "must be a list of numbers"},
        {"title: t\ngiven: {X: [[1, 2], [3]]}\nsteps: [do: 1]\n", ERROR_SHAPE, 2, 21,
         "row 2 of X has 1 number, but row 1 has 2"},
        {"title: t\ngiven: {X: [[1], 2]}\nsteps: [do: 1]\n", ERROR_VALUE, 2, 18,
         "row 2 of X must be a list"},
        {"title: t\ngiven: {X: [1, [2]]}\nsteps: [do: 1]\n", ERROR_VALUE, 2, 16,
         "a list stands where a number of X should"},
        {"title: t\ngiven: {X: [[[1]]]}\nsteps: [do: 1]\n", ERROR_VALUE, 2, 14,
         "a list stands where"},
        {"title: t\ngiven: {X: [1, 2a]}\nsteps: [do: 1]\n", ERROR_VALUE, 2, 16,
         "'2a' is not a number"},
        {"title: t\ngiven: {X: [1 2]}\nsteps: [do: 1]\n", ERROR_VALUE, 2, 13,
         "with commas between them"},
        {"title: t\ngiven: {X: nan}\nsteps: [do: 1]\n", ERROR_VALUE, 2, 12,
         "'nan' is not a number"},
        {"title: t\ngiven: {X: 1e999}\nsteps: [do: 1]\n", ERROR_VALUE, 2, 12,
         "'1e999' is too large"},
        {"title: t\ngiven: {X: 1e-400}\nsteps: [do: 1]\n", ERROR_VALUE, 2, 12,
         "'1e-400' is too small"},
        {"title: t\nsteps: [do: 1 + 1e-400]\n", ERROR_VALUE, 2, 17,
         "'1e-400' is too small"},
        {"title: t\ngiven: {X: [1, ~]}\nsteps: [do: 1]\n", ERROR_VALUE, 2, 16,
         "'~' is not a number"},
        {"title: t\ngiven:\n  X:\nsteps: [do: 1]\n", ERROR_VALUE, 3, 5,
         "X must be a number, not empty"},
        {"title: t\ngiven: {X: {size: 2}}\nsteps: [do: 1]\n", ERROR_NAME, 2, 13,
         "unknown key 'size' in X"},
        {"title: t\nsteps: [do: 1]\nchanges: [{heads: 2}]\n", ERROR_VALUE, 3, 11,
         "this lesson has no model to switch; it has no 'model:'"},
        {"title: t\nsteps: [do: 1]\nchanges: [{text: you win}]\n", ERROR_VALUE, 3, 18,
         "this lesson has no text that another could replace"},
        {"title: {en: A, zh: }\nsteps: [do: 1]\n", ERROR_NAME, 1, 16,
         "'zh' in title is empty; write its words"},
        {"title: t\ngiven: {X: [[1\xEF\xBC\x8C 0], [0, 1]]}\nsteps: [do: 1]\n",
         ERROR_VALUE, 2, 14, "0' is not a number"},
        {"title: t\ngiven: {X: {seed: 2}}\nsteps: [do: 1]\n", ERROR_VALUE, 2, 12,
         "X needs one of these: random, text, corpus_after"},
        {"title: t\ngiven: {X: {random: 2}}\nsteps: [do: 1]\n", ERROR_VALUE, 2, 21,
         "random must be two whole numbers"},
        {"title: t\ngiven: {X: {random: [2, 2.5]}}\nsteps: [do: 1]\n", ERROR_VALUE, 2, 25,
         "random is '2.5', but must be a whole number"},
        {"title: t\ngiven: {X: {random: [2, [1]]}}\nsteps: [do: 1]\n", ERROR_VALUE, 2, 25,
         "random must be a whole number, not a list"},
        {"title: t\ngiven: {X: {random: [0, 2]}}\nsteps: [do: 1]\n", ERROR_VALUE, 2, 22,
         "random is '0', but must be a whole number from 1"},
        {"title: t\ngiven: {X: {random: [4000, 4000]}}\nsteps: [do: 1]\n", ERROR_LIMIT, 2,
         21, "the limit is 4194304 cells"},
        {"title: t\ngiven: {X: {random: [2, 2], seed: -1}}\nsteps: [do: 1]\n",
         ERROR_VALUE, 2, 35, "seed is '-1'"},
        {"title: t\ngiven: {X: {random: [2, 2], scale: big}}\nsteps: [do: 1]\n",
         ERROR_VALUE, 2, 36, "'big' is not a number"},
    };
    assert_bad_lessons(cases, sizeof cases / sizeof *cases);
}

static void test_bad_steps_get_a_sentence_at_their_place(void **state) {
    static const BadText cases[] = {
        {"title: t\ngiven: {X: [[1, −2]]}\nsteps:\n  - do: Y = X\n", ERROR_VALUE, 2, 17,
         "typographic minus; write '-'"},
        {"title: t\ngiven: {X: [1]}\nsteps:\n  - do: Y = X @ X.t\n", ERROR_NAME, 4, 17,
         "did you mean 'X.T'?"},
        {"title: t\ngiven: {X: [1]}\nsteps:\n  - do: Y = X * 2\n    ask: [2, 0]\n",
         ERROR_VALUE, 5, 10, "ask must be a mapping, as in {cell: [2, 0]}"},
        {"title: t\ngiven: {X: [1]}\nsteps:\n  - at: encoder.0\n", ERROR_NAME, 4, 9,
         "as this lesson has no 'model:'"},
        {"title: t\ngiven: {X: {random: [2, 2], seed:1}}\nsteps:\n  - do: Y = X\n",
         ERROR_NAME, 2, 29, "write 'seed: '"},
        {"title: t\ngiven: {X: [1，2]}\nsteps:\n  - do: Y = X * 2\n", ERROR_VALUE, 2, 13,
         "'，' is a full-width comma; write ','"},
        {"title: t\nsteps:\n  - do： Y = X\n", ERROR_NAME, 3, 5, "write 'do: '"},
        {"title: t\nabout：x\n", ERROR_SYNTAX, 2, 6, "full-width colon"},
        {GOOD "  - X\n", ERROR_VALUE, 5, 5,
         "a step must be a mapping of 'key: value' lines, as in do: 'Y = X + 1', not a "
         "text"},
        {GOOD "  - say: hello\n", ERROR_VALUE, 5, 5,
         "a step needs one of these: do, show"},
        {GOOD "  - do: Z = X\n    show: X\n", ERROR_VALUE, 6, 5, "not both"},
        {GOOD "  - at: Y\n", ERROR_NAME, 5, 9, "'Y' is made at line 4; write"},
        {GOOD "  - at: X\n", ERROR_NAME, 5, 9, "'X' is made at line 2; write"},
        {GOOD "  - do:\n", ERROR_VALUE, 5, 8,
         "do must be a text, as in 'Y = X + 1', not empty"},
        {GOOD "  - do: [X]\n", ERROR_VALUE, 5, 9, "not a list of 1"},
        {GOOD "  - do: Z = X +\n", ERROR_SYNTAX, 5, 16, "the expression ends"},
        {GOOD "  - do: Z = X + \xE4\xB8\xAD)\n", ERROR_SYNTAX, 5, 17, "stands where"},
        {GOOD "  - show: {a: 1}\n", ERROR_VALUE, 5, 11,
         "show must be a name or a list of names"},
        {GOOD "  - show: []\n", ERROR_VALUE, 5, 11, "not an empty list"},
        {GOOD "  - show: [X, [Y]]\n", ERROR_VALUE, 5, 15, "show must be a text"},
        {GOOD "  - show: X + Y\n", ERROR_VALUE, 5, 11, "goes behind 'do:'"},
        {GOOD "  - show: Z = Y\n", ERROR_VALUE, 5, 11, "goes behind 'do:'"},
        {GOOD "  - show: X Y\n", ERROR_SYNTAX, 5, 13, "an operator or the end"},
        {GOOD "  - show: [X, Z]\n", ERROR_NAME, 5, 15, "unknown name 'Z'"},
        {GOOD "    heading: [a]\n", ERROR_VALUE, 5, 14, "heading must be a text or"},
        {GOOD "    say: {German: a}\n", ERROR_NAME, 5, 11,
         "'German' in say is no language's code"},
        {GOOD "    chapter:\n", ERROR_VALUE, 5, 13, "chapter must be a text or"},
        {GOOD "    sayy: a\n", ERROR_NAME, 5, 5, "did you mean 'say'?"},
        {GOOD "    printed: [1, 2]\n", ERROR_SHAPE, 5, 14,
         "printed is [1,2], but Y is [2,2]"},
        {GOOD "  - do: X @ X\n    printed: [1, 2]\n", ERROR_SHAPE, 6, 14,
         "but the result is [2,2]"},
        {GOOD "    printed: [[1, 2], [3, x]]\n", ERROR_VALUE, 5, 27,
         "'x' is not a number"},
        {GOOD "    printed: {random: [2, 2]}\n", ERROR_VALUE, 5, 14,
         "printed must be numbers, with _ where nothing is printed"},
        {GOOD "    printed: [[1, 2], [3]]\n", ERROR_SHAPE, 5, 23,
         "row 2 of printed has 1"},
        {GOOD "    ask: {cell: [0, 2]}\n", ERROR_VALUE, 5, 17,
         "Y [2,2] has no cell [0, 2]; rows count from 0 to 1, columns from 0 to 1"},
        {GOOD "    ask: {cell: [0]}\n", ERROR_VALUE, 5, 17, "two whole numbers"},
        {GOOD "    ask: {cell: [0, -1]}\n", ERROR_VALUE, 5, 21, "cell is '-1'"},
        {GOOD "    ask: {cel: [0, 0]}\n", ERROR_NAME, 5, 11, "did you mean 'cell'?"},
        {GOOD "    ask: {}\n", ERROR_VALUE, 5, 10,
         "ask needs one of these: cell, choose, order, direction, think"},
        {GOOD "    ask: {cell: [0, 0], think: hm}\n", ERROR_VALUE, 5, 25, "not both"},
        {GOOD "    ask: {choose: [{text: a, right: true}, {text: b, because: c}]}\n",
         ERROR_NAME, 5, 10, "'choose:' needs a question in words"},
        {GOOD "    ask: {question: q, choose: [{text: a, right: true}]}\n", ERROR_VALUE,
         5, 32, "a list"},
        {GOOD "    ask: {question: q, choose: [{text: a, right: true}, {text: b}]}\n",
         ERROR_NAME, 5, 57, "doesn't say why"},
        {GOOD "    ask: {question: q, choose: [{text: a, because: x}, {text: b, because: "
              "y}]}\n",
         ERROR_VALUE, 5, 32, "none of the choices is right"},
        {GOOD "    ask: {question: q, choose: [{text: a, right: true}, {text: b, right: "
              "true}]}\n",
         ERROR_VALUE, 5, 32, "2 choices are right; exactly one"},
        {GOOD "    ask: {question: q, order: [a]}\n", ERROR_VALUE, 5, 31, "a list"},
        {GOOD "    ask: {direction: {of: [Z, 0, 0], all: X, add: 1}}\n", ERROR_NAME, 5,
         28, "there is no tensor 'Z' at this step"},
        {GOOD "    ask: {direction: {of: [X, 0, 9], all: X, add: 1}}\n", ERROR_VALUE, 5,
         27, "has no cell [0, 9]"},
        {GOOD "    ask: {direction: {of: [X, 0, 0], all: X}}\n", ERROR_VALUE, 5, 22,
         "nothing changes; write 'add: 1'"},
        {GOOD "    ask: {direction: {of: [X, 0, 0], mute: X}}\n", ERROR_VALUE, 5, 44,
         "can't be left out"},
        {GOOD "    ask: 3\n", ERROR_VALUE, 5, 10, "ask must be a mapping"},
    };
    assert_bad_lessons(cases, sizeof cases / sizeof *cases);
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
    assert_null(lesson_parse("many.yaml", text, strlen(text), &errors));
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
    assert_null(lesson_parse("t.yaml", text, strlen(text), &errors));
    assert_int_equal(errors.count, ERROR_LIST_MAX);
    free(text);
}

static void test_more_operations_than_the_limit_are_refused(void **state) {
    char *text = many_steps("- do: a%d = -X\n", TAPE_MAX_NODES + 10);
    static const BadText bad = {"100,010 steps", ERROR_LIMIT, 100003, 16,
                                "at most 100000 operations"};
    ErrorList errors = {0};
    assert_null(lesson_parse("t.yaml", text, strlen(text), &errors));
    assert_only_error(&errors, &bad);
    free(text);
}

static void test_memory_that_runs_out_is_an_error_wherever_it_happens(void **state) {
    bool complete = false;
    for (size_t limit = 0; !complete; limit += 48) {
        ErrorList errors = {0};
        Lesson *lesson =
            lesson_parse_within("t.yaml", LESSON, strlen(LESSON), limit, &errors);
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
    assert_null(
        lesson_parse_within("t.yaml", text, strlen(text), (size_t)20 << 20, &errors));
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
    Lesson *lesson = lesson_load(path, &errors);
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
    Lesson *lesson = lesson_load_with_text(path, own, errors);
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
static void assert_own_text(const char *lesson, const char *own, int line) {
    ErrorList errors = {0};
    assert_null(load_own_text(lesson, own, &errors));
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.items[0].line, line);
    assert_int_equal(strncmp(errors.items[0].message, "your own text: ", 15) == 0,
                     line == 0);
    assert_non_null(strstr(errors.items[0].message, "zebra"));
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
    assert_null(lesson_load("/nowhere/lesson.yaml", &errors));
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
        cmocka_unit_test(test_bad_lessons_get_a_sentence_at_their_place),
        cmocka_unit_test(test_bad_steps_get_a_sentence_at_their_place),
        cmocka_unit_test(test_all_errors_are_reported_and_nothing_twice),
        cmocka_unit_test(test_more_errors_than_are_kept_end_the_reading),
        cmocka_unit_test(test_more_operations_than_the_limit_are_refused),
        cmocka_unit_test(test_memory_that_runs_out_is_an_error_wherever_it_happens),
        cmocka_unit_test(test_a_lesson_past_its_memory_says_so),
        cmocka_unit_test(test_a_file_is_loaded_and_named_after),
        cmocka_unit_test(test_a_view_that_an_own_text_does_not_fit_is_left_out),
        cmocka_unit_test(test_no_line_is_blamed_for_a_text_that_is_not_in_the_file),
        cmocka_unit_test(test_a_file_that_cannot_be_read_gives_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
