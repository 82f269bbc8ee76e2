#include "close.h"
#include "lesson_text.h"
#include "term_value.h"
#include "transformer_reference.h"

#include "tensor/tape/gradient.h"
#include "tensor/terms/term.h"

#include <math.h>

enum { PLENTY = 64 << 20 };

/* A head with all that may stand on the way: IDs, broadcasting, a mask, shares, a norm, a
 * row that is used twice, and a loss. */
typedef struct Head {
    Arena *arena;
    Tape *tape;
    size_t table, ids, mask, w_q, w_k, w_v, gamma, beta, bias, targets, root;
    size_t x, q, k, scores, scaled, masked, weights, blend, hidden, added, normal;
    size_t logits, losses, turned, loss, unused;
} Head;

static bool give(Head *head, const char *name, size_t rows, size_t cols, uint64_t seed,
                 size_t *node, Error *error) {
    Tensor tensor = {.rows = rows, .cols = cols};
    tensor.values = arena_alloc(head->arena, rows * cols, sizeof *tensor.values);
    if (!tensor.values)
        return error_set(error, ERROR_MEMORY, 0, 0, "no memory");
    Random random;
    random_init(&random, seed);
    for (size_t i = 0; i < rows * cols; i++)
        tensor.values[i] = random_normal(&random);
    return tape_given(head->tape, name, tensor, node, error);
}

static bool give_list(Head *head, const char *name, const double *values, size_t count,
                      size_t *node, Error *error) {
    double *copy = arena_alloc(head->arena, count, sizeof *copy);
    if (!copy)
        return error_set(error, ERROR_MEMORY, 0, 0, "no memory");
    memcpy(copy, values, count * sizeof *copy);
    return tape_given(head->tape, name,
                      (Tensor){.rows = 1, .cols = count, .values = copy}, node, error);
}

static bool append(Head *head, OperationKind kind, const char *name, size_t a, size_t b,
                   size_t *node, Error *error) {
    return tape_append(head->tape, kind, (const size_t[]){a, b},
                       operation_of(kind)->inputs.least, (OperationOptions){0}, name,
                       node, error);
}

static bool head_givens(Head *h, Error *e) {
    return give(h, "E", 5, 4, 1, &h->table, e) &&
           give_list(h, "ids", (const double[]){2, 0, 2}, 3, &h->ids, e) &&
           give(h, "W_Q", 4, 2, 2, &h->w_q, e) && give(h, "W_K", 4, 2, 3, &h->w_k, e) &&
           give(h, "W_V", 4, 4, 4, &h->w_v, e) && give(h, "b", 1, 4, 5, &h->bias, e) &&
           give(h, "gamma", 1, 4, 6, &h->gamma, e) &&
           give(h, "beta", 1, 4, 7, &h->beta, e) &&
           give_list(h, "t", (const double[]){1, -1, 4}, 3, &h->targets, e) &&
           tape_constant(h->tape, "", sqrt(2), &h->root, e) &&
           tape_append(h->tape, OPERATION_CAUSAL_MASK, NULL, 0,
                       (OperationOptions){.rows = 3, .cols = 3}, "M", &h->mask, e);
}

static bool head_build(Head *h, Error *e) {
    size_t k_t, v, e_t;
    return head_givens(h, e) &&
           append(h, OPERATION_EMBED, "X", h->table, h->ids, &h->x, e) &&
           append(h, OPERATION_MATMUL, "Q", h->x, h->w_q, &h->q, e) &&
           append(h, OPERATION_MATMUL, "K", h->x, h->w_k, &h->k, e) &&
           append(h, OPERATION_MATMUL, "V", h->x, h->w_v, &v, e) &&
           append(h, OPERATION_TRANSPOSE, "", h->k, 0, &k_t, e) &&
           append(h, OPERATION_MATMUL, "S", h->q, k_t, &h->scores, e) &&
           append(h, OPERATION_DIVIDE, "S_scaled", h->scores, h->root, &h->scaled, e) &&
           append(h, OPERATION_ADD, "S_masked", h->scaled, h->mask, &h->masked, e) &&
           append(h, OPERATION_SOFTMAX, "A", h->masked, 0, &h->weights, e) &&
           append(h, OPERATION_MATMUL, "Z", h->weights, v, &h->blend, e) &&
           append(h, OPERATION_ADD, "", h->blend, h->bias, &h->hidden, e) &&
           append(h, OPERATION_RELU, "R", h->hidden, 0, &h->hidden, e) &&
           append(h, OPERATION_ADD, "H", h->x, h->hidden, &h->added, e) &&
           tape_append(h->tape, OPERATION_LAYER_NORM,
                       (const size_t[]){h->added, h->gamma, h->beta}, 3,
                       (OperationOptions){.epsilon = 1e-5}, "N", &h->normal, e) &&
           append(h, OPERATION_TRANSPOSE, "", h->table, 0, &e_t, e) &&
           append(h, OPERATION_MATMUL, "logits", h->normal, e_t, &h->logits, e) &&
           append(h, OPERATION_CROSS_ENTROPY, "losses", h->logits, h->targets, &h->losses,
                  e) &&
           append(h, OPERATION_ARGMAX, "best", h->logits, 0, &h->unused, e) &&
           append(h, OPERATION_TRANSPOSE, "", h->losses, 0, &h->turned, e) &&
           append(h, OPERATION_MEAN, "L", h->turned, 0, &h->loss, e);
}

static bool head_init(Head *head, size_t limit, Error *error) {
    *head = (Head){.arena = arena_create(limit)};
    head->tape = tape_create(head->arena);
    return head_build(head, error);
}

static Head head_new(void) {
    Head head;
    Error error = {0};
    if (!head_init(&head, PLENTY, &error))
        fail_msg("%s", error.message);
    return head;
}

static const Tensor *output(const Head *head, size_t node) {
    return &tape_node(head->tape, node)->output;
}

/* ---- numbers beside the tape ---- */

/* How fast a cell of the root moves with a cell of a node: that cell is set by hand, a
 * little above and a little below, and all that depends on it computed again. */
static double slope(const Head *head, size_t root, size_t cell, size_t node,
                    size_t moved) {
    Tape *tape = head->tape;
    const Tensor *output_of = output(head, node);
    size_t row = moved / output_of->cols, col = moved % output_of->cols;
    double value = output_of->values[moved], step = 1e-5, kept, above, below;
    bool edited = tape_cell_edited(tape, node, row, col, &kept);
    assert_true(tape_edit(tape, node, row, col, value + step));
    above = output(head, root)->values[cell];
    assert_true(tape_edit(tape, node, row, col, value - step));
    below = output(head, root)->values[cell];
    assert_true(edited ? tape_edit(tape, node, row, col, kept)
                       : tape_unedit(tape, node, row, col));
    return (above - below) / (2 * step);
}

/* Compares the gradients of one cell of the root with the slopes, at every cell of every
 * node that has any; returns how many cells that are. */
static size_t check_slopes(const Head *head, const Gradients *gradients, size_t root,
                           size_t cell) {
    size_t checked = 0;
    for (size_t node = 0; node < root; node++) {
        const double *actual = gradients_get(gradients, node);
        for (size_t i = 0; actual && i < tensor_cells(output(head, node)); i++) {
            if (!isfinite(output(head, node)->values[i]))
                continue; /* nothing moves −∞ */
            double expected = slope(head, root, cell, node, i);
            if (!(fabs(actual[i] - expected) <= 1e-6 * fmax(1, fabs(expected))))
                fail_msg("node %zu (%s), cell %zu: %.12g, but the slope is %.12g", node,
                         tape_node(head->tape, node)->name, i, actual[i], expected);
            checked++;
        }
    }
    return checked;
}

static void test_gradients_are_the_slopes_of_every_earlier_cell(void **state) {
    Head head = head_new();
    Gradients *g = gradients_create(head.tape, head.loss, NULL, 0, head.arena);
    gradients_of_cell(g, 0, 0);
    assert_true(check_slopes(&head, g, head.loss, 0) > 150);
    assert_close(gradients_get(g, head.loss), &(double){1}, 1, 0);
    arena_destroy(head.arena);
}

static void test_any_cell_can_be_the_root(void **state) {
    Head head = head_new();
    const size_t roots[] = {head.weights, head.logits, head.normal};
    for (size_t i = 0; i < 3; i++) {
        Gradients *g = gradients_create(head.tape, roots[i], NULL, 0, head.arena);
        const Tensor *root = output(&head, roots[i]);
        for (size_t cell = 0; cell < tensor_cells(root); cell += 2) {
            gradients_of_cell(g, cell / root->cols, cell % root->cols);
            check_slopes(&head, g, roots[i], cell);
        }
        assert_null(gradients_get(g, head.loss)); /* comes later */
    }
    arena_destroy(head.arena);
}

static void test_only_what_the_root_depends_on_has_a_gradient(void **state) {
    Head head = head_new();
    Gradients *g = gradients_create(head.tape, head.loss, NULL, 0, head.arena);
    const size_t without[] = {head.ids, head.targets, head.unused};
    for (size_t i = 0; i < 3; i++)
        assert_null(gradients_get(g, without[i]));
    const size_t with[] = {head.table, head.mask, head.root, head.gamma, head.scores};
    for (size_t i = 0; i < 5; i++)
        assert_non_null(gradients_get(g, with[i]));
    g = gradients_create(head.tape, head.unused, NULL, 0, head.arena);
    gradients_clear(g);
    gradients_add(g, NULL);
    assert_non_null(gradients_get(g, head.unused));
    assert_null(gradients_get(g, head.logits)); /* argmax has no gradient */
    arena_destroy(head.arena);
}

static void test_wanted_gradients_come_with_the_way_to_them_and_no_more(void **state) {
    Head head = head_new();
    Gradients *all = gradients_create(head.tape, head.loss, NULL, 0, head.arena);
    const size_t wanted[] = {head.w_k, head.beta};
    Gradients *some = gradients_create(head.tape, head.loss, wanted, 2, head.arena);
    gradients_clear(all);
    gradients_add(all, NULL);
    gradients_clear(some);
    gradients_add(some, NULL);
    const size_t there[] = {head.w_k,    head.beta,   head.k,     head.scores,
                            head.masked, head.normal, head.losses};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        assert_close(gradients_get(some, there[i]), gradients_get(all, there[i]),
                     tensor_cells(output(&head, there[i])), 0);
    const size_t missing[] = {head.w_q, head.table, head.q,
                              head.x,   head.gamma, head.mask};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        assert_null(gradients_get(some, missing[i]));
    arena_destroy(head.arena);
}

static void test_a_seed_weighs_the_roots_cells(void **state) {
    Head head = head_new();
    Gradients *g = gradients_create(head.tape, head.logits, NULL, 0, head.arena);
    size_t cells = tensor_cells(output(&head, head.w_q));
    double seed[15], expected[8] = {0};
    assert_int_equal(tensor_cells(output(&head, head.logits)), 15);
    assert_int_equal(cells, 8);
    for (size_t i = 0; i < 15; i++) {
        seed[i] = 0.25 * (double)i - 1;
        gradients_of_cell(g, i / 5, i % 5);
        for (size_t j = 0; j < cells; j++)
            expected[j] += seed[i] * gradients_get(g, head.w_q)[j];
    }
    gradients_clear(g);
    gradients_add(g, seed);
    assert_close(gradients_get(g, head.w_q), expected, cells, 1e-12);
    arena_destroy(head.arena);
}

static void test_a_plan_runs_again_on_new_values_without_allocating(void **state) {
    Head head = head_new();
    size_t node;
    Gradients *g = gradients_create(head.tape, head.loss, NULL, 0, head.arena);
    const double *place = gradients_get(g, head.w_q);
    gradients_clear(g);
    gradients_add(g, NULL);
    double first = place[0];
    /* The tape grows past its present room. */
    for (int i = 0; i < 100; i++)
        assert_true(append(&head, OPERATION_RELU, "", head.x, 0, &node, NULL));
    assert_true(tape_edit(head.tape, head.w_k, 0, 0, 3));
    size_t used = arena_used(head.arena);
    gradients_clear(g);
    gradients_add(g, NULL);
    assert_int_equal(arena_used(head.arena), used);
    assert_ptr_equal(gradients_get(g, head.w_q), place);
    assert_true(fabs(place[0] - first) > 1e-6);
    gradients_of_cell(g, 0, 0);
    check_slopes(&head, g, head.loss, 0);
    tape_restore(head.tape);
    gradients_clear(g);
    gradients_add(g, NULL);
    assert_close(place, &first, 1, 0);
    arena_destroy(head.arena);
}

static void test_what_is_written_into_givens_is_computed_again(void **state) {
    Head head = head_new(), other = head_new();
    assert_true(tape_edit(other.tape, other.w_v, 1, 1, 0.125));
    output(&head, head.w_v)->values[5] = 0.125;
    tape_recompute(head.tape, 0, tape_count(head.tape));
    assert_close(output(&head, head.logits)->values, output(&other, other.logits)->values,
                 15, 0);
    arena_destroy(head.arena);
    arena_destroy(other.arena);
}

/* Only the nodes between given values and the root are replayed. */
static void test_a_replay_of_what_a_root_needs_leaves_the_rest(void **state) {
    Head head = head_new(), other = head_new();
    size_t count, last = 0;
    const size_t *needed = tape_needed(head.tape, head.weights, head.arena, &count);
    double unused = output(&head, head.unused)->values[0];
    assert_int_equal(needed[count - 1], head.weights);
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || needed[i] > last);
        last = needed[i];
        assert_true(tape_node(head.tape, last)->input_count);
    }
    double logit = output(&head, head.logits)->values[0];
    output(&head, head.w_q)->values[5] = 0.125;
    assert_true(tape_edit(other.tape, other.w_q, 2, 1, 0.125));
    tape_replay(head.tape, needed, count);
    assert_close(output(&head, head.weights)->values,
                 output(&other, other.weights)->values, 9, 0);
    assert_true(output(&head, head.logits)->values[0] == logit);
    assert_true(output(&head, head.unused)->values[0] == unused);
    arena_destroy(head.arena);
    arena_destroy(other.arena);
}

static void test_gradients_add_up_over_inputs_written_one_after_the_other(void **state) {
    Head head = head_new();
    const size_t wanted[] = {head.w_q, head.table};
    Gradients *g = gradients_create(head.tape, head.losses, wanted, 2, head.arena);
    size_t cells = tensor_cells(output(&head, head.w_q)), count;
    const size_t *needed = tape_needed(head.tape, head.losses, head.arena, &count);
    const double *added = gradients_get(g, head.w_q);
    double expected[8] = {0};
    assert_int_equal(cells, 8);
    for (size_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < 3; i++) {
            output(&head, head.ids)->values[0] = (double)i;
            tape_replay(head.tape, needed, count);
            if (!round)
                gradients_clear(g);
            gradients_add(g, NULL);
            for (size_t j = 0; !round && j < cells; j++)
                expected[j] += added[j];
        }
        if (round)
            assert_close(added, expected, cells, 1e-14);
        gradients_clear(g);
    }
    arena_destroy(head.arena);
}

/* Mutes and edits of all sorts, one after the other; false after the last. */
static bool change(const Head *head, size_t number) {
    Tape *tape = head->tape;
    const size_t mutes[] = {head->scaled, head->masked, head->weights,
                            head->hidden, head->added,  head->normal};
    const size_t edits[] = {head->weights, head->normal, head->scores, head->x,
                            head->hidden,  head->logits, head->losses, head->w_q};
    const size_t mute_count = sizeof mutes / sizeof *mutes;
    const size_t edit_count = sizeof edits / sizeof *edits;
    if (number < mute_count)
        assert_true(tape_mute(tape, mutes[number], true));
    /* Without shares −∞ goes on, and NaN is all there is. */
    if (number < mute_count && mutes[number] == head->weights)
        assert_true(tape_mute(tape, head->masked, true));
    if (number >= mute_count && number < mute_count + edit_count)
        assert_true(tape_edit(tape, edits[number - mute_count], 0, 0, 0.75));
    return number < mute_count + edit_count;
}

static void test_muted_nodes_hand_on_and_edited_cells_give_nothing(void **state) {
    Head head = head_new();
    Gradients *g = gradients_create(head.tape, head.loss, NULL, 0, head.arena);
    for (size_t i = 0; change(&head, i); i++) { /* each by itself */
        gradients_of_cell(g, 0, 0);
        check_slopes(&head, g, head.loss, 0);
        tape_restore(head.tape);
    }
    for (size_t i = 0; change(&head, i); i++) { /* one upon the other */
        gradients_of_cell(g, 0, 0);
        check_slopes(&head, g, head.loss, 0);
    }
    arena_destroy(head.arena);
}

/* ---- gradients on the tape ---- */

/* The named gradient on the tape and the number beside it are the same. */
static void check_appended(const Head *head, const Gradients *g) {
    Tape *tape = head->tape;
    size_t checked = 0;
    for (size_t i = head->loss + 1; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        if (node->gradient_of == TAPE_NONE)
            continue;
        assert_int_equal(node->gradient_root, head->loss);
        const double *expected = gradients_get(g, node->gradient_of);
        assert_non_null(expected);
        assert_close(node->output.values, expected, tensor_cells(&node->output), 1e-9);
        checked++;
    }
    assert_true(checked > 5);
}

/* Every cell of every gradient recombines from its explanation. */
static void check_explained(const Head *head) {
    Arena *arena = arena_create(PLENTY);
    for (size_t i = head->loss + 1; i < tape_count(head->tape); i++) {
        const TapeNode *node = tape_node(head->tape, i);
        const Tensor *inputs[8];
        for (size_t j = 0; j < node->input_count; j++)
            inputs[j] = output(head, node->inputs[j]);
        for (size_t cell = 0; cell < tensor_cells(&node->output); cell++) {
            arena_reset(arena);
            const Term *term = tape_explain(head->tape, i, cell / node->output.cols,
                                            cell % node->output.cols, arena);
            assert_non_null(term);
            double again = term_evaluate(term, inputs);
            assert_close(&term->value, &node->output.values[cell], 1, 1e-9);
            assert_close(&again, &node->output.values[cell], 1, 1e-9);
        }
    }
    arena_destroy(arena);
}

static void test_appended_gradients_equal_the_numbers(void **state) {
    Head head = head_new();
    Error error = {0};
    const size_t wanted[] = {head.w_q, head.table, head.gamma, head.bias, head.root};
    Gradients *g = gradients_create(head.tape, head.loss, NULL, 0, head.arena);
    gradients_clear(g);
    gradients_add(g, NULL);
    for (size_t i = 0; i < 5; i++) {
        size_t node;
        if (!gradient_append(head.tape, head.loss, wanted[i], "", &node, &error))
            fail_msg("%s", error.message);
        const Tensor *of = output(&head, wanted[i]);
        assert_int_equal(output(&head, node)->rows, of->rows);
        assert_int_equal(output(&head, node)->cols, of->cols);
        assert_close(output(&head, node)->values, gradients_get(g, wanted[i]),
                     tensor_cells(of), 1e-9);
    }
    check_appended(&head, g);
    check_explained(&head);
    arena_destroy(head.arena);
}

static void test_appended_gradients_follow_edits_and_mutes(void **state) {
    Head head = head_new();
    Gradients *g = gradients_create(head.tape, head.loss, NULL, 0, head.arena);
    assert_true(gradient_append(head.tape, head.loss, head.w_q, "", NULL, NULL));
    assert_true(gradient_append(head.tape, head.loss, head.table, "", NULL, NULL));
    assert_true(gradient_append(head.tape, head.loss, head.gamma, "", NULL, NULL));
    for (size_t i = 0; change(&head, i); i++) {
        gradients_clear(g);
        gradients_add(g, NULL);
        check_appended(&head, g);
        check_explained(&head);
        tape_restore(head.tape);
    }
    for (size_t i = 0; change(&head, i); i++) {
        gradients_clear(g);
        gradients_add(g, NULL);
        check_appended(&head, g);
        check_explained(&head);
    }
    /* Appended while things are changed, they are of the changed tape, too. */
    size_t node;
    assert_true(gradient_append(head.tape, head.loss, head.w_k, "G", &node, NULL));
    assert_close(output(&head, node)->values, gradients_get(g, head.w_k), 8, 1e-9);
    arena_destroy(head.arena);
}

static void test_gradients_are_a_group_and_have_names(void **state) {
    Head head = head_new();
    size_t count = tape_count(head.tape), node;
    assert_true(gradient_append(head.tape, head.loss, head.w_v, "G", &node, NULL));
    const TapeGroup *group = tape_group(head.tape, tape_group_count(head.tape) - 1);
    assert_string_equal(group->name, "gradient");
    assert_int_equal(group->first, count);
    assert_int_equal(group->count, tape_count(head.tape) - count);
    assert_int_equal(node, tape_count(head.tape) - 1);
    assert_string_equal(tape_node(head.tape, node)->name, "G");
    assert_int_equal(tape_node(head.tape, node)->gradient_of, head.w_v);
    const char *const names[] = {"gradient.logits", "gradient.N", "gradient.H",
                                 "gradient.R",      "gradient.Z", "gradient.losses"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_not_equal(tape_find(head.tape, names[i]), TAPE_NONE);
    assert_int_equal(tape_find(head.tape, "gradient.W_V"), TAPE_NONE);
    assert_int_equal(tape_find(head.tape, "gradient.S"), TAPE_NONE); /* not on the way */
    arena_destroy(head.arena);
}

static void test_gradients_on_the_tape_are_used_again(void **state) {
    Head head = head_new();
    assert_true(gradient_append(head.tape, head.loss, head.w_q, "", NULL, NULL));
    size_t count = tape_count(head.tape), node, again;
    assert_true(gradient_append(head.tape, head.loss, head.w_k, "", &node, NULL));
    /* Only S, K.T and W_K are new: of S there was one already, so K.T, K and W_K. */
    assert_int_equal(tape_count(head.tape), count + 3);
    assert_true(gradient_append(head.tape, head.loss, head.w_k, "again", &again, NULL));
    assert_int_equal(tape_count(head.tape), count + 4);
    assert_close(output(&head, node)->values, output(&head, again)->values, 8, 0);
    /* Another root has gradients of its own. */
    size_t sum, twice;
    assert_true(append(&head, OPERATION_ADD, "L_2", head.loss, head.loss, &sum, NULL));
    assert_true(gradient_append(head.tape, sum, head.w_k, "", &twice, NULL));
    for (size_t i = 0; i < 8; i++)
        assert_close(&output(&head, twice)->values[i],
                     &(double){2 * output(&head, node)->values[i]}, 1, 1e-12);
    arena_destroy(head.arena);
}

/* Expects gradient_append to refuse, with `words` in its sentence. */
static void refuse(const Head *head, size_t root, size_t wanted, ErrorCode code,
                   const char *words) {
    Error error = {0};
    size_t groups = tape_group_count(head->tape), count = tape_count(head->tape);
    assert_false(gradient_append(head->tape, root, wanted, "G", NULL, &error));
    assert_int_equal(error.code, code);
    if (!strstr(error.message, words))
        fail_msg("'%s' doesn't say '%s'", error.message, words);
    assert_int_equal(tape_group_count(head->tape), groups);
    assert_int_equal(tape_count(head->tape), count);
}

static void test_gradients_that_can_not_be_had_are_refused(void **state) {
    Head head = head_new();
    size_t g, moved, product, total;
    refuse(&head, head.losses, head.w_q, ERROR_SHAPE, "losses is [3,1]");
    refuse(&head, head.losses, head.w_q, ERROR_SHAPE, "mean(losses.T)");
    refuse(&head, head.logits, head.w_q, ERROR_SHAPE, "mean(mean(logits).T)");
    refuse(&head, head.loss, head.unused, ERROR_VALUE, "does not depend on best");
    refuse(&head, head.loss, head.loss, ERROR_VALUE, "does not depend on L");
    refuse(&head, head.loss, head.ids, ERROR_VALUE, "have no derivative");
    assert_true(gradient_append(head.tape, head.loss, head.bias, "G", &g, NULL));
    refuse(&head, head.loss, g, ERROR_VALUE, "does not depend on G");
    /* A loss that is made from a gradient: with respect to what that was made from. */
    assert_true(append(&head, OPERATION_SUBTRACT, "b_2", head.bias, g, &moved, NULL));
    assert_true(append(&head, OPERATION_MULTIPLY, "", moved, moved, &product, NULL));
    assert_true(append(&head, OPERATION_SUM, "L_2", product, 0, &total, NULL));
    refuse(&head, total, head.bias, ERROR_VALUE, "second derivatives");
    assert_true(gradient_append(head.tape, total, moved, "G_2", &g, NULL));
    for (size_t i = 0; i < 4; i++)
        assert_close(&output(&head, g)->values[i],
                     &(double){2 * output(&head, moved)->values[i]}, 1, 1e-12);
    arena_destroy(head.arena);
}

/* ---- whole models ---- */

static FILE *open_models(void) {
    const char *source = getenv("GLASSFORMER_SOURCE");
    char path[1000];
    snprintf(path, sizeof path, "%s/tests/reference/gradients_model.txt",
             source ? source : ".");
    FILE *file = fopen(path, "r");
    if (!file)
        model_refuse("can't read", path);
    return file;
}

/* Appends the loss that the reference was made with; returns its node. */
static size_t append_loss(Tape *tape, Arena *arena, size_t logits) {
    size_t targets, losses, turned, total, count, loss;
    size_t n = tape_node(tape, logits)->output.rows;
    size_t columns = tape_node(tape, logits)->output.cols;
    double *values = arena_alloc(arena, n, sizeof *values);
    for (size_t i = 0; i < n; i++)
        values[i] = i == 1 ? -1 : (double)((5 * i + 2) % columns);
    Tensor list = {.rows = 1, .cols = n, .values = values};
    OperationOptions none = {0};
    Error e;
    assert_true(tape_given(tape, "", list, &targets, &e));
    assert_true(tape_append(tape, OPERATION_CROSS_ENTROPY,
                            (const size_t[]){logits, targets}, 2, none, "", &losses, &e));
    assert_true(
        tape_append(tape, OPERATION_TRANSPOSE, &losses, 1, none, "", &turned, &e));
    assert_true(tape_append(tape, OPERATION_SUM, &turned, 1, none, "", &total, &e));
    assert_true(tape_constant(tape, "", (double)(n - 1), &count, &e));
    assert_true(tape_append(tape, OPERATION_DIVIDE, (const size_t[]){total, count}, 2,
                            none, "L", &loss, &e));
    return loss;
}

static const Tensor *torch_gradient(const ModelReference *reference, const char *name) {
    for (size_t i = 0; i < reference->output_count; i++) {
        if (strcmp(reference->outputs[i].name, name) == 0)
            return &reference->outputs[i].tensor;
    }
    fail_msg("PyTorch has no %s", name);
    return NULL;
}

/* A parameter is a part of PyTorch's tensor, and of a matrix its transpose. */
static void check_parameter(const ModelReference *reference,
                            const TransformerParameter *parameter, const double *actual) {
    const Tensor *torch = torch_gradient(reference, parameter->torch_name);
    assert_non_null(actual);
    for (size_t r = 0; r < parameter->rows; r++) {
        for (size_t c = 0; c < parameter->cols; c++) {
            size_t row = parameter->torch_first + (parameter->is_table ? r : c);
            double expected = tensor_at(torch, row, parameter->is_table ? c : r);
            double value = actual[r * parameter->cols + c];
            if (!(fabs(value - expected) <= 1e-9))
                fail_msg("%s: %s[%zu,%zu] is %.15g, not %.15g", reference->name,
                         parameter->name, r, c, value, expected);
        }
    }
}

static void test_gradients_of_all_parameters_equal_pytorchs(void **state) {
    FILE *file = open_models();
    ModelReference reference = {.arena = arena_create(PLENTY)};
    size_t models = 0;
    while (model_reference_next(file, &reference)) {
        Arena *arena = arena_create(PLENTY);
        Tape *tape = tape_create(arena);
        Transformer model;
        Error error = {0};
        if (!transformer_append(tape, arena, &reference.shape, &reference.input,
                                (TransformerWeights){model_fill, &reference}, &model,
                                &error))
            fail_msg("%s: %s", reference.name, error.message);
        size_t loss = append_loss(tape, arena, model.logits);
        size_t *wanted = arena_alloc(arena, model.parameter_count, sizeof *wanted);
        for (size_t i = 0; i < model.parameter_count; i++)
            wanted[i] = model.parameters[i].node;
        Gradients *g = gradients_create(tape, loss, wanted, model.parameter_count, arena);
        gradients_clear(g);
        gradients_add(g, NULL);
        for (size_t i = 0; i < model.parameter_count; i++)
            check_parameter(&reference, &model.parameters[i],
                            gradients_get(g, model.parameters[i].node));
        /* The first parameter's way back crosses all layers. */
        size_t node;
        assert_true(gradient_append(tape, loss, wanted[0], "G", &node, &error));
        check_parameter(&reference, &model.parameters[0],
                        tape_node(tape, node)->output.values);
        arena_destroy(arena);
        models++;
    }
    assert_int_equal(models, 3);
    arena_destroy(reference.arena);
    fclose(file);
}

/* ---- in a lesson ---- */

#define BEGIN                                                                            \
    "title: t\n"                                                                         \
    "given:\n"                                                                           \
    "  X: [[1, 2], [3, 4]]\n"                                                            \
    "  W: [[0.5], [-1]]\n"                                                               \
    "  U: [[1]]\n"                                                                       \
    "steps:\n"

static void test_a_lesson_takes_gradients(void **state) {
    Lesson *lesson = lesson_good(BEGIN "  - do: Y = X @ W\n"
                                       "  - do: L = sum((Y * Y).T)\n"
                                       "  - do: G = gradient(L, W)\n"
                                       "  - do: W_2 = W - 0.1 * gradient(L, W)\n");
    const Tape *tape = lesson->tape;
    /* Y is −1.5, −2.5; d L / d W = 2 Xᵀ Y. */
    const double expected[] = {-18, -26};
    assert_close(tape_node(tape, tape_find(tape, "G"))->output.values, expected, 2,
                 1e-12);
    const double moved[] = {0.5 + 1.8, -1 + 2.6};
    assert_close(tape_node(tape, tape_find(tape, "W_2"))->output.values, moved, 2, 1e-12);
    lesson_destroy(lesson);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradients_are_the_slopes_of_every_earlier_cell),
        cmocka_unit_test(test_any_cell_can_be_the_root),
        cmocka_unit_test(test_only_what_the_root_depends_on_has_a_gradient),
        cmocka_unit_test(test_wanted_gradients_come_with_the_way_to_them_and_no_more),
        cmocka_unit_test(test_a_seed_weighs_the_roots_cells),
        cmocka_unit_test(test_a_plan_runs_again_on_new_values_without_allocating),
        cmocka_unit_test(test_what_is_written_into_givens_is_computed_again),
        cmocka_unit_test(test_a_replay_of_what_a_root_needs_leaves_the_rest),
        cmocka_unit_test(test_gradients_add_up_over_inputs_written_one_after_the_other),
        cmocka_unit_test(test_muted_nodes_hand_on_and_edited_cells_give_nothing),
        cmocka_unit_test(test_appended_gradients_equal_the_numbers),
        cmocka_unit_test(test_appended_gradients_follow_edits_and_mutes),
        cmocka_unit_test(test_gradients_are_a_group_and_have_names),
        cmocka_unit_test(test_gradients_on_the_tape_are_used_again),
        cmocka_unit_test(test_gradients_that_can_not_be_had_are_refused),
        cmocka_unit_test(test_gradients_of_all_parameters_equal_pytorchs),
        cmocka_unit_test(test_a_lesson_takes_gradients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
