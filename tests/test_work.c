/* The work that a lesson may take: what spends it, what is said of it, and how much of it
 * the course takes. */
#include "contains.h"
#include "course_files.h"
#include "lesson_text.h"

#include "base/json_watch.h"
#include "model/weights/safetensors.h"
#include "tensor/tape/tape.h"
#include "text/file/tokenizer_file.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static char folder[] = "/tmp/test_work_XXXXXX";

/* ---- lessons made by repeating a line ---- */

typedef struct Written {
    char *text;
    size_t length;
} Written;

/* A head, then `count` lines, in which %zu is the line's number, then an end. */
static Written repeat(const char *head, const char *line, size_t count, const char *end) {
    Written written = {0};
    FILE *stream = open_memstream(&written.text, &written.length);
    assert_non_null(stream);
    fputs(head, stream);
    for (size_t i = 0; i < count; i++) {
        const char *at = strstr(line, "%zu");
        if (at)
            fprintf(stream, "%.*s%zu%s", (int)(at - line), line, i, at + 3);
        else
            fputs(line, stream);
    }
    fputs(end, stream);
    fclose(stream);
    return written;
}

static void write_file(const char *name, const char *bytes, size_t length) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

/* Reads a lesson with so much work, and fails unless the only error is at that line, says
 * `words`, and names a larger limit with which the lesson opens where `opens`. */
static void assert_refused(const Written *lesson, double work, int line,
                           const char *words, bool opens) {
    char path[200];
    snprintf(path, sizeof path, "%s/test.yaml", folder);
    ErrorList errors = {0};
    const LessonOptions little = {.work = work};
    assert_null(lesson_parse(path, lesson->text, lesson->length, &little, &errors));
    if (errors.count != 1)
        error_list_print(&errors, stderr);
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.items[0].code, ERROR_WORK);
    if (!strstr(errors.items[0].message, words) || errors.items[0].line != line)
        error_list_print(&errors, stderr);
    assert_int_equal(errors.items[0].line, line);
    assert_true(errors.items[0].column > 0);
    assert_contains(errors.items[0].message, words);
    const char *asked = strstr(errors.items[0].message, "--work ");
    assert_non_null(asked);
    const LessonOptions more = {.work = 1e6 * strtod(asked + 7, NULL)};
    assert_true(more.work > work);
    errors = (ErrorList){0};
    Lesson *read =
        opens ? lesson_parse(path, lesson->text, lesson->length, &more, &errors) : NULL;
    if (opens && !read)
        error_list_print(&errors, stderr);
    assert_true(opens == (read != NULL));
    lesson_destroy(read);
}

/* ---- spenders ---- */

static void test_products(void **state) {
    Written lesson =
        repeat("title: T\ngiven:\n  A: {random: [300, 300], seed: 1}\nsteps:\n",
               "  - do: Y%zu = A @ A\n", 20, "");
    assert_refused(&lesson, 2e8, 11, "for matrix products", true);
    free(lesson.text);
}

static void test_operations(void **state) {
    Written lesson =
        repeat("title: T\ngiven:\n  A: {random: [100, 100], seed: 1}\nsteps:\n",
               "  - do: Y%zu = gelu(A)\n", 50, "");
    assert_refused(&lesson, 1.05e7, 19, "for operations other than products", true);
    free(lesson.text);
}

/* One pass over a row finds many of the columns that top_p keeps. */
static void test_top_p_of_long_rows(void **state) {
    static const char text[] =
        "title: T\ngiven:\n  A: {random: [1, 20000], seed: 1}\nsteps:\n"
        "  - do: Y = top_p(A, 0.999999)\n";
    ErrorList errors = {0};
    const LessonOptions little = {.work = 1e8};
    Lesson *lesson = lesson_parse("t.yaml", text, sizeof text - 1, &little, &errors);
    assert_non_null(lesson);
    const Tape *tape = lesson->tape;
    const double *x = tape_node(tape, 0)->output.values;
    const Tensor *kept = &tape_node(tape, tape_count(tape) - 1)->output;
    double least = INFINITY;
    for (size_t i = 0; i < kept->cols; i++) {
        if (kept->values[i] != -INFINITY && x[i] < least)
            least = x[i];
    }
    for (size_t i = 0; i < kept->cols; i++)
        assert_true(kept->values[i] == (x[i] < least ? -INFINITY : x[i]));
    lesson_destroy(lesson);
}

static void test_random_numbers(void **state) {
    Written lesson =
        repeat("title: T\ngiven:\n", "  A%zu: {random: [100, 100], seed: 1}\n", 20,
               "steps:\n  - do: Y = A0 + 1\n");
    assert_refused(&lesson, 1e7, 13, "for drawing random numbers", true);
    free(lesson.text);
}

static const char MODEL[] =
    "title: T\n"
    "model:\n"
    "  kind: decoder\n"
    "  d_model: 4\n"
    "  heads: 2\n"
    "  d_ff: 6\n"
    "  layers: 1\n"
    "  corpus: [\"you win or you die\", \"he brings the storm\"]\n"
    "  target: \"you\"\n";

static void test_draws(void **state) {
    Written lesson = repeat(MODEL,
                            "  weights: {random: 3}\nsteps:\n"
                            "  - generate: {rule: sample, length: 8, draws: 100000}\n",
                            1, "");
    assert_refused(&lesson, 5e7, 12, "for drawing random numbers", true);
    free(lesson.text);
}

static void test_generation_and_beams(void **state) {
    Written lesson = repeat(MODEL,
                            "  weights: {random: 3}\nsteps:\n"
                            "  - generate: {rule: beam, beam: 6, length: 30}\n",
                            1, "");
    assert_refused(&lesson, 2e6, 12, "for operations other than products", true);
    free(lesson.text);
}

static void test_training(void **state) {
    Written lesson =
        repeat(MODEL, "  weights: {train: {epochs: 300, texts: [\"you win\"]}}\n", 1, "");
    assert_refused(&lesson, 2e6, 10, "for training; take fewer epochs", true);
    free(lesson.text);
}

/* Each layer takes time in addition to its multiplications, which counts for tiny
 * matrices. */
static void test_training_of_tiny_tensors(void **state) {
    Written lesson =
        repeat("title: T\nmodel: {kind: decoder, d_model: 1, d_ff: 1, layers: 20, "
               "target: a, corpus: [\"a b\"],\n",
               "  weights: {train: {texts: [\"a b\"], epochs: 1000000}}}\n", 1, "");
    assert_refused(&lesson, LESSON_WORK, 3, "for training; take fewer epochs", false);
    free(lesson.text);
    lesson = repeat("title: T\nmodel: {kind: decoder, d_model: 1, heads: 1, d_ff: 1, "
                    "layers: 520, target: a,\n",
                    "  weights: {train: {texts: [\"a b\"], epochs: 1000}}}\n", 1, "");
    assert_refused(&lesson, LESSON_WORK, 3, "for training; take fewer epochs", false);
    free(lesson.text);
}

/* Each question of direction computes the tape twice. */
static void test_questions_of_direction(void **state) {
    Written lesson =
        repeat("title: T\ngiven:\n  A: {random: [100, 100], seed: 1}\nsteps:\n",
               "  - {do: Y%zu = A @ A, ask: {direction: {of: [Y0, 0, 0], all: A, times: "
               "2}}}\n",
               20, "");
    assert_refused(&lesson, 5e7, 10, "take fewer", false);
    free(lesson.text);
}

/* The search for a label compares all labels of the axis. */
static void test_labels_in_steps(void **state) {
    Written head = repeat("title: T\nlabels: {X: {cols: [w", "%zu, w", 1000,
                          "end]}}\ngiven:\n  X: {random: [1, 1001], seed: 1}\nsteps:\n");
    Written lesson = repeat(head.text, "  - do: X[0, wend]\n", 100, "");
    assert_refused(&lesson, 1.5e6, 55, "for finding cells by their labels", true);
    free(lesson.text);
    free(head.text);
}

static void test_labels_in_texts(void **state) {
    Written head = repeat("title: T\nlabels: {X: {cols: [w", "%zu, w", 1000,
                          "end]}}\ngiven:\n  X: {random: [1, 1001], seed: 1}\nsteps:\n"
                          "  - show: X\n    say: '");
    Written lesson = repeat(head.text, "{X[0, wend]} ", 100, "'\n");
    assert_refused(&lesson, 1.5e6, 6, "for finding cells by their labels", true);
    free(lesson.text);
    free(head.text);
}

static void test_merges(void **state) {
    Written corpus = repeat("", "word%zu ", 2000, "\n");
    write_file("corpus.txt", corpus.text, corpus.length);
    Written lesson =
        repeat("title: T\nvocabularies:\n",
               "  V%zu: {tokenizer: bpe, corpus_file: corpus.txt, merges: 20}\n", 5,
               "given:\n  I: {text: word1, vocabulary: V0}\nsteps:\n  - do: J = I + 1\n");
    assert_refused(&lesson, 1e8, 4, "for learning merges", true);
    free(lesson.text);
    free(corpus.text);
}

static void test_texts(void **state) {
    Written corpus = repeat("", "word%zu ", 2000, "\n");
    write_file("corpus.txt", corpus.text, corpus.length);
    Written lesson =
        repeat("title: T\nvocabularies:\n", "  V%zu: {corpus_file: corpus.txt}\n", 5,
               "given:\n  I: {text: word1, vocabulary: V0}\nsteps:\n  - do: J = I + 1\n");
    assert_refused(&lesson, 5e7, 5, "for cutting texts into tokens", true);
    free(lesson.text);
    free(corpus.text);
}

#define FILE_HEAD                                                                        \
    "{\"version\": \"1.0\", \"added_tokens\": [], \"normalizer\": null, "                \
    "\"pre_tokenizer\": {\"type\": \"Sequence\", \"pretokenizers\": ["
#define FILE_END                                                                         \
    "]}, \"post_processor\": null, \"decoder\": null, \"model\": {\"type\": "            \
    "\"WordLevel\", \"unk_token\": \"a\", \"vocab\": {\"a\": 0}}}"

static void test_patterns(void **state) {
    static const char split[] =
        "{\"type\": \"Split\", \"pattern\": {\"Regex\": "
        "\"(?:a|a|a|a)(?:a|a|a|a)(?:a|a|a|a)(?:a|a|a|a)(?:b|c)\"}, \"behavior\": "
        "\"Isolated\", \"invert\": false}";
    Written file = repeat(FILE_HEAD, split, 1, FILE_END);
    write_file("slow.json", file.text, file.length);
    Written lesson = repeat("title: T\nvocabularies: {V: {file: slow.json}}\ngiven:\n"
                            "  I: {vocabulary: V, text: ",
                            "aaaaaaaa", 60, "}\nsteps:\n  - do: J = I + 1\n");
    assert_refused(&lesson, 1e7, 4, "for a tokenizer's patterns", true);
    free(lesson.text);
    free(file.text);
}

/* ---- JSON ---- */

static void test_json_takes_work(void **state) {
    Written file = repeat("[", "{},", 100000, "{}]");
    Written lesson =
        repeat("title: T\nvocabularies: {V: {file: many.json}}\ngiven:\n", "", 0,
               "  I: {vocabulary: V, text: a}\nsteps:\n  - do: J = I + 1\n");
    write_file("many.json", file.text, file.length);
    assert_refused(&lesson, 1e7, 2, "for reading JSON", false);
    free(lesson.text);
    free(file.text);
}

/* The tree of so many objects is larger than the arena, though the bytes are not. */
static void test_json_stays_within_memory(void **state) {
    Written many = repeat("[", "{},", 100000, "{}]");
    Arena *arena = arena_create(4 << 20);
    Tokenizer tokenizer;
    Error error = {0};
    assert_non_null(arena);
    assert_false(tokenizer_file_read(&tokenizer, arena, "many.json", many.text,
                                     many.length, &error));
    assert_int_equal(error.code, ERROR_MEMORY);
    assert_contains(error.message, "more memory");
    Written header = repeat("........{\"a\": [", "{},", 100000, "{}]}");
    size_t length = header.length - 8;
    for (size_t i = 0; i < 8; i++)
        header.text[i] = (char)(length >> 8 * i & 0xFF);
    Safetensors read;
    assert_false(safetensors_read(&read, arena, "many.safetensors",
                                  (const uint8_t *)header.text, header.length, &error));
    assert_int_equal(error.code, ERROR_MEMORY);
    arena_destroy(arena);
    free(header.text);
    free(many.text);
}

/* Memory of parsed JSON is charged to the arena until it is released. */
static void test_json_is_charged(void **state) {
    static const char text[] = "[1, 2, {\"a\": \"b\"}]";
    Arena *arena = arena_create(1 << 20);
    json_error_t problem;
    size_t taken, whole = arena_room(arena);
    json_t *json = json_parse_within(arena, text, sizeof text - 1, &taken, &problem);
    assert_non_null(json);
    assert_true(taken > 0);
    assert_int_equal(arena_room(arena), whole - taken);
    json_release(arena, json, taken);
    assert_int_equal(arena_room(arena), whole);
    arena_destroy(arena);
}

/* ---- the course ---- */

/* Every lesson takes far less than it may. */
static void test_lessons_take_little(void **state) {
    const CourseFiles *files = *state;
    const Lesson *largest = files->lessons[0];
    for (size_t i = 0; i < files->count; i++) {
        const Lesson *lesson = files->lessons[i];
        double spent = arena_spent(lesson->arena);
        assert_true(spent > 0);
        if (spent > arena_spent(largest->arena))
            largest = lesson;
    }
    double share = arena_spent(largest->arena) / LESSON_WORK;
    print_message("# the largest of %zu lessons, %s, takes %.1f %% of its work\n",
                  files->count, largest->id, 100 * share);
    assert_true(share < 0.5);
}

static int set_up(void **state) {
    return (mkdtemp(folder) == NULL) | course_set_up_all(state);
}

static int tear_down(void **state) {
    static const char *const names[] = {"corpus.txt", "slow.json", "many.json"};
    char path[200];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return (rmdir(folder) != 0) | course_tear_down(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_top_p_of_long_rows),
        cmocka_unit_test(test_random_numbers),
        cmocka_unit_test(test_draws),
        cmocka_unit_test(test_generation_and_beams),
        cmocka_unit_test(test_training),
        cmocka_unit_test(test_training_of_tiny_tensors),
        cmocka_unit_test(test_questions_of_direction),
        cmocka_unit_test(test_labels_in_steps),
        cmocka_unit_test(test_labels_in_texts),
        cmocka_unit_test(test_merges),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_json_takes_work),
        cmocka_unit_test(test_json_stays_within_memory),
        cmocka_unit_test(test_json_is_charged),
        cmocka_unit_test(test_lessons_take_little),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
