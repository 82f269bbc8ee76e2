/* Following a number back, and its influence: what explanations say is held against what
 * operations do, in every lesson. */
#include "close.h"
#include "course_files.h"
#include "lesson/play/follow.h"
#include "sample.h"
#include "tensor/tape/gradient.h"
#include "tensor/terms/term.h"
#include "term_value.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum {
    SCRATCH_BYTES = 1 << 30,
    OUTPUTS_MOST = 96, /* cells of one operation that are checked */
    INPUTS_MOST = 12,  /* cells of one input, each moved by ±h */
    GIVENS_MOST = 3,   /* cells of one given tensor that are edited */
    EDITS_MOST = 40,   /* cells of one lesson that are edited */
    WAY_MOST = 600
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* All lessons: those of the course, then those of tests/lessons. */
typedef struct Stand {
    CourseFiles files;
    size_t course; /* number of the course's lessons, which come first */
    Arena *scratch;
} Stand;

static int set_up(void **state) {
    Stand *stand = calloc(1, sizeof *stand);
    assert_non_null(stand);
    *state = stand;
    stand->scratch = arena_create(SCRATCH_BYTES);
    assert_non_null(stand->scratch);
    course_begin(&stand->files);
    course_load_folder(&stand->files, "lessons");
    stand->course = stand->files.count;
    course_load_folder(&stand->files, "tests/lessons");
    return 0;
}

static int tear_down(void **state) {
    Stand *stand = *state;
    course_finish(&stand->files);
    arena_destroy(stand->scratch);
    free(stand);
    return 0;
}

/* Every cell of a small tensor, else about `most` of them at a fixed distance that is no
 * multiple of the columns' count. */
static size_t stride_of(const Tensor *tensor, size_t most) {
    size_t cells = tensor_cells(tensor), in = sample_one_in();
    most = (most + in - 1) / in;
    size_t stride = cells > most ? (cells + most - 1) / most : 1;
    return stride > 1 && tensor->cols > 1 && stride % tensor->cols == 0 ? stride + 1
                                                                        : stride;
}

/* Returns true if a tensor is tested: all tensors of tests/lessons, which have every
 * operation, and a sample of the course's. */
static bool is_looked_at(const Stand *stand, size_t lesson, size_t node) {
    return lesson >= stand->course || (lesson + node) % (1 + sample_one_in() / 15) == 0;
}

/* ---- what explanations say, and what operations do ---- */

static void check_cells(Stand *stand, const Lesson *lesson, size_t node) {
    const Tape *tape = lesson->tape;
    const TapeNode *at = tape_node(tape, node);
    const Tensor *inputs[64];
    assert_true(at->input_count <= COUNT(inputs));
    for (size_t i = 0; i < at->input_count; i++)
        inputs[i] = &tape_node(tape, at->inputs[i])->output;
    size_t stride = stride_of(&at->output, OUTPUTS_MOST * 4);
    for (size_t i = 0; i < tensor_cells(&at->output); i += stride) {
        arena_reset(stand->scratch);
        double value = at->output.values[i];
        const Term *term = tape_explain(tape, node, i / at->output.cols,
                                        i % at->output.cols, stand->scratch);
        assert_non_null(term);
        if (isnan(value)) {
            assert_true(isnan(term->value));
            continue;
        }
        double again = term_evaluate(term, inputs);
        double most = 1e-9 * fmax(1, fabs(isfinite(value) ? value : 1));
        assert_close(&term->value, &value, 1, most);
        assert_close(&again, &value, 1, most);
    }
}

static void test_every_explanation_recombines_to_its_cell(void **state) {
    Stand *stand = *state;
    assert_true(stand->files.count > 20);
    for (size_t l = 0; l < stand->files.count; l++) {
        const Lesson *lesson = stand->files.lessons[l];
        for (size_t i = 0; i < tape_count(lesson->tape); i++) {
            if (is_looked_at(stand, l, i))
                check_cells(stand, lesson, i);
        }
    }
}

/* One operation with one of its inputs' cells moved down and up. */
typedef struct Moved {
    size_t input, row, col;
    double step;
    bool flows;          /* whether there is a derivative */
    double *less, *more; /* the output then */
    bool found;          /* in the explanation that is looked at */
} Moved;

typedef struct Bench {
    const Lesson *lesson;
    const TapeNode *at;
    OperationCall call;
    const Tensor *inputs[64];
    size_t count;
    Moved moved[64 * INPUTS_MOST];
    size_t *which[64]; /* of an input's cell: 1 + its place in `moved`, or 0 */
    double *copy;      /* of the input being moved */
    Arena *arena;
} Bench;

/* The output with a cell of an input set; NULL where the operation can't take that. */
static double *output_with(Bench *bench, const Moved *moved, double value) {
    const Tensor *kept = bench->inputs[moved->input];
    Tensor changed = *kept, out = bench->at->output;
    changed.values = bench->copy;
    out.values = arena_alloc(bench->arena, tensor_cells(&out), sizeof *out.values);
    assert_non_null(out.values);
    size_t index = moved->row * kept->cols + moved->col;
    bench->copy[index] = value;
    bench->inputs[moved->input] = &changed;
    const Operation *operation = operation_of(bench->at->operation);
    bool takes = !operation->accepts || operation->accepts(&bench->call, NULL);
    if (takes)
        operation->forward(&bench->call, &out);
    bench->inputs[moved->input] = kept;
    bench->copy[index] = kept->values[index];
    return takes ? out.values : NULL;
}

/* A millionth of a number, or of `least` where it is smaller: as far as it really moves,
 * both ways. */
static double step_at(double value, double least) {
    double step = 1e-6 * fmin(fmax(least, fabs(value)), 1e3);
    return ((value + step) - (value - step)) / 2;
}

/* IDs, which can't be moved a little, are made another one, the one before or behind. */
static void move_inputs(Bench *bench) {
    for (size_t j = 0; j < bench->call.count; j++) {
        const Tensor *input = bench->inputs[j];
        bool flows = operation_has_gradient(bench->at->operation, j);
        /* a logarithm bends within its input's own magnitude, however small that is */
        double least = bench->at->operation == OPERATION_LOG ? 0 : 1e-3;
        if (bench->at->operation == OPERATION_BACKWARD && j + 1 < bench->call.count)
            continue; /* what it goes back through: its output is no free number */
        size_t stride = stride_of(input, INPUTS_MOST), cells = tensor_cells(input);
        bench->copy = arena_alloc(bench->arena, cells, sizeof *bench->copy);
        assert_non_null(bench->copy);
        memcpy(bench->copy, input->values, cells * sizeof *bench->copy);
        bench->which[j] = arena_alloc(bench->arena, cells, sizeof *bench->which[j]);
        assert_non_null(bench->which[j]);
        for (size_t i = 0; i < cells; i += stride) {
            double value = input->values[i];
            if (!isfinite(value))
                continue;
            Moved *moved = &bench->moved[bench->count];
            *moved = (Moved){.input = j,
                             .row = i / input->cols,
                             .col = i % input->cols,
                             .step = flows ? step_at(value, least) : 1,
                             .flows = flows};
            moved->less = output_with(bench, moved, value - moved->step);
            moved->more = output_with(bench, moved, value + moved->step);
            assert_true(bench->count + 1 < COUNT(bench->moved));
            bench->which[j][i] = ++bench->count;
        }
    }
}

/* A cell of an explanation: is it one that was moved? */
static void find_moved(void *context, const Term *cell) {
    Bench *bench = context;
    const size_t *which = bench->which[cell->input];
    size_t place =
        which ? which[cell->row * bench->inputs[cell->input]->cols + cell->col] : 0;
    if (place)
        bench->moved[place - 1].found = true;
}

static bool same_number(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

/* `value` is of the magnitude that was subtracted: its last digits are not known. */
static bool near(double slope, double expected, double value, double step) {
    double rounding = 64 * DBL_EPSILON * fabs(value) / step;
    return fabs(slope - expected) <= 2e-4 * (1 + fabs(expected)) + rounding;
}

/* Checks the explanation of output cell `index` for a moved input cell against the
 * computed change. Where a case distinction changes (a ReLU at 0), the derivative of
 * either side is accepted. */
static void check_move(const Bench *bench, const Moved *moved, const Term *term,
                       size_t index) {
    double now = bench->at->output.values[index];
    double less = moved->less ? moved->less[index] : now;
    double more = moved->more ? moved->more[index] : now;
    if (!moved->found && (!same_number(less, now) || !same_number(more, now)))
        fail_msg("%s: %s: cell %zu changes with input %zu [%zu, %zu], which its "
                 "explanation lacks",
                 bench->lesson->id, bench->at->name, index, moved->input, moved->row,
                 moved->col);
    if (!moved->found || !moved->flows || !isfinite(now) || !moved->less ||
        !moved->more || !(moved->step > 0)) /* too large a number to be moved */
        return;
    const Term *derivative =
        term_derivative(bench->arena, term, moved->input, moved->row, moved->col, NULL);
    assert_non_null(derivative);
    double expected = derivative->value, both = (more - less) / (2 * moved->step);
    double h = moved->step;
    if (!near(both, expected, now, h) && !near((more - now) / h, expected, now, h) &&
        !near((now - less) / h, expected, now, h))
        fail_msg("%s: %s (%s): cell %zu moves %g times as far as input %zu [%zu, %zu], "
                 "its explanation says %g",
                 bench->lesson->id, bench->at->name,
                 operation_of(bench->at->operation)->name, index, both, moved->input,
                 moved->row, moved->col, expected);
}

static void check_operation(Stand *stand, const Lesson *lesson, size_t node) {
    static Bench bench;
    arena_reset(stand->scratch);
    bench = (Bench){
        .lesson = lesson, .at = tape_node(lesson->tape, node), .arena = stand->scratch};
    assert_true(bench.at->input_count < COUNT(bench.inputs));
    for (size_t i = 0; i < bench.at->input_count; i++)
        bench.inputs[i] = &tape_node(lesson->tape, bench.at->inputs[i])->output;
    bench.call = (OperationCall){bench.inputs, bench.at->input_count, bench.at->options,
                                 bench.at->operation};
    move_inputs(&bench);
    const Tensor *out = &bench.at->output;
    size_t stride = stride_of(out, OUTPUTS_MOST);
    for (size_t i = 0; bench.count && i < tensor_cells(out); i += stride) {
        const Term *term =
            tape_explain(lesson->tape, node, i / out->cols, i % out->cols, bench.arena);
        assert_non_null(term);
        for (size_t j = 0; j < bench.count; j++)
            bench.moved[j].found = false;
        term_visit_cells(term, find_moved, &bench);
        for (size_t j = 0; j < bench.count; j++)
            check_move(&bench, &bench.moved[j], term, i);
    }
}

static void test_moving_an_input_changes_just_what_explanations_say(void **state) {
    Stand *stand = *state;
    for (size_t l = 0; l < stand->files.count; l++) {
        const Lesson *lesson = stand->files.lessons[l];
        for (size_t i = 0; i < tape_count(lesson->tape); i++) {
            if (is_looked_at(stand, l, i))
                check_operation(stand, lesson, i);
        }
    }
}

/* ---- influence ---- */

/* A cell of the root after a cell of another node was set, which is then taken back. */
static double root_after(Tape *tape, FollowCell root, FollowCell cell, double value) {
    assert_true(tape_edit(tape, cell.node, cell.row, cell.col, value));
    double then = tensor_at(&tape_node(tape, root.node)->output, root.row, root.col);
    assert_true(tape_unedit(tape, cell.node, cell.row, cell.col));
    return then;
}

/* The lesson's last finite number that gradients flow back from. */
static bool find_root(const Tape *tape, FollowCell *root, Arena *scratch) {
    for (size_t i = tape_count(tape); i-- > 0;) {
        const TapeNode *node = tape_node(tape, i);
        if (!node->input_count || !operation_has_gradient(node->operation, 0) ||
            !isfinite(node->output.values[0]) || follow_meets_gradient(tape, i, scratch))
            continue;
        *root = (FollowCell){i, 0, 0};
        return true;
    }
    return false;
}

static size_t check_influence(Tape *tape, FollowCell root, const double *gradient,
                              size_t node) {
    const Tensor *tensor = &tape_node(tape, node)->output;
    size_t stride = stride_of(tensor, GIVENS_MOST), checked = 0;
    double now = tensor_at(&tape_node(tape, root.node)->output, root.row, root.col);
    for (size_t i = 0; i < tensor_cells(tensor); i += stride, checked++) {
        double value = tensor->values[i], step = step_at(value, 1);
        FollowCell cell = {node, i / tensor->cols, i % tensor->cols};
        if (!isfinite(value))
            continue;
        double less = root_after(tape, root, cell, value - step);
        double more = root_after(tape, root, cell, value + step);
        if (!near((more - less) / (2 * step), gradient[i], now, step) &&
            !near((more - now) / step, gradient[i], now, step) &&
            !near((now - less) / step, gradient[i], now, step))
            fail_msg("%s: %s [%zu, %zu] moves the root by %g a unit, not %g",
                     tape_node(tape, root.node)->name, tape_node(tape, node)->name,
                     cell.row, cell.col, (more - less) / (2 * step), gradient[i]);
    }
    return checked;
}

static void test_influence_is_what_an_edit_does(void **state) {
    Stand *stand = *state;
    size_t lessons = 0;
    for (size_t l = 0; l < stand->files.count; l++) {
        Tape *tape = stand->files.lessons[l]->tape;
        FollowCell root;
        arena_reset(stand->scratch);
        if (!find_root(tape, &root, stand->scratch))
            continue;
        Gradients *gradients = gradients_create(tape, root.node, NULL, 0, stand->scratch);
        assert_non_null(gradients);
        gradients_of_cell(gradients, root.row, root.col);
        size_t edited = 0;
        for (size_t i = 0; i < root.node && edited < EDITS_MOST; i++) {
            const double *gradient = gradients_get(gradients, i);
            if (gradient && !tape_node(tape, i)->quiet)
                edited += check_influence(tape, root, gradient, i);
        }
        assert_int_equal(tape_edit_count(tape), 0);
        lessons += edited > 0;
    }
    assert_true(lessons > 15);
}

/* ---- the way back ---- */

static void check_way(Stand *stand, const Lesson *lesson, FollowCell from) {
    FollowCell way[WAY_MOST] = {from};
    size_t count = 1;
    arena_reset(stand->scratch);
    while (follow_strongest(lesson->tape, way[count - 1], &way[count], stand->scratch)) {
        const Tensor *tensor = &tape_node(lesson->tape, way[count].node)->output;
        assert_true(way[count].node < way[count - 1].node);
        assert_true(way[count].row < tensor->rows && way[count].col < tensor->cols);
        count++;
        assert_true(count < WAY_MOST);
        arena_reset(stand->scratch);
    }
    const char *word;
    FollowEnd end = follow_end(lesson, way, count, &word, stand->scratch);
    FollowCell last = way[count - 1];
    const TapeNode *at = tape_node(lesson->tape, last.node);
    assert_true(end != FOLLOW_CONTINUES);
    assert_int_equal(end == FOLLOW_WORD, word != NULL);
    if (at->operation == OPERATION_GIVEN)
        return;
    if (end != FOLLOW_CONSTANT && end != FOLLOW_MASK && end != FOLLOW_POSITION)
        fail_msg("%s: a way ends at %s, which is computed", lesson->id, at->name);
}

static void test_every_way_ends_at_what_is_not_computed(void **state) {
    Stand *stand = *state;
    for (size_t l = 0; l < stand->files.count; l++) {
        const Lesson *lesson = stand->files.lessons[l];
        for (size_t i = 0; i < tape_count(lesson->tape); i++) {
            if (!is_looked_at(stand, l, i))
                continue;
            const Tensor *tensor = &tape_node(lesson->tape, i)->output;
            size_t stride = stride_of(tensor, OUTPUTS_MOST / 2);
            for (size_t c = 0; c < tensor_cells(tensor); c += stride)
                check_way(stand, lesson,
                          (FollowCell){i, c / tensor->cols, c % tensor->cols});
        }
    }
}

static const char small_lesson[] = "title: x\n"
                                   "tokens: [you, win]\n"
                                   "given:\n"
                                   "  ids: [0, 1]\n"
                                   "  E: [[2, 1], [0.5, -3]]\n"
                                   "  X: [[1, -5], [-2, 4]]\n"
                                   "  W: [[10, 1], [1, 20]]\n"
                                   "  b: [100, 100]\n"
                                   "  gamma: [1, 1]\n"
                                   "  M: [[0, -inf], [0, 0]]\n"
                                   "steps:\n"
                                   "  - do: F = embed(E, ids)\n"
                                   "  - do: Y = F @ W\n"
                                   "  - do: D = X - Y\n"
                                   "  - do: S = X @ Y.T\n"
                                   "  - do: P = softmax(X)\n"
                                   "  - do: N = layer_norm(X, gamma, b)\n"
                                   "  - do: R = relu(X)\n"
                                   "  - do: G = max(X)\n"
                                   "  - do: I = argmax(X)\n"
                                   "  - do: H = S + M\n"
                                   "  - do: Z = X / 4\n"
                                   "  - do: T = X * 7\n"
                                   "  - do: C = causal_mask(2)\n"
                                   "  - do: Q = positional_encoding(2, 2)\n"
                                   "  - do: O = one_hot(ids, 2)\n";

/* Follows a cell by its name and place to another. */
typedef struct Leg {
    const char *from;
    size_t row, col;
    const char *to; /* NULL: it ends there */
    size_t to_row, to_col;
} Leg;

static void test_the_strongest_part_is_followed(void **state) {
    Stand *stand = *state;
    static const Leg legs[] = {
        {"F", 0, 1, "E", 0, 1}, /* a lookup: the table's cell */
        {"Y", 1, 1, "F", 1, 1}, /* 0.5 · 1 + (−3) · 20: the larger, not the weight */
        {"Y", 0, 0, "F", 0, 0}, /* 2 · 10 + 1 · 1 */
        {"D", 0, 1, "Y", 0, 1}, /* −5 − 22: the subtracted */
        {"D", 1, 0, "X", 1, 0}, /* −2 − 2: equal magnitudes, the first */
        {"S", 0, 0, "Y", 0, 1}, /* through Y.T; computed rather than given */
        {"P", 0, 1, "X", 0, 1}, /* its own score, though far from the largest */
        {"N", 1, 0, "X", 1, 0}, /* its own, whatever mean and bias */
        {"R", 0, 1, "X", 0, 1}, /* a zero is made of the negative number */
        {"R", 0, 0, "X", 0, 0},   {"G", 0, 0, "X", 0, 0},  {"I", 1, 0, "X", 1, 1},
        {"H", 0, 1, "M", 0, 1}, /* −∞ is larger than any score */
        {"H", 1, 0, "S", 1, 0},   {"Z", 1, 1, "X", 1, 1},  {"T", 0, 0, "X", 0, 0},
        {"O", 0, 0, "ids", 0, 0}, /* a 0 is there because of the ID */
        {"C", 0, 1, NULL, 0, 0},  {"Q", 1, 1, NULL, 0, 0}, {"W", 0, 0, NULL, 0, 0},
    };
    ErrorList errors = {0};
    Lesson *lesson =
        lesson_parse("x.yaml", small_lesson, strlen(small_lesson), NULL, &errors);
    error_list_print(&errors, stderr);
    assert_non_null(lesson);
    for (size_t i = 0; i < COUNT(legs); i++) {
        const Leg *leg = &legs[i];
        FollowCell from = {tape_find(lesson->tape, leg->from), leg->row, leg->col}, to;
        arena_reset(stand->scratch);
        bool goes = follow_strongest(lesson->tape, from, &to, stand->scratch);
        if (goes != (leg->to != NULL))
            fail_msg("%s [%zu, %zu]", leg->from, leg->row, leg->col);
        if (!goes)
            continue;
        if (strcmp(tape_node(lesson->tape, to.node)->name, leg->to) != 0 ||
            to.row != leg->to_row || to.col != leg->to_col)
            fail_msg("%s [%zu, %zu] leads to %s [%zu, %zu]", leg->from, leg->row,
                     leg->col, tape_node(lesson->tape, to.node)->name, to.row, to.col);
    }
    lesson_destroy(lesson);
}

/* Returns how the path back from a cell ends. */
static FollowEnd end_from(Stand *stand, const Lesson *lesson, FollowCell from,
                          const char **word) {
    FollowCell way[WAY_MOST] = {from};
    size_t count = 1;
    arena_reset(stand->scratch);
    while (count < WAY_MOST &&
           follow_strongest(lesson->tape, way[count - 1], &way[count], stand->scratch))
        count++;
    return follow_end(lesson, way, count, word, stand->scratch);
}

static void test_a_way_says_what_it_ends_at(void **state) {
    Stand *stand = *state;
    static const struct {
        const char *from;
        size_t row, col;
        FollowEnd end;
        const char *word;
    } ways[] = {
        {"F", 1, 0, FOLLOW_WORD, "win"},      {"Y", 0, 0, FOLLOW_WORD, "you"},
        {"ids", 0, 0, FOLLOW_WORD, "you"},    {"E", 0, 0, FOLLOW_WEIGHT, NULL},
        {"gamma", 0, 0, FOLLOW_WEIGHT, NULL}, {"X", 0, 0, FOLLOW_GIVEN, NULL},
        {"P", 0, 1, FOLLOW_GIVEN, NULL},      {"H", 0, 1, FOLLOW_MASK, NULL},
        {"C", 0, 1, FOLLOW_MASK, NULL},       {"Q", 0, 1, FOLLOW_POSITION, NULL},
    };
    ErrorList errors = {0};
    Lesson *lesson =
        lesson_parse("x.yaml", small_lesson, strlen(small_lesson), NULL, &errors);
    assert_non_null(lesson);
    const char *word;
    for (size_t i = 0; i < COUNT(ways); i++) {
        FollowCell from = {tape_find(lesson->tape, ways[i].from), ways[i].row,
                           ways[i].col};
        FollowEnd end = end_from(stand, lesson, from, &word);
        if (end != ways[i].end)
            fail_msg("%s [%zu, %zu] ends at: %s", ways[i].from, ways[i].row, ways[i].col,
                     follow_end_name(end));
        if (ways[i].word)
            assert_string_equal(word, ways[i].word);
    }
    FollowCell set = {tape_find(lesson->tape, "Y"), 0, 0};
    assert_true(tape_edit(lesson->tape, set.node, 0, 0, 3));
    assert_int_equal(end_from(stand, lesson, set, &word), FOLLOW_EDITED);
    lesson_destroy(lesson);
}

static void test_the_influence_on_a_gradient_is_not_told(void **state) {
    Stand *stand = *state;
    static const char text[] = "title: x\n"
                               "given: {W: [[2]]}\n"
                               "steps:\n"
                               "  - do: L = W * W * W\n"
                               "  - do: G = gradient(L, W)\n"
                               "  - do: F = G * 2\n";
    ErrorList errors = {0};
    Lesson *lesson = lesson_parse("x.yaml", text, strlen(text), NULL, &errors);
    error_list_print(&errors, stderr);
    assert_non_null(lesson);
    arena_reset(stand->scratch);
    const Tape *tape = lesson->tape;
    assert_false(follow_meets_gradient(tape, tape_find(tape, "L"), stand->scratch));
    assert_true(follow_meets_gradient(tape, tape_find(tape, "G"), stand->scratch));
    assert_true(follow_meets_gradient(tape, tape_find(tape, "F"), stand->scratch));
    lesson_destroy(lesson);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_explanation_recombines_to_its_cell),
        cmocka_unit_test(test_moving_an_input_changes_just_what_explanations_say),
        cmocka_unit_test(test_influence_is_what_an_edit_does),
        cmocka_unit_test(test_every_way_ends_at_what_is_not_computed),
        cmocka_unit_test(test_the_strongest_part_is_followed),
        cmocka_unit_test(test_a_way_says_what_it_ends_at),
        cmocka_unit_test(test_the_influence_on_a_gradient_is_not_told),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
