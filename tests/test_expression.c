#include "close.h"
#include "lesson_text.h"
#include "tensor/tape/tape.h"

#include "base/random.h"
#include "lesson/formula/formula.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- reading ---- */

/* A tree with all its parentheses, for comparing. */
static void write_tree(const Expression *expression, char *out) {
    char *end = out + strlen(out);
    switch (expression->kind) {
    case EXPRESSION_NUMBER:
        sprintf(end, "%g", expression->number);
        return;
    case EXPRESSION_NAME:
        strcpy(end, expression->name);
        return;
    case EXPRESSION_CALL:
        sprintf(end, "%s(", expression->name);
        break;
    default:
        sprintf(end, "(%s",
                expression->kind == EXPRESSION_SLICE ? "[]"
                                                     : expression_sign(expression->kind));
        break;
    }
    for (size_t i = 0; i < expression->count; i++) {
        strcat(out, " ");
        write_tree(expression->parts[i], out);
    }
    for (size_t axis = 0; axis < 2 && expression->kind == EXPRESSION_SLICE; axis++) {
        const ExpressionAxis *part = &expression->axes[axis];
        strcat(out, " ");
        if (part->begin)
            write_tree(part->begin, out);
        strcat(out, part->index ? "" : ":");
        if (part->end)
            write_tree(part->end, out);
    }
    strcat(out, ")");
}

static void test_precedence_is_pythons(void **state) {
    static const char *const cases[][2] = {
        {"a + b * c", "(+ a (* b c))"},
        {"a - b - c", "(- (- a b) c)"},
        {"a / b / c", "(/ (/ a b) c)"},
        {"a @ b * c / d", "(/ (* (@ a b) c) d)"},
        {"a * b @ c", "(@ (* a b) c)"},
        {"-a @ b", "(@ (- a) b)"},
        {"-a.T", "(- (.T a))"},
        {"a - -b", "(- a (- b))"},
        {"--a", "(- (- a))"},
        {"a @ b.T[0]", "(@ a ([] (.T b) 0 :))"},
        {"(a + b) * c", "(* (+ a b) c)"},
        {"((a))", "a"},
        {"a[:, 0:2]", "([] a : 0:2)"},
        {"a[-1]", "([] a (- 1) :)"},
        {"a[1:, :n]", "([] a 1: :n)"},
        {"a[n + 1, 2]", "([] a (+ n 1) 2)"},
        {"f(a, b + 1, g())", "f( a (+ b 1) g())"},
        {"f(a,)", "f( a)"},
        {"B.head_1.scores.T", "(.T B.head_1.scores)"},
        {"encoder.0.norm_2.T - decoder.11", "(- (.T encoder.0.norm_2) decoder.11)"},
        {"1e-3 * .5 + 2. - 1E+2", "(- (+ (* 0.001 0.5) 2) 100)"},
        {"-inf", "(- inf)"},
        {" a\n\t+ b ", "(+ a b)"},
        {"T.T", "(.T T)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena *arena = arena_create(1 << 20);
        Statement statement;
        Error error;
        char tree[200] = "";
        assert_true(statement_parse(arena, cases[i][0], &statement, &error));
        write_tree(statement.value, tree);
        assert_null(statement.name);
        assert_string_equal(tree, cases[i][1]);
        arena_destroy(arena);
    }
}

static void test_sources_are_kept_without_outer_parentheses(void **state) {
    Arena *arena = arena_create(1 << 20);
    Statement statement;
    Error error;
    assert_true(
        statement_parse(arena, " S =( (Q) @ K.T )/ sqrt( 2 ) ", &statement, &error));
    assert_string_equal(statement.name, "S");
    const Expression *quotient = statement.value, *product = quotient->parts[0];
    assert_int_equal(quotient->length, strlen("( (Q) @ K.T )/ sqrt( 2 )"));
    assert_memory_equal(product->source, "(Q) @ K.T", product->length);
    assert_memory_equal(product->parts[0]->source, "Q", product->parts[0]->length);
    assert_int_equal(statement_column(&statement, quotient), 18);
    assert_int_equal(statement_column(&statement, product), 11);
    arena_destroy(arena);
}

static void assert_bad_statement(const char *text, ErrorCode code, int column,
                                 const char *words) {
    Arena *arena = arena_create((size_t)64 << 20);
    Statement statement;
    Error error = {0};
    bool parsed = statement_parse(arena, text, &statement, &error);
    if (parsed || error.code != code || error.line != 1 || error.column != column ||
        !strstr(error.message, words)) {
        print_error("'%.100s' gave %d at %d: %s\n", text, error.code, error.column,
                    error.message);
        fail();
    }
    arena_destroy(arena);
}

static void test_bad_statements_get_a_sentence_at_their_column(void **state) {
    static const struct {
        const char *text;
        ErrorCode code;
        int column;
        const char *words;
    } cases[] = {
        {"", ERROR_SYNTAX, 1, "ends where a number, a name or '(' should follow"},
        {"Q =", ERROR_SYNTAX, 4, "ends where a number"},
        {"a +", ERROR_SYNTAX, 4, "ends where a number"},
        {"a + * b", ERROR_SYNTAX, 5, "'*' stands where a number"},
        {"+a", ERROR_SYNTAX, 1, "'+' stands where"},
        {"(a + b", ERROR_SYNTAX, 7, "ends where ')' or an operator"},
        {"a b", ERROR_SYNTAX, 3,
         "'b' stands where an operator or the end should; for a product"},
        {"a)", ERROR_SYNTAX, 2, "')' stands where an operator"},
        {"f(a b)", ERROR_SYNTAX, 5, "',' or ')'"},
        {"a[0", ERROR_SYNTAX, 4, "']', ':' or ','"},
        {"a[::2]", ERROR_SYNTAX, 4, "slices have no third part"},
        {"a[0:1:2]", ERROR_SYNTAX, 6, "slices have no third part"},
        {"a[0, 1, 2]", ERROR_SYNTAX, 7, "tensors have two axes"},
        {"a[]", ERROR_SYNTAX, 3, "']' stands where a number"},
        {"(a).t", ERROR_SYNTAX, 4, "only T can stand"},
        {"a[0].Tx", ERROR_SYNTAX, 5, "only T can stand"},
        {"2x", ERROR_SYNTAX, 1, "'2x' is neither a number nor a name"},
        {"1.2.3", ERROR_SYNTAX, 1, "'1.2.3' is neither"},
        {".", ERROR_SYNTAX, 1, "'.' is neither"},
        {"1e999", ERROR_VALUE, 1, "'1e999' is too large"},
        {"2 * 1e", ERROR_SYNTAX, 5, "'1e' is neither"},
        {"a ** 2", ERROR_SYNTAX, 3, "write x * x"},
        {"a ^ 2", ERROR_SYNTAX, 3, "write x * x"},
        {"a == b", ERROR_SYNTAX, 3, "'==' is not known"},
        {"a = f(b, axis=1)", ERROR_SYNTAX, 14,
         "a function takes its inputs by their place"},
        {"a = b = c", ERROR_SYNTAX, 7, "a second '='"},
        {"a + b = c", ERROR_SYNTAX, 1, "'a + b' can't be a name"},
        {"2a = c", ERROR_SYNTAX, 1, "'2a' can't be a name"},
        {"= c", ERROR_SYNTAX, 1, "'' can't be a name"},
        {"inf = c", ERROR_SYNTAX, 1, "'inf' is infinity"},
        {"a_name_that_is_much_too_long_to_be_read_anywhere_in_the_map_or_formula = c",
         ERROR_SYNTAX, 1, "at most 64"},
        {"a # b", ERROR_SYNTAX, 3, "'#' stands where"},
        {"softmax\xEF\xBC\x88x)", ERROR_SYNTAX, 8, "full-width sign; write '('"},
        {"a \xE2\x88\x92 b", ERROR_SYNTAX, 3, "typographic minus"},
        {"a \xC3\x97 b", ERROR_SYNTAX, 3, "'@' for matrices"},
        {"\xE4\xB8\xAD + a", ERROR_SYNTAX, 1, "'\xE4\xB8\xAD' stands where"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_bad_statement(cases[i].text, cases[i].code, cases[i].column,
                             cases[i].words);
}

/* `prefix`, then `count` times `part`, then `suffix`. */
static char *repeat(const char *prefix, const char *part, size_t count,
                    const char *suffix) {
    char *text = malloc(strlen(prefix) + count * strlen(part) + strlen(suffix) + 1);
    assert_non_null(text);
    char *end = text + sprintf(text, "%s", prefix);
    for (size_t i = 0; i < count; i++)
        end += sprintf(end, "%s", part);
    strcpy(end, suffix);
    return text;
}

static void test_deep_expressions_are_refused(void **state) {
    static const struct {
        const char *prefix, *part, *suffix;
        int column;
    } cases[] = {
        {"", "(", "", 65},     {"", "-", "a", 65},     {"", "f(", "", 130},
        {"", "a[", "", 130},   {"a", " + a", "", 255}, {"a", ".T", "", 128},
        {"a", "[0]", "", 191},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = repeat(cases[i].prefix, cases[i].part, 2000, cases[i].suffix);
        assert_bad_statement(text, ERROR_LIMIT, cases[i].column, "64");
        free(text);
    }
}

static void test_a_statement_without_end_is_refused(void **state) {
    char *text = repeat("a = concat(", "b, ", 5000, "b)");
    assert_bad_statement(text, ERROR_LIMIT, 1, "longer than 10000 characters");
    free(text);
}

static void test_expressions_up_to_the_limit_are_read(void **state) {
    Arena *arena = arena_create(1 << 20);
    Statement statement;
    Error error;
    char *sum = repeat("a", " + a", 63, ""), *nested = repeat("", "(", 64, "a");
    nested = realloc(nested, 200);
    assert_non_null(nested);
    for (size_t i = 0; i < 64; i++)
        strcat(nested, ")");
    assert_true(statement_parse(arena, sum, &statement, &error));
    assert_int_equal(statement.value->depth, 64);
    assert_true(statement_parse(arena, nested, &statement, &error));
    assert_int_equal(statement.value->depth, 1);
    free(sum);
    free(nested);
    arena_destroy(arena);
}

static void test_a_call_with_too_many_arguments_is_refused(void **state) {
    char *text = repeat("f(", "a,", 65, ")");
    assert_bad_statement(text, ERROR_LIMIT, 131, "at most 64 arguments");
    free(text);
}

static void parse_guarded(void *arena) {
    Statement statement;
    Error error = {0};
    assert_true(statement_parse(arena, "A = f(a[0:1], 2.5).T @ -b", &statement, &error));
}

static void test_memory_that_runs_out_is_left_by_the_guard(void **state) {
    bool complete = false;
    for (size_t limit = 0; !complete; limit += 16) {
        Arena *arena = arena_create(limit);
        complete = arena_guard(arena, parse_guarded, arena);
        assert_int_equal(complete, !arena_exhausted(arena));
        arena_destroy(arena);
        assert_true(limit < 10000);
    }
}

static void test_random_text_is_read_or_refused(void **state) {
    static const char *const tokens[] = {
        "a", "B.c", "(",  ")", "[", "]",   ":",   ",",   "+",    "-", "*",
        "/", "@",   ".T", "=", "1", "0.5", "1e9", "inf", "sqrt", "f", "\xEF\xBC\x88",
        " ", "."};
    Random random;
    random_init(&random, 1);
    size_t read = 0;
    for (size_t round = 0; round < 20000; round++) {
        char text[200] = "";
        size_t count = 1 + random_below(&random, 12);
        for (size_t i = 0; i < count; i++)
            strcat(text, tokens[random_below(&random, sizeof tokens / sizeof *tokens)]);
        Arena *arena = arena_create(1 << 20);
        Statement statement;
        Error error = {0};
        bool parsed = statement_parse(arena, text, &statement, &error);
        read += parsed;
        assert_true(parsed == (error.code == ERROR_NONE));
        assert_true(parsed || (error.message[0] && error.column > 0));
        if (parsed)
            assert_non_null(formula_source(arena, &statement));
        arena_destroy(arena);
    }
    assert_in_range(read, 100, 19900);
}

/* ---- formulas ---- */

static void test_formulas_are_written_as_on_paper(void **state) {
    static const char *const cases[][2] = {
        {"S = Q @ K.T", "\\tensor{S} = \\tensor{Q} \\tensor{K.T}"},
        {"Q @ K.T / sqrt(2)", "\\frac{\\tensor{Q} \\tensor{K.T}}{\\sqrt{2}}"},
        {"softmax(S + M) @ V",
         "\\op{softmax}\\left(\\tensor{S} + \\tensor{M}\\right) \\tensor{V}"},
        {"A * B", "\\tensor{A} \\odot \\tensor{B}"},
        {"2 * A", "2 \\cdot \\tensor{A}"},
        {"(A + B) * C", "\\left(\\tensor{A} + \\tensor{B}\\right) \\odot \\tensor{C}"},
        {"A * B @ C", "\\left(\\tensor{A} \\odot \\tensor{B}\\right) \\tensor{C}"},
        {"A @ (B @ C)", "\\tensor{A} \\left(\\tensor{B} \\tensor{C}\\right)"},
        {"A - (B - C)", "\\tensor{A} - \\left(\\tensor{B} - \\tensor{C}\\right)"},
        {"A - -B", "\\tensor{A} - \\left(-\\tensor{B}\\right)"},
        {"A + -B * C", "\\tensor{A} + \\left(-\\tensor{B} \\odot \\tensor{C}\\right)"},
        {"-(A + B)", "-\\left(\\tensor{A} + \\tensor{B}\\right)"},
        {"(A / B) / (C / 2)", "\\frac{\\tensor{A} / \\tensor{B}}{\\tensor{C} / 2}"},
        {"A / B / C", "\\frac{\\tensor{A} / \\tensor{B}}{\\tensor{C}}"},
        {"Q[:, 0:2]", "\\tensor{Q}[:, 0:2]"},
        {"Q[-1]", "\\tensor{Q}[-1]"},
        {"Q[1, 2:]", "\\tensor{Q}[1, 2:]"},
        {"(A + B)[0]", "\\left(\\tensor{A} + \\tensor{B}\\right)[0]"},
        {"Q[0].T", "\\tensor{Q}[0]^{\\text{T}}"},
        {"A.T.T", "\\tensor{A.T}^{\\text{T}}"},
        {"A.T.T.T", "\\left(\\tensor{A.T}^{\\text{T}}\\right)^{\\text{T}}"},
        {"A[0][1:]", "\\left(\\tensor{A}[0]\\right)[1:]"},
        {"A.T[0].T", "\\tensor{A.T}[0]^{\\text{T}}"},
        {"(A / 2)[0]", "\\left(\\frac{\\tensor{A}}{2}\\right)[0]"},
        {"B.weights", "\\tensor{B.weights}"},
        {"A + 1e-5", "\\tensor{A} + 10^{-5}"},
        {"A + 2.5e3", "\\tensor{A} + 2.5 \\cdot 10^{3}"},
        {"A * -inf", "\\tensor{A} \\cdot \\left(-\\infty \\right)"},
        {"layer_norm(X, g, b)",
         "\\op{LayerNorm}\\left(\\tensor{X}, \\tensor{g}, \\tensor{b}\\right)"},
        {"causal_mask(3)", "\\op{mask}\\left(3\\right)"},
        {"positional_encoding(n, 4)", "\\op{PE}\\left(\\tensor{n}, 4\\right)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena *arena = arena_create(1 << 20);
        Statement statement;
        Error error;
        assert_true(statement_parse(arena, cases[i][0], &statement, &error));
        assert_string_equal(formula_source(arena, &statement), cases[i][1]);
        arena_destroy(arena);
    }
}

static void test_a_formula_that_is_too_long_is_none(void **state) {
    char text[STATEMENT_MAX] = "A";
    Arena *arena = arena_create(1 << 20);
    Statement statement;
    Error error;
    for (int i = 0; i < 50; i++)
        strcat(text, " - exp(softmax(exp(softmax(A @ A.T))))");
    assert_true(statement_parse(arena, text, &statement, &error));
    assert_string_equal(formula_source(arena, &statement), "");
    arena_destroy(arena);
}

/* ---- evaluating, against PyTorch and NumPy ---- */

enum { LESSON_SIZE = 1 << 17, WORD_SIZE = 64, LINE_SIZE = 400 };

/* The next tensor of the reference file as a YAML value, at the end of `out`. */
static void copy_tensor(FILE *file, char *out) {
    size_t rows, cols;
    char number[WORD_SIZE];
    assert_int_equal(fscanf(file, "%zu %zu", &rows, &cols), 2);
    char *end = out + strlen(out);
    end += sprintf(end, "[");
    for (size_t i = 0; i < rows * cols; i++) {
        assert_int_equal(fscanf(file, "%63s", number), 1);
        end += sprintf(end, "%s%s", i % cols ? ", " : i ? "], [" : "[", number);
    }
    sprintf(end, "]]\n");
}

static void check_result(FILE *file, const char *name, const char *text) {
    Tensor expected = {0};
    assert_int_equal(fscanf(file, "%zu %zu", &expected.rows, &expected.cols), 2);
    expected.values = calloc(tensor_cells(&expected), sizeof *expected.values);
    assert_non_null(expected.values);
    for (size_t i = 0; i < tensor_cells(&expected); i++)
        assert_int_equal(fscanf(file, "%lf", &expected.values[i]), 1);
    Lesson *lesson = lesson_good(text);
    const LessonStep *last = &lesson->steps[lesson->step_count - 1];
    const Tensor *result = &tape_node(lesson->tape, last->result)->output;
    double largest = 1; /* rounding errors grow with the numbers */
    bool good = result->rows == expected.rows && result->cols == expected.cols;
    for (size_t i = 0; good && i < tensor_cells(&expected); i++) {
        double value = expected.values[i];
        largest = isfinite(value) ? fmax(largest, fabs(value)) : largest;
    }
    if (!good)
        fail_msg("%s is [%zu,%zu]", name, result->rows, result->cols);
    for (size_t i = 0; i < tensor_cells(&expected); i++) {
        if (result->values[i] != expected.values[i] &&
            !(fabs(result->values[i] - expected.values[i]) <= 1e-12 * largest))
            fail_msg("%s, cell %zu: %.17g is not %.17g", name, i, result->values[i],
                     expected.values[i]);
    }
    lesson_destroy(lesson);
    free(expected.values);
}

static void test_expressions_give_what_pytorch_and_numpy_give(void **state) {
    const char *source = getenv("GLASSFORMER_SOURCE");
    char path[1000], word[WORD_SIZE], name[WORD_SIZE] = "", line[LINE_SIZE];
    snprintf(path, sizeof path, "%s/tests/reference/expressions.txt",
             source ? source : ".");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    static char given[LESSON_SIZE], steps[LESSON_SIZE], text[2 * LESSON_SIZE + 100];
    size_t cases = 0;
    while (fscanf(file, "%63s", word) == 1) {
        if (word[0] == '#') {
            assert_non_null(fgets(line, sizeof line, file));
        } else if (strcmp(word, "case") == 0) {
            assert_int_equal(fscanf(file, "%63s", name), 1);
            given[0] = steps[0] = 0;
        } else if (strcmp(word, "given") == 0) {
            assert_int_equal(fscanf(file, "%63s", word), 1);
            sprintf(given + strlen(given), "  %s: ", word);
            copy_tensor(file, given);
        } else if (strcmp(word, "do") == 0) {
            assert_non_null(fgets(line, sizeof line, file));
            sprintf(steps + strlen(steps), "  - do: %s", line);
        } else if (strcmp(word, "result") == 0) {
            snprintf(text, sizeof text, "title: t\n%s%ssteps:\n%s",
                     *given ? "given:\n" : "", given, steps);
            check_result(file, name, text);
            cases++;
        }
    }
    fclose(file);
    assert_in_range(cases, 60, 1000);
}

/* ---- evaluating: names, steps and sentences ---- */

#define HEAD                                                                             \
    "title: t\n"                                                                         \
    "given:\n"                                                                           \
    "  Q: [[1, 2], [3, 4], [5, 6]]\n"                                                    \
    "  K: [[1, 0], [0, 1], [1, 1]]\n"                                                    \
    "  R: [[1, 2, 3, 4]]\n"                                                              \
    "  n: 2\n"                                                                           \
    "  ids: [0, 2, 7]\n"                                                                 \
    "steps:\n"

/* The one tensor of the only step. */
static const TapeNode *result_of(const Lesson *lesson) {
    return tape_node(lesson->tape, lesson->steps[0].result);
}

static void test_numbers_become_one_quiet_constant_named_as_written(void **state) {
    Lesson *lesson = lesson_good(HEAD "  - do: S = Q / (sqrt(2) * -1e9)\n");
    const LessonStep *step = &lesson->steps[0];
    assert_int_equal(step->count, 2);
    const TapeNode *constant = tape_node(lesson->tape, step->first);
    assert_int_equal(constant->operation, OPERATION_GIVEN);
    assert_true(constant->quiet);
    assert_string_equal(constant->name, "sqrt(2) * -1e9");
    const double expected = 1.41421356237309515 * -1e9;
    assert_close(constant->output.values, &expected, 1, 0);
    assert_string_equal(result_of(lesson)->name, "S");
    lesson_destroy(lesson);
}

static void test_constants_divide_by_zero_as_in_numpy(void **state) {
    Lesson *lesson = lesson_good(HEAD "  - do: S = concat(1 / 0 + n, -1 / 0 + n)\n");
    const double expected[] = {INFINITY, -INFINITY};
    assert_close(result_of(lesson)->output.values, expected, 2, 0);
    lesson_destroy(lesson);
}

static void test_a_factors_transpose_is_quiet_and_named(void **state) {
    Lesson *lesson = lesson_good(HEAD "  - do: S = Q @ K.T\n"
                                      "  - do: Y = K.T\n"
                                      "  - do: Z = (Q + K).T @ Q + Q.T[0, 0]\n");
    const TapeNode *factor = tape_node(lesson->tape, lesson->steps[0].first);
    assert_true(factor->quiet);
    assert_string_equal(factor->name, "K.T");
    const TapeNode *own = tape_node(lesson->tape, lesson->steps[1].first);
    assert_false(own->quiet);
    assert_string_equal(own->name, "Y");
    static const char *const names[] = {"", "(Q + K).T", "", "", "", "Z"};
    static const bool quiet[] = {false, true, false, false, false, false};
    assert_int_equal(lesson->steps[2].count, 6);
    for (size_t i = 0; i < 6; i++) {
        const TapeNode *node = tape_node(lesson->tape, lesson->steps[2].first + i);
        assert_string_equal(node->name, names[i]);
        assert_int_equal(node->quiet, quiet[i]);
    }
    lesson_destroy(lesson);
}

static void test_a_number_that_a_step_makes_can_be_seen(void **state) {
    Lesson *lesson = lesson_good(HEAD "  - do: e = -1e9\n  - do: r = sqrt(2)\n");
    assert_int_equal(lesson->steps[0].count, 1);
    assert_false(result_of(lesson)->quiet);
    assert_string_equal(result_of(lesson)->name, "e");
    assert_int_equal(lesson->steps[1].count, 2);
    const TapeNode *root = tape_node(lesson->tape, lesson->steps[1].result);
    assert_int_equal(root->operation, OPERATION_SQRT);
    lesson_destroy(lesson);
}

static void test_composites_name_what_they_make(void **state) {
    Lesson *lesson =
        lesson_good(HEAD "  - do: A = attention(Q, K, Q)\n"
                         "  - do: relu(attention(A, K, Q, causal_mask(3)))\n"
                         "  - do: B = -attention(Q, K, Q) + attention(Q, K, K)\n"
                         "  - do: W = A.weights @ K\n"
                         "  - show: [A.scores, B.attention_2.weights]\n");
    assert_string_equal(result_of(lesson)->name, "A");
    assert_int_not_equal(tape_find(lesson->tape, "A.scores"), TAPE_NONE);
    assert_int_not_equal(tape_find(lesson->tape, "A.weights"), TAPE_NONE);
    assert_int_not_equal(tape_find(lesson->tape, "attention.masked"), TAPE_NONE);
    assert_int_not_equal(tape_find(lesson->tape, "attention.output"), TAPE_NONE);
    assert_int_not_equal(tape_find(lesson->tape, "B.attention.scores"), TAPE_NONE);
    assert_int_equal(lesson->steps[4].shown[0], tape_find(lesson->tape, "A.scores"));
    assert_int_equal(lesson->steps[4].shown[1],
                     tape_find(lesson->tape, "B.attention_2.weights"));
    assert_int_equal(tape_node(lesson->tape, lesson->steps[3].result)->inputs[0],
                     tape_find(lesson->tape, "A.weights"));
    assert_int_equal(tape_group_count(lesson->tape), 4);
    assert_string_equal(tape_group(lesson->tape, 0)->name, "attention");
    lesson_destroy(lesson);
}

/* How many arguments a call names: "x[, gamma, beta[, epsilon]]" at least 1, at most 4.
 */
static void count_named(const char *arguments, size_t *least, size_t *most) {
    bool optional = false;
    *least = *most = 1;
    for (const char *at = arguments; *at; at++) {
        optional |= *at == '[';
        *most += *at == ',';
        *least += *at == ',' && !optional;
    }
}

/* A call with so many arguments is refused by a sentence that has the whole call. */
static void assert_count_refused(const Call *call, size_t count) {
    char text[1000], words[200];
    int end = snprintf(text, sizeof text, "%s  - do: S = %s(", HEAD, call->name);
    for (size_t i = 0; i < count; i++)
        end += snprintf(text + end, sizeof text - (size_t)end, i ? ", 1" : "1");
    snprintf(text + end, sizeof text - (size_t)end, ")\n");
    snprintf(words, sizeof words, "can't take %zu argument%s", count,
             count == 1 ? "" : "s");
    assert_bad_lesson(&(BadText){text, ERROR_VALUE, 9, 13, words});
}

/* Checks the documented arguments of every function against the number that its row
 * accepts; each is written separately. */
static void test_every_function_takes_the_arguments_that_it_names(void **state) {
    Call call;
    size_t listed = 0;
    for (size_t i = 0; calls_at(&call, i); i++) {
        size_t least, most;
        count_named(call.arguments, &least, &most);
        assert_count_refused(&call, call.least - 1);
        if (strstr(call.arguments, "…")) {
            assert_int_equal(call.least, 1);
            listed++;
            continue;
        }
        if (call.least != least || call.most != most)
            fail_msg("%s(%s) names %zu to %zu arguments, but takes %zu to %zu", call.name,
                     call.arguments, least, most, call.least, call.most);
        assert_count_refused(&call, most + 1);
    }
    assert_int_equal(listed, 2); /* concat and stack */
    assert_true(calls_lookup(&call, "softmax") && calls_lookup(&call, "decoder_layer"));
    assert_false(calls_lookup(&call, "unknown"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_precedence_is_pythons),
        cmocka_unit_test(test_sources_are_kept_without_outer_parentheses),
        cmocka_unit_test(test_bad_statements_get_a_sentence_at_their_column),
        cmocka_unit_test(test_deep_expressions_are_refused),
        cmocka_unit_test(test_a_statement_without_end_is_refused),
        cmocka_unit_test(test_expressions_up_to_the_limit_are_read),
        cmocka_unit_test(test_a_call_with_too_many_arguments_is_refused),
        cmocka_unit_test(test_memory_that_runs_out_is_left_by_the_guard),
        cmocka_unit_test(test_random_text_is_read_or_refused),
        cmocka_unit_test(test_formulas_are_written_as_on_paper),
        cmocka_unit_test(test_a_formula_that_is_too_long_is_none),
        cmocka_unit_test(test_expressions_give_what_pytorch_and_numpy_give),
        cmocka_unit_test(test_numbers_become_one_quiet_constant_named_as_written),
        cmocka_unit_test(test_constants_divide_by_zero_as_in_numpy),
        cmocka_unit_test(test_a_factors_transpose_is_quiet_and_named),
        cmocka_unit_test(test_a_number_that_a_step_makes_can_be_seen),
        cmocka_unit_test(test_composites_name_what_they_make),
        cmocka_unit_test(test_every_function_takes_the_arguments_that_it_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
