#include "base/arena.h"
#include "base/error.h"
#include "close.h"
#include "contains.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"
#include "term_value.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* One attention head on three words: enough operations for branches, a constant, a mask
 * and a diamond (X reaches the output along three ways). */
typedef struct Head {
    Arena *arena;
    Tape *tape;
    size_t x, w_q, w_k, w_v, root, mask; /* given */
    size_t q, k, v, k_t, scores, scaled, masked, weights, output;
} Head;

static const double x_values[] = {1, 0, 0.5, 1, -1, 2};
static const double w_values[3][4] = {
    {1, 0.25, 0, 1}, {0, 1, 1, -0.5}, {0.75, 0, 0.125, 1}};

static bool give(Tape *tape, Arena *arena, const char *name, size_t rows, size_t cols,
                 const double *values, size_t *node, Error *error) {
    Tensor tensor = {.rows = rows, .cols = cols};
    tensor.values = arena_alloc(arena, rows * cols, sizeof *tensor.values);
    memcpy(tensor.values, values, rows * cols * sizeof *values);
    return tape_given(tape, name, tensor, node, error);
}

static bool append(Tape *tape, OperationKind kind, const char *name, size_t a, size_t b,
                   size_t *node, Error *error) {
    const size_t inputs[] = {a, b};
    return tape_append(tape, kind, inputs, operation_of(kind)->inputs.least,
                       (OperationOptions){0}, name, node, error);
}

/* Builds the head in an arena of `limit` bytes; false with *error when it doesn't fit.
 * `x` stands for the words, where given. Finish with head_finish either way. */
static bool head_init(Head *head, size_t limit, const double *x, Error *error) {
    *head = (Head){.arena = arena_create(limit)};
    Tape *t = head->tape = tape_create(head->arena);
    Arena *a = head->arena;
    const double root = sqrt(2);
    const OperationOptions square = {.rows = 3, .cols = 3};
    return give(t, a, "X", 3, 2, x ? x : x_values, &head->x, error) &&
           give(t, a, "W_Q", 2, 2, w_values[0], &head->w_q, error) &&
           give(t, a, "W_K", 2, 2, w_values[1], &head->w_k, error) &&
           give(t, a, "W_V", 2, 2, w_values[2], &head->w_v, error) &&
           give(t, a, "", 1, 1, &root, &head->root, error) &&
           tape_append(t, OPERATION_CAUSAL_MASK, NULL, 0, square, "M", &head->mask,
                       error) &&
           append(t, OPERATION_MATMUL, "Q", head->x, head->w_q, &head->q, error) &&
           append(t, OPERATION_MATMUL, "K", head->x, head->w_k, &head->k, error) &&
           append(t, OPERATION_MATMUL, "V", head->x, head->w_v, &head->v, error) &&
           (tape_group_begin(t, "attention"), true) &&
           append(t, OPERATION_TRANSPOSE, "", head->k, 0, &head->k_t, error) &&
           append(t, OPERATION_MATMUL, "scores", head->q, head->k_t, &head->scores,
                  error) &&
           append(t, OPERATION_DIVIDE, "scaled", head->scores, head->root, &head->scaled,
                  error) &&
           append(t, OPERATION_ADD, "masked", head->scaled, head->mask, &head->masked,
                  error) &&
           append(t, OPERATION_SOFTMAX, "A", head->masked, 0, &head->weights, error) &&
           append(t, OPERATION_MATMUL, "Z", head->weights, head->v, &head->output,
                  error) &&
           (tape_group_end(t), true);
}

static void head_finish(Head *head) {
    arena_destroy(head->arena);
    *head = (Head){0};
}

static const size_t PLENTY = (size_t)1 << 24;

static Head head_create(const double *x) {
    Head head;
    Error error = {0};
    if (!head_init(&head, PLENTY, x, &error))
        fail_msg("%s", error.message);
    return head;
}

/* Returns true if two tapes hold the same bits, node by node. */
static bool same_values(const Tape *a, const Tape *b) {
    if (tape_count(a) != tape_count(b))
        return false;
    for (size_t i = 0; i < tape_count(a); i++) {
        const Tensor *x = &tape_node(a, i)->output, *y = &tape_node(b, i)->output;
        if (x->rows != y->rows || x->cols != y->cols ||
            memcmp(x->values, y->values, tensor_cells(x) * sizeof(double)) != 0)
            return false;
    }
    return true;
}

/* Every node that has no business with an edit shows its original values. */
static void assert_unchanged(const Tape *tape) {
    for (size_t i = 0; i < tape_count(tape); i++) {
        const Tensor *output = &tape_node(tape, i)->output;
        assert_false(tape_changed(tape, i));
        for (size_t cell = 0; cell < tensor_cells(output); cell++) {
            double original =
                tape_original(tape, i, cell / output->cols, cell % output->cols);
            assert_memory_equal(&output->values[cell], &original, sizeof original);
        }
    }
}

/* ---- appending ---- */

static void test_appending_computes_at_once(void **state) {
    Head head = head_create(NULL);
    /* Q = X W_Q by hand */
    const double q[] = {1, 0.25, 0.5, 1.125, -1, 1.75};
    assert_close(tape_node(head.tape, head.q)->output.values, q, 6, 1e-15);
    const TapeNode *weights = tape_node(head.tape, head.weights);
    for (size_t i = 0; i < 3; i++) {
        double sum = 0, one = 1, zero = 0;
        for (size_t j = 0; j < 3; j++) {
            sum += tensor_at(&weights->output, i, j);
            if (j > i)
                assert_close(&weights->output.values[i * 3 + j], &zero, 1, 0);
        }
        assert_close(&sum, &one, 1, 1e-15);
    }
    assert_int_equal(tape_count(head.tape), 15);
    assert_string_equal(weights->name, "A");
    assert_int_equal(weights->operation, OPERATION_SOFTMAX);
    assert_int_equal(weights->input_count, 1);
    assert_int_equal(weights->inputs[0], head.masked);
    assert_null(weights->original);
    assert_unchanged(head.tape);
    head_finish(&head);
}

static void test_names_find_the_last_node_that_has_them(void **state) {
    Head head = head_create(NULL);
    Tape *tape = head.tape;
    assert_int_equal(tape_find(tape, "Q"), head.q);
    assert_int_equal(tape_find(tape, "q"), TAPE_NONE);
    assert_int_equal(tape_find(tape, ""), TAPE_NONE); /* unnamed is no name */
    char name[] = "Q";
    size_t second;
    assert_true(append(tape, OPERATION_RELU, name, head.q, 0, &second, NULL));
    name[0] = 'z'; /* names are copied */
    assert_int_equal(tape_find(tape, "Q"), second);
    tape_rename(tape, second, "R");
    assert_int_equal(tape_find(tape, "Q"), head.q);
    assert_int_equal(tape_find(tape, "R"), second);
    assert_false(tape_node(tape, second)->quiet);
    tape_set_quiet(tape, second);
    assert_true(tape_node(tape, second)->quiet);
    head_finish(&head);
}

static void test_labels_can_be_given_and_are_passed_on(void **state) {
    static const char *const words[] = {"I", "am", "learning"}, *const axes[] = {"x",
                                                                                 "y"};
    Head head = head_create(NULL);
    size_t node;
    tape_set_labels(head.tape, head.v, words, axes);
    tape_set_labels(head.tape, head.v, NULL, NULL); /* leaves them */
    assert_true(append(head.tape, OPERATION_RELU, "", head.v, 0, &node, NULL));
    assert_ptr_equal(tape_node(head.tape, node)->output.row_labels, words);
    assert_ptr_equal(tape_node(head.tape, node)->output.col_labels, axes);
    head_finish(&head);
}

/* The tokens of a table of three rows, and what stands behind their labels. */
static const char *const TOKENS[] = {"I", "am", "learning", "beyond"};

/* An ID that is set by hand is called what it chooses; one that chooses nothing, from the
 * number of rows on, keeps its name, and no label behind the last is read. */
static void assert_relabelled(OperationKind kind, bool by_row) {
    static const double values[] = {1, 2, 3};
    Arena *arena = arena_create(PLENTY);
    Tape *tape = tape_create(arena);
    size_t table, ids, made;
    Error error = {0};
    assert_true(
        give(tape, arena, "E", by_row ? 3 : 1, by_row ? 1 : 3, values, &table, &error));
    assert_true(give(tape, arena, "ids", 1, 1, (const double[]){0}, &ids, &error));
    tape_set_labels(tape, table, by_row ? TOKENS : NULL, by_row ? NULL : TOKENS);
    tape_set_labels(tape, ids, NULL, TOKENS);
    assert_true(append(tape, kind, "out", table, ids, &made, &error));
    static const struct {
        double id;
        const char *name;
    } cases[] = {{1, "am"}, {2, "learning"}, {3, "I"}, {4, "I"}, {-1, "I"}, {0, "I"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(tape_edit(tape, ids, 0, 0, cases[i].id));
        const char *name = tape_node(tape, ids)->output.col_labels[0];
        if (strcmp(name, cases[i].name) != 0)
            fail_msg("ID %g of a table of 3 is called %s, not %s", cases[i].id, name,
                     cases[i].name);
    }
    arena_destroy(arena);
}

static void test_ids_set_by_hand_are_called_what_they_choose(void **state) {
    assert_relabelled(OPERATION_EMBED, true);
    assert_relabelled(OPERATION_CROSS_ENTROPY, false);
}

static void test_groups_nest_and_know_their_nodes(void **state) {
    Head head = head_create(NULL);
    Tape *tape = head.tape;
    size_t a, b, c, d;
    tape_group_begin(tape, "layer");
    assert_true(append(tape, OPERATION_RELU, "", head.output, 0, &a, NULL));
    tape_group_begin(tape, "inner");
    assert_true(append(tape, OPERATION_RELU, "", a, 0, &b, NULL));
    tape_group_end(tape);
    assert_true(append(tape, OPERATION_RELU, "", b, 0, &c, NULL));
    tape_group_end(tape);
    assert_true(append(tape, OPERATION_RELU, "", c, 0, &d, NULL));

    assert_int_equal(tape_group_count(tape), 3);
    const TapeGroup *attention = tape_group(tape, 0), *layer = tape_group(tape, 1),
                    *inner = tape_group(tape, 2);
    assert_string_equal(attention->name, "attention");
    assert_int_equal(attention->parent, TAPE_NONE);
    assert_int_equal(attention->first, head.k_t);
    assert_int_equal(attention->count, 6);
    assert_int_equal(layer->parent, TAPE_NONE);
    assert_int_equal(layer->first, a);
    assert_int_equal(layer->count, 3);
    assert_int_equal(inner->parent, 1);
    assert_int_equal(inner->first, b);
    assert_int_equal(inner->count, 1);
    assert_int_equal(tape_node(tape, head.q)->group, TAPE_NONE);
    assert_int_equal(tape_node(tape, head.scores)->group, 0);
    assert_int_equal(tape_node(tape, a)->group, 1);
    assert_int_equal(tape_node(tape, b)->group, 2);
    assert_int_equal(tape_node(tape, c)->group, 1);
    assert_int_equal(tape_node(tape, d)->group, TAPE_NONE);
    head_finish(&head);
}

/* ---- edits ---- */

static void test_an_edit_reaches_just_what_depends_on_it(void **state) {
    Head head = head_create(NULL);
    const struct {
        size_t node, row, col, replayed; /* itself and its dependants */
    } cases[] = {
        {head.x, 0, 0, 10},     {head.w_q, 1, 1, 7},  {head.w_k, 0, 0, 8},
        {head.w_v, 0, 1, 3},    {head.root, 0, 0, 5}, {head.mask, 0, 2, 4},
        {head.scores, 2, 1, 5}, {head.v, 0, 0, 2},    {head.output, 1, 1, 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        Head fresh = head_create(NULL);
        assert_true(
            tape_edit(head.tape, cases[i].node, cases[i].row, cases[i].col, 3.25));
        assert_int_equal(tape_replayed(head.tape), cases[i].replayed);
        assert_false(same_values(head.tape, fresh.tape));
        assert_true(tape_changed(head.tape, cases[i].node));
        /* taking it back costs as much and leaves every bit as it was */
        assert_true(tape_unedit(head.tape, cases[i].node, cases[i].row, cases[i].col));
        assert_int_equal(tape_replayed(head.tape), cases[i].replayed);
        assert_true(same_values(head.tape, fresh.tape));
        assert_unchanged(head.tape);
        head_finish(&fresh);
    }
    head_finish(&head);
}

static void test_nodes_that_do_not_depend_on_an_edit_keep_no_copy(void **state) {
    Head head = head_create(NULL);
    assert_true(tape_edit(head.tape, head.w_v, 0, 0, 9));
    assert_non_null(tape_node(head.tape, head.v)->original);
    assert_non_null(tape_node(head.tape, head.output)->original);
    assert_null(tape_node(head.tape, head.q)->original);
    assert_null(tape_node(head.tape, head.weights)->original);
    assert_false(tape_changed(head.tape, head.weights));
    head_finish(&head);
}

static void test_a_replay_equals_a_fresh_tape_of_the_edited_inputs(void **state) {
    for (size_t cell = 0; cell < COUNT(x_values); cell++) {
        const double settings[] = {0, -7.5, 1e4, -1e-3};
        for (size_t s = 0; s < COUNT(settings); s++) {
            double x[COUNT(x_values)];
            memcpy(x, x_values, sizeof x);
            x[cell] = settings[s];
            Head edited = head_create(NULL), fresh = head_create(x);
            assert_true(
                tape_edit(edited.tape, edited.x, cell / 2, cell % 2, settings[s]));
            assert_true(same_values(edited.tape, fresh.tape));
            head_finish(&edited);
            head_finish(&fresh);
        }
    }
}

static void test_edits_in_the_middle_hold_against_replays_from_before(void **state) {
    Head head = head_create(NULL), fresh = head_create(NULL);
    const double set = 0.875;
    double read = 0;
    assert_true(tape_edit(head.tape, head.scores, 1, 0, set));
    assert_true(tape_edit(head.tape, head.x, 1, 0, -2));
    const Tensor *scores = &tape_node(head.tape, head.scores)->output;
    assert_close(&scores->values[3], &set, 1, 0);
    assert_true(tape_cell_edited(head.tape, head.scores, 1, 0, &read));
    assert_close(&read, &set, 1, 0);
    assert_false(tape_cell_edited(head.tape, head.scores, 1, 1, NULL));
    assert_false(tape_cell_edited(head.tape, head.q, 1, 0, NULL));
    /* its neighbour follows the new words */
    double neighbour = tensor_at(scores, 1, 1);
    assert_false(neighbour == tape_original(head.tape, head.scores, 1, 1));

    assert_true(tape_unedit(head.tape, head.scores, 1, 0));
    double x[COUNT(x_values)];
    memcpy(x, x_values, sizeof x);
    x[2] = -2;
    Head other = head_create(x);
    assert_true(same_values(head.tape, other.tape));
    assert_true(tape_unedit(head.tape, head.x, 1, 0));
    assert_true(same_values(head.tape, fresh.tape));
    head_finish(&head);
    head_finish(&fresh);
    head_finish(&other);
}

static void test_the_list_of_edits_is_in_order_and_keeps_the_last_value(void **state) {
    Head head = head_create(NULL);
    Tape *tape = head.tape;
    assert_int_equal(tape_edit_count(tape), 0);
    assert_true(tape_edit(tape, head.v, 0, 0, 1));
    assert_true(tape_edit(tape, head.x, 2, 1, 2));
    assert_true(tape_edit(tape, head.v, 0, 0, 3));
    assert_true(tape_edit(tape, head.v, 1, 0, 4));
    assert_int_equal(tape_edit_count(tape), 3);
    const double values[] = {3, 2, 4};
    const size_t nodes[] = {head.v, head.x, head.v};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(tape_edit_at(tape, i)->node, nodes[i]);
        assert_close(&tape_edit_at(tape, i)->value, &values[i], 1, 0);
    }
    assert_true(tape_unedit(tape, head.v, 0, 0));
    assert_true(tape_node(tape, head.v)->edited); /* one of two is left */
    assert_int_equal(tape_edit_at(tape, 0)->node, head.x);
    assert_true(tape_unedit(tape, head.v, 1, 0));
    assert_false(tape_node(tape, head.v)->edited);
    assert_int_equal(tape_edit_count(tape), 1);
    head_finish(&head);
}

static void test_many_edits_are_all_kept_and_all_taken_back(void **state) {
    Head head = head_create(NULL), fresh = head_create(NULL);
    for (size_t i = 0; i < 9; i++)
        assert_true(tape_edit(head.tape, head.scores, i / 3, i % 3, (double)i));
    for (size_t i = 0; i < 6; i++)
        assert_true(tape_edit(head.tape, head.x, i / 2, i % 2, (double)i));
    for (size_t i = 0; i < 6; i++)
        assert_true(tape_edit(head.tape, head.q, i / 2, i % 2, (double)i));
    assert_int_equal(tape_edit_count(head.tape), 21);
    for (size_t i = 0; i < 9; i++) {
        double expected = (double)i;
        assert_close(&tape_node(head.tape, head.scores)->output.values[i], &expected, 1,
                     0);
    }
    while (tape_edit_count(head.tape)) {
        TapeEdit edit = *tape_edit_at(head.tape, tape_edit_count(head.tape) / 2);
        assert_true(tape_unedit(head.tape, edit.node, edit.row, edit.col));
    }
    assert_true(same_values(head.tape, fresh.tape));
    head_finish(&head);
    head_finish(&fresh);
}

static void test_cells_that_do_not_exist_can_not_be_edited(void **state) {
    Head head = head_create(NULL), fresh = head_create(NULL);
    assert_false(tape_edit(head.tape, head.x, 3, 0, 1));
    assert_false(tape_edit(head.tape, head.x, 0, 2, 1));
    assert_false(tape_edit(head.tape, tape_count(head.tape), 0, 0, 1));
    assert_false(tape_edit(head.tape, TAPE_NONE, 0, 0, 1));
    assert_false(tape_unedit(head.tape, head.x, 0, 0)); /* never edited */
    assert_int_equal(tape_edit_count(head.tape), 0);
    assert_true(same_values(head.tape, fresh.tape));
    head_finish(&head);
    head_finish(&fresh);
}

static void test_edits_that_make_no_sense_are_survived(void **state) {
    Head head = head_create(NULL), fresh = head_create(NULL);
    const double values[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308};
    for (size_t i = 0; i < COUNT(values); i++) {
        for (size_t node = 0; node < tape_count(head.tape); node++)
            assert_true(tape_edit(head.tape, node, 0, 0, values[i]));
    }
    tape_restore(head.tape);
    assert_true(same_values(head.tape, fresh.tape));
    head_finish(&head);
    head_finish(&fresh);
}

static void test_an_edited_id_looks_up_another_row_or_nothing(void **state) {
    Arena *arena = arena_create(PLENTY);
    Tape *tape = tape_create(arena);
    const double table[] = {1, 2, 3, 4}, ids[] = {1, 0};
    size_t table_node, id_node, rows;
    assert_true(give(tape, arena, "E", 2, 2, table, &table_node, NULL));
    assert_true(give(tape, arena, "ids", 1, 2, ids, &id_node, NULL));
    assert_true(append(tape, OPERATION_EMBED, "X", table_node, id_node, &rows, NULL));
    const double before[] = {3, 4, 1, 2}, after[] = {1, 2, 1, 2};
    const Tensor *x = &tape_node(tape, rows)->output;
    assert_close(x->values, before, 4, 0);
    assert_true(tape_edit(tape, id_node, 0, 0, 0));
    assert_close(x->values, after, 4, 0);
    assert_true(tape_edit(tape, id_node, 0, 0, 7));
    assert_true(isnan(x->values[0]) && isnan(x->values[1]));
    assert_close(x->values + 2, after + 2, 2, 0);
    arena_destroy(arena);
}

/* ---- mutes and restore ---- */

static void test_a_muted_operation_is_the_identity_of_its_first_input(void **state) {
    Head head = head_create(NULL), fresh = head_create(NULL);
    const size_t nodes[] = {head.scaled, head.masked, head.weights};
    for (size_t i = 0; i < COUNT(nodes); i++) {
        assert_true(tape_mute(head.tape, nodes[i], true));
        const TapeNode *node = tape_node(head.tape, nodes[i]);
        const TapeNode *input = tape_node(head.tape, node->inputs[0]);
        assert_true(node->muted);
        assert_int_equal(tape_replayed(head.tape), head.output - nodes[i] + 1);
        assert_memory_equal(node->output.values, input->output.values,
                            tensor_cells(&node->output) * sizeof(double));
        assert_true(tape_changed(head.tape, nodes[i]));
        assert_true(tape_mute(head.tape, nodes[i], false));
        assert_false(node->muted);
        assert_true(same_values(head.tape, fresh.tape));
    }
    head_finish(&head);
    head_finish(&fresh);
}

static void test_what_can_not_stand_in_can_not_be_muted(void **state) {
    Head head = head_create(NULL), fresh = head_create(NULL);
    assert_false(tape_mute(head.tape, head.x, true));
    assert_false(tape_mute(head.tape, head.q, true)); /* even where the shape agrees */
    assert_false(tape_mute(head.tape, head.k_t, true));
    assert_false(tape_mute(head.tape, head.mask, true));
    /* A column plus a row is larger than the column. */
    const double values[] = {1, 2, 3};
    size_t column, row, sum;
    assert_true(give(head.tape, head.arena, "c", 3, 1, values, &column, NULL));
    assert_true(give(head.tape, head.arena, "r", 1, 3, values, &row, NULL));
    assert_true(append(head.tape, OPERATION_ADD, "s", column, row, &sum, NULL));
    assert_false(tape_mute(head.tape, sum, true));
    assert_false(tape_node(head.tape, sum)->muted);
    assert_int_equal(tape_node(head.tape, sum)->output.cols, 3);
    head_finish(&head);
    head_finish(&fresh);
}

static void test_edits_hold_on_a_muted_operation(void **state) {
    Head head = head_create(NULL);
    const double set = 42;
    assert_true(tape_mute(head.tape, head.scaled, true));
    assert_true(tape_edit(head.tape, head.scaled, 0, 1, set));
    const Tensor *scaled = &tape_node(head.tape, head.scaled)->output;
    const Tensor *scores = &tape_node(head.tape, head.scores)->output;
    assert_close(&scaled->values[1], &set, 1, 0);
    assert_close(&scaled->values[2], &scores->values[2], 1, 0);
    head_finish(&head);
}

static void test_restore_takes_everything_back(void **state) {
    Head head = head_create(NULL), fresh = head_create(NULL);
    assert_true(tape_edit(head.tape, head.x, 0, 0, 5));
    assert_true(tape_mute(head.tape, head.scaled, true));
    assert_true(tape_edit(head.tape, head.weights, 2, 2, 1));
    tape_restore(head.tape);
    assert_true(same_values(head.tape, fresh.tape));
    assert_unchanged(head.tape);
    assert_int_equal(tape_edit_count(head.tape), 0);
    assert_false(tape_node(head.tape, head.scaled)->muted);
    assert_false(tape_node(head.tape, head.x)->edited);
    /* and a later edit starts from the original again */
    double x[COUNT(x_values)];
    memcpy(x, x_values, sizeof x);
    x[5] = 0.5;
    Head other = head_create(x);
    assert_true(tape_edit(head.tape, head.x, 2, 1, 0.5));
    assert_true(same_values(head.tape, other.tape));
    head_finish(&head);
    head_finish(&fresh);
    head_finish(&other);
}

/* A fixed sequence of pseudorandom edits, unedits and mutes, checked against tapes made
 * anew: whatever came before, the values are those of the changes now in force. */
static void test_any_sequence_of_changes_equals_making_just_those_left(void **state) {
    Head head = head_create(NULL);
    uint32_t seed = 12345;
    for (size_t turn = 0; turn < 300; turn++) {
        seed = seed * 1664525u + 1013904223u;
        size_t node = (seed >> 8) % tape_count(head.tape);
        const Tensor *output = &tape_node(head.tape, node)->output;
        size_t row = (seed >> 16) % output->rows, col = (seed >> 20) % output->cols;
        switch (seed >> 30) {
        case 0:
        case 1:
            assert_true(tape_edit(head.tape, node, row, col, (seed >> 12) % 7 * 0.5));
            break;
        case 2:
            if (tape_cell_edited(head.tape, node, row, col, NULL))
                assert_true(tape_unedit(head.tape, node, row, col));
            break;
        default:
            tape_mute(head.tape, node, !tape_node(head.tape, node)->muted);
        }
        Head anew = head_create(NULL);
        for (size_t i = 0; i < tape_count(head.tape); i++) {
            if (tape_node(head.tape, i)->muted)
                assert_true(tape_mute(anew.tape, i, true));
        }
        for (size_t i = tape_edit_count(head.tape); i > 0; i--) {
            const TapeEdit *edit = tape_edit_at(head.tape, i - 1);
            assert_true(
                tape_edit(anew.tape, edit->node, edit->row, edit->col, edit->value));
        }
        assert_true(same_values(head.tape, anew.tape));
        head_finish(&anew);
    }
    head_finish(&head);
}

/* ---- explanations ---- */

static const Tensor *const *inputs_of(const Tape *tape, const TapeNode *node,
                                      const Tensor *space[4]) {
    for (size_t i = 0; i < node->input_count; i++)
        space[i] = &tape_node(tape, node->inputs[i])->output;
    return space;
}

static void assert_explained(const Head *head, Arena *arena) {
    const Tensor *space[4];
    for (size_t i = 0; i < tape_count(head->tape); i++) {
        const TapeNode *node = tape_node(head->tape, i);
        for (size_t cell = 0; cell < tensor_cells(&node->output); cell++) {
            arena_reset(arena);
            const Term *term = tape_explain(head->tape, i, cell / node->output.cols,
                                            cell % node->output.cols, arena);
            assert_non_null(term);
            assert_close(&term->value, &node->output.values[cell], 1, 1e-12);
            double again = term_evaluate(term, inputs_of(head->tape, node, space));
            assert_close(&again, &node->output.values[cell], 1, 1e-12);
        }
    }
}

static void test_every_cell_is_explained_before_and_after_changes(void **state) {
    Head head = head_create(NULL);
    Arena *arena = arena_create(1 << 20);
    assert_explained(&head, arena);
    assert_true(tape_edit(head.tape, head.x, 1, 1, -3));
    assert_true(tape_edit(head.tape, head.scores, 1, 1, 0.5));
    assert_true(tape_mute(head.tape, head.scaled, true));
    assert_explained(&head, arena);

    const Term *edited = tape_explain(head.tape, head.scores, 1, 1, arena);
    assert_int_equal(edited->kind, TERM_NUMBER);
    const Term *given = tape_explain(head.tape, head.w_q, 0, 0, arena);
    assert_int_equal(given->kind, TERM_NUMBER);
    const Term *muted = tape_explain(head.tape, head.scaled, 2, 0, arena);
    assert_int_equal(muted->kind, TERM_CELL);
    assert_int_equal(muted->input, 0);
    assert_int_equal(muted->row, 2);
    assert_int_equal(muted->col, 0);
    const Term *beside = tape_explain(head.tape, head.scores, 1, 0, arena);
    assert_int_equal(beside->kind, TERM_SUM);
    arena_destroy(arena);
    head_finish(&head);
}

/* A cell that is explained under a guard of the caller's. */
typedef struct Explained {
    const Head *head;
    Arena *arena;
    bool went_on;
} Explained;

static void explain_and_go_on(void *context) {
    Explained *this = context;
    tape_explain(this->head->tape, this->head->scores, 1, 1, this->arena);
    this->went_on = true;
}

/* Without a guard there is no term; under one nothing that uses the term is reached. */
static void test_an_explanation_without_memory_ends_the_guarded_work(void **state) {
    Head head = head_create(NULL);
    Explained explained = {&head, arena_create(64), false};
    assert_null(tape_explain(head.tape, head.scores, 1, 1, explained.arena));
    assert_false(arena_guard(explained.arena, explain_and_go_on, &explained));
    assert_false(explained.went_on);
    arena_destroy(explained.arena);
    head_finish(&head);
}

/* ---- limits ---- */

static void test_tensors_past_the_limit_are_refused(void **state) {
    Arena *arena = arena_create(PLENTY);
    Tape *tape = tape_create(arena);
    double number = 0;
    const size_t shapes[][2] = {{1, TENSOR_MAX_CELLS + 1},
                                {TENSOR_MAX_CELLS / 2 + 1, 2},
                                {SIZE_MAX, SIZE_MAX},
                                {SIZE_MAX / 2 + 1, 2}};
    for (size_t i = 0; i < COUNT(shapes); i++) {
        Tensor huge = {.rows = shapes[i][0], .cols = shapes[i][1], .values = &number};
        OperationOptions options = {.rows = huge.rows, .cols = huge.cols};
        Error error = {0};
        assert_false(tape_given(tape, "X", huge, NULL, &error));
        assert_int_equal(error.code, ERROR_LIMIT);
        assert_contains(error.message, "4194304");
        error = (Error){0};
        assert_false(tape_append(tape, OPERATION_POSITIONAL_ENCODING, NULL, 0, options,
                                 "P", NULL, &error));
        assert_int_equal(error.code, ERROR_LIMIT);
    }
    assert_int_equal(tape_count(tape), 0);
    arena_destroy(arena);
}

static void test_empty_tensors_are_refused(void **state) {
    Arena *arena = arena_create(PLENTY);
    Tape *tape = tape_create(arena);
    double number = 0;
    const size_t shapes[][2] = {{0, 0}, {0, 3}, {3, 0}};
    for (size_t i = 0; i < COUNT(shapes); i++) {
        Tensor empty = {.rows = shapes[i][0], .cols = shapes[i][1], .values = &number};
        Error error = {0};
        assert_false(tape_given(tape, "X", empty, NULL, &error));
        assert_int_equal(error.code, ERROR_SHAPE);
        error = (Error){0};
        assert_false(
            tape_append(tape, OPERATION_POSITIONAL_ENCODING, NULL, 0,
                        (OperationOptions){.rows = empty.rows, .cols = empty.cols}, "M",
                        NULL, &error));
        assert_int_equal(error.code, ERROR_SHAPE);
    }
    arena_destroy(arena);
}

static void test_a_tape_past_its_limit_is_refused(void **state) {
    Arena *arena = arena_create((size_t)256 << 20);
    Tape *tape = tape_create(arena);
    size_t node;
    const double one = 1;
    assert_true(give(tape, arena, "x", 1, 1, &one, &node, NULL));
    for (size_t i = 1; i < TAPE_MAX_NODES; i++)
        assert_true(append(tape, OPERATION_RELU, "", node, 0, &node, NULL));
    Error error = {0};
    assert_false(append(tape, OPERATION_RELU, "", node, 0, &node, &error));
    assert_int_equal(error.code, ERROR_LIMIT);
    assert_contains(error.message, "100000");
    error = (Error){0};
    assert_false(give(tape, arena, "y", 1, 1, &one, NULL, &error));
    assert_int_equal(error.code, ERROR_LIMIT);
    /* and the longest tape still replays */
    assert_true(tape_edit(tape, 0, 0, 0, 2));
    assert_int_equal(tape_replayed(tape), TAPE_MAX_NODES);
    const double two = 2;
    assert_close(tape_node(tape, TAPE_MAX_NODES - 1)->output.values, &two, 1, 0);
    arena_destroy(arena);
}

static void test_a_refused_operation_leaves_the_tape_as_it_was(void **state) {
    Head head = head_create(NULL), fresh = head_create(NULL);
    Error error = {0};
    size_t node = 77;
    assert_false(append(head.tape, OPERATION_MATMUL, "R", head.q, head.k, &node, &error));
    assert_int_equal(error.code, ERROR_SHAPE);
    error = (Error){0};
    assert_false(
        append(head.tape, OPERATION_EMBED, "R", head.w_q, head.root, &node, &error));
    assert_int_equal(error.code, ERROR_VALUE);
    assert_int_equal(node, 77);
    assert_int_equal(tape_find(head.tape, "R"), TAPE_NONE);
    assert_true(same_values(head.tape, fresh.tape));
    head_finish(&head);
    head_finish(&fresh);
}

static void test_a_concat_of_many_parts_replays_too(void **state) {
    enum { PARTS = 200 };
    Arena *arena = arena_create(PLENTY);
    Tape *tape = tape_create(arena);
    const double one = 1, two = 2;
    size_t part, whole, inputs[PARTS];
    assert_true(give(tape, arena, "x", 1, 1, &one, &part, NULL));
    for (size_t i = 0; i < PARTS; i++)
        inputs[i] = part;
    assert_true(tape_append(tape, OPERATION_CONCAT, inputs, PARTS, (OperationOptions){0},
                            "C", &whole, NULL));
    assert_true(tape_edit(tape, part, 0, 0, 2));
    size_t used = arena_used(arena);
    for (size_t i = 0; i < PARTS; i++)
        assert_close(&tape_node(tape, whole)->output.values[i], &two, 1, 0);
    for (int i = 0; i < 100; i++)
        assert_true(tape_edit(tape, part, 0, 0, i));
    assert_int_equal(arena_used(arena), used); /* replays allocate nothing more */
    arena_destroy(arena);
}

/* Holding allocates memory for each node, also on an empty tape. */
static void test_an_empty_tape_is_held_and_released(void **state) {
    (void)state;
    Arena *arena = arena_create(1 << 16);
    Tape *tape = tape_create(arena);
    assert_non_null(tape);
    assert_true(tape_hold(tape));
    assert_true(tape_release(tape));
    assert_int_equal(tape_count(tape), 0);
    arena_destroy(arena);
}

/* A change that there is no memory for fails whole: nothing has changed. */
static void test_changes_survive_every_limit_of_memory(void **state) {
    size_t needed = 0, edits_refused = 0, mutes_refused = 0;
    Head whole = head_create(NULL);
    needed = arena_used(whole.arena);
    for (size_t limit = needed; limit < needed + 4096; limit += 16) {
        Head head;
        assert_true(head_init(&head, limit, NULL, NULL));
        if (!tape_mute(head.tape, head.scaled, true)) {
            mutes_refused++;
            assert_true(same_values(head.tape, whole.tape));
            assert_false(tape_node(head.tape, head.scaled)->muted);
        }
        tape_restore(head.tape);
        if (!tape_edit(head.tape, head.x, 0, 0, 9)) {
            edits_refused++;
            assert_true(same_values(head.tape, whole.tape));
            assert_int_equal(tape_edit_count(head.tape), 0);
            assert_false(tape_node(head.tape, head.x)->edited);
            assert_false(tape_cell_edited(head.tape, head.x, 0, 0, NULL));
        } else {
            assert_true(tape_unedit(head.tape, head.x, 0, 0));
            assert_true(same_values(head.tape, whole.tape));
        }
        head_finish(&head);
    }
    assert_true(edits_refused > 5 && edits_refused < 200);
    assert_true(mutes_refused > 5 && mutes_refused < edits_refused);
    head_finish(&whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_appending_computes_at_once),
        cmocka_unit_test(test_names_find_the_last_node_that_has_them),
        cmocka_unit_test(test_labels_can_be_given_and_are_passed_on),
        cmocka_unit_test(test_ids_set_by_hand_are_called_what_they_choose),
        cmocka_unit_test(test_groups_nest_and_know_their_nodes),
        cmocka_unit_test(test_an_edit_reaches_just_what_depends_on_it),
        cmocka_unit_test(test_nodes_that_do_not_depend_on_an_edit_keep_no_copy),
        cmocka_unit_test(test_a_replay_equals_a_fresh_tape_of_the_edited_inputs),
        cmocka_unit_test(test_edits_in_the_middle_hold_against_replays_from_before),
        cmocka_unit_test(test_the_list_of_edits_is_in_order_and_keeps_the_last_value),
        cmocka_unit_test(test_many_edits_are_all_kept_and_all_taken_back),
        cmocka_unit_test(test_cells_that_do_not_exist_can_not_be_edited),
        cmocka_unit_test(test_edits_that_make_no_sense_are_survived),
        cmocka_unit_test(test_an_edited_id_looks_up_another_row_or_nothing),
        cmocka_unit_test(test_a_muted_operation_is_the_identity_of_its_first_input),
        cmocka_unit_test(test_what_can_not_stand_in_can_not_be_muted),
        cmocka_unit_test(test_edits_hold_on_a_muted_operation),
        cmocka_unit_test(test_restore_takes_everything_back),
        cmocka_unit_test(test_any_sequence_of_changes_equals_making_just_those_left),
        cmocka_unit_test(test_every_cell_is_explained_before_and_after_changes),
        cmocka_unit_test(test_an_explanation_without_memory_ends_the_guarded_work),
        cmocka_unit_test(test_tensors_past_the_limit_are_refused),
        cmocka_unit_test(test_empty_tensors_are_refused),
        cmocka_unit_test(test_a_tape_past_its_limit_is_refused),
        cmocka_unit_test(test_a_refused_operation_leaves_the_tape_as_it_was),
        cmocka_unit_test(test_a_concat_of_many_parts_replays_too),
        cmocka_unit_test(test_an_empty_tape_is_held_and_released),
        cmocka_unit_test(test_changes_survive_every_limit_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
