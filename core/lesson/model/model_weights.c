#include "lesson/model/model_parts.h"

#include "base/number.h"
#include "lesson/read/lesson_files.h"
#include "model/weights/config.h"
#include "tensor/operations/operation.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Reports whether the weights' names are those of the model type in config.json. */
static bool is_configured(const ModelWeights *weights, const LessonReader *reader,
                          Error *error) {
    const Config *config = reader->config;
    const char *layout = weights->stored.layout->title;
    if (!config || (layout && strcmp(layout, config->layout) == 0))
        return true;
    return error_set(error, ERROR_VALUE, 0, 0,
                     "the names in '%.80s' are those of %s, but %.80s says that it is of "
                     "model_type '%s', whose names are %s's",
                     weights->file->text, layout ? layout : "nn.Transformer",
                     reader->config_file, config->model_type, config->layout);
}

/* Reports whether the configuration's model has each bias of the file. */
static bool has_configured_biases(const ModelWeights *weights, const LessonReader *reader,
                                  Error *error) {
    const Safetensors *tensors = &weights->stored.tensors;
    for (size_t i = 0; reader->config && i < tensors->count; i++) {
        const char *name = tensors->tensors[i].name;
        if (config_denies(reader->config, name))
            return error_set(error, ERROR_VALUE, 0, 0,
                             "'%.80s' has the bias '%.80s', but %.80s describes a %s "
                             "model without it; correct that file, or use the weights "
                             "that belong to it",
                             weights->file->text, name, reader->config_file,
                             reader->config->model_type);
    }
    return true;
}

/* Checks that the model has the dimension of heads and the number of layers that
 * config.json states. By now, the lesson's values have replaced the defaults of absent
 * keys. */
static bool has_configured_shape(const LessonReader *reader,
                                 const TransformerShape *shape, Error *error) {
    const Config *config = reader->config;
    if (!config)
        return true;
    ConfigNumber head = config->head_width, list = config->list;
    if (head.number && head.number != shape->d_model / shape->heads)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "%.80s:%d:%d: 'head_dim' is %zu, but must be %zu, d_model / "
                         "heads (%zu / %zu); another would need heads that are wider or "
                         "narrower",
                         reader->config_file, head.line, head.column, head.number,
                         shape->d_model / shape->heads, shape->d_model, shape->heads);
    return !list.number || list.number == shape->decoder_layers ||
           error_set(error, ERROR_VALUE, 0, 0,
                     "%.80s:%d:%d: 'layer_types' is a list of %zu, but the model has %zu "
                     "layers; write one for each",
                     reader->config_file, list.line, list.column, list.number,
                     shape->decoder_layers);
}

/* Checks that the file's embedding has the size that config.json states. */
static bool has_configured_vocabulary(const ModelWeights *weights,
                                      const LessonReader *reader, Error *error) {
    const Config *config = reader->config;
    const Layout *layout = weights->stored.layout;
    const SafetensorsTensor *table =
        config && config->vocabulary.number && layout->sign
            ? layout_tensor(layout, &weights->stored.tensors, layout->sign)
            : NULL;
    return !table || table->axes[0] == config->vocabulary.number ||
           error_set(
               error, ERROR_VALUE, 0, 0,
               "%.80s:%d:%d: 'vocab_size' is %zu, but the file has an embedding of "
               "%zu tokens; correct the number, or use the weights that belong to it",
               reader->config_file, config->vocabulary.line, config->vocabulary.column,
               config->vocabulary.number, table->axes[0]);
}

/* Adds the position in config.json that must also be corrected if an error suggests a
 * value that contradicts config.json; returns false. */
static bool add_configured(const LessonReader *reader, Error *error) {
    const Config *config = reader->config;
    for (size_t i = 0; config && i < config->count; i++) {
        const ConfigValue *value = &config->values[i];
        char key[40];
        size_t used = strlen(error->message);
        snprintf(key, sizeof key, "'%s: ", value->name);
        if (value->usual || !strstr(error->message, key))
            continue;
        snprintf(error->message + used, sizeof error->message - used,
                 ", and correct %.80s:%d:%d, where '%s' is %.40s", reader->config_file,
                 value->line, value->column, value->key ? value->key : "model_type",
                 value->value_text);
        break;
    }
    return false;
}

/* Returns a note about the tensors of the file that aren't read, and why; NULL if all are
 * read. New in the arena. */
static const char *unread_tensors(const ModelWeights *weights, Arena *arena) {
    const Weights *stored = &weights->stored;
    const char *note = arena_format(arena, "%s:", weights->file->text);
    char others[40] = "";
    if (stored->ignored > 1)
        snprintf(others, sizeof others, " and %zu more", stored->ignored - 1);
    if (stored->ignored)
        note = arena_format(
            arena, "%s '%s'%s %s, because no step of this model needs %s%s", note,
            stored->first_ignored, others, *others ? "aren't read" : "isn't read",
            *others ? "them" : "it", stored->unknown ? ";" : "");
    if (!stored->unknown)
        return stored->ignored ? note : NULL;
    if (stored->unknown == 1)
        return arena_format(arena,
                            "%s '%s' isn't read, because it is of whole numbers and no "
                            "weight of this model has that name; a model that uses it "
                            "computes other numbers",
                            note, stored->first_unknown);
    return arena_format(arena,
                        "%s '%s' and %zu more aren't read, because they are of whole "
                        "numbers and no weights of this model have those names; a model "
                        "that uses them computes other numbers",
                        note, stored->first_unknown, stored->unknown - 1);
}

/* Notes the tensors that aren't read, and the assumptions about properties that a file of
 * weights doesn't state. */
static void note_assumptions(const ModelWeights *weights, LessonReader *reader,
                             const TransformerShape *shape) {
    Lesson *lesson = reader->lesson;
    const char *file = weights->file->text, *title = weights->stored.layout->title;
    char epsilon[NUMBER_SIZE], base[NUMBER_SIZE];
    lesson->ignored_tensors = unread_tensors(weights, lesson->arena);
    if (!title)
        return;
    bool rotary = shape->positions == TRANSFORMER_POSITIONS_ROTARY;
    snprintf(base, sizeof base, "%.10g",
             shape->rotary_base > 0 ? shape->rotary_base : ROTARY_BASE);
    lesson->assumed = arena_format(
        lesson->arena, "%s: read as %s%s%s: %s norms, epsilon %s, %s%s%s", file, title,
        reader->config ? ", as its config.json says" : " by its names alone",
        reader->config ? "" : ", as there is no config.json beside it",
        shape->rms ? "RMS" : "layer", number_write(epsilon, shape->epsilon),
        activation_name(shape->activation), rotary ? ", rotary base " : "",
        rotary ? base : "");
}

static bool open_file(ModelWeights *weights, LessonReader *reader,
                      const TransformerShape *shape, Error *error) {
    Arena *arena = reader->lesson->arena;
    uint8_t *bytes = NULL;
    size_t length = 0;
    if (!has_configured_shape(reader, shape, error))
        return false;
    weights->room = arena_create_within(arena, LESSON_MAX_MEMORY - arena_used(arena));
    if (!lesson_file_read(weights->room, "weights", reader->lesson->file,
                          weights->file->text, SIZE_MAX, &bytes, &length, error))
        return false;
    bool good = weights_read(&weights->stored, weights->room, weights->file->text, bytes,
                             length, shape, error);
    /* A layout other than config.json's explains the mismatch. */
    if (weights->stored.layout && !is_configured(weights, reader, error))
        return false;
    if (!good)
        return add_configured(reader, error);
    good = has_configured_biases(weights, reader, error) &&
           has_configured_vocabulary(weights, reader, error);
    if (good)
        note_assumptions(weights, reader, shape);
    return good;
}

bool model_weights_open(ModelWeights *weights, LessonReader *reader,
                        const TransformerShape *shape, TransformerWeights *fill) {
    Error error;
    if (!weights->file) {
        random_init(&weights->random,
                    weights->train ? reader->training->options.seed : weights->seed);
        *fill = transformer_random_weights(&weights->random);
        return true;
    }
    if (!open_file(weights, reader, shape, &error))
        return yaml_error_append(reader->errors, &error, weights->file);
    *fill = weights_fill(&weights->stored);
    return true;
}

void model_weights_close(ModelWeights *weights) {
    arena_destroy(weights->room);
    weights->room = NULL;
}
