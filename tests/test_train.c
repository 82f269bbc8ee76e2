/* Training: losses, gradients and parameters against PyTorch's, and what a trainer
 * promises of its own: the same bits again, examples that don't see each other, and
 * sentences for what can't be learned. */
#include "model/learn/train.h"

#include "close.h"
#include "transformer_reference.h"

#include "tensor/tape/gradient.h"

enum { EXAMPLES_MAX = 8, NUMBERS_MAX = 4000 };

/* One training of tests/reference/training.txt, whose generator says what the lines mean.
 */
typedef struct Training {
    ModelReference model; /* its arena, shape and seed */
    TrainOptions options;
    size_t example_count;
    TrainExample examples[EXAMPLES_MAX];
    size_t updates;
    double *losses, *norms, *right;
    long tensors; /* where in the file the gradients and parameters begin */
} Training;

static FILE *training_open(void) {
    const char *source = getenv("GLASSFORMER_SOURCE");
    char path[1000];
    snprintf(path, sizeof path, "%s/tests/reference/training.txt", source ? source : ".");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    return file;
}

static double *read_numbers(FILE *file, Arena *arena, size_t *count) {
    assert_int_equal(fscanf(file, "%zu", count), 1);
    assert_true(*count && *count <= NUMBERS_MAX);
    return model_read_tensor(file, arena, 1, *count).values;
}

static void set_option(TrainOptions *options, const char *name, double value) {
    OptimizerOptions *optimizer = &options->optimizer;
    if (strcmp(name, "learning_rate") == 0)
        optimizer->learning_rate = value;
    else if (strcmp(name, "beta_1") == 0)
        optimizer->beta_1 = value;
    else if (strcmp(name, "beta_2") == 0)
        optimizer->beta_2 = value;
    else if (strcmp(name, "epsilon") == 0)
        optimizer->epsilon = value;
    else if (strcmp(name, "warmup") == 0)
        optimizer->warmup = (size_t)value;
    else if (strcmp(name, "clip") == 0)
        optimizer->clip = value;
    else if (strcmp(name, "batch") == 0)
        options->batch = (size_t)value;
    else if (strcmp(name, "epochs") == 0)
        options->epochs = (size_t)value;
    else
        fail_msg("unknown option '%s'", name);
}

static bool read_option_line(FILE *file, Training *training, const char *word) {
    char name[64], kind[64];
    double value;
    if (strcmp(word, "training") == 0) {
        assert_int_equal(fscanf(file, "%63s %63s", training->model.name, kind), 2);
        training->model.shape.kind = model_kind(kind);
    } else if (strcmp(word, "shape") == 0) {
        assert_int_equal(fscanf(file, "%63s %63s", name, kind), 2);
        model_set_shape(&training->model.shape, name, kind);
    } else if (strcmp(word, "option") == 0) {
        assert_int_equal(fscanf(file, "%63s %lf", name, &value), 2);
        set_option(&training->options, name, value);
    } else if (strcmp(word, "seed") == 0) {
        assert_int_equal(fscanf(file, "%lf", &value), 1);
        training->model.seed = training->options.seed = (uint64_t)value;
    } else if (strcmp(word, "optimizer") == 0) {
        assert_int_equal(fscanf(file, "%63s", name), 1);
        training->options.optimizer.kind =
            strcmp(name, "sgd") == 0 ? OPTIMIZER_SGD : OPTIMIZER_ADAM;
    } else {
        return false;
    }
    return true;
}

static Tensor read_ids(FILE *file, Arena *arena) {
    size_t count;
    double *values = read_numbers(file, arena, &count);
    return (Tensor){.rows = 1, .cols = count, .values = values};
}

static bool read_example_line(FILE *file, Training *training, const char *word) {
    Arena *arena = training->model.arena;
    if (strcmp(word, "example") == 0) {
        assert_true(training->example_count < EXAMPLES_MAX);
        training->example_count++;
        return true;
    }
    if (!training->example_count)
        return false;
    TrainExample *example = &training->examples[training->example_count - 1];
    if (strcmp(word, "source") == 0)
        example->source = read_ids(file, arena);
    else if (strcmp(word, "target") == 0)
        example->target = read_ids(file, arena);
    else if (strcmp(word, "expected") == 0)
        example->expected = read_ids(file, arena);
    else if (strcmp(word, "losses") == 0)
        training->losses = read_numbers(file, arena, &training->updates);
    else if (strcmp(word, "norms") == 0)
        training->norms = read_numbers(file, arena, &training->updates);
    else if (strcmp(word, "right") == 0)
        training->right = read_numbers(file, arena, &training->updates);
    else
        return false;
    return true;
}

/* The next training up to its tensors, which the file then stands before; false at the
 * end. */
static bool training_next(FILE *file, Training *training) {
    char word[64] = "";
    Arena *arena = training->model.arena;
    arena_reset(arena);
    *training =
        (Training){.model.arena = arena, .options.optimizer = optimizer_options()};
    do {
        training->tensors = ftell(file);
        if (fscanf(file, "%63s", word) != 1)
            return false;
        bool left = !training->model.name[0] && strcmp(word, "training") != 0;
        if (word[0] == '#' || left) /* a comment, or the last training's tensors */
            assert_int_not_equal(fscanf(file, "%*[^\n]"), 1);
        else if (!read_option_line(file, training, word) &&
                 !read_example_line(file, training, word))
            break;
    } while (true);
    assert_int_equal(fseek(file, training->tensors, SEEK_SET), 0);
    return true;
}

/* The cells of PyTorch's tensor that are the parameter's. */
static void take_part(const TransformerParameter *parameter, const double *torch,
                      double *values) {
    for (size_t r = 0; r < parameter->rows; r++) {
        for (size_t c = 0; c < parameter->cols; c++) {
            size_t row = parameter->torch_first + (parameter->is_table ? r : c);
            size_t col = parameter->is_table ? c : r;
            values[r * parameter->cols + c] = torch[row * parameter->torch_cols + col];
        }
    }
}

/* Compares an array of the trainer with the file's lines that begin with `wanted`, up to
 * "end"; returns the number of compared parameters. */
static size_t compare_tensors(FILE *file, const Training *training,
                              const Trainer *trainer, TrainerArray array,
                              const char *wanted, double tolerance) {
    char word[64], name[100];
    size_t count, compared = 0;
    double expected[NUMBERS_MAX];
    assert_int_equal(fseek(file, training->tensors, SEEK_SET), 0);
    while (fscanf(file, "%63s", word) == 1 && strcmp(word, "end") != 0) {
        assert_int_equal(fscanf(file, "%99s", name), 1);
        const double *torch = read_numbers(file, training->model.arena, &count);
        const Transformer *model = trainer_model(trainer);
        for (size_t i = 0; i < model->parameter_count; i++) {
            const TransformerParameter *parameter = &model->parameters[i];
            if (strcmp(word, wanted) != 0 || strcmp(parameter->torch_name, name) != 0)
                continue;
            take_part(parameter, torch, expected);
            assert_close(trainer_array(trainer, array, i), expected,
                         parameter->rows * parameter->cols, tolerance);
            compared++;
        }
    }
    return compared;
}

/* A trainer of a model that begins with these weights. */
static Trainer *try_weights(Arena *arena, const TransformerShape *shape,
                            const TrainExample *examples, size_t count,
                            const TrainOptions *options, TransformerWeights weights,
                            Error *error) {
    Tape *tape = tape_create(arena);
    Transformer *model = arena_alloc(arena, 1, sizeof *model);
    if (!tape || !model) {
        error->code = ERROR_MEMORY;
        return NULL;
    }
    return transformer_append_parameters(tape, arena, shape, weights, model, error)
               ? trainer_create(arena, tape, model, examples, count, options, error)
               : NULL;
}

static Trainer *make_trainer(Training *training, Arena *arena) {
    Error error;
    Trainer *trainer = try_weights(
        arena, &training->model.shape, training->examples, training->example_count,
        &training->options, (TransformerWeights){model_fill, &training->model}, &error);
    if (!trainer)
        fail_msg("%s: %s", training->model.name, error.message);
    return trainer;
}

static Arena *new_arena(void) {
    Arena *arena = arena_create((size_t)256 << 20);
    assert_non_null(arena);
    return arena;
}

/* ---- against PyTorch ---- */

static void test_losses_and_parameters_follow_torch(void **state) {
    Training training = {.model.arena = new_arena()};
    FILE *file = training_open();
    size_t trainings = 0;
    while (training_next(file, &training)) {
        Arena *arena = new_arena();
        Trainer *trainer = make_trainer(&training, arena);
        TrainUpdate update;
        for (size_t i = 0; i < training.updates; i++) {
            assert_true(trainer_update(trainer, &update));
            assert_close(&update.loss, &training.losses[i], 1, 1e-10);
            assert_close(&update.gradient_norm, &training.norms[i], 1, 1e-9);
            assert_int_equal(update.right, (size_t)training.right[i]);
        }
        assert_false(trainer_update(trainer, &update));
        assert_int_equal(
            compare_tensors(file, &training, trainer, TRAINER_VALUES, "parameter", 1e-9),
            trainer_model(trainer)->parameter_count);
        arena_destroy(arena);
        trainings++;
    }
    assert_int_equal(trainings, 8);
    fclose(file);
    arena_destroy(training.model.arena);
}

static void test_gradients_of_two_and_two_layers_are_torchs(void **state) {
    Training training = {.model.arena = new_arena()};
    FILE *file = training_open();
    size_t compared = 0;
    while (training_next(file, &training)) {
        if (training.model.shape.encoder_layers != 2)
            continue;
        Arena *arena = new_arena();
        Trainer *trainer = make_trainer(&training, arena);
        trainer_update(trainer, NULL);
        assert_int_equal(compare_tensors(file, &training, trainer, TRAINER_GRADIENTS,
                                         "gradient", 1e-9),
                         trainer_model(trainer)->parameter_count);
        compared++;
        arena_destroy(arena);
    }
    assert_int_equal(compared, 2);
    fclose(file);
    arena_destroy(training.model.arena);
}

/* ---- a small training of our own ---- */

static const TransformerShape small = {
    .kind = TRANSFORMER_ENCODER_DECODER,
    .d_model = 6,
    .heads = 2,
    .d_ff = 10,
    .encoder_layers = 1,
    .decoder_layers = 2,
    .source_vocabulary = 6,
    .target_vocabulary = 8,
    .first_output = 1,
    .epsilon = 1e-5,
    .biases = true,
};

/* Five examples: word i of a text follows from the source. */
static double sources[5][3] = {{1, 2, 3}, {3, 2, 1}, {4, 4, 5}, {5, 1, 0}, {2, 0, 0}};
static double targets[5][3] = {{6, 1, 2}, {6, 3, 3}, {6, 4, 0}, {6, 2, 1}, {6, 0, 0}};
static double expecteds[5][3] = {{1, 2, 7}, {3, 3, 7}, {4, 7, 0}, {2, 1, 7}, {7, 0, 0}};

static Tensor row_of(double *values, size_t count) {
    return (Tensor){.rows = 1, .cols = count, .values = values};
}

static void fill_examples(TrainExample examples[5]) {
    for (size_t i = 0; i < 5; i++)
        examples[i] = (TrainExample){row_of(sources[i], 3), row_of(targets[i], 3),
                                     row_of(expecteds[i], 3)};
}

static TrainOptions small_options(size_t epochs) {
    TrainOptions options = {
        .optimizer = optimizer_options(), .epochs = epochs, .batch = 2, .seed = 5};
    options.optimizer.learning_rate = 0.02;
    options.optimizer.warmup = 7;
    options.optimizer.clip = 1;
    return options;
}

static Trainer *try_trainer(Arena *arena, const TransformerShape *shape,
                            const TrainExample *examples, size_t count,
                            const TrainOptions *options, Error *error) {
    Random random;
    random_init(&random, 3);
    return try_weights(arena, shape, examples, count, options,
                       transformer_random_weights(&random), error);
}

static Trainer *small_trainer(Arena *arena, const TrainOptions *options) {
    TrainExample examples[5];
    Error error;
    fill_examples(examples);
    Trainer *trainer = try_trainer(arena, &small, examples, 5, options, &error);
    if (!trainer)
        fail_msg("%s", error.message);
    return trainer;
}

static void train_all(Trainer *trainer) {
    while (trainer_update(trainer, NULL))
        ;
}

/* All bytes that an epoch's end leaves: parameters and moments. */
enum { STATE_CELLS = 8000 };

static size_t state_of(const Trainer *trainer, double cells[STATE_CELLS]) {
    const Transformer *model = trainer_model(trainer);
    size_t count = 0;
    for (size_t i = 0; i < model->parameter_count; i++) {
        size_t size = model->parameters[i].rows * model->parameters[i].cols;
        for (TrainerArray array = 0; array < TRAINER_GRADIENTS; array++) {
            assert_true(count + size <= STATE_CELLS);
            memcpy(cells + count, trainer_array(trainer, array, i), size * sizeof *cells);
            count += size;
        }
    }
    return count;
}

/* Loss and gradients equal those of the tape's backward pass. */
static void test_gradients_are_the_tapes(void **state) {
    Arena *arena = new_arena();
    TrainOptions options = {.optimizer = optimizer_options(), .epochs = 1};
    TrainExample examples[5];
    fill_examples(examples);
    Error error;
    Trainer *trainer = try_trainer(arena, &small, examples, 1, &options, &error);
    TrainUpdate update;
    Tape *tape = tape_create(arena);
    Transformer model;
    TransformerInput input = {.source = examples[0].source,
                              .target = examples[0].target,
                              .expected = examples[0].expected};
    Random random;
    random_init(&random, 3);
    assert_true(transformer_append(tape, arena, &small, &input,
                                   transformer_random_weights(&random), &model, &error));
    Gradients *gradients = gradients_create(tape, model.loss, NULL, 0, arena);
    gradients_clear(gradients);
    gradients_add(gradients, NULL);
    assert_true(trainer_update(trainer, &update));
    assert_close(&update.loss, tape_node(tape, model.loss)->output.values, 1, 1e-12);
    for (size_t i = 0; i < model.parameter_count; i++) {
        const TransformerParameter *parameter = &model.parameters[i];
        assert_close(trainer_array(trainer, TRAINER_GRADIENTS, i),
                     gradients_get(gradients, parameter->node),
                     parameter->rows * parameter->cols, 1e-12);
    }
    arena_destroy(arena);
}

/* In a batch of any size each example has the result that it has alone. */
static void test_examples_in_a_batch_dont_see_each_other(void **state) {
    enum { MANY = 40 };
    Arena *arena = new_arena();
    TrainOptions options = {.optimizer = optimizer_options(), .epochs = 1};
    TrainExample five[5], many[MANY];
    fill_examples(five);
    Error error;
    double losses[5], sum = 0;
    size_t words[5], counted = 0, right = 0;
    for (size_t i = 0; i < 5; i++) {
        TrainUpdate update;
        Trainer *alone = try_trainer(arena, &small, &five[i], 1, &options, &error);
        assert_true(trainer_update(alone, &update));
        losses[i] = update.loss;
        words[i] = update.words;
        right += update.right;
    }
    for (size_t i = 0; i < MANY; i++) {
        many[i] = five[i % 5];
        sum += losses[i % 5] * (double)words[i % 5];
        counted += words[i % 5];
    }
    TrainUpdate update;
    Trainer *trainer = try_trainer(arena, &small, many, MANY, &options, &error);
    assert_true(trainer_update(trainer, &update));
    sum /= (double)counted;
    assert_close(&update.loss, &sum, 1, 1e-14);
    assert_int_equal(update.words, counted);
    assert_int_equal(update.right, MANY / 5 * right);
    arena_destroy(arena);
}

static void test_the_same_options_give_the_same_bits(void **state) {
    static double first[STATE_CELLS], second[STATE_CELLS];
    TrainOptions options = small_options(20);
    for (int i = 0; i < 2; i++) {
        Arena *arena = new_arena();
        Trainer *trainer = small_trainer(arena, &options);
        train_all(trainer);
        size_t count = state_of(trainer, i ? second : first);
        if (i)
            assert_memory_equal(first, second, count * sizeof *first);
        arena_destroy(arena);
    }
}

static void test_another_seed_gives_another_order(void **state) {
    Arena *arena = new_arena();
    TrainOptions options = small_options(3), other = options;
    other.seed++;
    static double first[STATE_CELLS], second[STATE_CELLS];
    Trainer *a = small_trainer(arena, &options), *b = small_trainer(arena, &other);
    train_all(a);
    train_all(b);
    size_t count = state_of(a, first);
    state_of(b, second);
    assert_memory_not_equal(first, second, count * sizeof *first);
    arena_destroy(arena);
}

static void test_history_keeps_what_updates_gave(void **state) {
    Arena *arena = new_arena();
    TrainOptions options = small_options(2);
    Trainer *trainer = small_trainer(arena, &options);
    double loss = 0, norm = 0;
    size_t words = 0, right = 0, count;
    assert_int_equal(trainer_progress(trainer).batches, 3);
    for (int i = 0; i < 3; i++) {
        TrainUpdate update;
        trainer_update(trainer, &update);
        loss += update.loss * (double)update.words;
        norm += update.gradient_norm;
        words += update.words;
        right += update.right;
    }
    const TrainEpoch *history = trainer_history(trainer, &count);
    assert_int_equal(count, 1);
    assert_int_equal(words, 12);
    double share = (double)right / (double)words;
    loss /= (double)words;
    norm /= 3;
    assert_close(&history[0].loss, &loss, 1, 1e-15);
    assert_close(&history[0].accuracy, &share, 1, 0);
    assert_close(&history[0].gradient_norm, &norm, 1, 1e-15);
    arena_destroy(arena);
}

static void test_a_small_model_learns_every_word(void **state) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        Arena *arena = new_arena();
        TrainOptions options = small_options(200);
        options.seed = seed;
        Trainer *trainer = small_trainer(arena, &options);
        train_all(trainer);
        TrainEpoch end = trainer_evaluate(trainer);
        assert_true(end.accuracy == 1);
        assert_true(end.loss < 0.1);
        arena_destroy(arena);
    }
}

static void test_updates_allocate_nothing(void **state) {
    Arena *arena = new_arena();
    TrainOptions options = small_options(50);
    Trainer *trainer = small_trainer(arena, &options);
    size_t used = arena_used(arena);
    train_all(trainer);
    trainer_evaluate(trainer);
    assert_int_equal(arena_used(arena), used);
    arena_destroy(arena);
}

/* ---- the tape's model with the trained weights ---- */

static bool fill_trained(void *context, const TransformerParameter *parameter,
                         double *values, Error *error) {
    (void)error;
    const Trainer *trainer = context;
    const Transformer *model = trainer_model(trainer);
    for (size_t i = 0; i < model->parameter_count; i++) {
        if (strcmp(model->parameters[i].name, parameter->name) == 0)
            memcpy(values, trainer_array(trainer, TRAINER_VALUES, i),
                   parameter->rows * parameter->cols * sizeof *values);
    }
    return true;
}

static void test_a_tape_takes_the_trained_weights(void **state) {
    Arena *arena = new_arena();
    TrainOptions options = small_options(30);
    Trainer *trainer = small_trainer(arena, &options);
    train_all(trainer);
    TrainExample examples[5];
    fill_examples(examples);
    double loss = 0;
    const double words[5] = {3, 3, 2, 3, 1};
    for (size_t i = 0; i < 5; i++) {
        TransformerInput input = {.source = examples[i].source,
                                  .target = examples[i].target,
                                  .expected = examples[i].expected};
        Tape *tape = tape_create(arena);
        Transformer model;
        Error error;
        assert_true(transformer_append(tape, arena, &small, &input,
                                       (TransformerWeights){fill_trained, trainer},
                                       &model, &error));
        loss += words[i] * tape_node(tape, model.loss)->output.values[0];
    }
    loss /= 12;
    TrainEpoch end = trainer_evaluate(trainer);
    assert_close(&end.loss, &loss, 1, 1e-12);
    arena_destroy(arena);
}

/* ---- what can't be ---- */

static void refuses(const TransformerShape *shape, const TrainExample *examples,
                    size_t count, const TrainOptions *options, ErrorCode code,
                    const char *sentence) {
    Arena *arena = new_arena();
    Error error = {0};
    assert_null(try_trainer(arena, shape, examples, count, options, &error));
    assert_int_equal(error.code, code);
    if (!strstr(error.message, sentence))
        fail_msg("'%s' is not in '%s'", sentence, error.message);
    arena_destroy(arena);
}

static void test_examples_that_cant_be_learned_are_named(void **state) {
    TrainOptions options = small_options(1);
    TrainExample examples[5];
    double nothing[3] = {0}, unknown[3] = {1, 8, 0}, half[3] = {1, 1.5, 0};
    fill_examples(examples);
    refuses(&small, examples, 0, &options, ERROR_VALUE, "there are no examples");
    examples[1].source = row_of(nothing, 3);
    refuses(&small, examples, 5, &options, ERROR_VALUE,
            "example 2: its source has no tokens");
    fill_examples(examples);
    examples[2].target = row_of(unknown, 3);
    refuses(&small, examples, 5, &options, ERROR_VALUE, "example 3: there is no ID 8");
    fill_examples(examples);
    examples[4].expected = row_of(half, 3);
    refuses(&small, examples, 5, &options, ERROR_VALUE, "example 5: there is no ID 1.5");
    examples[4].expected = row_of(nothing, 3);
    refuses(&small, examples, 5, &options, ERROR_VALUE,
            "example 5: nothing is expected but padding");
    examples[4].expected = row_of(expecteds[0], 3);
    refuses(&small, examples, 5, &options, ERROR_VALUE,
            "example 5: ID 2 can't be expected after padding");
    fill_examples(examples);
    examples[0].expected.cols = 2;
    refuses(&small, examples, 5, &options, ERROR_SHAPE,
            "example 1: the decoder reads 3 tokens, but 2 are expected");
    TransformerShape mute = small;
    mute.first_output = 4;
    fill_examples(examples);
    refuses(&mute, examples, 5, &options, ERROR_VALUE,
            "example 1: ID 1 can't be expected of the model, which never generates it");
}

static void test_options_that_cant_be_are_named(void **state) {
    TrainExample examples[5];
    fill_examples(examples);
    TrainOptions options = small_options(0);
    refuses(&small, examples, 5, &options, ERROR_VALUE, "epochs is 0");
    options = small_options(TRAIN_MAX_EPOCHS + 1);
    refuses(&small, examples, 5, &options, ERROR_VALUE, "epochs is 1000001");
    options = small_options(1);
    options.optimizer.learning_rate = NAN;
    refuses(&small, examples, 5, &options, ERROR_VALUE, "learning_rate is");
    options = small_options(1);
    options.optimizer.beta_1 = 1;
    refuses(&small, examples, 5, &options, ERROR_VALUE, "beta_1 is 1");
    options = small_options(1);
    options.optimizer.beta_2 = -0.5;
    refuses(&small, examples, 5, &options, ERROR_VALUE, "beta_2 is -0.5");
    options = small_options(1);
    options.optimizer.epsilon = 0;
    refuses(&small, examples, 5, &options, ERROR_VALUE, "epsilon is 0");
    options = small_options(1);
    options.optimizer.clip = INFINITY;
    refuses(&small, examples, 5, &options, ERROR_VALUE, "clip is inf");
    TransformerShape encoder = small;
    encoder.kind = TRANSFORMER_ENCODER;
    options = small_options(1);
    refuses(&encoder, examples, 5, &options, ERROR_VALUE,
            "kind encoder generates no tokens");
}

/* A trainer made under a guard. */
typedef struct GuardedTrainer {
    Arena *arena;
    TrainExample examples[5];
    TrainOptions options;
} GuardedTrainer;

static void train_guarded(void *context) {
    GuardedTrainer *this = context;
    Error error = {0};
    assert_non_null(
        try_trainer(this->arena, &small, this->examples, 5, &this->options, &error));
}

/* Whatever allocation fails, the guard is left. */
static void test_training_survives_want_of_memory(void **state) {
    GuardedTrainer guarded = {.options = small_options(5)};
    fill_examples(guarded.examples);
    bool made = false;
    for (size_t limit = 64; !made; limit += limit / 16) {
        guarded.arena = arena_create(limit);
        made = arena_guard(guarded.arena, train_guarded, &guarded);
        assert_int_equal(made, !arena_exhausted(guarded.arena));
        arena_destroy(guarded.arena);
    }
}

static void test_diverged_training_stays_a_number_or_says_nan(void **state) {
    Arena *arena = new_arena();
    TrainOptions options = small_options(30);
    options.optimizer = (OptimizerOptions){.kind = OPTIMIZER_SGD,
                                           .learning_rate = 1e200,
                                           .beta_1 = 0.9,
                                           .beta_2 = 0.9,
                                           .epsilon = 1e-8};
    Trainer *trainer = small_trainer(arena, &options);
    train_all(trainer);
    TrainEpoch end = trainer_evaluate(trainer);
    assert_false(end.loss < 1);
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_losses_and_parameters_follow_torch),
        cmocka_unit_test(test_gradients_of_two_and_two_layers_are_torchs),
        cmocka_unit_test(test_gradients_are_the_tapes),
        cmocka_unit_test(test_examples_in_a_batch_dont_see_each_other),
        cmocka_unit_test(test_the_same_options_give_the_same_bits),
        cmocka_unit_test(test_another_seed_gives_another_order),
        cmocka_unit_test(test_history_keeps_what_updates_gave),
        cmocka_unit_test(test_a_small_model_learns_every_word),
        cmocka_unit_test(test_updates_allocate_nothing),
        cmocka_unit_test(test_a_tape_takes_the_trained_weights),
        cmocka_unit_test(test_examples_that_cant_be_learned_are_named),
        cmocka_unit_test(test_options_that_cant_be_are_named),
        cmocka_unit_test(test_training_survives_want_of_memory),
        cmocka_unit_test(test_diverged_training_stays_a_number_or_says_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
