#include "base/error.h"
#include "close.h"
#include "contains.h"
#include "operation_rows.h"
#include "reference.h"
#include "tensor/operations/operation.h"
#include "tensor/terms/term.h"
#include "term_value.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static Reference reference;

static int load(void **state) {
    assert_full_rows();
    reference = reference_load();
    return 0;
}

static int unload(void **state) {
    if (reference.arena) /* loading went well */
        reference_free(&reference);
    return 0;
}

/* Returns true if two results are equal: bit for bit, or both NaN. */
static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

/* Like assert_close for one cell, with a tolerance that grows with the number. */
static void assert_cell_close(const ReferenceCase *item, const char *what, size_t row,
                              size_t col, double actual, double expected) {
    double tolerance = 1e-9 * fmax(1, fabs(expected));
    if (!same(actual, expected) && !(fabs(actual - expected) <= tolerance))
        fail_msg("%s: %s of cell [%zu,%zu] is %.17g, not %.17g", item->name, what, row,
                 col, actual, expected);
}

/* A tensor of the case's output shape with nothing computed yet. */
static Tensor make_output(const ReferenceCase *item, const OperationCall *call) {
    Tensor out = {0};
    Error error = {0};
    if (!operation_shape(call, &out, &error))
        fail_msg("%s: %s", item->name, error.message);
    assert_int_equal(out.rows, item->output.rows);
    assert_int_equal(out.cols, item->output.cols);
    out.values = malloc(tensor_cells(&out) * sizeof *out.values);
    for (size_t i = 0; i < tensor_cells(&out); i++)
        out.values[i] = NAN; /* a cell left out shows */
    return out;
}

static void test_every_operation_has_reference_cases(void **state) {
    for (size_t kind = OPERATION_GIVEN + 1; kind < OPERATION_COUNT; kind++) {
        size_t cases = 0;
        for (size_t i = 0; i < reference.count; i++)
            cases += reference.cases[i].kind == kind;
        if (cases < 3)
            fail_msg(
                "%s has %zu cases; add some to tests/reference/kernels.py, so that it "
                "has at least 3",
                operation_of((OperationKind)kind)->name, cases);
    }
}

static void test_forward_agrees_with_pytorch(void **state) {
    for (size_t i = 0; i < reference.count; i++) {
        const ReferenceCase *item = &reference.cases[i];
        const Operation *operation = operation_of(item->kind);
        OperationCall call = reference_call(item);
        Tensor out = make_output(item, &call);
        Error error = {0};
        if (operation->accepts && !operation->accepts(&call, &error))
            fail_msg("%s: %s", item->name, error.message);
        operation->forward(&call, &out);
        assert_close(out.values, item->output.values, tensor_cells(&out), 1e-12);
        free(out.values);
    }
}

static void test_explanations_arrive_at_the_cells_value(void **state) {
    Arena *arena = arena_create((size_t)16 << 20);
    for (size_t i = 0; i < reference.count; i++) {
        const ReferenceCase *item = &reference.cases[i];
        OperationCall call = reference_call(item);
        const Tensor *out = &item->output;
        for (size_t cell = 0; cell < tensor_cells(out); cell++) {
            size_t row = cell / out->cols, col = cell % out->cols;
            arena_reset(arena);
            const Term *term =
                operation_of(item->kind)->explain(&call, out, row, col, arena);
            assert_non_null(term);
            double expected = out->values[cell];
            assert_cell_close(item, "the term's value", row, col, term->value, expected);
            assert_cell_close(item, "the term worked out again", row, col,
                              term_evaluate(term, call.inputs), expected);
        }
    }
    arena_destroy(arena);
}

/* ---- a property: a cell depends on the cells that its explanation names ---- */

/* Marks the cells that a term names: named[input][cell]. */
typedef struct Named {
    const ReferenceCase *item;
    bool *cells[REFERENCE_MAX_INPUTS];
} Named;

static void mark(void *context, const Term *cell) {
    Named *named = context;
    assert_true(cell->input < named->item->input_count);
    const Tensor *input = &named->item->inputs[cell->input];
    assert_true(cell->row < input->rows && cell->col < input->cols);
    named->cells[cell->input][cell->row * input->cols + cell->col] = true;
}

typedef struct Property {
    const ReferenceCase *item;
    Tensor changed_input, before, after;
    const Term **terms; /* one for each output cell */
    Named *named;       /* likewise */
    Arena *arena;
} Property;

static Property begin_property(const ReferenceCase *item) {
    OperationCall call = reference_call(item);
    Property p = {.item = item, .arena = arena_create((size_t)256 << 20)};
    p.before = make_output(item, &call);
    p.after = make_output(item, &call);
    size_t cells = tensor_cells(&p.before);
    operation_of(item->kind)->forward(&call, &p.before);
    p.terms = arena_alloc(p.arena, cells, sizeof *p.terms);
    p.named = arena_alloc(p.arena, cells, sizeof *p.named);
    for (size_t cell = 0; cell < cells; cell++) {
        p.terms[cell] = operation_of(item->kind)
                            ->explain(&call, &p.before, cell / p.before.cols,
                                      cell % p.before.cols, p.arena);
        assert_non_null(p.terms[cell]);
        p.named[cell].item = item;
        for (size_t i = 0; i < item->input_count; i++)
            p.named[cell].cells[i] =
                arena_alloc(p.arena, tensor_cells(&item->inputs[i]), sizeof(bool));
        term_visit_cells(p.terms[cell], mark, &p.named[cell]);
    }
    return p;
}

static void end_property(Property *p) {
    free(p->before.values);
    free(p->after.values);
    arena_destroy(p->arena);
}

/* Changes one input cell by `step`, computes all again, and compares every output cell
 * with what its explanation foretells. */
static void check_change(Property *p, size_t input, size_t cell, double step) {
    const ReferenceCase *item = p->item;
    Tensor changed = item->inputs[input];
    const Tensor *inputs[REFERENCE_MAX_INPUTS];
    memcpy(inputs, item->input_pointers, sizeof inputs);
    inputs[input] = &changed;
    double *copy = malloc(tensor_cells(&changed) * sizeof *copy);
    memcpy(copy, changed.values, tensor_cells(&changed) * sizeof *copy);
    copy[cell] += step;
    changed.values = copy;

    OperationCall call = {inputs, item->input_count, item->options, item->kind};
    operation_of(item->kind)->forward(&call, &p->after);
    /* values are no longer tied, so the explained order has changed */
    if (item->kind == OPERATION_TOP_P && strstr(item->name, "ties")) {
        free(copy);
        return;
    }
    /* Another ID chooses another row, which the explanation of before doesn't name. */
    bool chooses =
        (item->kind == OPERATION_EMBED || item->kind == OPERATION_CROSS_ENTROPY) &&
        input == 1;
    for (size_t i = 0; i < tensor_cells(&p->after); i++) {
        bool named = p->named[i].cells[input][cell];
        if (!named && !same(p->before.values[i], p->after.values[i]))
            fail_msg("%s: cell %zu of input %zu changes cell %zu, which doesn't name it",
                     item->name, cell, input, i);
        if (named && !chooses)
            assert_cell_close(item, "what the term foretells", i / p->after.cols,
                              i % p->after.cols, term_evaluate(p->terms[i], inputs),
                              p->after.values[i]);
    }
    free(copy);
}

static void test_a_cell_depends_on_just_the_cells_its_explanation_names(void **state) {
    size_t checked = 0;
    for (size_t i = 0; i < reference.count; i++) {
        Property p = begin_property(&reference.cases[i]);
        for (size_t input = 0; input < p.item->input_count; input++) {
            size_t cells = tensor_cells(&p.item->inputs[input]);
            /* Of large products some cells do: 7 shares no factor with their sizes. */
            size_t stride = cells > 200 ? 7 : 1;
            for (size_t cell = 0; cell < cells; cell += stride) {
                check_change(&p, input, cell, 1e-3);
                check_change(&p, input, cell, -1e-3);
                checked++;
            }
        }
        end_property(&p);
    }
    assert_true(checked > 1000);
}

/* The other way round, where every named cell has a slope: none is named in vain. */
static void test_explanations_of_smooth_operations_name_no_cell_in_vain(void **state) {
    const OperationKind smooth[] = {
        OPERATION_ADD,   OPERATION_SUBTRACT, OPERATION_NEGATE, OPERATION_TRANSPOSE,
        OPERATION_SLICE, OPERATION_CONCAT,   OPERATION_SUM,    OPERATION_MEAN,
    };
    for (size_t i = 0; i < reference.count; i++) {
        const ReferenceCase *item = &reference.cases[i];
        bool is_smooth = false;
        for (size_t s = 0; s < COUNT(smooth); s++)
            is_smooth |= item->kind == smooth[s];
        if (!is_smooth)
            continue;
        Property p = begin_property(item);
        for (size_t input = 0; input < item->input_count; input++) {
            for (size_t cell = 0; cell < tensor_cells(&item->inputs[input]); cell++) {
                double value = item->inputs[input].values[cell];
                if (!(fabs(value) < 1e6)) /* adding 1 would be lost in rounding */
                    continue;
                check_change(&p, input, cell, 1);
                for (size_t out = 0; out < tensor_cells(&p.after); out++) {
                    if (p.named[out].cells[input][cell] && isfinite(p.before.values[out]))
                        assert_false(same(p.before.values[out], p.after.values[out]));
                }
            }
        }
        end_property(&p);
    }
}

/* ---- the table ---- */

static void test_every_operation_has_a_name_of_its_own_and_a_full_row(void **state) {
    assert_full_rows();
    for (size_t i = 0; i < OPERATION_COUNT; i++) {
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(operation_of((OperationKind)i)->name,
                                    operation_of((OperationKind)j)->name);
    }
}

/* Operations that are computed cell by cell must have the functions for drawing and
 * derivatives in their row, too. */
static void test_operations_by_cell_say_what_their_pictures_need(void **state) {
    for (size_t i = 0; i < OPERATION_COUNT; i++) {
        const Operation *operation = operation_of((OperationKind)i);
        if (operation->work != OPERATION_WORK_BY_CELL)
            continue;
        demand(operation, "backward, as it works by cell", operation->backward);
        demand(operation, "#1 in its formula", strstr(operation->formula, "#1"));
        if (operation->inputs.most == 2)
            demand(operation, "symbol, the sign between its inputs", operation->symbol);
    }
}

/* A call's numbers are named in its arguments, behind the tensors. */
static void test_calls_name_their_numbers(void **state) {
    for (size_t i = 0; i < OPERATION_COUNT; i++) {
        const Operation *operation = operation_of((OperationKind)i);
        for (size_t j = 0; j < OPERATION_ARGUMENTS_MAX; j++) {
            const char *name = operation->numbers[j].name;
            demand(operation, "arguments that name its numbers",
                   !name || (operation->arguments && strstr(operation->arguments, name)));
        }
        if (operation->ids)
            assert_in_range(operation->ids, 1, operation->inputs.most);
    }
}

static void test_reference_cases_have_as_many_inputs_as_the_table_says(void **state) {
    for (size_t i = 0; i < reference.count; i++) {
        const ReferenceCase *item = &reference.cases[i];
        const Operation *operation = operation_of(item->kind);
        assert_in_range(item->input_count, operation->inputs.least,
                        operation->inputs.most);
    }
}

/* ---- shapes and values that don't fit ---- */

static double zeros[64];

static Tensor tensor(size_t rows, size_t cols) {
    return (Tensor){.rows = rows, .cols = cols, .values = zeros};
}

/* Expects ERROR_SHAPE, with all of `words` (up to two) in its sentence. */
static void refuse_shape(OperationKind kind, size_t count, const Tensor *tensors,
                         OperationOptions options, const char *word,
                         const char *another) {
    const Tensor *inputs[4];
    for (size_t i = 0; i < count; i++)
        inputs[i] = &tensors[i];
    OperationCall call = {inputs, count, options, kind};
    Tensor out = {0};
    Error error = {0};
    assert_false(operation_shape(&call, &out, &error));
    assert_int_equal(error.code, ERROR_SHAPE);
    if (!strstr(error.message, word) || !strstr(error.message, another))
        fail_msg("'%s' doesn't say %s and %s", error.message, word, another);
}

static void test_shapes_that_disagree_are_refused_by_name(void **state) {
    const OperationKind elementwise[] = {OPERATION_ADD, OPERATION_SUBTRACT,
                                         OPERATION_MULTIPLY, OPERATION_DIVIDE};
    OperationOptions none = {0};
    for (size_t i = 0; i < COUNT(elementwise); i++) {
        refuse_shape(elementwise[i], 2, (Tensor[]){tensor(3, 2), tensor(2, 3)}, none,
                     "[3,2]", "[2,3]");
        refuse_shape(elementwise[i], 2, (Tensor[]){tensor(3, 2), tensor(3, 4)}, none,
                     "[3,2]", "[3,4]");
        refuse_shape(elementwise[i], 2, (Tensor[]){tensor(1, 2), tensor(1, 3)}, none,
                     "[1,2]", "[1,3]");
    }
    refuse_shape(OPERATION_MATMUL, 2, (Tensor[]){tensor(3, 2), tensor(3, 2)}, none,
                 "[3,2]", ".T");
    refuse_shape(OPERATION_MATMUL, 2, (Tensor[]){tensor(3, 2), tensor(4, 5)}, none,
                 "[3,2]", "[4,5]");
    refuse_shape(OPERATION_CONCAT, 3,
                 (Tensor[]){tensor(3, 2), tensor(3, 1), tensor(2, 2)}, none, "[3,2]",
                 "[2,2]");
    refuse_shape(OPERATION_EMBED, 2, (Tensor[]){tensor(4, 2), tensor(2, 2)}, none,
                 "[2,2]", "IDs");
    refuse_shape(OPERATION_ONE_HOT, 1, (Tensor[]){tensor(2, 3)},
                 (OperationOptions){.cols = 4}, "[2,3]", "IDs");
    refuse_shape(OPERATION_PADDING_MASK, 1, (Tensor[]){tensor(2, 3)}, none, "[2,3]",
                 "IDs");
    refuse_shape(OPERATION_LAYER_NORM, 2, (Tensor[]){tensor(2, 3), tensor(1, 3)}, none,
                 "gamma", "beta");
    refuse_shape(OPERATION_LAYER_NORM, 3,
                 (Tensor[]){tensor(2, 3), tensor(3, 1), tensor(1, 3)}, none, "gamma",
                 "[3,1]");
    refuse_shape(OPERATION_LAYER_NORM, 3,
                 (Tensor[]){tensor(2, 3), tensor(1, 3), tensor(1, 2)}, none, "beta",
                 "[1,2]");
    refuse_shape(OPERATION_RMS_NORM, 2, (Tensor[]){tensor(2, 3), tensor(1, 2)}, none,
                 "gamma", "[1,2]");
}

static void test_slices_outside_the_tensor_are_refused(void **state) {
    const struct {
        OperationOptions options;
        const char *word;
    } cases[] = {
        {{.row_begin = 0, .row_end = 4, .col_begin = 0, .col_end = 2}, "rows 0:4"},
        {{.row_begin = 2, .row_end = 2, .col_begin = 0, .col_end = 2}, "rows 2:2"},
        {{.row_begin = 2, .row_end = 1, .col_begin = 0, .col_end = 2}, "rows 2:1"},
        {{.row_begin = 0, .row_end = 3, .col_begin = 1, .col_end = 3}, "columns 1:3"},
        {{.row_begin = 0, .row_end = 3, .col_begin = 2, .col_end = 2}, "columns 2:2"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        refuse_shape(OPERATION_SLICE, 1, (Tensor[]){tensor(3, 2)}, cases[i].options,
                     cases[i].word, "[3,2]");
}

static void test_ids_that_name_no_row_are_refused_and_survived(void **state) {
    double table_values[] = {1, 2, 3, 4, 5, 6};
    Tensor table = {.rows = 3, .cols = 2, .values = table_values};
    const double bad[] = {3, -1, 0.5, NAN, INFINITY, 1e300};
    Arena *arena = arena_create(1 << 20);
    for (size_t i = 0; i < COUNT(bad); i++) {
        double id_values[] = {1, bad[i]};
        Tensor ids = {.rows = 1, .cols = 2, .values = id_values};
        const Tensor *embed_inputs[] = {&table, &ids}, *one_hot_inputs[] = {&ids};
        OperationCall embed = {embed_inputs, 2, {0}, OPERATION_EMBED};
        OperationCall one_hot = {one_hot_inputs, 1, {.cols = 3}, OPERATION_ONE_HOT};
        Error error = {0};
        assert_false(operation_of(OPERATION_EMBED)->accepts(&embed, &error));
        assert_int_equal(error.code, ERROR_VALUE);
        assert_contains(error.message, "ID number 2");
        error = (Error){0};
        assert_false(operation_of(OPERATION_ONE_HOT)->accepts(&one_hot, &error));
        assert_int_equal(error.code, ERROR_VALUE);
        assert_contains(error.message, "ID number 2");

        double values[6];
        Tensor out = {.rows = 2, .cols = 2, .values = values};
        operation_of(OPERATION_EMBED)->forward(&embed, &out);
        const double found[] = {3, 4};
        assert_close(values, found, 2, 0);
        assert_true(isnan(values[2]) && isnan(values[3]));
        assert_true(isnan(
            operation_of(OPERATION_EMBED)->explain(&embed, &out, 1, 0, arena)->value));
        out.cols = 3;
        operation_of(OPERATION_ONE_HOT)->forward(&one_hot, &out);
    }
    arena_destroy(arena);
}

static void test_targets_that_are_no_column_are_refused_and_survived(void **state) {
    double logit_values[] = {1, 2, 3, 4, 5, 6};
    Tensor logits = {.rows = 2, .cols = 3, .values = logit_values};
    const double bad[] = {3, 0.5, NAN, INFINITY, 1e300, -2, -1.5, -0.5, -INFINITY};
    Arena *arena = arena_create(1 << 20);
    for (size_t i = 0; i < COUNT(bad); i++) {
        double target_values[] = {-1, bad[i]}, losses[2], back[6] = {0};
        Tensor targets = {.rows = 1, .cols = 2, .values = target_values};
        Tensor out = {.rows = 2, .cols = 1, .values = losses};
        const Tensor *inputs[] = {&logits, &targets};
        OperationCall call = {inputs, 2, {0}, OPERATION_CROSS_ENTROPY};
        const Operation *operation = operation_of(OPERATION_CROSS_ENTROPY);
        Error error = {0};
        assert_false(operation->accepts(&call, &error));
        assert_int_equal(error.code, ERROR_VALUE);
        assert_contains(error.message, "target number 2");
        operation->forward(&call, &out);
        assert_true(losses[0] == 0 && isnan(losses[1]));
        assert_true(isnan(operation->explain(&call, &out, 1, 0, arena)->value));
        operation->backward(&call, &out, (const double[]){1, 1},
                            (double *const[]){back, NULL});
        assert_close(back, (const double[6]){0}, 6, 0);
    }
    refuse_shape(OPERATION_CROSS_ENTROPY, 2, (Tensor[]){tensor(3, 2), tensor(1, 2)},
                 (OperationOptions){0}, "[3,2]", "2 targets");
    refuse_shape(OPERATION_CROSS_ENTROPY, 2, (Tensor[]){tensor(3, 2), tensor(3, 2)},
                 (OperationOptions){0}, "[3,2]", "list");
    refuse_shape(OPERATION_STACK, 2, (Tensor[]){tensor(3, 2), tensor(2, 3)},
                 (OperationOptions){0}, "[3,2]", "[2,3]");
    arena_destroy(arena);
}

static void test_choosing_survives_rows_without_an_order(void **state) {
    double x_values[] = {1, NAN, 2, 1, INFINITY, 2, -INFINITY, -INFINITY, -INFINITY};
    double values[9], back[9] = {0};
    const double ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    Tensor x = {.rows = 3, .cols = 3, .values = x_values}, out = x;
    out.values = values;
    const Tensor *inputs[] = {&x};
    OperationCall call = {inputs, 1, {.keep = 1}, OPERATION_TOP_K};
    operation_of(OPERATION_TOP_K)->forward(&call, &out);
    operation_of(OPERATION_TOP_K)->backward(&call, &out, ones, (double *const[]){back});
    assert_true(isnan(values[0]) && isnan(values[1]) && isnan(values[2]));
    const double kept[] = {-INFINITY, INFINITY,  -INFINITY,
                           -INFINITY, -INFINITY, -INFINITY};
    assert_close(values + 3, kept, 6, 0);
    assert_close(back, ((const double[]){0, 0, 0, 0, 1, 0, 1, 0, 0}), 9, 0);
    call.options = (OperationOptions){.share = 0.5};
    operation_of(OPERATION_TOP_P)->forward(&call, &out);
    for (size_t i = 0; i < 6; i++)
        assert_true(isnan(values[i]));
    assert_close(values + 6, kept + 3, 3, 0);
    Error error = {0};
    const double bad[] = {0, -1, 1.5, NAN};
    for (size_t i = 0; i < COUNT(bad); i++) {
        call.options.share = bad[i];
        assert_false(operation_of(OPERATION_TOP_P)->shape(&call, &out, &error));
        assert_int_equal(error.code, ERROR_VALUE);
    }
    assert_false(operation_of(OPERATION_TOP_K)->shape(&call, &out, &error));
    assert_int_equal(error.code, ERROR_VALUE);
}

/* ---- labels ---- */

static const char *const words[] = {"I", "am", "learning"};
static const char *const axes[] = {"x", "y"};

static void assert_labels(const char *const *actual, size_t count,
                          const char *const *expected) {
    if (!expected) {
        assert_null(actual);
        return;
    }
    assert_non_null(actual);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(actual[i], expected[i]);
}

/* Computes an operation's labels and compares them; NULL means none. */
static void check_labels(OperationKind kind, size_t count, const Tensor *tensors,
                         OperationOptions options, const char *const *row_labels,
                         const char *const *col_labels) {
    const Tensor *inputs[4];
    for (size_t i = 0; i < count; i++)
        inputs[i] = &tensors[i];
    OperationCall call = {inputs, count, options, kind};
    Arena *arena = arena_create(1 << 16);
    Tensor out = {0};
    assert_true(operation_shape(&call, &out, NULL));
    operation_label(&call, &out, arena);
    assert_labels(out.row_labels, out.rows, row_labels);
    assert_labels(out.col_labels, out.cols, col_labels);
    arena_destroy(arena);
}

static void test_labels_follow_the_rows_and_columns_they_name(void **state) {
    Tensor x = tensor(3, 2), w = tensor(2, 2), k = tensor(3, 2), row = tensor(1, 2);
    x.row_labels = k.row_labels = words;
    w.col_labels = row.col_labels = axes;
    OperationOptions none = {0};
    check_labels(OPERATION_MATMUL, 2, (Tensor[]){x, w}, none, words, axes);
    check_labels(OPERATION_TRANSPOSE, 1, (Tensor[]){k}, none, NULL, words);
    check_labels(OPERATION_ADD, 2, (Tensor[]){x, row}, none, words, axes);
    check_labels(OPERATION_ADD, 2, (Tensor[]){row, x}, none, words, axes);
    check_labels(OPERATION_SOFTMAX, 1, (Tensor[]){x}, none, words, NULL);
    check_labels(OPERATION_SUM, 1, (Tensor[]){x}, none, words, NULL);
    check_labels(OPERATION_ARGMAX, 1, (Tensor[]){x}, none, words, NULL);
    OperationOptions slice = {.row_begin = 1, .row_end = 3, .col_begin = 0, .col_end = 1};
    check_labels(OPERATION_SLICE, 1, (Tensor[]){x}, slice, words + 1, NULL);
    const char *const both[] = {"x", "y", "x", "y"};
    Tensor left = tensor(3, 2), right = tensor(3, 2);
    left.row_labels = words;
    left.col_labels = right.col_labels = axes;
    check_labels(OPERATION_CONCAT, 2, (Tensor[]){left, right}, none, words, both);
    check_labels(OPERATION_CONCAT, 2, (Tensor[]){left, k}, none, words, NULL);
    const char *const twice[] = {"I", "am", "learning", "I", "am", "learning"};
    check_labels(OPERATION_STACK, 2, (Tensor[]){left, k}, none, twice, axes);
    check_labels(OPERATION_STACK, 2, (Tensor[]){left, right}, none, NULL, axes);
    check_labels(OPERATION_TOP_K, 1, (Tensor[]){left}, (OperationOptions){.keep = 1},
                 words, axes);
    check_labels(OPERATION_CROSS_ENTROPY, 2, (Tensor[]){left, tensor(1, 3)}, none, words,
                 NULL);
    OperationOptions back = {.operation = OPERATION_TRANSPOSE};
    check_labels(OPERATION_BACKWARD, 3, (Tensor[]){left, tensor(2, 3), tensor(2, 3)},
                 back, words, axes);
}

static void test_labels_of_lookups_are_the_tokens(void **state) {
    Tensor table = tensor(3, 2), ids = tensor(1, 2), column = tensor(2, 1);
    double id_values[] = {2, 0};
    ids.values = column.values = id_values;
    table.row_labels = words;
    table.col_labels = axes;
    OperationOptions none = {0};
    const char *const found[] = {"learning", "I"}, *const own[] = {"here", "there"};
    check_labels(OPERATION_EMBED, 2, (Tensor[]){table, ids}, none, found, axes);
    check_labels(OPERATION_EMBED, 2, (Tensor[]){table, column}, none, found, axes);
    ids.col_labels = own;
    check_labels(OPERATION_EMBED, 2, (Tensor[]){table, ids}, none, own, axes);
    check_labels(OPERATION_ONE_HOT, 1, (Tensor[]){ids}, (OperationOptions){.cols = 3},
                 own, NULL);
    check_labels(OPERATION_PADDING_MASK, 1, (Tensor[]){ids}, none, NULL, own);
    column.row_labels = own;
    check_labels(OPERATION_PADDING_MASK, 1, (Tensor[]){column}, none, NULL, own);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_operation_has_reference_cases),
        cmocka_unit_test(test_forward_agrees_with_pytorch),
        cmocka_unit_test(test_explanations_arrive_at_the_cells_value),
        cmocka_unit_test(test_a_cell_depends_on_just_the_cells_its_explanation_names),
        cmocka_unit_test(test_explanations_of_smooth_operations_name_no_cell_in_vain),
        cmocka_unit_test(test_every_operation_has_a_name_of_its_own_and_a_full_row),
        cmocka_unit_test(test_operations_by_cell_say_what_their_pictures_need),
        cmocka_unit_test(test_calls_name_their_numbers),
        cmocka_unit_test(test_reference_cases_have_as_many_inputs_as_the_table_says),
        cmocka_unit_test(test_shapes_that_disagree_are_refused_by_name),
        cmocka_unit_test(test_slices_outside_the_tensor_are_refused),
        cmocka_unit_test(test_ids_that_name_no_row_are_refused_and_survived),
        cmocka_unit_test(test_targets_that_are_no_column_are_refused_and_survived),
        cmocka_unit_test(test_choosing_survives_rows_without_an_order),
        cmocka_unit_test(test_labels_follow_the_rows_and_columns_they_name),
        cmocka_unit_test(test_labels_of_lookups_are_the_tokens),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
