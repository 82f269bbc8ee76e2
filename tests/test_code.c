#include "contains.h"
#include "course_files.h"
#include "lesson_text.h"

#include "lesson/code/code.h"
#include "picture/words/words.h"
#include "tensor/tape/tape.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- the table ---- */

static void test_every_operation_has_a_pattern_in_both_languages(void **state) {
    for (OperationKind kind = 0; kind < OPERATION_COUNT; kind++) {
        const Operation *operation = operation_of(kind);
        const OperationCode *code = &operation->code;
        if (kind == OPERATION_GIVEN || kind == OPERATION_BACKWARD)
            continue;
        if (!code->numpy)
            fail_msg("%s has no .code.numpy in its row", operation->name);
        if (operation->backward && !code->numpy_backward[0])
            fail_msg("%s has no .code.numpy_backward in its row", operation->name);
        if (operation->binding == OPERATION_BINDS_WHOLE && code->numpy[0] == '#' &&
            code->numpy[2] == ' ')
            fail_msg("%s stands between operators: say how its .binding is",
                     operation->name);
    }
}

static void test_every_operation_is_told_at_every_depth(void **state) {
    static const char *const depths[] = {"operation", "heading", "say", "story",
                                         "numbers"};
    char key[200];
    CourseFiles files;
    course_begin(&files);
    const Language *words = files.language;
    for (OperationKind kind = 0; kind < OPERATION_COUNT; kind++) {
        for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
            snprintf(key, sizeof key, "%s.%s", depths[i], operation_of(kind)->name);
            if (!language_has(words, key))
                fail_msg("there are no words for %s", key);
        }
    }
    size_t told = 0; /* composites and parts of models too */
    for (size_t i = 0; i < words->count; i++) {
        if (sscanf(words->words[i].key, "heading.%180s", key + 6) != 1)
            continue;
        memcpy(key, "story.", 6);
        if (!language_has(words, key))
            fail_msg("there are no words for %s", key);
        told++;
    }
    assert_true(told > OPERATION_COUNT);
    for (WordsDepth depth = WORDS_STORY; depth < WORDS_COUNT; depth++) {
        snprintf(key, sizeof key, "words.%s", words_name(depth));
        assert_true(language_has(words, key));
    }
    course_finish(&files);
}

/* ---- steps ---- */

/* Fails unless a step's code is that, its lines one below the other. */
static void assert_code(const Lesson *lesson, CodeLanguage language, const char *path,
                        const char *wanted) {
    Player player;
    Code code;
    CodeStep lines;
    char made[4000] = "";
    Arena *arena = arena_create(1 << 24);
    assert_true(player_init(&player, lesson));
    code = code_of(&player, arena);
    size_t step = 0;
    while (step < player.step_count && strcmp(player.steps[step].path, path) != 0)
        step++;
    assert_true(step < player.step_count);
    lines = code_step(&code, language, &player, step, arena);
    for (size_t i = 0; i < lines.count; i++) {
        strcat(made, i ? "\n" : "");
        strcat(made, lines.lines[i]);
    }
    assert_string_equal(made, wanted);
    arena_destroy(arena);
}

static const char PARTS[] = "title: Parts\n"
                            "given:\n"
                            "  X: [[1, 2], [3, 4]]\n"
                            "  Y: [[1, -2], [0.5, 4]]\n"
                            "  M: [[0, -inf], [0, 0]]\n"
                            "steps:\n"
                            "  - do: A = X - (Y - X)\n"
                            "  - do: B = (X + Y) @ (X @ Y).T\n"
                            "  - do: C = softmax(X @ Y.T / sqrt(2) + M) @ X\n"
                            "  - do: D = -(X + Y) * 2\n"
                            "  - do: E = softmax(X @ Y.T / 3) @ X\n"
                            "  - show: [X, Y]\n"
                            "  - do: F = X[0:1, 1:2] + X[:, 0:1]\n"
                            "  - do: G = relu(X + Y).T\n";

static void test_operations_within_each_other_keep_their_order(void **state) {
    Lesson *lesson = lesson_good(PARTS);
    assert_code(lesson, CODE_NUMPY, "1", "A = X - (Y - X)");
    assert_code(lesson, CODE_NUMPY, "1.1", "A_subtract = Y - X");
    assert_code(lesson, CODE_NUMPY, "2", "B = (X + Y) @ (X @ Y).T");
    assert_code(lesson, CODE_NUMPY, "4", "D = -(X + Y) * 2");
    assert_code(lesson, CODE_NUMPY, "6", "print(X, Y)");
    assert_code(lesson, CODE_NUMPY, "7", "F_ = X[0:1, 1:2] + X[:, 0:1]");
    assert_code(lesson, CODE_NUMPY, "8", "G = np.maximum(X + Y, 0).T");
    assert_code(lesson, CODE_TORCH, "8", "G = F.relu(X + Y).T");
    lesson_destroy(lesson);
}

static void test_numbers_are_tensors_where_no_tensor_stands_beside_them(void **state) {
    Lesson *lesson = lesson_good("title: Numbers\n"
                                 "given: {X: [[1, 2]], E: [[1], [2]]}\n"
                                 "steps:\n"
                                 "  - do: A = X / (sqrt(2) + 1)\n"
                                 "  - do: B = X / sqrt(2)\n"
                                 "  - do: C = 2 / 0\n"
                                 "  - do: D = embed(E, 1)\n"
                                 "  - do: G = X + -3\n");
    assert_code(lesson, CODE_NUMPY, "1", "A = X / 2.414213562373095");
    assert_code(lesson, CODE_NUMPY, "2", "B = X / np.sqrt(2)");
    assert_code(lesson, CODE_TORCH, "2", "B = X / 2 ** 0.5");
    assert_code(lesson, CODE_NUMPY, "3",
                "C = np.array([[2]], dtype=float) / np.array([[0]], dtype=float)");
    assert_code(lesson, CODE_NUMPY, "4",
                "D = E[np.array([[1]], dtype=float).ravel().astype(int)]");
    assert_code(lesson, CODE_NUMPY, "5", "G = X + (-3)");
    lesson_destroy(lesson);
}

static void test_an_attention_is_one_call_where_it_is_one(void **state) {
    Lesson *lesson = lesson_good(PARTS);
    assert_code(lesson, CODE_NUMPY, "3", "C = softmax(X @ Y.T / np.sqrt(2) + M) @ X");
    assert_code(lesson, CODE_TORCH, "3",
                "C = F.scaled_dot_product_attention(X, Y, X, attn_mask=M)");
    /* divided by something else than the root of d_k */
    assert_code(lesson, CODE_TORCH, "5", "E = torch.softmax(X @ Y.T / 3, dim=1) @ X");
    lesson_destroy(lesson);
}

/* PyTorch's softmax of a row of -inf is NaN; a function of the script's own makes it 0.
 */
static void test_a_row_that_is_masked_whole_has_a_softmax_of_its_own(void **state) {
    static const char *const masks[] = {"[[0, -inf], [0, 0]]", "[[0, 0], [-inf, -inf]]"};
    static const char *const codes[] = {"Y = torch.softmax(X + M, dim=1)",
                                        "Y = softmax(X + M)"};
    for (size_t i = 0; i < 2; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "title: t\ngiven: {X: [[1, 2], [3, 4]], M: %s}\nsteps:\n  - do: Y = "
                 "softmax(X + M)\n",
                 masks[i]);
        Lesson *lesson = lesson_good(text);
        assert_code(lesson, CODE_TORCH, "1", codes[i]);
        lesson_destroy(lesson);
    }
}

static void test_what_is_muted_or_set_by_hand_is_so_in_the_code(void **state) {
    Lesson *lesson = lesson_good(PARTS);
    Player player;
    assert_true(player_init(&player, lesson));
    size_t scaled = TAPE_NONE;
    for (size_t i = 0; i < player.step_count; i++) {
        if (strcmp(player.steps[i].path, "3.2") == 0)
            scaled = player.steps[i].node;
    }
    assert_true(tape_mute(lesson->tape, scaled, true));
    assert_code(lesson, CODE_TORCH, "3", "C = torch.softmax(X @ Y.T + M, dim=1) @ X");
    tape_restore(lesson->tape);
    assert_true(tape_edit(lesson->tape, scaled, 0, 1, 7));
    assert_code(lesson, CODE_NUMPY, "3",
                "C_divide = (X @ Y.T / np.sqrt(2)).copy()\nC_divide[0, 1] = 7\n"
                "C = softmax(C_divide + M) @ X");
    lesson_destroy(lesson);
}

/* ---- scripts ---- */

static const char HAND_OUT[] = "title: Shares\n"
                               "given:\n"
                               "  X: [[1, 2], [3, 4]]\n"
                               "  M: [[0, -inf], [0, 0]]\n"
                               "steps:\n"
                               "  - do: A = softmax(X @ X.T / sqrt(2) + M)\n"
                               "    heading: How is it shared?\n"
                               "  - do: O = A @ X\n";

static void assert_script(const char *source, CodeLanguage language, const char *wanted) {
    Lesson *lesson = lesson_good(source);
    Arena *arena = arena_create(1 << 24);
    Player player;
    Code code;
    assert_true(player_init(&player, lesson));
    code = code_of(&player, arena);
    CourseFiles files;
    course_begin(&files);
    Writer made = {.arena = arena};
    code_script(&code, language, files.language, &made);
    assert_contains(made.text, wanted);
    course_finish(&files);
    arena_destroy(arena);
    lesson_destroy(lesson);
}

static void test_a_script_is_what_a_teacher_hands_out(void **state) {
    assert_script(HAND_OUT, CODE_NUMPY,
                  "import numpy as np\n"
                  "\n"
                  "np.set_printoptions(precision=4, suppress=True)\n"
                  "\n"
                  "def softmax(x):\n"
                  "    e = np.exp(x - x.max(axis=1, keepdims=True))\n"
                  "    return e / e.sum(axis=1, keepdims=True)\n"
                  "\n"
                  "X = np.array([[1, 2], [3, 4]], dtype=float)\n"
                  "M = np.array([[0, -np.inf], [0, 0]], dtype=float)\n"
                  "\n"
                  "# How is it shared?\n"
                  "A = softmax(X @ X.T / np.sqrt(2) + M)\n"
                  "O = A @ X\n"
                  "\n"
                  "print(\"O =\", O, sep=\"\\n\")\n");
    assert_script(HAND_OUT, CODE_TORCH,
                  "A = torch.softmax(X @ X.T / 2 ** 0.5 + M, dim=1)\n");
    /* drawn numbers are a call where there are many, and a model's come from a file */
    assert_script("title: Drawn\ngiven: {X: {random: [9, 9], seed: 7, scale: 0.5}}\n"
                  "steps: [{do: Y = X + X}]\n",
                  CODE_NUMPY, "\nX = 0.5 * normal(9, 9, seed=7)\n");
    assert_script(
        "title: Model\nmodel: {d_model: 16, source: a b, target: b a, corpus: [a "
        "b]}\n",
        CODE_NUMPY, "data[\"encoder.0.feed_forward.W_1\"]\n");
}

static void test_functions_that_a_step_calls_stand_beside_it(void **state) {
    Lesson *lesson = lesson_good(HAND_OUT);
    Arena *arena = arena_create(1 << 24);
    Player player;
    Code code;
    CodeStep lines;
    assert_true(player_init(&player, lesson));
    code = code_of(&player, arena);
    lines = code_step(&code, CODE_NUMPY, &player, 0, arena);
    assert_string_equal(code_functions(&code, CODE_NUMPY, &lines, arena),
                        "def softmax(x):\n"
                        "    e = np.exp(x - x.max(axis=1, keepdims=True))\n"
                        "    return e / e.sum(axis=1, keepdims=True)\n");
    lines = code_step(&code, CODE_TORCH, &player, 0, arena);
    assert_string_equal(code_functions(&code, CODE_TORCH, &lines, arena), "");
    arena_destroy(arena);
    lesson_destroy(lesson);
}

static const char HEADS[] = "title: Heads\n"
                            "given:\n"
                            "  X: [[1, 2], [3, 4], [5, 6]]\n"
                            "  W: [[1, -2], [0.5, 4]]\n"
                            "  P: [[1, -2], [0.5, 4], [1, 1]]\n"
                            "steps:\n"
                            "  - do: O = multi_head_attention(X, X, W, W, W, W, 2)\n";

static void test_several_heads_are_one_call(void **state) {
    ErrorList errors = {0};
    Lesson *lesson = lesson_parse("test.yaml", HEADS, strlen(HEADS), NULL, &errors);
    error_list_print(&errors, stderr);
    assert_non_null(lesson);
    assert_code(lesson, CODE_TORCH, "1",
                "O = F.multi_head_attention_forward(X, X, X, 2, 2, "
                "torch.cat([W, W, W], dim=1).T, None, None, None, False, 0.0, W.T, None, "
                "need_weights=False)[0]");
    lesson_destroy(lesson);
}

static void test_depths_have_names_of_their_own(void **state) {
    for (WordsDepth depth = WORDS_USUAL; depth < WORDS_COUNT; depth++) {
        WordsDepth found = WORDS_COUNT;
        assert_true(words_from_name(words_name(depth), &found));
        assert_int_equal(found, depth);
    }
    WordsDepth none;
    assert_false(words_from_name("poem", &none));
    assert_false(words_from_name("", &none));
}

static void test_languages_are_found_by_name(void **state) {
    CodeLanguage language;
    (void)state;
    assert_true(code_language_from_name("numpy", &language));
    assert_int_equal(language, CODE_NUMPY);
    assert_true(code_language_from_name("torch", &language));
    assert_int_equal(language, CODE_TORCH);
    assert_false(code_language_from_name("NumPy", &language));
    assert_false(code_language_from_name("", &language));
    assert_string_equal(code_language_title(CODE_NUMPY), "NumPy");
    assert_string_equal(code_language_title(CODE_TORCH), "PyTorch");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_operation_has_a_pattern_in_both_languages),
        cmocka_unit_test(test_every_operation_is_told_at_every_depth),
        cmocka_unit_test(test_operations_within_each_other_keep_their_order),
        cmocka_unit_test(test_numbers_are_tensors_where_no_tensor_stands_beside_them),
        cmocka_unit_test(test_an_attention_is_one_call_where_it_is_one),
        cmocka_unit_test(test_a_row_that_is_masked_whole_has_a_softmax_of_its_own),
        cmocka_unit_test(test_what_is_muted_or_set_by_hand_is_so_in_the_code),
        cmocka_unit_test(test_several_heads_are_one_call),
        cmocka_unit_test(test_a_script_is_what_a_teacher_hands_out),
        cmocka_unit_test(test_functions_that_a_step_calls_stand_beside_it),
        cmocka_unit_test(test_depths_have_names_of_their_own),
        cmocka_unit_test(test_languages_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
