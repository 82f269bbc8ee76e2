#include "lesson/model/model_weights.h"

#include "lesson/read/beside.h"
#include "model/weights/config.h"

#include <stdint.h>
#include <string.h>

/* Whether the weights' names are those of the model that config.json speaks of. */
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

static bool open_file(ModelWeights *weights, LessonReader *reader,
                      const TransformerShape *shape, Error *error) {
    Arena *arena = reader->lesson->arena;
    uint8_t *bytes = NULL;
    size_t length = 0;
    weights->room = arena_create_within(arena, LESSON_MAX_MEMORY - arena_used(arena));
    if (!beside_bytes(weights->room, "weights", reader->lesson->file, weights->file->text,
                      SIZE_MAX, &bytes, &length, error))
        return false;
    bool good = weights_read(&weights->stored, weights->room, weights->file->text, bytes,
                             length, shape, error);
    /* Another layout than config.json's explains what doesn't fit. */
    return (!weights->stored.layout || is_configured(weights, reader, error)) && good;
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
        return error_list_append(reader->errors, &error, weights->file->line,
                                 weights->file->column);
    *fill = weights_fill(&weights->stored);
    return true;
}

void model_weights_close(ModelWeights *weights) {
    arena_destroy(weights->room);
    weights->room = NULL;
}
