#include "lesson/practise/practise.h"

#include "base/arena.h"
#include "base/maths.h"
#include "tensor/operations/kernels.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

#include <string.h>

/* Maximum number of cells of a row or column that are compared with an answer. */
enum { OTHER_CELLS_MAX = 64 };

static const double ROUNDED_SHARE = 0.1, NEAR_SHARE = 0.03, VALUE_SHARE = 0.002;

double judge_tolerance(double value) {
    return fmax(0.0005, 0.01 * fabs(value));
}

bool judge_is_close(double answer, double value) {
    if (!isfinite(answer) || !isfinite(value))
        return answer == value;
    /* tolerates the rounding of binary fractions */
    return fabs(answer - value) <= judge_tolerance(value) * (1 + 1e-9);
}

static bool is_leaf(const Term *term) {
    return term->count == 0 || term->kind == TERM_QUANTITY;
}

/* Reduces a term: a quantity to its sum, a lookup to its cell. */
static const Term *bare(const Term *term) {
    for (;;) {
        if (term->kind == TERM_QUANTITY ||
            ((term->kind == TERM_SUM || term->kind == TERM_PRODUCT) && term->count == 1))
            term = term->parts[0];
        else if (term->kind == TERM_ROW_OF || term->kind == TERM_COLUMN_OF)
            term = term->parts[1];
        else
            return term;
    }
}

/* ---- sums and products as lists ---- */

/* A part of a sum with its sign, or of a product. */
typedef struct Part {
    const Term *term;
    double value;
    bool used;
} Part;

typedef struct Parts {
    size_t count;
    Part *items;
} Parts;

static size_t count_leaves(const Term *term) {
    size_t count = 1;
    for (size_t i = 0; i < term->count; i++)
        count += count_leaves(term->parts[i]);
    return count;
}

static void add_addends(Parts *parts, const Term *term, double sign) {
    if (term->kind == TERM_NEGATIVE && !is_leaf(bare(term->parts[0]))) {
        add_addends(parts, term->parts[0], -sign);
        return;
    }
    if (term->kind != TERM_SUM && term->kind != TERM_DIFFERENCE) {
        parts->items[parts->count++] = (Part){.term = term, .value = sign * term->value};
        return;
    }
    for (size_t i = 0; i < term->count; i++)
        add_addends(parts, term->parts[i],
                    term->kind == TERM_DIFFERENCE && i ? -sign : sign);
}

static void add_factors(Parts *parts, const Term *term) {
    if (term->kind != TERM_PRODUCT) {
        parts->items[parts->count++] = (Part){.term = term, .value = term->value};
        return;
    }
    for (size_t i = 0; i < term->count; i++)
        add_factors(parts, term->parts[i]);
}

static Parts parts_of(Arena *arena, const Term *term, bool factors) {
    Parts parts = {0};
    parts.items = arena_alloc(arena, count_leaves(term), sizeof *parts.items);
    if (factors)
        add_factors(&parts, term);
    else
        add_addends(&parts, term, 1);
    return parts;
}

/* Removes the parts that both lists have, in any order, and all zeros. */
static void cross_out(Parts *ours, Parts *yours, double nothing) {
    for (size_t i = 0; i < ours->count; i++) {
        Part *part = &ours->items[i];
        for (size_t j = 0; j < yours->count && !part->used; j++) {
            Part *other = &yours->items[j];
            if (other->used || !judge_is_close(other->value, part->value))
                continue;
            part->used = other->used = true;
        }
    }
    for (size_t i = 0; i < ours->count; i++)
        ours->items[i].used |= ours->items[i].value == nothing;
    for (size_t j = 0; j < yours->count; j++)
        yours->items[j].used |= yours->items[j].value == nothing;
}

/* Returns the first part that is left; parts->count if there is none. */
static size_t first_left(const Parts *parts) {
    size_t i = 0;
    while (i < parts->count && parts->items[i].used)
        i++;
    return i;
}

/* ---- comparing structures ---- */

static Hint by_sum(const Judge *judge, const Term *typed, const Term *term) {
    Parts ours = parts_of(judge->arena, term, false);
    Parts yours = parts_of(judge->arena, typed, false);
    if (ours.count < 2 || yours.count < 2)
        return (Hint){0};
    cross_out(&ours, &yours, 0);
    size_t i = first_left(&ours), j = first_left(&yours);
    if (i < yours.count && i < ours.count && ours.count == yours.count &&
        !yours.items[i].used)
        j = i; /* the one at the same position */
    if (i == ours.count)
        return j == yours.count
                   ? (Hint){0}
                   : (Hint){.kind = HINT_TOO_MANY, .yours = yours.items[j].term};
    const Term *part = ours.items[i].term;
    if (j == yours.count)
        return (Hint){.kind = HINT_MISSING, .number = i + 1, .term = part};
    if (judge_is_close(-yours.items[j].value, ours.items[i].value))
        return (Hint){.kind = HINT_SIGN, .number = i + 1, .term = part};
    return (Hint){
        .kind = HINT_PART, .number = i + 1, .yours = yours.items[j].term, .term = part};
}

static Hint by_factors(const Judge *judge, const Term *typed, const Term *term) {
    Parts ours = parts_of(judge->arena, term, true);
    Parts yours = parts_of(judge->arena, typed, true);
    if (ours.count < 2 || yours.count != ours.count)
        return (Hint){0};
    cross_out(&ours, &yours, 1);
    size_t i = first_left(&ours), j = first_left(&yours);
    if (i == ours.count || j == yours.count)
        return (Hint){0};
    return (Hint){
        .kind = HINT_FACTOR, .yours = yours.items[j].term, .term = ours.items[i].term};
}

static Hint by_shape(const Judge *judge, const Term *typed, const Term *term);

/* Compares a part: HINT_NONE if it is equal, else a hint at the difference. */
static Hint by_part(const Judge *judge, const Term *typed, const Term *term,
                    HintKind kind) {
    if (judge_is_close(typed->value, term->value))
        return (Hint){0};
    Hint within = by_shape(judge, typed, term);
    return within.kind ? within : (Hint){.kind = kind, .yours = typed, .term = term};
}

/* Removes quantities that only keep numbers small: e^(x − max) becomes e^x. */
static const Term *without_shift(Arena *arena, const Term *term) {
    if (term->kind == TERM_DIFFERENCE && term->parts[1]->kind == TERM_QUANTITY &&
        term->parts[1]->cancels)
        return term->parts[0];
    if (term->count == 0)
        return term;
    const Term **parts = arena_alloc(arena, term->count, sizeof *parts);
    bool same = true;
    for (size_t i = 0; i < term->count; i++) {
        parts[i] = without_shift(arena, term->parts[i]);
        same &= parts[i] == term->parts[i];
    }
    if (same)
        return term;
    const Term *made = term_like(arena, term, parts);
    return term->kind == TERM_QUANTITY ? term_quantity(arena, term->name, made->parts[0])
                                       : made;
}

static Hint by_quotient(const Judge *judge, const Term *typed, const Term *term) {
    const Term *plain = without_shift(judge->arena, term);
    if (judge_is_close(typed->parts[0]->value, plain->parts[0]->value) &&
        !judge_is_close(typed->parts[0]->value, term->parts[0]->value))
        term = plain;
    Hint hint = by_part(judge, typed->parts[0], term->parts[0], HINT_NUMERATOR);
    return hint.kind ? hint
                     : by_part(judge, typed->parts[1], term->parts[1], HINT_DENOMINATOR);
}

static Hint by_shape(const Judge *judge, const Term *typed, const Term *term) {
    term = bare(term);
    bool sum = typed->kind == TERM_SUM || typed->kind == TERM_DIFFERENCE;
    if (sum && (term->kind == TERM_SUM || term->kind == TERM_DIFFERENCE))
        return by_sum(judge, typed, term);
    if (typed->kind != term->kind || typed->function != term->function)
        return (Hint){0};
    switch (typed->kind) {
    case TERM_PRODUCT:
        return by_factors(judge, typed, term);
    case TERM_QUOTIENT:
        return by_quotient(judge, typed, term);
    case TERM_NEGATIVE:
    case TERM_FUNCTION:
        return by_part(judge, typed->parts[0], term->parts[0], HINT_INNER);
    case TERM_POWER:
        return by_part(judge, typed->parts[1], term->parts[1], HINT_INNER);
    default:
        return (Hint){0};
    }
}

/* ---- common mistakes ---- */

/* Stricter than judge_is_close, since some of many values are close by chance. */
static bool is_value(double answer, double value) {
    if (!isfinite(answer) || !isfinite(value))
        return answer == value;
    return fabs(answer - value) <= fmax(0.0005, VALUE_SHARE * fabs(value));
}

static const Tensor *output_of(const Judge *judge) {
    return &tape_node(judge->tape, judge->cell.node)->output;
}

static Hint by_transposed(const Judge *judge, double value) {
    const Tensor *out = output_of(judge);
    size_t row = judge->cell.col, col = judge->cell.row;
    bool there = row != col && row < out->rows && col < out->cols;
    if (!there || !is_value(value, tensor_at(out, row, col)))
        return (Hint){0};
    return (Hint){.kind = HINT_TRANSPOSED, .cell = {judge->cell.node, row, col}};
}

static Hint by_before(const Judge *judge, double value) {
    const TapeNode *node = tape_node(judge->tape, judge->cell.node);
    if (!operation_of(node->operation)->mutable)
        return (Hint){0};
    const Tensor *input = &tape_node(judge->tape, node->inputs[0])->output;
    FollowCell cell = {node->inputs[0], judge->cell.row, judge->cell.col};
    bool there = input->rows == node->output.rows && input->cols == node->output.cols;
    if (!there || !is_value(value, tensor_at(input, cell.row, cell.col)))
        return (Hint){0};
    return (Hint){.kind = HINT_BEFORE, .cell = cell};
}

/* Checks for a softmax of the numbers before a scaling or a mask. */
static Hint by_left_out(const Judge *judge, double value) {
    const TapeNode *node = tape_node(judge->tape, judge->cell.node);
    if (node->operation != OPERATION_SOFTMAX)
        return (Hint){0};
    size_t cols = node->output.cols, at = node->inputs[0];
    double *probabilities = arena_alloc(judge->arena, cols, sizeof *probabilities);
    for (;;) {
        const TapeNode *step = tape_node(judge->tape, at);
        if (step->operation != OPERATION_ADD && step->operation != OPERATION_MULTIPLY &&
            step->operation != OPERATION_DIVIDE)
            break;
        at = step->inputs[0];
        const Tensor *scores = &tape_node(judge->tape, at)->output;
        if (scores->rows != node->output.rows || scores->cols != cols)
            break;
        kernel_softmax(probabilities, scores->values + judge->cell.row * cols, 1, cols);
        if (is_value(value, probabilities[judge->cell.col]))
            return (Hint){.kind = HINT_LEFT_OUT,
                          .cell = {at, judge->cell.row, judge->cell.col}};
    }
    return (Hint){0};
}

static Hint by_numerator(const Judge *judge, double value) {
    const Term *term = bare(judge->term);
    if (term->kind != TERM_QUOTIENT)
        return (Hint){0};
    const Term *plain = without_shift(judge->arena, term);
    if (is_value(value, term->parts[0]->value))
        return (Hint){.kind = HINT_NOT_DIVIDED, .term = term->parts[1]};
    if (is_value(value, plain->parts[0]->value))
        return (Hint){.kind = HINT_NOT_DIVIDED, .term = plain->parts[1]};
    return (Hint){0};
}

static Hint by_part_of_sum(const Judge *judge, const Parts *parts, double value) {
    double total = bare(judge->term)->value, so_far = 0;
    bool any = value != 0;
    for (size_t i = 0; i + 1 < parts->count; i++) {
        so_far += parts->items[i].value;
        any |= parts->items[i].value != 0;
        if (any && is_value(value, so_far))
            return (Hint){
                .kind = HINT_PARTIAL, .number = i + 1, .term = parts->items[i + 1].term};
    }
    for (size_t i = 0; i < parts->count; i++) {
        if (is_value(value, total - parts->items[i].value))
            return (Hint){
                .kind = HINT_MISSING, .number = i + 1, .term = parts->items[i].term};
    }
    for (size_t i = 0; i < parts->count; i++) {
        if (is_value(value, total - 2 * parts->items[i].value))
            return (Hint){
                .kind = HINT_SIGN, .number = i + 1, .term = parts->items[i].term};
    }
    return (Hint){0};
}

/* Checks for a product with a row of the right factor instead of its column. */
static Hint by_row_for_column(const Judge *judge, double value) {
    const TapeNode *node = tape_node(judge->tape, judge->cell.node);
    if (node->operation != OPERATION_MATMUL)
        return (Hint){0};
    const Tensor *a = &tape_node(judge->tape, node->inputs[0])->output;
    const Tensor *b = &tape_node(judge->tape, node->inputs[1])->output;
    size_t row = judge->cell.row, col = judge->cell.col;
    if (b->cols != a->cols || col >= b->rows)
        return (Hint){0};
    double sum = 0;
    for (size_t k = 0; k < a->cols; k++)
        sum += tensor_at(a, row, k) * tensor_at(b, col, k);
    if (!is_value(value, sum))
        return (Hint){0};
    return (Hint){.kind = HINT_ROW_FOR_COLUMN, .cell = {node->inputs[1], col, 0}};
}

/* Checks for another number of the same row or column. */
static Hint by_other_cell(const Judge *judge, double value) {
    const Tensor *out = output_of(judge);
    FollowCell own = judge->cell;
    for (size_t j = 0; j < out->cols && j < OTHER_CELLS_MAX; j++) {
        if (j != own.col && is_value(value, tensor_at(out, own.row, j)))
            return (Hint){.kind = HINT_OTHER_CELL, .cell = {own.node, own.row, j}};
    }
    for (size_t i = 0; i < out->rows && i < OTHER_CELLS_MAX; i++) {
        if (i != own.row && is_value(value, tensor_at(out, i, own.col)))
            return (Hint){.kind = HINT_OTHER_CELL, .cell = {own.node, i, own.col}};
    }
    return (Hint){0};
}

/* Reports whether an answer is rounded to too few digits, or slightly off. */
static bool is_rounded(double value, double right, int decimals) {
    return decimals >= 0 && value != 0 && isfinite(right) &&
           fabs(value - right) <= 0.5 * pow(10, -decimals) &&
           fabs(value - right) <= ROUNDED_SHARE * fabs(right);
}

static bool is_near(double value, double right) {
    return isfinite(right) && right != 0 &&
           fabs(value - right) <= NEAR_SHARE * fabs(right);
}

static Hint by_sums(const Judge *judge, double value) {
    const Term *term = bare(judge->term);
    Parts parts = {0};
    if (term->kind == TERM_SUM || term->kind == TERM_DIFFERENCE)
        parts = parts_of(judge->arena, term, false);
    bool has = parts.count > 1 && isfinite(value) && isfinite(term->value);
    return has ? by_part_of_sum(judge, &parts, value) : (Hint){0};
}

static Hint by_value(const Judge *judge, double value, int decimals) {
    static Hint (*const checks[])(const Judge *, double) = {
        by_transposed, by_before,         by_numerator, by_left_out,
        by_sums,       by_row_for_column, by_other_cell};
    double right = judge->term->value;
    if (is_rounded(value, right, decimals))
        return (Hint){.kind = HINT_NEAR};
    if (value != 0 && is_value(-value, right))
        return (Hint){.kind = HINT_NEGATED};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        Hint hint = checks[i](judge, value);
        if (hint.kind)
            return hint;
    }
    return (Hint){.kind = is_near(value, right) ? HINT_NEAR : HINT_NONE};
}

/* ---- no diagnosis ---- */

/* Returns the cell of an input that the number is a copy of, or NULL. */
static const Term *origin_of(const Term *term) {
    term = bare(term);
    return term->kind == TERM_CELL ? term : NULL;
}

static Hint copied_from(const Judge *judge, const Term *origin) {
    size_t source = tape_node(judge->tape, judge->cell.node)->inputs[origin->input];
    return (Hint){.kind = HINT_COPIED, .cell = {source, origin->row, origin->col}};
}

/* Returns the leftmost operation whose parts are all numbers. */
static const Term *first_computed(const Term *term) {
    for (size_t i = 0; i < term->count; i++) {
        if (!is_leaf(term->parts[i]))
            return first_computed(term->parts[i]);
    }
    return term;
}

static Hint first_part(const Judge *judge) {
    const Term *origin = origin_of(judge->term), *term = bare(judge->term);
    if (origin)
        return copied_from(judge, origin);
    if (tape_node(judge->tape, judge->cell.node)->operation == OPERATION_MATMUL)
        return (Hint){.kind = HINT_LINES, .cell = judge->cell};
    if (term->kind != TERM_SUM)
        return (Hint){.kind = HINT_FIRST, .number = 1, .term = first_computed(term)};
    size_t i = 0;
    while (i + 1 < term->count && term->parts[i]->value == 0)
        i++;
    return (Hint){.kind = HINT_FIRST, .number = i + 1, .term = term->parts[i]};
}

Hint judge_answer(const Judge *judge, const Term *typed, int decimals) {
    Hint hint = {0};
    if (typed->kind != TERM_NUMBER)
        hint = by_shape(judge, typed, judge->term);
    if (!hint.kind)
        hint = by_value(judge, typed->value, decimals);
    return hint.kind ? hint : first_part(judge);
}

/* ---- the gap ---- */

static bool is_part(const Term *term, const Term *part) {
    for (size_t i = 0; part && i < term->count; i++) {
        if (term->parts[i] == part)
            return true;
    }
    return false;
}

/* Returns the part to leave out; NULL if the sum has only one number, whose value is then
 * the gap. */
static const Term *gap_in(const Term *term, const Hint *before) {
    if (term->count == 1 && is_leaf(term->parts[0]))
        return NULL;
    if (is_part(term, before->term))
        return before->term;
    size_t i = term->count - 1;
    switch (term->kind) {
    case TERM_SUM:
        while (i > 0 && term->parts[i]->value == 0)
            i--;
        return term->parts[i];
    case TERM_LARGEST:
        while (i > 0 && term->parts[i]->value != term->value)
            i--;
        return term->parts[i];
    default:
        return is_leaf(term->parts[0]) ? term->parts[i] : term->parts[0];
    }
}

Hint judge_gap(const Judge *judge, const Hint *before) {
    const Term *origin = origin_of(judge->term), *term = bare(judge->term);
    if (origin)
        return copied_from(judge, origin);
    return (Hint){
        .kind = HINT_GAP, .term = term, .gap = term->count ? gap_in(term, before) : term};
}
