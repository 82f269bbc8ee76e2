/* The inspector's sums: what is written of a cell is what it was made from. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "drawn_lesson.h"
#include "golden.h"
#include "operation_rows.h"
#include "picture/explain/explain.h"
#include "picture/page/page.h"
#include "picture/stage/page_content.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

enum { LEAVES_MAX = 4096 };

static Runs written;

static const Tape *tape_of(const Drawn *fixture) {
    return fixture->files.lessons[0]->tape;
}

/* Writes a cell's term into the runs; NULL when it has none. */
static const Term *write_cell(Drawn *fixture, const char *language, size_t node,
                              size_t row, size_t col, size_t max_parts) {
    arena_reset(fixture->frame);
    scene_init(&fixture->scene, fixture->frame, 100, 100, (Color){0});
    fixture->canvas.language = course_language(&fixture->files, language);
    written.canvas = &fixture->canvas;
    written.count = 0;
    written.overflowed = false;
    TermWriter writer = {
        .runs = &written, .tape = tape_of(fixture), .node = node, .max_parts = max_parts};
    const Term *term = tape_explain(tape_of(fixture), node, row, col, fixture->frame);
    if (term)
        term_write(&writer, term);
    return term;
}

/* ---- as text ---- */

typedef struct Buffer {
    char *text;
    size_t length, capacity;
} Buffer;

static void append(Buffer *buffer, const char *text) {
    size_t length = strlen(text);
    while (buffer->length + length + 1 > buffer->capacity) {
        buffer->capacity = buffer->capacity * 2 + 4096;
        buffer->text = realloc(buffer->text, buffer->capacity);
        assert_non_null(buffer->text);
    }
    memcpy(buffer->text + buffer->length, text, length + 1);
    buffer->length += length;
}

/* Exponents in braces: e^{2 − 3}. */
static void append_runs(Buffer *buffer, const Runs *runs) {
    double raise = 0;
    for (size_t i = 0; i < runs->count; i++) {
        for (; raise < runs->items[i].raise; raise++)
            append(buffer, "^{");
        for (; raise > runs->items[i].raise; raise--)
            append(buffer, "}");
        append(buffer, runs->items[i].text);
    }
    for (; raise > 0; raise--)
        append(buffer, "}");
    append(buffer, "\n");
}

static void append_cell(Drawn *fixture, Buffer *buffer, const char *language, size_t node,
                        size_t cell, size_t max_parts) {
    const TapeNode *at = tape_node(tape_of(fixture), node);
    char head[512];
    size_t row = cell / at->output.cols, col = cell % at->output.cols;
    snprintf(head, sizeof head, "%s %s %s[%zu, %zu] = ", language,
             operation_of(at->operation)->name, at->name, row, col);
    append(buffer, head);
    write_cell(fixture, language, node, row, col, max_parts);
    append_runs(buffer, &written);
}

/* The first cell of a node that is made from a negative number at its place; `otherwise`
 * where there is none. */
static size_t negative_cell(const Drawn *fixture, size_t node, size_t otherwise) {
    const TapeNode *at = tape_node(tape_of(fixture), node);
    if (!at->input_count)
        return otherwise;
    const Tensor *input = &tape_node(tape_of(fixture), at->inputs[0])->output;
    bool in_place = input->rows == at->output.rows && input->cols == at->output.cols;
    for (size_t i = 0; in_place && i < tensor_cells(input); i++) {
        if (input->values[i] < 0)
            return i;
    }
    return otherwise;
}

/* The first named node of an operation: the lesson has one of each. */
static size_t node_of(const Drawn *fixture, OperationKind kind) {
    for (size_t i = 0; i < tape_count(tape_of(fixture)); i++) {
        const TapeNode *node = tape_node(tape_of(fixture), i);
        if (node->operation == kind && node->name[0] && !node->quiet)
            return i;
    }
    fail_msg("the lesson has no %s", operation_of(kind)->name);
    return TAPE_NONE;
}

static void test_every_operation_is_explained_as_it_was_found_good(void **state) {
    Drawn *fixture = *state;
    Buffer buffer = {0};
    for (int kind = OPERATION_GIVEN + 1; kind < OPERATION_COUNT; kind++) {
        size_t node = node_of(fixture, (OperationKind)kind);
        size_t cells = tensor_cells(&tape_node(tape_of(fixture), node)->output);
        append_cell(fixture, &buffer, "en", node, 0, RUNS_MAX);
        append_cell(fixture, &buffer, "en", node, negative_cell(fixture, node, cells / 2),
                    RUNS_MAX);
        append_cell(fixture, &buffer, "en", node, cells - 1, 3);
        append_cell(fixture, &buffer, "zh", node, 0, 3);
    }
    assert_golden("inspector.txt", buffer.text);
    free(buffer.text);
}

/* ---- the numbers ---- */

typedef struct Leaves {
    size_t count;
    const Term *items[LEAVES_MAX];
} Leaves;

/* The numbers that stand in a line, left to right. A quantity is one number there; of a
 * case only the branch that holds is written. */
static void collect(Leaves *leaves, const Term *term) {
    if (term->count == 0 || term->kind == TERM_QUANTITY) {
        assert_true(leaves->count < LEAVES_MAX);
        leaves->items[leaves->count++] = term;
        return;
    }
    bool is_case = term->kind == TERM_EQUAL || term->kind == TERM_GREATER;
    double a = term->parts[0]->value, b = is_case ? term->parts[1]->value : 0;
    bool holds = term->kind == TERM_EQUAL ? a == b : a > b;
    for (size_t i = 0; i < term->count; i++) {
        if (!is_case || i < 2 || i == (holds ? 2 : 3))
            collect(leaves, term->parts[i]);
    }
}

/* English text for NaN. */
static const char NO_NUMBER[] = "no number";

static bool is_number(const char *text) {
    if (strcmp(text, NO_NUMBER) == 0)
        return true;
    const char *minus = "−";
    size_t sign = strncmp(text, minus, strlen(minus)) == 0 ? strlen(minus) : 0;
    const char *rest = text + sign; /* a minus alone is a sign */
    return (rest[0] >= '0' && rest[0] <= '9') || strcmp(rest, "∞") == 0;
}

static void assert_leaf(const Drawn *fixture, size_t node, const Run *run,
                        const Term *leaf) {
    char expected[NUMBER_SIZE];
    number_format_short(expected, leaf->value, 3);
    if (isnan(leaf->value))
        strcpy(expected, NO_NUMBER);
    double size = fabs(leaf->value);
    if (size > 0 && size < 0.0005) { /* "3e-07" is written 3·10⁻⁷, "1e-05" 10⁻⁵ */
        static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴",
                                             "⁵", "⁶", "⁷", "⁸", "⁹"};
        char ascii[NUMBER_SIZE];
        snprintf(ascii, sizeof ascii, "%.0e", size);
        snprintf(expected, sizeof expected, "%s%.*s%s10⁻", leaf->value < 0 ? "−" : "",
                 ascii[0] > '1', ascii, ascii[0] > '1' ? "·" : "");
        for (const char *at = strchr(ascii, '-') + 1 + (ascii[3] == '0'); *at; at++)
            strcat(expected, raised[*at - '0']);
    }
    /* Which of the large ones keep all digits is another test's. */
    char digits[NUMBER_SIZE];
    number_format_digits(digits, leaf->value, 3);
    if (!(size >= 1e7 && size < 1e17) || strcmp(run->text, digits) != 0)
        assert_string_equal(run->text, expected);
    if (leaf->kind != TERM_CELL) {
        assert_int_equal(run->link.kind, LINK_NONE);
        return;
    }
    size_t source = tape_node(tape_of(fixture), node)->inputs[leaf->input];
    Link link = {LINK_SOURCE, source, leaf->row, leaf->col};
    assert_true(link_equal(run->link, link));
    const Tensor *tensor = &tape_node(tape_of(fixture), source)->output;
    double value = tensor_at(tensor, leaf->row, leaf->col);
    assert_memory_equal(&value, &leaf->value, sizeof value);
}

/* Returns true if a line holds all of a cell's numbers; false if it was too long for
 * them. */
static bool check_cell(Drawn *fixture, size_t node, size_t row, size_t col) {
    static Leaves leaves;
    const Term *term = write_cell(fixture, "en", node, row, col, LEAVES_MAX);
    assert_non_null(term);
    if (written.overflowed)
        return false;
    leaves.count = 0;
    collect(&leaves, term);
    size_t count = 0;
    for (size_t i = 0; i < written.count; i++) {
        const Run *run = &written.items[i];
        if (!is_number(run->text))
            continue;
        assert_true(count < leaves.count);
        assert_leaf(fixture, node, run, leaves.items[count++]);
    }
    assert_int_equal(count, leaves.count);
    return true;
}

static void test_the_numbers_written_are_those_the_cell_was_made_from(void **state) {
    Drawn *fixture = *state;
    size_t numbers = 0;
    for (size_t node = 0; node < tape_count(tape_of(fixture)); node++) {
        const TapeNode *at = tape_node(tape_of(fixture), node);
        size_t cells = tensor_cells(&at->output);
        if (at->operation == OPERATION_GIVEN)
            continue;
        size_t stride = cells > 40 ? cells / 40 : 1;
        for (size_t cell = 0; cell < cells; cell += stride)
            numbers +=
                check_cell(fixture, node, cell / at->output.cols, cell % at->output.cols);
    }
    assert_true(numbers > 1000);
}

/* Of a sum that is too long its first parts and its last are written. */
static void test_a_long_sum_keeps_its_first_and_last_parts(void **state) {
    Drawn *fixture = *state;
    const Tape *tape = tape_of(fixture);
    for (size_t node = 0; node < tape_count(tape); node++) {
        const TapeNode *at = tape_node(tape, node);
        if (at->operation != OPERATION_MATMUL)
            continue;
        const Tensor *a = &tape_node(tape, at->inputs[0])->output;
        if (a->cols < 5)
            continue;
        write_cell(fixture, "en", node, 0, 0, 3);
        size_t products = 0, gaps = 0;
        const Run *last = NULL;
        for (size_t i = 0; i < written.count; i++) {
            const Run *run = &written.items[i];
            products += strcmp(run->text, " × ") == 0;
            gaps += strcmp(run->text, "…") == 0;
            if (run->link.kind == LINK_SOURCE)
                last = run;
        }
        assert_int_equal(products, 3);
        assert_int_equal(gaps, 1);
        assert_non_null(last);
        assert_int_equal(last->link.row, a->cols - 1);
    }
}

/* Returns the sign before a term's value: 0.3334 + 0.3334 is 0.667, but 0.333 + 0.333
 * isn't. */
static const char *equals_of(Drawn *fixture, double a, double b, bool shortened) {
    arena_reset(fixture->frame);
    scene_init(&fixture->scene, fixture->frame, 100, 100, (Color){0});
    written.canvas = &fixture->canvas;
    const Term *sum =
        term_binary(fixture->frame, TERM_SUM, term_number(fixture->frame, a),
                    term_number(fixture->frame, b));
    assert_non_null(sum);
    TermWriter writer = {.runs = &written, .shortened = shortened};
    return term_equals(&writer, sum, sum->value);
}

static void test_a_sum_of_rounded_numbers_that_misses_is_only_nearly_equal(void **state) {
    Drawn *fixture = *state;
    assert_string_equal(equals_of(fixture, 0.3334, 0.3334, false), " ≈ ");
    assert_string_equal(equals_of(fixture, 0.3334, 0.3332, false), " ≈ ");
    assert_string_equal(equals_of(fixture, 0.3331, 0.3331, false), " = ");
    assert_string_equal(equals_of(fixture, 0.25, 0.5, false), " = ");
    assert_string_equal(equals_of(fixture, -INFINITY, 0.5, false), " = ");
    assert_string_equal(equals_of(fixture, 4e-5, 0.5, false), " = ");
    assert_string_equal(equals_of(fixture, 0.3334, 0.3334, true), " = ");
}

/* A sum or difference of two numbers, as it is written, and what comes before its value.
 */
static void append_pair(Drawn *fixture, Buffer *buffer, TermKind kind, double a,
                        double b) {
    arena_reset(fixture->frame);
    scene_init(&fixture->scene, fixture->frame, 100, 100, (Color){0});
    fixture->canvas.language = course_language(&fixture->files, "en");
    written.canvas = &fixture->canvas;
    written.count = 0;
    TermWriter writer = {.runs = &written, .max_parts = RUNS_MAX};
    const Term *term = term_binary(fixture->frame, kind, term_number(fixture->frame, a),
                                   term_number(fixture->frame, b));
    assert_non_null(term);
    term_write(&writer, term);
    append(buffer, term_equals(&writer, term, term->value));
    append_runs(buffer, &written);
}

/* −1e9 + 0.707 is no other number than −1e9 at two digits; what differs by it must show.
 */
static void test_large_numbers_that_take_each_other_away_keep_their_digits(void **state) {
    Drawn *fixture = *state;
    Buffer buffer = {0};
    append_pair(fixture, &buffer, TERM_DIFFERENCE, -1e9, -1e9 + 0.70710678);
    append_pair(fixture, &buffer, TERM_SUM, 1e9, -1e9 + 1.5);
    append_pair(fixture, &buffer, TERM_SUM, -1e9, 0.707);
    append_pair(fixture, &buffer, TERM_DIFFERENCE, 3e9, 1.04e9);
    append_pair(fixture, &buffer, TERM_DIFFERENCE, INFINITY, 1e9);
    append_pair(fixture, &buffer, TERM_LARGEST, -1e9, -1e9 + 0.70710678);
    append_pair(fixture, &buffer, TERM_LARGEST, -1e9, -1e9);
    append_pair(fixture, &buffer, TERM_LARGEST, -1e9, 3);
    assert_string_equal(buffer.text, " = −1000000000 − (−999999999.293)\n"
                                     " = 1000000000 + (−999999998.5)\n"
                                     " = −1e9 + 0.707\n"
                                     " = 3,000,000,000 − 1,040,000,000\n"
                                     " = ∞ − 1e9\n"
                                     " = max(−1000000000, −999999999.293)\n"
                                     " = max(−1e9, −1e9)\n"
                                     " = max(−1e9, 3)\n");
    free(buffer.text);
}

/* ---- sums of pages of several operations ---- */

static const char SUBLAYERS[] =
    "title: t\nmodel:\n  kind: encoder\n  d_model: 6\n  heads: 2\n"
    "  layers: 1\n  steps: listed\n  corpus: [you win or you die]\n"
    "  source: you win\nsteps:\n"
    "  - show: [encoder.0.self_attention.head.0.query, "
    "encoder.0.self_attention.head.0.key]\n"
    "    as: projections\n"
    "  - at: encoder.0.self_attention\n"
    "  - at: encoder.0.residual_1\n"
    "  - at: encoder.0.feed_forward\n";

/* A copied number and one with a bias are sums of products, whose numbers lead to the
 * cells that were multiplied; a sum of two tables of the page stays as it is. */
static void
test_a_page_of_several_operations_writes_out_what_it_has_no_table_of(void **state) {
    static const struct {
        const char *node;
        size_t products; /* in the sum; 0: of two cells */
        const char *factor, *bias;
    } cells[] = {
        {"encoder.0.self_attention.head.0.query", 6, "encoder.input",
         "encoder.0.self_attention.b_Q"},
        {"encoder.0.self_attention.projected", 6, "encoder.0.self_attention.concat",
         "encoder.0.self_attention.b_O"},
        {"encoder.0.residual_1", 0, "encoder.input", NULL},
        {"encoder.0.feed_forward.linear_2", 24, "encoder.0.feed_forward.relu",
         "encoder.0.feed_forward.b_2"},
    };
    Drawn drawn;
    (void)state;
    drawn_begin(&drawn, SUBLAYERS);
    Page page = {.player = &drawn.player, .language = drawn.files.language};
    PageParts parts = {&drawn.canvas, &page};
    const Tape *tape = drawn.lesson->tape;
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        while (player_statement(&drawn.player) < i)
            assert_true(player_move(&drawn.player, PLAYER_RIGHT));
        size_t node = tape_find(tape, cells[i].node), links = 0;
        assert_int_not_equal(node, TAPE_NONE);
        CellSum sum = cell_sum_of(&parts, (FollowCell){.node = node, .row = 1, .col = 2});
        cell_sum_write_out(&sum);
        double value = tensor_at(&tape_node(tape, node)->output, 1, 2);
        assert_true(fabs(term_value(sum.term) - value) <= 1e-12 * fmax(1, fabs(value)));
        cell_sum_begin(&sum, LEAVES_MAX);
        term_write(&sum.writer, sum.term);
        for (size_t k = 0; k < sum.value->count; k++) {
            const Link *link = &sum.value->items[k].link;
            if (link->kind != LINK_SOURCE)
                continue;
            const char *name = tape_node(tape, link->index)->name;
            if (!links++)
                assert_string_equal(name, cells[i].factor);
            else if (links == 2 * cells[i].products + 1)
                assert_string_equal(name, cells[i].bias);
        }
        assert_int_equal(links, cells[i].products ? 2 * cells[i].products + 1 : 2);
    }
    size_t given = tape_find(tape, "encoder.0.self_attention.W_Q");
    CellSum sum = cell_sum_of(&parts, (FollowCell){.node = given});
    cell_sum_write_out(&sum);
    assert_int_equal(sum.term->kind, TERM_NUMBER);
    size_t node = tape_find(tape, cells[0].node);
    tape_edit(drawn.lesson->tape, node, 1, 2, 5); /* a number set by hand has no sum */
    sum = cell_sum_of(&parts, (FollowCell){.node = node, .row = 1, .col = 2});
    cell_sum_write_out(&sum);
    assert_int_equal(sum.term->kind, TERM_NUMBER);
    drawn_finish(&drawn);
}

static int load(void **state) {
    assert_full_rows();
    drawn_set_up(state);
    Drawn *fixture = *state;
    course_load_lesson(&fixture->files, "tests/lessons/every-operation.yaml");
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_operation_is_explained_as_it_was_found_good),
        cmocka_unit_test(test_the_numbers_written_are_those_the_cell_was_made_from),
        cmocka_unit_test(test_a_long_sum_keeps_its_first_and_last_parts),
        cmocka_unit_test(test_a_sum_of_rounded_numbers_that_misses_is_only_nearly_equal),
        cmocka_unit_test(test_large_numbers_that_take_each_other_away_keep_their_digits),
        cmocka_unit_test(
            test_a_page_of_several_operations_writes_out_what_it_has_no_table_of),
    };
    return cmocka_run_group_tests(tests, load, drawn_tear_down);
}
