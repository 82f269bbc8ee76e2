/* Manual changes of a lesson's tape: undone and redone, written into the lesson's file
 * and read back, and replayed as if the lesson had been so from the start. */
#include "contains.h"
#include "lesson/content/problem.h"
#include "lesson/play/changes_file.h"
#include "lesson/schema/yaml.h"
#include "tensor/tape/tape.h"

#include "close.h"
#include "course_files.h"
#include "lesson/content/changes.h"
#include "lesson_text.h"

#include <float.h>

enum { SCRATCH = 64 << 20 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char SMALL[] = "title: Small # a comment\n"
                            "given:\n"
                            "  X: [[1, 0], [0.5, 2]]   # rows\n"
                            "  W: [[0.1, 0.2], [0.3, 0.4]]\n"
                            "\n"
                            "steps:\n"
                            "  - do: Q = X @ W\n"
                            "  - do: A = softmax(Q @ Q.T / sqrt(2))\n"
                            "  - do: R = relu(Q)\n"
                            "  - do: O = A @ R\n";

static size_t named(const Lesson *lesson, const char *name) {
    size_t node = tape_find(lesson->tape, name);
    assert_true(node != TAPE_NONE);
    return node;
}

static double cell(const Lesson *lesson, const char *name, size_t row, size_t col) {
    return tensor_at(&tape_node(lesson->tape, named(lesson, name))->output, row, col);
}

/* ---- the list ---- */

/* All values of a tape, one after the other. The caller frees them. */
static double *all_values(const Tape *tape, size_t *count) {
    *count = 0;
    for (size_t i = 0; i < tape_count(tape); i++)
        *count += tensor_cells(&tape_node(tape, i)->output);
    double *values = malloc(*count * sizeof *values), *at = values;
    assert_non_null(values);
    for (size_t i = 0; i < tape_count(tape); i++) {
        const Tensor *tensor = &tape_node(tape, i)->output;
        memcpy(at, tensor->values, tensor_cells(tensor) * sizeof *at);
        at += tensor_cells(tensor);
    }
    return values;
}

/* Returns true if a tape has these values, bit for bit. */
static bool has_values(const Tape *tape, const double *values, size_t count) {
    size_t present;
    double *now = all_values(tape, &present);
    bool same = present == count && memcmp(now, values, count * sizeof *now) == 0;
    free(now);
    return same;
}

static void test_every_change_is_undone_and_redone_exactly(void **state) {
    Lesson *lesson = lesson_good(SMALL);
    Changes *changes = lesson->changes;
    enum { STATES = 6 };
    double *states[STATES];
    size_t count;
    states[0] = all_values(lesson->tape, &count);
    assert_true(changes_set(changes, named(lesson, "X"), 0, 1, 0.25, false));
    states[1] = all_values(lesson->tape, &count);
    assert_true(changes_set(changes, named(lesson, "Q"), 1, 1, -3, false));
    states[2] = all_values(lesson->tape, &count);
    assert_true(changes_set(changes, named(lesson, "X"), 0, 1, 7, false));
    states[3] = all_values(lesson->tape, &count);
    assert_true(changes_mute(changes, named(lesson, "R"), true));
    states[4] = all_values(lesson->tape, &count);
    assert_true(changes_restore(changes));
    states[5] = all_values(lesson->tape, &count);
    assert_memory_equal(states[5], states[0], count * sizeof(double));
    for (size_t round = 0; round < 2; round++) {
        for (size_t i = STATES - 1; i > 0; i--) {
            assert_int_equal(changes_undoable(changes), i);
            assert_true(changes_undo(changes));
            assert_true(has_values(lesson->tape, states[i - 1], count));
        }
        assert_false(changes_undo(changes));
        for (size_t i = 1; i < STATES; i++) {
            assert_true(changes_redo(changes));
            assert_true(has_values(lesson->tape, states[i], count));
        }
        assert_false(changes_redo(changes));
    }
    for (size_t i = 0; i < STATES; i++)
        free(states[i]);
    lesson_destroy(lesson);
}

static void test_a_new_change_drops_those_that_were_undone(void **state) {
    Lesson *lesson = lesson_good(SMALL);
    Changes *changes = lesson->changes;
    size_t x = named(lesson, "X");
    changes_set(changes, x, 0, 0, 2, false);
    changes_set(changes, x, 0, 0, 3, false);
    changes_undo(changes);
    assert_int_equal(changes_redoable(changes), 1);
    changes_set(changes, x, 1, 1, 9, false);
    assert_int_equal(changes_redoable(changes), 0);
    assert_int_equal(changes_undoable(changes), 2);
    changes_undo(changes);
    assert_true(cell(lesson, "X", 0, 0) == 2);
    lesson_destroy(lesson);
}

static void test_turning_a_wheel_is_one_change(void **state) {
    Lesson *lesson = lesson_good(SMALL);
    Changes *changes = lesson->changes;
    size_t x = named(lesson, "X");
    for (int i = 1; i <= 20; i++)
        assert_true(changes_set(changes, x, 0, 0, 1 + i, true));
    assert_int_equal(changes_undoable(changes), 1);
    changes_set(changes, x, 0, 1, 5, true);
    assert_int_equal(changes_undoable(changes), 2);
    changes_undo(changes);
    changes_set(changes, x, 0, 0, 50, true); /* not onto what was gone back to */
    assert_int_equal(changes_undoable(changes), 2);
    changes_undo(changes);
    assert_true(cell(lesson, "X", 0, 0) == 21);
    changes_undo(changes);
    assert_true(cell(lesson, "X", 0, 0) == 1);
    lesson_destroy(lesson);
}

static void test_what_is_no_change_is_not_in_the_list(void **state) {
    Lesson *lesson = lesson_good(SMALL);
    Changes *changes = lesson->changes;
    size_t x = named(lesson, "X");
    assert_false(changes_set(changes, x, 2, 0, 1, false));
    assert_false(changes_set(changes, tape_count(lesson->tape), 0, 0, 1, false));
    assert_false(changes_mute(changes, x, true));
    assert_false(changes_mute(changes, named(lesson, "R"), false));
    assert_false(changes_restore(changes));
    assert_int_equal(changes_undoable(changes), 0);
    assert_true(changes_set(changes, x, 0, 0, 4, false));
    assert_false(changes_set(changes, x, 0, 0, 4, false));
    assert_int_equal(changes_undoable(changes), 1);
    lesson_destroy(lesson);
}

static void test_what_is_as_it_was_is_no_change(void **state) {
    Lesson *lesson = lesson_good(SMALL);
    Changes *changes = lesson->changes;
    size_t x = named(lesson, "X"), q = named(lesson, "Q"), count;
    double *before = all_values(lesson->tape, &count);
    assert_true(changes_set(changes, x, 0, 1, 0.25, false));
    double *changed = all_values(lesson->tape, &count);
    assert_true(changes_set(changes, x, 0, 1, 0, false));
    assert_false(changes_any(changes));
    assert_true(has_values(lesson->tape, before, count));
    assert_true(changes_undo(changes));
    assert_true(has_values(lesson->tape, changed, count));
    assert_true(changes_redo(changes));
    assert_false(changes_any(changes));
    assert_false(changes_set(changes, x, 0, 1, 0, false));

    /* a computed cell that is set back, but whose sources are others by now, stays set */
    double was = cell(lesson, "Q", 0, 0);
    assert_true(changes_set(changes, x, 0, 0, 3, false));
    assert_true(changes_set(changes, q, 0, 0, was, false));
    assert_true(cell(lesson, "Q", 0, 0) == was);
    assert_true(tape_cell_edited(lesson->tape, q, 0, 0, NULL));
    free(before);
    free(changed);
    lesson_destroy(lesson);
}

static void test_the_count_says_how_far_a_change_reaches(void **state) {
    Lesson *lesson = lesson_good(SMALL);
    changes_set(lesson->changes, named(lesson, "R"), 0, 0, 100, false);
    ChangesCount count = changes_count(lesson->changes);
    assert_int_equal(count.tensors, 2); /* R and O */
    assert_int_equal(count.cells, 3);   /* one of R, a column of O */
    assert_int_equal(count.computed, 2);
    changes_restore(lesson->changes);
    changes_set(lesson->changes, named(lesson, "X"), 0, 0, 3, false);
    count = changes_count(lesson->changes);
    /* Q, its transpose, the product, the quotient, the softmax, R, O: not X itself */
    assert_int_equal(count.computed, 7);
    lesson_destroy(lesson);
}

static void test_a_transpose_without_a_step_hands_on_to_what_it_transposes(void **state) {
    Lesson *lesson = lesson_good(SMALL);
    size_t node = named(lesson, "Q.T"), row = 0, col = 1;
    changes_resolve(lesson->tape, &node, &row, &col);
    assert_int_equal(node, named(lesson, "Q"));
    assert_int_equal(row, 1);
    assert_int_equal(col, 0);
    lesson_destroy(lesson);
}

/* ---- nudging ---- */

static void test_a_step_is_a_tenth_of_the_largest_rounded(void **state) {
    static const struct {
        const char *values;
        double step;
    } cases[] = {{"[1, 0]", 0.1},   {"[2.4, -1]", 0.2}, {"[-4, 1]", 0.5},
                 {"[8, inf]", 1},   {"[0, 0]", 0.1},    {"[0.003]", 0.0002},
                 {"[1e6, 1]", 1e5}, {"[30, 20]", 2}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[200];
        snprintf(text, sizeof text, "title: t\ngiven:\n  X: %s\nsteps:\n  - show: X\n",
                 cases[i].values);
        Lesson *lesson = lesson_good(text);
        double step = changes_step(lesson->tape, named(lesson, "X"));
        assert_close(&step, &cases[i].step, 1, 1e-12 * cases[i].step);
        lesson_destroy(lesson);
    }
    Lesson *ids = lesson_good("title: t\ngiven:\n  E: [[1], [2], [3]]\n  ids: [2, 1]\n"
                              "steps:\n  - do: X = embed(E, ids)\n");
    assert_true(changes_step(ids->tape, named(ids, "ids")) == 1);
    lesson_destroy(ids);
}

static void test_nudged_decimals_stay_short(void **state) {
    double value = 0.1;
    for (int i = 0; i < 7; i++)
        value = changes_nudged(value, 0.1, 1);
    assert_true(value == 0.8);
    assert_true(changes_nudged(0.3, 0.1, -3) == 0);
    assert_true(changes_nudged(0.25, 0.02, 1) == 0.27);
    assert_true(changes_nudged(1e5, 2e4, 2) == 1.4e5);
    assert_true(changes_nudged(-INFINITY, 0.1, 1) == -INFINITY);
    assert_true(changes_nudged(1.7e308, 2e307, 9) == DBL_MAX);
    assert_true(changes_nudged(-1.75e308, 2e307, -1) == -DBL_MAX);
    assert_true(isfinite(changes_nudged(3e-310, 1e-310, 1)));
    double odd = changes_nudged(0.7310585786300049, 0.1, 1),
           sum = 0.7310585786300049 + 0.1;
    assert_close(&odd, &sum, 1, 1e-15);
}

/* ---- replays ---- */

/* How many nodes depend on one, itself included: counted without the tape's help. */
static size_t count_dependants(const Tape *tape, size_t node) {
    bool *depends = calloc(tape_count(tape), sizeof *depends);
    size_t count = 1;
    assert_non_null(depends);
    depends[node] = true;
    for (size_t i = node + 1; i < tape_count(tape); i++) {
        const TapeNode *at = tape_node(tape, i);
        depends[i] = at->repeats == node;
        for (size_t k = 0; k < at->input_count; k++)
            depends[i] |= depends[at->inputs[k]];
        count += depends[i];
    }
    free(depends);
    return count;
}

/* Some nodes of a tape, spread over it. */
static size_t sample_stride(const Tape *tape) {
    enum { SAMPLES = 12 };
    return tape_count(tape) / SAMPLES + 1;
}

static void test_only_what_depends_on_a_change_is_computed_again(void **state) {
    CourseFiles *files = *state;
    for (size_t k = 0; k < files->count; k++) {
        Tape *tape = files->lessons[k]->tape;
        for (size_t i = 0; i < tape_count(tape); i += sample_stride(tape)) {
            assert_true(tape_edit(tape, i, 0, 0, 0.375));
            assert_int_equal(tape_replayed(tape), count_dependants(tape, i));
            assert_true(tape_unedit(tape, i, 0, 0));
            assert_int_equal(tape_replayed(tape), count_dependants(tape, i));
        }
    }
}

/* Sets a cell of some nodes, by what can be named, and mutes what can be. */
static void change_some(const Lesson *lesson, const Player *player, Arena *arena) {
    const Tape *tape = lesson->tape;
    for (size_t i = 0; i < tape_count(tape); i += sample_stride(tape)) {
        const Tensor *tensor = &tape_node(tape, i)->output;
        double value = tensor->values[0] + 0.1;
        if (changes_name(player, i, arena) && isfinite(value) &&
            tape_accepts(tape, i, 0, 0, value, &(Error){0}))
            changes_set(lesson->changes, i, 0, 0, value, false);
        size_t other = i + sample_stride(tape) / 2;
        if (other < tape_count(tape) && changes_name(player, other, arena))
            changes_mute(lesson->changes, other, true);
    }
}

static void test_a_replay_is_what_computing_everything_again_gives(void **state) {
    CourseFiles *files = *state;
    for (size_t k = 0; k < files->count; k++) {
        const Lesson *lesson = files->lessons[k];
        Player player;
        Arena *arena = arena_create(SCRATCH);
        assert_true(player_init(&player, lesson));
        change_some(lesson, &player, arena);
        size_t count;
        double *values = all_values(lesson->tape, &count);
        tape_recompute(lesson->tape, 0, tape_count(lesson->tape));
        assert_true(has_values(lesson->tape, values, count));
        free(values);
        arena_destroy(arena);
        while (changes_undo(lesson->changes)) {
        }
        assert_false(changes_any(lesson->changes));
        assert_int_equal(changes_count(lesson->changes).cells, 0);
    }
}

/* ---- in the file ---- */

static const char *read_file(const char *path, Arena *arena, size_t *length) {
    ErrorList errors = {0};
    const char *text = yaml_read_file(arena, path, length, &errors);
    assert_non_null(text);
    return text;
}

/* The lesson as it is when its kept text is read. */
static Lesson *read_back(const char *path, const char *text, size_t length) {
    ErrorList errors = {0};
    Lesson *lesson = lesson_parse(path, text, length, NULL, &errors);
    if (!lesson) {
        error_list_print(&errors, stderr);
        print_error("%s\n", text + length - (length > 600 ? 600 : length));
    }
    assert_non_null(lesson);
    return lesson;
}

static void test_a_kept_lesson_reads_back_bit_for_bit(void **state) {
    CourseFiles *files = *state;
    for (size_t k = 0; k < files->count; k++) {
        const Lesson *lesson = files->lessons[k];
        Arena *arena = arena_create(SCRATCH);
        Player player;
        Error error = {0};
        size_t length, whole, count;
        assert_true(player_init(&player, lesson));
        change_some(lesson, &player, arena);
        const char *before = read_file(lesson->file, arena, &length);
        whole = length;
        const char *text = changes_write(&player, before, &length, arena, &error);
        if (!text)
            fail_msg("%s: %s", lesson->id, error.message);
        assert_memory_equal(text, before, whole);
        double *values = all_values(lesson->tape, &count);
        Lesson *again = read_back(lesson->file, text, length);
        if (!has_values(again->tape, values, count))
            fail_msg("%s reads back otherwise:\n%s", lesson->id, text + whole);
        assert_int_equal(tape_edit_count(again->tape), tape_edit_count(lesson->tape));
        assert_int_equal(changes_undoable(again->changes), 0);
        assert_int_equal(changes_count(again->changes).cells,
                         changes_count(lesson->changes).cells);
        changes_restore(again->changes); /* back to the lesson it was made from */
        while (changes_undo(lesson->changes)) {
        }
        free(values);
        values = all_values(lesson->tape, &count);
        assert_true(has_values(again->tape, values, count));
        free(values);
        lesson_destroy(again);
        arena_destroy(arena);
    }
}

static const char *written(const Lesson *lesson, const char *text, Arena *arena) {
    Player player;
    Error error = {0};
    size_t length = strlen(text);
    assert_true(player_init(&player, lesson));
    const char *with = changes_write(&player, text, &length, arena, &error);
    if (!with)
        fail_msg("%s", error.message);
    assert_int_equal(strlen(with), length);
    return with;
}

static void test_every_byte_of_the_file_stays_and_the_list_is_at_its_end(void **state) {
    Arena *arena = arena_create(SCRATCH);
    Lesson *lesson = lesson_good(SMALL);
    char expected[2000];
    changes_set(lesson->changes, named(lesson, "W"), 0, 1, 1.0 / 3, false);
    changes_set(lesson->changes, named(lesson, "A") - 1, 1, 0, -INFINITY, false);
    changes_set(lesson->changes, named(lesson, "A") - 2, 0, 0, 2, false);
    changes_mute(lesson->changes, named(lesson, "R"), true);
    snprintf(expected, sizeof expected,
             "%schanges:\n"
             "  - {cell: [W, 0, 1], value: 0.3333333333333333}\n"
             "  - {cell: [2.2, 1, 0], value: -inf}\n"
             "  - {cell: [\"2.2 sqrt(2)\", 0, 0], value: 2}\n"
             "  - {mute: R}\n",
             SMALL);
    assert_string_equal(written(lesson, SMALL, arena), expected);
    lesson_destroy(lesson);
    arena_destroy(arena);
}

static void test_an_older_list_is_replaced_wherever_it_stands(void **state) {
    static const char OLD[] = "title: t\n"
                              "# before\n"
                              "changes: # these\n"
                              "  - {cell: [X, 0, 0], value: 5}\n"
                              "\n"
                              "# behind\n"
                              "given: {X: [1, 2]}\n"
                              "steps: [{do: Y = X + X}] # no line's end here";
    static const char NEW[] = "title: t\n"
                              "# before\n"
                              "\n"
                              "# behind\n"
                              "given: {X: [1, 2]}\n"
                              "steps: [{do: Y = X + X}] # no line's end here\n"
                              "changes:\n"
                              "  - {cell: [X, 0, 0], value: 5}\n"
                              "  - {cell: [X, 0, 1], value: 6}\n";
    static const char NONE[] = "title: t\n"
                               "# before\n"
                               "\n"
                               "# behind\n"
                               "given: {X: [1, 2]}\n"
                               "steps: [{do: Y = X + X}] # no line's end here\n";
    Arena *arena = arena_create(SCRATCH);
    Lesson *lesson = lesson_good(OLD);
    assert_true(cell(lesson, "Y", 0, 0) == 10);
    changes_set(lesson->changes, named(lesson, "X"), 0, 1, 6, false);
    assert_string_equal(written(lesson, OLD, arena), NEW);
    assert_string_equal(written(lesson, NEW, arena), NEW);
    changes_restore(lesson->changes);
    assert_string_equal(written(lesson, OLD, arena), NONE);
    lesson_destroy(lesson);
    arena_destroy(arena);
}

static void test_a_list_in_any_form_gives_way_to_the_new_one(void **state) {
    static const char *const lists[] = {
        "changes:\n  - {\nmute: Y}\n", "changes:\n  - {\nmute: Y}\n# the end\n",
        "changes: [{mute: Y},\n{cell: [X, 0, 0],\nvalue: 2}]\n",
        "changes:\n- cell: [X, 0, 0]\n  value: 2\n\n# the end\n",
        "changes:\n- mute:\n    \"Y\"\n"};
    Arena *arena = arena_create(SCRATCH);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const char *text = arena_format(
            arena, "title: t\ngiven: {X: [1, 2]}\nsteps:\n  - do: Y = X * 2\n%s",
            lists[i]);
        Lesson *lesson = lesson_good(text);
        changes_set(lesson->changes, named(lesson, "X"), 0, 1, 7, false);
        const char *with = written(lesson, text, arena);
        assert_int_equal(strstr(with, "# the end") != NULL,
                         strstr(text, "# the end") != NULL);
        Lesson *again = lesson_good(with);
        assert_int_equal(tape_edit_count(again->tape), tape_edit_count(lesson->tape));
        assert_true(tensor_at(&tape_node(again->tape, 0)->output, 0, 1) == 7);
        lesson_destroy(again);
        lesson_destroy(lesson);
    }
    arena_destroy(arena);
}

static void test_the_list_is_in_the_document_and_has_the_files_line_ends(void **state) {
    static const struct {
        const char *before, *after, *rest; /* the list between them; `after`: its ends */
    } cases[] = {
        {"steps:\n- do: Y = X * 2\n", "\n", "...\n"},
        {"steps:\n- do: Y = X * 2\n", "\n", "... # the end\n# of all\n"},
        {"steps:\r\n- do: Y = X * 2\r\n", "\r\n", ""},
        {"steps:\r\n- do: Y = X * 2\r\n", "\r\n", "...\r\n"},
        {"steps:\r- do: Y = X * 2\r", "\r", ""},
        {"steps:\n- do: Y = X * 2\n  say: |\n    ...\n    a\n", "\n", "..."},
    };
    Arena *arena = arena_create(SCRATCH);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *end = cases[i].after;
        const char *before = arena_format(arena, "title: t%sgiven: {X: [1, 2]}%s%s", end,
                                          end, cases[i].before);
        const char *text = arena_format(arena, "%s%s", before, cases[i].rest);
        Lesson *lesson = lesson_good(text);
        changes_set(lesson->changes, named(lesson, "X"), 0, 1, 7, false);
        assert_string_equal(
            written(lesson, text, arena),
            arena_format(arena, "%schanges:%s  - {cell: [X, 0, 1], value: 7}%s%s", before,
                         end, end, cases[i].rest));
        const char *kept = written(lesson, text, arena);
        assert_string_equal(written(lesson, kept, arena), kept);
        lesson_destroy(lesson);
    }
    arena_destroy(arena);
}

static const char *move_below(void *arena, const char *name, bool weights) {
    assert_true(!weights || *name == 'm' || *name == '/');
    return *name == '/' ? NULL : arena_format(arena, "/a/ö/%s", name);
}

static void test_weights_beside_a_file_are_found_from_elsewhere(void **state) {
    static const char *const cases[][2] = {
        {"model:\n  weights: {file: m.safetensors}\n",
         "model:\n  weights: {file: \"/a/ö/m.safetensors\"}\n"},
        {"model: {\"ö\": 1, weights: {file: 'm 1'}} # m\n",
         "model: {\"ö\": 1, weights: {file: \"/a/ö/m 1\"}} # m\n"},
        {"model: {weights: {file: /m}}\n", "model: {weights: {file: /m}}\n"},
        {"model: {weights: {random: 3}}\n", "model: {weights: {random: 3}}\n"},
        {"vocabularies:\n  V: {corpus_file: \"v\", size: 3}\nsteps: [{file: s}]\n",
         "vocabularies:\n  V: {corpus_file: \"/a/ö/v\", size: 3}\nsteps: [{file: s}]\n"},
        {"vocabularies: {V: {file: t}}\nmodel: {weights: {train: {texts_file: w}}}\n",
         "vocabularies: {V: {file: \"/a/ö/t\"}}\n"
         "model: {weights: {train: {texts_file: \"/a/ö/w\"}}}\n"},
        {"model: {weights: {train: {pairs_file: w}}}\n",
         "model: {weights: {train: {pairs_file: \"/a/ö/w\"}}}\n"},
        {"model: {weights: {train: {pairs_file: w, held_out_file: h, kept: k}}}\n",
         "model: {weights: {train: {pairs_file: \"/a/ö/w\", held_out_file: "
         "\"/a/ö/h\", kept: \"/a/ö/k\"}}}\n"},
        {"title: t\n", "title: t\n"},
    };
    Arena *arena = arena_create(SCRATCH);
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t length = strlen(cases[i][0]);
        const char *moved = changes_move(cases[i][0], &length, move_below, arena, arena);
        assert_string_equal(moved, cases[i][1]);
        assert_int_equal(length, strlen(moved));
    }
    arena_destroy(arena);
}

static void test_a_file_in_braces_can_not_take_a_list(void **state) {
    static const char BRACES[] =
        "{title: t, given: {X: [1]}, steps: [{do: Y = X + X}]}\n";
    Arena *arena = arena_create(SCRATCH);
    Lesson *lesson = lesson_good(BRACES);
    Player player;
    Error error = {0};
    size_t length = strlen(BRACES);
    assert_true(player_init(&player, lesson));
    changes_set(lesson->changes, named(lesson, "X"), 0, 0, 6, false);
    assert_null(changes_write(&player, BRACES, &length, arena, &error));
    assert_int_equal(error.code, ERROR_VALUE);
    assert_contains(error.message, "a line of its own");
    lesson_destroy(lesson);
    arena_destroy(arena);
}

/* ---- switches ---- */

static const char MODEL[] = "title: Model\n"
                            "model:\n"
                            "  d_model: 4\n"
                            "  heads: 2\n"
                            "  corpus: [when you play, you win]\n"
                            "  source: when you play\n"
                            "  target: you win\n"
                            "  weights: {random: 3}\n"
                            "steps:\n"
                            "  - at: encoder.0.self_attention.head.1\n"
                            "    say: The second head.\n"
                            "  - show: encoder.0.self_attention.head.1.weights\n"
                            "  - do: L = logits * 2\n";

static Lesson *model_with(const char *changes) {
    char text[2000];
    snprintf(text, sizeof text, "%s%s", MODEL, changes);
    return lesson_good(text);
}

static void test_heads_are_switched_and_what_they_lack_is_left_out(void **state) {
    Lesson *plain = model_with(""), *one = model_with("changes:\n  - {heads: 1}\n");
    assert_int_equal(plain->model->shape.heads, 2);
    assert_int_equal(one->model->shape.heads, 1);
    assert_int_equal(plain->note_count, 1);
    assert_int_equal(one->note_count, 0);
    assert_int_equal(plain->step_count, one->step_count + 1);
    assert_string_equal(one->steps[one->step_count - 1].source, "L = logits * 2");
    const Tensor *a = &tape_node(plain->tape, plain->model->parameters[3].node)->output;
    const Tensor *b = &tape_node(one->tape, one->model->parameters[3].node)->output;
    assert_close(a->values, b->values, tensor_cells(a), 0); /* the weights are the same */
    lesson_destroy(plain);
    lesson_destroy(one);
}

static void test_norms_are_switched_with_what_belongs_to_them(void **state) {
    Lesson *pre = model_with("changes:\n  - {norm: pre}\n");
    assert_true(pre->model->shape.pre_norm);
    assert_true(pre->model->shape.final_norm);
    size_t norm = named(pre, "encoder.0.norm_1");
    size_t query = named(pre, "encoder.0.self_attention.query_product");
    assert_true(norm < query);
    lesson_destroy(pre);
}

static void test_masks_are_switched_in_every_tower(void **state) {
    Lesson *plain = model_with(""), *none = model_with("changes:\n  - {mask: none}\n"),
           *causal = model_with("changes:\n  - {mask: causal}\n");
    const char *own = "decoder.0.self_attention.head.0.weights";
    const char *other = "encoder.0.self_attention.head.0.weights";
    assert_true(cell(plain, own, 0, 2) == 0);
    assert_true(cell(none, own, 0, 2) > 0);
    assert_true(cell(causal, own, 0, 2) == 0);
    assert_true(cell(plain, other, 0, 2) > 0);
    assert_true(cell(none, other, 0, 2) > 0);
    assert_true(cell(causal, other, 0, 2) == 0);
    lesson_destroy(plain);
    lesson_destroy(none);
    lesson_destroy(causal);
}

static void test_the_temperature_divides_the_logits(void **state) {
    Lesson *plain = model_with(""),
           *warm = model_with("changes:\n  - {temperature: 4}\n");
    const Tensor *logits = &tape_node(plain->tape, plain->model->logits)->output;
    const Tensor *scaled = &tape_node(warm->tape, named(warm, "logits_scaled"))->output;
    const Tensor *sure = &tape_node(plain->tape, plain->model->probabilities)->output;
    const Tensor *even = &tape_node(warm->tape, warm->model->probabilities)->output;
    double most_sure = 0, most_even = 0;
    for (size_t i = 0; i < tensor_cells(logits); i++) {
        double quarter = logits->values[i] / 4;
        assert_close(&scaled->values[i], &quarter, 1, 0);
        most_sure = fmax(most_sure, sure->values[i]);
        most_even = fmax(most_even, even->values[i]);
    }
    assert_true(most_even < most_sure);
    lesson_destroy(plain);
    lesson_destroy(warm);
}

static void test_text_and_switches_are_written_and_read_back(void **state) {
    static const char SWITCHES[] = "changes:\n"
                                   "  - {text: \"you play\"}\n"
                                   "  - {heads: 1}\n"
                                   "  - {norm: pre}\n"
                                   "  - {mask: none}\n"
                                   "  - {temperature: 0.5}\n"
                                   "  - {cell: [encoder.0.norm_1, 0, 1], value: 2}\n";
    Arena *arena = arena_create(SCRATCH);
    char text[2000];
    snprintf(text, sizeof text, "%s%s", MODEL, SWITCHES);
    Lesson *lesson = lesson_good(text);
    assert_int_equal(tape_node(lesson->tape, named(lesson, "source"))->output.cols, 2);
    assert_true(cell(lesson, "encoder.0.norm_1", 0, 1) == 2);
    assert_string_equal(written(lesson, text, arena), text);
    lesson_destroy(lesson);
    arena_destroy(arena);
}

static void test_switches_given_take_the_place_of_the_files(void **state) {
    char path[] = "/tmp/glassformer-switches-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    fprintf(stream,
            "%schanges:\n  - {heads: 1}\n  - {mask: none}\n"
            "  - {cell: [\"encoder.0.self_attention.head.1.weights\", 0, 0], value: 1}\n",
            MODEL);
    assert_int_equal(fclose(stream), 0);
    ErrorList errors = {0};
    LessonSwitches switches = {.heads = 4};
    Lesson *lesson = lesson_load(path, &(LessonOptions){.switches = &switches}, &errors);
    if (!lesson)
        error_list_print(&errors, stderr);
    assert_non_null(lesson);
    assert_int_equal(lesson->model->shape.heads, 4);
    assert_int_equal(lesson->model->shape.mask, TRANSFORMER_MASK_OWN);
    assert_true(cell(lesson, "encoder.0.self_attention.head.1.weights", 0, 0) == 1);
    lesson_destroy(lesson);
    switches.heads = 3;
    errors = (ErrorList){0};
    assert_null(lesson_load(path, &(LessonOptions){.switches = &switches}, &errors));
    assert_int_equal(errors.items[0].code, ERROR_VALUE);
    remove(path);
}

/* ---- trouble ---- */

static void test_what_has_no_meaning_is_explained(void **state) {
    static const struct {
        const char *given, *statement, *trouble;
    } cases[] = {
        {"X: [[-inf, -inf], [1, 2]]", "Y = softmax(X)", "trouble.row_masked"},
        {"X: [[inf, 1], [1, 2]]", "Y = softmax(X)", "trouble.infinite_score"},
        {"X: [[2, 2], [1, 2]]", "Y = layer_norm(X)", "trouble.no_deviation"},
        {"X: [[inf, 2], [1, 2]]", "Y = layer_norm(X)", "trouble.infinite_row"},
        {"X: [[0, 0], [1, 2]]", "Y = rms_norm(X)", "trouble.no_size"},
        {"X: [[inf, 2], [1, 2]]", "Y = rms_norm(X)", "trouble.infinite_row"},
        {"X: [[1, 2]], Z: [[0, 1]]", "Y = X / Z", "trouble.by_zero"},
        {"X: [[0, 2]], Z: [[0, 1]]", "Y = X / Z", "trouble.zero_by_zero"},
        {"X: [[-1, 2]]", "Y = sqrt(X)", "trouble.sqrt_negative"},
        {"X: [[-1, 2]]", "Y = log(X)", "trouble.log_negative"},
        {"X: [[0, 2]]", "Y = log(X)", "trouble.log_zero"},
        {"X: [[inf, 2]]", "Y = X - X", "trouble.infinite_less_infinite"},
        {"X: [[inf, 2]], W: [[0], [1]]", "Y = X @ W", "trouble.zero_times_infinite"},
        {"X: [[1, 2]], M: [[0, -inf]]", "Y = X + M", NULL},
        {"X: [[0, -inf]]", "Y = softmax(X)", NULL},
        {"X: [[1, 2]]", "Y = layer_norm(X)", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[300];
        snprintf(text, sizeof text, "title: t\ngiven: {%s}\nsteps:\n  - do: %s\n",
                 cases[i].given, cases[i].statement);
        Lesson *lesson = lesson_good(text);
        const char *trouble = problem_of(lesson->tape, named(lesson, "Y"), 0, 0);
        if (!cases[i].trouble)
            assert_null(trouble);
        else
            assert_string_equal(trouble ? trouble : "nothing", cases[i].trouble);
        assert_null(problem_of(lesson->tape, named(lesson, "X"), 0, 0));
        lesson_destroy(lesson);
    }
}

/* A tensor is listed where its cells stop being finite, and not those computed from it;
 * −∞ of a mask, and what a step moves of it, is meant. */
static void test_problems_are_listed_where_they_begin(void **state) {
    static const struct {
        const char *statement, *name; /* NULL: no problem */
        size_t cells, row, col;
    } rows[] = {
        {"Y = X / Z", "Y", 3, 0, 1},       /* 0/0; 1/0 and 3/0 */
        {"Y = log(X)", "Y", 1, 0, 1},      /* −∞ that is no mask's */
        {"Y = sqrt(X - 2)", "Y", 3, 0, 0}, /* NaN */
        {"Y = X + M", NULL, 0, 0, 0},          {"Y = M.T", NULL, 0, 0, 0},
        {"Y = softmax(X + M)", NULL, 0, 0, 0}, {"Y = causal_mask(2)", NULL, 0, 0, 0},
        {"Y = exp(X * 1000)", "Y", 3, 0, 0}, /* +∞ */
        {"Y = X - M", "Y", 1, 0, 1},         /* +∞, though −∞ was meant */
        {"Y = X * 2", NULL, 0, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "title: t\ngiven: {X: [[1, 0], [1, 3]], Z: [[1, 0], [0, 0]], M: [[0, "
                 "-inf], [0, 0]]}\nsteps:\n  - do: %s\n  - do: W = Y + X\n",
                 rows[i].statement);
        Lesson *lesson = lesson_good(text);
        Arena *arena = arena_create(1 << 16);
        const Problem *list;
        size_t count;
        assert_true(problem_list(lesson->tape, arena, &list, &count));
        if (count != (rows[i].name != NULL))
            fail_msg("%s: %zu problems", rows[i].statement, count);
        if (count) {
            assert_int_equal(list[0].node, named(lesson, rows[i].name));
            assert_int_equal(list[0].cells, rows[i].cells);
            assert_int_equal(list[0].row, rows[i].row);
            assert_int_equal(list[0].col, rows[i].col);
        }
        arena_destroy(arena);
        lesson_destroy(lesson);
    }
}

static void test_weights_that_training_made_no_numbers_point_at_the_rate(void **state) {
    Lesson *lesson =
        lesson_good("title: t\nmodel:\n  {kind: decoder, d_model: 4, heads: 1, d_ff: 4, "
                    "layers: 1, corpus: [you win], target: you,\n"
                    "   weights: {train: {texts: [you win], epochs: 3, learning_rate: "
                    "1e200}}}\n");
    const Tape *tape = lesson->tape;
    size_t weight = tape_find(tape, "decoder.0.self_attention.W_O");
    assert_true(weight != TAPE_NONE);
    assert_string_equal(problem_of(tape, weight, 0, 0), "trouble.diverged");
    changes_set(lesson->changes, weight, 0, 0, 1, false);
    assert_null(problem_of(tape, weight, 0, 0));
    lesson_destroy(lesson);
}

static void test_trouble_that_editing_brings_is_explained(void **state) {
    Lesson *lesson =
        lesson_good("title: t\ngiven:\n  E: [[1, 2], [3, 4]]\n  ids: [0, 1]\n"
                    "steps:\n  - do: X = embed(E, ids)\n  - do: Y = X + X\n");
    size_t x = named(lesson, "X"), y = named(lesson, "Y");
    changes_set(lesson->changes, named(lesson, "ids"), 0, 1, 7, false);
    assert_string_equal(problem_of(lesson->tape, x, 1, 0), "trouble.no_row");
    assert_string_equal(problem_of(lesson->tape, y, 1, 0), "trouble.from_none");
    assert_null(problem_of(lesson->tape, x, 0, 0));
    changes_set(lesson->changes, x, 1, 0, 5, false); /* set by hand, it has a value */
    assert_null(problem_of(lesson->tape, x, 1, 0));
    lesson_destroy(lesson);
}

/* ---- outlines ---- */

static const LessonOptions OUTLINE = {.outline = true};

/* Fails unless the outline of a lesson has its title and the number of its steps. */
static void check_outline(Lesson *outline, const Lesson *lesson) {
    assert_non_null(outline);
    if (outline->step_count != lesson->step_count)
        fail_msg("%s has %zu steps, its outline %zu", lesson->id, lesson->step_count,
                 outline->step_count);
    assert_string_equal(text_in(&outline->title, &ENGLISH),
                        text_in(&lesson->title, &ENGLISH));
    lesson_destroy(outline);
}

static void test_an_outline_counts_the_steps_of_each_lesson(void **state) {
    const CourseFiles *files = *state;
    for (size_t i = 0; i < files->count; i++) {
        ErrorList errors = {0};
        Lesson *outline = lesson_load(files->lessons[i]->file, &OUTLINE, &errors);
        assert_non_null(outline);
        bool makes_steps = outline->model_step_count;
        if ((!makes_steps && arena_spent(outline->arena) > 0) || outline->steps ||
            (outline->training && outline->training->epochs))
            fail_msg("the outline of %s computes it", files->lessons[i]->id);
        check_outline(outline, files->lessons[i]);
    }
}

static void test_an_outline_of_a_changed_lesson_leaves_out_what_it_lacks(void **state) {
    static const char *const changes[] = {"", "changes:\n  - {heads: 1}\n",
                                          "remember: [Two heads.]\n"};
    for (size_t i = 0; i < COUNT(changes); i++) {
        char text[2000];
        ErrorList errors = {0};
        Lesson *lesson = model_with(changes[i]);
        snprintf(text, sizeof text, "%s%s", MODEL, changes[i]);
        check_outline(lesson_parse("test.yaml", text, strlen(text), &OUTLINE, &errors),
                      lesson);
        lesson_destroy(lesson);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_change_is_undone_and_redone_exactly),
        cmocka_unit_test(test_a_new_change_drops_those_that_were_undone),
        cmocka_unit_test(test_turning_a_wheel_is_one_change),
        cmocka_unit_test(test_what_is_no_change_is_not_in_the_list),
        cmocka_unit_test(test_what_is_as_it_was_is_no_change),
        cmocka_unit_test(test_the_count_says_how_far_a_change_reaches),
        cmocka_unit_test(test_a_transpose_without_a_step_hands_on_to_what_it_transposes),
        cmocka_unit_test(test_a_step_is_a_tenth_of_the_largest_rounded),
        cmocka_unit_test(test_nudged_decimals_stay_short),
        cmocka_unit_test(test_only_what_depends_on_a_change_is_computed_again),
        cmocka_unit_test(test_a_replay_is_what_computing_everything_again_gives),
        cmocka_unit_test(test_a_kept_lesson_reads_back_bit_for_bit),
        cmocka_unit_test(test_every_byte_of_the_file_stays_and_the_list_is_at_its_end),
        cmocka_unit_test(test_an_older_list_is_replaced_wherever_it_stands),
        cmocka_unit_test(test_a_list_in_any_form_gives_way_to_the_new_one),
        cmocka_unit_test(test_the_list_is_in_the_document_and_has_the_files_line_ends),
        cmocka_unit_test(test_weights_beside_a_file_are_found_from_elsewhere),
        cmocka_unit_test(test_a_file_in_braces_can_not_take_a_list),
        cmocka_unit_test(test_heads_are_switched_and_what_they_lack_is_left_out),
        cmocka_unit_test(test_norms_are_switched_with_what_belongs_to_them),
        cmocka_unit_test(test_masks_are_switched_in_every_tower),
        cmocka_unit_test(test_the_temperature_divides_the_logits),
        cmocka_unit_test(test_text_and_switches_are_written_and_read_back),
        cmocka_unit_test(test_switches_given_take_the_place_of_the_files),
        cmocka_unit_test(test_what_has_no_meaning_is_explained),
        cmocka_unit_test(test_problems_are_listed_where_they_begin),
        cmocka_unit_test(test_weights_that_training_made_no_numbers_point_at_the_rate),
        cmocka_unit_test(test_trouble_that_editing_brings_is_explained),
        cmocka_unit_test(test_an_outline_counts_the_steps_of_each_lesson),
        cmocka_unit_test(test_an_outline_of_a_changed_lesson_leaves_out_what_it_lacks),
    };
    return cmocka_run_group_tests(tests, course_set_up_lessons, course_tear_down);
}
