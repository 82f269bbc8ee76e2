#include "lesson/model/model_parts.h"

#include "base/strings/utf8.h"
#include "lesson/formula/formula.h"
#include "lesson/model/learning.h"
#include "lesson/schema/schema.h"
#include "model/build/transformer.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* ---- tensors by their names ---- */

/* Returns the name of the model's tensor nearest to an unknown one. */
static const char *nearest_name(LessonReader *reader, const Transformer *model,
                                const char *name) {
    const Tape *tape = reader->lesson->tape;
    size_t count = 0, first = model->parameters[0].node;
    const char **names =
        arena_alloc(reader->lesson->arena, tape_count(tape) - first, sizeof *names);
    for (size_t i = first; names && i < tape_count(tape); i++) {
        if (tape_node(tape, i)->name[0] && !tape_node(tape, i)->quiet)
            names[count++] = tape_node(tape, i)->name;
    }
    return names ? error_nearest(name, names, count) : NULL;
}

/* Finds the node of a tensor or a part of the model. */
static bool find_tensor(LessonReader *reader, const Transformer *model,
                        const YamlNode *place, const char *name, size_t *node) {
    char quoted[UTF8_SHORT_SIZE];
    const TransformerPart *part = transformer_part(model, name);
    size_t found = tape_find(reader->lesson->tape, name);
    if (part)
        found = part->node;
    *node = found;
    if (found != TAPE_NONE && found >= model->parameters[0].node)
        return true;
    const char *nearest = nearest_name(reader, model, name);
    return yaml_error(
        reader->errors, ERROR_NAME, place, "the model makes no tensor '%s'%s%s%s",
        utf8_shorten(quoted, name, strlen(name)), nearest ? "; did you mean '" : "",
        nearest ? nearest : "", nearest ? "'?" : "");
}

/* ---- tensors of the untrained model ---- */

static bool keep_one(LessonReader *reader, const Transformer *model,
                     const YamlNode *item) {
    Arena *arena = reader->lesson->arena;
    Tape *tape = reader->lesson->tape;
    char quoted[UTF8_SHORT_SIZE];
    const char *name = item->key->text, *of;
    size_t node, kept;
    Error error;
    utf8_shorten(quoted, name, strlen(name));
    if (!field_string(item, "before", &of, reader->errors) ||
        !find_tensor(reader, model, item, of, &node))
        return false;
    if (!expression_is_name(name) || names_lookup(&reader->names, name))
        return yaml_error(reader->errors, ERROR_NAME, item->key,
                          "'%s' can't be the name of what is kept; take a name that "
                          "nothing has, of letters, digits and _",
                          quoted);
    Tensor tensor = tape_node(tape, node)->output;
    double *values = arena_alloc(arena, tensor_cells(&tensor), sizeof *values);
    memcpy(values, tensor.values, tensor_cells(&tensor) * sizeof *values);
    tensor.values = values;
    if (!tape_given(tape, name, tensor, &kept, &error))
        return yaml_error_append(reader->errors, &error, item->key);
    reader_name(reader, name, kept, item->key->line);
    return true;
}

static bool keep_before(LessonReader *reader, const Transformer *model,
                        const YamlNode *node) {
    bool good = true;
    if (!node)
        return true;
    for (const YamlNode *item = node->first; item; item = item->next)
        good &= keep_one(reader, model, item);
    return good;
}

/* ---- films ---- */

static const char *const PROBABILITIES[] = {"probabilities"};

/* Reads the tensors that a step records; by default the probabilities. */
static bool read_recorded(LessonReader *reader, const Transformer *model,
                          TrainingFilm *film) {
    const SchemaStrings *watch = &film->spec->watch;
    const YamlNode *place = watch->node ? watch->node : film->spec->place.node;
    const char *const *names = watch->node ? watch->items : PROBABILITIES;
    bool good = true;
    film->count = watch->node ? watch->count : 1;
    film->watched =
        arena_alloc(reader->lesson->arena, film->count, sizeof *film->watched);
    for (size_t i = 0; i < film->count; i++)
        good &= find_tensor(reader, model, place, names[i], &film->watched[i]);
    return good;
}

/* Reserves memory for all frames of a film. */
static bool make_room(LessonReader *reader, TrainingFilm *film, size_t frames) {
    Arena *arena = reader->lesson->arena;
    const YamlNode *node = film->spec->place.node;
    size_t cells = 0;
    for (size_t i = 0; i < film->count; i++)
        cells += tensor_cells(&tape_node(reader->lesson->tape, film->watched[i])->output);
    if (frames > TRAINING_FRAMES_MOST || cells > TRAINING_FILM_CELLS / frames)
        return yaml_error(
            reader->errors, ERROR_LIMIT, node,
            "this training has %zu updates, and %zu numbers are watched; a step can show "
            "%d updates and keep %d numbers in all, so take fewer epochs, larger batches "
            "or smaller tensors",
            frames - 1, cells, TRAINING_FRAMES_MOST, TRAINING_FILM_CELLS);
    double *values = arena_alloc(arena, frames * cells, sizeof *values);
    double *reach = arena_alloc(arena, film->count, sizeof *reach);
    film->film = arena_alloc(arena, 1, sizeof *film->film);
    *film->film = (LessonFilm){.cells = cells, .values = values, .reach = reach};
    return true;
}

/* Finds the steps that record, and prepares their films. */
static bool find_films(LessonReader *reader, const Transformer *model, size_t frames) {
    const StepSpec *steps = reader->spec.steps.items;
    TrainingFilm **last = &reader->films;
    bool good = true;
    for (size_t i = 0; i < reader->spec.steps.count; i++) {
        const TrainStepSpec *spec = steps[i].train;
        if (!spec || spec->place.broken)
            continue;
        TrainingFilm *film = arena_alloc(reader->lesson->arena, 1, sizeof *film);
        film->spec = spec;
        good &= read_recorded(reader, model, film) && make_room(reader, film, frames);
        *last = film;
        last = &film->next;
    }
    return good;
}

/* Appends a frame with the present values. */
static void take_frame(const Tape *tape, const TrainingFilm *film) {
    LessonFilm *kept = film->film;
    double *frame = kept->values + kept->frame_count++ * kept->cells;
    for (size_t i = 0; i < film->count; i++) {
        const Tensor *tensor = &tape_node(tape, film->watched[i])->output;
        for (size_t j = 0; j < tensor_cells(tensor); j++) {
            double size = tensor->values[j] < 0 ? -tensor->values[j] : tensor->values[j];
            frame[j] = tensor->values[j];
            if (size > kept->reach[i] && size < LESSON_FILM_REACH)
                kept->reach[i] = size;
        }
        frame += tensor_cells(tensor);
    }
}

static size_t last_watched(const TrainingFilm *films) {
    size_t end = 0;
    for (const TrainingFilm *film = films; film; film = film->next) {
        for (size_t i = 0; i < film->count; i++)
            end = film->watched[i] >= end ? film->watched[i] + 1 : end;
    }
    return end;
}

/* ---- training ---- */

static void take_frames(const LessonReader *reader) {
    for (const TrainingFilm *film = reader->films; film; film = film->next)
        take_frame(reader->lesson->tape, film);
}

/* Spends the work of the training, and reports errors at its own position. */
static void spend_work(LessonReader *reader, const TrainSpec *train,
                       const TransformerShape *shape) {
    const LessonTraining *training = reader->training;
    const YamlNode *at = reader->at;
    reader->at = train->place.node;
    arena_spend(
        reader->lesson->arena, ARENA_WORK_TRAINING,
        train_work(shape, training->examples, training->count, &training->options));
    reader->at = at;
}

/* Creates a trainer of the model on the tape; in `room`. */
static Trainer *make_trainer(LessonReader *reader, const TrainSpec *train,
                             const Transformer *model, Arena *room) {
    const LessonTraining *training = reader->training;
    TrainOptions options = training->options;
    Error error;
    if (reader->untrained)
        options.epochs = 1;
    else
        spend_work(reader, train, &model->shape);
    Trainer *trainer =
        trainer_create(room, reader->lesson->tape, model, training->examples,
                       training->count, &options, &error);
    if (!trainer)
        yaml_error_append(reader->errors, &error, train->place.node);
    return trainer;
}

/* The record of a training, in the lesson's memory. */
typedef struct TrainingRecord {
    TrainEpoch *history; /* one for each epoch */
    TrainUpdate *log;    /* the next update; NULL if no step records them */
} TrainingRecord;

static TrainingRecord make_record(LessonReader *reader) {
    LessonTraining *training = reader->training;
    Arena *arena = reader->lesson->arena;
    TrainingRecord record = {0};
    training->epochs = training->options.epochs;
    training->history = record.history =
        arena_alloc(arena, training->epochs, sizeof *record.history);
    if (!reader->films)
        return record;
    training->updates = training->epochs * training->batches;
    training->log = record.log =
        arena_alloc(arena, training->updates, sizeof *record.log);
    return record;
}

/* Makes up to `most` updates; recorded ones append a frame and a line of the log. */
static void make_updates(LessonReader *reader, const Transformer *model, Trainer *trainer,
                         TrainingRecord *record, size_t most) {
    size_t first = model->parameters[0].node, end = last_watched(reader->films);
    TrainUpdate update;
    for (size_t i = 0; i < most && trainer_update(trainer, &update); i++) {
        if (!record->log)
            continue;
        *record->log++ = update;
        tape_recompute(reader->lesson->tape, first, end);
        take_frames(reader);
    }
}

/* Trains the model to the end, and fills the record. */
static void finish_training(LessonReader *reader, const Transformer *model,
                            Trainer *trainer, TrainingRecord *record) {
    size_t epochs;
    make_updates(reader, model, trainer, record, SIZE_MAX);
    const TrainEpoch *history = trainer_history(trainer, &epochs);
    memcpy(record->history, history, epochs * sizeof *history);
    reader->training->end = trainer_evaluate(trainer);
}

/* Trains the model, or takes the result of an earlier training from the store. The first
 * update is always made: what it computes is a part of the key, so that the result of a
 * program that computes otherwise isn't taken. */
static void fill_model(LessonReader *reader, const Transformer *model, Trainer *trainer,
                       Arena *room) {
    Tape *tape = reader->lesson->tape;
    TrainingRecord record = make_record(reader);
    if (reader->store) {
        make_updates(reader, model, trainer, &record, 1);
        TrainingKey key = training_key(reader, model, room);
        if (!training_load(reader, model, &key)) {
            finish_training(reader, model, trainer, &record);
            training_save(reader, model, &key);
        }
    } else {
        finish_training(reader, model, trainer, &record);
    }
    tape_recompute(tape, model->parameters[0].node, tape_count(tape));
}

/* Reports an error if the weights have become NaN and a step generates text, which is
 * then impossible; otherwise the lesson shows the result. */
static bool refuse_diverged(LessonReader *reader, const TrainSpec *train,
                            const Transformer *model) {
    const StepSpec *steps = reader->spec.steps.items;
    const YamlNode *rate = schema_lookup(&train->place, "learning_rate");
    const YamlNode *at = rate ? rate : train->place.node;
    bool says = false, finite = true;
    for (size_t i = 0; i < reader->spec.steps.count; i++)
        says |= steps[i].generate != NULL;
    for (size_t i = 0; i < model->parameter_count; i++) {
        const Tensor *weights =
            &tape_node(reader->lesson->tape, model->parameters[i].node)->output;
        for (size_t j = 0; j < tensor_cells(weights); j++)
            finite &= isfinite(weights->values[j]) != 0;
    }
    return !says || finite || reader->switched ||
           yaml_error(
               reader->errors, ERROR_VALUE, at,
               "training reached no finite loss, so no token can be chosen; take a "
               "smaller 'learning_rate:' than %g",
               reader->training->options.optimizer.learning_rate);
}

bool training_run(LessonReader *reader, const TrainSpec *train,
                  const Transformer *model) {
    LessonTraining *training = reader->training;
    Arena *arena = reader->lesson->arena;
    Arena *room = arena_create_within(arena, LESSON_MAX_MEMORY - arena_used(arena));
    Trainer *trainer = make_trainer(reader, train, model, room);
    bool good = trainer && keep_before(reader, model, train->before);
    if (trainer) {
        training->batches = trainer_progress(trainer).batches;
        good &= find_films(
            reader, model,
            1 + (reader->untrained ? 0 : training->options.epochs * training->batches));
    }
    if (good)
        take_frames(reader);
    if (good && !reader->untrained) {
        fill_model(reader, model, trainer, room);
        good = refuse_diverged(reader, train, model);
    }
    arena_destroy(room);
    return good;
}

Trainer *lesson_trainer(const Lesson *lesson, Arena *arena, const TrainOptions *options,
                        Error *error) {
    const LessonTraining *training = lesson->training;
    Tape *tape = tape_create(arena);
    Transformer *model = arena_alloc(arena, 1, sizeof *model);
    Random random;
    random_init(&random, options->seed);
    return transformer_append_parameters(tape, arena, &lesson->model->shape,
                                         transformer_random_weights(&random), model,
                                         error)
               ? trainer_create(arena, tape, model, training->examples, training->count,
                                options, error)
               : NULL;
}

/* ---- the step ---- */

/* Returns the update's formula, θ → θ − η ∂L/∂θ; Adam's step is not proportional to the
 * gradient. */
static const char *formula_of(const LessonTraining *training) {
    return training->options.optimizer.kind == OPTIMIZER_ADAM
               ? "\\theta \\to \\theta - \\eta \\cdot \\op{Adam}\\left(\\frac{\\partial "
                 "L}{\\partial \\theta}\\right)"
               : "\\theta \\to \\theta - \\eta \\cdot \\frac{\\partial L}{\\partial "
                 "\\theta}";
}

bool training_step_read(LessonReader *reader, const TrainStepSpec *spec,
                        LessonStep *step) {
    const YamlNode *node = spec->place.node;
    const TrainingFilm *film = reader->films;
    while (film && film->spec != spec)
        film = film->next;
    if (!film)
        return !spec->place.broken &&
               yaml_error(reader->errors, ERROR_VALUE, node,
                          "this lesson trains nothing; a 'train:' step shows what "
                          "'weights: {train: …}' under 'model:' does");
    step->shown_count = film->count;
    step->shown = film->watched;
    step->first = step->result = film->watched[film->count - 1];
    step->source = "train";
    step->formula = formula_of(reader->lesson->training);
    step->film = film->film;
    return true;
}

Tensor lesson_film_tensor(const Lesson *lesson, const LessonStep *step, size_t index,
                          size_t frame) {
    double *values = step->film->values + frame * step->film->cells;
    for (size_t i = 0; i < index; i++)
        values += tensor_cells(&tape_node(lesson->tape, step->shown[i])->output);
    Tensor tensor = tape_node(lesson->tape, step->shown[index])->output;
    tensor.values = values;
    return tensor;
}
