#include "base/arena.h"
#include "base/error.h"
#include "base/maths.h"
#include "tensor/operations/kernels.h"
#include "tensor/operations/operations.h"

#include <stdint.h>
#include <string.h>

/* ---- cross entropy: inputs logits [n,v] and a list of n targets ---- */

static bool cross_entropy_shape(const OperationCall *call, Tensor *out, Error *error) {
    const Tensor *logits = call->inputs[0], *targets = call->inputs[1];
    out->rows = logits->rows;
    out->cols = 1;
    if (!ids_check_shape(targets, error))
        return false;
    if (ids_count(targets) == logits->rows)
        return true;
    return error_set(
        error, ERROR_SHAPE, 0, 0,
        "the logits are [%zu,%zu], but there are %zu targets; each row of the "
        "logits needs one (-1 where there is none)",
        logits->rows, logits->cols, ids_count(targets));
}

/* Reports whether a target is a column, or -1 for none. */
static bool is_target(double target, size_t columns) {
    return target == -1 ||
           (target >= 0 && target < (double)columns && target == floor(target));
}

static bool cross_entropy_accepts(const OperationCall *call, Error *error) {
    const Tensor *logits = call->inputs[0], *targets = call->inputs[1];
    for (size_t i = 0; i < ids_count(targets); i++) {
        if (!is_target(targets->values[i], logits->cols))
            return error_set(
                error, ERROR_VALUE, 0, 0,
                "target number %zu is %g, but must be a whole number from 0 to %zu, a "
                "column of the logits (-1 for no target)",
                i + 1, targets->values[i], logits->cols - 1);
    }
    return true;
}

static void cross_entropy_forward(const OperationCall *call, Tensor *out) {
    const Tensor *logits = call->inputs[0];
    kernel_cross_entropy(out->values, logits->values, call->inputs[1]->values,
                         logits->rows, logits->cols);
}

static void cross_entropy_backward(const OperationCall *call, const Tensor *out,
                                   const double *gradient, double *const *gradients) {
    const Tensor *logits = call->inputs[0];
    if (gradients[0])
        kernel_cross_entropy_backward(gradients[0], logits->values,
                                      call->inputs[1]->values, out->values, gradient,
                                      logits->rows, logits->cols);
}

/* log(total of e^(x − largest)) − (target's x − largest) */
static const Term *loss_term(const OperationCall *call, size_t row, const Term *target,
                             Arena *arena) {
    const Term *largest = combine_row(call, row, TERM_LARGEST, arena), *total;
    if (largest->value == -INFINITY)
        return term_quantity(arena, "row_masked", term_number(arena, INFINITY));
    row_exponentials(call, row, &largest, &total, arena);
    const Term *chosen = term_cell(arena, 0, call->inputs[0], row, (size_t)target->value);
    chosen = term_binary(arena, TERM_COLUMN_OF, target, chosen);
    return term_binary(arena, TERM_DIFFERENCE, term_apply(arena, &term_log, total),
                       term_binary(arena, TERM_DIFFERENCE, chosen, largest));
}

static const Term *cross_entropy_explain(const OperationCall *call, const Tensor *out,
                                         size_t row, size_t col, Arena *arena) {
    (void)out, (void)col;
    const Tensor *logits = call->inputs[0], *targets = call->inputs[1];
    const Term *target =
        term_cell(arena, 1, targets, ids_row(targets, row), ids_col(targets, row));
    if (!is_target(target->value, logits->cols))
        return term_number(arena, NAN);
    if (target->value < 0) /* 0 > −1: no target, no loss */
        return term_new(arena, TERM_GREATER, 4,
                        (const Term *const[]){term_number(arena, 0), target,
                                              term_number(arena, 0),
                                              term_number(arena, NAN)});
    return loss_term(call, row, target, arena);
}

static const char *cross_entropy_problem(const OperationCall *call, const Tensor *out,
                                         size_t row, size_t col) {
    (void)col;
    const Tensor *logits = call->inputs[0], *targets = call->inputs[1];
    if (!is_target(targets->values[row], logits->cols))
        return "trouble.no_row";
    return isinf(out->values[row]) ? "trouble.target_masked" : NULL;
}

const Operation operation_cross_entropy = {
    .name = "cross_entropy",
    .inputs = {2, 2},
    .arguments = "logits, targets",
    .symbol = "CE",
    .formula = "-\\log \\op{softmax}\\left(#1\\right)_{#2}",
    .code.numpy = "cross_entropy(#1, #2)",
    .code.torch = "F.cross_entropy(#1, #2.flatten().long().clamp(min=-1), "
                  "ignore_index=-1, reduction=\"none\")[:, None]",
    .code.numpy_backward = {"cross_entropy_back(#g, #1, #2)"},
    .code.numpy_helpers =
        "def cross_entropy(logits, targets):  # -1 is no target\n"
        "    at = targets.ravel().astype(int)\n"
        "    most = logits.max(axis=1)\n"
        "    total = most + np.log(np.exp(logits - most[:, None]).sum(axis=1))\n"
        "    lost = total - logits[np.arange(len(at)), np.maximum(at, 0)]\n"
        "    return np.where(at < 0, 0, lost)[:, None]\n"
        "\n"
        "def cross_entropy_back(g, logits, targets):\n"
        "    at = targets.ravel().astype(int)\n"
        "    said = one_hot(np.maximum(at, 0), logits.shape[1])\n"
        "    return g * (softmax(logits) - said) * (at >= 0)[:, None]\n",
    .work = OPERATION_WORK_BY_ROW,
    .ids = 2,
    .backward_inputs = 1,
    .shape = cross_entropy_shape,
    .accepts = cross_entropy_accepts,
    .forward = cross_entropy_forward,
    .explain = cross_entropy_explain,
    .problem = cross_entropy_problem,
    .backward = cross_entropy_backward,
    .reach = reach_row,
    .label = reduction_label,
};

/* ---- top-k and top-p: the candidates left in each row ---- */

static bool top_k_shape(const OperationCall *call, Tensor *out, Error *error) {
    (void)out;
    return call->options.keep || error_set(error, ERROR_VALUE, 0, 0,
                                           "top_k keeps 0 columns; at least 1 must stay");
}

static bool is_probability(double value) {
    return value > 0 && value <= 1;
}

static bool top_p_shape(const OperationCall *call, Tensor *out, Error *error) {
    (void)out;
    return is_probability(call->options.share) ||
           error_set(error, ERROR_VALUE, 0, 0,
                     "top_p's p is %g, but must be a share: above 0, at most 1",
                     call->options.share);
}

/* The sum of e^(x − largest), by which top_p normalizes. NaN with +∞. */
static double row_total(const double *x, size_t d, double largest) {
    double total = 0;
    for (size_t j = 0; j < d; j++)
        total += exp(x[j] - largest);
    return total;
}

/* top_p keeps a probability mass of each row, top_k a number of columns. */
static bool is_top_p(const OperationCall *call) {
    return call->options.keep == 0;
}

static bool is_plus_infinite(double value) {
    return value == INFINITY;
}

/* Reports whether the row can be sorted. */
static bool can_choose(const OperationCall *call, size_t row) {
    return !row_has(call, row, is_none) &&
           !(is_top_p(call) && row_has(call, row, is_plus_infinite));
}

/* Reports whether a column comes before another one in the order of falling values; equal
 * values are ordered by index. */
static bool comes_before(const double *x, size_t a, size_t b) {
    return x[a] > x[b] || (x[a] == x[b] && a < b);
}

/* Moves an entry of a heap down to its position; the heap's root is the column that comes
 * last in order. */
static void sink(const double *x, size_t *heap, size_t count, size_t at) {
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && comes_before(x, heap[child], heap[child + 1]);
        if (!comes_before(x, heap[at], heap[child]))
            return;
        size_t swapped = heap[at];
        heap[at] = heap[child];
        heap[child] = swapped;
    }
}

static void make_heap(const double *x, size_t *heap, size_t count) {
    for (size_t i = count / 2; i > 0; i--)
        sink(x, heap, count, i - 1);
}

/* Finds the columns that follow `last` in order, or the first ones if `last` >= d, in one
 * pass over the row. Returns their count; 0 if there are no more. */
static size_t find_next(const double *x, size_t d, size_t last,
                        size_t found[OPERATION_FOUND_AT_ONCE]) {
    size_t count = 0;
    for (size_t j = 0; j < d; j++) {
        if (last < d && !comes_before(x, last, j))
            continue;
        if (count < OPERATION_FOUND_AT_ONCE) {
            found[count++] = j;
            if (count == OPERATION_FOUND_AT_ONCE)
                make_heap(x, found, count);
        } else if (comes_before(x, j, found[0])) {
            found[0] = j;
            sink(x, found, count, 0);
        }
    }
    if (count < OPERATION_FOUND_AT_ONCE)
        make_heap(x, found, count);
    for (size_t left = count; left > 1; left--) {
        size_t latest = found[0];
        found[0] = found[left - 1];
        found[left - 1] = latest;
        sink(x, found, left - 1, 0);
    }
    return count;
}

/* Visits the row's columns that are kept, the largest first. */
static void visit_kept(const OperationCall *call, size_t row,
                       void (*visit)(void *context, size_t col), void *context) {
    const double *x = row_of(call, row);
    size_t d = call->inputs[0]->cols, count = 0, found[OPERATION_FOUND_AT_ONCE];
    size_t next = 0, found_count = find_next(x, d, SIZE_MAX, found);
    double largest = x[found[0]], before = 0;
    bool top_p = is_top_p(call), masked = largest == -INFINITY;
    double total = top_p && !masked ? row_total(x, d, largest) : 1;
    while (found_count) {
        size_t col = found[next++];
        visit(context, col);
        count++;
        before += top_p && !masked ? exp(x[col] - largest) / total : 0;
        bool enough = top_p ? masked || !(call->options.share > before)
                            : count >= call->options.keep;
        if (enough)
            return;
        if (next == found_count) {
            found_count = find_next(x, d, col, found);
            next = 0;
        }
    }
}

typedef struct Copy {
    double *to;
    const double *from;
} Copy;

static void copy_cell(void *context, size_t col) {
    const Copy *copy = context;
    copy->to[col] = copy->from[col];
}

static void add_cell(void *context, size_t col) {
    const Copy *copy = context;
    copy->to[col] += copy->from[col];
}

static void keep_some(const OperationCall *call, Tensor *out) {
    for (size_t i = 0; i < out->rows; i++) {
        double *row = out->values + i * out->cols;
        bool possible = can_choose(call, i);
        for (size_t j = 0; j < out->cols; j++)
            row[j] = possible ? -INFINITY : NAN;
        Copy copy = {row, row_of(call, i)};
        if (possible)
            visit_kept(call, i, copy_cell, &copy);
    }
}

static void give_some_back(const OperationCall *call, const Tensor *out,
                           const double *gradient, double *const *gradients) {
    for (size_t i = 0; gradients[0] && i < out->rows; i++) {
        Copy copy = {gradients[0] + i * out->cols, gradient + i * out->cols};
        if (can_choose(call, i))
            visit_kept(call, i, add_cell, &copy);
    }
}

/* "3 > 1 → x": the bound is above the cell's rank, so the cell stays. */
static const Term *choice_term(const OperationCall *call, double bound, const Term *place,
                               size_t row, size_t col, Arena *arena) {
    return term_new(arena, TERM_GREATER, 4,
                    (const Term *const[]){term_number(arena, bound), place,
                                          term_cell(arena, 0, call->inputs[0], row, col),
                                          term_number(arena, -INFINITY)});
}

static const Term *top_k_explain(const OperationCall *call, const Tensor *out, size_t row,
                                 size_t col, Arena *arena) {
    if (!can_choose(call, row))
        return term_number(arena, NAN);
    const Term **parts = arena_alloc(arena, out->cols + 1, sizeof *parts);
    parts[0] = term_number(arena, (double)col);
    for (size_t j = 0; j < out->cols; j++)
        parts[j + 1] = term_cell(arena, 0, call->inputs[0], row, j);
    const Term *place = term_quantity(arena, "row_place",
                                      term_new(arena, TERM_RANK, out->cols + 1, parts));
    return choice_term(call, (double)call->options.keep, place, row, col, arena);
}

const Operation operation_top_k = {
    .name = "top_k",
    .inputs = {1, 1},
    .arguments = "logits, k",
    .numbers = {{"k", offsetof(OperationOptions, keep), .whole = true}},
    .symbol = "top-k",
    .formula = "\\op{top-k}\\left(#1\\right)",
    .code.numpy = "top_k(#1, $keep)",
    .code.numpy_backward = {"np.where(#o == -np.inf, 0, #g)"},
    .code.numpy_helpers =
        "def top_k(x, k):  # of equals the one that comes first\n"
        "    kept = np.argsort(-x, axis=1, kind=\"stable\")[:, :k]\n"
        "    out = np.full(x.shape, -np.inf)\n"
        "    np.put_along_axis(out, kept, np.take_along_axis(x, kept, 1), 1)\n"
        "    return out\n",
    .code.torch_helpers = "def top_k(x, k):  # of equals the one that comes first\n"
                          "    cut = torch.sort(x, dim=1, descending=True, "
                          "stable=True).indices[:, k:]\n"
                          "    return x.scatter(1, cut, -torch.inf)\n",
    .work = OPERATION_WORK_BY_ROW,
    .values = OPERATION_VALUES_CUT,
    .mutable = true,
    .shape = top_k_shape,
    .forward = keep_some,
    .explain = top_k_explain,
    .backward = give_some_back,
    .reach = reach_place,
};

/* The sum of the probabilities of the columns before `col` in the row's order. */
static const Term *probability_before(const OperationCall *call, size_t row, size_t col,
                                      Arena *arena) {
    const double *x = row_of(call, row);
    size_t d = call->inputs[0]->cols, count = 0;
    const Term *largest = combine_row(call, row, TERM_LARGEST, arena), *total;
    const Term **terms = row_exponentials(call, row, &largest, &total, arena);
    const Term **probabilities = arena_alloc(arena, d, sizeof *probabilities);
    for (size_t j = kernel_next_largest(x, d, SIZE_MAX); j != col;
         j = kernel_next_largest(x, d, j))
        probabilities[count++] = term_binary(arena, TERM_QUOTIENT, terms[j], total);
    return term_new(arena, TERM_SUM, count, probabilities);
}

static const Term *top_p_explain(const OperationCall *call, const Tensor *out, size_t row,
                                 size_t col, Arena *arena) {
    const double *x = row_of(call, row);
    if (!can_choose(call, row))
        return term_number(arena, NAN);
    size_t first = kernel_next_largest(x, out->cols, SIZE_MAX);
    if (x[first] == -INFINITY) /* masked whole: the first is kept, and is masked too */
        return term_quantity(arena, "row_masked",
                             col == first ? term_cell(arena, 0, call->inputs[0], row, col)
                                          : term_number(arena, -INFINITY));
    const Term *before =
        col == first ? term_number(arena, 0) : probability_before(call, row, col, arena);
    return choice_term(call, call->options.share,
                       term_quantity(arena, "share_before", before), row, col, arena);
}

const Operation operation_top_p = {
    .name = "top_p",
    .inputs = {1, 1},
    .arguments = "logits, p",
    .numbers = {{"p", offsetof(OperationOptions, share), .fits = is_probability,
                 .must_be = "a share: above 0, at most 1"}},
    .symbol = "top-p",
    .formula = "\\op{top-p}\\left(#1\\right)",
    .code.numpy = "top_p(#1, $share)",
    .code.numpy_backward = {"np.where(#o == -np.inf, 0, #g)"},
    .code.numpy_helpers =
        "def top_p(x, p):\n"
        "    order = np.argsort(-x, axis=1, kind=\"stable\")\n"
        "    share = np.take_along_axis(softmax(x), order, 1)\n"
        "    keep = share.cumsum(axis=1) - share < p\n"
        "    out = np.empty(x.shape)\n"
        "    kept = np.where(keep, np.take_along_axis(x, order, 1), -np.inf)\n"
        "    np.put_along_axis(out, order, kept, 1)\n"
        "    return out\n",
    .code.torch_helpers = "def top_p(x, p):\n"
                          "    share, order = torch.sort(softmax(x), dim=1, "
                          "descending=True, stable=True)\n"
                          "    cut = torch.empty(x.shape, dtype=torch.bool)\n"
                          "    cut.scatter_(1, order, share.cumsum(1) - share >= p)\n"
                          "    return x.masked_fill(cut, -torch.inf)\n",
    .work = OPERATION_WORK_BY_ROW,
    .values = OPERATION_VALUES_CUT,
    .mutable = true,
    .shape = top_p_shape,
    .forward = keep_some,
    .explain = top_p_explain,
    .backward = give_some_back,
    .reach = reach_place,
};
