/* Training in lessons and files: `weights: {train: …}`, `expected:`, checkpoints. */
#include "close.h"
#include "lesson/model/learning.h"
#include "lesson_text.h"

#include "model/learn/train.h"
#include "model/weights/weights.h"
#include "weights_of_model.h"

#include <stdio.h>
#include <stdlib.h>

#define MODEL                                                                            \
    "title: t\n"                                                                         \
    "model:\n"                                                                           \
    "  d_model: 6\n"                                                                     \
    "  heads: 2\n"                                                                       \
    "  d_ff: 12\n"

#define PAIRS                                                                            \
    "      pairs:\n"                                                                     \
    "        - [\"when you play the game of thrones\", \"you win or you die\"]\n"        \
    "        - [\"true enemy won't wait out the storm\", \"he brings the storm\"]\n"     \
    "        - [\"I drink\", \"and I know things\"]\n"                                   \
    "        - [\"he brings the storm\", \"you die\"]\n"

#define COURSE                                                                           \
    MODEL "  source: \"when you play the game of thrones\"\n"                            \
          "  expected: \"you win or you die\"\n"                                         \
          "  weights:\n"                                                                 \
          "    train:\n" PAIRS

static const Tensor *tensor_of(const Lesson *lesson, const char *name) {
    size_t node = tape_find(lesson->tape, name);
    if (node == TAPE_NONE)
        print_error("there is no '%s'\n", name);
    assert_int_not_equal(node, TAPE_NONE);
    return &tape_node(lesson->tape, node)->output;
}

/* ---- expected words ---- */

#define WORDS MODEL "  vocabulary: [a, b, c, <sos>, <eos>]\n  source: a b\n"

static void test_a_loss_follows_what_is_expected(void **state) {
    Lesson *lesson = lesson_good(WORDS "  expected: b c\n");
    const Tensor *target = tensor_of(lesson, "target");
    const Tensor *expected = tensor_of(lesson, "expected");
    assert_close(target->values, ((const double[]){4, 2, 3}), 3, 0);
    assert_close(expected->values, ((const double[]){2, 3, 5}), 3, 0);
    assert_string_equal(expected->col_labels[2], "<eos>");
    const Tensor *chances = tensor_of(lesson, "probabilities");
    const Tensor *losses = tensor_of(lesson, "losses"), *loss = tensor_of(lesson, "loss");
    double mean = 0;
    for (size_t i = 0; i < 3; i++) {
        double own = -log(tensor_at(chances, i, (size_t)expected->values[i] - 1));
        assert_close(&losses->values[i], &own, 1, 1e-12);
        mean += own / 3;
    }
    assert_close(loss->values, &mean, 1, 1e-12);
    assert_string_equal(lesson->steps[lesson->step_count - 1].topic, "loss");
    lesson_destroy(lesson);
}

static void test_padding_behind_the_target_does_not_count(void **state) {
    Lesson *lesson = lesson_good(WORDS "  expected: [2, 3]\n");
    Arena *arena = lesson->arena;
    double target[] = {4, 2, 3, 0}, expected[] = {2, 0, 5, 0}, source[] = {1, 2};
    TransformerInput input = {.source = {1, 2, source, NULL, NULL},
                              .target = {1, 4, target, NULL, NULL},
                              .expected = {1, 4, expected, NULL, NULL}};
    Random random;
    Error error;
    Transformer model;
    Tape *tape = tape_create(arena);
    random_init(&random, 0);
    assert_true(transformer_append(tape, arena, &lesson->model->shape, &input,
                                   transformer_random_weights(&random), &model, &error));
    const Tensor *losses = &tape_node(tape, model.losses)->output;
    assert_true(losses->values[1] == 0 && losses->values[3] == 0);
    double mean = (losses->values[0] + losses->values[2]) / 2;
    assert_close(tape_node(tape, model.loss)->output.values, &mean, 1, 1e-15);
    lesson_destroy(lesson);
}

static void test_examples_can_share_the_parameters_on_a_tape(void **state) {
    Lesson *lesson = lesson_good(WORDS "  expected: b c\n");
    Arena *arena = lesson->arena;
    double ids[2][2] = {{1, 2}, {3, 1}};
    Random random;
    Error error;
    Transformer parameters, models[2];
    Tape *tape = tape_create(arena);
    random_init(&random, 0);
    assert_true(transformer_append_parameters(tape, arena, &lesson->model->shape,
                                              transformer_random_weights(&random),
                                              &parameters, &error));
    size_t given = tape_count(tape);
    for (size_t i = 0; i < 2; i++) {
        TransformerInput input = {.source = {1, 2, ids[i], NULL, NULL},
                                  .target = {1, 2, ids[1 - i], NULL, NULL}};
        models[i] = parameters;
        assert_true(transformer_append_input(tape, arena, &input, &models[i], &error));
        assert_int_equal(models[i].parts[0].node, given);
        assert_int_equal(models[i].parameters[0].node, parameters.parameters[0].node);
        given = tape_count(tape);
    }
    const Tensor *first = &tape_node(tape, models[0].logits)->output;
    const Tensor *second = &tape_node(tape, models[1].logits)->output;
    assert_true(first->values[0] != second->values[0]);
    lesson_destroy(lesson);
}

/* ---- trained lessons ---- */

static void test_the_course_corpus_is_learned_from_any_seed(void **state) {
    for (int seed = 1; seed <= 5; seed++) {
        char text[2000];
        snprintf(text, sizeof text,
                 COURSE "      epochs: 200\n      learning_rate: 0.02\n      seed: %d\n",
                 seed);
        Lesson *lesson = lesson_good(text);
        const LessonTraining *training = lesson->training;
        assert_int_equal(lesson->model->shape.target_vocabulary, 1 + 23 + 2);
        assert_int_equal(training->count, 4);
        assert_int_equal(training->epochs, 200);
        assert_true(training->end.accuracy == 1);
        assert_true(training->end.loss < 0.05);
        assert_true(training->history[0].loss > 2);
        assert_true(tensor_of(lesson, "loss")->values[0] < 0.05);
        lesson_destroy(lesson);
    }
}

static void test_a_batch_can_be_of_all_examples(void **state) {
    Lesson *all = lesson_good(COURSE "      epochs: 3\n      batch: all\n");
    Lesson *four = lesson_good(COURSE "      epochs: 3\n      batch: 4\n");
    assert_int_equal(all->training->options.batch, 0);
    assert_close(&all->training->end.loss, &four->training->end.loss, 1, 0);
    lesson_destroy(all);
    lesson_destroy(four);
}

static void test_a_lesson_can_be_left_untrained(void **state) {
    const char *source = getenv("GLASSFORMER_SOURCE");
    char path[1000];
    snprintf(path, sizeof path, "%s/tests/lessons/training.yaml", source ? source : ".");
    ErrorList errors = {0};
    Lesson *lesson = lesson_load(path, &(LessonOptions){.untrained = true}, &errors);
    assert_non_null(lesson);
    assert_int_equal(lesson->training->epochs, 0);
    assert_int_equal(lesson->training->options.epochs, 300);
    assert_true(tensor_of(lesson, "loss")->values[0] > 1);
    Error error;
    Trainer *trainer =
        lesson_trainer(lesson, lesson->arena, &lesson->training->options, &error);
    assert_non_null(trainer);
    Lesson *trained = lesson_load(path, NULL, &errors);
    assert_non_null(trained);
    while (trainer_update(trainer, NULL))
        ;
    TrainEpoch end = trainer_evaluate(trainer);
    assert_close(&end.loss, &trained->training->end.loss, 1, 0);
    lesson_destroy(trained);
    lesson_destroy(lesson);
}

static void test_a_decoder_learns_from_texts(void **state) {
    Lesson *lesson = lesson_good(MODEL "  kind: decoder\n"
                                       "  target: you win\n"
                                       "  weights:\n"
                                       "    train:\n"
                                       "      texts: [you win or you die, he brings it]\n"
                                       "      epochs: 200\n"
                                       "      optimizer: sgd\n"
                                       "      learning_rate: 0.3\n");
    assert_int_equal(lesson->training->options.optimizer.kind, OPTIMIZER_SGD);
    assert_int_equal(lesson->training->examples[0].target.cols, 6);
    assert_string_equal(lesson->training->examples[1].expected.col_labels[0], "he");
    assert_true(lesson->training->end.loss < lesson->training->history[0].loss / 2);
    lesson_destroy(lesson);
}

static void test_texts_can_have_two_vocabularies(void **state) {
    Lesson *lesson = lesson_good(MODEL "  separate: true\n"
                                       "  source: I know\n"
                                       "  expected: 我 知道\n"
                                       "  weights: {train: {epochs: 1, pairs: [[I know, "
                                       "我 知道], [I drink, 我 喝 水]]}}\n");
    const TransformerShape *shape = &lesson->model->shape;
    assert_int_equal(shape->source_vocabulary, 1 + 3 + 2);
    assert_int_equal(shape->target_vocabulary, 1 + 4 + 2);
    lesson_destroy(lesson);
}

/* ---- checkpoints ---- */

/* A trainer of the course's corpus that has not begun, in the lesson's arena. */
static Trainer *course_trainer(const Lesson *lesson) {
    TrainOptions options = lesson->training->options;
    Error error;
    Trainer *trainer = lesson_trainer(lesson, lesson->arena, &options, &error);
    assert_non_null(trainer);
    return trainer;
}

static Lesson *course_lesson(int seed, const char *more) {
    char text[2000];
    snprintf(text, sizeof text,
             COURSE "      epochs: 6\n      batch: 3\n      seed: %d\n%s", seed, more);
    return lesson_good(text);
}

static void update(Trainer *trainer, size_t count) {
    for (size_t i = 0; i < count; i++)
        assert_true(trainer_update(trainer, NULL));
}

/* The bytes after `before` updates, a checkpoint, and `behind` more of another trainer.
 */
static void write(const Lesson *lesson, size_t before, size_t behind, uint8_t **bytes,
                  size_t *length) {
    Error error;
    Trainer *first = course_trainer(lesson);
    update(first, before);
    assert_true(checkpoint_write(first, lesson->arena, bytes, length, &error));
    if (!behind)
        return;
    Trainer *second = course_trainer(lesson);
    if (!checkpoint_read(second, lesson->arena, "f", *bytes, *length, &error))
        fail_msg("%s", error.message);
    update(second, behind);
    assert_true(checkpoint_write(second, lesson->arena, bytes, length, &error));
}

static void test_a_training_goes_on_from_any_update(void **state) {
    enum { ALL = 12 };
    const char *const options[] = {"", "      optimizer: sgd\n", "      warmup: 5\n"};
    for (size_t i = 0; i < 3; i++) {
        Lesson *lesson = course_lesson(3, options[i]);
        uint8_t *whole, *parts;
        size_t length, parts_length;
        write(lesson, ALL, 0, &whole, &length);
        for (size_t before = 0; before < ALL; before++) {
            write(lesson, before, ALL - before, &parts, &parts_length);
            assert_int_equal(parts_length, length);
            assert_memory_equal(parts, whole, length);
        }
        lesson_destroy(lesson);
    }
}

static void test_a_checkpoint_is_a_models_weights(void **state) {
    Lesson *lesson = course_lesson(1, "");
    uint8_t *bytes;
    size_t length;
    Weights weights;
    Error error;
    write(lesson, 12, 0, &bytes, &length);
    assert_true(weights_read(&weights, lesson->arena, "f", bytes, length,
                             &lesson->model->shape, &error));
    TransformerWeights fill = weights_fill(&weights);
    for (size_t i = 0; i < lesson->model->parameter_count; i++) {
        const TransformerParameter *parameter = &lesson->model->parameters[i];
        double values[200];
        assert_true(parameter->rows * parameter->cols <= 200);
        assert_true(fill.fill(fill.context, parameter, values, &error));
        assert_close(values, tape_node(lesson->tape, parameter->node)->output.values,
                     parameter->rows * parameter->cols, 0);
    }
    lesson_destroy(lesson);
}

static void refuses(const Lesson *lesson, const uint8_t *bytes, size_t length,
                    const char *words) {
    Error error = {0};
    Trainer *trainer = course_trainer(lesson);
    TrainEpoch before = trainer_evaluate(trainer);
    assert_false(checkpoint_read(trainer, lesson->arena, "f", bytes, length, &error));
    if (!strstr(error.message, words))
        fail_msg("'%s' is not in '%s'", words, error.message);
    TrainEpoch now = trainer_evaluate(trainer);
    assert_close(&now.loss, &before.loss, 1, 0);
    assert_int_equal(trainer_progress(trainer).updates, 0);
}

static void test_files_that_are_no_checkpoint_are_refused(void **state) {
    Lesson *lesson = course_lesson(1, ""), *other = course_lesson(2, "");
    Lesson *clipped = course_lesson(1, "      clip: 1\n");
    uint8_t *bytes;
    size_t length;
    write(other, 5, 0, &bytes, &length);
    refuses(lesson, bytes, length, "'f' is from another training");
    write(clipped, 5, 0, &bytes, &length);
    refuses(lesson, bytes, length, "'f' is from another training");
    refuses(lesson, bytes, 7, "f");

    Error error;
    Safetensors plain = {0};
    const double *const *values =
        weights_of_model(lesson->arena, lesson->tape, lesson->model);
    plain.tensors = weights_tensors(lesson->arena, &lesson->model->shape, values,
                                    SAFETENSORS_F64, &plain.count);
    assert_true(safetensors_write(lesson->arena, &plain, &bytes, &length, &error));
    refuses(lesson, bytes, length, "'f' has weights, but no training");
    lesson_destroy(clipped);
    lesson_destroy(other);
    lesson_destroy(lesson);
}

/* Every byte of header and notes damaged in turn: a sentence, or the same as before. */
static void test_damaged_checkpoints_break_nothing(void **state) {
    Lesson *lesson = course_lesson(1, "");
    uint8_t *bytes;
    size_t length, refused = 0;
    write(lesson, 5, 0, &bytes, &length);
    Random random;
    random_init(&random, 1);
    for (size_t i = 0; i < 600; i++) {
        Arena *arena = arena_create((size_t)64 << 20);
        uint8_t *copy = arena_alloc(arena, length, 1);
        memcpy(copy, bytes, length);
        size_t place = random_below(&random, i % 2 ? 1200 : length);
        copy[place] = (uint8_t)random_next(&random);
        size_t kept = i % 5 ? length : random_below(&random, length);
        Error error = {0};
        TrainOptions options = lesson->training->options;
        Trainer *trainer = lesson_trainer(lesson, arena, &options, &error);
        assert_non_null(trainer);
        if (!checkpoint_read(trainer, arena, "f", copy, kept, &error)) {
            assert_true(error.code != ERROR_NONE && error.message[0]);
            refused++;
        }
        while (trainer_update(trainer, NULL))
            ;
        arena_destroy(arena);
    }
    assert_true(refused > 200);
    lesson_destroy(lesson);
}

/* A change of the seed gives the parameters of a lesson with that seed. */
static void test_a_change_trains_with_another_seed(void **state) {
    (void)state;
    Lesson *own = lesson_good(COURSE "      epochs: 3\n      seed: 4\n");
    Lesson *given = lesson_good(COURSE "      epochs: 3\n      seed: 5\n");
    Lesson *changed = lesson_good(COURSE "      epochs: 3\n      seed: 4\n"
                                         "changes: [{seed: 5}]\n");
    LessonSwitches switches = {.seeded = true, .seed = 5};
    ErrorList errors = {0};
    const char text[] = COURSE "      epochs: 3\n      seed: 4\n";
    Lesson *switched = lesson_parse("test.yaml", text, strlen(text),
                                    &(LessonOptions){.switches = &switches}, &errors);
    assert_non_null(switched);
    const Tensor *expected = tensor_of(given, "memory");
    assert_true(own->is_trained && switched->is_trained);
    assert_int_equal(switched->own_seed, 4);
    assert_memory_equal(tensor_of(changed, "memory")->values, expected->values,
                        tensor_cells(expected) * sizeof(double));
    assert_memory_equal(tensor_of(switched, "memory")->values, expected->values,
                        tensor_cells(expected) * sizeof(double));
    assert_memory_not_equal(tensor_of(own, "memory")->values, expected->values,
                            tensor_cells(expected) * sizeof(double));
    lesson_destroy(switched);
    lesson_destroy(changed);
    lesson_destroy(given);
    lesson_destroy(own);
}

/* Lesson 40 answers all sentences that it hasn't learned; its untrained model none. */
static void test_right_answers_to_held_out_texts_are_counted(void **state) {
    (void)state;
    const char *source = getenv("GLASSFORMER_SOURCE");
    char path[4096];
    ErrorList errors = {0};
    snprintf(path, sizeof path, "%s/lessons/40-the-whole-path.yaml",
             source ? source : ".");
    Lesson *lesson = lesson_load(path, NULL, &errors);
    assert_non_null(lesson);
    assert_int_equal(lesson->held_out.count, 192);
    assert_int_equal(lesson->held_out.right, 192);
    lesson_destroy(lesson);
    lesson = lesson_load(path, &(LessonOptions){.untrained = true}, &errors);
    assert_non_null(lesson);
    assert_int_equal(lesson->held_out.count, 192);
    assert_int_equal(lesson->held_out.right, 0);
    lesson_destroy(lesson);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_loss_follows_what_is_expected),
        cmocka_unit_test(test_padding_behind_the_target_does_not_count),
        cmocka_unit_test(test_examples_can_share_the_parameters_on_a_tape),
        cmocka_unit_test(test_the_course_corpus_is_learned_from_any_seed),
        cmocka_unit_test(test_a_batch_can_be_of_all_examples),
        cmocka_unit_test(test_a_lesson_can_be_left_untrained),
        cmocka_unit_test(test_a_decoder_learns_from_texts),
        cmocka_unit_test(test_a_change_trains_with_another_seed),
        cmocka_unit_test(test_right_answers_to_held_out_texts_are_counted),
        cmocka_unit_test(test_texts_can_have_two_vocabularies),
        cmocka_unit_test(test_a_training_goes_on_from_any_update),
        cmocka_unit_test(test_a_checkpoint_is_a_models_weights),
        cmocka_unit_test(test_files_that_are_no_checkpoint_are_refused),
        cmocka_unit_test(test_damaged_checkpoints_break_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
