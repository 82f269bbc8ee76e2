#include "lesson/formula/formula.h"

#include "base/array.h"
#include "base/strings/utf8.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* ---- names ---- */

void names_add(Names *names, Name name) {
    names->indices.arena = names->arena;
    names->items = array_reserve(names->arena, names->items, names->count,
                                 &names->capacity, sizeof *names->items);
    table_add(&names->indices, name.name, strlen(name.name), names->count);
    names->items[names->count++] = name;
}

const Name *names_lookup(const Names *names, const char *name) {
    size_t place, whole = strcspn(name, ".");
    if (table_lookup(&names->indices, name, strlen(name), &place))
        return &names->items[place];
    bool within = name[whole] && table_lookup(&names->indices, name, whole, &place);
    return within && names->items[place].broken ? &names->items[place] : NULL;
}

const char *names_nearest(const Names *names, const char *name) {
    const char *known[NAMES_NEAREST_MAX];
    if (names->count > NAMES_NEAREST_MAX)
        return NULL;
    for (size_t i = 0; i < names->count; i++)
        known[i] = names->items[i].name;
    return error_nearest(name, known, names->count);
}

enum { HINT_SIZE = UTF8_SHORT_SIZE + 200 };

Evaluation evaluation_of(Arena *arena, Tape *tape, const Names *names,
                         const Statement *statement, Error *error) {
    *error = (Error){0};
    return (Evaluation){.arena = arena,
                        .tape = tape,
                        .names = names,
                        .statement = statement,
                        .error = error};
}

/* ---- errors ---- */

bool evaluate_fail(Evaluation *evaluation, const Expression *place, ErrorCode code,
                   const char *format, ...) {
    Error *error = evaluation->error;
    va_list arguments;
    va_start(arguments, format);
    error->code = code;
    error->line = 1;
    error->column = statement_column(evaluation->statement, place);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}

/* Gives an error of the tape's the position of an expression, and returns false; errors
 * of shape and value also mention `where`. */
static bool set_place(Evaluation *evaluation, const Expression *place,
                      const char *where) {
    Error *error = evaluation->error, inner = *error;
    if (inner.line || inner.code == ERROR_NONE)
        return false;
    if (inner.code == ERROR_SHAPE || inner.code == ERROR_VALUE)
        return evaluate_fail(evaluation, place, inner.code, "%s: %s", where,
                             inner.message);
    return evaluate_fail(evaluation, place, inner.code, "%s", inner.message);
}

/* An operand in messages: its source, and the notation of its transpose. */
typedef struct Operand {
    char source[UTF8_SHORT_SIZE], transpose[UTF8_SHORT_SIZE + 4];
    const Tensor *tensor;
    size_t node;
} Operand;

static Operand operand_of(const Evaluation *evaluation, const Expression *expression,
                          size_t node) {
    Operand operand = {.tensor = &tape_node(evaluation->tape, node)->output,
                       .node = node};
    utf8_shorten(operand.source, expression->source, expression->length);
    bool simple = expression->kind == EXPRESSION_NAME ||
                  expression->kind == EXPRESSION_CALL ||
                  expression->kind == EXPRESSION_SLICE;
    const Expression *inner =
        expression->kind == EXPRESSION_TRANSPOSE ? expression->parts[0] : NULL;
    if (inner)
        utf8_shorten(operand.transpose, inner->source, inner->length);
    else
        snprintf(operand.transpose, sizeof operand.transpose, simple ? "%s.T" : "(%s).T",
                 operand.source);
    return operand;
}

/* Finds the given tensor that determines the size of an axis, and which of its axes does;
 * NULL if there is none. */
static const Name *size_from(const Evaluation *evaluation, size_t node, bool *cols) {
    const TapeNode *at = tape_node(evaluation->tape, node);
    while (at->input_count) {
        const Tensor *first = &tape_node(evaluation->tape, at->inputs[0])->output;
        bool product = at->operation == OPERATION_MATMUL;
        bool is_transposed = at->operation == OPERATION_TRANSPOSE;
        bool kept = first->rows == at->output.rows && first->cols == at->output.cols;
        if (!product && !is_transposed && !kept)
            return NULL;
        node = at->inputs[product && *cols];
        *cols ^= is_transposed;
        at = tape_node(evaluation->tape, node);
    }
    for (size_t i = 0; i < evaluation->names->count; i++) {
        const Name *name = &evaluation->names->items[i];
        if (name->node == node && name->line && !name->broken)
            return name;
    }
    return NULL;
}

/* If one operand is transposed already, suggests the given tensors with the conflicting
 * sizes instead of another transpose. */
static bool suggest_given(const Evaluation *evaluation, const Operand *left,
                          const Operand *right, char hint[HINT_SIZE]) {
    static const char *const axes[] = {"rows", "columns"};
    bool a_cols = true, b_cols = false;
    const Name *a = size_from(evaluation, left->node, &a_cols);
    const Name *b = size_from(evaluation, right->node, &b_cols);
    bool is_transposed =
        tape_node(evaluation->tape, right->node)->operation == OPERATION_TRANSPOSE;
    if (is_transposed && a && b)
        snprintf(hint, HINT_SIZE,
                 "; %.40s (line %d) has %zu %s, %.40s (line %d) has %zu %s", a->name,
                 a->line, left->tensor->cols, axes[a_cols], b->name, b->line,
                 right->tensor->rows, axes[b_cols]);
    return is_transposed && a && b;
}

static bool matmul_misfit(Evaluation *evaluation, const Expression *expression,
                          const Operand *left, const Operand *right) {
    const Tensor *a = left->tensor, *b = right->tensor;
    char hint[HINT_SIZE] = "";
    bool told = suggest_given(evaluation, left, right, hint);
    if (!told && a->cols == b->cols)
        snprintf(hint, sizeof hint, "; write %s?", right->transpose);
    else if (!told && a->rows == b->rows)
        snprintf(hint, sizeof hint, "; write %s?", left->transpose);
    else if (!told && b->cols == a->rows)
        snprintf(hint, sizeof hint, "; the other way round they would fit");
    return evaluate_fail(
        evaluation, expression, ERROR_SHAPE,
        "%s [%zu,%zu] @ %s [%zu,%zu]: the left factor's %zu column%s %zu row%s on the "
        "right, but %s has %zu%s",
        left->source, a->rows, a->cols, right->source, b->rows, b->cols, a->cols,
        a->cols == 1 ? " needs" : "s need", a->cols, a->cols == 1 ? "" : "s",
        right->source, b->rows, hint);
}

static bool broadcast_misfit(Evaluation *evaluation, const Expression *expression,
                             const Operand *left, const Operand *right) {
    const Tensor *a = left->tensor, *b = right->tensor;
    char hint[HINT_SIZE] = "";
    bool is_transposed =
        (a->rows == b->cols || b->cols == 1) && (a->cols == b->rows || b->rows == 1);
    if (is_transposed)
        snprintf(hint, sizeof hint, "; write %s?", right->transpose);
    return evaluate_fail(
        evaluation, expression, ERROR_SHAPE,
        "%s [%zu,%zu] %s %s [%zu,%zu]: both need the same shape, or one of them is a row "
        "[1,%zu], a column [%zu,1] or a number%s",
        left->source, a->rows, a->cols, expression_sign(expression->kind), right->source,
        b->rows, b->cols, a->cols, a->rows, hint);
}

/* ---- numbers ---- */

/* Reports whether an operation is an elementwise function: exp, not softmax. */
static bool is_function(OperationKind kind) {
    const Operation *operation = operation_of(kind);
    return operation->work == OPERATION_WORK_BY_CELL && operation->inputs.most == 1;
}

static double value_of(OperationKind function, double x) {
    double value = 0;
    Tensor in = {.rows = 1, .cols = 1, .values = &x};
    Tensor out = {.rows = 1, .cols = 1, .values = &value};
    OperationCall call = {(const Tensor *const[]){&in}, 1, {0}, function};
    operation_of(function)->forward(&call, &out);
    return value;
}

/* Reports whether the expression consists of numbers only, and computes its value.
 * Division by zero gives infinity, as in NumPy. */
static bool fold(const Expression *expression, double *value) {
    double a = 0, b = 0;
    Call call = {0};
    if (expression->kind == EXPRESSION_NUMBER) {
        *value = expression->number;
        return true;
    }
    if (expression->kind == EXPRESSION_CALL) {
        if (!calls_lookup(&call, expression->name) || expression->count != 1 ||
            !is_function(call.operation))
            return false;
    }
    if (expression->count < 1 || !fold(expression->parts[0], &a) ||
        (expression->count > 1 && !fold(expression->parts[1], &b)))
        return false;
    switch (expression->kind) {
    case EXPRESSION_NEGATE:
        *value = -a;
        return true;
    case EXPRESSION_ADD:
        *value = a + b;
        return true;
    case EXPRESSION_SUBTRACT:
        *value = a - b;
        return true;
    case EXPRESSION_MULTIPLY:
        *value = a * b;
        return true;
    case EXPRESSION_DIVIDE:
        *value = a / b;
        return true;
    case EXPRESSION_CALL:
        *value = value_of(call.operation, a);
        return true;
    default:
        return false;
    }
}

bool evaluate_number(Evaluation *evaluation, const Expression *expression,
                     const char *what, double *value) {
    char source[UTF8_SHORT_SIZE];
    if (fold(expression, value))
        return true;
    utf8_shorten(source, expression->source, expression->length);
    if (expression->kind == EXPRESSION_NAME) {
        size_t node;
        if (!evaluate_name(evaluation, expression, &node))
            return false;
        const TapeNode *given = tape_node(evaluation->tape, node);
        if (given->operation == OPERATION_GIVEN && tensor_cells(&given->output) == 1) {
            *value = given->output.values[0];
            return true;
        }
    }
    return evaluate_fail(evaluation, expression, ERROR_VALUE,
                         "%s must be a number, or the name of a given number; '%s' is "
                         "neither",
                         what, source);
}

bool evaluate_whole(Evaluation *evaluation, const Expression *expression,
                    const char *what, double least, double most, double *value) {
    if (!evaluate_number(evaluation, expression, what, value))
        return false;
    if (*value == floor(*value) && *value >= least && *value <= most)
        return true;
    return evaluate_fail(evaluation, expression, ERROR_VALUE,
                         "%s is %g, but must be a whole number from %.0f to %.0f", what,
                         *value, least, most);
}

/* ---- slices ---- */

/* An axis of the tensor being sliced. */
typedef struct Axis {
    const ExpressionAxis *said;
    const char *what; /* "row" */
    size_t size;
    const char *const *labels; /* or NULL */
} Axis;

/* Operations that comparing a label costs: about 5 nanoseconds. */
static const double LABEL_COST = 20;

/* Counts the cells with that label; *place is the last of them. */
static size_t count_labelled(Arena *arena, const Axis *axis, const char *label,
                             size_t *place) {
    size_t count = 0;
    if (axis->labels)
        arena_spend(arena, ARENA_WORK_LABELS, LABEL_COST * (double)axis->size);
    for (size_t i = 0; axis->labels && i < axis->size; i++) {
        if (strcmp(axis->labels[i], label) != 0)
            continue;
        *place = i;
        count++;
    }
    return count;
}

/* Reports that the axis of the sliced tensor has no such label. */
static bool refuse_label(Evaluation *evaluation, const Expression *slice,
                         const Axis *axis, const Expression *label) {
    char name[UTF8_SHORT_SIZE], source[UTF8_SHORT_SIZE];
    utf8_shorten(name, label->name, strlen(label->name));
    utf8_shorten(source, slice->parts[0]->source, slice->parts[0]->length);
    if (!axis->labels)
        return evaluate_fail(evaluation, label, ERROR_NAME,
                             "%s has no %s '%s', because its %ss have no labels; write a "
                             "number from 0 to %zu, or labels under 'tokens:' or "
                             "'labels:'",
                             source, axis->what, name, axis->what, axis->size - 1);
    const char *nearest = error_nearest(label->name, axis->labels, axis->size);
    return evaluate_fail(evaluation, label, ERROR_NAME, "%s has no %s '%s'%s%s%s", source,
                         axis->what, name, nearest ? "; did you mean '" : "",
                         nearest ? nearest : "", nearest ? "'?" : "");
}

/* Resolves the label of a single cell to its index, *place. A name that is no label may
 * be a given number: returns false without an error. */
static bool resolve_label(Evaluation *evaluation, const Expression *slice,
                          const Axis *axis, size_t *place) {
    const Expression *label = axis->said->begin;
    bool quoted = label && label->kind == EXPRESSION_LABEL;
    if (!axis->said->index || (!quoted && label->kind != EXPRESSION_NAME))
        return false;
    size_t count = count_labelled(evaluation->arena, axis, label->name, place);
    char name[UTF8_SHORT_SIZE];
    utf8_shorten(name, label->name, strlen(label->name));
    if (count > 1)
        evaluate_fail(evaluation, label, ERROR_NAME,
                      "%zu %ss are called '%s'; say which by its number, from 0 to %zu",
                      count, axis->what, name, axis->size - 1);
    else if (!count && (quoted || !names_lookup(evaluation->names, label->name)))
        refuse_label(evaluation, slice, axis, label);
    return count == 1;
}

/* Resolves the range [begin, end) of an axis of `size` cells, with Python's rules. */
static bool resolve_axis(Evaluation *evaluation, const Expression *slice,
                         const Axis *along, size_t *begin, size_t *end) {
    const double bound = 2.0 * TENSOR_MAX_CELLS;
    const ExpressionAxis *axis = along->said;
    const char *what = along->what;
    size_t size = along->size;
    double n = (double)size, first = 0, last = n;
    char source[UTF8_SHORT_SIZE];
    if (resolve_label(evaluation, slice, along, begin)) {
        *end = *begin + 1;
        return true;
    }
    if (evaluation->error->code != ERROR_NONE)
        return false;
    utf8_shorten(source, slice->parts[0]->source, slice->parts[0]->length);
    if (axis->begin && !evaluate_whole(evaluation, axis->begin, "a slice's begin", -bound,
                                       bound, &first))
        return false;
    if (axis->end &&
        !evaluate_whole(evaluation, axis->end, "a slice's end", -bound, bound, &last))
        return false;
    if (axis->index && !(first >= -n && first < n))
        return evaluate_fail(
            evaluation, slice, ERROR_SHAPE,
            "%s has no %s %.0f; its %zu %ss count from 0 to %zu, or from "
            "-%zu to -1",
            source, what, first, size, what, size - 1, size);
    first = fmin(first < 0 ? fmax(first + n, 0) : first, n);
    last = axis->index ? first + 1 : fmin(last < 0 ? fmax(last + n, 0) : last, n);
    if (first >= last)
        return evaluate_fail(
            evaluation, slice, ERROR_SHAPE,
            "the slice takes none of the %zu %ss of %s; its end must lie "
            "behind its begin",
            size, what, source);
    *begin = (size_t)first;
    *end = (size_t)last;
    return true;
}

static bool resolve_slice(Evaluation *evaluation, const Expression *expression, size_t x,
                          OperationOptions *options) {
    const Tensor *sliced = &tape_node(evaluation->tape, x)->output;
    Axis rows = {&expression->axes[0], "row", sliced->rows, sliced->row_labels};
    Axis cols = {&expression->axes[1], "column", sliced->cols, sliced->col_labels};
    return resolve_axis(evaluation, expression, &rows, &options->row_begin,
                        &options->row_end) &&
           resolve_axis(evaluation, expression, &cols, &options->col_begin,
                        &options->col_end);
}

static bool evaluate_slice(Evaluation *evaluation, const Expression *expression,
                           const char *name, size_t *node) {
    size_t x;
    OperationOptions options = {0};
    return evaluate(evaluation, expression->parts[0], "", &x) &&
           resolve_slice(evaluation, expression, x, &options) &&
           (tape_append(evaluation->tape, OPERATION_SLICE, &x, 1, options, name, node,
                        evaluation->error) ||
            set_place(evaluation, expression, "slice"));
}

bool evaluate_cell(Evaluation *evaluation, size_t *node, size_t *row, size_t *col) {
    const Expression *cell = evaluation->statement->value;
    OperationOptions options = {0};
    bool named = !evaluation->statement->name && cell->kind == EXPRESSION_SLICE &&
                 cell->parts[0]->kind == EXPRESSION_NAME;
    if (named && (!evaluate_name(evaluation, cell->parts[0], node) ||
                  !resolve_slice(evaluation, cell, *node, &options)))
        return false;
    if (!named || options.row_end - options.row_begin != 1 ||
        options.col_end - options.col_begin != 1)
        return evaluate_fail(
            evaluation, cell, ERROR_VALUE,
            "this is not one cell of a tensor; write its name, a row and "
            "a column, A[0, 1] or A[am, I]");
    *row = options.row_begin;
    *col = options.col_begin;
    return true;
}

/* ---- the tree ---- */

/* Returns "K" for "K.t", as other languages write a transpose; else NULL. */
static const char *transposed_name(Evaluation *evaluation, const char *name) {
    static const char *const endings[] = {".t", ".transpose", ".mT"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(name), ending = strlen(endings[i]);
        if (length <= ending || strcmp(name + length - ending, endings[i]) != 0)
            continue;
        const char *whole = arena_copy(evaluation->arena, name, length - ending);
        const Name *known = names_lookup(evaluation->names, whole);
        return known && !known->broken ? whole : NULL;
    }
    return NULL;
}

bool evaluate_name(Evaluation *evaluation, const Expression *expression, size_t *node) {
    char shortened[UTF8_SHORT_SIZE];
    const Name *known = names_lookup(evaluation->names, expression->name);
    if (known && known->broken) {
        *evaluation->error = (Error){0};
        return false;
    }
    if (known) {
        *node = known->node;
        return true;
    }
    const char *name =
        utf8_shorten(shortened, expression->name, strlen(expression->name));
    Call function;
    if (calls_lookup(&function, expression->name))
        return evaluate_fail(evaluation, expression, ERROR_NAME,
                             "%s is a function; write %s(%s)", name, name,
                             function.arguments);
    const char *transposed = transposed_name(evaluation, expression->name);
    if (transposed)
        return evaluate_fail(evaluation, expression, ERROR_NAME,
                             "unknown name '%s'; did you mean '%s.T'?", name, transposed);
    const char *nearest = names_nearest(evaluation->names, expression->name);
    if (nearest)
        return evaluate_fail(evaluation, expression, ERROR_NAME,
                             "unknown name '%s'; did you mean '%s'?", name, nearest);
    return evaluate_fail(evaluation, expression, ERROR_NAME,
                         "unknown name '%s'; a tensor is given, or made by an earlier "
                         "step, before it is used",
                         name);
}

static bool evaluate_call(Evaluation *evaluation, const Expression *expression,
                          const char *name, size_t *node) {
    char shortened[UTF8_SHORT_SIZE];
    Call call;
    if (!calls_lookup(&call, expression->name)) {
        const char *nearest = calls_nearest(expression->name);
        const char *instead = calls_instead(evaluation->arena, expression);
        utf8_shorten(shortened, expression->name, strlen(expression->name));
        if (instead)
            return evaluate_fail(evaluation, expression, ERROR_NAME,
                                 "unknown function '%s'; write %s", shortened, instead);
        if (nearest)
            return evaluate_fail(evaluation, expression, ERROR_NAME,
                                 "unknown function '%s'; did you mean '%s'?", shortened,
                                 nearest);
        return evaluate_fail(evaluation, expression, ERROR_NAME,
                             "unknown function '%s'; for a product write '*' or '@', and "
                             "README.md beside the course's lessons has all functions",
                             shortened);
    }
    if (expression->count < call.least || expression->count > call.most)
        return evaluate_fail(evaluation, expression, ERROR_VALUE,
                             "%s(%s) can't take %zu argument%s", call.name,
                             call.arguments, expression->count,
                             expression->count == 1 ? "" : "s");
    return call.append(evaluation, &call, expression, name, node) ||
           set_place(evaluation, expression, call.name);
}

/* Evaluates a factor; its transpose has no step, and is named as written. */
static bool evaluate_factor(Evaluation *evaluation, const Expression *expression,
                            size_t *node) {
    char source[UTF8_SHORT_SIZE];
    if (expression->kind != EXPRESSION_TRANSPOSE)
        return evaluate(evaluation, expression, "", node);
    utf8_shorten(source, expression->source, expression->length);
    if (!evaluate(evaluation, expression, source, node))
        return false;
    tape_set_quiet(evaluation->tape, *node);
    return true;
}

/* Reports whether one axis fits: equal, or one of the two is repeated. */
static bool fits(size_t a, size_t b) {
    return a == b || a == 1 || b == 1;
}

/* Evaluates an operator between two tensors, whose shapes have to fit. */
static bool evaluate_binary(Evaluation *evaluation, OperationKind operation,
                            const Expression *expression, const char *name,
                            size_t *node) {
    bool product = operation == OPERATION_MATMUL;
    size_t inputs[2];
    for (size_t i = 0; i < 2; i++) {
        const Expression *part = expression->parts[i];
        if (product ? !evaluate_factor(evaluation, part, &inputs[i])
                    : !evaluate(evaluation, part, "", &inputs[i]))
            return false;
    }
    Operand left = operand_of(evaluation, expression->parts[0], inputs[0]);
    Operand right = operand_of(evaluation, expression->parts[1], inputs[1]);
    if (product && left.tensor->cols != right.tensor->rows)
        return matmul_misfit(evaluation, expression, &left, &right);
    if (!product && (!fits(left.tensor->rows, right.tensor->rows) ||
                     !fits(left.tensor->cols, right.tensor->cols)))
        return broadcast_misfit(evaluation, expression, &left, &right);
    return tape_append(evaluation->tape, operation, inputs, 2, (OperationOptions){0},
                       name, node, evaluation->error) ||
           set_place(evaluation, expression, expression_sign(expression->kind));
}

static bool evaluate_unary(Evaluation *evaluation, OperationKind operation,
                           const Expression *expression, const char *name, size_t *node) {
    size_t x;
    return evaluate(evaluation, expression->parts[0], "", &x) &&
           (tape_append(evaluation->tape, operation, &x, 1, (OperationOptions){0}, name,
                        node, evaluation->error) ||
            set_place(evaluation, expression, expression_sign(expression->kind)));
}

static bool append_constant(Evaluation *evaluation, const Expression *expression,
                            const char *name, double value, size_t *node) {
    return tape_constant(evaluation->tape, name, value, node, evaluation->error) ||
           set_place(evaluation, expression, "number");
}

/* Operations of the operators with one or two operands. */
static const OperationKind operations[] = {
    [EXPRESSION_NEGATE] = OPERATION_NEGATE,
    [EXPRESSION_TRANSPOSE] = OPERATION_TRANSPOSE,
    [EXPRESSION_ADD] = OPERATION_ADD,
    [EXPRESSION_SUBTRACT] = OPERATION_SUBTRACT,
    [EXPRESSION_MULTIPLY] = OPERATION_MULTIPLY,
    [EXPRESSION_DIVIDE] = OPERATION_DIVIDE,
    [EXPRESSION_MATMUL] = OPERATION_MATMUL,
};

/* Evaluates an expression whose operands are not all numbers. */
static bool evaluate_operation(Evaluation *evaluation, const Expression *expression,
                               const char *name, size_t *node) {
    switch (expression->kind) {
    case EXPRESSION_NUMBER:
        return append_constant(evaluation, expression, name, expression->number, node);
    case EXPRESSION_NAME:
        return evaluate_name(evaluation, expression, node);
    case EXPRESSION_LABEL: /* only occurs in slices */
        break;
    case EXPRESSION_NEGATE:
    case EXPRESSION_TRANSPOSE:
        return evaluate_unary(evaluation, operations[expression->kind], expression, name,
                              node);
    case EXPRESSION_ADD:
    case EXPRESSION_SUBTRACT:
    case EXPRESSION_MULTIPLY:
    case EXPRESSION_DIVIDE:
    case EXPRESSION_MATMUL:
        return evaluate_binary(evaluation, operations[expression->kind], expression, name,
                               node);
    case EXPRESSION_SLICE:
        return evaluate_slice(evaluation, expression, name, node);
    case EXPRESSION_CALL:
        return evaluate_call(evaluation, expression, name, node);
    }
    return false;
}

bool evaluate(Evaluation *evaluation, const Expression *expression, const char *name,
              size_t *node) {
    double value;
    if (!fold(expression, &value))
        return evaluate_operation(evaluation, expression, name, node);
    char source[UTF8_SHORT_SIZE];
    utf8_shorten(source, expression->source, expression->length);
    if (!append_constant(evaluation, expression, source, value, node))
        return false;
    tape_set_quiet(evaluation->tape, *node);
    return true;
}

bool evaluate_statement(Evaluation *evaluation, size_t *node) {
    const Statement *statement = evaluation->statement;
    const Expression *value = statement->value;
    const char *name = statement->name ? statement->name : "";
    *evaluation->error = (Error){0};
    if (value->kind == EXPRESSION_NAME && statement->name) {
        size_t same;
        return evaluate_name(evaluation, value, &same) &&
               evaluate_fail(evaluation, value, ERROR_VALUE,
                             "%.60s = %.60s computes nothing; go on with %.60s, or write "
                             "'show: %.60s'",
                             name, value->name, value->name, value->name);
    }
    /* A number as a whole statement is a tensor to be shown, not a constant. */
    double number;
    if (value->kind == EXPRESSION_NEGATE && value->parts[0]->kind == EXPRESSION_NUMBER &&
        fold(value, &number))
        return append_constant(evaluation, value, name, number, node);
    return evaluate_operation(evaluation, value, name, node);
}
