/* Traits in the operations' rows, checked against the operations' results in PyTorch's
 * cases, so that a wrong trait in a new row is reported. */
#include "base/error.h"
#include "close.h"
#include "operation_rows.h"
#include "reference.h"
#include "tensor/operations/operation.h"
#include "tensor/terms/term.h"

#include <string.h>

static Reference reference;

static int load(void **state) {
    assert_full_rows();
    reference = reference_load();
    return 0;
}

static int unload(void **state) {
    if (reference.arena)
        reference_free(&reference);
    return 0;
}

/* Properties found in all cases of an operation. */
typedef struct Shown {
    const ReferenceCase *item; /* present case */
    size_t row, col;           /* cell of the present case's output */
    double value;
    bool copies;        /* an input cell of the output cell has its value */
    size_t cells, made; /* number of output cells, and of those computed from any cell */
    bool elsewhere, other_row; /* an output cell is computed from a cell at another
                                  position; from another row of the first input */
    bool no_copy; /* an output cell is no copy of any cell it is computed from */
    bool beyond_shares, no_place; /* a value is outside 0 to 1; a value is no index */
    bool no_mask, no_mark,
        keeps_shape; /* a value is neither 0 nor −∞; a value is neither of these nor 1; an
                        input has the output's shape */
} Shown;

static void see_cell(void *context, const Term *cell) {
    Shown *shown = context;
    const Tensor *input = &shown->item->inputs[cell->input];
    bool row = cell->row == shown->row || input->rows == 1;
    bool col = cell->col == shown->col || input->cols == 1;
    shown->elsewhere |= !row || !col;
    shown->other_row |= cell->input == 0 && cell->row != shown->row && input->rows > 1;
    shown->copies |= tensor_at(input, cell->row, cell->col) == shown->value;
    shown->made++;
}

static void see_value(Shown *shown) {
    double value = shown->value;
    bool masked = value == -INFINITY;
    shown->cells++;
    shown->no_copy |= !shown->copies && !masked;
    shown->beyond_shares |= !(value >= 0 && value <= 1);
    shown->no_place |= value != floor(value) || value < 0;
    shown->no_mask |= value != 0 && !masked;
    shown->no_mark |= value != 0 && value != 1 && !masked;
}

static void see_case(Shown *shown, const ReferenceCase *item, Arena *arena) {
    OperationCall call = reference_call(item);
    const Tensor *out = &item->output;
    bool fits = false;
    for (size_t i = 0; i < item->input_count; i++)
        fits |= item->inputs[i].rows == out->rows && item->inputs[i].cols == out->cols;
    shown->keeps_shape |= fits;
    shown->item = item;
    for (size_t i = 0; i < tensor_cells(out); i++) {
        shown->row = i / out->cols;
        shown->col = i % out->cols;
        shown->value = out->values[i];
        shown->copies = false;
        arena_reset(arena);
        const Term *term =
            operation_of(item->kind)->explain(&call, out, shown->row, shown->col, arena);
        term_visit_cells(term, see_cell, shown);
        if (!isnan(shown->value))
            see_value(shown);
    }
}

static Shown see(OperationKind kind, Arena *arena) {
    Shown shown = {0};
    for (size_t i = 0; i < reference.count; i++) {
        if (reference.cases[i].kind == kind)
            see_case(&shown, &reference.cases[i], arena);
    }
    return shown;
}

static bool works_so(const Shown *shown, OperationWork work) {
    switch (work) {
    case OPERATION_WORK_UNSAID:
        return false;
    case OPERATION_WORK_BY_ITSELF:
        return !shown->made;
    case OPERATION_WORK_BY_CELL:
        return shown->made && !shown->elsewhere;
    case OPERATION_WORK_BY_ROW:
        return shown->elsewhere && !shown->other_row;
    case OPERATION_WORK_BY_MOVING:
        return shown->elsewhere && !shown->no_copy;
    case OPERATION_WORK_BY_MARKING:
        return !shown->no_mark;
    }
    return false;
}

static bool has_such_values(const Shown *shown, OperationValues values) {
    switch (values) {
    case OPERATION_VALUES_SIGNED:
        return shown->beyond_shares;
    case OPERATION_VALUES_PROBABILITIES:
        return !shown->beyond_shares;
    case OPERATION_VALUES_POSITIONS:
        return !shown->no_place;
    case OPERATION_VALUES_MASK:
        return !shown->no_mask;
    case OPERATION_VALUES_CUT:
    case OPERATION_VALUES_OF_INPUT:
        return !shown->no_copy;
    }
    return false;
}

static void test_rows_say_truly_how_cells_come_to_be_and_what_they_are(void **state) {
    Arena *arena = arena_create((size_t)16 << 20);
    for (OperationKind kind = OPERATION_GIVEN + 1; kind < OPERATION_BACKWARD; kind++) {
        const Operation *operation = operation_of(kind);
        Shown shown = see(kind, arena);
        if (!works_so(&shown, operation->work))
            fail_msg(
                "%s: `work` is not what its cases in tests/reference/kernels.py show",
                operation->name);
        if (!has_such_values(&shown, operation->values))
            fail_msg("%s: `values` are not what its cases show", operation->name);
        if (operation->mutable && !shown.keeps_shape)
            fail_msg("%s: it is `mutable`, but nothing could stand in for it",
                     operation->name);
        if (operation->work == OPERATION_WORK_BY_CELL && !operation->mutable)
            fail_msg("%s: it changes each cell by itself, and could be `mutable`",
                     operation->name);
    }
    arena_destroy(arena);
}

static double made_of(const Operation *operation, double x) {
    double y = 0;
    const Tensor in = {.rows = 1, .cols = 1, .values = &x};
    const Tensor *const inputs[] = {&in};
    Tensor out = {.rows = 1, .cols = 1, .values = &y};
    operation->forward(&(OperationCall){.inputs = inputs, .count = 1}, &out);
    return y;
}

static void test_rows_say_which_operations_bend(void **state) {
    for (OperationKind kind = OPERATION_GIVEN + 1; kind < OPERATION_COUNT; kind++) {
        const Operation *operation = operation_of(kind);
        bool bends = operation->work == OPERATION_WORK_BY_CELL &&
                     operation->inputs.most == 1 &&
                     fabs(made_of(operation, -40)) < 1e-9 &&
                     fabs(made_of(operation, 40) - 40) < 1e-9;
        if (operation->bends != bends)
            fail_msg("%s: `bends` is not what it does", operation->name);
    }
}

static void test_no_two_operations_have_one_symbol(void **state) {
    for (OperationKind kind = 0; kind < OPERATION_COUNT; kind++) {
        const Operation *one = operation_of(kind);
        for (OperationKind i = 0; one->symbol && i < kind; i++) {
            const Operation *other = operation_of(i);
            if (other->symbol && strcmp(other->symbol, one->symbol) == 0)
                fail_msg("%s has the symbol of %s, %s", one->name, other->name,
                         one->symbol);
        }
    }
}

/* Half an ID is none. */
static bool refuses_half(const ReferenceCase *item, size_t input) {
    OperationCall call = reference_call(item);
    double *cell = &item->inputs[input].values[0], kept = *cell;
    Error error;
    *cell = 0.5;
    bool refuses = operation_of(item->kind)->accepts &&
                   !operation_of(item->kind)->accepts(&call, &error);
    *cell = kept;
    return refuses;
}

static void test_rows_say_which_input_is_a_list_of_ids(void **state) {
    for (size_t i = 0; i < reference.count; i++) {
        const ReferenceCase *item = &reference.cases[i];
        const Operation *operation = operation_of(item->kind);
        for (size_t j = 0; j < item->input_count && item->kind != OPERATION_BACKWARD;
             j++) {
            if (refuses_half(item, j) && operation->ids != j + 1)
                fail_msg("%s: `ids` are not of the input that refuses half an ID",
                         operation->name);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_say_truly_how_cells_come_to_be_and_what_they_are),
        cmocka_unit_test(test_rows_say_which_operations_bend),
        cmocka_unit_test(test_no_two_operations_have_one_symbol),
        cmocka_unit_test(test_rows_say_which_input_is_a_list_of_ids),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
