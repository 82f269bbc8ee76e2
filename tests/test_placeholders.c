/* Numbers that a lesson's words name: filled in, wherever texts stand, and following what
 * is changed. Expected numbers are PyTorch's. */
#include "contains.h"
#include "lesson_text.h"

#include "lesson/content/changes.h"
#include "lesson/content/lesson.h"
#include "lesson/content/question.h"
#include "picture/explain/explain.h"
#include "tensor/tape/tape.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define GIVEN                                                                            \
    "title: T\n"                                                                         \
    "tokens: [I, am, the king]\n"                                                        \
    "given: {X: [[1, 0], [0, 1], [1, 1]]}\n"                                             \
    "steps:\n"                                                                           \
    "  - do: A = softmax(X @ X.T)\n"

static Lesson *telling(const char *rest) {
    static char text[4000];
    snprintf(text, sizeof text, "%s%s", GIVEN, rest);
    return lesson_good(text);
}

static const char *said(const Lesson *lesson) {
    return text_in(&lesson->steps[0].say, &ENGLISH);
}

/* ---- what is filled in ---- */

static void test_a_number_is_filled_in_as_it_was_computed(void **state) {
    static const struct {
        const char *written, *reads;
    } cases[] = {
        {"{A[2, 2]}", "0.576"},
        {"{A[2,2]:5}, {A[2,2]:0}", "0.57612, 1"},
        {"{X[0, 0]} and {X[0, 0]:2}", "1 and 1.00"},
        {"{100 * A[0, 1]:1}%", "15.5%"},
        {"{A[1,2] / A[0,1]}", "2.718"},
        {"{-A[0, 1]}", "−0.155"},
        {"{sum(A[0])}, {max(A[2])}, {mean(X[2])}", "1, 0.576, 1"},
        {"{A.T[0, 2]}", "0.212"},
        {"{log(25)}", "3.219"},
        {"{A[am, I]}", "0.155"},
        {"{A['the king', am]}", "0.212"},
        {"{A[0, 0] - A[0, 0]}, {A[0,0] / 10000}", "0, ≈0"},
        {"{log(X[0, 1])}", "−∞"},
        {"{{A}} is {{}}, }", "{A} is {}, }"},
        {"no braces", "no braces"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char rest[200];
        snprintf(rest, sizeof rest, "    say: \"%s\"\n", cases[i].written);
        Lesson *lesson = telling(rest);
        assert_string_equal(said(lesson), cases[i].reads);
        assert_int_equal(text_is_filled_in(&lesson->steps[0].say, &ENGLISH),
                         strcmp(cases[i].written, "no braces") != 0);
        lesson_destroy(lesson);
    }
}

static void test_every_text_of_a_lesson_is_filled_in(void **state) {
    Lesson *lesson = telling("    heading: \"h {A[0,1]}\"\n"
                             "    say: {en: \"s {A[0,1]}\", zh: \"说 {A[0,1]:2}\"}\n"
                             "    notes: \"n {A[0,1]}\"\n"
                             "    chapter: \"c {A[0,1]}\"\n"
                             "    tour: \"t {0} {A[0,1]}\"\n"
                             "    source: \"o {A[0,1]}\"\n"
                             "    ask:\n"
                             "      question: \"q {A[0,1]}\"\n"
                             "      choose:\n"
                             "        - {text: \"x {A[0,1]}\", right: true}\n"
                             "        - {text: \"y\", because: \"w {A[0,1]}\"}\n"
                             "      because: \"b {A[0,1]}\"\n"
                             "remember: [\"r {A[0,1]}\"]\n");
    const LessonStep *step = &lesson->steps[0];
    const Question *question = step->question;
    const struct {
        const Text *text;
        const char *reads;
    } texts[] = {
        {&step->heading, "h 0.155"},
        {&step->say, "s 0.155"},
        {&step->notes, "n 0.155"},
        {&step->chapter, "c 0.155"},
        {&step->tour, "t {0} 0.155"},
        {&step->compared, "o 0.155"},
        {&question->text, "q 0.155"},
        {&question->options[0].text, "x 0.155"},
        {&question->options[1].because, "w 0.155"},
        {&question->because, "b 0.155"},
        {&lesson->remember[0], "r 0.155"},
    };
    for (size_t i = 0; i < COUNT(texts); i++)
        assert_string_equal(text_in(texts[i].text, &ENGLISH), texts[i].reads);
    assert_string_equal(text_in(&step->say, &CHINESE), "说 0.16");
    lesson_destroy(lesson);
}

/* A step's words may name what comes later. */
static void test_words_name_tensors_of_any_step(void **state) {
    Lesson *lesson = telling("    say: \"{B[0, 0]} of {A[2, 2]}\"\n"
                             "  - do: B = A @ X\n");
    assert_string_equal(said(lesson), "0.845 of 0.576");
    lesson_destroy(lesson);
}

/* ---- following ---- */

/* A sentence about other numbers may be false. */
static void test_what_is_filled_in_stays_the_lessons_own(void **state) {
    Lesson *lesson = telling("    say: \"{A[0, 1]}, {A[0, 0]}\"\n");
    size_t x = tape_find(lesson->tape, "X");
    const char *words = said(lesson);
    assert_string_equal(words, "0.155, 0.422");
    assert_true(changes_set(lesson->changes, x, 0, 0, 2, false));
    assert_string_equal(words, "0.155, 0.422");
    assert_ptr_equal(words, said(lesson));
    assert_true(changes_undo(lesson->changes));
    assert_string_equal(words, "0.155, 0.422");
    assert_true(changes_redo(lesson->changes));
    assert_string_equal(words, "0.155, 0.422");
    assert_true(changes_restore(lesson->changes));
    assert_string_equal(words, "0.155, 0.422");
    lesson_destroy(lesson);
}

static void test_what_a_file_has_changed_is_told_as_it_is(void **state) {
    Lesson *lesson = telling("    say: \"{A[0, 1]}, {A[0, 0]}\"\n"
                             "changes: [{cell: [X, 0, 0], value: 2}]\n");
    assert_string_equal(said(lesson), "0.016, 0.867");
    lesson_destroy(lesson);
}

/* The operation's own words are said then. */
static void test_words_that_other_tokens_have_no_number_for_are_left_out(void **state) {
    ErrorList errors = {0};
    FILE *file = fopen("told.yaml", "w");
    assert_non_null(file);
    fputs(GIVEN "    say: \"{A[2, 2]} at {A['the king', am]}\"\n"
                "    heading: \"{A[0, 1]}\"\n",
          file);
    fclose(file);
    Lesson *lesson = lesson_load("told.yaml", &(LessonOptions){.text = "am I"}, &errors);
    assert_non_null(lesson);
    assert_int_equal(errors.count, 0);
    assert_string_equal(said(lesson), "");
    assert_string_equal(text_in(&lesson->steps[0].heading, &ENGLISH), "0.269");
    lesson_destroy(lesson);
    remove("told.yaml");
}

/* ---- the cell that a step is about ---- */

/* Fails unless a step's page explains that cell of a tensor. */
static void assert_opens_on(const Lesson *lesson, size_t step, const char *name,
                            size_t row, size_t col) {
    Player player;
    Page page = {.player = &player, .language = &ENGLISH};
    size_t node, at_row, at_col;
    assert_true(player_init(&player, lesson));
    player_jump(&player, player_statement_step(&player, step));
    assert_true(page_focus(&page, &node, &at_row, &at_col));
    assert_string_equal(tape_node(lesson->tape, node)->name, name);
    assert_int_equal(at_row, row);
    assert_int_equal(at_col, col);
}

static void test_a_step_opens_on_the_cell_that_it_is_about(void **state) {
    static const struct {
        const char *step, *name;
        size_t row, col;
    } cases[] = {
        {"  - do: B = A * 2\n", "B", 2, 2}, /* the largest */
        {"  - do: B = A * 2\n    say: \"{A[0, 1]}, {sum(B[1])}, {B[am, I]}\"\n", "B", 1,
         0},
        {"  - do: B = A * 2\n    heading: \"{B[1, 2]}\"\n    say: \"{B[0, 1]}\"\n", "B",
         1, 2},
        {"  - do: B = A * 2\n    say: \"{B[1, 0]}\"\n    cell: B[I, 'the king']\n", "B",
         0, 2},
        {"  - show: [A, X]\n    cell: A[-1, 0]\n", "A", 2, 0},
        {"  - do: B = A[:, 0]\n    cell: B[1]\n", "B", 1, 0},
        {"  - do: B = A * 2\n    cell: B[0, 0]\n    ask: {cell: [1, 1]}\n", "B", 1, 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        Lesson *lesson = telling(cases[i].step);
        assert_opens_on(lesson, 1, cases[i].name, cases[i].row, cases[i].col);
        lesson_destroy(lesson);
    }
}

/* ---- labels, in steps too ---- */

static void test_a_row_goes_by_its_label(void **state) {
    static const BadText twice = {"title: T\n"
                                  "tokens: [the, cat, the]\n"
                                  "given: {X: [[1], [0], [1]]}\n"
                                  "steps:\n"
                                  "  - do: Y = X[the] * 2\n",
                                  ERROR_NAME, 5, 15, "2 rows are called 'the'"};
    Lesson *lesson = telling("  - do: q = X['the king'] * 2\n"
                             "    say: \"{q[0, 1]} {q[\\\"the king\\\", 0]}\"\n");
    assert_string_equal(text_in(&lesson->steps[1].say, &ENGLISH), "2 2");
    assert_contains(lesson->steps[1].formula, "\\text{the king}");
    lesson_destroy(lesson);
    assert_bad_lesson(&twice);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_number_is_filled_in_as_it_was_computed),
        cmocka_unit_test(test_every_text_of_a_lesson_is_filled_in),
        cmocka_unit_test(test_words_name_tensors_of_any_step),
        cmocka_unit_test(test_what_is_filled_in_stays_the_lessons_own),
        cmocka_unit_test(test_what_a_file_has_changed_is_told_as_it_is),
        cmocka_unit_test(test_words_that_other_tokens_have_no_number_for_are_left_out),
        cmocka_unit_test(test_a_step_opens_on_the_cell_that_it_is_about),
        cmocka_unit_test(test_a_row_goes_by_its_label),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
