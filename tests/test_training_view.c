/* Training as one goes through it: films of what the steps watch, the player's way along
 * them, their pictures, and what the lessons on learning say. */
#include "close.h"
#include "contains.h"
#include "drawn_lesson.h"
#include "lesson/model/learning.h"
#include "picture/page/page.h"
#include "picture/stage/page_content.h"
#include "scene_find.h"
#include "tensor/tape/tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EPOCHS = 6 };

#define MODEL                                                                            \
    "title: t\n"                                                                         \
    "model:\n"                                                                           \
    "  d_model: 6\n"                                                                     \
    "  heads: 2\n"                                                                       \
    "  d_ff: 12\n"                                                                       \
    "  source: \"he brings the storm\"\n"                                                \
    "  expected: \"you die\"\n"                                                          \
    "  steps: false\n"                                                                   \
    "  weights:\n"                                                                       \
    "    train:\n"                                                                       \
    "      learning_rate: 0.02\n"                                                        \
    "      pairs:\n"                                                                     \
    "        - [\"he brings the storm\", \"you die\"]\n"                                 \
    "        - [\"I drink\", \"and I know things\"]\n"                                   \
    "        - [\"you win\", \"he brings the storm\"]\n"

#define HEAD "decoder.0.cross_attention.head.1.weights"

static const char WATCHED[] =
    MODEL "      before: {scores_before: decoder.0.cross_attention.head.1.scaled}\n"
          "      epochs: %d\n"
          "      batch: %d\n"
          "steps:\n"
          "  - do: before = softmax(scores_before)\n"
          "  - train: {watch: [probabilities, " HEAD "]}\n"
          "  - show: losses\n";

static Lesson *watched(int epochs, int batch) {
    char text[4096];
    snprintf(text, sizeof text, WATCHED, epochs, batch);
    return lesson_good(text);
}

static const Tensor *tensor_of(const Lesson *lesson, const char *name) {
    size_t node = tape_find(lesson->tape, name);
    assert_int_not_equal(node, TAPE_NONE);
    return &tape_node(lesson->tape, node)->output;
}

static const LessonStep *train_step(const Lesson *lesson) {
    const LessonStep *step = &lesson->steps[1];
    assert_non_null(step->film);
    return step;
}

/* ---- films ---- */

static void assert_frame_is(const Lesson *lesson, size_t frame, const Lesson *fresh) {
    const char *const names[] = {"probabilities", HEAD};
    for (size_t i = 0; i < 2; i++) {
        Tensor kept = lesson_film_tensor(lesson, train_step(lesson), i, frame);
        const Tensor *made = tensor_of(fresh, names[i]);
        assert_int_equal(tensor_cells(&kept), tensor_cells(made));
        assert_memory_equal(kept.values, made->values,
                            tensor_cells(made) * sizeof *made->values);
    }
}

static void test_each_frame_is_what_so_long_a_training_ends_in(void **state) {
    Lesson *lesson = watched(EPOCHS, 0);
    assert_int_equal(train_step(lesson)->film->frame_count, EPOCHS + 1);
    for (int epochs = 1; epochs <= EPOCHS; epochs++) {
        Lesson *fresh = watched(epochs, 0);
        assert_frame_is(lesson, (size_t)epochs, fresh);
        lesson_destroy(fresh);
    }
    lesson_destroy(lesson);
}

static void test_the_model_on_the_tape_is_the_one_that_nobody_watched(void **state) {
    Lesson *lesson = watched(EPOCHS, 2);
    char text[4096];
    snprintf(text, sizeof text,
             MODEL "      epochs: %d\n      batch: 2\nsteps:\n  - show: losses\n",
             EPOCHS);
    Lesson *plain = lesson_good(text);
    assert_int_equal(lesson->model->parameter_count, plain->model->parameter_count);
    for (size_t i = 0; i < plain->model->parameter_count; i++) {
        const char *name = plain->model->parameters[i].name;
        const Tensor *one = tensor_of(lesson, name), *other = tensor_of(plain, name);
        assert_memory_equal(one->values, other->values,
                            tensor_cells(one) * sizeof *one->values);
    }
    const Tensor *one = tensor_of(lesson, "losses"), *other = tensor_of(plain, "losses");
    assert_memory_equal(one->values, other->values,
                        tensor_cells(one) * sizeof *one->values);
    assert_int_equal(lesson->training->epochs, plain->training->epochs);
    assert_memory_equal(lesson->training->history, plain->training->history,
                        EPOCHS * sizeof *plain->training->history);
    assert_close(&lesson->training->end.loss, &plain->training->end.loss, 1, 0);
    lesson_destroy(plain);
    lesson_destroy(lesson);
}

static void test_a_film_begins_with_the_untrained_model(void **state) {
    char path[] = "/tmp/glassformer-train-XXXXXX";
    Lesson *lesson = watched(EPOCHS, 0);
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    fprintf(stream, WATCHED, EPOCHS, 0);
    fclose(stream);
    ErrorList errors = {0};
    Lesson *untrained = lesson_load(path, &(LessonOptions){.untrained = true}, &errors);
    remove(path);
    assert_non_null(untrained);
    assert_int_equal(train_step(untrained)->film->frame_count, 1);
    assert_frame_is(lesson, 0, untrained);
    Player player;
    assert_true(player_init(&player, untrained));
    assert_int_equal(player.step_count,
                     untrained->step_count); /* nothing to go through */
    lesson_destroy(untrained);
    lesson_destroy(lesson);
}

static void test_what_is_kept_of_before_is_the_first_frame(void **state) {
    Lesson *lesson = watched(EPOCHS, 0);
    const Tensor *before = tensor_of(lesson, "before");
    Tensor first = lesson_film_tensor(lesson, train_step(lesson), 1, 0);
    assert_close(before->values, first.values, tensor_cells(&first), 0);
    assert_string_equal(before->row_labels[0], "<sos>");
    const Tensor *end = tensor_of(lesson, HEAD);
    bool same = true;
    for (size_t i = 0; i < tensor_cells(end); i++)
        same &= end->values[i] == first.values[i];
    assert_false(same);
    lesson_destroy(lesson);
}

static void test_the_log_adds_up_to_the_history(void **state) {
    Lesson *lesson = watched(EPOCHS, 2); /* batches of two examples and of one */
    const LessonTraining *training = lesson->training;
    assert_int_equal(training->batches, 2);
    assert_int_equal(training->updates, 2 * EPOCHS);
    for (size_t e = 0; e < EPOCHS; e++) {
        const TrainUpdate *log = &training->log[2 * e];
        double words = (double)(log[0].words + log[1].words);
        double loss =
            (log[0].loss * (double)log[0].words + log[1].loss * (double)log[1].words) /
            words;
        double accuracy = (double)(log[0].right + log[1].right) / words;
        assert_close(&training->history[e].loss, &loss, 1, 1e-12);
        assert_close(&training->history[e].accuracy, &accuracy, 1, 1e-12);
    }
    lesson_destroy(lesson);
}

/* ---- the player ---- */

static size_t frame_of(const Player *player) {
    size_t frame;
    assert_non_null(player_film(player, &frame));
    return frame;
}

static void test_a_training_opens_into_its_epochs(void **state) {
    Lesson *lesson = watched(EPOCHS, 0);
    Player player;
    assert_true(player_init(&player, lesson));
    assert_true(player_move(&player, PLAYER_RIGHT));
    assert_int_equal(frame_of(&player), EPOCHS); /* closed it stands at its end */
    assert_string_equal(player_step(&player)->topic, "training");
    assert_true(player_move(&player, PLAYER_DOWN));
    assert_int_equal(frame_of(&player), 0);
    assert_string_equal(player_step(&player)->path, "2.0");
    assert_false(player_move(&player, PLAYER_DOWN)); /* an epoch is one update */
    for (size_t epoch = 1; epoch <= EPOCHS; epoch++) {
        Player before = player;
        assert_true(player_move(&player, PLAYER_RIGHT));
        assert_int_equal(frame_of(&player), epoch);
        Player back = player;
        assert_true(player_move(&back, PLAYER_LEFT));
        assert_memory_equal(&back, &before, sizeof back);
    }
    assert_true(player_move(&player, PLAYER_RIGHT)); /* on behind the training */
    assert_int_equal(player_statement(&player), 2);
    assert_true(player_move(&player, PLAYER_LEFT));
    assert_int_equal(frame_of(&player), EPOCHS);
    assert_true(player_move(&player, PLAYER_UP));
    assert_string_equal(player_step(&player)->path, "2");
    lesson_destroy(lesson);
}

static void test_an_epoch_of_several_updates_opens_into_these(void **state) {
    Lesson *lesson = watched(EPOCHS, 2);
    Player player;
    assert_true(player_init(&player, lesson));
    player_jump(&player, player_statement_step(&player, 1));
    assert_true(player_move(&player, PLAYER_DOWN));
    assert_true(player_move(&player, PLAYER_RIGHT));
    assert_int_equal(frame_of(&player), 2);
    assert_true(player_move(&player, PLAYER_DOWN));
    assert_string_equal(player_step(&player)->path, "2.1.0");
    for (size_t frame = 2; frame < 2 * EPOCHS; frame++) {
        assert_int_equal(frame_of(&player), frame);
        assert_true(player_move(&player, PLAYER_RIGHT));
    }
    assert_int_equal(frame_of(&player), 2 * EPOCHS); /* every update once, and the end */
    assert_int_equal(player_step(&player)->child_count, 0);
    lesson_destroy(lesson);
}

/* ---- pictures ---- */

static void begin(Drawn *drawn, const Lesson *lesson) {
    drawn_open(drawn);
    assert_true(player_init(&drawn->player, lesson));
}

static uint64_t draw(Drawn *drawn) {
    arena_reset(drawn->frame);
    page_draw(&drawn->scene, drawn->frame,
              &(Page){.player = &drawn->player,
                      .theme = &drawn->files.themes.items[0],
                      .metrics = &drawn->metrics,
                      .language = drawn->files.language,
                      .width = 1600,
                      .height = 900});
    assert_true(scene_complete(&drawn->scene));
    return scene_digest(&drawn->scene);
}

static void test_stepping_back_shows_exactly_what_was_there(void **state) {
    Lesson *lesson = watched(EPOCHS, 0);
    Drawn drawn;
    uint64_t there[EPOCHS + 1];
    begin(&drawn, lesson);
    player_jump(&drawn.player, player_statement_step(&drawn.player, 1));
    assert_true(player_move(&drawn.player, PLAYER_DOWN));
    for (size_t i = 0; i <= EPOCHS; i++) {
        there[i] = draw(&drawn);
        for (size_t j = 0; j < i; j++)
            assert_true(there[j] != there[i]);
        if (i < EPOCHS)
            assert_true(player_move(&drawn.player, PLAYER_RIGHT));
    }
    for (size_t i = EPOCHS; i > 0; i--) {
        assert_true(draw(&drawn) == there[i]);
        assert_true(player_move(&drawn.player, PLAYER_LEFT));
    }
    assert_true(draw(&drawn) == there[0]);
    drawn_finish(&drawn);
    lesson_destroy(lesson);
}

static void test_the_page_says_where_in_the_training_one_is(void **state) {
    Lesson *lesson = watched(EPOCHS, 2);
    Drawn drawn;
    char loss[32];
    begin(&drawn, lesson);
    player_jump(&drawn.player, player_statement_step(&drawn.player, 1));
    draw(&drawn);
    assert_true(scene_shows(&drawn.scene, "After epoch 6 of 6"));
    snprintf(loss, sizeof loss, "Loss %.4f", lesson->training->end.loss);
    assert_true(scene_shows(&drawn.scene, loss));
    assert_true(player_move(&drawn.player, PLAYER_DOWN));
    draw(&drawn);
    assert_true(scene_shows(&drawn.scene, "Before the first update"));
    assert_true(player_move(&drawn.player, PLAYER_DOWN));
    assert_true(player_move(&drawn.player, PLAYER_RIGHT));
    draw(&drawn);
    assert_true(scene_shows(&drawn.scene, "After epoch 0 of 6, and 1 of 2 updates"));
    snprintf(loss, sizeof loss, "Loss %.4f", lesson->training->log[1].loss);
    assert_true(scene_shows(&drawn.scene, loss));
    drawn_finish(&drawn);
    lesson_destroy(lesson);
}

/* The loss above the curve after each epoch: that of the next update where an epoch is
 * one, else the mean over the epoch's updates; before the first that of the first update,
 * behind the last that of the trained model. */
static double loss_after(const LessonTraining *training, size_t epoch) {
    return epoch == training->epochs               ? training->end.loss
           : training->updates == training->epochs ? training->log[epoch].loss
           : epoch == 0                            ? training->log[0].loss
                                                   : training->history[epoch - 1].loss;
}

static void test_the_curve_s_loss_is_that_of_its_epoch(void **state) {
    static const int batches[] = {0, 1, 2, 3}; /* of three examples; 0: all of them */
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        Lesson *lesson = watched(EPOCHS, batches[i]);
        Drawn drawn;
        begin(&drawn, lesson);
        player_jump(&drawn.player, player_statement_step(&drawn.player, 1));
        assert_true(player_move(&drawn.player, PLAYER_DOWN));
        for (size_t epoch = 0; epoch <= EPOCHS; epoch++) {
            char loss[32];
            snprintf(loss, sizeof loss, "%.3f", loss_after(lesson->training, epoch));
            draw(&drawn);
            if (!scene_says(&drawn.scene, loss))
                fail_msg("batches of %d, epoch %zu: %s isn't there", batches[i], epoch,
                         loss);
            assert_true(epoch == EPOCHS || player_move(&drawn.player, PLAYER_RIGHT));
        }
        drawn_finish(&drawn);
        lesson_destroy(lesson);
    }
}

static void test_the_curves_lead_to_every_epoch(void **state) {
    Lesson *lesson = watched(EPOCHS, 2);
    Drawn drawn;
    double before = 0;
    begin(&drawn, lesson);
    size_t self = player_statement_step(&drawn.player, 1), epochs = 0;
    player_jump(&drawn.player, self);
    draw(&drawn);
    for (size_t i = self + 1; i < drawn.player.steps[self].next;
         i = drawn.player.steps[i].next, epochs++) {
        Box box;
        assert_true(scene_find(&drawn.scene, (Link){LINK_STEP, i, 0, 0}, &box));
        assert_true(box.x > before);
        before = box.x;
        Link hit = scene_hit(&drawn.scene, box.x + box.w / 2, box.y + box.h / 2);
        assert_true(hit.kind == LINK_STEP && hit.index == i);
    }
    assert_int_equal(epochs, EPOCHS + 1);
    drawn_finish(&drawn);
    lesson_destroy(lesson);
}

/* ---- what is wrong with a file ---- */

static void test_what_can_not_be_watched_is_said(void **state) {
    static const struct {
        const char *text;
        ErrorCode code;
        const char *says;
    } cases[] = {
        {"title: t\ngiven: {X: [1]}\nsteps:\n  - train: {}\n", ERROR_VALUE,
         "this lesson trains nothing"},
        {MODEL "      epochs: 2\nsteps:\n  - train: {watch: [probability]}\n", ERROR_NAME,
         "did you mean 'probabilities'"},
        {MODEL "      epochs: 2\nsteps:\n  - train: {watch: []}\n", ERROR_VALUE, "watch"},
        {MODEL "      epochs: 2\nsteps:\n  - train: {look: [logits]}\n", ERROR_NAME,
         "watch"},
        {MODEL "      epochs: 2\nsteps:\n  - train: [logits]\n", ERROR_VALUE, "train"},
        {MODEL "      epochs: 2\nsteps:\n  - train: {}\n    as: bars\n", ERROR_VALUE,
         "takes no 'as:'; leave it out"},
        {MODEL "      epochs: 2\nsteps:\n  - train: {watch: [logits, losses, loss, "
               "memory, probabilities]}\n",
         ERROR_LIMIT, "the limit is 4"},
        {MODEL "      epochs: 30000\nsteps:\n  - train: {}\n", ERROR_LIMIT,
         "30000 updates"},
        {MODEL "      epochs: 2\n      before: {b: scores}\nsteps:\n  - train: {}\n",
         ERROR_NAME, "'scores'"},
        {MODEL "      epochs: 2\n      before: {2b: logits}\nsteps:\n  - train: {}\n",
         ERROR_NAME, "'2b'"},
        {MODEL "      epochs: 2\n      before: {logits: logits}\nsteps:\n  - train: {}\n",
         ERROR_NAME, "'logits'"},
        {MODEL "      epochs: 2\n      before: logits\nsteps:\n  - train: {}\n",
         ERROR_VALUE, "before must be a mapping"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ErrorList errors = {0};
        Lesson *lesson =
            lesson_parse("t.yaml", cases[i].text, strlen(cases[i].text), NULL, &errors);
        if (lesson || errors.items[0].code != cases[i].code ||
            !strstr(errors.items[0].message, cases[i].says))
            print_error("case %zu: %s\n", i, errors.items[0].message);
        assert_null(lesson);
        assert_int_equal(errors.items[0].code, cases[i].code);
        assert_contains(errors.items[0].message, cases[i].says);
        assert_true(errors.items[0].line > 0);
    }
}

/* ---- the course's lessons ---- */

static Lesson *course_lesson_of(CourseFiles *files, const char *path) {
    course_begin(files);
    course_load_lesson(files, path);
    return files->lessons[0];
}

static size_t largest_of_row(const Tensor *tensor, size_t row) {
    size_t best = 0;
    for (size_t j = 1; j < tensor->cols; j++)
        best = tensor_at(tensor, row, j) > tensor_at(tensor, row, best) ? j : best;
    return best;
}

static void test_one_update_makes_the_loss_smaller_and_a_leap_larger(void **state) {
    CourseFiles files;
    const Lesson *lesson = course_lesson_of(&files, "lessons/10-one-update.yaml");
    double loss = tensor_of(lesson, "L")->values[0];
    double after = tensor_of(lesson, "L_1")->values[0];
    double far = tensor_of(lesson, "L_far")->values[0];
    assert_close(&loss, &(double){1.098}, 1, 5e-4); /* the numbers that its words say */
    assert_close(&after, &(double){0.984}, 1, 5e-4);
    assert_close(&far, &(double){1.821}, 1, 5e-4);
    course_finish(&files);
}

static void test_the_corpus_is_learned_whole(void **state) {
    CourseFiles files;
    const Lesson *lesson = course_lesson_of(&files, "lessons/31-training.yaml");
    const Tensor *losses = tensor_of(lesson, "losses_before");
    assert_close(&lesson->training->end.accuracy, &(double){1}, 1, 0);
    for (size_t i = 0; i < losses->rows; i++)
        assert_true(losses->values[i] > 3.2189); /* worse than guessing, ln 25 */
    course_finish(&files);
}

static void test_the_translation_is_right_and_its_words_are_aligned(void **state) {
    static const size_t partners[] = {0, 3, 4, 1, 2}; /* I, at, home, drink, tea */
    CourseFiles files;
    const Lesson *lesson = course_lesson_of(&files, "lessons/33-alignment.yaml");
    const Tensor *before = tensor_of(lesson, "A_before");
    const Tensor *after = tensor_of(lesson, "A_after");
    assert_int_equal(lesson->training->count, 38);
    assert_close(&lesson->training->end.accuracy, &(double){1}, 1, 0);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(largest_of_row(after, i), partners[i]);
        assert_true(tensor_at(after, i, partners[i]) > 0.8);
    }
    for (size_t i = 0; i < tensor_cells(before); i++)
        assert_true(before->values[i] < 0.4);
    course_finish(&files);
}

/* ---- trainings that are stored ---- */

enum { STORED_MOST = 64 };

/* A store in memory, and how often its entry was found. */
static struct Stored {
    double *key;
    unsigned char *bytes;
    size_t key_count, size;
} stored[STORED_MOST];
static size_t stored_count, found_count;

static size_t size_of(const LessonPiece *pieces, size_t count) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += pieces[i].size;
    return size;
}

static bool load_stored(const double *key, size_t key_count, const LessonPiece *pieces,
                        size_t count) {
    for (size_t i = 0; i < stored_count; i++) {
        const unsigned char *next = stored[i].bytes;
        if (stored[i].key_count != key_count ||
            memcmp(stored[i].key, key, key_count * sizeof *key) != 0)
            continue;
        assert_int_equal(stored[i].size, size_of(pieces, count));
        for (size_t j = 0; j < count; next += pieces[j++].size) {
            if (pieces[j].size)
                memcpy(pieces[j].bytes, next, pieces[j].size);
        }
        found_count++;
        return true;
    }
    return false;
}

static void save_stored(const double *key, size_t key_count, const LessonPiece *pieces,
                        size_t count) {
    assert_true(stored_count < STORED_MOST);
    struct Stored *saved = &stored[stored_count++];
    *saved = (struct Stored){malloc(key_count * sizeof *key),
                             malloc(size_of(pieces, count)), key_count, 0};
    assert_true(saved->key && saved->bytes);
    memcpy(saved->key, key, key_count * sizeof *key);
    for (size_t i = 0; i < count; saved->size += pieces[i++].size) {
        if (pieces[i].size)
            memcpy(saved->bytes + saved->size, pieces[i].bytes, pieces[i].size);
    }
}

static const LessonStore STORE = {load_stored, save_stored};

static int forget_stored(void **state) {
    while (stored_count) {
        free(stored[--stored_count].key);
        free(stored[stored_count].bytes);
    }
    found_count = 0;
    return 0;
}

static void assert_same_bits(const void *a, const void *b, size_t size) {
    if (size)
        assert_memory_equal(a, b, size);
}

static void assert_same_training(const Lesson *a, const Lesson *b) {
    const LessonTraining *one = a->training, *other = b->training;
    assert_int_equal(one->epochs, other->epochs);
    assert_int_equal(one->batches, other->batches);
    assert_int_equal(one->updates, other->updates);
    assert_same_bits(one->history, other->history, one->epochs * sizeof *one->history);
    assert_same_bits(one->log, other->log, one->updates * sizeof *one->log);
    assert_same_bits(&one->end, &other->end, sizeof one->end);
}

/* Fails unless two lessons have the same numbers, bit for bit. */
static void assert_same_lesson(const Lesson *a, const Lesson *b) {
    assert_int_equal(tape_count(a->tape), tape_count(b->tape));
    for (size_t i = 0; i < tape_count(a->tape); i++) {
        const Tensor *one = &tape_node(a->tape, i)->output;
        const Tensor *other = &tape_node(b->tape, i)->output;
        assert_int_equal(tensor_cells(one), tensor_cells(other));
        assert_same_bits(one->values, other->values,
                         tensor_cells(one) * sizeof *one->values);
    }
    assert_same_training(a, b);
    for (size_t i = 0; i < a->step_count; i++) {
        const LessonFilm *one = a->steps[i].film, *other = b->steps[i].film;
        if (!one)
            continue;
        assert_int_equal(one->frame_count, other->frame_count);
        assert_same_bits(one->values, other->values,
                         one->frame_count * one->cells * sizeof *one->values);
        assert_same_bits(one->reach, other->reach,
                         a->steps[i].shown_count * sizeof *one->reach);
    }
}

static void test_a_stored_training_is_the_same_bit_for_bit(void **state) {
    static const char *const names[] = {"lessons/00-map",
                                        "lessons/26-choosing",
                                        "lessons/29-eleven-steps",
                                        "lessons/31-training",
                                        "lessons/32-train-or-test",
                                        "lessons/33-alignment",
                                        "lessons/35-three-families",
                                        "tests/lessons/training"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *source = getenv("GLASSFORMER_SOURCE");
        char path[1000];
        ErrorList errors = {0};
        Lesson *lessons[3];
        snprintf(path, sizeof path, "%s/%s.yaml", source ? source : ".", names[i]);
        for (size_t j = 0; j < 3; j++) {
            LessonOptions options = {.store = j ? &STORE : NULL};
            lessons[j] = lesson_load(path, &options, &errors);
            assert_non_null(lessons[j]);
        }
        assert_int_equal(stored_count, 1);
        assert_int_equal(found_count, 1);
        assert_same_lesson(lessons[0], lessons[1]);
        assert_same_lesson(lessons[0], lessons[2]);
        for (size_t j = 0; j < 3; j++)
            lesson_destroy(lessons[j]);
        forget_stored(NULL);
    }
}

/* Loads the watched training with a part of its text replaced. */
static void load_replaced(const char *part, const char *by) {
    char text[4096], changed[4096];
    snprintf(text, sizeof text, WATCHED, EPOCHS, 2);
    const char *at = strstr(text, part);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, by,
             at + strlen(part));
    ErrorList errors = {0};
    Lesson *lesson = lesson_parse("test.yaml", changed, strlen(changed),
                                  &(LessonOptions){.store = &STORE}, &errors);
    if (!lesson)
        error_list_print(&errors, stderr);
    assert_non_null(lesson);
    lesson_destroy(lesson);
}

static void test_a_training_is_found_until_something_it_depends_on_changes(void **state) {
    static const char *const other[][2] = {
        {"epochs: 6", "epochs: 7"},
        {"batch: 2", "batch: 3"},
        {"learning_rate: 0.02", "learning_rate: 0.020000000000000004"},
        {"batch: 2", "batch: 2\n      seed: 4294967296"},
        {"batch: 2", "batch: 2\n      seed: 1"},
        {"batch: 2", "batch: 2\n      warmup: 1"},
        {"batch: 2", "batch: 2\n      clip: 1"},
        {"batch: 2", "batch: 2\n      optimizer: sgd"},
        {"heads: 2", "heads: 3"},
        {"d_ff: 12", "d_ff: 13"},
        {"d_model: 6", "d_model: 8"},
        {"heads: 2", "heads: 2\n  norm: pre"},
        {"heads: 2", "heads: 2\n  epsilon: 1e-6"},
        {"heads: 2", "heads: 2\n  biases: false"},
        {"heads: 2", "heads: 2\n  scale_embedding: true"},
        {"heads: 2", "heads: 2\n  activation: gelu"},
        {"\"I drink\"", "\"I know\""},
        {"and I know things", "and I know"},
        {"[probabilities, " HEAD "]", "[probabilities]"},
        {"probabilities, ", "losses, "},
        {"source: \"he brings the storm\"", "source: \"he brings storm the\""},
        {"expected: \"you die\"", "expected: \"you win\""},
        {"steps:\n  - do", "changes:\n  - {mask: none}\nsteps:\n  - do"},
        {"steps:\n  - do", "changes:\n  - {temperature: 2}\nsteps:\n  - do"},
    };
    load_replaced("title: t", "title: u");
    assert_int_equal(stored_count, 1);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        load_replaced(other[i][0], other[i][1]);
        if (stored_count != i + 2)
            fail_msg("%s: the training with '%s' is taken", other[i][1], other[i][0]);
    }
    assert_int_equal(found_count, 0);
    load_replaced("title: t", "title: v");
    load_replaced("  - show: losses\n", "  - show: losses\n  - show: logits\n");
    assert_int_equal(found_count, 2);
}

/* With a store the limit of work is the same. */
static void test_a_stored_training_counts_as_work(void **state) {
    char text[4096];
    ErrorList errors = {0};
    snprintf(text, sizeof text, WATCHED, 40, 2);
    LessonOptions options = {.store = &STORE};
    for (size_t i = 0; i < 2; i++) {
        Lesson *lesson = lesson_parse("t.yaml", text, strlen(text), &options, &errors);
        assert_non_null(lesson);
        lesson_destroy(lesson);
    }
    assert_int_equal(found_count, 1);
    options.work = 1e5;
    assert_null(lesson_parse("t.yaml", text, strlen(text), &options, &errors));
    assert_int_equal(errors.items[0].code, ERROR_WORK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_frame_is_what_so_long_a_training_ends_in),
        cmocka_unit_test(test_the_model_on_the_tape_is_the_one_that_nobody_watched),
        cmocka_unit_test(test_a_film_begins_with_the_untrained_model),
        cmocka_unit_test(test_what_is_kept_of_before_is_the_first_frame),
        cmocka_unit_test(test_the_log_adds_up_to_the_history),
        cmocka_unit_test(test_a_training_opens_into_its_epochs),
        cmocka_unit_test(test_an_epoch_of_several_updates_opens_into_these),
        cmocka_unit_test(test_stepping_back_shows_exactly_what_was_there),
        cmocka_unit_test(test_the_page_says_where_in_the_training_one_is),
        cmocka_unit_test(test_the_curve_s_loss_is_that_of_its_epoch),
        cmocka_unit_test(test_the_curves_lead_to_every_epoch),
        cmocka_unit_test(test_what_can_not_be_watched_is_said),
        cmocka_unit_test(test_one_update_makes_the_loss_smaller_and_a_leap_larger),
        cmocka_unit_test(test_the_corpus_is_learned_whole),
        cmocka_unit_test(test_the_translation_is_right_and_its_words_are_aligned),
        cmocka_unit_test_teardown(test_a_stored_training_is_the_same_bit_for_bit,
                                  forget_stored),
        cmocka_unit_test_teardown(
            test_a_training_is_found_until_something_it_depends_on_changes,
            forget_stored),
        cmocka_unit_test_teardown(test_a_stored_training_counts_as_work, forget_stored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
