#include "lesson/model/model_weights.h"

#include "lesson/read/beside.h"

static bool open_file(ModelWeights *weights, LessonReader *reader,
                      const TransformerShape *shape, Error *error) {
    Arena *arena = reader->lesson->arena;
    uint8_t *bytes = NULL;
    size_t length = 0;
    weights->room = arena_create_within(arena, LESSON_MAX_MEMORY - arena_used(arena));
    return beside_bytes(weights->room, "weights", reader->lesson->file,
                        weights->file->text, &bytes, &length, error) &&
           weights_read(&weights->stored, weights->room, weights->file->text, bytes,
                        length, shape, error);
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
